/* The loops of softmax with AVX-512: the twin of avx2.c, sixteen positions at a time, the
   gain from two permutations of 16-entry tables. */
#define SPN_LANES 16
#include "energy/softmax/body.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#include <assert.h>
#include <immintrin.h>

#define WIDE(operation) _mm512_##operation
#define WIDE_INTEGERS __m512i
#include "energy/softmax/vector.h"

/* The permutations ignore all higher bits. */
static inline floats gain_less_one(const gain_tables *t, words bytes)
{
    const __m512i x = (__m512i)bytes;
    const __m512 low = _mm512_permutexvar_ps(x, t->low);
    const __m512 high = _mm512_permutexvar_ps(_mm512_srli_epi32(x, 4), t->high);
    return _mm512_fmsub_ps(high, low, t->one);
}

/* The exponents of 64 floats as bytes: in each quarter, four of each vector in turn. */
static inline __m512i exponents_of_group(const __m512 x[4])
{
    __m512i e[4];
    for (size_t v = 0; v < 4; v++)
        e[v] = _mm512_srli_epi32(_mm512_castps_si512(x[v]), 23);
    return _mm512_packus_epi16(_mm512_packs_epi32(e[0], e[1]), _mm512_packs_epi32(e[2], e[3]));
}

static inline void start_range(__m512i seen[2], const uint8_t range[2])
{
    for (size_t end = 0; end < 2; end++)
        seen[end] = _mm512_set1_epi8((char)range[end]);
}

/* Peaks are in the order of exponents_of_group; nothing else reads them. seen: the lowest and the
   highest exponents. */
static inline __mmask64 settle_group(__m512i seen[2], unsigned fall, const __m512 sums[4],
                                     uint8_t *peak)
{
    const __m512i exponent = exponents_of_group(sums), most = _mm512_set1_epi8((char)fall);
    const __m512i top = _mm512_max_epu8(_mm512_load_si512(peak), exponent);
    const __mmask64 deep = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(top, exponent), most);
    seen[0] = _mm512_min_epu8(seen[0], exponent);
    seen[1] = _mm512_max_epu8(seen[1], exponent);
    _mm512_store_si512(peak, _mm512_mask_mov_epi8(top, deep, exponent));
    return deep;
}

static inline void widen_range(uint8_t range[2], const __m512i seen[2])
{
    uint8_t ends[2][64];
    memcpy(ends, seen, sizeof ends);
    for (size_t j = 0; j < 64; j++) {
        range[0] = ends[0][j] < range[0] ? ends[0][j] : range[0];
        range[1] = ends[1][j] > range[1] ? ends[1][j] : range[1];
    }
}

/* The positions, from p on, in a mask of settle_group, in the order of avx2.c: sums are
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

/* The positions in the masks of all groups that have some. */
static size_t list_groups(uint32_t *fallen, const __mmask64 *deep, uint64_t groups)
{
    size_t found = 0;
    for (; groups; groups &= groups - 1) {
        const size_t group = (size_t)__builtin_ctzll(groups);
        found += list_fallen(fallen + found, deep[group], 64 * group);
    }
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
    __m512i seen[2];
    start_range(seen, range);
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
        deep[p / 64] = settle_group(seen, fall, after, peak + p);
        groups |= (uint64_t)(deep[p / 64] != 0) << (p / 64);
    }
    _mm_setcsr(control);
    widen_range(range, seen);
    return list_groups(fallen, deep, groups);
}

static size_t settle(const float *sum, uint8_t *peak, unsigned fall, uint32_t *fallen,
                     uint8_t range[2], size_t count)
{
    __mmask64 deep[SPN_SOFTMAX_FLIP / 64];
    uint64_t groups = 0;
    __m512i seen[2];
    start_range(seen, range);
    for (size_t p = 0; p < count; p += 64) {
        __m512 some[4];
        for (size_t v = 0; v < 4; v++)
            some[v] = _mm512_load_ps(sum + p + 16 * v);
        deep[p / 64] = settle_group(seen, fall, some, peak + p);
        groups |= (uint64_t)(deep[p / 64] != 0) << (p / 64);
    }
    widen_range(range, seen);
    return list_groups(fallen, deep, groups);
}

const spn_softmax_kernels spn_softmax_avx512 = SPN_SOFTMAX_KERNELS;
#endif
