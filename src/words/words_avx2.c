/* Words with AVX2: 256 reads to a vector. */
#include "words/words.h"

#if defined(__AVX2__)
#include <immintrin.h>
#include <string.h>

typedef uint64_t vector __attribute__((vector_size(32), may_alias));
enum { LANES = 4, PAIRS_AT_ONCE = 2 };

#include "core/vector_logic.h"

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

static inline bool vector_any(vector a)
{
    return !_mm256_testz_si256((__m256i)a, (__m256i)a);
}

static inline void vector_count(uint64_t *sum, vector a)
{
    uint64_t word[LANES];
    memcpy(word, &a, sizeof a);
    for (int w = 0; w < LANES; w++)
        sum[w] += (uint64_t)__builtin_popcountll(word[w]);
}

#include "words/words_body.h"

const spn_word_version spn_words_avx2 = {LANES, make_steps, close_window, draw_centre};
#endif
