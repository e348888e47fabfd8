#include "base/number.h"
#include "record/record.h"
#include "task/entropy/entropy.h"
#include "task/tables.h"

#include <inttypes.h>
#include <math.h>

typedef struct local_row {
    double distance, entropy, error, low, high, gamma, overlap, met, found;
} local_row;

typedef struct centre_row {
    double distance, centre, flips, energy, entropy, error, low, high, gamma, beta, overlap, share,
        met, rungs, round_trips;
} centre_row;

SPN_NEEDS(all_needs, spn_entropy_plan, p->all, "`all`")
SPN_NEEDS(distance_needs, spn_entropy_plan, p->count > 0, "`distance`")

#define AT(member) offsetof(spn_entropy_run, member)
#define ALL(name, member, ...)                                                                     \
    {                                                                                              \
        name, .needs = all_needs, .at = AT(member), __VA_ARGS__                                    \
    }
#define LOCAL(column, ...) SPN_COLUMN("local", local_row, column, __VA_ARGS__)
#define EACH(column, ...)                                                                          \
    SPN_COLUMN("centres", centre_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)

static const spn_quantity local_results[] = {
    LOCAL(distance, .label = "distance d", .help = "share of the spins that are flipped"),
    LOCAL(entropy, .unit = "nats", .label = "local entropy per spin",
          .help = "logarithm of the number of states there, per spin; missing if none was found"),
    LOCAL(error, .unit = "nats", .help = "its standard error"),
    LOCAL(low, .unit = "nats", .help = "lower end of its 95% confidence interval"),
    LOCAL(high, .unit = "nats", .help = "upper end"),
    LOCAL(gamma, .help = "field towards the centre: atanh(1 - 2 d)"),
    LOCAL(overlap, .help = "mean overlap of the cold end with the centre, about 1 - 2 d"),
    LOCAL(met, .help = "such states among those of the rungs after each scan"),
    LOCAL(found, .help = "centres around which some were found; the mean is over these"),
    {.name = NULL}};

static const spn_quantity centre_results[] = {
    EACH(distance, .help = "share of the spins that are flipped"),
    EACH(centre, .help = "number of the centre, from 1"),
    EACH(flips, .unit = "flips", .help = "distance in flips"),
    EACH(energy, .help = "energy of the centre"),
    EACH(entropy, .unit = "nats", .help = "local entropy per spin"),
    EACH(error, .unit = "nats", .help = "its standard error"),
    EACH(low, .unit = "nats", .help = "lower end of its 95% confidence interval"),
    EACH(high, .unit = "nats", .help = "upper end"),
    EACH(gamma, .help = "field towards the centre"),
    EACH(beta, .help = "inverse temperature of the cold end"),
    EACH(overlap, .help = "mean overlap of the cold end with the centre"),
    EACH(share, .help = "share of the cold end's states with at most that energy"),
    EACH(met, .help = "states counted"),
    EACH(rungs, .help = "rungs of the ladder"),
    EACH(round_trips, .help = "round trips of its walkers"),
    {.name = NULL}};

const spn_quantity spn_entropy_results[] = {
    ALL("entropy_all", all, .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_OPTIONAL, .unit = "nats",
        .label = "entropy per spin of all",
        .help = "logarithm of the number of states with at most that energy, per spin; missing if "
                "none was found"),
    ALL("entropy_all_error", all_error, .flags = SPN_QUANTITY_OPTIONAL, .unit = "nats",
        .help = "its standard error"),
    ALL("entropy_all_low", all_low, .flags = SPN_QUANTITY_OPTIONAL, .unit = "nats",
        .help = "lower end of its 95% confidence interval"),
    ALL("entropy_all_high", all_high, .flags = SPN_QUANTITY_OPTIONAL, .unit = "nats",
        .help = "upper end"),
    ALL("met_all", all_met, .help = "such states among those of the rungs after each scan"),
    {"best_energy", .flags = SPN_QUANTITY_MAIN, .order = 1, .needs = distance_needs,
     .at = AT(best_energy), .label = "energy of the centre", .help = "lowest energy of a centre"},
    {"health", SPN_QUANTITY_TEXT, .at = AT(health),
     .help = "health of the worst ladder: good, broken, too short to tell"},
    {"proposals", .at = AT(proposals), .label = "proposals",
     .help = "proposals of the chain and of all ladders"},
    SPN_SECONDS_QUANTITY,
    {.help = "At each distance, mean over the centres"},
    {.group = local_results, .needs = distance_needs, .at = AT(local)},
    {.help = "Around each centre"},
    {.group = centre_results, .needs = distance_needs, .at = AT(each)},
    {.name = NULL}};

/* Mean over the centres near which states were found. One centre keeps its own interval. For
   several it is 1.96 standard errors either side; the error is that of the measurement, not of the
   choice of centres. */
