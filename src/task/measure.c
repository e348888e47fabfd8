/* The curves that are measured after a run. */
#include "task/measure.h"
#include "record/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <math.h>
#include <pthread.h>
#include <spinney/pause.h>
#include <spinney/profile.h>
#include <spinney/statistics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_POINTS = 10000 }; /* of a curve */

/* ---- settings ---- */

static const char *mode_word(size_t i)
{
    return spn_flip_mode_name((spn_flip_mode)i);
}

const spn_setting spn_flip_rows[] = {
    SPN_HEADING("Robustness"),
    {"flip", SPN_SETTING_LIST, .flags = SPN_SETTING_MEASURE | SPN_SETTING_COMMON,
     .argument = "P,P,...", .otherwise = "not measured", .at = offsetof(spn_flip_settings, flip),
     .help = "measure the accuracy with a share P of the weights flipped; such as 0,0.01,0.05,0.1"},
    {"trials", SPN_SETTING_WHOLE, .flags = SPN_SETTING_MEASURE, .argument = "n", .fallback = "1000",
     .least = 2, .most = UINT32_MAX, .at = offsetof(spn_flip_settings, trials),
     .help = "random trials for each P of `flip`; spread evenly over the replicas, at least two "
             "for each"},
    {"flip-mode", SPN_SETTING_WORD, .flags = SPN_SETTING_MEASURE, .argument = "HOW",
     .fallback = "independent", .word = mode_word, .at = offsetof(spn_flip_settings, mode),
     .help = "which weights are flipped; independent flips each with probability P, exact flips "
             "round(P N) of them, draws makes round(P N) draws with replacement, each of which "
             "flips a weight (as in the paper)"},
    {.name = NULL}};

const spn_setting spn_profile_rows[] = {
    {"profile-walks", SPN_SETTING_WHOLE, .flags = SPN_SETTING_MEASURE, .argument = "n",
     .otherwise = "not measured", .least = 1, .most = UINT32_MAX,
     .at = offsetof(spn_profile_settings, walks),
     .help = "measure the mean energy along n random walks away from each replica"},
    {"profile-reach", SPN_SETTING_REAL, .flags = SPN_SETTING_MEASURE, .argument = "SHARE",
     .fallback = "0.1", .least = 1e-9, .most = 1, .at = offsetof(spn_profile_settings, reach),
     .help = "length of these walks, as a share of the spins"},
    {"profile-points", SPN_SETTING_WHOLE, .flags = SPN_SETTING_MEASURE, .argument = "n",
     .fallback = "21", .least = 2, .most = MOST_POINTS,
     .at = offsetof(spn_profile_settings, points),
     .help = "number of distances at which the energy is measured"},
    {.name = NULL}};

/* The other settings of a group go with its first. */
static spn_status check_first(const spn_setting *rows, const spn_job *job, spn_error *err)
{
    const spn_setting *first = rows->name ? rows : rows + 1;
    for (const spn_setting *row = first + 1; row->name; row++)
        if (!spn_job_given(job, first->name) && spn_job_given(job, row->name))
            return spn_setting_fail(row->name, err, "needs `%s`", first->name);
    return SPN_OK;
}

static spn_status read_share(spn_flip_plan *out, const char *text, size_t length, spn_error *err)
{
    char part[SPN_NUMBER_TEXT];
    double p = 0;
    snprintf(part, sizeof part, "%.*s", (int)length, text);
    if (length >= sizeof part || !spn_number_parse(&p, part) || !(p >= 0 && p <= 1))
        return spn_setting_fail("flip", err,
                                "'%.*s' is not a number from 0 to 1; give a list such as "
                                "0,0.01,0.1",
                                (int)(length < 60 ? length : 60), text);
    for (size_t k = 0; k < out->count; k++)
        if (out->shares[k] == p)
            return spn_setting_fail("flip", err, "has the value %s twice", part);
    if (out->count == MOST_POINTS)
        return spn_setting_fail("flip", err, "has more than %d values", MOST_POINTS);
    out->shares[out->count++] = p;
    return SPN_OK;
}

