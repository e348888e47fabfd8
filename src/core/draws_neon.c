/* Draws with NEON: two Philox blocks to a vector. */
#include "core/draws.h"

#if defined(__aarch64__)
#include <arm_neon.h>

typedef uint64_t vector __attribute__((vector_size(16), may_alias));
typedef vector unaligned __attribute__((aligned(4)));
enum { LANES = 2 };

#include "core/vector_logic.h"

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
}

/* The sign of the difference; both are below 2^32. */
static inline unsigned vector_below(vector a, vector b)
{
    const vector below = (a - b) >> 63;
    return (unsigned)(below[0] | below[1]);
}

static inline void store_pairs(uint32_t *out, vector even, vector odd)
{
    *(unaligned *)(void *)out = odd << 32 | (even & 0xFFFFFFFF);
}

#include "core/draws_vector.h"

void spn_draw_neon(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                   double *threshold)
{
    draw_by_vectors(request, site, replica, threshold, spn_draw_portable);
}
#endif
