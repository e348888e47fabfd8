/* The annealed chain of the task exact: schedules from texts, its law and the theorems. */
#include "task/exact/annealing.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/number.h"
#include "task/exact/curves.h"
#include <spinney/lab/setting.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The theorems are left alone beyond so many stages, kappa3 beyond its own, and M beyond so many
 * states in all. */
enum { STAGES_JUDGED = 2000, STAGES_CONTRACTED = 64 };
static const double HEIGHTS_MOST = 0x1p24;

/* What an annealed chain may take: about 1.5 ns for each entry that a proposal reads. */
static const double SECONDS_MOST = 4 * 3600.0, SECONDS_EACH = 1.5e-9;

/* ---- texts ---- */

/* The number that is the first `length` characters of a text. */
static bool read_number(double *out, const char *text, size_t length)
{
    char copy[64];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return spn_number_parse(out, copy);
}

size_t spn_exact_numbers(double *out, size_t most, const char *text, char joint)
{
    const char joints[2] = {joint, 0};
    for (size_t count = 0; count < most; count++) {
        const size_t length = strcspn(text, joints);
        if (!read_number(&out[count], text, length))
            return 0;
        if (!text[length])
            return count + 1;
        text += length + 1;
    }
    return 0;
}

/* KIND:START:END for the kinds whose range the library takes apart from the kind. */
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

/* theorem1[:KEY=VALUE,...] after the colon. */
static spn_status read_theorem1(spn_exact_annealing *out, const char *text, spn_error *err)
{
    double stages = 10, kappa = NAN;
    out->is_theorem1 = true;
    out->theorem1 = (spn_theorem1){1.5, 0.5, .B = NAN, .m = NAN, .c = NAN};
    spn_theorem1 *k = &out->theorem1;
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
        if (!value || length >= end || !read_number(value, text + length + 1, end - length - 1) ||
            !(*value > 0))
            return spn_setting_fail("schedule", err,
                                    "theorem1: '%s' does not start with KEY=VALUE, KEY one of "
                                    "stages, alpha, b, m, B, c, kappa and VALUE above 0",
                                    text);
        text += end + (text[end] == ',');
    }
    if (stages != floor(stages) || stages > 1000)
        return spn_setting_fail("schedule", err,
                                "theorem1: stages is a whole number, at most 1000");
    out->theorem1_stages = (size_t)stages;
    k->log_kappa = log(kappa);
    return SPN_OK;
}

static spn_status read_gamma(spn_exact_annealing *out, const char *text, spn_error *err)
{
    double part[2];
    if (strncmp(text, "stages:", 7) != 0)
        return parse(&out->growing, "gamma-schedule", text, err);
    if (!out->is_theorem1 && spn_schedule_kind_of(out->beta) != SPN_SCHEDULE_PIECES)
        return spn_setting_fail("gamma-schedule", err,
                                "stages:START:STEP needs a schedule in pieces");
    if (spn_exact_numbers(part, 2, text + 7, ':') != 2 || part[0] < 0 || part[1] < 0)
        return spn_setting_fail("gamma-schedule", err,
                                "expected stages:START:STEP, such as stages:0.5:0.1");
    out->by_stages = true;
    out->first = part[0];
    out->growth = part[1];
    return SPN_OK;
}

spn_status spn_exact_annealing_read(spn_exact_annealing *inout, const char *schedule,
                                    const char *gamma_schedule, spn_error *err)
{
    const bool is_theorem1 =
        strncmp(schedule, "theorem1", 8) == 0 && (!schedule[8] || schedule[8] == ':');
    spn_status status = is_theorem1 ? read_theorem1(inout, schedule + 8 + (schedule[8] == ':'), err)
                                    : parse(&inout->beta, "schedule", schedule, err);
    inout->fixed = !gamma_schedule;
    if (!status && gamma_schedule)
        status = read_gamma(inout, gamma_schedule, err);
    if (status)
        return status;
    const bool lasts = is_theorem1 || spn_schedule_length(inout->beta) > 0;
    if (lasts && inout->steps)
        return spn_setting_fail("steps", err, "cannot be combined with pieces, which have theirs");
    if (!lasts && !inout->steps)
        return spn_setting_fail("steps", err, "this schedule needs them");
    return SPN_OK;
}

