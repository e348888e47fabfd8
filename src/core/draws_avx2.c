/* Draws with AVX2: four blocks of Philox side by side, each word in a 64-bit lane of its own, so
   that a 32 x 32 -> 64 bit product is one instruction and nothing is ever shuffled. The high halves
   of the lanes hold rubbish that no step reads. */
#include "core/draws_body.h"

#if defined(__AVX2__)
#include "base/philox.h"
#include <immintrin.h>

enum { LANES = 4, VECTORS = 4, BATCH = 2 * LANES * VECTORS };

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

/* Replica and site of the words in four lanes (see spn_draw_move); a nonzero mask where a word must
   be drawn again. */
static inline int choose_move(const spn_draw_request *request, uint32_t reject_below, __m256i word,
                              __m256i *site, __m256i *replica)
{
    const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
    const __m256i outer = _mm256_mul_epu32(word, _mm256_set1_epi64x(request->replicas));
    const __m256i inner = _mm256_mul_epu32(outer, _mm256_set1_epi64x(request->sites));
    const __m256i low = _mm256_and_si256(inner, low_half);
    *replica = _mm256_srli_epi64(outer, 32);
    *site = _mm256_srli_epi64(inner, 32);
    /* low < reject_below as the sign of the difference: both are below 2^32 */
    return _mm256_movemask_pd(
        _mm256_castsi256_pd(_mm256_sub_epi64(low, _mm256_set1_epi64x(reject_below))));
}

/* The low words of even and odd proposals, stored in the order of the proposals. */
static inline void store_pairs(uint32_t *out, __m256i even, __m256i odd)
{
    const __m256i low_half = _mm256_set1_epi64x(0xFFFFFFFF);
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_or_si256(_mm256_slli_epi64(odd, 32),
                                                                _mm256_and_si256(even, low_half)));
}

/* BATCH proposals from `first`, which is even. */
static void draw_batch(const spn_draw_request *request, uint32_t reject_below, uint64_t first,
                       uint32_t *site, uint32_t *replica, uint32_t *words)
{
    philox_lanes lanes[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        const uint64_t block = first / 2 + (uint64_t)LANES * (uint64_t)v;
        const __m256i index =
            _mm256_add_epi64(_mm256_set1_epi64x((long long)block), _mm256_set_epi64x(3, 2, 1, 0));
        lanes[v].c0 = index;
        lanes[v].c1 = _mm256_srli_epi64(index, 32);
        lanes[v].c2 = _mm256_set1_epi64x(request->stream.run);
        lanes[v].c3 = _mm256_set1_epi64x(request->stream.lane);
    }
    philox_rounds(lanes, request->stream.key);
    for (int v = 0; v < VECTORS; v++)
        store_pairs(words + 2 * LANES * v, lanes[v].c1, lanes[v].c3);
    for (int v = 0; site && v < VECTORS; v++) {
        const int at = 2 * LANES * v;
        __m256i even_site, odd_site, even_replica, odd_replica;
        int again = choose_move(request, reject_below, lanes[v].c0, &even_site, &even_replica);
        again |= choose_move(request, reject_below, lanes[v].c2, &odd_site, &odd_replica);
        store_pairs(site + at, even_site, odd_site);
        store_pairs(replica + at, even_replica, odd_replica);
        for (int j = at; again && j < at + 2 * LANES; j++)
            spn_draw_move(request, first + (uint64_t)j, &site[j], &replica[j]);
    }
}

void spn_draw_avx2(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                   double *threshold)
{
    const uint32_t moves = request->sites * request->replicas;
    const uint32_t reject_below = (0u - moves) % moves;
    spn_draw_request rest = *request;
    size_t start = 0;
    if (request->first % 2 == 1) { /* batches start with the first half of a block */
        rest.count = request->count < 1 ? request->count : 1;
        spn_draw_portable(&rest, site, replica, threshold);
        start = rest.count;
    }
    for (; start + BATCH <= request->count; start += BATCH) {
        uint32_t words[BATCH];
        draw_batch(request, reject_below, request->first + start, site ? site + start : NULL,
                   replica + start, words);
        spn_draw_thresholds(request->threshold, words, BATCH, threshold + start);
    }
    rest.first = request->first + start;
    rest.count = request->count - start;
    spn_draw_portable(&rest, site ? site + start : NULL, replica + start, threshold + start);
}
#endif
