/* The energy interface's defaults: without a delta, every change is computed from scratch. */
#include "core/energy.h"

#include <assert.h>
#include <string.h>

/* The default cache: the current energy, then a copy of the spins to try flips on. */
static int8_t *scratch_spins(void *cache)
{
    return (int8_t *)cache + sizeof(double);
}

static double slow_attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    double value = self->ops->energy(self, spins);
    memcpy(cache, &value, sizeof value);
    memcpy(scratch_spins(cache), spins, self->sites);
    return value;
}

static double slow_delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    (void)spins;
    int8_t *trial = scratch_spins(cache);
    double before;
    memcpy(&before, cache, sizeof before);
    trial[site] = (int8_t)-trial[site];
    double after = self->ops->energy(self, trial);
    trial[site] = (int8_t)-trial[site];
    return after - before;
}

static double slow_commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    double value = self->ops->energy(self, spins);
    memcpy(cache, &value, sizeof value);
    scratch_spins(cache)[site] = spins[site];
    return value;
}

spn_energy_ops spn_energy_resolve(const spn_energy *energy)
{
    spn_energy_ops ops = *energy->ops;
    assert(!ops.delta == !ops.attach && !ops.delta == !ops.commit);
    if (!ops.delta) {
        ops.attach = slow_attach;
        ops.delta = slow_delta;
        ops.commit = slow_commit;
    }
    return ops;
}

size_t spn_energy_cache_size(const spn_energy *energy)
{
    return energy->ops->delta ? energy->cache_size : sizeof(double) + energy->sites;
}

double spn_energy_value(const spn_energy *energy, const int8_t *spins)
{
    return energy->ops->energy(energy, spins);
}

double spn_energy_attach(const spn_energy *energy, void *cache, const int8_t *spins)
{
    return spn_energy_resolve(energy).attach(energy, cache, spins);
}

double spn_energy_delta(const spn_energy *energy, void *cache, const int8_t *spins, size_t site)
{
    return spn_energy_resolve(energy).delta(energy, cache, spins, site);
}

double spn_energy_commit(const spn_energy *energy, void *cache, const int8_t *spins, size_t site)
{
    return spn_energy_resolve(energy).commit(energy, cache, spins, site);
}

void spn_energy_free(spn_energy *energy)
{
    if (energy && energy->ops->destroy)
        energy->ops->destroy(energy);
}
