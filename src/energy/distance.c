/* distance: the Hamming distance to the nearest of a list of states. A proposal costs O(states). */
#include "energy/create.h"

#include "base/memory.h"
#include <assert.h>
#include <stdlib.h>

typedef struct distance {
    spn_energy base;
    size_t states;
    int8_t *columns; /* spin of state m at site i: columns[i * states + m] */
} distance;

/* The cache: the distance to each state. */

static int32_t smallest(const int32_t *distances, size_t states)
{
    int32_t least = distances[0];
    assert(states > 0);
    for (size_t m = 1; m < states; m++)
        least = distances[m] < least ? distances[m] : least;
    return least;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const distance *self = (const distance *)base;
    size_t least = base->sites;
    for (size_t m = 0; m < self->states; m++) {
        size_t different = 0;
        for (size_t i = 0; i < base->sites; i++)
            different += spins[i] != self->columns[i * self->states + m];
        least = different < least ? different : least;
    }
    return (double)least;
}

static double attach(const spn_energy *base, void *cache, const int8_t *spins)
{
    const distance *self = (const distance *)base;
    int32_t *distances = cache;
    for (size_t m = 0; m < self->states; m++)
        distances[m] = 0;
    for (size_t i = 0; i < base->sites; i++)
        for (size_t m = 0; m < self->states; m++)
            distances[m] += spins[i] != self->columns[i * self->states + m];
    assert(distances[0] <= (int32_t)base->sites);
    return smallest(distances, self->states);
}

static double delta(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const distance *self = (const distance *)base;
    const int32_t *distances = cache;
    assert(site < base->sites && spn_is_spin(spins[site]));
    const int8_t *column = self->columns + site * self->states;
    const int32_t spin = spins[site]; /* where the state agrees, the flip moves away from it */
    int32_t least = INT32_MAX;
    for (size_t m = 0; m < self->states; m++) {
        int32_t moved = distances[m] + spin * column[m];
        least = moved < least ? moved : least;
    }
    return least - smallest(distances, self->states);
}

static double commit(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const distance *self = (const distance *)base;
    int32_t *distances = cache;
    const int8_t *column = self->columns + site * self->states;
    const int32_t spin = spins[site];
    for (size_t m = 0; m < self->states; m++)
        distances[m] -= spin * column[m];
    assert(site < base->sites && smallest(distances, self->states) >= 0);
    return smallest(distances, self->states);
}

static void destroy(spn_energy *base)
{
    SPN_FREE_ALL(((distance *)base)->columns, base);
}

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    static const spn_energy_slots slots = {"distance", energy, attach,
                                           delta,      commit, .destroy = destroy};
    (void)kind, (void)options;
    distance *self = calloc(1, sizeof *self);
    int8_t *columns = spn_alloc(problem->sites, problem->count);
    if (!self || !columns) {
        SPN_FREE_ALL(self, columns);
        return spn_no_memory(err, "%zu states", problem->count);
    }
    for (size_t m = 0; m < problem->count; m++)
        for (size_t i = 0; i < problem->sites; i++)
            columns[i * problem->count + m] = problem->rows[m * problem->sites + i];
    self->states = problem->count;
    self->columns = columns;
    self->base = (spn_energy){.slots = &slots,
                              .sites = problem->sites,
                              .cache_size = problem->count * sizeof(int32_t),
                              .integral = true};
    *out = &self->base;
    return SPN_OK;
}

SPN_ENERGY_KIND(distance) = {.name = "distance",
                             .about = "Hamming distance to the nearest listed state",
                             .problem = SPN_PROBLEM_STATES,
                             .create = create};
