/* What a ladder costs: the time of its scans over that of the same chains, each walked alone for as
   many steps at the same points; and how much faster two threads are. All on the machine as it is,
   made in turn; processor time of the fastest for the first, wall clock of the fastest for the
   second. One JSON object. */
#include "base/clock.h"
#include "bench.h"
#include "chain/point.h"
#include <math.h>

enum { REPEATS = 25, RUNGS = 8, REPLICAS = 3 };
static const double BETA = 2, GAMMA = 0.5, SECONDS = 0.1; /* of a run, about */

/* ---- runs ---- */

typedef struct cost {
    double processor, wall;
} cost;

/* From a rung that is walked, as the others are: a draw at beta = 0 is cheaper. */
static double beta_of(size_t k)
{
    return BETA * (double)(k + 1) / RUNGS;
}

static void points(void *context, double u, double *beta, double *gamma)
{
    (void)context;
    *beta = beta_of(0) * (1 - u) + BETA * u;
    *gamma = GAMMA;
}

static cost run_ladder(const spn_energy *energy, uint64_t scans, unsigned threads)
{
    spn_error err = {0};
    spn_stop stop;
    spn_sampler *ladder;
    double fractions[RUNGS];
    spn_chain_options chain = spn_chain_defaults();
    spn_ladder_options o = spn_ladder_defaults();
    for (size_t k = 0; k < RUNGS; k++)
        fractions[k] = (double)k / (RUNGS - 1);
    chain.replicas = REPLICAS;
    chain.target_energy = -INFINITY;
    o.chain = &chain;
    o.path = points;
    o.rungs = RUNGS;
    o.fractions = fractions;
    o.scans = scans;
    o.rounds = 1;
    o.threads = threads;
    if (spn_ladder_create(&ladder, energy, &o, &err))
        die(&err);
    const cost before = {spn_thread_clock(), spn_clock()};
    if (spn_sampler_run(&stop, ladder, NULL, &err))
        die(&err);
    const cost out = {spn_thread_clock() - before.processor, spn_clock() - before.wall};
    spn_sampler_free(ladder);
    return out;
}

/* Steps of a scan: N, up to whole vectors of random numbers, as ladders make them by themselves. */
static uint64_t scan_steps(const spn_energy *energy)
{
    return (spn_energy_sites(energy) + 63) / 64 * 64;
}

static cost run_chains(const spn_energy *energy, uint64_t scans)
{
    spn_error err = {0};
    cost out = {0, 0};
    for (size_t k = 0; k < RUNGS; k++) {
        spn_sampler *chain;
        spn_chain_options o = spn_chain_defaults();
        o.replicas = REPLICAS;
        o.target_energy = -INFINITY;
        o.steps = INT64_MAX;
        o.run = (uint32_t)k;
        if (spn_chain_create(&chain, energy, &o, &err))
            die(&err);
        spn_chain_set_point(spn_chain_of(chain), beta_of(k), GAMMA);
        const cost before = {spn_thread_clock(), spn_clock()};
        if (spn_chain_walk(spn_chain_of(chain), scans * scan_steps(energy), &err))
            die(&err);
        out.processor += spn_thread_clock() - before.processor;
        out.wall += spn_clock() - before.wall;
        spn_sampler_free(chain);
    }
    return out;
}

static void measure(const char *name, const char *about, spn_energy *energy, const char *separator)
{
    enum { PILOT = 20 };
    const double pilot = run_ladder(energy, PILOT, 1).processor;
    const uint64_t scans = (uint64_t)fmax(PILOT * SECONDS / pilot, PILOT);
    double ladder = INFINITY, chains = INFINITY, one = INFINITY, two = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        const cost a = run_chains(energy, scans), b = run_ladder(energy, scans, 1),
                   c = run_ladder(energy, scans, 2);
        chains = fmin(chains, a.processor);
        ladder = fmin(ladder, b.processor);
        one = fmin(one, b.wall);
        two = fmin(two, c.wall);
    }
    const double proposals = (double)(scans * RUNGS * REPLICAS * scan_steps(energy));
    printf("  \"%s\": {\"about\": \"%s\", \"ns_per_proposal\": %.2f, \"over_chains\": %.3f, "
           "\"two_threads\": %.2f}%s\n",
           name, about, 1e9 * ladder / proposals, ladder / chains, one / two, separator);
    fflush(stdout);
    spn_energy_free(energy);
}

int main(void)
{
    printf("{\"rungs\": %d, \"replicas\": %d, \"results\": {\n", RUNGS, REPLICAS);
    measure("ising", "+-J torus 50 x 40", lattice_energy(50, 40), ",");
    measure("bits", "1001 spins, 600 patterns", perceptron_energy(1001, 600), "");
    printf("}}\n");
    return 0;
}
