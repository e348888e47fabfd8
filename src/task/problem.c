/* Problems with constraints in the task anneal: settings and plan. problem_run.c runs them. */
#include "task/problem.h"
#include "base/number.h"
#include "base/text.h"
#include "record/record.h"
#include "task/annealed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *rank_word(size_t i)
{
    static const char *const words[] = {
        [SPN_RANK_OBJECTIVE] = "objective", [SPN_RANK_ROBUST] = "robust"};
    return i < sizeof words / sizeof *words ? words[i] : NULL;
}

#define AT(member) .at = offsetof(spn_problem_settings, member)
const spn_setting spn_problem_rows[] = {
    {"rounds", SPN_SETTING_WHOLES, .argument = "K|S,S2,...",
     .otherwise = "1; with `time`, as many as fit, each up to twice as long as the last",
     .least = 1, .most = (double)INT64_MAX, AT(rounds),
     .help = "rounds of each read of `problem`, each from a random state and of `sweeps` sweeps; "
             "given several numbers, there is a round of each of these lengths"},
    {"rank", SPN_SETTING_WORD, .flags = SPN_SETTING_MEASURE, .argument = "HOW",
     .otherwise = "objective", .word = rank_word, AT(rank),
     .help =
         "the order of the solutions of `problem`, feasible ones first; objective puts the best "
         "first, robust the one that stays feasible most often in a changed world, and of "
         "several the one with the best mean objective there. Results are those of the first"},
    {"rank-changes", SPN_SETTING_WHOLE, .flags = SPN_SETTING_MEASURE, .argument = "K",
     .otherwise = "1 for `rank` robust without `rank-noise`, else 0", .least = 1,
     .most = (double)INT32_MAX, AT(changes),
     .help = "measure how each solution of `problem` fares after random changes of K variables: "
             "binary ones and spins flip, integers go one step up or down"},
    {"rank-noise", SPN_SETTING_REAL, .flags = SPN_SETTING_MEASURE, .argument = "X",
     .otherwise = "0", .least = 0, .most = 1000, AT(noise),
     .help = "measure how each solution of `problem` fares if every coefficient is multiplied by "
             "1 + X g, g standard normal; equations and constraints whose coefficients are all 1 "
             "or -1 stay as they are"},
    {"rank-draws", SPN_SETTING_WHOLE, .flags = SPN_SETTING_MEASURE, .argument = "N",
     .otherwise = "1000", .least = 2, .most = UINT32_MAX, AT(draws),
     .help = "changed worlds in which solutions of `problem` are tried, the same for all"},
    {.name = NULL}};

/* ---- what goes together ---- */

static const char *const OWN[] = {"problem-format", "fix",        "penalty",    "rounds", "rank",
                                  "rank-changes",   "rank-noise", "rank-draws", NULL};

/* Settings of anneal that a problem takes. */
static const char *const SHARED[] = {"problem",        "reads",   "replicas",   "gamma",
                                     "gamma-schedule", "beta",    "beta-start", "beta-end",
                                     "schedule",       "sweeps",  "target",     "time",
                                     "seed",           "threads", NULL};

