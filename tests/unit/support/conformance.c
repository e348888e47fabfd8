#include "support/conformance.h"

#include "support/small.h"
#include "support/test.h"
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

spn_test_making spn_test_made = {.kappa = NAN, .units = 3};

static double kappa_of(const char *name)
{
    return isnan(spn_test_made.kappa) ? strcmp(name, "symmetric") == 0 : spn_test_made.kappa;
}

/* label * <W, pattern>/sqrt(N) */
static double direct_stability(const spn_problem *p, const int8_t *w, size_t mu)
{
    long x = 0;
    for (size_t i = 0; i < p->sites; i++)
        x += w[i] * (p->values ? p->values[mu * p->sites + i] : p->rows[mu * p->sites + i]);
    return (double)(x * p->labels[mu]) / sqrt((double)p->sites) / (p->values ? SPN_VALUE_ONE : 1);
}

static double direct_perceptron(const char *name, const spn_problem *p, const int8_t *w)
{
    const double kappa = kappa_of(name), flip = 2 / sqrt((double)p->sites);
    const bool strict = strcmp(name, "bits-strict") == 0 || strcmp(name, "product") == 0;
    const bool counts = strncmp(name, "bits", 4) == 0;
    double total = 0;
    for (size_t mu = 0; mu < p->count; mu++) {
        const double x = direct_stability(p, w, mu);
        double flips = 0;
        if (strcmp(name, "symmetric") == 0)
            flips = fabs(x) > kappa;
        else /* the 1e-9 are for sums of flips, which are rounded; thresholds are far from them */
            while (strict ? x + flips * flip <= kappa + 1e-9 : x + flips * flip < kappa - 1e-9)
                flips++;
        total += counts ? flips : flips > 0;
    }
    return strcmp(name, "product") == 0 ? total > 0 : total;
}

static bool is_logistic(const char *name)
{
    return strncmp(name, "logistic", strlen("logistic")) == 0;
}

static double direct_logistic(const char *name, const spn_problem *p, const int8_t *w)
{
    const long double steepness = strcmp(name, "logistic") == 0 ? 1 : 20;
    long double total = 0;
    for (size_t mu = 0; mu < p->count; mu++) {
        long x = 0;
        for (size_t i = 0; i < p->sites; i++)
            x += w[i] * p->rows[mu * p->sites + i];
        long double z = steepness * (long double)(x * p->labels[mu]);
        total += z < -5000 ? -z : log1pl(expl(-z));
    }
    return (double)total;
}

double spn_test_direct_graph(const char *name, const spn_problem *p, const int8_t *s)
{
    double total = 0;
    for (size_t e = 0; e < p->count; e++) {
        const spn_edge *edge = &p->edges[e];
        int a = s[edge->i], b = s[edge->j];
        if (strcmp(name, "ising") == 0)
            total += edge->weight * (edge->i == edge->j ? a : a * b);
        else if (strcmp(name, "qubo") == 0)
            total += edge->weight * ((a + 1) / 2) * ((b + 1) / 2);
        else
            total -= a != b ? edge->weight : 0;
    }
    return total;
}

static double direct_listed(const char *name, const spn_problem *p, const int8_t *s)
{
    size_t index = 0, least = SIZE_MAX;
    if (strcmp(name, "table") == 0) {
        for (size_t i = 0; i < p->sites; i++)
            index += s[i] > 0 ? (size_t)1 << i : 0;
        return p->energies[index];
    }
    for (size_t m = 0; m < p->count; m++) {
        size_t distance = 0;
        for (size_t i = 0; i < p->sites; i++)
            distance += s[i] != p->rows[m * p->sites + i];
        least = distance < least ? distance : least;
    }
    return (double)least;
}

static bool is_committee(const char *name)
{
    return strncmp(name, "committee", strlen("committee")) == 0;
}

/* Units that would have to change sign for pattern mu: none where the majority is right. */
static long committee_lacks(const spn_problem *p, const int8_t *w, size_t mu)
{
    const size_t inputs = spn_test_made.tree ? p->sites / spn_test_made.units : p->sites;
    long needed = (long)(spn_test_made.units + 1) / 2;
    for (size_t unit = 0; unit < spn_test_made.units; unit++) {
        long x = 0;
        for (size_t i = 0; i < inputs; i++)
            x += w[unit * inputs + i] *
                 p->rows[mu * p->sites + (spn_test_made.tree ? unit * inputs + i : i)] *
                 p->labels[mu];
        needed -= x >= 0;
    }
    return needed > 0 ? needed : 0;
}

static double direct_committee(const char *name, const spn_problem *p, const int8_t *w)
{
    long total = 0;
    for (size_t mu = 0; mu < p->count; mu++) {
        const long lacks = committee_lacks(p, w, mu);
        total += strcmp(name, "committee") == 0 ? lacks > 0 : lacks;
    }
    return (double)total;
}

/* The energy by its definition. */
static double direct(const char *name, const spn_problem *p, const int8_t *spins)
{
    if (is_logistic(name))
        return direct_logistic(name, p, spins);
    if (is_committee(name))
        return direct_committee(name, p, spins);
    if (p->kind == SPN_PROBLEM_PATTERNS)
        return direct_perceptron(name, p, spins);
    if (p->edges)
        return spn_test_direct_graph(name, p, spins);
    return direct_listed(name, p, spins);
}

