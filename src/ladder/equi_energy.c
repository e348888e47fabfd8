/* Equi-energy jumps: see equi_energy.h. */
#include "ladder/equi_energy.h"

#include "ladder/ladder.h"

#include "base/memory.h"
#include "chain/chain.h"
#include "core/numeric.h"
#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* The states of one ring. */
typedef struct ring {
    double floor; /* its levels are floor to floor + 1 */
    uint64_t count;
    double *levels; /* capacity */
    uint8_t *bits;  /* capacity states */
} ring;

struct spn_store {
    size_t spins, capacity, bytes; /* of one state */
    size_t used;                   /* rings; room of the others may be allocated already */
    ring rings[SPN_STORE_RINGS];
};

/* ---- stores ---- */

static size_t state_bytes(size_t spins)
{
    return (spins + 7) / 8;
}

size_t spn_store_capacity(size_t spins, size_t stores)
{
    const size_t each = state_bytes(spins) + sizeof(double);
    const size_t fit = SPN_STORE_BYTES / SPN_STORE_RINGS / each / (stores ? stores : 1);
    if (fit < SPN_STORE_LEAST_CAPACITY)
        return 0;
    return fit < SPN_STORE_CAPACITY ? fit : SPN_STORE_CAPACITY;
}

spn_status spn_store_create(spn_store **out, size_t spins, size_t capacity, spn_error *err)
{
    assert(capacity >= 1 && spins >= 1);
    *out = spn_alloc(1, sizeof **out);
    if (!*out)
        return spn_no_memory(err, "a store of states");
    (*out)->spins = spins;
    (*out)->capacity = capacity;
    (*out)->bytes = state_bytes(spins);
    return SPN_OK;
}

void spn_store_free(spn_store *store)
{
    if (!store)
        return;
    for (size_t r = 0; r < SPN_STORE_RINGS; r++) {
        SPN_FREE_ALL(store->rings[r].levels, store->rings[r].bits);
    }
    free(store);
}

size_t spn_store_states(const spn_store *store, size_t *rings)
{
    size_t states = 0;
    for (size_t r = 0; r < store->used; r++)
        states += store->rings[r].count;
    if (rings)
        *rings = store->used;
    return states;
}

static void pack(uint8_t *bits, const int8_t *spins, size_t count)
{
    memset(bits, 0, state_bytes(count));
    for (size_t i = 0; i < count; i++)
        bits[i / 8] = (uint8_t)(bits[i / 8] | (unsigned)(spins[i] > 0) << i % 8);
}

static void unpack(int8_t *spins, const uint8_t *bits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        spins[i] = bits[i / 8] >> i % 8 & 1 ? 1 : -1;
}

static size_t find_ring(const spn_store *store, double floor)
{
    size_t r = 0;
    while (r < store->used && store->rings[r].floor != floor)
        r++;
    return r;
}

static size_t highest_ring(const spn_store *store)
{
    size_t highest = 0;
    for (size_t r = 1; r < store->used; r++)
        if (store->rings[r].floor > store->rings[highest].floor)
            highest = r;
    return highest;
}

static bool make_room(const spn_store *store, ring *at)
{
    if (!at->levels)
        at->levels = spn_alloc(store->capacity, sizeof *at->levels);
    if (!at->bits)
        at->bits = spn_alloc(store->capacity, store->bytes);
    return at->levels && at->bits;
}

/* The ring of this floor, made where there is none; *out is NULL where it is above all rings that
   there may be. */
static spn_status ring_for(ring **out, spn_store *store, double floor, spn_error *err)
{
    size_t r = find_ring(store, floor);
    *out = NULL;
    if (r == SPN_STORE_RINGS) {
        r = highest_ring(store);
        if (store->rings[r].floor < floor)
            return SPN_OK;
    }
    ring *at = &store->rings[r];
    if (r == store->used && !make_room(store, at))
        return spn_no_memory(err, "a ring of %zu states", store->capacity);
    if (r == store->used || at->floor != floor) {
        at->floor = floor;
        at->count = 0;
    }
    store->used += r == store->used;
    *out = at;
    return SPN_OK;
}

static spn_random numbers(const spn_chain *chain, uint32_t lane, uint64_t scan)
{
    spn_random random =
        spn_random_make(chain->options.seed, chain->options.run, lane, SPN_PURPOSE_MOVES);
    random.index = 2 * scan; /* blocks; one is enough but for rejected draws */
    return random;
}

