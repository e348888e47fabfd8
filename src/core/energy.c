/* The energy interface's defaults: without a delta, every change is computed from scratch. */
#include "core/energy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The default cache: the current energy, then a copy of the spins to try flips on. */
static int8_t *scratch_spins(void *cache)
{
    return (int8_t *)cache + sizeof(double);
}

static double slow_attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    double value = self->slots->energy(self, spins);
    assert((uintptr_t)cache % sizeof value == 0);
    memcpy(cache, &value, sizeof value);
    memcpy(scratch_spins(cache), spins, self->sites);
    return value;
}

static double slow_delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    int8_t *trial = scratch_spins(cache);
    double before;
    assert(site < self->sites && trial[site] == spins[site]);
    (void)spins;
    memcpy(&before, cache, sizeof before);
    trial[site] = (int8_t)-trial[site];
    double after = self->slots->energy(self, trial);
    trial[site] = (int8_t)-trial[site];
    return after - before;
}

static double slow_commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    double value = self->slots->energy(self, spins);
    memcpy(cache, &value, sizeof value);
    assert(site < self->sites && scratch_spins(cache)[site] == -spins[site]);
    scratch_spins(cache)[site] = spins[site];
    return value;
}

spn_energy_slots spn_energy_resolve(const spn_energy *energy)
{
    spn_energy_slots slots = *energy->slots;
    assert(energy->sites > 0 && energy->sites <= UINT32_MAX);
    assert(slots.energy && !slots.delta == !slots.attach && !slots.delta == !slots.commit);
    if (!slots.delta) {
        slots.attach = slow_attach;
        slots.delta = slow_delta;
        slots.commit = slow_commit;
    }
    return slots;
}

void spn_sparse_terms_clear(spn_sparse_terms *terms)
{
    free(terms->field);
    free(terms->first);
    free(terms->site);
    free(terms->coupling);
    *terms = (spn_sparse_terms){0};
}

void spn_coupling_graph_clear(spn_coupling_graph *graph)
{
    free(graph->first);
    free(graph->site);
    *graph = (spn_coupling_graph){0};
}

size_t spn_energy_sites(const spn_energy *energy)
{
    return energy->sites;
}

const char *spn_energy_name(const spn_energy *energy)
{
    return energy->slots->name;
}

bool spn_energy_integral(const spn_energy *energy)
{
    return energy->integral;
}

size_t spn_energy_zeroed(const spn_energy *energy)
{
    return energy->zeroed;
}

bool spn_energy_saves_anywhere(const spn_energy *energy)
{
    return !energy->slots->refresh;
}

size_t spn_energy_cache_size(const spn_energy *energy)
{
    return energy->slots->delta ? energy->cache_size : sizeof(double) + energy->sites;
}

double spn_energy_value(const spn_energy *energy, const int8_t *spins)
{
    assert(spn_is_spin(spins[0]) && spn_is_spin(spins[energy->sites - 1]));
    return energy->slots->energy(energy, spins);
}

double spn_energy_attach(const spn_energy *energy, void *cache, const int8_t *spins)
{
    return spn_energy_resolve(energy).attach(energy, cache, spins);
}

double spn_energy_delta(const spn_energy *energy, void *cache, const int8_t *spins, size_t site)
{
    assert(site < energy->sites && spn_is_spin(spins[site]));
    return spn_energy_resolve(energy).delta(energy, cache, spins, site);
}

double spn_energy_commit(const spn_energy *energy, void *cache, const int8_t *spins, size_t site)
{
    assert(site < energy->sites && spn_is_spin(spins[site]));
    return spn_energy_resolve(energy).commit(energy, cache, spins, site);
}

void spn_energy_free(spn_energy *energy)
{
    if (!energy)
        return;
    void *held = energy->held;
    void (*release)(void *) = energy->release;
    assert(!held == !release);
    if (energy->slots->destroy)
        energy->slots->destroy(energy);
    if (release)
        release(held);
}
