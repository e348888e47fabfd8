/* The sets of samples that a training works with. */
#include "model/training.h"

#include <assert.h>

static void own(spn_training_sets *sets, spn_dataset *dataset)
{
    assert(sets->owned_count < SPN_TRAINING_OWNED);
    sets->owned[sets->owned_count++] = dataset;
}

static spn_status check_data(const spn_train_data *data, spn_error *err)
{
    const spn_dataset *train = data->train, *test = data->test;
    if (!train)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "training needs data");
    if (!train->labels || train->classes < 2)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "training needs labels of at least 2 classes");
    if (!test)
        return SPN_OK;
    if (test->features != train->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the test set has %zu features per sample, the training set %zu",
                        test->features, train->features);
    if (!test->labels || test->classes != train->classes)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the test set needs the %u classes of the training set",
                        (unsigned)train->classes);
    return SPN_OK;
}

/* Split a fraction off the training set. */
static spn_status split(spn_training_sets *sets, const spn_dataset **set, double fraction,
                        uint64_t seed, spn_error *err)
{
    spn_dataset *rest, *off;
    spn_status status = spn_dataset_split(&rest, &off, sets->train, fraction, seed, true, err);
    if (status)
        return status;
    own(sets, rest);
    own(sets, off);
    sets->train = rest;
    *set = off;
    return SPN_OK;
}

/* A seed of their own for each kind of set, so that none is drawn like another. */
enum { TEST_DRAW = 0, VALIDATION_DRAW = 1, SUBSET_DRAW = 2 };

static uint64_t draw_seed(const spn_train_options *options, uint64_t draw)
{
    return options->split_seed + (draw << 62);
}

static spn_status draw(spn_training_sets *sets, const spn_train_options *o, spn_error *err)
{
    spn_status status = SPN_OK;
    if (o->test_fraction != 0 && sets->test)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a test fraction is for data without a test set; these have one");
    if (o->test_fraction != 0)
        status = split(sets, &sets->test, o->test_fraction, draw_seed(o, TEST_DRAW), err);
    if (!status && o->validation != 0)
        status = split(sets, &sets->validation, o->validation, draw_seed(o, VALIDATION_DRAW), err);
    if (status || o->subset == 0)
        return status;
    spn_dataset *sample;
    status = spn_dataset_sample(&sample, sets->train, o->subset, draw_seed(o, SUBSET_DRAW), err);
    if (!status)
        own(sets, sample);
    sets->train = sample;
    return status;
}

/* What is stored changes, and so needs a copy. */
static spn_status convert(spn_training_sets *sets, const spn_dataset **set, spn_error *err)
{
    if (!*set)
        return SPN_OK;
    spn_dataset *converted;
    spn_status status =
        sets->encoding ? spn_encoding_apply(&converted, sets->encoding, *set, err)
                       : spn_dataset_binarise(&converted, *set, sets->preprocess.threshold, err);
    if (status)
        return status;
    for (size_t k = 0; k < sets->owned_count; k++) {
        if (sets->owned[k] == *set) {
            spn_dataset_free(sets->owned[k]);
            sets->owned[k] = converted;
            *set = converted;
            return SPN_OK;
        }
    }
    own(sets, converted);
    *set = converted;
    return SPN_OK;
}

static spn_status convert_all(spn_training_sets *sets, spn_error *err)
{
    spn_status status = convert(sets, &sets->train, err);
    if (!status)
        status = convert(sets, &sets->validation, err);
    return status ? status : convert(sets, &sets->test, err);
}

static spn_status check_encoding(const spn_train_options *options, spn_error *err)
{
    if (options->thermometer && options->preprocess)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a thermometer makes inputs of -1 and +1: they are not scaled");
    if (options->copies &&
        (options->thermometer ||
         (options->preprocess && options->preprocess->kind == SPN_PREPROCESS_BINARY)))
        return spn_fail(
            err, SPN_ERROR_ARGUMENT,
            "copies are of features as they are, not of a thermometer or of features made "
            "binary");
    return SPN_OK;
}

spn_status spn_training_sets_make(spn_training_sets *out, const spn_train_options *options,
                                  const spn_train_data *data, spn_error *err)
{
    spn_status status;
    *out = (spn_training_sets){.train = data->train, .test = data->test};
    if ((status = check_data(data, err)) || (status = check_encoding(options, err)) ||
        (status = draw(out, options, err)) || (status = spn_training_sets_fill(out, err)))
        return status;
    out->width = data->train->width;
    out->height = data->train->height;
    out->preprocess =
        options->preprocess ? *options->preprocess : spn_preprocess_suiting(NULL, out->train);
    const spn_preprocess bits = {.kind = SPN_PREPROCESS_GIVEN, .shift = 0.5, .scale = 0.5};
    if (options->thermometer) {
        out->preprocess = bits;
        status = spn_encoding_fit(&out->encoding, options->thermometer, out->train, err);
    }
    if (options->copies)
        status = spn_encoding_copies(&out->encoding, out->train->features, options->copies, err);
    if (!status && (out->encoding || out->preprocess.kind == SPN_PREPROCESS_BINARY))
        status = convert_all(out, err);
    if (status)
        return status;
    return spn_preprocess_fit(&out->scaling, &out->preprocess, out->train, err);
}

void spn_training_sets_clear(spn_training_sets *sets)
{
    for (size_t k = 0; k < sets->owned_count; k++)
        spn_dataset_free(sets->owned[k]);
    spn_scaling_free(sets->scaling);
    spn_columns_free(sets->columns);
    spn_encoding_free(sets->encoding);
    *sets = (spn_training_sets){0};
}
