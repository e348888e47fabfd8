/* Ladders of swapping chains: their round trips, rungs, stops, threads, save and load. The laws of
   the rungs are in test_ladder_law.c, log Z in test_ladder_log_z.c. */
#include "ladder/ladder.h"
#include "support/chains.h"
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_sampler *start(const spn_energy *energy, const spn_ladder_options *o)
{
    spn_error err = {0};
    spn_sampler *ladder;
    assert_ok(spn_ladder_create(&ladder, energy, o, &err), err);
    return ladder;
}

static spn_stop run(spn_sampler *ladder)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, ladder, NULL, &err), err);
    return stop;
}

static spn_ladder_rung rung_of(const spn_sampler *ladder, size_t k)
{
    spn_ladder_rung rung;
    spn_ladder_look_at_rung(&rung, ladder, k);
    return rung;
}

static spn_ladder_progress look(const spn_sampler *ladder)
{
    spn_ladder_progress now;
    spn_ladder_look(&now, ladder);
    return now;
}

/* ---- round trips ---- */

/* Where the walker that begins on rung k is after t swaps that were all accepted: it goes round a
   circle of 2 K places, up on one side and down on the other, resting for a scan at each end. */
static size_t toy_rung(size_t k, uint64_t t, size_t rungs)
{
    const size_t place = k % 2 == 0 ? k : 2 * rungs - 1 - k;
    const size_t now = (place + t) % (2 * rungs);
    return now < rungs ? now : 2 * rungs - 1 - now;
}

static void toy_trips(size_t k, uint64_t scans, size_t rungs, uint64_t *restarts, uint64_t *trips)
{
    bool from_first = k == 0, from_last = false;
    *restarts = *trips = 0;
    for (uint64_t t = 1; t <= scans; t++) {
        const size_t rung = toy_rung(k, t, rungs);
        if (rung == 0) {
            *trips += from_last;
            from_first = true;
            from_last = false;
        } else if (rung == rungs - 1 && from_first) {
            ++*restarts;
            from_first = false;
            from_last = true;
        }
    }
}

static void round_trips_of_a_toy_are_known(void **state)
{
    (void)state;
    const double flat[8] = {0};
    spn_energy *energy = table_energy(flat, 3, true);
    for (size_t rungs = 2; rungs <= 7; rungs++) {
        spn_ladder_options o = spn_ladder_defaults();
        o.rungs = rungs;
        o.scans = 101;
        o.rounds = 1;
        spn_sampler *ladder = start(energy, &o);
        assert_int_equal(run(ladder), SPN_STOP_STEPS);
        uint64_t sum = 0;
        for (size_t w = 0; w < rungs; w++) {
            uint64_t restarts, trips;
            toy_trips(w, o.scans, rungs, &restarts, &trips);
            assert_int_equal(spn_ladder_of(ladder)->walker[w].s.rung, toy_rung(w, o.scans, rungs));
            assert_int_equal(spn_ladder_restarts(ladder, w), restarts);
            assert_int_equal(spn_ladder_round_trips(ladder, w), trips);
            sum += trips;
        }
        assert_int_equal(spn_ladder_round_trips(ladder, SPN_LADDER_ALL), sum);
        assert_int_equal(spn_ladder_round_trips(ladder, 0), (o.scans + 1) / (2 * rungs));
        assert_true(spn_ladder_barrier(ladder) == 0);
        assert_int_equal(spn_sampler_health(ladder), SPN_HEALTH_GOOD);
        spn_sampler_free(ladder);
    }
    spn_energy_free(energy);
}

/* ---- adaptation ---- */

