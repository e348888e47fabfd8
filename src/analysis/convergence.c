/* The exact law of an annealed chain after each stage, the condition of Theorem 1, and the
   constants that fit a table of gaps. */
#include "analysis/common.h"
#include "analysis/operator.h"
#include "core/schedule.h"

#include <spinney/theorems.h>
#include <stdlib.h>
#include <string.h>

static void compare(spn_stage *out, const double *law, const double *target, size_t states)
{
    double worst = 0, sum = 0;
    for (size_t k = 0; k < states; k++) {
        const double difference = fabs(law[k] - target[k]);
        worst = fmax(worst, difference);
        sum += difference;
    }
    out->epsilon = worst;
    out->total_variation = 0.5 * sum;
}

/* out: the caller's stages, of size bytes each. */
static spn_status run_stages(spn_stage *out, size_t size, const spn_annealing *annealing,
                             spn_operator *op, double **law, double **other, spn_error *err)
{
    for (size_t n = 0; n < annealing->stages && !spn_pause_now(); n++) {
        const spn_piece *piece = &annealing->beta[n];
        const double gamma = spn_annealing_gamma(annealing, n);
        SPN_TRY(spn_operator_set(op, annealing->kernel, piece->value, gamma, err));
        spn_operator_advance(op, piece->steps, law, other);
        spn_stage stage = {.beta = piece->value, .gamma = gamma, .steps = piece->steps};
        spn_operator_law(op, *other);
        compare(&stage, *law, *other, spn_operator_states(op));
        spn_sized_give((unsigned char *)out + n * size, size, &stage, sizeof stage);
    }
    return SPN_OK;
}

spn_status spn_annealing_converge_sized(spn_stage *out, size_t size, double *law,
                                        const spn_landscape *landscape, const spn_annealing *given,
                                        spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    spn_annealing own = spn_annealing_defaults();
    const spn_annealing *annealing = &own;
    spn_status status;
    SPN_TRY(spn_sized_take(&own, sizeof own, given, "spn_annealing_defaults", err));
    SPN_REFUSE_IF(annealing->stages < 1, err, "an annealing needs at least 1 stage");
    spn_operator *op = NULL;
    SPN_TRY(spn_operator_create(&op, landscape, annealing->replicas, annealing->kernel,
                                annealing->beta[0].value, spn_annealing_gamma(annealing, 0), err));
    const size_t states = op->states;
    double *now = spn_alloc(states, sizeof *now), *other = spn_alloc(states, sizeof *other);
    SPN_EXACT_NEED_OR(cleanup, now && other, err, "the laws", 16 * states);
    if (annealing->start >= states) {
        status = spn_refuse(err, "start state %zu is out of range, expected 0 to %zu",
                            annealing->start, states - 1);
        goto cleanup;
    }
    now[annealing->start] = 1;
    SPN_TRY_OR(cleanup, run_stages(out, size, annealing, op, &now, &other, err));
    if (law)
        memcpy(law, now, states * sizeof *law);
cleanup:
    SPN_FREE_ALL(now, other);
    spn_operator_free(op);
    return status;
}

spn_status spn_condition_evaluate(double *out, double *margin, const spn_condition *given,
                                  spn_error *err)
{
    spn_condition own = spn_condition_defaults();
    const spn_condition *condition = &own;
    double total = 0, least = INFINITY;
    SPN_TRY(spn_sized_take(&own, sizeof own, given, "spn_condition_defaults", err));
    for (size_t n = 0; n < condition->stages; n++) {
        const spn_piece *piece = &condition->beta[n];
        const double climb = condition->climbs ? condition->climbs[n] : piece->value * condition->m;
        const double fall =
            condition->c * (double)piece->steps * exp(-climb) - condition->log_kappa;
        total -= fall;
        out[n] = total;
        if (n >= condition->stages / 2)
            least = fmin(least, fall);
    }
    if (margin)
        *margin = least;
    return SPN_OK;
}

spn_status spn_gap_fit_compute_sized(spn_gap_fit *out, size_t size, const double *beta,
                                     const double *gap, size_t count, double m, spn_error *err)
{
    SPN_REFUSE_IF(count < 2, err, "a fit needs gaps at 2 values of beta or more");
    for (size_t n = 0; n < count; n++) {
        SPN_REFUSE_IF(!(gap[n] > 0), err, "gap %zu of the fit is %g, expected above 0", n + 1,
                      gap[n]);
        SPN_REFUSE_IF(n > 0 && !(beta[n] > beta[n - 1]), err, "beta must increase: %g follows %g",
                      beta[n], beta[n - 1]);
    }
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    spn_gap_fit fit = {.c = INFINITY, .C = 0};
    for (size_t n = 0; n < count; n++) {
        const double constant = exp(log(gap[n]) + beta[n] * m);
        fit.c = fmin(fit.c, constant);
        fit.C = fmax(fit.C, constant);
        mean_x += beta[n] / (double)count;
        mean_y += log(gap[n]) / (double)count;
    }
    for (size_t n = 0; n < count; n++) {
        xx += (beta[n] - mean_x) * (beta[n] - mean_x);
        xy += (beta[n] - mean_x) * (log(gap[n]) - mean_y);
    }
    fit.slope = xy / xx;
    fit.last_slope = log(gap[count - 1] / gap[count - 2]) / (beta[count - 1] - beta[count - 2]);
    spn_sized_give(out, size, &fit, sizeof fit);
    return SPN_OK;
}

