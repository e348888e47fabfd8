/* An energy with a cache: the antiferromagnetic ring, E = sum of s_i s_(i+1), whose minimum for an
   even number N of spins is -N. docs/adding-an-energy.md walks through this file. */
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>

/* The problem: immutable, shared by all replicas. spn_energy comes first. */
typedef struct ring {
    spn_energy base;
    double coupling;
} ring;

/* The cache: what changes with the spins, one for each replica. */
typedef struct ring_cache {
    int64_t sum; /* of s_i s_(i+1); an integer, so it never drifts */
} ring_cache;

static int64_t sum_of_bonds(const spn_energy *base, const int8_t *spins)
{
    int64_t sum = 0;
    for (size_t i = 0; i < base->sites; i++)
        sum += spins[i] * spins[(i + 1) % base->sites];
    return sum;
}

/* The change of that sum in a flip of a site, given the spins before it. */
static int64_t change_of_bonds(const spn_energy *base, const int8_t *spins, size_t site)
{
    size_t left = (site + base->sites - 1) % base->sites, right = (site + 1) % base->sites;
    return -2 * spins[site] * (spins[left] + spins[right]);
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    return ((const ring *)base)->coupling * (double)sum_of_bonds(base, spins);
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    ring_cache *cache = memory;
    cache->sum = sum_of_bonds(base, spins);
    return ((const ring *)base)->coupling * (double)cache->sum;
}

static double delta(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    (void)memory;
    return ((const ring *)base)->coupling * (double)change_of_bonds(base, spins, site);
}

static double commit(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    ring_cache *cache = memory;
    cache->sum -= change_of_bonds(base, spins, site); /* the spins hold the flip already */
    return ((const ring *)base)->coupling * (double)cache->sum;
}

static void destroy(spn_energy *base)
{
    free(base);
}

/* Make the energy; the caller frees it with spn_energy_free. At least three sites. */
static spn_status ring_create(spn_energy **out, size_t sites, double coupling, spn_error *err)
{
    static const spn_energy_ops ops = {.name = "ring",
                                       .energy = energy,
                                       .attach = attach,
                                       .delta = delta,
                                       .commit = commit,
                                       .destroy = destroy};
    *out = NULL;
    if (sites < 3)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a ring has at least 3 spins, not %zu", sites);
    ring *self = calloc(1, sizeof *self);
    if (!self)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a ring");
    self->base = (spn_energy){
        .ops = &ops, .sites = sites, .cache_size = sizeof(ring_cache), .integral = coupling == 1};
    self->coupling = coupling;
    *out = &self->base;
    return SPN_OK;
}

int main(void)
{
    spn_error err = {0};
    spn_energy *energy_of_ring = NULL;
    spn_chain *chain = NULL;
    spn_stop stop = SPN_STOP_NONE;
    spn_chain_options options = spn_chain_defaults();
    spn_schedule *beta = NULL, *gamma = NULL;
    if (!spn_schedule_parse(&beta, "0.1:10", "exponential", &err) &&
        !spn_schedule_parse(&gamma, "0.1", NULL, &err)) {
        options.beta = beta;
        options.gamma = gamma;
    }
    options.steps = 1000000;
    options.target = SPN_TARGET_ALL;
    options.target_energy = -64;
    if (err.status || ring_create(&energy_of_ring, 64, 1, &err) ||
        spn_chain_create(&chain, energy_of_ring, &options, &err) ||
        spn_chain_run(&stop, chain, &err)) {
        fprintf(stderr, "antiferromagnet: %s\n", err.text);
    } else {
        spn_snapshot state;
        spn_chain_snapshot(&state, chain);
        printf("energies %g %g %g, stopped by: %s\n", state.energy[0], state.energy[1],
               state.energy[2], spn_stop_name(stop));
    }
    spn_chain_free(chain);
    spn_energy_free(energy_of_ring);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    return err.status != SPN_OK || stop != SPN_STOP_TARGET;
}
