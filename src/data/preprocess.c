/* Scalings, binarisation and missing values. */
#include "base/text.h"
#include "data/dataset.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const spn_names spn_preprocess_kind_names =
    SPN_NAME_LIST("preprocessing", [SPN_PREPROCESS_NONE] = "none", [SPN_PREPROCESS_GIVEN] = "given",
                  [SPN_PREPROCESS_DATASET] = "dataset", [SPN_PREPROCESS_FEATURE] = "feature",
                  [SPN_PREPROCESS_BINARY] = "binary");

/* A finite number before the character `end`. */
static bool parse_number(const char *text, double *out, char end)
{
    const size_t used = spn_number_scan(out, text, strlen(text));
    return used && text[used] == end && isfinite(*out);
}

spn_status spn_preprocess_from_text(spn_preprocess *out, const char *text, spn_error *err)
{
    const char *comma = strchr(text, ',');
    *out = (spn_preprocess){.scale = 1};
    if (strcmp(text, "none") == 0)
        out->kind = SPN_PREPROCESS_NONE;
    else if (strcmp(text, "dataset") == 0)
        out->kind = SPN_PREPROCESS_DATASET;
    else if (strcmp(text, "feature") == 0)
        out->kind = SPN_PREPROCESS_FEATURE;
    else if (strncmp(text, "binary:", 7) == 0 && parse_number(text + 7, &out->threshold, 0))
        out->kind = SPN_PREPROCESS_BINARY;
    else if (comma && parse_number(text, &out->shift, ',') &&
             parse_number(comma + 1, &out->scale, 0) && out->scale != 0)
        out->kind = SPN_PREPROCESS_GIVEN;
    else
        return spn_refuse(err, "'%s' is not none, dataset, feature, binary:T or SHIFT,SCALE", text);
    return SPN_OK;
}

spn_preprocess spn_preprocess_suiting(const char *name, const spn_dataset *train)
{
    if (name && strcmp(name, "mnist") == 0)
        return (spn_preprocess){
            .kind = SPN_PREPROCESS_GIVEN, .shift = SPN_MNIST_SHIFT, .scale = SPN_MNIST_SCALE};
    const bool table = train && train->width == 0;
    return (spn_preprocess){.kind = table ? SPN_PREPROCESS_FEATURE : SPN_PREPROCESS_DATASET,
                            .scale = 1};
}

/* ---- scalings from numbers ---- */

spn_scaling *spn_scaling_alloc(size_t features)
{
    spn_scaling *scaling = calloc(1, sizeof *scaling);
    if (!scaling)
        return NULL;
    scaling->features = features;
    scaling->shift = spn_alloc(features, sizeof *scaling->shift);
    scaling->scale = spn_alloc(features, sizeof *scaling->scale);
    if (scaling->shift && scaling->scale)
        return scaling;
    spn_scaling_free(scaling);
    return NULL;
}

void spn_scaling_free(spn_scaling *scaling)
{
    if (!scaling)
        return;
    SPN_FREE_ALL(scaling->shift, scaling->scale, scaling);
}

spn_status spn_scaling_create(spn_scaling **out, size_t features, const double *shift,
                              const double *scale, spn_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < features; i++)
        SPN_REFUSE_IF(!isfinite(shift[i]) || !isfinite(scale[i]) || scale[i] == 0, err,
                      "feature %zu: shift %g and scale %g; expected finite numbers, and a "
                      "scale that is not 0",
                      i, shift[i], scale[i]);
    spn_scaling *scaling = spn_scaling_alloc(features);
    SPN_NEED(scaling, err, "%zu features", features);
    memcpy(scaling->shift, shift, features * sizeof *shift);
    memcpy(scaling->scale, scale, features * sizeof *scale);
    *out = scaling;
    return SPN_OK;
}

static spn_status uniform(spn_scaling **out, spn_preprocess *how, size_t features, double shift,
                          double scale, spn_error *err)
{
    SPN_REFUSE_IF(!isfinite(shift) || !isfinite(scale) || scale == 0, err,
                  "shift %g and scale %g; expected finite numbers, and a scale that is not 0",
                  shift, scale);
    spn_scaling *scaling = spn_scaling_alloc(features);
    SPN_NEED(scaling, err, "%zu features", features);
    for (size_t i = 0; i < features; i++) {
        scaling->shift[i] = shift;
        scaling->scale[i] = scale;
    }
    how->shift = shift;
    how->scale = scale;
    *out = scaling;
    return SPN_OK;
}

/* ---- scalings from data ---- */

/* Moments of features first..first+count-1 over all samples; count is 1 or all. Constants are
   found by their extremes, because rounding of the mean would give them a tiny deviation and a
   huge scale. False if moments overflow or vanish. */
static bool measure(double *mean, double *deviation, const spn_dataset *dataset, size_t first,
                    size_t count)
{
    double sum = 0, squares = 0, n = (double)dataset->samples * (double)count;
    double least = INFINITY, most = -INFINITY;
    for (size_t s = 0; s < dataset->samples; s++) {
        for (size_t i = first; i < first + count; i++) {
            double x = spn_dataset_value(dataset, s, i);
            sum += x;
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
    }
    *mean = least == most ? least : sum / n;
    *deviation = 1;
    if (least == most)
        return isfinite(least);
    for (size_t s = 0; s < dataset->samples; s++) {
        for (size_t i = first; i < first + count; i++) {
            double d = spn_dataset_value(dataset, s, i) - *mean;
            squares += d * d;
        }
    }
    *deviation = sqrt(squares / n);
    return isfinite(*mean) && isfinite(*deviation) && *deviation > 0;
}

static spn_status fit_dataset(spn_scaling **out, spn_preprocess *how, const spn_dataset *train,
                              spn_error *err)
{
    double mean, deviation;
    if (!measure(&mean, &deviation, train, 0, train->features))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "the deviation of the features cannot be computed: they are too large or "
                        "too close together; rescale them first");
    return uniform(out, how, train->features, mean, deviation, err);
}

