/* What every ladder leaves. */
#include "task/ladder_results.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>

/* ---- tables ---- */

static const char *trips_need(const void *plan)
{
    const spn_ladder_plan *p = plan;
    return p->options.method == SPN_LADDER_EQUI_ENERGY
               ? "a method that moves walkers: swap or simulated"
               : NULL;
}

static const char *jumps_need(const void *plan)
{
    const spn_ladder_plan *p = plan;
    return p->options.method == SPN_LADDER_EQUI_ENERGY ? NULL : "the method equi-energy";
}

static const char *clusters_need(const void *plan)
{
    const spn_ladder_plan *p = plan;
    return p->options.clusters ? NULL : "clusters of 1 or more";
}

#define AT(member) .at = offsetof(spn_ladder_found, member)
const spn_quantity spn_ladder_results[] = {
    {"energy", AT(energy), .label = "mean energy on the last rung",
     .help = "energy on the last rung, averaged over its replicas and the scans of the last round"},
    {"overlap", AT(overlap), .label = "mean overlap of the replicas",
     .help = "last rung: scalar product of two replicas over N, averaged over all pairs; 1 for one "
             "replica"},
    {"log_z", AT(log_z), .flags = SPN_QUANTITY_MAIN, .label = "log Z of the last rung",
     .help = "logarithm of the sum of exp(-beta U + H_gamma) over all states of the replicas, at "
             "the last rung"},
    {"log_z_error", AT(log_z_error), .label = "standard error of log Z",
     .help = "its standard error, from blocks of scans"},
    {"log_z_low", AT(log_z_low), .label = "95% interval of log Z, low",
     .help = "lower end of its 95% confidence interval"},
    {"log_z_high", AT(log_z_high), .label = "95% interval of log Z, high", .help = "upper end"},
    {"log_z_kind", SPN_QUANTITY_TEXT, AT(log_z_kind), .order = 1,
     .label = "absolute, or less that of the first rung",
     .help = "absolute if the first rung has beta 0; else relative to log Z of the first rung"},
    {"entropy", AT(entropy), .label = "entropy of the last rung",
     .help = "entropy of the distribution of the last rung in nats: log Z + beta <U> - <H_gamma>; "
             "relative if log Z is"},
    {"entropy_error", AT(entropy_error), .label = "standard error of the entropy",
     .help = "its standard error"},
    {"barrier", AT(barrier), .flags = SPN_QUANTITY_MAIN,
     .label = "barrier: rejections, summed over the pairs",
     .help = "rejection rates of the swaps, summed over the pairs of neighbours; about 1 + twice "
             "this many rungs are right"},
    {"rung_count", AT(rung_count), .label = "rungs", .help = "rungs of the last round"},
    {"round_trips", AT(round_trips), .flags = SPN_QUANTITY_MAIN, .needs = trips_need,
     .label = "round trips",
     .help = "round trips of walkers from the first rung to the last and back, in the last round"},
    {"restarts", AT(restarts), .needs = trips_need,
     .label = "arrivals from the first rung at the last",
     .help = "trips from the first rung to the last, in the last round"},
    {"jumps", AT(jumps), .needs = jumps_need, .label = "equi-energy jumps",
     .help = "equi-energy: jumps to stored states, in the last round"},
    {"cluster", AT(cluster), .needs = clusters_need, .label = "mean cluster on the last rung",
     .help = "clusters: mean number of spins moved by an exchange on the last rung"},
    {"scans_done", AT(scans_done), .label = "scans", .help = "scans done, in all rounds"},
    {"stop", SPN_QUANTITY_TEXT, AT(stop),
     .help = "why the run ended: steps, target, time or interrupted"},
    {"steps_done", AT(steps_done), .unit = "steps", .label = "steps of a walker",
     .help = "steps done by each walker"},
    {"proposals", AT(proposals), .label = "proposals",
     .help = "proposals of all walkers and replicas; a draw at beta 0 counts as the scan it "
             "replaces"},
    {"beta_start", AT(beta_start), .label = "beta of the first rung",
     .help = "beta of the first rung"},
    {"beta_end", AT(beta_end), .label = "beta of the last rung", .help = "of the last rung"},
    {"health", SPN_QUANTITY_TEXT, AT(health), .order = 1,
     .help = "health of the ladder: good, broken, too short to tell, hot at the end"},
    SPN_SECONDS_QUANTITY,
    {.name = NULL}};

typedef struct rung_row {
    double rung, beta, gamma, energy, energy_error, overlap, log_z, log_z_error, entropy,
        acceptance, rejection, visits, jumps, cluster;
} rung_row;

#define COLUMN(column, ...)                                                                        \
    {                                                                                              \
        "rungs." #column, SPN_QUANTITY_COLUMN, .at = offsetof(rung_row, column), __VA_ARGS__       \
    }
