#include "sweep/running.h"

#include "base/memory.h"
#include "base/try.h"
#include "sweep/jobs.h"

#include <stdlib.h>
#include <string.h>

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

static spn_status list_points(spn_agenda *agenda, const spn_sweep *sweep, spn_plans *plans,
                              spn_error *err)
{
    uint64_t *key = agenda->keys;
    for (size_t k = 0; k < agenda->count / sweep->runs; k++) {
        spn_point point;
        SPN_TRY(spn_plans_take(&point, plans, k, err));
        spn_status status = SPN_OK;
        agenda->costs[k] = point.job.task->cost(point.plan, 0);
        for (size_t run = 1; run <= sweep->runs && !status; run++) {
            status = spn_job_identify(&point.job, sweep->seed, run, err);
            *key++ = point.job.key;
        }
        spn_plans_release(&point);
        SPN_TRY(status);
    }
    return SPN_OK;
}

/* Two jobs with one key would share a checkpoint. */
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

spn_status spn_agenda_make(spn_agenda *out, const spn_sweep *sweep, spn_plans *plans,
                           spn_error *err)
{
    const size_t count = spn_sweep_jobs(sweep);
    *out = (spn_agenda){.count = count, .runs = sweep->runs};
    if (count == 0 || count > SPN_SWEEP_MOST_JOBS)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%zu runs; a sweep has 1 to %d", count,
                        SPN_SWEEP_MOST_JOBS);
    out->keys = spn_alloc(count, sizeof *out->keys);
    out->sorted = spn_alloc(count, sizeof *out->sorted);
    out->costs = spn_alloc(count / sweep->runs, sizeof *out->costs);
    out->jobs = spn_alloc(count, sizeof *out->jobs);
    if (!out->keys || !out->sorted || !out->costs || !out->jobs)
        return spn_no_memory(err, "%zu runs", count);
    SPN_TRY(list_points(out, sweep, plans, err));
    memcpy(out->sorted, out->keys, count * sizeof *out->keys);
    spn_keys_sort(out->sorted, count);
    SPN_TRY(check_distinct(out, sweep, err));
    spn_agenda_choose(out, 0, 1, NULL, 0);
    return SPN_OK;
}

void spn_agenda_clear(spn_agenda *agenda)
{
    SPN_FREE_ALL(agenda->keys, agenda->sorted, agenda->costs, agenda->jobs);
    *agenda = (spn_agenda){0};
}

int spn_agenda_compare(const void *a, const void *b)
{
    const spn_agenda_job *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? 1 : -1;
    return (left->index > right->index) - (left->index < right->index);
}

void spn_agenda_choose(spn_agenda *agenda, size_t shard, size_t shards, const uint64_t *finished,
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
