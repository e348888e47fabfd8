/* Draws with AVX2: four Philox blocks in parallel. */
#include "core/draws.h"

#if defined(__AVX2__)
#include <immintrin.h>

typedef uint64_t vector __attribute__((vector_size(32), may_alias));
typedef vector unaligned __attribute__((aligned(4)));
enum { LANES = 4 };

#include "core/vector_logic.h"

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

/* The sign of the difference; both are below 2^32. */
static inline unsigned vector_below(vector a, vector b)
{
    return (unsigned)_mm256_movemask_pd((__m256d)(a - b));
}

static inline void store_pairs(uint32_t *out, vector even, vector odd)
{
    *(unaligned *)(void *)out = odd << 32 | (even & 0xFFFFFFFF);
}

#include "core/draws_vector.h"

void spn_draw_avx2(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                   double *threshold)
{
    draw_by_vectors(request, site, replica, threshold, spn_draw_portable);
}
#endif
