/* A table for people: columns that line up, texts on the left, numbers on the right. */
#ifndef SPN_CLI_TABLE_H
#define SPN_CLI_TABLE_H

#include <spinney/statistics.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cli_table cli_table;

/* NULL without memory. */
cli_table *cli_table_create(void);

/* Add a column; add a cell, row by row. Without memory a table remembers that. */
void cli_table_column(cli_table *table, const char *name, bool number);
void cli_table_text(cli_table *table, const char *text);
void cli_table_number(cli_table *table, double value);
/* The same with all digits of whole numbers; a word in a column of numbers. */
void cli_table_exact(cli_table *table, double value);
void cli_table_word(cli_table *table, const char *word);

/* mean ± half, rounded to two digits of half; the signs line up. */
void cli_table_mean(cli_table *table, const spn_summary *summary);

/* Print on stdout; false without memory. */
bool cli_table_print(const cli_table *table);

/* Accepts NULL. */
void cli_table_free(cli_table *table);

#endif
