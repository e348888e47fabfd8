#include "task/ensemble.h"
#include "base/clock.h"
#include "base/memory.h"
#include "task/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

spn_status spn_ensemble_plan_make(spn_ensemble_plan *p, const spn_job *job, spn_inputs *inputs,
                                  spn_error *err)
{
    const spn_chain_settings *s = &p->settings;
    spn_chain_options *c = &p->chain;
    SPN_TRY(spn_instance_plan(&p->instance, &p->energy, job, inputs, err));
    *c = spn_chain_defaults();
    c->replicas = (size_t)s->replicas;
    c->kernel = (spn_kernel)s->kernel;
    c->order = (spn_order)s->order;
    SPN_TRY(spn_chain_read_coupling(c, s, job, err));
    if (!spn_job_text(job, "target"))
        return SPN_OK;
    c->target = SPN_TARGET_ANY;
    return spn_instance_target(&c->target_energy, &p->instance, s->target, err);
}

spn_cost spn_ensemble_cost(const spn_ensemble_plan *plan, double proposals)
{
    const double reject = 0.5, patterns_per_change = 256;
    const double change = 1 + plan->instance.patterns / patterns_per_change;
    return (spn_cost){.proposals = proposals, .work = proposals * (reject + change)};
}

SPN_NEEDS(cut_needs, spn_ensemble_plan, spn_instance_has_cuts(&p->instance),
          "the energy maxcut; show best_energy")
SPN_NEEDS(hit_needs, spn_ensemble_plan,
          p->chain.target != SPN_TARGET_NONE || spn_instance_counts_errors(&p->instance),
          "a target, such as target: 0")

const spn_quantity spn_cut_results[] = {
    {"cut", .flags = SPN_QUANTITY_BEST, .label = "largest cut met", .needs = cut_needs,
     .at = offsetof(spn_ensemble, cut), .help = "maxcut: the largest cut found by any replica"},
    {.name = NULL}};

SPN_NEEDS(program_needs, spn_ensemble_plan, p->instance.program, "a problem with constraints")

const spn_quantity spn_problem_state_results[] = {
    {"feasible", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_OPTIONAL,
     .label = "feasible share of the states", .needs = program_needs,
     .at = offsetof(spn_ensemble, feasible),
     .help = "problem: share of the states of `out` that violate no constraint that must hold"},
    {"objective", .flags = SPN_QUANTITY_BEST | SPN_QUANTITY_MAIN | SPN_QUANTITY_OPTIONAL,
     .label = "best objective of a feasible state", .needs = program_needs,
     .at = offsetof(spn_ensemble, objective),
     .help = "problem: the best objective of the feasible ones among these states"},
    {.name = NULL}};

const spn_quantity spn_ensemble_hit_results[] = {
    {.group = spn_hit_results, .at = offsetof(spn_ensemble, hit), .needs = hit_needs},
    {.name = NULL}};

spn_status spn_ensemble_take(spn_ensemble *e, double best_energy, uint64_t first_hit,
                             uint64_t first_hit_proposals, double first_hit_seconds, spn_error *err)
{
    const bool hit = first_hit != SPN_NO_HIT;
    e->stop = spn_stop_name(e->ran.stop);
    e->health = spn_health_name(spn_sampler_health(e->ran.sampler));
    e->best_energy = best_energy;
    if (spn_instance_has_cuts(&e->instance))
        e->cut = spn_instance_cut(&e->instance, best_energy);
    e->hit = (spn_hit_found){hit ? 1 : 0, hit ? (double)first_hit : NAN,
                             hit ? (double)first_hit_proposals : NAN, first_hit_seconds};
    return spn_solutions_create(&e->solutions, &e->instance, err);
}

spn_status spn_ensemble_add(spn_ensemble *e, const int8_t *spins, const double *energies,
                            spn_error *err)
{
    spn_samples *samples = e->solutions->samples;
    for (size_t a = 0; a < e->plan->chain.replicas; a++)
        SPN_TRY(spn_samples_add(samples, spins + a * e->instance.sites, energies[a], 1, err));
    return SPN_OK;
}

