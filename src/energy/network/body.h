/* The loops of the energy network, compiled once per instruction set. Products are made in eight
   lanes and in one order, so that every set gives the same bits. */
#include "core/numeric.h"
#include "energy/network/network.h"

#include <assert.h>
#include <stdint.h>

#define SPN_INLINE static inline __attribute__((always_inline))

enum {
    AHEAD = 16, /* samples whose shares are fetched in advance */
    SOME = 256, /* samples settled at a time */
    FEW = 5     /* classes of which there is a loop for each number */
};

#ifndef SPN_NETWORK_OWN_COLLECT
static size_t collect(uint32_t *out, const uint64_t *edge, const uint64_t *column,
                      size_t first_word, size_t words)
{
    uint32_t *next = out;
    for (size_t w = first_word; w < first_word + words; w++) {
        for (uint64_t both = edge[w] & column[w]; both; both &= both - 1)
            *next++ = (uint32_t)(SPN_NETWORK_WORD * w) + (uint32_t)__builtin_ctzll(both);
    }
    return (size_t)(next - out);
}
#endif

/* ---- changes ---- */

SPN_INLINE double multiply_lanes(const double *lane)
{
    return ((lane[0] * lane[1]) * (lane[2] * lane[3])) *
           ((lane[4] * lane[5]) * (lane[6] * lane[7]));
}

SPN_INLINE const float *shares_of(const spn_network_factors *f, size_t position)
{
    return (const float *)(const void *)(f->shares + position * f->record);
}

/* The sum of the shares of the classes listed. */
SPN_INLINE float sum_of(const uint32_t *classes, const float *shares, size_t class_count)
{
    float sum = 0;
    for (size_t k = 0; k < class_count; k++)
        sum += shares[classes[k]];
    return sum;
}

SPN_INLINE double factor_of(const spn_network_factors *f, const uint32_t *classes,
                            const float *shares, size_t class_count)
{
    return f->base + f->slope * (double)sum_of(classes, shares, class_count);
}

