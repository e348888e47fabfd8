/* The loops of the energy network, compiled once per instruction set. Products are made in eight
   lanes and in one order, so that every set gives the same bits. */
#include "core/numeric.h"
#include "energy/network.h"

#include <assert.h>

#define SPN_INLINE static inline __attribute__((always_inline))

enum { AHEAD = 16 }; /* samples whose shares are fetched in advance */

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

/* The sum of the shares of the classes listed. */
SPN_INLINE float sum_of(const spn_network_factors *f, const float *shares, size_t class_count)
{
    float sum = 0;
    for (size_t k = 0; k < class_count; k++)
        sum += shares[f->classes[k]];
    return sum;
}

SPN_INLINE double factor_of(const spn_network_factors *f, const float *shares, size_t class_count)
{
    return f->base + f->slope * (double)sum_of(f, shares, class_count);
}

SPN_INLINE double log_some(const spn_network_factors *f, const uint32_t *listed, size_t count,
                           size_t class_count)
{
    double lane[SPN_NETWORK_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    size_t n = 0;
    for (; n + SPN_NETWORK_LANES <= count; n += SPN_NETWORK_LANES) {
        for (size_t j = 0; j < SPN_NETWORK_LANES; j++) {
            __builtin_prefetch(f->shares + listed[n + j + AHEAD] * f->stride);
            lane[j] *= factor_of(f, f->shares + listed[n + j] * f->stride, class_count);
        }
    }
    for (size_t j = 0; n + j < count; j++)
        lane[j] *= factor_of(f, f->shares + listed[n + j] * f->stride, class_count);
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
            const float *shares = f->shares + n * f->stride;
            const size_t bit = bits[n / 64] >> n % 64 & 1;
            lane[n % SPN_NETWORK_LANES] *=
                f->class_count
                    ? (double)sum_of(f, shares, f->class_count) + gain[bit] * (double)shares[k]
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

#ifndef SPN_NETWORK_OWN_SETTLE
/* Shares and loss of the sample whose logits are given. */
SPN_INLINE int64_t settle_one(const spn_network_law *law, const int16_t *logits, float *shares,
                              uint32_t label)
{
    const uint32_t classes = law->classes;
    int top = logits[0];
    for (uint32_t k = 1; k < classes; k++)
        top = logits[k] > top ? logits[k] : top;
    double sum = 0;
    for (uint32_t k = 0; k < classes; k++)
        sum += law->power[(top - logits[k]) / 2];
    const double each = 1 / sum;
    for (uint32_t k = 0; k < classes; k++)
        shares[k] = (float)(law->power[(top - logits[k]) / 2] * each);
    const double loss = spn_log(sum) + law->logit_scale * (top - logits[label]);
    return (int64_t)(loss * law->loss_scale + 0.5);
}

static int64_t settle(const spn_network_state *state, const spn_network_law *law,
                      const spn_network_samples *samples, const int16_t *step)
{
    int64_t grown = 0;
    for (size_t j = 0; j < samples->count; j++) {
        const size_t n = samples->listed ? samples->listed[j] : samples->first + j;
        int16_t *logits = state->logits + n * law->classes;
        for (uint32_t k = 0; step && k < law->classes; k++)
            logits[k] = (int16_t)(logits[k] + step[k]);
        const int64_t loss =
            settle_one(law, logits, state->shares + n * law->stride, samples->label);
        grown += loss - state->losses[n];
        state->losses[n] = loss;
    }
    return grown;
}
#endif

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

#define SPN_NETWORK_TABLE                                                                          \
    {                                                                                              \
        .collect = collect, .log_factors = log_factors, .log_outputs = log_outputs, .move = move,  \
        .settle = settle, .common_ones = common_ones                                               \
    }