static void ladders_adapt(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_ladder_options o = spn_ladder_defaults();
    o.beta_last = 2;
    o.scans = 2048;
    spn_sampler *ladder = start(energy, &o);
    run(ladder);
    const size_t rungs = spn_ladder_rungs(ladder);
    const double barrier = spn_ladder_barrier(ladder), mean = barrier / (double)(rungs - 1);
    printf("  %zu rungs, barrier %.3f\n", rungs, barrier);
    for (size_t k = 0; k + 1 < rungs; k++) {
        const spn_ladder_rung r = rung_of(ladder, k);
        printf("  beta %.3f rejection %.3f\n", r.beta, r.rejection);
        assert_true(fabs(r.rejection - mean) < 0.25 * mean);
    }
    assert_true(fabs((double)rungs - 1 - 2 * barrier) <= 0.3 * (double)rungs);
    assert_int_equal(spn_sampler_health(ladder), SPN_HEALTH_GOOD);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

static void given_fractions_stay(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    const double fractions[] = {0, 0.1, 0.5, 1};
    spn_ladder_options o = spn_ladder_defaults();
    o.rungs = 4;
    o.fractions = fractions;
    o.scans = 64;
    o.beta_last = 3;
    spn_sampler *ladder = start(energy, &o);
    run(ladder);
    for (size_t k = 0; k < 4; k++)
        assert_true(rung_of(ladder, k).fraction == fractions[k]);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* ---- the same bits ---- */

/* All rungs in one pass, and one at a time. */
static void rungs_are_the_same_together(void **state)
{
    (void)state;
    enum { RUNGS = 5 };
    spn_energy *energy = spn_test_lattice();
    spn_ladder_options o = spn_ladder_defaults();
    o.rungs = RUNGS;
    o.scans = 64;
    spn_sampler *ladder = start(energy, &o);
    run(ladder);
    spn_ladder_rung all[RUNGS], some[2];
    spn_ladder_look_at_rungs(all, ladder, 0, RUNGS);
    spn_ladder_look_at_rungs(some, ladder, 2, 2);
    assert_memory_equal(some, all + 2, sizeof some);
    for (size_t k = 0; k < RUNGS; k++) {
        const spn_ladder_rung one = rung_of(ladder, k);
        assert_memory_equal(&one, &all[k], sizeof one);
    }
    assert_true(all[RUNGS - 1].energy_low < all[RUNGS - 1].energy);
    assert_true(all[RUNGS - 1].energy < all[RUNGS - 1].energy_high);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

static void assert_same_rungs(const spn_sampler *a, const spn_sampler *b)
{
    assert_int_equal(spn_ladder_rungs(a), spn_ladder_rungs(b));
    assert_int_equal(spn_ladder_walkers(a), spn_ladder_walkers(b));
    for (size_t k = 0; k < spn_ladder_rungs(a); k++) {
        const spn_ladder_rung x = rung_of(a, k), y = rung_of(b, k);
        assert_memory_equal(&x, &y, sizeof x);
    }
    for (size_t w = 0; w < spn_ladder_walkers(a); w++) {
        spn_test_assert_same_state(&spn_ladder_of(a)->walker[w].chain->base,
                                   &spn_ladder_of(b)->walker[w].chain->base);
        assert_int_equal(spn_ladder_round_trips(a, w), spn_ladder_round_trips(b, w));
    }
}

static void assert_same(const spn_sampler *a, const spn_sampler *b)
{
    const spn_ladder_progress x = look(a), y = look(b);
    assert_same_rungs(a, b);
    assert_int_equal(x.proposals, y.proposals);
    assert_int_equal(x.scan, y.scan);
    assert_true(x.best_energy == y.best_energy && x.best_walker == y.best_walker);
    assert_int_equal(x.first_hit, y.first_hit);
    assert_int_equal(x.first_hit_proposals, y.first_hit_proposals);
    assert_int_equal(spn_ladder_kept(a), spn_ladder_kept(b));
    for (size_t k = 0; k < spn_ladder_kept(a); k++) {
        const int8_t *s, *t;
        const double *e, *f;
        spn_ladder_kept_state(a, k, &s, &e, NULL, NULL);
        spn_ladder_kept_state(b, k, &t, &f, NULL, NULL);
        assert_memory_equal(s, t, 3 * spn_energy_sites(spn_ladder_of(a)->energy));
        assert_memory_equal(e, f, 3 * sizeof *e);
    }
}

static spn_ladder_options busy_options(const spn_chain_options *chain)
{
    spn_ladder_options o = spn_ladder_defaults();
    o.chain = chain;
    o.beta_last = 1.5;
    o.gamma_first = 0.1;
    o.gamma_last = 0.4;
    o.scans = 128;
    o.keep = 32;
    o.keep_all = 1;
    return o;
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    for (int coupling = 0; coupling <= SPN_COUPLING_CENTRE; coupling++) {
        spn_chain_options chain = spn_chain_defaults();
        chain.coupling = (spn_coupling_kind)coupling;
        spn_ladder_options o = busy_options(&chain);
        spn_sampler *alone = start(energy, &o);
        run(alone);
        for (unsigned threads = 2; threads <= 3; threads++) {
            o.threads = threads;
            spn_sampler *several = start(energy, &o);
            run(several);
            assert_same(alone, several);
            spn_sampler_free(several);
        }
        spn_sampler_free(alone);
    }
    spn_energy_free(energy);
}

/* Stops the run at a scan, and saves it where it can be. */
typedef struct stopper {
    spn_sampler *ladder;
    uint64_t at;
    volatile sig_atomic_t flag;
    void *bytes;
    size_t size;
} stopper;

static spn_status stop_at(void *context, const spn_progress *progress, spn_error *err)
{
    stopper *stop = context;
    if (progress->step == 0 || progress->step != stop->at * progress->block ||
        !spn_sampler_can_save(stop->ladder))
        return SPN_OK;
    stop->flag = 1;
    return spn_sampler_save(&stop->bytes, &stop->size, stop->ladder, err);
}

static void check_resumed(const spn_energy *energy, spn_coupling_kind coupling, spn_moves moves,
                          uint64_t every, uint64_t scan_steps)
{
    spn_chain_options chain = spn_chain_defaults();
    chain.coupling = coupling;
    chain.moves = moves;
    spn_ladder_options o = busy_options(&chain);
    o.scan_steps = scan_steps;
    spn_sampler *whole = start(energy, &o);
    run(whole);
    for (uint64_t at = every; at < look(whole).scans; at += every) {
        stopper stop = {.at = at};
        spn_error err = {0};
        spn_until until = spn_test_watch(stop_at, &stop, 1);
        until.stop = &stop.flag;
        spn_sampler *cut = start(energy, &o);
        stop.ladder = cut;
        assert_int_equal(spn_test_run_until(cut, &until), SPN_STOP_REQUEST);
        assert_non_null(stop.bytes);
        stop.flag = 0;
        stop.at = 0;
        assert_int_equal(spn_test_run_until(cut, &until),
                         SPN_STOP_STEPS); /* as if it had not been stopped */
        assert_same(whole, cut);
        spn_sampler *loaded = start(energy, &o);
        assert_ok(spn_sampler_load(loaded, stop.bytes, stop.size, &err), err);
        assert_int_equal(run(loaded), SPN_STOP_STEPS);
        assert_same(whole, loaded);
        assert_ok(spn_sampler_load(cut, stop.bytes, stop.size, &err), err);
        assert_int_equal(run(cut), SPN_STOP_STEPS); /* from a ladder that is further */
        assert_same(whole, cut);
        free(stop.bytes);
        spn_sampler_free(cut);
        spn_sampler_free(loaded);
    }
    spn_sampler_free(whole);
}

static void saved_ladders_go_on(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    check_resumed(energy, SPN_COUPLING_REPLICAS, SPN_MOVES_PLAIN, 37, 0);
    check_resumed(energy, SPN_COUPLING_CENTRE, SPN_MOVES_PLAIN, 61, 0);
    check_resumed(energy, SPN_COUPLING_REPLICAS, SPN_MOVES_WAITING, 83, 0);
    check_resumed(energy, SPN_COUPLING_REPLICAS, SPN_MOVES_AUTO, 83, 0);
    spn_energy_free(energy);
}

/* An energy with rounding errors in its cache: E = (sum of a_i s_i) in floating point, added to at
   each flip, so that it depends on the way in its last bits. */
static double drifting_value(const void *problem, const int8_t *spins)
{
    (void)problem;
    double sum = 0;
    for (size_t i = 0; i < 24; i++)
        sum += spins[i] / (3.0 + (double)i);
    return sum * sum;
}

static double drifting_attach(const void *problem, void *cache, const int8_t *spins)
{
    double *sum = cache;
    (void)problem;
    *sum = 0;
    for (size_t i = 0; i < 24; i++)
        *sum += spins[i] / (3.0 + (double)i);
    return *sum * *sum;
}

static double drifting_delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    const double *sum = cache;
    (void)problem;
    const double after = *sum - 2 * spins[site] / (3.0 + (double)site);
    return after * after - *sum * *sum;
}

static double drifting_commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    double *sum = cache;
    (void)problem;
    *sum += 2 * spins[site] / (3.0 + (double)site);
    return *sum * *sum;
}

static void caches_that_drift_are_refreshed(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    int problem = 0;
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "drifting";
    ops.energy = drifting_value;
    ops.attach = drifting_attach;
    ops.delta = drifting_delta;
    ops.commit = drifting_commit;
    ops.refresh = drifting_attach;
    assert_ok(spn_energy_define(&energy, &ops, &problem, 24, sizeof(double), false, &err), err);
    check_resumed(energy, SPN_COUPLING_REPLICAS, SPN_MOVES_PLAIN, 82, 100);
    spn_energy_free(energy);
}

static void bad_bytes_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    spn_chain_options chain = spn_chain_defaults();
    spn_ladder_options o = busy_options(&chain);
    spn_sampler *ladder = start(energy, &o);
    run(ladder);
    void *bytes;
    size_t size;
    assert_ok(spn_sampler_save(&bytes, &size, ladder, &err), err);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 7)
        assert_int_equal(spn_sampler_load(ladder, bytes, cut, &err), SPN_ERROR_ARGUMENT);
    assert_ok(spn_sampler_load(ladder, bytes, size, &err), err);
    unsigned char *copy = malloc(size);
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    for (int k = 0; k < 2000; k++) { /* whatever it is, it must not crash */
        memcpy(copy, bytes, size);
        copy[spn_random_below(&random, k % 2 ? 256 : (uint32_t)size)] ^=
            (unsigned char)(1u << spn_random_below(&random, 8));
        const spn_status status = spn_sampler_load(ladder, copy, size, &err);
        assert_true(status == SPN_OK || status == SPN_ERROR_ARGUMENT);
    }
    free(copy);
    free(bytes);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* ---- stops ---- */

