/* What AVX2 and AVX-512 share as it is: prefetching, and loops in 256-bit instructions that are not
   called often enough to deserve a wider twin. */
#ifndef SPN_ENERGY_SOFTMAX_X86_H
#define SPN_ENERGY_SOFTMAX_X86_H

#include "energy/softmax/softmax.h"
#include <immintrin.h>
#include <string.h>

/* Ask for 64 bytes of a column, which comes from memory far away: a trial takes so little time that
   the processor's own guesses, which end with each page, come too late. Blank bytes are never read;
   there a line is asked for that is near anyway, which costs less than a branch. */
static inline void fetch_group(const uint8_t *column, uint64_t nonzero, const void *near)
{
    const void *at = nonzero & 1 ? (const void *)column : near;
    _mm_prefetch((const char *)at, _MM_HINT_T0);
}

/* Ask for a line that is needed later. */
static inline void fetch_next(const void *at)
{
    _mm_prefetch((const char *)at, _MM_HINT_T1);
}

/* The bits of the groups from position p of a trial on. At the first ones, ask for their bytes. */
static inline uint64_t groups_from(const spn_trial *trial, size_t p)
{
    const uint64_t bits = spn_softmax_bits(trial->nonzero, trial->group + p / SPN_SOFTMAX_PAD);
    for (size_t j = 0; p == 0 && j < SPN_SOFTMAX_AHEAD / 64; j++)
        fetch_group(trial->column + 64 * j, bits >> j, trial->gain);
    return bits;
}

static void sum_powers(float *sum, const float *const *powers, size_t first, size_t classes,
                       size_t count)
{
    for (size_t p = 0; p < count; p += 32) {
        __m256 total[4];
        for (size_t v = 0; v < 4; v++)
            total[v] = _mm256_load_ps(powers[0] + first + p + 8 * v);
        for (size_t k = 1; k < classes; k++) {
            const float *power = powers[k] + first + p;
            for (size_t v = 0; v < 4; v++)
                total[v] = _mm256_add_ps(total[v], _mm256_load_ps(power + 8 * v));
        }
        for (size_t v = 0; v < 4; v++)
            _mm256_store_ps(sum + p + 8 * v, total[v]);
    }
}

/* Dot products of byte rows with weights of -1, 0 and +1, 32 at a time. A product of 16 bits holds
   two terms, at most 510 in size, so 64 of them are added before they are widened. */
enum { DOT_CLASSES = 5, DOT_STEPS = 64 };

static inline __m256i dot_load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

static inline int32_t dot_total(__m256i v)
{
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1)));
}

/* One row with up to DOT_CLASSES classes; classes is a constant at every call, so it unrolls. */
static inline void dot_row(int32_t *out, const uint8_t *row, const uint8_t *tail, size_t whole,
                           const int8_t *weights, size_t apart, size_t classes)
{
    __m256i total[DOT_CLASSES];
    for (size_t k = 0; k < classes; k++)
        total[k] = _mm256_setzero_si256();
    for (size_t first = 0; first <= whole; first += DOT_STEPS) {
        const size_t end = first + DOT_STEPS <= whole ? first + DOT_STEPS : whole + 1;
        __m256i part[DOT_CLASSES];
        for (size_t k = 0; k < classes; k++)
            part[k] = _mm256_setzero_si256();
        for (size_t step = first; step < end; step++) {
            const __m256i x = dot_load(step < whole ? row + 32 * step : tail);
            for (size_t k = 0; k < classes; k++) {
                const __m256i w = dot_load(weights + k * apart + 32 * step);
                part[k] = _mm256_add_epi16(part[k], _mm256_maddubs_epi16(x, w));
            }
        }
        for (size_t k = 0; k < classes; k++)
            total[k] = _mm256_add_epi32(total[k], _mm256_madd_epi16(part[k], _mm256_set1_epi16(1)));
    }
    for (size_t k = 0; k < classes; k++)
        out[k] = dot_total(total[k]);
}

static void dots(int32_t *out, const uint8_t *rows, size_t count, size_t features,
                 const int8_t *weights, size_t padded_features, size_t classes)
{
    /* the last, incomplete 32 bytes of a row are copied: nothing is read beyond the data. A row
       without such a rest gets 32 zeros, as do its weights: padded_features > features always. */
    const size_t whole = features / 32, rest = features % 32;
    for (size_t n = 0; n < count; n++) {
        const uint8_t *row = rows + n * features;
        uint8_t tail[32] = {0};
        memcpy(tail, row + 32 * whole, rest);
        size_t k = 0;
        for (; k + DOT_CLASSES <= classes; k += DOT_CLASSES)
            dot_row(out + n * classes + k, row, tail, whole, weights + k * padded_features,
                    padded_features, DOT_CLASSES);
        for (; k < classes; k++)
            dot_row(out + n * classes + k, row, tail, whole, weights + k * padded_features,
                    padded_features, 1);
    }
}

#endif
