/* Networks with eight units to a vector. */
#define SPN_OWN_PACK
#define SPN_OWN_SIGNS
#include "energy/network/evaluate_body.h"

#include <immintrin.h>

enum { BESIDE = 4 }; /* samples that share the loads of the weights */

static bool pack(uint64_t *out, int32_t *ones, const uint8_t *rows, size_t count, size_t features)
{
    const size_t words = (features + 63) / 64;
    __m512i seen = _mm512_setzero_si512();
    for (size_t n = 0; n < count; n++) {
        ones[n] = 0;
        for (size_t w = 0; w < words; w++) {
            const size_t left = features - w * 64;
            const __mmask64 there = left < 64 ? ((__mmask64)1 << left) - 1 : ~(__mmask64)0;
            const __m512i bytes = _mm512_maskz_loadu_epi8(there, rows + n * features + w * 64);
            seen = _mm512_or_si512(seen, bytes);
            out[n * words + w] = _mm512_test_epi8_mask(bytes, bytes);
            ones[n] += __builtin_popcountll(out[n * words + w]);
        }
        if (_mm512_cmpgt_epu8_mask(seen, _mm512_set1_epi8(1)))
            return false;
    }
    return true;
}

/* A group's signs for `count` samples; count is a constant at every call, so it unrolls. */
static inline void group_signs(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t g,
                               size_t first, size_t count)
{
    const size_t words = bits->words;
    const uint64_t *samples = bits->samples + first * words;
    const uint64_t *units = bits->units + g * words * SPN_NETWORK_GROUP;
    const __m512i bias = _mm512_loadu_si512(bits->bias + g * SPN_NETWORK_GROUP);
    __m512i common[BESIDE];
    for (size_t n = 0; n < count; n++)
        common[n] = _mm512_setzero_si512();
    for (size_t w = 0; w < words; w++) {
        const __m512i unit = _mm512_loadu_si512(units + w * SPN_NETWORK_GROUP);
        for (size_t n = 0; n < count; n++) {
            const __m512i sample = _mm512_set1_epi64((long long)samples[n * words + w]);
            common[n] =
                _mm512_add_epi64(common[n], _mm512_popcnt_epi64(_mm512_and_si512(unit, sample)));
        }
    }
    for (size_t n = 0; n < count; n++) {
        const __m512i sum = _mm512_add_epi64(_mm512_add_epi64(common[n], common[n]), bias);
        out[(first + n) * apart + g] =
            _mm512_cmpge_epi64_mask(sum, _mm512_set1_epi64(bits->ones[first + n]));
    }
}

static void signs(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t count)
{
    for (size_t g = 0; g < bits->groups; g++) {
        size_t n = 0;
        for (; n + BESIDE <= count; n += BESIDE)
            group_signs(out, apart, bits, g, n, BESIDE);
        for (; n < count; n++)
            group_signs(out, apart, bits, g, n, 1);
    }
}

const spn_network_counting spn_network_counting_avx512 = SPN_NETWORK_COUNTING;
