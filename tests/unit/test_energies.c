/* Conformance of every energy: the change in a flip equals the recomputed difference, a double flip
   is the identity, caches never drift over 10^6 flips, one spin works. And each energy against its
   definition, computed from the problem without the library's data structures. */
#include "base/cpu.h"
#include "core/energy.h"
#include "data/problem.h"
#include "energy/committee.h"
#include "energy/perceptron.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The threshold that energies are made with in a test; NAN: their own. */
static double the_kappa = NAN;

/* The units of committees, and their kind. */
static size_t the_units = 3;
static bool the_tree;

static double kappa_of(const char *name)
{
    return isnan(the_kappa) ? strcmp(name, "symmetric") == 0 : the_kappa;
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

static double direct_graph(const char *name, const spn_problem *p, const int8_t *s)
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
    const size_t inputs = the_tree ? p->sites / the_units : p->sites;
    long needed = (long)(the_units + 1) / 2;
    for (size_t unit = 0; unit < the_units; unit++) {
        long x = 0;
        for (size_t i = 0; i < inputs; i++)
            x += w[unit * inputs + i] *
                 p->rows[mu * p->sites + (the_tree ? unit * inputs + i : i)] * p->labels[mu];
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
        return direct_graph(name, p, spins);
    return direct_listed(name, p, spins);
}

static bool the_gaussian; /* of patterns */

/* A random problem for an energy; `real` gives couplings that are no integers. */
static spn_problem *random_problem(const spn_energy_kind *kind, size_t sites, size_t count,
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
        o.gaussian = the_gaussian;
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
    const size_t n = energy->sites;
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
        if (energy->integral)
            assert_true(value + delta == after);
        else
            assert_near(value + delta, after, 1e-12 * (1 + fabs(value)));
        if (k % often == 0) {
            double scratch = spn_energy_value(energy, spins);
            double exact = direct(name, problem, spins);
            if (energy->integral)
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

static void check_kind(const spn_energy_kind *kind, size_t sites, size_t count, bool real,
                       size_t flips, size_t often)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = random_problem(kind, sites, count, real);
    spn_energy_options options = spn_energy_options_defaults();
    options.kappa = the_kappa;
    options.units = kind->create_of ? the_units : 0;
    options.tree = the_tree;
    assert_ok(spn_energy_create_as(&energy, kind->name, problem, &options, &err), err);
    assert_int_equal(energy->sites,
                     is_committee(kind->name) && !the_tree ? the_units * sites : sites);
    assert_string_equal(energy->slots->name, kind->name);
    assert_true(energy->integral || real || is_logistic(kind->name));
    check_flips(energy, kind->name, problem, flips, often);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void every_energy_conforms(void **state)
{
    (void)state;
    const size_t sites[] = {1, 2, 3, 8, 9, 12}, counts[] = {1, 5, 63, 64, 65, 200};
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++)
        for (size_t s = 0; s < 6; s++)
            for (size_t c = 0; c < 6; c++)
                for (int real = 0; real < 2; real++)
                    check_kind(kind, sites[s], counts[c], real, 300, 7);
}

static void larger_energies_conform(void **state)
{
    (void)state;
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++) {
        if (kind->problem == SPN_PROBLEM_TABLE)
            continue;
        check_kind(kind, 501, 300, true, 20000, 1999);
        check_kind(kind, 1000, 777, false, 20000, 1999);
    }
}

static void nothing_drifts_in_a_million_flips(void **state)
{
    (void)state;
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++)
        check_kind(kind, kind->problem == SPN_PROBLEM_TABLE ? 10 : 101, 150, true, 1000000, 99991);
}

/* Thresholds, above and below 0, that are met exactly and that are not; and real values. */
static void thresholds_conform(void **state)
{
    (void)state;
    const double kappas[] = {-0.4, 0.2, 0.6, 1.0, 1.7};
    const size_t sites[] = {9, 16, 24, 25, 101};
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++)
        for (size_t s = 0; s < 5 && kind->create_at; s++)
            for (size_t t = 0; t < 5; t++) {
                the_kappa = kappas[t];
                if (strcmp(kind->name, "symmetric") == 0 && the_kappa * sqrt((double)sites[s]) < 1)
                    continue;
                check_kind(kind, sites[s], 130, false, 1000, 7);
                the_gaussian = true;
                if (strncmp(kind->name, "bits", 4) != 0)
                    check_kind(kind, sites[s], 130, false, 1000, 7);
                the_gaussian = false;
            }
    the_kappa = NAN;
}

