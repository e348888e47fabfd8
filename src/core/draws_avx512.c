/* Draws with AVX-512: as draws_avx2.c, eight blocks of Philox side by side. */
#include "core/draws_body.h"

#if defined(__AVX512F__)
#include "base/philox.h"
#include <immintrin.h>

enum { LANES = 8, VECTORS = 4, BATCH = 2 * LANES * VECTORS };

typedef struct philox_lanes {
    __m512i c0, c1, c2, c3;
} philox_lanes;

static inline __m512i xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

static inline void philox_rounds(philox_lanes *lanes, const uint32_t key[2])
{
    const __m512i m0 = _mm512_set1_epi64(SPN_PHILOX_M0), m1 = _mm512_set1_epi64(SPN_PHILOX_M1);
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < SPN_PHILOX_ROUNDS; round++) {
        const __m512i v0 = _mm512_set1_epi64(k0), v1 = _mm512_set1_epi64(k1);
        for (int v = 0; v < VECTORS; v++) {
            philox_lanes *c = &lanes[v];
            const __m512i p0 = _mm512_mul_epu32(m0, c->c0), p1 = _mm512_mul_epu32(m1, c->c2);
            c->c0 = xor3(_mm512_srli_epi64(p1, 32), c->c1, v0);
            c->c2 = xor3(_mm512_srli_epi64(p0, 32), c->c3, v1);
            c->c1 = p1;
            c->c3 = p0;
        }
        k0 += SPN_PHILOX_W0;
        k1 += SPN_PHILOX_W1;
    }
}

/* Replica and site of the words in eight lanes (see spn_draw_move); a nonzero mask where a word
   must be drawn again. */
static inline unsigned choose_move(const spn_draw_request *request, uint32_t reject_below,
                                   __m512i word, __m512i *site, __m512i *replica)
{
    const __m512i low_half = _mm512_set1_epi64(0xFFFFFFFF);
    const __m512i outer = _mm512_mul_epu32(word, _mm512_set1_epi64(request->replicas));
    const __m512i inner = _mm512_mul_epu32(outer, _mm512_set1_epi64(request->sites));
    *replica = _mm512_srli_epi64(outer, 32);
    *site = _mm512_srli_epi64(inner, 32);
    return _mm512_cmplt_epu64_mask(_mm512_and_si512(inner, low_half),
                                   _mm512_set1_epi64(reject_below));
}

/* The low words of even and odd proposals, stored in the order of the proposals. */
static inline void store_pairs(uint32_t *out, __m512i even, __m512i odd)
{
    _mm512_storeu_si512(out, _mm512_mask_shuffle_epi32(even, 0xAAAA, odd, _MM_PERM_CCAA));
}

/* BATCH proposals from `first`, which is even. */
static void draw_batch(const spn_draw_request *request, uint32_t reject_below, uint64_t first,
                       uint32_t *site, uint32_t *replica, uint32_t *words)
{
    philox_lanes lanes[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        const uint64_t block = first / 2 + (uint64_t)LANES * (uint64_t)v;
        const __m512i index = _mm512_add_epi64(_mm512_set1_epi64((long long)block),
                                               _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
        lanes[v].c0 = index;
        lanes[v].c1 = _mm512_srli_epi64(index, 32);
        lanes[v].c2 = _mm512_set1_epi64(request->stream.run);
        lanes[v].c3 = _mm512_set1_epi64(request->stream.lane);
    }
    philox_rounds(lanes, request->stream.key);
    for (int v = 0; v < VECTORS; v++)
        store_pairs(words + 2 * LANES * v, lanes[v].c1, lanes[v].c3);
    for (int v = 0; site && v < VECTORS; v++) {
        const int at = 2 * LANES * v;
        __m512i even_site, odd_site, even_replica, odd_replica;
        unsigned again = choose_move(request, reject_below, lanes[v].c0, &even_site, &even_replica);
        again |= choose_move(request, reject_below, lanes[v].c2, &odd_site, &odd_replica);
        store_pairs(site + at, even_site, odd_site);
        store_pairs(replica + at, even_replica, odd_replica);
        for (int j = at; again && j < at + 2 * LANES; j++)
            spn_draw_move(request, first + (uint64_t)j, &site[j], &replica[j]);
    }
}

void spn_draw_avx512(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
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
    spn_draw_avx2(&rest, site ? site + start : NULL, replica + start, threshold + start);
}
#endif
