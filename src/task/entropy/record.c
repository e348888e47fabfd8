/* What `entropy` has counted, as a record. */
#include "task/entropy/centres.h"

#include "base/memory.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Columns of the curves, in their order. */
enum {
    L_DISTANCE,
    L_ENTROPY,
    L_ERROR,
    L_LOW,
    L_HIGH,
    L_GAMMA,
    L_OVERLAP,
    L_MET,
    L_FOUND,
    LOCAL_COLUMNS
};
static const char *const LOCAL_NAMES[] = {"distance", "entropy", "error", "low",  "high",
                                          "gamma",    "overlap", "met",   "found"};

enum { CENTRE_COLUMNS = 15 };
static const char *const CENTRE_NAMES[] = {"distance", "centre", "flips", "energy", "entropy",
                                           "error",    "low",    "high",  "gamma",  "beta",
                                           "overlap",  "share",  "met",   "rungs",  "round_trips"};

/* The mean over the centres around which something was met. Of one its own interval; of
   several 1.96 errors either side, the error being that of measuring, not of the choice of centres.
 */
static void sum_up(double *row, const spn_entropy_found *f, size_t k)
{
    const double sites = (double)f->sites;
    double entropy = 0, variance = 0, gamma = 0, overlap = 0, met = 0, found = 0;
    const spn_local_entropy *one = NULL;
    for (size_t c = 0; c < f->centres->count; c++) {
        const spn_local_entropy *e = &f->found[c * f->distances + k];
        gamma += e->gamma / (double)f->centres->count;
        overlap += e->overlap / (double)f->centres->count;
        met += (double)e->met;
        if (isnan(e->log_count))
            continue;
        found++;
        one = e;
        entropy += e->log_count / sites;
        variance += e->error * e->error / sites / sites;
    }
    const double error = sqrt(variance) / found;
    row[L_DISTANCE] = (double)f->flips[k] / sites;
    row[L_ENTROPY] = found > 0 ? entropy / found : NAN;
    row[L_ERROR] = found > 0 ? error : NAN;
    row[L_LOW] = one && found == 1 ? one->low / sites : row[L_ENTROPY] - 1.96 * error;
    row[L_HIGH] = one && found == 1 ? one->high / sites : row[L_ENTROPY] + 1.96 * error;
    row[L_GAMMA] = gamma;
    row[L_OVERLAP] = overlap;
    row[L_MET] = met;
    row[L_FOUND] = found;
}

static void fill_centre(double *row, const spn_entropy_found *f, size_t c, size_t k)
{
    const double sites = (double)f->sites;
    const spn_local_entropy *e = &f->found[c * f->distances + k];
    const double values[CENTRE_COLUMNS] = {(double)f->flips[k] / sites,
                                           (double)c + 1,
                                           (double)f->flips[k],
                                           f->centres->energy[c],
                                           e->log_count / sites,
                                           e->error / sites,
                                           e->low / sites,
                                           e->high / sites,
                                           e->gamma,
                                           e->beta,
                                           e->overlap,
                                           e->share,
                                           (double)e->met,
                                           (double)e->rungs,
                                           (double)e->round_trips};
    for (size_t v = 0; v < CENTRE_COLUMNS; v++)
        row[v] = values[v];
}

/* A curve of rows; fill writes row r. */
typedef void row_filler(double *row, const spn_entropy_found *found, size_t r);

static void fill_local(double *row, const spn_entropy_found *f, size_t r)
{
    sum_up(row, f, r);
}

static void fill_each(double *row, const spn_entropy_found *f, size_t r)
{
    fill_centre(row, f, r / f->distances, r % f->distances);
}

