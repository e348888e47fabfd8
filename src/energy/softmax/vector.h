/* The loops of softmax by vectors, written once for both widths. The file that includes this has
   defined SPN_LANES, WIDE (the name of an operation of that width) and WIDE_INTEGERS, and defines
   gain_less_one. */
#ifndef SPN_ENERGY_SOFTMAX_VECTOR_H
#define SPN_ENERGY_SOFTMAX_VECTOR_H

#include "energy/softmax/x86.h"
#include <assert.h>

typedef float floats __attribute__((vector_size(4 * SPN_LANES), may_alias));
typedef uint32_t words __attribute__((vector_size(4 * SPN_LANES), may_alias));
typedef int32_t integers __attribute__((vector_size(4 * SPN_LANES), may_alias));
typedef int16_t halves __attribute__((vector_size(4 * SPN_LANES), may_alias));

/* Both are rounded once. */
static inline floats multiply_add(floats a, floats b, floats c)
{
    return WIDE(fmadd_ps)(a, b, c);
}

static inline floats multiply_subtract(floats a, floats b, floats c)
{
    return WIDE(fmsub_ps)(a, b, c);
}

static inline halves multiply_bytes(words bytes, halves times)
{
    return (halves)WIDE(maddubs_epi16)((WIDE_INTEGERS)bytes, (WIDE_INTEGERS)times);
}

static inline integers clamp(integers x, int32_t low, int32_t high)
{
    const WIDE_INTEGERS least = WIDE(min_epi32)((WIDE_INTEGERS)x, WIDE(set1_epi32)(high));
    return (integers)WIDE(max_epi32)(least, WIDE(set1_epi32)(low));
}

/* ---- gains ---- */

/* The tables of spn_gain: of 16 lanes low and high, of 8 low, middle and top (as high). */
typedef struct gain_tables {
    floats low, middle, high, one;
    floats of_zero; /* g - 1 for the byte 0 */
} gain_tables;

/* g - 1 for the bytes that stand lowest in each lane. */
static inline floats gain_less_one(const gain_tables *t, words bytes);

static inline gain_tables load_tables(const spn_gain *gain)
{
    gain_tables tables = {.one = 1.0f - (floats){0}};
    memcpy(&tables.low, gain->low, sizeof tables.low);
    memcpy(&tables.middle, gain->middle, sizeof gain->middle);
    memcpy(&tables.high, SPN_LANES == 16 ? gain->high : gain->top, sizeof tables.high);
    tables.of_zero = gain_less_one(&tables, (words){0});
    return tables;
}

/* 2^f for |f| <= 1/2, as power_of_two in body.h. */
static inline floats power_series(floats f)
{
    static const float series[7] = {1.535336188e-4f,
                                    1.339887440e-3f,
                                    9.618437358e-3f,
                                    5.550332471e-2f,
                                    2.402264791e-1f,
                                    6.931472029e-1f,
                                    1.0f};
    floats p = series[0] - (floats){0};
    for (int j = 1; j < 7; j++)
        p = multiply_add(p, f, series[j] - (floats){0});
    return p;
}

static inline floats load_floats(const float *from)
{
    return *(const floats *)(const void *)from;
}

