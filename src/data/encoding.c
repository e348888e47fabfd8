/* Encode features by thermometers and copies. */
#include <spinney/encoding.h>

#include "base/memory.h"
#include "base/number.h"
#include "data/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spn_encoding_free(spn_encoding *encoding)
{
    if (!encoding)
        return;
    SPN_FREE_ALL(encoding->start, encoding->thresholds, encoding);
}

static spn_encoding *allocate(size_t features, size_t thresholds)
{
    spn_encoding *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->features = features;
    e->start = spn_alloc(features + 1, sizeof *e->start);
    e->thresholds = spn_alloc(thresholds, sizeof *e->thresholds);
    if (e->start && e->thresholds)
        return e;
    spn_encoding_free(e);
    return NULL;
}

spn_status spn_encoding_create(spn_encoding **out, size_t features, const uint32_t *counts,
                               const double *thresholds, spn_error *err)
{
    *out = NULL;
    size_t all = 0;
    for (size_t i = 0; i < features; i++)
        for (size_t j = 0; j < counts[i]; j++, all++)
            SPN_REFUSE_IF(!isfinite(thresholds[all]) ||
                              (j > 0 && !(thresholds[all] > thresholds[all - 1])),
                          err, "feature %zu: its thresholds must be finite and ascending", i);
    SPN_REFUSE_IF(all == 0, err, "an encoding has at least one threshold");
    spn_encoding *e = allocate(features, all);
    SPN_NEED(e, err, "%zu thresholds", all);
    for (size_t i = 0; i < features; i++)
        e->start[i + 1] = e->start[i] + counts[i];
    e->inputs = all;
    memcpy(e->thresholds, thresholds, all * sizeof *thresholds);
    *out = e;
    return SPN_OK;
}

spn_status spn_encoding_copies(spn_encoding **out, size_t features, size_t copies, spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(features < 1 || copies < 1 || copies > SPN_MOST_COPIES, err,
                  "features can have 1 to %d copies, not %zu", SPN_MOST_COPIES, copies);
    spn_encoding *e = allocate(features, 0);
    SPN_NEED(e, err, "copies of %zu features", features);
    free(e->thresholds);
    e->thresholds = NULL;
    e->copies = copies;
    for (size_t i = 0; i < features; i++)
        e->start[i + 1] = e->start[i] + copies;
    e->inputs = features * copies;
    *out = e;
    return SPN_OK;
}

/* Halfway, and below the upper value despite rounding. */
static double between(double lower, double upper)
{
    const double middle = lower / 2 + upper / 2;
    return middle >= lower && middle < upper ? middle : lower;
}

/* Steps of sorted values: the number of samples below each. */
static size_t find_steps(size_t *below, const double *values, size_t samples)
{
    size_t count = 0;
    for (size_t n = 1; n < samples; n++)
        if (values[n] > values[n - 1])
            below[count++] = n;
    return count;
}

static double distance(size_t below, double share)
{
    return fabs((double)below - share);
}

/* Find the thresholds of one feature. Returns their number. Sorts values. below: scratch, one per
   sample. */
static size_t fit_feature(double *out, size_t levels, double *values, size_t samples, size_t *below)
{
    qsort(values, samples, sizeof *values, spn_number_compare);
    const size_t steps = find_steps(below, values, samples);
    size_t count = 0, step = 0, taken = SIZE_MAX;
    for (size_t level = 1; level <= levels && steps > 0; level++) {
        const double share = (double)level * (double)samples / (double)(levels + 1);
        if (steps <= levels)
            step = level - 1;
        while (step + 1 < steps && steps > levels &&
               distance(below[step + 1], share) <= distance(below[step], share))
            step++;
        if (step == taken || step >= steps)
            continue;
        out[count++] = between(values[below[step] - 1], values[below[step]]);
        taken = step;
    }
    return count;
}

/* The same at equal steps. */
static size_t fit_steps(double *out, size_t levels, double *values, size_t samples, size_t *below)
{
    const double deviations = 2.5, count = (double)samples;
    double least = values[0], most = values[0], mean = 0, squares = 0;
    (void)below;
    for (size_t n = 0; n < samples; n++) {
        least = fmin(least, values[n]);
        most = fmax(most, values[n]);
        mean += values[n] / count;
    }
    for (size_t n = 0; n < samples; n++)
        squares += (values[n] - mean) * (values[n] - mean) / count;
    const double reach = deviations * sqrt(squares);
    const double from = fmax(least, mean - reach), to = fmin(most, mean + reach);
    size_t made = 0;
    for (size_t level = 0; level < levels; level++) {
        const double share = ((double)level + 0.5) / (double)levels;
        const double at = from * (1 - share) + to * share;
        if (at >= least && at < most && (made == 0 || at > out[made - 1]))
            out[made++] = at;
    }
    return made;
}

