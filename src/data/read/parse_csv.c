/* CSV: one sample per line.

   Two passes. The first counts lines, checks that all have the same number of columns and finds out
   which are numbers (csv_columns.c); the second, here, reads the cells. */
#include "data/read/csv.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers as people write them: decimal commas, thousands, percents ---- */

/* Characters of a number with separated thousands, or with a decimal comma. */
enum { LONGEST = 64 };

static size_t count_digits(spn_span text, size_t from)
{
    size_t k = from;
    while (k < text.size && text.text[k] >= '0' && text.text[k] <= '9')
        k++;
    return k - from;
}

/* The digits before the decimals, in groups of three after the first. *end: where they end.
   Returns how many groups there are, 0 for none and for wrong ones. */
static size_t count_groups(spn_span text, size_t from, char mark, size_t *end)
{
    const size_t first = count_digits(text, from);
    size_t groups = 1, k = from + first;
    if (first < 1 || first > 3 || text.text[from] == '0')
        return 0;
    for (; k < text.size && text.text[k] == mark; k += 4, groups++)
        if (count_digits(text, k + 1) != 3)
            return 0;
    *end = k;
    return groups;
}

/* Write a number without marks between groups and with a decimal point. Points of thousands are
   taken only if they can be nothing else, as 1.234 is another number in most files. */
static bool rewrite(char out[LONGEST], spn_span text, char point, bool grouped)
{
    const char mark = point == ',' ? '.' : ',';
    const size_t sign = text.size > 0 && (text.text[0] == '-' || text.text[0] == '+');
    size_t end = 0, size = 0;
    if (text.size >= LONGEST)
        return false;
    const size_t groups = count_groups(text, sign, mark, &end);
    if (groups > 1) {
        const bool decimals = end < text.size && text.text[end] == point;
        if (!grouped || (point == ',' && groups == 2 && !decimals) ||
            end + decimals + (decimals ? count_digits(text, end + 1) : 0) != text.size)
            return false;
    }
    for (size_t k = 0; k < text.size; k++) {
        if (text.text[k] == mark) {
            if (k >= end)
                return false;
            continue;
        }
        out[size++] = text.text[k] == point ? '.' : text.text[k];
    }
    out[size] = '\0';
    return true;
}

spn_number spn_csv_number(double *out, const spn_csv *csv, spn_span cell)
{
    const spn_decimal decimal = csv->options->decimal;
    const char point = decimal == SPN_DECIMAL_COMMA ? ',' : '.';
    char plain[LONGEST];
    spn_number kind = SPN_NUMBER_NONE;
    if (point == '.' || !memchr(cell.text, '.', cell.size))
        kind = spn_number_read(out, cell);
    if (kind != SPN_NUMBER_NONE || cell.size == 0)
        return kind;
    const bool percent = spn_csv_is_percent(cell);
    if (percent)
        cell = spn_trim((spn_span){cell.text, cell.size - 1});
    const bool grouped = decimal != SPN_DECIMAL_AUTO || csv->separator == ',';
    if (!rewrite(plain, cell, point, grouped))
        return SPN_NUMBER_NONE;
    kind = spn_number_read(out, (spn_span){plain, strlen(plain)});
    if (percent && kind == SPN_NUMBER_FINITE)
        *out /= 100;
    return percent && kind == SPN_NUMBER_NOT_FINITE ? SPN_NUMBER_NONE : kind;
}

/* Digits with this mark somewhere, points and signs. */
static bool looks_like_number(spn_span cell, char mark)
{
    bool digits = false, marked = false;
    for (size_t k = 0; k < cell.size; k++) {
        const char c = cell.text[k];
        digits = digits || (c >= '0' && c <= '9');
        marked = marked || c == mark;
        if (!(c >= '0' && c <= '9') && !strchr(",.+-", c))
            return false;
    }
    return digits && marked;
}

bool spn_csv_has_decimal_comma(spn_span cell)
{
    return looks_like_number(cell, ',');
}

bool spn_csv_has_wrong_point(const spn_csv *csv, spn_span cell)
{
    const char *point = memchr(cell.text, '.', cell.size);
    return csv->options->decimal == SPN_DECIMAL_COMMA && looks_like_number(cell, '.') &&
           !memchr(point + 1, '.', cell.size - (size_t)(point + 1 - cell.text));
}

/* What a comma, or a point where commas are decimal, can be; NULL if there is none. */
static const char *hint_of(const spn_csv *csv, spn_span cell)
{
    char plain[LONGEST];
    const bool comma = csv->options->decimal == SPN_DECIMAL_COMMA;
    if (comma && looks_like_number(cell, '.'))
        return "has a point, but numbers have decimal commas (`decimal comma`); remove points "
               "between thousands, or give `decimal point`";
    if (comma || !spn_csv_has_decimal_comma(cell))
        return NULL;
    if (csv->options->decimal == SPN_DECIMAL_AUTO && rewrite(plain, cell, '.', true))
        return "has a comma; give `decimal comma` if it stands for a decimal point, or `decimal "
               "point` if it separates thousands";
    return "has a comma; give `decimal comma` if it stands for a decimal point";
}

