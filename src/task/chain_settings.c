#include "record/record.h"
#include "task/chain.h"
#include "task/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SPN_WORD_OF(kernel_word, spn_kernel, spn_kernel_name)
SPN_WORD_OF(order_word, spn_order, spn_order_name)

/* A given centre cannot be set by a text. */
static const char *coupling_word(size_t i)
{
    return i < SPN_COUPLING_GIVEN ? spn_coupling_kind_name((spn_coupling_kind)i) : NULL;
}

SPN_WORD_OF(moves_word, spn_moves, spn_moves_name)

static const char *start_word(size_t i)
{
    return i < SPN_START_GIVEN ? spn_start_name((spn_start)i) : NULL;
}

static const char *target_word(size_t i)
{
    return spn_target_name((spn_target)(SPN_TARGET_ANY + i));
}

#define AT(member) .at = offsetof(spn_chain_settings, member)
static const spn_setting replicas_rows[] = {
    {"replicas", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "Y", .fallback = "3",
     .least = 1, .most = SPN_MAX_REPLICAS, AT(replicas), .help = "number of coupled replicas"},
    {.name = NULL}};

static const spn_setting kernel_rows[] = {
    {"kernel", SPN_SETTING_WORD, .argument = "NAME", .fallback = "two-stage", .word = kernel_word,
     AT(kernel), .help = "acceptance rule of a proposal"},
    {"order", SPN_SETTING_WORD, .argument = "NAME", .fallback = "replica-round", .word = order_word,
     AT(order), .help = "order of the proposals"},
    {.name = NULL}};

static const spn_setting coupling_rows[] = {
    {"coupling", SPN_SETTING_WORD, .argument = "WHAT", .fallback = "replicas",
     .word = coupling_word, AT(coupling),
     .help = "what the replicas are coupled to; each other (replicas), or a separate state drawn "
             "given them (centre). The distribution of the replicas is the same"},
    {"centre-every", SPN_SETTING_WHOLE, .argument = "T", .unit = "steps", .otherwise = "N",
     .least = 1, .most = (double)INT64_MAX, AT(centre_every),
     .help = "steps between draws of the centre"},
    {.name = NULL}};

static const spn_setting seed_rows[] = {
    {"seed", SPN_SETTING_WHOLE, .flags = SPN_SETTING_SEED | SPN_SETTING_COMMON, .argument = "S",
     .fallback = "1", .least = 0, .most = (double)INT64_MAX, AT(seed), .help = "seed of the run"},
    {.name = NULL}};

static const spn_setting target_rows[] = {{"target", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON,
                                           .argument = "E", .otherwise = "no target", AT(target),
                                           .help = "stop at this energy"},
                                          {.name = NULL}};

static const spn_setting threads_rows[] = {
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT | SPN_SETTING_COMMON,
     .argument = "n", .fallback = "1", .least = 1, .most = 4096, AT(threads),
     .help = "number of threads; the results do not depend on it"},
    {.name = NULL}};

const spn_setting spn_ensemble_rows[] = {
    {.group = replicas_rows},
    {.group = coupling_rows},
    {.group = kernel_rows},
    {.group = seed_rows},
    {.group = threads_rows},
    SPN_HEADING("Stops"),
    {.group = target_rows},
    {"time", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON | SPN_SETTING_EXTENDS,
     .argument = "SECONDS", .unit = "seconds", .otherwise = "no limit", .least = 1e-3, .most = 1e9,
     AT(seconds),
     .help = "stop after this time. temper uses all of it, "
             "with as many rounds and scans as fit, unless "
             "`scans` says how many there are"},
    {.name = NULL}};

