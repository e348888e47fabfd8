/* The loops of the energy network in vectors of 512 bits. Shares and losses are computed in the
   order of the plain loops: sums class by class, in lanes that are samples. */
#include <immintrin.h>

#define SPN_NETWORK_OWN_COLLECT
#define SPN_NETWORK_OWN_MOVE
#define SPN_NETWORK_OWN_SETTLE
#define SPN_SMOOTH_OWN_SUM
#include <stddef.h>
#include <stdint.h>

static int64_t smooth_sum(const int32_t *change, const uint64_t *column, size_t words);
#include "energy/network/body.h"

/* Those of the eight words from w on that exist. */
SPN_INLINE __mmask8 words_from(size_t w, size_t end)
{
    return (__mmask8)(end - w >= 8 ? 0xff : (1u << (end - w)) - 1);
}

/* Which of up to 64 words have bits set in both. */
SPN_INLINE uint64_t occupied(const uint64_t *one, const uint64_t *other, size_t words)
{
    uint64_t found = 0;
    for (size_t w = 0; w < words; w += 8) {
        const __mmask8 there = words_from(w, words);
        found |= (uint64_t)_mm512_test_epi64_mask(_mm512_maskz_loadu_epi64(there, one + w),
                                                  _mm512_maskz_loadu_epi64(there, other + w))
                 << w;
    }
    return found;
}

/* Words that are not zero are first put together, then taken apart. */
static size_t collect(uint32_t *out, const uint64_t *edge, const uint64_t *column,
                      size_t first_word, size_t words)
{
    const size_t end = first_word + words;
    uint32_t *next = out;
    for (size_t w = first_word; w < end; w += 8) {
        uint64_t some[8];
        const __mmask8 there = words_from(w, end);
        const __m512i both = _mm512_and_si512(_mm512_maskz_loadu_epi64(there, edge + w),
                                              _mm512_maskz_loadu_epi64(there, column + w));
        unsigned occupied = _mm512_test_epi64_mask(both, both);
        _mm512_storeu_si512(some, both);
        for (; occupied; occupied &= occupied - 1) {
            const unsigned j = (unsigned)__builtin_ctz(occupied);
            const uint32_t first = (uint32_t)(SPN_NETWORK_WORD * (w + j));
            for (uint64_t bits = some[j]; bits; bits &= bits - 1)
                *next++ = first + (uint32_t)__builtin_ctzll(bits);
        }
    }
    return (size_t)(next - out);
}

/* The same without a branch for every bit or word: up to 16 places at a time. */
__attribute__((target("avx512vbmi2"))) static size_t
collect_packing(uint32_t *out, const uint64_t *edge, const uint64_t *column, size_t first_word,
                size_t words)
{
    static const uint8_t places[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i all = _mm512_loadu_si512(places);
    uint32_t *next = out;
    for (size_t w = first_word; w < first_word + words; w++) {
        const uint64_t both = edge[w] & column[w];
        const __m512i some = _mm512_maskz_compress_epi8(both, all);
        const __m512i first = _mm512_set1_epi32((int)(SPN_NETWORK_WORD * w));
        const size_t count = (size_t)__builtin_popcountll(both);
        _mm512_storeu_si512(
            next, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(some)), first));
        if (count > 16) {
            uint8_t bytes[64];
            _mm512_storeu_si512(bytes, some);
            for (size_t j = 16; j < count; j++)
                next[j] = (uint32_t)(SPN_NETWORK_WORD * w) + bytes[j];
        }
        next += count;
    }
    return (size_t)(next - out);
}

static void move(int16_t *sums, const uint64_t *column, size_t words, int by, uint64_t *low,
                 uint64_t *high)
{
    const __m512i step = _mm512_set1_epi16((int16_t)by), one = _mm512_set1_epi16(1);
    const __m512i below = _mm512_set1_epi16(-1), even = _mm512_set1_epi16(~1);
    for (size_t w = 0; w < words; w++) {
        if (!column[w])
            continue;
        __m512i *at = (__m512i *)(void *)(sums + SPN_NETWORK_WORD * w);
        const __mmask32 first = (__mmask32)column[w], second = (__mmask32)(column[w] >> 32);
        const __m512i a = _mm512_mask_add_epi16(at[0], first, at[0], step);
        const __m512i b = _mm512_mask_add_epi16(at[1], second, at[1], step);
        at[0] = a;
        at[1] = b;
        low[w] = _mm512_cmpeq_epi16_mask(_mm512_or_si512(a, one), below) |
                 (uint64_t)_mm512_cmpeq_epi16_mask(_mm512_or_si512(b, one), below) << 32;
        high[w] = _mm512_testn_epi16_mask(a, even) | (uint64_t)_mm512_testn_epi16_mask(b, even)
                                                         << 32;
    }
}

/* ---- shares and losses ---- */