/* Without a threshold, or with the one that it has, an energy is the same. */
static void default_thresholds_change_nothing(void **state)
{
    (void)state;
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++) {
        spn_error err = {0};
        spn_energy *own, *given;
        spn_energy_options options = spn_energy_options_defaults();
        options.kappa = kind->kappa;
        spn_problem *problem = random_problem(kind, 10, 70, false);
        assert_ok(spn_energy_create(&own, kind->name, problem, &err), err);
        if (!kind->create_at) {
            assert_int_equal(spn_energy_create_as(&given, kind->name, problem, &options, &err),
                             SPN_ERROR_ARGUMENT);
        } else {
            assert_ok(spn_energy_create_as(&given, kind->name, problem, &options, &err), err);
            assert_int_equal(own->cache_size, given->cache_size);
            for (size_t state_number = 0; state_number < 1024; state_number++) {
                int8_t spins[10];
                for (size_t i = 0; i < 10; i++)
                    spins[i] = state_number >> i & 1 ? 1 : -1;
                assert_true(spn_energy_value(own, spins) == spn_energy_value(given, spins));
            }
            spn_energy_free(given);
        }
        spn_energy_free(own);
        spn_problem_free(problem);
    }
}

static void impossible_thresholds_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *name;
        size_t sites;
        double kappa;
    } cases[] = {{"errors", 25, 5.1},     {"bits", 25, -5},     {"product", 25, 5},
                 {"symmetric", 25, -0.1}, {"symmetric", 25, 6}, {"symmetric", 25, 0.1},
                 {"errors", 25, INFINITY}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_energy_options options = spn_energy_options_defaults();
        options.kappa = cases[k].kappa;
        spn_problem *problem;
        assert_ok(spn_problem_random_patterns(&problem, cases[k].sites, 3, 1, false, &err), err);
        assert_int_equal(spn_energy_create_as(&energy, cases[k].name, problem, &options, &err),
                         SPN_ERROR_ARGUMENT);
        assert_null(energy);
        spn_problem_free(problem);
    }
}

/* A planted solution is one, by any threshold, and the patterns are those without it where they
   were right already. */
