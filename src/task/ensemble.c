#include "task/ensemble.h"

#include "base/clock.h"
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

spn_status spn_ensemble_start(spn_ensemble *out, const spn_ensemble_plan *plan, const spn_job *job,
                              const spn_run *run, spn_error *err)
{
    out->plan = plan;
    out->started = spn_clock();
    if (!run->steps)
        SPN_TRY(spn_solutions_try(run->product, err));
    return spn_instance_make(&out->instance, &plan->instance, job->instance_seed, err);
}

spn_status spn_ensemble_find_cold(double *beta, const spn_ensemble *e, uint64_t seed,
                                  double proposals, spn_error *err)
{
    spn_beta_range_options o = spn_beta_range_defaults();
    spn_beta_range range;
    if (e->plan->cold == 0)
        return SPN_OK;
    o.seed = seed;
    o.cold = e->plan->cold;
    o.changes = spn_beta_changes(proposals);
    SPN_TRY(spn_beta_range_measure(&range, e->instance.energy, &o, err));
    *beta = range.end;
    return SPN_OK;
}

spn_status spn_ensemble_run(spn_ensemble *e, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, double work, spn_error *err)
{
    char content[64];
    const double seconds = e->plan->settings.seconds;
    const spn_meter meter = spn_meter_start(run, work);
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&e->instance));
    spn_sampler_job how = {.job = job,
                           .plan = plan,
                           .run = run,
                           .content = content,
                           .meter = &meter,
                           .work = work,
                           .in_all = true};
    if (seconds > 0)
        how.seconds = fmax(seconds - (spn_clock() - e->started), 1e-6);
    return spn_sampler_job_run(&e->ran, outcome, &how, err);
}

spn_status spn_ensemble_add(spn_ensemble *e, const int8_t *spins, const double *energies,
                            spn_error *err)
{
    spn_samples *samples = e->solutions->samples;
    for (size_t a = 0; a < e->plan->chain.replicas; a++)
        SPN_TRY(spn_samples_add(samples, spins + a * e->instance.sites, energies[a], 1, err));
    return SPN_OK;
}

spn_status spn_ensemble_finish(spn_ensemble *e, const spn_run *run, spn_status status,
                               spn_error *err)
{
    const bool any = !status && e->solutions;
    if (any)
        spn_samples_sort(e->solutions->samples);
    if (any && run->steps == 0 && run->product)
        status = spn_solutions_write(e->solutions, run->product, err);
    if (any && run->solutions && !status) {
        *run->solutions = e->solutions;
        e->solutions = NULL;
    }
    spn_solutions_free(e->solutions);
    spn_sampler_free(e->ran.sampler);
    spn_instance_clear(&e->instance);
    return status;
}
