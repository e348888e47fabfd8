/* The task `temper`: a ladder of replicated chains that swap their temperatures, of any built-in
   energy. */
#include "base/memory.h"
#include "job/energy_settings.h"
#include "job/solutions.h"
#include "record/record.h"
#include "task/chain_job.h"
#include "task/ladder_job.h"
#include "task/tasks.h"
#include "task/teacher.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- settings and results ---- */

typedef struct temper_plan {
    spn_energy_settings energy;
    spn_ladder_settings settings;
    /* What they make. */
    spn_instance instance;
    spn_ladder_plan ladder;
} temper_plan;

static const spn_setting settings[] = {
    {.group = spn_energy_rows, .at = offsetof(temper_plan, energy)},
    {.group = spn_ladder_rows, .at = offsetof(temper_plan, settings)},
    {.name = NULL}};

static const spn_quantity results[] = {
    {"cut", .flags = SPN_QUANTITY_BEST, .label = "largest cut met",
     .help = "maxcut: the largest cut found by any replica"},
    {"best_energy", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST, .label = "lowest energy met",
     .help = "the lowest energy found by any replica of any rung"},
    {"energy", .label = "mean energy on the last rung",
     .help = "energy on the last rung, averaged over its replicas and the scans of the last round"},
    {"overlap", .label = "mean overlap of the replicas",
     .help = "last rung: scalar product of two replicas over N, averaged over all pairs; 1 for one "
             "replica"},
    SPN_LADDER_QUANTITIES,
    {.group = spn_hit_results},
    SPN_TEACHER_QUANTITIES("of the last rung"),
    SPN_RUNG_QUANTITIES,
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

static bool counts_hits(const temper_plan *p, const spn_instance *instance)
{
    return p->ladder.chain.target != SPN_TARGET_NONE || spn_instance_counts_errors(instance);
}

static const char *missing(const void *plan, const char *result)
{
    const temper_plan *p = plan;
    const bool hit = strncmp(result, "first_hit_", strlen("first_hit_")) == 0;
    if (strcmp(result, "cut") == 0 && !spn_instance_has_cuts(&p->instance))
        return "the energy maxcut; show best_energy";
    if ((hit || strcmp(result, "solved") == 0) && !counts_hits(p, &p->instance))
        return "a target, such as target: 0";
    if (spn_teacher_missing(result, &p->instance))
        return spn_teacher_missing(result, &p->instance);
    return spn_ladder_job_missing(result, &p->ladder);
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

/* A ladder that was run. */
typedef struct tempered {
    const temper_plan *plan;
    spn_instance instance;
    spn_resumable_ladder run;
    spn_solutions *solutions;
} tempered;

static spn_status add_best(spn_record *out, const tempered *t, spn_error *err)
{
    const spn_sampler *ladder = t->run.ladder;
    spn_ladder_progress progress;
    spn_ladder_rung last;
    spn_snapshot s;
    spn_ladder_look(&progress, ladder);
    spn_ladder_look_at_rung(&last, ladder, spn_ladder_rungs(ladder) - 1);
    spn_ladder_walker(&s, ladder, 0);
    const double best = progress.best_energy;
    spn_status status = SPN_OK;
    if (spn_instance_has_cuts(&t->instance))
        status =
            spn_record_add_result(out, "cut", spn_instance_cut_of_energy(&t->instance, best), err);
    if (!status)
        status = spn_record_add_result(out, "best_energy", best, err);
    if (!status)
        status = spn_record_add_result(out, "energy", last.energy / (double)s.replicas, err);
    return status ? status : spn_record_add_result(out, "overlap", last.overlap, err);
}

/* Of the walker on the last rung; while each changes its rung by itself there may be none. */
static spn_status add_learnt(spn_record *out, const tempered *t, spn_error *err)
{
    const spn_sampler *ladder = t->run.ladder;
    spn_ladder_rung last;
    spn_snapshot s;
    spn_ladder_look_at_rung(&last, ladder, spn_ladder_rungs(ladder) - 1);
    if (last.walker == SIZE_MAX)
        return SPN_OK;
    spn_ladder_walker(&s, ladder, last.walker);
    return spn_teacher_record(out, &t->instance, &s, err);
}

static spn_status add_results(spn_record *out, const tempered *t, bool with_details, spn_error *err)
{
    spn_status status;
    out->instance_seed = t->instance.seed;
    if ((status = add_best(out, t, err)) ||
        (status = spn_ladder_job_record(out, &t->run, &t->plan->ladder, err)))
        return status;
    if (counts_hits(t->plan, &t->instance) &&
        (status = spn_ladder_job_record_hit(out, &t->run, err)))
        return status;
    if ((status = add_learnt(out, t, err)) || !with_details)
        return status;
    status = spn_instance_note(out, &t->instance, err);
    return status ? status : spn_ladder_job_note(out, &t->run, &t->plan->ladder, err);
}

/* ---- states ---- */

/* The states of the last rung that were kept, each replica for itself. */
static spn_status collect_kept(spn_samples *out, const tempered *t, size_t replicas, size_t sites,
                               spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < spn_ladder_kept(t->run.ladder) && !status; k++) {
        const int8_t *spins;
        const double *energies;
        spn_ladder_kept_state(t->run.ladder, k, &spins, &energies, NULL, NULL);
        for (size_t a = 0; a < replicas && !status; a++)
            status = spn_samples_add(out, spins + a * sites, energies[a], 1, err);
    }
    return status;
}

/* The best states of each replica of each walker. */
static spn_status collect_best(spn_samples *out, const tempered *t, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t w = 0; w < spn_ladder_walkers(t->run.ladder) && !status; w++) {
        spn_snapshot s;
        spn_ladder_walker(&s, t->run.ladder, w);
        for (size_t a = 0; a < s.replicas && !status; a++)
            status = spn_samples_add(out, s.best_spins + a * s.sites, s.best_energy[a], 1, err);
    }
    return status;
}

