/* Reads in words on a device: proposals per nanosecond over the middle of a run, the seconds of the
   whole run with the copies and checks of its results, and whether all reads of a short run are
   those of the processor, as one JSON object. The lattice is also measured with its sites numbered
   by colour, as a device likes them.

       bench_device NAME [GRAPH]    NAME: as for --device */
#include <inttypes.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 100, SWEEPS = 4000, FEW_SWEEPS = 10 };

static void die(const spn_error *err)
{
    fprintf(stderr, "bench_device: %s\n", err->text);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static spn_sampler *make(const spn_energy *energy, const spn_schedule *beta, size_t reads,
                         uint64_t sweeps, const char *device)
{
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *made;
    chain.replicas = 1;
    chain.order = SPN_ORDER_SEQUENTIAL;
    chain.steps = spn_energy_sites(energy) * sweeps;
    chain.beta = beta;
    o.chain = &chain;
    o.reads = reads;
    o.engine = SPN_ENGINE_WORDS;
    o.device = device;
    if (spn_reads_create(&made, energy, &o, &err))
        die(&err);
    return made;
}

/* At most so many steps of all reads more (0: all); returns the proposals made until then. */
static uint64_t run(spn_sampler *sampler, uint64_t steps)
{
    spn_error err = {0};
    spn_stop stop;
    spn_progress progress;
    spn_until until = spn_until_defaults();
    until.steps = steps;
    if (spn_sampler_run(&stop, sampler, &until, &err))
        die(&err);
    spn_sampler_look(&progress, sampler);
    return progress.proposals;
}

static bool are_same(const spn_sampler *a, const spn_sampler *b, size_t sites)
{
    for (size_t r = 0; r < spn_reads_count(a); r++) {
        spn_read left, right;
        spn_reads_look(&left, a, r);
        spn_reads_look(&right, b, r);
        if (left.energy != right.energy || left.best_energy != right.best_energy ||
            left.accepted != right.accepted ||
            memcmp(left.best_spins, right.best_spins, sites) != 0)
            return false;
    }
    return true;
}

/* A long run on the device for its speed, a short one beside the processor's for its bits. */
static void measure(const char *name, const spn_energy *energy, const spn_schedule *beta,
                    size_t reads, const char *device)
{
    const size_t sites = spn_energy_sites(energy);
    const uint64_t tenth = sites * reads * SWEEPS / 10;
    spn_sampler *here = make(energy, beta, reads, FEW_SWEEPS, "cpu");
    spn_sampler *there = make(energy, beta, reads, FEW_SWEEPS, device);
    run(here, 0);
    run(there, 0);
    const bool same = are_same(here, there, sites);
    spn_sampler_free(here);
    spn_sampler_free(there);
    const double began = seconds();
    spn_sampler *all = make(energy, beta, reads, SWEEPS, device);
    const uint64_t before = run(all, tenth);
    const double middle = seconds();
    const uint64_t after = run(all, 8 * tenth);
    const double took = seconds() - middle;
    run(all, 0);
    printf(" \"%s_%zu\": {\"sites\": %zu, \"reads\": %zu, \"sweeps\": %d, \"seconds\": %.3f, "
           "\"proposals_per_ns\": %.1f, \"same_as_processor\": %s},\n",
           name, reads, sites, reads, SWEEPS, seconds() - began,
           (double)(after - before) / took / 1e9, same ? "true" : "false");
    fflush(stdout);
    spn_sampler_free(all);
}

/* The lattice with all sites of even row + column before the odd ones. */
static spn_energy *make_lattice(bool by_colour)
{
    static uint32_t place[SIDE * SIDE];
    static spn_edge edges[2 * SIDE * SIDE];
    spn_error err = {0};
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_INSTANCE);
    spn_problem *problem;
    spn_energy *energy;
    uint32_t used = 0;
    for (uint32_t colour = 0; colour < 2; colour++)
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            if ((i / SIDE + i % SIDE) % 2 == colour)
                place[i] = by_colour ? used++ : i;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t right = i / SIDE * SIDE + (i + 1) % SIDE, down = (i + SIDE) % (SIDE * SIDE);
        edges[2 * i] = (spn_edge){place[i], place[right], 2.0 * spn_random_below(&random, 2) - 1};
        edges[2 * i + 1] =
            (spn_edge){place[i], place[down], 2.0 * spn_random_below(&random, 2) - 1};
    }
    if (spn_problem_couplings_create(&problem, (size_t)SIDE * SIDE, (size_t)2 * SIDE * SIDE, edges,
                                     &err) ||
        spn_energy_create(&energy, "ising", problem, &err))
        die(&err);
    spn_problem_free(problem);
    return energy;
}

int main(int argc, char **argv)
{
    static const size_t reads[] = {512, 2048, 8192};
    spn_error err = {0};
    spn_problem *cut = NULL;
    spn_energy *energy[3] = {NULL, NULL, NULL};
    static const char *const names[] = {"torus", "torus_by_colour", "graph"};
    spn_schedule *beta;
    if (argc < 2) {
        fprintf(stderr, "bench_device: give the name of a device; spinney devices lists them\n");
        return 2;
    }
    energy[0] = make_lattice(false);
    energy[1] = make_lattice(true);
    if (spn_schedule_exponential(&beta, 0.1, 3, &err) ||
        (argc > 2 && (spn_problem_read(&cut, SPN_PROBLEM_CUT, argv[2], &err) ||
                      spn_energy_create(&energy[2], "maxcut", cut, &err))))
        die(&err);
    printf("{\"about\": \"reads on %s\",\n", argv[1]);
    for (size_t k = 0; k < 3; k++)
        for (size_t r = 0; energy[k] && r < sizeof reads / sizeof *reads; r++)
            measure(names[k], energy[k], beta, reads[r], argv[1]);
    printf(" \"version\": \"%s\"}\n", spn_version());
    spn_schedule_free(beta);
    for (size_t k = 0; k < 3; k++)
        spn_energy_free(energy[k]);
    spn_problem_free(cut);
    return 0;
}
