/* Shared by the readers of problems with constraints. A reader walks over the text by a pointer, so
   that every error can say the line and the column, and collects what it finds; the program is made
   of it at the end. */
#ifndef SPN_PROBLEM_READ_READING_H
#define SPN_PROBLEM_READ_READING_H

#include "base/memory.h"
#include "base/text.h"
#include "data/columns.h"

#include <spinney/program.h>

enum { SPN_READING_MOST = INT32_MAX / 2 }; /* variables or constraints */

/* Terms, as spn_terms wants them. */
typedef struct spn_sum {
    size_t count, factors; /* terms, and the variables of all of them */
    double *coefficients;
    size_t *starts; /* count + 1 */
    uint32_t *variables;
    size_t capacities[3];
} spn_sum;

/* What a file says about a variable. */
typedef struct spn_read_variable {
    const char *place;      /* where it was met first */
    spn_variable_kind kind; /* if it is known */
    bool is_known;          /* otherwise it is continuous */
    double low, high;       /* at first 0 and infinity; a binary one is also within 0 and 1 */
} spn_read_variable;

typedef struct spn_read_row {
    const char *place;
    spn_sense sense;
    double right, weight;
} spn_read_row;

typedef struct spn_reading {
    const spn_source *source;
    const char *start, *at, *end; /* of the text, and where the reader is */
    spn_texts names;              /* of the variables */
    spn_read_variable *variables;
    size_t variable_capacity;
    spn_sum objective;
    double constant;
    bool maximise;
    spn_texts row_names;
    spn_read_row *rows;
    size_t *firsts; /* first term of each row in row_terms, and the end of the last */
    spn_sum row_terms;
    size_t row_count, row_capacity, first_capacity;
} spn_reading;

typedef spn_status spn_program_reader(spn_reading *reading, spn_error *err);
spn_program_reader spn_read_lp, spn_read_qplib, spn_read_polynomial, spn_read_cnf, spn_read_wcnf;

/* The format by the ending of a name, with or without .gz, or AUTO. */
spn_program_format spn_program_format_of_name(const char *path);

/* From a file in memory. options: complete, not NULL. */
spn_status spn_program_parse(spn_program **out, const spn_source *source,
                             const spn_program_files *options, spn_error *err);

/* Fail with INPUT and a text that starts with file, line and column of a place in the text. */
spn_status spn_reading_fail(const spn_reading *reading, const char *place, spn_error *err,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Read the number without a sign at reading->at, and move on. Errors: INPUT (not finite, a whole
   number above 2^53, or so small that it would be 0). */
spn_status spn_reading_number(double *out, spn_reading *reading, spn_error *err);

/* A number with an optional sign that fills a span of the text. what: the number, for errors, such
   as "a coefficient". */
spn_status spn_reading_number_of(double *out, const spn_reading *reading, spn_span token,
                                 const char *what, spn_error *err);

/* The same for a whole number from least to most. */
spn_status spn_reading_whole_of(uint64_t *out, const spn_reading *reading, spn_span token,
                                uint64_t least, uint64_t most, const char *what, spn_error *err);

/* The next line that is not blank, without blanks around it; false at the end. */
bool spn_reading_line(spn_span *out, spn_reading *reading);

/* Take the next word of a line: blanks are between words. False at the end of the line; the word is
   then empty and stands there. */
bool spn_reading_word(spn_span *out, spn_span *line);

/* The most variables or constraints that a header may announce: a typo must not ask for
   terabytes. */
size_t spn_reading_most(const spn_reading *reading);

/* The number of a variable by its name; a new one has no kind and any value. Errors: INPUT (no
   name), MEMORY. */
spn_status spn_reading_variable(uint32_t *out, spn_reading *reading, spn_span name, spn_error *err);

/* Add a term, unless it is 0. */
spn_status spn_sum_add(spn_sum *sum, double coefficient, const uint32_t *variables, size_t degree,
                       spn_error *err);

/* End a row: its terms were added to reading->row_terms since the last one. name: empty for cK,
   with the row's number K from 1. Errors: INPUT (the name is not new), MEMORY. */
spn_status spn_reading_row(spn_reading *reading, spn_span name, spn_read_row row, spn_error *err);

/* Drop the terms that were added since the last row. */
void spn_reading_drop_row(spn_reading *reading);

/* The same for low <= terms <= high: one row if one of them is infinite or both are equal, none if
   both are infinite, otherwise two, called NAME.low and NAME.high. */
spn_status spn_reading_range(spn_reading *reading, spn_span name, double low, double high,
                             const char *place, spn_error *err);

#endif
