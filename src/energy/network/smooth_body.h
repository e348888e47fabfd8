/* The loops of units that expect faults, compiled once per instruction set. They use only +, -, *
   and / of floats, without contraction, and sums of integers: every set gives the same bits. */
#include "core/numeric.h"
#include "energy/exponential.h"
#include "energy/network/smooth.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* log x for positive normal x, to 1e-7 or 2e-7 of it: 2 atanh((m-1)/(m+1)) for x = 2^e m. */
SPN_INLINE float log_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t half_sqrt = 0x3F3504F3u, offset = bits - half_sqrt;
    const int32_t e = (int32_t)offset >> 23;
    bits = (offset & 0x7FFFFFu) + half_sqrt;
    float m;
    memcpy(&m, &bits, sizeof m);
    const float s = (m - 1) / (m + 1), z = s * s;
    const float tail = z * (1 / 3.0f + z * (1 / 5.0f + z * (1 / 7.0f + z * (1 / 9.0f))));
    return (float)e * 0.693147181f + 2 * (s + s * tail);
}

/* erf x to 4e-7 (Abramowitz and Stegun, 7.1.28): 1 - 1 / (1 + a1 x + ... + a6 x^6)^16. */
SPN_INLINE float erf_of(float x)
{
    const float size = x < 0 ? -x : x, t = size < 4 ? size : 4;
    const float p =
        1 + t * (0.0705230784f +
                 t * (0.0422820123f +
                      t * (0.0092705272f +
                           t * (0.0001520143f + t * (0.0002765672f + t * 0.0000430638f)))));
    const float p2 = p * p, p4 = p2 * p2, p8 = p4 * p4;
    const float y = 1 - 1 / (p8 * p8);
    return x < 0 ? -y : y;
}

SPN_INLINE int32_t rounded(float x)
{
    return (int32_t)(x < 0 ? x - 0.5f : x + 0.5f);
}

SPN_INLINE int32_t mean_of(int sum, float narrow)
{
    return rounded(SPN_SMOOTH_ONE * erf_of((float)sum * narrow));
}

static void smooth_means(int16_t *out, const int16_t *sums, const float *narrow, size_t count)
{
    for (size_t n = 0; n < count; n++)
        out[n] = (int16_t)mean_of(sums[n], narrow[n]);
}

#ifndef SPN_SMOOTH_OWN_SUM
static int64_t smooth_sum(const int32_t *change, const uint64_t *column, size_t words)
{
    int64_t total = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = column[w]; bits; bits &= bits - 1)
            total += change[64 * w + (size_t)__builtin_ctzll(bits)];
    return total;
}
#endif

/* The change of the loss if the logits of the classes that gain, whose share is `share`, rise by d
   and the others fall by d; own: +1 if the label gains, else -1. */
SPN_INLINE float change_of(float d, float share, float others, float own)
{
    const float size = d < 0 ? -d : d, near = d < 0 ? others : share, far = d < 0 ? share : others;
    return log_of(near + far * spn_exp_float(-2 * size)) + (size - own * d);
}

/* log(1 + e (exp(d) - 1)) for |d| <= SPN_SMOOTH_SERIES, to 1e-7: cumulants of a bit that is 1 with
   probability e. The next term is at most d^6 / 2880. */
SPN_INLINE float series_of(float e, float d)
{
    const float v = e * (1 - e), g = 1 - 2 * e;
    const float last = (1 - 6 * v) * (1 / 24.0f) + d * (g * (1 - 12 * v) * (1 / 120.0f));
    return d * (e + d * v * (0.5f + d * (g * (1 / 6.0f) + d * last)));
}

/* 1 / (1 + e^-x) */
SPN_INLINE float share_of(float x)
{
    const float size = x < 0 ? -x : x, e = spn_exp_float(size < 80 ? -size : -80),
                more = 1 / (1 + e);
    return x < 0 ? e * more : more;
}

/* What some positions are made of, side by side. */
typedef struct smooth_some {
    int16_t near[SPN_SMOOTH_SOME][4]; /* h of the sum 2 below, h, of 2 and 4 above */
    float odds[SPN_SMOOTH_SOME], weight[SPN_SMOOTH_SOME];
    int32_t rise[SPN_SMOOTH_SOME], fall[SPN_SMOOTH_SOME];
} smooth_some;

static void smooth_changes(smooth_some *some, float unit, float own, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        const float h = some->near[j][1], t = some->odds[j] + 2 * unit * h, w = some->weight[j];
        const float share = share_of(t), others = share_of(-t);
        some->rise[j] = rounded(w * change_of(unit * (some->near[j][2] - h), share, others, own));
        some->fall[j] = rounded(w * change_of(unit * (some->near[j][0] - h), share, others, own));
    }
}

