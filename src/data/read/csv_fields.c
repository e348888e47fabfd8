/* Rows and fields of CSV. */
#include "data/read/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

spn_csv_row spn_csv_row_of(const spn_csv *csv, spn_span line, size_t number)
{
    return (spn_csv_row){.rest = line, .line = number, .separator = csv->separator};
}

void spn_csv_clear(spn_csv *csv)
{
    for (size_t c = 0; csv->names && c < csv->columns; c++)
        free(csv->names[c]);
    free(csv->names);
    free(csv->target);
    spn_columns_free(csv->recipe);
}

const char *spn_csv_place(char out[SPN_CSV_PLACE], const spn_csv *csv, size_t line, size_t column)
{
    char shown[SPN_SHOWN];
    const char *name = csv->names ? csv->names[column] : "";
    snprintf(out, SPN_CSV_PLACE, "line %zu, column %zu%s%s%s", line, column + 1, *name ? " ('" : "",
             spn_show(shown, (spn_span){name, strlen(name)}), *name ? "')" : "");
    return out;
}

const char *spn_csv_word(char out[SPN_SHOWN], const spn_csv *csv, size_t column)
{
    const char *name = csv->names ? csv->names[column] : "";
    if (!*name || strpbrk(name, ", '\"$&;()<>|*?`\\") || strlen(name) >= SPN_SHOWN - 4)
        snprintf(out, SPN_SHOWN, "%zu", column + 1);
    else
        snprintf(out, SPN_SHOWN, "%s", name);
    return out;
}

/* ---- fields ---- */

/* Blanks around a field mean nothing. */
static bool is_blank(const spn_csv_row *row, char c)
{
    return c == ' ' || (c == '\t' && row->separator != '\t');
}

/* Move past the separator at `size` characters, or end the row. */
static void pass_over(spn_csv_row *row, size_t size)
{
    row->ended = size == row->rest.size;
    size_t step = row->ended ? size : size + 1;
    row->rest.text += step;
    row->rest.size -= step;
}

/* A field in quotes; a quote within is doubled. The text given keeps the doubled ones. */
static void take_quoted(spn_csv_row *row, spn_csv_field *out)
{
    size_t end = 1;
    while (end < row->rest.size) {
        if (row->rest.text[end] != '"')
            end++;
        else if (end + 1 < row->rest.size && row->rest.text[end + 1] == '"')
            end += 2;
        else
            break;
    }
    if (end >= row->rest.size) {
        row->fault = "a quote is not closed on its line";
        end = row->rest.size - 1;
    }
    *out = (spn_csv_field){{row->rest.text + 1, end > 0 ? end - 1 : 0}, true};
    size_t next = end + 1;
    while (next < row->rest.size && is_blank(row, row->rest.text[next]))
        next++;
    if (next < row->rest.size && row->rest.text[next] != row->separator) {
        row->fault = "something follows a closing quote";
        next = row->rest.size;
    }
    pass_over(row, next);
}

bool spn_csv_next(spn_csv_row *row, spn_csv_field *out)
{
    if (row->ended || row->fault)
        return false;
    row->column++;
    while (row->rest.size > 0 && is_blank(row, row->rest.text[0])) {
        row->rest.text++;
        row->rest.size--;
    }
    if (row->rest.size > 0 && row->rest.text[0] == '"') {
        take_quoted(row, out);
        return !row->fault;
    }
    const char *end =
        row->rest.size > 0 ? memchr(row->rest.text, row->separator, row->rest.size) : NULL;
    size_t size = end ? (size_t)(end - row->rest.text) : row->rest.size;
    *out = (spn_csv_field){spn_trim((spn_span){row->rest.text, size}), false};
    pass_over(row, size);
    return true;
}

spn_span spn_csv_plain(char out[SPN_CSV_PLAIN], const spn_csv_field *field)
{
    size_t size = 0;
    if (!field->quoted || !memchr(field->text.text, '"', field->text.size))
        return field->text;
    for (size_t k = 0; k < field->text.size && size < SPN_CSV_PLAIN; k++) {
        out[size++] = field->text.text[k];
        k += field->text.text[k] == '"';
    }
    return (spn_span){out, size};
}

spn_status spn_csv_count(size_t *out, const spn_csv *csv, spn_span line, size_t number,
                         spn_error *err)
{
    size_t count = 1;
    if (!memchr(line.text, '"', line.size)) {
        for (size_t k = 0; k < line.size; k++)
            count += line.text[k] == csv->separator;
        *out = count;
        return SPN_OK;
    }
    spn_csv_row row = spn_csv_row_of(csv, line, number);
    spn_csv_field field;
    while (spn_csv_next(&row, &field))
        ;
    *out = row.column;
    return row.fault ? spn_fail(err, SPN_ERROR_INPUT,
                                "%s: line %zu, column %zu: %s; double it or remove it",
                                csv->source->name, row.line, row.column, row.fault)
                     : SPN_OK;
}

