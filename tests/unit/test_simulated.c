/* Simulated tempering: the joint law of state and rung, log Z from the visits, and the walk itself.
   Every comparison has a false-alarm rate of 1e-6; tests/mutation breaks the walk on purpose. */
#include "core/simulated.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNGS = 4 };

static const double BETA[RUNGS] = {0, 0.4, 0.9, 1.5};
static const double GAMMA[RUNGS] = {0.2, 0.2, 0.5, 0.6};

static spn_energy *perceptron(void)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static spn_chain *walker(const spn_energy *energy)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 2;
    o.seed = 20240601;
    o.steps = INT64_MAX;
    o.target_energy = -INFINITY;
    return spn_test_chain_start(energy, &o);
}

/* log sum exp of a rung's weights, by enumeration. */
static double exact_log_z(const spn_energy *energy, size_t k)
{
    small_system system;
    double law[SMALL_MOST_STATES];
    small_system_init(&system, energy, 2, BETA[k], GAMMA[k]);
    small_law(&system, law);
    /* the state of all +1: E and H are known, and so is its probability */
    const size_t last = system.states - 1;
    const double energies = 2 * system.energy[((size_t)1 << system.sites) - 1];
    const double weight = -BETA[k] * energies + (double)system.sites * log(cosh(2 * GAMMA[k]));
    return weight - log(law[last]);
}

/* Run a walk of `samples`, `thin` scans of a step apart; counts of (rung, state). */
static void walk(spn_simulated *simulated, const spn_energy *energy, uint64_t samples,
                 uint64_t thin, uint64_t *counts)
{
    spn_error err = {0};
    small_system system;
    small_system_init(&system, energy, 2, 1, 0);
    spn_chain *chain = walker(energy);
    size_t rung = 0;
    for (uint64_t scan = 0; scan < samples * thin; scan++) {
        spn_chain_set_point(chain, BETA[rung], GAMMA[rung]);
        assert_ok(spn_chain_walk(chain, 1, &err), err);
        rung = spn_simulated_move(simulated, chain, rung, scan,
                                  (size_t)(scan * SPN_SIMULATED_BATCHES / (samples * thin)));
        if (scan % thin == thin - 1)
            counts[rung * system.states + small_index(&system, chain->spins)]++;
    }
    spn_chain_free(chain);
}

static void state_and_rung_have_their_joint_law(void **state)
{
    (void)state;
    enum { STATES = 64 };
    spn_error err = {0};
    spn_simulated simulated;
    spn_energy *energy = perceptron();
    /* weights off on purpose: the law is exact for any */
    const double off[RUNGS] = {0, 0.5, -0.4, 0.3};
    double log_z[RUNGS], expected[RUNGS * STATES], norm = 0;
    uint64_t counts[RUNGS * STATES] = {0};
    for (size_t k = 0; k < RUNGS; k++)
        log_z[k] = exact_log_z(energy, k) - off[k];
    assert_ok(spn_simulated_init(&simulated, RUNGS, BETA, GAMMA, log_z, &err), err);
    walk(&simulated, energy, 20000, 200, counts);
    for (size_t k = 0; k < RUNGS; k++)
        norm += exp(off[k]);
    for (size_t k = 0; k < RUNGS; k++) {
        small_system system;
        small_system_init(&system, energy, 2, BETA[k], GAMMA[k]);
        small_law(&system, expected + k * STATES);
        for (size_t i = 0; i < STATES; i++)
            expected[k * STATES + i] *= exp(off[k]) / norm;
    }
    const double p = spn_pearson_test(counts, expected, RUNGS * (size_t)STATES);
    printf("  joint law p = %.3g\n", p);
    assert_true(p > SPN_FALSE_ALARM);
    uint64_t visits = 0;
    for (size_t k = 0; k < RUNGS; k++) {
        visits += simulated.visits[k];
        assert_true(simulated.moves[k] <= simulated.tries[k]);
    }
    assert_int_equal(visits, 20000 * 200);

    double found[RUNGS], error[RUNGS];
    spn_simulated_log_z(found, error, &simulated);
    for (size_t k = 1; k < RUNGS; k++) {
        const double exact = exact_log_z(energy, k) - exact_log_z(energy, 0);
        const double t = (found[k] - exact) / error[k];
        printf("  rung %zu: log Z %.5f +- %.5f, exact %.5f\n", k, found[k], error[k], exact);
        assert_true(error[k] < 0.02);
        /* the two-sided tail of Student's law of 31 degrees at 6.1 is below 1e-6 */
        assert_true(fabs(t) < 6.1);
    }
    assert_true(found[0] == 0);
    spn_simulated_clear(&simulated);
    spn_energy_free(energy);
}

/* With all points equal every move within the ladder is accepted: the walk is that of a coin. */
static void equal_rungs_are_walked_by_a_coin(void **state)
{
    (void)state;
    enum { SCANS = 40000 };
    spn_error err = {0};
    spn_simulated simulated;
    spn_energy *energy = perceptron();
    spn_chain *chain = walker(energy);
    const double beta[3] = {1, 1, 1}, gamma[3] = {0.3, 0.3, 0.3}, log_z[3] = {5, 5, 5};
    assert_ok(spn_simulated_init(&simulated, 3, beta, gamma, log_z, &err), err);
    size_t rung = 1;
    uint64_t stays = 0;
    for (uint64_t scan = 0; scan < SCANS; scan++) {
        const size_t next = spn_simulated_move(&simulated, chain, rung, scan, 0);
        stays += next == rung;
        rung = next;
    }
    assert_true(simulated.moves[0] == simulated.tries[0] &&
                simulated.moves[1] == simulated.tries[1]);
    /* it stays with 1/2 at an end, and is there 2/3 of the time; stays that are k scans apart have
       the covariance -(-1/2)^k / 9, so that the variance is SCANS (2/9 + 2/27) */
    const double z = ((double)stays - SCANS / 3.0) / sqrt(SCANS * 8 / 27.0);
    printf("  stays: z = %.2f\n", z);
    assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
    spn_simulated_clear(&simulated);
    spn_chain_free(chain);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_and_rung_have_their_joint_law),
        cmocka_unit_test(equal_rungs_are_walked_by_a_coin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
