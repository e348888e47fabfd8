/* The task exact: the laws, constants, chains and dense regions of a small energy at one point
   (y, beta, gamma), and the law of an annealed chain, all by enumeration. A list or a range of
   values is a sweep. docs/theory.md defines every quantity. */
#include "job/exact_curves.h"
#include "job/exact_run.h"
#include "job/tasks.h"

#include <math.h>

/* Whether there is no error, and nobody wants to stop. */
static bool goes_on(const spn_exact_run *r, const spn_run *run)
{
    return !r->status && !(run->stop && *run->stop);
}

static void compute(spn_exact_run *r, const spn_run *run)
{
    const spn_exact_plan *p = r->plan;
    spn_exact_put_landscape(r);
    spn_exact_make_dense(r);
    if (goes_on(r, run))
        spn_exact_put_chains(r);
    spn_exact_put_constants(r);
    if (goes_on(r, run))
        spn_exact_put_law(r, run->details);
    if (goes_on(r, run))
        spn_exact_put_dense(r);
    if (goes_on(r, run))
        r->status = spn_exact_add_minima(r->out, r->landscape, p->density, run->details, r->err);
    if (goes_on(r, run) && p->joint != SPN_EXACT_JOINT_NONE)
        r->status = spn_exact_joint_run(r->out, &p->ladder_chain, r->landscape, r->err);
    if (goes_on(r, run) && p->schedule)
        r->status = spn_exact_annealing_run(r->out, &p->annealing, r->landscape, r->err);
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
    if (!r.status)
        compute(&r, run);
    outcome->complete = goes_on(&r, run);
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
    .summary = "compute the laws, chains and dense regions of a small energy exactly",
    .details =
        "A state's index has bit i set iff spin i is +1, the first spin being bit 0; replica a of "
        "a\n"
        "replicated state holds bits N(a-1) to Na-1. docs/theory.md defines every quantity. A "
        "list\n"
        "or a range of values is a sweep: experiments/exact/ has some.\n\n"
        "Examples\n"
        "  spinney exact --energy bits --random 9,3,1 --beta 1 --gamma 0.5\n"
        "  spinney exact --energy bits --random 5,3,1 --grid beta=1:8:0.5 --y gap_two_stage --log "
        "--plot "
        "gap.svg\n"
        "  spinney exact --code 0111100,1011010,1101001 --ball 1 --beta inf --best-gamma 0:4:0.1\n"
        "  spinney exact --energy bits --random 3,2,1 --schedule theorem1 --start 18\n"
        "  spinney exact --energy bits --random 7,4,1 --replicas 1 --beta 4 --joint swapping\n",
    .settings = spn_exact_settings,
    .results = spn_exact_results,
    .plan_size = sizeof(spn_exact_plan),
    .plan = spn_exact_make_plan,
    .clear = spn_exact_clear_plan,
    .resolve = resolve_exact,
    .missing = spn_exact_missing,
    .cost = spn_exact_cost,
    .run = run_exact};
