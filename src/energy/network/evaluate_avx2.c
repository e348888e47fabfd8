/* Networks with eight units in two vectors, the bits of nibbles counted by a table of 16. */
#define SPN_OWN_SIGNS
#include "energy/network/evaluate_body.h"

#include <immintrin.h>

enum { MOST_WORDS = 31 }; /* whose counts, 8 at most, a byte holds */

/* The set bits of each byte. */
static inline __m256i count_bytes(__m256i v)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                           _mm256_shuffle_epi8(table, high));
}

static inline __m256i load(const void *from)
{
    return _mm256_loadu_si256(from);
}

/* Bits u: whether 2 common + bias >= ones, of four units. */
static inline unsigned four_signs(__m256i common, const int64_t *bias, int32_t ones)
{
    const __m256i sum = _mm256_add_epi64(_mm256_add_epi64(common, common), load(bias));
    const __m256i below = _mm256_cmpgt_epi64(_mm256_set1_epi64x(ones), sum);
    return ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(below)) & 15;
}

static inline uint8_t group_signs(const spn_network_bits *bits, size_t g, size_t n)
{
    const size_t words = bits->words;
    const uint64_t *sample = bits->samples + n * words;
    const uint64_t *units = bits->units + g * words * SPN_NETWORK_GROUP;
    const int64_t *bias = bits->bias + g * SPN_NETWORK_GROUP;
    const __m256i zero = _mm256_setzero_si256();
    __m256i common[2] = {zero, zero};
    for (size_t first = 0; first < words; first += MOST_WORDS) {
        const size_t end = first + MOST_WORDS < words ? first + MOST_WORDS : words;
        __m256i part[2] = {zero, zero};
        for (size_t w = first; w < end; w++) {
            const __m256i x = _mm256_set1_epi64x((long long)sample[w]);
            for (size_t h = 0; h < 2; h++) {
                const __m256i both =
                    _mm256_and_si256(x, load(units + w * SPN_NETWORK_GROUP + 4 * h));
                part[h] = _mm256_add_epi8(part[h], count_bytes(both));
            }
        }
        for (size_t h = 0; h < 2; h++)
            common[h] = _mm256_add_epi64(common[h], _mm256_sad_epu8(part[h], zero));
    }
    return (uint8_t)(four_signs(common[0], bias, bits->ones[n]) |
                     four_signs(common[1], bias + 4, bits->ones[n]) << 4);
}

static void signs(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t count)
{
    for (size_t g = 0; g < bits->groups; g++)
        for (size_t n = 0; n < count; n++)
            out[n * apart + g] = group_signs(bits, g, n);
}

const spn_network_counting spn_network_counting_avx2 = SPN_NETWORK_COUNTING;
