/* Grids in memory. */
#include "sweep/in_memory.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "sweep/dispatch.h"
#include "sweep/jobs.h"
#include "sweep/runner.h"

#include <assert.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sweep ---- */

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a grid");
}

/* Make room for one more value; it doubles at powers of two, as a range may have a million. */
static bool make_room(spn_axis *axis)
{
    if (axis->count & (axis->count - 1))
        return true;
    char **grown = realloc(axis->values, (axis->count ? 2 * axis->count : 1) * sizeof *grown);
    if (grown)
        axis->values = grown;
    return grown;
}

/* Take a value, canonical and checked, to the end of an axis. */
static spn_status add_value(spn_axis *axis, const spn_setting *setting, const char *text,
                            spn_error *err)
{
    if (!make_room(axis))
        return no_memory(err);
    spn_status status = spn_setting_read(NULL, setting, text, err);
    if (status)
        return status;
    char *value = spn_setting_canonical(setting, text);
    if (!value)
        return no_memory(err);
    axis->values[axis->count++] = value;
    return SPN_OK;
}

/* START:END:STEP. Values are rounded to the 12 digits that a step is good for. */
static bool parse_range(double out[3], const char *text)
{
    char part[64];
    for (int k = 0; k < 3; k++) {
        const size_t length = strcspn(text, ":");
        if (length >= sizeof part || (k < 2) != (text[length] == ':'))
            return false;
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!spn_number_parse(&out[k], part))
            return false;
        text += length + (k < 2);
    }
    return true;
}

static spn_status add_range(spn_axis *axis, const spn_setting *setting, const double range[3],
                            spn_error *err)
{
    const double steps = (range[1] - range[0]) / range[2], slack = 1e-9;
    char text[SPN_NUMBER_TEXT];
    spn_status status = SPN_OK;
    if (!(steps >= 0) || !(steps < SPN_SWEEP_MOST_JOBS))
        return spn_setting_fail(axis->setting, err,
                                "START:END:STEP should lead from START to END in at most %d steps",
                                SPN_SWEEP_MOST_JOBS);
    for (size_t k = 0; (double)k <= steps + slack && !status; k++) {
        spn_number_text(text, spn_number_round(range[0] + (double)k * range[2], 12));
        status = add_value(axis, setting, text, err);
    }
    return status;
}

static spn_status add_list(spn_axis *axis, const spn_setting *setting, const char *text,
                           spn_error *err)
{
    const char *between = setting->kind == SPN_SETTING_LIST ? ";" : ",";
    for (spn_status status = SPN_OK;;) {
        const size_t length = strcspn(text, between);
        char *value = strndup(text, length);
        status = value ? add_value(axis, setting, value, err) : no_memory(err);
        free(value);
        if (status || !text[length])
            return status;
        text += length + 1;
    }
}

/* An axis from its text. Three numbers are a range, where they are not one value of the setting. */
static spn_status read_axis(spn_axis *out, const spn_task *task, const char *text, spn_error *err)
{
    const char *equals = strchr(text, '=');
    double range[3];
    if (!equals || equals == text || !equals[1])
        return spn_fail(err, SPN_ERROR_ARGUMENT, "expected NAME=A,B,C or NAME=START:END:STEP");
    if (!(out->setting = strndup(text, (size_t)(equals - text))))
        return no_memory(err);
    const spn_setting *setting = spn_setting_find(task->settings, out->setting);
    if (!setting)
        return spn_setting_unknown(task->settings, task->name, out->setting, err);
    if (setting->flags & SPN_SETTING_SEED)
        return spn_setting_fail(out->setting, err, "is made for each run; give the number of runs");
    return parse_range(range, equals + 1) ? add_range(out, setting, range, err)
                                          : add_list(out, setting, equals + 1, err);
}

static bool is_axis(const spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->axis_count; k++) {
        assert(sweep->axes[k].setting);
        if (strcmp(sweep->axes[k].setting, name) == 0)
            return true;
    }
    return false;
}

static spn_status add_axes(spn_sweep *sweep, const spn_task *task, const char *const *axes,
                           size_t count, spn_error *err)
{
    sweep->axes = calloc(count + 1, sizeof *sweep->axes);
    if (!sweep->axes)
        return no_memory(err);
    for (size_t k = 0; k < count; k++) {
        spn_axis axis = {0};
        spn_error why = {0};
        spn_status status = read_axis(&axis, task, axes[k], &why);
        assert(status || axis.setting);
        const bool twice = !status && is_axis(sweep, axis.setting);
        sweep->axes[sweep->axis_count++] = axis;
        if (twice)
            status = spn_setting_fail(axis.setting, &why, "is an axis twice");
        if (status)
            return spn_fail(err, status, "%s: %s", axes[k], why.text);
    }
    return SPN_OK;
}