static void targets_stop_the_ladder(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_chain_options chain = spn_chain_defaults();
    chain.target = SPN_TARGET_ANY;
    chain.target_energy = -50;
    spn_ladder_options o = busy_options(&chain);
    o.beta_last = 3;
    spn_sampler *first = NULL;
    for (unsigned threads = 1; threads <= 3; threads++) {
        o.threads = threads;
        spn_sampler *ladder = start(energy, &o);
        assert_int_equal(run(ladder), SPN_STOP_TARGET);
        const spn_ladder_progress now = look(ladder);
        assert_true(now.best_energy <= -50);
        assert_true(spn_energy_value(energy, now.best_spins) == now.best_energy);
        assert_true(now.first_hit < now.scans * now.scan_steps && now.first_hit_seconds > 0);
        assert_true(now.first_hit_proposals <= now.proposals);
        assert_int_equal(now.first_hit_proposals % 3, 0);
        assert_int_equal(spn_sampler_health(ladder), SPN_HEALTH_GOOD);
        assert_int_equal(run(ladder), SPN_STOP_TARGET);
        if (first)
            assert_same(first, ladder);
        else
            first = ladder;
        if (ladder != first)
            spn_sampler_free(ladder);
    }
    spn_sampler_free(first);
    spn_energy_free(energy);
}

