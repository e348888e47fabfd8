/* Tables for people. */
#include "cli/table.h"
#include "base/memory.h"
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_table_drop(cli_table *table)
{
    for (size_t k = 0; k < table->column_count; k++)
        free(table->columns[k].name);
    free(table->columns);
    spn_list_free(table->texts, table->text_count);
    *table = (cli_table){0};
}

void cli_table_head(cli_table *table, const char *name, bool number)
{
    char *copy = strdup(name);
    if (!copy || !spn_grow(&table->columns, &table->column_capacity, table->column_count + 1,
                           sizeof *table->columns)) {
        table->failed = true;
        free(copy);
        return;
    }
    table->columns[table->column_count++] = (cli_table_column){.name = copy, .number = number};
}

static void add_cell(cli_table *table, const char *left, const char *right)
{
    char *both[] = {strdup(left), strdup(right)};
    if (!both[0] || !both[1] ||
        !spn_grow(&table->texts, &table->text_capacity, table->text_count + 2, sizeof(char *))) {
        table->failed = true;
        SPN_FREE_ALL(both[0], both[1]);
        return;
    }
    memcpy(table->texts + table->text_count, both, sizeof both);
    table->text_count += 2;
}

void cli_table_text(cli_table *table, const char *text)
{
    add_cell(table, "", text);
    if (table->text_count > 0)
        for (char *c = table->texts[table->text_count - 1]; *c; c++)
            if (iscntrl((unsigned char)*c)) /* it could break the line */
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

/* Columns that a text takes: its UTF-8 characters. */
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
    for (size_t i = 2 * k; i < t->text_count; i += 2 * t->column_count) {
        const size_t left = width_of(t->texts[i]), right = width_of(t->texts[i + 1]);
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

/* Lines have no trailing blanks; last: this is the last column. */
static void print_name(const cli_table_column *c, bool last)
{
    const size_t pad = c->all - width_of(c->name);
    blanks(c->number ? pad : 0);
    fputs(c->name, stdout);
    blanks(c->number || last ? 0 : pad);
}

static void print_cell(char *const both[2], const cli_table_column *c, bool last)
{
    const size_t left = width_of(both[0]), right = width_of(both[1]);
    blanks(c->number ? c->all - c->right - left : 0);
    printf("%s%s", both[0], both[1]);
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
    for (size_t k = 0; columns && k < t->text_count / 2; k++) {
        const size_t c = k % columns;
        fputs(c ? "  " : "\n", stdout);
        print_cell(t->texts + 2 * k, &t->columns[c], c + 1 == columns);
    }
    fputs(columns ? "\n" : "", stdout);
    cli_table_drop(t);
    return ok;
}
