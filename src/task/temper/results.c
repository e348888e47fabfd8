#include "base/number.h"
#include "record/record.h"
#include "task/tables.h"
#include "task/temper/temper.h"

#include <math.h>
#include <stdlib.h>

SPN_NEEDS(trips_need, spn_temper_plan, p->options.method != SPN_LADDER_EQUI_ENERGY,
          "a method that moves walkers: swap or simulated")
SPN_NEEDS(jumps_need, spn_temper_plan, p->options.method == SPN_LADDER_EQUI_ENERGY,
          "the method equi-energy")
SPN_NEEDS(clusters_need, spn_temper_plan, p->options.clusters, "clusters of 1 or more")

typedef struct rung_row {
    double rung, visits, jumps;
    spn_ladder_rung at;
} rung_row;

#define RUNG(column, member, ...)                                                                  \
    {                                                                                              \
        "rungs." column, SPN_QUANTITY_COLUMN, .at = offsetof(rung_row, member), __VA_ARGS__        \
    }
static const spn_quantity rung_results[] = {
    RUNG("rung", rung, .label = "rung", .help = "its number, from 1"),
    RUNG("beta", at.beta, .label = "inverse temperature β", .help = "beta"),
    RUNG("gamma", at.gamma, .label = "coupling γ", .help = "gamma"),
    RUNG("energy", at.energy, .label = "mean energy of a replica",
         .help = "mean energy of a replica"),
    RUNG("energy_error", at.energy_error, .help = "its standard error"),
    RUNG("overlap", at.overlap, .label = "mean overlap of the replicas",
         .help = "scalar product of two replicas over N, averaged over all pairs"),
    RUNG("log_z", at.log_z, .label = "log Z", .help = "log Z up to this rung"),
    RUNG("log_z_error", at.log_z_error, .help = "its standard error"),
    RUNG("entropy", at.entropy, .label = "entropy (nats)", .help = "entropy of its distribution"),
    RUNG("acceptance", at.acceptance, .label = "accepted share of the proposals",
         .help = "acceptance rate of the proposals; none at beta 0, where states are drawn"),
    RUNG("rejection", at.rejection, .label = "rejected share of the swaps with the next rung",
         .help = "rejection rate of the swaps with the next rung"),
    RUNG("visits", visits, .label = "scans that ended here",
         .help = "scans of walkers that ended on this rung"),
    RUNG("jumps", jumps, .label = "jumps into this rung",
         .help = "equi-energy: jumps to states stored by the previous rung"),
    RUNG("cluster", at.cluster, .label = "mean sites of an exchanged cluster",
         .help = "mean number of sites changed by a cluster exchange"),
    {.name = NULL}};

#define AT(member) .at = offsetof(spn_tempered, member)
static const spn_quantity teacher_results[] = {SPN_TEACHER_ROWS("of the last rung")};

static const char *learnt_needs(const void *plan)
{
    return spn_teacher_needs(&((const spn_temper_plan *)plan)->each.instance);
}

