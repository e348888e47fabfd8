/* The range of beta that an energy asks for: free of its scale, bounded in its cost, and a choice
   for energies that have next to no changes. */
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static spn_beta_range measure(const spn_energy *energy, uint64_t changes)
{
    spn_error err = {0};
    spn_beta_range range;
    spn_beta_range_options o = spn_beta_range_defaults();
    o.changes = changes;
    assert_ok(spn_beta_range_measure(&range, energy, &o, &err), err);
    return range;
}

/* ---- energies of any scale ---- */

/* Another energy times a number. */
typedef struct scaled {
    spn_energy *of;
    double by;
} scaled;

static double scaled_energy(const void *problem, const int8_t *spins)
{
    const scaled *s = problem;
    return s->by * spn_energy_value(s->of, spins);
}

static double scaled_attach(const void *problem, void *cache, const int8_t *spins)
{
    const scaled *s = problem;
    return s->by * spn_energy_attach(s->of, cache, spins);
}

static double scaled_delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    const scaled *s = problem;
    return s->by * spn_energy_delta(s->of, cache, spins, site);
}

static double scaled_commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    const scaled *s = problem;
    return s->by * spn_energy_commit(s->of, cache, spins, site);
}

static spn_energy *scale(scaled *s)
{
    spn_error err = {0};
    spn_energy *made;
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "scaled";
    ops.energy = scaled_energy;
    ops.attach = scaled_attach;
    ops.delta = scaled_delta;
    ops.commit = scaled_commit;
    assert_ok(spn_energy_define(&made, &ops, s, spn_energy_sites(s->of),
                                spn_energy_cache_size(s->of), false, &err),
              err);
    return made;
}

/* Couplings of a random graph of 60 sites, times a number: +-1, or any. */
static spn_energy *graph(const char *name, bool whole, double by)
{
    enum { SITES = 60, EDGES = 180 };
    spn_edge edges[EDGES];
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    spn_random random = spn_random_make(9, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < EDGES; k++) {
        const uint32_t i = spn_random_below(&random, SITES - 1);
        const uint32_t j = i + 1 + spn_random_below(&random, SITES - 1 - i);
        const double sign = spn_random_below(&random, 2) ? 1 : -1;
        edges[k] = (spn_edge){i, j, by * sign * (whole ? 1 : spn_random_uniform(&random))};
    }
    const bool cut = strcmp(name, "maxcut") == 0;
    assert_ok(cut ? spn_problem_cut_create(&problem, SITES, EDGES, edges, &err)
                  : spn_problem_couplings_create(&problem, SITES, EDGES, edges, &err),
              err);
    assert_ok(spn_energy_create(&energy, name, problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static spn_energy *patterns(const char *name)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, 101, 50, 3, false, &err), err);
    assert_ok(spn_energy_create(&energy, name, problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

/* Anneal over the range that the energy asks for. */
static spn_sampler *anneal(const spn_energy *energy, spn_beta_range *range)
{
    spn_error err = {0};
    spn_schedule *beta, *gamma;
    spn_sampler *chain;
    spn_stop stop;
    *range = measure(energy, 0);
    assert_ok(spn_schedule_exponential(&beta, range->start, range->end, &err), err);
    assert_ok(spn_schedule_linear(&gamma, 0, 1, &err), err);
    spn_chain_options o = spn_chain_defaults();
    o.beta = beta;
    o.gamma = gamma;
    o.steps = 20000;
    assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    return chain;
}

/* The run of an energy times a power of two is the same to the last bit. */
static void assert_same_run(const spn_energy *one, const spn_energy *other, double by)
{
    spn_beta_range a, b;
    spn_sampler *x = anneal(one, &a), *y = anneal(other, &b);
    spn_snapshot s, t;
    spn_chain_snapshot(&s, x);
    spn_chain_snapshot(&t, y);
    assert_true(a.start > 0 && a.end > a.start && isfinite(a.end));
    assert_true(b.start * by == a.start && b.end * by == a.end);
    assert_true(b.typical == a.typical * by && b.smallest == a.smallest * by);
    assert_memory_equal(s.spins, t.spins, s.replicas * s.sites);
    assert_memory_equal(s.best_spins, t.best_spins, s.replicas * s.sites);
    assert_memory_equal(s.accepted, t.accepted, s.replicas * sizeof *s.accepted);
    for (size_t k = 0; k < s.replicas; k++)
        assert_true(s.accepted[k] > 0 && t.energy[k] == by * s.energy[k]);
    assert_int_equal(spn_sampler_health(x), spn_sampler_health(y));
    spn_sampler_free(x);
    spn_sampler_free(y);
}

static const double powers[] = {0x1p-30, 0.125, 2, 0x1p40};

static void powers_of_two_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"errors", "bits", "logistic"};
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
        for (size_t k = 0; k < 3; k++) {
            scaled one = {patterns(names[k]), 1}, other = {one.of, powers[p]};
            spn_energy *x = scale(&one), *y = scale(&other);
            assert_same_run(x, y, powers[p]);
            assert_same_run(one.of, y, powers[p]);
            spn_energy_free(x);
            spn_energy_free(y);
            spn_energy_free(one.of);
        }
}

/* Couplings that are small whole numbers have a loop of their own, other ones another. */
static void powers_of_two_in_couplings_change_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
        for (size_t k = 0; k < 6; k++) {
            spn_energy *x = graph(names[k / 2], k % 2, 1);
            spn_energy *y = graph(names[k / 2], k % 2, powers[p]);
            assert_same_run(x, y, powers[p]);
            spn_energy_free(x);
            spn_energy_free(y);
        }
}

