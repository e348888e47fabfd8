/* The perceptron's inner loops with eight words of patterns at once; the words past the last are
   masked. */
#include "energy/perceptron.h"

#include <immintrin.h>

/* Those of the eight words from w on that exist. */
static inline __mmask8 words_from(size_t w, size_t words)
{
    return words - w >= 8 ? 0xff : (__mmask8)((1u << (words - w)) - 1);
}

static inline __m512i load(const uint64_t *from, __mmask8 mask)
{
    return _mm512_maskz_loadu_epi64(mask, from);
}

/* Where a flip of a spin raises c. */
static inline __m512i rising_in(const uint64_t *column, __mmask8 mask, int spin)
{
    return _mm512_xor_si512(load(column, mask), _mm512_set1_epi64(spin > 0 ? -1 : 0));
}

/* a where the mask is set, b elsewhere, bit by bit. */
static inline __m512i choose(__m512i mask, __m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi64(mask, a, b, 0xca);
}

static inline int64_t change_any(const spn_perceptron *self, const spn_perceptron_cache *cache,
                                 size_t site, int spin, bool window)
{
    const size_t words = self->words;
    const uint64_t *column = self->columns + site * words;
    const uint64_t *gain = cache->data, *cost = gain + words;
    const uint64_t *upper_gain = cost + words, *upper_cost = upper_gain + words;
    const __m512i none = _mm512_setzero_si512();
    __m512i total = none;
    for (size_t w = 0; w < words; w += 8) {
        const __mmask8 mask = words_from(w, words);
        const __m512i rising = rising_in(column + w, mask, spin);
        const __m512i upper_more = window ? load(upper_cost + w, mask) : none;
        const __m512i upper_less = window ? load(upper_gain + w, mask) : none;
        const __m512i more = choose(rising, upper_more, load(cost + w, mask));
        const __m512i less = choose(rising, load(gain + w, mask), upper_less);
        total = _mm512_add_epi64(total, _mm512_popcnt_epi64(more));
        total = _mm512_sub_epi64(total, _mm512_popcnt_epi64(less));
    }
    return _mm512_reduce_add_epi64(total);
}

/* All ones if bit b of value is 0, else all zeros: what makes equal bits of a plane ones. */
static inline __m512i unlike(uint64_t value, size_t b)
{
    return _mm512_set1_epi64((int64_t)((value >> b & 1) - 1));
}

static inline void flip_any(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site,
                            int spin, bool window)
{
    const size_t words = self->words, planes = self->planes;
    const uint64_t *column = self->columns + site * words;
    uint64_t *gain = cache->data, *cost = gain + words, *bits = gain + (window ? 4 : 2) * words;
    const uint64_t highest = (uint64_t)self->highest;
    const __m512i none = _mm512_setzero_si512(), ones = _mm512_set1_epi64(-1);
    const __m512i sum_rule = self->rule == SPN_RULE_BITS ? ones : none;
    for (size_t w = 0; w < words; w += 8) {
        const __mmask8 mask = words_from(w, words);
        const __m512i valid = load(self->valid + w, mask);
        const __m512i falling = _mm512_andnot_si512(rising_in(column + w, mask, spin), valid);
        __m512i carry = none, any = none, all = ones, sign = none, at = ones, above = ones;
        for (size_t b = 0; b < planes; b++) {
            const __m512i old = load(bits + b * words + w, mask), add = b == 0 ? valid : falling;
            sign = _mm512_ternarylogic_epi64(old, add, carry, 0x96);  /* the sum of the three */
            carry = _mm512_ternarylogic_epi64(old, add, carry, 0xe8); /* their majority */
            _mm512_mask_storeu_epi64(bits + b * words + w, mask, sign);
            any = _mm512_or_si512(any, sign);
            all = _mm512_and_si512(all, sign);
            if (window) {
                at = _mm512_and_si512(at, _mm512_xor_si512(sign, unlike(highest, b)));
                above = _mm512_and_si512(above, _mm512_xor_si512(sign, unlike(highest + 1, b)));
            }
        }
        const __m512i below = _mm512_and_si512(sign, sum_rule);
        const __m512i last_wrong = _mm512_or_si512(all, below);
        const __m512i first_right = _mm512_or_si512(_mm512_xor_si512(any, ones), below);
        _mm512_mask_storeu_epi64(gain + w, mask, _mm512_and_si512(last_wrong, valid));
        _mm512_mask_storeu_epi64(cost + w, mask, _mm512_and_si512(first_right, valid));
        if (window) {
            _mm512_mask_storeu_epi64(cost + words + w, mask, _mm512_and_si512(above, valid));
            _mm512_mask_storeu_epi64(cost + 2 * words + w, mask, _mm512_and_si512(at, valid));
        }
    }
}

static inline int64_t change(const spn_perceptron *self, const spn_perceptron_cache *cache,
                             size_t site, int spin)
{
    return change_any(self, cache, site, spin, false);
}

static inline int64_t change_in_window(const spn_perceptron *self,
                                       const spn_perceptron_cache *cache, size_t site, int spin)
{
    return change_any(self, cache, site, spin, true);
}

static inline void flip(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site,
                        int spin)
{
    flip_any(self, cache, site, spin, false);
}

static inline void flip_in_window(const spn_perceptron *self, spn_perceptron_cache *cache,
                                  size_t site, int spin)
{
    flip_any(self, cache, site, spin, true);
}

#include "energy/perceptron_loop.h"

const spn_perceptron_kernels spn_perceptron_avx512 = {change, flip, loop};
const spn_perceptron_kernels spn_window_avx512 = {change_in_window, flip_in_window, loop_in_window};
