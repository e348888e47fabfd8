/* Nanoseconds of processor time per proposal of the core, the fastest of five runs, as one JSON
   object. */
#include "bench.h"
#include <inttypes.h>
#include <math.h>

enum { REPEATS = 5 };

static void print_result(const char *name, const char *about, double best, uint64_t proposals,
                         uint64_t accepted, const char *separator)
{
    printf("  \"%s\": {\"about\": \"%s\", \"ns_per_proposal\": %.2f, \"proposals\": %" PRIu64
           ", \"acceptance\": %.4f}%s\n",
           name, about, best, proposals, (double)accepted / (double)proposals, separator);
}

/* Run a chain to its end REPEATS times; print the fastest. */
static void measure(const char *name, const char *about, const spn_energy *energy,
                    const spn_chain_options *options, const char *separator)
{
    double best = 0;
    uint64_t proposals = 0, accepted = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        spn_error err = {0};
        spn_sampler *chain;
        spn_stop stop;
        spn_snapshot state;
        if (spn_chain_create(&chain, energy, options, &err))
            die(&err);
        double started = processor_seconds();
        if (spn_sampler_run(&stop, chain, NULL, &err))
            die(&err);
        double seconds = processor_seconds() - started;
        spn_chain_snapshot(&state, chain);
        proposals = accepted = 0;
        for (size_t a = 0; a < state.replicas; a++) {
            proposals += state.proposals[a];
            accepted += state.accepted[a];
        }
        double each = 1e9 * seconds / (double)proposals;
        best = repeat == 0 || each < best ? each : best;
        spn_sampler_free(chain);
    }
    print_result(name, about, best, proposals, accepted, separator);
}

/* The plain loop that everybody writes first, for comparison on the same machine at the same time:
   Metropolis on the same lattice, changes kept per site in doubles, xorshift128+, exp() where the
   energy rises, beta constant over a sweep. */
static uint64_t plain_random(uint64_t state[2])
{
    uint64_t x = state[0], y = state[1];
    state[0] = y;
    x ^= x << 23;
    state[1] = x ^ y ^ (x >> 17) ^ (y >> 26);
    return state[1] + y;
}

enum { SIDE = 100, SPINS = SIDE * SIDE, SWEEPS = 1000 };

typedef struct plain_lattice {
    uint32_t neighbour[SPINS][4];
    double coupling[SPINS][4];
    double change[SPINS];
    int8_t spin[SPINS];
} plain_lattice;

static void plain_start(plain_lattice *l, const spn_problem *problem, uint64_t state[2])
{
    int degree[SPINS] = {0};
    for (size_t e = 0; e < problem->count; e++) {
        const spn_edge *edge = &problem->edges[e];
        l->neighbour[edge->i][degree[edge->i]] = edge->j;
        l->coupling[edge->i][degree[edge->i]++] = edge->weight;
        l->neighbour[edge->j][degree[edge->j]] = edge->i;
        l->coupling[edge->j][degree[edge->j]++] = edge->weight;
    }
    for (size_t i = 0; i < SPINS; i++)
        l->spin[i] = plain_random(state) & 1 ? 1 : -1;
    for (size_t i = 0; i < SPINS; i++) {
        double field = 0;
        for (size_t k = 0; k < 4; k++)
            field += l->coupling[i][k] * l->spin[l->neighbour[i][k]];
        l->change[i] = -2 * l->spin[i] * field;
    }
}

static uint64_t plain_sweep(plain_lattice *l, double beta, uint64_t state[2])
{
    uint64_t accepted = 0;
    for (size_t q = 0; q < SPINS; q++) {
        size_t i = plain_random(state) % SPINS;
        if (l->change[i] > 0 && exp(-beta * l->change[i]) * 0x1p64 <= (double)plain_random(state))
            continue;
        for (size_t k = 0; k < 4; k++) {
            size_t j = l->neighbour[i][k];
            l->change[j] += 4 * l->spin[i] * l->spin[j] * l->coupling[i][k];
        }
        l->spin[i] = (int8_t)-l->spin[i];
        l->change[i] = -l->change[i];
        accepted++;
    }
    return accepted;
}

static void bench_plain(const spn_problem *problem)
{
    static plain_lattice lattice;
    double best = 0;
    uint64_t accepted = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        uint64_t state[2] = {123456789, 987654321};
        plain_start(&lattice, problem, state);
        accepted = 0;
        double started = processor_seconds();
        for (int sweep = 0; sweep < SWEEPS; sweep++)
            accepted += plain_sweep(&lattice, 0.1 * pow(30, (double)sweep / SWEEPS), state);
        double each = 1e9 * (processor_seconds() - started) / ((double)SPINS * SWEEPS);
        best = repeat == 0 || each < best ? each : best;
    }
    print_result("ising_plain_loop", "the same lattice, a plain Metropolis loop for comparison",
                 best, (uint64_t)SPINS * SWEEPS, accepted, ",");
}

/* Kept until the end of the program. */
static const spn_schedule *schedule(const char *range, const char *kind)
{
    spn_error err = {0};
    spn_schedule *out;
    if (spn_schedule_parse(&out, range, kind, &err))
        die(&err);
    return out;
}

static void bench_ising(void)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_random_lattice(&problem, 100, 100, 1, &err))
        die(&err);
    bench_plain(problem);
    spn_energy *energy = energy_of("ising", problem);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_RANDOM;
    o.steps = 10000000;
    o.beta = schedule("0.1:3", "exponential");
    measure("ising_random", "+-J Ising 100x100 torus, 1 replica, random order, beta 0.1 to 3",
            energy, &o, ",");
    o.replicas = 3;
    o.gamma = schedule("0.5", "constant");
    o.order = SPN_ORDER_REPLICA_ROUND;
    o.steps = 4000000;
    measure("ising_round", "the same, 3 replicas, replica-round, gamma 0.5", energy, &o, ",");
    o.gamma = schedule("0:1", "linear");
    measure("ising_gamma_varies", "the same, gamma linear 0 to 1", energy, &o, ",");
    spn_energy_free(energy);
}

static void bench_perceptron(void)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_random_patterns(&problem, 1001, 300, 1, false, &err))
        die(&err);
    spn_energy *energy = energy_of("bits", problem);
    spn_chain_options o = spn_chain_defaults();
    o.steps = 1000000;
    o.beta = schedule("0.1:10", "exponential");
    o.gamma = schedule("0.3", "constant");
    measure("perceptron_bits", "bits, N=1001, P=300, 3 replicas, gamma 0.3, beta 0.1 to 10", energy,
            &o, ",");
    o.gamma = schedule("100", "constant");
    o.beta = schedule("1", "constant");
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
