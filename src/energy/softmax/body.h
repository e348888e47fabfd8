/* The loops of softmax that are plain C for every instruction set, compiled once for each. The file
   that includes this defines SPN_LANES first. */
#ifndef SPN_ENERGY_SOFTMAX_BODY_H
#define SPN_ENERGY_SOFTMAX_BODY_H

#include "core/numeric.h"
#include "energy/softmax/faulty_body.h"
#include "energy/softmax/softmax.h"
#include <assert.h>

static inline float float_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bytes of one group of 4*SPN_LANES positions, in the order of positions. */
static inline void group_bytes(uint32_t *out, const uint8_t *group)
{
    if (SPN_LANES == 1) {
        for (size_t j = 0; j < 4; j++)
            out[j] = group[j];
        return;
    }
    uint32_t words[SPN_LANES]; /* x86 from here on: the first byte is the lowest */
    memcpy(words, group, sizeof words);
    for (size_t v = 0; v < 4; v++) {
        for (size_t j = 0; j < SPN_LANES; j++)
            out[v * SPN_LANES + j] = (words[j] >> (8 * v)) & 255;
    }
}

enum { GROUP = 4 * SPN_LANES };

static void add64(int64_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    for (size_t c = 0; c < columns->count; c++) {
        const uint8_t *column = columns->column[c] + first;
        const int64_t factor = columns->times[c] * columns->factor[c];
        for (size_t p = 0; p < count; p += GROUP) {
            uint32_t x[GROUP];
            group_bytes(x, column + p);
            for (size_t j = 0; j < GROUP; j++)
                logits[p + j] += factor * (int64_t)x[j];
        }
    }
}

static void add_wide(int64_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    for (size_t c = 0; c < columns->count; c++) {
        const int16_t *column = columns->wide[c] + first;
        const int64_t factor = columns->times[c] * columns->factor[c];
        for (size_t p = 0; p < count; p++)
            logits[p] += factor * column[p];
    }
}

/* 2^(t - ref). t is split in double precision, so the fraction is good to 2^-30 and more however
   large t; the polynomial is the minimax one of Cephes' exp2f, below 2^-27 of error for |f| <= 1/2.
 */
static inline float power_of_two(double t, int32_t ref)
{
    const double shift = 0x1.8p52;
    const double shifted = t + shift;
    const float f = (float)(t - (shifted - shift));
    float p = 1.535336188e-4f;
    p = p * f + 1.339887440e-3f;
    p = p * f + 9.618437358e-3f;
    p = p * f + 5.550332471e-2f;
    p = p * f + 2.402264791e-1f;
    p = p * f + 6.931472029e-1f;
    p = p * f + 1.0f;
    int32_t exponent = (int32_t)(uint32_t)spn_bits(shifted) - ref;
    exponent = exponent > 126 ? 126 : exponent;
    const uint32_t scale = exponent < -126 ? 0 : (uint32_t)(exponent + 127) << 23;
    return p * float_from_bits(scale);
}

static void power64(float *power, const int64_t *logits, const int32_t *ref, double unit,
                    double offset, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        /* below 2^51 in size: to double by way of the bits of 2^52 + 2^51 + logit */
        const uint64_t bits = (uint64_t)logits[p] + 0x4338000000000000ull;
        power[p] = power_of_two(unit * (spn_from_bits(bits) - 0x1.8p52) + offset, ref[p]);
    }
}

static void real_trial(double *change, const double *logit, const double *lse, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        const double below = logit[p] - lse[p];
        const double share = spn_exp(below > -700.0 ? below : -700.0);
        change[p] = spn_log(1.0 + share * (spn_exp(change[p]) - 1.0));
    }
}

static void real_lse(double *lse, const double *logits, size_t stride, size_t classes, size_t count)
{
    enum { PART = 64 };
    for (size_t first = 0; first < count; first += PART) {
        const size_t part = count - first < PART ? count - first : PART;
        double top[PART], total[PART] = {0};
        memcpy(top, logits + first, part * sizeof *top);
        for (size_t k = 1; k < classes; k++) {
            const double *z = logits + k * stride + first;
            for (size_t j = 0; j < part; j++)
                top[j] = z[j] > top[j] ? z[j] : top[j];
        }
        for (size_t k = 0; k < classes; k++) {
            const double *z = logits + k * stride + first;
            for (size_t j = 0; j < part; j++) {
                const double below = z[j] - top[j];
                total[j] += spn_exp(below > -700.0 ? below : -700.0);
            }
        }
        for (size_t j = 0; j < part; j++)
            lse[first + j] = top[j] + spn_log(total[j]);
    }
}

/* The logarithm of a product of float lanes whose exponents were taken out already. */
static inline spn_split_log log_of_lanes(const float *lanes, size_t count, int64_t exponent)
{
    double product = 1.0; /* of factors in [1, 2) */
    assert(count <= 64);
    for (size_t j = 0; j < count; j++)
        product *= (double)lanes[j];
    return (spn_split_log){spn_log(product), exponent};
}

/* Raise the peaks of some sums, list those that have fallen, and widen range, as for `flip`. */
static size_t settle(const float *sum, uint8_t *peak, unsigned fall, uint32_t *fallen,
                     uint8_t range[2], size_t count);

static void start_peaks(const float *sum, uint8_t *peak, uint8_t range[2], size_t count)
{
    uint32_t fallen[SPN_SOFTMAX_BLOCK]; /* stays empty */
    memset(peak, 0, count);
    settle(sum, peak, UINT8_MAX, fallen, range, count);
}

/* Of the functions of the file that includes this, and of the files that it includes. */
#define SPN_SOFTMAX_KERNELS                                                                        \
    {                                                                                              \
        .lanes = SPN_LANES, .trial = run_trial, .flip = make_flip, .add32 = add32, .add64 = add64, \
        .wide_trial = wide_trial, .wide_flip = wide_flip, .add_wide = add_wide,                    \
        .power32 = power32, .power64 = power64, .sum = sum_powers, .start_peaks = start_peaks,     \
        .dots = dots, .real_trial = real_trial, .real_lse = real_lse, .faulty = {                  \
            faulty_settle,                                                                         \
            faulty_change,                                                                         \
            faulty_sum                                                                             \
        }                                                                                          \
    }

#endif
