/* batch callback: a user's function that gives the energies of many states in one call, as an
   energy. For languages in which a call is slow and a vector of numbers cheap.

   Flips of a state are asked for in blocks that double: the first flip that is not known yet alone,
   the next with its neighbour, then four sites, and so on until all are known; an accepted flip
   starts over. So a hot chain, which accepts every other flip, asks for hardly more states than it
   proposes, and a cold one, which stays for long, asks for all N in about log2 N calls. Which
   states are asked for together depends on the proposals alone, and starts over at every refresh:
   the result is the same after a stop, even if the last bits of the function depend on how many
   states it is given. */
#include "base/try.h"
#include "core/energy.h"
#include <spinney/energies.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch {
    spn_energy base;
    spn_values_function *values;
    void *context;
    size_t most; /* states of one call */
} batch;

/* The cache of a replica: the energy after each flip, NaN if it is not known. */
typedef struct batch_cache {
    double energy;
    size_t block; /* sites to ask for, next time */
    double flipped[];
} batch_cache;

enum { BATCH_BYTES = 1 << 22 }; /* of the states of one call, at most, unless one has more */

static double energy(const spn_energy *base, const int8_t *spins)
{
    const batch *self = (const batch *)base;
    double value = NAN;
    self->values(&value, spins, 1, base->sites, self->context);
    return value;
}

static void forget(batch_cache *cache, size_t sites)
{
    cache->block = 1;
    for (size_t i = 0; i < sites; i++)
        cache->flipped[i] = NAN;
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    batch_cache *cache = memory;
    forget(cache, base->sites);
    cache->energy = energy(base, spins);
    return cache->energy;
}

/* The energies after the flips of count sites from first on, into the cache; they stay NaN if
   there is no memory for the states. */
static void ask(const batch *self, batch_cache *cache, const int8_t *spins, size_t first,
                size_t count)
{
    const size_t sites = self->base.sites;
    assert(count >= 1 && first < sites && count <= sites - first);
    int8_t *states = malloc(count * sites);
    if (!states)
        return;
    for (size_t k = 0; k < count; k++) {
        memcpy(states + k * sites, spins, sites);
        states[k * sites + first + k] = (int8_t)-spins[first + k];
    }
    self->values(cache->flipped + first, states, count, sites, self->context);
    free(states);
}

static double delta(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const batch *self = (const batch *)base;
    batch_cache *cache = memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    assert(cache->block >= 1 && (cache->block & (cache->block - 1)) == 0);
    if (isnan(cache->flipped[site])) {
        const size_t first = site - site % cache->block;
        const size_t left = base->sites - first;
        ask(self, cache, spins, first, cache->block < left ? cache->block : left);
        if (2 * cache->block <= self->most && cache->block < base->sites)
            cache->block *= 2;
    }
    return cache->flipped[site] - cache->energy;
}

static double commit(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    batch_cache *cache = memory;
    double after = cache->flipped[site];
    assert(site < base->sites && spn_is_spin(spins[site]));
    if (isnan(after)) /* nobody has asked for the change */
        after = energy(base, spins);
    forget(cache, base->sites);
    cache->energy = after;
    return after;
}

static void destroy(spn_energy *base)
{
    free(base);
}

spn_status spn_batch_callback_create(spn_energy **out, size_t sites, spn_values_function *values,
                                     void *context, spn_error *err)
{
    static const spn_energy_slots slots = {.name = "callback",
                                           .energy = energy,
                                           .attach = attach,
                                           .delta = delta,
                                           .commit = commit,
                                           .destroy = destroy,
                                           .refresh = attach};
    *out = NULL;
    if (sites == 0 || sites > UINT32_MAX || !values)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a callback energy needs a function and 1 to 2^32-1 spins");
    batch *self = calloc(1, sizeof *self);
    if (!self)
        return spn_no_memory(err, "a callback energy");
    self->base = (spn_energy){.slots = &slots,
                              .sites = sites,
                              .cache_size = sizeof(batch_cache) + sites * sizeof(double)};
    self->values = values;
    self->context = context;
    self->most = sites < BATCH_BYTES ? BATCH_BYTES / sites : 1;
    *out = &self->base;
    return SPN_OK;
}
