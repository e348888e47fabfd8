/* What the columns of CSV become: numbers, categories, the label, or nothing; found from the file,
   or from the recipe of another. */
#include "data/read/csv.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_status no_memory(const spn_csv *csv, spn_error *err)
{
    return spn_no_memory(err, "the %zu columns of %s", csv->columns, csv->source->name);
}

/* Whether it makes features. */
static bool is_used(const spn_column *column)
{
    return column->kind == SPN_COLUMN_NUMBER || column->kind == SPN_COLUMN_CATEGORY;
}

/* ---- what the options say ---- */

/* The next item of a list with commas. */
static bool next_in_list(spn_span *rest, spn_span *out)
{
    if (rest->size == 0)
        return false;
    const char *comma = memchr(rest->text, ',', rest->size);
    const size_t size = comma ? (size_t)(comma - rest->text) : rest->size;
    *out = spn_trim((spn_span){rest->text, size});
    rest->text += size + (comma != NULL);
    rest->size -= size + (comma != NULL);
    return true;
}

static spn_status use_column(spn_csv *csv, size_t column, bool drop, spn_error *err)
{
    spn_column *known = &csv->recipe->list[column];
    if (known->kind == SPN_COLUMN_LABEL)
        return spn_source_fail(
            csv->source, err,
            "%s: column %zu holds the labels; set `label-column` if they are elsewhere",
            drop ? "drop" : "categories", column + 1);
    if (drop)
        known->kind = SPN_COLUMN_DROPPED;
    else
        csv->looks[column].asked = true;
    return SPN_OK;
}

static spn_status use_list(spn_csv *csv, const char *list, bool drop, spn_error *err)
{
    spn_span rest = {list, list ? strlen(list) : 0}, text;
    size_t column = 0;
    while (next_in_list(&rest, &text)) {
        SPN_TRY(spn_csv_find(&column, csv, text, drop ? "drop" : "categories", err));
        SPN_TRY(use_column(csv, column, drop, err));
    }
    return SPN_OK;
}

/* ---- the cells ---- */

/* The most categories of a column that `categories` does not name: with more it is probably a name,
   a date or an identifier. */
enum { MANY = 100, FEW = 10 };

static spn_status add_category(spn_csv *csv, size_t column, size_t line, const spn_csv_field *field,
                               spn_error *err)
{
    char plain[SPN_CSV_PLAIN], place[SPN_CSV_PLACE], shown[SPN_SHOWN], word[SPN_SHOWN];
    const spn_span text = spn_csv_plain(plain, field);
    spn_texts *categories = &csv->recipe->list[column].categories;
    const char *fault = spn_text_fault(text);
    uint32_t number;
    if (fault)
        return spn_source_fail(
            csv->source, err,
            "%s: '%s' %s, so it cannot be a category; give `drop %s` to leave the column out",
            spn_csv_place(place, csv, line, column), spn_show(shown, text), fault,
            spn_csv_word(word, csv, column));
    if (categories->count >= SPN_MAX_CLASSES)
        return SPN_OK; /* far too many: the error comes when all columns are known */
    return spn_texts_add(&number, categories, text) ? SPN_OK : no_memory(csv, err);
}

static spn_status look_at_cell(spn_csv *csv, size_t column, size_t line, const spn_csv_field *field,
                               spn_error *err)
{
    double value;
    spn_csv_looks *l = &csv->looks[column];
    if (!is_used(&csv->recipe->list[column]) || (l->number && !l->asked) ||
        spn_is_missing(field->text))
        return SPN_OK;
    if (l->asked)
        return add_category(csv, column, line, field, err);
    if (spn_csv_number(&value, csv, field->text) != SPN_NUMBER_NONE) {
        l->number = true;
        csv->open--;
        return l->text_line ? spn_csv_not_a_number(csv, l->text_line, column, l->text, err)
                            : SPN_OK;
    }
    if (spn_csv_has_decimal_comma(field->text) || spn_csv_has_wrong_point(csv, field->text))
        return spn_csv_not_a_number(csv, line, column, field->text, err);
    if (!l->text_line) {
        l->text_line = line;
        l->text = field->text;
    }
    return add_category(csv, column, line, field, err);
}

/* R never gives two rows the same name; a line that lacks a cell may look like its header. */
static spn_status look_at_row_name(spn_csv *csv, spn_span line, size_t number, spn_error *err)
{
    char plain[SPN_CSV_PLAIN], shown[SPN_SHOWN];
    spn_csv_row row = spn_csv_row_of(csv, line, number);
    spn_csv_field field;
    uint32_t seen = csv->rows.count, found;
    if (!spn_csv_next(&row, &field))
        return SPN_OK;
    const spn_span name = spn_csv_plain(plain, &field);
    const bool usable = !spn_text_fault(name) && seen < UINT32_MAX / 4;
    if (usable && !spn_texts_add(&found, &csv->rows, name))
        return no_memory(csv, err);
    if (usable && found == seen)
        return SPN_OK;
    return spn_source_fail(
        csv->source, err,
        "line %zu: the first line has one column fewer than the others, as R writes a table with "
        "row names, but '%s' is no name of a row%s; complete the first line",
        number, spn_show(shown, name), usable ? ": it comes twice" : "");
}

