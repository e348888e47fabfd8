/* Nanoseconds per proposal of the core, the fastest of five runs, as one JSON object. */
#include "base/clock.h"
#include <inttypes.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 5 };

static void die(const spn_error *err)
{
    fprintf(stderr, "bench_core: %s\n", err->text);
    exit(1);
}

/* Run a chain to its end REPEATS times; print the fastest. */
static void measure(const char *name, const char *about, const spn_energy *energy,
                    const spn_chain_options *options, const char *separator)
{
    double best = 0;
    uint64_t proposals = 0, accepted = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        spn_error err = {0};
        spn_chain *chain;
        spn_stop stop;
        spn_snapshot state;
        if (spn_chain_create(&chain, energy, options, &err))
            die(&err);
        double started = spn_clock();
        if (spn_chain_run(&stop, chain, &err))
            die(&err);
        double seconds = spn_clock() - started;
        spn_chain_snapshot(&state, chain);
        proposals = accepted = 0;
        for (size_t a = 0; a < state.replicas; a++) {
            proposals += state.proposals[a];
            accepted += state.accepted[a];
        }
        double each = 1e9 * seconds / (double)proposals;
        best = repeat == 0 || each < best ? each : best;
        spn_chain_free(chain);
    }
    printf("  \"%s\": {\"about\": \"%s\", \"ns_per_proposal\": %.2f, \"proposals\": %" PRIu64
           ", \"acceptance\": %.4f}%s\n",
           name, about, best, proposals, (double)accepted / (double)proposals, separator);
}

static spn_energy *make(const char *name, spn_problem *problem)
{
    spn_error err = {0};
    spn_energy *energy;
    if (spn_energy_create(&energy, name, problem, &err))
        die(&err);
    spn_problem_free(problem);
    return energy;
}

static void bench_ising(void)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_random_lattice(&problem, 100, 100, 1, &err))
        die(&err);
    spn_energy *energy = make("ising", problem);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_RANDOM;
    o.steps = 10000000;
    o.beta = spn_schedule_exponential(0.1, 3);
    measure("ising_random", "+-J Ising 100x100 torus, 1 replica, random order, beta 0.1 to 3",
            energy, &o, ",");
    o.replicas = 3;
    o.gamma = spn_schedule_constant(0.5);
    o.order = SPN_ORDER_REPLICA_ROUND;
    o.steps = 4000000;
    measure("ising_round", "the same, 3 replicas, replica-round, gamma 0.5", energy, &o, ",");
    o.gamma = spn_schedule_linear(0, 1);
    measure("ising_gamma_varies", "the same, gamma linear 0 to 1", energy, &o, ",");
    spn_energy_free(energy);
}

static void bench_perceptron(void)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_random_patterns(&problem, 1001, 300, 1, false, &err))
        die(&err);
    spn_energy *energy = make("bits", problem);
    spn_chain_options o = spn_chain_defaults();
    o.steps = 1000000;
    o.beta = spn_schedule_exponential(0.1, 10);
    o.gamma = spn_schedule_constant(0.3);
    measure("perceptron_bits", "bits, N=1001, P=300, 3 replicas, gamma 0.3, beta 0.1 to 10", energy,
            &o, ",");
    o.gamma = spn_schedule_constant(100);
    o.beta = spn_schedule_constant(1);
    measure("coupling_rejects",
            "the same with gamma 100: every proposal is rejected by the coupling", energy, &o, "");
    spn_energy_free(energy);
}

int main(void)
{
    printf("{\"version\": \"%s\", \"repeats\": %d, \"results\": {\n", SPN_VERSION, REPEATS);
    bench_ising();
    bench_perceptron();
    printf("}}\n");
    return 0;
}
