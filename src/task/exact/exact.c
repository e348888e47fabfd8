/* The task `exact`: distributions, constants, chains and dense regions of a small energy at one
   point (y, beta, gamma), and the distribution of an annealed chain, all by enumeration. Use a
   sweep for several values. docs/theory.md defines every quantity. */
#include "task/exact/exact.h"
#include "base/clock.h"
#include "job/run.h"
#include "record/record.h"
#include "task/tables.h"

#include <math.h>
#include <spinney/pause.h>

static const char *chain_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    if (p->no_chain)
        return "no-chain leaves it out";
    if (p->chains)
        return NULL;
    return isinf(p->beta) ? "a chain needs a finite beta" : p->no_chain_text;
}

SPN_NEEDS(density_needs, spn_exact_plan, p->density, "set density")
SPN_NEEDS(joint_needs, spn_exact_plan, p->joint != SPN_EXACT_JOINT_NONE, "joint")
SPN_NEEDS(schedule_needs, spn_exact_plan, p->schedule, "give a schedule")

static const spn_quantity results[] = {
    {.help = "Landscape"},
    {.group = spn_exact_landscape_results},
    {.group = spn_exact_minima_results},
    {.help = "Law"},
    {.group = spn_exact_law_results, .needs = spn_exact_law_needs},
    {.help = "Constants"},
    {.group = spn_exact_constants_results},
    {.help = "Chains"},
    {.group = spn_exact_chain_results, .needs = chain_needs},
    {.help = "Dense regions"},
    {.group = spn_exact_dense_results, .needs = spn_exact_dense_needs},
    {.group = spn_exact_density_results, .needs = density_needs},
    {.help = "Joint chain"},
    {.group = spn_exact_joint_results, .needs = joint_needs},
    {.help = "Convergence"},
    {.group = spn_exact_annealing_results, .needs = schedule_needs},
    SPN_SECONDS_QUANTITY,
    {0}};

/* Run all parts until a stop. The results and the error of a stopped part are discarded. */
static spn_status compute(spn_exact_run *r, bool *complete, const spn_run *run)
{
    static spn_status (*const parts[])(spn_exact_run *) = {
        spn_exact_landscape, spn_exact_chains, spn_exact_constants,   spn_exact_law,
        spn_exact_dense,     spn_exact_minima, spn_exact_joint_chain, spn_exact_annealed};
    enum { COUNT = sizeof parts / sizeof *parts };
    const spn_meter meter = spn_meter_start(run, COUNT);
    const spn_error err = r->err ? *r->err : (spn_error){0};
    spn_status status = SPN_OK;
    bool stopped = spn_pause_stopped() || spn_stop_asked(run->stop);
    for (size_t k = 0; k < COUNT && !status && !stopped; k++) {
        const spn_record before = *r->out;
        status = parts[k](r);
        if (spn_pause_stopped()) {
            spn_record_cut(r->out, &before);
            status = SPN_OK;
            if (r->err)
                *r->err = err;
        }
        spn_meter_show(&meter, (double)(k + 1), 1);
        stopped = spn_pause_stopped() || spn_stop_asked(run->stop);
    }
    *complete = !stopped;
    return status;
}

static spn_status run_exact(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_exact_plan *p = plan;
    spn_instance instance = {0};
    spn_landscape *landscape = NULL;
    spn_exact_run r = {.plan = p, .details = run->details, .out = out, .err = err};
    const unsigned threads = p->threads ? (unsigned)p->threads : job->key ? 1 : 0;
    spn_status status = spn_instance_make(&instance, &p->instance, job->instance_seed, err);
    if (!status)
        status = spn_landscape_create(&landscape, instance.energy, threads, err);
    r.landscape = landscape;
    out->instance_seed = instance.seed;
    if (spn_pause_stopped())
        status = SPN_OK;
    else if (!status)
        status = compute(&r, &outcome->complete, run);
    spn_dense_set_free(r.dense);
    spn_landscape_free(landscape);
    spn_instance_clear(&instance);
    return status;
}

static spn_status resolve_exact(spn_record *out, const void *plan, const spn_job *job,
                                spn_error *err)
{
    (void)job;
    return spn_instance_resolve(out, &((const spn_exact_plan *)plan)->instance, err);
}

const spn_task spn_exact_task = {
    .name = "exact",
    .summary = "exact distributions, chains and dense regions of a small energy",
    .details =
        "Bit i of a state's index is set if spin i is +1; the first spin is bit 0. Replica a of a\n"
        "replicated state holds bits N(a-1) to Na-1. docs/theory.md defines every quantity, and\n"
        "experiments/exact/ has sweeps over ranges of values.\n",
    .examples =
        "  spinney exact --energy bits --random 9,3,1 --beta 1 --gamma 0.5\n"
        "  spinney exact --code 0111100,1011010,1101001 --ball 1 --beta inf --best-gamma 0:4:0.1\n"
        "  spinney exact --energy bits --random 5,3,1 --grid beta=1:8:0.5 --y gap_two_stage\n",
    .settings = spn_exact_settings,
    .results = results,
    .plan_size = sizeof(spn_exact_plan),
    .plan = spn_exact_make_plan,
    .clear = spn_exact_clear_plan,
    .resolve = resolve_exact,
    .cost = spn_exact_cost,
    .run = run_exact};
