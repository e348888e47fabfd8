/* The task `temper`: replicated chains on a ladder of temperatures. */
#include "task/temper/temper.h"

#include "base/try.h"
#include "job/run.h"
#include "record/record.h"

#include <stdlib.h>

static const char details[] =
    "Ctrl-C ends the run after the current scan and reports the results so far.\n";

static const char examples[] =
    "  spinney temper --energy ising --graph glass.txt --threads 2\n"
    "  spinney temper --energy qubo --graph shopping.txt --keep-every 10 --out thermal.csv\n"
    "  spinney temper --energy ising --graph glass.txt --y rungs.rejection --plot ladder.svg\n";

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const spn_temper_plan *p = plan;
    if (p->fractions && !spn_job_given(job, "rungs"))
        spn_record_remove_setting(out, "rungs");
    return spn_instance_resolve(out, &p->each.instance, err);
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const spn_temper_plan *p = plan;
    return spn_ensemble_cost(&p->each, spn_temper_proposals(p, steps));
}

/* A short run for calibration is one round. Simulated tempering needs a round before its last; it
   gets the first third of the steps. */
static void shorten(spn_ladder_options *o, uint64_t steps)
{
    o->scan_steps = o->scan_steps < steps ? o->scan_steps : steps;
    o->scans = (steps + o->scan_steps - 1) / o->scan_steps;
    o->rounds = o->method == SPN_LADDER_SIMULATED ? 2 : 1;
    o->keep = 0;
}

static spn_status make_ladder(spn_tempered *t, uint64_t seed, uint64_t steps, spn_error *err)
{
    const spn_temper_plan *p = t->plan;
    spn_ladder_options ladder = p->options;
    spn_chain_options chain = p->each.chain;
    SPN_TRY(
        spn_ensemble_find_cold(&ladder.beta_last, &t->run, seed, spn_temper_proposals(p, 0), err));
    if (p->each.cold > 0 && ladder.beta_first >= ladder.beta_last)
        return spn_setting_fail("beta", err,
                                "the cold end that the energy asks for, %.4g, is not above %.4g, "
                                "that of the first rung",
                                ladder.beta_last, ladder.beta_first);
    if (steps)
        shorten(&ladder, steps);
    chain.seed = seed;
    ladder.chain = &chain;
    return spn_ladder_create(&t->run.ran.sampler, t->run.instance.energy, &ladder, err);
}

static spn_status temper(spn_tempered *t, spn_outcome *outcome, const spn_job *job,
                         const spn_run *run, spn_error *err)
{
    if (run->trace && t->plan->options.method == SPN_LADDER_SIMULATED)
        return spn_setting_fail("method", err,
                                "a trace is of the last rung, where simulated may have no walker, "
                                "or several; give another method, or leave the trace out");
    SPN_TRY(spn_ensemble_start(&t->run, &t->plan->each, job, run, err));
    SPN_TRY(make_ladder(t, job->seed, run->steps, err));
    return spn_ensemble_run(&t->run, outcome, t->plan, job, run, cost(t->plan, run->steps).work,
                            err);
}

static spn_status add_results(spn_record *out, spn_tempered *t, bool with_details, spn_error *err)
{
    out->instance_seed = t->run.instance.seed;
    SPN_TRY(spn_tempered_take(t, err));
    SPN_TRY(spn_results_add(out, spn_temper_results, t, t->plan, with_details, err));
    if (!with_details)
        return SPN_OK;
    SPN_TRY(spn_instance_note(out, &t->run.instance, err));
    return spn_tempered_note(out, t, err);
}

static spn_status collect(spn_tempered *t, spn_error *err)
{
    const spn_sampler *ladder = t->run.ran.sampler;
    const bool keeps = t->plan->options.keep > 0;
    const size_t count = keeps ? spn_ladder_kept(ladder) : spn_ladder_walkers(ladder);
    for (size_t k = 0; k < count; k++) {
        const int8_t *spins;
        const double *energies;
        spn_snapshot s;
        if (keeps) {
            spn_ladder_kept_state(ladder, k, &spins, &energies, NULL, NULL);
        } else {
            spn_ladder_walker(&s, ladder, k);
            spins = s.best_spins;
            energies = s.best_energy;
        }
        SPN_TRY(spn_ensemble_add(&t->run, spins, energies, err));
    }
    return SPN_OK;
}

static spn_status run_temper(spn_record *out, spn_outcome *outcome, const void *plan,
                             const spn_job *job, const spn_run *run, spn_error *err)
{
    spn_tempered t = {.plan = plan};
    spn_status status;
    SPN_TRY_OR(cleanup, temper(&t, outcome, job, run, err));
    SPN_TRY_OR(cleanup, add_results(out, &t, run->details, err));
    status = collect(&t, err);
cleanup:
    free(t.rungs.rows);
    return spn_ensemble_finish(&t.run, run, status, err);
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
    .settings = spn_temper_settings,
    .results = spn_temper_results,
    .plan_size = sizeof(spn_temper_plan),
    .plan = spn_temper_make_plan,
    .clear = spn_temper_clear,
    .resolve = resolve,
    .cost = cost,
    .run = run_temper};