static spn_status read_shares(spn_flip_plan *out, const char *text, spn_error *err)
{
    out->shares = spn_alloc(strlen(text) / 2 + 1, sizeof *out->shares); /* a digit and a comma */
    if (!out->shares)
        return spn_no_memory(err, "the shares of flips");
    for (;;) {
        const size_t length = strcspn(text, ",");
        SPN_TRY(read_share(out, text, length, err));
        if (!text[length])
            return SPN_OK;
        text += length + 1;
    }
}

spn_status spn_flip_plan_make(spn_flip_plan *out, const spn_flip_settings *settings,
                              const spn_job *job, size_t replicas, spn_error *err)
{
    *out = (spn_flip_plan){.options = spn_robustness_defaults()};
    SPN_TRY(check_first(spn_flip_rows, job, err));
    if (!settings->flip)
        return SPN_OK;
    out->options.mode = (spn_flip_mode)settings->mode;
    out->options.trials = (size_t)settings->trials;
    SPN_TRY(read_shares(out, settings->flip, err));
    if (settings->trials < 2 * replicas)
        return spn_setting_fail("trials", err,
                                "%zu trials are fewer than two for each of the %zu replicas",
                                (size_t)settings->trials, replicas);
    return SPN_OK;
}

void spn_flip_plan_clear(spn_flip_plan *plan)
{
    free(plan->shares);
    *plan = (spn_flip_plan){0};
}

spn_status spn_profile_settings_check(const spn_job *job, spn_error *err)
{
    return check_first(spn_profile_rows, job, err);
}

static void leave_out(spn_record *out, const spn_setting *rows, const spn_job *job)
{
    const spn_setting *first = rows->name ? rows : rows + 1;
    for (const spn_setting *row = first + 1; row->name; row++)
        if (!spn_job_given(job, first->name))
            spn_record_remove_setting(out, row->name);
}

void spn_measure_resolve(spn_record *out, const spn_job *job)
{
    leave_out(out, spn_flip_rows, job);
    leave_out(out, spn_profile_rows, job);
}

/* ---- results ---- */

typedef struct flip_row {
    double p, accuracy, low, high;
} flip_row;

typedef struct profile_row {
    double distance, share, energy, half;
} profile_row;

static const char *flips_need(const void *plan)
{
    return ((const spn_flip_plan *)plan)->count > 0 ? NULL : "flips; give `flip 0,0.01,0.1`";
}

static const char *profile_needs(const void *settings)
{
    return ((const spn_profile_settings *)settings)->walks > 0
               ? NULL
               : "a profile; give `profile-walks 10`";
}

#define COLUMN(curve, row, column, need, ...)                                                      \
    {                                                                                              \
        curve "." #column, SPN_QUANTITY_COLUMN, .needs = (need), .at = offsetof(row, column),      \
                                                __VA_ARGS__                                        \
    }
#define FLIPS(column, ...) COLUMN("flips", flip_row, column, flips_need, __VA_ARGS__)
#define PROFILE(column, ...) COLUMN("profile", profile_row, column, profile_needs, __VA_ARGS__)

const spn_quantity spn_flip_results[] = {
    FLIPS(p, .label = "share of weights flipped", .help = "share of the weights flipped"),
    FLIPS(accuracy, .label = "accuracy",
          .help = "accuracy with these weights flipped, averaged over replicas and trials"),
    FLIPS(low, .help = "lower end of its 95% confidence interval over all flips, by Student's t"),
    FLIPS(high, .help = "upper end"),
    {.name = NULL}};

const spn_quantity spn_profile_results[] = {
    PROFILE(distance, .label = "distance", .help = "number of spins flipped"),
    PROFILE(share, .label = "distance over N", .help = "share of the spins flipped"),
    PROFILE(energy, .label = "energy",
            .help = "mean energy at that distance, over replicas and walks"),
    PROFILE(half, .help = "half the width of its 95% confidence interval, by Student's t"),
    {.name = NULL}};