static void planted_solutions_are_solutions(void **state)
{
    (void)state;
    const struct {
        const char *name;
        spn_planting planting;
        double kappa;
        bool gaussian;
    } cases[] = {{"symmetric", SPN_PLANTING_WITHIN, 1, false},
                 {"symmetric", SPN_PLANTING_WITHIN, 0.5, true},
                 {"errors", SPN_PLANTING_ABOVE, 0.5, true},
                 {"errors", SPN_PLANTING_ABOVE, 0, false},
                 {"bits-strict", SPN_PLANTING_ABOVE, 0.6, false},
                 {"bits", SPN_PLANTING_ABOVE, -0.4, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_problem *problem, *plain;
        spn_energy_options options = spn_energy_options_defaults();
        spn_random_patterns o = spn_random_patterns_defaults();
        options.kappa = o.kappa = cases[k].kappa;
        o.sites = 25;
        o.count = 200;
        o.seed = 5;
        o.gaussian = cases[k].gaussian;
        assert_ok(spn_problem_random_patterns_as(&plain, &o, &err), err);
        assert_null(spn_problem_teacher(plain));
        o.planting = cases[k].planting;
        assert_ok(spn_problem_random_patterns_as(&problem, &o, &err), err);
        assert_ok(spn_energy_create_as(&energy, cases[k].name, problem, &options, &err), err);
        assert_true(spn_energy_value(energy, spn_problem_teacher(problem)) == 0);
        size_t kept = 0;
        for (size_t mu = 0; mu < 200; mu++)
            kept += problem->values
                        ? memcmp(problem->values + mu * 25, plain->values + mu * 25, 50) == 0
                        : memcmp(problem->rows + mu * 25, plain->rows + mu * 25, 25) == 0;
        assert_true(kept > 40 && (kept < 200 || cases[k].kappa <= 0));
        spn_energy_free(energy);
        spn_problem_free(problem);
        spn_problem_free(plain);
    }
    spn_random_patterns o = spn_random_patterns_defaults();
    spn_problem *problem;
    spn_error err = {0};
    o.sites = 25;
    o.count = 9;
    o.planting = SPN_PLANTING_ABOVE;
    o.kappa = 4.9;
    assert_int_equal(spn_problem_random_patterns_as(&problem, &o, &err), SPN_ERROR_ARGUMENT);
    assert_null(problem);
}

/* Mean, variance and fourth moment of Gaussian patterns, within 5 standard errors (1e-6). */
static void gaussian_patterns_are_gaussian(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    spn_random_patterns o = spn_random_patterns_defaults();
    spn_problem *p;
    spn_error err = {0};
    double sums[5] = {0};
    o.sites = 100;
    o.count = COUNT / 100;
    o.seed = 8;
    o.gaussian = true;
    assert_ok(spn_problem_random_patterns_as(&p, &o, &err), err);
    assert_null(spn_problem_rows(p));
    for (size_t k = 0; k < COUNT; k++)
        for (int power = 1; power < 5; power++)
            sums[power] += pow((double)p->values[k] / SPN_VALUE_ONE, power) / COUNT;
    assert_near(sums[1], 0, 5 * sqrt(1.0 / COUNT));
    assert_near(sums[2], 1, 5 * sqrt(2.0 / COUNT));
    assert_near(sums[3], 0, 5 * sqrt(15.0 / COUNT));
    assert_near(sums[4], 3, 5 * sqrt(96.0 / COUNT));
    spn_problem_free(p);
}

/* Shapes of committees: even and odd shares, one unit, as many as inputs. */
static void committees_conform(void **state)
{
    (void)state;
    const struct {
        size_t sites, units;
        bool tree;
    } shapes[] = {{15, 5, true}, {20, 5, true},   {7, 7, true},   {1, 1, true},   {9, 1, false},
                  {4, 5, false}, {33, 15, false}, {105, 5, true}, {129, 3, false}};
    const char *const names[] = {"committee", "committee-units"};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (size_t name = 0; name < 2; name++) {
            the_units = shapes[k].units;
            the_tree = shapes[k].tree;
            check_kind(spn_energy_find(names[name]), shapes[k].sites, 131, false, 2000, 97);
        }
    the_units = 3;
    the_tree = false;
}

/* A committee of one is a perceptron, state by state and flip by flip. */
static void a_committee_of_one_counts_errors(void **state)
{
    (void)state;
    const char *const names[] = {"committee", "committee-units"};
    for (size_t sites = 9; sites < 11; sites++)
        for (int form = 0; form < 4; form++) {
            spn_error err = {0};
            spn_energy *errors, *one;
            spn_problem *problem = random_problem(spn_energy_find("errors"), sites, 70, false);
            spn_energy_options options = spn_energy_options_defaults();
            options.units = 1;
            options.tree = form % 2;
            assert_ok(spn_energy_create(&errors, "errors", problem, &err), err);
            assert_ok(spn_energy_create_as(&one, names[form / 2], problem, &options, &err), err);
            assert_int_equal(one->sites, sites);
            for (size_t number = 0; number < (size_t)1 << sites; number++) {
                int8_t spins[10];
                for (size_t i = 0; i < sites; i++)
                    spins[i] = number >> i & 1 ? 1 : -1;
                assert_true(spn_energy_value(errors, spins) == spn_energy_value(one, spins));
            }
            spn_energy_free(errors);
            spn_energy_free(one);
            spn_problem_free(problem);
        }
}

static void impossible_committees_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *name, *says;
        size_t units;
        bool tree;
    } cases[] = {{"committee", "odd number of units", 4, false},
                 {"committee-units", "odd number of units", 2, true},
                 {"committee", "no multiple", 7, true},
                 {"committee", "at most 2^32-1 spins", 4294967291u, false},
                 {"errors", "has no hidden units", 3, false},
                 {"bits", "has no hidden units", 0, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_problem *problem;
        spn_energy_options options = spn_energy_options_defaults();
        options.units = cases[k].units;
        options.tree = cases[k].tree;
        assert_ok(spn_problem_random_patterns(&problem, 15, 3, 1, false, &err), err);
        assert_int_equal(spn_energy_create_as(&energy, cases[k].name, problem, &options, &err),
                         SPN_ERROR_ARGUMENT);
        assert_non_null(strstr(err.text, cases[k].says));
        assert_null(energy);
        spn_problem_free(problem);
    }
}