static spn_status collect(tempered *t, spn_error *err)
{
    spn_snapshot s;
    spn_ladder_walker(&s, t->run.ladder, 0);
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

static spn_status temper(tempered *t, spn_outcome *outcome, const spn_job *job, const spn_run *run,
                         spn_error *err)
{
    char content[64];
    const double work = cost(t->plan, run->steps).work;
    const spn_meter meter = spn_meter_start(run, work);
    spn_status status = run->steps ? SPN_OK : spn_solutions_try(run->product, err);
    if (!status)
        status = spn_instance_make(&t->instance, &t->plan->instance, job->instance_seed, err);
    if (status)
        return status;
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&t->instance));
    const spn_ladder_job how = {.job = job,
                                .plan = t->plan,
                                .run = run,
                                .ladder = &t->plan->ladder,
                                .energy = t->instance.energy,
                                .content = content,
                                .meter = &meter,
                                .work = work};
    return spn_ladder_job_run(&t->run, outcome, &how, err);
}

static spn_status run_temper(spn_record *out, spn_outcome *outcome, const void *plan,
                             const spn_job *job, const spn_run *run, spn_error *err)
{
    tempered t = {.plan = plan};
    spn_status status;
    if ((status = temper(&t, outcome, job, run, err)) ||
        (status = add_results(out, &t, run->details, err)) || (status = collect(&t, err)))
        goto cleanup;
    if (run->steps == 0 && run->product)
        status = spn_solutions_write(t.solutions, run->product, err);
cleanup:
    if (run->solutions && !status) {
        *run->solutions = t.solutions;
        t.solutions = NULL;
    }
    spn_solutions_free(t.solutions);
    spn_resumable_ladder_clear(&t.run);
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
    .missing = missing,
    .cost = cost,
    .run = run_temper};