/* ---- stages ---- */

/* The number of steps from t on in which a schedule keeps its value. */
static uint64_t steps_left(const spn_schedule *s, uint64_t t)
{
    return spn_schedule_traits_of(s->kind)->changes == SPN_CHANGES_EACH_STEP
               ? 1
               : spn_schedule_piece_left(s, t);
}

static bool add_stage(spn_stages *s, size_t room[2], double beta, double gamma, uint64_t steps)
{
    if (!spn_grow(&s->beta, &room[0], s->count + 1, sizeof *s->beta) ||
        !spn_grow(&s->gamma, &room[1], s->count + 1, sizeof *s->gamma))
        return false;
    s->gamma_changes = s->gamma_changes || (s->count && gamma != s->gamma[0]);
    s->gamma[s->count] = gamma;
    s->beta[s->count++] = (spn_piece){beta, steps};
    s->steps += steps;
    return true;
}

static spn_status cut(spn_stages *s, const spn_schedule *beta, const spn_schedule *gamma,
                      uint64_t steps, spn_error *err)
{
    size_t room[2] = {0};
    for (uint64_t t = 0; t < steps;) {
        const uint64_t first = steps_left(beta, t), second = steps_left(gamma, t);
        uint64_t length = first < second ? first : second;
        length = length < steps - t ? length : steps - t;
        SPN_REFUSE_IF(s->count == SPN_STAGES_MOST, err,
                      "more than %d stages of constant beta and gamma", SPN_STAGES_MOST);
        SPN_NEED(add_stage(s, room, spn_schedule_value(beta, t, steps, 0, 1),
                           spn_schedule_value(gamma, t, steps, 0, 1), length),
                 err, "the stages of a schedule");
        t += length;
    }
    return SPN_OK;
}

static spn_status check(const spn_schedule *schedule, const char *name, bool is_beta,
                        uint64_t steps, spn_error *err)
{
    SPN_REFUSE_IF(spn_schedule_traits_of(schedule->kind)->changes == SPN_CHANGES_BY_ACCEPTANCE, err,
                  "%s: scoping depends on what is accepted, so that the chain has no law "
                  "of its own at each step",
                  name);
    return spn_schedule_check(schedule, name, is_beta, steps, err);
}

spn_status spn_stages_create(spn_stages **out, const spn_schedule *beta, const spn_schedule *gamma,
                             uint64_t steps, spn_error *err)
{
    *out = NULL;
    SPN_TRY(check(beta, "beta", true, steps, err));
    SPN_TRY(check(gamma, "gamma", false, steps, err));
    spn_stages *s = spn_alloc(1, sizeof *s);
    SPN_NEED(s, err, "the stages of a schedule");
    SPN_HAND_OVER(out, s, spn_stages_free, cut(s, beta, gamma, steps, err));
}

void spn_stages_free(spn_stages *stages)
{
    if (!stages)
        return;
    SPN_FREE_ALL(stages->beta, stages->gamma, stages);
}

spn_status spn_stages_gamma(spn_schedule **out, const spn_schedule *beta, double start, double step,
                            spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(!(start >= 0) || !(step >= 0) || isinf(start) || isinf(step), err,
                  "gamma by stages starts at %g and grows by %g; both must be 0 or more", start,
                  step);
    SPN_REFUSE_IF(beta->kind != SPN_SCHEDULE_PIECES, err,
                  "stages of gamma need a schedule in pieces");
    const spn_status status = spn_schedule_pieces(out, beta->pieces, beta->count, err);
    for (size_t n = 0; !status && n < beta->count; n++)
        (*out)->pieces[n].value = start + step * (double)n;
    return status;
}

double spn_stages_operations(const spn_stages *stages, size_t bits)
{
    const double states = pow(2.0, (double)bits);
    double total = 0;
    for (size_t n = 0; n < stages->count; n++) {
        const double steps = (double)stages->beta[n].steps;
        double stage = steps * (double)bits * states;
        if (bits <= 10)
            stage = fmin(stage, pow(states, 3) * 2 * (log2(steps) + 1));
        total += stage;
    }
    return total;
}
