/* table: a listed energy for each of the 2^N states. */
#include "energy/create.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef struct table {
    spn_energy base;
    double *energies;
} table;

static size_t state_index(const int8_t *spins, size_t sites)
{
    size_t index = 0;
    for (size_t i = 0; i < sites; i++)
        index |= (size_t)(spins[i] > 0) << i;
    assert(sites < 64 && index >> sites == 0);
    return index;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    return ((const table *)base)->energies[state_index(spins, base->sites)];
}

/* The cache is the index of the state. */
static double attach(const spn_energy *base, void *cache, const int8_t *spins)
{
    size_t *index = cache;
    *index = state_index(spins, base->sites);
    return ((const table *)base)->energies[*index];
}

static double delta(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const double *energies = ((const table *)base)->energies;
    const size_t index = *(const size_t *)cache;
    assert(site < base->sites && index == state_index(spins, base->sites));
    (void)spins;
    return energies[index ^ (size_t)1 << site] - energies[index];
}

static double commit(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    size_t *index = cache;
    *index ^= (size_t)1 << site;
    assert(site < base->sites && *index == state_index(spins, base->sites));
    (void)spins;
    return ((const table *)base)->energies[*index];
}

static void destroy(spn_energy *base)
{
    SPN_FREE_ALL(((table *)base)->energies, base);
}

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    static const spn_energy_slots slots = {"table", energy, attach,
                                           delta,   commit, .destroy = destroy};
    (void)kind, (void)options;
    table *self = calloc(1, sizeof *self);
    double *energies = spn_alloc(problem->count, sizeof *energies);
    if (!self || !energies) {
        SPN_FREE_ALL(self, energies);
        return spn_no_memory(err, "%zu energies", problem->count);
    }
    bool integral = true;
    for (size_t k = 0; k < problem->count; k++) {
        energies[k] = problem->energies[k];
        integral = integral && energies[k] == floor(energies[k]) && fabs(energies[k]) < 0x1p52;
    }
    self->energies = energies;
    self->base = (spn_energy){.slots = &slots,
                              .sites = problem->sites,
                              .cache_size = sizeof(size_t),
                              .integral = integral};
    *out = &self->base;
    return SPN_OK;
}

SPN_ENERGY_KIND(table) = {.name = "table",
                          .about = "a listed energy for each of 2^N states",
                          .problem = SPN_PROBLEM_TABLE,
                          .create = create};