const spn_setting spn_chain_rows[] = {
    SPN_HEADING("Chain"),
    {.group = replicas_rows},
    {"gamma", SPN_SETTING_RANGE, .flags = SPN_SETTING_COMMON, .argument = "G[:END]",
     .fallback = "0.5", AT(gamma), .help = "coupling between the replicas", .label = "coupling γ"},
    {"gamma-schedule", SPN_SETTING_LIST, .argument = "KIND",
     .otherwise = "exponential; linear if START is 0; constant for one value", AT(gamma_schedule),
     .help = "how gamma moves from G to END; the kinds are those of `schedule`"},
    {.group = coupling_rows},
    {"beta", SPN_SETTING_RANGE, .argument = "START[:END]|auto[:HOT:COLD]", .fallback = "auto",
     AT(beta),
     .help = "inverse temperature; auto chooses it from the energy: at the start it accepts a "
             "share HOT (0.2) of the uphill moves from random states, at the end a share COLD "
             "(1e-5) of those from descended states, weighted by size",
     .label = "inverse temperature β"},
    {"beta-start", SPN_SETTING_REAL, .argument = "START", .otherwise = "that of `beta`", .least = 0,
     .most = 1e300, AT(beta_start),
     .help = "first value of beta; the last is that of `beta`, or auto",
     .label = "inverse temperature β at the start"},
    {"beta-end", SPN_SETTING_REAL, .argument = "END", .otherwise = "that of `beta`", .least = 0,
     .most = 1e300, AT(beta_end),
     .help = "last value of beta; the first is that of `beta`, or auto",
     .label = "inverse temperature β at the end"},
    {"schedule", SPN_SETTING_LIST, .argument = "KIND",
     .otherwise = "exponential; linear if START is 0; constant for one value", AT(schedule),
     .help = "how beta moves from START to END; constant, linear, quadratic, exponential, "
             "logarithmic:m=M,C=C, pieces:B1xT1,B2xT2,..., "
             "theorem1:alpha=A,b=b,B=B,m=m,c=c,kappa=K,stages=n or scoping:factor=F[,every=1000]"},
    {"steps", SPN_SETTING_WHOLES, .argument = "T[,T2,...]",
     .otherwise = "set by `sweeps`, by the pieces of the schedule or by `time`", .least = 1,
     .most = (double)INT64_MAX, AT(steps),
     .help = "steps of the run; in replica-round order a step is one proposal per replica, in "
             "random order one proposal. Given several numbers, the schedule is cut into that many "
             "equal parts"},
    {"sweeps", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "S", .fallback = "1000",
     .least = 1, .most = (double)INT64_MAX, AT(sweeps),
     .help = "length of the run, in proposals for each spin; in place of `steps`"},
    {.group = kernel_rows},
    {"moves", SPN_SETTING_WORD, .argument = "HOW", .fallback = "plain", .word = moves_word,
     AT(moves),
     .help = "how proposals are computed; plain goes through all of them, waiting skips to the "
             "next that may be accepted (ising, qubo and maxcut with small integer couplings), "
             "auto takes the faster; levels flips several copies of a feature, or of two "
             "correlated ones, at once (train with rounded features; otherwise plain), and a sweep "
             "of over 800 inputs is shorter, down to a quarter. The distribution is the same"},
    {"init", SPN_SETTING_FILE, .argument = "HOW|FILE", .fallback = "same", .word = start_word,
     AT(init),
     .help = "initial states; same is one random state for all, independent one for each, or a "
             "file of states as `out` writes them, whose variables are found by name if both have "
             "names. If there are fewer states than replicas, they are reused in turn. With "
             "`beta` auto a run from a file starts cool, to improve on its states"},
    {.group = seed_rows},
    {.group = threads_rows},
    SPN_HEADING("Stops"),
    {.group = target_rows},
    {"target-by", SPN_SETTING_WORD, .argument = "WHO", .fallback = "any", .word = target_word,
     AT(target_by), .help = "who must reach `target`; any replica, or all at the same time"},
    {"patience", SPN_SETTING_WHOLE, .argument = "K", .unit = "proposals", .otherwise = "no limit",
     .least = 1, .most = (double)INT64_MAX, AT(patience),
     .help = "stop after K proposals without a new best energy"},
    {"time", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON | SPN_SETTING_EXTENDS,
     .argument = "SECONDS", .unit = "seconds", .otherwise = "no limit", .least = 1e-3, .most = 1e9,
     AT(seconds),
     .help = "fit the schedule into this time; with `steps`, `sweeps` or an endless schedule, stop "
             "after this time"},
    {"stop-frozen", SPN_SETTING_FLAG, AT(stop_frozen),
     .help = "stop if no energy changed during a sixteenth of the run and beta does not fall"},
    {.name = NULL}};

/* ---- states by name ---- */

