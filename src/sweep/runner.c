/* The runner: does one job of a sweep. */
#include "sweep/runner.h"
#include "record/record.h"

#include "sweep/spec/spec.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/machine.h"
#include "sweep/folder.h"
#include "sweep/jobs.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct spn_runner {
    const spn_sweep *sweep;
    const char *folder;
    double save_seconds;
    spn_plans *plans;
    spn_records_writer *writer;
    pthread_mutex_t writing;
};

spn_status spn_runner_create(spn_runner **out, const spn_sweep *sweep, const char *folder,
                             spn_plans *plans, const char *part, double save_seconds,
                             spn_error *err)
{
    *out = NULL;
    spn_runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
    runner->sweep = sweep;
    runner->folder = folder;
    runner->plans = plans;
    runner->save_seconds = save_seconds;
    pthread_mutex_init(&runner->writing, NULL);
    spn_inputs_expect(spn_plans_inputs(plans), sweep->files, sweep->file_count);
    spn_status status = spn_records_open(&runner->writer, folder, part, err);
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
    pthread_mutex_destroy(&runner->writing);
    free(runner);
}

/* ---- for all jobs ---- */

void spn_runner_progress(void *done, const spn_run_progress *progress)
{
    double share = progress->done;
    __atomic_store((volatile double *)done, &share, __ATOMIC_RELAXED);
}

spn_status spn_runner_stamp(spn_record *record, double seconds, spn_error *err)
{
    char when[32], machine[512];
    struct tm parts;
    const time_t now = time(NULL);
    gmtime_r(&now, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    spn_machine_describe(machine, sizeof machine);
    free(record->machine);
    free(record->finished);
    record->machine = strdup(machine);
    record->finished = strdup(when);
    record->seconds = seconds;
    if (record->machine && record->finished)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a record");
}

void spn_runner_blame(const spn_sweep *sweep, size_t index, spn_error *err)
{
    char text[SPN_ERROR_TEXT];
    char *point = spn_sweep_point_text(sweep, index / sweep->runs);
    snprintf(text, sizeof text, "%s", err->text);
    spn_fail(err, err->status, "%.200s%srun %zu: %s", point ? point : "",
             point && *point ? ", " : "", index % sweep->runs + 1, text);
    free(point);
}

/* ---- in a folder ---- */

/* The files of a job; those that are not kept are NULL. */
typedef struct job_files {
    char *checkpoint, *trace, *product;
} job_files;

static void free_files(job_files *files)
{
    free(files->checkpoint);
    free(files->trace);
    free(files->product);
}

/* FOLDER/SUBFOLDER/KEY.EXTENSION, in a subfolder that is made. */
static spn_status file_in(char **out, const spn_runner *runner, const char *subfolder, uint64_t key,
                          const char *extension, spn_error *err)
{
    char *place = NULL;
    *out = NULL;
    if (asprintf(&place, "%s/%s", runner->folder, subfolder) < 0)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a run");
    spn_status status = spn_file_make_folders(place, err);
    if (!status && asprintf(out, "%s/%016" PRIx64 ".%s", place, key, extension) < 0)
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a run");
    free(place);
    return status;
}

static spn_status name_files(job_files *out, const spn_runner *runner, const spn_job *job,
                             spn_error *err)
{
    const spn_keep *keep = &runner->sweep->keep;
    spn_status status = SPN_OK;
    *out = (job_files){.checkpoint = spn_folder_checkpoint(runner->folder, job->key)};
    if (!out->checkpoint)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a run");
    if (keep->traces)
        status = file_in(&out->trace, runner, "traces", job->key, "csv", err);
    if (keep->models && !status)
        status =
            file_in(&out->product, runner, "models", job->key, job->task->product_extension, err);
    return status;
}

static spn_status append(spn_runner *runner, const spn_record *record, spn_error *err)
{
    pthread_mutex_lock(&runner->writing);
    spn_status status = spn_records_append(runner->writer, record, err);
    pthread_mutex_unlock(&runner->writing);
    return status;
}

/* Run, and see the record onto the disk before the checkpoint goes. */
static spn_status run_job(spn_runner *runner, bool *complete, const spn_point *point, size_t index,
                          const spn_run *run, spn_error *err)
{
    spn_record record = {0};
    spn_outcome outcome;
    const double started = spn_clock();
    spn_status status = spn_job_run_plan(&record, &outcome, &point->job, point->plan, run, err);
    *complete = outcome.complete;
    if (status) {
        spn_runner_blame(runner->sweep, index, err);
        goto cleanup;
    }
    if (!outcome.complete)
        goto cleanup;
    if ((status = spn_sweep_name_cases(&record, runner->sweep, index, err)) ||
        (status = spn_runner_stamp(&record, spn_clock() - started, err)))
        goto cleanup;
    if ((status = append(runner, &record, err)))
        goto cleanup;
    status = spn_job_finish(run, err);
cleanup:
    spn_record_clear(&record);
    return status;
}

spn_status spn_runner_work(void *context, bool *complete, const spn_pool_job *given, spn_error *err)
{
    spn_runner *runner = context;
    spn_point point;
    job_files files = {0};
    spn_status status = spn_plans_take_job(&point, runner->plans, given->job, err);
    if (!status)
        status = name_files(&files, runner, &point.job, err);
    const spn_run run = {.inputs = spn_plans_inputs(runner->plans),
                         .stop = given->stop,
                         .details = runner->sweep->keep.replicas,
                         .checkpoint = files.checkpoint,
                         .save_seconds = runner->save_seconds,
                         .trace = files.trace,
                         .product = files.product,
                         .progress = spn_runner_progress,
                         .context = (void *)given->done};
    if (!status)
        status = run_job(runner, complete, &point, given->job, &run, err);
    free_files(&files);
    spn_plans_release(&point);
    return status;
}
