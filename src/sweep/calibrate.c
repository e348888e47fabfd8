/* Estimate how long a sweep takes: short runs of a few points, from the longest to the shortest;
   other points are interpolated by their cost. */
#include "base/clock.h"
#include "base/memory.h"
#include "record/record.h"
#include "sweep/folder.h"
#include "sweep/running.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 6 };

/* A job of this point takes setup + rate * cost seconds. */
typedef struct sample {
    double cost, setup, rate;
} sample;

typedef struct calibration {
    const spn_sweep *sweep;
    const spn_agenda *agenda;
    const spn_sweep_options *options;
    double seconds, started; /* time allowed; start */
    size_t count;
    sample samples[MOST_SAMPLES]; /* by falling cost */
} calibration;

/* Time a run of this many steps in processor seconds. *complete: false if it was stopped. */
static spn_status time_run(double *out, bool *complete, const calibration *c,
                           const spn_point *point, uint64_t steps, spn_error *err)
{
    spn_record record = {0};
    spn_outcome outcome;
    const spn_run run = {
        .inputs = spn_plans_inputs(c->sweep->plans), .stop = c->options->stop, .steps = steps};
    const double started = spn_thread_clock();
    spn_status status = spn_job_run_plan(&record, &outcome, &point->job, point->plan, &run, err);
    *out = spn_thread_clock() - started;
    *complete = outcome.complete;
    spn_record_clear(&record);
    return status;
}

static spn_cost cost_of(const spn_point *point, uint64_t steps)
{
    return point->job.task->cost(point->plan, steps);
}

/* Increase the steps until one run takes `seconds`, or is complete. */
static spn_status try_job(sample *out, bool *complete, const calibration *c, const spn_point *point,
                          double seconds, spn_error *err)
{
    enum { FIRST = 4096, FACTOR = 4 };
    const spn_cost whole = cost_of(point, 0), one = cost_of(point, 1);
    double time = 0;
    SPN_TRY(time_run(&out->setup, complete, c, point, 1, err));
    if (*complete && c->count == 0) /* the very first run has cold caches, so it is repeated */
        SPN_TRY(time_run(&out->setup, complete, c, point, 1, err));
    out->cost = whole.work;
    if (!(one.proposals > 0)) { /* nothing to shorten */
        out->rate = one.work > 0 ? out->setup / one.work : 0;
        out->setup = 0;
        return SPN_OK;
    }
    const double most = whole.proposals / one.proposals;
    for (double steps = FIRST; *complete; steps *= FACTOR) {
        const uint64_t tried = (uint64_t)fmax(fmin(steps, most), 1);
        SPN_TRY(time_run(&time, complete, c, point, tried, err));
        const double work = cost_of(point, tried).work;
        out->rate = work > 0 ? fmax(time - out->setup, 0) / work : 0;
        if (steps >= most || time - out->setup >= seconds / FACTOR)
            break;
    }
    return SPN_OK;
}

static spn_status try_point(calibration *c, const spn_agenda_job *tried, spn_error *err)
{
    spn_point point;
    bool complete = false;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_plans_take_job(&point, c->sweep->plans, tried->index, err));
    status = try_job(&c->samples[c->count], &complete, c, &point, c->seconds / MOST_SAMPLES, err);
    c->count += !status && complete;
cleanup:
    spn_plans_release(&point);
    return status;
}

/* Try points of different costs, the longest first, while there is time. */
static spn_status try_points(calibration *c, const spn_agenda_job *points, size_t count,
                             spn_error *err)
{
    const size_t tries = count < MOST_SAMPLES ? count : MOST_SAMPLES;
    for (size_t k = 0; k < tries && !spn_stop_asked(c->options->stop); k++) {
        const spn_agenda_job *point = &points[tries > 1 ? k * (count - 1) / (tries - 1) : 0];
        if (c->count == 0 || (point->cost != c->samples[c->count - 1].cost &&
                              spn_clock() - c->started <= c->seconds))
            SPN_TRY(try_point(c, point, err));
    }
    return SPN_OK;
}

static spn_status calibrate(calibration *c, spn_error *err)
{
    const size_t runs = c->sweep->runs, count = c->agenda->count / runs;
    spn_agenda_job *points = spn_alloc(count, sizeof *points);
    SPN_NEED(points, err, "%zu points", count);
    for (size_t k = 0; k < count; k++)
        points[k] = (spn_agenda_job){k * runs, c->agenda->costs[k].work};
    qsort(points, count, sizeof *points, spn_agenda_compare);
    c->started = spn_clock();
    spn_status status = try_points(c, points, count, err);
    free(points);
    return status;
}

