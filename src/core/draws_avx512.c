/* Draws with AVX-512: eight blocks of Philox side by side. */
#include "core/draws.h"

#if defined(__AVX512F__)
#include <immintrin.h>

typedef __m512i vector;
enum { LANES = 8 };

static inline vector vector_all(uint64_t word)
{
    return _mm512_set1_epi64((long long)word);
}

static inline vector vector_count(void)
{
    return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}

static inline vector vector_add(vector a, vector b)
{
    return _mm512_add_epi64(a, b);
}

static inline vector vector_multiply(vector a, vector b)
{
    return _mm512_mul_epu32(a, b);
}

static inline vector vector_high(vector a)
{
    return _mm512_srli_epi64(a, 32);
}

static inline vector vector_low(vector a)
{
    return _mm512_and_si512(a, vector_all(0xFFFFFFFF));
}

static inline vector vector_xor3(vector a, vector b, vector c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

static inline unsigned vector_below(vector a, vector b)
{
    return _mm512_cmplt_epu64_mask(a, b);
}

/* The low words of even and odd proposals, stored in the order of the proposals. */
static inline void store_pairs(uint32_t *out, vector even, vector odd)
{
    _mm512_storeu_si512(out, _mm512_mask_shuffle_epi32(even, 0xAAAA, odd, _MM_PERM_CCAA));
}

#include "core/draws_vector.h"

void spn_draw_avx512(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                     double *threshold)
{
    draw_by_vectors(request, site, replica, threshold, spn_draw_avx2);
}
#endif
