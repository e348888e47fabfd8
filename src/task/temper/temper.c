/* The task `temper`: replicated chains on a ladder of temperatures. */
#include "task/temper/temper.h"
#include "base/number.h"
#include "job/run.h"
#include "record/record.h"
#include "task/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SPN_WORD_OF(method_word, spn_ladder_method, spn_ladder_method_name)

#define AT(member) .at = offsetof(spn_temper_plan, member)
static const spn_setting settings[] = {
    {.group = spn_energy_rows, AT(each.energy)},
    SPN_HEADING("Rungs"),
    {"beta", SPN_SETTING_RANGE, .flags = SPN_SETTING_COMMON, .argument = "[HOT:]COLD|[HOT:]auto",
     .fallback = "0:auto", AT(beta),
     .help = "inverse temperature of the first and last rung; auto chooses the last from the "
             "energy, to accept 1e-4 of the uphill moves from descended states, weighted by size. "
             "If the first is 0, log Z is absolute. One number is for all rungs",
     .label = "inverse temperature β"},
    {"gamma", SPN_SETTING_RANGE, .flags = SPN_SETTING_COMMON, .argument = "G[:END]",
     .fallback = "0.5", AT(gamma),
     .help = "coupling between the replicas; one value for all rungs, or from the first rung to "
             "the last",
     .label = "coupling γ"},
    {"rungs", SPN_SETTING_TEXT, .flags = SPN_SETTING_COMMON, .argument = "K|auto",
     .fallback = "auto", AT(rungs),
     .help = "number of rungs; auto takes about twice the barrier found in the first rounds"},
    {"ladder", SPN_SETTING_LIST, .argument = "0,U,...,1", .otherwise = "chosen by the rounds",
     AT(ladder), .help = "fixed rungs; each as a fraction of the way from the first to the last"},
    {"rounds", SPN_SETTING_WHOLE, .argument = "R",
     .otherwise = "as many as have at least 16 scans, at most 10", .least = 1, .most = 40,
     AT(rounds),
     .help = "rounds, each twice as long as the previous one; after each but the last, the rungs "
             "move to equalise the swap rates. The last round is measured"},
    {"scans", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON | SPN_SETTING_EXTENDS, .argument = "S",
     .fallback = "4096", .least = 1, .most = (double)INT64_MAX, AT(scans),
     .help = "scans of the last round, which is half of the run; rungs swap after each scan"},
    {"scan-sweeps", SPN_SETTING_REAL, .argument = "W", .fallback = "1", .least = 1e-9, .most = 1e9,
     AT(scan_sweeps), .help = "length of a scan; W proposals for each spin of each replica"},
    {"method", SPN_SETTING_WORD, .argument = "NAME", .fallback = "swap", .word = method_word,
     AT(method),
     .help = "how states move between rungs; swap is parallel tempering, simulated moves each "
             "walker by itself in the last round, with weights from log Z, equi-energy jumps to "
             "states stored by the next hotter rung (exact in the limit only)"},
    {"clusters", SPN_SETTING_WHOLE, .argument = "C", .fallback = "0", .least = 0, .most = 1e6,
     AT(clusters),
     .help = "Houdayer cluster exchanges between replicas of a rung after each scan; for ising, "
             "qubo and maxcut, useful on sparse graphs"},
    {"keep-every", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "K",
     .otherwise = "none: `out` holds the best states", .least = 1, .most = (double)INT64_MAX,
     AT(keep),
     .help = "write samples to `out`; the states of the coldest rung after every K-th scan of the "
             "last round"},
    SPN_HEADING("Chains of the rungs"),
    {.group = spn_ensemble_rows, AT(each.settings)},
    {.name = NULL}};

static bool read_number(double *out, const char *text, size_t length)
{
    return spn_number_parse_part(out, text, length) && *out >= 0;
}

/* A or A:B. */
static bool read_ends(double out[2], const char *text)
{
    const size_t first = strcspn(text, ":");
    if (!read_number(&out[0], text, first))
        return false;
    out[1] = out[0];
    return !text[first] || read_number(&out[1], text + first + 1, strlen(text + first + 1));
}

/* HOT:auto, or auto for 0:auto. */
static bool read_auto(double *hot, const char *text)
{
    const char *colon = strchr(text, ':'), *cold = colon ? colon + 1 : text;
    *hot = 0;
    return strcmp(cold, "auto") == 0 && (!colon || read_number(hot, text, (size_t)(colon - text)));
}

