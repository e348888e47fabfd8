/* A table for people: columns that line up, texts on the left, numbers on the right. */
#ifndef SPN_CLI_TABLE_H
#define SPN_CLI_TABLE_H

#include <spinney/statistics.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cli_table_column {
    char *name;
    bool number;
    size_t left, right, all; /* widths: of the two sides of its cells, and of all of it */
} cli_table_column;

/* What stands to the left of the line on which the cells of a column meet, and to its right. */
typedef struct cli_table_cell {
    char *left, *right;
} cli_table_cell;

/* It starts as zeros, and ends when it is printed or dropped. */
typedef struct cli_table {
    size_t column_count, cell_count;
    cli_table_column *columns;
    cli_table_cell *cells;
    bool failed; /* memory ran out */
} cli_table;

/* Add a column; add a cell, row by row. */
void cli_table_head(cli_table *table, const char *name, bool number);
void cli_table_text(cli_table *table, const char *text);
void cli_table_number(cli_table *table, double value);
/* The same with all digits of whole numbers; a word in a column of numbers. */
void cli_table_exact(cli_table *table, double value);
void cli_table_word(cli_table *table, const char *word);

/* mean ± half, rounded to two digits of half; the signs line up. */
void cli_table_mean(cli_table *table, const spn_summary *summary);

/* Print on stdout, and drop it; false if memory ran out. */
bool cli_table_print(cli_table *table);
void cli_table_drop(cli_table *table);

#endif
