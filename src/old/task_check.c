/* Checking a sweep before anything runs: its task, its settings, every point of its grid. */
#include "old/tasks.h"

#include <spinney/words.h>
#include <string.h>

static const char *setting_name(const void *settings, size_t i)
{
    return ((const xpn_setting *)settings)[i].name;
}

spn_status xpn_setting_unknown(const xpn_task *task, const char *name, spn_error *err)
{
    const char *nearest = spn_nearest_word(name, setting_name, task->settings);
    if (nearest)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "unknown setting '%s' of %s; did you mean %s?",
                        name, task->name, nearest);
    return spn_fail(err, SPN_ERROR_ARGUMENT, "unknown setting '%s' of %s", name, task->name);
}

static spn_status check_names(xpn_fault *fault, const xpn_task *task, const xpn_job *job,
                              spn_error *err)
{
    for (size_t k = 0; k < job->count; k++) {
        const char *name = fault->setting = job->settings[k].name;
        if (!xpn_setting_find(task, name))
            return xpn_setting_unknown(task, name, err);
        for (size_t j = 0; j < k; j++)
            if (strcmp(job->settings[j].name, name) == 0)
                return spn_fail(err, SPN_ERROR_ARGUMENT, "the setting %s is there twice", name);
    }
    fault->setting = NULL;
    return SPN_OK;
}

static spn_status check_measures(xpn_fault *fault, const xpn_task *task, const spn_measures *m,
                                 spn_error *err)
{
    const struct {
        const char *name;
        bool asked, there;
    } all[] = {{"models", m->models, task->models},
               {"traces", m->traces, task->traces},
               {"flips", m->flips_count > 0, task->flips},
               {"profile", m->profile_walks > 0, task->profile}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].asked && !all[k].there) {
            fault->setting = all[k].name;
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: the task %s has none", all[k].name,
                            task->name);
        }
    }
    return SPN_OK;
}

static spn_status check_point(xpn_fault *fault, const xpn_task *task, const spn_sweep *sweep,
                              xpn_task_store *store, size_t point, spn_error *err)
{
    xpn_job job;
    spn_status status = xpn_job_make(&job, sweep, point * sweep->runs, err);
    if (status)
        return status;
    xpn_values values = xpn_job_values(&job);
    fault->point = point;
    status = point == 0 ? check_names(fault, task, &job, err) : SPN_OK;
    if (!status && (status = task->check(&values, &sweep->measures, store, err)))
        fault->setting = values.fault;
    xpn_job_clear(&job);
    return status;
}

/* Every value once, with the first values of the other axes. */
static spn_status check_values(xpn_fault *fault, const xpn_task *task, const spn_sweep *sweep,
                               xpn_task_store *store, spn_error *err)
{
    spn_status status = SPN_OK;
    size_t stride = 1;
    for (size_t k = sweep->axis_count; k-- > 0 && !status;) {
        for (size_t j = 0; j < sweep->axes[k].count && !status; j++)
            status = check_point(fault, task, sweep, store, j * stride, err);
        stride *= sweep->axes[k].count;
    }
    return status;
}

spn_status xpn_task_check_at(xpn_fault *fault, const spn_sweep *sweep, xpn_task_store *store,
                             spn_error *err)
{
    enum { MOST_POINTS = 10000 };
    const xpn_task *task = xpn_task_find(sweep->task);
    *fault = (xpn_fault){.point = SIZE_MAX};
    if (!task)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no task '%s'", sweep->task);
    spn_status status = check_measures(fault, task, &sweep->measures, err);
    if (status)
        return status;
    const size_t points = spn_sweep_jobs(sweep) / sweep->runs;
    if (points > MOST_POINTS)
        return check_values(fault, task, sweep, store, err);
    for (size_t point = 0; point < points && !status; point++)
        status = check_point(fault, task, sweep, store, point, err);
    return status;
}

spn_status xpn_task_check(const spn_sweep *sweep, xpn_task_store *store, spn_error *err)
{
    xpn_fault fault;
    return xpn_task_check_at(&fault, sweep, store, err);
}
