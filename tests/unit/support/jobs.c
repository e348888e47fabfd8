#include "support/jobs.h"

#include "support/scratch.h"
#include "support/sweeps.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

spn_job spn_test_job(const char *task, size_t run, const char *const *texts)
{
    spn_error err = {0};
    assert_non_null(spn_task_find(task));
    spn_job job = spn_job_start(spn_task_find(task));
    for (; texts[0]; texts += 2)
        assert_ok(spn_job_set(&job, texts[0], texts[1], &err), err);
    assert_ok(spn_job_identify(&job, 3, run, &err), err);
    return job;
}

static spn_record run_with(const spn_job *job, const spn_run *run, spn_outcome *outcome)
{
    spn_error err = {0};
    spn_record record;
    assert_ok(spn_job_run(&record, outcome, job, run, &err), err);
    assert_true(record.key == job->key && record.seed == job->seed && record.run == job->run);
    return record;
}

spn_record spn_test_run_job(const spn_job *job, const spn_run *how)
{
    spn_error err = {0};
    spn_run run = how ? *how : (spn_run){0};
    spn_inputs *own = NULL;
    spn_outcome outcome;
    if (!run.inputs)
        assert_ok(spn_inputs_create(&own, NULL, &err), err);
    run.inputs = own ? own : run.inputs;
    spn_record record = run_with(job, &run, &outcome);
    assert_true(outcome.complete);
    assert_ok(spn_job_finish(&run, &err), err);
    spn_inputs_free(own);
    return record;
}

void spn_test_refused(const char *task, const char *const *texts, const char *beside,
                      spn_status status, const char *part, const char *other)
{
    spn_error err = {0};
    spn_inputs *inputs;
    void *plan = NULL;
    spn_job job = spn_job_start(spn_task_find(task));
    spn_status found = SPN_OK;
    assert_ok(spn_inputs_create(&inputs, beside, &err), err);
    for (; texts[0] && !found; texts += 2)
        found = spn_job_set(&job, texts[0], texts[1], &err);
    if (!found)
        found = spn_job_plan(&plan, &job, inputs, &err);
    assert_error(found, &err, status, part, other);
    assert_null(plan);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
}

/* ---- stops ---- */

/* Asks for a stop once a share is done. */
typedef struct stopper {
    double at;
    volatile sig_atomic_t stop;
} stopper;

static void stop_at(void *context, const spn_progress *progress)
{
    stopper *s = context;
    assert_true(progress->share >= 0 && progress->share <= 1 + 1e-9);
    if (progress->share >= s->at)
        s->stop = 1;
}

/* A file's bytes, to be freed; NULL where there is none. */
static char *read_bytes(const char *path, size_t *size)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "r");
    *size = 0;
    if (!file)
        return NULL;
    char *bytes = malloc(MOST);
    assert_non_null(bytes);
    *size = fread(bytes, 1, MOST, file);
    assert_true(*size > 0 && *size < MOST);
    fclose(file);
    return bytes;
}

static void compare_files(const char *a, const char *b)
{
    size_t size[2];
    char *bytes[2] = {read_bytes(a, &size[0]), read_bytes(b, &size[1])};
    assert_int_equal(size[0], size[1]);
    if (size[0])
        assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* All but the last column, the seconds. */
static void compare_traces(const char *a, const char *b)
{
    spn_error err = {0};
    spn_result_curve one, other;
    assert_ok(spn_trace_read(&one, a, &err), err);
    assert_ok(spn_trace_read(&other, b, &err), err);
    assert_int_equal(one.columns, other.columns);
    assert_int_equal(one.rows, other.rows);
    for (size_t c = 0; c + 1 < one.columns; c++) {
        assert_string_equal(one.names[c], other.names[c]);
        assert_memory_equal(one.values[c], other.values[c], one.rows * sizeof(double));
    }
    spn_result_curve_clear(&one);
    spn_result_curve_clear(&other);
}

/* Stop the run at every tenth of it until it is complete; the number of stops. */
static spn_record run_broken(const spn_job *job, const spn_run *how, size_t *stops, size_t *resumed)
{
    spn_error err = {0};
    spn_record record = {0};
    spn_outcome outcome = {0};
    *stops = *resumed = 0;
    for (double at = 0.1; !outcome.complete; at += 0.1, ++*stops) {
        stopper s = {.at = at};
        spn_run run = *how;
        run.stop = &s.stop;
        run.progress = stop_at;
        run.context = &s;
        spn_record_clear(&record);
        record = run_with(job, &run, &outcome);
        *resumed += access(how->checkpoint, F_OK) == 0; /* until the record is safe */
        assert_true(outcome.complete || outcome.saved_step == outcome.step);
    }
    assert_ok(spn_job_finish(how, &err), err);
    assert_int_not_equal(access(how->checkpoint, F_OK), 0);
    return record;
}

void spn_test_stops(void **scratch, const spn_job *job)
{
    spn_error err = {0};
    size_t stops, resumed;
    spn_run run = {.details = true,
                   .trace = spn_scratch_path(scratch, "whole.csv"),
                   .product = spn_scratch_path(scratch, "whole.product")};
    spn_run broken_run = {.details = true,
                          .checkpoint = spn_scratch_path(scratch, "checkpoint"),
                          .trace = spn_scratch_path(scratch, "broken.csv"),
                          .product = spn_scratch_path(scratch, "broken.product")};
    assert_ok(spn_inputs_create(&run.inputs, NULL, &err), err);
    broken_run.inputs = run.inputs;
    spn_record whole = spn_test_run_job(job, &run);
    spn_record broken = run_broken(job, &broken_run, &stops, &resumed);
    assert_true(stops > 5 && resumed > 3);
    spn_record *both[] = {&whole, &broken};
    for (size_t k = 0; k < 2; k++) {
        both[k]->machine = strdup("here");
        both[k]->finished = strdup("now");
    }
    spn_assert_records_equal(&whole, &broken);
    compare_traces(run.trace, broken_run.trace);
    compare_files(run.product, broken_run.product);
    spn_inputs_free(run.inputs);
    spn_record_clear(&whole);
    spn_record_clear(&broken);
}
