/* Reads: each is the chain with its run number alone, bit for bit, at any number of threads. */
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

static spn_reads *run(const spn_energy *energy, const spn_chain_options *chain, size_t count,
                      unsigned threads)
{
    spn_error err = {0};
    spn_reads_options o = spn_reads_defaults();
    spn_reads *reads;
    o.chain = chain;
    o.reads = count;
    o.threads = threads;
    assert_ok(spn_reads_run(&reads, energy, &o, &err), err);
    assert_int_equal(spn_reads_count(reads), count);
    assert_int_equal(spn_reads_sites(reads), spn_energy_sites(energy));
    return reads;
}

static void check_equal(const spn_reads *a, const spn_reads *b)
{
    assert_int_equal(spn_reads_count(a), spn_reads_count(b));
    for (size_t r = 0; r < spn_reads_count(a); r++) {
        assert_true(spn_reads_best_energy(a, r) == spn_reads_best_energy(b, r));
        assert_memory_equal(spn_reads_best_spins(a, r), spn_reads_best_spins(b, r),
                            spn_reads_sites(a));
        assert_true(spn_reads_energy(a, r) == spn_reads_energy(b, r));
        assert_int_equal(spn_reads_accepted(a, r), spn_reads_accepted(b, r));
        assert_int_equal(spn_reads_steps(a, r), spn_reads_steps(b, r));
    }
}

static void check_all(const spn_energy *energy, const spn_chain_options *chain, size_t count)
{
    spn_reads *one = run(energy, chain, count, 1);
    for (size_t r = 0; r < count; r++)
        spn_test_check_read(one, r, energy, chain);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        spn_reads *more = run(energy, chain, count, threads);
        check_equal(one, more);
        spn_reads_free(more);
    }
    spn_reads_free(one);
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
    spn_reads *reads;
    assert_ok(spn_reads_run(&reads, energy, &how, &err), err);
    for (size_t r = 0; r < READS; r++) {
        spn_chain_options alone = o;
        for (size_t a = 0; a < REPLICAS; a++)
            memcpy(given + a * SITES, starts + (r * REPLICAS + a) % STATES * SITES, SITES);
        alone.start = SPN_START_GIVEN;
        alone.given = given;
        spn_test_check_read(reads, r, energy, &alone);
    }
    spn_reads_free(reads);
    how.start_count = 0;
    assert_int_equal(spn_reads_run(&reads, energy, &how, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "starts and start_count go together"));
    spn_energy_free(energy);
}

static void test_a_stop_ends_all(void **state)
{
    (void)state;
    spn_energy *energy = lattice(4, 4);
    spn_chain_options o = spn_chain_defaults();
    volatile sig_atomic_t stop = 1;
    o.steps = 1000;
    spn_reads_options how = spn_reads_defaults();
    how.chain = &o;
    how.reads = 5;
    how.threads = 2;
    how.stop = &stop;
    spn_reads *reads;
    spn_error err = {0};
    assert_ok(spn_reads_run(&reads, energy, &how, &err), err);
    for (size_t r = 0; r < 5; r++) {
        assert_int_equal(spn_reads_stop(reads, r), SPN_STOP_REQUEST);
        assert_int_equal(spn_reads_steps(reads, r), 0);
        assert_true(spn_reads_best_energy(reads, r) ==
                    spn_energy_value(energy, spn_reads_best_spins(reads, r)));
    }
    spn_reads_free(reads);
    spn_energy_free(energy);
}

/* Ends all reads at the second one's end. */
static spn_status stop_at_two(void *context, double share, size_t finished, spn_error *err)
{
    (void)share, (void)err;
    *(volatile sig_atomic_t *)context = finished >= 2;
    return SPN_OK;
}