const spn_quantity spn_rung_results[] = {
    COLUMN(rung, .label = "rung", .help = "its number, from 1"),
    COLUMN(beta, .label = "inverse temperature β", .help = "beta"),
    COLUMN(gamma, .label = "coupling γ", .help = "gamma"),
    COLUMN(energy, .label = "mean energy of a replica", .help = "mean energy of a replica"),
    COLUMN(energy_error, .help = "its standard error"),
    COLUMN(overlap, .label = "mean overlap of the replicas",
           .help = "scalar product of two replicas over N, averaged over all pairs"),
    COLUMN(log_z, .label = "log Z", .help = "log Z up to this rung"),
    COLUMN(log_z_error, .help = "its standard error"),
    COLUMN(entropy, .label = "entropy (nats)", .help = "entropy of its distribution"),
    COLUMN(acceptance, .label = "accepted share of the proposals",
           .help = "acceptance rate of the proposals; none at beta 0, where states are drawn"),
    COLUMN(rejection, .label = "rejected share of the swaps with the next rung",
           .help = "rejection rate of the swaps with the next rung"),
    COLUMN(visits, .label = "scans that ended here",
           .help = "scans of walkers that ended on this rung"),
    COLUMN(jumps, .label = "jumps into this rung",
           .help = "equi-energy: jumps to states stored by the previous rung"),
    COLUMN(cluster, .label = "mean sites of an exchanged cluster",
           .help = "mean number of sites changed by a cluster exchange"),
    {.name = NULL}};

/* ---- all of it ---- */

static spn_ladder_rung rung_of(const spn_sampler *ladder, size_t k)
{
    spn_ladder_rung rung;
    spn_ladder_look_at_rung(&rung, ladder, k);
    return rung;
}

static spn_ladder_rung last_rung(const spn_sampler *ladder)
{
    return rung_of(ladder, spn_ladder_rungs(ladder) - 1);
}

static spn_status take_rungs(spn_ladder_found *out, const spn_sampler *ladder, double replicas,
                             spn_error *err)
{
    const size_t count = spn_ladder_rungs(ladder);
    rung_row *row = spn_alloc(count, sizeof *row);
    if (!row)
        return spn_no_memory(err, "the results of the rungs");
    out->rungs = (spn_curve_rows){count, sizeof *row, row};
    for (size_t k = 0; k < count; k++) {
        const spn_ladder_rung r = rung_of(ladder, k);
        row[k] = (rung_row){.rung = (double)(k + 1),
                            .beta = r.beta,
                            .gamma = r.gamma,
                            .energy = r.energy / replicas,
                            .energy_error = r.energy_error / replicas,
                            .overlap = r.overlap,
                            .log_z = r.log_z,
                            .log_z_error = r.log_z_error,
                            .entropy = r.entropy,
                            .acceptance = r.acceptance,
                            .rejection = r.rejection,
                            .visits = (double)r.visits,
                            .jumps = (double)r.jumps,
                            .cluster = r.cluster};
        out->jumps += (double)r.jumps;
    }
    return SPN_OK;
}

static void take_run(spn_ladder_found *out, const spn_sampler *ladder)
{
    spn_ladder_progress p;
    spn_ladder_look(&p, ladder);
    const bool hit = p.first_hit != SPN_NO_HIT;
    out->scans_done = (double)p.scan;
    out->steps_done = (double)(p.scan * p.scan_steps);
    out->proposals = (double)p.proposals;
    out->hit = (spn_hit_found){hit ? 1 : 0, hit ? (double)p.first_hit : NAN,
                               hit ? (double)p.first_hit_proposals : NAN, p.first_hit_seconds};
}

spn_status spn_ladder_found_take(spn_ladder_found *out, const spn_ran *ran, spn_error *err)
{
    const spn_sampler *ladder = ran->sampler;
    const bool absolute = spn_ladder_log_z_is_absolute(ladder);
    const spn_ladder_rung last = last_rung(ladder);
    spn_snapshot s;
    spn_ladder_walker(&s, ladder, 0);
    *out = (spn_ladder_found){.stop = spn_stop_name(ran->stop),
                              .log_z_kind = absolute ? "absolute" : "relative",
                              .health = spn_health_name(spn_sampler_health(ladder)),
                              .energy = last.energy / (double)s.replicas,
                              .overlap = last.overlap,
                              .log_z = last.log_z,
                              .log_z_error = last.log_z_error,
                              .log_z_low = last.log_z_low,
                              .log_z_high = last.log_z_high,
                              .entropy = last.entropy,
                              .entropy_error = last.entropy_error,
                              .barrier = spn_ladder_barrier(ladder),
                              .rung_count = (double)spn_ladder_rungs(ladder),
                              .round_trips = (double)spn_ladder_round_trips(ladder, SPN_LADDER_ALL),
                              .restarts = (double)spn_ladder_restarts(ladder, SPN_LADDER_ALL),
                              .cluster = last.cluster,
                              .beta_start = rung_of(ladder, 0).beta,
                              .beta_end = last.beta};
    take_run(out, ladder);
    return take_rungs(out, ladder, (double)s.replicas, err);
}

void spn_ladder_found_clear(spn_ladder_found *found)
{
    free(found->rungs.rows);
    found->rungs.rows = NULL;
}

/* ---- notes ---- */

