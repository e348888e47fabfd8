/* The task `temper`: a ladder of replicated chains that swap their temperatures, of any built-in
   energy. */
#include "base/clock.h"
#include "base/try.h"
#include "job/energy_settings.h"
#include "job/results.h"
#include "job/solutions.h"
#include "record/record.h"
#include "task/chain_ready.h"
#include "task/ladder_results.h"
#include "task/teacher.h"
#include <spinney/lab/task.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- settings and results ---- */

typedef struct temper_plan {
    spn_energy_settings energy;
    spn_ladder_settings settings;
    /* What they make. */
    spn_instance instance;
    spn_ladder_plan ladder;
} temper_plan;

/* A ladder that was run, and what was found. */
typedef struct tempered {
    const temper_plan *plan;
    spn_instance instance;
    spn_ran ran;
    spn_solutions *solutions;
    double best_energy;
    spn_ladder_found found;
    bool has_learnt; /* the instance has a teacher, and a walker is on the last rung */
    spn_teacher_found learnt;
} tempered;

static const spn_setting settings[] = {
    {.group = spn_energy_rows, .at = offsetof(temper_plan, energy)},
    {.group = spn_ladder_rows, .at = offsetof(temper_plan, settings)},
    {.name = NULL}};

static const char *cut_needs(const void *plan)
{
    const temper_plan *p = plan;
    return spn_instance_has_cuts(&p->instance) ? NULL : "the energy maxcut; show best_energy";
}

static double cut_of(const void *run)
{
    const tempered *t = run;
    return spn_instance_cut_of_energy(&t->instance, t->best_energy);
}

static const char *hit_needs(const void *plan)
{
    const temper_plan *p = plan;
    return p->ladder.chain.target != SPN_TARGET_NONE || spn_instance_counts_errors(&p->instance)
               ? NULL
               : "a target, such as target: 0";
}

static const char *learnt_needs(const void *plan)
{
    return spn_teacher_needs(&((const temper_plan *)plan)->instance);
}

static const void *learnt_of(const void *run)
{
    const tempered *t = run;
    return t->has_learnt ? &t->learnt : NULL;
}

static const spn_quantity teacher_results[] = {SPN_TEACHER_ROWS("of the last rung")};

static const spn_quantity results[] = {
    {"cut", .flags = SPN_QUANTITY_BEST, .label = "largest cut met", .needs = cut_needs,
     .number = cut_of, .help = "maxcut: the largest cut found by any replica"},
    {"best_energy", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST, .label = "lowest energy met",
     .at = offsetof(tempered, best_energy),
     .help = "the lowest energy found by any replica of any rung"},
    {.group = spn_ladder_results,
     .at = offsetof(tempered, found),
     .plan_at = offsetof(temper_plan, ladder)},
    {.group = spn_hit_results, .at = offsetof(tempered, found.hit), .needs = hit_needs},
    {.group = teacher_results, .of = learnt_of, .needs = learnt_needs},
    {.help = "Each rung, in the last round"},
    {.group = spn_rung_results, .at = offsetof(tempered, found.rungs)},
    {.name = NULL}};

static const char details[] =
    "Ctrl-C ends the run after the current scan and reports the results so far.\n";

static const char examples[] =
    "  spinney temper --energy ising --graph glass.txt --threads 2\n"
    "  spinney temper --energy qubo --graph shopping.txt --keep-every 10 --out thermal.csv\n"
    "  spinney temper --energy ising --graph glass.txt --y rungs.rejection --plot ladder.svg\n";

/* ---- planning ---- */

static spn_status plan_temper(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    temper_plan *p = plan;
    spn_chain_options *chain = &p->ladder.chain;
    spn_status status = spn_instance_plan(&p->instance, &p->energy, job, inputs, err);
    if (!status)
        status = spn_ladder_plan_make(&p->ladder, &p->settings, job, p->instance.sites, err);
    if (status || chain->target == SPN_TARGET_NONE)
        return status;
    return spn_instance_target(&chain->target_energy, &p->instance, p->settings.chain.target, err);
}