/* The sample's sums in the order of add_lanes. */
SPN_INLINE double add_vector(__m512d lanes)
{
    const __m256d four =
        _mm256_add_pd(_mm512_castpd512_pd256(lanes), _mm512_extractf64x4_pd(lanes, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
}

/* Entries of a table one by one: faster than to gather them. */
SPN_INLINE __m128d two_of(const double *table, const uint16_t *index)
{
    return _mm_loadh_pd(_mm_load_sd(table + index[0]), table + index[1]);
}

SPN_INLINE __m256d four_of(const double *table, const uint16_t *index)
{
    return _mm256_set_m128d(two_of(table, index + 2), two_of(table, index));
}

SPN_INLINE __m512d eight_of(const double *table, const uint16_t *index)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(four_of(table, index)),
                              four_of(table, index + 4), 1);
}

/* settle_shares for up to 16 classes, those of the mask; ten: there are no more of them. */
SPN_INLINE void settle_row(const spn_network_law *law, char *record, __m256i step, __mmask16 there,
                           __m256i label, bool ten, double *sum, double *above)
{
    const __m256i high = _mm256_set1_epi16(INT16_MAX);
    const __m256i logits = _mm256_add_epi16(_mm256_maskz_loadu_epi16(there, record), step);
    _mm256_mask_storeu_epi16(record, there, logits);
    /* the smallest of 16 unsigned numbers is found at once; classes that are not there are far up
     */
    const __m256i down = _mm256_mask_sub_epi16(_mm256_set1_epi16(-1), there, high, logits);
    const __m128i least = _mm_minpos_epu16(
        _mm_min_epu16(_mm256_castsi256_si128(down), _mm256_extracti128_si256(down, 1)));
    const __m256i below =
        _mm256_srli_epi16(_mm256_sub_epi16(down, _mm256_broadcastw_epi16(least)), 1);
    uint16_t index[16];
    _mm256_storeu_si256((__m256i *)(void *)index, _mm256_maskz_mov_epi16(there, below));
    const __m512d first = _mm512_maskz_mov_pd((__mmask8)there, eight_of(law->power, index));
    const __m512d second = _mm512_maskz_mov_pd(
        (__mmask8)(there >> 8), ten ? _mm512_castpd128_pd512(two_of(law->power, index + 8))
                                    : eight_of(law->power, index + 8));
    *sum = add_vector(_mm512_add_pd(first, second));
    /* taken from the vector: a load would have to wait for the store above */
    *above = 2 * _mm256_extract_epi16(_mm256_permutexvar_epi16(label, below), 0);
    const __m512d each = _mm512_set1_pd(1 / *sum);
    const __m512 shares =
        _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(_mm512_mul_pd(first, each))),
                           _mm512_cvtpd_ps(_mm512_mul_pd(second, each)), 1);
    _mm512_mask_storeu_ps(record + law->shares_at, there, shares);
}

static void settle_some(const spn_network_state *state, const spn_network_law *law,
                        const spn_network_samples *samples, size_t first, size_t count,
                        const int16_t *step, loss_parts *parts)
{
    const bool row = law->classes <= 16, ten = law->classes <= 10;
    const __mmask16 there = (__mmask16)((1u << (row ? law->classes : 0)) - 1);
    const __m256i steps = _mm256_maskz_loadu_epi16(there, step);
    const __m256i label = _mm256_set1_epi16((int16_t)samples->label);
    for (size_t j = 0; j < count; j++) {
        char *record = state->records + position_of(samples, first + j) * law->record;
        fetch_ahead(state, law, samples, first + j);
        if (row)
            settle_row(law, record, steps, there, label, ten, &parts->sum[j], &parts->above[j]);
        else
            settle_shares(law, record, step, samples->label, &parts->sum[j], &parts->above[j]);
    }
}

/* ---- units that expect faults ---- */

/* Sixty-four changes fit into 32 bits (spn_network_expect_faults). Of images, half of the words are
 * 0. */
static int64_t smooth_sum(const int32_t *change, const uint64_t *column, size_t words)
{
    __m512i total = _mm512_setzero_si512();
    for (size_t first = 0; first < words; first += SPN_NETWORK_WORD) {
        const size_t left = words - first;
        const size_t end = first + (left < SPN_NETWORK_WORD ? left : SPN_NETWORK_WORD);
        __m512i lane[4] = {total, total, total, total};
        for (size_t j = 0; j < 4; j++)
            lane[j] = _mm512_setzero_si512();
        for (uint64_t some = occupied(column + first, column + first, end - first); some;
             some &= some - 1) {
            const size_t w = first + (size_t)__builtin_ctzll(some);
            const __m512i *at = (const __m512i *)(const void *)(change + SPN_NETWORK_WORD * w);
#pragma GCC unroll 4
            for (size_t j = 0; j < 4; j++)
                lane[j] = _mm512_mask_add_epi32(lane[j], (__mmask16)(column[w] >> 16 * j), lane[j],
                                                at[j]);
        }
        for (size_t j = 0; j < 4; j++) {
            const __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(lane[j]));
            const __m512i high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(lane[j], 1));
            total = _mm512_add_epi64(total, _mm512_add_epi64(low, high));
        }
    }
    return _mm512_reduce_add_epi64(total);
}

const spn_network_loops spn_network_loops_avx512 = SPN_NETWORK_LOOPS(collect);
const spn_network_loops spn_network_loops_packing = SPN_NETWORK_LOOPS(collect_packing);
