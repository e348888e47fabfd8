/* Rows by vectors, written once. The file that includes this has defined `vector`, LANES doubles
   side by side; REGISTERS, how many hold sums at once; vector_all, vector_add_times (a + b * c),
   vector_at, limit_of, and accepted_of: for LANES sites the mask of those whose flip is accepted.
 */
#ifndef SPN_READS_ROWS_BODY_H
#define SPN_READS_ROWS_BODY_H

#include "core/numeric.h"
#include "reads/rows.h"
#include <assert.h>

static inline vector load(const double *at)
{
    return *(const vector *)(const void *)at;
}

static inline void store(double *at, vector x)
{
    *(vector *)(void *)at = x;
}

/* Couplings of a tile's sites with the first site of another tile. */
static inline const double *couplings_of(const spn_row_graph *graph, size_t tile, size_t other)
{
    return graph->matrix + (tile * graph->tiles + other) * SPN_ROW_TILE * SPN_ROW_TILE;
}

/* +1 or -1, by its bits: a branch would be guessed wrong half of the time. */
static inline double sign_of(uint64_t spins, unsigned k)
{
    return spn_from_bits(0x3FF0000000000000ull | (~spins >> k & 1) << 63);
}

/* ---- fields ---- */

/* Add a read's flips in a tile to a part of its fields in another. */
static inline void add_flips(double *field, const double *couplings, uint64_t flips, uint64_t spins)
{
    vector f[REGISTERS];
    for (int v = 0; v < REGISTERS; v++)
        f[v] = load(field + LANES * v);
    for (; flips; flips &= flips - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(flips);
        const vector sign = vector_all(sign_of(spins, k));
        const double *row = couplings + (size_t)k * SPN_ROW_TILE;
        for (int v = 0; v < REGISTERS; v++)
            f[v] = vector_add_times(f[v], load(row + LANES * v), sign);
    }
    for (int v = 0; v < REGISTERS; v++)
        store(field + LANES * v, f[v]);
}

/* Bring the fields of a tile up to date with the flips in all others since the reads were here. */
static inline void follow(const spn_rows *rows, size_t tile)
{
    const size_t reads = rows->reads, width = (size_t)LANES * REGISTERS;
    for (size_t q = 0; q < rows->graph->tiles; q++)
        for (size_t r = 0; q != tile && r < reads; r++) {
            const uint64_t flips = rows->flips[q * reads + r];
            double *field = rows->fields + (tile * reads + r) * SPN_ROW_TILE;
            for (size_t part = 0; flips && part < SPN_ROW_TILE; part += width)
                add_flips(field + part, couplings_of(rows->graph, tile, q) + part, flips,
                          rows->spins[q * reads + r]);
        }
}

/* Site k of the tile has flipped to the sign. Returns the fields from `at` on, which are `here`. */
static inline vector change_fields(const spn_row_graph *graph, size_t tile, unsigned k,
                                   double *field, double sign, unsigned at, vector here)
{
    const double *row = couplings_of(graph, tile, tile) + (size_t)k * SPN_ROW_TILE;
    const vector signs = vector_all(sign);
    for (unsigned j = 0; j < SPN_ROW_TILE; j += LANES)
        if (j != at)
            store(field + j, vector_add_times(load(field + j), load(row + j), signs));
    return vector_add_times(here, load(row + at), signs);
}

/* ---- proposals ---- */

/* A read in a tile. */
typedef struct visitor {
    spn_row_read read;
    uint64_t spins, flips;
    double *field, *threshold;
} visitor;

/* The chain's way to count an accepted move of this change in units (chain/loop.h). */
static inline void count_move(const spn_rows *rows, spn_row_read *read, double change, size_t site,
                              uint64_t step)
{
    const double before = read->energy;
    read->units += change;
    read->energy = read->units * rows->graph->unit + rows->graph->constant;
    read->accepted++;
    read->uphill += read->energy - before > spn_energy_grain(before);
    if (read->energy < read->best) {
        read->best = read->energy;
        read->best_site = site;
        read->improved = 1;
    }
    if (read->energy <= rows->target) {
        read->rests = 1;
        read->hit = step + 1;
    }
}

