/* The task `descent`: from a random state downhill to a local minimum. */
#include "base/try.h"
#include "job/energy_settings.h"
#include "job/run.h"
#include "record/record.h"

#include <inttypes.h>
#include <spinney/descent.h>
#include <stdio.h>

typedef struct descent_plan {
    spn_energy_settings energy;
    uint64_t seed;
    double seconds;
    spn_instance instance;
} descent_plan;

#define AT(member) .at = offsetof(descent_plan, member)
static const spn_setting settings[] = {
    {.group = spn_energy_rows, AT(energy)},
    SPN_HEADING("Run"),
    {"seed", SPN_SETTING_WHOLE, .flags = SPN_SETTING_SEED, .argument = "S", .fallback = "1",
     .least = 0, .most = (double)INT64_MAX, AT(seed), .help = "seed of the first state"},
    {"time", SPN_SETTING_REAL, .argument = "SECONDS", .unit = "seconds", .otherwise = "no limit",
     .least = 1e-3, .most = 1e9, AT(seconds), .help = "stop after this time"},
    {.name = NULL}};
#undef AT

typedef struct descended {
    spn_instance instance;
    spn_ran ran;
    double energy, flips, steps;
    const char *stop;
} descended;

#define AT(member) .at = offsetof(descended, member)
static const spn_quantity results[] = {
    {"best_energy", AT(energy), .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST,
     .help = "energy of the local minimum"},
    {"flips", AT(flips), .help = "flips on the way"},
    {"steps_done", AT(steps), .unit = "steps", .help = "sites looked at"},
    {"stop", SPN_QUANTITY_TEXT, AT(stop), .help = "why it ended: steps, time or interrupted"},
    SPN_SECONDS_QUANTITY,
    {.name = NULL}};
#undef AT

static spn_status plan_descent(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    descent_plan *p = plan;
    return spn_instance_plan(&p->instance, &p->energy, job, inputs, err);
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const double passes = 10;
    const descent_plan *p = plan;
    const double work = steps ? (double)steps : passes * (double)p->instance.sites;
    return (spn_cost){.proposals = work, .work = work};
}

static spn_status descend(descended *d, spn_outcome *outcome, const descent_plan *p,
                          const spn_job *job, const spn_run *run, spn_error *err)
{
    char content[64];
    uint64_t flips;
    const spn_meter meter = spn_meter_start(run, cost(p, run->steps).work);
    SPN_TRY(spn_instance_make(&d->instance, &p->instance, job->instance_seed, err));
    SPN_TRY(spn_descent_create(&d->ran.sampler, d->instance.energy, job->seed, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&d->instance));
    const spn_sampler_job how = {.job = job,
                                 .plan = p,
                                 .run = run,
                                 .content = content,
                                 .meter = &meter,
                                 .work = cost(p, run->steps).work,
                                 .seconds = p->seconds,
                                 .in_all = true};
    SPN_TRY(spn_sampler_job_run(&d->ran, outcome, &how, err));
    spn_progress progress;
    spn_sampler_look(&progress, d->ran.sampler);
    spn_descent_state(d->ran.sampler, &d->energy, &flips);
    d->flips = (double)flips;
    d->steps = (double)progress.step;
    d->stop = spn_stop_name(d->ran.stop);
    return SPN_OK;
}

static spn_status run_descent(spn_record *out, spn_outcome *outcome, const void *plan,
                              const spn_job *job, const spn_run *run, spn_error *err)
{
    descended d = {.energy = 0};
    spn_status status = descend(&d, outcome, plan, job, run, err);
    if (!status)
        status = spn_results_add(out, results, &d, plan, run->details, err);
    spn_sampler_free(d.ran.sampler);
    spn_instance_clear(&d.instance);
    return status;
}

const spn_task spn_descent_task = {.name = "descent",
                                   .summary = "go downhill to a local minimum",
                                   .chain = true,
                                   .settings = settings,
                                   .results = results,
                                   .plan_size = sizeof(descent_plan),
                                   .plan = plan_descent,
                                   .cost = cost,
                                   .run = run_descent};
