/* An energy with a price for leaving the neighbourhood of a distance from a centre. */
#include "analysis/shell.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

typedef struct shell_energy {
    spn_energy base;
    spn_energy_slots slots;
    spn_energy_slots inner; /* of the energy inside */
    spn_shell shell;
} shell_energy;

/* Its cache, in front of that of the energy inside. */
typedef struct shell_cache {
    int64_t distance;
} shell_cache;

static void *inner_cache(void *cache)
{
    return (char *)cache + ALIGNMENT;
}

static int64_t count_flips(const shell_energy *self, const int8_t *spins)
{
    int64_t flips = 0;
    for (size_t i = 0; i < self->base.sites; i++)
        flips += spins[i] != self->shell.centre[i];
    return flips;
}

static double price(const shell_energy *self, int64_t distance)
{
    return self->shell.price * (double)llabs(distance - (int64_t)self->shell.distance);
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const shell_energy *self = (const shell_energy *)base;
    return self->inner.energy(self->shell.energy, spins) + price(self, count_flips(self, spins));
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    const shell_energy *self = (const shell_energy *)base;
    shell_cache *cache = memory;
    cache->distance = count_flips(self, spins);
    return self->inner.attach(self->shell.energy, inner_cache(memory), spins) +
           price(self, cache->distance);
}

static double delta(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const shell_energy *self = (const shell_energy *)base;
    const shell_cache *cache = memory;
    const int step = spins[site] == self->shell.centre[site] ? 1 : -1;
    return self->inner.delta(self->shell.energy, inner_cache(memory), spins, site) +
           (price(self, cache->distance + step) - price(self, cache->distance));
}

static double commit(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const shell_energy *self = (const shell_energy *)base;
    shell_cache *cache = memory;
    cache->distance += spins[site] == self->shell.centre[site] ? -1 : 1;
    assert(cache->distance >= 0 && cache->distance <= (int64_t)base->sites);
    return self->inner.commit(self->shell.energy, inner_cache(memory), spins, site) +
           price(self, cache->distance);
}

static double refresh(const spn_energy *base, void *memory, const int8_t *spins)
{
    const shell_energy *self = (const shell_energy *)base;
    const shell_cache *cache = memory;
    return self->inner.refresh(self->shell.energy, inner_cache(memory), spins) +
           price(self, cache->distance);
}

static void destroy(spn_energy *base)
{
    free(base);
}

spn_status spn_shell_create(spn_energy **out, const spn_shell *shell, spn_error *err)
{
    shell_energy *self = spn_alloc(1, sizeof *self);
    *out = NULL;
    if (!self)
        return spn_no_memory(err, "an energy");
    self->shell = *shell;
    self->inner = spn_energy_resolve(shell->energy);
    self->slots = (spn_energy_slots){.name = self->inner.name,
                                     .energy = energy,
                                     .attach = attach,
                                     .delta = delta,
                                     .commit = commit,
                                     .destroy = destroy,
                                     .refresh = self->inner.refresh ? refresh : NULL};
    self->base = (spn_energy){.slots = &self->slots,
                              .sites = shell->energy->sites,
                              .cache_size = ALIGNMENT + spn_energy_cache_size(shell->energy)};
    *out = &self->base;
    return SPN_OK;
}
