/* Whether a run was annealed: alarms where beta is far off, none where it is right, whoever looks;
   and frozen runs that end early. */
#include "support/chains.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>

#include <stdlib.h>
#include <string.h>

/* Every built-in energy that a random problem can be made for, `product` apart: it is constant but
   at its solutions. */
static const char *const names[] = {"errors",         "bits",  "bits-strict", "logistic",
                                    "logistic-steep", "ising", "qubo",        "maxcut"};
enum { ENERGIES = sizeof names / sizeof *names };

static spn_energy *make(size_t k)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    spn_edge edges[600];
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    for (size_t e = 0; e < 600; e++) {
        const uint32_t i = spn_random_below(&random, 199);
        edges[e] = (spn_edge){i, i + 1 + spn_random_below(&random, 199 - i),
                              spn_random_below(&random, 2) ? 1 : -1};
    }
    if (k < 5)
        assert_ok(spn_problem_random_patterns(&problem, 201, 100, 3, false, &err), err);
    else if (k == 7)
        assert_ok(spn_problem_cut_create(&problem, 200, 600, edges, &err), err);
    else
        assert_ok(spn_problem_couplings_create(&problem, 200, 600, edges, &err), err);
    assert_ok(spn_energy_create(&energy, names[k], problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static spn_beta_range range_of(const spn_energy *energy)
{
    spn_error err = {0};
    spn_beta_range range;
    assert_ok(spn_beta_range_measure(&range, energy, NULL, &err), err);
    return range;
}

static spn_chain_options options_of(size_t variant)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = variant % 2 ? 3 : 1;
    o.order = (spn_order)(variant % 3);
    o.kernel = (spn_kernel)(variant / 2 % 3);
    o.steps = 200 * 201 * (o.order == SPN_ORDER_RANDOM ? o.replicas : 1);
    o.gamma = variant % 2 ? spn_test_linear(0, 1) : spn_test_constant(0);
    return o;
}

static spn_health health_after(const spn_energy *energy, size_t variant, double from, double to)
{
    spn_chain_options o = options_of(variant);
    o.beta = spn_test_exponential(from, to);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    const spn_health health = spn_sampler_health(chain);
    spn_sampler_free(chain);
    return health;
}

/* No alarm over the range that the energy asks for, nor over ones of hand-picked width around it;
   alarms where it is off by a thousand. */
static void ranges_that_are_right_and_wrong(void **state)
{
    (void)state;
    for (size_t k = 0; k < ENERGIES; k++) {
        spn_energy *energy = make(k);
        const spn_beta_range r = range_of(energy);
        for (size_t v = 0; v < 6; v++) {
            assert_int_equal(health_after(energy, v, r.start, r.end), SPN_HEALTH_GOOD);
            assert_int_equal(health_after(energy, v, r.start / 3, r.end), SPN_HEALTH_GOOD);
            assert_int_equal(health_after(energy, v, r.start / 1000, r.end / 1000),
                             SPN_HEALTH_HOT_END);
            const spn_health cold = health_after(energy, v, r.start * 1000, r.end * 1000);
            const bool smooth = k == 3 || k == 4; /* some of its changes are small at any beta */
            assert_true(cold == SPN_HEALTH_FROZEN_START ||
                        (smooth && cold == SPN_HEALTH_FROZEN_MOST));
        }
        /* most of the way is beyond the end */
        assert_int_equal(health_after(energy, 0, r.start, r.end * 1e9), SPN_HEALTH_FROZEN_MOST);
        spn_energy_free(energy);
    }
}

/* At zero temperature a plateau accepts half of its moves, and is frozen all the same; so is a
   field that is 0 but for its rounding errors. */
static double plateau_value(const int8_t *spins, size_t sites, void *context)
{
    double sum = *(const double *)context;
    for (size_t i = 0; i < sites; i++)
        sum += i < sites / 2 ? 0 : 0.1 * (double)(i % 3 + 1) * spins[i];
    return sum;
}

static void plateaus_are_not_hot(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    double offset = 0;
    for (size_t k = 0; k < 2; k++, offset = 1e5) {
        assert_ok(spn_callback_create(&energy, 100, plateau_value, NULL, &offset, &err), err);
        const spn_beta_range r = range_of(energy);
        assert_int_equal(health_after(energy, 0, r.start, r.end), SPN_HEALTH_GOOD);
        assert_int_equal(health_after(energy, 0, r.start * 1e4, r.end * 1e4),
                         SPN_HEALTH_FROZEN_START);
        spn_energy_free(energy);
    }
}

static void what_is_not_judged(void **state)
{
    (void)state;
    spn_energy *energy = make(5);
    spn_chain_options o = spn_chain_defaults();
    o.beta = spn_test_exponential(1e-6, 1e-5);
    o.steps = 1000; /* 3000 proposals */
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_sampler_health(chain), SPN_HEALTH_SHORT);
    spn_test_chain_run(chain);
    assert_int_equal(spn_sampler_health(chain), SPN_HEALTH_SHORT);
    spn_sampler_free(chain);
    o.steps = 10000;
    chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_int_equal(spn_sampler_health(chain), SPN_HEALTH_HOT_END);
    spn_sampler_free(chain);
    /* who samples at one beta wants to; who reached the target is done */
    o.beta = spn_test_constant(1e-6);
    chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_int_equal(spn_sampler_health(chain), SPN_HEALTH_GOOD);
    spn_sampler_free(chain);
    o.beta = spn_test_constant(1e6);
    o.target = SPN_TARGET_ANY;
    o.target_energy = 0;
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TARGET);
    assert_int_equal(spn_sampler_health(chain), SPN_HEALTH_GOOD);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