static double best_of(const spn_energy *energy)
{
    spn_beta_range range;
    spn_sampler *chain = anneal(energy, &range);
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    const double best = fmin(s.best_energy[0], fmin(s.best_energy[1], s.best_energy[2]));
    spn_sampler_free(chain);
    return best;
}

static void any_scale_is_as_good(void **state)
{
    (void)state;
    spn_energy *small = graph("ising", true, 0.001), *one = graph("ising", true, 1),
               *large = graph("ising", true, 1000);
    const double best = best_of(one);
    assert_true(best < -80); /* of a sum of 180 couplings of size 1 */
    assert_near(best_of(small) * 1000, best, 1e-9);
    assert_near(best_of(large) / 1000, best, 1e-9);
    spn_energy_free(small);
    spn_energy_free(one);
    spn_energy_free(large);
}

/* ---- what the shares mean ---- */

/* Fields 1, 2, 3, ...: the change at site i is +-2 (i + 1), everywhere. */
static double field_value(const int8_t *spins, size_t sites, void *context)
{
    double sum = 0;
    for (size_t i = 0; i < sites; i++)
        sum -= (double)(i + 1) * spins[i];
    if (context)
        ++*(uint64_t *)context;
    return sum;
}

static double share(size_t sites, double beta)
{
    double sum = 0, all = 0;
    for (size_t i = 0; i < sites; i++) {
        const double size = 2 * (double)(i + 1);
        sum += size * exp(-beta * size);
        all += size;
    }
    return sum / all;
}

static void shares_are_what_was_asked(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_callback_create(&energy, 30, field_value, NULL, NULL, &err), err);
    const double hot[] = {0.2, 0.5, 0.9}, cold[] = {1e-5, 0.1, 1e-12};
    for (size_t k = 0; k < 3; k++) {
        spn_beta_range_options o = spn_beta_range_defaults();
        spn_beta_range range;
        o.hot = hot[k];
        o.cold = cold[k];
        assert_ok(spn_beta_range_measure(&range, energy, &o, &err), err);
        assert_digits(share(30, range.start), hot[k], 10);
        assert_digits(share(30, range.end), cold[k], 10);
        assert_true(range.smallest == 2 && range.typical == 32);
    }
    spn_energy_free(energy);
}

static void cost_is_bounded(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    uint64_t calls = 0;
    assert_ok(spn_callback_create(&energy, 200, field_value, NULL, &calls, &err), err);
    const uint64_t bounds[] = {4, 64, 1000, 0};
    for (size_t k = 0; k < 4; k++) {
        calls = 0;
        const spn_beta_range range = measure(energy, bounds[k]);
        const uint64_t most = bounds[k] ? bounds[k] : 32 * 200;
        assert_true(range.changes <= most && range.changes >= most / 16);
        assert_true(calls <= 2 * most + range.random_states);
        assert_true(range.start > 0 && range.end >= range.start && isfinite(range.end));
    }
    spn_energy_free(energy);
}

/* ---- energies that have little to say ---- */

