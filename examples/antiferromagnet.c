/* An energy with a cache: the antiferromagnetic ring, E = sum of s_i s_(i+1), whose minimum for an
   even number N of spins is -N. docs/adding/energy.md walks through this file. */
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>

/* The problem: immutable, shared by all replicas. */
typedef struct ring {
    size_t sites;
    double coupling;
} ring;

/* The cache: what changes with the spins, one for each replica. */
typedef struct ring_cache {
    int64_t sum; /* of s_i s_(i+1); an integer, so it never drifts */
} ring_cache;

static int64_t sum_of_bonds(const ring *r, const int8_t *spins)
{
    int64_t sum = 0;
    for (size_t i = 0; i < r->sites; i++)
        sum += spins[i] * spins[(i + 1) % r->sites];
    return sum;
}

/* The change of that sum in a flip of a site, given the spins before it. */
static int64_t change_of_bonds(const ring *r, const int8_t *spins, size_t site)
{
    size_t left = (site + r->sites - 1) % r->sites, right = (site + 1) % r->sites;
    return -2 * spins[site] * (spins[left] + spins[right]);
}

static double energy(const void *problem, const int8_t *spins)
{
    const ring *r = problem;
    return r->coupling * (double)sum_of_bonds(r, spins);
}

static double attach(const void *problem, void *memory, const int8_t *spins)
{
    const ring *r = problem;
    ring_cache *cache = memory;
    cache->sum = sum_of_bonds(r, spins);
    return r->coupling * (double)cache->sum;
}

static double delta(const void *problem, void *memory, const int8_t *spins, size_t site)
{
    const ring *r = problem;
    (void)memory;
    return r->coupling * (double)change_of_bonds(r, spins, site);
}

static double commit(const void *problem, void *memory, const int8_t *spins, size_t site)
{
    const ring *r = problem;
    ring_cache *cache = memory;
    cache->sum -= change_of_bonds(r, spins, site); /* the spins hold the flip already */
    return r->coupling * (double)cache->sum;
}

/* Make the energy; the caller frees it with spn_energy_free. At least three sites. */
static spn_status ring_create(spn_energy **out, size_t sites, double coupling, spn_error *err)
{
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "ring";
    ops.energy = energy;
    ops.attach = attach;
    ops.delta = delta;
    ops.commit = commit;
    ops.destroy = free;
    *out = NULL;
    if (sites < 3)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a ring has at least 3 spins, not %zu", sites);
    ring *problem = malloc(sizeof *problem);
    if (!problem)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a ring");
    *problem = (ring){.sites = sites, .coupling = coupling};
    spn_status status =
        spn_energy_define(out, &ops, problem, sites, sizeof(ring_cache), coupling == 1, err);
    if (status)
        free(problem);
    return status;
}

/* Anneal a ring of 64 spins; the chain is the caller's, also after an error. */
static spn_status anneal(spn_sampler **out, spn_stop *stop, const spn_energy *ring_energy,
                         spn_error *err)
{
    spn_schedule *beta = NULL, *gamma = NULL;
    spn_chain_options options = spn_chain_defaults();
    spn_status status = spn_schedule_exponential(&beta, 0.1, 10, err);
    if (!status)
        status = spn_schedule_constant(&gamma, 0.1, err);
    options.beta = beta;
    options.gamma = gamma;
    options.steps = 1000000;
    options.target = SPN_TARGET_ALL;
    options.target_energy = -64;
    if (!status)
        status = spn_chain_create(out, ring_energy, &options, err);
    if (!status)
        status = spn_sampler_run(stop, *out, NULL, err);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    return status;
}

int main(void)
{
    spn_error err = {0};
    spn_energy *ring_energy = NULL;
    spn_sampler *chain = NULL;
    spn_stop stop = SPN_STOP_NONE;
    if (ring_create(&ring_energy, 64, 1, &err) || anneal(&chain, &stop, ring_energy, &err)) {
        fprintf(stderr, "antiferromagnet: %s\n", err.text);
    } else {
        spn_snapshot state;
        spn_chain_snapshot(&state, chain);
        printf("energies %g %g %g, stopped by: %s\n", state.energy[0], state.energy[1],
               state.energy[2], spn_stop_name(stop));
    }
    spn_sampler_free(chain);
    spn_energy_free(ring_energy);
    return err.status != SPN_OK || stop != SPN_STOP_TARGET;
}
