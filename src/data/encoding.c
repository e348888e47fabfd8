/* Thermometers and copies. */
#include <spinney/encoding.h>

#include "base/memory.h"
#include "data/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spn_encoding {
    size_t features;
    size_t *start;      /* features + 1 */
    double *thresholds; /* start[features]; NULL: copies */
    size_t copies;      /* 0: a thermometer */
};

size_t spn_encoding_features(const spn_encoding *encoding)
{
    return encoding->features;
}

size_t spn_encoding_inputs(const spn_encoding *encoding)
{
    return encoding->start[encoding->features];
}

const size_t *spn_encoding_starts(const spn_encoding *encoding)
{
    return encoding->start;
}

const double *spn_encoding_thresholds(const spn_encoding *encoding)
{
    return encoding->thresholds;
}

void spn_encoding_free(spn_encoding *encoding)
{
    if (!encoding)
        return;
    free(encoding->start);
    free(encoding->thresholds);
    free(encoding);
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

/* ---- from numbers ---- */

static spn_status check_numbers(size_t features, const uint32_t *counts, const double *thresholds,
                                spn_error *err)
{
    size_t at = 0;
    for (size_t i = 0; i < features; i++)
        for (size_t j = 0; j < counts[i]; j++, at++)
            if (!isfinite(thresholds[at]) || (j > 0 && !(thresholds[at] > thresholds[at - 1])))
                return spn_fail(err, SPN_ERROR_ARGUMENT,
                                "feature %zu: its thresholds are not finite and ascending", i);
    if (at == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "an encoding has at least one threshold");
    return SPN_OK;
}

spn_status spn_encoding_create(spn_encoding **out, size_t features, const uint32_t *counts,
                               const double *thresholds, spn_error *err)
{
    *out = NULL;
    size_t all = 0;
    const spn_status status = check_numbers(features, counts, thresholds, err);
    if (status)
        return status;
    for (size_t i = 0; i < features; i++)
        all += counts[i];
    spn_encoding *e = allocate(features, all);
    if (!e)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu thresholds", all);
    for (size_t i = 0; i < features; i++)
        e->start[i + 1] = e->start[i] + counts[i];
    memcpy(e->thresholds, thresholds, all * sizeof *thresholds);
    *out = e;
    return SPN_OK;
}

/* ---- copies ---- */

spn_status spn_encoding_copies(spn_encoding **out, size_t features, size_t copies, spn_error *err)
{
    *out = NULL;
    if (features < 1 || copies < 1 || copies > SPN_MOST_COPIES)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there are 1 to %d copies of features, not %zu",
                        SPN_MOST_COPIES, copies);
    spn_encoding *e = allocate(features, 0);
    if (!e)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for copies of %zu features",
                        features);
    free(e->thresholds);
    e->thresholds = NULL;
    e->copies = copies;
    for (size_t i = 0; i < features; i++)
        e->start[i + 1] = e->start[i] + copies;
    *out = e;
    return SPN_OK;
}

size_t spn_encoding_copy_count(const spn_encoding *encoding)
{
    return encoding->copies;
}

/* ---- from data ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Halfway, and below the upper value whatever the rounding. */
static double between(double lower, double upper)
{
    const double middle = lower / 2 + upper / 2;
    return middle >= lower && middle < upper ? middle : lower;
}

/* Where sorted values grow: the numbers of samples below each step. */
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

/* The thresholds of one feature, from its values, which are sorted here; the number of them. below:
   scratch, one for each sample. */
static size_t fit_feature(double *out, size_t levels, double *values, size_t samples, size_t *below)
{
    qsort(values, samples, sizeof *values, by_size);
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

spn_status spn_encoding_fit(spn_encoding **out, size_t levels, const spn_dataset *train,
                            spn_error *err)
{
    *out = NULL;
    if (levels < 1 || levels > SPN_MOST_LEVELS)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a thermometer has 1 to %d levels, not %zu",
                        SPN_MOST_LEVELS, levels);
    double *values = spn_alloc(train->samples, sizeof *values);
    size_t *below = spn_alloc(train->samples, sizeof *below);
    spn_encoding *e = train->features < SIZE_MAX / levels / sizeof *values
                          ? allocate(train->features, train->features * levels)
                          : NULL;
    if (!values || !below || !e) {
        free(values);
        free(below);
        spn_encoding_free(e);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the thresholds of %zu features",
                        train->features);
    }
    for (size_t i = 0; i < train->features; i++) {
        for (size_t n = 0; n < train->samples; n++)
            values[n] = spn_dataset_cell(train, n, i);
        e->start[i + 1] = e->start[i] + fit_feature(e->thresholds + e->start[i], levels, values,
                                                    train->samples, below);
    }
    free(values);
    free(below);
    if (spn_encoding_inputs(e) == 0) {
        spn_encoding_free(e);
        return spn_fail(err, SPN_ERROR_INPUT,
                        "every feature is constant in the training data: no threshold tells two "
                        "samples apart");
    }
    *out = e;
    return SPN_OK;
}

/* ---- encoding ---- */

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
    const size_t inputs = spn_encoding_inputs(e);
    uint8_t *bytes =
        dataset->samples < SIZE_MAX / inputs ? spn_alloc(dataset->samples, inputs) : NULL;
    for (size_t n = 0; bytes && n < dataset->samples; n++)
        encode(bytes + n * inputs, e, dataset, n);
    return bytes;
}

/* What the classifier sees of the samples that `arrays` holds the numbers of. */
static spn_status make(spn_dataset **out, spn_dataset_arrays *arrays, const spn_dataset *dataset,
                       spn_error *err)
{
    arrays->samples = dataset->samples;
    arrays->labels = dataset->labels;
    arrays->classes = dataset->classes;
    arrays->class_names = spn_dataset_class_names(dataset);
    arrays->weights = dataset->weights;
    return spn_dataset_create(out, arrays, err);
}

/* Copies are counted, not stored. */
static spn_status apply_copies(spn_dataset **out, size_t copies, const spn_dataset *dataset,
                               spn_error *err)
{
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.features = dataset->features;
    arrays.bytes = spn_dataset_bytes(dataset);
    arrays.values = spn_dataset_values(dataset);
    if (!arrays.bytes && !arrays.values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu copies", copies);
    const spn_status status = make(out, &arrays, dataset, err);
    if (status)
        return status;
    (*out)->features *= copies;
    (*out)->copies = copies;
    return SPN_OK;
}

static spn_status apply_thermometer(spn_dataset **out, const spn_encoding *encoding,
                                    const spn_dataset *dataset, spn_error *err)
{
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    uint8_t *bytes = encoded_bytes(encoding, dataset);
    arrays.features = spn_encoding_inputs(encoding);
    arrays.bytes = bytes;
    const spn_status status =
        bytes ? make(out, &arrays, dataset, err)
              : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu inputs of %zu samples",
                         arrays.features, dataset->samples);
    free(bytes);
    return status;
}

spn_status spn_encoding_apply(spn_dataset **out, const spn_encoding *encoding,
                              const spn_dataset *dataset, spn_error *err)
{
    *out = NULL;
    if (dataset->features != encoding->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the encoding is of %zu features, the data of %zu",
                        encoding->features, dataset->features);
    const spn_status filled = spn_dataset_check_filled(dataset, err);
    if (filled)
        return filled;
    return encoding->copies ? apply_copies(out, encoding->copies, dataset, err)
                            : apply_thermometer(out, encoding, dataset, err);
}
