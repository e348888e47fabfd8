/* Theorems 1 and 2 on an annealed chain: their constants, their condition, and the bound that the
   recursion of their proofs gives. */
#include "analysis/common.h"

#include <stdlib.h>

/* c is the minimum over at most this number of stages. */
enum { GAPS_MOST = 33 };

/* A chain stage by stage. Its gap is compared to e^-climbs[n], or to e^(-beta m). */
typedef struct climbing {
    const spn_landscape *landscape;
    spn_annealing chain;
    double m;             /* Theorem 1, */
    const double *climbs; /* or Theorem 2: not NULL */
} climbing;

static double climb_at(const climbing *s, size_t n)
{
    return s->climbs ? s->climbs[n] : s->chain.beta[n].value * s->m;
}

/* 1 - max(lambda_1, |lambda_min|), the rate of convergence of stage n. */
static spn_status find_rate(double *out, bool *converged, const climbing *s, size_t n,
                            spn_error *err)
{
    const spn_annealing *a = &s->chain;
    spn_operator *op = NULL;
    spn_gap gap = {0};
    SPN_TRY(spn_operator_create(&op, s->landscape, a->replicas, a->kernel, a->beta[n].value,
                                spn_annealing_gamma(a, n), err));
    const spn_status status = spn_operator_gap(&gap, op, NULL, err);
    spn_operator_free(op);
    *out = fmin(gap.gap, 1 + gap.lambda_min);
    *converged = *converged && gap.converged;
    return status;
}

/* The minimum of rate e^climb over evenly spaced stages. */
static spn_status find_c(double *out, bool *converged, const climbing *s, spn_error *err)
{
    const size_t count = s->chain.stages, sample = count < GAPS_MOST ? count : GAPS_MOST;
    *out = INFINITY;
    for (size_t j = 0; j < sample; j++) {
        const size_t n = sample > 1 ? j * (count - 1) / (sample - 1) : 0;
        double rate;
        SPN_TRY(find_rate(&rate, converged, s, n, err));
        *out = fmin(*out, rate * exp(climb_at(s, n)));
    }
    return SPN_OK;
}

static spn_status find_log_kappa(double *out, const spn_landscape *landscape, size_t replicas,
                                 double gamma, spn_error *err)
{
    spn_constants k;
    SPN_TRY(spn_constants_compute(&k, landscape, replicas, 0, gamma, err));
    *out = fmax(1, k.log_kappa1);
    return SPN_OK;
}

/* c from the betas of the schedule, which do not depend on it. */
static spn_status complete_c(spn_theorem1 *k, bool *converged, climbing *s, size_t stages,
                             spn_error *err)
{
    spn_schedule *schedule = NULL;
    k->c = 1;
    SPN_TRY(spn_schedule_theorem1(&schedule, k, stages, err));
    s->chain.beta = spn_schedule_get_pieces(schedule, &s->chain.stages);
    const spn_status status = find_c(&k->c, converged, s, err);
    spn_schedule_free(schedule);
    return status;
}

spn_status spn_theorem1_complete(spn_theorem1 *inout, bool *converged,
                                 const spn_landscape *landscape, size_t replicas, spn_kernel kernel,
                                 double gamma, size_t stages, spn_error *err)
{
    spn_theorem1 k = *inout;
    spn_heights heights;
    bool all = true;
    SPN_TRY(spn_landscape_heights(&heights, landscape, err));
    if (isnan(k.m))
        k.m = heights.m;
    if (isnan(k.B))
        k.B = landscape->step;
    SPN_REFUSE_IF(!(k.m > 0) || !(k.B > 0), err,
                  "theorem1 slows down for barriers, and here m=%g and B=%g: any schedule "
                  "converges; give pieces, or theorem1:m=,B=",
                  k.m, k.B);
    if (isnan(k.log_kappa))
        SPN_TRY(find_log_kappa(&k.log_kappa, landscape, replicas, gamma, err));
    climbing s = {landscape, {.replicas = replicas, .kernel = kernel, .gamma = gamma}, k.m, NULL};
    if (isnan(k.c))
        SPN_TRY(complete_c(&k, &all, &s, stages, err));
    if (converged)
        *converged = all;
    *inout = k;
    return SPN_OK;
}

