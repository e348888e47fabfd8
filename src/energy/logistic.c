/* logistic, logistic-steep: the sum of log(1 + e^(-s x)) over patterns, x their stabilities, with
   s = 1 and s = 20.

   A stability is an integer between -N and N of the parity of N, so that its loss has N + 1 values:
   c = (x + N)/2 numbers them, and a flip adds +-1 to every c. The cache keeps the integers c. The
   energy is always the sum of their losses in the order of the patterns, and cannot drift. */
#include "energy/create.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef struct logistic {
    spn_energy base;
    spn_energy_slots slots; /* the name differs */
    size_t patterns;
    int8_t *columns;      /* label * pattern, site after site */
    double *losses;       /* N + 1: of c */
    double (*changes)[2]; /* N + 1: of the loss, as c falls or rises by one */
} logistic;

static uint32_t counter(const logistic *self, const int8_t *spins, size_t mu)
{
    uint32_t agreeing = 0;
    for (size_t i = 0; i < self->base.sites; i++)
        agreeing += self->columns[i * self->patterns + mu] == spins[i];
    assert(agreeing <= self->base.sites);
    return agreeing;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const logistic *self = (const logistic *)base;
    double total = 0;
    for (size_t mu = 0; mu < self->patterns; mu++)
        total += self->losses[counter(self, spins, mu)];
    return total;
}

static double attach(const spn_energy *base, void *cache, const int8_t *spins)
{
    const logistic *self = (const logistic *)base;
    uint32_t *counters = cache;
    double total = 0;
    for (size_t mu = 0; mu < self->patterns; mu++) {
        counters[mu] = counter(self, spins, mu);
        total += self->losses[counters[mu]];
    }
    return total;
}

static double delta(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const logistic *self = (const logistic *)base;
    const uint32_t *counters = cache;
    const int8_t *column = self->columns + site * self->patterns;
    const int8_t after = (int8_t)-spins[site];
    double total = 0;
    assert(site < base->sites && spn_is_spin(after));
    for (size_t mu = 0; mu < self->patterns; mu++)
        total += self->changes[counters[mu]][column[mu] == after];
    return total;
}

static double commit(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    const logistic *self = (const logistic *)base;
    uint32_t *counters = cache;
    const int8_t *column = self->columns + site * self->patterns;
    double total = 0;
    assert(site < base->sites && spn_is_spin(spins[site]));
    for (size_t mu = 0; mu < self->patterns; mu++) {
        counters[mu] += column[mu] == spins[site] ? 1u : UINT32_MAX; /* that is, -1 */
        assert(counters[mu] <= base->sites);
        total += self->losses[counters[mu]];
    }
    return total;
}

static void destroy(spn_energy *base)
{
    logistic *self = (logistic *)base;
    SPN_FREE_ALL(self->columns, self->losses, self->changes, self);
}

/* log(1 + e^(-z)), without overflow. */
static double loss(double z)
{
    return z > 0 ? log1p(exp(-z)) : log1p(exp(z)) - z;
}

static void fill(logistic *self, const spn_problem *problem, double steepness)
{
    const size_t sites = problem->sites, patterns = problem->count;
    for (size_t c = 0; c <= sites; c++)
        self->losses[c] = loss(steepness * (2 * (double)c - (double)sites));
    for (size_t c = 0; c <= sites; c++) {
        assert(c == 0 || self->losses[c] <= self->losses[c - 1]);
        self->changes[c][0] = c > 0 ? self->losses[c - 1] - self->losses[c] : 0;
        self->changes[c][1] = c < sites ? self->losses[c + 1] - self->losses[c] : 0;
    }
    for (size_t mu = 0; mu < patterns; mu++)
        for (size_t i = 0; i < sites; i++)
            self->columns[i * patterns + mu] =
                (int8_t)(problem->rows[mu * sites + i] * problem->labels[mu]);
}

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    const size_t sites = problem->sites;
    (void)options;
    logistic *self = calloc(1, sizeof *self);
    SPN_NEED(self, err, "the energy '%s'", kind->name);
    self->slots = (spn_energy_slots){kind->name, energy, attach, delta, commit, .destroy = destroy};
    self->base = (spn_energy){
        .slots = &self->slots, .sites = sites, .cache_size = problem->count * sizeof(uint32_t)};
    self->patterns = problem->count;
    self->columns = spn_alloc(problem->count, sites);
    self->losses = spn_alloc(sites + 1, sizeof *self->losses);
    self->changes = spn_alloc(sites + 1, sizeof *self->changes);
    if (!self->columns || !self->losses || !self->changes) {
        destroy(&self->base);
        return spn_no_memory(err, "%zu patterns of %zu spins", problem->count, sites);
    }
    fill(self, problem, kind->variant);
    *out = &self->base;
    return SPN_OK;
}

/* The variant is the steepness. */
SPN_ENERGY_KIND(logistic) = {.name = "logistic",
                             .about = "logistic loss of the patterns",
                             .problem = SPN_PROBLEM_PATTERNS,
                             .create = create,
                             .variant = 1};
SPN_ENERGY_KIND(logistic_steep) = {.name = "logistic-steep",
                                   .about = "the same with stabilities times 20",
                                   .problem = SPN_PROBLEM_PATTERNS,
                                   .create = create,
                                   .variant = 20};
