/* Reads: each is the chain with its run number alone, bit for bit, at any number of threads. */
#include "core/sampler.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static spn_energy *lattice(size_t width, size_t height)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_lattice(&problem, width, height, 3, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static void check_equal(const spn_sampler *a, const spn_sampler *b, size_t count, size_t sites)
{
    for (size_t r = 0; r < count; r++) {
        spn_read left, right;
        spn_reads_look(&left, a, r);
        spn_reads_look(&right, b, r);
        spn_test_assert_same_read(&left, &right, sites);
    }
    assert_int_equal(spn_sampler_health(a), spn_sampler_health(b));
}

/* Run in pieces of some steps; saved after each piece and loaded into others with another number of
   threads. */
static spn_sampler *run_in_pieces(const spn_energy *energy, const spn_chain_options *chain,
                                  size_t count, uint64_t steps)
{
    spn_error err = {0};
    spn_until some = spn_until_defaults();
    spn_stop stop = SPN_STOP_NONE;
    some.steps = steps;
    spn_sampler *reads = spn_test_reads_start(energy, chain, count, 3);
    for (unsigned k = 0; k < 100 && !stop; k++) {
        void *state;
        size_t size;
        assert_ok(spn_sampler_run(&stop, reads, &some, &err), err);
        assert_ok(spn_sampler_save(&state, &size, reads, &err), err);
        spn_sampler_free(reads);
        reads = spn_test_reads_start(energy, chain, count, 1 + k % 4);
        assert_ok(spn_sampler_load(reads, state, size, &err), err);
        free(state);
    }
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
    return reads;
}

static void check_all(const spn_energy *energy, const spn_chain_options *chain, size_t count)
{
    const size_t sites = spn_energy_sites(energy);
    spn_sampler *one = spn_test_reads_run(energy, chain, count, 1);
    spn_progress end;
    spn_sampler_look(&end, one);
    assert_true(end.share == 1);
    spn_test_check_reads(one, energy, chain, count);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        spn_sampler *more = spn_test_reads_run(energy, chain, count, threads);
        check_equal(one, more, count, sites);
        spn_sampler_free(more);
    }
    for (uint64_t pieces = 2; pieces <= 50; pieces += 48) {
        spn_sampler *again = run_in_pieces(energy, chain, count, end.step / pieces + 1);
        check_equal(one, again, count, sites);
        spn_sampler_free(again);
    }
    spn_sampler_free(one);
}

static void test_reads_are_chains(void **state)
{
    (void)state;
    spn_energy *energy = lattice(8, 6);
    spn_chain_options o = spn_chain_defaults();
    o.beta = spn_test_exponential(0.1, 3);
    o.gamma = spn_test_linear(0, 1);
    o.steps = 10000;
    o.run = 5;
    for (int order = 0; spn_order_name((spn_order)order); order++)
        for (size_t y = 1; y <= 3; y += 2) {
            o.order = (spn_order)order;
            o.replicas = y;
            check_all(energy, &o, 9);
        }
    spn_energy_free(energy);
}

static void test_each_stops_by_itself(void **state)
{
    (void)state;
    spn_energy *energy = lattice(4, 4);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.beta = spn_test_constant(0.5);
    o.steps = 100000;
    o.target = SPN_TARGET_ANY;
    o.target_energy = -20;
    check_all(energy, &o, 12);
    o.target = SPN_TARGET_NONE;
    o.patience = 500;
    check_all(energy, &o, 12);
    spn_energy_free(energy);
}

