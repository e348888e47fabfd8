/* Runs in parts: the schedules they see, the same bits however they are cut, and runs that are
   stretched to a time, by a clock that tests move. */
#include "chain/chain.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static spn_chain_options annealing(void)
{
    spn_chain_options o = spn_chain_defaults();
    o.beta = spn_test_exponential(0.1, 3);
    o.gamma = spn_test_linear(0, 1);
    return o;
}

/* ---- parts that are given ---- */

static void equal_parts_are_the_plain_run(void **state)
{
    (void)state;
    static const uint64_t equal[] = {250, 250, 250, 250}, one[] = {1000};
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = annealing();
    o.steps = 1000;
    spn_sampler *plain = spn_test_chain_start(energy, &o);
    o.parts = equal;
    o.part_count = 4;
    spn_sampler *four = spn_test_chain_start(energy, &o);
    o.steps = 0;
    o.parts = one;
    o.part_count = 1;
    spn_sampler *single = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(plain), SPN_STOP_STEPS);
    assert_int_equal(spn_test_chain_run(four), SPN_STOP_STEPS);
    assert_int_equal(spn_test_chain_run(single), SPN_STOP_STEPS);
    spn_test_assert_same_state(plain, four);
    spn_test_assert_same_state(plain, single);
    spn_sampler_free(plain);
    spn_sampler_free(four);
    spn_sampler_free(single);
    spn_energy_free(energy);
}

typedef struct seen {
    double beta[400], gamma[400];
} seen;

static spn_status keep(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    seen *values = context;
    (void)err;
    assert_in_range(s->step, 0, 399);
    values->beta[s->step] = s->beta;
    values->gamma[s->step] = s->gamma;
    return SPN_OK;
}

/* In part k, step s is step k n_k + s of K n_k. */
static void schedules_go_through_equal_parts_of_their_way(void **state)
{
    (void)state;
    static const uint64_t parts[] = {7, 200, 1, 90, 50};
    spn_energy *energy = spn_test_lattice();
    static seen values;
    spn_chain_options o = annealing();
    o.parts = parts;
    o.part_count = 5; /* their borders are not those of sixteenths */
    const spn_until until = spn_test_watch(keep, &values, 1);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_run_until(chain, &until), SPN_STOP_STEPS);
    uint64_t t = 0;
    for (uint64_t k = 0; k < 5; k++)
        for (uint64_t s = 0; s < parts[k]; s++) {
            t++; /* the observer sees the values of the step that was made */
            const uint64_t at = k * parts[k] + s, of = 5 * parts[k];
            assert_true(values.beta[t] == spn_schedule_value(o.beta, at, of, 0, 3));
            assert_true(values.gamma[t] == spn_schedule_value(o.gamma, at, of, 0, 3));
        }
    assert_int_equal(spn_test_chain_look(chain).step, t);
    spn_sampler *unseen = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(unseen), SPN_STOP_STEPS);
    spn_test_assert_same_state(chain, unseen);
    spn_sampler_free(unseen);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static void parts_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const uint64_t none[] = {5, 0}, huge[] = {5, UINT64_MAX / 2}, good[] = {5, 6};
    spn_energy *energy = spn_test_lattice();
    spn_error err = {0};
    spn_sampler *chain;
    spn_chain_options o = annealing();
    o.part_count = 2;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.parts = none;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "steps: part 2 of 2 has 0 steps, not 1 to 2305843009213693951");
    o.parts = huge;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.parts = good;
    o.steps = 12;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "steps: 12, but the parts have 11");
    o.steps = 11;
    o.stretch = 1;
    o.seconds = 1;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.steps = 0;
    o.parts = NULL;
    o.seconds = 0;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    spn_energy_free(energy);
}

/* ---- parts that are made by the clock ---- */

/* The clock goes by the calls of the energy; from call `later` on, each takes longer. */
static double tick, later_tick;
static uint64_t calls, later;

static double moved_clock(void)
{
    const uint64_t slow = calls > later ? calls - later : 0;
    return 1000 + tick * (double)(calls - slow) + later_tick * (double)slow;
}

