/* The logits of networks with hidden sign units as whole numbers. */
#include "energy/network/evaluate.h"

#include "base/memory.h"
#include "base/try.h"
#include "data/dataset.h"
#include "energy/softmax/softmax.h"
#include <assert.h>
#include <math.h>
#include <spinney/network.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

struct spn_network_scorer {
    const spn_softmax_model *model;
    size_t votes, samples;
    const spn_network_counting *kernels;
    void (*dots)(int32_t *out, const uint8_t *rows, size_t count, size_t features,
                 const int8_t *weights, size_t padded_features, size_t classes);
    const uint8_t *bytes; /* the inputs: of the data, or */
    uint8_t *owned;       /* copied from its doubles */
    bool in_bits;         /* all inputs are 0 or 1: */
    size_t words, groups;
    uint64_t *packed; /* the samples, `words` each */
    int32_t *ones;    /* set bits of each */
    uint64_t *units;  /* of each vote, in the order of spn_network_bits; or */
    int8_t *padded;   /* H rows of each vote, padded_features apart */
    size_t padded_features;
    int64_t *bias;       /* of the units of each vote, groups * 8 */
    size_t hidden_words; /* of H signs */
    uint64_t *outputs;   /* K rows of each vote */
    int64_t *output_sum; /* K: what the constant input adds, over all votes, and votes * H */
    uint64_t *hidden;    /* signs of a part */
    int32_t *sums;       /* of the units of a part: of bytes */
};

const spn_network_counting *spn_network_counting_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512 && spn_cpu_counts_bits())
        return &spn_network_counting_avx512;
    if (isa >= SPN_ISA_AVX2)
        return &spn_network_counting_avx2;
#endif
    (void)isa;
    return &spn_network_counting_portable;
}

void spn_network_scorer_free(spn_network_scorer *s)
{
    if (!s)
        return;
    SPN_FREE_ALL(s->owned, s->packed, s->ones, s->units, s->padded, s->bias, s->outputs,
                 s->output_sum, s->hidden, s->sums, s);
}

static size_t unit_size(const spn_softmax_model *m)
{
    return m->features + m->hidden_bias;
}

/* ---- packing ---- */

/* The signs of 64 weights -1 or +1, or fewer: 1 for +1, 0 past the last. */
static uint64_t pack_signs(const int8_t *weights, size_t count)
{
    uint8_t bits[WORD] = {0};
    for (size_t i = 0; i < WORD && i < count; i++)
        bits[i] = weights[i] > 0;
    return spn_network_pack_word(bits, WORD);
}

/* ---- making ready ---- */

/* Doubles that hold whole numbers, as bytes. */
static spn_status copy_values(spn_network_scorer *s, const spn_dataset *data, spn_error *err)
{
    const size_t features = data->features;
    s->bytes = s->owned = spn_alloc(data->samples, features);
    if (!s->owned)
        return spn_no_memory(err, "the inputs");
    for (size_t n = 0; n < data->samples; n++)
        for (size_t i = 0; i < features; i++) {
            const double x = spn_dataset_cell(data, n, i);
            if (!(x >= 0 && x <= UINT8_MAX && x == floor(x)))
                return spn_fail(err, SPN_ERROR_ARGUMENT,
                                "network: feature %zu of sample %zu is %g, not a whole number from "
                                "0 to 255",
                                i, n, x);
            s->owned[n * features + i] = (uint8_t)x;
        }
    return SPN_OK;
}

/* Sums that a training would not have taken are refused here, too. */
static spn_status check_sums(const spn_network_scorer *s, spn_error *err)
{
    const size_t features = s->model->features, bias = s->model->hidden_bias;
    for (size_t n = 0; n < s->samples; n++) {
        size_t sum = 0;
        if (s->in_bits)
            sum = (size_t)s->ones[n];
        for (size_t i = 0; !s->in_bits && i < features; i++)
            sum += s->bytes[n * features + i];
        if (sum > SPN_NETWORK_MOST_SUM - bias)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "network: the inputs of sample %zu add up to %zu, more than the %zu "
                            "that hidden units hold",
                            n, sum, SPN_NETWORK_MOST_SUM - bias);
    }
    return SPN_OK;
}

