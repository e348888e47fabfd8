/* The settings of every chain, and the options that they make. */
#include "job/chain_settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps where neither the settings nor a schedule of pieces say how many. */
#define DEFAULT_STEPS 300000

/* ---- the table ---- */

static const char *kernel_word(size_t i)
{
    return spn_kernel_name((spn_kernel)i);
}

static const char *order_word(size_t i)
{
    return spn_order_name((spn_order)i);
}

static const char *start_word(size_t i)
{
    return i < SPN_START_GIVEN ? spn_start_name((spn_start)i) : NULL;
}

static const char *target_word(size_t i)
{
    return spn_target_name((spn_target)(SPN_TARGET_ANY + i));
}

const spn_setting spn_chain_rows[] = {
    SPN_HEADING("Chain"),
    {"replicas", SPN_SETTING_WHOLE, .argument = "Y", .fallback = "3", .least = 1,
     .most = SPN_MAX_REPLICAS, .at = offsetof(spn_chain_settings, replicas),
     .help = "number of coupled copies"},
    {"gamma", SPN_SETTING_RANGE, .argument = "G[:END]", .fallback = "0.5",
     .at = offsetof(spn_chain_settings, gamma), .help = "coupling of the replicas",
     .label = "coupling γ"},
    {"gamma-schedule", SPN_SETTING_LIST, .argument = "KIND",
     .otherwise = "exponential; linear from 0; constant for one value",
     .at = offsetof(spn_chain_settings, gamma_schedule),
     .help = "how gamma goes from G to END; kinds as for schedule"},
    {"beta", SPN_SETTING_RANGE, .argument = "START[:END]", .fallback = "0.1:10",
     .at = offsetof(spn_chain_settings, beta), .help = "inverse temperature",
     .label = "inverse temperature β"},
    {"beta-start", SPN_SETTING_REAL, .argument = "START", .otherwise = "that of beta", .least = 0,
     .most = 1e300, .at = offsetof(spn_chain_settings, beta_start),
     .help = "in place of beta: where it starts", .label = "inverse temperature β at the start"},
    {"beta-end", SPN_SETTING_REAL, .argument = "END", .otherwise = "that of beta", .least = 0,
     .most = 1e300, .at = offsetof(spn_chain_settings, beta_end),
     .help = "in place of beta: where it ends", .label = "inverse temperature β at the end"},
    {"schedule", SPN_SETTING_LIST, .argument = "KIND",
     .otherwise = "exponential; linear from 0; constant for one value",
     .at = offsetof(spn_chain_settings, schedule),
     .help = "how beta goes from START to END: constant, linear, quadratic, exponential, "
             "logarithmic:m=M,C=C, pieces:B1xT1,B2xT2,..., "
             "theorem1:alpha=A,b=b,B=B,m=m,c=c,kappa=K,stages=n, "
             "scoping:factor=F[,every=1000]"},
    {"steps", SPN_SETTING_WHOLE, .argument = "T",
     .otherwise = "300000, or as many as the pieces have", .least = 1, .most = (double)INT64_MAX,
     .at = offsetof(spn_chain_settings, steps),
     .help = "steps: a proposal for each replica in replica-round order, one proposal in random "
             "order"},
    {"kernel", SPN_SETTING_WORD, .argument = "NAME", .fallback = "two-stage", .word = kernel_word,
     .at = offsetof(spn_chain_settings, kernel), .help = "how a proposal is accepted"},
    {"order", SPN_SETTING_WORD, .argument = "NAME", .fallback = "replica-round", .word = order_word,
     .at = offsetof(spn_chain_settings, order), .help = "what a step is"},
    {"init", SPN_SETTING_FILE, .argument = "HOW|FILE", .fallback = "same", .word = start_word,
     .at = offsetof(spn_chain_settings, init),
     .help = "same (one random state for all), independent, or a file of states, as out writes "
             "them: replica a starts at state a, and behind the last comes the first again"},
    {"seed", SPN_SETTING_WHOLE, .flags = SPN_SETTING_SEED, .argument = "S", .fallback = "1",
     .least = 0, .most = (double)INT64_MAX, .at = offsetof(spn_chain_settings, seed),
     .help = "seed of all randomness"},
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT, .argument = "n", .fallback = "1",
     .least = 1, .most = 4096, .at = offsetof(spn_chain_settings, threads),
     .help = "compute the replicas' energy changes side by side where that is faster; never "
             "changes a result"},
    SPN_HEADING("Stops"),
    {"target", SPN_SETTING_REAL, .argument = "E", .otherwise = "no target",
     .at = offsetof(spn_chain_settings, target), .help = "stop when this energy is reached",
     .label = "target energy"},
    {"target-by", SPN_SETTING_WORD, .argument = "WHO", .fallback = "all", .word = target_word,
     .at = offsetof(spn_chain_settings, target_by),
     .help = "by any replica, or by all at the same time"},
    {"patience", SPN_SETTING_WHOLE, .argument = "K", .unit = "proposals", .otherwise = "no limit",
     .least = 1, .most = (double)INT64_MAX, .at = offsetof(spn_chain_settings, patience),
     .help = "stop after K proposals without a new best energy of any replica"},
    {"time", SPN_SETTING_REAL, .argument = "SECONDS", .unit = "seconds", .otherwise = "no limit",
     .least = 1e-3, .most = 1e9, .at = offsetof(spn_chain_settings, seconds),
     .help = "stop after this time"},
    {.name = NULL}};

