/* Tables for people. */
#include "cli/table.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct column {
    char *name;
    bool number;
} column;

/* What stands to the left of the line on which the cells of a column meet, and to its right. */
typedef struct cell {
    char *left, *right;
} cell;

struct cli_table {
    size_t column_count, cell_count;
    column *columns;
    cell *cells;
    bool failed;
};

cli_table *cli_table_create(void)
{
    return calloc(1, sizeof(cli_table));
}

void cli_table_free(cli_table *table)
{
    if (!table)
        return;
    for (size_t k = 0; k < table->column_count; k++)
        free(table->columns[k].name);
    for (size_t k = 0; k < table->cell_count; k++) {
        free(table->cells[k].left);
        free(table->cells[k].right);
    }
    free(table->columns);
    free(table->cells);
    free(table);
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

void cli_table_column(cli_table *table, const char *name, bool number)
{
    char *copy = strdup(name);
    if (!copy || !grow(&table->columns, table->column_count, sizeof *table->columns)) {
        table->failed = true;
        free(copy);
        return;
    }
    table->columns[table->column_count].name = copy;
    table->columns[table->column_count++].number = number;
}

static void add_cell(cli_table *table, const char *left, const char *right)
{
    cell c = {strdup(left), strdup(right)};
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

typedef struct widths {
    size_t left, right, all;
} widths;

static widths measure(const cli_table *t, size_t c)
{
    widths w = {0};
    for (size_t k = c; k < t->cell_count; k += t->column_count) {
        const size_t left = width_of(t->cells[k].left), right = width_of(t->cells[k].right);
        w.left = left > w.left ? left : w.left;
        w.right = right > w.right ? right : w.right;
    }
    w.all = w.left + w.right;
    const size_t name = width_of(t->columns[c].name);
    w.all = name > w.all ? name : w.all;
    return w;
}

static void blanks(size_t count)
{
    printf("%*s", (int)count, "");
}

/* No blanks at the ends of lines: `last` is the last column. */
static void print_name(const column *c, widths w, bool last)
{
    const size_t pad = w.all - width_of(c->name);
    blanks(c->number ? pad : 0);
    fputs(c->name, stdout);
    blanks(c->number || last ? 0 : pad);
}

static void print_cell(const cell *c, bool number, widths w, bool last)
{
    const size_t left = width_of(c->left), right = width_of(c->right);
    blanks(number ? w.all - w.right - left : 0);
    printf("%s%s", c->left, c->right);
    blanks(last ? 0 : number ? w.right - right : w.all - right);
}

bool cli_table_print(const cli_table *t)
{
    if (t->failed || t->column_count == 0)
        return !t->failed;
    widths *w = calloc(t->column_count, sizeof *w);
    if (!w)
        return false;
    for (size_t c = 0; c < t->column_count; c++) {
        w[c] = measure(t, c);
        fputs(c ? "  " : "", stdout);
        print_name(&t->columns[c], w[c], c + 1 == t->column_count);
    }
    for (size_t k = 0; k < t->cell_count; k++) {
        const size_t c = k % t->column_count;
        fputs(c ? "  " : "\n", stdout);
        print_cell(&t->cells[k], t->columns[c].number, w[c], c + 1 == t->column_count);
    }
    putchar('\n');
    free(w);
    return true;
}