static spn_status take_data(spn_network_scorer *s, const spn_dataset *data, spn_error *err)
{
    s->bytes = spn_dataset_bytes(data);
    if (data->bytes && !s->bytes)
        return spn_no_memory(err, "the inputs");
    if (data->values)
        SPN_TRY(copy_values(s, data, err));
    s->packed = spn_alloc(s->samples * s->words, sizeof *s->packed);
    s->ones = spn_alloc(s->samples, sizeof *s->ones);
    if (!s->packed || !s->ones)
        return spn_no_memory(err, "the inputs");
    s->in_bits = s->kernels->pack(s->packed, s->ones, s->bytes, s->samples, s->model->features);
    return check_sums(s, err);
}

/* room: for one row, if the weights come as bits */
static void take_units(spn_network_scorer *s, int8_t *room, size_t vote)
{
    const spn_softmax_model *m = s->model;
    uint64_t *units =
        s->in_bits ? s->units + vote * s->groups * s->words * SPN_NETWORK_GROUP : NULL;
    int64_t *bias = s->bias + vote * s->groups * SPN_NETWORK_GROUP;
    assert(vote < s->votes && m->hidden <= s->groups * SPN_NETWORK_GROUP);
    for (size_t j = m->hidden; j < s->groups * SPN_NETWORK_GROUP; j++)
        bias[j] = -1; /* units that only fill a group are never +1 */
    for (size_t j = 0; j < m->hidden; j++) {
        const int8_t *weights = spn_softmax_weights(room, m, vote, j * unit_size(m), unit_size(m));
        const size_t group = j / SPN_NETWORK_GROUP, lane = j % SPN_NETWORK_GROUP;
        for (size_t w = 0; s->in_bits && w < s->words; w++)
            units[(group * s->words + w) * SPN_NETWORK_GROUP + lane] =
                pack_signs(weights + w * WORD, m->features - w * WORD);
        if (!s->in_bits)
            memcpy(s->padded + (vote * m->hidden + j) * s->padded_features, weights, m->features);
        for (size_t i = m->features; i < unit_size(m); i++)
            bias[j] += weights[i];
    }
}

static void take_outputs(spn_network_scorer *s, int8_t *room, size_t vote)
{
    const spn_softmax_model *m = s->model;
    const size_t first = m->hidden * unit_size(m), row = m->hidden + m->bias;
    for (size_t k = 0; k < m->classes; k++) {
        const int8_t *weights = spn_softmax_weights(room, m, vote, first + k * row, row);
        uint64_t *output = s->outputs + (vote * m->classes + k) * s->hidden_words;
        for (size_t w = 0; w < s->hidden_words; w++)
            output[w] = pack_signs(weights + w * WORD, m->hidden - w * WORD);
        s->output_sum[k] += (int64_t)m->hidden;
        for (size_t j = m->hidden; j < row; j++)
            s->output_sum[k] += weights[j];
    }
}

static spn_status take_weights(spn_network_scorer *s, spn_error *err)
{
    const spn_softmax_model *m = s->model;
    const size_t units = s->votes * s->groups * SPN_NETWORK_GROUP, row = m->hidden + m->bias;
    int8_t *room = spn_alloc(unit_size(m) > row ? unit_size(m) : row, 1);
    s->bias = spn_alloc(units, sizeof *s->bias);
    s->outputs = spn_alloc(s->votes * m->classes * s->hidden_words, sizeof *s->outputs);
    s->output_sum = spn_alloc(m->classes, sizeof *s->output_sum);
    s->hidden = spn_alloc(SPN_NETWORK_PART * s->hidden_words, sizeof *s->hidden);
    if (s->in_bits)
        s->units = spn_alloc(units * s->words, sizeof *s->units);
    else
        s->padded = spn_alloc(s->votes * m->hidden, s->padded_features);
    if (!s->in_bits)
        s->sums = spn_alloc(SPN_NETWORK_PART * m->hidden, sizeof *s->sums);
    const bool made = room && s->bias && s->outputs && s->output_sum && s->hidden &&
                      (s->in_bits ? s->units != NULL : s->padded && s->sums);
    for (size_t v = 0; made && v < s->votes; v++) {
        take_units(s, room, v);
        take_outputs(s, room, v);
    }
    free(room);
    return made ? SPN_OK : spn_no_memory(err, "the weights");
}