/* What the states of a problem are worth. */
static spn_status score_states(spn_ensemble *e, spn_error *err)
{
    const spn_program *p = e->instance.program;
    const spn_samples *samples = e->solutions->samples;
    double count = 0;
    e->objective = NAN;
    if (!p)
        return SPN_OK;
    int32_t *values = spn_alloc(spn_program_variables(p), sizeof *values);
    int8_t *spins = spn_alloc(e->instance.sites, 1);
    spn_status status = values && spins ? SPN_OK : spn_no_memory(err, "a state of a problem");
    for (size_t k = 0; !status && k < spn_samples_distinct(samples); k++) {
        const double own = (double)spn_samples_count(samples, k);
        spn_score score;
        spn_samples_spins(samples, k, spins);
        status = spn_program_energy_score(&score, values, e->instance.energy, spins, err);
        count += own;
        if (status || !score.feasible)
            continue;
        e->feasible += own;
        e->objective = spn_program_maximises(p) ? fmax(e->objective, score.objective)
                                                : fmin(e->objective, score.objective);
    }
    e->feasible /= count;
    SPN_FREE_ALL(values, spins);
    return status;
}

/* With at most a thirty-second of the proposals. */
static spn_status find_cold(spn_ensemble *e, uint64_t seed, double proposals, spn_error *err)
{
    spn_beta_range_options o = spn_beta_range_defaults();
    spn_beta_range range = {0};
    if (e->plan->cold == 0)
        return SPN_OK;
    o.seed = seed;
    o.cold = e->plan->cold;
    o.changes = spn_beta_changes(proposals);
    const spn_status status = spn_beta_range_measure(&range, e->instance.energy, &o, err);
    e->beta_cold = range.end;
    return status;
}

static spn_status sample(spn_ensemble *e, const spn_ensemble_type *type, spn_outcome *outcome,
                         const spn_job *job, const spn_run *run, spn_error *err)
{
    const double started = spn_clock(), seconds = e->plan->settings.seconds;
    const double work = job->task->cost(e->plan, run->steps).work;
    const spn_meter meter = spn_meter_start(run, work);
    char content[64];
    if (!run->steps)
        SPN_TRY(spn_solutions_try(run->product, err));
    SPN_TRY(spn_instance_make(&e->instance, &e->plan->instance, job->instance_seed, err));
    SPN_TRY(find_cold(e, job->seed, job->task->cost(e->plan, 0).proposals, err));
    SPN_TRY(type->make(e, job, run, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&e->instance));
    spn_sampler_job how = {.job = job,
                           .plan = e->plan,
                           .run = run,
                           .content = content,
                           .meter = &meter,
                           .work = work,
                           .in_all = true};
    if (seconds > 0)
        how.seconds = fmax(seconds - (spn_clock() - started), 1e-6);
    return spn_sampler_job_run(&e->ran, outcome, &how, err);
}

spn_status spn_ensemble_run(spn_ensemble *e, const spn_ensemble_type *type, spn_record *out,
                            spn_outcome *outcome, const void *plan, const spn_job *job,
                            const spn_run *run, spn_error *err)
{
    spn_status status;
    e->plan = plan;
    SPN_TRY_OR(cleanup, sample(e, type, outcome, job, run, err));
    out->instance_seed = e->instance.seed;
    SPN_TRY_OR(cleanup, type->take(e, err));
    if (!e->solutions) /* stopped before there was anything */
        goto cleanup;
    SPN_TRY_OR(cleanup, type->collect(e, err));
    SPN_TRY_OR(cleanup, score_states(e, err));
    SPN_TRY_OR(cleanup, spn_results_add(out, type->results, e, plan, run->details, err));
    if (run->details) {
        SPN_TRY_OR(cleanup, spn_instance_note(out, &e->instance, err));
        SPN_TRY_OR(cleanup, type->note(out, e, err));
    }
    SPN_TRY_OR(cleanup, spn_samples_recompute(e->solutions->samples, e->instance.energy, err));
    spn_samples_sort(e->solutions->samples);
    if (run->steps == 0 && run->product)
        SPN_TRY_OR(cleanup, spn_solutions_write(e->solutions, run->product, err));
    if (run->solutions) {
        *run->solutions = e->solutions;
        e->solutions = NULL;
    }
cleanup:
    spn_solutions_free(e->solutions);
    spn_sampler_free(e->ran.sampler);
    spn_instance_clear(&e->instance);
    return status;
}
