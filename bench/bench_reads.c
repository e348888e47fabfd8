/* One read and many of the same lattice, in turns, so that the ratios hold on a busy machine too:
   nanoseconds of processor time per proposal, the fastest of five runs, and the energies at the
   end, as one JSON object. */
#include <inttypes.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 5, SIDE = 100, SPINS = SIDE * SIDE };

typedef struct bench_case {
    const char *name, *about;
    spn_order order;
    size_t reads;
    uint64_t sweeps;
    double ns, mean, lowest; /* results */
} bench_case;

static void die(const spn_error *err)
{
    fprintf(stderr, "bench_reads: %s\n", err->text);
    exit(1);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(bench_case *c, const spn_energy *energy, const spn_schedule *beta)
{
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    spn_stop stop;
    chain.replicas = 1;
    chain.order = c->order;
    chain.steps = SPINS * c->sweeps;
    chain.beta = beta;
    o.chain = &chain;
    o.reads = c->reads;
    const double started = processor_seconds();
    if (spn_reads_create(&reads, energy, &o, &err) || spn_sampler_run(&stop, reads, NULL, &err))
        die(&err);
    const double ns = 1e9 * (processor_seconds() - started) / (double)(chain.steps * c->reads);
    c->ns = c->ns == 0 || ns < c->ns ? ns : c->ns;
    c->mean = c->lowest = 0;
    for (size_t r = 0; r < c->reads; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        c->mean += read.energy / (double)c->reads;
        c->lowest = read.best_energy < c->lowest ? read.best_energy : c->lowest;
    }
    spn_sampler_free(reads);
}

int main(void)
{
    bench_case cases[] = {
        {"random", "1 read, random order", SPN_ORDER_RANDOM, 1, 1000, 0, 0, 0},
        {"sequential", "1 read, sequential order", SPN_ORDER_SEQUENTIAL, 1, 1000, 0, 0, 0},
        {"reads_8", "8 reads: plain chains in turn", SPN_ORDER_SEQUENTIAL, 8, 125, 0, 0, 0},
        {"reads_64", "64 reads side by side", SPN_ORDER_SEQUENTIAL, 64, 250, 0, 0, 0},
        {"reads_256", "256 reads side by side", SPN_ORDER_SEQUENTIAL, 256, 250, 0, 0, 0}};
    const size_t count = sizeof cases / sizeof *cases;
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    spn_schedule *beta;
    if (spn_problem_random_lattice(&problem, SIDE, SIDE, 1, &err) ||
        spn_energy_create(&energy, "ising", problem, &err) ||
        spn_schedule_exponential(&beta, 0.1, 3, &err))
        die(&err);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t k = 0; k < count; k++)
            measure(&cases[k], energy, beta);
    printf("{\"about\": \"+-J torus %dx%d, one replica, beta 0.1 to 3 exponential, %s\",\n", SIDE,
           SIDE, spn_instruction_set());
    for (size_t k = 0; k < count; k++)
        printf(" \"%s\": {\"about\": \"%s\", \"ns_per_proposal\": %.2f, \"sweeps\": %" PRIu64
               ", \"mean_energy\": %.1f, \"lowest_energy\": %.0f},\n",
               cases[k].name, cases[k].about, cases[k].ns, cases[k].sweeps, cases[k].mean,
               cases[k].lowest);
    printf(" \"times_faster_than_sequential\": {\"reads_64\": %.1f, \"reads_256\": %.1f}}\n",
           cases[1].ns / cases[3].ns, cases[1].ns / cases[4].ns);
    spn_schedule_free(beta);
    spn_energy_free(energy);
    spn_problem_free(problem);
    return 0;
}