static inline words load_bytes(const uint8_t *from)
{
    words x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* ---- a trial ---- */

/* The running product of a lane: mantissas in `product`, the exponents taken out and added up. */
typedef struct log_lanes {
    floats product;
    words exponent; /* of biased exponents */
} log_lanes;

static inline floats take_exponent(log_lanes *l, floats x)
{
    const words bits = (words)x;
    l->exponent += bits >> 23;
    return (floats)((bits & 0x7FFFFF) | 0x3F800000);
}

/* Add log(a b). Each factor is within 2^-58..2^58, so the product of two is a normal number. */
static inline void multiply_pair(log_lanes *l, floats a, floats b)
{
    l->product *= take_exponent(l, a * b);
}

static inline spn_split_log finish(const log_lanes l[2], size_t taken)
{
    float products[2 * SPN_LANES];
    int64_t exponent = -127 * (int64_t)(SPN_LANES * taken);
    for (size_t v = 0; v < 2; v++) {
        memcpy(products + SPN_LANES * v, &l[v].product, sizeof l[v].product);
        for (size_t j = 0; j < SPN_LANES; j++)
            exponent += l[v].exponent[j];
    }
    return log_of_lanes(products, 2 * SPN_LANES, exponent);
}

/* g - 1 of a group of positions; the lowest bit of nonzero says whether any of the 64 positions
   that they belong to is not blank. */
static inline void gains_of_group(floats gain[4], const uint8_t *column, uint64_t nonzero,
                                  const gain_tables *tables)
{
    if (nonzero & 1) {
        const words x = load_bytes(column);
        for (int v = 0; v < 4; v++)
            gain[v] = gain_less_one(tables, x >> 8 * v);
    } else {
        for (size_t v = 0; v < 4; v++)
            gain[v] = tables->of_zero;
    }
}

static inline void trial_group(const spn_trial *trial, const gain_tables *tables, log_lanes l[2],
                               size_t p, uint64_t nonzero)
{
    floats gain[4], after[4];
    gains_of_group(gain, trial->column + p, nonzero, tables);
    for (size_t v = 0; v < 4; v++) {
        const floats sum = load_floats(trial->sum + p + SPN_LANES * v);
        after[v] = multiply_add(load_floats(trial->power + p + SPN_LANES * v), gain[v], sum);
    }
    multiply_pair(&l[0], after[0], after[1]);
    multiply_pair(&l[1], after[2], after[3]);
}

static spn_split_log run_trial(const spn_trial *trial)
{
    assert(trial->count % 64 == 0 && (uintptr_t)trial->sum % sizeof(floats) == 0);
    const gain_tables tables = load_tables(trial->gain);
    const floats one = 1.0f - (floats){0};
    log_lanes l[2] = {{.product = one}, {.product = one}};
    size_t taken = 0; /* times an exponent was taken out */
    for (size_t first = 0; first < trial->count; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = trial->count - first;
        const size_t end = first + (left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK);
        uint64_t bits = groups_from(trial, first);
        for (size_t p = first; p < end; p += 64, bits >>= 1) {
            fetch_group(trial->column + p + SPN_SOFTMAX_AHEAD, bits >> SPN_SOFTMAX_AHEAD / 64,
                        trial->gain);
            for (size_t group = p; group < p + 64; group += GROUP)
                trial_group(trial, &tables, l, group, bits);
        }
        /* at most 32 factors below 2 each: far from overflow */
        for (size_t v = 0; v < 2; v++)
            l[v].product = take_exponent(&l[v], l[v].product);
        taken += 2 * ((end - first) / GROUP) + 2;
    }
    return finish(l, taken);
}

/* ---- rounded features ---- */

typedef int16_t shorts __attribute__((vector_size(2 * SPN_LANES), may_alias));

static inline floats load_wide(const int16_t *from)
{
    shorts x;
    memcpy(&x, from, sizeof x);
    return __builtin_convertvector(__builtin_convertvector(x, integers), floats);
}

/* g - 1 of the positions from p on. */
static inline floats wide_gain(const spn_trial *trial, size_t p, bool pair)
{
    const float shift = 0x1.8p23f;
    const floats zero = {0};
    floats t =
        multiply_add(load_wide(trial->wide[0] + p), trial->rate[0] - zero, trial->constant - zero);
    if (pair)
        t = multiply_add(load_wide(trial->wide[1] + p), trial->rate[1] - zero, t);
    const floats shifted = t + shift, f = t - (shifted - shift);
    const integers scale = ((integers)shifted + 127) << 23;
    return multiply_subtract(power_series(f), (floats)scale, 1.0f - zero);
}

static inline floats wide_after(const spn_trial *trial, size_t p, bool pair)
{
    return multiply_add(load_floats(trial->power + p), wide_gain(trial, p, pair),
                        load_floats(trial->sum + p));
}

/* Sums of weighted logarithms over 2^SPN_SOFTMAX_CENTRE: of exponents and of mantissas. */
typedef struct weighted_logs {
    floats exponent, fraction;
} weighted_logs;

/* log m by the series of 2 atanh((m - 1)/(m + 1)), m from 2^-1/2 to 2^1/2. */
static inline void add_weighted(weighted_logs *logs, floats x, floats weight)
{
    const words half_root = 0x3F3504F3 - (words){0};
    const words offset = (words)x - half_root;
    const integers exponent = ((integers)offset >> 23) - SPN_SOFTMAX_CENTRE;
    const floats m = (floats)((offset & 0x7FFFFF) + half_root), zero = {0};
    const floats f = m - 1.0f, s = f / (m + 1.0f), z = s * s;
    floats tail = multiply_add(z, 0.22222222f - zero, 0.28571429f - zero);
    tail = multiply_add(tail, z, 0.4f - zero);
    tail = multiply_add(tail, z, 0.66666667f - zero);
    tail = multiply_add(tail, z, 2.0f - zero);
    logs->exponent =
        multiply_add(weight, __builtin_convertvector(exponent, floats), logs->exponent);
    logs->fraction = multiply_add(weight, s * tail, logs->fraction);
}

static inline double add_lanes(floats x)
{
    float lanes[SPN_LANES];
    double total = 0;
    memcpy(lanes, &x, sizeof lanes);
    for (size_t j = 0; j < SPN_LANES; j++)
        total += (double)lanes[j];
    return total;
}

static inline spn_split_log wide_weighted(const spn_trial *trial, bool pair)
{
    double exponent = 0, fraction = 0;
    for (size_t first = 0; first < trial->count; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = trial->count - first;
        const size_t end = first + (left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK);
        weighted_logs logs = {{0}, {0}};
        for (size_t p = first; p < end; p += SPN_LANES)
            add_weighted(&logs, wide_after(trial, p, pair), load_floats(trial->weight + p));
        exponent += add_lanes(logs.exponent);
        fraction += add_lanes(logs.fraction);
    }
    return (spn_split_log){fraction + exponent * 0.69314718055994530942, 0};
}

static inline spn_split_log wide_plain(const spn_trial *trial, bool pair)
{
    const floats one = 1.0f - (floats){0};
    log_lanes l[2] = {{.product = one}, {.product = one}};
    size_t taken = 0;
    for (size_t first = 0; first < trial->count; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = trial->count - first;
        const size_t end = first + (left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK);
        for (size_t p = first; p < end; p += GROUP) {
            floats after[4];
            for (size_t v = 0; v < 4; v++)
                after[v] = wide_after(trial, p + SPN_LANES * v, pair);
            multiply_pair(&l[0], after[0], after[1]);
            multiply_pair(&l[1], after[2], after[3]);
        }
        for (size_t v = 0; v < 2; v++)
            l[v].product = take_exponent(&l[v], l[v].product);
        taken += 2 * ((end - first) / GROUP) + 2;
    }
    return finish(l, taken);
}

static spn_split_log wide_trial(const spn_trial *trial)
{
    assert(trial->count % SPN_SOFTMAX_PAD == 0 && (uintptr_t)trial->sum % sizeof(floats) == 0);
    if (trial->weight)
        return trial->wide[1] ? wide_weighted(trial, true) : wide_weighted(trial, false);
    return trial->wide[1] ? wide_plain(trial, true) : wide_plain(trial, false);
}

/* With denormal numbers as 0: they are slow. */
static size_t wide_flip(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2])
{
    assert(trial->count <= SPN_SOFTMAX_FLIP && (uintptr_t)powers % sizeof(floats) == 0);
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040);
    for (size_t p = 0; p < trial->count; p += SPN_LANES) {
        const floats gain = wide_gain(trial, p, trial->wide[1] != NULL);
        const floats power = load_floats(powers + p);
        const floats after = multiply_add(power, gain, load_floats(sums + p));
        const floats next = multiply_add(power, gain, power);
        memcpy(powers + p, &next, sizeof next);
        memcpy(sums + p, &after, sizeof after);
    }
    _mm_setcsr(control);
    return settle(sums, peak, fall, fallen, range, trial->count);
}