/* Committees as teachers: they solve what they labelled, and their patterns are those of no
   teacher. */
static void committees_teach(void **state)
{
    (void)state;
    const struct {
        size_t sites, units;
        bool tree;
    } shapes[] = {{20, 5, true}, {15, 3, true}, {12, 3, false}, {9, 5, false}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_problem *plain, *taught;
        spn_random_patterns o = spn_random_patterns_defaults();
        spn_energy_options options = spn_energy_options_defaults();
        o.sites = shapes[k].sites;
        o.count = 400;
        o.seed = 6;
        assert_ok(spn_problem_random_patterns_as(&plain, &o, &err), err);
        o.planting = SPN_PLANTING_ABOVE;
        options.units = o.units = shapes[k].units;
        options.tree = o.tree = shapes[k].tree;
        assert_ok(spn_problem_random_patterns_as(&taught, &o, &err), err);
        assert_memory_equal(plain->rows, taught->rows, 400 * o.sites);
        assert_ok(spn_energy_create_as(&energy, "committee-units", taught, &options, &err), err);
        assert_true(spn_energy_value(energy, spn_problem_teacher(taught)) == 0);
        spn_energy_free(energy);
        assert_ok(spn_energy_create_as(&energy, "committee-units", plain, &options, &err), err);
        assert_true(spn_energy_value(energy, spn_problem_teacher(taught)) > 0);
        spn_energy_free(energy);
        spn_problem_free(plain);
        spn_problem_free(taught);
    }
    spn_error err = {0};
    spn_problem *problem;
    spn_random_patterns o = spn_random_patterns_defaults();
    o.sites = 15;
    o.count = 3;
    o.units = 4;
    assert_int_equal(spn_problem_random_patterns_as(&problem, &o, &err), SPN_ERROR_ARGUMENT);
    o.units = 7;
    o.tree = true;
    assert_int_equal(spn_problem_random_patterns_as(&problem, &o, &err), SPN_ERROR_ARGUMENT);
    o.units = 5;
    o.gaussian = true;
    assert_int_equal(spn_problem_random_patterns_as(&problem, &o, &err), SPN_ERROR_ARGUMENT);
}

/* Couplings of very different sizes, and huge ones, keep the exactness. */
static void extreme_couplings_are_exact(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 1e15}, {1, 2, -3e-3}, {2, 3, 1e9}, {3, 3, 0.1}, {0, 3, -7e14}};
    spn_problem p = {.kind = SPN_PROBLEM_COUPLINGS, .sites = 4, .count = 5, .edges = edges};
    for (const char *const *name = (const char *const[]){"ising", "qubo", NULL}; *name; name++) {
        spn_energy *energy;
        assert_ok(spn_energy_create(&energy, *name, &p, &err), err);
        int8_t spins[4] = {1, -1, 1, -1};
        double exact = direct_graph(*name, &p, spins);
        assert_near(spn_energy_value(energy, spins), exact, 1.0); /* 2^-51 of 2e15 */
        void *cache = aligned_alloc(64, 128);
        double value = spn_energy_attach(energy, cache, spins);
        for (size_t k = 0; k < 1000; k++) {
            double delta = spn_energy_delta(energy, cache, spins, k % 4);
            spins[k % 4] = (int8_t)-spins[k % 4];
            double after = spn_energy_commit(energy, cache, spins, k % 4);
            assert_true(after == value + delta && after == spn_energy_value(energy, spins));
            value = after;
        }
        free(cache);
        spn_energy_free(energy);
    }
    edges[0].weight = 1e305;
    spn_energy *energy;
    assert_int_equal(spn_energy_create(&energy, "ising", &p, &err), SPN_ERROR_INPUT);
}

/* Energies of every state, by definition. */
static void check_all_states(const char *name, const spn_problem *p)
{
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, name, p, &err), err);
    for (unsigned index = 0; index < 1u << p->sites; index++) {
        int8_t spins[8];
        for (size_t i = 0; i < p->sites; i++)
            spins[i] = index >> i & 1 ? 1 : -1;
        assert_true(spn_energy_value(energy, spins) == direct_graph(name, p, spins));
    }
    assert_int_equal(spn_energy_zeroed(energy), 0);
    spn_energy_free(energy);
}

/* Where few bits hold all weights they are exact, however small or large; also halves and quarters
   of the smallest. */
