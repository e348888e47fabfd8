/* The loops of softmax with AVX-512: the twin of softmax_avx2.c, sixteen positions at a time, the
   gain from two permutations of 16-entry tables. */
#define SPN_LANES 16
#include "energy/softmax/body.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#include "energy/softmax/x86.h"
#include <immintrin.h>

typedef struct gain_tables {
    __m512 low, high, one;
    __m512 of_zero; /* g - 1 for the byte 0 */
} gain_tables;

/* g - 1 for the bytes that stand lowest in each lane; the permutations ignore all higher bits. */
static inline __m512 gain_less_one(const gain_tables *t, __m512i x)
{
    const __m512 low = _mm512_permutexvar_ps(x, t->low);
    const __m512 high = _mm512_permutexvar_ps(_mm512_srli_epi32(x, 4), t->high);
    return _mm512_fmsub_ps(high, low, t->one);
}

/* The running product of a lane: mantissas in `product`, the exponents taken out and added up. */
typedef struct log_lanes {
    __m512 product;
    __m512i exponent; /* of biased exponents */
} log_lanes;

static inline __m512 take_exponent(log_lanes *l, __m512 x)
{
    const __m512i bits = _mm512_castps_si512(x);
    l->exponent = _mm512_add_epi32(l->exponent, _mm512_srli_epi32(bits, 23));
    return _mm512_castsi512_ps(_mm512_or_si512(_mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFF)),
                                               _mm512_set1_epi32(0x3F800000)));
}

/* Add log(a b). Each factor is within 2^-58..2^58, so the product of two is a normal number. */
static inline void multiply_pair(log_lanes *l, __m512 a, __m512 b)
{
    l->product = _mm512_mul_ps(l->product, take_exponent(l, _mm512_mul_ps(a, b)));
}

static inline spn_log_sum finish(const log_lanes l[2], size_t taken)
{
    float products[32];
    int32_t exponents[32];
    int64_t exponent = -127 * (int64_t)(16 * taken);
    for (size_t v = 0; v < 2; v++) {
        _mm512_storeu_ps(products + 16 * v, l[v].product);
        _mm512_storeu_si512(exponents + 16 * v, l[v].exponent);
    }
    for (size_t j = 0; j < 32; j++)
        exponent += exponents[j];
    return log_of_lanes(products, 32, exponent);
}

/* g - 1 of sixty-four positions; the lowest bit of nonzero says whether they are not blank. */
static inline void gains_of_group(__m512 gain[4], const uint8_t *column, uint64_t nonzero,
                                  const gain_tables *tables)
{
    if (nonzero & 1) {
        const __m512i x = _mm512_loadu_si512(column);
        for (size_t v = 0; v < 4; v++)
            gain[v] = gain_less_one(tables, _mm512_srli_epi32(x, (unsigned)(8 * v)));
    } else {
        for (size_t v = 0; v < 4; v++)
            gain[v] = tables->of_zero;
    }
}

static inline void trial_group(const spn_trial *trial, const gain_tables *tables, log_lanes l[2],
                               size_t p, uint64_t nonzero)
{
    __m512 gain[4], after[4];
    gains_of_group(gain, trial->column + p, nonzero, tables);
    for (size_t v = 0; v < 4; v++) {
        const __m512 sum = _mm512_load_ps(trial->sum + p + 16 * v);
        after[v] = _mm512_fmadd_ps(_mm512_load_ps(trial->power + p + 16 * v), gain[v], sum);
    }
    multiply_pair(&l[0], after[0], after[1]);
    multiply_pair(&l[1], after[2], after[3]);
}

static inline gain_tables load_tables(const spn_gain *gain)
{
    gain_tables tables = {.low = _mm512_loadu_ps(gain->low),
                          .high = _mm512_loadu_ps(gain->high),
                          .one = _mm512_set1_ps(1.0f)};
    tables.of_zero = gain_less_one(&tables, _mm512_setzero_si512());
    return tables;
}

static spn_log_sum run_trial(const spn_trial *trial)
{
    const gain_tables tables = load_tables(trial->gain);
    log_lanes l[2] = {{_mm512_set1_ps(1.0f), _mm512_setzero_si512()},
                      {_mm512_set1_ps(1.0f), _mm512_setzero_si512()}};
    size_t taken = 0; /* times an exponent was taken out */
    for (size_t first = 0; first < trial->count; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = trial->count - first;
        const size_t end = first + (left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK);
        uint64_t bits = groups_from(trial, first);
        for (size_t p = first; p < end; p += 64, bits >>= 1) {
            fetch_group(trial->column + p + SPN_SOFTMAX_AHEAD, bits >> SPN_SOFTMAX_AHEAD / 64,
                        trial->gain);
            trial_group(trial, &tables, l, p, bits);
        }
        /* 16 factors below 2 each at most: far from overflow */
        for (size_t v = 0; v < 2; v++)
            l[v].product = take_exponent(&l[v], l[v].product);
        taken += 2 * ((end - first) / 64) + 2;
    }
    return finish(l, taken);
}