/* ---- looked at and cut ---- */

static spn_status stop_now(void *context, const spn_progress *progress, spn_error *err)
{
    volatile sig_atomic_t *flag = context;
    (void)progress, (void)err;
    *flag = 1;
    return SPN_OK;
}

/* Stopped at odd steps, saved, loaded into another chain and gone on with, a run comes to the same
   end, also where it freezes. */
static void cuts_change_nothing(void **state)
{
    (void)state;
    spn_error err = {0};
    const double factors[] = {1, 1e-3, 1e3, 4, 100};
    spn_energy *energy = make(5);
    const spn_beta_range r = range_of(energy);
    for (size_t k = 0; k < 5; k++) {
        spn_chain_options o = options_of(k);
        o.beta = spn_test_exponential(r.start * factors[k], r.end * factors[k]);
        o.stop_frozen = 1;
        if (k == 2)
            o.steps = 60 * 201; /* three sixteenths make eight proposals for each spin */
        if (k == 4)
            o.steps = 2 * 201; /* too few to come down */
        spn_sampler *whole = spn_test_chain_start(energy, &o);
        const spn_stop end = spn_test_chain_run(whole);
        assert_true(k != 2 || end == SPN_STOP_FROZEN);
        volatile sig_atomic_t flag = 0;
        spn_until until = spn_test_watch(stop_now, (void *)(uintptr_t)&flag, 777);
        until.observe_every = k == 4 ? 17 : 777;
        until.stop = &flag;
        spn_sampler *cut = spn_test_chain_start(energy, &o);
        spn_stop stop;
        while ((stop = spn_test_run_until(cut, &until)) == SPN_STOP_REQUEST) {
            void *bytes;
            size_t size;
            flag = 0;
            assert_ok(spn_sampler_save(&bytes, &size, cut, &err), err);
            spn_sampler_free(cut);
            cut = spn_test_chain_start(energy, &o);
            assert_ok(spn_sampler_load(cut, bytes, size, &err), err);
            free(bytes);
        }
        assert_int_equal(stop, end);
        assert_int_equal(spn_sampler_health(cut), spn_sampler_health(whole));
        spn_snapshot s, t;
        spn_chain_snapshot(&s, whole);
        spn_chain_snapshot(&t, cut);
        assert_int_equal(s.step, t.step);
        assert_memory_equal(s.spins, t.spins, s.replicas * s.sites);
        assert_true(s.fall == t.fall && (k < 4 || s.fall > 0));
        spn_sampler_free(whole);
        spn_sampler_free(cut);
    }
    spn_energy_free(energy);
}

