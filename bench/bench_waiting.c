/* Plain and waiting moves at the same constant beta, from the same state, in turns, so that the
   ratios hold on a busy machine too: accepted moves in a second of processor time, the fastest of
   several runs; as one JSON object. A file of a cut graph may be given, such as one of the Gset. */
#include "bench.h"
#include <inttypes.h>

enum { REPEATS = 7, SIDE = 100, MOVES = 2 };

/* What is common to the runs of a line. */
typedef struct bench_case {
    const spn_energy *energy;
    size_t replicas;
    spn_order order;
    double beta, gamma;
    double warm;         /* the share of beta at which the run begins that finds a state */
    int8_t *state;       /* at equilibrium, or what comes near to it */
    double best[MOVES];  /* accepted moves in a second */
    double share[MOVES]; /* of the proposals that were accepted */
} bench_case;

/* A run of so many steps from the state, which is left where the run ends if `keep`. */
static void run(bench_case *c, spn_moves moves, const spn_schedule *beta, uint64_t steps, bool keep)
{
    spn_error err = {0};
    spn_chain_options o = spn_chain_defaults();
    spn_schedule *gamma;
    spn_sampler *chain;
    spn_stop stop;
    spn_snapshot s;
    if (spn_schedule_constant(&gamma, c->gamma, &err))
        die(&err);
    o.replicas = c->replicas;
    o.order = c->order;
    o.moves = moves;
    o.beta = beta;
    o.gamma = gamma;
    o.steps = steps;
    o.start = SPN_START_GIVEN;
    o.given = c->state;
    if (spn_chain_create(&chain, c->energy, &o, &err))
        die(&err);
    const double started = processor_seconds();
    if (spn_sampler_run(&stop, chain, NULL, &err))
        die(&err);
    const double seconds = processor_seconds() - started;
    spn_chain_snapshot(&s, chain);
    double accepted = 0, proposals = 0;
    for (size_t a = 0; a < s.replicas; a++) {
        accepted += (double)s.accepted[a];
        proposals += (double)s.proposals[a];
    }
    if (keep)
        memcpy(c->state, s.spins, s.replicas * s.sites);
    const double rate = accepted / seconds;
    if (!keep && rate > c->best[moves])
        c->best[moves] = rate;
    c->share[moves] = accepted / proposals;
    spn_sampler_free(chain);
    spn_schedule_free(gamma);
}

static void measure(bench_case *c, const char *name, const char *end)
{
    spn_error err = {0};
    spn_schedule *beta, *cooling;
    const size_t sites = spn_energy_sites(c->energy);
    const uint64_t sweep = sites * c->replicas / spn_order_proposals(c->order, c->replicas);
    c->state = malloc(sites * c->replicas);
    if (!c->state || spn_schedule_constant(&beta, c->beta, &err) ||
        spn_schedule_linear(&cooling, c->warm * c->beta, c->beta, &err))
        die(&err);
    /* all spins up: the torus stays magnetised, without walls between domains */
    memset(c->state, 1, sites * c->replicas);
    run(c, SPN_MOVES_PLAIN, cooling, 300 * sweep, true);
    run(c, SPN_MOVES_PLAIN, beta, 100 * sweep, true);
    const uint64_t steps = 3000000 / spn_order_proposals(c->order, c->replicas);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (int moves = 0; moves < MOVES; moves++)
            run(c, (spn_moves)moves, beta, moves == SPN_MOVES_WAITING ? 8 * steps : steps, false);
    printf(
        " {\"problem\": \"%s\", \"replicas\": %zu, \"gamma\": %g, \"order\": \"%s\", \"beta\": %g, "
        "\"accepted\": %.4f, \"accepted_waiting\": %.4f, \"plain_per_us\": %.3f, "
        "\"waiting_per_us\": %.3f, \"ratio\": %.2f}%s\n",
        name, c->replicas, c->gamma, spn_order_name(c->order), c->beta, c->share[0], c->share[1],
        1e-6 * c->best[0], 1e-6 * c->best[1], c->best[1] / c->best[0], end);
    fflush(stdout);
    spn_schedule_free(beta);
    spn_schedule_free(cooling);
    free(c->state);
}

