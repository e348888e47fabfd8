/* How long a sweep will take: short runs of a few points, from the longest to the shortest; the
   others lie between them by their cost. */
#include "sweep/agenda.h"
#include "sweep/folder.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "record/checkpoint.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 6 };

/* A point that was tried: a job of it takes setup + rate * cost seconds. */
typedef struct sample {
    double cost, setup, rate;
} sample;

typedef struct calibration {
    const spn_sweep *sweep;
    const spn_agenda *agenda;
    const spn_sweep_options *options;
    xpn_task_store *store;
    double seconds, started; /* allowed, and since when */
    size_t count;
    sample samples[MOST_SAMPLES]; /* by falling cost */
} calibration;

/* ---- trying ---- */

/* The seconds of a run of so many steps, on a processor of its own; *complete: false if it was
   stopped. */
static spn_status time_run(double *out, bool *complete, const calibration *c, const xpn_job *job,
                           uint64_t steps, spn_error *err)
{
    spn_record record = {0};
    const xpn_task_run run = {.store = c->store, .stop = c->options->stop, .steps = steps};
    const double started = spn_thread_clock();
    spn_status status = xpn_task_do(&record, complete, job, &run, err);
    *out = spn_thread_clock() - started;
    spn_record_clear(&record);
    return status;
}

/* Run for longer and longer until `seconds` are spent on one run, or it is the whole. */
static spn_status try_job(sample *out, bool *complete, const calibration *c, const xpn_job *job,
                          double seconds, spn_error *err)
{
    enum { FIRST = 4096, FACTOR = 4 };
    double whole, one, time = 0;
    out->cost = xpn_task_cost(job, 0, &whole);
    xpn_task_cost(job, 1, &one);
    spn_status status = time_run(&out->setup, complete, c, job, 1, err);
    /* the first of all has read the data, too */
    if (!status && *complete && c->count == 0)
        status = time_run(&out->setup, complete, c, job, 1, err);
    if (!status && !(one > 0)) { /* nothing that could be shortened */
        out->rate = out->setup / xpn_task_cost(job, 1, NULL);
        out->setup = 0;
        return status;
    }
    const double most = whole / one;
    for (double steps = FIRST; !status && *complete; steps *= FACTOR) {
        const uint64_t tried = (uint64_t)fmax(fmin(steps, most), 1);
        status = time_run(&time, complete, c, job, tried, err);
        const double cost = xpn_task_cost(job, tried, NULL);
        out->rate = cost > 0 ? fmax(time - out->setup, 0) / cost : 0;
        if (steps >= most || time - out->setup >= seconds / FACTOR)
            break;
    }
    return status;
}

/* Points by falling cost. */
static int compare_points(const void *a, const void *b)
{
    const spn_agenda_job *left = a, *right = b;
    if (left->cost != right->cost)
        return left->cost < right->cost ? 1 : -1;
    return (left->index > right->index) - (left->index < right->index);
}

static spn_status try_point(calibration *c, const spn_agenda_job *point, spn_error *err)
{
    xpn_job job;
    bool complete = false;
    spn_status status = xpn_job_make(&job, c->sweep, point->index, err);
    if (status)
        return status;
    status = try_job(&c->samples[c->count], &complete, c, &job, c->seconds / MOST_SAMPLES, err);
    c->count += !status && complete;
    xpn_job_clear(&job);
    return status;
}

/* Try points of different costs, the longest first, while there is time. */
static spn_status try_points(calibration *c, const spn_agenda_job *points, size_t count,
                             spn_error *err)
{
    const size_t tries = count < MOST_SAMPLES ? count : MOST_SAMPLES;
    spn_status status = SPN_OK;
    for (size_t k = 0; k < tries && !status; k++) {
        const spn_agenda_job *point = &points[tries > 1 ? k * (count - 1) / (tries - 1) : 0];
        if (spn_stop_asked(c->options->stop))
            break;
        if (c->count > 0 &&
            (point->cost == c->samples[c->count - 1].cost || spn_clock() - c->started > c->seconds))
            continue;
        status = try_point(c, point, err);
    }
    return status;
}

static spn_status calibrate(calibration *c, spn_error *err)
{
    const size_t runs = c->sweep->runs, count = c->agenda->count / runs;
    spn_agenda_job *points = spn_alloc(count, sizeof *points);
    if (!points)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu points", count);
    for (size_t k = 0; k < count; k++)
        points[k] = (spn_agenda_job){k * runs, c->agenda->costs[k * runs]};
    qsort(points, count, sizeof *points, compare_points);
    c->started = spn_clock();
    spn_status status = xpn_task_store_create(&c->store, c->options->specification, err);
    if (!status)
        status = try_points(c, points, count, err);
    xpn_task_store_free(c->store);
    free(points);
    return status;
}

