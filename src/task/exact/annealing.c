/* The annealed chain of the task `exact`: its schedules, its distribution after each stage, and
   the conditions of the theorems. */
#include "base/number.h"
#include "job/run.h"
#include "record/record.h"
#include "task/exact/exact.h"
#include "task/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits beyond which the theorems, kappa3 and M are left out: stages, stages, and states times
   stages. */
enum { STAGES_JUDGED = 2000, STAGES_CONTRACTED = 64 };
static const double HEIGHTS_MOST = 0x1p24;

/* Time limit of an annealed chain; each entry that a proposal reads takes about 1.5 ns. */
static const double SECONDS_MOST = 4 * 3600.0, SECONDS_EACH = 1.5e-9;

/* ---- texts ---- */

size_t spn_exact_numbers(double *out, size_t most, const char *text, char joint)
{
    const char joints[2] = {joint, 0};
    for (size_t count = 0; count < most; count++) {
        const size_t length = strcspn(text, joints);
        if (!spn_number_parse_part(&out[count], text, length))
            return 0;
        if (!text[length])
            return count + 1;
        text += length + 1;
    }
    return 0;
}

/* Parse KIND:START:END; the library takes kind and range separately. */
static spn_status parse(spn_schedule **out, const char *setting, const char *text, spn_error *err)
{
    static const char *const ranged[] = {"constant", "linear", "quadratic", "exponential"};
    const size_t length = strcspn(text, ":");
    const char *kind = NULL;
    for (size_t k = 0; k < sizeof ranged / sizeof ranged[0]; k++)
        if (strlen(ranged[k]) == length && strncmp(text, ranged[k], length) == 0)
            kind = ranged[k];
    spn_error why = {0};
    if (kind && !text[length])
        return spn_setting_fail(setting, err, "'%s' needs its values, such as %s:%s", text, text,
                                strcmp(text, "constant") == 0 ? "1" : "0.1:4");
    if (kind ? spn_schedule_parse(out, text + length + 1, kind, &why)
             : spn_schedule_parse(out, "0", text, &why))
        return spn_setting_blame(setting, &why, err);
    return SPN_OK;
}

static spn_status read_theorem1(spn_exact_plan *plan, const char *text, spn_error *err)
{
    double stages = 10, kappa = NAN;
    plan->annealing.theorem1 = (spn_theorem1){1.5, 0.5, .B = NAN, .m = NAN, .c = NAN};
    spn_theorem1 *k = &plan->annealing.theorem1;
    const struct {
        const char *name;
        double *value;
    } keys[] = {{"stages", &stages}, {"alpha", &k->alpha}, {"b", &k->b},     {"m", &k->m},
                {"B", &k->B},        {"c", &k->c},         {"kappa", &kappa}};
    while (*text) {
        const size_t length = strcspn(text, "="), end = strcspn(text, ",");
        double *value = NULL;
        for (size_t j = 0; j < sizeof keys / sizeof keys[0]; j++)
            if (strlen(keys[j].name) == length && strncmp(keys[j].name, text, length) == 0)
                value = keys[j].value;
        if (!value || length >= end ||
            !spn_number_parse_part(value, text + length + 1, end - length - 1) || !(*value > 0))
            return spn_setting_fail("schedule", err,
                                    "theorem1: '%s' does not start with KEY=VALUE, KEY one of "
                                    "stages, alpha, b, m, B, c, kappa and VALUE above 0",
                                    text);
        text += end + (text[end] == ',');
    }
    if (stages != floor(stages) || stages > 1000)
        return spn_setting_fail("schedule", err,
                                "theorem1: stages is a whole number, at most 1000");
    plan->annealing.theorem1_stages = (size_t)stages;
    k->log_kappa = log(kappa);
    return SPN_OK;
}

static spn_status read_gamma(spn_exact_plan *plan, const char *text, spn_error *err)
{
    double part[2];
    if (strncmp(text, "stages:", 7) != 0)
        return parse(&plan->annealing.growing, "gamma-schedule", text, err);
    if (!plan->annealing.is_theorem1 &&
        spn_schedule_kind_of(plan->annealing.beta) != SPN_SCHEDULE_PIECES)
        return spn_setting_fail("gamma-schedule", err,
                                "stages:START:STEP needs a schedule in pieces");
    if (spn_exact_numbers(part, 2, text + 7, ':') != 2 || part[0] < 0 || part[1] < 0)
        return spn_setting_fail("gamma-schedule", err,
                                "expected stages:START:STEP, such as stages:0.5:0.1");
    plan->annealing.by_stages = true;
    plan->annealing.first = part[0];
    plan->annealing.growth = part[1];
    return SPN_OK;
}

