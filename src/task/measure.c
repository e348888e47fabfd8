#include "task/measure.h"
#include "base/clock.h"
#include "base/number.h"
#include "record/record.h"
#include "task/tables.h"

#include <math.h>
#include <pthread.h>
#include <spinney/pause.h>
#include <spinney/profile.h>
#include <spinney/statistics.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MOST_POINTS = 10000 }; /* of a curve */

/* ---- settings ---- */

SPN_WORD_OF(mode_word, spn_flip_mode, spn_flip_mode_name)

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

/* The rows after the first, which need it; none if the first is given. */
static const spn_setting *idle_rows(const spn_setting *rows, const spn_job *job)
{
    static const spn_setting none[] = {{.name = NULL}};
    const spn_setting *first = rows->name ? rows : rows + 1;
    return spn_job_given(job, first->name) ? none : first + 1;
}

static spn_status check_first(const spn_setting *rows, const spn_job *job, spn_error *err)
{
    for (const spn_setting *row = idle_rows(rows, job); row->name; row++)
        if (spn_job_given(job, row->name))
            return spn_setting_fail(row->name, err, "needs `%s`",
                                    (rows->name ? rows : rows + 1)->name);
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
    out->shares = spn_alloc(strlen(text) / 2 + 1,
                            sizeof *out->shares); /* each takes at least a digit and a comma */
    SPN_NEED(out->shares, err, "the shares of flips");
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
    spn_error why = {0};
    *out = (spn_flip_plan){.options = spn_robustness_defaults()};
    SPN_TRY(check_first(spn_flip_rows, job, err));
    if (settings->fault_model &&
        spn_fault_model_parse(&out->options.faults, settings->fault_model, &why))
        return spn_setting_blame("fault-model", &why, err);
    if (!settings->flip)
        return SPN_OK;
    const spn_fault_model faults = spn_fault_model_whole(out->options.faults);
    if (settings->mode == SPN_FLIP_DRAWS && faults.rise + faults.fall < 2)
        return spn_setting_fail("flip-mode", err,
                                "draws flips what it draws: use it with flips or rows");
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

void spn_measure_resolve(spn_record *out, const spn_job *job)
{
    for (const spn_setting *row = idle_rows(spn_flip_rows, job); row->name; row++)
        spn_record_remove_setting(out, row->name);
    for (const spn_setting *row = idle_rows(spn_profile_rows, job); row->name; row++)
        spn_record_remove_setting(out, row->name);
}

typedef struct profile_row {
    double distance, share, energy, half;
} profile_row;

SPN_NEEDS(flips_need, spn_flip_plan, p->count > 0, "flips; give `flip 0,0.01,0.1`")

SPN_NEEDS(profile_needs, spn_profile_settings, p->walks > 0, "a profile; give `profile-walks 10`")

#define FLIPS(column, ...)                                                                         \
    SPN_COLUMN("flips", spn_flip_row, column, .needs = flips_need, __VA_ARGS__)
#define PROFILE(column, ...)                                                                       \
    SPN_COLUMN("profile", profile_row, column, .needs = profile_needs, __VA_ARGS__)

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
    target.replicas = replicas;
    spn_flip_target_shape(&target, &classifier->model);
    target.samples = spn_dataset_samples(classifier->data);
    return target;
}

static bool stop_asked(spn_measuring *m)
{
    m->stopped = spn_stop_asked(m->meter.run->stop);
    return m->stopped;
}

/* A target that stops when asked, and calls `pause` only in the thread that started it. */
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
        return spn_refuse(err, "stopped");
    return s->target->correct(out, s->target->context, weights, err);
}

/* Measure a point of the curve. After a stop the point is meaningless. */
static spn_status measure_point(spn_robustness *out, spn_measuring *m, const spn_flip_plan *plan,
                                const spn_flip_target *target, double share, spn_error *err)
{
    const stoppable context = {target, m->meter.run, pthread_self()};
    spn_robustness_options options = plan->options;
    spn_flip_target ending = *target;
    spn_error why = {0};
    ending.context = &context;
    ending.correct = correct_or_stop;
    options.seed = m->job->seed;
    const spn_status status = spn_robustness_of(out, &ending, share, &options, &why);
    return status && !stop_asked(m) ? spn_fail(err, status, "%s", why.text) : SPN_OK;
}

