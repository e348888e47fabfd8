/* Tasks: the table of them, and what they share. */
#include "experiment/tasks.h"

#include "experiment/annealing.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const spn_task *const *spn_tasks(void)
{
    static const spn_task *const tasks[] = {&spn_task_train, &spn_task_anneal, &spn_task_eval,
                                            NULL};
    return tasks;
}

const spn_task *spn_task_find(const char *name)
{
    for (const spn_task *const *task = spn_tasks(); *task; task++)
        if (strcmp((*task)->name, name) == 0)
            return *task;
    return NULL;
}

const spn_setting *spn_setting_find(const spn_task *task, const char *name)
{
    for (const spn_setting *s = task->settings; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

/* ---- what tasks share ---- */

double spn_coupling_passes(const spn_chain_options *chain)
{
    if (chain->kernel != SPN_KERNEL_TWO_STAGE || chain->replicas == 1)
        return 1;
    const double first = spn_schedule_value(&chain->gamma, 0, chain->steps, 0, chain->replicas);
    const double last =
        spn_schedule_value(&chain->gamma, chain->steps, chain->steps, 0, chain->replicas);
    /* as measured on MNIST with three replicas: half of them at gamma 0.8, an eighth at 3.2 */
    return (exp(-0.78 * first) + exp(-0.78 * last)) / 2 * 0.95 + 0.05;
}

spn_share spn_share_start(const spn_task_run *run, const spn_work *work)
{
    return (spn_share){.run = run, .total = work->anneal + work->flips + work->profile};
}

void spn_share_show(const spn_share *share, double cost, double part)
{
    const spn_task_run *run = share->run;
    double done = share->total > 0 ? (share->past + cost * part) / share->total : 0;
    if (run->done)
        __atomic_store(run->done, &done, __ATOMIC_RELAXED); /* for another thread to read */
    if (run->look)
        run->look(run->look_context, done);
}

void spn_share_pass(spn_share *share, double cost)
{
    spn_share_show(share, cost, 1);
    share->past += cost;
}

spn_status spn_job_file(char **out, const spn_job *job, const char *folder, const char *subfolder,
                        const char *extension, spn_error *err)
{
    char *path = NULL;
    spn_status status = SPN_OK;
    *out = NULL;
    if (asprintf(&path, "%s/%s", folder, subfolder) < 0 ||
        asprintf(out, "%s/%s/%016" PRIx64 ".%s", folder, subfolder, job->key, extension) < 0)
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the name of a file");
    else if (mkdir(path, 0777) && errno != EEXIST)
        status = spn_fail(err, SPN_ERROR_IO, "%s: cannot be made: %s", path, strerror(errno));
    free(path);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- the interface ---- */

double spn_task_cost(const spn_job *job, uint64_t steps, double *proposals)
{
    const spn_work work = spn_task_find(job->sweep->task)->work(job, steps);
    if (proposals)
        *proposals = work.proposals;
    return work.anneal + work.flips + work.profile;
}

/* What every record has. */
static spn_status start_record(spn_record *out, const spn_job *job, spn_error *err)
{
    spn_status status = SPN_OK;
    *out = (spn_record){.key = job->key, .seed = job->seed, .run = job->run};
    for (size_t k = 0; k < job->count && !status; k++)
        status = spn_record_add_setting(out, job->settings[k].name, job->settings[k].text, err);
    if (!status && !(out->version = strdup(SPN_VERSION)))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a record");
    return status;
}

spn_status spn_task_do(spn_record *out, bool *complete, const spn_job *job, const spn_task_run *run,
                       spn_error *err)
{
    const spn_task *task = spn_task_find(job->sweep->task);
    *complete = false;
    *out = (spn_record){0};
    if (!task)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no task '%s'", job->sweep->task);
    spn_status status = start_record(out, job, err);
    if (!status)
        status = task->run(out, complete, job, run, err);
    if (status || !*complete)
        spn_record_clear(out);
    return status;
}

spn_status spn_task_finish(const spn_task_run *run, spn_error *err)
{
    return run->checkpoint ? spn_annealing_forget(run->checkpoint, err) : SPN_OK;
}