/* As of a specification; each axis may be as long. */
static spn_status count_jobs(const spn_sweep *sweep, spn_error *err)
{
    if (spn_sweep_jobs(sweep) <= SPN_SWEEP_MOST_JOBS)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "the points of the grid times its runs are more than the %d jobs allowed",
                    SPN_SWEEP_MOST_JOBS);
}

static spn_status add_settings(spn_sweep *sweep, const spn_job *job, spn_error *err)
{
    sweep->fixed = calloc(job->count + 1, sizeof *sweep->fixed);
    if (!sweep->fixed)
        return no_memory(err);
    for (size_t k = 0; k < job->count; k++) {
        if (is_axis(sweep, job->given[k].name))
            continue;
        spn_field *field = &sweep->fixed[sweep->fixed_count++];
        field->name = strdup(job->given[k].name);
        field->text = strdup(job->given[k].text);
        if (!field->name || !field->text)
            return no_memory(err);
    }
    return SPN_OK;
}

spn_status spn_sweep_around(spn_sweep **out, const spn_job *job, const char *const *axes,
                            size_t count, size_t runs, spn_error *err)
{
    *out = NULL;
    spn_sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep)
        return no_memory(err);
    sweep->seed = job->seed;
    sweep->runs = runs > 0 ? runs : 1;
    spn_status status = add_axes(sweep, job->task, axes, count, err);
    if (!status)
        status = count_jobs(sweep, err);
    if (!status)
        status = add_settings(sweep, job, err);
    sweep->name = strdup(job->task->name);
    sweep->task = strdup(job->task->name);
    sweep->version = strdup(spn_version());
    sweep->instructions = strdup(spn_instruction_set());
    if (!status && !(sweep->name && sweep->task && sweep->version && sweep->instructions))
        status = no_memory(err);
    if (status)
        spn_sweep_free(sweep);
    else
        *out = sweep;
    return status;
}

/* ---- the runs ---- */

/* A grid under way: a place for the record of each job. */
typedef struct runs_here {
    const spn_sweep *sweep;
    const spn_in_memory_options *options;
    spn_record *records;
    bool *complete;
} runs_here;

static spn_status work(void *context, bool *complete, const spn_pool_job *given, spn_error *err)
{
    runs_here *g = context;
    spn_record *record = &g->records[given->job];
    const spn_run run = {.inputs = g->options->inputs,
                         .stop = given->stop,
                         .details = g->options->details,
                         .progress = spn_runner_progress,
                         .context = (void *)given->done};
    spn_job job;
    spn_outcome outcome = {0};
    const double started = spn_clock();
    spn_status status = spn_sweep_job(&job, g->sweep, given->job, err);
    if (!status)
        status = spn_job_run(record, &outcome, &job, &run, err);
    *complete = g->complete[given->job] = !status && outcome.complete;
    if (*complete)
        status = spn_runner_stamp(record, spn_clock() - started, err);
    if (status)
        spn_runner_blame(g->sweep, given->job, err);
    spn_job_clear(&job);
    return status;
}

static spn_status run_jobs(runs_here *g, const spn_agenda *agenda, spn_error *err)
{
    const spn_in_memory_options *o = g->options;
    spn_dispatch dispatch = {.stop = o->stop,
                             .agenda = agenda,
                             .observer = o->observer,
                             .observer_context = o->observer_context};
    spn_dispatch_result result;
    spn_status status =
        spn_pool_start(&dispatch.pool, o->threads > 1 ? o->threads : 1, work, g, err);
    if (status)
        return status;
    status = spn_dispatch_lead(&result, &dispatch, err);
    const spn_status failed = spn_pool_end(dispatch.pool, status ? NULL : err);
    return status ? status : failed;
}

/* Keep the records that are complete, in their order. */
static size_t keep_complete(runs_here *g, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (g->complete[k])
            g->records[kept++] = g->records[k];
        else
            spn_record_clear(&g->records[k]);
    }
    return kept;
}

spn_status spn_sweep_run_in_memory(spn_records **out, spn_sweep *sweep,
                                   const spn_in_memory_options *options, spn_error *err)
{
    spn_agenda agenda = {0};
    runs_here g = {.sweep = sweep, .options = options};
    spn_records *records = calloc(1, sizeof *records);
    spn_status status;
    *out = NULL;
    if (!records) {
        spn_sweep_free(sweep);
        return no_memory(err);
    }
    records->sweep = sweep;
    if ((status = spn_agenda_make(&agenda, sweep, options->inputs, err)))
        goto cleanup;
    records->records = g.records = spn_alloc(agenda.count, sizeof *g.records);
    g.complete = spn_alloc(agenda.count, sizeof *g.complete);
    records->folder = strdup("");
    if (!g.records || !g.complete || !records->folder) {
        status = no_memory(err);
        goto cleanup;
    }
    status = run_jobs(&g, &agenda, err);
    records->count = keep_complete(&g, agenda.count);
cleanup:
    free(g.complete);
    spn_agenda_clear(&agenda);
    if (status)
        spn_records_free(records);
    else
        *out = records;
    return status;
}