static spn_energy *ferromagnet(void)
{
    static spn_edge edges[2 * SIDE * SIDE];
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        edges[2 * i] = (spn_edge){i, y * SIDE + (x + 1) % SIDE, -1};
        edges[2 * i + 1] = (spn_edge){i, (y + 1) % SIDE * SIDE + x, -1};
    }
    if (spn_problem_couplings_create(&problem, (size_t)SIDE * SIDE, 2 * (size_t)SIDE * SIDE, edges,
                                     &err) ||
        spn_energy_create(&energy, "ising", problem, &err))
        die(&err);
    spn_problem_free(problem);
    return energy;
}

/* A random graph as large as G1. */
static spn_energy *random_cut(void)
{
    enum { SITES = 800, EDGES = 19176 };
    static spn_edge edges[EDGES];
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    for (size_t e = 0; e < EDGES; e++) {
        const uint32_t i = spn_random_below(&random, SITES);
        const uint32_t j = spn_random_below(&random, SITES - 1);
        edges[e] = (spn_edge){i, j + (j >= i), 1};
    }
    if (spn_problem_cut_create(&problem, SITES, EDGES, edges, &err) ||
        spn_energy_create(&energy, "maxcut", problem, &err))
        die(&err);
    spn_problem_free(problem);
    return energy;
}

static spn_energy *cut_of(const char *path)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    if (spn_problem_read(&problem, SPN_PROBLEM_CUT, path, &err) ||
        spn_energy_create(&energy, "maxcut", problem, &err))
        die(&err);
    spn_problem_free(problem);
    return energy;
}

int main(int argc, char **argv)
{
    /* about 10, 3, 1 and 0.3 % accepted: of one replica, and of three that are coupled */
    static const double cold[] = {0.48, 0.585, 0.7, 0.83}, coupled[] = {0.35, 0.475, 0.595, 0.735};
    static const double cuts[] = {0.4, 0.85, 1.8, 4};
    spn_energy *torus = ferromagnet(), *disordered = lattice_energy(SIDE, SIDE);
    spn_energy *cut = argc > 1 ? cut_of(argv[1]) : random_cut();
    const char *name = argc > 1 ? argv[1] : "random graph, 800 spins, 19176 edges";
    printf("{\"about\": \"accepted moves per microsecond, torus %dx%d, two-stage kernel\",\n"
           " \"lines\": [\n",
           SIDE, SIDE);
    for (size_t k = 0; k < 4; k++) {
        bench_case c = {torus, 1, SPN_ORDER_RANDOM, cold[k], 0, 1, NULL, {0}, {0}};
        measure(&c, "ferromagnetic torus", ",");
    }
    for (size_t k = 0; k < 4; k++) {
        bench_case c = {torus, 3, SPN_ORDER_REPLICA_ROUND, coupled[k], 0.5, 1, NULL, {0}, {0}};
        measure(&c, "ferromagnetic torus", ",");
    }
    for (size_t k = 1; k < 4; k++) {
        bench_case c = {torus, 3, SPN_ORDER_RANDOM, coupled[k], 0.5, 1, NULL, {0}, {0}};
        measure(&c, "ferromagnetic torus", ",");
    }
    bench_case c = {disordered, 1, SPN_ORDER_RANDOM, 3, 0, 0.1, NULL, {0}, {0}};
    measure(&c, "+-J torus", ",");
    for (size_t k = 0; k < 4; k++) {
        bench_case d = {cut, 1, SPN_ORDER_RANDOM, cuts[k], 0, 0.1, NULL, {0}, {0}};
        measure(&d, name, ",");
    }
    for (size_t k = 0; k < 4; k++) {
        bench_case d = {cut, 3, SPN_ORDER_REPLICA_ROUND, cuts[k], 0.5, 0.1, NULL, {0}, {0}};
        measure(&d, name, k == 3 ? "]}" : ",");
    }
    spn_energy_free(torus);
    spn_energy_free(disordered);
    spn_energy_free(cut);
    return 0;
}