spn_status spn_exact_annealing_read(spn_exact_plan *plan, spn_error *err)
{
    const char *text = plan->schedule;
    const bool theorem1 = strncmp(text, "theorem1", 8) == 0 && (!text[8] || text[8] == ':');
    plan->annealing.is_theorem1 = theorem1;
    plan->annealing.fixed = !plan->gamma_schedule;
    SPN_TRY(theorem1 ? read_theorem1(plan, text + 8 + (text[8] == ':'), err)
                     : parse(&plan->annealing.beta, "schedule", text, err));
    if (plan->gamma_schedule)
        SPN_TRY(read_gamma(plan, plan->gamma_schedule, err));
    const bool lasts = theorem1 || spn_schedule_length(plan->annealing.beta) > 0;
    if (lasts && plan->steps)
        return spn_setting_fail("steps", err, "cannot be combined with pieces, which have theirs");
    if (!lasts && !plan->steps)
        return spn_setting_fail("steps", err, "this schedule needs them");
    return SPN_OK;
}

/* Cut the schedules into stages. For Theorem 1, *constants get their computed values. */
static spn_status make_stages(spn_stages **out, spn_theorem1 *constants, bool *converged,
                              const spn_exact_plan *p, const spn_landscape *landscape,
                              spn_error *err)
{
    spn_schedule *slow = NULL, *made = NULL; /* beta of Theorem 1; gamma of the settings */
    const spn_schedule *beta = p->annealing.beta;
    spn_status status;
    if (p->annealing.fixed)
        SPN_TRY_OR(cleanup, spn_schedule_constant(&made, p->gamma, err));
    if (p->annealing.is_theorem1) {
        SPN_TRY_OR(cleanup,
                   spn_theorem1_complete(constants, converged, landscape, p->replicas, p->first,
                                         p->gamma, p->annealing.theorem1_stages, err));
        SPN_TRY_OR(cleanup,
                   spn_schedule_theorem1(&slow, constants, p->annealing.theorem1_stages, err));
        beta = slow;
    }
    if (!p->annealing.fixed && p->annealing.by_stages)
        SPN_TRY_OR(cleanup,
                   spn_stages_gamma(&made, beta, p->annealing.first, p->annealing.growth, err));
    status = spn_stages_create(out, beta, made ? made : p->annealing.growing,
                               p->steps ? p->steps : spn_schedule_length(beta), err);
cleanup:
    spn_schedule_free(slow);
    spn_schedule_free(made);
    return status;
}

static spn_status check_length(const spn_stages *s, size_t bits, spn_error *err)
{
    const double seconds = spn_stages_operations(s, bits) * SECONDS_EACH;
    if (seconds <= SECONDS_MOST)
        return SPN_OK;
    return spn_refuse(err,
                      "%.3g steps of 2^%zu replicated states would take about %.0f hours; ask for "
                      "fewer stages or steps, or a smaller N y",
                      (double)s->steps, bits, seconds / 3600);
}

/* ---- results ---- */

typedef struct stage_row {
    double stage, beta, gamma, steps, epsilon, total_variation;
    double condition, log_bound, condition3, log_bound3; /* NAN: not computed */
} stage_row;

typedef struct annealed {
    double epsilon, total_variation;
    bool judged;
    double theorem, met, margin, c, log_kappa; /* if judged */
    bool contracted;
    double log_kappa3, met3; /* if contracted */
    spn_curve_rows stages;
} annealed;

SPN_NEEDS(kappa3_needs, spn_exact_plan, p->sites * p->replicas <= SPN_KAPPA3_BITS,
          "a chain of N y up to 8")

static const void *judged_of(const void *run)
{
    return ((const annealed *)run)->judged ? run : NULL;
}

static const void *contracted_of(const void *run)
{
    return ((const annealed *)run)->contracted ? run : NULL;
}