static spn_status look_at_line(spn_csv *csv, spn_span line, size_t number, size_t *columns,
                               spn_error *err)
{
    SPN_TRY(spn_csv_count(columns, csv, line, number, err));
    if (csv->row_names && *columns == csv->columns)
        SPN_TRY(look_at_row_name(csv, line, number, err));
    if (csv->open == 0 || *columns != csv->columns)
        return SPN_OK;
    spn_csv_row row = spn_csv_row_of(csv, line, number);
    spn_csv_field field;
    while (spn_csv_next(&row, &field))
        SPN_TRY(look_at_cell(csv, row.column - 1, number, &field, err));
    return SPN_OK;
}

/* Every line has the same number of columns, so that the memory taken is bounded by the size of the
   file. */
static spn_status look_at_lines(spn_csv *csv, spn_error *err)
{
    spn_csv_records rows = spn_csv_records_of(csv->source, csv->separator);
    spn_span line;
    rows.columns = csv->columns;
    if (csv->header)
        spn_csv_records_next(&rows, &line);
    while (spn_csv_records_next(&rows, &line)) {
        size_t columns = 0;
        SPN_TRY(look_at_line(csv, line, rows.line, &columns, err));
        if (columns != csv->columns)
            return spn_source_fail(
                csv->source, err,
                "line %zu: %zu columns, but %zu in the lines before; every line needs the same",
                rows.line, columns, csv->columns);
        csv->samples++;
    }
    csv->like_rows = rows.like_rows;
    if (csv->samples == 0)
        return spn_source_fail(csv->source, err, "line %zu: a header and no samples after it",
                               rows.line);
    return SPN_OK;
}

/* ---- categories ---- */

static bool is_too_many(const spn_csv *csv, size_t column)
{
    const size_t count = csv->recipe->list[column].categories.count;
    const size_t most = csv->options->most_categories;
    if (count >= SPN_MAX_CLASSES || csv->looks[column].asked)
        return count >= SPN_MAX_CLASSES;
    return most ? count > most : count > MANY || (count > FEW && count > csv->samples / 2);
}

/* One error for all such columns. */
static spn_status too_many(const spn_csv *csv, spn_error *err)
{
    char which[160] = "", drop[120] = "", word[SPN_SHOWN];
    size_t columns = 0;
    for (size_t c = 0; c < csv->columns; c++) {
        if (!is_too_many(csv, c))
            continue;
        spn_csv_word(word, csv, c);
        spn_print_more(which, sizeof which, "%s'%s' (%u)", columns ? ", " : "", word,
                       (unsigned)csv->recipe->list[c].categories.count);
        spn_print_more(drop, sizeof drop, "%s%s", columns ? "," : "", word);
        columns++;
    }
    return spn_source_fail(csv->source, err,
                           "column%s %s: too many different texts in %zu rows for categories; give "
                           "`drop %s` to leave %s out, or list %s in `categories`",
                           columns == 1 ? "" : "s", which, csv->samples, drop,
                           columns == 1 ? "it" : "them", columns == 1 ? "it" : "them");
}

static spn_status settle(spn_csv *csv, spn_error *err)
{
    bool plain = !csv->header && !csv->options->drop && !csv->options->label_column &&
                 csv->options->missing == SPN_MISSING_REFUSE;
    for (size_t c = 0; c < csv->columns; c++)
        if (is_too_many(csv, c))
            return too_many(csv, err);
    for (size_t c = 0; c < csv->columns; c++) {
        spn_column *column = &csv->recipe->list[c];
        if (column->categories.count == 0)
            continue;
        column->kind = SPN_COLUMN_CATEGORY;
        plain = false;
        if (!spn_texts_sort(&column->categories, NULL))
            return no_memory(csv, err);
    }
    csv->plain = plain;
    csv->recipe->missing = csv->options->missing;
    if (!spn_columns_finish(csv->recipe))
        return no_memory(csv, err);
    if (csv->recipe->features == 0)
        return spn_source_fail(csv->source, err, "no column is left for features; drop fewer");
    return SPN_OK;
}

/* ---- from the file ---- */

static spn_status begin(spn_csv *csv, spn_error *err)
{
    csv->recipe = spn_columns_alloc(csv->columns);
    csv->target = spn_alloc(csv->columns, sizeof *csv->target);
    csv->looks = spn_alloc(csv->columns, sizeof *csv->looks);
    if (!csv->recipe || !csv->target || !csv->looks)
        return no_memory(csv, err);
    csv->recipe->header = csv->header;
    for (size_t c = 0; c < csv->columns; c++) {
        csv->target[c] = c;
        if (c == csv->label_column)
            csv->recipe->list[c].kind = SPN_COLUMN_LABEL;
        else if (c == 0 && csv->row_names)
            csv->recipe->list[c].kind = SPN_COLUMN_DROPPED;
        if (csv->header && !(csv->recipe->list[c].name = strdup(csv->names[c])))
            return no_memory(csv, err);
    }
    SPN_TRY(use_list(csv, csv->options->drop, true, err));
    SPN_TRY(use_list(csv, csv->options->categories, false, err));
    /* if the number of features is given and categories are not, all columns are numbers */
    csv->open = csv->options->features != 0 && !csv->options->categories ? 0 : csv->columns;
    return SPN_OK;
}