spn_problem *spn_test_random_problem(const spn_energy_kind *kind, size_t sites, size_t count,
                                     bool real)
{
    spn_error err = {0};
    spn_problem *p;
    spn_random r = spn_random_make(sites * 1000 + count, 0, 0, SPN_PURPOSE_USER);
    if (kind->problem == SPN_PROBLEM_PATTERNS) {
        spn_random_patterns o = spn_random_patterns_defaults();
        o.sites = sites;
        o.count = count;
        o.seed = 4;
        o.gaussian = spn_test_made.gaussian;
        assert_ok(spn_problem_random_patterns_as(&p, &o, &err), err);
        return p;
    }
    p = calloc(1, sizeof *p);
    p->kind = kind->problem;
    p->sites = sites;
    p->count = kind->problem == SPN_PROBLEM_TABLE ? (size_t)1 << sites : count;
    if (kind->problem == SPN_PROBLEM_TABLE) {
        p->energies = malloc(p->count * sizeof *p->energies);
        for (size_t k = 0; k < p->count; k++)
            p->energies[k] = real ? spn_random_uniform(&r) : spn_random_below(&r, 20);
    } else if (kind->problem == SPN_PROBLEM_STATES) {
        p->rows = malloc(sites * count);
        spn_random_spins(&r, p->rows, sites * count);
    } else {
        p->edges = malloc(count * sizeof *p->edges);
        for (size_t e = 0; e < count; e++) {
            uint32_t i = spn_random_below(&r, (uint32_t)sites), j;
            do
                j = spn_random_below(&r, (uint32_t)sites);
            while (kind->problem == SPN_PROBLEM_CUT && i == j && sites > 1);
            double w = real ? spn_random_uniform(&r) - 0.3 : (double)spn_random_below(&r, 21) - 10;
            p->edges[e] = (spn_edge){i, j, w};
        }
        if (kind->problem == SPN_PROBLEM_CUT && sites == 1)
            p->count = 0; /* a graph of one vertex has no edges */
    }
    return p;
}

/* Random flips, checking as it goes; `often` is how many flips lie between two full checks. */
static void check_flips(const spn_energy *energy, const char *name, const spn_problem *problem,
                        size_t flips, size_t often)
{
    const size_t n = spn_energy_sites(energy);
    void *cache = aligned_alloc(64, (spn_energy_cache_size(energy) + 63) / 64 * 64);
    void *fresh = aligned_alloc(64, (spn_energy_cache_size(energy) + 63) / 64 * 64);
    int8_t *spins = malloc(n);
    spn_random r = spn_random_make(11, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, n);
    double value = spn_energy_attach(energy, cache, spins);
    for (size_t k = 0; k < flips; k++) {
        size_t site = spn_random_below(&r, (uint32_t)n);
        double delta = spn_energy_delta(energy, cache, spins, site);
        spins[site] = (int8_t)-spins[site];
        double after = spn_energy_commit(energy, cache, spins, site);
        if (spn_energy_integral(energy))
            assert_true(value + delta == after);
        else
            assert_near(value + delta, after, 1e-12 * (1 + fabs(value)));
        if (k % often == 0) {
            double scratch = spn_energy_value(energy, spins);
            double exact = direct(name, problem, spins);
            if (spn_energy_integral(energy))
                assert_true(scratch == exact);
            assert_near(scratch, exact,
                        1e-12 * (1 + fabs(exact)) * sqrt((double)problem->count + 1));
            assert_true(after == scratch); /* no drift, to the last bit */
            assert_true(spn_energy_attach(energy, fresh, spins) == after);
            for (size_t i = 0; i < n && i < 50; i++) /* the caches agree in all they say */
                assert_true(spn_energy_delta(energy, cache, spins, i) ==
                            spn_energy_delta(energy, fresh, spins, i));
            /* a double flip is the identity */
            double forth = spn_energy_delta(energy, cache, spins, site);
            spins[site] = (int8_t)-spins[site];
            spn_energy_commit(energy, cache, spins, site);
            double back = spn_energy_delta(energy, cache, spins, site);
            spins[site] = (int8_t)-spins[site];
            assert_true(forth == -back);
            assert_true(spn_energy_commit(energy, cache, spins, site) == after);
        }
        value = after;
    }
    free(cache);
    free(fresh);
    free(spins);
}

void spn_test_check_kind(const spn_energy_kind *kind, size_t sites, size_t count, bool real,
                         size_t flips, size_t often)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = spn_test_random_problem(kind, sites, count, real);
    spn_energy_options options = spn_energy_options_defaults();
    options.kappa = spn_test_made.kappa;
    options.units = kind->units ? spn_test_made.units : 0;
    options.tree = spn_test_made.tree;
    assert_ok(spn_energy_create_as(&energy, kind->name, problem, &options, &err), err);
    assert_int_equal(spn_energy_sites(energy), is_committee(kind->name) && !spn_test_made.tree
                                                   ? spn_test_made.units * sites
                                                   : sites);
    assert_string_equal(spn_energy_name(energy), kind->name);
    assert_true(spn_energy_integral(energy) || real || is_logistic(kind->name));
    check_flips(energy, kind->name, problem, flips, often);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

void spn_test_check_same_values(const spn_energy *a, const spn_energy *b)
{
    int8_t spins[20];
    assert_true(spn_energy_sites(a) == spn_energy_sites(b) && spn_energy_sites(a) <= sizeof spins);
    for (size_t state = 0; state < (size_t)1 << spn_energy_sites(a); state++) {
        for (size_t i = 0; i < spn_energy_sites(a); i++)
            spins[i] = state >> i & 1 ? 1 : -1;
        assert_true(spn_energy_value(a, spins) == spn_energy_value(b, spins));
    }
}