static spn_status fit_features(spn_scaling **out, const spn_dataset *train, spn_error *err)
{
    spn_scaling *scaling = spn_scaling_alloc(train->features);
    SPN_NEED(scaling, err, "%zu features", train->features);
    for (size_t i = 0; i < train->features; i++) {
        if (train->copies && i % train->copies > 0) {
            scaling->shift[i] = scaling->shift[i - 1];
            scaling->scale[i] = scaling->scale[i - 1];
        } else if (!measure(&scaling->shift[i], &scaling->scale[i], train, i, 1)) {
            char shown[SPN_FEATURE_SHOWN];
            spn_scaling_free(scaling);
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: its deviation cannot be computed: values are too large or too "
                            "close together; rescale it first",
                            spn_dataset_feature_shown(shown, train, i));
        }
    }
    *out = scaling;
    return SPN_OK;
}

spn_status spn_preprocess_fit(spn_scaling **out, spn_preprocess *how, const spn_dataset *train,
                              spn_error *err)
{
    *out = NULL;
    SPN_TRY(spn_dataset_check_filled(train, err));
    switch (how->kind) {
    case SPN_PREPROCESS_NONE:
        return uniform(out, how, train->features, 0, 1, err);
    case SPN_PREPROCESS_GIVEN:
        return uniform(out, how, train->features, how->shift, how->scale, err);
    case SPN_PREPROCESS_DATASET:
        return fit_dataset(out, how, train, err);
    case SPN_PREPROCESS_FEATURE:
        return fit_features(out, train, err);
    case SPN_PREPROCESS_BINARY:
        return uniform(out, how, train->features, 0.5, 0.5, err);
    }
    return spn_refuse(err, "there is no preprocessing number %d", (int)how->kind);
}

/* ---- binarisation ---- */

spn_status spn_dataset_binarise(spn_dataset **out, const spn_dataset *dataset, double threshold,
                                spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(!isfinite(threshold), err, "the threshold %g is not a finite number", threshold);
    spn_dataset *copy;
    SPN_TRY(spn_dataset_check_filled(dataset, err));
    SPN_TRY(spn_dataset_first(&copy, dataset, dataset->samples, err));
    size_t cells = copy->samples * copy->features;
    uint8_t *bytes = copy->bytes ? copy->bytes : spn_alloc(cells, 1);
    if (!bytes) {
        spn_dataset_free(copy);
        return spn_no_memory(err, "%zu features", cells);
    }
    for (size_t k = 0; k < cells; k++)
        bytes[k] = (copy->bytes ? (double)copy->bytes[k] : copy->values[k]) > threshold;
    free(copy->values);
    copy->values = NULL;
    copy->bytes = bytes;
    *out = copy;
    return SPN_OK;
}

/* ---- missing values ---- */

size_t spn_dataset_count_missing(const spn_dataset *dataset)
{
    size_t count = 0;
    for (size_t k = 0; dataset->values && k < dataset->samples * spn_dataset_stored(dataset); k++)
        count += isnan(dataset->values[k]) != 0;
    return count;
}

spn_status spn_dataset_check_filled(const spn_dataset *dataset, spn_error *err)
{
    if (dataset->missing == 0)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%zu values are missing, and the means to replace them are not known; give "
                    "`missing zero`, or `missing mean` in a training",
                    dataset->missing);
}

/* A feature is missing in every sample. */
static spn_status nothing_to_average(const spn_dataset *dataset, size_t feature, spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *name = spn_dataset_feature_name(dataset, feature);
    if (name)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "column '%s' has no value in the %zu training samples; leave it out "
                        "(`drop`), or give `missing zero`",
                        spn_show(shown, (spn_span){name, strlen(name)}), dataset->samples);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "feature %zu has no value in the %zu training samples; leave it out, or give "
                    "`missing zero`",
                    feature + 1, dataset->samples);
}

spn_status spn_dataset_means(double *out, const spn_dataset *dataset, spn_error *err)
{
    char shown[SPN_FEATURE_SHOWN];
    for (size_t i = 0; i < dataset->features; i++) {
        double sum = 0;
        size_t count = 0;
        for (size_t n = 0; n < dataset->samples; n++) {
            const double value = spn_dataset_cell(dataset, n, i);
            if (isnan(value))
                continue;
            sum += value;
            count++;
        }
        if (count == 0)
            return nothing_to_average(dataset, i, err);
        out[i] = sum / (double)count;
        if (!isfinite(out[i]))
            return spn_fail(err, SPN_ERROR_INPUT,
                            "the mean of %s is too large for a number; rescale it",
                            spn_dataset_feature_shown(shown, dataset, i));
    }
    return SPN_OK;
}

spn_status spn_dataset_fill(spn_dataset **out, const spn_dataset *dataset, const double *fills,
                            spn_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < dataset->features; i++)
        SPN_REFUSE_IF(!isfinite(fills[i]), err,
                      "the replacement for missing values of feature %zu is not finite", i);
    const spn_status status = spn_dataset_first(out, dataset, dataset->samples, err);
    if (status || dataset->missing == 0)
        return status;
    double *values = (*out)->values;
    for (size_t k = 0; k < dataset->samples * dataset->features; k++)
        if (isnan(values[k]))
            values[k] = fills[k % dataset->features];
    (*out)->missing = 0;
    return SPN_OK;
}