static double ring_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    (void)context;
    calls++;
    return 2 * spins[site] * (spins[(site + 1) % sites] + spins[(site + sites - 1) % sites]);
}

static double ring_value(const int8_t *spins, size_t sites, void *context)
{
    double total = 0;
    (void)context;
    for (size_t i = 0; i < sites; i++)
        total -= spins[i] * spins[(i + 1) % sites];
    return total;
}

static spn_energy *ring(void)
{
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_callback_create(&energy, 40, ring_value, ring_change, NULL, &err), err);
    return energy;
}

static spn_chain_options stretched(double seconds)
{
    spn_chain_options o = annealing();
    o.gamma = spn_test_constant(0); /* each proposal calls the energy once */
    o.stretch = 1;
    o.seconds = seconds;
    return o;
}

static void set_pace(double first, double second, uint64_t from)
{
    calls = 0;
    tick = first;
    later_tick = second;
    later = from;
}

/* The same parts, given, make the same run. */
static void assert_repeats(const spn_sampler *chain, const spn_energy *energy)
{
    spn_chain_options o = stretched(0);
    o.stretch = 0;
    o.parts = spn_chain_parts(chain, &o.part_count);
    o.steps = spn_test_chain_look(chain).step;
    spn_sampler *again = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(again), SPN_STOP_STEPS);
    spn_test_assert_same_state(chain, again);
    spn_sampler_free(again);
}

static void stretched_runs_end_in_time_and_cold(void **state)
{
    (void)state;
    /* seconds of a call at first and later, and when: steady, slower, faster, a stall */
    static const double paces[][3] = {
        {1e-4, 1e-4, 1e9}, {1e-4, 1e-3, 4000}, {1e-3, 1e-5, 700}, {1e-4, 1e-3, 15000}};
    spn_energy *energy = ring();
    for (size_t k = 0; k < 4; k++) {
        const spn_chain_options o = stretched(2);
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        chain->clock = moved_clock;
        set_pace(paces[k][0], paces[k][1], (uint64_t)paces[k][2]);
        assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
        const double took = moved_clock() - 1000;
        /* a sixteenth of the time, planned at the pace of the one before it, may take ten times as
           long where the pace breaks down in it */
        assert_true(took > 1.9 && took < (k == 3 ? 2.5 : 2.1));
        assert_true(spn_test_chain_look(chain).beta >
                    2.42); /* 3 or, at its last sixteenth, 0.1 30^(15/16) */
        assert_repeats(chain, energy);
        spn_sampler_free(chain);
    }
    spn_energy_free(energy);
}

static void tiny_and_huge_times_work(void **state)
{
    (void)state;
    spn_energy *energy = ring();
    spn_chain_options o = stretched(1e-3);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    chain->clock = moved_clock;
    set_pace(1e-4, 1e-4, 0); /* there is time for three steps; sixteen are made */
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    assert_int_equal(spn_test_chain_look(chain).step, 16);
    assert_repeats(chain, energy);
    spn_sampler_free(chain);

    /* steps that are far too slow are cut off */
    o = stretched(1);
    chain = spn_test_chain_start(energy, &o);
    chain->clock = moved_clock;
    set_pace(0.2, 0.2, 0);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TIME);
    assert_in_range(spn_test_chain_look(chain).step, 1, 3);
    spn_sampler_free(chain);

    /* more steps than there are numbers: the plan is bounded, and the target ends the run */
    o = stretched(1e9);
    o.target = SPN_TARGET_ALL;
    o.target_energy = -40;
    o.beta = spn_test_exponential(1, 3);
    chain = spn_test_chain_start(energy, &o);
    chain->clock = moved_clock;
    set_pace(1e-30, 1e-30, 0);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TARGET);
    size_t count;
    const uint64_t *parts = spn_chain_parts(chain, &count);
    assert_int_equal(count, 16);
    assert_true(parts[0] > 1000000 && parts[0] <= INT64_MAX / 256);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static spn_status stop_some_way_in(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    volatile sig_atomic_t *flag = context;
    (void)err;
    *flag = s->step == 3 * SPN_SAVE_STEPS;
    return SPN_OK;
}