/* A text among numbers may be a typing error: it is not for a program to say. */
spn_status spn_csv_not_a_number(const spn_csv *csv, size_t line, size_t column, spn_span cell,
                                spn_error *err)
{
    char place[SPN_CSV_PLACE], shown[SPN_SHOWN], word[SPN_SHOWN];
    const char *hint = hint_of(csv, cell);
    spn_csv_place(place, csv, line, column);
    spn_csv_word(word, csv, column);
    spn_show(shown, cell);
    if (hint)
        return spn_source_fail(csv->source, err, "%s: '%s' %s", place, shown, hint);
    if (csv->options->columns || csv->options->features != 0)
        return spn_source_fail(csv->source, err,
                               "%s: '%s' is not a number such as -1.5 or 2e3, as it was in the "
                               "training data",
                               place, shown);
    return spn_source_fail(csv->source, err,
                           "%s: '%s' is not a number, though others in its column are; correct it, "
                           "give `drop %s` to leave the column out, or list it in `categories`",
                           place, shown, word);
}

/* ---- cells ---- */

static spn_status number_fault(const spn_csv *csv, const spn_csv_row *row, spn_span text,
                               spn_number kind, spn_error *err)
{
    char shown[SPN_SHOWN], place[SPN_CSV_PLACE];
    if (kind == SPN_NUMBER_NONE)
        return spn_csv_not_a_number(csv, row->line, row->column - 1, text, err);
    return spn_source_fail(
        csv->source, err, "%s: '%s' is not finite; correct or remove such values",
        spn_csv_place(place, csv, row->line, row->column - 1), spn_show(shown, text));
}

/* A missing number; a missing category is 0 in all features, which they are already. */
static spn_status put_missing(spn_csv *csv, const spn_csv_row *row, const spn_column *column,
                              size_t start, spn_error *err)
{
    spn_gaps_add(csv->cells, row->line, row->column - 1);
    if (column->kind == SPN_COLUMN_CATEGORY)
        return SPN_OK;
    const double value = spn_gaps_value(csv->cells, column->feature);
    return spn_cells_put(csv->cells, start + column->feature, value, err);
}

static spn_status unknown_category(const spn_csv *csv, const spn_csv_row *row,
                                   const spn_column *column, spn_span text, spn_error *err)
{
    char shown[SPN_SHOWN], place[SPN_CSV_PLACE], first[SPN_SHOWN], last[SPN_SHOWN];
    const char *low = column->categories.texts[0];
    const char *high = column->categories.texts[column->categories.count - 1];
    return spn_source_fail(csv->source, err,
                           "%s: '%s' is none of the %u categories in training ('%s' to '%s'); "
                           "correct it, or give `missing zero` to count it as missing",
                           spn_csv_place(place, csv, row->line, row->column - 1),
                           spn_show(shown, text), (unsigned)column->categories.count,
                           spn_show(first, (spn_span){low, strlen(low)}),
                           spn_show(last, (spn_span){high, strlen(high)}));
}

static spn_status put_category(spn_csv *csv, const spn_csv_row *row, const spn_column *column,
                               const spn_csv_field *field, size_t start, spn_error *err)
{
    char plain[SPN_CSV_PLAIN];
    const spn_span text = spn_csv_plain(plain, field);
    const uint32_t number = spn_texts_find(&column->categories, text);
    if (number == SPN_NO_TEXT && csv->cells->how == SPN_MISSING_REFUSE)
        return unknown_category(csv, row, column, text, err);
    if (number == SPN_NO_TEXT)
        return put_missing(csv, row, column, start, err);
    return spn_cells_put(csv->cells, start + column->feature + number, 1, err);
}

/* 12 among percents is 12% or 1200%: it is not for a program to say. */
static spn_status check_sign(spn_csv *csv, const spn_csv_row *row, spn_span text, double value,
                             spn_error *err)
{
    char shown[SPN_SHOWN], place[SPN_CSV_PLACE];
    const spn_csv_sign sign = spn_csv_is_percent(text) ? SPN_SIGN_PERCENT : SPN_SIGN_NONE;
    spn_csv_sign *known = &csv->signs[row->column - 1];
    if (value == 0 || *known == sign)
        return SPN_OK;
    if (*known == SPN_SIGN_UNKNOWN) {
        *known = sign;
        return SPN_OK;
    }
    return spn_source_fail(csv->source, err,
                           "%s: '%s' has %s percent sign, unlike the numbers before it in its "
                           "column; write all of them alike",
                           spn_csv_place(place, csv, row->line, row->column - 1),
                           spn_show(shown, text), sign == SPN_SIGN_PERCENT ? "a" : "no");
}