/* Seconds of a job of this cost, of which `done` was done before; without its record. */
static double seconds_of(const calibration *c, double cost, double done)
{
    if (c->count == 0)
        return NAN;
    size_t k = 0;
    while (k < c->count && c->samples[k].cost > cost)
        k++;
    const sample *below = &c->samples[k < c->count ? k : c->count - 1];
    const sample *above = &c->samples[k > 0 ? k - 1 : 0];
    double place = 0;
    if (above->cost > below->cost && cost > below->cost)
        place = log(cost / below->cost) / log(above->cost / below->cost);
    const double setup = below->setup + place * (above->setup - below->setup);
    return setup + (cost - done) * (below->rate + place * (above->rate - below->rate));
}

/* Cost of what a saved job has done; 0: not saved. */
static spn_status saved_cost(double *out, const calibration *c, size_t index, spn_error *err)
{
    const size_t number = index / c->sweep->runs;
    spn_point point = {0};
    spn_status status = SPN_OK;
    char *path = spn_folder_checkpoint(c->options->folder, c->agenda->keys[index]);
    const uint64_t step = path ? spn_checkpoint_step(path) : 0;
    if (step > 0)
        status = spn_plans_take(&point, c->sweep->plans, number, err);
    const double done = point.plan ? cost_of(&point, step).work : 0;
    *out = fmin(done, c->agenda->costs[number].work);
    free(path);
    spn_plans_release(&point);
    return status;
}

static spn_status add_pending(spn_sweep_estimate *out, const calibration *c, spn_error *err)
{
    const spn_agenda *agenda = c->agenda;
    const bool saved = c->options->folder && spn_folder_has_checkpoints(c->options->folder);
    for (size_t k = 0; k < agenda->pending; k++) {
        const spn_agenda_job *job = &agenda->jobs[k];
        double done = 0;
        if (saved)
            SPN_TRY(saved_cost(&done, c, job->index, err));
        const double seconds = seconds_of(c, job->cost, done);
        out->begun += done > 0;
        out->seconds += seconds;
        out->longest = fmax(out->longest, seconds);
    }
    return SPN_OK;
}

static spn_status conclude(spn_sweep_estimate *out, const calibration *c, spn_error *err)
{
    const double runs = (double)c->sweep->runs;
    const size_t points = c->agenda->count / c->sweep->runs;
    out->jobs = c->agenda->count;
    out->finished = c->agenda->done;
    SPN_TRY(add_pending(out, c, err));
    SPN_NEED(out->point = spn_alloc(points, sizeof *out->point), err, "%zu points", points);
    for (; out->points < points; out->points++) {
        const spn_cost *cost = &c->agenda->costs[out->points];
        spn_sweep_point *point = &out->point[out->points];
        point->proposals = cost->proposals * runs;
        point->seconds = seconds_of(c, cost->work, 0) * runs;
        SPN_NEED(point->settings = spn_sweep_point_text(c->sweep, out->points), err, "a point");
        out->memory = fmax(out->memory, cost->memory);
    }
    return SPN_OK;
}

static spn_status leave_out_finished(spn_agenda *agenda, const spn_sweep *sweep, const char *folder,
                                     spn_error *err)
{
    bool found = false;
    uint64_t *finished;
    size_t count;
    if (folder)
        SPN_TRY(spn_folder_check(&found, folder, sweep, err));
    if (!found)
        return SPN_OK;
    SPN_TRY(spn_folder_finished(&finished, &count, folder, err));
    spn_agenda_choose(agenda, 0, 1, finished, count);
    free(finished);
    return SPN_OK;
}

spn_status spn_sweep_calibrate(spn_sweep_estimate *out, const spn_sweep *sweep,
                               const spn_sweep_options *options, double seconds, spn_error *err)
{
    spn_agenda agenda = {0};
    calibration c = {.sweep = sweep, .agenda = &agenda, .options = options, .seconds = seconds};
    *out = (spn_sweep_estimate){0};
    spn_status status;
    SPN_TRY_OR(cleanup, spn_agenda_make(&agenda, sweep, err));
    SPN_TRY_OR(cleanup, leave_out_finished(&agenda, sweep, options->folder, err));
    if (agenda.pending > 0)
        SPN_TRY_OR(cleanup, calibrate(&c, err));
    status = conclude(out, &c, err);
cleanup:
    spn_agenda_clear(&agenda);
    if (status)
        spn_sweep_estimate_clear(out);
    return status;
}

void spn_sweep_estimate_clear(spn_sweep_estimate *estimate)
{
    for (size_t k = 0; k < estimate->points; k++)
        free(estimate->point[k].settings);
    free(estimate->point);
    *estimate = (spn_sweep_estimate){0};
}
