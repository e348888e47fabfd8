/* Draws with AVX2: four blocks of Philox side by side. */
#include "core/draws.h"

#if defined(__AVX2__)
#include <immintrin.h>

typedef __m256i vector;
enum { LANES = 4 };

static inline vector vector_all(uint64_t word)
{
    return _mm256_set1_epi64x((long long)word);
}

static inline vector vector_count(void)
{
    return _mm256_set_epi64x(3, 2, 1, 0);
}

static inline vector vector_add(vector a, vector b)
{
    return _mm256_add_epi64(a, b);
}

static inline vector vector_multiply(vector a, vector b)
{
    return _mm256_mul_epu32(a, b);
}

static inline vector vector_high(vector a)
{
    return _mm256_srli_epi64(a, 32);
}

static inline vector vector_low(vector a)
{
    return _mm256_and_si256(a, vector_all(0xFFFFFFFF));
}

static inline vector vector_xor3(vector a, vector b, vector c)
{
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}

/* As the sign of the difference: both are below 2^32. */
static inline unsigned vector_below(vector a, vector b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_sub_epi64(a, b)));
}

/* The low words of even and odd proposals, stored in the order of the proposals. */
static inline void store_pairs(uint32_t *out, vector even, vector odd)
{
    _mm256_storeu_si256((__m256i *)(void *)out,
                        _mm256_or_si256(_mm256_slli_epi64(odd, 32), vector_low(even)));
}

#include "core/draws_vector.h"

void spn_draw_avx2(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                   double *threshold)
{
    draw_by_vectors(request, site, replica, threshold, spn_draw_portable);
}
#endif