/* ---- schedules ---- */

/* The first of these that was given, or the last. */
static const char *first_given(const spn_job *job, const char *const *names)
{
    while (names[1] && !spn_job_given(job, names[0]))
        names++;
    return names[0];
}

static const char *blame_for_beta(const spn_job *job)
{
    static const char *const names[] = {"beta-end", "beta-start", "beta", "schedule", NULL};
    return first_given(job, names);
}

static const char *blame_for_gamma(const spn_job *job)
{
    static const char *const names[] = {"gamma", "gamma-schedule", NULL};
    return first_given(job, names);
}

static bool ends_given(const spn_job *job)
{
    return spn_job_given(job, "beta-start") || spn_job_given(job, "beta-end");
}

/* beta, or START:END of beta-start and beta-end, what is not given being that of the default. */
static spn_status beta_text(char *out, size_t size, const spn_job *job, spn_error *err)
{
    const char *start = spn_job_given(job, "beta-start"), *end = spn_job_given(job, "beta-end");
    const char *beta = spn_job_text(job, "beta");
    const size_t first = strcspn(beta, ":");
    const char *rest = beta[first] ? beta + first + 1 : beta;
    int length = 0;
    if (ends_given(job) && spn_job_given(job, "beta"))
        return spn_setting_fail(start ? "beta-start" : "beta-end", err,
                                "give this or beta, not both");
    if (ends_given(job))
        length = snprintf(out, size, "%.*s:%s", (int)(start ? strlen(start) : first),
                          start ? start : beta, end ? end : rest);
    else
        length = snprintf(out, size, "%s", beta);
    if ((size_t)length < size)
        return SPN_OK;
    return spn_setting_fail(blame_for_beta(job), err, "is too long");
}

/* One of the two schedules. Where the values make one without a kind, the kind is at fault. */
static spn_status read_schedule(spn_schedule **out, const char *values, const char *kind,
                                const char *values_setting, const char *kind_setting,
                                spn_error *err)
{
    spn_error why = {0};
    spn_schedule *plain = NULL;
    if (spn_schedule_parse(out, values, kind, &why) == SPN_OK)
        return SPN_OK;
    const bool kind_is_wrong = kind && spn_schedule_parse(&plain, values, NULL, NULL) == SPN_OK;
    spn_schedule_free(plain);
    return spn_setting_blame(kind_is_wrong ? kind_setting : values_setting, &why, err);
}

static spn_status read_schedules(spn_chain_plan *out, const spn_job *job, spn_error *err)
{
    char beta[256];
    spn_status status = beta_text(beta, sizeof beta, job, err);
    if (!status)
        status = read_schedule(&out->beta, beta, spn_job_text(job, "schedule"), blame_for_beta(job),
                               "schedule", err);
    if (!status)
        status = read_schedule(&out->gamma, spn_job_text(job, "gamma"),
                               spn_job_text(job, "gamma-schedule"), blame_for_gamma(job),
                               "gamma-schedule", err);
    out->options.beta = out->beta;
    out->options.gamma = out->gamma;
    return status;
}

/* As many as are given; else as the pieces have; else those of the preset. */
static uint64_t steps_of(const spn_chain_options *o, const spn_chain_settings *settings,
                         const spn_job *job)
{
    const uint64_t length = spn_schedule_length(o->beta);
    if (length && !spn_job_given(job, "steps"))
        return length;
    return settings->steps ? settings->steps : DEFAULT_STEPS;
}

/* The library's texts start with the name that it is given. */
static spn_status check_schedules(const spn_chain_options *o, const spn_job *job, spn_error *err)
{
    const spn_status status = spn_schedule_check(o->beta, blame_for_beta(job), true, o->steps, err);
    if (status)
        return status;
    return spn_schedule_check(o->gamma, blame_for_gamma(job), false, o->steps, err);
}

/* ---- the start ---- */

