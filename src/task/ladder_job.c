/* The ladder of a job. */
#include "task/ladder_job.h"
#include "record/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the run ---- */

/* The cold end of beta, of at most a thirty-second of the run's proposals. */
static spn_status find_cold_end(spn_ladder_options *out, const spn_ladder_job *how, spn_error *err)
{
    const double fewest = 64, share = spn_ladder_plan_proposals(how->ladder, 0) / 32;
    spn_beta_range_options o = spn_beta_range_defaults();
    spn_beta_range range;
    if (how->ladder->cold == 0)
        return SPN_OK;
    o.seed = how->job->seed;
    o.cold = how->ladder->cold;
    o.changes = (uint64_t)fmin(fmax(share, fewest), 0x1p62);
    const spn_status status = spn_beta_range_measure(&range, how->energy, &o, err);
    if (status)
        return status;
    out->beta_last = range.end;
    if (out->beta_first < out->beta_last)
        return SPN_OK;
    return spn_setting_fail("beta", err,
                            "the cold end that the energy asks for, %.4g, is not above %.4g, that "
                            "of the first rung",
                            out->beta_last, out->beta_first);
}

/* A ladder on its way: what its observer needs. */
typedef struct watched {
    const spn_ladder_job *how;
    const spn_resumable_ladder *run;
} watched;

/* Whether the run is to be seen after this scan. */
static bool is_fixed(const watched *w, uint64_t scan)
{
    const uint64_t steps = w->how->run->watch_steps, scans = steps / w->run->scan_steps;
    return steps && scan % (scans ? scans : 1) == 0;
}

static spn_status observe(void *context, const spn_progress *now, spn_error *err)
{
    const watched *w = context;
    (void)err;
    if (!w->how->run->progress)
        return SPN_OK;
    const spn_run_progress progress = {.proposals = (double)now->proposals,
                                       .words = now->words,
                                       .fixed = is_fixed(w, now->step / now->block),
                                       .coldest = now->state,
                                       .best_energy = now->best_energy};
    spn_meter_put(w->how->meter, w->how->work, now->share, progress);
    return SPN_OK;
}

/* A run of few steps, for calibration: they are one round; of simulated, which needs the round
   before its last, all but the first third are the last. */
static void shorten(spn_ladder_options *o, uint64_t steps)
{
    o->scan_steps = o->scan_steps < steps ? o->scan_steps : steps;
    o->scans = (steps + o->scan_steps - 1) / o->scan_steps;
    o->rounds = o->method == SPN_LADDER_SIMULATED ? 2 : 1;
    o->keep = 0;
}

static spn_status run_with(spn_resumable_ladder *out, const spn_ladder_job *how,
                           const char *identity, spn_error *err)
{
    const spn_run *run = how->run;
    spn_ladder_options ladder = how->ladder->options;
    spn_chain_options chain = how->ladder->chain;
    watched w = {how, out};
    spn_until until = spn_until_defaults();
    until.stop = run->stop;
    until.seconds = how->ladder->seconds;
    const double started = spn_clock();
    spn_status status = find_cold_end(&ladder, how, err);
    if (status)
        return status;
    if (until.seconds > 0)
        until.seconds = fmax(until.seconds - (spn_clock() - started), 1e-6);
    if (run->steps)
        shorten(&ladder, run->steps);
    chain.seed = how->job->seed;
    ladder.chain = &chain;
    until.observer = observe;
    until.context = &w;
    const spn_resumable_ladder_options options = {.energy = how->energy,
                                                  .ladder = &ladder,
                                                  .until = &until,
                                                  .identity = identity,
                                                  .checkpoint = run->checkpoint,
                                                  .save_steps = run->save_steps,
                                                  .save_seconds = run->save_seconds,
                                                  .trace = run->steps ? NULL : run->trace,
                                                  .trace_steps = run->trace_steps};
    status = spn_resumable_ladder_run(out, &options, err);
    out->options = (spn_resumable_ladder_options){0}; /* what it borrowed ends here */
    return status;
}

