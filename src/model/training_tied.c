/* Networks that see copies of features. The model has a thermometer of bits; a copy of a feature is
   every M-th of its bits, and training ties the weights of a copy: a spin of the chain stands for
   all of them, and its input is how many of the bits are set. The bias of the units is tied
   likewise, in groups of as many weights. */
#include "model/training.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

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

spn_status spn_training_tie(spn_training_sets *sets, size_t copies, size_t bias, spn_error *err)
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