/* What is made is as it is in any case; what is not is told apart. */
static void test_reads_that_are_not_begun(void **state)
{
    (void)state;
    enum { READS = 9 };
    spn_energy *energy = lattice(4, 4);
    spn_chain_options o = spn_chain_defaults();
    volatile sig_atomic_t stop = 0;
    spn_error err = {0};
    o.steps = 1000;
    spn_reads *all = run(energy, &o, READS, 1), *some;
    spn_reads_options how = spn_reads_defaults();
    how.stop = &stop;
    how.chain = &o;
    how.reads = READS;
    how.only_begun = 1;
    how.progress = stop_at_two;
    how.progress_context = (void *)&stop;
    assert_ok(spn_reads_run(&some, energy, &how, &err), err);
    for (size_t r = 0; r < READS; r++) {
        const bool made = r < 2;
        assert_int_equal(spn_reads_stop(some, r) == SPN_STOP_REQUEST, !made);
        assert_int_equal(spn_reads_steps(some, r), made ? spn_reads_steps(all, r) : 0);
        assert_true(made ? spn_reads_best_energy(some, r) == spn_reads_best_energy(all, r)
                         : isnan(spn_reads_best_energy(some, r)) &&
                               isnan(spn_reads_energy(some, r)));
        assert_int_equal(spn_reads_best_spins(some, r)[0],
                         made ? spn_reads_best_spins(all, r)[0] : 0);
        assert_true(spn_reads_hit(some, r) == SPN_NO_HIT);
    }
    how.only_begun = 2;
    spn_reads_free(some);
    assert_int_equal(spn_reads_run(&some, energy, &how, &err), SPN_ERROR_ARGUMENT);
    spn_reads_free(all);
    spn_energy_free(energy);
}

typedef struct progress {
    size_t calls, last, fail_at;
    double share;
} progress;

static spn_status note(void *context, double share, size_t finished, spn_error *err)
{
    progress *p = context;
    assert_true(share >= p->share && share <= 1 && finished >= p->last);
    p->calls++;
    p->share = share;
    p->last = finished;
    if (finished == p->fail_at)
        return spn_fail(err, SPN_ERROR_IO, "enough");
    return SPN_OK;
}

static void test_progress(void **state)
{
    (void)state;
    spn_energy *energy = lattice(4, 4);
    spn_error err = {0};
    spn_chain_options chain = spn_chain_defaults();
    spn_reads_options o = spn_reads_defaults();
    progress p = {.fail_at = SIZE_MAX};
    spn_reads *reads;
    chain.steps = 50000;
    o.chain = &chain;
    o.reads = 6;
    o.threads = 3;
    o.progress = note;
    o.progress_context = &p;
    assert_ok(spn_reads_run(&reads, energy, &o, &err), err);
    assert_true(p.calls > 6 && p.last == 6 && p.share == 1);
    spn_reads_free(reads);
    p = (progress){.fail_at = 2};
    assert_int_equal(spn_reads_run(&reads, energy, &o, &err), SPN_ERROR_IO);
    assert_string_equal(err.text, "enough");
    assert_null(reads);
    spn_energy_free(energy);
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
    spn_reads *reads;
    ops.name = "breaks";
    ops.energy = breaks;
    assert_ok(spn_energy_define(&energy, &ops, NULL, 3, 0, false, &err), err);
    chain.steps = 100000;
    o.chain = &chain;
    o.reads = 20;
    o.threads = 4;
    assert_int_equal(spn_reads_run(&reads, energy, &o, &err), SPN_ERROR_ENERGY);
    assert_non_null(strstr(err.text, "not a number"));
    o.reads = 0;
    assert_int_equal(spn_reads_run(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "reads: 0"));
    o.reads = 2;
    chain.run = UINT32_MAX;
    assert_int_equal(spn_reads_run(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.threads = 0;
    assert_int_equal(spn_reads_run(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o = spn_reads_defaults();
    spn_energy_free(energy);
    energy = lattice(4, 4);
    assert_int_equal(spn_reads_run(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "never end"));
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_are_chains),
        cmocka_unit_test(test_each_stops_by_itself),
        cmocka_unit_test(test_warm_starts),
        cmocka_unit_test(test_a_stop_ends_all),
        cmocka_unit_test(test_reads_that_are_not_begun),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
