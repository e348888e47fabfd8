/* Does one job of a sweep. */
#include "base/clock.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "record/record.h"
#include "sweep/folder.h"
#include "sweep/running.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct spn_runner {
    const spn_sweep *sweep;
    const char *folder;
    double save_seconds;
    spn_records_writer *writer;
    pthread_mutex_t writing;
};

spn_status spn_runner_create(spn_runner **out, const spn_sweep *sweep, const char *folder,
                             const char *part, double save_seconds, spn_error *err)
{
    *out = NULL;
    spn_runner *runner = calloc(1, sizeof *runner);
    SPN_NEED(runner, err, "the runner of a sweep");
    runner->sweep = sweep;
    runner->folder = folder;
    runner->save_seconds = save_seconds;
    pthread_mutex_init(&runner->writing, NULL);
    spn_inputs_expect(spn_plans_inputs(sweep->plans), sweep->files, sweep->file_count);
    SPN_HAND_OVER(out, runner, spn_runner_free,
                  spn_records_open(&runner->writer, folder, part, err));
}

void spn_runner_free(spn_runner *runner)
{
    if (!runner)
        return;
    spn_records_close(runner->writer);
    pthread_mutex_destroy(&runner->writing);
    free(runner);
}

/* A spn_run.progress whose context is spn_pool_job.done. */
static void report_progress(void *done, const spn_progress *progress)
{
    double share = progress->share;
    __atomic_store((volatile double *)done, &share, __ATOMIC_RELAXED);
}

static spn_status stamp(spn_record *record, double seconds, spn_error *err)
{
    char when[32], machine[512];
    struct tm parts;
    const time_t now = time(NULL);
    gmtime_r(&now, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    spn_machine_describe(machine, sizeof machine);
    SPN_FREE_ALL(record->machine, record->finished);
    record->machine = strdup(machine);
    record->finished = strdup(when);
    record->seconds = seconds;
    return record->machine && record->finished ? SPN_OK : spn_no_memory(err, "a record");
}

/* FOLDER/SUBFOLDER/KEY.EXTENSION; creates the subfolder. */
static spn_status file_in(char **out, const spn_runner *runner, const char *subfolder, uint64_t key,
                          const char *extension, spn_error *err)
{
    char *place = spn_text_new("%s/%s", runner->folder, subfolder);
    *out = spn_text_new("%s/%s/%016" PRIx64 ".%s", runner->folder, subfolder, key, extension);
    const spn_status status =
        place && *out ? spn_file_make_folders(place, err) : spn_no_memory(err, "a run");
    free(place);
    return status;
}

/* Run, and write the record to disk before the checkpoint is removed. */
static spn_status run_job(spn_runner *runner, bool *complete, const spn_point *point, size_t index,
                          const spn_run *run, spn_error *err)
{
    spn_record record = {0};
    spn_outcome outcome;
    const double started = spn_clock();
    spn_status status = spn_job_run_plan(&record, &outcome, &point->job, point->plan, run, err);
    *complete = outcome.complete;
    if (status) { /* gamma=0.8 replicas=3, run 2: ... */
        char *at = spn_sweep_point_text(runner->sweep, index / runner->sweep->runs);
        const spn_error why = *err;
        spn_fail(err, status, "%.200s%srun %zu: %s", at ? at : "", at && *at ? ", " : "",
                 index % runner->sweep->runs + 1, why.text);
        free(at);
        goto cleanup;
    }
    if (!outcome.complete)
        goto cleanup;
    SPN_TRY_OR(cleanup, spn_sweep_name_cases(&record, runner->sweep, index, err));
    SPN_TRY_OR(cleanup, stamp(&record, spn_clock() - started, err));
    pthread_mutex_lock(&runner->writing);
    status = spn_records_append(runner->writer, &record, err);
    pthread_mutex_unlock(&runner->writing);
    SPN_TRY_OR(cleanup, status);
    status = spn_job_finish(run, err);
cleanup:
    spn_record_clear(&record);
    return status;
}

spn_status spn_runner_work(void *context, bool *complete, const spn_pool_job *given, spn_error *err)
{
    spn_runner *runner = context;
    const spn_keep *keep = &runner->sweep->keep;
    spn_point point;
    char *checkpoint = NULL, *trace = NULL, *product = NULL;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_plans_take_job(&point, runner->sweep->plans, given->job, err));
    const uint64_t key = point.job.key;
    if (!(checkpoint = spn_folder_checkpoint(runner->folder, key)))
        SPN_TRY_OR(cleanup, spn_no_memory(err, "a run"));
    if (keep->traces)
        SPN_TRY_OR(cleanup, file_in(&trace, runner, "traces", key, "csv", err));
    if (keep->models)
        SPN_TRY_OR(cleanup, file_in(&product, runner, "models", key,
                                    point.job.task->product_extension, err));
    const spn_run run = {.inputs = spn_plans_inputs(runner->sweep->plans),
                         .stop = given->stop,
                         .details = keep->replicas,
                         .checkpoint = checkpoint,
                         .save_seconds = runner->save_seconds,
                         .trace = trace,
                         .product = product,
                         .progress = report_progress,
                         .context = (void *)given->done};
    status = run_job(runner, complete, &point, given->job, &run, err);
cleanup:
    SPN_FREE_ALL(checkpoint, trace, product);
    spn_plans_release(&point);
    return status;
}
