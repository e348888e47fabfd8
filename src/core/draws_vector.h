/* Draws by vectors, written once. Besides what core/philox_vector.h needs, the including file
   defines LANES, the words of a vector; vector_below (a nonzero mask if a word is below another);
   and store_pairs (the low words of even and odd proposals, in proposal order). */
#ifndef SPN_CORE_DRAWS_VECTOR_H
#define SPN_CORE_DRAWS_VECTOR_H

#include "core/draws.h"
#include "core/philox_vector.h"
#include <assert.h>

enum { BATCH = 2 * LANES * VECTORS };

/* block, block + 1, ... */
static inline vector vector_from(uint64_t block)
{
    vector index;
    for (size_t lane = 0; lane < LANES; lane++)
        index[lane] = block + lane;
    return index;
}

/* Replica and site from the words in the lanes (see spn_draw_move); nonzero if a word must be
   redrawn. */
static inline unsigned choose_move(const spn_draw_request *request, uint32_t reject_below,
                                   vector word, vector *site, vector *replica)
{
    const vector outer = vector_multiply(word, vector_all(request->replicas));
    const vector inner = vector_multiply(outer, vector_all(request->sites));
    *replica = outer >> 32;
    *site = inner >> 32;
    return vector_below(inner & 0xFFFFFFFF, vector_all(reject_below));
}

/* BATCH proposals from `first`, which is even. */
static inline void draw_batch(const spn_draw_request *request, uint32_t reject_below,
                              uint64_t first, uint32_t *site, uint32_t *replica, uint32_t *words)
{
    philox_lanes lanes[VECTORS];
    assert(first % 2 == 0); /* batches start with the first half of a block */
    for (int v = 0; v < VECTORS; v++) {
        const uint64_t block = first / 2 + (uint64_t)LANES * (uint64_t)v;
        const vector index = vector_from(block);
        lanes[v].c0 = index;
        lanes[v].c1 = index >> 32;
        lanes[v].c2 = vector_all(request->stream.run);
        lanes[v].c3 = vector_all(request->stream.lane);
    }
    uint32_t k0 = request->stream.key[0], k1 = request->stream.key[1];
    for (int round = 0; round < SPN_PHILOX_ROUNDS; round++) {
        philox_round(lanes, VECTORS, k0, k1);
        k0 += SPN_PHILOX_W0;
        k1 += SPN_PHILOX_W1;
    }
    for (int v = 0; v < VECTORS; v++)
        store_pairs(words + 2 * LANES * v, lanes[v].c1, lanes[v].c3);
    for (int v = 0; site && v < VECTORS; v++) {
        const int at = 2 * LANES * v;
        vector even_site, odd_site, even_replica, odd_replica;
        unsigned again = choose_move(request, reject_below, lanes[v].c0, &even_site, &even_replica);
        again |= choose_move(request, reject_below, lanes[v].c2, &odd_site, &odd_replica);
        store_pairs(site + at, even_site, odd_site);
        store_pairs(replica + at, even_replica, odd_replica);
        for (int j = at; again && j < at + 2 * LANES; j++)
            spn_draw_move(request, first + (uint64_t)j, &site[j], &replica[j]);
        assert(site[at] < request->sites && replica[at] < request->replicas);
    }
}

/* Whole batches by vectors, the rest by `rest`. */
static inline void draw_by_vectors(const spn_draw_request *request, uint32_t *site,
                                   uint32_t *replica, double *threshold, spn_draw_function *rest)
{
    const uint32_t moves = request->sites * request->replicas;
    assert(moves > 0 && moves / request->sites == request->replicas); /* below 2^32 */
    const uint32_t reject_below = (0u - moves) % moves;
    spn_draw_request part = *request;
    size_t start = 0;
    if (request->first % 2 == 1) { /* batches start with the first half of a block */
        part.count = request->count < 1 ? request->count : 1;
        spn_draw_portable(&part, site, replica, threshold);
        start = part.count;
    }
    for (; start + BATCH <= request->count; start += BATCH) {
        uint32_t words[BATCH];
        draw_batch(request, reject_below, request->first + start, site ? site + start : NULL,
                   replica + start, words);
        spn_draw_thresholds(request->threshold, words, BATCH, threshold + start);
    }
    part.first = request->first + start;
    part.count = request->count - start;
    rest(&part, site ? site + start : NULL, replica + start, threshold + start);
}

#endif