static void clear(void *plan)
{
    spn_ladder_plan_clear(&((temper_plan *)plan)->ladder);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const temper_plan *p = plan;
    const spn_status status = spn_instance_resolve(out, &p->instance, err);
    return status ? status : spn_ladder_plan_resolve(out, &p->ladder, job, err);
}

/* In units of about ten nanoseconds, as that of anneal. */
static spn_cost cost(const void *plan, uint64_t steps)
{
    const double reject = 0.5, patterns_per_change = 256;
    const temper_plan *p = plan;
    const double proposals = spn_ladder_plan_proposals(&p->ladder, steps);
    const double change = 1 + p->instance.patterns / patterns_per_change;
    return (spn_cost){.proposals = proposals, .work = proposals * (reject + change)};
}

/* ---- results ---- */

/* Of the walker on the last rung; while each changes its rung by itself there may be none. */
static spn_status learn(tempered *t, spn_error *err)
{
    const spn_sampler *ladder = t->ran.sampler;
    spn_ladder_rung last;
    spn_snapshot s;
    spn_ladder_look_at_rung(&last, ladder, spn_ladder_rungs(ladder) - 1);
    if (last.walker == SIZE_MAX || spn_teacher_needs(&t->instance))
        return SPN_OK;
    t->has_learnt = true;
    spn_ladder_walker(&s, ladder, last.walker);
    return spn_teacher_measure(&t->learnt, &t->instance, &s, err);
}

static spn_status add_results(spn_record *out, tempered *t, bool with_details, spn_error *err)
{
    spn_progress now;
    spn_sampler_look(&now, t->ran.sampler);
    t->best_energy = now.best_energy;
    out->instance_seed = t->instance.seed;
    SPN_TRY(spn_ladder_found_take(&t->found, &t->ran, err));
    SPN_TRY(learn(t, err));
    SPN_TRY(spn_results_add(out, results, t, t->plan, with_details, err));
    if (!with_details)
        return SPN_OK;
    SPN_TRY(spn_instance_note(out, &t->instance, err));
    return spn_ladder_note(out, t->ran.sampler, &t->found, &t->plan->ladder, err);
}

/* ---- states ---- */

/* The states of the last rung that were kept, each replica for itself. */
static spn_status collect_kept(spn_samples *out, const tempered *t, size_t replicas, size_t sites,
                               spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < spn_ladder_kept(t->ran.sampler) && !status; k++) {
        const int8_t *spins;
        const double *energies;
        spn_ladder_kept_state(t->ran.sampler, k, &spins, &energies, NULL, NULL);
        for (size_t a = 0; a < replicas && !status; a++)
            status = spn_samples_add(out, spins + a * sites, energies[a], 1, err);
    }
    return status;
}

/* The best states of each replica of each walker. */
static spn_status collect_best(spn_samples *out, const tempered *t, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t w = 0; w < spn_ladder_walkers(t->ran.sampler) && !status; w++) {
        spn_snapshot s;
        spn_ladder_walker(&s, t->ran.sampler, w);
        for (size_t a = 0; a < s.replicas && !status; a++)
            status = spn_samples_add(out, s.best_spins + a * s.sites, s.best_energy[a], 1, err);
    }
    return status;
}

static spn_status collect(tempered *t, spn_error *err)
{
    spn_snapshot s;
    spn_ladder_walker(&s, t->ran.sampler, 0);
    spn_status status = spn_solutions_create(&t->solutions, &t->instance, err);
    if (status)
        return status;
    spn_samples *samples = t->solutions->samples;
    status = t->plan->ladder.options.keep ? collect_kept(samples, t, s.replicas, s.sites, err)
                                          : collect_best(samples, t, err);
    spn_samples_sort(samples);
    return status;
}

/* ---- the run ---- */

/* The cold end of beta, if the energy decides on it: by at most a thirty-second of the run's
   proposals. */
