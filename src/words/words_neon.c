/* Words with NEON, which every arm64 has: 128 reads to a vector. */
#include "words/words.h"

#if defined(__aarch64__)
#include <arm_neon.h>

typedef uint64_t vector __attribute__((vector_size(16), may_alias));
enum { LANES = 2, PAIRS_AT_ONCE = 3 };

#include "core/vector_logic.h"

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
}

static inline bool vector_any(vector a)
{
    return (a[0] | a[1]) != 0;
}

static inline void vector_count(uint64_t *sum, vector a)
{
    const uint8x16_t bytes = vcntq_u8((uint8x16_t)a);
    *(vector *)(void *)sum += (vector)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)));
}

#include "words/words_body.h"

const spn_word_version spn_words_neon = {LANES, make_steps, close_window, draw_centre};
#endif
