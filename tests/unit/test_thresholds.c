/* Perceptrons with thresholds: conformance, defaults, what is impossible; planted solutions and
   Gaussian patterns; the loops of every instruction set. */
#include "base/machine.h"
#include "energy/perceptron.h"
#include "support/conformance.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* Thresholds, above and below 0, that are met exactly and that are not; and real values. */
static void thresholds_conform(void **state)
{
    (void)state;
    const double kappas[] = {-0.4, 0.2, 0.6, 1.0, 1.7};
    const size_t sites[] = {9, 16, 24, 25, 101};
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++)
        for (size_t s = 0; s < 5 && kind->has_kappa; s++)
            for (size_t t = 0; t < 5; t++) {
                spn_test_made.kappa = kappas[t];
                if (strcmp(kind->name, "symmetric") == 0 &&
                    spn_test_made.kappa * sqrt((double)sites[s]) < 1)
                    continue;
                spn_test_check_kind(kind, sites[s], 130, false, 1000, 7);
                spn_test_made.gaussian = true;
                if (strncmp(kind->name, "bits", 4) != 0)
                    spn_test_check_kind(kind, sites[s], 130, false, 1000, 7);
                spn_test_made.gaussian = false;
            }
    spn_test_made.kappa = NAN;
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
        spn_problem *problem = spn_test_random_problem(kind, 10, 70, false);
        assert_ok(spn_energy_create(&own, kind->name, problem, &err), err);
        if (!kind->has_kappa) {
            assert_int_equal(spn_energy_create_as(&given, kind->name, problem, &options, &err),
                             SPN_ERROR_ARGUMENT);
        } else {
            assert_ok(spn_energy_create_as(&given, kind->name, problem, &options, &err), err);
            assert_int_equal(own->cache_size, given->cache_size);
            spn_test_check_same_values(own, given);
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
        assert_null(plain->teacher);
        o.planting = cases[k].planting;
        assert_ok(spn_problem_random_patterns_as(&problem, &o, &err), err);
        assert_ok(spn_energy_create_as(&energy, cases[k].name, problem, &options, &err), err);
        assert_true(spn_energy_value(energy, problem->teacher) == 0);
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
    assert_null(p->rows);
    for (size_t k = 0; k < COUNT; k++)
        for (int power = 1; power < 5; power++)
            sums[power] += pow((double)p->values[k] / SPN_VALUE_ONE, power) / COUNT;
    assert_near(sums[1], 0, 5 * sqrt(1.0 / COUNT));
    assert_near(sums[2], 1, 5 * sqrt(2.0 / COUNT));
    assert_near(sums[3], 0, 5 * sqrt(15.0 / COUNT));
    assert_near(sums[4], 3, 5 * sqrt(96.0 / COUNT));
    spn_problem_free(p);
}

/* The portable loops against those of this machine's instruction set. */
static void compare_kernels(const char *name, const spn_energy_slots *plain,
                            const spn_energy_slots *wide)
{
    const spn_energy_kind *kind = spn_energy_find(name);
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = spn_test_random_problem(kind, 77, 641, false);
    assert_ok(spn_energy_create(&energy, name, problem, &err), err);
    size_t size = (energy->cache_size + 63) / 64 * 64;
    spn_perceptron_cache *a = aligned_alloc(64, size), *b = aligned_alloc(64, size);
    int8_t spins[77];
    spn_random r = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, 77);
    spn_energy_attach(energy, a, spins);
    memcpy(b, a, energy->cache_size);
    for (size_t k = 0; k < 5000; k++) {
        size_t site = spn_random_below(&r, 77);
        assert_near(plain->delta(energy, a, spins, site), wide->delta(energy, b, spins, site), 0);
        spins[site] = (int8_t)-spins[site];
        assert_near(plain->commit(energy, a, spins, site), wide->commit(energy, b, spins, site), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_conform),
        cmocka_unit_test(default_thresholds_change_nothing),
        cmocka_unit_test(impossible_thresholds_are_refused),
        cmocka_unit_test(planted_solutions_are_solutions),
        cmocka_unit_test(gaussian_patterns_are_gaussian),
        cmocka_unit_test(perceptron_kernels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