bool spn_csv_has_decimal_comma(spn_span cell)
{
    const char *comma = cell.size ? memchr(cell.text, ',', cell.size) : NULL;
    if (!comma)
        return false;
    size_t digits = 0;
    for (size_t k = 0; k < cell.size; k++) {
        const char c = cell.text[k];
        digits += c >= '0' && c <= '9';
        if (!(c >= '0' && c <= '9') && c != ',' && c != '.' && c != '-' && c != '+')
            return false;
    }
    return digits > 0;
}

/* A text among numbers may be a typing error: it is not for a program to say. */
spn_status spn_csv_not_a_number(const spn_csv *csv, size_t line, size_t column, spn_span cell,
                                spn_error *err)
{
    char place[SPN_CSV_PLACE], shown[SPN_SHOWN], word[SPN_SHOWN];
    const char *name = csv->source->name;
    spn_csv_place(place, csv, line, column);
    spn_csv_word(word, csv, column);
    spn_show(shown, cell);
    if (spn_csv_has_decimal_comma(cell))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: '%s' has a comma: numbers are written with a decimal point, such "
                        "as 1.5; convert them (tr , . < %s)",
                        name, place, shown, name);
    if (csv->options->columns || csv->options->features != 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: '%s' is not a number such as -1.5 or 2e3, as it was in the "
                        "training data",
                        name, place, shown);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: %s: '%s' is not a number, though others in its column are; correct it, "
                    "give `drop %s` to leave the column out, or list it in `categories`",
                    name, place, shown, word);
}

/* ---- separators ---- */

static const char separators[] = {',', ';', '\t'};
enum { COMMA, SEMICOLON, TAB, SEPARATORS };

/* How many lines are looked at. */
enum { LOOK = 20 };

typedef struct counts {
    size_t of[SEPARATORS];
    bool decimal_commas; /* every comma stands between digits, at most one between semicolons */
} counts;

static bool is_digit(spn_span line, size_t k)
{
    return k < line.size && line.text[k] >= '0' && line.text[k] <= '9';
}

/* Separators outside of quotes. */
static counts count_separators(spn_span line)
{
    counts count = {.decimal_commas = true};
    bool quoted = false;
    size_t commas = 0;
    for (size_t k = 0; k < line.size; k++) {
        const char c = line.text[k];
        quoted = c == '"' ? !quoted : quoted;
        for (size_t s = 0; !quoted && s < SEPARATORS; s++)
            count.of[s] += c == separators[s];
        if (c == ';')
            commas = 0;
        if (c == ',' && !quoted &&
            (commas++ > 0 || k == 0 || !is_digit(line, k - 1) || !is_digit(line, k + 1)))
            count.decimal_commas = false;
    }
    return count;
}

/* What is as often in every line separates; of several the one that is there most often, and of
   these the comma first. Semicolons among numbers with decimal commas win over these. */
static char choose(const counts *first, const bool same[SEPARATORS], bool decimal_commas)
{
    if (same[SEMICOLON] && decimal_commas && first->of[COMMA] > 0)
        return ';';
    size_t best = COMMA;
    for (size_t s = 0; s < SEPARATORS; s++)
        if (same[s] && (!same[best] || first->of[s] > first->of[best]))
            best = s;
    if (same[best])
        return separators[best];
    for (size_t s = 0; s < SEPARATORS; s++)
        if (first->of[s] > first->of[best])
            best = s;
    return first->of[COMMA] > 0 ? ',' : separators[best];
}

static char detect_separator(const spn_source *source)
{
    spn_lines lines = spn_lines_of(source);
    spn_span line;
    counts first = {{0}, true};
    bool same[SEPARATORS] = {false}, decimal_commas = true;
    for (size_t n = 0; n < LOOK && spn_lines_next_whole(&lines, &line); n++) {
        const counts count = count_separators(line);
        if (n == 0)
            first = count;
        for (size_t s = 0; s < SEPARATORS; s++)
            same[s] = count.of[s] > 0 && (n == 0 || (same[s] && count.of[s] == first.of[s]));
        decimal_commas = decimal_commas && count.decimal_commas;
    }
    return choose(&first, same, decimal_commas);
}

char spn_csv_separator(const spn_csv *csv)
{
    switch (csv->options->separator) {
    case SPN_SEPARATOR_COMMA:
        return ',';
    case SPN_SEPARATOR_TAB:
        return '\t';
    case SPN_SEPARATOR_SEMICOLON:
        return ';';
    case SPN_SEPARATOR_AUTO:
        break;
    }
    return detect_separator(csv->source);
}