spn_status spn_ladder_job_run(spn_resumable_ladder *out, spn_outcome *outcome,
                              const spn_ladder_job *how, spn_error *err)
{
    spn_ladder_progress progress;
    *out = (spn_resumable_ladder){0};
    if (how->run->trace && how->ladder->options.method == SPN_LADDER_SIMULATED)
        return spn_setting_fail("method", err,
                                "a trace is of the last rung, where simulated may have no walker, "
                                "or several; give another method, or leave the trace out");
    char *identity =
        how->run->checkpoint ? spn_job_identity(how->job, how->plan, how->content) : NULL;
    if (how->run->checkpoint && !identity)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the settings");
    const spn_status status = run_with(out, how, identity, err);
    free(identity);
    if (status)
        return status;
    spn_ladder_look(&progress, out->ladder);
    outcome->complete = out->stop != SPN_STOP_REQUEST;
    outcome->step = progress.scan * progress.scan_steps;
    outcome->resumed_step = out->resumed_step;
    outcome->saved_step = out->saved_step;
    outcome->proposals = out->proposals;
    outcome->seconds = out->seconds;
    return SPN_OK;
}

/* ---- the record ---- */

static spn_ladder_rung last_rung(const spn_sampler *ladder)
{
    spn_ladder_rung rung;
    spn_ladder_look_at_rung(&rung, ladder, spn_ladder_rungs(ladder) - 1);
    return rung;
}

static spn_status add_texts(spn_record *out, const spn_resumable_ladder *run, spn_error *err)
{
    const spn_sampler *ladder = run->ladder;
    const bool absolute = spn_ladder_log_z_is_absolute(ladder);
    spn_status status = spn_record_add_text(out, "stop", spn_stop_name(run->stop), err);
    if (!status)
        status = spn_record_add_text(out, "log_z_kind", absolute ? "absolute" : "relative", err);
    if (!status)
        status =
            spn_record_add_text(out, "health", spn_health_name(spn_sampler_health(ladder)), err);
    return status;
}

/* Of all rungs, in the current round. */
static double count_jumps(const spn_sampler *ladder)
{
    double sum = 0;
    for (size_t k = 0; k < spn_ladder_rungs(ladder); k++) {
        spn_ladder_rung rung;
        spn_ladder_look_at_rung(&rung, ladder, k);
        sum += (double)rung.jumps;
    }
    return sum;
}

const char *spn_ladder_job_missing(const char *result, const spn_ladder_plan *plan)
{
    const bool trips = strcmp(result, "round_trips") == 0 || strcmp(result, "restarts") == 0;
    const bool jumps = plan->options.method == SPN_LADDER_EQUI_ENERGY;
    if (trips && jumps)
        return "a method that moves walkers: swap or simulated";
    if (strcmp(result, "jumps") == 0 && !jumps)
        return "the method equi-energy";
    if (strcmp(result, "cluster") == 0 && plan->options.clusters == 0)
        return "clusters of 1 or more";
    return NULL;
}

static spn_status add_numbers(spn_record *out, const spn_sampler *ladder,
                              const spn_ladder_plan *plan, spn_error *err)
{
    const spn_ladder_rung last = last_rung(ladder);
    spn_ladder_rung first;
    spn_ladder_progress p;
    spn_ladder_look_at_rung(&first, ladder, 0);
    spn_ladder_look(&p, ladder);
    const struct {
        const char *name;
        double value;
    } all[] = {{"log_z", last.log_z},
               {"log_z_error", last.log_z_error},
               {"log_z_low", last.log_z_low},
               {"log_z_high", last.log_z_high},
               {"entropy", last.entropy},
               {"entropy_error", last.entropy_error},
               {"barrier", spn_ladder_barrier(ladder)},
               {"rung_count", (double)spn_ladder_rungs(ladder)},
               {"round_trips", (double)spn_ladder_round_trips(ladder, SPN_LADDER_ALL)},
               {"restarts", (double)spn_ladder_restarts(ladder, SPN_LADDER_ALL)},
               {"jumps", count_jumps(ladder)},
               {"cluster", last.cluster},
               {"scans_done", (double)p.scan},
               {"steps_done", (double)(p.scan * p.scan_steps)},
               {"proposals", (double)p.proposals},
               {"beta_start", first.beta},
               {"beta_end", last.beta}};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all && !status; k++)
        if (!spn_ladder_job_missing(all[k].name, plan))
            status = spn_record_add_result(out, all[k].name, all[k].value, err);
    return status;
}

