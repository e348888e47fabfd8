/* Energies of the library's users: their table of functions, called through the slots. */
#include "core/energy.h"

#include "base/memory.h"
#include "base/try.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct defined_energy {
    spn_energy base;
    spn_energy_slots slots;
    spn_energy_ops ops;
    void *problem;
    char name[]; /* that of the slots */
} defined_energy;

static double energy(const spn_energy *base, const int8_t *spins)
{
    const defined_energy *self = (const defined_energy *)base;
    return self->ops.energy(self->problem, spins);
}

static double attach(const spn_energy *base, void *cache, const int8_t *spins)
{
    const defined_energy *self = (const defined_energy *)base;
    return self->ops.attach(self->problem, cache, spins);
}

static double delta(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const defined_energy *self = (const defined_energy *)base;
    return self->ops.delta(self->problem, cache, spins, site);
}

static double commit(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const defined_energy *self = (const defined_energy *)base;
    return self->ops.commit(self->problem, cache, spins, site);
}

static double refresh(const spn_energy *base, void *cache, const int8_t *spins)
{
    const defined_energy *self = (const defined_energy *)base;
    return self->ops.refresh(self->problem, cache, spins);
}

static void destroy(spn_energy *base)
{
    defined_energy *self = (defined_energy *)base;
    if (self->ops.destroy)
        self->ops.destroy(self->problem);
    free(self);
}

static spn_status check(const spn_energy_ops *ops, size_t sites, spn_error *err)
{
    if (!ops->name || !ops->name[0] || !ops->energy)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "an energy needs a name and the function energy");
    if (!ops->attach != !ops->delta || !ops->attach != !ops->commit)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the energy '%s': attach, delta and commit come together or not at all",
                        ops->name);
    if (ops->refresh && !ops->attach)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the energy '%s': refresh needs attach",
                        ops->name);
    if (sites == 0 || sites > UINT32_MAX)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "an energy has 1 to 2^32-1 spins, not %zu", sites);
    return SPN_OK;
}

spn_status spn_energy_define(spn_energy **out, const spn_energy_ops *given, void *problem,
                             size_t sites, size_t cache_size, bool integral, spn_error *err)
{
    spn_energy_ops ops = spn_energy_ops_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&ops, sizeof ops, given, "spn_energy_ops_defaults", err));
    SPN_TRY(check(&ops, sites, err));
    const size_t length = strlen(ops.name) + 1;
    defined_energy *self = spn_alloc(1, sizeof *self + length);
    if (!self)
        return spn_no_memory(err, "the energy '%s'", ops.name);
    memcpy(self->name, ops.name, length);
    self->ops = ops;
    self->problem = problem;
    self->slots = (spn_energy_slots){.name = self->name, .energy = energy, .destroy = destroy};
    if (ops.attach) {
        self->slots.attach = attach;
        self->slots.delta = delta;
        self->slots.commit = commit;
        self->slots.refresh = ops.refresh ? refresh : NULL;
    }
    self->base = (spn_energy){
        .slots = &self->slots, .sites = sites, .cache_size = cache_size, .integral = integral};
    *out = &self->base;
    return SPN_OK;
}
