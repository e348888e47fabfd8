/* The settings of a ladder of chains. */
#include "task/ladder_settings.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/beta_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const char *method_word(size_t i)
{
    return spn_ladder_method_name((spn_ladder_method)i);
}

const spn_setting spn_ladder_rows[] = {
    SPN_HEADING("Rungs"),
    {"beta", SPN_SETTING_RANGE, .flags = SPN_SETTING_COMMON, .argument = "[HOT:]COLD|[HOT:]auto",
     .fallback = "0:auto", .at = offsetof(spn_ladder_settings, beta),
     .help = "inverse temperature of the first and last rung; auto chooses the last from the "
             "energy, to accept 1e-4 of the uphill moves from descended states, weighted by size. "
             "If the first is 0, log Z is absolute. One number is for all rungs",
     .label = "inverse temperature β"},
    {"gamma", SPN_SETTING_RANGE, .flags = SPN_SETTING_COMMON, .argument = "G[:END]",
     .fallback = "0.5", .at = offsetof(spn_ladder_settings, gamma),
     .help = "coupling between the replicas; one value for all rungs, or from the first rung to "
             "the last",
     .label = "coupling γ"},
    {"rungs", SPN_SETTING_TEXT, .flags = SPN_SETTING_COMMON, .argument = "K|auto",
     .fallback = "auto", .at = offsetof(spn_ladder_settings, rungs),
     .help = "number of rungs; auto takes about twice the barrier found in the first rounds"},
    {"ladder", SPN_SETTING_LIST, .argument = "0,U,...,1", .otherwise = "chosen by the rounds",
     .at = offsetof(spn_ladder_settings, fractions),
     .help = "fixed rungs; each as a fraction of the way from the first to the last"},
    {"rounds", SPN_SETTING_WHOLE, .argument = "R",
     .otherwise = "as many as have at least 16 scans, at most 10", .least = 1, .most = 40,
     .at = offsetof(spn_ladder_settings, rounds),
     .help = "rounds, each twice as long as the previous one; after each but the last, the rungs "
             "move to equalise the swap rates. The last round is measured"},
    {"scans", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "S", .fallback = "4096",
     .least = 1, .most = (double)INT64_MAX, .at = offsetof(spn_ladder_settings, scans),
     .help = "scans of the last round, which is half of the run; rungs swap after each scan"},
    {"scan-sweeps", SPN_SETTING_REAL, .argument = "W", .fallback = "1", .least = 1e-9, .most = 1e9,
     .at = offsetof(spn_ladder_settings, scan_sweeps),
     .help = "length of a scan; W proposals for each spin of each replica"},
    {"method", SPN_SETTING_WORD, .argument = "NAME", .fallback = "swap", .word = method_word,
     .at = offsetof(spn_ladder_settings, method),
     .help = "how states move between rungs; swap is parallel tempering, simulated moves each "
             "walker by itself in the last round, with weights from log Z, equi-energy jumps to "
             "states stored by the next hotter rung (exact in the limit only)"},
    {"clusters", SPN_SETTING_WHOLE, .argument = "C", .fallback = "0", .least = 0, .most = 1e6,
     .at = offsetof(spn_ladder_settings, clusters),
     .help = "Houdayer cluster exchanges between replicas of a rung after each scan; for ising, "
             "qubo and maxcut, useful on sparse graphs"},
    {"keep-every", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "K",
     .otherwise = "none: `out` holds the best states", .least = 1, .most = (double)INT64_MAX,
     .at = offsetof(spn_ladder_settings, keep),
     .help = "write samples to `out`; the states of the coldest rung after every K-th scan of the "
             "last round"},
    SPN_HEADING("Chains of the rungs"),
    {.group = spn_replicas_rows, .at = offsetof(spn_ladder_settings, chain)},
    {.group = spn_coupling_rows, .at = offsetof(spn_ladder_settings, chain)},
    {.group = spn_kernel_rows, .at = offsetof(spn_ladder_settings, chain)},
    {.group = spn_seed_rows, .at = offsetof(spn_ladder_settings, chain)},
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT | SPN_SETTING_COMMON,
     .argument = "n", .fallback = "1", .least = 1, .most = 4096,
     .at = offsetof(spn_ladder_settings, threads),
     .help = "number of threads; the results do not depend on it"},
    SPN_HEADING("Stops"),
    {.group = spn_target_rows, .at = offsetof(spn_ladder_settings, chain)},
    {"time", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "SECONDS",
     .unit = "seconds", .otherwise = "no limit", .least = 1e-3, .most = 1e9,
     .at = offsetof(spn_ladder_settings, seconds), .help = "stop after this time"},
    {.name = NULL}};

/* ---- beta and gamma ---- */