static double constant_value(const int8_t *spins, size_t sites, void *context)
{
    (void)spins, (void)sites;
    return *(double *)context;
}

static void constants_and_single_spins(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    double value = 7;
    assert_ok(spn_callback_create(&energy, 50, constant_value, NULL, &value, &err), err);
    spn_beta_range range = measure(energy, 0);
    assert_true(range.start == 1 && range.end == 1 && range.smallest == 0 && range.typical == 0);
    value = NAN;
    assert_int_equal(spn_beta_range_measure(&range, energy, NULL, &err), SPN_ERROR_ENERGY);
    spn_energy_free(energy);

    /* one spin: it starts up or down, and there is one change */
    assert_ok(spn_callback_create(&energy, 1, field_value, NULL, NULL, &err), err);
    range = measure(energy, 0);
    assert_digits(range.start, log(5) / 2, 10);
    assert_digits(range.end, log(1e5) / 2, 10);
    spn_energy_free(energy);
}

/* Changes of 0 that rounding makes 1e-17, and a state that is forbidden. */
static double rough_value(const int8_t *spins, size_t sites, void *context)
{
    double sum = 0;
    for (size_t i = 0; i < sites; i++)
        sum += (i % 2 ? 0.1 : 0.3) * spins[i] * spins[(i + 1) % sites];
    (void)context;
    return sum;
}

static double forbidding_value(const int8_t *spins, size_t sites, void *context)
{
    return spins[0] > 0 && spins[1] > 0 && spins[2] > 0 && spins[3] > 0
               ? INFINITY
               : field_value(spins, sites, context);
}

static void rounding_and_infinities(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_callback_create(&energy, 40, rough_value, NULL, NULL, &err), err);
    spn_beta_range range = measure(energy, 0);
    assert_near(range.smallest, 0.4, 1e-9);
    assert_true(range.end < 40);
    spn_energy_free(energy);
    assert_ok(spn_callback_create(&energy, 40, forbidding_value, NULL, NULL, &err), err);
    spn_beta_range_options o = spn_beta_range_defaults();
    for (o.seed = 1; o.seed < 20; o.seed++) {
        const spn_status status = spn_beta_range_measure(&range, energy, &o, &err);
        /* from a forbidden state a change may be inf - inf, as a chain would find too */
        assert_true(status == SPN_ERROR_ENERGY || (status == SPN_OK && range.end < 10));
    }
    spn_energy_free(energy);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    spn_energy *energy = graph("ising", true, 1);
    spn_error err = {0};
    spn_beta_range range;
    const double bad[][2] = {{1, 0.1}, {0.5, 0}, {0.1, 0.5}, {0.5, 0.5}, {NAN, 0.1}, {0.5, NAN}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_beta_range_options o = spn_beta_range_defaults();
        o.hot = bad[k][0];
        o.cold = bad[k][1];
        assert_int_equal(spn_beta_range_measure(&range, energy, &o, &err), SPN_ERROR_ARGUMENT);
    }
    spn_beta_range_options o = spn_beta_range_defaults();
    o.changes = 3;
    assert_int_equal(spn_beta_range_measure(&range, energy, &o, &err), SPN_ERROR_ARGUMENT);
    spn_energy_free(energy);
}

/* Changes so small that beta would be infinite. */
static void changes_too_small_for_beta(void **state)
{
    (void)state;
    static const double energies[] = {5e-324, 0, 0, 5e-324};
    spn_error err = {0};
    spn_beta_range range;
    spn_problem *p;
    spn_energy *energy;
    assert_ok(spn_problem_table_create(&p, 2, energies, &err), err);
    assert_ok(spn_energy_create(&energy, "table", p, &err), err);
    assert_int_equal(spn_beta_range_measure(&range, energy, NULL, &err), SPN_ERROR_ENERGY);
    assert_non_null(strstr(err.text, "changes of 5e-324, too small for a finite beta; multiply"));
    spn_energy_free(energy);
    spn_problem_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_change_nothing),
        cmocka_unit_test(powers_of_two_in_couplings_change_nothing),
        cmocka_unit_test(any_scale_is_as_good),
        cmocka_unit_test(shares_are_what_was_asked),
        cmocka_unit_test(cost_is_bounded),
        cmocka_unit_test(constants_and_single_spins),
        cmocka_unit_test(rounding_and_infinities),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(changes_too_small_for_beta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
