/* Draws with AVX-512: eight Philox blocks in parallel. */
#include "core/draws.h"

#if defined(__AVX512F__)
#include <immintrin.h>

typedef uint64_t vector __attribute__((vector_size(64), may_alias));
enum { LANES = 8 };

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

static inline vector vector_xor3(vector a, vector b, vector c)
{
    return (vector)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
}

static inline unsigned vector_below(vector a, vector b)
{
    return _mm512_cmplt_epu64_mask((__m512i)a, (__m512i)b);
}

static inline void store_pairs(uint32_t *out, vector even, vector odd)
{
    _mm512_storeu_si512(
        out, _mm512_mask_shuffle_epi32((__m512i)even, 0xAAAA, (__m512i)odd, _MM_PERM_CCAA));
}

#include "core/draws_vector.h"

void spn_draw_avx512(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                     double *threshold)
{
    draw_by_vectors(request, site, replica, threshold, spn_draw_avx2);
}
#endif