static spn_status check(const spn_softmax_model *m, const spn_dataset *data, spn_error *err)
{
    if (data->features != m->features || m->scaling->features != m->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: the model has %zu features, its scaling %zu, the data %zu",
                        m->features, m->scaling->features, data->features);
    if (m->hidden > SPN_MOST_HIDDEN || m->hidden_bias >= SPN_NETWORK_MOST_SUM)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: hidden units are at most %d, and each has at most %d weights of "
                        "its bias, not %zu and %zu",
                        SPN_MOST_HIDDEN, SPN_NETWORK_MOST_SUM - 1, m->hidden, m->hidden_bias);
    for (size_t i = 0; i < m->features; i++)
        if (m->scaling->shift[i] != 0 || m->scaling->scale[i] != 1)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "network: inputs are seen as they are, but the scaling of feature %zu "
                            "has shift %g and scale %g",
                            i, m->scaling->shift[i], m->scaling->scale[i]);
    return SPN_OK;
}

spn_status spn_network_scorer_make(spn_network_scorer **out, const spn_softmax_model *model,
                                   const spn_dataset *data, spn_isa isa, spn_error *err)
{
    *out = NULL;
    assert(model->hidden > 0 && model->features > 0);
    spn_status status;
    SPN_TRY(check(model, data, err));
    spn_network_scorer *s = spn_alloc(1, sizeof *s);
    if (!s)
        return spn_no_memory(err, "a network");
    s->model = model;
    s->votes = model->votes > 1 ? model->votes : 1;
    s->samples = data->samples;
    s->kernels = spn_network_counting_select(isa);
    s->dots = spn_softmax_select(isa)->dots;
    s->words = (model->features + WORD - 1) / WORD;
    s->groups = (model->hidden + SPN_NETWORK_GROUP - 1) / SPN_NETWORK_GROUP;
    s->hidden_words = (model->hidden + WORD - 1) / WORD;
    s->padded_features = (model->features / 32 + 1) * 32;
    SPN_TRY_OR(failed, take_data(s, data, err));
    SPN_TRY_OR(failed, take_weights(s, err));
    *out = s;
    return SPN_OK;
failed:
    spn_network_scorer_free(s);
    return status;
}

/* ---- scoring ---- */

/* Hidden signs of a part: `hidden_words` words each, the units by bytes. */
static void find_hidden(spn_network_scorer *s, size_t vote, size_t first, size_t count)
{
    const spn_softmax_model *m = s->model;
    const size_t apart = s->hidden_words * sizeof *s->hidden;
    const int64_t *bias = s->bias + vote * s->groups * SPN_NETWORK_GROUP;
    uint8_t *hidden = (uint8_t *)s->hidden;
    if (s->in_bits) {
        const spn_network_bits bits = {.words = s->words,
                                       .groups = s->groups,
                                       .samples = s->packed + first * s->words,
                                       .ones = s->ones + first,
                                       .units = s->units +
                                                vote * s->groups * s->words * SPN_NETWORK_GROUP,
                                       .bias = bias};
        s->kernels->signs(hidden, apart, &bits, count);
        return;
    }
    s->dots(s->sums, s->bytes + first * m->features, count, m->features,
            s->padded + vote * m->hidden * s->padded_features, s->padded_features, m->hidden);
    memset(hidden, 0, count * apart);
    for (size_t n = 0; n < count; n++)
        for (size_t j = 0; j < m->hidden; j++)
            hidden[n * apart + (j / 8 ^ SPN_BYTE_PLACE)] |=
                (uint8_t)((s->sums[n * m->hidden + j] + bias[j] >= 0) << j % 8);
}

void spn_network_scorer_logits(spn_network_scorer *s, int64_t *out, size_t first, size_t count)
{
    const size_t classes = s->model->classes, words = s->hidden_words;
    assert(count <= SPN_NETWORK_PART && first + count <= s->samples);
    for (size_t n = 0; n < count; n++)
        memcpy(out + n * classes, s->output_sum, classes * sizeof *out);
    for (size_t v = 0; v < s->votes; v++) {
        find_hidden(s, v, first, count);
        s->kernels->differ(out, s->hidden, count, s->outputs + v * classes * words, classes, words);
    }
}
