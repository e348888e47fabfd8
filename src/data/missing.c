/* Missing values: NaN in a dataset that was read with SPN_MISSING_MEAN, until the samples that are
   trained on are known and so the means that stand in for them. */
#include "data/missing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                    "%zu values are missing, and the means to put in their place are not known; "
                    "read the data with --missing zero, or train with --missing mean",
                    dataset->missing);
}

/* Of a feature that is missing in every sample. */
static spn_status nothing_to_average(const spn_dataset *dataset, size_t feature, spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *name = spn_dataset_feature_name(dataset, feature);
    if (name)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "column '%s' has no value in the %zu samples to train on; leave it out "
                        "with --drop, or give --missing zero",
                        spn_show(shown, (spn_span){name, strlen(name)}), dataset->samples);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "feature %zu has no value in the %zu samples to train on; leave it out, or "
                    "give --missing zero",
                    feature + 1, dataset->samples);
}

spn_status spn_dataset_means(double *out, const spn_dataset *dataset, spn_error *err)
{
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
                            "the mean of feature %zu is too large for a number; rescale it", i + 1);
    }
    return SPN_OK;
}

spn_status spn_dataset_fill(spn_dataset **out, const spn_dataset *dataset, const double *fills,
                            spn_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < dataset->features; i++)
        if (!isfinite(fills[i]))
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "what stands in for missing values of feature %zu is not finite", i);
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

/* ---- while arrays are read ---- */

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
    snprintf(out, size,
             "%zu missing value%s: fill in or remove them, or give --missing mean or --missing "
             "zero",
             gaps->missing, gaps->missing == 1 ? "" : "s");
    return out;
}