static void weights_of_any_scale_are_exact(void **state)
{
    (void)state;
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    static const double scales[] = {0x1p-930, 0x1p-500, 0x1.fffp-900, 1, 0x1p900, 0x1p970};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
        for (size_t n = 0; n < 3; n++) {
            spn_edge edges[] = {{0, 1, 1}, {1, 2, -3}, {2, 3, 0x1p20}, {0, 3, -1}, {2, 2, 5}};
            const size_t count = n == 2 ? 4 : 5; /* a graph of cuts has no loop */
            for (size_t e = 0; e < 5; e++)
                edges[e].weight *= scales[k];
            spn_problem *p;
            spn_error err = {0};
            assert_ok((n == 2 ? spn_problem_cut_create : spn_problem_couplings_create)(&p, 4, count,
                                                                                       edges, &err),
                      err);
            check_all_states(names[n], p);
            spn_problem_free(p);
        }
}

/* What cannot be kept is refused, and what comes to 0 beside the others is counted. */
static void weights_that_vanish(void **state)
{
    (void)state;
    static const double tiny[] = {1e-300, -1e-308, 5e-324, 9.9e-281};
    spn_edge edges[] = {{0, 1, 1}, {1, 2, 0}, {2, 2, 0}};
    spn_error err = {0};
    spn_problem *p;
    spn_energy *energy;
    for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++) {
        edges[1].weight = tiny[k];
        assert_int_equal(spn_problem_couplings_create(&p, 3, 3, edges, &err), SPN_ERROR_ARGUMENT);
        assert_non_null(strstr(err.text, "the weight of edge 1 is"));
        assert_non_null(strstr(err.text, "multiply all by a power of ten"));
        assert_int_equal(spn_problem_cut_create(&p, 3, 2, edges, &err), SPN_ERROR_ARGUMENT);
    }
    static const struct {
        double one, other;
        size_t zeroed;
    } cases[] = {{0, 0, 0},         {1e-15, 1, 0},      {1e-20, 1, 1},
                 {1e-20, 1e-20, 2}, {9e299, 1e-280, 2}, {1e-280, -1e-280, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        edges[1].weight = cases[k].one;
        edges[2].weight = cases[k].other;
        assert_ok(spn_problem_couplings_create(&p, 3, 3, edges, &err), err);
        assert_ok(spn_energy_create(&energy, "ising", p, &err), err);
        assert_int_equal(spn_energy_zeroed(energy), cases[k].zeroed);
        spn_energy_free(energy);
        spn_problem_free(p);
    }
}

/* The portable loops against those of this machine's instruction set. */
static void compare_kernels(const char *name, const spn_perceptron_kernels *plain,
                            const spn_perceptron_kernels *wide)
{
    const spn_energy_kind *kind = spn_energy_find(name);
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = random_problem(kind, 77, 641, false);
    assert_ok(spn_energy_create(&energy, name, problem, &err), err);
    const spn_perceptron *self = (const spn_perceptron *)energy;
    size_t size = (energy->cache_size + 63) / 64 * 64;
    spn_perceptron_cache *a = aligned_alloc(64, size), *b = aligned_alloc(64, size);
    int8_t spins[77];
    spn_random r = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, 77);
    spn_energy_attach(energy, a, spins);
    memcpy(b, a, energy->cache_size);
    for (size_t k = 0; k < 5000; k++) {
        size_t site = spn_random_below(&r, 77);
        assert_int_equal(plain->change(self, a, site, spins[site]),
                         wide->change(self, b, site, spins[site]));
        plain->flip(self, a, site, spins[site]);
        wide->flip(self, b, site, spins[site]);
        spins[site] = (int8_t)-spins[site];
        assert_memory_equal(a, b, energy->cache_size);
    }
    free(a);
    free(b);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void perceptron_kernels_agree(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (spn_cpu_isa() < SPN_ISA_AVX2)
        skip();
    compare_kernels("bits", &spn_perceptron_portable, &spn_perceptron_avx2);
    compare_kernels("symmetric", &spn_window_portable, &spn_window_avx2);
    if (spn_cpu_isa() < SPN_ISA_AVX512 || !spn_cpu_counts_bits())
        skip();
    compare_kernels("bits", &spn_perceptron_portable, &spn_perceptron_avx512);
    compare_kernels("symmetric", &spn_window_portable, &spn_window_avx512);
#endif
}

