/* What a parser fills: features, labels, and missing values. */
#include "data/read/cells.h"

#include "base/memory.h"
#include "data/read/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- features ---- */

/* From the options, or the recipe in them. */
static void find_fills(spn_cells *cells, const spn_read_options *options)
{
    const spn_columns *recipe = options->columns;
    cells->how = options->missing;
    if (recipe && cells->how == SPN_MISSING_REFUSE)
        cells->how = recipe->missing;
    if (recipe && recipe->features == cells->dataset->features && cells->how == SPN_MISSING_MEAN)
        cells->fills = recipe->fills;
}

spn_status spn_cells_begin(spn_cells *cells, const char *name, const spn_read_options *options,
                           spn_error *err)
{
    const size_t samples = cells->dataset->samples, features = cells->dataset->features;
    cells->name = name;
    cells->max_bytes = options ? options->max_bytes : SIZE_MAX;
    if (options)
        find_fills(cells, options);
    if (features == 0 || samples == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: holds no %s; a data set needs at least one",
                        name, samples == 0 ? "samples" : "features");
    if (samples > cells->max_bytes / features)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu samples of %zu features need more than the %zu bytes allowed; "
                        "raise the limit or take a part of the data",
                        name, samples, features, cells->max_bytes);
    cells->dataset->bytes = spn_alloc(samples * features, 1);
    SPN_NEED(cells->dataset->bytes, err, "the %zu features of %s", samples * features, name);
    return SPN_OK;
}

spn_status spn_cells_widen(spn_cells *cells, spn_error *err)
{
    spn_dataset *dataset = cells->dataset;
    const size_t count = dataset->samples * dataset->features;
    if (count > cells->max_bytes / sizeof *dataset->values)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu numbers of 8 bytes need more than the %zu bytes allowed; raise "
                        "the limit or take a part of the data",
                        cells->name, count, cells->max_bytes);
    dataset->values = spn_alloc(count, sizeof *dataset->values);
    SPN_NEED(dataset->values, err, "the %zu features of %s", count, cells->name);
    for (size_t k = 0; k < count; k++)
        dataset->values[k] = dataset->bytes[k];
    free(dataset->bytes);
    dataset->bytes = NULL;
    return SPN_OK;
}

/* ---- missing values ---- */

void spn_gaps_add(spn_cells *cells, size_t row, size_t column)
{
    if (cells->missing++ == 0) {
        cells->first_row = row;
        cells->first_column = column;
    }
}

double spn_gaps_value(spn_cells *cells, size_t feature)
{
    if (cells->how != SPN_MISSING_MEAN)
        return 0;
    cells->dataset->missing += cells->fills == NULL;
    return cells->fills ? cells->fills[feature] : (double)NAN;
}

bool spn_gaps_refused(const spn_cells *cells)
{
    return cells->missing > 0 && cells->how == SPN_MISSING_REFUSE;
}

const char *spn_gaps_remedy(char out[SPN_REMEDY], const spn_cells *cells)
{
    snprintf(
        out, SPN_REMEDY,
        "%zu missing value%s: fill in or remove them, or give `missing mean` or `missing zero`",
        cells->missing, cells->missing == 1 ? "" : "s");
    return out;
}

/* ---- labels ---- */

spn_status spn_labels_begin(spn_cells *cells, const char *name, spn_error *err)
{
    cells->name = name;
    cells->dataset->labels = spn_alloc(cells->dataset->samples, sizeof *cells->dataset->labels);
    return cells->dataset->labels ? SPN_OK : spn_no_memory(err, "the labels of %s", name);
}

spn_status spn_labels_add(spn_cells *cells, spn_span text, const char *place, spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *fault = spn_text_fault(text);
    if (spn_is_missing(text)) {
        if (cells->unlabelled++ == 0)
            snprintf(cells->first_unlabelled, sizeof cells->first_unlabelled, "%s", place);
        cells->dataset->labels[cells->labels++] = SPN_NO_TEXT;
        return SPN_OK;
    }
    if (fault)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s: the label '%s' %s; every sample needs one",
                        cells->name, place, spn_show(shown, text), fault);
    uint32_t number = spn_texts_find(&cells->classes, text);
    if (number == SPN_NO_TEXT && cells->classes.count == SPN_MAX_CLASSES)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: the label '%s' is one class more than the %d allowed; check which "
                        "column holds the labels (`label-column`)",
                        cells->name, place, spn_show(shown, text), SPN_MAX_CLASSES);
    if (number == SPN_NO_TEXT && !spn_texts_add(&number, &cells->classes, text))
        return spn_no_memory(err, "the labels of %s", cells->name);
    cells->dataset->labels[cells->labels++] = number;
    return SPN_OK;
}

/* ---- samples without a label ---- */

static spn_status unlabelled_fault(const spn_cells *cells, spn_error *err)
{
    const size_t count = cells->unlabelled;
    if (count == cells->labels)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: %s: no sample has a label; check which column holds the labels (`label-column`)",
            cells->name, cells->first_unlabelled);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: %s: %s%zu missing label%s (empty, NA, NaN, null, ? or .); fill in or "
                    "remove such samples, rename a class that is called so, or give `missing mean` "
                    "or `missing zero` to leave them out",
                    cells->name, cells->first_unlabelled, count == 1 ? "" : "the first of ", count,
                    count == 1 ? "" : "s");
}

static spn_status leave_out(spn_dataset **out, const spn_cells *cells, spn_error *err)
{
    const spn_dataset *all = *out;
    spn_dataset *some = NULL;
    size_t count = 0, *rows = spn_alloc(all->samples, sizeof *rows);
    for (size_t n = 0; rows && n < all->samples; n++)
        if (all->labels[n] != SPN_NO_TEXT)
            rows[count++] = n;
    const spn_status status = rows ? spn_dataset_select(&some, all, rows, count, err)
                                   : spn_no_memory(err, "the labels of %s", cells->name);
    free(rows);
    if (status)
        return status;
    spn_dataset_free(*out);
    *out = some;
    return SPN_OK;
}