/* One number, of 0 or more, of the text up to its end or a colon. */
static bool read_number(double *out, const char *text, size_t length)
{
    char one[64];
    if (length >= sizeof one)
        return false;
    memcpy(one, text, length);
    one[length] = 0;
    return spn_number_parse(out, one) && *out >= 0;
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

static spn_status read_beta(spn_ladder_plan *out, const char *text, spn_error *err)
{
    /* Annealing ends at 1e-5, which a run passes once. Here rungs that are frozen cost what others
       do, and walkers seldom come back from them (docs/tempering.md). */
    const double cold = 1e-4;
    double ends[2] = {0, 0};
    if (read_auto(&ends[0], text)) {
        out->cold = cold;
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

static spn_status read_gamma(spn_ladder_plan *out, const char *text, spn_error *err)
{
    double ends[2];
    if (!read_ends(ends, text))
        return spn_setting_fail("gamma", err, "'%.60s' is not G or G:END, of 0 or more", text);
    out->options.gamma_first = ends[0];
    out->options.gamma_last = ends[1];
    return SPN_OK;
}

static spn_status check_path(const spn_ladder_plan *plan, const spn_job *job, spn_error *err)
{
    const spn_ladder_options *o = &plan->options;
    if (o->beta_first < o->beta_last || o->gamma_first != o->gamma_last)
        return SPN_OK;
    return spn_setting_fail(spn_job_given(job, "beta") ? "beta" : "gamma", err,
                            "all rungs would be the same; give the ends of a range, such as "
                            "beta: 0:%s",
                            spn_job_text(job, "beta"));
}

/* ---- rungs ---- */

static spn_status read_rungs(spn_ladder_plan *out, const char *text, spn_error *err)
{
    uint64_t rungs = 0;
    if (strcmp(text, "auto") != 0 &&
        (!spn_whole_parse(&rungs, text) || rungs < 2 || rungs > SPN_LADDER_MOST_RUNGS))
        return spn_setting_fail("rungs", err, "'%.60s' is not auto or a whole number from 2 to %d",
                                text, SPN_LADDER_MOST_RUNGS);
    out->options.rungs = (size_t)rungs;
    return SPN_OK;
}

static spn_status read_fractions(spn_ladder_plan *out, const char *text, spn_error *err)
{
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    if (!(out->fractions = spn_alloc(count, sizeof *out->fractions)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the ladder");
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

static spn_status read_ladder(spn_ladder_plan *out, const spn_ladder_settings *settings,
                              const spn_job *job, spn_error *err)
{
    if (!settings->fractions)
        return read_rungs(out, settings->rungs, err);
    if (spn_job_given(job, "rungs"))
        return spn_setting_fail("rungs", err, "give this or `ladder`, not both");
    return read_fractions(out, settings->fractions, err);
}

/* ---- lengths ---- */

static spn_status read_scans(spn_ladder_plan *out, const spn_ladder_settings *settings,
                             size_t sites, spn_error *err)
{
    const spn_chain_options *c = &out->chain;
    const double per_sweep =
        (double)sites * (double)c->replicas / (double)spn_order_proposals(c->order, c->replicas);
    const double steps = fmax(round(settings->scan_sweeps * per_sweep), 1);
    out->options.scans = settings->scans;
    out->options.rounds = (uint32_t)settings->rounds;
    if (steps > 0x1p62 || (double)settings->scans * 2 * steps > 0x1p62)
        return spn_setting_fail("scans", err, "they have more than 2^62 steps");
    out->options.scan_steps = (uint64_t)steps;
    return SPN_OK;
}

/* ---- the plan ---- */

static void read_chain(spn_ladder_plan *out, const spn_ladder_settings *settings,
                       const spn_job *job)
{
    const spn_chain_settings *s = &settings->chain;
    out->chain = spn_chain_defaults();
    out->chain.replicas = (size_t)s->replicas;
    out->chain.kernel = (spn_kernel)s->kernel;
    out->chain.order = (spn_order)s->order;
    out->chain.seed = s->seed;
    if (!spn_job_text(job, "target"))
        return;
    out->chain.target = SPN_TARGET_ANY;
    out->chain.target_energy = s->target;
}

spn_status spn_ladder_plan_make(spn_ladder_plan *out, const spn_ladder_settings *settings,
                                const spn_job *job, size_t sites, spn_error *err)
{
    *out = (spn_ladder_plan){.options = spn_ladder_defaults(), .sites = sites};
    read_chain(out, settings, job);
    out->options.chain = &out->chain;
    out->options.threads = (unsigned)settings->threads;
    out->options.method = (spn_ladder_method)settings->method;
    out->options.clusters = (uint32_t)settings->clusters;
    out->options.keep = settings->keep;
    out->seconds = settings->seconds;
    SPN_TRY(spn_chain_read_coupling(&out->chain, &settings->chain, job, err));
    SPN_TRY(read_beta(out, settings->beta, err));
    SPN_TRY(read_gamma(out, settings->gamma, err));
    SPN_TRY(check_path(out, job, err));
    SPN_TRY(read_ladder(out, settings, job, err));
    return read_scans(out, settings, sites, err);
}

void spn_ladder_plan_clear(spn_ladder_plan *plan)
{
    free(plan->fractions);
    *plan = (spn_ladder_plan){0};
}

spn_status spn_ladder_plan_resolve(spn_record *out, const spn_ladder_plan *plan, const spn_job *job,
                                   spn_error *err)
{
    (void)err;
    if (plan->fractions && !spn_job_given(job, "rungs"))
        spn_record_remove_setting(out, "rungs");
    return SPN_OK;
}

/* ---- cost ---- */

/* How many rungs there may well be, where the rounds choose them: as on perceptrons, lattices, a
   graph and a QUBO of 20 to 3072 spins (docs/tempering.md). */
static double likely_rungs(const spn_ladder_plan *plan)
{
    const double per_root = 1.5, fewest = 8, most = 128;
    return fmin(fmax(per_root * sqrt((double)(plan->sites * plan->chain.replicas)), fewest), most);
}

double spn_ladder_plan_proposals(const spn_ladder_plan *plan, uint64_t steps)
{
    const double first_rungs = 8; /* of the first round, and so of a short run */
    const spn_ladder_options *o = &plan->options;
    const spn_chain_options *c = &plan->chain;
    const double rungs = o->rungs ? (double)o->rungs : steps ? first_rungs : likely_rungs(plan);
    const double all = 2 * (double)o->scans * (double)o->scan_steps;
    return (steps ? (double)steps : all) * rungs *
           (double)spn_order_proposals(c->order, c->replicas);
}
