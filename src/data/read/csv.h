/* CSV from inside: rows and fields, the header, and what its columns are. parse_csv.c reads the
   cells. */
#ifndef SPN_DATA_READ_CSV_H
#define SPN_DATA_READ_CSV_H

#include "data/read/cells.h"

#define SPN_NO_COLUMN SIZE_MAX

/* Whether the numbers of a column have percent signs. */
typedef enum spn_csv_sign { SPN_SIGN_UNKNOWN, SPN_SIGN_NONE, SPN_SIGN_PERCENT } spn_csv_sign;

/* What is known about a column so far. */
typedef struct spn_csv_looks {
    /* whether the first line is a header */
    spn_span first;       /* its cell */
    spn_column_kind kind; /* of that cell: NUMBER, CATEGORY for a text, DROPPED if it is missing */
    unsigned texts_below;
    bool numbers_below, again; /* again: the same text as in the first line */
    bool number_next;          /* in the second line */
    /* what it holds */
    bool asked;  /* it is a category, whatever it holds */
    bool number; /* it holds one; once that is known, other cells are left to the second pass */
    size_t text_line; /* of the first text; 0: none */
    spn_span text;
} spn_csv_looks;

typedef struct spn_csv {
    const spn_source *source;
    const spn_read_options *options;
    spn_cells *cells; /* what is filled */
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
    spn_csv_looks *looks; /* of each column; NULL with a recipe */
    size_t open;          /* columns that are not settled yet */
    bool row_names;       /* the first column holds names of rows, as R writes them */
    spn_texts rows;       /* these */
    spn_csv_sign *signs;  /* of each column */
    size_t like_rows;     /* comments with as many columns as a row */
} spn_csv;

/* ---- csv_rows.c: rows as they stand in the file, and their fields ---- */

/* Walks over rows: lines, or several of them if a quoted cell goes on. Skips blank lines, comments
   that start with #, and Excel's first line sep=; */
typedef struct spn_csv_records {
    spn_lines lines;
    char separator;   /* 0: not known yet */
    size_t line;      /* the first of the row given last */
    bool broken;      /* a quote was never closed: rows are lines from here on */
    size_t columns;   /* count comments with that many columns; 0: do not */
    size_t like_rows; /* of these */
} spn_csv_records;

spn_csv_records spn_csv_records_of(const spn_source *source, char separator);
bool spn_csv_records_next(spn_csv_records *records, spn_span *out);

/* What separates the columns: from the options, the first line, or guessed from the first rows. */
char spn_csv_separator(const spn_csv *csv);

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

/* The field with doubled quotes undone and blanks for line ends; out holds it if it changes. Longer
   texts are cut off. */
enum { SPN_CSV_PLAIN = 600 };
spn_span spn_csv_plain(char out[SPN_CSV_PLAIN], const spn_csv_field *field);

/* The columns of a line. Errors: a quote that is not closed. */
spn_status spn_csv_count(size_t *out, const spn_csv *csv, spn_span line, size_t number,
                         spn_error *err);

/* "line 3, column 2 ('age')", for errors. column: from 0. */
enum { SPN_CSV_PLACE = SPN_PLACE };
const char *spn_csv_place(char out[SPN_CSV_PLACE], const spn_csv *csv, size_t line, size_t column);

/* What to call a column in a list of columns: its name, if a shell and a list leave it whole,
   otherwise its number. */
const char *spn_csv_word(char out[SPN_SHOWN], const spn_csv *csv, size_t column);

/* ---- parse_csv.c: numbers ---- */

/* A number as options->decimal has them: -1.5; in quotes of a file with commas 1,234.5; 12% is
 * 0.12.
 */
spn_number spn_csv_number(double *out, const spn_csv *csv, spn_span cell);

static inline bool spn_csv_is_percent(spn_span cell)
{
    return cell.size > 1 && cell.text[cell.size - 1] == '%';
}

/* Whether a cell may be a number with a decimal comma. */
bool spn_csv_has_decimal_comma(spn_span cell);

/* Whether a cell has a point like 1.234, although numbers have decimal commas; dates have two. */
bool spn_csv_has_wrong_point(const spn_csv *csv, spn_span cell);

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