void spn_exact_annealing_clear(spn_exact_annealing *annealing)
{
    spn_schedule_free(annealing->beta);
    spn_schedule_free(annealing->growing);
    annealing->beta = annealing->growing = NULL;
}

/* ---- stages ---- */

/* Cut the schedules. *constants are those of Theorem 1's, once computed, where it is that. */
static spn_status make_stages(spn_stages **out, spn_theorem1 *constants, bool *converged,
                              const spn_exact_annealing *a, const spn_landscape *landscape,
                              spn_error *err)
{
    spn_schedule *slow = NULL, *made = NULL; /* beta of Theorem 1, gamma of these settings */
    const spn_schedule *beta = a->beta;
    spn_status status;
    if (a->fixed && (status = spn_schedule_constant(&made, a->gamma, err)))
        goto cleanup;
    if (a->is_theorem1) {
        if ((status = spn_theorem1_complete(constants, converged, landscape, a->replicas, a->kernel,
                                            a->gamma, a->theorem1_stages, err)) ||
            (status = spn_schedule_theorem1(&slow, constants, a->theorem1_stages, err)))
            goto cleanup;
        beta = slow;
    }
    if (!a->fixed && a->by_stages &&
        (status = spn_stages_gamma(&made, beta, a->first, a->growth, err)))
        goto cleanup;
    status = spn_stages_create(out, beta, made ? made : a->growing,
                               a->steps ? a->steps : spn_schedule_length(beta), err);
cleanup:
    spn_schedule_free(slow);
    spn_schedule_free(made);
    return status;
}

/* Refuse what would take longer than anybody waits. */
static spn_status check_length(const spn_stages *s, size_t bits, spn_error *err)
{
    const double seconds = spn_stages_operations(s, bits) * SECONDS_EACH;
    if (seconds <= SECONDS_MOST)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "%.3g steps of 2^%zu replicated states would take about %.0f hours; ask for "
                    "fewer stages or steps, or a smaller N y",
                    (double)s->steps, bits, seconds / 3600);
}

/* ---- results ---- */

static spn_status add_stages(spn_record *out, const spn_stage *stages, size_t count,
                             const spn_verdict *v, const spn_kappa3 *k, spn_error *err)
{
    static const char *const names[] = {
        "stage",           "beta",      "gamma",     "steps",      "epsilon",
        "total_variation", "condition", "log_bound", "condition3", "log_bound3"};
    double *values = spn_alloc(10 * count, sizeof *values), *next = values;
    for (size_t n = 0; values && n < count; n++) {
        const spn_stage *s = &stages[n];
        *next++ = (double)(n + 1);
        *next++ = s->beta;
        *next++ = s->gamma;
        *next++ = (double)s->steps;
        *next++ = s->epsilon;
        *next++ = s->total_variation;
        *next++ = v ? v->condition[n] : NAN;
        *next++ = v ? v->log_bound[n] : NAN;
        *next++ = k ? k->condition[n] : NAN;
        *next++ = k ? k->log_bound[n] : NAN;
    }
    return spn_exact_add_rows(out, "stages", 10, names, count, values, err);
}

static spn_status add_verdict(spn_record *out, const spn_verdict *v, bool converged, spn_error *err)
{
    const struct {
        const char *name;
        double value;
    } results[] = {{"theorem", v->theorem},
                   {"condition_met", v->met},
                   {"margin", v->margin},
                   {"c", v->c},
                   {"log_kappa", v->log_kappa}};
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof results / sizeof results[0] && !status; k++)
        status = spn_record_add_result(out, results[k].name, results[k].value, err);
    if (!status && !(converged && v->converged))
        status = spn_record_add_note(out, err, "not converged: a gap that c is computed from");
    if (!status && !v->met)
        status = spn_record_add_note(
            out, err,
            "the condition of Theorem %d is not met: it rises by up to %.4g at a stage of the last "
            "half. The theorem promises nothing; the chain is cooled too fast.",
            v->theorem, -v->margin);
    return status;
}