/* ---- classes ---- */

spn_status spn_labels_finish(spn_dataset **out, spn_cells *cells, const spn_read_options *options,
                             spn_error *err)
{
    spn_dataset *dataset = *out;
    if (cells->unlabelled && options->labels_optional) {
        /* As if there were none. */
        free(dataset->labels);
        dataset->labels = NULL;
        return SPN_OK;
    }
    if (cells->unlabelled &&
        (cells->how == SPN_MISSING_REFUSE || cells->unlabelled == cells->labels))
        return unlabelled_fault(cells, err);
    uint32_t *new_numbers = spn_alloc(cells->classes.count, sizeof *new_numbers);
    if (!new_numbers || !spn_texts_sort(&cells->classes, new_numbers)) {
        free(new_numbers);
        return spn_no_memory(err, "the labels of %s", cells->name);
    }
    for (size_t n = 0; n < cells->labels; n++)
        if (dataset->labels[n] != SPN_NO_TEXT)
            dataset->labels[n] = new_numbers[dataset->labels[n]];
    free(new_numbers);
    dataset->class_names = cells->classes.texts;
    dataset->classes = cells->classes.count;
    cells->classes.texts = NULL;
    return cells->unlabelled ? leave_out(out, cells, err) : SPN_OK;
}

/* ---- targets of regressions ---- */

/* Numbers of which more differ, or all, are probably measured or counted. */
enum { MANY_WHOLE = 20, MANY_WITH_FRACTIONS = 10, ENOUGH = 5 };

static bool read_label(double *out, const char *text)
{
    spn_span label = {text, strlen(text)};
    if (spn_csv_is_percent(label))
        label.size--;
    if (spn_csv_has_decimal_comma(label)) {
        *out = 0.5; /* a fraction: no more is asked */
        return true;
    }
    return spn_number_read(out, label) == SPN_NUMBER_FINITE;
}

/* Whether the labels are every number from 0 or 1 on. Classes are sorted. */
static bool are_counted(const spn_dataset *d)
{
    double first, last;
    return read_label(&first, d->class_names[0]) && (first == 0 || first == 1) &&
           read_label(&last, d->class_names[d->classes - 1]) && last - first + 1 == d->classes;
}

/* Whether they number classes, as each is there some times. */
static bool are_codes(const spn_dataset *d)
{
    if (!are_counted(d))
        return false;
    size_t *counts = spn_alloc(d->classes, sizeof *counts);
    bool enough = counts != NULL;
    for (size_t n = 0; counts && n < d->samples; n++)
        counts[d->labels[n]]++;
    for (uint32_t k = 0; counts && k < d->classes; k++)
        enough = enough && counts[k] >= ENOUGH;
    free(counts);
    return enough;
}

static bool is_target(bool *fractions, const spn_dataset *d)
{
    const bool often_once = d->classes > d->samples / 2;
    *fractions = false;
    for (uint32_t k = 0; k < d->classes; k++) {
        double value;
        if (!read_label(&value, d->class_names[k]))
            return false;
        *fractions = *fractions || value != floor(value);
    }
    if (d->classes <= 2)
        return false;
    if (*fractions)
        return d->classes > MANY_WITH_FRACTIONS || often_once;
    if (d->classes == d->samples && d->classes >= ENOUGH && !are_counted(d))
        return true;
    return (d->classes > MANY_WHOLE || (d->classes > MANY_WITH_FRACTIONS && often_once)) &&
           !are_codes(d);
}

static const char *label_name(const spn_dataset *d)
{
    for (size_t c = 0; d->columns && c < d->columns->count; c++)
        if (d->columns->list[c].kind == SPN_COLUMN_LABEL && d->columns->list[c].name)
            return d->columns->list[c].name;
    return "";
}

/* Labels that are the same number, such as 1 and 1.0, are side by side: classes are sorted. */
static spn_status check_alike(const spn_dataset *d, const char *name, spn_error *err)
{
    char first[SPN_SHOWN], second[SPN_SHOWN];
    for (uint32_t k = 1; k < d->classes; k++) {
        const spn_span a = {d->class_names[k - 1], strlen(d->class_names[k - 1])};
        const spn_span b = {d->class_names[k], strlen(d->class_names[k])};
        double x, y;
        if (spn_number_read(&x, a) == SPN_NUMBER_FINITE &&
            spn_number_read(&y, b) == SPN_NUMBER_FINITE && x == y)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: the labels '%s' and '%s' are the same number; write them alike, "
                            "or give `label-kind classes` if they are two classes",
                            name, spn_show(first, a), spn_show(second, b));
    }
    return SPN_OK;
}

spn_status spn_labels_check(const spn_dataset *dataset, const char *name, spn_error *err)
{
    char shown[SPN_SHOWN];
    bool fractions;
    const char *label = label_name(dataset);
    SPN_TRY(check_alike(dataset, name, err));
    if (!is_target(&fractions, dataset))
        return SPN_OK;
    spn_show(shown, (spn_span){label, strlen(label)});
    return spn_fail(
        err, SPN_ERROR_INPUT,
        "%s: the labels%s%s%s are %u different %snumbers, which looks like the target of a "
        "regression, not like classes; set `label-column` if the classes are elsewhere, cut the "
        "numbers into ranges, or give `label-kind classes` if each number is a class",
        name, *label ? " ('" : "", shown, *label ? "')" : "", (unsigned)dataset->classes,
        fractions ? "" : "whole ");
}
