/* The loops of softmax with AVX2 and FMA: eight positions at a time, the gain from three
   permutations of tables that stay in registers. The shuffle units set the pace, not the memory. */
#define SPN_LANES 8
#include "energy/softmax/body.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <assert.h>
#include <immintrin.h>

#define WIDE(operation) _mm256_##operation
#define WIDE_INTEGERS __m256i
#include "energy/softmax/vector.h"

/* The permutations ignore all higher bits. */
static inline floats gain_less_one(const gain_tables *t, words bytes)
{
    const __m256i x = (__m256i)bytes;
    const __m256 low = _mm256_permutevar8x32_ps(t->low, x);
    const __m256 middle = _mm256_permutevar8x32_ps(t->middle, _mm256_srli_epi32(x, 3));
    const __m256 top = _mm256_permutevar_ps(t->high, _mm256_srli_epi32(x, 6));
    return _mm256_fmsub_ps(_mm256_mul_ps(top, middle), low, t->one);
}

/* The exponents of 32 floats as bytes: in each half, four of each vector in turn. */
static inline __m256i exponents_of(const float *x)
{
    __m256i e[4];
    for (int v = 0; v < 4; v++)
        e[v] = _mm256_srli_epi32(_mm256_load_si256((const __m256i *)(const void *)(x + 8 * v)), 23);
    return _mm256_packus_epi16(_mm256_packs_epi32(e[0], e[1]), _mm256_packs_epi32(e[2], e[3]));
}

static inline void widen_range(uint8_t range[2], __m256i low, __m256i high)
{
    uint8_t lows[32], highs[32];
    _mm256_storeu_si256((__m256i *)(void *)lows, low);
    _mm256_storeu_si256((__m256i *)(void *)highs, high);
    for (int j = 0; j < 32; j++) {
        range[0] = lows[j] < range[0] ? lows[j] : range[0];
        range[1] = highs[j] > range[1] ? highs[j] : range[1];
    }
}

/* Peaks are kept in the order of exponents_of; nothing else reads them. */
static size_t settle(const float *sum, uint8_t *peak, unsigned fall, uint32_t *fallen,
                     uint8_t range[2], size_t count)
{
    const __m256i most = _mm256_set1_epi8((char)fall), zero = _mm256_setzero_si256();
    __m256i low = _mm256_set1_epi8((char)range[0]), high = _mm256_set1_epi8((char)range[1]);
    size_t found = 0;
    for (size_t p = 0; p < count; p += 32) {
        __m256i *at = (__m256i *)(void *)(peak + p);
        const __m256i exponent = exponents_of(sum + p);
        const __m256i top = _mm256_max_epu8(_mm256_load_si256(at), exponent);
        const __m256i deep = _mm256_subs_epu8(_mm256_sub_epi8(top, exponent), most);
        const __m256i stays = _mm256_cmpeq_epi8(deep, zero);
        low = _mm256_min_epu8(low, exponent);
        high = _mm256_max_epu8(high, exponent);
        _mm256_store_si256(at, _mm256_blendv_epi8(exponent, top, stays));
        for (uint32_t mask = ~(uint32_t)_mm256_movemask_epi8(stays); mask; mask &= mask - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctz(mask), vector = bit % 16 / 4;
            fallen[found++] = (uint32_t)p + 8 * vector + 4 * (bit / 16) + bit % 4;
        }
    }
    widen_range(range, low, high);
    return found;
}

/* Powers that sink below 2^-126 become 0 at once: denormal numbers are slow on some machines. */
static size_t make_flip(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2])
{
    assert(trial->count <= SPN_SOFTMAX_FLIP && (uintptr_t)powers % sizeof(floats) == 0);
    const gain_tables tables = load_tables(trial->gain);
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040);
    const uint64_t bits = spn_softmax_bits(trial->nonzero, trial->group);
    for (size_t p = 0; p < trial->count; p += 32) {
        __m256 gain[4];
        gains_of_group(gain, trial->column + p, bits >> p / 64, &tables);
        for (size_t v = 0; v < 4; v++) {
            const size_t at = p + 8 * v;
            const __m256 power = _mm256_load_ps(powers + at), sum = _mm256_load_ps(sums + at);
            _mm256_store_ps(powers + at, _mm256_fmadd_ps(power, gain[v], power));
            _mm256_store_ps(sums + at, _mm256_fmadd_ps(power, gain[v], sum));
        }
    }
    _mm_setcsr(control);
    return settle(sums, peak, fall, fallen, range, trial->count);
}

const spn_softmax_kernels spn_softmax_avx2 = SPN_SOFTMAX_KERNELS;
#endif