/* The same for committees, whose caches are compared as well. */
static void compare_committee_kernels(const spn_committee_kernels *wide, bool tree)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = random_problem(spn_energy_find("committee"), 65, 641, false);
    spn_energy_options options = spn_energy_options_defaults();
    options.units = 5;
    options.tree = tree;
    assert_ok(spn_energy_create_as(&energy, "committee-units", problem, &options, &err), err);
    const spn_committee *self = (const spn_committee *)energy;
    const size_t size = (energy->cache_size + 63) / 64 * 64;
    spn_committee_cache *a = aligned_alloc(64, size), *b = aligned_alloc(64, size);
    int8_t spins[325];
    spn_random r = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, energy->sites);
    spn_energy_attach(energy, a, spins);
    memcpy(b, a, energy->cache_size);
    for (size_t k = 0; k < 3000; k++) {
        const size_t site = spn_random_below(&r, (uint32_t)energy->sites);
        assert_int_equal(spn_committee_portable.change(self, a, site, spins[site]),
                         wide->change(self, b, site, spins[site]));
        spn_committee_portable.flip(self, a, site, spins[site]);
        wide->flip(self, b, site, spins[site]);
        spins[site] = (int8_t)-spins[site];
        assert_memory_equal(a, b, energy->cache_size);
    }
    free(a);
    free(b);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void committee_kernels_agree(void **state)
{
    (void)state;
#if defined(__x86_64__)
    for (int tree = 0; tree < 2; tree++) {
        if (spn_cpu_isa() >= SPN_ISA_AVX2)
            compare_committee_kernels(&spn_committee_avx2, tree);
        if (spn_cpu_isa() >= SPN_ISA_AVX512 && spn_cpu_counts_bits())
            compare_committee_kernels(&spn_committee_avx512, tree);
    }
#endif
}

static double ring_value(const int8_t *spins, size_t sites, void *context)
{
    double total = 0;
    for (size_t i = 0; i < sites; i++)
        total += *(const double *)context * spins[i] * spins[(i + 1) % sites];
    return total;
}

static double ring_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    int around = spins[(site + 1) % sites] + spins[(site + sites - 1) % sites];
    return -2 * *(const double *)context * spins[site] * around;
}