static bool is_in(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

static bool is_taken(const char *name)
{
    return is_in(name, SHARED) || is_in(name, OWN);
}

spn_status spn_problem_is_given(bool *out, const spn_job *job, spn_error *err)
{
    *out = spn_job_given(job, "problem") != NULL;
    for (size_t k = 0; !*out && OWN[k]; k++)
        if (spn_job_given(job, OWN[k]))
            return spn_setting_fail(OWN[k], err, "needs `problem`, a file");
    return SPN_OK;
}

static spn_status check_others(const spn_job *job, spn_error *err)
{
    if (spn_job_given(job, "energy")) /* the others may be its own */
        return spn_setting_fail("energy", err, "does not go with `problem`; leave it out");
    for (size_t k = 0; k < job->count; k++) {
        const char *name = job->given[k].name;
        if (is_taken(name))
            continue;
        if (strcmp(name, "steps") == 0)
            return spn_setting_fail(name, err,
                                    "does not go with `problem`; give `sweeps` and `rounds`");
        return spn_setting_fail(name, err, "does not go with `problem`; leave it out");
    }
    return SPN_OK;
}

/* ---- planning ---- */

/* The solver measures both ends of beta, or none. */
static spn_status read_schedules(spn_anneal_plan *p, const spn_job *job, spn_error *err)
{
    spn_solver_options *o = &p->program.options;
    SPN_TRY(spn_chain_read_schedules(&p->options, job, err));
    if (p->options.choice.start != p->options.choice.end)
        return spn_setting_fail(spn_job_given(job, "beta-start") ? "beta-start" : "beta-end", err,
                                "needs the other end of beta; a problem measures both or none");
    if (p->options.choice.start && strchr(spn_job_text(job, "beta"), ':'))
        return spn_setting_fail("beta", err,
                                "auto has no shares for a `problem`; give auto or START:END");
    if (p->options.choice.start && spn_job_given(job, "schedule"))
        return spn_setting_fail("schedule", err, "needs `beta`, START:END");
    o->beta = p->options.choice.start ? NULL : p->options.beta;
    o->gamma = o->replicas > 1 ? p->options.gamma : NULL;
    if (o->replicas == 1 && spn_job_given(job, "gamma"))
        return spn_setting_fail("gamma", err, "needs `replicas` of 2 or more");
    return SPN_OK;
}

/* One number: how many; several: the sweeps of each. */
static spn_status read_rounds(spn_problem_plan *p, const char *text, spn_error *err)
{
    size_t count = 1;
    char one[64];
    for (const char *c = text; *c; c++)
        count += *c == ',';
    SPN_NEED(p->lengths = spn_alloc(count, sizeof *p->lengths), err, "the rounds");
    for (size_t k = 0; k < count; k++) {
        const size_t length = strcspn(text, ",");
        spn_take_text(one, sizeof one, text, length);
        if (!spn_whole_parse(&p->lengths[k], one) || p->lengths[k] < 1)
            return spn_setting_fail("rounds", err, "'%s' is not a number of sweeps", one);
        text += length + (text[length] == ',');
    }
    p->options.rounds = count > 1 ? count : p->lengths[0];
    p->options.lengths = count > 1 ? p->lengths : NULL;
    return SPN_OK;
}

static spn_status take_options(spn_anneal_plan *p, const spn_job *job, spn_error *err)
{
    spn_solver_options *o = &p->program.options;
    *o = spn_solver_defaults();
    if (p->reads > UINT16_MAX)
        return spn_setting_fail("reads", err, "a problem has at most %d", (int)UINT16_MAX);
    o->reads = p->reads ? (size_t)p->reads : o->reads;
    o->replicas = spn_job_given(job, "replicas") ? (size_t)p->chain.replicas : 1;
    o->threads = (unsigned)p->chain.threads;
    o->sweeps = spn_job_given(job, "sweeps") ? p->chain.sweeps : 0;
    o->seconds = p->chain.seconds;
    o->penalty = p->energy.penalty;
    o->has_target = spn_job_given(job, "target");
    o->target = p->chain.target;
    p->reads = o->reads;
    if (!p->problem.rounds)
        return SPN_OK;
    SPN_TRY(read_rounds(&p->program, p->problem.rounds, err));
    return o->lengths && spn_job_given(job, "sweeps")
               ? spn_setting_fail("sweeps", err, "give this or several `rounds`, not both")
               : SPN_OK;
}

/* A trial without states finds out whether the problem can be shaken like this. */
static spn_status take_shake(spn_anneal_plan *p, const spn_job *job, spn_error *err)
{
    const spn_problem_settings *s = &p->problem;
    spn_problem_plan *plan = &p->program;
    spn_error why = {0};
    plan->ranks_robust = s->rank == SPN_RANK_ROBUST;
    plan->shakes = plan->ranks_robust || s->changes > 0 || s->noise > 0;
    plan->shake = spn_shake_defaults();
    plan->shake.changes = (size_t)(s->changes == 0 && s->noise == 0 ? 1 : s->changes);
    plan->shake.noise = s->noise;
    if (!plan->shakes)
        return spn_job_given(job, "rank-draws")
                   ? spn_setting_fail("rank-draws", err, "needs `rank-changes` or `rank-noise`")
                   : SPN_OK;
    plan->shake.draws = 2;
    if (spn_program_robust(NULL, plan->program, 0, NULL, &plan->shake, &why))
        return spn_setting_blame(s->noise > 0 && s->changes == 0 ? "rank-noise" : "rank-changes",
                                 &why, err);
    plan->shake.draws = s->draws ? (uint32_t)s->draws : spn_shake_defaults().draws;
    return SPN_OK;
}

spn_status spn_problem_plan_make(spn_anneal_plan *p, const spn_job *job, spn_inputs *inputs,
                                 spn_error *err)
{
    const spn_energy_settings *s = &p->energy;
    SPN_TRY(check_others(job, err));
    SPN_TRY(spn_inputs_program(&p->program.program, inputs, s->program,
                               (spn_program_format)s->program_format, s->fix, err));
    SPN_TRY(take_options(p, job, err));
    SPN_TRY(take_shake(p, job, err));
    return read_schedules(p, job, err);
}

void spn_problem_plan_clear(spn_problem_plan *plan)
{
    free(plan->lengths);
    *plan = (spn_problem_plan){0};
}

/* Without the settings of energies. */
spn_status spn_problem_resolve(spn_record *out, const spn_anneal_plan *p, const spn_job *job,
                               spn_error *err)
{
    const spn_solver_options *o = &p->program.options;
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    char reads[SPN_NUMBER_TEXT];
    while (spn_setting_walk_named(&walk))
        if (!is_taken(walk.setting->name))
            spn_record_remove_setting(out, walk.setting->name);
    if (!spn_job_given(job, "sweeps") && (o->seconds > 0 || o->lengths))
        spn_record_remove_setting(out, "sweeps");
    if (o->replicas == 1)
        spn_record_remove_setting(out, "gamma");
    spn_whole_text(reads, o->reads);
    if (!spn_job_given(job, "reads"))
        SPN_TRY(spn_record_add_setting(out, "reads", reads, err));
    return spn_job_given(job, "replicas") ? SPN_OK
                                          : spn_record_add_setting(out, "replicas", "1", err);
}

spn_cost spn_problem_cost(const spn_anneal_plan *p, uint64_t steps)
{
    const spn_solver_options *o = &p->program.options;
    const double usual = 1000, variables = (double)spn_program_variables(p->program.program);
    double sweeps = 0;
    for (size_t k = 0; o->lengths && k < o->rounds; k++)
        sweeps += (double)o->lengths[k];
    if (!o->lengths)
        sweeps = (o->rounds ? (double)o->rounds : 1) * (o->sweeps ? (double)o->sweeps : usual);
    spn_cost work = {0};
    work.proposals =
        (double)o->reads * (double)o->replicas * (steps ? (double)steps : sweeps * variables);
    work.chain = 4 * work.proposals; /* about forty nanoseconds each */
    return spn_cost_sum(work);
}
