/* Split, fill, encode and scale the sets of samples of a training. */
#include "base/memory.h"
#include "model/training.h"

#include <assert.h>
#include <stdlib.h>

/* ---- networks that see copies of features ----
   The model has a thermometer of bits; a copy of a feature is every M-th of its bits, and training
   ties the weights of a copy: a spin of the chain stands for all of them, and its input is how many
   of the bits are set. The bias of the units is tied likewise, in groups of as many weights. */

/* Groups of a feature's bits: its copies, or fewer if it has few bits. */
static size_t groups_of(const spn_encoding *e, size_t i, size_t copies)
{
    const size_t bits = e->start[i + 1] - e->start[i];
    return bits < copies ? bits : copies;
}

static size_t bias_groups(size_t bias)
{
    return (bias + SPN_TIED_LEVELS - 1) / SPN_TIED_LEVELS;
}

static size_t group_inputs(const spn_encoding *e, size_t copies)
{
    size_t inputs = 0;
    for (size_t i = 0; i < e->features; i++)
        inputs += groups_of(e, i, copies);
    return inputs;
}

static void add_up(uint8_t *out, const uint8_t *bits, const spn_encoding *e, size_t copies,
                   size_t bias)
{
    for (size_t i = 0; i < e->features; i++) {
        const size_t groups = groups_of(e, i, copies);
        for (size_t j = e->start[i]; j < e->start[i + 1]; j++)
            out[(j - e->start[i]) % groups] += bits[j];
        out += groups;
    }
    for (size_t b = 0; b < bias; b++)
        out[b / SPN_TIED_LEVELS]++;
}

/* Make `tied` of encoded sets, with this many copies of each feature and bias of the units. Errors:
   MEMORY. */
static spn_status training_tie(spn_training_sets *sets, size_t copies, size_t bias, spn_error *err)
{
    const spn_dataset *train = sets->train;
    const size_t inputs = group_inputs(sets->encoding, copies);
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    uint8_t *bytes = spn_alloc(train->samples, inputs + bias_groups(bias));
    SPN_NEED(bytes, err, "%zu tied inputs of %zu samples", inputs, train->samples);
    spn_dataset_describe(&arrays, train);
    arrays.width = arrays.height = 0;
    arrays.values = NULL;
    arrays.features = inputs + bias_groups(bias);
    arrays.bytes = bytes;
    for (size_t n = 0; n < train->samples; n++)
        add_up(bytes + n * arrays.features, train->bytes + n * train->features, sets->encoding,
               copies, bias);
    const spn_status status = spn_dataset_create(&sets->tied, &arrays, err);
    free(bytes);
    sets->copies = copies;
    sets->tied_bias = bias_groups(bias);
    return status;
}

/* The weights of a unit of the model; returns where those of the next spins are. */
static const int8_t *expand_unit(int8_t *out, const int8_t *spins, const spn_training *t)
{
    const spn_encoding *e = t->sets.encoding;
    for (size_t i = 0; i < e->features; i++) {
        const size_t groups = groups_of(e, i, t->sets.copies);
        for (size_t j = e->start[i]; j < e->start[i + 1]; j++)
            out[j] = spins[(j - e->start[i]) % groups];
        spins += groups;
    }
    for (size_t b = 0; b < t->hidden_bias; b++)
        out[e->inputs + b] = spins[b / SPN_TIED_LEVELS];
    return spins + t->sets.tied_bias;
}

size_t spn_training_sites(const spn_training *t)
{
    const spn_dataset *train = t->sets.train;
    return t->hidden * (train->features + t->hidden_bias) + train->classes * (t->hidden + t->bias);
}

spn_status spn_training_untie(int8_t **out, const spn_training *t, const int8_t *spins,
                              size_t replicas, spn_error *err)
{
    const size_t row = t->sets.encoding->inputs + t->hidden_bias;
    const size_t outputs = t->sets.train->classes * (t->hidden + t->bias);
    int8_t *to = *out = spn_alloc(replicas, spn_training_sites(t));
    SPN_NEED(to, err, "the weights");
    for (size_t a = 0; a < replicas; a++) {
        for (size_t j = 0; j < t->hidden; j++, to += row)
            spins = expand_unit(to, spins, t);
        for (size_t k = 0; k < outputs; k++)
            *to++ = *spins++;
    }
    assert(to == *out + replicas * spn_training_sites(t));
    return SPN_OK;
}

static void own(spn_training_sets *sets, spn_dataset *dataset)
{
    assert(sets->owned_count < SPN_TRAINING_OWNED);
    sets->owned[sets->owned_count++] = dataset;
}

