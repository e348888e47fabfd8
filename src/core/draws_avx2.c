/* Draws with AVX2: four blocks of Philox side by side, each word in a 64-bit lane of its own, so that
   a 32 x 32 -> 64 bit product is one instruction and nothing is ever shuffled. The high halves of the
   lanes hold rubbish that no step reads. */
#include "core/draws_body.h"

#if defined(__AVX2__)
#include "core/philox.h"
#include <immintrin.h>

enum { LANES = 4, VECTORS = 4, BATCH = LANES * VECTORS };

typedef struct philox_lanes {
    __m256i c0, c1, c2, c3;
} philox_lanes;

static inline void philox_rounds(philox_lanes *lanes, const uint32_t key[2])
{
    const __m256i m0 = _mm256_set1_epi64x(SPN_PHILOX_M0), m1 = _mm256_set1_epi64x(SPN_PHILOX_M1);
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < SPN_PHILOX_ROUNDS; round++) {
        const __m256i v0 = _mm256_set1_epi64x(k0), v1 = _mm256_set1_epi64x(k1);
        for (int v = 0; v < VECTORS; v++) {
            philox_lanes *c = &lanes[v];
            const __m256i p0 = _mm256_mul_epu32(m0, c->c0), p1 = _mm256_mul_epu32(m1, c->c2);
            c->c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c->c1), v0);
            c->c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c->c3), v1);
            c->c1 = p1;
            c->c3 = p0;
        }
        k0 += SPN_PHILOX_W0;
        k1 += SPN_PHILOX_W1;
    }
}

/* Lemire's product; returns a nonzero mask where a word must be drawn again. */
static inline int bounded(__m256i word, uint32_t bound, uint32_t reject_below, __m256i *out)
{
    const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
    const __m256i product = _mm256_mul_epu32(word, _mm256_set1_epi64x(bound));
    const __m256i low = _mm256_and_si256(product, low_half);
    *out = _mm256_srli_epi64(product, 32);
    /* low < reject_below as the sign of the difference: both are below 2^32 */
    return _mm256_movemask_pd(
        _mm256_castsi256_pd(_mm256_sub_epi64(low, _mm256_set1_epi64x(reject_below))));
}

static inline void store_low_words(uint32_t *out, __m256i v)
{
    const __m256i even = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
    _mm_storeu_si128((__m128i *)(void *)out,
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(v, even)));
}

static void draw_batch(const spn_draw_request *request, uint64_t first, uint32_t *site,
                       uint32_t *replica, uint64_t *bits)
{
    const uint32_t sites = request->sites, replicas = request->replicas;
    const uint32_t site_reject = (0u - sites) % sites;
    const uint32_t replica_reject = (0u - replicas) % replicas;
    philox_lanes lanes[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        const __m256i index =
            _mm256_add_epi64(_mm256_set1_epi64x((long long)(first + (uint64_t)(LANES * v))),
                             _mm256_set_epi64x(3, 2, 1, 0));
        lanes[v].c0 = index;
        lanes[v].c1 = _mm256_srli_epi64(index, 32);
        lanes[v].c2 = _mm256_set1_epi64x(request->stream.run);
        lanes[v].c3 = _mm256_set1_epi64x(request->stream.lane);
    }
    philox_rounds(lanes, request->stream.key);
    for (int v = 0; v < VECTORS; v++) {
        const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
        __m256i chosen_site, chosen_replica;
        int again = bounded(lanes[v].c0, sites, site_reject, &chosen_site);
        again |= bounded(lanes[v].c1, replicas, replica_reject, &chosen_replica);
        store_low_words(site + LANES * v, chosen_site);
        store_low_words(replica + LANES * v, chosen_replica);
        const __m256i high = _mm256_slli_epi64(lanes[v].c3, 32);
        _mm256_storeu_si256((__m256i *)(void *)(bits + LANES * v),
                            _mm256_or_si256(high, _mm256_and_si256(lanes[v].c2, low_half)));
        for (int lane = LANES * v; again && lane < LANES * (v + 1); lane++) {
            uint64_t index = first + (uint64_t)lane;
            site[lane] = spn_draw_below(&request->stream, index, 0, sites);
            replica[lane] = spn_draw_below(&request->stream, index, 1, replicas);
        }
    }
}

void spn_draw_avx2(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                   double *threshold)
{
    size_t start = 0;
    for (; start + BATCH <= request->count; start += BATCH) {
        uint64_t bits[BATCH];
        draw_batch(request, request->first + start, site + start, replica + start, bits);
        spn_draw_thresholds(request->threshold, bits, BATCH, threshold + start);
    }
    if (start < request->count) {
        spn_draw_request rest = *request;
        rest.first += start;
        rest.count -= start;
        spn_draw_portable(&rest, site + start, replica + start, threshold + start);
    }
}
#endif
