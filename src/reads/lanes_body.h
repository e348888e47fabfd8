/* The part of lanes that is the same for every instruction set: the cuts. Compiled for each by the
   file that includes it. */
#ifndef SPN_READS_LANES_BODY_H
#define SPN_READS_LANES_BODY_H

#include "base/philox.h"
#include "core/draws.h"
#include "reads/lanes.h"
#include <assert.h>
#include <math.h>

/* The cuts of a site at one beta. With the kept field k = (f + parity) / 2, a flip has the number
   n = k for a spin -1 and parity - k for a spin +1, and costs 2 n - parity quanta. Its cut is at
   n + shift, or at 0 if that is negative. Words up to the cut are accepted, and beyond `last` none
   is. */
typedef struct spn_lane_cuts {
    int parity, shift;
    unsigned last;
    uint32_t cut[SPN_LANE_CUTS];
} spn_lane_cuts;

/* Whether the chain would accept a change (in its units) with this random word: the same operations
   as in spn_limit. */
static inline bool spn_lane_accepts(spn_threshold kind, double change, double beta, double per_unit,
                                    uint32_t word)
{
    double threshold;
    spn_draw_thresholds(kind, &word, 1, &threshold);
    return change <= threshold / beta * per_unit;
}

/* The last accepted word, -1 for none, from its estimate. The estimate x is where the exact
   threshold is beta times the change; the one in use differs from it by less than 4e-11 (2e-11 for
   each logarithm), which moves the cut by less than `doubt`. Only if a whole number is that near is
   it asked which words are accepted. */
static inline int64_t spn_lane_settle(spn_threshold kind, double change, double beta,
                                      double per_unit, double x, double doubt)
{
    int64_t word = (int64_t)floor(x);
    assert(x >= -1 && x < 0x1p32 && doubt > 0);
    if (x - (double)word > doubt && (double)(word + 1) - x > doubt)
        return word;
    while (word >= 0 && !spn_lane_accepts(kind, change, beta, per_unit, (uint32_t)word))
        word--;
    while (word < UINT32_MAX &&
           spn_lane_accepts(kind, change, beta, per_unit, (uint32_t)(word + 1)))
        word++;
    return word;
}

/* 2^32 min(1, e^-c) or 2^32 / (1 + e^c), less 1/2: where the uniform (word + 1/2) / 2^32 is the
   acceptance of the cost c; and how far a cut may be from it. */
static inline void spn_lane_estimate(spn_threshold kind, double cost, double *x, double *doubt)
{
    const double most = 60; /* beyond it, no word or every word */
    cost = cost > most ? most : cost < -most ? -most : cost;
    const double factor = spn_exp(kind == SPN_THRESHOLD_METROPOLIS ? -cost : cost);
    const double share = kind == SPN_THRESHOLD_METROPOLIS ? factor : 1 / (1 + factor);
    *x = 0x1p32 * share - 0.5;
    *doubt = 1e-5 + 0.2 * share;
}

/* How many cuts are to be found: those of costs that any word accepts, and some. */
static inline int spn_lane_count_cuts(int most, int parity, double cost_each)
{
    const double never = 23.5;                                  /* the largest threshold is 22.9 */
    const double number = (never / cost_each + parity) / 2 + 2; /* infinite at beta 0 */
    return number < most ? (int)number : most;
}

static inline void spn_lane_find_cuts(const spn_lanes *lanes, size_t site, double beta,
                                      spn_lane_cuts *out)
{
    const spn_lane_graph *graph = lanes->graph;
    const spn_threshold kind = lanes->threshold;
    const bool metropolis = kind == SPN_THRESHOLD_METROPOLIS;
    const int reach = graph->reach[site], parity = reach & 1;
    const double each = beta / graph->per_unit * graph->quantum;
    const int shift = metropolis ? 0 : reach / 2;
    const int count =
        metropolis ? spn_lane_count_cuts((reach + 1) / 2 + 1, parity, each) : reach + 1;
    double x[SPN_LANE_CUTS], doubt[SPN_LANE_CUTS];
    assert(count <= SPN_LANE_CUTS);
    for (int k = 0; k < count; k++)
        spn_lane_estimate(kind, each * (2 * (k - shift) - parity), &x[k], &doubt[k]);
    out->parity = parity;
    out->shift = shift;
    out->last = 0;
    out->cut[0] = UINT32_MAX; /* Metropolis' least threshold is positive, 2^-33 less 4e-11 */
    for (int k = metropolis ? 1 : 0; k < count; k++) {
        const double change = graph->quantum * (2 * (k - shift) - parity);
        const int64_t last = spn_lane_settle(kind, change, beta, graph->per_unit, x[k], doubt[k]);
        if (last < 0)
            break;
        assert(last <= UINT32_MAX);
        out->cut[k] = (uint32_t)last;
        out->last = (unsigned)k;
    }
}

/* Lanes whose energy is now at or below their target: note the step, and let them rest. */
static inline void spn_lane_rest(spn_lanes *lanes, size_t word, uint64_t reached, uint64_t step)
{
    assert((reached & ~lanes->active[word]) == 0);
    lanes->active[word] &= ~reached;
    for (; reached; reached &= reached - 1)
        lanes->hit[word * SPN_LANE_WORD + (size_t)__builtin_ctzll(reached)] = step + 1;
}

/* ---- Philox: its first rounds, in which most is the same for all lanes ---- */

static inline uint32_t spn_lane_high(uint64_t product)
{
    return (uint32_t)(product >> 32);
}

/* What the first three rounds share among all lanes, for one block number. */
typedef struct spn_lane_rounds {
    uint32_t key0[SPN_PHILOX_ROUNDS], key1[SPN_PHILOX_ROUNDS];
    uint32_t first_c0;  /* c1 ^ k0 of round 1 */
    uint32_t second_c0; /* spn_lane_high(p1) ^ k0 of round 2 */
    uint32_t second_c2; /* c3 ^ k1 */
    uint32_t third_c0;  /* c1 ^ k0 of round 3 */
} spn_lane_rounds;

static inline void spn_lane_share_rounds(spn_lane_rounds *out, const spn_stream *stream,
                                         uint64_t block)
{
    for (uint32_t round = 0; round < SPN_PHILOX_ROUNDS; round++) {
        out->key0[round] = stream->key[0] + round * SPN_PHILOX_W0;
        out->key1[round] = stream->key[1] + round * SPN_PHILOX_W1;
    }
    const uint64_t p0 = (uint64_t)SPN_PHILOX_M0 * (uint32_t)block;
    const uint32_t c2 = spn_lane_high(p0) ^ stream->lane ^ out->key1[0];
    const uint64_t p1 = (uint64_t)SPN_PHILOX_M1 * c2;
    out->first_c0 = (uint32_t)(block >> 32) ^ out->key0[0];
    out->second_c0 = spn_lane_high(p1) ^ out->key0[1];
    out->second_c2 = (uint32_t)p0 ^ out->key1[1];
    out->third_c0 = (uint32_t)p1 ^ out->key0[2];
}

#endif