/* start: of the features of the sample. */
static spn_status put_cell(spn_csv *csv, const spn_csv_row *row, const spn_column *column,
                           const spn_csv_field *field, size_t start, spn_error *err)
{
    double value;
    if (column->kind == SPN_COLUMN_CATEGORY && !spn_is_missing(field->text))
        return put_category(csv, row, column, field, start, err);
    if (column->kind == SPN_COLUMN_CATEGORY)
        return put_missing(csv, row, column, start, err);
    const spn_number kind = spn_csv_number(&value, csv, field->text);
    if (kind == SPN_NUMBER_FINITE) {
        SPN_TRY(check_sign(csv, row, field->text, value, err));
        return spn_cells_put(csv->cells, start + column->feature, value, err);
    }
    return spn_is_missing(field->text) ? put_missing(csv, row, column, start, err)
                                       : number_fault(csv, row, field->text, kind, err);
}

/* ---- rows ---- */

static spn_status read_row(spn_csv *csv, spn_csv_row *row, size_t start, spn_error *err)
{
    spn_csv_field field;
    char place[SPN_CSV_PLACE], plain[SPN_CSV_PLAIN];
    while (spn_csv_next(row, &field)) {
        const size_t target = csv->target[row->column - 1];
        if (row->column - 1 == csv->label_column) {
            spn_csv_place(place, csv, row->line, row->column - 1);
            SPN_TRY(spn_labels_add(csv->cells, spn_csv_plain(plain, &field), place, err));
        } else if (target != SPN_NO_COLUMN &&
                   csv->recipe->list[target].kind <= SPN_COLUMN_CATEGORY) {
            SPN_TRY(put_cell(csv, row, &csv->recipe->list[target], &field, start, err));
        }
    }
    return SPN_OK;
}

static spn_status missing_fault(const spn_csv *csv, spn_error *err)
{
    char place[SPN_CSV_PLACE], word[SPN_SHOWN];
    const spn_cells *c = csv->cells;
    return spn_source_fail(
        csv->source, err,
        "%s: %s%zu missing value%s (empty, NA, NaN, null, ? or .); fill in or remove such values, "
        "give `drop %s` to leave the column out, or give `missing mean` or `missing zero`",
        spn_csv_place(place, csv, c->first_row, c->first_column),
        c->missing == 1 ? "" : "the first of ", c->missing, c->missing == 1 ? "" : "s",
        spn_csv_word(word, csv, c->first_column));
}

static spn_status fill(spn_csv *csv, spn_error *err)
{
    csv->cells->dataset->samples = csv->samples;
    csv->cells->dataset->features = csv->recipe->features;
    csv->signs = spn_alloc(csv->columns, sizeof *csv->signs);
    SPN_NEED(csv->signs, err, "the %zu columns of %s", csv->columns, csv->source->name);
    SPN_TRY(spn_cells_begin(csv->cells, csv->source->name, csv->options, err));
    if (csv->label_column != SPN_NO_COLUMN)
        SPN_TRY(spn_labels_begin(csv->cells, csv->source->name, err));
    spn_csv_records rows = spn_csv_records_of(csv->source, csv->separator);
    spn_span line;
    if (csv->header)
        spn_csv_records_next(&rows, &line);
    spn_status status = SPN_OK;
    for (size_t start = 0; !status && spn_csv_records_next(&rows, &line);
         start += csv->recipe->features) {
        spn_csv_row row = spn_csv_row_of(csv, line, rows.line);
        status = read_row(csv, &row, start, err);
    }
    return spn_gaps_refused(csv->cells) ? missing_fault(csv, err) : status;
}

spn_status spn_parse_csv(spn_cells *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    if (labels)
        return spn_source_fail(source, err,
                               "CSV holds its labels in a column; leave out the file of labels");
    spn_csv csv = {.source = source, .options = options, .cells = out};
    spn_status status;
    SPN_TRY_OR(cleanup, spn_csv_read_header(&csv, err));
    SPN_TRY_OR(cleanup, spn_csv_measure(&csv, err));
    SPN_TRY_OR(cleanup, fill(&csv, err));
    out->skipped = csv.like_rows;
    if (!csv.plain) {
        out->dataset->columns = csv.recipe;
        csv.recipe = NULL;
    }
cleanup:
    spn_list_free(csv.names, csv.columns);
    SPN_FREE_ALL(csv.target, csv.looks, csv.signs);
    spn_texts_free(&csv.rows);
    spn_columns_free(csv.recipe);
    return status;
}
