/* The jobs of a sweep, and their plans. Each point is planned once. */
#include "base/memory.h"
#include "base/number.h"
#include "sweep/running.h"
#include "sweep/spec/spec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Larger grids are planned when needed, and plans are not kept. */
enum { MOST_KEPT = 10000 };

struct spn_plans {
    const spn_sweep *sweep;
    spn_inputs *inputs;
    size_t points;         /* kept points; 0: the grid is too large */
    spn_point *kept;       /* without a plan: not planned yet */
    pthread_mutex_t mutex; /* for `kept`; held while a point is planned */
};

size_t spn_sweep_points(const spn_sweep *sweep)
{
    return spn_sweep_jobs(sweep) / sweep->runs;
}

const char *spn_sweep_value_at(const spn_sweep *sweep, size_t axis, size_t point)
{
    for (size_t k = sweep->axis_count - 1; k > axis; k--)
        point /= sweep->axes[k].count;
    return sweep->axes[axis].values[point % sweep->axes[axis].count];
}

static spn_status set_axis(spn_job *job, const spn_sweep *sweep, size_t axis, size_t point,
                           spn_error *err)
{
    const char *value = spn_sweep_value_at(sweep, axis, point);
    const spn_case *of = spn_axis_case(&sweep->axes[axis], value);
    if (sweep->axes[axis].case_count == 0)
        return spn_job_set(job, sweep->axes[axis].setting, value, err);
    if (!of)
        return spn_refuse(err, "%s has no case '%s'", sweep->axes[axis].setting, value);
    for (size_t k = 0; k < of->count; k++)
        SPN_TRY(spn_job_set(job, of->settings[k].name, of->settings[k].text, err));
    return SPN_OK;
}

static spn_status point_job(spn_job *out, const spn_sweep *sweep, size_t point, spn_error *err)
{
    const spn_task *task = spn_task_find(sweep->task);
    *out = spn_job_start(task);
    if (!task)
        return spn_refuse(err, "there is no task '%s'", sweep->task);
    for (size_t k = 0; k < sweep->fixed_count; k++)
        SPN_TRY(spn_job_set(out, sweep->fixed[k].name, sweep->fixed[k].text, err));
    for (size_t k = 0; k < sweep->axis_count; k++)
        SPN_TRY(set_axis(out, sweep, k, point, err));
    return SPN_OK;
}

spn_status spn_sweep_job(spn_job *out, const spn_sweep *sweep, size_t index, spn_error *err)
{
    SPN_TRY(point_job(out, sweep, index / sweep->runs, err));
    return spn_job_identify(out, sweep->seed, index % sweep->runs + 1, err);
}

/* Keys of the runs of a point; uses its job if it was planned. */
static spn_status point_keys(uint64_t *out, const spn_sweep *sweep, size_t point, spn_error *err)
{
    spn_point known = {0};
    if (sweep->plans && point < sweep->plans->points) {
        pthread_mutex_lock(&sweep->plans->mutex);
        known = sweep->plans->kept[point];
        pthread_mutex_unlock(&sweep->plans->mutex);
    }
    spn_job made = {0};
    spn_status status = known.plan ? SPN_OK : point_job(&made, sweep, point, err);
    spn_job job = known.plan ? known.job : made;
    for (size_t run = 1; run <= sweep->runs && !status; run++) {
        status = spn_job_identify(&job, sweep->seed, run, err);
        *out++ = job.key;
    }
    spn_job_clear(&made);
    return status;
}

spn_status spn_sweep_keys(uint64_t **out, const spn_sweep *sweep, spn_error *err)
{
    const size_t points = spn_sweep_points(sweep);
    uint64_t *keys = spn_alloc(spn_sweep_jobs(sweep), sizeof *keys);
    spn_status status = SPN_OK;
    *out = NULL;
    SPN_NEED(keys, err, "%zu runs", spn_sweep_jobs(sweep));
    for (size_t point = 0; point < points && !status; point++)
        status = point_keys(keys + point * sweep->runs, sweep, point, err);
    SPN_HAND_OVER(out, keys, free, status);
}

char *spn_sweep_point_text(const spn_sweep *sweep, size_t point)
{
    spn_memory_stream memory;
    FILE *out = spn_memory_stream_open(&memory);
    for (size_t k = 0; out && k < sweep->axis_count; k++)
        fprintf(out, "%s%s=%s", k ? " " : "", sweep->axes[k].setting,
                spn_sweep_value_at(sweep, k, point));
    return spn_memory_stream_finish(&memory);
}

static spn_value_list find_field(const spn_field *fields, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(fields[k].name, name) == 0)
            return (spn_value_list){1, &fields[k].text};
    return (spn_value_list){0};
}

spn_value_list spn_sweep_given(const spn_sweep *sweep, const char *setting)
{
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (strcmp(sweep->axes[k].setting, setting) == 0)
            return (spn_value_list){sweep->axes[k].count, sweep->axes[k].values};
    return find_field(sweep->fixed, sweep->fixed_count, setting);
}

