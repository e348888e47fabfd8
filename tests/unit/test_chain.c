/* The chain: starts, schedules in force, best states, large systems, what is refused. */
#include "chain/chain.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static void states_stay_consistent(void **state)
{
    (void)state;
    spn_energy *energies[] = {spn_test_lattice(), spn_test_perceptron(41, 30)};
    for (size_t k = 0; k < SPN_TEST_VARIANTS; k++)
        for (size_t e = 0; e < 2; e++) {
            spn_chain_options o = spn_test_variant(k);
            o.start = k % 5 ? SPN_START_INDEPENDENT : SPN_START_SAME;
            spn_sampler *chain = spn_test_chain_start(energies[e], &o);
            spn_test_check_consistent(chain, energies[e]);
            assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
            spn_test_check_consistent(chain, energies[e]);
            spn_snapshot s;
            spn_chain_snapshot(&s, chain);
            assert_int_equal(s.step, 3000);
            uint64_t proposals = 0;
            for (size_t a = 0; a < s.replicas; a++)
                proposals += s.proposals[a];
            assert_int_equal(proposals, o.order == SPN_ORDER_RANDOM ? 3000 : 3000 * s.replicas);
            spn_sampler_free(chain);
        }
    spn_energy_free(energies[0]);
    spn_energy_free(energies[1]);
}

static void starts_are_what_was_asked(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_perceptron(1001, 10);
    spn_snapshot s;
    spn_chain_options o = spn_chain_defaults();
    o.steps = 1;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_chain_snapshot(&s, chain);
    assert_memory_equal(s.spins, s.spins + s.sites, s.sites);
    assert_true(spn_snapshot_overlap(&s) == 1);
    int8_t *given = malloc(3 * s.sites);
    memcpy(given, s.spins, 3 * s.sites);
    spn_sampler_free(chain);

    o.start = SPN_START_INDEPENDENT;
    chain = spn_test_chain_start(energy, &o);
    spn_chain_snapshot(&s, chain);
    /* the overlap of independent states has variance 1/(3N) */
    assert_true(spn_normal_tail(spn_snapshot_overlap(&s) * sqrt(3 * 1001.0)) > SPN_FALSE_ALARM);
    spn_sampler_free(chain);

    given[5] = (int8_t)-given[5];
    o.start = SPN_START_GIVEN;
    o.given = given;
    chain = spn_test_chain_start(energy, &o);
    spn_chain_snapshot(&s, chain);
    assert_memory_equal(s.spins, given, 3 * s.sites);
    spn_sampler_free(chain);
    given[7] = 0;
    spn_error err = {0};
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    free(given);
    spn_energy_free(energy);
}

static spn_status check_scoping(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)err;
    uint64_t *changes = context, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++)
        accepted += s->accepted[a];
    static uint64_t before;
    if (s->step > 0) { /* beta of the last step belongs to the moves accepted before it */
        assert_near(s->beta, 0.2 * pow(1.1, (double)(before / 300)), 1e-12);
        assert_near(s->gamma, 0.1 * pow(1.2, (double)(before / 300)), 1e-12);
        *changes = before / 300;
    }
    before = accepted;
    return SPN_OK;
}

static void scoping_follows_accepted_moves(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    uint64_t changes = 0;
    spn_chain_options o = spn_chain_defaults();
    o.steps = 3000;
    o.beta = spn_test_scoping(0.2, 0.1, 100);
    o.gamma = spn_test_scoping(0.1, 0.2, 100);
    const spn_until until = spn_test_watch(check_scoping, &changes, 1);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_test_run_until(chain, &until);
    assert_true(changes > 5);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static void pieces_of_gamma_use_their_tables(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    const spn_piece pieces[] = {{0, 100}, {0.5, 1}, {2, 333}, {1, 10}};
    spn_chain_options o = spn_chain_defaults();
    o.steps = 600;
    spn_schedule *gamma;
    assert_ok(spn_schedule_pieces(&gamma, pieces, 4, &err), err);
    o.gamma = gamma;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_schedule_free(gamma); /* the chain has its own copy */
    spn_test_chain_run(chain);
    spn_test_check_consistent(chain, energy);
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    assert_true(s.gamma == 1);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static spn_status look_on(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)context, (void)s, (void)err;
    return SPN_OK;
}

/* Where gamma differs at every step, most moves are rejected by a bound over a block of steps; a
   block of one step, as there is where every step is observed, has none. */
static void bounds_of_a_coupling_that_rises_change_nothing(void **state)
{
    (void)state;
    const spn_schedule gamma = {.kind = SPN_SCHEDULE_LINEAR, .start = 0.1, .end = 2};
    const spn_schedule beta = {.kind = SPN_SCHEDULE_LINEAR, .start = 0.2, .end = 2};
    spn_energy *energies[] = {spn_test_lattice(), spn_test_perceptron(41, 30)};
    for (size_t e = 0; e < 2; e++) {
        for (size_t k = 0; k < 36; k++) {
            spn_chain_options o = spn_chain_defaults();
            o.replicas = (size_t[]){2, 3, 7, 16}[k % 4];
            o.kernel = (spn_kernel)(k / 4 % 3);
            o.order = (spn_order)(k / 12);
            o.gamma = &gamma;
            o.beta = &beta;
            o.steps = 3000;
            spn_sampler *bounded = spn_test_chain_start(energies[e], &o);
            const spn_until until = spn_test_watch(look_on, NULL, 1);
            spn_sampler *plain = spn_test_chain_start(energies[e], &o);
            spn_test_chain_run(bounded);
            spn_test_run_until(plain, &until);
            spn_test_assert_same_state(bounded, plain);
            spn_sampler_free(bounded);
            spn_sampler_free(plain);
        }
        spn_energy_free(energies[e]);
    }
}

static double nan_value(const int8_t *spins, size_t sites, void *context)
{
    int sum = 0;
    for (size_t i = 0; i < sites; i++)
        sum += spins[i];
    return context && sum > 4 ? (double)NAN : -sum;
}

static double nan_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    (void)sites;
    return context && site == 3 ? (double)NAN : 2.0 * spins[site];
}

