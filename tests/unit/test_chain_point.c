/* Chains at a point (beta, gamma): walked in pieces, moved, given states, drawn at beta = 0. */
#include "chain/point.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static spn_chain *walker(const spn_energy *energy, size_t replicas, uint64_t seed)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = replicas;
    o.steps = INT64_MAX;
    o.seed = seed;
    return spn_chain_of(spn_test_chain_start(energy, &o));
}

static void pieces_are_the_run(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = spn_chain_defaults();
    o.beta = spn_test_constant(0.7);
    o.gamma = spn_test_constant(0.3);
    o.steps = 5000;
    spn_chain *run = spn_chain_of(spn_test_chain_start(energy, &o)),
              *walked = walker(energy, 3, o.seed);
    spn_test_chain_run(&run->base);
    spn_chain_set_point(walked, 0.7, 0.3);
    const uint64_t pieces[] = {1, 0, 999, 3, 3000, 997};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
        assert_ok(spn_chain_walk(walked, pieces[k], &err), err);
    spn_test_assert_same_state(&run->base, &walked->base);
    spn_sampler_free(&run->base);
    spn_sampler_free(&walked->base);
    spn_energy_free(energy);
}

static void placed_states_are_attached(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    spn_chain *cold = walker(energy, 3, 1), *other = walker(energy, 3, 2);
    spn_chain_set_point(cold, 3, 0);
    assert_ok(spn_chain_walk(cold, 20000, &err), err);
    const spn_snapshot from = spn_test_chain_look(&cold->base);
    assert_ok(spn_chain_place(other, from.spins, &err), err);
    const spn_snapshot to = spn_test_chain_look(&other->base);
    for (size_t a = 0; a < 3; a++) {
        assert_true(to.energy[a] == from.energy[a] && to.best_energy[a] == from.energy[a]);
        assert_memory_equal(to.best_spins + a * to.sites, from.spins + a * to.sites, to.sites);
    }
    assert_true(spn_chain_total_energy(other) == from.energy[0] + from.energy[1] + from.energy[2]);
    assert_ok(spn_chain_walk(other, 1000, &err), err); /* its own asserts look at the caches */
    spn_sampler_free(&cold->base);
    spn_sampler_free(&other->base);
    spn_energy_free(energy);
}

static void weights_are_those_of_the_law(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    for (size_t y = 1; y <= 21; y++) { /* those of few replicas, and of many */
        spn_chain *chain = walker(energy, y, y);
        assert_ok(spn_chain_walk(chain, 500, &err), err);
        const spn_snapshot s = spn_test_chain_look(&chain->base);
        double sum = 0;
        for (size_t i = 0; i < s.sites; i++)
            sum += log(cosh(0.45 * s.sums[i]));
        spn_coupling_counts counts;
        spn_chain_coupling_counts(&counts, chain);
        assert_near(spn_coupling_counts_value(&counts, 0.45), sum, 1e-11);
        assert_near(spn_coupling_counts_overlap(&counts), spn_snapshot_overlap(&s), 1e-13);
        spn_sampler_free(&chain->base);
    }
    spn_energy_free(energy);
}

/* mu0 of the reference instance A, and that draws do not repeat. */
static void redraws_have_their_law(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    const double gammas[] = {0, 0.4, 1.5};
    for (size_t g = 0; g < sizeof gammas / sizeof *gammas; g++) {
        uint64_t counts[SMALL_MOST_STATES] = {0};
        double law[SMALL_MOST_STATES];
        small_system system;
        small_system_init(&system, energy, 3, 0, gammas[g]);
        spn_chain *chain = walker(energy, 3, 5);
        for (size_t k = 0; k < DRAWS; k++) {
            assert_ok(spn_chain_redraw(chain, gammas[g], &err), err);
            counts[small_index(&system, chain->spins)]++;
        }
        small_law(&system, law);
        assert_true(spn_pearson_test(counts, law, system.states) > SPN_FALSE_ALARM);
        spn_sampler_free(&chain->base);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_run), cmocka_unit_test(placed_states_are_attached),
        cmocka_unit_test(weights_are_those_of_the_law), cmocka_unit_test(redraws_have_their_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
