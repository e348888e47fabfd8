/* Committees: conformance of all shapes, one unit as a perceptron, teachers, the loops of every
   instruction set. */
#include "base/machine.h"
#include "energy/perceptron.h"
#include "support/conformance.h"
#include "support/test.h"

#include <spinney/energies.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

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
            spn_test_made.units = shapes[k].units;
            spn_test_made.tree = shapes[k].tree;
            spn_test_check_kind(spn_energy_find(names[name]), shapes[k].sites, 131, false, 2000,
                                97);
        }
    spn_test_made.units = 3;
    spn_test_made.tree = false;
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
            spn_problem *problem =
                spn_test_random_problem(spn_energy_find("errors"), sites, 70, false);
            spn_energy_options options = spn_energy_options_defaults();
            options.units = 1;
            options.tree = form % 2;
            assert_ok(spn_energy_create(&errors, "errors", problem, &err), err);
            assert_ok(spn_energy_create_as(&one, names[form / 2], problem, &options, &err), err);
            assert_int_equal(one->sites, sites);
            spn_test_check_same_values(errors, one);
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
        assert_true(spn_energy_value(energy, taught->teacher) == 0);
        spn_energy_free(energy);
        assert_ok(spn_energy_create_as(&energy, "committee-units", plain, &options, &err), err);
        assert_true(spn_energy_value(energy, taught->teacher) > 0);
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

/* The same for committees, whose caches are compared as well. */
static void compare_committee_kernels(const spn_energy_slots *wide, bool tree)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = spn_test_random_problem(spn_energy_find("committee"), 65, 641, false);
    spn_energy_options options = spn_energy_options_defaults();
    options.units = 5;
    options.tree = tree;
    assert_ok(spn_energy_create_as(&energy, "committee-units", problem, &options, &err), err);
    const size_t size = (energy->cache_size + 63) / 64 * 64;
    spn_perceptron_cache *a = aligned_alloc(64, size), *b = aligned_alloc(64, size);
    int8_t spins[325];
    spn_random r = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, spn_energy_sites(energy));
    spn_energy_attach(energy, a, spins);
    memcpy(b, a, energy->cache_size);
    for (size_t k = 0; k < 3000; k++) {
        const size_t site = spn_random_below(&r, (uint32_t)spn_energy_sites(energy));
        assert_near(spn_committee_portable.delta(energy, a, spins, site),
                    wide->delta(energy, b, spins, site), 0);
        spins[site] = (int8_t)-spins[site];
        assert_near(spn_committee_portable.commit(energy, a, spins, site),
                    wide->commit(energy, b, spins, site), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committees_conform),
        cmocka_unit_test(a_committee_of_one_counts_errors),
        cmocka_unit_test(impossible_committees_are_refused),
        cmocka_unit_test(committees_teach),
        cmocka_unit_test(committee_kernels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