static spn_status read_beta(spn_temper_plan *out, const char *text, spn_error *err)
{
    double ends[2] = {0, 0};
    if (read_auto(&ends[0], text)) {
        out->each.cold = SPN_ENSEMBLE_COLD;
        ends[1] = fmax(1, 2 * ends[0]); /* until the energy is known */
    } else if (!read_ends(ends, text)) {
        return spn_setting_fail("beta", err,
                                "'%.60s' is not HOT:COLD, HOT:auto or one number for all rungs, "
                                "with numbers of 0 or more",
                                text);
    }
    if (ends[0] > ends[1])
        return spn_setting_fail(
            "beta", err, "the first rung is the hot one, of the smaller beta: not %.60s", text);
    out->options.beta_first = ends[0];
    out->options.beta_last = ends[1];
    return SPN_OK;
}

static spn_status read_gamma(spn_temper_plan *out, const char *text, spn_error *err)
{
    double ends[2];
    if (!read_ends(ends, text))
        return spn_setting_fail("gamma", err, "'%.60s' is not G or G:END, of 0 or more", text);
    out->options.gamma_first = ends[0];
    out->options.gamma_last = ends[1];
    return SPN_OK;
}

static spn_status check_path(const spn_temper_plan *plan, const spn_job *job, spn_error *err)
{
    const spn_ladder_options *o = &plan->options;
    if (o->beta_first < o->beta_last || o->gamma_first != o->gamma_last)
        return SPN_OK;
    return spn_setting_fail(spn_job_given(job, "beta") ? "beta" : "gamma", err,
                            "all rungs would be the same; give the ends of a range, such as "
                            "beta: 0:%s",
                            spn_job_text(job, "beta"));
}

static spn_status read_rungs(spn_temper_plan *out, const char *text, spn_error *err)
{
    uint64_t rungs = 0;
    if (strcmp(text, "auto") != 0 &&
        (!spn_whole_parse(&rungs, text) || rungs < 2 || rungs > SPN_LADDER_MOST_RUNGS))
        return spn_setting_fail("rungs", err, "'%.60s' is not auto or a whole number from 2 to %d",
                                text, SPN_LADDER_MOST_RUNGS);
    out->options.rungs = (size_t)rungs;
    return SPN_OK;
}

static spn_status read_fractions(spn_temper_plan *out, const char *text, spn_error *err)
{
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    SPN_NEED(out->fractions = spn_alloc(count, sizeof *out->fractions), err, "the ladder");
    if (count > SPN_LADDER_MOST_RUNGS)
        return spn_setting_fail("ladder", err, "%zu rungs are more than %d", count,
                                SPN_LADDER_MOST_RUNGS);
    for (size_t k = 0; k < count; k++) {
        const size_t length = strcspn(text, ",");
        double *u = &out->fractions[k];
        if (!read_number(u, text, length) || (k ? *u <= u[-1] : *u != 0) ||
            (k + 1 == count && *u != 1) || count < 2)
            return spn_setting_fail("ladder", err,
                                    "'%.*s' in place %zu: the rungs rise from 0 to 1, such as "
                                    "0,0.3,0.6,1",
                                    (int)(length < 60 ? length : 60), text, k + 1);
        text += length + (text[length] == ',');
    }
    out->options.fractions = out->fractions;
    out->options.rungs = count;
    return SPN_OK;
}

static spn_status read_ladder(spn_temper_plan *out, const spn_job *job, spn_error *err)
{
    if (!out->ladder)
        return read_rungs(out, out->rungs, err);
    if (spn_job_given(job, "rungs"))
        return spn_setting_fail("rungs", err, "give this or `ladder`, not both");
    return read_fractions(out, out->ladder, err);
}

static spn_status plan_temper(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_temper_plan *p = plan;
    SPN_TRY(spn_ensemble_plan_make(&p->each, job, inputs, err));
    p->options = spn_ladder_defaults();
    p->options.threads = (unsigned)p->each.settings.threads;
    p->options.method = (spn_ladder_method)p->method;
    p->options.clusters = (uint32_t)p->clusters;
    p->options.keep = p->keep;
    SPN_TRY(read_beta(p, p->beta, err));
    SPN_TRY(read_gamma(p, p->gamma, err));
    SPN_TRY(check_path(p, job, err));
    SPN_TRY(read_ladder(p, job, err));
    p->options.fills = p->each.settings.seconds > 0 && !spn_job_given(job, "scans");
    const spn_chain_options *c = &p->each.chain;
    const double per_sweep = (double)p->each.instance.sites * (double)c->replicas /
                             (double)spn_order_proposals(c->order, c->replicas);
    const double steps = fmax(round(p->scan_sweeps * per_sweep), 1);
    p->options.scans = p->scans;
    p->options.rounds = (uint32_t)p->rounds;
    if (steps > 0x1p62 || (double)p->scans * 2 * steps > 0x1p62)
        return spn_setting_fail("scans", err, "they have more than 2^62 steps");
    p->options.scan_steps = (uint64_t)steps;
    return SPN_OK;
}