static spn_status find_climbs(double *out, const climbing *s, spn_error *err)
{
    const spn_annealing *a = &s->chain;
    for (size_t n = 0; n < a->stages && !spn_pause_now(); n++)
        SPN_TRY(spn_replicated_height(&out[n], s->landscape, a->replicas, a->kernel,
                                      a->beta[n].value, spn_annealing_gamma(a, n), err));
    return SPN_OK;
}

/* Stage n in the recursion of the proofs, as logarithms: the fall (1 - c e^-climb)^T_n, and the
   drift after it. */
static spn_status stage_bounds(double *fall, double *drift, const spn_landscape *landscape,
                               const spn_annealing *annealing, size_t n, const spn_verdict *verdict,
                               double climb, spn_error *err)
{
    const spn_piece *stage = &annealing->beta[n];
    const double gap = verdict->c * exp(-climb);
    spn_constants k;
    SPN_TRY(spn_constants_compute(&k, landscape, annealing->replicas, stage->value,
                                  spn_annealing_gamma(annealing, n), err));
    *fall = gap < 1 ? (double)stage->steps * log1p(-gap) : -INFINITY;
    *drift = verdict->theorem == 2 ? k.log_kappa2_bound : k.log_kappa1 - stage->value * k.B;
    return SPN_OK;
}

static spn_status find_condition(double *out, double *margin, const climbing *s, double c,
                                 double log_kappa, spn_error *err)
{
    const spn_condition condition = {.size = sizeof condition,
                                     .beta = s->chain.beta,
                                     .stages = s->chain.stages,
                                     .m = s->m,
                                     .climbs = s->climbs,
                                     .c = c,
                                     .log_kappa = log_kappa};
    return spn_condition_evaluate(out, margin, &condition, err);
}

static spn_status judge(spn_verdict *v, const climbing *s, spn_error *err)
{
    if (isnan(v->log_kappa))
        SPN_TRY(find_log_kappa(&v->log_kappa, s->landscape, s->chain.replicas,
                               spn_annealing_gamma(&s->chain, 0), err));
    if (isnan(v->c) || s->climbs)
        SPN_TRY(find_c(&v->c, &v->converged, s, err));
    SPN_TRY(find_condition(v->condition, &v->margin, s, v->c, v->log_kappa, err));
    v->theorem = s->climbs ? 2 : 1;
    v->met = v->margin > 0;
    /* The recursion of the proofs, as logarithms. */
    double last = 0;
    for (size_t n = 0; n < s->chain.stages && !spn_pause_now(); n++) {
        double fall, drift;
        SPN_TRY(stage_bounds(&fall, &drift, s->landscape, &s->chain, n, v, climb_at(s, n), err));
        v->log_bound[n] = last = spn_log_add(drift, v->log_kappa + fall + last);
    }
    return SPN_OK;
}

static bool gamma_changes(const spn_annealing *a)
{
    for (size_t n = 1; a->gammas && n < a->stages; n++)
        if (a->gammas[n] != a->gammas[0])
            return true;
    return false;
}

spn_status spn_verdict_create(spn_verdict **out, const spn_landscape *landscape,
                              const spn_annealing *given, double c, double log_kappa,
                              spn_error *err)
{
    climbing s = {.landscape = landscape, .chain = spn_annealing_defaults()};
    spn_heights heights;
    double *climbs = NULL;
    spn_verdict *v = NULL;
    *out = NULL;
    spn_status status;
    SPN_TRY(spn_sized_take(&s.chain, sizeof s.chain, given, "spn_annealing_defaults", err));
    SPN_TRY(spn_landscape_heights(&heights, landscape, err));
    const size_t stages = s.chain.stages;
    s.m = heights.m;
    climbs = spn_alloc(stages, sizeof *climbs);
    v = spn_alloc(1, sizeof *v + 2 * stages * sizeof(double)); /* with its two arrays */
    SPN_EXACT_NEED_OR(cleanup, climbs && v, err, "a theorem's condition", 24 * stages);
    double *arrays = (double *)(void *)(v + 1);
    *v = (spn_verdict){.converged = true,
                       .m = heights.m,
                       .c = c,
                       .log_kappa = log_kappa,
                       .stages = stages,
                       .condition = arrays,
                       .log_bound = arrays + stages};
    if (gamma_changes(&s.chain)) {
        SPN_TRY_OR(cleanup, find_climbs(climbs, &s, err));
        s.climbs = climbs;
    }
    status = judge(v, &s, err);
cleanup:
    free(climbs);
    if (status)
        spn_verdict_free(v);
    else
        *out = v;
    return status;
}

