/* Equi-energy jumps: stores, levels, and the law of a cold chain that jumps into the store of a hot
   one. tests/mutation breaks the jumps on purpose. */
#include "ladder/equi_energy.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/scratch.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_energy *perceptron(void)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static spn_chain *walker(const spn_energy *energy, spn_coupling_kind coupling, uint32_t run)
{
    static const int8_t centre[] = {1, -1, -1};
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 2;
    o.seed = 20240601;
    o.run = run;
    o.steps = INT64_MAX;
    o.target_energy = -INFINITY;
    o.coupling = coupling;
    o.centre = coupling == SPN_COUPLING_GIVEN ? centre : NULL;
    return spn_chain_of(spn_test_chain_start(energy, &o));
}

/* ---- levels and stores ---- */

/* The level is the logarithm of the ratio of the two laws, up to one constant. */
static void levels_are_ratios_of_laws(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = perceptron();
    const spn_point_pair points = {0.3, 0.1, 1.2, 0.7};
    small_system hot, cold;
    double hot_law[SMALL_MOST_STATES], cold_law[SMALL_MOST_STATES];
    small_system_init(&hot, energy, 2, points.hot_beta, points.hot_gamma);
    small_system_init(&cold, energy, 2, points.cold_beta, points.cold_gamma);
    small_law(&hot, hot_law);
    small_law(&cold, cold_law);
    const spn_coupling_kind kinds[] = {SPN_COUPLING_REPLICAS, SPN_COUPLING_CENTRE};
    for (int c = 0; c < 2; c++) {
        spn_chain *chain = walker(energy, kinds[c], 0);
        double constant = 0;
        for (size_t k = 0; k < hot.states; k++) {
            int8_t spins[6];
            small_spins(&hot, k, spins);
            assert_ok(spn_chain_place(chain, spins, &err), err);
            const double ratio = log(hot_law[k] / cold_law[k]);
            const double level = spn_chain_level(chain, &points);
            constant = k ? constant : level - ratio;
            assert_near(level - ratio, constant, 1e-12);
        }
        spn_sampler_free(&chain->base);
    }
    spn_energy_free(energy);
}

static void levels_know_a_given_centre(void **state)
{
    (void)state;
    spn_energy *energy = perceptron();
    spn_chain *chain = walker(energy, SPN_COUPLING_GIVEN, 0);
    const spn_point_pair points = {0.5, 0.1, 0.5, 0.7};
    double towards = 0;
    for (size_t i = 0; i < 6; i++)
        towards += chain->centre[i % 3] * chain->spins[i];
    assert_near(spn_chain_level(chain, &points), -0.6 * towards, 1e-12);
    spn_sampler_free(&chain->base);
    spn_energy_free(energy);
}

static void capacities_are_bounded(void **state)
{
    (void)state;
    assert_int_equal(spn_store_capacity(3003, 20), SPN_STORE_CAPACITY);
    const size_t some = spn_store_capacity(100000, 20);
    assert_true(some >= SPN_STORE_LEAST_CAPACITY && some < SPN_STORE_CAPACITY);
    assert_true(some * 20 * SPN_STORE_RINGS * (100000 / 8) <= SPN_STORE_BYTES);
    assert_int_equal(spn_store_capacity(100000000, 20), 0);
}

static unsigned char *save(spn_store *store, size_t *size)
{
    spn_archive archive = {0};
    spn_error err = {0};
    assert_ok(spn_store_visit(store, &archive, &err), err);
    *size = archive.at;
    archive = (spn_archive){.bytes = malloc(*size), .size = *size};
    assert_ok(spn_store_visit(store, &archive, &err), err);
    return archive.bytes;
}

static spn_status load(spn_store *store, unsigned char *bytes, size_t size, spn_error *err)
{
    spn_archive archive = {.reads = true, .bytes = bytes, .size = size};
    return spn_store_visit(store, &archive, err);
}