spn_status spn_store_put(spn_store *store, const spn_chain *chain, const spn_point_pair *points,
                         uint64_t scan, spn_error *err)
{
    ring *at;
    assert(chain->sites * chain->replicas == store->spins);
    const double level = spn_chain_level(chain, points);
    if (!isfinite(level))
        return spn_fail(err, SPN_ERROR_ENERGY,
                        "the method equi-energy needs finite energies, but '%s' is infinite at a "
                        "state drawn at beta 0; give the `method` swap",
                        chain->slots.name);
    SPN_TRY(ring_for(&at, store, floor(level), err));
    if (!at)
        return SPN_OK;
    assert(at->count <= store->capacity && store->used <= SPN_STORE_RINGS);
    spn_random random = numbers(chain, SPN_STREAM_STORE, scan);
    const size_t place = at->count < store->capacity
                             ? (size_t)at->count++
                             : spn_random_below(&random, (uint32_t)store->capacity);
    at->levels[place] = level;
    pack(at->bits + place * store->bytes, chain->spins, store->spins);
    return SPN_OK;
}

/* ---- jumps ---- */

/* What tells H of the replicas alone, with or without an explicit centre; a given centre is part of
   the law. */
static void count_coupling(spn_coupling_counts *out, const spn_chain *chain)
{
    spn_chain_coupling_counts(out, chain);
    if (chain->options.coupling != SPN_COUPLING_CENTRE)
        return;
    spn_centre_sums(chain);
    out->has_centre = false;
    memset(out->sums, 0, sizeof out->sums);
    for (size_t i = 0; i < chain->sites; i++)
        out->sums[abs(chain->sums[i])]++;
}

double spn_chain_level(const spn_chain *chain, const spn_point_pair *points)
{
    const double energy = (points->cold_beta - points->hot_beta) * spn_chain_total_energy(chain);
    if (points->cold_gamma == points->hot_gamma)
        return energy;
    spn_coupling_counts counts;
    count_coupling(&counts, chain);
    return energy - (spn_coupling_counts_value(&counts, points->cold_gamma) -
                     spn_coupling_counts_value(&counts, points->hot_gamma));
}

spn_status spn_chain_jump(spn_chain *chain, const spn_store *store, const spn_point_pair *points,
                          uint64_t scan, spn_jump_counts *counts, spn_error *err)
{
    spn_random random = numbers(chain, SPN_STREAM_JUMPS, scan);
    assert(chain->sites * chain->replicas == store->spins);
    if (spn_random_u32(&random) >= ldexp(SPN_JUMP_SHARE, 32))
        return SPN_OK;
    const double level = spn_chain_level(chain, points);
    const size_t r = find_ring(store, floor(level));
    if (r == store->used || store->rings[r].count < (store->capacity + 1) / 2)
        return SPN_OK;
    const ring *at = &store->rings[r];
    const size_t which = spn_random_below(&random, (uint32_t)at->count);
    counts->tries++;
    if (!(spn_log(spn_random_uniform(&random)) <= level - at->levels[which]))
        return SPN_OK;
    counts->jumps++;
    const uint8_t *bits = at->bits + which * store->bytes;
    unpack(chain->spins, bits, store->spins);
    return spn_chain_place(chain, chain->spins, err);
}

/* ---- saved stores ---- */

static bool visit_ring(spn_store *store, ring *at, spn_archive *archive)
{
    SPN_VISIT(archive, at->floor);
    SPN_VISIT(archive, at->count);
    if (archive->is_short || at->count > store->capacity || at->count == 0 || !isfinite(at->floor))
        return false;
    SPN_VISIT_ARRAY(archive, at->levels, (size_t)at->count);
    SPN_VISIT_ARRAY(archive, at->bits, (size_t)at->count * store->bytes);
    return !archive->is_short;
}

static spn_status refuse(spn_store *store, spn_error *err)
{
    store->used = 0;
    return spn_refuse(err, "this is not a saved store of states of %zu spins", store->spins);
}

spn_status spn_store_visit(spn_store *store, spn_archive *archive, spn_error *err)
{
    size_t used = store->used;
    spn_archive_size(archive, &used);
    if (archive->is_short || used > SPN_STORE_RINGS)
        return refuse(store, err);
    store->used = spn_archive_reads(archive) ? 0 : used;
    for (size_t r = 0; r < used; r++) {
        ring *at = &store->rings[r];
        if (spn_archive_reads(archive) && !make_room(store, at)) {
            store->used = 0;
            return spn_no_memory(err, "a store of states");
        }
        if (!visit_ring(store, at, archive))
            return refuse(store, err);
        if (!spn_archive_reads(archive))
            continue;
        if (find_ring(store, at->floor) < store->used)
            return refuse(store, err);
        store->used++;
    }
    return SPN_OK;
}
