/* One read and many of the same lattice, in turns, so that the ratios hold on a busy machine too,
   of dense couplings (Sherrington and Kirkpatrick's glass), and of a graph for max-cut if one is
   given: nanoseconds of processor time per proposal, the fastest of five runs, and the energies at
   the end, as one JSON object.

       bench_reads [GRAPH] */
#include "bench.h"
#include <inttypes.h>
#include <math.h>

enum { REPEATS = 5, SIDE = 100, SPINS = SIDE * SIDE };

/* The problems. */
typedef enum bench_problem { LATTICE, DENSE_300, DENSE_2000, GRAPH, PROBLEMS } bench_problem;

typedef struct bench_case {
    const char *name, *about;
    spn_order order;
    size_t reads;
    uint64_t sweeps;
    size_t replicas; /* coupled by gamma 0.5 if there are several */
    spn_engine engine;
    bench_problem problem;
    double ns, mean, error, lowest; /* results */
} bench_case;

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

static spn_energy *cut_of(const char *path)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_read(&problem, SPN_PROBLEM_CUT, path, &err))
        die(&err);
    return energy_of("maxcut", problem);
}

/* Normal couplings of variance 1 / sites. */
static spn_energy *dense(uint32_t sites)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_edge *edges = calloc((size_t)sites * sites, sizeof *edges);
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    size_t count = 0;
    for (uint32_t i = 0; i < sites; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double size = sqrt(-2 * log(spn_random_uniform(&random)) / sites);
            const double turn = 2 * 3.14159265358979324 * spn_random_uniform(&random);
            edges[count++] = (spn_edge){i, j, size * cos(turn)};
        }
    if (spn_problem_couplings_create(&problem, sites, count, edges, &err))
        die(&err);
    free(edges);
    return energy_of("ising", problem);
}

int main(int argc, char **argv)
{
    const spn_order seq = SPN_ORDER_SEQUENTIAL;
    const spn_engine any = SPN_ENGINE_AUTO;
    bench_case cases[] = {
        {"random", "1 read, random order", SPN_ORDER_RANDOM, 1, 1000, 1, any, .problem = LATTICE},
        {"sequential", "1 read, sequential order", seq, 1, 1000, 1, any, .problem = LATTICE},
        {"reads_8", "8 reads: plain chains in turn", seq, 8, 125, 1, any, .problem = LATTICE},
        {"reads_64", "64 reads side by side", seq, 64, 250, 1, any, .problem = LATTICE},
        {"reads_256", "256 reads side by side", seq, 256, 250, 1, any, .problem = LATTICE},
        {"lanes_512", "512 reads side by side", seq, 512, 250, 1, SPN_ENGINE_LANES,
         .problem = LATTICE},
        {"words_64", "64 reads in words", seq, 64, 250, 1, SPN_ENGINE_WORDS, .problem = LATTICE},
        {"words_512", "512 reads in words", seq, 512, 250, 1, any, .problem = LATTICE},
        {"words_512_long", "the same, four times as long", seq, 512, 1000, 1, any,
         .problem = LATTICE},
        {"words_coupled", "512 reads of 3 replicas, gamma 0.5, in words", seq, 512, 250, 3, any,
         .problem = LATTICE},
        {"coupled", "8 of them as plain chains", seq, 8, 250, 3, any, .problem = LATTICE},
        {"dense_300", "300 spins, all coupled, 256 reads side by side", seq, 256, 200, 1, any,
         .problem = DENSE_300},
        {"dense_300_plain", "8 of them as plain chains", seq, 8, 200, 1, SPN_ENGINE_PLAIN,
         .problem = DENSE_300},
        {"dense_2000", "2000 spins, all coupled, 64 reads side by side", seq, 64, 100, 1, any,
         .problem = DENSE_2000},
        {"dense_2000_plain", "2 of them as plain chains", seq, 2, 100, 1, SPN_ENGINE_PLAIN,
         .problem = DENSE_2000},
        {"graph_lanes", "the graph, 512 reads side by side", seq, 512, 1000, 1, SPN_ENGINE_LANES,
         .problem = GRAPH},
        {"graph_words", "the graph, 512 reads in words", seq, 512, 1000, 1, any, .problem = GRAPH}};
    const size_t count = sizeof cases / sizeof *cases - (argc > 1 ? 0 : 2);
    spn_error err = {0};
    spn_energy *energy[PROBLEMS] = {[LATTICE] = lattice_energy(SIDE, SIDE),
                                    [DENSE_300] = dense(300),
                                    [DENSE_2000] = dense(2000),
                                    [GRAPH] = argc > 1 ? cut_of(argv[1]) : NULL};
    spn_schedule *beta, *gamma;
    if (spn_schedule_exponential(&beta, 0.1, 3, &err) || spn_schedule_constant(&gamma, 0.5, &err))
        die(&err);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t k = 0; k < count; k++)
            measure(&cases[k], energy[cases[k].problem], beta, gamma);
    printf("{\"about\": \"+-J torus %dx%d unless it says otherwise, beta 0.1 to 3 exponential, "
           "%s\",\n",
           SIDE, SIDE, spn_instruction_set());
    for (size_t k = 0; k < count; k++)
        printf(" \"%s\": {\"about\": \"%s\", \"ns_per_proposal\": %.3f, \"sweeps\": %" PRIu64
               ", \"mean_energy\": %.1f, \"error_of_mean\": %.2f, \"lowest_energy\": %.2f},\n",
               cases[k].name, cases[k].about, cases[k].ns, cases[k].sweeps, cases[k].mean,
               cases[k].error, cases[k].lowest);
    printf(" \"times_faster_than_sequential\": {\"reads_64\": %.1f, \"reads_256\": %.1f, "
           "\"words_512\": %.1f}}\n",
           cases[1].ns / cases[3].ns, cases[1].ns / cases[4].ns, cases[1].ns / cases[7].ns);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    for (int k = 0; k < PROBLEMS; k++)
        spn_energy_free(energy[k]);
    return 0;
}