spn_value_list spn_sweep_values(const spn_sweep *sweep, const char *setting)
{
    const spn_value_list given = spn_sweep_given(sweep, setting);
    return given.count ? given : find_field(sweep->defaults, sweep->default_count, setting);
}

void spn_value_list_print(char *out, size_t size, const spn_value_list *list)
{
    enum { SHOWN = 6 };
    const size_t shown = list->count > SHOWN + 1 ? SHOWN : list->count;
    snprintf(out, size, "%s", list->count ? "" : "not given");
    for (size_t k = 0; k < shown; k++)
        spn_print_more(out, size, "%s%s", k ? "," : "", list->texts[k]);
    if (shown < list->count)
        spn_print_more(out, size, ",... (%zu values)", list->count);
}

spn_status spn_plans_create(spn_plans **out, const spn_sweep *sweep, const char *beside,
                            spn_error *err)
{
    const size_t points = spn_sweep_points(sweep);
    spn_plans *plans = calloc(1, sizeof *plans);
    *out = NULL;
    SPN_NEED(plans, err, "the plans of a sweep");
    pthread_mutex_init(&plans->mutex, NULL);
    plans->sweep = sweep;
    plans->points = points <= MOST_KEPT ? points : 0;
    plans->kept = spn_alloc(plans->points, sizeof *plans->kept);
    SPN_HAND_OVER(out, plans, spn_plans_free,
                  plans->kept ? spn_inputs_create(&plans->inputs, beside, err)
                              : spn_no_memory(err, "the plans of a sweep"));
}

static void clear_point(spn_point *point)
{
    spn_job_plan_free(point->job.task, point->plan);
    spn_job_clear(&point->job);
    *point = (spn_point){0};
}

void spn_plans_free(spn_plans *plans)
{
    if (!plans)
        return;
    for (size_t k = 0; k < plans->points && plans->kept; k++)
        clear_point(&plans->kept[k]);
    free(plans->kept);
    spn_inputs_free(plans->inputs);
    pthread_mutex_destroy(&plans->mutex);
    free(plans);
}

spn_inputs *spn_plans_inputs(spn_plans *plans)
{
    return plans->inputs;
}

static spn_status make(spn_point *out, const spn_plans *plans, size_t point, spn_error *err)
{
    spn_status status = point_job(&out->job, plans->sweep, point, err);
    if (!status)
        status = spn_job_plan(&out->plan, &out->job, plans->inputs, err);
    if (status)
        clear_point(out);
    return status;
}

spn_status spn_plans_take(spn_point *out, spn_plans *plans, size_t point, spn_error *err)
{
    spn_status status = SPN_OK;
    *out = (spn_point){0};
    if (plans->points == 0) {
        SPN_TRY(make(out, plans, point, err));
        out->own = true;
        return SPN_OK;
    }
    pthread_mutex_lock(&plans->mutex);
    if (!plans->kept[point].plan)
        status = make(&plans->kept[point], plans, point, err);
    *out = plans->kept[point];
    pthread_mutex_unlock(&plans->mutex);
    return status;
}

void spn_plans_release(spn_point *point)
{
    if (point->own)
        clear_point(point);
    *point = (spn_point){0};
}

spn_status spn_plans_take_job(spn_point *out, spn_plans *plans, size_t index, spn_error *err)
{
    const spn_sweep *sweep = plans->sweep;
    SPN_TRY(spn_plans_take(out, plans, index / sweep->runs, err));
    return spn_job_identify(&out->job, sweep->seed, index % sweep->runs + 1, err);
}

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

static spn_status list_points(spn_agenda *agenda, const spn_sweep *sweep, spn_error *err)
{
    uint64_t *key = agenda->keys;
    for (size_t k = 0; k < agenda->count / sweep->runs; k++) {
        spn_point point;
        SPN_TRY(spn_plans_take(&point, sweep->plans, k, err));
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
    spn_refuse(err, "the grid has the same point twice: %s; give every value once",
               point ? point : "");
    free(point);
    return SPN_ERROR_ARGUMENT;
}

spn_status spn_agenda_make(spn_agenda *out, const spn_sweep *sweep, spn_error *err)
{
    const size_t count = spn_sweep_jobs(sweep);
    *out = (spn_agenda){.count = count, .runs = sweep->runs};
    if (count == 0 || count > SPN_SWEEP_MOST_JOBS)
        return spn_refuse(err, "%zu runs; a sweep has 1 to %d", count, SPN_SWEEP_MOST_JOBS);
    out->keys = spn_alloc(count, sizeof *out->keys);
    out->sorted = spn_alloc(count, sizeof *out->sorted);
    out->costs = spn_alloc(count / sweep->runs, sizeof *out->costs);
    out->jobs = spn_alloc(count, sizeof *out->jobs);
    SPN_NEED(out->keys && out->sorted && out->costs && out->jobs, err, "%zu runs", count);
    SPN_TRY(list_points(out, sweep, err));
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