static void sum_up(local_row *row, const spn_entropy_run *f, size_t k)
{
    const double sites = (double)f->instance.sites;
    double entropy = 0, variance = 0;
    const spn_local_entropy *one = NULL;
    *row = (local_row){.distance = (double)f->plan->flips[k] / sites};
    for (size_t c = 0; c < f->centres; c++) {
        const spn_local_entropy *e = &f->counted[c * f->plan->count + k];
        row->gamma += e->gamma / (double)f->centres;
        row->overlap += e->overlap / (double)f->centres;
        row->met += (double)e->met;
        if (isnan(e->log_count))
            continue;
        row->found++;
        one = e;
        entropy += e->log_count / sites;
        variance += e->error * e->error / sites / sites;
    }
    const double error = sqrt(variance) / row->found;
    row->entropy = row->found > 0 ? entropy / row->found : NAN;
    row->error = row->found > 0 ? error : NAN;
    row->low = one && row->found == 1 ? one->low / sites : row->entropy - 1.96 * error;
    row->high = one && row->found == 1 ? one->high / sites : row->entropy + 1.96 * error;
}

static centre_row centre_of(const spn_entropy_run *f, size_t c, size_t k)
{
    const double sites = (double)f->instance.sites;
    const spn_local_entropy *e = &f->counted[c * f->plan->count + k];
    return (centre_row){.distance = (double)f->plan->flips[k] / sites,
                        .centre = (double)c + 1,
                        .flips = (double)f->plan->flips[k],
                        .energy = f->energy[c],
                        .entropy = e->log_count / sites,
                        .error = e->error / sites,
                        .low = e->low / sites,
                        .high = e->high / sites,
                        .gamma = e->gamma,
                        .beta = e->beta,
                        .overlap = e->overlap,
                        .share = e->share,
                        .met = (double)e->met,
                        .rungs = (double)e->rungs,
                        .round_trips = (double)e->round_trips};
}

static size_t ladder_count(const spn_entropy_run *f)
{
    return f->centres * f->plan->count + f->plan->all;
}

/* Broken is worse than too short. A hot rung does not matter here. */
static spn_health worst_health(const spn_entropy_run *f)
{
    spn_health worst = SPN_HEALTH_GOOD;
    for (size_t k = 0; k < ladder_count(f); k++) {
        const spn_health health = f->counted[k].health;
        if (health == SPN_HEALTH_BROKEN || (health == SPN_HEALTH_SHORT && worst == SPN_HEALTH_GOOD))
            worst = health;
    }
    return worst;
}

spn_status spn_entropy_sum_up(spn_entropy_run *r, spn_error *err)
{
    const size_t distances = r->plan->count, rows = r->centres * distances;
    r->health = spn_health_name(worst_health(r));
    r->proposals = (double)r->done;
    if (r->plan->all) {
        const double sites = (double)r->instance.sites;
        const spn_local_entropy *e = &r->counted[r->centres * r->plan->count];
        r->all = e->log_count / sites;
        r->all_error = e->error / sites;
        r->all_low = e->low / sites;
        r->all_high = e->high / sites;
        r->all_met = (double)e->met;
    }
    if (rows == 0)
        return SPN_OK;
    r->best_energy = r->energy[0];
    local_row *local = spn_curve_make(&r->local, distances, sizeof *local, err);
    centre_row *each = spn_curve_make(&r->each, rows, sizeof *each, err);
    if (!local || !each)
        return SPN_ERROR_MEMORY;
    for (size_t k = 0; k < distances; k++)
        sum_up(&local[k], r, k);
    for (size_t c = 0; c < r->centres; c++) {
        r->best_energy = fmin(r->best_energy, r->energy[c]);
        for (size_t d = 0; d < distances; d++)
            *each++ = centre_of(r, c, d);
    }
    return SPN_OK;
}

enum { FEW = 20 };

static spn_status note_weak(spn_record *out, const spn_entropy_run *f, size_t k, spn_error *err)
{
    const spn_local_entropy *e = &f->counted[k];
    const size_t distances = f->plan->count, local = f->centres * distances;
    const size_t flips = k < local ? f->plan->flips[k % distances] : 1;
    char where[96] = "in all", energy[SPN_NUMBER_TEXT];
    spn_number_short(energy, f->plan->up_to);
    if (k < local)
        snprintf(where, sizeof where, "at %zu flips of centre %zu", flips, k / distances + 1);
    if (e->met >= FEW || (flips == 0 && e->met))
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

spn_status spn_entropy_note(spn_record *out, const spn_entropy_run *f, spn_error *err)
{
    for (size_t k = 0; k < ladder_count(f); k++)
        SPN_TRY(note_weak(out, f, k, err));
    if (worst_health(f) == SPN_HEALTH_GOOD)
        return SPN_OK;
    return spn_record_add_note(
        out, err,
        worst_health(f) == SPN_HEALTH_BROKEN
            ? "a ladder is broken: nothing passes between two of its rungs; more scans or rungs"
            : "no state has gone through all rungs of a ladder and back twice: the cold end may "
              "not have forgotten its start, and errors may be too small; more scans");
}
