/* Tasks: the table of them, and what they share. */
#include "old/tasks.h"

#include "record/annealing.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const xpn_task *const *xpn_tasks(void)
{
    static const xpn_task *const tasks[] = {&xpn_task_train, &xpn_task_anneal, &xpn_task_eval,
                                            NULL};
    return tasks;
}

const xpn_task *xpn_task_find(const char *name)
{
    for (const xpn_task *const *task = xpn_tasks(); *task; task++)
        if (strcmp((*task)->name, name) == 0)
            return *task;
    return NULL;
}

const xpn_setting *xpn_setting_find(const xpn_task *task, const char *name)
{
    for (const xpn_setting *s = task->settings; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

/* ---- what tasks share ---- */

double xpn_coupling_passes(const spn_chain_options *chain)
{
    if (chain->kernel != SPN_KERNEL_TWO_STAGE || chain->replicas == 1)
        return 1;
    const double first = spn_schedule_value(chain->gamma, 0, chain->steps, 0, chain->replicas);
    const double last =
        spn_schedule_value(chain->gamma, chain->steps, chain->steps, 0, chain->replicas);
    /* as measured on MNIST with three replicas: half of them at gamma 0.8, an eighth at 3.2 */
    return (exp(-0.78 * first) + exp(-0.78 * last)) / 2 * 0.95 + 0.05;
}

xpn_share xpn_share_start(const xpn_task_run *run, const xpn_work *work)
{
    return (xpn_share){.run = run, .total = work->anneal + work->flips + work->profile};
}

void xpn_share_show(const xpn_share *share, double cost, double part)
{
    const xpn_task_run *run = share->run;
    double done = share->total > 0 ? (share->past + cost * part) / share->total : 0;
    if (run->done)
        __atomic_store(run->done, &done, __ATOMIC_RELAXED); /* for another thread to read */
    if (run->look)
        run->look(run->look_context, done);
}

void xpn_share_pass(xpn_share *share, double cost)
{
    xpn_share_show(share, cost, 1);
    share->past += cost;
}

spn_status xpn_job_file(char **out, const xpn_job *job, const char *folder, const char *subfolder,
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

double xpn_task_cost(const xpn_job *job, uint64_t steps, double *proposals)
{
    const xpn_work work = xpn_task_find(job->sweep->task)->work(job, steps);
    if (proposals)
        *proposals = work.proposals;
    return work.anneal + work.flips + work.profile;
}

/* What every record has. */
static spn_status start_record(spn_record *out, const xpn_job *job, spn_error *err)
{
    spn_status status = SPN_OK;
    *out = (spn_record){.key = job->key, .seed = job->seed, .run = job->run};
    for (size_t k = 0; k < job->count && !status; k++)
        status = spn_record_add_setting(out, job->settings[k].name, job->settings[k].text, err);
    if (!status && !(out->version = strdup(SPN_VERSION)))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a record");
    return status;
}

spn_status xpn_task_do(spn_record *out, bool *complete, const xpn_job *job, const xpn_task_run *run,
                       spn_error *err)
{
    const xpn_task *task = xpn_task_find(job->sweep->task);
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

spn_status xpn_task_finish(const xpn_task_run *run, spn_error *err)
{
    return run->checkpoint ? spn_annealing_forget(run->checkpoint, err) : SPN_OK;
}