const spn_quantity spn_temper_results[] = {
    {.group = spn_cut_results, AT(run)},
    {.group = spn_problem_state_results, AT(run)},
    {"best_energy", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST, .label = "lowest energy met",
     AT(run.best_energy), .help = "the lowest energy found by any replica of any rung"},
    {"energy", AT(energy), .label = "mean energy on the last rung",
     .help = "energy on the last rung, averaged over its replicas and the scans of the last round"},
    {"overlap", AT(last.overlap), .label = "mean overlap of the replicas",
     .help = "last rung: scalar product of two replicas over N, averaged over all pairs; 1 for one "
             "replica"},
    {"log_z", AT(last.log_z), .flags = SPN_QUANTITY_MAIN, .label = "log Z of the last rung",
     .help = "logarithm of the sum of exp(-beta U + H_gamma) over all states of the replicas, at "
             "the last rung"},
    {"log_z_error", AT(last.log_z_error), .label = "standard error of log Z",
     .help = "its standard error, from blocks of scans"},
    {"log_z_low", AT(last.log_z_low), .label = "95% interval of log Z, low",
     .help = "lower end of its 95% confidence interval"},
    {"log_z_high", AT(last.log_z_high), .label = "95% interval of log Z, high",
     .help = "upper end"},
    {"log_z_kind", SPN_QUANTITY_TEXT, AT(log_z_kind), .order = 1,
     .label = "absolute, or less that of the first rung",
     .help = "absolute if the first rung has beta 0; else relative to log Z of the first rung"},
    {"entropy", AT(last.entropy), .label = "entropy of the last rung",
     .help = "entropy of the distribution of the last rung in nats: log Z + beta <U> - <H_gamma>; "
             "relative if log Z is"},
    {"entropy_error", AT(last.entropy_error), .label = "standard error of the entropy",
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
    {"cluster", AT(last.cluster), .needs = clusters_need, .label = "mean cluster on the last rung",
     .help = "clusters: mean number of spins moved by an exchange on the last rung"},
    {"scans_done", AT(scans_done), .label = "scans", .help = "scans done, in all rounds"},
    {"stop", SPN_QUANTITY_TEXT, AT(run.stop),
     .help = "why the run ended: steps, target, time or interrupted"},
    {"steps_done", AT(steps_done), .unit = "steps", .label = "steps of a walker",
     .help = "steps done by each walker"},
    {"proposals", AT(proposals), .label = "proposals",
     .help = "proposals of all walkers and replicas; a draw at beta 0 counts as the scan it "
             "replaces"},
    {"beta_start", AT(first.beta), .label = "beta of the first rung",
     .help = "beta of the first rung"},
    {"beta_end", AT(last.beta), .label = "beta of the last rung", .help = "of the last rung"},
    {"health", SPN_QUANTITY_TEXT, AT(run.health), .order = 1,
     .help = "health of the ladder: good, broken, too short to tell, hot at the end"},
    SPN_SECONDS_QUANTITY,
    {.group = spn_ensemble_hit_results, AT(run)},
    {.group = teacher_results, AT(learnt), .of = spn_teacher_found_of, .needs = learnt_needs},
    {.help = "Each rung, in the last round"},
    {.group = rung_results, AT(rungs)},
    {.name = NULL}};

static spn_status take_rungs(spn_tempered *t, spn_error *err)
{
    const spn_sampler *ladder = t->run.ran.sampler;
    const double replicas = (double)t->plan->each.chain.replicas;
    const size_t count = spn_ladder_rungs(ladder);
    rung_row *row = spn_curve_make(&t->rungs, count, sizeof *row, err);
    if (!row)
        return SPN_ERROR_MEMORY;
    spn_ladder_rung *rungs = spn_alloc(count, sizeof *rungs);
    SPN_NEED(rungs, err, "%zu rungs", count);
    spn_ladder_look_at_rungs(rungs, ladder, 0, count);
    for (size_t k = 0; k < count; k++) {
        spn_ladder_rung *at = &row[k].at;
        *at = rungs[k];
        at->energy /= replicas;
        at->energy_error /= replicas;
        at->energy_low /= replicas;
        at->energy_high /= replicas;
        row[k].rung = (double)(k + 1);
        row[k].visits = (double)at->visits;
        row[k].jumps = (double)at->jumps;
        t->jumps += row[k].jumps;
    }
    free(rungs);
    t->first = row[0].at;
    t->last = row[count - 1].at;
    t->energy = t->last.energy;
    t->rung_count = (double)count;
    return SPN_OK;
}

spn_status spn_tempered_take(spn_ensemble *e, spn_error *err)
{
    spn_tempered *t = (spn_tempered *)e;
    const spn_sampler *ladder = t->run.ran.sampler;
    spn_ladder_progress *p = &t->progress;
    spn_ladder_look(p, ladder);
    t->log_z_kind = spn_ladder_log_z_is_absolute(ladder) ? "absolute" : "relative";
    t->barrier = spn_ladder_barrier(ladder);
    t->round_trips = (double)spn_ladder_round_trips(ladder, SPN_LADDER_ALL);
    t->restarts = (double)spn_ladder_restarts(ladder, SPN_LADDER_ALL);
    t->scans_done = (double)p->scan;
    t->steps_done = (double)(p->scan * p->scan_steps);
    t->proposals = (double)p->proposals;
    SPN_TRY(spn_ensemble_take(&t->run, p->best_energy, p->first_hit, p->first_hit_proposals,
                              p->first_hit_seconds, err));
    SPN_TRY(take_rungs(t, err));
    /* Measure the walker on the last rung. In simulated tempering there may be none. */
    spn_snapshot s;
    if (t->last.walker == SIZE_MAX || spn_teacher_needs(&t->run.instance))
        return SPN_OK;
    spn_ladder_walker(&s, t->run.ran.sampler, t->last.walker);
    return spn_teacher_measure(&t->learnt, &t->run.instance, &s, err);
}

/* Such as "7 round trips". */
static void print_journeys(char *out, size_t size, const spn_tempered *t)
{
    const bool jumps = t->plan->options.method == SPN_LADDER_EQUI_ENERGY;
    const double count = jumps ? t->jumps : t->round_trips;
    spn_print_text(out, size, "%.0f %s%s", count, jumps ? "jump" : "round trip",
                   count == 1 ? "" : "s");
}

static spn_status note_rungs(spn_record *out, const spn_tempered *t, spn_error *err)
{
    const spn_ladder_rung *first = &t->first, *last = &t->last;
    const spn_ladder_progress *p = &t->progress;
    char gamma[64], journeys[64];
    print_journeys(journeys, sizeof journeys, t);
    if (first->gamma == last->gamma)
        spn_print_text(gamma, sizeof gamma, "%.4g", last->gamma);
    else
        spn_print_text(gamma, sizeof gamma, "%.4g to %.4g", first->gamma, last->gamma);
    SPN_TRY(spn_record_add_note(
        out, err, "%zu rungs, beta %.4g to %.4g%s, gamma %s; %s in %.0f scans", t->rungs.count,
        first->beta, last->beta, t->plan->each.cold > 0 ? " by the energy" : "", gamma, journeys,
        (double)p->round_scans));
    if (p->round + 1 >= p->rounds)
        return SPN_OK;
    return spn_record_add_note(out, err,
                               "the run ended in round %u of %u: what is measured is of that "
                               "round, whose rungs are not settled yet",
                               p->round + 1, p->rounds);
}

static spn_status note_log_z(spn_record *out, const spn_tempered *t, spn_error *err)
{
    const spn_ladder_rung *last = &t->last;
    const double spins = (double)(t->run.instance.sites * t->plan->each.chain.replicas);
    if (!isfinite(last->log_z_low))
        return SPN_OK;
    if (!spn_ladder_log_z_is_absolute(t->run.ran.sampler))
        return spn_record_add_note(out, err,
                                   "log Z %.8g, 95%% from %.8g to %.8g: less that of the first "
                                   "rung; with beta from 0 it would be absolute",
                                   last->log_z, last->log_z_low, last->log_z_high);
    SPN_TRY(spn_record_add_note(out, err,
                                "log Z %.8g, 95%% from %.8g to %.8g: absolute, as it is known "
                                "at beta 0, %.8g",
                                last->log_z, last->log_z_low, last->log_z_high, t->first.log_z));
    return spn_record_add_note(out, err,
                               "entropy of the last rung %.6g nats, of all replicas; %.4g for each "
                               "spin",
                               last->entropy, last->entropy / spins);
}

static spn_status note_break(spn_record *out, const spn_tempered *t, spn_error *err)
{
    const size_t k = spn_ladder_worst_pair(t->run.ran.sampler), rungs = t->rungs.count;
    const rung_row *row = (const rung_row *)t->rungs.rows + k;
    return spn_record_add_note(
        out, err,
        "broken: rungs %zu and %zu (beta %.4g and %.4g) reject %.3g%% of their swaps, so that "
        "next to nothing passes; more rungs (rungs: %zu), or more scans to place them",
        k + 1, k + 2, row[0].at.beta, row[1].at.beta, 100 * row[0].at.rejection,
        2 * rungs < SPN_LADDER_MOST_RUNGS ? 2 * rungs : (size_t)SPN_LADDER_MOST_RUNGS);
}

static spn_status note_health(spn_record *out, const spn_tempered *t, spn_error *err)
{
    char journeys[64];
    print_journeys(journeys, sizeof journeys, t);
    switch (spn_sampler_health(t->run.ran.sampler)) {
    case SPN_HEALTH_BROKEN:
        return note_break(out, t, err);
    case SPN_HEALTH_SHORT:
        return spn_record_add_note(
            out, err,
            "too short to tell: %s of all walkers together, so that the cold rungs still depend on "
            "where they started; more scans (scans: %.0f), or fewer rungs",
            journeys, 8 * (double)t->plan->options.scans);
    case SPN_HEALTH_HOT_END:
        return spn_record_add_note(
            out, err,
            "hot at the end: on the last rung more than 1 in 20 proposals still go uphill; raise "
            "the cold end of beta, or leave it to the energy (beta: 0:auto)");
    default:
        return SPN_OK;
    }
}

spn_status spn_tempered_note(spn_record *out, const spn_ensemble *e, spn_error *err)
{
    const spn_tempered *t = (const spn_tempered *)e;
    SPN_TRY(note_rungs(out, t, err));
    SPN_TRY(note_log_z(out, t, err));
    return note_health(out, t, err);
}