typedef struct named_site {
    const char *name;
    size_t site;
} named_site;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named_site *)a)->name, ((const named_site *)b)->name);
}

/* The names of a problem, sorted; free it. */
static named_site *sorted_names(const spn_problem *problem)
{
    named_site *sorted = malloc(problem->sites * sizeof *sorted);
    for (size_t i = 0; sorted && i < problem->sites; i++)
        sorted[i] = (named_site){spn_problem_name(problem, i), i};
    if (sorted)
        qsort(sorted, problem->sites, sizeof *sorted, by_name);
    return sorted;
}

/* Where each name of `like` is in `in`. SIZE_MAX: nowhere; returns the first such, or NULL. */
static const char *find_names(size_t *place, const spn_problem *like, const named_site *in,
                              size_t count)
{
    for (size_t i = 0; i < like->sites; i++) {
        const named_site key = {spn_problem_name(like, i), 0};
        const named_site *found = bsearch(&key, in, count, sizeof *in, by_name);
        if (!found)
            return key.name;
        place[i] = found->site;
    }
    return NULL;
}

/* Put the states into the order of the problem's variables. */
static spn_status arrange(spn_chain_plan *out, const char *file, const spn_problem *states,
                          const spn_problem *problem, spn_error *err)
{
    const size_t sites = problem->sites;
    named_site *theirs = sorted_names(states), *own = sorted_names(problem);
    size_t *place = calloc(sites + states->sites, sizeof *place);
    const char *missing = NULL, *unknown = NULL;
    out->arranged = malloc(states->count * sites);
    const bool fits = theirs && own && place && out->arranged;
    if (fits) {
        unknown = find_names(place + sites, states, own, sites);
        missing = find_names(place, problem, theirs, states->sites);
    }
    for (size_t k = 0; fits && !missing && !unknown && k < states->count * sites; k++)
        out->arranged[k] = states->rows[k - k % sites + place[k % sites]];
    free(theirs);
    free(own);
    free(place);
    if (!fits)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the start");
    if (missing || unknown)
        return spn_setting_fail("init", err,
                                missing ? "%s: the variable '%s' of the graph is missing"
                                        : "%s: the variable '%s' is not in the graph",
                                file, missing ? missing : unknown);
    out->starts = out->arranged;
    return SPN_OK;
}