/* Of k states replica a of read r starts at state (r y + a) mod k. */
static void test_warm_starts(void **state)
{
    (void)state;
    enum { SITES = 24, STATES = 5, READS = 7, REPLICAS = 3 };
    spn_error err = {0};
    spn_energy *energy = lattice(6, 4);
    int8_t starts[STATES * SITES], given[REPLICAS * SITES];
    spn_random random = spn_random_make(11, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&random, starts, sizeof starts);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = REPLICAS;
    o.beta = spn_test_exponential(0.5, 3);
    o.steps = 200;
    spn_reads_options how = spn_reads_defaults();
    how.chain = &o;
    how.reads = READS;
    how.threads = 2;
    how.starts = starts;
    how.start_count = STATES;
    spn_sampler *reads;
    spn_stop stop;
    assert_ok(spn_reads_create(&reads, energy, &how, &err), err);
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
    for (size_t r = 0; r < READS; r++) {
        spn_chain_options alone = o;
        spn_read read;
        for (size_t a = 0; a < REPLICAS; a++)
            memcpy(given + a * SITES, starts + (r * REPLICAS + a) % STATES * SITES, SITES);
        alone.start = SPN_START_GIVEN;
        alone.given = given;
        spn_reads_look(&read, reads, r);
        spn_test_check_read(&read, r, energy, &alone);
    }
    spn_sampler_free(reads);
    how.start_count = 0;
    assert_int_equal(spn_reads_create(&reads, energy, &how, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "starts and start_count go together"));
    spn_energy_free(energy);
}

/* Fields of a tenth, two tenths, ...: what is kept drifts by rounding. */
enum { TENTHS = 7 };

static double tenths(const void *problem, const int8_t *spins)
{
    double sum = 0;
    (void)problem;
    for (int i = 0; i < TENTHS; i++)
        sum += 0.1 * (i + 1) * spins[i];
    return sum;
}

static double attach(const void *problem, void *cache, const int8_t *spins)
{
    return *(double *)cache = tenths(problem, spins);
}

static double delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)problem, (void)cache;
    return -0.2 * (double)(site + 1) * spins[site];
}

static double commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)problem;
    return *(double *)cache += 0.2 * (double)(site + 1) * spins[site];
}

/* Energies whose caches depend on the way: reads that cannot be saved start again. */
static void test_caches_that_depend_on_the_way(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_energy_ops ops = spn_energy_ops_defaults();
    spn_chain_options o = spn_chain_defaults();
    ops.name = "tenths";
    ops.energy = tenths;
    ops.attach = ops.refresh = attach;
    ops.delta = delta;
    ops.commit = commit;
    assert_ok(spn_energy_define(&energy, &ops, NULL, TENTHS, sizeof(double), false, &err), err);
    o.beta = spn_test_exponential(0.1, 3);
    o.steps = 20000;
    o.replicas = 2;
    check_all(energy, &o, 5);
    spn_energy_free(energy);
}

/* Reads side by side, one of a few and groups of many. */
static void test_reads_in_lanes(void **state)
{
    (void)state;
    spn_energy *energy = lattice(5, 4);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.beta = spn_test_exponential(0.1, 3);
    o.steps = 777;
    check_all(energy, &o, 40);
    o.target = SPN_TARGET_ANY;
    o.target_energy = -24;
    check_all(energy, &o, 150);
    spn_energy_free(energy);
}

/* A stop leaves the reads where they are: none is begun, or some are done and some under way; then
   they go on as if nothing had been. */
static spn_status stop_at_two(void *context, const spn_progress *progress, spn_error *err)
{
    (void)err;
    *(volatile sig_atomic_t *)context = progress->proposals >= 2500;
    return SPN_OK;
}

