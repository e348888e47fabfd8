/* The task `anneal`: replicas of any built-in energy. */
#include "old/instance.h"
#include "old/measure.h"
#include "old/value_list.h"
#include "record/recorder.h"

#include "base/memory.h"
#include <inttypes.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const xpn_setting settings[] = {
    XPN_ENERGY_SETTINGS, XPN_CHAIN_SETTINGS, {"order", XPN_SETTING_TEXT}, {NULL, XPN_SETTING_TEXT}};

static const char *const results[] = {"energy", "best_energy", "lowest_energy", "solved",
                                      "active", "overlap",     "centre_energy", NULL};

/* Those of `spinney anneal`. */
static const xpn_default defaults[] = {{"gamma", "0.5"}, {"beta", "0.1:10"}, {NULL, NULL}};

static spn_status check(xpn_values *values, const spn_measures *measures, xpn_task_store *store,
                        spn_error *err)
{
    const spn_energy_kind *kind = NULL;
    spn_chain_options chain;
    values->defaults = defaults;
    spn_status status = xpn_chain_settings(&chain, values, err);
    if (!status)
        status = xpn_instance_check(&kind, values, store, err);
    if (!status && measures->flips_count && kind->problem != SPN_PROBLEM_PATTERNS)
        status = xpn_values_fail(values, "flips", err,
                                 "are measured of patterns; the energy %s has none", kind->name);
    if (!status)
        status = xpn_measures_check(values, measures, chain.replicas, err);
    xpn_chain_clear(&chain);
    return status;
}

static spn_status add_defaults(spn_record *out, const xpn_values *given, spn_error *err)
{
    xpn_values values = *given;
    spn_chain_options chain;
    values.defaults = defaults;
    spn_status status = xpn_chain_settings(&chain, &values, err);
    if (!status && xpn_values_given(&values, "random"))
        status = xpn_default_add(out, &values, "teacher", "false", err);
    if (!status)
        status = xpn_chain_default_add(out, &values, &chain, err);
    if (!status)
        status = xpn_default_add(out, &values, "order", spn_order_name(chain.order), err);
    xpn_chain_clear(&chain);
    return status;
}

static const char *lacks(const spn_sweep *sweep, const char *result)
{
    const xpn_value_list energies = xpn_values_in(sweep, "energy");
    if (strcmp(result, "solved") != 0)
        return NULL;
    for (size_t k = 0; k < energies.count; k++) {
        const spn_energy_kind *kind = spn_energy_find(xpn_value_at(&energies, k));
        if (!kind || kind->problem == SPN_PROBLEM_PATTERNS)
            return NULL;
    }
    return energies.count ? "an energy of patterns, such as errors; show energy or best_energy"
                          : NULL;
}

/* ---- cost ---- */

/* In units of about ten nanoseconds. */
static xpn_work work_of(const xpn_values *values, const spn_chain_options *chain,
                        const spn_measures *m, uint64_t steps)
{
    double sites, patterns;
    xpn_instance_size(values, &sites, &patterns);
    const double y = (double)chain->replicas;
    const double flip = 1 + patterns / 256; /* hundreds of patterns at once */
    xpn_work work = {.proposals = (double)(steps ? steps : chain->steps)};
    if (chain->order == SPN_ORDER_REPLICA_ROUND)
        work.proposals *= y;
    work.anneal = work.proposals * (0.5 + flip * xpn_coupling_passes(chain));
    if (steps)
        return work;
    work.flips = (double)m->flips_count * (double)m->flips_trials * sites * (patterns / 100 + 1);
    work.profile = (double)m->profile_walks * y * sites * (flip * m->profile_reach + patterns / 10);
    return work;
}

static xpn_work work(const xpn_job *job, uint64_t steps)
{
    xpn_values values = xpn_job_values(job);
    spn_chain_options chain;
    xpn_work out = {0};
    values.defaults = defaults;
    if (!xpn_chain_settings(&chain, &values, NULL))
        out = work_of(&values, &chain, &job->sweep->measures, steps);
    xpn_chain_clear(&chain);
    return out;
}

/* ---- the run ---- */