/* The same with the chain's own contraction, where there are few enough states for it. */
static spn_status add_kappa3(spn_kappa3 **out, spn_record *record, const spn_annealing *annealing,
                             const spn_landscape *landscape, const spn_verdict *v, spn_error *err)
{
    if (landscape->sites * annealing->replicas > SPN_KAPPA3_BITS ||
        annealing->stages > STAGES_CONTRACTED)
        return SPN_OK;
    spn_status status = spn_kappa3_create(out, landscape, annealing, v, err);
    if (status)
        return status;
    const double log_kappa3 = (*out)->log_kappa3;
    if ((status = spn_record_add_result(record, "log_kappa3",
                                        isfinite(log_kappa3) ? log_kappa3 : NAN, err)) ||
        (status = spn_record_add_result(record, "condition3_met", (*out)->met, err)))
        return status;
    if (log_kappa3 > v->log_kappa)
        status = spn_record_add_note(record, err,
                                     "log_kappa = %.4g is below log_kappa3 = %.4g: the proof does "
                                     "not hold with it, but condition3 and log_bound3 do. "
                                     "theorem1:kappa=%.4g makes stages long enough",
                                     v->log_kappa, log_kappa3, exp(log_kappa3) * 1.01);
    return status;
}

/* What the theorems say, unless that would take too long. */
static spn_status judge(spn_verdict **out, spn_record *record, const spn_annealing *annealing,
                        const spn_stages *s, const spn_landscape *landscape,
                        const spn_theorem1 *constants, spn_error *err)
{
    const double states = pow(2.0, (double)(landscape->sites * annealing->replicas));
    if (s->count > STAGES_JUDGED || (s->gamma_changes && (double)s->count * states > HEIGHTS_MOST))
        return spn_record_add_note(record, err,
                                   "the theorems' conditions are left out: %zu stages of %g states",
                                   s->count, states);
    return spn_verdict_create(out, landscape, annealing, constants->c, constants->log_kappa, err);
}

static spn_status add_results(spn_record *out, const spn_annealing *annealing, const spn_stages *s,
                              const spn_landscape *landscape, const spn_theorem1 *constants,
                              bool converged, spn_error *err)
{
    spn_verdict *verdict = NULL;
    spn_kappa3 *kappa3 = NULL;
    spn_stage *stages = spn_alloc(s->count, sizeof *stages);
    if (!stages)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu stages", s->count);
    const spn_stage *last = &stages[s->count - 1];
    spn_status status;
    if ((status = spn_annealing_converge(stages, NULL, landscape, annealing, err)) ||
        (status = judge(&verdict, out, annealing, s, landscape, constants, err)) ||
        (status = spn_record_add_result(out, "epsilon", last->epsilon, err)) ||
        (status = spn_record_add_result(out, "total_variation", last->total_variation, err)))
        goto cleanup;
    if (verdict && ((status = add_verdict(out, verdict, converged, err)) ||
                    (status = add_kappa3(&kappa3, out, annealing, landscape, verdict, err))))
        goto cleanup;
    status = add_stages(out, stages, s->count, verdict, kappa3, err);
cleanup:
    spn_kappa3_free(kappa3);
    spn_verdict_free(verdict);
    free(stages);
    return status;
}

spn_status spn_exact_annealing_run(spn_record *out, const spn_exact_annealing *a,
                                   const spn_landscape *landscape, spn_error *err)
{
    spn_theorem1 constants = a->theorem1;
    spn_stages *s = NULL;
    spn_error why = {0};
    bool converged = true;
    if (!a->is_theorem1)
        constants.c = constants.log_kappa = NAN;
    spn_status status = make_stages(&s, &constants, &converged, a, landscape, &why);
    if (!status)
        status = check_length(s, landscape->sites * a->replicas, &why);
    if (status) {
        spn_setting_blame("schedule", &why, err);
    } else {
        const spn_annealing annealing = {.size = sizeof annealing,
                                         .replicas = a->replicas,
                                         .kernel = a->kernel,
                                         .beta = s->beta,
                                         .stages = s->count,
                                         .gammas = s->gamma,
                                         .start = a->start};
        status = add_results(out, &annealing, s, landscape, &constants, converged, err);
    }
    spn_stages_free(s);
    return status;
}