static void callbacks_conform(void **state)
{
    (void)state;
    double coupling = 0.1;
    for (int fast = 0; fast < 2; fast++) {
        spn_error err = {0};
        spn_energy *energy;
        assert_ok(spn_callback_create(&energy, 50, ring_value, fast ? ring_change : NULL, &coupling,
                                      &err),
                  err);
        void *cache = aligned_alloc(64, 128);
        int8_t spins[50];
        spn_random r = spn_random_make(2, 0, 0, SPN_PURPOSE_USER);
        spn_random_spins(&r, spins, 50);
        double value = spn_energy_attach(energy, cache, spins);
        for (size_t k = 0; k < (fast ? 1000000 : 20000); k++) {
            size_t site = spn_random_below(&r, 50);
            double delta = spn_energy_delta(energy, cache, spins, site);
            spins[site] = (int8_t)-spins[site];
            double after = spn_energy_commit(energy, cache, spins, site);
            assert_near(value + delta, after, 1e-12);
            if (k % 1000 == 0) /* the sum of 4096 roundings at most */
                assert_near(after, ring_value(spins, 50, &coupling), 4096 * 1e-15);
            value = after;
        }
        free(cache);
        spn_energy_free(energy);
    }
    spn_error err = {0};
    spn_energy *energy;
    assert_int_equal(spn_callback_create(&energy, 0, ring_value, NULL, NULL, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_callback_create(&energy, 3, NULL, NULL, NULL, &err), SPN_ERROR_ARGUMENT);
}

typedef struct batch_calls {
    double coupling;
    size_t calls, states, largest;
} batch_calls;

static void ring_values(double *out, const int8_t *states, size_t count, size_t sites,
                        void *context)
{
    batch_calls *calls = context;
    calls->calls++;
    calls->states += count;
    calls->largest = count > calls->largest ? count : calls->largest;
    for (size_t k = 0; k < count; k++)
        out[k] = ring_value(states + k * sites, sites, &calls->coupling);
}

/* Bit for bit the plain callback, whatever is asked for together. */
static void batches_are_the_plain_callback(void **state)
{
    (void)state;
    enum { SITES = 50 };
    batch_calls calls = {.coupling = 0.1};
    spn_error err = {0};
    spn_energy *plain, *batch;
    assert_ok(spn_callback_create(&plain, SITES, ring_value, NULL, &calls.coupling, &err), err);
    assert_ok(spn_batch_callback_create(&batch, SITES, ring_values, &calls, &err), err);
    void *caches[2] = {aligned_alloc(64, 1024), aligned_alloc(64, 1024)};
    assert_true(spn_energy_cache_size(batch) <= 1024 && spn_energy_cache_size(plain) <= 1024);
    int8_t spins[SITES];
    spn_random r = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, SITES);
    assert_true(spn_energy_attach(plain, caches[0], spins) ==
                spn_energy_attach(batch, caches[1], spins));
    for (size_t k = 0; k < 5000; k++) {
        const size_t site = spn_random_below(&r, SITES);
        const double delta = spn_energy_delta(batch, caches[1], spins, site);
        assert_true(spn_energy_delta(plain, caches[0], spins, site) == delta);
        if (k % (1 + k / 100) != 0) /* ever longer stays */
            continue;
        spins[site] = (int8_t)-spins[site];
        assert_true(spn_energy_commit(plain, caches[0], spins, site) ==
                    spn_energy_commit(batch, caches[1], spins, site));
    }
    assert_int_equal(calls.largest, SITES);
    /* a state at which the chain stays: all flips, in few calls and each at most twice and a bit */
    spn_energy_attach(batch, caches[1], spins);
    calls.calls = calls.states = 0;
    for (size_t k = 0; k < 20; k++)
        for (size_t site = 0; site < SITES; site++)
            spn_energy_delta(batch, caches[1], spins, site * 7 % SITES);
    assert_in_range(calls.calls, 6, 8);
    assert_in_range(calls.states, SITES, 3 * SITES);
    for (size_t k = 0; k < 2; k++)
        free(caches[k]);
    spn_energy_free(plain);
    spn_energy_free(batch);
    assert_int_equal(spn_batch_callback_create(&batch, 0, ring_values, NULL, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_batch_callback_create(&batch, 3, NULL, NULL, &err), SPN_ERROR_ARGUMENT);
}

static void wrong_problems_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *patterns = small_instance('A');
    assert_int_equal(spn_energy_create(&energy, "ising", patterns, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_energy_create(&energy, "nothing", patterns, &err), SPN_ERROR_ARGUMENT);
    assert_null(energy);
    spn_problem_free(patterns);
    spn_energy_free(NULL);
}

/* The published energies of the reference instances. */
static void reference_instances_have_their_energies(void **state)
{
    (void)state;
    for (const char *name = "AB"; *name; name++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_problem *problem = small_instance(*name);
        assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
        for (size_t k = 0; k < (size_t)1 << energy->sites; k++) {
            int8_t spins[8];
            for (size_t i = 0; i < energy->sites; i++)
                spins[i] = k >> i & 1 ? 1 : -1;
            assert_true(spn_energy_value(energy, spins) == small_reference_energies(*name)[k]);
        }
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_energy_conforms),
        cmocka_unit_test(larger_energies_conform),
        cmocka_unit_test(nothing_drifts_in_a_million_flips),
        cmocka_unit_test(thresholds_conform),
        cmocka_unit_test(default_thresholds_change_nothing),
        cmocka_unit_test(impossible_thresholds_are_refused),
        cmocka_unit_test(planted_solutions_are_solutions),
        cmocka_unit_test(gaussian_patterns_are_gaussian),
        cmocka_unit_test(extreme_couplings_are_exact),
        cmocka_unit_test(weights_of_any_scale_are_exact),
        cmocka_unit_test(weights_that_vanish),
        cmocka_unit_test(perceptron_kernels_agree),
        cmocka_unit_test(committees_conform),
        cmocka_unit_test(a_committee_of_one_counts_errors),
        cmocka_unit_test(impossible_committees_are_refused),
        cmocka_unit_test(committees_teach),
        cmocka_unit_test(committee_kernels_agree),
        cmocka_unit_test(callbacks_conform),
        cmocka_unit_test(batches_are_the_plain_callback),
        cmocka_unit_test(wrong_problems_are_refused),
        cmocka_unit_test(reference_instances_have_their_energies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