/* How much has moved: "7 round trips", or jumps. */
static void print_journeys(char *out, size_t size, const spn_ladder_found *found,
                           const spn_ladder_plan *plan)
{
    const bool jumps = plan->options.method == SPN_LADDER_EQUI_ENERGY;
    const double count = jumps ? found->jumps : found->round_trips;
    spn_print_text(out, size, "%.0f %s%s", count, jumps ? "jump" : "round trip",
                   count == 1 ? "" : "s");
}

static spn_status note_rungs(spn_record *out, const spn_sampler *ladder,
                             const spn_ladder_found *found, const spn_ladder_plan *plan,
                             spn_error *err)
{
    const spn_ladder_rung first = rung_of(ladder, 0), last = last_rung(ladder);
    spn_ladder_progress p;
    char gamma[64], journeys[64];
    spn_ladder_look(&p, ladder);
    print_journeys(journeys, sizeof journeys, found, plan);
    if (first.gamma == last.gamma)
        spn_print_text(gamma, sizeof gamma, "%.4g", last.gamma);
    else
        spn_print_text(gamma, sizeof gamma, "%.4g to %.4g", first.gamma, last.gamma);
    SPN_TRY(spn_record_add_note(
        out, err, "%zu rungs, beta %.4g to %.4g%s, gamma %s; %s in %.0f scans",
        spn_ladder_rungs(ladder), first.beta, last.beta, plan->cold > 0 ? " by the energy" : "",
        gamma, journeys, (double)p.round_scans));
    if (p.round + 1 >= p.rounds)
        return SPN_OK;
    return spn_record_add_note(out, err,
                               "the run ended in round %u of %u: what is measured is of that "
                               "round, whose rungs are not settled yet",
                               p.round + 1, p.rounds);
}

static spn_status note_log_z(spn_record *out, const spn_sampler *ladder, spn_error *err)
{
    const spn_ladder_rung first = rung_of(ladder, 0), last = last_rung(ladder);
    spn_snapshot s;
    spn_ladder_walker(&s, ladder, 0);
    if (!isfinite(last.log_z_low))
        return SPN_OK;
    if (!spn_ladder_log_z_is_absolute(ladder))
        return spn_record_add_note(out, err,
                                   "log Z %.8g, 95%% from %.8g to %.8g: less that of the first "
                                   "rung; with beta from 0 it would be absolute",
                                   last.log_z, last.log_z_low, last.log_z_high);
    SPN_TRY(spn_record_add_note(out, err,
                                "log Z %.8g, 95%% from %.8g to %.8g: absolute, as it is known "
                                "at beta 0, %.8g",
                                last.log_z, last.log_z_low, last.log_z_high, first.log_z));
    return spn_record_add_note(out, err,
                               "entropy of the last rung %.6g nats, of all replicas; %.4g for each "
                               "spin",
                               last.entropy, last.entropy / (double)(s.sites * s.replicas));
}

static spn_status note_break(spn_record *out, const spn_sampler *ladder, spn_error *err)
{
    const size_t k = spn_ladder_worst_pair(ladder), rungs = spn_ladder_rungs(ladder);
    const spn_ladder_rung here = rung_of(ladder, k), next = rung_of(ladder, k + 1);
    return spn_record_add_note(
        out, err,
        "broken: rungs %zu and %zu (beta %.4g and %.4g) reject %.3g%% of their swaps, so that "
        "next to nothing passes; more rungs (rungs: %zu), or more scans to place them",
        k + 1, k + 2, here.beta, next.beta, 100 * here.rejection,
        2 * rungs < SPN_LADDER_MOST_RUNGS ? 2 * rungs : (size_t)SPN_LADDER_MOST_RUNGS);
}

static spn_status note_short(spn_record *out, const spn_ladder_found *found,
                             const spn_ladder_plan *plan, spn_error *err)
{
    char journeys[64];
    print_journeys(journeys, sizeof journeys, found, plan);
    return spn_record_add_note(
        out, err,
        "too short to tell: %s of all walkers together, so that the cold rungs still depend on "
        "where they started; more scans (scans: %.0f), or fewer rungs",
        journeys, 8 * (double)plan->options.scans);
}

static spn_status note_health(spn_record *out, const spn_sampler *ladder,
                              const spn_ladder_found *found, const spn_ladder_plan *plan,
                              spn_error *err)
{
    switch (spn_sampler_health(ladder)) {
    case SPN_HEALTH_BROKEN:
        return note_break(out, ladder, err);
    case SPN_HEALTH_SHORT:
        return note_short(out, found, plan, err);
    case SPN_HEALTH_HOT_END:
        return spn_record_add_note(
            out, err,
            "hot at the end: on the last rung more than 1 in 20 proposals still go uphill; raise "
            "the cold end of beta, or leave it to the energy (beta: 0:auto)");
    default:
        break;
    }
    return SPN_OK;
}

spn_status spn_ladder_note(spn_record *out, const spn_sampler *ladder,
                           const spn_ladder_found *found, const spn_ladder_plan *plan,
                           spn_error *err)
{
    SPN_TRY(note_rungs(out, ladder, found, plan, err));
    SPN_TRY(note_log_z(out, ladder, err));
    return note_health(out, ladder, found, plan, err);
}