#define STAGE(member, text, about)                                                                 \
    SPN_EXACT_COLUMN("stages." #member, stage_row, member, text, about)
static const spn_quantity stage_columns[] = {
    STAGE(stage, "stage n", "number of the stage"),
    STAGE(beta, "beta", "its beta"),
    STAGE(gamma, "gamma", "its gamma"),
    STAGE(steps, "steps", "its steps"),
    STAGE(epsilon, "epsilon_n", "max |Qbar_n - nu_n| after it"),
    STAGE(total_variation, NULL, "half the sum of |Qbar_n - nu_n|"),
    STAGE(condition, NULL, "-c sum T_k e^(-climb_k) + n log kappa"),
    STAGE(log_bound, NULL, "log of the proof's bound on epsilon_n"),
    {"stages.condition3", SPN_QUANTITY_COLUMN, .needs = kappa3_needs,
     .at = offsetof(stage_row, condition3), .help = "stages.condition with kappa3"},
    {"stages.log_bound3", SPN_QUANTITY_COLUMN, .needs = kappa3_needs,
     .at = offsetof(stage_row, log_bound3), .help = "log of the bound that holds with kappa3"},
    {0}};

#define AT(member) offsetof(annealed, member)
static const spn_quantity verdict_results[] = {
    {"theorem", .at = AT(theorem),
     .help = "which theorem speaks of the schedule: 1, or 2 where gamma changes"},
    {"condition_met", .at = AT(met),
     .help = "1: its condition falls at each stage of the last half"},
    {"margin", .at = AT(margin), .help = "the least such fall"},
    {"c", .at = AT(c), .help = "constant of the lower bound on the rate of convergence"},
    {"log_kappa", .at = AT(log_kappa),
     .help = "log of the contraction constant kappa: given, or of max(e, kappa1)"},
    {0}};

static const spn_quantity kappa3_results[] = {
    {"log_kappa3", .at = AT(log_kappa3),
     .help = "log of kappa3, the least constant with which the stages contract, up to N y = 8"},
    {"condition3_met", .at = AT(met3), .help = "condition_met with kappa3"},
    {0}};

const spn_quantity spn_exact_annealing_results[] = {
    {"epsilon", .at = AT(epsilon), .help = "max |Qbar_n - nu_n| after the last stage"},
    {"total_variation", .at = AT(total_variation),
     .help = "half the sum of |Qbar_n - nu_n| after it"},
    {.group = verdict_results, .of = judged_of},
    {.group = kappa3_results, .of = contracted_of, .needs = kappa3_needs},
    {.group = stage_columns, .at = AT(stages)},
    {0}};
#undef AT

/* Check the theorems' conditions unless that takes too long. */
static spn_status judge(annealed *out, spn_verdict **verdict, const spn_exact_run *r,
                        const spn_annealing *annealing, const spn_stages *s,
                        const spn_theorem1 *constants, bool converged)
{
    const double states = pow(2.0, (double)(r->landscape->sites * annealing->replicas));
    if (s->count > STAGES_JUDGED || (s->gamma_changes && (double)s->count * states > HEIGHTS_MOST))
        return spn_record_add_note(r->out, r->err,
                                   "the theorems' conditions are left out: %zu stages of %g states",
                                   s->count, states);
    SPN_TRY(spn_verdict_create(verdict, r->landscape, annealing, constants->c, constants->log_kappa,
                               r->err));
    const spn_verdict *v = *verdict;
    out->judged = true;
    out->theorem = v->theorem;
    out->met = v->met;
    out->margin = v->margin;
    out->c = v->c;
    out->log_kappa = v->log_kappa;
    if (!(converged && v->converged))
        SPN_TRY(
            spn_record_add_note(r->out, r->err, "not converged: a gap that c is computed from"));
    return v->met ? SPN_OK
                  : spn_record_add_note(
                        r->out, r->err,
                        "the condition of Theorem %d is not met: it rises by up to %.4g at a stage "
                        "of the last half. The theorem promises nothing; the chain is cooled too "
                        "fast.",
                        v->theorem, -v->margin);
}

/* The same with the chain's own contraction constant, if there are few enough states. */
static spn_status contract(annealed *out, spn_kappa3 **kappa3, const spn_exact_run *r,
                           const spn_annealing *annealing, const spn_verdict *v)
{
    if (!v || kappa3_needs(r->plan) || annealing->stages > STAGES_CONTRACTED)
        return SPN_OK;
    SPN_TRY(spn_kappa3_create(kappa3, r->landscape, annealing, v, r->err));
    const double log_kappa3 = (*kappa3)->log_kappa3;
    out->contracted = true;
    out->log_kappa3 = isfinite(log_kappa3) ? log_kappa3 : NAN;
    out->met3 = (*kappa3)->met;
    return log_kappa3 <= v->log_kappa
               ? SPN_OK
               : spn_record_add_note(
                     r->out, r->err,
                     "log_kappa = %.4g is below log_kappa3 = %.4g: the proof does not hold with "
                     "it, but condition3 and log_bound3 do. theorem1:kappa=%.4g makes stages long "
                     "enough",
                     v->log_kappa, log_kappa3, exp(log_kappa3) * 1.01);
}

static spn_status list_stages(annealed *out, const spn_stage *stages, size_t count,
                              const spn_verdict *v, const spn_kappa3 *k, spn_error *err)
{
    stage_row *rows = spn_curve_make(&out->stages, count, sizeof *rows, err);
    if (!rows)
        return SPN_ERROR_MEMORY;
    for (size_t n = 0; n < count; n++) {
        const spn_stage *s = &stages[n];
        rows[n] = (stage_row){.stage = (double)(n + 1),
                              .beta = s->beta,
                              .gamma = s->gamma,
                              .steps = (double)s->steps,
                              .epsilon = s->epsilon,
                              .total_variation = s->total_variation,
                              .condition = v ? v->condition[n] : NAN,
                              .log_bound = v ? v->log_bound[n] : NAN,
                              .condition3 = k ? k->condition[n] : NAN,
                              .log_bound3 = k ? k->log_bound[n] : NAN};
    }
    out->epsilon = rows[count - 1].epsilon;
    out->total_variation = rows[count - 1].total_variation;
    return SPN_OK;
}

static spn_status follow(spn_exact_run *r, const spn_annealing *annealing, const spn_stages *s,
                         const spn_theorem1 *constants, bool converged)
{
    annealed found = {.judged = false};
    spn_verdict *verdict = NULL;
    spn_kappa3 *kappa3 = NULL;
    spn_stage *stages = spn_alloc(s->count, sizeof *stages);
    if (!stages)
        return spn_no_memory(r->err, "%zu stages", s->count);
    spn_status status;
    SPN_TRY_OR(cleanup, spn_annealing_converge(stages, NULL, r->landscape, annealing, r->err));
    SPN_TRY_OR(cleanup, judge(&found, &verdict, r, annealing, s, constants, converged));
    SPN_TRY_OR(cleanup, contract(&found, &kappa3, r, annealing, verdict));
    SPN_TRY_OR(cleanup, list_stages(&found, stages, s->count, verdict, kappa3, r->err));
    status = spn_results_add(r->out, spn_exact_annealing_results, &found, NULL, r->details, r->err);
cleanup:
    free(found.stages.rows);
    spn_kappa3_free(kappa3);
    spn_verdict_free(verdict);
    free(stages);
    return status;
}

spn_status spn_exact_annealed(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    spn_theorem1 constants = p->annealing.theorem1;
    spn_stages *s = NULL;
    spn_error why = {0};
    bool converged = true;
    if (!p->schedule)
        return SPN_OK;
    if (!p->annealing.is_theorem1)
        constants.c = constants.log_kappa = NAN;
    spn_status status = make_stages(&s, &constants, &converged, p, r->landscape, &why);
    if (!status)
        status = check_length(s, p->sites * p->replicas, &why);
    if (status) {
        spn_setting_blame("schedule", &why, r->err);
    } else {
        const spn_annealing annealing = {.size = sizeof annealing,
                                         .replicas = (size_t)p->replicas,
                                         .kernel = p->first,
                                         .beta = s->beta,
                                         .stages = s->count,
                                         .gammas = s->gamma,
                                         .start = p->annealing.start};
        status = follow(r, &annealing, s, &constants, converged);
    }
    spn_stages_free(s);
    return status;
}
