/* The curves that are measured after a run: accuracy under flips, and local energy profiles. */
#include "old/measure.h"

#include "base/memory.h"
#include "base/stop.h"
#include <math.h>
#include <spinney/profile.h>
#include <spinney/statistics.h>
#include <stdlib.h>
#include <xxhash.h>

static bool stop_asked(const xpn_measuring *m)
{
    return spn_stop_asked(m->run->stop);
}

spn_status xpn_measures_check(xpn_values *values, const spn_measures *measures, size_t replicas,
                              spn_error *err)
{
    if (measures->flips_count && measures->flips_trials < 2 * replicas)
        return xpn_values_fail(values, "flips.trials", err,
                               "%zu trials are fewer than two for each of the %zu replicas",
                               measures->flips_trials, replicas);
    return SPN_OK;
}

/* ---- flips ---- */

enum { P, ACCURACY, LOW, HIGH, FLIP_COLUMNS };

static spn_status fill_flips(double *columns[FLIP_COLUMNS], xpn_measuring *m,
                             const spn_flip_target *target, spn_error *err)
{
    const spn_measures *measures = &m->job->sweep->measures;
    const spn_robustness_options options = {.size = sizeof options,
                                            .mode = measures->flips_exact ? SPN_FLIP_EXACT
                                                                          : SPN_FLIP_INDEPENDENT,
                                            .trials = measures->flips_trials,
                                            .seed = m->job->seed};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < measures->flips_count && !status; k++) {
        if ((m->stopped = stop_asked(m)))
            break;
        spn_robustness point = {.mean = NAN, .low = NAN, .high = NAN};
        if (target)
            status = spn_robustness_of(&point, target, measures->flips[k], &options, err);
        columns[P][k] = measures->flips[k];
        columns[ACCURACY][k] = point.mean;
        columns[LOW][k] = point.low;
        columns[HIGH][k] = point.high;
        xpn_share_show(m->share, m->work->flips, (double)(k + 1) / (double)measures->flips_count);
    }
    return status;
}

spn_status xpn_measure_flips(spn_record *out, xpn_measuring *m, const spn_flip_target *target,
                             spn_error *err)
{
    static const char *const names[] = {"p", "accuracy", "low", "high"};
    const size_t count = m->job->sweep->measures.flips_count;
    if (count == 0)
        return SPN_OK;
    double *values = spn_alloc(FLIP_COLUMNS * count, sizeof *values);
    if (!values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the curve of flips");
    double *columns[FLIP_COLUMNS] = {values, values + count, values + 2 * count,
                                     values + 3 * count};
    spn_status status = fill_flips(columns, m, target, err);
    if (!status && !m->stopped)
        status = spn_record_add_curve(out, "flips", FLIP_COLUMNS, names, count,
                                      (const double *const *)columns, err);
    xpn_share_pass(m->share, m->work->flips);
    free(values);
    return status;
}

/* ---- the profile ---- */

enum { DISTANCE, SHARE, ENERGY, HALF, PROFILE_COLUMNS };

/* The distances: `points` of them spread evenly over 0 to round(reach N), each once. */
static size_t spread(size_t *distances, const spn_measures *measures, size_t sites)
{
    const double reach = floor(measures->profile_reach * (double)sites + 0.5);
    const size_t points = measures->profile_points;
    size_t count = 0;
    for (size_t k = 0; k < points; k++) {
        const double share = points > 1 ? (double)k / (double)(points - 1) : 1;
        const size_t distance = (size_t)floor(share * reach + 0.5);
        if (count == 0 || distance > distances[count - 1])
            distances[count++] = distance;
    }
    return count;
}

/* Add one replica's means and the variances of these means. */
static void add_replica(double *columns[PROFILE_COLUMNS], const double *mean, const double *half,
                        size_t count, size_t walks)
{
    for (size_t k = 0; k < count; k++) {
        const double error = walks > 1 ? half[k] / spn_student_quantile(walks - 1) : NAN;
        columns[ENERGY][k] += mean[k];
        columns[HALF][k] += error * error;
    }
}

/* The replicas are strata: each has a variance of its own, and all count the same. */
static void finish(double *columns[PROFILE_COLUMNS], size_t count, size_t replicas, size_t walks)
{
    const double y = (double)replicas;
    const double quantile = walks > 1 ? spn_student_quantile(replicas * (walks - 1)) : NAN;
    for (size_t k = 0; k < count; k++) {
        columns[ENERGY][k] /= y;
        columns[HALF][k] = quantile * sqrt(columns[HALF][k]) / y;
    }
}

static spn_status walk_all(double *columns[PROFILE_COLUMNS], xpn_measuring *m,
                           const spn_profile_options *how, const spn_energy *energy,
                           const int8_t *spins, size_t replicas, spn_error *err)
{
    spn_status status = SPN_OK;
    double *mean = spn_alloc(2 * how->count, sizeof *mean);
    if (!mean)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a profile");
    double *half = mean + how->count;
    for (size_t a = 0; a < replicas && !status; a++) {
        if ((m->stopped = stop_asked(m)))
            break;
        spn_profile_options options = *how;
        const uint64_t number = a;
        options.seed = XXH3_64bits_withSeed(&number, sizeof number, m->job->seed);
        status = spn_profile_measure(mean, half, energy, spins + a * spn_energy_sites(energy),
                                     &options, err);
        if (!status)
            add_replica(columns, mean, half, how->count, how->walks);
        xpn_share_show(m->share, m->work->profile, (double)(a + 1) / (double)replicas);
    }
    free(mean);
    return status;
}

spn_status xpn_measure_profile(spn_record *out, xpn_measuring *m, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, spn_error *err)
{
    static const char *const names[] = {"distance", "share", "energy", "half"};
    const spn_measures *measures = &m->job->sweep->measures;
    const size_t points = measures->profile_points;
    if (measures->profile_walks == 0 || points == 0)
        return SPN_OK;
    double *values = spn_alloc(PROFILE_COLUMNS * points, sizeof *values);
    size_t *distances = spn_alloc(points, sizeof *distances);
    spn_status status;
    if (values && distances) {
        double *columns[PROFILE_COLUMNS] = {values, values + points, values + 2 * points,
                                            values + 3 * points};
        const size_t count = spread(distances, measures, spn_energy_sites(energy));
        const spn_profile_options how = {.size = sizeof how,
                                         .walks = measures->profile_walks,
                                         .count = count,
                                         .distances = distances};
        for (size_t k = 0; k < count; k++) {
            columns[DISTANCE][k] = (double)distances[k];
            columns[SHARE][k] = (double)distances[k] / (double)spn_energy_sites(energy);
        }
        status = walk_all(columns, m, &how, energy, spins, replicas, err);
        finish(columns, count, replicas, how.walks);
        if (!status && !m->stopped)
            status = spn_record_add_curve(out, "profile", PROFILE_COLUMNS, names, count,
                                          (const double *const *)columns, err);
    } else {
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a profile");
    }
    xpn_share_pass(m->share, m->work->profile);
    free(values);
    free(distances);
    return status;
}
