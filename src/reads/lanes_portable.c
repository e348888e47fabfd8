/* Lanes in plain C: the reference. */
#include "base/philox.h"
#include "reads/lanes_body.h"

/* The random words of steps t and t + 1, t even. */
static void draw(spn_lanes *lanes, uint64_t t)
{
    const size_t width = lanes->words * SPN_LANE_WORD;
    spn_stream stream = lanes->stream;
    for (size_t l = 0; l < width; l++, stream.run++) {
        uint32_t words[4];
        spn_stream_block(&stream, t / 2, words);
        lanes->random[l] = words[1];
        lanes->random[width + l] = words[3];
    }
}

/* Decide for the 64 lanes of a word at a site; returns who flips. */
static uint64_t decide(spn_lanes *lanes, size_t word, size_t site, const spn_lane_cuts *cuts,
                       const uint32_t *random, uint64_t *better)
{
    const size_t at = word * SPN_LANE_WORD, row = site * lanes->words + word;
    const int8_t *field = lanes->fields + row * SPN_LANE_WORD;
    uint64_t flips = 0;
    for (size_t l = 0; l < SPN_LANE_WORD; l++) {
        const int number = lanes->spins[row] >> l & 1 ? cuts->parity - field[l] : field[l];
        const unsigned place = number + cuts->shift > 0 ? (unsigned)(number + cuts->shift) : 0;
        assert(number + cuts->shift <= INT8_MAX && cuts->last < SPN_LANE_CUTS);
        if (place > cuts->last || random[at + l] > cuts->cut[place] ||
            !(lanes->active[word] >> l & 1))
            continue;
        flips |= 1ull << l;
        lanes->accepted[at + l]++;
        lanes->uphill += number > 0;
        lanes->energy[at + l] += 2 * number - cuts->parity;
        if (lanes->energy[at + l] < lanes->best[at + l]) {
            lanes->best[at + l] = lanes->energy[at + l];
            *better |= 1ull << l;
        }
    }
    return flips;
}

static void change_fields(int8_t *field, uint64_t flips, uint64_t up, int change)
{
    for (; flips; flips &= flips - 1) {
        const int l = __builtin_ctzll(flips), after = field[l] + (up >> l & 1 ? change : -change);
        assert(after >= INT8_MIN && after <= INT8_MAX);
        field[l] = (int8_t)after;
    }
}

static void step(spn_lanes *lanes, uint64_t t, size_t site, size_t row, double beta)
{
    const spn_lane_graph *graph = lanes->graph;
    const size_t width = lanes->words * SPN_LANE_WORD;
    const uint32_t *random = lanes->random + t % 2 * width;
    spn_lane_cuts cuts;
    spn_lane_find_cuts(lanes, site, beta, &cuts);
    for (size_t word = 0; word < lanes->words; word++) {
        uint64_t *spins = &lanes->spins[site * lanes->words + word], better = 0, reached = 0;
        const uint64_t flips = decide(lanes, word, site, &cuts, random, &better);
        *spins ^= flips;
        lanes->flips[row * lanes->words + word] = flips;
        lanes->better[row * lanes->words + word] = better;
        for (size_t e = graph->first[site]; e < graph->first[site + 1]; e++) {
            const spn_lane_neighbour *n = &graph->neighbours[e];
            int8_t *field = lanes->fields + (n->site * lanes->words + word) * SPN_LANE_WORD;
            change_fields(field, flips, *spins, n->change);
        }
        for (size_t l = 0; lanes->target && l < SPN_LANE_WORD; l++)
            if (flips >> l & 1 &&
                lanes->energy[word * SPN_LANE_WORD + l] <= lanes->target[word * SPN_LANE_WORD + l])
                reached |= 1ull << l;
        spn_lane_rest(lanes, word, reached, t);
    }
}

void spn_lanes_portable(spn_lanes *lanes, uint64_t first, size_t count, size_t row,
                        const double *beta)
{
    size_t site = (size_t)(first % lanes->graph->sites);
    for (size_t j = 0; j < count; j++) {
        const uint64_t t = first + j;
        if (t % 2 == 0 || j == 0)
            draw(lanes, t);
        step(lanes, t, site, row + j, beta[j]);
        site = site + 1 == lanes->graph->sites ? 0 : site + 1;
    }
}