/* A run that was stopped, saved, loaded into another and continued keeps its parts, and its time
   goes on. */
static void stretched_runs_go_on(void **state)
{
    (void)state;
    spn_energy *energy = ring();
    spn_error err = {0};
    volatile sig_atomic_t flag = 0;
    spn_chain_options o = stretched(2);
    spn_until until = spn_test_watch(stop_some_way_in, (void *)(uintptr_t)&flag, SPN_SAVE_STEPS);
    until.stop = &flag;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    chain->clock = moved_clock;
    set_pace(1e-5, 1e-5, 0);
    assert_int_equal(spn_test_run_until(chain, &until), SPN_STOP_REQUEST);
    flag = 0;
    const double before = moved_clock() - 1000;
    assert_true(before > 0.5 && before < 1.9);
    size_t count, size, made = spn_chain_of(chain)->parts.made;
    void *bytes;
    assert_ok(spn_sampler_save(&bytes, &size, chain, &err), err);
    const uint64_t *parts = spn_chain_parts(chain, &count);
    assert_true(made > 2 && made < count);

    spn_sampler *resumed = spn_test_chain_start(energy, &o);
    resumed->clock = moved_clock;
    assert_ok(spn_sampler_load(resumed, bytes, size, &err), err);
    assert_int_equal(spn_test_run_until(resumed, &until), SPN_STOP_STEPS);
    assert_memory_equal(spn_chain_parts(resumed, &count), parts, made * sizeof *parts);
    assert_true(fabs(moved_clock() - 1000 - 2) < 0.1);
    assert_repeats(resumed, energy);

    /* parts without steps, and those of a run that is not stretched, are refused */
    spn_chain_options plain = stretched(0);
    plain.stretch = 0;
    plain.steps = 100;
    spn_sampler *other = spn_test_chain_start(energy, &plain);
    assert_int_equal(spn_sampler_load(other, bytes, size, &err), SPN_ERROR_ARGUMENT);
    spn_sampler_free(other);
    free(bytes);
    spn_sampler_free(chain);
    spn_sampler_free(resumed);
    spn_energy_free(energy);
}

/* The first part was settled by another run, and this one stops at its end: the next part is
   settled by the pace of the first, not by a trial in the middle of the run. */
static void a_run_that_pauses_between_parts_knows_its_pace(void **state)
{
    (void)state;
    enum { FIRST = 1000 };
    spn_energy *energy = ring();
    spn_error err = {0};
    const spn_chain_options o = stretched(2);
    spn_until until = spn_until_defaults();
    until.steps = FIRST;
    spn_shared_parts shared = {0};
    assert_ok(spn_shared_parts_init(&shared, &o, 4, 1, &err), err);
    shared.parts.steps[0] = FIRST;
    shared.parts.made = 1;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    chain->clock = moved_clock;
    spn_chain_of(chain)->parts.shared = &shared;
    set_pace(1e-4, 1e-4, 0);
    assert_int_equal(spn_test_run_until(chain, &until), SPN_STOP_NONE);
    assert_int_equal(spn_test_chain_look(chain).step, FIRST);
    calls += 50000; /* others have the processor for longer than the whole run may take */
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
    const double took = spn_sampler_seconds(chain);
    assert_true(took > 1.9 && took < 2.1);
    spn_sampler_free(chain);
    spn_shared_parts_clear(&shared);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_parts_are_the_plain_run),
        cmocka_unit_test(schedules_go_through_equal_parts_of_their_way),
        cmocka_unit_test(parts_that_cannot_be_are_refused),
        cmocka_unit_test(stretched_runs_end_in_time_and_cold),
        cmocka_unit_test(tiny_and_huge_times_work),
        cmocka_unit_test(stretched_runs_go_on),
        cmocka_unit_test(a_run_that_pauses_between_parts_knows_its_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