/* ---- flips ---- */

static spn_status classified_right(size_t *out, const void *context, const int8_t *weights,
                                   spn_error *err)
{
    const spn_flip_classifier *classifier = context;
    spn_softmax_model flipped = classifier->model;
    flipped.weights = weights;
    return spn_softmax_correct(out, &flipped, classifier->data, err);
}

spn_flip_target spn_flip_target_of(const spn_flip_classifier *classifier, size_t replicas)
{
    spn_flip_target target = spn_flip_target_defaults();
    target.context = classifier;
    target.correct = classified_right;
    target.weights = classifier->model.weights;
    target.replicas = replicas;
    target.members = classifier->model.votes > 1 ? classifier->model.votes : 1;
    target.sites = target.members * spn_softmax_model_sites(&classifier->model);
    target.samples = spn_dataset_samples(classifier->data);
    return target;
}

static bool stop_asked(spn_measuring *m)
{
    m->stopped = spn_stop_asked(m->meter->run->stop);
    return m->stopped;
}

/* A target whose trials end when the run is to stop, and pause in the thread that runs it. */
typedef struct stoppable {
    const spn_flip_target *target;
    const spn_run *run;
    pthread_t thread;
} stoppable;

static spn_status correct_or_stop(size_t *out, const void *context, const int8_t *weights,
                                  spn_error *err)
{
    const stoppable *s = context;
    if (s->run->pause && pthread_equal(pthread_self(), s->thread))
        s->run->pause(s->run->context);
    if (spn_stop_asked(s->run->stop))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "stopped");
    return s->target->correct(out, s->target->context, weights, err);
}

/* A point of the curve; where the run is to stop, nothing that counts. */
static spn_status measure_point(spn_robustness *out, spn_measuring *m, const spn_flip_plan *plan,
                                const spn_flip_target *target, double share, spn_error *err)
{
    const stoppable context = {target, m->meter->run, pthread_self()};
    spn_robustness_options options = plan->options;
    spn_flip_target ending = *target;
    spn_error why = {0};
    ending.context = &context;
    ending.correct = correct_or_stop;
    options.seed = m->job->seed;
    const spn_status status = spn_robustness_of(out, &ending, share, &options, &why);
    return status && !stop_asked(m) ? spn_fail(err, status, "%s", why.text) : SPN_OK;
}

static spn_status fill_flips(flip_row *rows, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, double work, spn_error *err)
{
    for (size_t k = 0; k < plan->count && !stop_asked(m); k++) {
        spn_robustness point = {.mean = NAN, .low = NAN, .high = NAN};
        if (target)
            SPN_TRY(measure_point(&point, m, plan, target, plan->shares[k], err));
        rows[k] = (flip_row){plan->shares[k], point.mean, point.low, point.high};
        spn_meter_show(m->meter, work, (double)(k + 1) / (double)plan->count);
    }
    return SPN_OK;
}

/* Hand over what was measured, unless that failed or was stopped. */
static spn_status hand_over(spn_curve_rows *out, const spn_measuring *m, spn_curve_rows measured,
                            spn_status status)
{
    if (status || m->stopped)
        free(measured.rows);
    else
        *out = measured;
    return status;
}

spn_status spn_measure_flips(spn_curve_rows *out, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, double work, spn_error *err)
{
    if (plan->count == 0 || m->stopped)
        return SPN_OK;
    flip_row *rows = spn_alloc(plan->count, sizeof *rows);
    if (!rows)
        return spn_no_memory(err, "the curve of flips");
    const spn_status status = fill_flips(rows, m, plan, target, work, err);
    spn_meter_pass(m->meter, work);
    return hand_over(out, m, (spn_curve_rows){plan->count, sizeof *rows, rows}, status);
}

/* ---- the profile ---- */

/* A profile under way. */
typedef struct profile {
    const spn_energy *energy;
    size_t walks, count;
    size_t *distances;
    profile_row *rows;
} profile;

