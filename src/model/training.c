/* Training: options, energy, and the whole run. */
#include "model/training.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "energy/create.h"

#include <assert.h>
#include <math.h>
#include <spinney/device.h>
#include <spinney/network.h>
#include <spinney/softmax.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const spn_names spn_train_set_names =
    SPN_NAME_LIST("set of samples", [SPN_SET_TRAIN] = "train", [SPN_SET_VALIDATION] = "validation",
                  [SPN_SET_TEST] = "test");

spn_status spn_train_logit_scale(double *scale, bool *by_root, const char *text, spn_error *err)
{
    static const char root[] = "/sqrtD";
    char number[SPN_NUMBER_TEXT];
    const size_t length = strcspn(text, "/");
    double s = 0;
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    SPN_REFUSE_IF(length >= sizeof number || !spn_number_parse(&s, number) || !(s > 0) ||
                      (text[length] && strcmp(text + length, root) != 0),
                  err, "'%s' is not a positive number s, or s/sqrtD with the number of features D",
                  text);
    *scale = s;
    *by_root = text[length] != 0;
    return SPN_OK;
}

static spn_status penalise(spn_training *t, const spn_train_options *options, spn_error *err)
{
    const spn_dataset *train = t->sets.train;
    const double pairs = train->classes == 2 ? 2 : 1;
    const double strength = pairs * options->penalty * t->logit_scale * t->logit_scale /
                            (2 * spn_dataset_total_weight(train));
    spn_energy *penalised;
    SPN_TRY(spn_penalty_create(&penalised, t->energy, train->features + t->bias,
                               train->features / options->copies, options->copies, strength, err));
    t->energy = penalised;
    return SPN_OK;
}

static spn_status make_network(spn_training *t, spn_error *err)
{
    spn_network_options how = spn_network_options_defaults();
    how.hidden = t->hidden;
    how.hidden_bias = t->sets.tied ? 0 : t->hidden_bias; /* tied inputs have it */
    how.tied = t->sets.tied != NULL;
    how.bias = t->bias;
    how.logit_scale = t->logit_scale;
    how.class_weights = t->class_weights;
    how.faults = t->faults;
    how.fault_model = t->fault_model;
    how.margin = t->margin;
    return spn_network_create(&t->energy, t->sets.tied ? t->sets.tied : t->sets.train, &how, err);
}

static spn_status make_linear(spn_training *t, const spn_train_options *options, spn_error *err)
{
    spn_softmax_options how = spn_softmax_options_defaults();
    how.logit_scale = t->logit_scale;
    how.bias = t->bias;
    how.class_weights = t->class_weights;
    how.faults = t->faults;
    how.fault_model = t->fault_model;
    how.rounded = options->rounded;
    if (options->device) {
        SPN_REFUSE_IF(options->penalty > 0, err, "a device knows no penalties");
        return spn_softmax_on_device(&t->energy, t->sets.train, t->sets.scaling, &how,
                                     options->device, err);
    }
    SPN_TRY(spn_softmax_create_as(&t->energy, t->sets.train, t->sets.scaling, &how, err));
    return options->copies && options->penalty > 0 ? penalise(t, options, err) : SPN_OK;
}

static spn_status fill(spn_training *t, const spn_train_options *options,
                       const spn_train_data *data, spn_error *err)
{
    SPN_TRY(spn_training_sets_make(&t->sets, options, data, err));
    t->bias = options->bias;
    t->hidden = options->hidden;
    t->hidden_bias = options->hidden_bias;
    t->faults = options->faults;
    t->fault_model = options->fault_model;
    t->margin = options->margin;
    t->logit_scale = options->logit_scale;
    if (options->logit_scale_by_root)
        t->logit_scale /= sqrt((double)(t->hidden ? t->hidden : t->sets.train->features));
    if (options->balance) {
        t->class_weights = spn_alloc(t->sets.train->classes, sizeof *t->class_weights);
        SPN_NEED(t->class_weights, err, "a training");
        SPN_TRY(spn_softmax_balance(t->class_weights, t->sets.train, err));
    }
    SPN_REFUSE_IF(t->hidden && options->device, err, "a device trains linear classifiers");
    return t->hidden ? make_network(t, err) : make_linear(t, options, err);
}