static spn_status add_curve(spn_record *out, const char *name, size_t columns,
                            const char *const *names, size_t rows, row_filler *fill,
                            const spn_entropy_found *f, spn_error *err)
{
    double row[CENTRE_COLUMNS];
    const double *column[CENTRE_COLUMNS];
    double *values = spn_alloc(columns * rows, sizeof *values);
    if (!values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    for (size_t c = 0; c < columns; c++)
        column[c] = values + c * rows;
    for (size_t r = 0; r < rows; r++) {
        fill(row, f, r);
        for (size_t c = 0; c < columns; c++)
            values[c * rows + r] = row[c];
    }
    const spn_status status = spn_record_add_curve(out, name, columns, names, rows, column, err);
    free(values);
    return status;
}

/* ---- numbers ---- */

static spn_status add_all(spn_record *out, const spn_entropy_found *f, spn_error *err)
{
    const double sites = (double)f->sites;
    if (!f->all)
        return SPN_OK;
    const spn_local_entropy *e = &f->found[f->centres->count * f->distances];
    const struct {
        const char *name;
        double value;
    } values[] = {{"entropy_all", e->log_count / sites},
                  {"entropy_all_error", e->error / sites},
                  {"entropy_all_low", e->low / sites},
                  {"entropy_all_high", e->high / sites},
                  {"met_all", (double)e->met}};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof values / sizeof *values && !status; k++)
        if (!isnan(values[k].value))
            status = spn_record_add_result(out, values[k].name, values[k].value, err);
    return status;
}

static double least_energy(const spn_entropy_centres *centres)
{
    double least = centres->energy[0];
    for (size_t c = 1; c < centres->count; c++)
        least = fmin(least, centres->energy[c]);
    return least;
}

static size_t ladder_count(const spn_entropy_found *f)
{
    return f->centres->count * f->distances + f->all;
}

/* Broken is worse than too short; a rung that is hot is no matter here. */
static spn_ladder_health worst_health(const spn_entropy_found *f)
{
    spn_ladder_health worst = SPN_LADDER_GOOD;
    for (size_t k = 0; k < ladder_count(f); k++) {
        const spn_ladder_health health = f->found[k].health;
        if (health == SPN_LADDER_BREAK || (health == SPN_LADDER_SHORT && worst == SPN_LADDER_GOOD))
            worst = health;
    }
    return worst;
}

/* ---- notes ---- */

enum { FEW = 20 };

static spn_status note_weak(spn_record *out, const spn_entropy_found *f, size_t k, spn_error *err)
{
    const spn_local_entropy *e = &f->found[k];
    const size_t local = f->centres->count * f->distances;
    char where[96] = "in all", energy[SPN_NUMBER_TEXT];
    spn_number_short(energy, f->up_to);
    if (k < local)
        snprintf(where, sizeof where, "at %zu flips of centre %zu", f->flips[k % f->distances],
                 k / f->distances + 1);
    if (e->met >= FEW || (k < local && f->flips[k % f->distances] == 0 && e->met))
        return SPN_OK;
    if (e->met == 0)
        return spn_record_add_note(out, err,
                                   "%s: no state of energy %s or less was met, so that there is "
                                   "no number; there are few or none, or the ladder does not "
                                   "reach them: more scans, or a higher up-to",
                                   where, energy);
    return spn_record_add_note(out, err,
                               "%s: only %" PRIu64 " states of energy %s or less were met; more "
                               "scans make the number reliable",
                               where, e->met, energy);
}

static spn_status add_notes(spn_record *out, const spn_entropy_found *f, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < ladder_count(f) && !status; k++)
        status = note_weak(out, f, k, err);
    if (status || worst_health(f) == SPN_LADDER_GOOD)
        return status;
    return spn_record_add_note(
        out, err,
        worst_health(f) == SPN_LADDER_BREAK
            ? "a ladder is broken: nothing passes between two of its rungs; more scans or rungs"
            : "no state has gone through all rungs of a ladder and back twice: the cold end may "
              "not have forgotten its start, and errors may be too small; more scans");
}

spn_status spn_entropy_record(spn_record *out, const spn_entropy_found *f, bool details,
                              spn_error *err)
{
    spn_status status;
    const size_t rows = f->centres->count * f->distances;
    if ((status = add_all(out, f, err)) ||
        (status =
             spn_record_add_text(out, "health", spn_ladder_health_name(worst_health(f)), err)) ||
        (status = spn_record_add_result(out, "proposals", (double)f->proposals, err)))
        return status;
    if (rows > 0 &&
        ((status = spn_record_add_result(out, "best_energy", least_energy(f->centres), err)) ||
         (status = add_curve(out, "local", LOCAL_COLUMNS, LOCAL_NAMES, f->distances, fill_local, f,
                             err))))
        return status;
    if (!details)
        return SPN_OK;
    if (rows > 0)
        status = add_curve(out, "centres", CENTRE_COLUMNS, CENTRE_NAMES, rows, fill_each, f, err);
    return status ? status : add_notes(out, f, err);
}
