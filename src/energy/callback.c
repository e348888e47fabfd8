/* callback: a user's C function as an energy, with an optional function for the change in a flip.
 */
#include "base/try.h"
#include "core/energy.h"
#include <assert.h>
#include <spinney/energies.h>

#include <stdlib.h>

typedef struct callback {
    spn_energy base;
    spn_value_function *value;
    spn_change_function *change;
    void *context;
} callback;

/* The cache, used with a change function: changes add up rounding errors, so the energy is computed
   from scratch now and then. */
typedef struct callback_cache {
    double energy;
    unsigned flips;
} callback_cache;

enum { FLIPS_BETWEEN_REFRESHES = 4096 };

static double energy(const spn_energy *base, const int8_t *spins)
{
    const callback *self = (const callback *)base;
    return self->value(spins, base->sites, self->context);
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    callback_cache *cache = memory;
    *cache = (callback_cache){.energy = energy(base, spins)};
    return cache->energy;
}

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

static void destroy(spn_energy *base)
{
    free(base);
}

spn_status spn_callback_create(spn_energy **out, size_t sites, spn_value_function *value,
                               spn_change_function *change, void *context, spn_error *err)
{
    static const spn_energy_slots fast = {.name = "callback",
                                          .energy = energy,
                                          .attach = attach,
                                          .delta = delta,
                                          .commit = commit,
                                          .destroy = destroy,
                                          .refresh = attach};
    static const spn_energy_slots slow = {.name = "callback", .energy = energy, .destroy = destroy};
    *out = NULL;
    if (sites == 0 || sites > UINT32_MAX || !value)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a callback energy needs a function and 1 to 2^32-1 spins");
    callback *self = calloc(1, sizeof *self);
    if (!self)
        return spn_no_memory(err, "a callback energy");
    self->base = (spn_energy){
        .slots = change ? &fast : &slow, .sites = sites, .cache_size = sizeof(callback_cache)};
    self->value = value;
    self->change = change;
    self->context = context;
    *out = &self->base;
    return SPN_OK;
}