static void smooth_series(smooth_some *some, float unit, float own, size_t count)
{
    const float steep = -2 * own * unit; /* of the log odds against the label */
    for (size_t j = 0; j < count; j++) {
        const float h = some->near[j][1], w = some->weight[j];
        const float against = share_of(steep * h - own * some->odds[j]);
        some->rise[j] = rounded(w * series_of(against, steep * (some->near[j][2] - h)));
        some->fall[j] = rounded(w * series_of(against, steep * (some->near[j][0] - h)));
    }
}

static int64_t smooth_turn(const spn_smooth_sample *samples, const int16_t *from, const int16_t *to,
                           const float *weight, float unit, int own, float scale, size_t count)
{
    int64_t total = 0;
    float odds[SPN_SMOOTH_SOME], some_weight[SPN_SMOOTH_SOME];
    int32_t change[SPN_SMOOTH_SOME];
    assert(count <= SPN_SMOOTH_SOME);
    for (size_t j = 0; j < count; j++) {
        odds[j] = samples[j].odds;
        some_weight[j] = weight ? scale * weight[j] : scale;
    }
    for (size_t j = 0; j < count; j++) {
        const float t = odds[j] + 2 * unit * from[j], d = unit * (float)(to[j] - from[j]);
        change[j] = rounded(some_weight[j] * change_of(d, share_of(t), share_of(-t), (float)own));
    }
    for (size_t j = 0; j < count; j++)
        total += change[j];
    return total;
}

static void smooth_settle(const spn_smooth_visit *v, const uint32_t *listed, size_t first,
                          size_t count, int by, int own)
{
    smooth_some some;
    for (size_t done = 0; done < count; done += SPN_SMOOTH_SOME) {
        const size_t left = count - done, few = left < SPN_SMOOTH_SOME ? left : SPN_SMOOTH_SOME;
        for (size_t j = 0; j < few; j++) {
            const size_t n = listed ? listed[done + j] : first + done + j;
            const int32_t place = v->samples[n].place + by;
            v->samples[n].place = place;
            memcpy(some.near[j], v->means + place - 1, sizeof some.near[j]);
            some.odds[j] = v->samples[n].odds;
        }
        for (size_t j = 0; j < few; j++)
            some.weight[j] =
                v->weight ? v->scale * v->weight[listed ? listed[done + j] : first + done + j]
                          : v->scale;
        if (v->series)
            smooth_series(&some, v->unit, (float)own, few);
        else
            smooth_changes(&some, v->unit, (float)own, few);
        for (size_t j = 0; j < few; j++) {
            const size_t n = listed ? listed[done + j] : first + done + j;
            v->rise[n] = some.rise[j];
            v->fall[n] = some.fall[j];
        }
    }
}

/* Sums of e^(unit (logit - top)) over the classes whose output weight is +1 and -1. */
static void smooth_odds(spn_smooth_sample *out, const int32_t *logits, size_t stride,
                        uint32_t classes, const int8_t *output, size_t apart, const int16_t *mean,
                        float unit, size_t count)
{
    for (size_t first = 0; first < count; first += SPN_SMOOTH_SOME) {
        float top[SPN_SMOOTH_SOME], gain[SPN_SMOOTH_SOME], lose[SPN_SMOOTH_SOME];
        const size_t left = count - first, few = left < SPN_SMOOTH_SOME ? left : SPN_SMOOTH_SOME;
        for (size_t j = 0; j < few; j++) {
            top[j] = -0x1p30f;
            gain[j] = lose[j] = 1e-30f; /* no class at all: odds of e^69 */
        }
        for (uint32_t k = 0; k < classes; k++)
            for (size_t j = 0; j < few; j++) {
                const int32_t own = output[k * apart] * mean[first + j];
                const float z = (float)(logits[k * stride + first + j] - own);
                top[j] = z > top[j] ? z : top[j];
            }
        for (uint32_t k = 0; k < classes; k++) {
            float *to = output[k * apart] > 0 ? gain : lose;
            for (size_t j = 0; j < few; j++) {
                const int32_t own = output[k * apart] * mean[first + j];
                const float d = unit * ((float)(logits[k * stride + first + j] - own) - top[j]);
                to[j] += spn_exp_float(d < -80 ? -80 : d);
            }
        }
        for (size_t j = 0; j < few; j++)
            gain[j] = log_of(gain[j]) - log_of(lose[j]);
        for (size_t j = 0; j < few; j++)
            out[first + j].odds = gain[j];
    }
}

