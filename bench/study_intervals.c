/* How often the 95% intervals of tempering, entropies and populations hold the exact value, and how
   wide they are: RUNS (1000) seeds of each problem. Prints the tables of docs/tempering.md,
   docs/entropy.md and docs/population.md. Width is the mean half width over 1.96 standard
   deviations of the estimates, the least that an interval of 95% could have. */
#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(spn_status status, const spn_error *err)
{
    if (!status)
        return;
    fprintf(stderr, "study_intervals: %s\n", err->text);
    exit(1);
}

/* ---- problems ---- */

/* +-1 between all pairs of 16 spins. */
static spn_energy *glass(void)
{
    enum { SITES = 16 };
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    spn_edge edges[SITES * SITES];
    size_t count = 0;
    spn_random random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER);
    for (uint32_t i = 0; i < SITES; i++)
        for (uint32_t j = 0; j < i; j++)
            edges[count++] =
                (spn_edge){.i = i, .j = j, .weight = spn_random_u32(&random) & 1 ? 1 : -1};
    check(spn_problem_couplings_create(&problem, SITES, count, edges, &err), &err);
    check(spn_energy_create(&energy, "ising", problem, &err), &err);
    spn_problem_free(problem);
    return energy;
}

static spn_energy *perceptron(void)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    spn_random_patterns o = spn_random_patterns_defaults();
    o.sites = 15;
    o.count = 9;
    o.seed = 3;
    o.planting = SPN_PLANTING_ABOVE;
    check(spn_problem_random_patterns_as(&problem, &o, &err), &err);
    check(spn_energy_create(&energy, "bits", problem, &err), &err);
    spn_problem_free(problem);
    return energy;
}

static spn_energy *of_table(const double *table, size_t sites)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    check(spn_problem_table_create(&problem, sites, table, &err), &err);
    check(spn_energy_create(&energy, "table", problem, &err), &err);
    spn_problem_free(problem);
    return energy;
}

/* 10 everywhere but in a ball of radius 1, which nothing leads to: a transition of first order. */
static spn_energy *hole(void)
{
    enum { SITES = 12 };
    static double table[1 << SITES];
    for (unsigned k = 0; k < 1 << SITES; k++)
        table[k] = __builtin_popcount(k) <= 1 ? 0 : 10;
    return of_table(table, SITES);
}

/* The distance to the nearest of 32 codewords and a ball: P15a of docs/theory.md. */
static spn_energy *planted(void)
{
    spn_error err = {0};
    char text[5][16] = {{0}};
    const char *rows[5];
    spn_planted *landscape;
    for (size_t b = 0; b < 5; b++) {
        for (size_t j = 1; j <= 15; j++)
            text[b][j - 1] = b == 4 || (j >> b & 1) ? '1' : '0';
        rows[b] = text[b];
    }
    check(spn_planted_create(&landscape, rows, 5, 1, &err), &err);
    spn_energy *energy = of_table(landscape->energy, landscape->sites);
    spn_planted_free(landscape);
    return energy;
}

typedef struct problem {
    const char *name;
    spn_energy *(*make)(void);
    size_t replicas;
    double beta, gamma;
    uint64_t scans;
} problem;

static const problem PROBLEMS[] = {
    {"glass", glass, 1, 2, 0, 128},           {"glass", glass, 1, 2, 0, 512},
    {"glass", glass, 1, 0.8, 0, 512},         {"glass", glass, 3, 2, 0.5, 1024},
    {"perceptron", perceptron, 1, 4, 0, 512}, {"planted", planted, 1, 5, 0, 512},
    {"hole", hole, 1, 0.8, 0, 2048},          {"hole", hole, 1, 1.5, 0, 8192}};

/* ---- counts ---- */

typedef struct cover {
    double held, given, half, sum, squares;
} cover;

static void add(cover *c, double exact, double value, double low, double high)
{
    c->sum += value;
    c->squares += (value - exact) * (value - exact);
    if (isnan(low) || isnan(high))
        return; /* refused */
    c->given++;
    c->held += low <= exact && exact <= high;
    c->half += (high - low) / 2;
}

static void print_cover(const cover *c, double exact, double runs)
{
    const double bias = c->sum / runs - exact;
    const double deviation = sqrt(c->squares / runs - bias * bias);
    printf(" | %.1f%%", 100 * c->held / c->given);
    if (c->given < runs)
        printf(" of %.0f", c->given);
    printf(" | %.2f", c->half / c->given / (1.96 * deviation));
}

/* ---- studies ---- */