static spn_status read_states(spn_chain_plan *out, const char *name, spn_inputs *inputs,
                              size_t sites, const char *owner, const spn_problem *problem,
                              spn_error *err)
{
    const bool named = problem && spn_problem_name(problem, 0);
    const size_t replicas = out->options.replicas;
    const spn_problem *states;
    spn_error why = {0};
    spn_status status =
        spn_inputs_problem(&states, inputs, SPN_PROBLEM_STATES, "init", name, NULL, &why);
    if (status)
        return spn_fail(err, status, "%s%s", why.text,
                        status == SPN_ERROR_IO ? " (give same, independent or a file of states)"
                                               : "");
    out->starts = states->rows;
    out->by_place = named && !spn_problem_name(states, 0) && name[0] != '@';
    if (named && spn_problem_name(states, 0))
        SPN_TRY(arrange(out, name, states, problem, err));
    else if (states->sites != sites)
        return spn_setting_fail("init", err, "%s: states of %zu spins, but the %s has %zu", name,
                                states->sites, owner, sites);
    if (!(out->states = malloc(sites * replicas)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the start");
    out->start_count = states->count;
    for (size_t a = 0; a < replicas; a++)
        memcpy(out->states + a * sites, out->starts + a % out->start_count * sites, sites);
    out->options.start = SPN_START_GIVEN;
    out->options.given = out->states;
    return SPN_OK;
}

static spn_status read_start(spn_chain_plan *out, const spn_chain_settings *settings,
                             spn_inputs *inputs, size_t sites, const char *owner,
                             const spn_problem *problem, spn_error *err)
{
    for (size_t i = 0; start_word(i); i++)
        if (strcmp(settings->init, start_word(i)) == 0) {
            out->options.start = (spn_start)i;
            return SPN_OK;
        }
    return read_states(out, settings->init, inputs, sites, owner, problem, err);
}

spn_status spn_chain_read_coupling(spn_chain_options *out, const spn_chain_settings *settings,
                                   const spn_job *job, spn_error *err)
{
    out->coupling = (spn_coupling_kind)settings->coupling;
    out->centre_every = settings->centre_every;
    if (out->coupling != SPN_COUPLING_CENTRE && spn_job_text(job, "centre-every"))
        return spn_setting_fail("centre-every", err,
                                "is of the coupling centre alone; give "
                                "coupling centre as well");
    return SPN_OK;
}

spn_status spn_chain_plan_make(spn_chain_plan *out, const spn_chain_settings *settings,
                               const spn_job *job, spn_inputs *inputs, size_t sites,
                               size_t proposed, const char *owner, const spn_problem *problem,
                               spn_error *err)
{
    spn_chain_options *o = &out->options;
    *out = (spn_chain_plan){.options = spn_chain_defaults()};
    o->replicas = (size_t)settings->replicas;
    o->kernel = (spn_kernel)settings->kernel;
    o->order = (spn_order)settings->order;
    o->moves = (spn_moves)settings->moves;
    o->seed = settings->seed;
    o->threads = (unsigned)settings->threads;
    if (spn_job_text(job, "target")) {
        o->target = (spn_target)(SPN_TARGET_ANY + settings->target_by);
        o->target_energy = settings->target;
    }
    o->patience = settings->patience;
    o->seconds = settings->seconds;
    o->stop_frozen = settings->stop_frozen;
    if (o->moves == SPN_MOVES_WAITING && o->order == SPN_ORDER_SEQUENTIAL)
        return spn_setting_fail("moves", err,
                                "waiting has no sequential order; use order replica-round or "
                                "random, or moves auto");
    SPN_TRY(spn_chain_read_coupling(o, settings, job, err));
    SPN_TRY(spn_chain_read_schedules(out, job, err));
    SPN_TRY(spn_chain_read_steps(out, settings, job, proposed, err));
    SPN_TRY(read_start(out, settings, inputs, sites, owner, problem, err));
    out->choice.reheats =
        out->states && out->choice.start && !strchr(spn_job_text(job, "beta"), ':');
    return SPN_OK;
}

void spn_chain_plan_clear(spn_chain_plan *plan)
{
    spn_schedule_free(plan->beta);
    spn_schedule_free(plan->gamma);
    SPN_FREE_ALL(plan->parts, plan->states, plan->arranged);
    *plan = (spn_chain_plan){0};
}

spn_status spn_chain_plan_resolve(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err)
{
    const spn_chain_options *o = &plan->options;
    if (!spn_schedule_has_range(o->gamma) && !spn_job_given(job, "gamma"))
        spn_record_remove_setting(out, "gamma");
    if (!spn_job_given(job, "coupling")) /* so that older records compare equal */
        spn_record_remove_setting(out, "coupling");
    if (!spn_job_given(job, "moves") && o->moves != SPN_MOVES_LEVELS)
        spn_record_remove_setting(out, "moves");
    if (o->target == SPN_TARGET_NONE && !spn_job_given(job, "target-by"))
        spn_record_remove_setting(out, "target-by");
    SPN_TRY(spn_chain_resolve_beta(out, plan, job, err));
    return spn_chain_resolve_steps(out, plan, job, err);
}

double spn_chain_plan_proposals(const spn_chain_plan *plan, uint64_t steps)
{
    const spn_chain_options *o = &plan->options;
    return (double)steps * (double)spn_order_proposals(o->order, o->replicas);
}

double spn_chain_plan_passes(const spn_chain_plan *plan)
{
    /* Measured on MNIST with three replicas: half of the proposals pass the coupling at gamma 0.8,
       an eighth at 3.2, and a few at any gamma. */
    const double decay = 0.78, always = 0.05;
    const spn_chain_options *o = &plan->options;
    if (o->kernel != SPN_KERNEL_TWO_STAGE || (o->replicas == 1 && !o->coupling))
        return 1;
    const uint64_t steps = plan->usual_steps;
    const double first = spn_schedule_value(o->gamma, 0, steps, 0, o->replicas);
    const double last = spn_schedule_value(o->gamma, steps, steps, 0, o->replicas);
    return (exp(-decay * first) + exp(-decay * last)) / 2 * (1 - always) + always;
}
