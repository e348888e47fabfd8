/* callback: a user's C function as an energy, with an optional function for the change in a flip,
   or one that gives the energies of many states in one call, for languages in which a call is slow
   and a vector of numbers cheap.

   For the latter, flips of a state are asked for in blocks that double: the first flip that is not
   known yet alone, the next with its neighbour, then four sites, and so on until all are known; an
   accepted flip starts over. So a hot chain, which accepts every other flip, asks for hardly more
   states than it proposes, and a cold one, which stays for long, asks for all N in about log2 N
   calls. Which states are asked for together depends on the proposals alone, and starts over at
   every refresh: the result is the same after a stop, even if the last bits of the function depend
   on how many states it is given. */
#include "base/try.h"
#include "core/energy.h"
#include <spinney/energies.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct callback {
    spn_energy base;
    spn_value_function *value; /* these two, or */
    spn_change_function *change;
    spn_values_function *values; /* this one */
    void *context;
    size_t most; /* states of one call of values */
} callback;

/* The cache of a replica, unless every change is computed from scratch. Changes add up rounding
   errors, so the energy is computed again now and then. */
typedef struct callback_cache {
    double energy;
    size_t flips;     /* of change: accepted so far */
    size_t block;     /* of values: sites to ask for, next time */
    double flipped[]; /* of values: the energy after each flip, NaN if it is not known */
} callback_cache;

enum {
    FLIPS_BETWEEN_REFRESHES = 4096,
    BATCH_BYTES = 1 << 22 /* of the states of one call, at most, unless one has more */
};

static double energy(const spn_energy *base, const int8_t *spins)
{
    const callback *self = (const callback *)base;
    if (self->value)
        return self->value(spins, base->sites, self->context);
    double value = NAN;
    self->values(&value, spins, 1, base->sites, self->context);
    return value;
}

static void destroy(spn_energy *base)
{
    free(base);
}

static void forget(callback_cache *cache, size_t sites)
{
    cache->block = 1;
    for (size_t i = 0; i < sites; i++)
        cache->flipped[i] = NAN;
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    callback_cache *cache = memory;
    cache->energy = energy(base, spins);
    cache->flips = 0;
    if (((const callback *)base)->values)
        forget(cache, base->sites);
    return cache->energy;
}

/* ---- with a change function ---- */

static double delta(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    (void)memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    const callback *self = (const callback *)base;
    return self->change(spins, base->sites, site, self->context);
}

static double commit(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const callback *self = (const callback *)base;
    callback_cache *cache = memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    cache->flips++;
    if (cache->flips % FLIPS_BETWEEN_REFRESHES == 0)
        cache->energy = energy(base, spins);
    else /* the way back, from after the flip */
        cache->energy -= self->change(spins, base->sites, site, self->context);
    return cache->energy;
}

static bool visit(const spn_energy *base, void *memory, spn_archive *archive)
{
    const callback *self = (const callback *)base;
    callback_cache *cache = memory;
    SPN_VISIT(archive, *cache);
    if (!self->values)
        return true;
    SPN_VISIT_ARRAY(archive, cache->flipped, base->sites);
    return cache->block >= 1 && (cache->block & (cache->block - 1)) == 0 &&
           cache->block / 2 < base->sites;
}

/* ---- many states in one call ---- */

/* The energies after the flips of count sites from first on, into the cache; they stay NaN if
   there is no memory for the states. */
static void ask(const callback *self, callback_cache *cache, const int8_t *spins, size_t first,
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

static double delta_batch(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const callback *self = (const callback *)base;
    callback_cache *cache = memory;
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

static double commit_batch(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    callback_cache *cache = memory;
    double after = cache->flipped[site];
    assert(site < base->sites && spn_is_spin(spins[site]));
    if (isnan(after)) /* nobody has asked for the change */
        after = energy(base, spins);
    forget(cache, base->sites);
    cache->energy = after;
    return after;
}

/* ---- making one ---- */

static spn_status create(spn_energy **out, const callback *as, spn_error *err)
{
    *out = NULL;
    if (as->base.sites == 0 || as->base.sites > UINT32_MAX || (!as->value && !as->values))
        return spn_refuse(err, "a callback energy needs a function and 1 to 2^32-1 spins");
    callback *self = malloc(sizeof *self);
    SPN_NEED(self, err, "a callback energy");
    *self = *as;
    *out = &self->base;
    return SPN_OK;
}

spn_status spn_callback_create(spn_energy **out, size_t sites, spn_value_function *value,
                               spn_change_function *change, void *context, spn_error *err)
{
    static const spn_energy_slots fast = {
        "callback",        energy,        attach, delta, commit, .destroy = destroy,
        .refresh = attach, .visit = visit};
    static const spn_energy_slots slow = {.name = "callback", .energy = energy, .destroy = destroy};
    const callback as = {.base = {.slots = change ? &fast : &slow,
                                  .sites = sites,
                                  .cache_size = sizeof(callback_cache),
                                  .is_foreign = change != NULL},
                         .value = value,
                         .change = change,
                         .context = context};
    return create(out, &as, err);
}

spn_status spn_batch_callback_create(spn_energy **out, size_t sites, spn_values_function *values,
                                     void *context, spn_error *err)
{
    static const spn_energy_slots slots = {"callback",        energy,        attach,
                                           delta_batch,       commit_batch,  .destroy = destroy,
                                           .refresh = attach, .visit = visit};
    const callback as = {.base = {.slots = &slots,
                                  .sites = sites,
                                  .cache_size = sizeof(callback_cache) + sites * sizeof(double)},
                         .values = values,
                         .context = context,
                         .most = sites && sites < BATCH_BYTES ? BATCH_BYTES / sites : 1};
    return create(out, &as, err);
}