/* ---- the fall at the end ---- */

static spn_snapshot snapshot_after(const spn_energy *energy, const spn_chain_options *o)
{
    spn_snapshot s;
    spn_sampler *chain = spn_test_chain_start(energy, o);
    spn_test_chain_run(chain);
    spn_chain_snapshot(&s, chain);
    spn_sampler_free(chain); /* only numbers of the snapshot are used */
    return s;
}

/* A fall is seen where a run lags behind its schedule; none where beta still lowers the energy of a
   run that keeps up, where nothing moves any more, and before the end. */
static void falls_of_runs_that_lag(void **state)
{
    (void)state;
    spn_energy *energy = make(5);
    const spn_beta_range r = range_of(energy);
    spn_chain_options o = options_of(0);
    o.beta = spn_test_constant(100 * r.end);
    o.steps = 3 * 201;
    assert_true(snapshot_after(energy, &o).fall > 1);
    o.steps = 100 * 201;
    assert_true(snapshot_after(energy, &o).fall == 0);
    o.steps = 1000 * 201;
    o.beta = spn_test_exponential(r.start, sqrt(r.start * r.end));
    assert_true(snapshot_after(energy, &o).fall == 0);
    o.steps = 3 * 201;
    o.beta = spn_test_constant(100 * r.end);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_until until = spn_until_defaults();
    until.steps = o.steps - 1;
    spn_snapshot s;
    spn_test_run_until(chain, &until);
    spn_chain_snapshot(&s, chain);
    assert_true(s.fall == 0);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

/* ---- frozen runs that end ---- */

typedef struct last_move {
    double energy[3];
    uint64_t step;
} last_move;

static spn_status note_moves(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    last_move *last = context;
    (void)err;
    for (size_t a = 0; a < s->replicas; a++)
        if (s->energy[a] != last->energy[a]) {
            last->energy[a] = s->energy[a];
            last->step = s->step;
        }
    return SPN_OK;
}

static void frozen_runs_end(void **state)
{
    (void)state;
    spn_energy *energy = make(5);
    const spn_beta_range r = range_of(energy);
    last_move last = {.step = 0};
    spn_chain_options o = spn_chain_defaults();
    o.beta = spn_test_exponential(r.start, r.end * 1e6);
    o.steps = 160000;
    o.stop_frozen = 1;
    const spn_until until = spn_test_watch(note_moves, &last, 1);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_run_until(chain, &until), SPN_STOP_FROZEN);
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    /* the first whole sixteenth without a move, and nothing earlier */
    assert_int_equal(s.step % 10000, 0);
    assert_true(s.step - last.step >= 10000 && s.step - last.step < 20000);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_FROZEN); /* still so: no step is made */
    spn_sampler_free(chain);

    /* not where beta or gamma may thaw it, nor over a few proposals, nor where it is not asked for
     */
    o.beta = spn_test_exponential(r.end * 1e6, r.end * 1e3);
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    spn_sampler_free(chain);
    o.beta = spn_test_exponential(r.start * 1e3, r.end * 1e6);
    o.gamma = spn_test_linear(1, 0);
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    spn_sampler_free(chain);
    o.gamma = spn_test_linear(0, 1);
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_FROZEN);
    spn_sampler_free(chain);
    o.kernel = SPN_KERNEL_ONE_STAGE;
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    spn_sampler_free(chain);
    o.gamma = spn_test_constant(0);
    o.steps = 1600;
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    spn_sampler_free(chain);
    o.steps = 160000;
    o.stop_frozen = 0;
    chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_that_are_right_and_wrong),
        cmocka_unit_test(plateaus_are_not_hot),
        cmocka_unit_test(what_is_not_judged),
        cmocka_unit_test(cuts_change_nothing),
        cmocka_unit_test(falls_of_runs_that_lag),
        cmocka_unit_test(frozen_runs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
