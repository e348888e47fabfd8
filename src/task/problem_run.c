/* Problems with constraints in the task anneal: the run and its results. */
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"
#include "task/annealed.h"
#include "task/problem.h"
#include "task/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- how far the best state is to be trusted, from the rounds that met it ---- */

/* A run is enough if the upper limit of the chance of a better state is at most this. */
#define LEAST_CHANCE 0.25

double spn_share_missed(size_t trials, size_t met)
{
    const size_t rest = trials - trials / 2;
    double share = 1;
    for (size_t k = 0; k < met; k++)
        share *= k < rest ? (double)(rest - k) / (double)(trials - k) : 0;
    return share;
}

/* Wilson's 95% interval for the share of rounds that meet what `met` of `trials` did, and the
   chances that half as many rounds miss it at its ends. */
static void estimate(spn_verdict *out)
{
    const double z = 1.959963984540054, n = (double)out->trials, p = (double)out->met / n;
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double side = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double half = (double)(out->trials / 2);
    out->chance = spn_share_missed(out->trials, out->met);
    out->low = fmin(pow(fmax(0, 1 - middle - side), half), out->chance);
    out->high = fmax(pow(fmin(1, 1 - middle + side), half), out->chance);
}

static const char *health_of(const spn_solver_result *r, size_t trials, size_t met, bool is_enough,
                             const char *sampler)
{
    if (is_enough)
        return sampler;
    if (r->frozen == r->reads)
        return "constraints frozen";
    if (r->feasible == 0)
        return "no feasible state";
    return met == trials ? spn_health_name(SPN_HEALTH_SHORT)
           : met == 1    ? "found once"
                         : "reads disagree";
}

spn_verdict spn_verdict_of(const spn_solver_result *r, spn_health sampler, spn_stop stop,
                           bool is_proved)
{
    spn_verdict out = {.health = spn_health_name(is_proved ? SPN_HEALTH_GOOD : sampler),
                       .word = "proved best",
                       .chance = NAN,
                       .low = NAN,
                       .high = NAN};
    if (is_proved)
        return out;
    if (r->impossible != SIZE_MAX) {
        out.word = "proved infeasible";
        out.health = "no feasible state";
        return out;
    }
    out.word = "target met";
    if (stop == SPN_STOP_TARGET)
        return out;
    /* the best state may be of a round that was shorter or did not end */
    out.met = r->met > 0 ? r->met : 1;
    out.trials = r->trials > out.met ? r->trials : out.met;
    if (r->feasible > 0)
        estimate(&out);
    const bool is_enough = out.high <= LEAST_CHANCE;
    out.word = is_enough ? "met again and again" : "keep going";
    out.health = health_of(r, out.trials, out.met, is_enough, out.health);
    return out;
}

/* ---- results ---- */

static const char *problem_needs(const void *plan)
{
    return ((const spn_anneal_plan *)plan)->program.program ? NULL : "a problem with constraints";
}

typedef struct read_row {
    double objective, violation, found;
} read_row;

#define READ(column, text)                                                                         \
    SPN_COLUMN("reads", read_row, column, .flags = SPN_QUANTITY_DETAIL,                            \
               .help = "of each read: " text)
static const spn_quantity read_results[] = {READ(objective, "objective of its best state"),
                                            READ(violation, "violation of that state"),
                                            READ(found, "rounds that came to a state as good"),
                                            {.name = NULL}};

static const char *broken_text(const void *run)
{
    const char *text = ((const spn_solved *)run)->broken;
    return *text ? text : NULL;
}

#define AT(member) .at = offsetof(spn_solved, member)
SPN_NEEDS(robust_needs, spn_anneal_plan, p->program.shakes,
          "rank-changes, rank-noise, or rank: robust")