size_t spn_train_bias(const spn_dataset *train, double logit_scale, size_t inputs, bool balance)
{
    const double offset = 5; /* of logits, for boundaries far from the mean of the data */
    double *counts = spn_alloc(train->classes, sizeof *counts);
    double most = 0, least = INFINITY, few = (double)inputs;
    if (!counts)
        return SIZE_MAX;
    for (size_t n = 0; n < train->samples; n++)
        counts[train->labels[n]] += train->weights ? train->weights[n] : 1;
    for (uint32_t k = 0; k < train->classes; k++) {
        most = fmax(most, counts[k]);
        least = counts[k] > 0 ? fmin(least, counts[k]) : least;
    }
    free(counts);
    const double spread = balance || isinf(least) ? 0 : log(most / least);
    return (size_t)(ceil(spread / logit_scale) + fmin(few, ceil(offset / logit_scale)));
}

/* Copy a caller's options and data over the defaults. Errors: ARGUMENT. */
static spn_status take_options(spn_train_options *options, spn_train_data *data,
                               const spn_train_options *given, const spn_train_data *given_data,
                               spn_error *err)
{
    *options = spn_train_defaults();
    *data = spn_train_data_defaults();
    SPN_TRY(spn_sized_take(options, sizeof *options, given, "spn_train_defaults", err));
    SPN_TRY(spn_sized_take(data, sizeof *data, given_data, "spn_train_data_defaults", err));
    const double fractions[] = {options->validation, options->test_fraction};
    for (size_t k = 0; k < 2; k++)
        SPN_REFUSE_IF(!(fractions[k] >= 0 && fractions[k] < 1), err,
                      "a fraction of the data is at least 0 and below 1, not %g", fractions[k]);
    SPN_REFUSE_IF(!(options->penalty >= 0) || isinf(options->penalty), err,
                  "a penalty is at least 0, not %g", options->penalty);
    return SPN_OK;
}

spn_status spn_train_inputs(size_t *out, const spn_train_options *options,
                            const spn_train_data *data, spn_error *err)
{
    spn_train_options o;
    spn_train_data d;
    SPN_TRY(take_options(&o, &d, options, data, err));
    if (!o.thermometer && !(o.hidden && o.copies)) {
        *out = d.train->features * (o.copies ? o.copies : 1);
        return SPN_OK;
    }
    spn_training_sets sets = {0};
    o.shifts = 0; /* they change nothing here */
    const spn_status status = spn_training_sets_make(&sets, &o, &d, err);
    *out = status ? 0 : (sets.tied ? sets.tied : sets.train)->features;
    spn_training_sets_clear(&sets);
    return status;
}

spn_status spn_training_create(spn_training **out, const spn_train_options *options,
                               const spn_train_data *data, spn_error *err)
{
    spn_train_options o;
    spn_train_data d;
    *out = NULL;
    SPN_TRY(take_options(&o, &d, options, data, err));
    spn_training *t = spn_alloc(1, sizeof *t);
    SPN_NEED(t, err, "a training");
    SPN_HAND_OVER(out, t, spn_training_free, fill(t, &o, &d, err));
}

void spn_training_free(spn_training *training)
{
    if (!training)
        return;
    spn_energy_free(training->energy);
    free(training->class_weights);
    spn_training_sets_clear(&training->sets);
    free(training);
}

const spn_energy *spn_training_energy(const spn_training *training)
{
    assert(training);
    return training->energy;
}

const spn_dataset *spn_training_set(const spn_training *training, spn_train_set set)
{
    switch (set) {
    case SPN_SET_TRAIN:
        return training->sets.train;
    case SPN_SET_VALIDATION:
        return training->sets.validation;
    case SPN_SET_TEST:
        return training->sets.test;
    }
    return NULL;
}

spn_status spn_train_run(spn_train_result **out, const spn_train_options *options,
                         const spn_chain_options *chain_options, const spn_until *until,
                         const spn_train_data *data, spn_error *err)
{
    spn_training *training = NULL;
    spn_sampler *chain = NULL;
    spn_snapshot snapshot;
    spn_stop stop = SPN_STOP_NONE;
    *out = NULL;
    SPN_TRY(spn_training_create(&training, options, data, err));
    spn_status status;
    SPN_TRY_OR(cleanup, spn_chain_create(&chain, training->energy, chain_options, err));
    SPN_TRY_OR(cleanup, spn_sampler_run(&stop, chain, until, err));
    spn_chain_snapshot(&snapshot, chain);
    status = spn_training_finish(out, training, &snapshot, stop, err);
cleanup:
    spn_sampler_free(chain);
    spn_training_free(training);
    return status;
}

