/* Ladders whose walkers change their rungs by themselves, jump, or exchange clusters: laws and log
   Z against enumeration at a false-alarm rate of 1e-6, and the same bits at any number of threads
   and after save and load. tests/mutation breaks the moves on purpose. */
#include "ladder/ladder.h"
#include "support/chains.h"
#include "support/scratch.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNGS = 4, STATES = 64, CELLS = RUNGS * STATES };

/* A pair of sites and one alone, with fields: clusters of one and of two sites. */
static spn_energy *pair_and_one(void)
{
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 0.7}, {0, 0, 0.3}, {1, 1, -0.2}, {2, 2, 0.5}};
    const spn_problem problem = {
        .kind = SPN_PROBLEM_COUPLINGS, .sites = 3, .count = 4, .edges = edges};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    return energy;
}

static spn_energy *perceptron(void)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static spn_chain_options chain_options(void)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 2;
    o.seed = 20240701;
    o.target_energy = -INFINITY;
    return o;
}

/* Rungs that stay, on a path of both beta and gamma. */
static spn_ladder_options ladder_options(const spn_chain_options *chain, spn_ladder_method method)
{
    static const double fractions[RUNGS] = {0, 0.25, 0.6, 1};
    spn_ladder_options o = spn_ladder_defaults();
    o.chain = chain;
    o.method = method;
    o.beta_last = 1.5;
    o.gamma_first = 0.1;
    o.gamma_last = 0.6;
    o.rungs = RUNGS;
    o.fractions = fractions;
    o.rounds = 2;
    return o;
}

static spn_sampler *make(const spn_energy *energy, const spn_ladder_options *o)
{
    spn_error err = {0};
    spn_sampler *ladder;
    assert_ok(spn_ladder_create(&ladder, energy, o, &err), err);
    return ladder;
}

static void run(spn_sampler *ladder)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, ladder, NULL, &err), err);
    assert_int_equal(stop, SPN_STOP_STEPS);
}

/* ---- laws ---- */

/* log Z of a rung by the probability of its last state, that of all +1. */
static double exact_log_z(const small_system *system)
{
    double law[SMALL_MOST_STATES];
    small_law(system, law);
    const double energy =
        (double)system->replicas * system->energy[((size_t)1 << system->sites) - 1];
    const double coupling =
        (double)system->sites * log(cosh(system->gamma * (double)system->replicas));
    return -system->beta * energy + coupling - log(law[system->states - 1]);
}

static void systems_of(small_system *out, const spn_sampler *ladder, const spn_energy *energy)
{
    for (size_t k = 0; k < RUNGS; k++)
        small_system_init(&out[k], energy, 2, spn_ladder_of(ladder)->beta[k],
                          spn_ladder_of(ladder)->gamma[k]);
}

static void count_kept(uint64_t *counts, const spn_sampler *ladder, const small_system *system)
{
    memset(counts, 0, CELLS * sizeof *counts);
    for (size_t n = 0; n < spn_ladder_kept(ladder); n++) {
        const int8_t *spins;
        size_t rung;
        spn_ladder_kept_state(ladder, n, &spins, NULL, &rung, NULL);
        counts[rung * STATES + small_index(system, spins)]++;
    }
}

/* Each rung has its law: comparisons of their own. */
static void check_rungs(const spn_sampler *ladder, const spn_energy *energy)
{
    small_system systems[RUNGS];
    uint64_t counts[CELLS];
    const double most_error = 0.05 * sqrt(1e6 / (double)spn_test_samples(1000000));
    systems_of(systems, ladder, energy);
    count_kept(counts, ladder, systems);
    for (size_t k = 0; k < RUNGS; k++) {
        double law[SMALL_MOST_STATES];
        spn_ladder_rung rung;
        small_law(&systems[k], law);
        spn_ladder_look_at_rung(&rung, ladder, k);
        const double p = spn_pearson_test(counts + k * STATES, law, STATES);
        printf("  rung %zu: law p = %.3g; log Z %.4f +- %.4f, exact %.4f; jumps %llu of %llu, "
               "clusters of %.2f\n",
               k, p, rung.log_z, rung.log_z_error, exact_log_z(&systems[k]),
               (unsigned long long)rung.jumps, (unsigned long long)rung.jumps_tried, rung.cluster);
        assert_true(p > SPN_FALSE_ALARM);
        /* the two-sided tail of Student's law of 31 degrees at 6.1 is below 1e-6 */
        if (k > 0)
            assert_true(fabs(rung.log_z - exact_log_z(&systems[k])) < 6.1 * rung.log_z_error &&
                        rung.log_z_error < most_error);
    }
}