static spn_status find_out(spn_csv *csv, spn_error *err)
{
    SPN_TRY(begin(csv, err));
    for (size_t c = 0; csv->open && c < csv->columns; c++)
        csv->open -= !is_used(&csv->recipe->list[c]);
    SPN_TRY(look_at_lines(csv, err));
    return settle(csv, err);
}

/* ---- by a recipe ---- */

/* The first column of that name that is not taken yet. */
static size_t find_name(const spn_csv *csv, const char *name)
{
    for (size_t c = 0; c < csv->columns; c++)
        if (csv->target[c] == SPN_NO_COLUMN && strcmp(csv->names[c], name) == 0)
            return c;
    return SPN_NO_COLUMN;
}

static spn_status no_such_name(const spn_csv *csv, const char *name, spn_error *err)
{
    char shown[SPN_SHOWN];
    return spn_source_fail(csv->source, err,
                           "line 1: no column is called '%s', as in the training data; rename it, "
                           "or remove the header to take the columns by their order",
                           spn_show(shown, (spn_span){name, strlen(name)}));
}

/* Skipped columns are matched, too, so that two columns of the same name stay apart. */
static spn_status match_names(spn_csv *csv, spn_error *err)
{
    const bool own_label = csv->label_column != SPN_NO_COLUMN;
    for (size_t k = 0; k < csv->recipe->count; k++) {
        const spn_column *column = &csv->recipe->list[k];
        const size_t found = find_name(csv, column->name);
        if (found == SPN_NO_COLUMN && is_used(column))
            return no_such_name(csv, column->name, err);
        if (found == SPN_NO_COLUMN)
            continue;
        csv->target[found] = k;
        if (column->kind == SPN_COLUMN_LABEL && !own_label &&
            csv->options->labels != SPN_LABELS_NONE)
            csv->label_column = found;
    }
    return SPN_OK;
}

/* The same columns in the same order; the label may be missing if it is not needed. */
static spn_status match_places(spn_csv *csv, spn_error *err)
{
    size_t labels = 0, own = SPN_NO_COLUMN, c = 0;
    for (size_t k = 0; k < csv->recipe->count; k++)
        if (csv->recipe->list[k].kind == SPN_COLUMN_LABEL)
            own = k, labels = 1;
    const bool without = labels && csv->columns == csv->recipe->count - 1 &&
                         csv->label_column == SPN_NO_COLUMN && spn_labels_not_needed(csv->options);
    if (csv->columns != csv->recipe->count - without)
        return spn_source_fail(csv->source, err,
                               "line 1: %zu columns, but the training data have %zu%s; without a "
                               "header the columns must be the same",
                               csv->columns, csv->recipe->count, labels ? " with the label" : "");
    for (size_t k = 0; k < csv->recipe->count; k++) {
        if (without && k == own)
            continue;
        if (k == own && csv->label_column == SPN_NO_COLUMN &&
            csv->options->labels != SPN_LABELS_NONE)
            csv->label_column = c;
        csv->target[c++] = k;
    }
    return SPN_OK;
}

static bool is_feature(const spn_csv *csv, size_t column)
{
    return csv->target[column] != SPN_NO_COLUMN && is_used(&csv->recipe->list[csv->target[column]]);
}

static spn_status match_recipe(spn_csv *csv, spn_error *err)
{
    SPN_TRY(spn_columns_copy(&csv->recipe, csv->options->columns, NULL, err));
    csv->target = spn_alloc(csv->columns, sizeof *csv->target);
    if (!csv->target)
        return no_memory(csv, err);
    for (size_t c = 0; c < csv->columns; c++)
        csv->target[c] = SPN_NO_COLUMN;
    SPN_TRY(csv->header && csv->recipe->header ? match_names(csv, err) : match_places(csv, err));
    if (csv->label_column != SPN_NO_COLUMN && is_feature(csv, csv->label_column))
        return spn_source_fail(
            csv->source, err,
            "label-column: column %zu was a feature in training; it cannot hold the labels",
            csv->label_column + 1);
    if (csv->label_column == SPN_NO_COLUMN && !spn_labels_not_needed(csv->options))
        return spn_source_fail(csv->source, err,
                               "line 1: no column holds the labels; set `label-column`");
    return look_at_lines(csv, err);
}

spn_status spn_csv_measure(spn_csv *csv, spn_error *err)
{
    return csv->options->columns ? match_recipe(csv, err) : find_out(csv, err);
}