static spn_status read_states(spn_chain_plan *out, const char *name, spn_inputs *inputs,
                              size_t sites, const char *owner, spn_error *err)
{
    const size_t replicas = out->options.replicas;
    const spn_problem *states;
    spn_error why = {0};
    spn_status status = spn_inputs_problem(&states, inputs, SPN_PROBLEM_STATES, "init", name, &why);
    if (status)
        return spn_fail(err, status, "%s%s", why.text,
                        status == SPN_ERROR_IO ? " (give same, independent or a file of states)"
                                               : "");
    if (spn_problem_sites(states) != sites)
        return spn_setting_fail("init", err, "%s: states of %zu spins, but the %s has %zu", name,
                                spn_problem_sites(states), owner, sites);
    if (!(out->states = malloc(sites * replicas)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the start");
    out->starts = spn_problem_rows(states);
    out->start_count = spn_problem_count(states);
    for (size_t a = 0; a < replicas; a++)
        memcpy(out->states + a * sites, out->starts + a % out->start_count * sites, sites);
    out->options.start = SPN_START_GIVEN;
    out->options.given = out->states;
    return SPN_OK;
}

static spn_status read_start(spn_chain_plan *out, const spn_chain_settings *settings,
                             spn_inputs *inputs, size_t sites, const char *owner, spn_error *err)
{
    for (size_t i = 0; start_word(i); i++)
        if (strcmp(settings->init, start_word(i)) == 0) {
            out->options.start = (spn_start)i;
            return SPN_OK;
        }
    return read_states(out, settings->init, inputs, sites, owner, err);
}

/* ---- the plan ---- */

static void read_stops(spn_chain_options *o, const spn_chain_settings *settings, const spn_job *job)
{
    if (spn_job_text(job, "target")) {
        o->target = (spn_target)(SPN_TARGET_ANY + settings->target_by);
        o->target_energy = settings->target;
    }
    o->patience = settings->patience;
    o->seconds = settings->seconds;
}

spn_status spn_chain_plan_make(spn_chain_plan *out, const spn_chain_settings *settings,
                               const spn_job *job, spn_inputs *inputs, size_t sites,
                               const char *owner, spn_error *err)
{
    spn_chain_options *o = &out->options;
    *out = (spn_chain_plan){.options = spn_chain_defaults()};
    o->replicas = (size_t)settings->replicas;
    o->kernel = (spn_kernel)settings->kernel;
    o->order = (spn_order)settings->order;
    o->seed = settings->seed;
    o->threads = (unsigned)settings->threads;
    read_stops(o, settings, job);
    spn_status status = read_schedules(out, job, err);
    if (status)
        return status;
    o->steps = steps_of(o, settings, job);
    status = check_schedules(o, job, err);
    return status ? status : read_start(out, settings, inputs, sites, owner, err);
}

void spn_chain_plan_clear(spn_chain_plan *plan)
{
    spn_schedule_free(plan->beta);
    spn_schedule_free(plan->gamma);
    free(plan->states);
    *plan = (spn_chain_plan){0};
}

/* ---- what is not given ---- */

static spn_status resolve_ends(spn_record *out, const spn_job *job, spn_error *err)
{
    const char *beta = spn_job_text(job, "beta"), *colon = strchr(beta, ':');
    char start[64];
    spn_status status = SPN_OK;
    snprintf(start, sizeof start, "%.*s", (int)strcspn(beta, ":"), beta);
    if (!spn_job_given(job, "beta-start"))
        status = spn_record_add_setting(out, "beta-start", start, err);
    if (!status && !spn_job_given(job, "beta-end"))
        status = spn_record_add_setting(out, "beta-end", colon ? colon + 1 : beta, err);
    return status;
}

spn_status spn_chain_plan_resolve(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err)
{
    const spn_chain_options *o = &plan->options;
    char steps[32];
    const bool ends = ends_given(job) && spn_schedule_has_range(o->beta);
    if (ends || (!spn_schedule_has_range(o->beta) && !spn_job_given(job, "beta")))
        spn_record_remove_setting(out, "beta");
    if (!spn_schedule_has_range(o->gamma) && !spn_job_given(job, "gamma"))
        spn_record_remove_setting(out, "gamma");
    if (o->target == SPN_TARGET_NONE && !spn_job_given(job, "target-by"))
        spn_record_remove_setting(out, "target-by");
    spn_status status = ends ? resolve_ends(out, job, err) : SPN_OK;
    snprintf(steps, sizeof steps, "%" PRIu64, o->steps);
    if (!status && !spn_job_given(job, "steps"))
        status = spn_record_add_setting(out, "steps", steps, err);
    return status;
}

/* ---- cost ---- */

double spn_chain_plan_proposals(const spn_chain_plan *plan, uint64_t steps)
{
    const spn_chain_options *o = &plan->options;
    return (double)steps * (double)spn_order_proposals(o->order, o->replicas);
}

double spn_chain_plan_passes(const spn_chain_plan *plan)
{
    /* Measured on MNIST with three replicas: half of the proposals pass the coupling at gamma 0.8,
       an eighth at 3.2, and some pass at any gamma. */
    const double decay = 0.78, always = 0.05;
    const spn_chain_options *o = &plan->options;
    if (o->kernel != SPN_KERNEL_TWO_STAGE || o->replicas == 1)
        return 1;
    const double first = spn_schedule_value(o->gamma, 0, o->steps, 0, o->replicas);
    const double last = spn_schedule_value(o->gamma, o->steps, o->steps, 0, o->replicas);
    return (exp(-decay * first) + exp(-decay * last)) / 2 * (1 - always) + always;
}