static void clear(void *plan)
{
    free(((spn_temper_plan *)plan)->fractions);
}

/* Estimate of the rungs if the rounds choose them, from perceptrons, lattices, a graph and a QUBO
   of 20 to 3072 spins (docs/tempering.md). */
static double likely_rungs(const spn_temper_plan *plan)
{
    const double per_root = 1.5, fewest = 8, most = 128;
    return fmin(
        fmax(per_root * sqrt((double)(plan->each.instance.sites * plan->each.chain.replicas)),
             fewest),
        most);
}

/* Of all walkers in this many steps of each (0: in all rounds). */
static double proposals_of(const spn_temper_plan *plan, uint64_t steps)
{
    const double first_rungs = 8; /* of the first round, and so of a short run */
    const spn_ladder_options *o = &plan->options;
    const spn_chain_options *c = &plan->each.chain;
    const double rungs = o->rungs ? (double)o->rungs : steps ? first_rungs : likely_rungs(plan);
    const double all = 2 * (double)o->scans * (double)o->scan_steps;
    return (steps ? (double)steps : all) * rungs *
           (double)spn_order_proposals(c->order, c->replicas);
}

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
    if (p->options.fills) /* the time decides */
        spn_record_remove_setting(out, "scans");
    return spn_instance_resolve(out, &p->each.instance, job, err);
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const spn_temper_plan *p = plan;
    return spn_ensemble_cost(&p->each, proposals_of(p, steps));
}

/* A short run for calibration is one round. Simulated tempering needs a round before its last; it
   gets the first third of the steps. */
static void shorten(spn_ladder_options *o, uint64_t steps)
{
    o->scan_steps = o->scan_steps < steps ? o->scan_steps : steps;
    o->scans = (steps + o->scan_steps - 1) / o->scan_steps;
    o->rounds = o->method == SPN_LADDER_SIMULATED ? 2 : 1;
    o->keep = o->fills = 0;
}

static spn_status make(spn_ensemble *e, const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_temper_plan *p = ((spn_tempered *)e)->plan;
    spn_ladder_options ladder = p->options;
    spn_chain_options chain = p->each.chain;
    if (run->trace && p->options.method == SPN_LADDER_SIMULATED)
        return spn_setting_fail("method", err,
                                "a trace is of the last rung, where simulated may have no walker, "
                                "or several; give another method, or leave the trace out");
    if (p->each.cold > 0)
        ladder.beta_last = e->beta_cold;
    if (p->each.cold > 0 && ladder.beta_first >= ladder.beta_last)
        return spn_setting_fail("beta", err,
                                "the cold end that the energy asks for, %.4g, is not above %.4g, "
                                "that of the first rung",
                                ladder.beta_last, ladder.beta_first);
    if (ladder.fills)
        ladder.scans = 64; /* at first */
    if (run->steps)
        shorten(&ladder, run->steps);
    chain.seed = job->seed;
    ladder.chain = &chain;
    return spn_ladder_create(&e->ran.sampler, e->instance.energy, &ladder, err);
}

static spn_status collect(spn_ensemble *e, spn_error *err)
{
    const spn_sampler *ladder = e->ran.sampler;
    const bool keeps = ((spn_tempered *)e)->plan->options.keep > 0;
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
        SPN_TRY(spn_ensemble_add(e, spins, energies, err));
    }
    return SPN_OK;
}

static spn_status run_temper(spn_record *out, spn_outcome *outcome, const void *plan,
                             const spn_job *job, const spn_run *run, spn_error *err)
{
    static const spn_ensemble_type type = {spn_temper_results, make, spn_tempered_take,
                                           spn_tempered_note, collect};
    spn_tempered t = {.plan = plan};
    const spn_status status = spn_ensemble_run(&t.run, &type, out, outcome, plan, job, run, err);
    free(t.rungs.rows);
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
    .results = spn_temper_results,
    .plan_size = sizeof(spn_temper_plan),
    .plan = plan_temper,
    .clear = clear,
    .resolve = resolve,
    .cost = cost,
    .run = run_temper};