/* The exponents of 64 floats as bytes: in each quarter, four of each vector in turn. */
static inline __m512i exponents_of_group(const __m512 x[4])
{
    __m512i e[4];
    for (size_t v = 0; v < 4; v++)
        e[v] = _mm512_srli_epi32(_mm512_castps_si512(x[v]), 23);
    return _mm512_packus_epi16(_mm512_packs_epi32(e[0], e[1]), _mm512_packs_epi32(e[2], e[3]));
}

/* The peaks of a block, in the order of exponents_of_group; nothing else reads them. */
typedef struct settling {
    __m512i low, high, most;
} settling;

static inline settling start_settling(const uint8_t range[2], unsigned fall)
{
    return (settling){_mm512_set1_epi8((char)range[0]), _mm512_set1_epi8((char)range[1]),
                      _mm512_set1_epi8((char)fall)};
}

/* Settle 64 sums; the mask of those that have fallen. */
static inline __mmask64 settle_group(settling *s, const __m512 sums[4], uint8_t *peak)
{
    const __m512i exponent = exponents_of_group(sums);
    const __m512i top = _mm512_max_epu8(_mm512_load_si512(peak), exponent);
    const __mmask64 deep = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(top, exponent), s->most);
    s->low = _mm512_min_epu8(s->low, exponent);
    s->high = _mm512_max_epu8(s->high, exponent);
    _mm512_store_si512(peak, _mm512_mask_mov_epi8(top, deep, exponent));
    return deep;
}

static inline void finish_settling(const settling *s, uint8_t range[2])
{
    uint8_t lows[64], highs[64];
    _mm512_storeu_si512(lows, s->low);
    _mm512_storeu_si512(highs, s->high);
    for (size_t j = 0; j < 64; j++) {
        range[0] = lows[j] < range[0] ? lows[j] : range[0];
        range[1] = highs[j] > range[1] ? highs[j] : range[1];
    }
}

/* The positions, from p on, in a mask of settle_group, in the order of softmax_avx2.c: sums are
   restored in the order of this list, and the last bits should not depend on the instruction set. A
   float has four bits here and one 32-bit lane of the mask as bytes. */
static inline size_t list_fallen(uint32_t *fallen, __mmask64 mask, size_t p)
{
    const __m512i order = _mm512_setr_epi32(0, 8, 1, 9, 4, 12, 5, 13, 2, 10, 3, 11, 6, 14, 7, 15);
    const __m512i bytes = _mm512_permutexvar_epi32(order, _mm512_movm_epi8(mask));
    size_t found = 0;
    uint64_t bits = _mm512_movepi8_mask(bytes);
    do {
        const uint32_t bit = (uint32_t)__builtin_ctzll(bits), vector = bit % 16 / 4;
        fallen[found++] = (uint32_t)p + bit / 32 * 32 + 8 * vector + 4 * (bit / 16 % 2) + bit % 4;
    } while (bits &= bits - 1);
    return found;
}

/* Powers that sink below 2^-126 become 0 at once: denormal numbers are slow on some machines. */
static size_t make_flip(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2])
{
    const gain_tables tables = load_tables(trial->gain);
    __mmask64 deep[SPN_SOFTMAX_FLIP / 64];
    uint64_t groups = 0; /* with fallen ones */
    settling s = start_settling(range, fall);
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040);
    uint64_t bits = spn_softmax_bits(trial->nonzero, trial->group);
    for (size_t p = 0; p < trial->count; p += 64, bits >>= 1) {
        __m512 gain[4], after[4];
        gains_of_group(gain, trial->column + p, bits, &tables);
        for (size_t v = 0; v < 4; v++) {
            const size_t at = p + 16 * v;
            const __m512 power = _mm512_load_ps(powers + at);
            after[v] = _mm512_fmadd_ps(power, gain[v], _mm512_load_ps(sums + at));
            _mm512_store_ps(powers + at, _mm512_fmadd_ps(power, gain[v], power));
            _mm512_store_ps(sums + at, after[v]);
        }
        deep[p / 64] = settle_group(&s, after, peak + p);
        groups |= (uint64_t)(deep[p / 64] != 0) << (p / 64);
    }
    _mm_setcsr(control);
    finish_settling(&s, range);
    size_t found = 0;
    for (; groups; groups &= groups - 1) {
        const size_t group = (size_t)__builtin_ctzll(groups);
        found += list_fallen(fallen + found, deep[group], 64 * group);
    }
    return found;
}

static void start_peaks(const float *sum, uint8_t *peak, uint8_t range[2], size_t count)
{
    settling s = start_settling(range, UINT8_MAX);
    for (size_t p = 0; p < count; p += 64) {
        __m512 sums[4];
        for (size_t v = 0; v < 4; v++)
            sums[v] = _mm512_load_ps(sum + p + 16 * v);
        _mm512_store_si512(peak + p, _mm512_setzero_si512());
        settle_group(&s, sums, peak + p);
    }
    finish_settling(&s, range);
}