static void test_stops(void **state)
{
    (void)state;
    enum { READS = 9 };
    spn_energy *energy = lattice(4, 4);
    spn_error err = {0};
    spn_chain_options o = spn_chain_defaults();
    volatile sig_atomic_t stop = 1;
    spn_until until = spn_until_defaults();
    spn_stop why;
    spn_read read;
    o.steps = 1000;
    o.replicas = 1;
    until.stop = &stop;
    spn_sampler *reads = spn_test_reads_start(energy, &o, READS, 1);
    assert_ok(spn_sampler_run(&why, reads, &until, &err), err);
    assert_int_equal(why, SPN_STOP_REQUEST);
    for (size_t r = 0; r < READS; r++) {
        spn_reads_look(&read, reads, r);
        assert_true(read.stop == SPN_STOP_NONE && read.steps == 0 && read.hit == SPN_NO_HIT);
        assert_true(isnan(read.best_energy) && isnan(read.energy) && !read.best_spins);
    }
    stop = 0;
    until.observer = stop_at_two;
    until.context = (void *)&stop;
    until.observe_every = 100;
    assert_ok(spn_sampler_run(&why, reads, &until, &err), err);
    assert_int_equal(why, SPN_STOP_REQUEST);
    for (size_t r = 0; r < READS; r++) {
        spn_reads_look(&read, reads, r);
        assert_int_equal(read.stop, r < 2 ? SPN_STOP_STEPS : SPN_STOP_NONE);
        assert_true(r < 3 ? read.best_energy == spn_energy_value(energy, read.best_spins)
                          : read.steps == 0);
    }
    assert_ok(spn_sampler_run(&why, reads, NULL, &err), err);
    assert_int_equal(why, SPN_STOP_STEPS);
    spn_test_check_reads(reads, energy, &o, READS);
    spn_sampler_free(reads);
    spn_energy_free(energy);
}

typedef struct progress {
    size_t calls, fail_at;
    double share, best;
    uint64_t proposals, step;
} progress;

static spn_status note(void *context, const spn_progress *now, spn_error *err)
{
    progress *p = context;
    assert_true(now->share >= p->share && now->share <= 1 && now->proposals >= p->proposals);
    assert_true(now->step >= p->step && (p->calls < 2 || now->best_energy <= p->best));
    *p = (progress){p->calls + 1,     p->fail_at,     now->share,
                    now->best_energy, now->proposals, now->step};
    return p->calls == p->fail_at ? spn_fail(err, SPN_ERROR_IO, "enough") : SPN_OK;
}

static void test_progress(void **state)
{
    (void)state;
    enum { STEPS = 50000, READS = 6 };
    spn_energy *energy = lattice(4, 4);
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    progress p = {.fail_at = SIZE_MAX};
    spn_until until = spn_until_defaults();
    spn_stop stop;
    chain.steps = STEPS;
    until.observer = note;
    until.context = &p;
    until.observe_every = 1000;
    spn_sampler *reads = spn_test_reads_start(energy, &chain, READS, 3);
    assert_ok(spn_sampler_run(&stop, reads, &until, &err), err);
    assert_true(p.calls > 100 && p.share == 1 && p.step == (uint64_t)STEPS * READS);
    assert_true(p.proposals == (uint64_t)STEPS * READS * chain.replicas);
    spn_sampler_free(reads);
    p = (progress){.fail_at = 20};
    reads = spn_test_reads_start(energy, &chain, READS, 3);
    assert_int_equal(spn_sampler_run(&stop, reads, &until, &err), SPN_ERROR_IO);
    assert_string_equal(err.text, "enough");
    spn_sampler_free(reads);
    spn_energy_free(energy);
}

/* A time for each read ends it, however far it is. */
static double fake_seconds;

static double fake_clock(void)
{
    return fake_seconds += 1;
}

static void test_a_time_for_each(void **state)
{
    (void)state;
    enum { READS = 5 };
    spn_energy *energy = lattice(4, 4);
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    spn_stop stop;
    o.chain = &chain; /* never ends by itself */
    o.reads = READS;
    o.seconds = 100;
    assert_ok(spn_reads_create(&reads, energy, &o, &err), err);
    reads->clock = fake_clock;
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
    assert_int_equal(stop, SPN_STOP_TIME);
    for (size_t r = 0; r < READS; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        assert_true(read.stop == SPN_STOP_TIME && read.steps > 0);
    }
    spn_sampler_free(reads);
    spn_energy_free(energy);
}

/* This clock moves whenever it is read, also between the pieces of a block and at its end. All of
   it counts, so reads that are stretched end in time. */
