/* A table with aligned columns: texts on the left, numbers on the right. */
#ifndef SPN_CLI_TABLE_H
#define SPN_CLI_TABLE_H

#include "cli/options.h"
#include <spinney/lab/view.h>
#include <spinney/statistics.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cli_table_column {
    char *name;
    bool number;
    size_t left, right, all; /* widths of the two sides of its cells, and of the column */
} cli_table_column;

/* Starts as zeros, and ends when printed or dropped. */
typedef struct cli_table {
    size_t column_count, column_capacity;
    cli_table_column *columns;
    /* Two texts for each cell, row by row: left and right of the line where the cells of a column
       align. */
    size_t text_count, text_capacity;
    char **texts;
    bool failed; /* out of memory */
} cli_table;

/* Add a column; add a cell, row by row. */
void cli_table_head(cli_table *table, const char *name, bool number);
void cli_table_text(cli_table *table, const char *text);
void cli_table_number(cli_table *table, double value);
/* The same with all digits of whole numbers; a word in a column of numbers. */
void cli_table_exact(cli_table *table, double value);
void cli_table_word(cli_table *table, const char *word);

/* mean ± half, rounded to two digits of half; the signs align. */
void cli_table_mean(cli_table *table, const spn_summary *summary);

/* Print on stdout and drop the table; false without memory. */
bool cli_table_print(cli_table *table);
void cli_table_drop(cli_table *table);

/* "name value, name value" on stdout, wrapped; nothing if count is 0. */
void cli_print_fields(const char *before, const spn_field *fields, size_t count);

/* For people, and as JSON; list: one row, or object, for each run. Both return the exit status. */
int cli_records_print(const cli_values *values, const spn_view *view,
                      const spn_view_options *options, bool list);
int cli_records_json(const cli_values *values, const spn_view *view,
                     const spn_view_options *options, bool list);

#endif