static spn_status find_cold_end(spn_ladder_options *out, const tempered *t, uint64_t seed,
                                spn_error *err)
{
    const spn_ladder_plan *plan = &t->plan->ladder;
    spn_beta_range_options o = spn_beta_range_defaults();
    spn_beta_range range;
    if (plan->cold == 0)
        return SPN_OK;
    o.seed = seed;
    o.cold = plan->cold;
    o.changes = spn_beta_changes(spn_ladder_plan_proposals(plan, 0));
    SPN_TRY(spn_beta_range_measure(&range, t->instance.energy, &o, err));
    out->beta_last = range.end;
    if (out->beta_first < out->beta_last)
        return SPN_OK;
    return spn_setting_fail("beta", err,
                            "the cold end that the energy asks for, %.4g, is not above %.4g, that "
                            "of the first rung",
                            out->beta_last, out->beta_first);
}

/* A run of few steps, for calibration, is one round. The method simulated needs the round before
   its last: there all but the first third are the last. */
static void shorten(spn_ladder_options *o, uint64_t steps)
{
    o->scan_steps = o->scan_steps < steps ? o->scan_steps : steps;
    o->scans = (steps + o->scan_steps - 1) / o->scan_steps;
    o->rounds = o->method == SPN_LADDER_SIMULATED ? 2 : 1;
    o->keep = 0;
}

static spn_status make_ladder(tempered *t, uint64_t seed, uint64_t steps, spn_error *err)
{
    spn_ladder_options ladder = t->plan->ladder.options;
    spn_chain_options chain = t->plan->ladder.chain;
    SPN_TRY(find_cold_end(&ladder, t, seed, err));
    if (steps)
        shorten(&ladder, steps);
    chain.seed = seed;
    ladder.chain = &chain;
    return spn_ladder_create(&t->ran.sampler, t->instance.energy, &ladder, err);
}

static spn_status temper(tempered *t, spn_outcome *outcome, const spn_job *job, const spn_run *run,
                         spn_error *err)
{
    char content[64];
    const double started = spn_clock(), work = cost(t->plan, run->steps).work;
    const spn_meter meter = spn_meter_start(run, work);
    if (run->trace && t->plan->ladder.options.method == SPN_LADDER_SIMULATED)
        return spn_setting_fail("method", err,
                                "a trace is of the last rung, where simulated may have no walker, "
                                "or several; give another method, or leave the trace out");
    if (!run->steps)
        SPN_TRY(spn_solutions_try(run->product, err));
    SPN_TRY(spn_instance_make(&t->instance, &t->plan->instance, job->instance_seed, err));
    SPN_TRY(make_ladder(t, job->seed, run->steps, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&t->instance));
    spn_sampler_job how = {.job = job,
                           .plan = t->plan,
                           .run = run,
                           .content = content,
                           .meter = &meter,
                           .work = work,
                           .in_all = true};
    if (t->plan->ladder.seconds > 0)
        how.seconds = fmax(t->plan->ladder.seconds - (spn_clock() - started), 1e-6);
    return spn_sampler_job_run(&t->ran, outcome, &how, err);
}

static spn_status run_temper(spn_record *out, spn_outcome *outcome, const void *plan,
                             const spn_job *job, const spn_run *run, spn_error *err)
{
    tempered t = {.plan = plan};
    spn_status status;
    SPN_TRY_OR(cleanup, temper(&t, outcome, job, run, err));
    SPN_TRY_OR(cleanup, add_results(out, &t, run->details, err));
    SPN_TRY_OR(cleanup, collect(&t, err));
    if (run->steps == 0 && run->product)
        status = spn_solutions_write(t.solutions, run->product, err);
cleanup:
    if (run->solutions && !status) {
        *run->solutions = t.solutions;
        t.solutions = NULL;
    }
    spn_solutions_free(t.solutions);
    spn_ladder_found_clear(&t.found);
    spn_sampler_free(t.ran.sampler);
    spn_instance_clear(&t.instance);
    return status;
}

const spn_task spn_temper_task = {
    .name = "temper",
    .summary = "sample and minimise by parallel tempering, and estimate log Z",
    .details = details,
    .examples = examples,
    .product = "the best states, or with `keep-every` samples of the last rung; .csv, .npy "
               "and .json hold energies and counts, other names one state per line",
    .product_extension = "txt",
    .chain = true,
    .settings = settings,
    .results = results,
    .plan_size = sizeof(temper_plan),
    .plan = plan_temper,
    .clear = clear,
    .resolve = resolve,
    .cost = cost,
    .run = run_temper};
