/* Grids: the points around one job. */
#include "support/scratch.h"
#include "sweep/jobs.h"

#include <stdlib.h>
#include <string.h>

/* Small perceptrons. */
static spn_job make_job(void)
{
    static const char *const settings[][2] = {
        {"energy", "bits"}, {"random", "21,7"}, {"steps", "2000"}, {"seed", "5"}};
    spn_job job = spn_job_start(spn_task_find("anneal"));
    spn_error err = {0};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        assert_ok(spn_job_set(&job, settings[k][0], settings[k][1], &err), err);
    return job;
}

static spn_sweep *around(const char *const *axes, size_t count, size_t runs)
{
    spn_job job = make_job();
    spn_error err = {0};
    spn_sweep *sweep;
    assert_ok(spn_sweep_around(&sweep, &job, axes, count, runs, &err), err);
    spn_job_clear(&job);
    return sweep;
}

static void test_points(void **state)
{
    (void)state;
    const char *const axes[] = {"gamma=0,1e-1", "replicas=1:7:3", "steps=1e3,500"};
    spn_sweep *sweep = around(axes, 3, 2);
    assert_int_equal(spn_sweep_jobs(sweep), 2 * 3 * 2 * 2);
    assert_true(sweep->seed == 5);
    assert_int_equal(sweep->fixed_count, 2); /* steps is an axis, and the seed the sweep's */
    assert_string_equal(sweep->axes[0].values[1], "0.1");
    assert_string_equal(sweep->axes[1].values[2], "7");
    assert_string_equal(sweep->axes[2].values[0], "1000");
    spn_sweep_free(sweep);
    const char *const ranges[] = {"gamma=0:1:0.1", "beta=1:2,1:3",
                                  "schedule=linear;pieces:1x5,2x5"};
    sweep = around(ranges, 3, 0);
    assert_int_equal(sweep->axes[0].count, 11);
    assert_string_equal(sweep->axes[0].values[3], "0.3");
    assert_string_equal(sweep->axes[1].values[0], "1:2");
    assert_string_equal(sweep->axes[2].values[1], "pieces:1x5,2x5");
    assert_int_equal(sweep->runs, 1);
    spn_sweep_free(sweep);
}

static void test_bad_axes(void **state)
{
    (void)state;
    static const struct {
        const char *axes[2], *error;
    } bad[] = {
        {{"gamma", "replicas=1"}, "gamma: expected NAME=A,B,C or NAME=START:END:STEP"},
        {{"gama=1", "replicas=1"}, "gama=1: unknown setting 'gama' of anneal; did you mean gamma?"},
        {{"replicas=1,x", "gamma=1"},
         "replicas=1,x: replicas: 'x' is not a whole number from 1 to 255"},
        {{"gamma=1", "gamma=2"}, "gamma=2: gamma is an axis twice"},
        {{"seed=1,2", "gamma=2"},
         "seed=1,2: seed: a sweep makes one for each run from its own; give runs: N"},
        {{"gamma=1,1.0", "replicas=1"}, "gamma=1,1.0: gamma has the value 1 twice"},
        {{"gamma=0:1:0.001", "beta=1:2:0.001"},
         "the grid: points times runs are 1002001 jobs; at most 1000000"},
        {{"gamma=1:0:1", "replicas=1"},
         "gamma=1:0:1: START:END:STEP should lead from START to END in at most 1000000 "
         "steps"},
    };
    spn_job job = make_job();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_sweep *sweep;
        assert_int_equal(spn_sweep_around(&sweep, &job, bad[k].axes, 2, 1, &err),
                         SPN_ERROR_ARGUMENT);
        assert_null(sweep);
        assert_string_equal(err.text, bad[k].error);
    }
    spn_job_clear(&job);
}

/* Every record is that of its job run alone, on any number of threads. */
static void test_runs(void **state)
{
    (void)state;
    const char *const axes[] = {"gamma=0,0.5", "replicas=1,3"};
    for (unsigned threads = 1; threads <= 3; threads++) {
        spn_error err = {0};
        spn_inputs *inputs;
        spn_records *records;
        assert_ok(spn_inputs_create(&inputs, NULL, &err), err);
        const spn_sweep_options options = {.threads = threads};
        spn_sweep *sweep = around(axes, 2, 2);
        assert_ok(spn_sweep_run_unseen(&records, sweep, &options, &err), err);
        assert_int_equal(records->count, 8);
        assert_string_equal(records->folder, "");
        for (size_t k = 0; k < records->count; k++) {
            const spn_record *record = &records->records[k];
            const spn_run run = {.inputs = inputs};
            spn_record alone;
            spn_outcome outcome;
            spn_job job;
            assert_ok(spn_sweep_job(&job, sweep, k, &err), err);
            assert_ok(spn_job_run(&alone, &outcome, &job, &run, &err), err);
            assert_true(record->key == alone.key && record->seed == alone.seed);
            assert_int_equal(record->run, k % 2 + 1);
            assert_true(spn_record_number(record, "active") == spn_record_number(&alone, "active"));
            assert_true(record->machine && record->finished && record->seconds > 0);
            spn_record_clear(&alone);
            spn_job_clear(&job);
        }
        spn_records_free(records);
        spn_sweep_free(sweep);
        spn_inputs_free(inputs);
    }
}

static void test_failures(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_records *records;
    const volatile sig_atomic_t stop = 1;
    const char *const wrong[] = {"random=21,7;0,7"}, *const axes[] = {"gamma=0,0.5"};
    spn_sweep_options options = {0};
    spn_sweep *sweep = around(wrong, 1, 1);
    assert_error(spn_sweep_run_unseen(&records, sweep, &options, &err), &err, SPN_ERROR_ARGUMENT,
                 "random: ", "");
    assert_null(records);
    spn_sweep_free(sweep);
    options.stop = &stop; /* before anything has begun */
    sweep = around(axes, 1, 1);
    assert_ok(spn_sweep_run_unseen(&records, sweep, &options, &err), err);
    assert_int_equal(records->count, 0);
    spn_records_free(records);
    spn_sweep_free(sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_bad_axes),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