static spn_status add_rungs(spn_record *out, const spn_sampler *ladder, spn_error *err)
{
    enum { COLUMNS = 14 };
    static const char *const names[COLUMNS] = {
        "rung",        "beta",    "gamma",      "energy",    "energy_error", "overlap", "log_z",
        "log_z_error", "entropy", "acceptance", "rejection", "visits",       "jumps",   "cluster"};
    const size_t count = spn_ladder_rungs(ladder);
    const double *columns[COLUMNS];
    double *values = spn_alloc(count, COLUMNS * sizeof *values);
    spn_snapshot walker;
    if (!values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results of the rungs");
    spn_ladder_walker(&walker, ladder, 0);
    const double y = (double)walker.replicas;
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = values + c * count;
    for (size_t k = 0; k < count; k++) {
        spn_ladder_rung r;
        spn_ladder_look_at_rung(&r, ladder, k);
        const double row[COLUMNS] = {
            (double)(k + 1), r.beta,           r.gamma,         r.energy / y, r.energy_error / y,
            r.overlap,       r.log_z,          r.log_z_error,   r.entropy,    r.acceptance,
            r.rejection,     (double)r.visits, (double)r.jumps, r.cluster};
        for (size_t c = 0; c < COLUMNS; c++)
            values[c * count + k] = row[c];
    }
    const spn_status status =
        spn_record_add_curve(out, "rungs", COLUMNS, names, count, columns, err);
    free(values);
    return status;
}

spn_status spn_ladder_job_record(spn_record *out, const spn_resumable_ladder *run,
                                 const spn_ladder_plan *plan, spn_error *err)
{
    spn_status status = add_texts(out, run, err);
    if (!status)
        status = add_numbers(out, run->ladder, plan, err);
    return status ? status : add_rungs(out, run->ladder, err);
}

spn_status spn_ladder_job_record_hit(spn_record *out, const spn_resumable_ladder *run,
                                     spn_error *err)
{
    spn_ladder_progress p;
    spn_ladder_look(&p, run->ladder);
    const bool hit = p.first_hit != SPN_NO_HIT;
    out->first_hit_seconds = p.first_hit_seconds;
    spn_status status = spn_record_add_result(out, "solved", hit ? 1 : 0, err);
    if (!status)
        status =
            spn_record_add_result(out, "first_hit_steps", hit ? (double)p.first_hit : NAN, err);
    if (!status)
        status = spn_record_add_result(out, "first_hit_proposals",
                                       hit ? (double)p.first_hit_proposals : NAN, err);
    return status;
}

/* ---- notes ---- */

/* How much has moved: "7 round trips", or jumps. */
static void print_journeys(char *out, size_t size, const spn_sampler *ladder,
                           const spn_ladder_plan *plan)
{
    const bool jumps = plan->options.method == SPN_LADDER_EQUI_ENERGY;
    const double count =
        jumps ? count_jumps(ladder) : (double)spn_ladder_round_trips(ladder, SPN_LADDER_ALL);
    spn_print_text(out, size, "%.0f %s%s", count, jumps ? "jump" : "round trip",
                   count == 1 ? "" : "s");
}

static spn_status note_rungs(spn_record *out, const spn_sampler *ladder,
                             const spn_ladder_plan *plan, spn_error *err)
{
    const spn_ladder_rung last = last_rung(ladder);
    spn_ladder_rung first;
    spn_ladder_progress p;
    char gamma[64], journeys[64];
    spn_ladder_look(&p, ladder);
    spn_ladder_look_at_rung(&first, ladder, 0);
    print_journeys(journeys, sizeof journeys, ladder, plan);
    if (first.gamma == last.gamma)
        spn_print_text(gamma, sizeof gamma, "%.4g", last.gamma);
    else
        spn_print_text(gamma, sizeof gamma, "%.4g to %.4g", first.gamma, last.gamma);
    const spn_status status = spn_record_add_note(
        out, err, "%zu rungs, beta %.4g to %.4g%s, gamma %s; %s in %.0f scans",
        spn_ladder_rungs(ladder), first.beta, last.beta, plan->cold > 0 ? " by the energy" : "",
        gamma, journeys, (double)p.round_scans);
    if (status || p.round + 1 >= p.rounds)
        return status;
    return spn_record_add_note(out, err,
                               "the run ended in round %u of %u: what is measured is of that "
                               "round, whose rungs are not settled yet",
                               p.round + 1, p.rounds);
}

static spn_status note_log_z(spn_record *out, const spn_sampler *ladder, spn_error *err)
{
    const spn_ladder_rung last = last_rung(ladder);
    spn_ladder_rung first;
    spn_snapshot s;
    spn_ladder_look_at_rung(&first, ladder, 0);
    spn_ladder_walker(&s, ladder, 0);
    if (!isfinite(last.log_z_low))
        return SPN_OK;
    spn_status status =
        spn_ladder_log_z_is_absolute(ladder)
            ? spn_record_add_note(out, err,
                                  "log Z %.8g, 95%% from %.8g to %.8g: absolute, as it is known "
                                  "at beta 0, %.8g",
                                  last.log_z, last.log_z_low, last.log_z_high, first.log_z)
            : spn_record_add_note(out, err,
                                  "log Z %.8g, 95%% from %.8g to %.8g: less that of the first "
                                  "rung; with beta from 0 it would be absolute",
                                  last.log_z, last.log_z_low, last.log_z_high);
    if (status || !spn_ladder_log_z_is_absolute(ladder))
        return status;
    return spn_record_add_note(out, err,
                               "entropy of the last rung %.6g nats, of all replicas; %.4g for each "
                               "spin",
                               last.entropy, last.entropy / (double)(s.sites * s.replicas));
}

static spn_status note_break(spn_record *out, const spn_sampler *ladder, spn_error *err)
{
    const size_t k = spn_ladder_worst_pair(ladder), rungs = spn_ladder_rungs(ladder);
    spn_ladder_rung here, next;
    spn_ladder_look_at_rung(&here, ladder, k);
    spn_ladder_look_at_rung(&next, ladder, k + 1);
    return spn_record_add_note(
        out, err,
        "broken: rungs %zu and %zu (beta %.4g and %.4g) reject %.3g%% of their swaps, so that "
        "next to nothing passes; more rungs (--rungs %zu), or more scans to place them",
        k + 1, k + 2, here.beta, next.beta, 100 * here.rejection,
        2 * rungs < SPN_LADDER_MOST_RUNGS ? 2 * rungs : (size_t)SPN_LADDER_MOST_RUNGS);
}

static spn_status note_short(spn_record *out, const spn_sampler *ladder,
                             const spn_ladder_plan *plan, spn_error *err)
{
    char journeys[64];
    print_journeys(journeys, sizeof journeys, ladder, plan);
    return spn_record_add_note(
        out, err,
        "too short to tell: %s of all walkers together, so that the cold rungs still depend on "
        "where they started; more scans (--scans %.0f), or fewer rungs",
        journeys, 8 * (double)plan->options.scans);
}

static spn_status note_health(spn_record *out, const spn_sampler *ladder,
                              const spn_ladder_plan *plan, spn_error *err)
{
    switch (spn_sampler_health(ladder)) {
    case SPN_HEALTH_BROKEN:
        return note_break(out, ladder, err);
    case SPN_HEALTH_SHORT:
        return note_short(out, ladder, plan, err);
    case SPN_HEALTH_HOT_END:
        return spn_record_add_note(
            out, err,
            "hot at the end: on the last rung more than 1 in 20 proposals still go uphill; raise "
            "the cold end of beta, or leave it to the energy (--beta 0:auto)");
    default:
        break;
    }
    return SPN_OK;
}

spn_status spn_ladder_job_note(spn_record *out, const spn_resumable_ladder *run,
                               const spn_ladder_plan *plan, spn_error *err)
{
    spn_status status = note_rungs(out, run->ladder, plan, err);
    if (!status)
        status = note_log_z(out, run->ladder, err);
    return status ? status : note_health(out, run->ladder, plan, err);
}