static void smooth_normalise(float *out, const int32_t *logits, size_t stride, uint32_t classes,
                             float unit, size_t count)
{
    for (size_t first = 0; first < count; first += SPN_SMOOTH_SOME) {
        float top[SPN_SMOOTH_SOME], sum[SPN_SMOOTH_SOME];
        const size_t left = count - first, few = left < SPN_SMOOTH_SOME ? left : SPN_SMOOTH_SOME;
        for (size_t j = 0; j < few; j++) {
            top[j] = -0x1p30f;
            sum[j] = 0;
        }
        for (uint32_t k = 0; k < classes; k++)
            for (size_t j = 0; j < few; j++) {
                const float z = (float)logits[k * stride + first + j];
                top[j] = z > top[j] ? z : top[j];
            }
        for (uint32_t k = 0; k < classes; k++)
            for (size_t j = 0; j < few; j++) {
                const float d = unit * ((float)logits[k * stride + first + j] - top[j]);
                sum[j] += spn_exp_float(d < -80 ? -80 : d);
            }
        for (size_t j = 0; j < few; j++)
            out[first + j] = unit * top[j] + log_of(sum[j]);
    }
}

static void smooth_shares(float *out, const int32_t *logits, const float *normaliser, float unit,
                          size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const float t = unit * (float)logits[n] - normaliser[n];
        out[n] = spn_exp_float(t < -80 ? -80 : t > 0 ? 0 : t);
    }
}

static int64_t smooth_output(const float *share, const int16_t *mean, const float *weight,
                             float unit, int by, int own, float scale, size_t count)
{
    const bool series = (float)(by < 0 ? -by : by) * unit * SPN_SMOOTH_ONE <= SPN_SMOOTH_SERIES;
    int64_t total = 0;
    for (size_t first = 0; first < count; first += SPN_SMOOTH_SOME) {
        const float *some = share + first;
        float d[SPN_SMOOTH_SOME], some_weight[SPN_SMOOTH_SOME];
        int32_t change[SPN_SMOOTH_SOME];
        const size_t left = count - first, few = left < SPN_SMOOTH_SOME ? left : SPN_SMOOTH_SOME;
        for (size_t j = 0; j < few; j++)
            d[j] = unit * (float)(by * (mean ? mean[first + j] : SPN_SMOOTH_ONE));
        for (size_t j = 0; j < few; j++)
            some_weight[j] = weight ? scale * weight[first + j] : scale;
        if (series)
            for (size_t j = 0; j < few; j++)
                change[j] = rounded(some_weight[j] * (own ? series_of(1 - some[j], -d[j])
                                                          : series_of(some[j], d[j])));
        else
            for (size_t j = 0; j < few; j++)
                change[j] = rounded(
                    some_weight[j] *
                    (log_of((1 - some[j]) + some[j] * spn_exp_float(d[j])) - (float)own * d[j]));
        for (size_t j = 0; j < few; j++)
            total += change[j];
    }
    return total;
}

static int64_t smooth_losses(const int32_t *logits, size_t stride, uint32_t classes, uint32_t label,
                             const float *weight, double unit, float scale, size_t count)
{
    int64_t total = 0;
    for (size_t first = 0; first < count; first += SPN_SMOOTH_SOME) {
        const int32_t *of = logits + first, *own = of + label * stride;
        int32_t top[SPN_SMOOTH_SOME];
        double loss[SPN_SMOOTH_SOME];
        const size_t left = count - first, few = left < SPN_SMOOTH_SOME ? left : SPN_SMOOTH_SOME;
        for (size_t j = 0; j < few; j++) {
            top[j] = of[j];
            loss[j] = 0;
        }
        for (uint32_t k = 1; k < classes; k++)
            for (size_t j = 0; j < few; j++)
                top[j] = of[k * stride + j] > top[j] ? of[k * stride + j] : top[j];
        for (uint32_t k = 0; k < classes; k++)
            for (size_t j = 0; j < few; j++) {
                const double d = unit * (double)(of[k * stride + j] - top[j]);
                loss[j] += spn_exp(d < -700 ? -700 : d);
            }
        for (size_t j = 0; j < few; j++)
            loss[j] = spn_log(loss[j]) + unit * (double)(top[j] - own[j]);
        for (size_t j = 0; j < few; j++)
            total += llrint((double)scale * (weight ? (double)weight[first + j] : 1) * loss[j]);
    }
    return total;
}

#define SPN_SMOOTH_LOOPS                                                                           \
    {                                                                                              \
        .means = smooth_means, .sum = smooth_sum, .turn = smooth_turn, .settle = smooth_settle,    \
        .odds = smooth_odds, .normalise = smooth_normalise, .shares = smooth_shares,               \
        .output = smooth_output, .losses = smooth_losses                                           \
    }
