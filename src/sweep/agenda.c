/* The agenda of a sweep. */
#include "sweep/agenda.h"

#include "base/memory.h"
#include "sweep/jobs.h"

#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void spn_keys_sort(uint64_t *keys, size_t count)
{
    qsort(keys, count, sizeof *keys, compare_keys);
}

bool spn_keys_hold(const uint64_t *sorted, size_t count, uint64_t key)
{
    return count > 0 && bsearch(&key, sorted, count, sizeof key, compare_keys) != NULL;
}

/* ---- all jobs ---- */

spn_status spn_sweep_cost(spn_cost *out, const spn_job *job, uint64_t steps, spn_inputs *inputs,
                          spn_error *err)
{
    void *plan;
    *out = (spn_cost){0};
    spn_status status = spn_job_plan(&plan, job, inputs, err);
    if (!status)
        *out = job->task->cost(plan, steps);
    spn_job_plan_free(job->task, plan);
    return status;
}

/* The runs of a point cost the same. */
static spn_status list_costs(spn_agenda *agenda, const spn_sweep *sweep, spn_inputs *inputs,
                             spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t point = 0; point < agenda->count / sweep->runs && !status; point++) {
        spn_job job;
        status = spn_sweep_point_job(&job, sweep, point, err);
        if (!status)
            status = spn_sweep_cost(&agenda->costs[point], &job, 0, inputs, err);
        spn_job_clear(&job);
    }
    return status;
}

/* Two jobs of one key would write one checkpoint. */
static spn_status check_distinct(const spn_agenda *agenda, const spn_sweep *sweep, spn_error *err)
{
    size_t i = 1, twin = 0;
    while (i < agenda->count && agenda->sorted[i] != agenda->sorted[i - 1])
        i++;
    if (i >= agenda->count)
        return SPN_OK;
    while (agenda->keys[twin] != agenda->sorted[i])
        twin++;
    char *point = spn_sweep_point_text(sweep, twin / sweep->runs);
    spn_fail(err, SPN_ERROR_ARGUMENT,
             "the grid has the same point twice: %s; give every value once", point ? point : "");
    free(point);
    return SPN_ERROR_ARGUMENT;
}

spn_status spn_agenda_make(spn_agenda *out, const spn_sweep *sweep, spn_inputs *inputs,
                           spn_error *err)
{
    const size_t count = spn_sweep_jobs(sweep);
    *out = (spn_agenda){.count = count, .runs = sweep->runs};
    if (count == 0 || count > SPN_SWEEP_MOST_JOBS)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%zu runs; a sweep has 1 to %d", count,
                        SPN_SWEEP_MOST_JOBS);
    out->sorted = spn_alloc(count, sizeof *out->sorted);
    out->costs = spn_alloc(count / sweep->runs, sizeof *out->costs);
    out->jobs = spn_alloc(count, sizeof *out->jobs);
    if (!out->sorted || !out->costs || !out->jobs)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu runs", count);
    spn_status status = spn_sweep_keys(&out->keys, sweep, err);
    if (status)
        return status;
    memcpy(out->sorted, out->keys, count * sizeof *out->keys);
    spn_keys_sort(out->sorted, count);
    status = check_distinct(out, sweep, err);
    if (!status)
        status = list_costs(out, sweep, inputs, err);
    return status ? status : spn_agenda_choose(out, 0, 1, NULL, 0, err);
}

void spn_agenda_clear(spn_agenda *agenda)
{
    free(agenda->keys);
    free(agenda->sorted);
    free(agenda->costs);
    free(agenda->jobs);
    *agenda = (spn_agenda){0};
}

/* ---- those of this process ---- */

int spn_agenda_compare(const void *a, const void *b)
{
    const spn_agenda_job *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? 1 : -1;
    return (left->index > right->index) - (left->index < right->index);
}

static void choose(spn_agenda *agenda, size_t shard, size_t shards, const uint64_t *finished,
                   size_t finished_count)
{
    agenda->mine = agenda->before = agenda->done = agenda->pending = 0;
    agenda->cost = 0;
    for (size_t i = 0; i < agenda->count; i++)
        agenda->jobs[i] = (spn_agenda_job){i, agenda->costs[i / agenda->runs].work};
    qsort(agenda->jobs, agenda->count, sizeof *agenda->jobs, spn_agenda_compare);
    for (size_t i = 0; i < agenda->count; i++) {
        const spn_agenda_job job = agenda->jobs[i];
        const bool mine = i % shards == shard;
        const bool done = spn_keys_hold(finished, finished_count, agenda->keys[job.index]);
        agenda->done += done;
        agenda->mine += mine;
        agenda->before += mine && done;
        if (mine && !done) {
            agenda->cost += job.cost;
            agenda->jobs[agenda->pending++] = job; /* at or before i */
        }
    }
}

spn_status spn_agenda_choose(spn_agenda *agenda, size_t shard, size_t shards,
                             const uint64_t *finished, size_t finished_count, spn_error *err)
{
    uint64_t *sorted = spn_alloc(finished_count, sizeof *sorted);
    if (!sorted)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu runs", finished_count);
    if (finished_count)
        memcpy(sorted, finished, finished_count * sizeof *sorted);
    spn_keys_sort(sorted, finished_count);
    choose(agenda, shard, shards, sorted, finished_count);
    free(sorted);
    return SPN_OK;
}