static void nan_energies_are_reported(void **state)
{
    (void)state;
    int on = 1;
    int8_t given[60];
    memset(given, -1, sizeof given);
    for (size_t k = 0; k < 12; k++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_sampler *chain;
        spn_stop stop;
        spn_chain_options o = spn_chain_defaults();
        o.kernel = (spn_kernel)(k % 3);
        o.threads = k < 6 ? 1 : 2;
        o.steps = 100000;
        o.start = SPN_START_GIVEN;
        o.given = given;
        assert_ok(spn_callback_create(&energy, 20, nan_value, k % 2 ? nan_change : NULL, &on, &err),
                  err);
        assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
        assert_int_equal(spn_sampler_run(&stop, chain, NULL, &err), SPN_ERROR_ENERGY);
        assert_non_null(strstr(err.text, "not a number after a flip of site"));
        spn_sampler_free(chain);
        memset(given, 1, sizeof given);
        assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ENERGY);
        memset(given, -1, sizeof given);
        spn_energy_free(energy);
    }
}

static double deep_value(const int8_t *spins, size_t sites, void *context)
{
    (void)context;
    int sum = 0;
    for (size_t i = 0; i < sites; i++)
        sum += spins[i];
    return sum < 0 ? (double)-INFINITY : sum;
}

static void minus_infinity_is_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_sampler *chain;
    spn_stop stop;
    int8_t given[60];
    spn_chain_options o = spn_chain_defaults();
    memset(given, 1, sizeof given);
    o.start = SPN_START_GIVEN;
    o.given = given;
    o.steps = 1000;
    assert_ok(spn_callback_create(&energy, 20, deep_value, NULL, NULL, &err), err);
    assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
    assert_int_equal(spn_sampler_run(&stop, chain, NULL, &err), SPN_ERROR_ENERGY);
    assert_non_null(strstr(err.text, "is -infinity after a flip of site"));
    spn_sampler_free(chain);
    memset(given, -1, sizeof given);
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ENERGY);
    spn_energy_free(energy);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    for (int k = 0; k < 9; k++) {
        spn_chain_options o = spn_chain_defaults();
        o.steps = 10;
        if (k == 0)
            o.replicas = 0;
        if (k == 1)
            o.replicas = 256;
        if (k == 2)
            o.beta = spn_test_constant(-1);
        if (k == 3)
            o.gamma = spn_test_constant(NAN);
        if (k == 4)
            o.seconds = 1; /* and it is not stretched */
        if (k == 5)
            o.start = SPN_START_GIVEN;
        if (k == 6)
            o.threads = 0;
        if (k == 7)
            o.seconds = -1;
        if (k == 8) {
            o.target = SPN_TARGET_ANY;
            o.target_energy = NAN;
        }
        spn_error err = {0};
        spn_sampler *chain;
        assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
        assert_null(chain);
        assert_true(strlen(err.text) > 10);
    }
    spn_energy_free(energy);
    spn_sampler_free(NULL);
}

/* The sizes the library promises: 255 replicas, and a million spins. */
static void large_systems_work(void **state)
{
    (void)state;
    spn_energy *small = spn_test_perceptron(31, 5);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 255;
    o.gamma = spn_test_constant(1e4);
    o.steps = 200;
    for (int order = 0; spn_order_name((spn_order)order); order++) {
        o.order = (spn_order)order;
        spn_sampler *chain = spn_test_chain_start(small, &o);
        spn_test_chain_run(chain);
        spn_test_check_consistent(chain, small);
        spn_sampler_free(chain);
    }
    spn_energy_free(small);

    spn_error err = {0};
    spn_problem *problem;
    spn_energy *large;
    assert_ok(spn_problem_random_lattice(&problem, 1000, 1000, 1, &err), err);
    assert_ok(spn_energy_create(&large, "ising", problem, &err), err);
    spn_problem_free(problem);
    o = spn_chain_defaults();
    o.replicas = 2;
    o.steps = 100000;
    spn_sampler *chain = spn_test_chain_start(large, &o);
    spn_test_chain_run(chain);
    spn_test_check_consistent(chain, large);
    spn_sampler_free(chain);
    spn_energy_free(large);
}

/* One documented setting solves ten of ten instances: the README's example. */
static void perceptron_is_solved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= spn_test_samples(10); seed++) {
        spn_error err = {0};
        spn_problem *problem;
        spn_energy *energy;
        assert_ok(spn_problem_random_patterns(&problem, 1001, 300, seed, false, &err), err);
        assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
        spn_chain_options o = spn_chain_defaults();
        o.seed = seed;
        o.beta = spn_test_exponential(0.3, 3);
        o.gamma = spn_test_constant(1);
        o.steps = 3000000;
        o.target = SPN_TARGET_ALL;
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TARGET);
        spn_test_check_consistent(chain, energy);
        spn_sampler_free(chain);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_stay_consistent),
        cmocka_unit_test(starts_are_what_was_asked),
        cmocka_unit_test(scoping_follows_accepted_moves),
        cmocka_unit_test(pieces_of_gamma_use_their_tables),
        cmocka_unit_test(bounds_of_a_coupling_that_rises_change_nothing),
        cmocka_unit_test(nan_energies_are_reported),
        cmocka_unit_test(minus_infinity_is_refused),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(large_systems_work),
        cmocka_unit_test(perceptron_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
