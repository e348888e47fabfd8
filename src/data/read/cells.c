/* What a parser fills: features, labels, and missing values. */
#include "data/read/cells.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_status too_large(const char *name, size_t samples, size_t features, size_t max_bytes,
                            spn_error *err)
{
    return spn_fail(
        err, SPN_ERROR_INPUT,
        "%s: %zu samples of %zu features need more than the %zu bytes allowed; raise the "
        "limit or take a part of the data",
        name, samples, features, max_bytes);
}

spn_status spn_cells_begin(spn_cells *out, const char *name, size_t samples, size_t features,
                           size_t max_bytes, spn_error *err)
{
    *out = (spn_cells){.name = name, .max_bytes = max_bytes};
    if (features == 0 || samples == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: holds no %s; a data set needs at least one",
                        name, samples == 0 ? "samples" : "features");
    if (samples > max_bytes / features)
        return too_large(name, samples, features, max_bytes, err);
    out->count = samples * features;
    out->bytes = spn_alloc(out->count, 1);
    if (!out->bytes)
        return spn_no_memory(err, "the %zu features of %s", out->count, name);
    return SPN_OK;
}

spn_status spn_cells_widen(spn_cells *cells, spn_error *err)
{
    if (cells->count > cells->max_bytes / sizeof *cells->values)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: %zu numbers of 8 bytes need more than the %zu bytes allowed; raise the "
            "limit or take a part of the data",
            cells->name, cells->count, cells->max_bytes);
    cells->values = spn_alloc(cells->count, sizeof *cells->values);
    if (!cells->values)
        return spn_no_memory(err, "the %zu features of %s", cells->count, cells->name);
    for (size_t k = 0; k < cells->count; k++)
        cells->values[k] = cells->bytes[k];
    free(cells->bytes);
    cells->bytes = NULL;
    return SPN_OK;
}

void spn_cells_finish(spn_cells *cells, spn_dataset *dataset)
{
    dataset->bytes = cells->bytes;
    dataset->values = cells->values;
    *cells = (spn_cells){0};
}

void spn_cells_free(spn_cells *cells)
{
    free(cells->bytes);
    free(cells->values);
    *cells = (spn_cells){0};
}

/* ---- labels ---- */

spn_status spn_labels_begin(spn_labels *out, const char *name, size_t samples, spn_error *err)
{
    *out = (spn_labels){.name = name, .samples = samples};
    out->numbers = spn_alloc(samples, sizeof *out->numbers);
    return out->numbers ? SPN_OK : spn_no_memory(err, "the labels of %s", name);
}

void spn_labels_free(spn_labels *labels)
{
    spn_texts_free(&labels->classes);
    free(labels->numbers);
    *labels = (spn_labels){0};
}

spn_status spn_labels_add(spn_labels *labels, spn_span text, const char *place, spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *fault = spn_text_fault(text);
    if (fault)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %s: the label '%s' %s; every sample needs one",
                        labels->name, place, spn_show(shown, text), fault);
    uint32_t number = spn_texts_find(&labels->classes, text);
    if (number == SPN_NO_TEXT && labels->classes.count == SPN_MAX_CLASSES)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s: the label '%s' is one class more than the %d allowed; check "
                        "which column holds the labels (`label-column`)",
                        labels->name, place, spn_show(shown, text), SPN_MAX_CLASSES);
    if (number == SPN_NO_TEXT && !spn_texts_add(&number, &labels->classes, text))
        return spn_no_memory(err, "the labels of %s", labels->name);
    labels->numbers[labels->used++] = number;
    return SPN_OK;
}

spn_status spn_labels_add_integer(spn_labels *labels, int64_t value, const char *place,
                                  spn_error *err)
{
    char text[24];
    int size = snprintf(text, sizeof text, "%" PRId64, value);
    return spn_labels_add(labels, (spn_span){text, (size_t)size}, place, err);
}

/* Classes are sorted. */
spn_status spn_labels_finish(spn_labels *labels, spn_dataset *dataset, spn_error *err)
{
    uint32_t *new_numbers = spn_alloc(labels->classes.count, sizeof *new_numbers);
    if (!new_numbers || !spn_texts_sort(&labels->classes, new_numbers)) {
        free(new_numbers);
        return spn_no_memory(err, "the labels of %s", labels->name);
    }
    for (size_t n = 0; n < labels->samples; n++)
        labels->numbers[n] = new_numbers[labels->numbers[n]];
    free(new_numbers);
    dataset->labels = labels->numbers;
    dataset->class_names = labels->classes.texts;
    dataset->classes = labels->classes.count;
    labels->numbers = NULL;
    labels->classes.texts = NULL;
    spn_labels_free(labels);
    return SPN_OK;
}

/* ---- missing values ---- */

spn_gaps spn_gaps_of(const spn_read_options *options, size_t features)
{
    const spn_columns *recipe = options->columns;
    spn_gaps gaps = {.how = options->missing};
    if (recipe && gaps.how == SPN_MISSING_REFUSE)
        gaps.how = recipe->missing;
    if (recipe && recipe->features == features && gaps.how == SPN_MISSING_MEAN)
        gaps.fills = recipe->fills;
    return gaps;
}

double spn_gaps_value(spn_gaps *gaps, size_t sample, size_t feature)
{
    if (gaps->missing++ == 0) {
        gaps->first_sample = sample;
        gaps->first_feature = feature;
    }
    if (gaps->how != SPN_MISSING_MEAN)
        return 0;
    gaps->nan += gaps->fills == NULL;
    return gaps->fills ? gaps->fills[feature] : (double)NAN;
}

bool spn_gaps_refused(const spn_gaps *gaps)
{
    return gaps->missing > 0 && gaps->how == SPN_MISSING_REFUSE;
}

const char *spn_gaps_remedy(char *out, size_t size, const spn_gaps *gaps)
{
    snprintf(
        out, size,
        "%zu missing value%s: fill in or remove them, or give `missing mean` or `missing zero`",
        gaps->missing, gaps->missing == 1 ? "" : "s");
    return out;
}