/* Replace a set by one that is owned; free the old one if it was owned. */
static void replace(spn_training_sets *sets, const spn_dataset **set, spn_dataset *replacement)
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

static spn_status fill_set(spn_training_sets *sets, const spn_dataset **set, const double *fills,
                           spn_error *err)
{
    spn_dataset *filled;
    if (!*set || (*set)->missing == 0)
        return SPN_OK;
    SPN_TRY(spn_dataset_fill(&filled, *set, fills, err));
    replace(sets, set, filled);
    return SPN_OK;
}

/* Fill missing values with means of the training set, so that nothing of a test or validation set
   leaks into a model. */
static spn_status fill_all(spn_training_sets *sets, spn_error *err)
{
    const spn_columns *columns = sets->train->columns;
    const bool mean = columns && columns->missing == SPN_MISSING_MEAN && !columns->fills;
    const bool gaps = sets->train->missing || (sets->validation && sets->validation->missing) ||
                      (sets->test && sets->test->missing);
    if (!mean && !gaps)
        return columns ? spn_columns_copy(&sets->columns, columns, NULL, err) : SPN_OK;
    double *fills = spn_alloc(sets->train->features, sizeof *fills);
    SPN_NEED(fills, err, "%zu means", sets->train->features);
    spn_status status;
    SPN_TRY_OR(cleanup, spn_dataset_means(fills, sets->train, err));
    if (columns)
        SPN_TRY_OR(cleanup, spn_columns_copy(&sets->columns, columns, fills, err));
    SPN_TRY_OR(cleanup, fill_set(sets, &sets->train, fills, err));
    SPN_TRY_OR(cleanup, fill_set(sets, &sets->validation, fills, err));
    status = fill_set(sets, &sets->test, fills, err);
cleanup:
    free(fills);
    return status;
}

static spn_status check_data(const spn_train_data *data, spn_error *err)
{
    const spn_dataset *train = data->train, *test = data->test;
    SPN_REFUSE_IF(!train, err, "training needs data");
    SPN_REFUSE_IF(!train->labels || train->classes < 2, err,
                  "training needs labels of at least 2 classes");
    if (!test)
        return SPN_OK;
    SPN_REFUSE_IF(test->features != train->features, err,
                  "the test set has %zu features per sample, the training set %zu", test->features,
                  train->features);
    SPN_REFUSE_IF(!test->labels || test->classes != train->classes, err,
                  "the test set needs the %u classes of the training set",
                  (unsigned)train->classes);
    return SPN_OK;
}

static spn_status split(spn_training_sets *sets, const spn_dataset **set, double fraction,
                        uint64_t seed, spn_error *err)
{
    spn_dataset *rest, *off;
    SPN_TRY(spn_dataset_split(&rest, &off, sets->train, fraction, seed, true, err));
    own(sets, rest);
    own(sets, off);
    sets->train = rest;
    *set = off;
    return SPN_OK;
}

/* Each kind of set has its own seed, so that no two draws are alike. */
enum { TEST_DRAW = 0, VALIDATION_DRAW = 1, SUBSET_DRAW = 2 };

static uint64_t draw_seed(const spn_train_options *options, uint64_t draw)
{
    return options->split_seed + (draw << 62);
}

static spn_status draw(spn_training_sets *sets, const spn_train_options *o, spn_error *err)
{
    SPN_REFUSE_IF(o->test_fraction != 0 && sets->test, err,
                  "a test fraction is for data without a test set; this data has one");
    if (o->test_fraction != 0)
        SPN_TRY(split(sets, &sets->test, o->test_fraction, draw_seed(o, TEST_DRAW), err));
    if (o->validation != 0)
        SPN_TRY(split(sets, &sets->validation, o->validation, draw_seed(o, VALIDATION_DRAW), err));
    if (o->subset == 0)
        return SPN_OK;
    spn_dataset *sample;
    SPN_TRY(spn_dataset_sample(&sample, sets->train, o->subset, draw_seed(o, SUBSET_DRAW), err));
    own(sets, sample);
    sets->train = sample;
    return SPN_OK;
}

static spn_status convert(spn_training_sets *sets, const spn_dataset **set, spn_error *err)
{
    if (!*set)
        return SPN_OK;
    spn_dataset *converted;
    if (sets->encoding)
        SPN_TRY(spn_encoding_apply(&converted, sets->encoding, *set, err));
    else
        SPN_TRY(spn_dataset_binarise(&converted, *set, sets->preprocess.threshold, err));
    replace(sets, set, converted);
    return SPN_OK;
}