/* Weights off on purpose: state and rung have their joint law for any. */
static const double OFF[RUNGS] = {0, 0.5, -0.4, 0.3};

static spn_status turn_weights(void *context, const spn_progress *progress, spn_error *err)
{
    (void)progress, (void)err;
    spn_ladder *ladder = spn_ladder_of(context);
    if (spn_ladder_is_last_round(ladder) && ladder->round_scan == 0)
        for (size_t k = 0; k < RUNGS; k++) {
            small_system system;
            small_system_init(&system, ladder->energy, 2, ladder->beta[k], ladder->gamma[k]);
            ladder->weight[k] = OFF[k] - exact_log_z(&system);
        }
    return SPN_OK;
}

static void check_joint_law(const spn_sampler *ladder, const spn_energy *energy)
{
    small_system systems[RUNGS];
    uint64_t counts[CELLS];
    double expected[CELLS], norm = 0;
    systems_of(systems, ladder, energy);
    count_kept(counts, ladder, systems);
    for (size_t k = 0; k < RUNGS; k++)
        norm += exp(OFF[k]);
    for (size_t k = 0; k < RUNGS; k++) {
        small_law(&systems[k], expected + k * STATES);
        for (size_t i = 0; i < STATES; i++)
            expected[k * STATES + i] *= exp(OFF[k]) / norm;
    }
    const double p = spn_pearson_test(counts, expected, CELLS);
    printf("  joint law p = %.3g\n", p);
    assert_true(p > SPN_FALSE_ALARM);
}

