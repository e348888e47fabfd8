/* Energies that users define: their functions are called, tables of older and newer headers work,
   and what cannot work is refused. */
#include "support/scratch.h"
#include "support/test.h"

#include <spinney/spinney.h>
#include <stdlib.h>

enum { SITES = 24 };

/* E = sum of (i + 1) s_i, and how often each function was called. */
typedef struct line {
    size_t attached, refreshed, destroyed;
} line;

static double energy(const void *problem, const int8_t *spins)
{
    (void)problem;
    double sum = 0;
    for (size_t i = 0; i < SITES; i++)
        sum += (double)(i + 1) * spins[i];
    return sum;
}

static double attach(const void *problem, void *cache, const int8_t *spins)
{
    ((line *)problem)->attached++;
    return *(double *)cache = energy(problem, spins);
}

static double delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)problem;
    (void)cache;
    return -2 * (double)(site + 1) * spins[site];
}

static double commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)problem;
    return *(double *)cache += 2 * (double)(site + 1) * spins[site];
}

static double refresh(const void *problem, void *cache, const int8_t *spins)
{
    ((line *)problem)->refreshed++;
    return *(double *)cache = energy(problem, spins);
}

static void destroy(void *problem)
{
    ((line *)problem)->destroyed++;
}

static spn_energy_ops all_ops(void)
{
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "line";
    ops.energy = energy;
    ops.attach = attach;
    ops.delta = delta;
    ops.commit = commit;
    ops.refresh = refresh;
    ops.destroy = destroy;
    return ops;
}

/* The energies of three replicas after some steps. */
static void anneal(double out[3], const spn_energy *e)
{
    spn_error err = {0};
    spn_chain_options o = spn_chain_defaults();
    spn_sampler *chain;
    spn_stop stop;
    spn_snapshot s;
    o.steps = 3 * SPN_SAVE_STEPS;
    assert_ok(spn_chain_create(&chain, e, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    spn_chain_snapshot(&s, chain);
    memcpy(out, s.energy, 3 * sizeof *out);
    for (size_t a = 0; a < 3; a++)
        assert_true(s.energy[a] == energy(NULL, s.spins + a * SITES));
    spn_sampler_free(chain);
}

static void functions_are_called(void **state)
{
    (void)state;
    spn_error err = {0};
    line calls = {0};
    const spn_energy_ops ops = all_ops();
    spn_energy *e;
    double energies[3];
    assert_ok(spn_energy_define(&e, &ops, &calls, SITES, sizeof(double), true, &err), err);
    assert_int_equal(spn_energy_sites(e), SITES);
    assert_string_equal(spn_energy_name(e), "line");
    assert_true(spn_energy_integral(e));
    anneal(energies, e);
    assert_int_equal(calls.attached, 3);
    assert_int_equal(calls.refreshed, 9);
    spn_energy_free(e);
    assert_int_equal(calls.destroyed, 1);
}

/* With fewer functions the results are the same. */
static void missing_functions_have_defaults(void **state)
{
    (void)state;
    spn_error err = {0};
    double expected[3], energies[3];
    for (int variant = 0; variant < 3; variant++) {
        line calls = {0};
        spn_energy_ops ops = all_ops();
        spn_energy *e;
        if (variant == 1)
            ops.refresh = NULL;
        if (variant == 2)
            ops.attach = ops.refresh = NULL, ops.delta = ops.commit = NULL;
        assert_ok(spn_energy_define(&e, &ops, &calls, SITES, sizeof(double), true, &err), err);
        anneal(variant ? energies : expected, e);
        if (variant)
            assert_memory_equal(energies, expected, sizeof expected);
        spn_energy_free(e);
    }
}

/* An older caller has fewer slots, a newer one more. */
static void tables_of_other_headers_work(void **state)
{
    (void)state;
    spn_error err = {0};
    line calls = {0};
    spn_energy *e;
    double energies[3];
    spn_energy_ops old = all_ops();
    old.size = offsetof(spn_energy_ops, refresh);
    assert_ok(spn_energy_define(&e, &old, &calls, SITES, sizeof(double), true, &err), err);
    anneal(energies, e);
    assert_int_equal(calls.refreshed, 0);
    spn_energy_free(e);
    struct {
        spn_energy_ops ops;
        double (*later)(const void *problem);
    } newer = {.ops = all_ops()};
    newer.ops.size = sizeof newer;
    assert_ok(spn_energy_define(&e, &newer.ops, &calls, SITES, sizeof(double), true, &err), err);
    anneal(energies, e);
    assert_true(calls.refreshed > 0);
    spn_energy_free(e);
}

static void assert_refused(const spn_energy_ops *ops, size_t sites, const char *part)
{
    spn_error err = {0};
    line calls = {0};
    spn_energy *e;
    assert_error(spn_energy_define(&e, ops, &calls, sites, 8, false, &err), &err,
                 SPN_ERROR_ARGUMENT, part, "");
    assert_null(e);
    assert_int_equal(calls.destroyed, 0);
}

static void what_cannot_work_is_refused(void **state)
{
    (void)state;
    spn_energy_ops ops = all_ops();
    assert_refused(&ops, 0, "spins");
    assert_refused(&ops, (size_t)1 << 32, "spins");
    ops.size = 0;
    assert_refused(&ops, SITES, "spn_energy_ops_defaults()");
    ops = all_ops();
    ops.energy = NULL;
    assert_refused(&ops, SITES, "energy");
    ops = all_ops();
    ops.commit = NULL;
    assert_refused(&ops, SITES, "together");
    ops = all_ops();
    ops.name = NULL;
    assert_refused(&ops, SITES, "name");
    const spn_energy_ops whole = all_ops();
    for (size_t less = 1; less <= 64; less++) { /* rounded up, these would wrap to 0 */
        spn_error err = {0};
        line calls = {0};
        spn_energy *e;
        assert_error(spn_energy_define(&e, &whole, &calls, SITES, SIZE_MAX - less, false, &err),
                     &err, SPN_ERROR_ARGUMENT, "bytes for each replica is too large", "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_called),
        cmocka_unit_test(missing_functions_have_defaults),
        cmocka_unit_test(tables_of_other_headers_work),
        cmocka_unit_test(what_cannot_work_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