/* Finds the thresholds of a feature, as fit_feature. */
typedef size_t fitting(double *out, size_t levels, double *values, size_t samples, size_t *below);

static spn_status fit(spn_encoding **out, size_t levels, const spn_dataset *train, fitting *how,
                      spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(levels < 1 || levels > SPN_MOST_LEVELS, err,
                  "a thermometer has 1 to %d levels, not %zu", SPN_MOST_LEVELS, levels);
    double *values = spn_alloc(train->samples, sizeof *values);
    size_t *below = spn_alloc(train->samples, sizeof *below);
    spn_encoding *e = train->features < SIZE_MAX / levels / sizeof *values
                          ? allocate(train->features, train->features * levels)
                          : NULL;
    spn_status status = SPN_OK;
    for (size_t i = 0; values && below && e && i < train->features; i++) {
        for (size_t n = 0; n < train->samples; n++)
            values[n] = spn_dataset_cell(train, n, i);
        e->start[i + 1] =
            e->start[i] + how(e->thresholds + e->start[i], levels, values, train->samples, below);
    }
    if (!values || !below || !e)
        status = spn_no_memory(err, "the thresholds of %zu features", train->features);
    else if ((e->inputs = e->start[e->features]) == 0)
        status = spn_fail(err, SPN_ERROR_INPUT,
                          "every feature is constant in the training data: no threshold tells two "
                          "samples apart");
    SPN_FREE_ALL(values, below);
    if (status)
        spn_encoding_free(e);
    *out = status ? NULL : e;
    return status;
}

spn_status spn_encoding_fit(spn_encoding **out, size_t levels, const spn_dataset *train,
                            spn_error *err)
{
    return fit(out, levels, train, fit_feature, err);
}

spn_status spn_encoding_fit_steps(spn_encoding **out, size_t levels, const spn_dataset *train,
                                  spn_error *err)
{
    return fit(out, levels, train, fit_steps, err);
}

static void encode(uint8_t *out, const spn_encoding *e, const spn_dataset *dataset, size_t n)
{
    for (size_t i = 0; i < e->features; i++) {
        const double x = spn_dataset_cell(dataset, n, i);
        for (size_t j = e->start[i]; j < e->start[i + 1]; j++)
            out[j] = x > e->thresholds[j];
    }
}

static uint8_t *encoded_bytes(const spn_encoding *e, const spn_dataset *dataset)
{
    const size_t inputs = e->inputs;
    uint8_t *bytes =
        dataset->samples < SIZE_MAX / inputs ? spn_alloc(dataset->samples, inputs) : NULL;
    for (size_t n = 0; bytes && n < dataset->samples; n++)
        encode(bytes + n * inputs, e, dataset, n);
    return bytes;
}

spn_status spn_encoding_apply(spn_dataset **out, const spn_encoding *encoding,
                              const spn_dataset *dataset, spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(dataset->features != encoding->features, err,
                  "the encoding has %zu features, the data %zu", encoding->features,
                  dataset->features);
    SPN_TRY(spn_dataset_check_filled(dataset, err));
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    const size_t copies = encoding->copies;
    uint8_t *bytes = copies ? NULL : encoded_bytes(encoding, dataset);
    spn_dataset_describe(&arrays, dataset);
    arrays.width = arrays.height = 0;
    arrays.features = copies ? dataset->features : encoding->inputs;
    arrays.bytes = copies ? spn_dataset_bytes(dataset) : bytes;
    arrays.values = copies ? spn_dataset_values(dataset) : NULL;
    const spn_status status =
        arrays.bytes || arrays.values
            ? spn_dataset_create(out, &arrays, err)
            : spn_no_memory(err, "%zu inputs of %zu samples", encoding->inputs, dataset->samples);
    free(bytes);
    if (!status && copies) { /* copies are counted, not stored */
        (*out)->features *= copies;
        (*out)->copies = copies;
        if (dataset->columns) /* without memory, errors do without names */
            spn_columns_copy(&(*out)->copied, dataset->columns, NULL, NULL);
    }
    return status;
}