/* ---- logits ---- */

static inline void add_to(int32_t *logits, integers change)
{
    *(integers *)(void *)logits += change;
}

/* The bytes of a 32-bit lane belong to four vectors. Products of bytes with (times, 0) and (0,
   times) leave those of vectors 0 and 2, or 1 and 3, as 16-bit numbers, which 64 columns cannot
   fill: 64 times 2 times 255 is less than 2^15. Blank bytes are not read, without a branch that
   could not be predicted. */
static void add32(int32_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    static const uint8_t blank[GROUP];
    uint64_t bits[SPN_SOFTMAX_WINDOW];
    assert(columns->count <= SPN_SOFTMAX_WINDOW && count % GROUP == 0);
    assert((uintptr_t)logits % sizeof(integers) == 0);
    for (size_t c = 0; c < columns->count; c++)
        bits[c] = spn_softmax_bits(columns->nonzero[c], first / 64);
    for (size_t p = 0; p < count; p += GROUP) {
        halves even = {0}, odd = {0};
        for (size_t c = 0; c < columns->count; c++) {
            const uint8_t *at = columns->column[c] + first + p;
            const uint64_t nonzero = bits[c] >> p / 64;
            if (SPN_LANES == 16) /* ask for what the next block needs */
                fetch_next(nonzero >> SPN_SOFTMAX_BLOCK / 64 & 1 ? at + SPN_SOFTMAX_BLOCK : blank);
            const words x = load_bytes(nonzero & 1 ? at : blank);
            const halves times = (int16_t)(uint8_t)columns->times[c] - (halves){0};
            even += multiply_bytes(x, times);
            odd += multiply_bytes(x, times << 8);
        }
        for (size_t v = 0; SPN_LANES == 16 && v < 4; v++)
            fetch_next(logits + p + SPN_SOFTMAX_BLOCK + SPN_LANES * v);
        add_to(logits + p, (integers)even << 16 >> 16);
        add_to(logits + p + SPN_LANES, (integers)odd << 16 >> 16);
        add_to(logits + p + 2 * SPN_LANES, (integers)even >> 16);
        add_to(logits + p + 3 * SPN_LANES, (integers)odd >> 16);
    }
}