static void time_stops_the_ladder(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_ladder_options o = spn_ladder_defaults();
    o.scans = (uint64_t)1 << 40;
    spn_until until = spn_until_defaults();
    until.seconds = 0.02;
    spn_sampler *ladder = start(energy, &o);
    assert_int_equal(spn_test_run_until(ladder, &until), SPN_STOP_TIME);
    assert_true(look(ladder).seconds >= 0.02);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

static double ticks;

static double ticking(void)
{
    return ticks += 1;
}

/* With fills the time decides how many rounds there are, and how long the last one is. */
static void a_ladder_fills_its_time(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_ladder_options o = spn_ladder_defaults();
    o.scans = 64;
    o.fills = 1;
    spn_sampler *ladder = start(energy, &o);
    const uint32_t rounds = look(ladder).rounds;
    spn_error err = {0};
    spn_stop stop;
    assert_int_equal(spn_sampler_run(&stop, ladder, NULL, &err), SPN_ERROR_ARGUMENT);
    spn_until until = spn_until_defaults();
    until.seconds = 50000; /* ticks: some at each scan */
    ladder->clock = ticking;
    assert_int_equal(spn_test_run_until(ladder, &until), SPN_STOP_TIME);
    const spn_ladder_progress now = look(ladder);
    assert_true(now.rounds > rounds + 3 && now.round + 1 == now.rounds);
    assert_true(now.round_scans > now.scan / 4);
    assert_true(now.blocks > SPN_LADDER_BLOCKS / 2 && now.blocks <= SPN_LADDER_BLOCKS);
    uint64_t counted = 0;
    for (size_t b = 0; b < SPN_LADDER_BLOCKS; b++)
        counted += spn_ladder_of(ladder)->tallies[b].count;
    assert_int_equal(counted, now.round_scans);
    void *bytes;
    size_t size;
    assert_ok(spn_sampler_save(&bytes, &size, ladder, &err), err);
    spn_sampler *again = start(energy, &o);
    assert_ok(spn_sampler_load(again, bytes, size, &err), err);
    assert_int_equal(look(again).scans, now.scans);
    spn_free(bytes);
    spn_sampler_free(again);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* A round clears what its rungs use, not the megabytes that all possible ones would. */
static void rounds_clear_their_rungs(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_ladder_options o = spn_ladder_defaults();
    o.rungs = 5;
    spn_sampler *ladder = start(energy, &o);
    const size_t used = spn_ladder_of(ladder)->rungs * SPN_LADDER_BLOCKS;
    assert_int_equal(spn_ladder_of(ladder)->rungs, 5);
    for (size_t k = 0; k <= used; k++)
        spn_ladder_of(ladder)->tallies[k].count = 77;
    spn_ladder_clear_tallies(spn_ladder_of(ladder));
    for (size_t k = 0; k < used; k++)
        assert_int_equal(spn_ladder_of(ladder)->tallies[k].count, 0);
    assert_int_equal(spn_ladder_of(ladder)->tallies[used].count, 77);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
}

/* ---- what is refused, what is said ---- */

static void bad_options_are_refused(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    const double backwards[] = {0, 0.6, 0.5, 1}, unended[] = {0, 0.2, 0.5, 0.9};
    spn_ladder_options bad[7];
    for (size_t k = 0; k < 7; k++)
        bad[k] = spn_ladder_defaults();
    bad[0].beta_last = -1;
    bad[1].gamma_first = NAN;
    bad[2].rungs = 1;
    bad[3].scans = 0;
    bad[4].rungs = 4;
    bad[4].fractions = backwards;
    bad[5].rungs = 4;
    bad[5].fractions = unended;
    bad[6].threads = 0;
    for (size_t k = 0; k < 7; k++) {
        spn_error err = {0};
        spn_sampler *ladder;
        assert_int_equal(spn_ladder_create(&ladder, energy, &bad[k], &err), SPN_ERROR_ARGUMENT);
        assert_null(ladder);
        assert_true(strlen(err.text) > 0);
    }
    spn_energy_free(energy);
}

static void broken_ladders_are_told(void **state)
{
    (void)state;
    spn_energy *energy;
    spn_problem *problem;
    spn_error err = {0};
    assert_ok(spn_problem_random_lattice(&problem, 30, 30, 1, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_ladder_options o = spn_ladder_defaults();
    o.rungs = 3;
    o.scans = 32;
    o.beta_last = 3;
    spn_sampler *ladder = start(energy, &o);
    run(ladder);
    assert_int_equal(spn_sampler_health(ladder), SPN_HEALTH_BROKEN);
    const spn_ladder_rung worst = rung_of(ladder, spn_ladder_worst_pair(ladder));
    assert_true(worst.rejection > 0.95);
    spn_sampler_free(ladder);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips_of_a_toy_are_known),
                                       cmocka_unit_test(ladders_adapt),
                                       cmocka_unit_test(given_fractions_stay),
                                       cmocka_unit_test(rungs_are_the_same_together),
                                       cmocka_unit_test(threads_change_no_bit),
                                       cmocka_unit_test(saved_ladders_go_on),
                                       cmocka_unit_test(caches_that_drift_are_refreshed),
                                       cmocka_unit_test(bad_bytes_are_refused),
                                       cmocka_unit_test(targets_stop_the_ladder),
                                       cmocka_unit_test(time_stops_the_ladder),
                                       cmocka_unit_test(a_ladder_fills_its_time),
                                       cmocka_unit_test(rounds_clear_their_rungs),
                                       cmocka_unit_test(bad_options_are_refused),
                                       cmocka_unit_test(broken_ladders_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
