/* An energy with a price for leaving the neighbourhood of a distance from a centre. */
#include "analysis/shell.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

typedef struct shell_energy {
    spn_energy base;
    spn_energy_slots slots;
    const spn_energy *energy; /* the inner energy, */
    spn_energy_slots inner;   /* and its slots */
    const int8_t *centre;
    int64_t distance;
    double price;
} shell_energy;

/* The cache holds the distance of the state, then the cache of the inner energy. */

static void *inner_cache(void *cache)
{
    return (char *)cache + ALIGNMENT;
}

static int64_t count_flips(const shell_energy *self, const int8_t *spins)
{
    int64_t flips = 0;
    for (size_t i = 0; i < self->base.sites; i++)
        flips += spins[i] != self->centre[i];
    return flips;
}

static double price(const shell_energy *self, int64_t distance)
{
    return self->price * (double)llabs(distance - self->distance);
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const shell_energy *self = (const shell_energy *)base;
    return self->inner.energy(self->energy, spins) + price(self, count_flips(self, spins));
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    const shell_energy *self = (const shell_energy *)base;
    int64_t *distance = memory;
    *distance = count_flips(self, spins);
    return self->inner.attach(self->energy, inner_cache(memory), spins) + price(self, *distance);
}

static double delta(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const shell_energy *self = (const shell_energy *)base;
    const int64_t *distance = memory;
    const int step = spins[site] == self->centre[site] ? 1 : -1;
    return self->inner.delta(self->energy, inner_cache(memory), spins, site) +
           (price(self, *distance + step) - price(self, *distance));
}

static double commit(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const shell_energy *self = (const shell_energy *)base;
    int64_t *distance = memory;
    *distance += spins[site] == self->centre[site] ? -1 : 1;
    assert(*distance >= 0 && *distance <= (int64_t)base->sites);
    return self->inner.commit(self->energy, inner_cache(memory), spins, site) +
           price(self, *distance);
}

static double refresh(const spn_energy *base, void *memory, const int8_t *spins)
{
    const shell_energy *self = (const shell_energy *)base;
    const int64_t *distance = memory;
    return self->inner.refresh(self->energy, inner_cache(memory), spins) + price(self, *distance);
}

static bool visit(const spn_energy *base, void *memory, spn_archive *archive)
{
    const shell_energy *self = (const shell_energy *)base;
    return self->inner.visit(self->energy, inner_cache(memory), archive);
}

static void destroy(spn_energy *base)
{
    free(base);
}

spn_status spn_shell_create(spn_energy **out, const spn_energy *inside, const int8_t *centre,
                            size_t distance, double price_of_flip, spn_error *err)
{
    shell_energy *self = spn_alloc(1, sizeof *self);
    *out = NULL;
    SPN_NEED(self, err, "an energy");
    self->energy = inside;
    self->inner = spn_energy_resolve(inside);
    self->centre = centre;
    self->distance = (int64_t)distance;
    self->price = price_of_flip;
    self->slots = (spn_energy_slots){.name = self->inner.name,
                                     .energy = energy,
                                     .attach = attach,
                                     .delta = delta,
                                     .commit = commit,
                                     .destroy = destroy,
                                     .refresh = self->inner.refresh ? refresh : NULL,
                                     .visit = self->inner.visit ? visit : NULL};
    self->base = (spn_energy){.slots = &self->slots,
                              .sites = inside->sites,
                              .cache_size = ALIGNMENT + spn_energy_cache_size(inside)};
    *out = &self->base;
    return SPN_OK;
}