static void test_all_time_of_a_block_counts(void **state)
{
    (void)state;
    enum { READS = 4, SECONDS = 2000 };
    spn_energy *energy = lattice(4, 4);
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    chain.stretch = 1;
    chain.seconds = SECONDS;
    spn_sampler *reads = spn_test_reads_start(energy, &chain, READS, 1);
    spn_stop stop;
    reads->clock = fake_clock;
    const double began = fake_seconds;
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
    assert_int_equal(stop, SPN_STOP_STEPS);
    const double took = fake_seconds - began;
    assert_true(took > 0.95 * READS * SECONDS && took < 1.05 * READS * SECONDS);
    spn_sampler_free(reads);
    spn_energy_free(energy);
}

/* States of others, and states that are damaged. */
static void test_wrong_states(void **state)
{
    (void)state;
    spn_energy *energy = lattice(4, 4);
    spn_error err = {0};
    spn_chain_options o = spn_chain_defaults();
    spn_until some = spn_until_defaults();
    spn_stop stop;
    void *saved;
    size_t size;
    o.steps = 1000;
    some.steps = 2500;
    spn_sampler *reads = spn_test_reads_start(energy, &o, 6, 2);
    spn_sampler *others = spn_test_reads_start(energy, &o, 7, 2);
    assert_ok(spn_sampler_run(&stop, reads, &some, &err), err);
    assert_ok(spn_sampler_save(&saved, &size, reads, &err), err);
    assert_int_equal(spn_sampler_load(others, saved, size, &err), SPN_ERROR_ARGUMENT);
    for (size_t cut = 0; cut < size; cut += 1 + size / 97)
        assert_int_equal(spn_sampler_load(reads, saved, cut, &err), SPN_ERROR_ARGUMENT);
    unsigned char *bytes = saved;
    for (size_t k = 0; k < size; k += 1 + size / 997) {
        bytes[k] ^= 0x55; /* refused, or another state that can be run */
        if (spn_sampler_load(reads, saved, size, &err) == SPN_OK)
            (void)spn_sampler_run(&stop, reads, &some, &err);
        bytes[k] ^= 0x55;
    }
    assert_ok(spn_sampler_load(reads, saved, size, &err), err);
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
    spn_test_check_reads(reads, energy, &o, 6);
    spn_sampler_free(reads);
    spn_sampler_free(others);
    spn_energy_free(energy);
    free(saved);
}

/* NaN once the first three spins are up. */
static double breaks(const void *problem, const int8_t *spins)
{
    (void)problem;
    return spins[0] + spins[1] + spins[2] == 3 ? NAN : spins[0];
}

static void test_errors(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_energy_ops ops = spn_energy_ops_defaults();
    spn_chain_options chain = spn_chain_defaults();
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    spn_stop stop;
    ops.name = "breaks";
    ops.energy = breaks;
    assert_ok(spn_energy_define(&energy, &ops, NULL, 3, 0, false, &err), err);
    chain.steps = 100000;
    o.chain = &chain;
    o.reads = 20;
    o.threads = 4;
    spn_status status = spn_reads_create(&reads, energy, &o, &err);
    if (!status)
        status = spn_sampler_run(&stop, reads, NULL, &err);
    assert_int_equal(status, SPN_ERROR_ENERGY);
    assert_non_null(strstr(err.text, "not a number"));
    spn_sampler_free(reads);
    o.reads = 0;
    assert_int_equal(spn_reads_create(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "reads: 0"));
    o.reads = 2;
    chain.run = UINT32_MAX;
    assert_int_equal(spn_reads_create(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.threads = 0;
    assert_int_equal(spn_reads_create(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    spn_energy_free(energy);
    energy = lattice(4, 4);
    assert_ok(spn_reads_create(&reads, energy, NULL, &err), err);
    assert_int_equal(spn_sampler_run(&stop, reads, NULL, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "never end"));
    spn_sampler_free(reads);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_are_chains),
        cmocka_unit_test(test_each_stops_by_itself),
        cmocka_unit_test(test_warm_starts),
        cmocka_unit_test(test_caches_that_depend_on_the_way),
        cmocka_unit_test(test_reads_in_lanes),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_a_time_for_each),
        cmocka_unit_test(test_all_time_of_a_block_counts),
        cmocka_unit_test(test_wrong_states),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
