/* Equi-energy jumps: see equi_energy.h. */
#include "ladder/equi_energy.h"

#include "base/memory.h"
#include "chain/centre.h"
#include "ladder/streams.h"
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
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a store of states");
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
        free(store->rings[r].levels);
        free(store->rings[r].bits);
    }
    free(store);
}

static void empty(spn_store *store)
{
    store->used = 0;
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
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a ring of %zu states",
                        store->capacity);
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
    const spn_status status = ring_for(&at, store, floor(level), err);
    if (status || !at)
        return status;
    spn_random random = numbers(chain, SPN_MOVES_STORE, scan);
    const size_t place = at->count < store->capacity
                             ? (size_t)at->count++
                             : spn_random_below(&random, (uint32_t)store->capacity);
    at->levels[place] = level;
    pack(at->bits + place * store->bytes, chain->spins, store->spins);
    return SPN_OK;
}

/* ---- jumps ---- */

/* What tells H of the replicas alone, be there an explicit centre or not; a given centre is part of
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

static spn_status jump_to(spn_chain *chain, const spn_store *store, const uint8_t *bits,
                          spn_error *err)
{
    unpack(chain->spins, bits, store->spins);
    return spn_chain_place(chain, chain->spins, err);
}

spn_status spn_chain_jump(spn_chain *chain, const spn_store *store, const spn_point_pair *points,
                          uint64_t scan, spn_jump_counts *counts, spn_error *err)
{
    spn_random random = numbers(chain, SPN_MOVES_JUMPS, scan);
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
    return jump_to(chain, store, at->bits + which * store->bytes, err);
}

/* ---- saved stores ---- */

typedef struct saved_ring {
    double floor;
    uint64_t count;
} saved_ring;

size_t spn_store_saved_size(const spn_store *store)
{
    return sizeof(uint64_t) + store->used * sizeof(saved_ring) +
           spn_store_states(store, NULL) * (sizeof(double) + store->bytes);
}

void spn_store_save(void *out, const spn_store *store)
{
    unsigned char *bytes = out;
    const uint64_t used = store->used;
    memcpy(bytes, &used, sizeof used);
    bytes += sizeof used;
    for (size_t r = 0; r < store->used; r++) {
        const ring *at = &store->rings[r];
        const saved_ring head = {at->floor, at->count};
        const size_t levels = (size_t)at->count * sizeof(double);
        const size_t states = (size_t)at->count * store->bytes;
        memcpy(bytes, &head, sizeof head);
        memcpy(bytes + sizeof head, at->levels, levels);
        memcpy(bytes + sizeof head + levels, at->bits, states);
        bytes += sizeof head + levels + states;
    }
}

static spn_status not_a_store(spn_store *store, spn_error *err)
{
    empty(store);
    return spn_fail(err, SPN_ERROR_ARGUMENT, "this is not a saved store of states of %zu spins",
                    store->spins);
}

spn_status spn_store_load(spn_store *store, const void *data, size_t size, spn_error *err)
{
    const unsigned char *bytes = data, *end = bytes + size;
    uint64_t used = 0;
    empty(store);
    if (size >= sizeof used)
        memcpy(&used, bytes, sizeof used);
    if (size < sizeof used || used > SPN_STORE_RINGS)
        return not_a_store(store, err);
    bytes += sizeof used;
    for (size_t r = 0; r < used; r++) {
        saved_ring head;
        ring *at = &store->rings[r];
        if ((size_t)(end - bytes) < sizeof head)
            return not_a_store(store, err);
        memcpy(&head, bytes, sizeof head);
        bytes += sizeof head;
        const size_t each = sizeof(double) + store->bytes;
        if (head.count > store->capacity || (size_t)(end - bytes) < head.count * each ||
            !isfinite(head.floor) || head.count == 0 || find_ring(store, head.floor) < store->used)
            return not_a_store(store, err);
        if (!make_room(store, at)) {
            empty(store);
            return spn_fail(err, SPN_ERROR_MEMORY, "out of memory to load a store of states");
        }
        at->floor = head.floor;
        at->count = head.count;
        memcpy(at->levels, bytes, (size_t)head.count * sizeof(double));
        bytes += (size_t)head.count * sizeof(double);
        memcpy(at->bits, bytes, (size_t)head.count * store->bytes);
        bytes += (size_t)head.count * store->bytes;
        store->used++;
    }
    return bytes == end ? SPN_OK : not_a_store(store, err);
}
