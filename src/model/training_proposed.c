/* The weights of a network that a chain proposes: all, or those that matter, by layers. */
#include "model/training.h"

#include "base/memory.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

/* vary[i]: whether input i differs between two samples. */
static void find_varying(uint8_t *vary, const spn_dataset *set)
{
    const uint8_t *first = set->bytes;
    for (size_t n = 1; n < set->samples; n++) {
        const uint8_t *row = set->bytes + n * set->features;
        for (size_t i = 0; i < set->features; i++)
            vary[i] |= (uint8_t)(row[i] != first[i]);
    }
}

static spn_status make_varying(uint8_t **out, const spn_dataset *set, spn_error *err)
{
    if (!set->bytes)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the inputs of a network are bits or bytes, not real numbers: make them "
                        "binary or use a thermometer");
    if (!(*out = spn_alloc(set->features, 1)))
        return spn_no_memory(err, "%zu inputs", set->features);
    find_varying(*out, set);
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
    SPN_TRY(spn_train_take(&o, &d, options, data, err));
    spn_status status = spn_training_sets_make(&sets, &o, &d, err);
    if (!status)
        status = make_varying(&vary, sets.train, err);
    for (size_t i = 0; vary && i < sets.train->features; i++)
        *out += vary[i];
    if (vary)
        *inputs = sets.train->features;
    free(vary);
    spn_training_sets_clear(&sets);
    return status;
}

/* List the weights of the units, then those of the outputs. list: NULL to count them only. */
static size_t put_sites(uint32_t *list, const spn_training *t, const uint8_t *vary, size_t repeat)
{
    const size_t inputs = t->sets.train->features, row = inputs + t->hidden_bias;
    const size_t outputs = t->sets.train->classes * (t->hidden + t->bias);
    size_t count = 0;
    for (size_t site = 0; site < t->hidden * row; site++) {
        const size_t i = site % row;
        if (vary && i < inputs && !vary[i])
            continue;
        if (list)
            list[count] = (uint32_t)site;
        count++;
    }
    for (size_t k = 0; k < outputs * repeat; k++, count++)
        if (list)
            list[count] = (uint32_t)(t->hidden * row + k / repeat);
    return count;
}

spn_status spn_training_proposed(uint32_t **out, size_t *count, const spn_training *training,
                                 bool varying, size_t output_weight, spn_error *err)
{
    uint8_t *vary = NULL;
    *out = NULL;
    *count = 0;
    if (!training->hidden)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a linear classifier has no layers to choose");
    if (output_weight < 1 || output_weight > SPN_MOST_OUTPUT_WEIGHT)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "an output weight is listed 1 to %d times, not %zu", SPN_MOST_OUTPUT_WEIGHT,
                        output_weight);
    spn_status status = varying ? make_varying(&vary, training->sets.train, err) : SPN_OK;
    if (status)
        return status;
    const size_t all = put_sites(NULL, training, vary, output_weight);
    if (all > UINT32_MAX)
        status = spn_fail(err, SPN_ERROR_ARGUMENT, "a list of %zu sites is too long", all);
    else if (!(*out = spn_alloc(all, sizeof **out)))
        status = spn_no_memory(err, "a list of %zu sites", all);
    else
        *count = put_sites(*out, training, vary, output_weight);
    free(vary);
    return status;
}