/* The sites from `at` on that are in `range`; step: of the first of them if all are. */
static inline void propose_lanes(const spn_rows *rows, visitor *v, size_t tile, unsigned at,
                                 unsigned range, vector limit, uint64_t step)
{
    vector here = load(v->field + at);
    unsigned left = range;
    while ((left &= accepted_of(here, (unsigned)(v->spins >> at), limit)) && !v->read.rests) {
        const unsigned k = (unsigned)__builtin_ctz(left);
        const double sign = -sign_of(v->spins, at + k);
        count_move(rows, &v->read, sign * vector_at(here, k), tile * SPN_ROW_TILE + at + k,
                   step + k);
        v->spins ^= 1ull << (at + k);
        v->flips |= 1ull << (at + k);
        here = change_fields(rows->graph, tile, at + k, v->field, sign, at, here);
        left = range & ~0u << (k + 1);
    }
    store(v->field + at, here);
}

/* Proposals at sites begin .. end-1 of a tile, whose thresholds are drawn; the first is step
   `step`, and has the beta. */
static inline void propose(const spn_rows *rows, visitor *v, size_t tile, unsigned begin,
                           unsigned end, uint64_t step, const double *beta)
{
    const double per_unit = 1 / rows->graph->unit, *threshold = v->threshold + step % SPN_ROW_TILE;
    for (unsigned at = begin - begin % LANES; at < end && !v->read.rests; at += LANES) {
        const ptrdiff_t from = (ptrdiff_t)at - (ptrdiff_t)begin;
        const vector limit = limit_of(threshold + from, beta + from, per_unit);
        const unsigned range = ((1u << (end - at < LANES ? end - at : LANES)) - 1) &
                               ~0u << (begin > at ? begin - at : 0);
        propose_lanes(rows, v, tile, at, range, limit, step + at - begin);
    }
}

/* The thresholds of 64 steps that begin with a multiple of 64. */
static inline void draw(const spn_rows *rows, visitor *v, size_t r, uint64_t step)
{
    uint32_t replica[SPN_ROW_TILE];
    spn_draw_request request = {.stream = rows->stream,
                                .first = step / SPN_ROW_TILE * SPN_ROW_TILE,
                                .count = SPN_ROW_TILE,
                                .sites = 1,
                                .replicas = 1,
                                .threshold = rows->kind};
    if (v->read.drawn == step / SPN_ROW_TILE)
        return;
    request.stream.run += (uint32_t)r;
    rows->draw(&request, NULL, replica, v->threshold);
    v->read.drawn = step / SPN_ROW_TILE;
}

/* Steps at sites begin .. end-1 of a tile. */
static inline void visit_tile(spn_rows *rows, size_t tile, size_t r, unsigned begin, unsigned end,
                              uint64_t step, const double *beta)
{
    const size_t at = tile * rows->reads + r;
    visitor v = {.read = rows->read[r],
                 .spins = rows->spins[at],
                 .flips = begin ? rows->flips[at] : 0,
                 .field = rows->fields + at * SPN_ROW_TILE,
                 .threshold = rows->threshold + SPN_ROW_MARGIN + r * SPN_ROW_TILE};
    while (begin < end && !v.read.rests) {
        const unsigned drawn = SPN_ROW_TILE - (unsigned)(step % SPN_ROW_TILE);
        const unsigned until = begin + drawn < end ? begin + drawn : end;
        draw(rows, &v, r, step);
        propose(rows, &v, tile, begin, until, step, beta);
        step += until - begin;
        beta += until - begin;
        begin = until;
    }
    rows->read[r] = v.read;
    rows->spins[at] = v.spins;
    rows->flips[at] = v.flips;
}

static inline void make_steps(spn_rows *rows, uint64_t first, size_t count, const double *beta)
{
    size_t site = (size_t)(first % rows->graph->sites);
    assert(site + count <= rows->graph->sites);
    for (size_t done = 0; done < count;) {
        const size_t tile = site / SPN_ROW_TILE, begin = site % SPN_ROW_TILE;
        const size_t left = count - done, all = SPN_ROW_TILE - begin;
        const size_t made = left < all ? left : all;
        if (begin == 0)
            follow(rows, tile);
        for (size_t r = 0; r < rows->reads; r++)
            if (!rows->read[r].rests)
                visit_tile(rows, tile, r, (unsigned)begin, (unsigned)(begin + made), first + done,
                           beta + done);
        done += made;
        site += made;
    }
}

#endif