/* The distances: `points` of them spread evenly over 0 to round(reach N), each once. */
static size_t spread(size_t *distances, const spn_profile_settings *settings, size_t sites)
{
    const double reach = floor(settings->reach * (double)sites + 0.5);
    const size_t points = (size_t)settings->points;
    size_t count = 0;
    for (size_t k = 0; k < points; k++) {
        const size_t distance = (size_t)floor((double)k / (double)(points - 1) * reach + 0.5);
        if (count == 0 || distance > distances[count - 1])
            distances[count++] = distance;
    }
    return count;
}

/* Add one replica's means and the variances of these means. */
static void add_replica(profile *p, const double *mean, const double *half)
{
    for (size_t k = 0; k < p->count; k++) {
        const double error = p->walks > 1 ? half[k] / spn_student_quantile(p->walks - 1) : NAN;
        p->rows[k].energy += mean[k];
        p->rows[k].half += error * error;
    }
}

/* The replicas are strata: each has a variance of its own, and all count the same. */
static void finish(profile *p, size_t replicas)
{
    const double y = (double)replicas;
    const double quantile = p->walks > 1 ? spn_student_quantile(replicas * (p->walks - 1)) : NAN;
    for (size_t k = 0; k < p->count; k++) {
        profile_row *row = &p->rows[k];
        row->distance = (double)p->distances[k];
        row->share = row->distance / (double)spn_energy_sites(p->energy);
        row->energy /= y;
        row->half = quantile * sqrt(row->half) / y;
    }
}

/* Walk away from one replica; each has walks of its own. */
static spn_status walk(profile *p, double *scratch, const int8_t *spins, uint64_t replica,
                       uint64_t seed, spn_error *err)
{
    spn_profile_options options = spn_profile_defaults();
    options.walks = p->walks;
    options.count = p->count;
    options.distances = p->distances;
    options.seed = XXH3_64bits_withSeed(&replica, sizeof replica, seed);
    const spn_status status =
        spn_profile_measure(scratch, scratch + p->count, p->energy,
                            spins + replica * spn_energy_sites(p->energy), &options, err);
    if (!status)
        add_replica(p, scratch, scratch + p->count);
    return status;
}

static spn_status walk_all(profile *p, spn_measuring *m, const int8_t *spins, size_t replicas,
                           double work, spn_error *err)
{
    spn_status status = SPN_OK;
    double *scratch = spn_alloc(2 * p->count, sizeof *scratch);
    if (!scratch)
        return spn_no_memory(err, "a profile");
    for (size_t a = 0; a < replicas && !status && !m->stopped && !stop_asked(m); a++) {
        status = walk(p, scratch, spins, a, m->job->seed, err);
        m->stopped = spn_pause_stopped(); /* then the walk was cut short */
        spn_meter_show(m->meter, work, (double)(a + 1) / (double)replicas);
    }
    free(scratch);
    return status;
}

spn_status spn_measure_profile(spn_curve_rows *out, spn_measuring *m,
                               const spn_profile_settings *settings, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, double work, spn_error *err)
{
    const size_t points = (size_t)settings->points;
    if (settings->walks == 0 || m->stopped)
        return SPN_OK;
    profile p = {.energy = energy,
                 .walks = (size_t)settings->walks,
                 .distances = spn_alloc(points, sizeof(size_t)),
                 .rows = spn_alloc(points, sizeof(profile_row))};
    spn_status status = SPN_OK;
    if (p.distances && p.rows) {
        p.count = spread(p.distances, settings, spn_energy_sites(energy));
        status = walk_all(&p, m, spins, replicas, work, err);
        finish(&p, replicas);
    } else {
        status = spn_no_memory(err, "a profile");
    }
    if (!status && !m->stopped)
        spn_meter_pass(m->meter, work);
    free(p.distances);
    return hand_over(out, m, (spn_curve_rows){p.count, sizeof *p.rows, p.rows}, status);
}