/* ---- the weights of a network that a chain proposes: all, or those that matter, by layers ---- */

/* (*out)[i]: whether input i differs between two samples, or stands for the bias. */
static spn_status make_varying(uint8_t **out, const spn_training_sets *sets, spn_error *err)
{
    const spn_dataset *set = sets->tied ? sets->tied : sets->train;
    SPN_REFUSE_IF(!set->bytes, err,
                  "the inputs of a network are bits or bytes, not real numbers: make "
                  "them binary or use a thermometer");
    SPN_NEED((*out = spn_alloc(set->features, 1)), err, "%zu inputs", set->features);
    for (size_t n = 1; n < set->samples; n++)
        for (size_t i = 0; i < set->features; i++)
            (*out)[i] |= (uint8_t)(set->bytes[n * set->features + i] != set->bytes[i]);
    memset(*out + set->features - sets->tied_bias, 1, sets->tied_bias);
    return SPN_OK;
}

spn_status spn_train_varying(size_t *out, size_t *inputs, const spn_train_options *options,
                             const spn_train_data *data, spn_error *err)
{
    spn_train_options o;
    spn_train_data d;
    spn_training_sets sets = {0};
    uint8_t *vary = NULL;
    *out = *inputs = 0;
    SPN_TRY(take_options(&o, &d, options, data, err));
    spn_status status = spn_training_sets_make(&sets, &o, &d, err);
    if (!status)
        status = make_varying(&vary, &sets, err);
    if (vary)
        *inputs = (sets.tied ? sets.tied : sets.train)->features;
    for (size_t i = 0; i < *inputs; i++)
        *out += vary[i];
    free(vary);
    spn_training_sets_clear(&sets);
    return status;
}

/* Append a site to a list, `repeat` times; NULL: only count. */
static void put(uint32_t *list, size_t *count, size_t site, size_t repeat)
{
    for (size_t r = 0; r < repeat; r++, ++*count)
        if (list)
            list[*count] = (uint32_t)site;
}

/* List the weights of the units, then those of the outputs; with faults, each unit's outputs after
   its inputs. list: NULL to count them only. */
static size_t put_sites(uint32_t *list, const spn_training *t, const uint8_t *vary, size_t repeat)
{
    const size_t inputs = (t->sets.tied ? t->sets.tied : t->sets.train)->features;
    const size_t row = inputs + (t->sets.tied ? 0 : t->hidden_bias);
    const size_t output_row = t->hidden + t->bias, classes = t->sets.train->classes;
    size_t count = 0;
    for (size_t j = 0; j < (t->faults > 0 ? output_row : t->hidden); j++) {
        for (size_t i = 0; j < t->hidden && i < row; i++)
            if (!vary || i >= inputs || vary[i])
                put(list, &count, j * row + i, 1);
        for (size_t k = 0; t->faults > 0 && k < classes; k++)
            put(list, &count, t->hidden * row + k * output_row + j, repeat);
    }
    for (size_t k = 0; !(t->faults > 0) && k < classes * output_row; k++)
        put(list, &count, t->hidden * row + k, repeat);
    return count;
}

spn_status spn_training_proposed(uint32_t **out, size_t *count, const spn_training *training,
                                 bool varying, size_t output_weight, spn_error *err)
{
    uint8_t *vary = NULL;
    *out = NULL;
    *count = 0;
    SPN_REFUSE_IF(!training->hidden, err, "a linear classifier has no layers to choose");
    SPN_REFUSE_IF(output_weight < 1 || output_weight > SPN_MOST_OUTPUT_WEIGHT, err,
                  "an output weight is listed 1 to %d times, not %zu", SPN_MOST_OUTPUT_WEIGHT,
                  output_weight);
    spn_status status = SPN_OK;
    if (varying)
        SPN_TRY(make_varying(&vary, &training->sets, err));
    const size_t all = put_sites(NULL, training, vary, output_weight);
    if (all > UINT32_MAX)
        status = spn_refuse(err, "a list of %zu sites is too long", all);
    else if (!(*out = spn_alloc(all, sizeof **out)))
        status = spn_no_memory(err, "a list of %zu sites", all);
    else
        *count = put_sites(*out, training, vary, output_weight);
    free(vary);
    return status;
}
