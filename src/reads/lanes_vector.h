/* Lanes by vectors, written once: random words, and steps around the decisions of each instruction
   set. Philox as in core/philox_vector.h, with its first rounds, in which most is the same for all
   lanes, and its last, of which two words are used, cut short.

   The file that includes this has defined `vector`, 64-bit words side by side; LANES, how many;
   vector_multiply (of the low words), vector_xor3, store_low (the low words of two vectors, one
   after the other); and, for the 64 lanes of a word, cut_table, load_cuts, decide, at_or_below and
   change_fields. */
#ifndef SPN_READS_LANES_VECTOR_H
#define SPN_READS_LANES_VECTOR_H

#include "core/philox_vector.h"
#include "reads/lanes_body.h"

/* Rounds 1 to 3, from M1 * run. */
static inline philox_lanes first_rounds(const spn_lane_rounds *s, vector run_product)
{
    const vector m0 = vector_all(SPN_PHILOX_M0), m1 = vector_all(SPN_PHILOX_M1);
    const vector second = vector_multiply(m0, run_product >> 32 ^ vector_all(s->first_c0));
    const vector p0 = vector_multiply(m0, run_product ^ vector_all(s->second_c0));
    const vector p1 = vector_multiply(m1, second >> 32 ^ vector_all(s->second_c2));
    return (philox_lanes){.c0 = p1 >> 32 ^ vector_all(s->third_c0),
                          .c1 = p1,
                          .c2 = vector_xor3(p0 >> 32, second, vector_all(s->key1[2])),
                          .c3 = p0};
}

/* The random words of VECTORS * LANES lanes for an even step and the next. */
static inline void draw_lanes(const spn_lane_rounds *s, const uint64_t *run_products,
                              uint32_t *even, uint32_t *odd)
{
    const vector m0 = vector_all(SPN_PHILOX_M0), m1 = vector_all(SPN_PHILOX_M1);
    philox_lanes lanes[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        lanes[v] = first_rounds(s, *(const vector *)(const void *)(run_products + LANES * v));
    for (int round = 3; round < SPN_PHILOX_ROUNDS - 1; round++)
        philox_round(lanes, VECTORS, s->key0[round], s->key1[round]);
    for (int v = 0; v < VECTORS; v += 2) {
        const philox_lanes *a = &lanes[v], *b = &lanes[v + 1];
        store_low(even + LANES * v, vector_multiply(m1, a->c2), vector_multiply(m1, b->c2));
        store_low(odd + LANES * v, vector_multiply(m0, a->c0), vector_multiply(m0, b->c0));
    }
}

static void draw(spn_lanes *lanes, uint64_t t)
{
    const size_t width = lanes->words * SPN_LANE_WORD;
    spn_lane_rounds shared;
    spn_lane_share_rounds(&shared, &lanes->stream, t / 2);
    for (size_t l = 0; l < width; l += (size_t)LANES * VECTORS)
        draw_lanes(&shared, lanes->run_products + l, lanes->random + l, lanes->random + width + l);
}

static inline void step(spn_lanes *lanes, uint64_t t, size_t site, size_t row, double beta)
{
    const size_t words = lanes->words, at = site * words;
    const uint32_t *random = lanes->random + t % 2 * words * SPN_LANE_WORD;
    uint64_t *flips = lanes->flips + row * words, *better = lanes->better + row * words;
    spn_lane_cuts cuts;
    assert(site < lanes->graph->sites && row < lanes->graph->sites);
    spn_lane_find_cuts(lanes, site, beta, &cuts);
    const cut_table table = load_cuts(&cuts);
    for (size_t word = 0; word < words; word++) {
        flips[word] = decide(lanes, word, at + word, &cuts, &table, random, &better[word]);
        lanes->spins[at + word] ^= flips[word];
        if (lanes->target)
            spn_lane_rest(lanes, word,
                          flips[word] & at_or_below(lanes->energy + word * SPN_LANE_WORD,
                                                    lanes->target + word * SPN_LANE_WORD),
                          t);
    }
    change_fields(lanes, site, flips);
}

static inline void make_steps(spn_lanes *lanes, uint64_t first, size_t count, size_t row,
                              const double *beta)
{
    size_t site = (size_t)(first % lanes->graph->sites);
    assert(count <= SPN_LANE_CHUNK && lanes->words <= SPN_LANE_WORDS);
    for (size_t j = 0; j < count; j++) {
        const uint64_t t = first + j;
        if (t % 2 == 0 || j == 0)
            draw(lanes, t);
        step(lanes, t, site, row + j, beta[j]);
        site = site + 1 == lanes->graph->sites ? 0 : site + 1;
    }
}

#endif