/* What a store saves is what it loads, and it goes on alike. */
static void stores_are_saved_and_loaded(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = spn_chain_defaults();
    o.steps = INT64_MAX;
    o.target_energy = -INFINITY;
    spn_chain *chain = spn_chain_of(spn_test_chain_start(energy, &o));
    const spn_point_pair points = {0.2, 0, 0.8, 0.3}; /* many rings, and some that give way */
    spn_store *one, *other;
    assert_ok(spn_store_create(&one, 3 * 48, 4, &err), err);
    assert_ok(spn_store_create(&other, 3 * 48, 4, &err), err);
    size_t states, rings;
    spn_chain_set_point(chain, 0.2, 0);
    for (uint64_t scan = 0; scan < 600; scan++) {
        if (scan == 300) {
            size_t size;
            unsigned char *saved = save(one, &size);
            assert_ok(load(other, saved, size, &err), err);
            for (size_t cut = 0; cut < size; cut += 7) {
                spn_store *third;
                assert_ok(spn_store_create(&third, 3 * 48, 4, &err), err);
                assert_error(load(third, saved, cut, &err), &err, SPN_ERROR_ARGUMENT,
                             "not a saved store", "144 spins");
                assert_int_equal(spn_store_states(third, NULL), 0);
                spn_store_free(third);
            }
            free(saved);
        }
        assert_ok(spn_chain_walk(chain, 48, &err), err);
        assert_ok(spn_store_put(one, chain, &points, scan, &err), err);
        if (scan >= 300)
            assert_ok(spn_store_put(other, chain, &points, scan, &err), err);
    }
    states = spn_store_states(one, &rings);
    printf("  %zu states in %zu rings\n", states, rings);
    assert_true(rings == SPN_STORE_RINGS && states <= 4 * rings && states > 2 * rings);
    size_t size, other_size;
    unsigned char *a = save(one, &size), *b = save(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
    spn_store_free(one);
    spn_store_free(other);
    spn_sampler_free(&chain->base);
    spn_energy_free(energy);
}

/* ---- one jump ---- */

/* Two states of one ring, of levels 0.1 and 0.9, and how often one is left for the other. */
static void check_ratio(const int8_t *from, const int8_t *to, double chance)
{
    const uint64_t scans = spn_test_samples(400000);
    spn_error err = {0};
    spn_edge edges[] = {{0, 0, 0.5}, {1, 1, 0.4}};
    const spn_problem problem = {
        .kind = SPN_PROBLEM_COUPLINGS, .sites = 2, .count = 2, .edges = edges};
    const spn_point_pair points = {0, 0, 1, 0};
    spn_chain_options o = spn_chain_defaults();
    spn_jump_counts counts = {0, 0};
    spn_energy *energy;
    spn_store *store;
    uint64_t left = 0;
    o.replicas = 1;
    o.steps = INT64_MAX;
    o.target_energy = -INFINITY;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    spn_chain *chain = spn_chain_of(spn_test_chain_start(energy, &o));
    assert_ok(spn_store_create(&store, 2, 2, &err), err);
    assert_ok(spn_chain_place(chain, to, &err), err);
    assert_ok(spn_store_put(store, chain, &points, 0, &err), err);
    assert_ok(spn_chain_place(chain, from, &err), err);
    assert_ok(spn_store_put(store, chain, &points, 1, &err), err);
    for (uint64_t scan = 0; scan < scans; scan++) {
        assert_ok(spn_chain_jump(chain, store, &points, scan, &counts, &err), err);
        if (memcmp(chain->spins, to, 2) == 0) {
            left++;
            assert_ok(spn_chain_place(chain, from, &err), err);
        }
    }
    const double tries = (double)counts.tries, tried = SPN_JUMP_SHARE, share = chance / 2;
    const double n = (double)scans, by_tries = (tries - n * tried) / sqrt(n * tried * (1 - tried));
    const double z = ((double)left - tries * share) / sqrt(tries * share * (1 - share));
    printf("  tries: z = %.2f; left with chance %.3f: z = %.2f\n", by_tries, chance, z);
    assert_true(spn_normal_tail(by_tries) > SPN_FALSE_ALARM);
    assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
    spn_store_free(store);
    spn_sampler_free(&chain->base);
    spn_energy_free(energy);
}

static void jumps_have_their_ratio(void **state)
{
    (void)state;
    const int8_t high[] = {1, 1}, low[] = {1, -1};
    check_ratio(low, high, exp(-0.8));
    check_ratio(high, low, 1);
}

/* ---- the law ---- */

/* Three chains, the hottest at beta = 0 and drawn exactly; scans of one step, so that the jumps do
   most of the way. The law is exact in the limit only: after 4000 scans the stores have long been
   full and forgotten the start, and the bias that remains, about a tenth of 1/256, cannot be seen
   in 10000 samples; a failure by chance has a probability of 1e-6 for each of the comparisons. */
static void check_law(const double *beta, const double *gamma, spn_coupling_kind coupling)
{
    enum { CHAINS = 3, BURN = 4000, THIN = 100 };
    const uint64_t samples = spn_test_samples(10000);
    spn_error err = {0};
    spn_energy *energy = perceptron();
    spn_chain *chains[CHAINS];
    spn_store *stores[CHAINS];
    spn_jump_counts counts[CHAINS] = {{0, 0}};
    small_system systems[CHAINS];
    static uint64_t seen[CHAINS][SMALL_MOST_STATES];
    memset(seen, 0, sizeof seen);
    for (size_t k = 0; k < CHAINS; k++) {
        chains[k] = walker(energy, coupling, (uint32_t)k);
        spn_chain_set_point(chains[k], beta[k], gamma[k]);
        small_system_init(&systems[k], energy, 2, beta[k], gamma[k]);
        assert_ok(spn_store_create(&stores[k], 6, SPN_STORE_CAPACITY, &err), err);
    }
    for (uint64_t scan = 0; scan < BURN + samples * THIN; scan++) {
        for (size_t k = CHAINS; k-- > 0;) {
            if (k > 0 || beta[0] > 0)
                assert_ok(spn_chain_walk(chains[k], 1, &err), err);
            else
                assert_ok(spn_chain_redraw(chains[k], gamma[k], &err), err);
            if (k > 0) {
                const spn_point_pair above = {beta[k - 1], gamma[k - 1], beta[k], gamma[k]};
                assert_ok(spn_chain_jump(chains[k], stores[k - 1], &above, scan, &counts[k], &err),
                          err);
            }
            if (k + 1 < CHAINS) {
                const spn_point_pair below = {beta[k], gamma[k], beta[k + 1], gamma[k + 1]};
                assert_ok(spn_store_put(stores[k], chains[k], &below, scan, &err), err);
            }
            if (scan >= BURN && scan % THIN == 0)
                seen[k][small_index(&systems[k], chains[k]->spins)]++;
        }
    }
    for (size_t k = 0; k < CHAINS; k++) {
        double law[SMALL_MOST_STATES];
        small_law(&systems[k], law);
        const double p = spn_pearson_test(seen[k], law, systems[k].states);
        printf("  beta %.2g, gamma %.2g: law p = %.3g, %llu of %llu jumps\n", beta[k], gamma[k], p,
               (unsigned long long)counts[k].jumps, (unsigned long long)counts[k].tries);
        assert_true(p > SPN_FALSE_ALARM);
        if (k > 0) /* at least 1/e of them is accepted */
            assert_true(counts[k].tries > 1000 &&
                        (double)counts[k].jumps > 0.35 * (double)counts[k].tries);
        spn_sampler_free(&chains[k]->base);
        spn_store_free(stores[k]);
    }
    spn_energy_free(energy);
}

static void chains_that_jump_have_their_law(void **state)
{
    (void)state;
    const double beta[] = {0, 0.7, 1.8}, gamma[] = {0.1, 0.3, 0.6}, same[] = {0.4, 0.4, 0.4};
    check_law(beta, same, SPN_COUPLING_REPLICAS);
    check_law(beta, gamma, SPN_COUPLING_REPLICAS);
    check_law(beta, gamma, SPN_COUPLING_CENTRE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_ratios_of_laws),
        cmocka_unit_test(levels_know_a_given_centre),
        cmocka_unit_test(capacities_are_bounded),
        cmocka_unit_test(stores_are_saved_and_loaded),
        cmocka_unit_test(jumps_have_their_ratio),
        cmocka_unit_test(chains_that_jump_have_their_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
