/* The runner: does one job of a sweep. */
#include "sweep/runner.h"

#include "base/clock.h"
#include "sweep/agenda.h"
#include "sweep/folder.h"
#include "record/machine.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct spn_runner {
    const spn_sweep *sweep;
    const char *folder;
    double save_seconds;
    xpn_task_store *store;
    spn_records_writer *writer;
    pthread_mutex_t writing;
    char machine[512];
};

spn_status spn_runner_create(spn_runner **out, const spn_sweep *sweep, const char *folder,
                             const char *specification, const char *part, double save_seconds,
                             spn_error *err)
{
    *out = NULL;
    spn_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
    runner->sweep = sweep;
    runner->folder = folder;
    runner->save_seconds = save_seconds;
    pthread_mutex_init(&runner->writing, NULL);
    spn_machine_describe(runner->machine, sizeof runner->machine);
    spn_status status = xpn_task_store_create(&runner->store, specification, err);
    if (!status)
        xpn_task_store_expect(runner->store, sweep);
    if (!status)
        status = spn_records_open(&runner->writer, folder, part, err);
    if (status)
        spn_runner_free(runner);
    else
        *out = runner;
    return status;
}

void spn_runner_free(spn_runner *runner)
{
    if (!runner)
        return;
    spn_records_close(runner->writer);
    xpn_task_store_free(runner->store);
    pthread_mutex_destroy(&runner->writing);
    free(runner);
}

/* What may differ when the job is done again. */
static spn_status add_circumstances(spn_record *record, const spn_runner *runner, double seconds,
                                    spn_error *err)
{
    char when[32];
    struct tm parts;
    const time_t now = time(NULL);
    gmtime_r(&now, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    free(record->machine);
    free(record->finished);
    record->machine = strdup(runner->machine);
    record->finished = strdup(when);
    record->seconds = seconds;
    if (record->machine && record->finished)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a record");
}

static spn_status append(spn_runner *runner, const spn_record *record, spn_error *err)
{
    pthread_mutex_lock(&runner->writing);
    spn_status status = spn_records_append(runner->writer, record, err);
    pthread_mutex_unlock(&runner->writing);
    return status;
}

/* Put "gamma=0.8 replicas=3, run 2: " before an error. */
static spn_status name_job(const xpn_job *job, spn_error *err)
{
    char text[SPN_ERROR_TEXT];
    char *point = spn_job_point(job);
    snprintf(text, sizeof text, "%s", err->text);
    spn_fail(err, err->status, "%.200s%srun %zu: %s", point ? point : "",
             point && *point ? ", " : "", job->run, text);
    free(point);
    return err->status;
}

static spn_status run_job(spn_runner *runner, bool *complete, const xpn_job *job,
                          const xpn_task_run *run, spn_error *err)
{
    spn_record record = {0};
    const double started = spn_clock();
    spn_status status = xpn_task_do(&record, complete, job, run, err);
    if (status)
        name_job(job, err);
    if (!status && *complete)
        status = add_circumstances(&record, runner, spn_clock() - started, err);
    if (!status && *complete)
        status = append(runner, &record, err);
    if (!status && *complete)
        status = xpn_task_finish(run, err);
    spn_record_clear(&record);
    return status;
}

spn_status spn_runner_work(void *context, bool *complete, const spn_pool_job *given, spn_error *err)
{
    spn_runner *runner = context;
    xpn_job job;
    spn_status status = xpn_job_make(&job, runner->sweep, given->job, err);
    if (status)
        return status;
    char *checkpoint = spn_folder_checkpoint(runner->folder, job.key);
    const xpn_task_run run = {.store = runner->store,
                              .folder = runner->folder,
                              .checkpoint = checkpoint,
                              .save_seconds = runner->save_seconds,
                              .stop = given->stop,
                              .done = given->done};
    if (checkpoint)
        status = run_job(runner, complete, &job, &run, err);
    else
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a run");
    free(checkpoint);
    xpn_job_clear(&job);
    return status;
}