static inline void add_to(int32_t *logits, __m512i change)
{
    _mm512_store_si512(logits, _mm512_add_epi32(_mm512_load_si512(logits), change));
}

/* The bytes of a 32-bit lane belong to four vectors. Products of bytes with (times, 0) and (0,
   times) leave those of vectors 0 and 2, or 1 and 3, as 16-bit numbers, which 64 columns cannot
   fill: 64 times 2 times 255 is less than 2^15. What the next block needs is asked for; blank bytes
   are not read, without a branch that could not be foreseen. */
static void add32_wide(int32_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    static const uint8_t blank[64];
    uint64_t bits[SPN_SOFTMAX_WINDOW];
    for (size_t c = 0; c < columns->count; c++)
        bits[c] = spn_softmax_bits(columns->nonzero[c], first / 64);
    for (size_t p = 0; p < count; p += GROUP) {
        __m512i even = _mm512_setzero_si512(), odd = _mm512_setzero_si512();
        for (size_t c = 0; c < columns->count; c++) {
            const uint8_t *at = columns->column[c] + first + p;
            const uint8_t *next =
                bits[c] >> SPN_SOFTMAX_BLOCK / 64 & 1 ? at + SPN_SOFTMAX_BLOCK : blank;
            const __m512i x = _mm512_loadu_si512(bits[c] & 1 ? at : blank);
            _mm_prefetch((const char *)next, _MM_HINT_T1);
            bits[c] >>= 1;
            const __m512i times = _mm512_set1_epi16((short)(uint8_t)columns->times[c]);
            even = _mm512_add_epi16(even, _mm512_maddubs_epi16(x, times));
            odd = _mm512_add_epi16(odd, _mm512_maddubs_epi16(x, _mm512_slli_epi16(times, 8)));
        }
        for (size_t v = 0; v < 4; v++)
            _mm_prefetch((const char *)(logits + p + SPN_SOFTMAX_BLOCK + 16 * v), _MM_HINT_T1);
        add_to(logits + p, _mm512_srai_epi32(_mm512_slli_epi32(even, 16), 16));
        add_to(logits + p + 16, _mm512_srai_epi32(_mm512_slli_epi32(odd, 16), 16));
        add_to(logits + p + 2 * 16, _mm512_srai_epi32(even, 16));
        add_to(logits + p + 3 * 16, _mm512_srai_epi32(odd, 16));
    }
}

static inline __m512 wide(__m256 x)
{
    return _mm512_broadcast_f32x8(x);
}

/* power_eight of softmax_x86.h, operation by operation, for sixteen. */
static inline __m512 power_sixteen(__m512i logits, __m512i ref, const split_scale *s)
{
    const __m512 shift = _mm512_set1_ps(0x1.8p23f), x = _mm512_cvtepi32_ps(logits);
    const __m512 high = wide(s->high), t = _mm512_mul_ps(x, high);
    const __m512 error =
        _mm512_add_ps(_mm512_fmsub_ps(x, high, t), _mm512_fmadd_ps(x, wide(s->low), wide(s->part)));
    const __m512 shifted = _mm512_add_ps(t, shift);
    const __m512 f = _mm512_add_ps(_mm512_sub_ps(t, _mm512_sub_ps(shifted, shift)), error);
    __m512 p = _mm512_set1_ps(power_series[0]);
    for (int j = 1; j < 7; j++)
        p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(power_series[j]));
    const __m512i whole = _mm512_broadcast_i32x8(s->whole);
    __m512i biased = _mm512_add_epi32(_mm512_castps_si512(shifted), _mm512_sub_epi32(whole, ref));
    biased = _mm512_min_epi32(biased, _mm512_set1_epi32(253));
    biased = _mm512_max_epi32(biased, _mm512_setzero_si512());
    return _mm512_mul_ps(p, _mm512_castsi512_ps(_mm512_slli_epi32(biased, 23)));
}

static void power32_wider(float *power, const int32_t *logits, const int32_t *ref, double unit,
                          double offset, size_t count)
{
    const split_scale s = split(unit, offset);
    size_t p = 0;
    for (; p + 16 <= count; p += 16) {
        __builtin_prefetch(power + p + SPN_SOFTMAX_BLOCK, 1, 2); /* of the next block */
        const __m512i words = _mm512_loadu_si512(logits + p);
        _mm512_storeu_ps(power + p, power_sixteen(words, _mm512_loadu_si512(ref + p), &s));
    }
    if (p < count)
        power32_wide(power + p, logits + p, ref + p, unit, offset, count - p);
}

const spn_softmax_kernels spn_softmax_avx512 = {.lanes = SPN_LANES,
                                                .trial = run_trial,
                                                .flip = make_flip,
                                                .add32 = add32_wide,
                                                .add64 = add64,
                                                .power32 = power32_wider,
                                                .power64 = power64,
                                                .sum = sum_wide,
                                                .start_peaks = start_peaks,
                                                .dots = dots,
                                                .real_trial = real_trial,
                                                .real_lse = real_lse};
#endif