/* ---- concluding ---- */

/* The seconds of a job of this cost, of which a part was done before; without its record. */
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

/* The cost of what a job had done when its state was saved; 0: none is. */
static spn_status saved_cost(double *out, const calibration *c, size_t index, spn_error *err)
{
    xpn_job job;
    *out = 0;
    spn_status status = xpn_job_make(&job, c->sweep, index, err);
    if (status)
        return status;
    char *path = spn_folder_checkpoint(c->options->folder, job.key);
    const uint64_t step = path ? spn_checkpoint_step(path) : 0;
    if (step > 0)
        *out = fmin(xpn_task_cost(&job, step, NULL), xpn_task_cost(&job, 0, NULL));
    free(path);
    xpn_job_clear(&job);
    return SPN_OK;
}

/* What is left to do. */
static spn_status add_pending(spn_sweep_estimate *out, const calibration *c, spn_error *err)
{
    const spn_agenda *agenda = c->agenda;
    const bool saved = c->options->folder && spn_folder_has_checkpoints(c->options->folder);
    spn_status status = SPN_OK;
    for (size_t k = 0; k < agenda->pending && !status; k++) {
        const spn_agenda_job *job = &agenda->jobs[k];
        double done = 0;
        if (saved)
            status = saved_cost(&done, c, job->index, err);
        const double seconds = seconds_of(c, job->cost, done) + out->record_seconds;
        out->begun += done > 0;
        out->seconds += seconds;
        out->longest = fmax(out->longest, seconds);
    }
    return status;
}

static spn_status describe_point(spn_sweep_point *out, const spn_sweep *sweep, size_t index,
                                 double seconds, spn_error *err)
{
    xpn_job job;
    spn_status status = xpn_job_make(&job, sweep, index, err);
    if (status)
        return status;
    xpn_task_cost(&job, 0, &out->proposals);
    out->proposals *= (double)sweep->runs;
    out->seconds = seconds * (double)sweep->runs;
    out->settings = spn_job_point(&job);
    xpn_job_clear(&job);
    return out->settings ? SPN_OK : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a point");
}

static spn_status conclude(spn_sweep_estimate *out, const calibration *c, spn_error *err)
{
    const spn_agenda *agenda = c->agenda;
    const size_t runs = c->sweep->runs, points = agenda->count / runs;
    out->jobs = agenda->count;
    out->finished = agenda->done;
    if (c->options->folder && agenda->pending > 0)
        out->record_seconds = spn_folder_record_seconds(c->options->folder);
    spn_status status = add_pending(out, c, err);
    if (status)
        return status;
    out->point = spn_alloc(points, sizeof *out->point);
    if (!out->point)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu points", points);
    for (; out->points < points && !status; out->points++)
        status = describe_point(
            &out->point[out->points], c->sweep, out->points * runs,
            seconds_of(c, agenda->costs[out->points * runs], 0) + out->record_seconds, err);
    return status;
}

/* Leave out what the folder, if there is one, has already. */
static spn_status choose(spn_agenda *agenda, const spn_sweep *sweep, const char *folder,
                         spn_error *err)
{
    bool found = false;
    uint64_t *finished = NULL;
    size_t count = 0;
    spn_status status = spn_agenda_make(agenda, sweep, err);
    if (!status && folder)
        status = spn_folder_check(&found, folder, sweep, err);
    if (!status && found)
        status = spn_folder_finished(&finished, &count, folder, err);
    if (!status && found)
        status = spn_agenda_choose(agenda, 0, 1, finished, count, err);
    free(finished);
    return status;
}

spn_status spn_sweep_calibrate(spn_sweep_estimate *out, const spn_sweep *sweep,
                               const spn_sweep_options *options, double seconds, spn_error *err)
{
    spn_agenda agenda;
    calibration c = {.sweep = sweep, .agenda = &agenda, .options = options, .seconds = seconds};
    *out = (spn_sweep_estimate){0};
    spn_status status = choose(&agenda, sweep, options->folder, err);
    if (!status && agenda.pending > 0)
        status = calibrate(&c, err);
    if (!status)
        status = conclude(out, &c, err);
    if (status)
        spn_sweep_estimate_clear(out);
    spn_agenda_clear(&agenda);
    return status;
}

void spn_sweep_estimate_clear(spn_sweep_estimate *estimate)
{
    for (size_t k = 0; k < estimate->points; k++)
        free(estimate->point[k].settings);
    free(estimate->point);
    *estimate = (spn_sweep_estimate){0};
}