/* ---- kappa3 ---- */

/* kappa3 of the proofs of Theorems 1 and 2, for a schedule. The paper takes some constant from
   linear algebra. The symmetrised matrix alone gives sqrt(max Qbar sum 1/Qbar), which grows with
   beta without bound. A schedule needs less: the inequality at the T_n of its own stages, where it
   can be computed. */

/* Falls below log 1e-8 are not looked at: powers of the matrix have a rounding of about 1e-15. */
static const double FALL_LEAST = -18.4;

/* The log of the smallest constant for which stage n contracts as the theorem asks, by `fall`. */
static spn_status find_constant(double *out, const climbing *s, spn_operator *op, size_t n,
                                double fall, spn_error *err)
{
    const spn_annealing *a = &s->chain;
    const double all = (double)a->beta[n].steps, each = fall / all;
    const double steps = fall < FALL_LEAST ? fmax(1, ceil(FALL_LEAST / each)) : all;
    double norm;
    SPN_TRY(spn_operator_set(op, a->kernel, a->beta[n].value, spn_annealing_gamma(a, n), err));
    SPN_TRY(spn_operator_contraction(&norm, op, (uint64_t)steps, err));
    *out = log(norm) - steps * each;
    return SPN_OK;
}

/* Also the fall (1 - c e^-climb_n)^T_n of every stage and the drift after it, as logarithms. */
static spn_status find_kappa3(spn_kappa3 *k, double *falls, double *drifts, const climbing *s,
                              const spn_verdict *verdict, spn_error *err)
{
    const spn_annealing *a = &s->chain;
    spn_operator *op = NULL;
    spn_status status = SPN_OK;
    SPN_TRY(spn_operator_create(&op, s->landscape, a->replicas, a->kernel, 0, 0, err));
    for (size_t n = 0; n < a->stages && !spn_pause_now(); n++) {
        double one = INFINITY;
        SPN_TRY_OR(cleanup, stage_bounds(&falls[n], &drifts[n], s->landscape, a, n, verdict,
                                         climb_at(s, n), err));
        if (isfinite(falls[n]))
            SPN_TRY_OR(cleanup, find_constant(&one, s, op, n, falls[n], err));
        k->log_kappa3 = fmax(k->log_kappa3, one);
    }
cleanup:
    spn_operator_free(op);
    return status;
}

spn_status spn_kappa3_create(spn_kappa3 **out, const spn_landscape *landscape,
                             const spn_annealing *given, const spn_verdict *verdict, spn_error *err)
{
    climbing s = {.landscape = landscape, .chain = spn_annealing_defaults(), .m = verdict->m};
    spn_kappa3 *k = NULL;
    *out = NULL;
    spn_status status;
    SPN_TRY(spn_sized_take(&s.chain, sizeof s.chain, given, "spn_annealing_defaults", err));
    const size_t count = s.chain.stages;
    double *climbs = spn_alloc(count, sizeof *climbs);
    double *falls = spn_alloc(count, sizeof *falls), *drifts = spn_alloc(count, sizeof *drifts);
    k = spn_alloc(1, sizeof *k + 2 * count * sizeof(double)); /* with its two arrays */
    SPN_EXACT_NEED_OR(cleanup, climbs && falls && drifts && k, err, "kappa3", 40 * count);
    k->stages = count;
    k->condition = (double *)(void *)(k + 1);
    k->log_bound = k->condition + count;
    if (verdict->theorem == 2) {
        SPN_TRY_OR(cleanup, find_climbs(climbs, &s, err));
        s.climbs = climbs;
    }
    SPN_TRY_OR(cleanup, find_kappa3(k, falls, drifts, &s, verdict, err));
    status = find_condition(k->condition, &k->margin, &s, verdict->c, k->log_kappa3, err);
    k->met = k->margin > 0;
    for (size_t n = 0; n < count; n++) {
        const double before = n > 0 ? spn_log_add(k->log_bound[n - 1], drifts[n - 1]) : 0;
        k->log_bound[n] = k->log_kappa3 + falls[n] + before;
    }
cleanup:
    SPN_FREE_ALL(climbs, falls, drifts);
    if (status)
        spn_kappa3_free(k);
    else
        *out = k;
    return status;
}
