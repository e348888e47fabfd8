/* The parts of the data that a training works with. */
#include "old/training_inside.h"

#include <assert.h>
#include <math.h>

static void own(xpn_train_parts *parts, spn_dataset *dataset)
{
    assert(parts->owned_count < XPN_TRAIN_OWNED);
    parts->owned[parts->owned_count++] = dataset;
}

static spn_status check_test(const xpn_train_data *data, spn_error *err)
{
    const spn_dataset *train = data->train, *test = data->test;
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

/* Split a fraction off the training part. */
static spn_status split(xpn_train_parts *parts, const spn_dataset **part, double fraction,
                        uint64_t seed, spn_error *err)
{
    spn_dataset *rest, *off;
    spn_status status = spn_dataset_split(&rest, &off, parts->train, fraction, seed, true, err);
    if (status)
        return status;
    own(parts, rest);
    own(parts, off);
    parts->train = rest;
    *part = off;
    return SPN_OK;
}

/* A seed of their own for each kind of part, so that none is drawn like another. */
enum { TEST_DRAW = 0, VALIDATION_DRAW = 1, SUBSET_DRAW = 2 };

static uint64_t draw_seed(const xpn_train_options *options, uint64_t draw)
{
    return options->split_seed + (draw << 62);
}

static spn_status draw(xpn_train_parts *parts, const xpn_train_options *o, spn_error *err)
{
    spn_status status = SPN_OK;
    if (o->test_fraction != 0 && parts->test)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a test fraction is for data without a test part; these have one");
    if (o->test_fraction != 0)
        status = split(parts, &parts->test, o->test_fraction, draw_seed(o, TEST_DRAW), err);
    if (!status && o->validation != 0)
        status =
            split(parts, &parts->validation, o->validation, draw_seed(o, VALIDATION_DRAW), err);
    if (status || o->subset == 0)
        return status;
    spn_dataset *sample;
    status = spn_dataset_sample(&sample, parts->train, o->subset, draw_seed(o, SUBSET_DRAW), err);
    if (!status)
        own(parts, sample);
    parts->train = sample;
    return status;
}

/* Binarisation changes what is stored, and so needs a copy. */
static spn_status binarise(xpn_train_parts *parts, const spn_dataset **part, spn_error *err)
{
    if (!*part)
        return SPN_OK;
    spn_dataset *binary;
    spn_status status = spn_dataset_binarise(&binary, *part, parts->preprocess.threshold, err);
    if (status)
        return status;
    for (size_t k = 0; k < parts->owned_count; k++) {
        if (parts->owned[k] == *part) {
            spn_dataset_free(parts->owned[k]);
            parts->owned[k] = binary;
            *part = binary;
            return SPN_OK;
        }
    }
    own(parts, binary);
    *part = binary;
    return SPN_OK;
}

spn_status xpn_train_parts_make(xpn_train_parts *out, const xpn_train_options *options,
                                const xpn_train_data *data, spn_error *err)
{
    *out = (xpn_train_parts){.name = data->name,
                             .train = data->train,
                             .test = data->test,
                             .preprocess = options->preprocess,
                             .logit_scale = options->logit_scale};
    if (options->logit_scale_by_root)
        out->logit_scale /= sqrt((double)data->train->features);
    spn_status status = check_test(data, err);
    if (!status)
        status = draw(out, options, err);
    if (!status && out->preprocess.kind == SPN_PREPROCESS_BINARY) {
        status = binarise(out, &out->train, err);
        if (!status)
            status = binarise(out, &out->validation, err);
        if (!status)
            status = binarise(out, &out->test, err);
    }
    if (!status)
        status = spn_preprocess_fit(&out->scaling, &out->preprocess, out->train, err);
    if (status)
        xpn_train_parts_clear(out);
    return status;
}

void xpn_train_parts_clear(xpn_train_parts *parts)
{
    for (size_t k = 0; k < parts->owned_count; k++)
        spn_dataset_free(parts->owned[k]);
    spn_scaling_free(parts->scaling);
    *parts = (xpn_train_parts){0};
}