#define ROBUST(member, title, text)                                                                \
    {"robust_" #member,                                                                            \
     .flags = SPN_QUANTITY_OPTIONAL,                                                               \
     .label = title " in a changed world",                                                         \
     AT(robust.member),                                                                            \
     .needs = robust_needs,                                                                        \
     .help = "first solution in changed worlds: " text},                                           \
    {                                                                                              \
        "robust_" #member "_error", .flags = SPN_QUANTITY_OPTIONAL, .label = "its standard error", \
                                    AT(robust.member##_error), .needs = robust_needs,              \
                                    .help = "standard error of robust_" #member                    \
    }
static const spn_quantity rows[] = {
    {"objective", .flags = SPN_QUANTITY_BEST | SPN_QUANTITY_MAIN, .label = "objective",
     AT(objective),
     .help = "problem: the objective of the best state, computed anew, with soft constraints and "
             "without penalties"},
    {"feasible", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_SHARE,
     .label = "feasible (share of runs)", AT(feasible),
     .help = "1 if the best state violates no constraint that must hold, else 0"},
    {"violation", .flags = SPN_QUANTITY_MAIN, .label = "sum of the violations", AT(violation),
     .help = "sum of the violations of the constraints that must hold, in the best state"},
    {"violated", .label = "violated constraints", AT(violated),
     .help = "how many constraints that must hold do not, in the best state"},
    {"broken", SPN_QUANTITY_TEXT, .text = broken_text,
     .help = "their names and violations, as far as they fit in a line"},
    {"verdict", SPN_QUANTITY_TEXT, AT(verdict.word),
     .help = "whether more time may help: proved best, proved infeasible, target met, met again "
             "and again, or keep going"},
    {"chance_better", .flags = SPN_QUANTITY_OPTIONAL,
     .label = "chance that as much time again finds a better one", AT(verdict.chance),
     .help = "estimated chance that as many rounds again find a better state: the share of halves "
             "of these rounds (at least half as long as the longest) that miss the best"},
    {"chance_better_low", .flags = SPN_QUANTITY_OPTIONAL, .label = "its lower limit, 95%",
     AT(verdict.low),
     .help = "lower 95% limit of that chance, by Wilson's interval for the share of rounds that "
             "met the best"},
    {"chance_better_high", .flags = SPN_QUANTITY_OPTIONAL, .label = "its upper limit, 95%",
     AT(verdict.high), .help = "its upper limit"},
    {"bound", .flags = SPN_QUANTITY_OPTIONAL, .label = "bound", AT(bound),
     .help =
         "no state has a better objective: every variable at its best, within the sets that the "
         "moves keep"},
    {"gap", .flags = SPN_QUANTITY_OPTIONAL, .label = "distance to the bound", AT(gap),
     .help = "the distance of the objective from the bound; 0 proves that it is best"},
    {"found_reads", .label = "reads with an objective as good", AT(found),
     .help = "reads whose best state is as good as the best of all"},
    {"feasible_reads", .label = "reads with a feasible state", AT(feasible_reads),
     .help = "reads that found a feasible state"},
    {"distinct_solutions", .label = "distinct best states", AT(distinct),
     .help = "distinct states among the reads' best"},
    {"rounds_done", .label = "rounds", AT(rounds), .help = "rounds that all reads have ended"},
    {"rounds_found", .label = "rounds with an objective as good", AT(rounds_found),
     .help = "rounds of all reads that came to a state as good as the best of all"},
    {"kept", .label = "constraints kept by the moves", AT(kept),
     .help = "constraints that the moves keep"},
    {"penalised", .label = "constraints paid for", AT(penalised),
     .help = "constraints that must hold and are enforced by penalties"},
    {"presolved", .label = "variables that presolve decided", AT(known),
     .help = "variables whose values follow from the constraints or are always better"},
    {"merged", .label = "variables that presolve merged with others", AT(merged),
     .help = "variables that follow another, because constraints of the two leave only that"},
    {"implied", .label = "constraints that presolve dropped", AT(dropped),
     .help = "constraints that hold whatever the values are, found by presolve"},
    ROBUST(objective, "mean objective", "mean objective"),
    ROBUST(feasible, "share that stays feasible", "share of the draws in which it is feasible"),
    ROBUST(violation, "mean violation", "mean violation"),
    {.group = read_results, AT(reads)},
    {.name = NULL}};

const spn_quantity spn_problem_results[] = {{.help = "A problem with constraints"},
                                            {.group = rows, .needs = problem_needs},
                                            {.name = NULL}};

/* Names of violated constraints that must hold, as far as they fit. */
static spn_status name_broken(spn_solved *s, const spn_answers *answers, spn_error *err)
{
    const size_t count = spn_program_constraints(answers->program);
    size_t more = 0;
    if (s->violated == 0)
        return SPN_OK;
    double *sizes = spn_answer_violations(answers, 0);
    SPN_NEED(sizes, err, "the constraints");
    for (size_t k = 0; k < count; k++) {
        spn_constraint c;
        char text[320], size[SPN_NUMBER_TEXT];
        spn_program_constraint(&c, answers->program, k);
        if (!(sizes[k] > 0) || c.weight < INFINITY)
            continue;
        spn_number_short(size, sizes[k]);
        const int length =
            snprintf(text, sizeof text, "%s%s by %s", *s->broken ? ", " : "", c.name, size);
        if (more || strlen(s->broken) + (size_t)length > sizeof s->broken - 32)
            more++;
        else
            spn_print_more(s->broken, sizeof s->broken, "%s", text);
    }
    if (more)
        spn_print_more(s->broken, sizeof s->broken, "%s%zu%s", *s->broken ? " and " : "", more,
                       *s->broken ? " more" : " constraints");
    free(sizes);
    return SPN_OK;
}

static spn_status take_reads(spn_solved *s, const spn_sampler *solver, size_t reads,
                             const spn_program *program, spn_error *err)
{
    int32_t *values = spn_alloc(spn_program_variables(program), sizeof *values);
    read_row *row = spn_curve_make(&s->reads, reads, sizeof *row, err);
    spn_status status = values && row ? SPN_OK : spn_no_memory(err, "the reads");
    for (size_t r = 0; r < reads && !status; r++) {
        spn_solution solution;
        status = spn_solver_solution(&solution, solver, r, values, err);
        if (!status)
            row[r] = (read_row){solution.score.objective, solution.score.violation,
                                (double)solution.found};
    }
    free(values);
    return status;
}

static spn_status take(spn_annealed *a, bool with_details, spn_error *err)
{
    spn_solved *s = &a->solved;
    const spn_sampler *solver = a->ran.sampler;
    const spn_score *best = &a->answers->answer[0].score;
    const spn_robust none = {NAN, NAN, NAN, NAN, NAN, NAN};
    spn_solver_result r;
    spn_progress now;
    spn_solver_look(&r, solver);
    spn_sampler_look(&now, solver);
    s->objective = best->objective;
    s->feasible = best->feasible;
    s->violation = best->violation;
    s->violated = (double)best->violated;
    s->bound = isfinite(r.bound) ? r.bound : NAN;
    s->gap = best->feasible ? fabs(best->objective - s->bound) : NAN;
    s->found = (double)r.found;
    s->feasible_reads = (double)r.feasible;
    s->distinct = (double)a->answers->count;
    s->rounds = (double)r.rounds;
    s->rounds_found = (double)r.rounds_found;
    s->kept = (double)r.kept;
    s->penalised = (double)r.penalised;
    s->known = (double)r.known;
    s->merged = (double)r.merged;
    s->dropped = (double)r.dropped;
    s->impossible = r.impossible;
    s->robust = a->answers->is_shaken ? a->answers->answer[0].robust : none;
    s->verdict = spn_verdict_of(&r, spn_sampler_health(solver), a->ran.stop, s->gap <= 0);
    a->found = (spn_chain_found){.stop = spn_stop_name(a->ran.stop),
                                 .health = s->verdict.health,
                                 .steps_done = (double)now.step,
                                 .proposals = (double)r.proposals,
                                 .beta_start = r.beta_first,
                                 .beta_end = r.beta_last};
    SPN_TRY(name_broken(s, a->answers, err));
    return with_details ? take_reads(s, solver, r.reads, a->answers->program, err) : SPN_OK;
}

/* If the time decided the rounds, add them to the settings. */
static spn_status record_rounds(spn_record *out, const spn_annealed *a, spn_error *err)
{
    size_t count;
    const uint64_t *lengths = spn_solver_rounds(a->ran.sampler, &count);
    spn_memory_stream memory;
    if (!(a->plan->program.options.seconds > 0) || spn_record_setting(out, "rounds"))
        return SPN_OK;
    FILE *stream = spn_memory_stream_open(&memory);
    for (size_t k = 0; stream && k < count; k++)
        fprintf(stream, "%s%" PRIu64, k ? "," : "", lengths[k]);
    char *text = spn_memory_stream_finish(&memory);
    SPN_NEED(text, err, "the rounds");
    const spn_status status =
        spn_record_add_setting(out, count > 1 ? "rounds" : "sweeps", text, err);
    free(text);
    return status;
}

static spn_status note_impossible(spn_record *out, const spn_annealed *a, spn_error *err)
{
    spn_constraint c;
    spn_program_constraint(&c, a->answers->program, a->solved.impossible);
    return spn_record_add_note(
        out, err,
        "no state is feasible: %s cannot hold, given the ranges "
        "of the variables and the constraints before it; change them or `fix`",
        c.name);
}

/* If the run cannot be trusted as it was set, say so, with the remedy. */
static spn_status note_health(spn_record *out, const spn_solved *s, spn_error *err)
{
    static const char *const remedies[][2] = {
        {"no feasible state", "give more time, or check that the violated constraints can hold "
                              "together with the others"},
        {"constraints frozen",
         "late in the rounds the same constraints were violated all the time, "
         "or none was; leave `penalty` and `beta` out, or give more time"},
        {"found once", "only one round came to the best objective; give more time, or more reads"},
        {"reads disagree", "few rounds came to the best objective; give more time, or more reads"},
        {"too short to tell", "give more time, reads or rounds"},
        {"frozen from the start",
         "next to no move was accepted; lower `penalty` or `beta`, or leave them out"}};
    for (size_t k = 0; k < sizeof remedies / sizeof *remedies; k++)
        if (strcmp(s->verdict.health, remedies[k][0]) == 0)
            return spn_record_add_note(out, err, "%s: %s", remedies[k][0], remedies[k][1]);
    if (s->verdict.trials == 0)
        return SPN_OK;
    return spn_record_add_note(out, err, "%s: %zu of %zu rounds came to the best objective",
                               s->verdict.word, s->verdict.met, s->verdict.trials);
}

/* ---- the run ---- */

static spn_solver_options options_of(const spn_problem_plan *p, const spn_job *job,
                                     const spn_run *run)
{
    spn_solver_options o = p->options;
    o.seed = job->seed;
    if (run->steps) { /* a short run for calibration */
        const size_t variables = spn_program_variables(p->program);
        o.lengths = NULL;
        o.rounds = 1;
        o.seconds = 0;
        o.sweeps = run->steps / (variables ? variables : 1) + 1;
    }
    return o;
}

static spn_status solve(spn_annealed *a, spn_outcome *outcome, const spn_job *job,
                        const spn_run *run, spn_error *err)
{
    const spn_problem_plan *p = &a->plan->program;
    const spn_solver_options options = options_of(p, job, run);
    const double work = spn_problem_cost(a->plan, run->steps).work;
    const spn_meter meter = spn_meter_start(run, work);
    char content[112] = "", time[48];
    if (!run->steps)
        SPN_TRY(spn_answers_try(run->product, err));
    SPN_TRY(spn_solver_create(&a->ran.sampler, p->program, &options, err));
    spn_chain_time_line(time, sizeof time, options.seconds > 0, options.seconds); /* of rounds */
    if (run->checkpoint)
        snprintf(content, sizeof content, "problem_checksum \"%016" PRIx64 "\"\n%s",
                 spn_program_checksum(p->program), time);
    const spn_sampler_job how = {.job = job,
                                 .plan = a->plan,
                                 .run = run,
                                 .content = content,
                                 .meter = &meter,
                                 .work = work,
                                 .seconds = options.seconds,
                                 .in_all = true};
    return spn_sampler_job_run(&a->ran, outcome, &how, err);
}

static spn_status shake(spn_annealed *a, const spn_job *job, const spn_run *run, spn_error *err)
{
    spn_shake own = a->plan->program.shake;
    own.seed = job->seed;
    if (!a->plan->program.shakes || run->steps > 0)
        return SPN_OK;
    return spn_answers_shake(a->answers, &own, a->plan->program.ranks_robust, err);
}

spn_status spn_problem_run(spn_annealed *a, spn_record *out, spn_outcome *outcome,
                           const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_problem_plan *p = &a->plan->program;
    SPN_TRY(solve(a, outcome, job, run, err));
    if (outcome->step == 0)
        return SPN_OK; /* stopped before there was a state */
    SPN_TRY(spn_answers_collect(&a->answers, p->program, a->ran.sampler, p->options.reads, err));
    SPN_TRY(shake(a, job, run, err));
    SPN_TRY(take(a, run->details, err));
    SPN_TRY(spn_results_add(out, spn_anneal_results, a, a->plan, run->details, err));
    SPN_TRY(record_rounds(out, a, err));
    if (run->details)
        SPN_TRY(a->solved.impossible != SIZE_MAX ? note_impossible(out, a, err)
                                                 : note_health(out, &a->solved, err));
    if (run->steps == 0 && run->product)
        SPN_TRY(spn_answers_write(a->answers, run->product, err));
    if (run->answers) {
        *run->answers = a->answers;
        a->answers = NULL;
    }
    return SPN_OK;
}

void spn_solved_clear(spn_solved *solved)
{
    free(solved->reads.rows);
}
