/* Words with AVX-512: 512 reads to a vector, and any function of three bits in one instruction. */
#include "words/words.h"

#if defined(__AVX512VPOPCNTDQ__)
#include <immintrin.h>

typedef uint64_t vector __attribute__((vector_size(64), may_alias));
enum { LANES = 8, PAIRS_AT_ONCE = 6 };

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

#define TERNARY(a, b, c, table)                                                                    \
    (vector) _mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table)

static inline vector vector_xor3(vector a, vector b, vector c)
{
    return TERNARY(a, b, c, 0x96);
}

static inline vector vector_majority(vector a, vector b, vector c)
{
    return TERNARY(a, b, c, 0xE8);
}

static inline vector vector_or_and(vector a, vector b, vector c)
{
    return TERNARY(a, b, c, 0xF8);
}

static inline bool vector_any(vector a)
{
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)a) != 0;
}

static inline void vector_count(uint64_t *sum, vector a)
{
    _mm512_store_si512(sum,
                       _mm512_add_epi64(_mm512_load_si512(sum), _mm512_popcnt_epi64((__m512i)a)));
}

#include "words/words_body.h"

const spn_word_version spn_words_avx512 = {LANES, make_steps, close_window, draw_centre};
#endif