static spn_status convert_all(spn_training_sets *sets, spn_error *err)
{
    SPN_TRY(convert(sets, &sets->train, err));
    SPN_TRY(convert(sets, &sets->validation, err));
    return convert(sets, &sets->test, err);
}

/* Hidden units see bits, or bytes unchanged. */
static spn_status check_hidden(const spn_train_options *options, spn_error *err)
{
    SPN_REFUSE_IF(!options->hidden && options->hidden_bias, err,
                  "a bias for hidden units needs hidden units");
    if (!options->hidden || options->thermometer)
        return SPN_OK;
    SPN_REFUSE_IF(options->copies > SPN_MOST_TIED, err,
                  "a network takes up to %d copies of a feature, not %zu", (int)SPN_MOST_TIED,
                  options->copies);
    if (options->copies)
        return SPN_OK;
    if (!options->preprocess || (options->preprocess->kind != SPN_PREPROCESS_BINARY &&
                                 options->preprocess->kind != SPN_PREPROCESS_NONE))
        return spn_refuse(err, "a network needs features that are binary, from a thermometer, or "
                               "bytes as they are (none)");
    return SPN_OK;
}

static spn_status shift(spn_training_sets *sets, size_t shifts, spn_error *err)
{
    spn_dataset *shifted;
    SPN_TRY(spn_dataset_shifted(&shifted, sets->train, shifts, err));
    replace(sets, &sets->train, shifted);
    return SPN_OK;
}

/* Fit the encoding, make the sets binary or encode them, and add shifted copies. If binary
   conversion maps 0 to 0, shift afterwards, as bytes; otherwise before. */
static spn_status make_inputs(spn_training_sets *sets, const spn_train_options *options,
                              spn_error *err)
{
    const bool tied = options->hidden > 0 && options->copies > 0;
    const bool binary =
        !options->thermometer && !tied && sets->preprocess.kind == SPN_PREPROCESS_BINARY;
    const bool late = binary && sets->preprocess.threshold >= 0;
    if (options->thermometer)
        SPN_TRY(spn_encoding_fit(&sets->encoding, options->thermometer, sets->train, err));
    if (tied)
        SPN_TRY(spn_encoding_fit_steps(&sets->encoding, SPN_TIED_LEVELS * options->copies,
                                       sets->train, err));
    else if (options->copies)
        SPN_TRY(spn_encoding_copies(&sets->encoding, sets->train->features, options->copies, err));
    if (options->shifts && !late)
        SPN_TRY(shift(sets, options->shifts, err));
    if (sets->encoding || binary)
        SPN_TRY(convert_all(sets, err));
    if (tied)
        SPN_TRY(training_tie(sets, options->copies, options->hidden_bias, err));
    return options->shifts && late ? shift(sets, options->shifts, err) : SPN_OK;
}

/* A network takes its inputs unchanged. */
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
    *out = (spn_training_sets){.train = data->train, .test = data->test};
    SPN_TRY(check_data(data, err));
    SPN_REFUSE_IF(options->thermometer && options->preprocess, err,
                  "a thermometer makes inputs of -1 and +1: they are not scaled");
    SPN_REFUSE_IF(options->copies &&
                      (options->thermometer ||
                       (options->preprocess && options->preprocess->kind == SPN_PREPROCESS_BINARY)),
                  err, "copies cannot be combined with a thermometer or with features made binary");
    SPN_TRY(check_hidden(options, err));
    SPN_TRY(draw(out, options, err));
    SPN_TRY(fill_all(out, err));
    out->width = data->train->width;
    out->height = data->train->height;
    out->preprocess =
        options->preprocess ? *options->preprocess : spn_preprocess_suiting(NULL, out->train);
    if (options->thermometer || (options->hidden && options->copies))
        out->preprocess =
            options->hidden
                ? (spn_preprocess){.kind = SPN_PREPROCESS_NONE, .scale = 1}
                : (spn_preprocess){.kind = SPN_PREPROCESS_GIVEN, .shift = 0.5, .scale = 0.5};
    SPN_TRY(make_inputs(out, options, err));
    return fit_scaling(out, options->hidden > 0, err);
}

void spn_training_sets_clear(spn_training_sets *sets)
{
    for (size_t k = 0; k < sets->owned_count; k++)
        spn_dataset_free(sets->owned[k]);
    spn_dataset_free(sets->tied);
    spn_scaling_free(sets->scaling);
    spn_columns_free(sets->columns);
    spn_encoding_free(sets->encoding);
    *sets = (spn_training_sets){0};
}
