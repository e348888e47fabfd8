/* The loops of softmax with AVX-512: the twin of softmax_avx2.c, sixteen positions at a time, the
   gain from two permutations of 16-entry tables. */
#define SPN_LANES 16
#include "energy/softmax/body.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#include <assert.h>
#include <immintrin.h>

typedef float floats __attribute__((vector_size(4 * SPN_LANES), may_alias));
typedef uint32_t words __attribute__((vector_size(4 * SPN_LANES), may_alias));
typedef int32_t integers __attribute__((vector_size(4 * SPN_LANES), may_alias));
typedef int16_t halves __attribute__((vector_size(4 * SPN_LANES), may_alias));

static inline floats multiply_add(floats a, floats b, floats c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static inline floats multiply_subtract(floats a, floats b, floats c)
{
    return _mm512_fmsub_ps(a, b, c);
}

static inline halves multiply_bytes(words bytes, halves times)
{
    return (halves)_mm512_maddubs_epi16((__m512i)bytes, (__m512i)times);
}

static inline integers clamp(integers x, int32_t low, int32_t high)
{
    const __m512i least = _mm512_min_epi32((__m512i)x, _mm512_set1_epi32(high));
    return (integers)_mm512_max_epi32(least, _mm512_set1_epi32(low));
}

typedef struct gain_tables {
    __m512 low, high, one;
    __m512 of_zero; /* g - 1 for the byte 0 */
} gain_tables;

/* g - 1 for the bytes that stand lowest in each lane; the permutations ignore all higher bits. */
static inline floats gain_less_one(const gain_tables *t, words bytes)
{
    const __m512i x = (__m512i)bytes;
    const __m512 low = _mm512_permutexvar_ps(x, t->low);
    const __m512 high = _mm512_permutexvar_ps(_mm512_srli_epi32(x, 4), t->high);
    return _mm512_fmsub_ps(high, low, t->one);
}

static inline gain_tables load_tables(const spn_gain *gain)
{
    gain_tables tables = {.low = _mm512_loadu_ps(gain->low),
                          .high = _mm512_loadu_ps(gain->high),
                          .one = _mm512_set1_ps(1.0f)};
    tables.of_zero = gain_less_one(&tables, (words){0});
    return tables;
}

#include "energy/softmax/vector.h"

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
    assert(bits != 0);
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
    assert(trial->count <= SPN_SOFTMAX_FLIP && (uintptr_t)powers % sizeof(floats) == 0);
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

const spn_softmax_kernels spn_softmax_avx512 = {.lanes = SPN_LANES,
                                                .trial = run_trial,
                                                .flip = make_flip,
                                                .add32 = add32_wide,
                                                .add64 = add64,
                                                .power32 = power32_wide,
                                                .power64 = power64,
                                                .sum = sum_wide,
                                                .start_peaks = start_peaks,
                                                .dots = dots,
                                                .real_trial = real_trial,
                                                .real_lse = real_lse};
#endif