static void walkers_and_rungs_have_their_joint_law(void **state)
{
    (void)state;
    spn_energy *energy = perceptron();
    const spn_chain_options chain = chain_options();
    spn_ladder_options o = ladder_options(&chain, SPN_LADDER_SIMULATED);
    spn_sampler *ladder;
    o.scans = spn_test_samples(80000);
    o.keep = 80;
    o.keep_all = 1;
    ladder = make(energy, &o);
    const spn_until until = spn_test_watch(turn_weights, ladder, 1);
    spn_test_run_until(ladder, &until);
    check_joint_law(ladder, energy);
    check_rungs(ladder, energy);
    uint64_t visits = 0;
    for (size_t k = 0; k < RUNGS; k++) {
        spn_ladder_rung rung;
        spn_ladder_look_at_rung(&rung, ladder, k);
        visits += rung.visits;
    }
    assert_int_equal(visits, RUNGS * o.scans);
    assert_true(spn_ladder_round_trips(ladder, SPN_LADDER_ALL) > o.scans / 200);
    assert_int_equal(spn_sampler_health(ladder), SPN_HEALTH_GOOD);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* With the ladder's own weights every rung is visited about equally often. */
static void weights_of_the_ladder_level_the_visits(void **state)
{
    (void)state;
    spn_energy *energy = perceptron();
    const spn_chain_options chain = chain_options();
    spn_ladder_options o = ladder_options(&chain, SPN_LADDER_SIMULATED);
    o.scans = 20000;
    o.rounds = 0;
    o.fractions = NULL;
    spn_sampler *ladder = make(energy, &o);
    run(ladder);
    for (size_t k = 0; k < RUNGS; k++) {
        spn_ladder_rung rung;
        spn_ladder_look_at_rung(&rung, ladder, k);
        printf("  rung %zu: %llu visits\n", k, (unsigned long long)rung.visits);
        /* weights are off by 0.02 or so; the visits of four walkers by less than a tenth */
        assert_true(fabs((double)rung.visits - 20000) < 2000);
    }
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* With all points equal every move within the ladder is accepted, and the walks are those of coins:
   known, and so is what the ladder says of them. */
static void equal_rungs_are_walked_by_coins(void **state)
{
    (void)state;
    enum { SCANS = 20000 };
    spn_energy *energy = perceptron();
    const spn_chain_options chain = chain_options();
    spn_ladder_options o = ladder_options(&chain, SPN_LADDER_SIMULATED);
    o.beta_first = o.beta_last;
    o.gamma_first = o.gamma_last;
    o.scans = SCANS;
    spn_sampler *ladder = make(energy, &o);
    run(ladder);
    assert_true(spn_ladder_barrier(ladder) < 1e-9);
    /* a round trip over four rungs takes 2 * 3 * 4 scans in the mean: from one reflecting end,
       where it stays with 1/2, to the other L (L + 1) for L = 3 and moves with 1/2 each. Its
       variance: of one way 2/3 L (L + 1) (L^2 + L + 1) - L (L + 1) = 92, so of both 184; renewals
       of the four walkers together have the variance 4 SCANS 184 / 24^3 */
    const double trips = (double)spn_ladder_round_trips(ladder, SPN_LADDER_ALL);
    const double z = (trips - 4 * SCANS / 24.0) / sqrt(4 * SCANS * 184 / pow(24, 3));
    printf("  %g round trips: z = %.2f\n", trips, z);
    assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* Jumps are exact in the limit only. The law is measured in the last round, of 80000 scans, after
   40000 that forget the start, with rings of 256 states. The bias that remains cannot be seen in
   1000 samples of each rung. */
static void ladders_of_jumps_have_their_laws(void **state)
{
    (void)state;
    spn_energy *energy = perceptron();
    const spn_chain_options chain = chain_options();
    spn_ladder_options o = ladder_options(&chain, SPN_LADDER_EQUI_ENERGY);
    o.scans = spn_test_samples(80000);
    o.scan_steps = 1;
    o.keep = 80;
    o.keep_all = 1;
    spn_sampler *ladder = make(energy, &o);
    run(ladder);
    check_rungs(ladder, energy);
    assert_int_equal(spn_ladder_round_trips(ladder, SPN_LADDER_ALL), 0);
    assert_int_equal(spn_sampler_health(ladder), SPN_HEALTH_GOOD);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

static void ladders_with_clusters_have_their_laws(void **state)
{
    (void)state;
    spn_energy *energy = pair_and_one();
    spn_chain_options chain = chain_options();
    const spn_coupling_kind kinds[] = {SPN_COUPLING_REPLICAS, SPN_COUPLING_CENTRE};
    for (int c = 0; c < 2; c++) {
        chain.coupling = kinds[c];
        spn_ladder_options o = ladder_options(&chain, SPN_LADDER_SWAP);
        o.scans = spn_test_samples(40000);
        o.scan_steps = 1;
        o.clusters = 2;
        o.keep = 40;
        o.keep_all = 1;
        spn_sampler *ladder = make(energy, &o);
        run(ladder);
        small_system systems[RUNGS];
        uint64_t counts[CELLS];
        systems_of(systems, ladder, energy);
        count_kept(counts, ladder, systems);
        for (size_t k = 0; k < RUNGS; k++) { /* the marginal of the centre's law is the same */
            double law[SMALL_MOST_STATES];
            spn_ladder_rung rung;
            spn_ladder_look_at_rung(&rung, ladder, k);
            small_law(&systems[k], law);
            const double p = spn_pearson_test(counts + k * STATES, law, STATES);
            printf("  coupling %s, rung %zu: law p = %.3g, clusters of %.2f\n",
                   spn_coupling_kind_name(kinds[c]), k, p, rung.cluster);
            assert_true(p > SPN_FALSE_ALARM && rung.cluster > 0.01 && rung.cluster < 1.5);
        }
        spn_sampler_free(ladder);
    }
    spn_energy_free(energy);
}

/* ---- the same bits ---- */

static void assert_same(const spn_sampler *a, const spn_sampler *b)
{
    assert_int_equal(spn_ladder_rungs(a), spn_ladder_rungs(b));
    assert_int_equal(spn_ladder_walkers(a), spn_ladder_walkers(b));
    for (size_t k = 0; k < spn_ladder_rungs(a); k++) {
        spn_ladder_rung x, y;
        memset(&x, 0, sizeof x);
        memset(&y, 0, sizeof y);
        spn_ladder_look_at_rung(&x, a, k);
        spn_ladder_look_at_rung(&y, b, k);
        assert_memory_equal(&x, &y, sizeof x);
    }
    for (size_t w = 0; w < spn_ladder_walkers(a); w++) {
        spn_test_assert_same_state(&spn_ladder_of(a)->walker[w].chain->base,
                                   &spn_ladder_of(b)->walker[w].chain->base);
        assert_int_equal(spn_ladder_round_trips(a, w), spn_ladder_round_trips(b, w));
    }
    assert_int_equal(spn_ladder_kept(a), spn_ladder_kept(b));
    const size_t spins =
        spn_ladder_of(a)->chain.replicas * spn_energy_sites(spn_ladder_of(a)->energy);
    assert_memory_equal(spn_ladder_of(a)->kept_spins, spn_ladder_of(b)->kept_spins,
                        spn_ladder_kept(a) * spins);
}

typedef struct saver {
    spn_sampler *ladder;
    uint64_t at;
    void *bytes;
    size_t size;
} saver;

static spn_status save_there(void *context, const spn_progress *progress, spn_error *err)
{
    saver *own = context;
    if (progress->step != own->at * progress->block || own->bytes)
        return SPN_OK;
    return spn_sampler_save(&own->bytes, &own->size, own->ladder, err);
}

/* What is cut short, or turned into other bytes, never crashes. */
static void load_damaged(const spn_energy *energy, const spn_ladder_options *o, const saver *saved)
{
    spn_error err = {0};
    unsigned char *bytes = malloc(saved->size);
    for (size_t n = 0; n < 60; n++) {
        spn_sampler *ladder = make(energy, o);
        memcpy(bytes, saved->bytes, saved->size);
        const size_t place = saved->size * n / 60;
        assert_true(spn_sampler_load(ladder, bytes, place, &err) != SPN_OK);
        bytes[place] ^= 0x55;
        (void)spn_sampler_load(ladder, bytes, saved->size, &err);
        spn_sampler_free(ladder);
    }
    free(bytes);
}

static void check_same_bits(const spn_energy *energy, spn_ladder_options o, uint64_t at)
{
    spn_error err = {0};
    spn_sampler *plain = make(energy, &o);
    run(plain);
    saver save = {.at = at};
    o.threads = 3;
    save.ladder = make(energy, &o);
    const spn_until until = spn_test_watch(save_there, &save, 1);
    spn_test_run_until(save.ladder, &until);
    assert_same(plain, save.ladder);
    o.threads = 2;
    spn_sampler *resumed = make(energy, &o);
    assert_ok(spn_sampler_load(resumed, save.bytes, save.size, &err), err);
    run(resumed);
    assert_same(plain, resumed);
    load_damaged(energy, &o, &save);
    free(save.bytes);
    spn_sampler_free(resumed);
    spn_sampler_free(save.ladder);
    spn_sampler_free(plain);
}

static void threads_and_saves_change_no_bit(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_chain_options chain = chain_options();
    chain.replicas = 3;
    for (int method = 0; spn_ladder_method_name((spn_ladder_method)method); method++)
        for (int coupling = 0; coupling < 2; coupling++) {
            chain.coupling = coupling ? SPN_COUPLING_CENTRE : SPN_COUPLING_REPLICAS;
            spn_ladder_options o = spn_ladder_defaults();
            o.chain = &chain;
            o.method = (spn_ladder_method)method;
            o.gamma_last = 0.2;
            o.scans = 256;
            o.keep = 50;
            o.clusters = 2;
            check_same_bits(energy, o, 100); /* while rungs move */
            check_same_bits(energy, o, 350); /* in the last round */
        }
    spn_energy_free(energy);
}

/* ---- errors, and targets ---- */

static void check_refused(const spn_energy *energy, const spn_ladder_options *o, const char *what,
                          const char *more)
{
    spn_error err = {0};
    spn_sampler *ladder;
    assert_error(spn_ladder_create(&ladder, energy, o, &err), &err, SPN_ERROR_ARGUMENT, what, more);
    assert_null(ladder);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    spn_energy *bits = perceptron(), *pair = pair_and_one();
    spn_chain_options chain = chain_options();
    spn_ladder_options o = ladder_options(&chain, SPN_LADDER_SIMULATED);
    o.rounds = 1;
    check_refused(pair, &o, "rounds: ", "2 rounds or more");
    o = ladder_options(&chain, SPN_LADDER_SWAP);
    o.clusters = 1;
    check_refused(bits, &o, "clusters: ", "no graph");
    chain.replicas = 1;
    check_refused(pair, &o, "clusters: ", "two replicas");
    spn_energy_free(pair);
    spn_energy_free(bits);
}

/* A run ends at its target, whatever moves a state away from it would make. */
static void targets_end_runs(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    spn_chain_options chain = chain_options();
    chain.target = SPN_TARGET_ANY;
    chain.target_energy = -60;
    for (int method = 0; spn_ladder_method_name((spn_ladder_method)method); method++) {
        spn_ladder_options o = spn_ladder_defaults();
        spn_ladder_progress now;
        spn_stop stop;
        o.chain = &chain;
        o.method = (spn_ladder_method)method;
        o.beta_last = 2;
        o.clusters = 3;
        spn_sampler *ladder = make(energy, &o);
        assert_ok(spn_sampler_run(&stop, ladder, NULL, &err), err);
        spn_ladder_look(&now, ladder);
        assert_int_equal(stop, SPN_STOP_TARGET);
        assert_true(now.best_energy <= -60 && now.first_hit != SPN_NO_HIT);
        assert_true(now.first_hit_proposals <= now.proposals + now.scan_steps * 2 * 128);
        spn_sampler_free(ladder);
    }
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walkers_and_rungs_have_their_joint_law),
        cmocka_unit_test(weights_of_the_ladder_level_the_visits),
        cmocka_unit_test(equal_rungs_are_walked_by_coins),
        cmocka_unit_test(ladders_of_jumps_have_their_laws),
        cmocka_unit_test(ladders_with_clusters_have_their_laws),
        cmocka_unit_test(threads_and_saves_change_no_bit),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(targets_end_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
