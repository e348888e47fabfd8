/* plateau: a listed energy for each of the 2^N states, those below 0 counting as 0. */
#include "energy/create.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

typedef struct plateau {
    spn_energy base;
    double *energies;
} plateau;

static double energy(const spn_energy *base, const int8_t *spins)
{
    size_t index = 0;
    for (size_t i = 0; i < base->sites; i++)
        index |= (size_t)(spins[i] > 0) << i;
    return fmax(((const plateau *)base)->energies[index], 0);
}

static void destroy(spn_energy *base)
{
    free(((plateau *)base)->energies);
    free(base);
}

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    static const spn_energy_slots slots = {.name = "plateau", .energy = energy, .destroy = destroy};
    (void)kind, (void)options;
    plateau *self = calloc(1, sizeof *self);
    double *energies = spn_alloc(problem->count, sizeof *energies);
    if (!self || !energies) {
        free(self);
        free(energies);
        return spn_no_memory(err, "%zu energies", problem->count);
    }
    for (size_t k = 0; k < problem->count; k++)
        energies[k] = problem->energies[k];
    self->energies = energies;
    self->base = (spn_energy){.slots = &slots, .sites = problem->sites};
    *out = &self->base;
    return SPN_OK;
}

SPN_ENERGY_KIND(plateau) = {.name = "plateau",
                            .about = "a listed energy for each of 2^N states, at least 0",
                            .problem = SPN_PROBLEM_TABLE,
                            .create = create};
