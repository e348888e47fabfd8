/* The columns of a table: create, name, and copy them. */
#include "data/columns.h"
#include "base/text.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const spn_names spn_column_kind_names = SPN_NAME_LIST(
    "kind of column", [SPN_COLUMN_NUMBER] = "number", [SPN_COLUMN_CATEGORY] = "category",
    [SPN_COLUMN_LABEL] = "label", [SPN_COLUMN_DROPPED] = "dropped");
const spn_names spn_missing_names =
    SPN_NAME_LIST("way with missing values", [SPN_MISSING_REFUSE] = "refuse",
                  [SPN_MISSING_MEAN] = "mean", [SPN_MISSING_ZERO] = "zero");

bool spn_is_missing(spn_span cell)
{
    static const char *const words[] = {"?",    "na",   "n/a",  "#n/a", "nan",
                                        "null", "-nan", "+nan", "."};
    if (cell.size == 0)
        return true;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (cell.size == strlen(words[k]) && strncasecmp(cell.text, words[k], cell.size) == 0)
            return true;
    return false;
}

const char *spn_columns_feature_name(const spn_columns *columns, size_t feature)
{
    return columns->feature_names[feature];
}

spn_columns *spn_columns_alloc(size_t count)
{
    spn_columns *columns = spn_alloc(1, sizeof *columns);
    if (!columns)
        return NULL;
    columns->list = spn_alloc(count, sizeof *columns->list);
    if (!columns->list) {
        free(columns);
        return NULL;
    }
    columns->count = count;
    columns->first_index = 1;
    return columns;
}

void spn_columns_free(spn_columns *columns)
{
    if (!columns)
        return;
    for (size_t c = 0; c < columns->count; c++) {
        free(columns->list[c].name);
        spn_texts_free(&columns->list[c].categories);
    }
    spn_list_free(columns->feature_names, columns->features);
    SPN_FREE_ALL(columns->fills, columns->list, columns);
}

static char *category_name(const spn_column *column, size_t number, const char *category)
{
    char *name = NULL;
    const int size = column->name ? asprintf(&name, "%s=%s", column->name, category)
                                  : asprintf(&name, "%zu=%s", number, category);
    return size < 0 ? NULL : name;
}

static bool name_features(spn_columns *columns, size_t c)
{
    const spn_column *column = &columns->list[c];
    char **names = columns->feature_names + column->feature;
    if (column->kind == SPN_COLUMN_NUMBER)
        return !column->name || (names[0] = strdup(column->name));
    for (uint32_t k = 0; column->kind == SPN_COLUMN_CATEGORY && k < column->categories.count; k++)
        if (!(names[k] = category_name(column, c + 1, column->categories.texts[k])))
            return false;
    return true;
}

bool spn_columns_finish(spn_columns *columns)
{
    size_t features = 0;
    for (size_t c = 0; c < columns->count; c++) {
        spn_column *column = &columns->list[c];
        column->feature = features;
        features += column->kind == SPN_COLUMN_NUMBER     ? 1
                    : column->kind == SPN_COLUMN_CATEGORY ? column->categories.count
                                                          : 0;
    }
    columns->feature_names = spn_alloc(features, sizeof *columns->feature_names);
    if (!columns->feature_names)
        return false;
    columns->features = features;
    for (size_t c = 0; c < columns->count; c++)
        if (!name_features(columns, c))
            return false;
    return true;
}

spn_status spn_columns_plain(spn_columns **out, size_t count, spn_missing missing, spn_error *err)
{
    spn_columns *columns = *out = spn_columns_alloc(count);
    if (columns && spn_columns_finish(columns)) {
        columns->missing = missing;
        return SPN_OK;
    }
    spn_columns_free(columns);
    *out = NULL;
    return spn_no_memory(err, "the columns of a table");
}

static bool copy_column(spn_column *out, const spn_column *column)
{
    uint32_t number;
    out->kind = column->kind;
    if (column->name && !(out->name = strdup(column->name)))
        return false;
    for (uint32_t k = 0; k < column->categories.count; k++) {
        const char *text = column->categories.texts[k];
        if (!spn_texts_add(&number, &out->categories, (spn_span){text, strlen(text)}))
            return false;
        assert(number == k);
    }
    return true;
}

static bool copy_all(spn_columns *out, const spn_columns *columns, const double *fills)
{
    out->missing = columns->missing;
    out->header = columns->header;
    out->first_index = columns->first_index;
    for (size_t c = 0; c < columns->count; c++)
        if (!copy_column(&out->list[c], &columns->list[c]))
            return false;
    if (!spn_columns_finish(out))
        return false;
    if (fills && (out->fills = spn_alloc(out->features, sizeof *fills)))
        memcpy(out->fills, fills, out->features * sizeof *fills);
    return !fills || out->fills;
}

spn_status spn_columns_copy(spn_columns **out, const spn_columns *columns, const double *fills,
                            spn_error *err)
{
    *out = NULL;
    for (size_t i = 0; fills && i < columns->features; i++)
        SPN_REFUSE_IF(!isfinite(fills[i]), err,
                      "the replacement for missing values of feature %zu is not finite", i);
    spn_columns *copy = spn_columns_alloc(columns->count);
    if (copy && copy_all(copy, columns, fills ? fills : columns->fills)) {
        *out = copy;
        return SPN_OK;
    }
    spn_columns_free(copy);
    return spn_no_memory(err, "the columns of a table");
}