/* The lanes and, if they are few, the places of the classes stay in registers. */
SPN_INLINE double log_some(const spn_network_factors *f, const uint32_t *listed, size_t count,
                           size_t class_count)
{
    double lane[SPN_NETWORK_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    const spn_network_factors own = *f;
    assert(count <= f->most && f->most <= SPN_NETWORK_MOST_FACTORS);
    uint32_t few[FEW];
    for (size_t k = 0; class_count <= FEW && k < class_count; k++)
        few[k] = f->classes[k];
    const uint32_t *classes = class_count <= FEW ? few : f->classes;
    size_t n = 0;
    for (; n + SPN_NETWORK_LANES <= count; n += SPN_NETWORK_LANES) {
#pragma GCC unroll 8
        for (size_t j = 0; j < SPN_NETWORK_LANES; j++) {
            __builtin_prefetch(own.shares + listed[n + j + AHEAD] * own.record);
            lane[j] *= factor_of(&own, classes, shares_of(&own, listed[n + j]), class_count);
        }
    }
    for (size_t j = 0; n + j < count; j++)
        lane[j] *= factor_of(&own, classes, shares_of(&own, listed[n + j]), class_count);
    return spn_log(multiply_lanes(lane));
}

static double log_factors(const spn_network_factors *f, const uint32_t *listed, size_t count)
{
    double total = 0;
    for (size_t n = 0; n < count; n += f->most) {
        const size_t some = count - n < f->most ? count - n : f->most;
        switch (f->class_count) {
        case 1:
            total += log_some(f, listed + n, some, 1);
            break;
        case 2:
            total += log_some(f, listed + n, some, 2);
            break;
        case 3:
            total += log_some(f, listed + n, some, 3);
            break;
        case 4:
            total += log_some(f, listed + n, some, 4);
            break;
        case 5:
            total += log_some(f, listed + n, some, 5);
            break;
        default:
            total += log_some(f, listed + n, some, f->class_count);
        }
    }
    return total;
}

static double log_outputs(const spn_network_factors *f, const uint64_t *bits, size_t first,
                          size_t count, uint32_t k, const double gain[2])
{
    const double less[2] = {gain[0] - 1, gain[1] - 1};
    double total = 0;
    for (size_t n = first; n < first + count;) {
        double lane[SPN_NETWORK_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
        const size_t left = first + count - n, end = n + (left < f->most ? left : f->most);
        for (; n < end; n++) {
            const float *shares = shares_of(f, n);
            const size_t bit = bits[n / 64] >> n % 64 & 1;
            lane[n % SPN_NETWORK_LANES] *=
                f->class_count ? (double)sum_of(f->classes, shares, f->class_count) +
                                     gain[bit] * (double)shares[k]
                               : 1 + less[bit] * (double)shares[k];
        }
        total += spn_log(multiply_lanes(lane));
    }
    return total;
}

/* ---- accepted flips ---- */

#ifndef SPN_NETWORK_OWN_MOVE
static void move(int16_t *sums, const uint64_t *column, size_t words, int by, uint64_t *low,
                 uint64_t *high)
{
    for (size_t w = 0; w < words; w++) {
        const uint64_t ones = column[w];
        if (!ones)
            continue;
        int16_t *sum = sums + SPN_NETWORK_WORD * w;
        uint64_t at_low = 0, at_high = 0;
        for (size_t j = 0; j < SPN_NETWORK_WORD; j++) {
            sum[j] = (int16_t)(sum[j] + (int)(ones >> j & 1) * by);
            at_low |= (uint64_t)((sum[j] | 1) == -1) << j;
            at_high |= (uint64_t)((sum[j] & ~1) == 0) << j;
        }
        low[w] = at_low;
        high[w] = at_high;
    }
}
#endif

/* ---- shares and losses ---- */

/* What the loss of a sample is made of. */
typedef struct loss_parts {
    double sum[SOME];   /* of the powers */
    double above[SOME]; /* the largest logit over the label's */
} loss_parts;

/* Sums of powers are made in eight lanes, and the lanes added up like this. */
SPN_INLINE double add_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Add the step to the logits of a sample, and find its shares; any number of classes. */
SPN_INLINE void settle_shares(const spn_network_law *law, char *record, const int16_t *step,
                              uint32_t label, double *sum, double *above)
{
    int16_t *logits = (int16_t *)(void *)record;
    float *shares = (float *)(void *)(record + law->shares_at);
    const uint32_t classes = law->classes;
    double lane[SPN_NETWORK_LANES] = {0};
    int top = INT16_MIN;
    for (uint32_t k = 0; k < classes; k++) {
        logits[k] = (int16_t)(logits[k] + step[k]);
        top = logits[k] > top ? logits[k] : top;
    }
    for (uint32_t k = 0; k < classes; k++)
        lane[k % SPN_NETWORK_LANES] += law->power[(unsigned)(top - logits[k]) / 2];
    *sum = add_lanes(lane);
    assert(label < classes && *sum >= 1); /* the largest logit has the power 1 */
    *above = top - logits[label];
    const double each = 1 / *sum;
    for (uint32_t k = 0; k < classes; k++)
        shares[k] = (float)(law->power[(unsigned)(top - logits[k]) / 2] * each);
}

SPN_INLINE size_t position_of(const spn_network_samples *samples, size_t j)
{
    return samples->listed ? samples->listed[j] : samples->first + j;
}

/* Fetch what sample j + AHEAD of those listed is made of: they are far apart. */
SPN_INLINE void fetch_ahead(const spn_network_state *state, const spn_network_law *law,
                            const spn_network_samples *samples, size_t j)
{
    if (!samples->listed)
        return;
    const size_t position = samples->listed[j + AHEAD]; /* what is past the end is not used */
    __builtin_prefetch(state->records + position * law->record, 1);
    __builtin_prefetch(state->losses + position, 1);
}

/* The losses of some samples, from `first` of them on; by how much they have grown. */
SPN_INLINE int64_t settle_losses(const spn_network_state *state, const spn_network_law *law,
                                 const spn_network_samples *samples, size_t first, size_t count,
                                 const loss_parts *parts)
{
    int64_t fresh[SOME], grown = 0;
    for (size_t j = 0; j < count; j++) {
        const double loss = spn_log(parts->sum[j]) + law->logit_scale * parts->above[j];
        assert(loss >= 0 && loss * law->loss_scale < 0x1p62);
        fresh[j] = (int64_t)(loss * law->loss_scale + 0.5);
    }
    for (size_t j = 0; j < count; j++) {
        int64_t *loss = state->losses + position_of(samples, first + j);
        grown += fresh[j] - *loss;
        *loss = fresh[j];
    }
    return grown;
}

#ifdef SPN_NETWORK_OWN_SETTLE
static void settle_some(const spn_network_state *state, const spn_network_law *law,
                        const spn_network_samples *samples, size_t first, size_t count,
                        const int16_t *step, loss_parts *parts);
#else
static void settle_some(const spn_network_state *state, const spn_network_law *law,
                        const spn_network_samples *samples, size_t first, size_t count,
                        const int16_t *step, loss_parts *parts)
{
    for (size_t j = 0; j < count; j++) {
        fetch_ahead(state, law, samples, first + j);
        settle_shares(law, state->records + position_of(samples, first + j) * law->record, step,
                      samples->label, &parts->sum[j], &parts->above[j]);
    }
}
#endif

static int64_t settle(const spn_network_state *state, const spn_network_law *law,
                      const spn_network_samples *samples, const int16_t *step)
{
    int64_t grown = 0;
    for (size_t first = 0; first < samples->count; first += SOME) {
        const size_t left = samples->count - first, count = left < SOME ? left : SOME;
        loss_parts parts;
        settle_some(state, law, samples, first, count, step, &parts);
        grown += settle_losses(state, law, samples, first, count, &parts);
    }
    return grown;
}

static void common_ones(int32_t *out, const uint64_t *rows, size_t stride, const uint64_t *mask,
                        size_t words, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        int32_t ones = 0;
        for (size_t w = 0; w < words; w++)
            ones += __builtin_popcountll(rows[n * stride + w] & mask[w]);
        out[n] = ones;
    }
}

#include "energy/network/smooth_body.h"

#define SPN_NETWORK_LOOPS(collects)                                                                \
    {                                                                                              \
        .collect = (collects), .log_factors = log_factors, .log_outputs = log_outputs,             \
        .move = move, .settle = settle, .common_ones = common_ones, .smooth = SPN_SMOOTH_LOOPS     \
    }