/* One run under way. */
typedef struct run_state {
    const xpn_job *job;
    const xpn_task_run *run;
    xpn_values values;
    xpn_instance instance;
    spn_chain_options chain;
    char *settings; /* of the checkpoint */
    xpn_work work;
    xpn_share share;
    spn_recorder recorder;
    bool traced;
    spn_annealing annealing;
    bool *solves; /* which replicas make no error at the end; NULL where there are no patterns */
} run_state;

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    run_state *r = context;
    const uint64_t steps = r->chain.steps;
    xpn_share_show(&r->share, r->work.anneal, (double)snapshot->step / (double)steps);
    if (!r->traced)
        return SPN_OK;
    return spn_recorder_add(&r->recorder, snapshot, snapshot->step == steps, err);
}

/* All that determines the result, as lines. */
static char *settings_text(const run_state *r)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "version \"%s\"\nseed %" PRIu64 "\nproblem \"%016" PRIx64 "\"\n", SPN_VERSION,
            r->job->seed, xpn_instance_checksum(&r->instance));
    for (size_t k = 0; k < r->job->count; k++)
        fprintf(stream, "%s \"%s\"\n", r->job->settings[k].name, r->job->settings[k].text);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static spn_status anneal(run_state *r, spn_error *err)
{
    const xpn_task_run *run = r->run;
    if (run->steps)
        r->chain.steps = run->steps;
    r->chain.seed = r->job->seed;
    r->chain.stop = run->stop;
    r->chain.observer = observe;
    r->chain.observer_context = r;
    r->chain.observe_every = SPN_SAVE_STEPS;
    r->traced = r->job->sweep->measures.traces && run->folder && !run->steps;
    spn_keeper keeper = spn_recorder_keeper(&r->recorder);
    if (r->traced) {
        r->recorder = spn_recorder_make(r->chain.replicas, r->chain.steps);
        if (r->recorder.every < SPN_SAVE_STEPS)
            r->chain.observe_every = r->recorder.every;
    }
    if (!(r->settings = settings_text(r)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the settings");
    const spn_annealing_options options = {.energy = r->instance.energy,
                                           .chain = &r->chain,
                                           .settings = r->settings,
                                           .checkpoint = run->checkpoint,
                                           .every = 1, /* step: the time decides */
                                           .pause = run->save_seconds,
                                           .keeper = r->traced ? &keeper : NULL};
    return spn_annealing_run(&r->annealing, &options, err);
}

/* ---- results ---- */

/* The replicas that make no error: of energies that count errors, those of energy 0. */
static spn_status find_solved(run_state *r, const spn_snapshot *s, spn_error *err)
{
    const spn_problem *patterns = r->instance.problem;
    if (r->instance.kind->problem != SPN_PROBLEM_PATTERNS)
        return SPN_OK;
    r->solves = spn_alloc(s->replicas, sizeof *r->solves);
    if (!r->solves)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    for (size_t a = 0; a < s->replicas; a++)
        r->solves[a] =
            spn_energy_integral(r->instance.energy)
                ? s->energy[a] <= 0
                : xpn_patterns_right(patterns, s->spins + a * s->sites) == patterns->count;
    return SPN_OK;
}

static spn_status centre_energy(double *out, const run_state *r, const spn_snapshot *s,
                                spn_error *err)
{
    int8_t *centre = malloc(s->sites);
    if (!centre)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the centre");
    spn_snapshot_centre(s, centre);
    *out = spn_energy_value(r->instance.energy, centre);
    free(centre);
    return SPN_OK;
}

static spn_status add_results(spn_record *out, run_state *r, const spn_snapshot *s, spn_error *err)
{
    const double y = (double)s->replicas;
    double mean = 0, best = s->best_energy[0], lowest = s->energy[0], active = 0, solved = 0,
           centre = 0;
    spn_status status = find_solved(r, s, err);
    if (!status)
        status = centre_energy(&centre, r, s, err);
    if (status)
        return status;
    for (size_t a = 0; a < s->replicas; a++) {
        mean += s->energy[a] / y;
        active += (double)s->accepted[a] / y;
        best = s->best_energy[a] < best ? s->best_energy[a] : best;
        lowest = s->energy[a] < lowest ? s->energy[a] : lowest;
        solved += r->solves && r->solves[a] ? 1 : 0;
    }
    const spn_result all[] = {{"energy", mean},          {"best_energy", best},
                              {"lowest_energy", lowest}, {"solved", solved / y},
                              {"active", active},        {"overlap", spn_snapshot_overlap(s)},
                              {"centre_energy", centre}};
    for (size_t k = 0; k < sizeof all / sizeof *all && !status; k++)
        if (r->solves || strcmp(all[k].name, "solved") != 0)
            status = spn_record_add_result(out, all[k].name, all[k].value, err);
    return status;
}

/* ---- curves ---- */

static spn_status patterns_right(size_t *out, const void *context, const int8_t *weights,
                                 spn_error *err)
{
    (void)err;
    *out = xpn_patterns_right(context, weights);
    return SPN_OK;
}

/* Of the replicas that make no error. */
static spn_status measure_flips(spn_record *out, xpn_measuring *m, const run_state *r,
                                const spn_snapshot *s, spn_error *err)
{
    const spn_problem *patterns = r->instance.problem;
    if (r->job->sweep->measures.flips_count == 0)
        return SPN_OK;
    int8_t *weights = malloc(s->replicas * s->sites);
    if (!weights)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the curve of flips");
    spn_flip_target target = {.context = patterns,
                              .correct = patterns_right,
                              .weights = weights,
                              .sites = s->sites,
                              .samples = patterns->count};
    for (size_t a = 0; a < s->replicas; a++)
        if (r->solves && r->solves[a])
            memcpy(weights + target.replicas++ * s->sites, s->spins + a * s->sites, s->sites);
    spn_status status = xpn_measure_flips(out, m, target.replicas ? &target : NULL, err);
    free(weights);
    return status;
}

static spn_status measure(spn_record *out, bool *stopped, run_state *r, const spn_snapshot *s,
                          spn_error *err)
{
    xpn_measuring m = {.job = r->job, .run = r->run, .share = &r->share, .work = &r->work};
    spn_status status = measure_flips(out, &m, r, s, err);
    if (!status && !m.stopped)
        status = xpn_measure_profile(out, &m, r->instance.energy, s->spins, s->replicas, err);
    *stopped = m.stopped;
    return status;
}

static spn_status keep_trace(const run_state *r, spn_error *err)
{
    char *path = NULL;
    if (!r->traced)
        return SPN_OK;
    spn_status status = xpn_job_file(&path, r->job, r->run->folder, "traces", "csv", err);
    if (!status)
        status = spn_recorder_write(&r->recorder, path, err);
    free(path);
    return status;
}

static spn_status anneal_and_measure(spn_record *out, bool *complete, run_state *r, spn_error *err)
{
    const bool whole = r->run->steps == 0;
    bool stopped = false;
    spn_snapshot snapshot;
    spn_status status = xpn_chain_settings(&r->chain, &r->values, err);
    if (!status)
        status =
            xpn_instance_make(&r->instance, &r->values, r->run->store, r->job->instance_seed, err);
    if (status)
        return status;
    out->instance_seed = r->instance.seed;
    r->work = work_of(&r->values, &r->chain, &r->job->sweep->measures, r->run->steps);
    r->share = xpn_share_start(r->run, &r->work);
    status = anneal(r, err);
    if (status || r->annealing.stop == SPN_STOP_REQUEST)
        return status;
    xpn_share_pass(&r->share, r->work.anneal);
    spn_chain_snapshot(&snapshot, r->annealing.chain);
    status = add_results(out, r, &snapshot, err);
    if (!status && whole)
        status = measure(out, &stopped, r, &snapshot, err);
    if (!status && whole && !stopped)
        status = keep_trace(r, err);
    *complete = !status && !stopped;
    return status;
}

static spn_status run_anneal(spn_record *out, bool *complete, const xpn_job *job,
                             const xpn_task_run *run, spn_error *err)
{
    run_state r = {.job = job, .run = run, .values = xpn_job_values(job)};
    r.values.defaults = defaults;
    r.chain = spn_chain_defaults();
    spn_status status = anneal_and_measure(out, complete, &r, err);
    spn_annealing_clear(&r.annealing);
    xpn_instance_clear(&r.instance);
    spn_recorder_clear(&r.recorder);
    xpn_chain_clear(&r.chain);
    free(r.settings);
    free(r.solves);
    return status;
}

const xpn_task xpn_task_anneal = {.name = "anneal",
                                  .settings = settings,
                                  .results = results,
                                  .flips = true,
                                  .profile = true,
                                  .models = false,
                                  .traces = true,
                                  .check = check,
                                  .defaults = add_defaults,
                                  .lacks = lacks,
                                  .work = work,
                                  .run = run_anneal};
