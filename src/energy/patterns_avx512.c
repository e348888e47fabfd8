/* The inner loops of perceptrons and committees with AVX-512 and its population count of whole
   vectors: eight words of patterns at a time, those past the last masked. */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t pack __attribute__((vector_size(64), may_alias));
enum { WORDS = 8 };

static inline uint8_t there(size_t w, size_t words)
{
    return (uint8_t)(words - w >= WORDS ? 0xff : (1u << (words - w)) - 1);
}

static inline pack load(const uint64_t *from, uint8_t some)
{
    return (pack)_mm512_maskz_loadu_epi64(some, from);
}

static inline void store(uint64_t *to, uint8_t some, pack value)
{
    _mm512_mask_storeu_epi64(to, some, (__m512i)value);
}

static inline pack count_ones(pack value)
{
    return (pack)_mm512_popcnt_epi64((__m512i)value);
}

static inline int64_t total(pack sum)
{
    return _mm512_reduce_add_epi64((__m512i)sum);
}

static inline pack choose(pack some, pack a, pack b)
{
    return (pack)_mm512_ternarylogic_epi64((__m512i)some, (__m512i)a, (__m512i)b, 0xca);
}

static inline pack odd(pack a, pack b, pack c)
{
    return (pack)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
}

static inline pack majority(pack a, pack b, pack c)
{
    return (pack)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0xe8);
}

#include "energy/committee_body.h"
#include "energy/perceptron_body.h"

DEFINE_ALL_SLOTS(avx512);