/* ---- powers ---- */

/* unit and offset of a logit in parts that make the arithmetic exact enough in floats: unit is
   high + low, offset is a whole number and part. Added to the bits of 1.5 2^23 + n, `whole` makes
   the biased exponent of n and that number. */
typedef struct split_scale {
    floats high, low, part;
    integers whole;
} split_scale;

static inline split_scale split(double unit, double offset)
{
    const float high = (float)unit;
    const double shifted = offset + 0x1.8p52, whole = shifted - 0x1.8p52;
    const uint32_t biased = (uint32_t)(int)whole + 127 - 0x4B400000; /* the bits of 1.5 2^23 */
    const floats zero = {0};
    return (split_scale){high - zero, (float)(unit - (double)high) - zero,
                         (float)(offset - whole) - zero, (int32_t)biased - (integers){0}};
}

/* The powers of some logits. A logit is exact as a float; times unit it is a sum of a float and its
   error (the fused operation gives it exactly), so the fraction f of t is right to about 2^-25.
   Then 2^f by its series, as power_of_two in body.h, and the exponents. */
static inline floats power_lanes(integers logits, integers ref, const split_scale *s)
{
    const float shift = 0x1.8p23f;
    const floats x = __builtin_convertvector(logits, floats), t = x * s->high;
    const floats error = multiply_subtract(x, s->high, t) + multiply_add(x, s->low, s->part);
    const floats shifted = t + shift, f = (t - (shifted - shift)) + error;
    /* biased exponents; 0, and so the factor 0, below 2^-126 */
    return power_series(f) * (floats)(clamp((integers)shifted + (s->whole - ref), 0, 253) << 23);
}

static inline integers load_integers(const int32_t *from)
{
    integers x;
    memcpy(&x, from, sizeof x);
    return x;
}

static void power32(float *power, const int32_t *logits, const int32_t *ref, double unit,
                    double offset, size_t count)
{
    const split_scale s = split(unit, offset);
    size_t p = 0;
    for (; p + SPN_LANES <= count; p += SPN_LANES) {
        if (SPN_LANES == 16)
            __builtin_prefetch(power + p + SPN_SOFTMAX_BLOCK, 1, 2); /* of the next block */
        const floats x = power_lanes(load_integers(logits + p), load_integers(ref + p), &s);
        memcpy(power + p, &x, sizeof x);
    }
    if (p == count)
        return;
    /* the same arithmetic for the rest: a result does not depend on where it stands */
    int32_t some_logits[SPN_LANES] = {0}, some_ref[SPN_LANES] = {0};
    memcpy(some_logits, logits + p, (count - p) * sizeof *logits);
    memcpy(some_ref, ref + p, (count - p) * sizeof *ref);
    const floats x = power_lanes(load_integers(some_logits), load_integers(some_ref), &s);
    memcpy(power + p, &x, (count - p) * sizeof *power);
}

#endif