static void study_ladder(const problem *p, const spn_energy *energy, const spn_law *law,
                         size_t runs)
{
    spn_error err = {0};
    cover c[3] = {{0}};
    double trips = 0;
    for (size_t seed = 1; seed <= runs; seed++) {
        spn_chain_options chain = spn_chain_defaults();
        spn_ladder_options o = spn_ladder_defaults();
        spn_sampler *ladder;
        spn_ladder_rung r;
        spn_stop stop;
        chain.replicas = p->replicas;
        chain.seed = seed;
        o.chain = &chain;
        o.beta_last = p->beta;
        o.gamma_first = o.gamma_last = p->gamma;
        o.scans = p->scans;
        check(spn_ladder_create(&ladder, energy, &o, &err), &err);
        check(spn_sampler_run(&stop, ladder, NULL, &err), &err);
        spn_ladder_look_at_rung(&r, ladder, spn_ladder_rungs(ladder) - 1);
        add(&c[0], law->log_z_marginal, r.log_z, r.log_z_low, r.log_z_high);
        add(&c[1], law->mean_energy, r.energy, r.energy_low, r.energy_high);
        add(&c[2], law->entropy, r.entropy, r.entropy_low, r.entropy_high);
        trips += (double)spn_ladder_round_trips(ladder, SPN_LADDER_ALL) / (double)runs;
        spn_sampler_free(ladder);
    }
    printf("| %s | %zu | %g | %llu | %.0f", p->name, p->replicas, p->beta,
           (unsigned long long)p->scans, trips);
    print_cover(&c[0], law->log_z_marginal, (double)runs);
    print_cover(&c[1], law->mean_energy, (double)runs);
    print_cover(&c[2], law->entropy, (double)runs);
    printf(" |\n");
}

static void study_population(const problem *p, const spn_energy *energy, const spn_law *law,
                             size_t runs)
{
    enum { GROUPS = 256 };
    spn_error err = {0};
    cover c[2] = {{0}};
    for (size_t seed = 1; seed <= runs; seed++) {
        spn_chain_options chain = spn_chain_defaults();
        spn_population_options o = spn_population_defaults();
        spn_sampler *population;
        spn_population_result r;
        spn_stop stop;
        chain.replicas = p->replicas;
        chain.seed = seed;
        o.chain = &chain;
        o.beta_last = p->beta;
        o.gamma_first = o.gamma_last = p->gamma;
        o.groups = GROUPS;
        check(spn_population_create(&population, energy, &o, &err), &err);
        check(spn_sampler_run(&stop, population, NULL, &err), &err);
        spn_population_look(&r, population);
        add(&c[0], law->log_z_marginal, r.log_z, r.log_z_low, r.log_z_high);
        add(&c[1], law->entropy, r.entropy, r.entropy_low, r.entropy_high);
        spn_sampler_free(population);
    }
    printf("| %s | %zu | %g", p->name, p->replicas, p->beta);
    print_cover(&c[0], law->log_z_marginal, (double)runs);
    print_cover(&c[1], law->entropy, (double)runs);
    printf(" |\n");
}

/* States of the least energy, in all. */
static void study_entropy(const problem *p, const spn_energy *energy,
                          const spn_landscape *landscape, size_t runs)
{
    spn_error err = {0};
    cover c = {0};
    const double exact = log((double)landscape->minima_count);
    for (size_t seed = 1; seed <= runs; seed++) {
        spn_chain_options chain = spn_chain_defaults();
        spn_ladder_options ladder = spn_ladder_defaults();
        spn_local_entropy_options o = spn_local_entropy_defaults();
        spn_local_entropy found;
        chain.seed = seed;
        ladder.chain = &chain;
        ladder.beta_last = p->beta;
        ladder.scans = p->scans;
        o.ladder = &ladder;
        o.up_to = landscape->minimum;
        check(spn_local_entropy_measure(&found, energy, &o, &err), &err);
        add(&c, exact, found.log_count, found.low, found.high);
    }
    printf("| %s | %g | %llu | %zu", p->name, p->beta, (unsigned long long)p->scans,
           landscape->minima_count);
    print_cover(&c, exact, (double)runs);
    printf(" |\n");
}

static void study(const problem *p, const char *what, size_t runs)
{
    spn_error err = {0};
    spn_energy *energy = p->make();
    spn_landscape *landscape;
    spn_law *law;
    check(spn_landscape_create(&landscape, energy, 1, &err), &err);
    check(spn_law_create(&law, landscape, p->replicas, p->beta, p->gamma, SPN_LAW_AUTO, &err),
          &err);
    if (strcmp(what, "ladder") == 0)
        study_ladder(p, energy, law, runs);
    else if (strcmp(what, "population") == 0)
        study_population(p, energy, law, runs);
    else if (p->replicas == 1)
        study_entropy(p, energy, landscape, runs);
    fflush(stdout);
    spn_law_free(law);
    spn_landscape_free(landscape);
    spn_energy_free(energy);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "ladder";
    const size_t runs = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1000;
    if (strcmp(what, "ladder") == 0)
        printf("| problem | y | β | scans | trips | log Z | width | energy | width | entropy | "
               "width |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    else if (strcmp(what, "population") == 0)
        printf("| problem | y | β | log Z | width | entropy | width "
               "|\n|---|---|---|---|---|---|---|\n");
    else if (strcmp(what, "entropy") == 0)
        printf("| problem | β | scans | states | entropy | width |\n|---|---|---|---|---|---|\n");
    else
        return fprintf(stderr,
                       "usage: study_intervals [ladder|entropy|population [RUNS [PROBLEM]]]\n"),
               2;
    for (size_t k = 0; k < sizeof PROBLEMS / sizeof *PROBLEMS; k++)
        if (argc <= 3 || strcmp(argv[3], PROBLEMS[k].name) == 0)
            study(&PROBLEMS[k], what, runs);
    return 0;
}
