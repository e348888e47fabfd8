/* The task exact: the laws, constants, chains and dense regions of a small energy at one point
   (y, beta, gamma), and the law of an annealed chain, all by enumeration. A list or a range of
   values is a sweep. docs/theory.md defines every quantity. */
#include "base/clock.h"
#include "job/progress.h"
#include "record/record.h"
#include "task/exact/curves.h"
#include "task/exact/run.h"
#include <spinney/lab/task.h>

#include <math.h>
#include <spinney/pause.h>

/* ---- the parts of the work, in their order ---- */

static void put_law(spn_exact_run *r, const spn_run *run)
{
    spn_exact_put_law(r, run->details);
}

static void put_landscape(spn_exact_run *r, const spn_run *run)
{
    (void)run;
    spn_exact_put_landscape(r);
    spn_exact_make_dense(r);
}

static void put_chains(spn_exact_run *r, const spn_run *run)
{
    (void)run;
    spn_exact_put_chains(r);
}

static void put_constants(spn_exact_run *r, const spn_run *run)
{
    (void)run;
    spn_exact_put_constants(r);
}

static void put_dense(spn_exact_run *r, const spn_run *run)
{
    (void)run;
    spn_exact_put_dense(r);
}

static void put_minima(spn_exact_run *r, const spn_run *run)
{
    r->status = spn_exact_add_minima(r->out, r->landscape, r->plan->density, run->details, r->err);
}

static void put_joint(spn_exact_run *r, const spn_run *run)
{
    const spn_exact_plan *p = r->plan;
    (void)run;
    if (p->joint != SPN_EXACT_JOINT_NONE)
        r->status = spn_exact_joint_run(r->out, &p->ladder_chain, r->landscape, r->err);
}

static void put_annealing(spn_exact_run *r, const spn_run *run)
{
    const spn_exact_plan *p = r->plan;
    (void)run;
    if (p->schedule)
        r->status = spn_exact_annealing_run(r->out, &p->annealing, r->landscape, r->err);
}

/* What a part that was stopped has made is worthless, its error too. */
static void drop_part(spn_exact_run *r, const spn_record_size *before, const spn_error *err)
{
    spn_record_cut(r->out, before);
    r->status = SPN_OK;
    if (r->err)
        *r->err = *err;
}

/* Each part but the last of those that a stop left is whole. */
static bool compute(spn_exact_run *r, const spn_run *run)
{
    static void (*const parts[])(spn_exact_run *, const spn_run *) = {
        put_landscape, put_chains, put_constants, put_law,
        put_dense,     put_minima, put_joint,     put_annealing};
    enum { COUNT = sizeof parts / sizeof *parts };
    const spn_meter meter = spn_meter_start(run, COUNT);
    const spn_error err = r->err ? *r->err : (spn_error){0};
    bool stopped = spn_pause_stopped() || spn_stop_asked(run->stop);
    for (size_t k = 0; k < COUNT && !r->status && !stopped; k++) {
        const spn_record_size before = spn_record_size_of(r->out);
        parts[k](r, run);
        if (spn_pause_stopped())
            drop_part(r, &before, &err);
        spn_meter_show(&meter, (double)(k + 1), 1);
        stopped = spn_pause_stopped() || spn_stop_asked(run->stop);
    }
    return !stopped;
}

static spn_status run_exact(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_exact_plan *p = plan;
    spn_instance instance = {0};
    spn_landscape *landscape = NULL;
    spn_exact_run r = {.plan = p, .out = out, .err = err};
    const unsigned threads = p->threads ? (unsigned)p->threads : job->key ? 1 : 0;
    r.status = spn_instance_make(&instance, &p->instance, job->instance_seed, err);
    if (!r.status)
        r.status = spn_landscape_create(&landscape, instance.energy, threads, err);
    r.landscape = landscape;
    out->instance_seed = instance.seed;
    if (spn_pause_stopped())
        r.status = SPN_OK;
    else if (!r.status)
        outcome->complete = compute(&r, run);
    spn_dense_set_free(r.dense);
    spn_landscape_free(landscape);
    spn_instance_clear(&instance);
    return r.status;
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
    .results = spn_exact_results,
    .plan_size = sizeof(spn_exact_plan),
    .plan = spn_exact_make_plan,
    .clear = spn_exact_clear_plan,
    .resolve = resolve_exact,
    .cost = spn_exact_cost,
    .run = run_exact};
