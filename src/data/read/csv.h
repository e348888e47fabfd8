/* CSV from inside: rows and fields, the header, and what its columns are. parse_csv.c reads the
   numbers. */
#ifndef SPN_DATA_READ_CSV_H
#define SPN_DATA_READ_CSV_H

#include "data/dataset.h"
#include "data/read/parse.h"

#define SPN_NO_COLUMN SIZE_MAX

typedef struct spn_csv {
    const spn_source *source;
    const spn_read_options *options;
    char separator;
    size_t columns; /* of every line */
    size_t samples;
    bool header;
    char **names;        /* of the columns; NULL without a header */
    size_t label_column; /* from 0; SPN_NO_COLUMN without labels */
    spn_columns *recipe; /* what the columns become */
    size_t *target;      /* the column in the recipe of each column of the file; SPN_NO_COLUMN: skip
                            it */
    bool plain;          /* all columns are numbers without names */
} spn_csv;

void spn_csv_clear(spn_csv *csv);

/* ---- csv_fields.c: rows and fields ---- */

typedef struct spn_csv_field {
    spn_span text; /* doubled quotes within are still doubled */
    bool quoted;
} spn_csv_field;

typedef struct spn_csv_row {
    spn_span rest;
    char separator;
    size_t line;
    size_t column; /* of the field given last, from 1 */
    bool ended;
    const char *fault; /* if not NULL, there are no more fields */
} spn_csv_row;

spn_csv_row spn_csv_row_of(const spn_csv *csv, spn_span line, size_t number);
bool spn_csv_next(spn_csv_row *row, spn_csv_field *out);

/* The field with doubled quotes undone; out holds it if it changes. Longer texts are cut off. */
enum { SPN_CSV_PLAIN = 600 };
spn_span spn_csv_plain(char out[SPN_CSV_PLAIN], const spn_csv_field *field);

/* Whether a cell is a number with a decimal comma, which is refused. */
bool spn_csv_has_decimal_comma(spn_span cell);

/* The columns of a line. Errors: a quote that is not closed. */
spn_status spn_csv_count(size_t *out, const spn_csv *csv, spn_span line, size_t number,
                         spn_error *err);

/* What separates the columns: from the options, or guessed from the first lines. */
char spn_csv_separator(const spn_csv *csv);

/* "line 3, column 2 ('age')", for errors. column: from 0. */
enum { SPN_CSV_PLACE = 120 };
const char *spn_csv_place(char out[SPN_CSV_PLACE], const spn_csv *csv, size_t line, size_t column);

/* What to call a column in a list of columns: its name, if a shell and a list leave it whole,
   otherwise its number. */
const char *spn_csv_word(char out[SPN_SHOWN], const spn_csv *csv, size_t column);

/* Fail for a cell that should be a number and is not. */
spn_status spn_csv_not_a_number(const spn_csv *csv, size_t line, size_t column, spn_span cell,
                                spn_error *err);

/* ---- csv_header.c ---- */

/* Whether the first line names the columns, where the labels are, and the names. */
spn_status spn_csv_read_header(spn_csv *csv, spn_error *err);

/* The column that a text names: a name of the header, or a number. setting: for errors. */
spn_status spn_csv_find(size_t *out, const spn_csv *csv, spn_span text, const char *setting,
                        spn_error *err);

/* ---- csv_columns.c ---- */

/* Count the samples, and find what the columns become, from the file or from the recipe in the
   options. */
spn_status spn_csv_measure(spn_csv *csv, spn_error *err);

#endif