static spn_status fill_flips(spn_flip_row *rows, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, spn_error *err)
{
    for (size_t k = 0; k < plan->count && !stop_asked(m); k++) {
        spn_robustness point = {.mean = NAN, .low = NAN, .high = NAN};
        if (target)
            SPN_TRY(measure_point(&point, m, plan, target, plan->shares[k], err));
        rows[k] = (spn_flip_row){plan->shares[k], point.mean, point.low, point.high};
        spn_meter_show(&m->meter, m->cost.flips, (double)(k + 1) / (double)plan->count);
    }
    return SPN_OK;
}

/* Free the rows after an error or a stop. */
static spn_status keep(spn_curve_rows *out, const spn_measuring *m, spn_status status)
{
    if (status || m->stopped) {
        free(out->rows);
        *out = (spn_curve_rows){0};
    }
    return status;
}

spn_status spn_measure_flips(spn_curve_rows *out, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, spn_error *err)
{
    if (plan->count == 0 || m->stopped)
        return SPN_OK;
    spn_flip_row *rows = spn_curve_make(out, plan->count, sizeof *rows, err);
    const spn_status status = rows ? fill_flips(rows, m, plan, target, err) : SPN_ERROR_MEMORY;
    spn_meter_pass(&m->meter, m->cost.flips);
    return keep(out, m, status);
}

/* ---- the profile ---- */

/* Spread `points` distances evenly over 0 to round(reach N), without repeats. */
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

/* Walk away from each replica; sum the means and the variances of these means. scratch: two
   numbers for each distance. */
static spn_status walk_all(profile_row *rows, double *scratch, spn_measuring *m,
                           spn_profile_options *o, const spn_energy *energy, const int8_t *spins,
                           size_t replicas, spn_error *err)
{
    const double student = o->walks > 1 ? spn_student_quantile(o->walks - 1) : NAN;
    double *half = scratch + o->count;
    for (uint64_t a = 0; a < replicas && !m->stopped && !stop_asked(m); a++) {
        o->seed = XXH3_64bits_withSeed(&a, sizeof a, m->job->seed);
        SPN_TRY(spn_profile_measure(scratch, half, energy, spins + a * spn_energy_sites(energy), o,
                                    err));
        for (size_t k = 0; k < o->count; k++) {
            const double error = half[k] / student;
            rows[k].energy += scratch[k];
            rows[k].half += error * error;
        }
        m->stopped = spn_pause_stopped(); /* the walk was cut short */
        spn_meter_show(&m->meter, m->cost.profile, (double)(a + 1) / (double)replicas);
    }
    return SPN_OK;
}

/* The replicas are strata of equal weight, each with its own variance. */
static void finish(profile_row *rows, const spn_profile_options *o, size_t sites, size_t replicas)
{
    const double y = (double)replicas;
    const double quantile = o->walks > 1 ? spn_student_quantile(replicas * (o->walks - 1)) : NAN;
    for (size_t k = 0; k < o->count; k++) {
        rows[k].distance = (double)o->distances[k];
        rows[k].share = rows[k].distance / (double)sites;
        rows[k].energy /= y;
        rows[k].half = quantile * sqrt(rows[k].half) / y;
    }
}

spn_status spn_measure_profile(spn_curve_rows *out, spn_measuring *m,
                               const spn_profile_settings *settings, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, spn_error *err)
{
    const size_t points = (size_t)settings->points, sites = spn_energy_sites(energy);
    spn_profile_options o = spn_profile_defaults();
    if (settings->walks == 0 || m->stopped)
        return SPN_OK;
    size_t *distances = spn_alloc(points, sizeof *distances);
    double *scratch = spn_alloc(2 * points, sizeof *scratch);
    profile_row *rows = spn_curve_make(out, points, sizeof *rows, err);
    spn_status status = distances && scratch && rows ? SPN_OK : spn_no_memory(err, "a profile");
    if (!status) {
        o.walks = (size_t)settings->walks;
        o.distances = distances;
        o.count = out->count = spread(distances, settings, sites);
        status = walk_all(rows, scratch, m, &o, energy, spins, replicas, err);
        finish(rows, &o, sites, replicas);
    }
    if (!status && !m->stopped)
        spn_meter_pass(&m->meter, m->cost.profile);
    SPN_FREE_ALL(distances, scratch);
    return keep(out, m, status);
}
