/* The sets of samples that a training works with. */
#include "model/training.h"

#include <assert.h>

static void own(spn_training_sets *sets, spn_dataset *dataset)
{
    assert(sets->owned_count < SPN_TRAINING_OWNED);
    sets->owned[sets->owned_count++] = dataset;
}

void spn_training_sets_replace(spn_training_sets *sets, const spn_dataset **set,
                               spn_dataset *replacement)
{
    size_t k = 0;
    while (k < sets->owned_count && sets->owned[k] != *set)
        k++;
    if (k < sets->owned_count) {
        spn_dataset_free(sets->owned[k]);
        sets->owned[k] = replacement;
    } else {
        own(sets, replacement);
    }
    *set = replacement;
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
    spn_training_sets_replace(sets, set, converted);
    return SPN_OK;
}

static spn_status convert_all(spn_training_sets *sets, spn_error *err)
{
    spn_status status = convert(sets, &sets->train, err);
    if (!status)
        status = convert(sets, &sets->validation, err);
    return status ? status : convert(sets, &sets->test, err);
}

/* The units of a network see bits, or bytes as they are. */
static spn_status check_hidden(const spn_train_options *options, spn_error *err)
{
    if (!options->hidden && options->hidden_bias)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a bias of hidden units needs hidden units");
    if (!options->hidden || options->thermometer)
        return SPN_OK;
    if (options->copies)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the units of a network see no copies of features: use a thermometer");
    if (!options->preprocess || (options->preprocess->kind != SPN_PREPROCESS_BINARY &&
                                 options->preprocess->kind != SPN_PREPROCESS_NONE))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the units of a network see features made binary, those of a thermometer, "
                        "or bytes as they are (none)");
    return SPN_OK;
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

/* Add the copies that were asked for to the images that are trained on. */
static spn_status shift(spn_training_sets *sets, size_t shifts, spn_error *err)
{
    spn_dataset *shifted;
    const spn_status status = spn_dataset_shifted(&shifted, sets->train, shifts, err);
    if (!status)
        spn_training_sets_replace(sets, &sets->train, shifted);
    return status;
}

/* Fit the encoding, make binary or encode what is to be, and add shifted copies. Pixels that stay 0
   when they are made binary are moved afterwards, as bytes; others before. */
static spn_status make_inputs(spn_training_sets *sets, const spn_train_options *options,
                              spn_error *err)
{
    const bool binary = !options->thermometer && sets->preprocess.kind == SPN_PREPROCESS_BINARY;
    const bool late = binary && sets->preprocess.threshold >= 0;
    spn_status status = SPN_OK;
    if (options->thermometer)
        status = spn_encoding_fit(&sets->encoding, options->thermometer, sets->train, err);
    if (!status && options->copies)
        status = spn_encoding_copies(&sets->encoding, sets->train->features, options->copies, err);
    if (!status && options->shifts && !late)
        status = shift(sets, options->shifts, err);
    if (!status && (sets->encoding || binary))
        status = convert_all(sets, err);
    if (!status && options->shifts && late)
        status = shift(sets, options->shifts, err);
    return status;
}

/* What the classifier does with its inputs: a network takes them as they are. */
static spn_status fit_scaling(spn_training_sets *sets, bool network, spn_error *err)
{
    spn_preprocess as_it_is = {.kind = SPN_PREPROCESS_NONE, .scale = 1};
    if (!network)
        return spn_preprocess_fit(&sets->scaling, &sets->preprocess, sets->train, err);
    sets->preprocess.shift = 0;
    sets->preprocess.scale = 1;
    return spn_preprocess_fit(&sets->scaling, &as_it_is, sets->train, err);
}

spn_status spn_training_sets_make(spn_training_sets *out, const spn_train_options *options,
                                  const spn_train_data *data, spn_error *err)
{
    spn_status status;
    *out = (spn_training_sets){.train = data->train, .test = data->test};
    if ((status = check_data(data, err)) || (status = check_encoding(options, err)) ||
        (status = check_hidden(options, err)) || (status = draw(out, options, err)) ||
        (status = spn_training_sets_fill(out, err)))
        return status;
    out->width = data->train->width;
    out->height = data->train->height;
    out->preprocess =
        options->preprocess ? *options->preprocess : spn_preprocess_suiting(NULL, out->train);
    if (options->thermometer)
        out->preprocess =
            options->hidden
                ? (spn_preprocess){.kind = SPN_PREPROCESS_NONE, .scale = 1}
                : (spn_preprocess){.kind = SPN_PREPROCESS_GIVEN, .shift = 0.5, .scale = 0.5};
    status = make_inputs(out, options, err);
    return status ? status : fit_scaling(out, options->hidden > 0, err);
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
