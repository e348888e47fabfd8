/* Tables for people. */
#include "cli/table.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_table_drop(cli_table *table)
{
    for (size_t k = 0; k < table->column_count; k++)
        free(table->columns[k].name);
    for (size_t k = 0; k < table->cell_count; k++) {
        free(table->cells[k].left);
        free(table->cells[k].right);
    }
    free(table->columns);
    free(table->cells);
    *table = (cli_table){0};
}

/* Room for one more; it doubles at powers of two. */
static bool grow(void *array, size_t count, size_t size)
{
    void **slot = array;
    if (count & (count - 1))
        return true;
    void *grown = realloc(*slot, (count ? 2 * count : 1) * size);
    if (grown)
        *slot = grown;
    return grown != NULL;
}

void cli_table_head(cli_table *table, const char *name, bool number)
{
    char *copy = strdup(name);
    if (!copy || !grow(&table->columns, table->column_count, sizeof *table->columns)) {
        table->failed = true;
        free(copy);
        return;
    }
    table->columns[table->column_count++] = (cli_table_column){.name = copy, .number = number};
}

static void add_cell(cli_table *table, const char *left, const char *right)
{
    cli_table_cell c = {strdup(left), strdup(right)};
    if (!c.left || !c.right || !grow(&table->cells, table->cell_count, sizeof *table->cells)) {
        table->failed = true;
        free(c.left);
        free(c.right);
        return;
    }
    table->cells[table->cell_count++] = c;
}

void cli_table_text(cli_table *table, const char *text)
{
    add_cell(table, "", text);
    if (table->cell_count > 0)
        for (char *c = table->cells[table->cell_count - 1].right; *c; c++)
            if (iscntrl((unsigned char)*c)) /* it would break the line, or worse */
                *c = '?';
}

static void add_number(cli_table *table, double value, int digits)
{
    char text[64] = "-";
    if (!isnan(value))
        spn_print_text(text, sizeof text, "%.*g", digits, value);
    add_cell(table, text, "");
}

void cli_table_number(cli_table *table, double value)
{
    add_number(table, value, 6);
}

void cli_table_exact(cli_table *table, double value)
{
    add_number(table, value, value == floor(value) ? 15 : 6);
}

void cli_table_word(cli_table *table, const char *word)
{
    add_cell(table, word, "");
}

/* "0.05 [0.01, 0.24]": two digits of the width. */
static void add_share(cli_table *table, const spn_summary *s)
{
    char mean[64], ends[96];
    const double width = s->high - s->low;
    const int digits = width < 1 ? 1 - (int)floor(log10(width)) : 1;
    spn_print_text(mean, sizeof mean, "%.*f", digits, s->mean);
    spn_print_text(ends, sizeof ends, " [%.*f, %.*f]", digits, s->low, digits, s->high);
    add_cell(table, mean, ends);
}

void cli_table_mean(cli_table *table, const spn_summary *s)
{
    if (s->trials > 0) {
        add_share(table, s);
        return;
    }
    char mean[64], half[64] = "";
    const double largest = fmax(fabs(s->mean), s->half);
    const int digits = s->half > 0 ? 1 - (int)floor(log10(s->half)) : 0;
    if (s->count == 0 || isnan(s->half)) {
        cli_table_number(table, s->mean);
        return;
    }
    if (s->half > 0 && digits <= 9 && largest < 1e9) {
        spn_print_text(mean, sizeof mean, "%.*f", digits > 0 ? digits : 0, s->mean);
        spn_print_text(half, sizeof half, " ± %.*f", digits > 0 ? digits : 0, s->half);
    } else {
        spn_print_text(mean, sizeof mean, "%.6g", s->mean);
        spn_print_text(half, sizeof half, " ± %.2g", s->half);
    }
    add_cell(table, mean, half);
}

/* ---- printing ---- */

/* Columns that a text takes: its characters, as UTF-8. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void measure(const cli_table *t, size_t k)
{
    cli_table_column *c = &t->columns[k];
    for (size_t i = k; i < t->cell_count; i += t->column_count) {
        const size_t left = width_of(t->cells[i].left), right = width_of(t->cells[i].right);
        c->left = left > c->left ? left : c->left;
        c->right = right > c->right ? right : c->right;
    }
    const size_t name = width_of(c->name), cells = c->left + c->right;
    c->all = name > cells ? name : cells;
}

static void blanks(size_t count)
{
    printf("%*s", (int)count, "");
}

/* No blanks at the ends of lines: `last` is the last column. */
static void print_name(const cli_table_column *c, bool last)
{
    const size_t pad = c->all - width_of(c->name);
    blanks(c->number ? pad : 0);
    fputs(c->name, stdout);
    blanks(c->number || last ? 0 : pad);
}

static void print_cell(const cli_table_cell *cell, const cli_table_column *c, bool last)
{
    const size_t left = width_of(cell->left), right = width_of(cell->right);
    blanks(c->number ? c->all - c->right - left : 0);
    printf("%s%s", cell->left, cell->right);
    blanks(last ? 0 : c->number ? c->right - right : c->all - right);
}

bool cli_table_print(cli_table *t)
{
    const bool ok = !t->failed;
    const size_t columns = ok ? t->column_count : 0;
    for (size_t c = 0; c < columns; c++) {
        measure(t, c);
        fputs(c ? "  " : "", stdout);
        print_name(&t->columns[c], c + 1 == columns);
    }
    for (size_t k = 0; columns && k < t->cell_count; k++) {
        const size_t c = k % columns;
        fputs(c ? "  " : "\n", stdout);
        print_cell(&t->cells[k], &t->columns[c], c + 1 == columns);
    }
    fputs(columns ? "\n" : "", stdout);
    cli_table_drop(t);
    return ok;
}
