/* One read and many of the same lattice, in turns, so that the ratios hold on a busy machine too,
   and of a graph for max-cut if one is given: nanoseconds of processor time per proposal, the
   fastest of five runs, and the energies at the end, as one JSON object.

       bench_reads [GRAPH] */
#include <inttypes.h>
#include <math.h>
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
    size_t replicas; /* coupled by gamma 0.5 if there are several */
    spn_engine engine;
    bool is_graph;
    double ns, mean, error, lowest; /* results */
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

static void measure(bench_case *c, const spn_energy *energy, const spn_schedule *beta,
                    const spn_schedule *gamma)
{
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    spn_stop stop;
    chain.replicas = c->replicas;
    chain.order = c->order;
    chain.steps = spn_energy_sites(energy) * c->sweeps;
    chain.beta = beta;
    chain.gamma = gamma;
    o.chain = &chain;
    o.reads = c->reads;
    o.engine = c->engine;
    const double started = processor_seconds();
    if (spn_reads_create(&reads, energy, &o, &err) || spn_sampler_run(&stop, reads, NULL, &err))
        die(&err);
    const double ns =
        1e9 * (processor_seconds() - started) / (double)(chain.steps * c->reads * c->replicas);
    double squares = 0;
    c->ns = c->ns == 0 || ns < c->ns ? ns : c->ns;
    c->mean = c->lowest = 0;
    for (size_t r = 0; r < c->reads; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        c->mean += read.energy / (double)c->reads;
        squares += read.energy * read.energy / (double)c->reads;
        c->lowest = read.best_energy < c->lowest ? read.best_energy : c->lowest;
    }
    c->error = sqrt(fmax(squares - c->mean * c->mean, 0) / (double)c->reads);
    spn_sampler_free(reads);
}

int main(int argc, char **argv)
{
    const spn_order seq = SPN_ORDER_SEQUENTIAL;
    const spn_engine any = SPN_ENGINE_AUTO;
    bench_case cases[] = {
        {"random", "1 read, random order", SPN_ORDER_RANDOM, 1, 1000, 1, any, .is_graph = false},
        {"sequential", "1 read, sequential order", seq, 1, 1000, 1, any, .is_graph = false},
        {"reads_8", "8 reads: plain chains in turn", seq, 8, 125, 1, any, .is_graph = false},
        {"reads_64", "64 reads side by side", seq, 64, 250, 1, any, .is_graph = false},
        {"reads_256", "256 reads side by side", seq, 256, 250, 1, any, .is_graph = false},
        {"lanes_512", "512 reads side by side", seq, 512, 250, 1, SPN_ENGINE_LANES,
         .is_graph = false},
        {"words_64", "64 reads in words", seq, 64, 250, 1, SPN_ENGINE_WORDS, .is_graph = false},
        {"words_512", "512 reads in words", seq, 512, 250, 1, any, .is_graph = false},
        {"words_512_long", "the same, four times as long", seq, 512, 1000, 1, any,
         .is_graph = false},
        {"words_coupled", "512 reads of 3 replicas, gamma 0.5, in words", seq, 512, 250, 3, any,
         .is_graph = false},
        {"coupled", "8 of them as plain chains", seq, 8, 250, 3, any, .is_graph = false},
        {"graph_lanes", "the graph, 512 reads side by side", seq, 512, 1000, 1, SPN_ENGINE_LANES,
         .is_graph = true},
        {"graph_words", "the graph, 512 reads in words", seq, 512, 1000, 1, any, .is_graph = true}};
    const size_t count = sizeof cases / sizeof *cases - (argc > 1 ? 0 : 2);
    spn_error err = {0};
    spn_problem *problem, *cut = NULL;
    spn_energy *energy, *graph = NULL;
    spn_schedule *beta, *gamma;
    if (spn_problem_random_lattice(&problem, SIDE, SIDE, 1, &err) ||
        spn_energy_create(&energy, "ising", problem, &err) ||
        spn_schedule_exponential(&beta, 0.1, 3, &err) || spn_schedule_constant(&gamma, 0.5, &err))
        die(&err);
    if (argc > 1 && (spn_problem_read(&cut, SPN_PROBLEM_CUT, argv[1], &err) ||
                     spn_energy_create(&graph, "maxcut", cut, &err)))
        die(&err);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t k = 0; k < count; k++)
            measure(&cases[k], cases[k].is_graph ? graph : energy, beta, gamma);
    printf("{\"about\": \"+-J torus %dx%d, beta 0.1 to 3 exponential, %s\",\n", SIDE, SIDE,
           spn_instruction_set());
    for (size_t k = 0; k < count; k++)
        printf(" \"%s\": {\"about\": \"%s\", \"ns_per_proposal\": %.3f, \"sweeps\": %" PRIu64
               ", \"mean_energy\": %.1f, \"error_of_mean\": %.2f, \"lowest_energy\": %.0f},\n",
               cases[k].name, cases[k].about, cases[k].ns, cases[k].sweeps, cases[k].mean,
               cases[k].error, cases[k].lowest);
    printf(" \"times_faster_than_sequential\": {\"reads_64\": %.1f, \"reads_256\": %.1f, "
           "\"words_512\": %.1f}}\n",
           cases[1].ns / cases[3].ns, cases[1].ns / cases[4].ns, cases[1].ns / cases[7].ns);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    spn_energy_free(graph);
    spn_problem_free(cut);
    spn_energy_free(energy);
    spn_problem_free(problem);
    return 0;
}
