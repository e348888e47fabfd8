/* kappa3 of the proofs of Theorems 1 and 2, for a schedule. The paper takes some constant from
   linear algebra. The symmetrised matrix alone gives sqrt(max Qbar sum 1/Qbar), which grows with
   beta without bound. A schedule needs less: the inequality at the T_n of its own stages, where it
   can be computed. */
#include "analysis/common.h"
#include "base/memory.h"
#include "base/try.h"
#include "core/pause.h"

#include <math.h>

/* Falls below log 1e-8 are not looked at: powers of the matrix have a rounding of about 1e-15. */
static const double FALL_LEAST = -18.4;

typedef struct stages {
    const spn_landscape *landscape;
    const spn_annealing *annealing;
    const spn_verdict *verdict;
    double *climbs; /* beta_n m, or M_n */
    double *falls;  /* log (1 - c e^-climb_n)^T_n */
    double *drifts; /* log of the drift after stage n */
} stages;

static spn_status find_stage(const stages *s, size_t n, spn_error *err)
{
    const spn_annealing *a = s->annealing;
    const double beta = a->beta[n].value;
    s->climbs[n] = beta * s->verdict->m;
    if (s->verdict->theorem == 2)
        SPN_TRY(spn_replicated_height(&s->climbs[n], s->landscape, a->replicas, a->kernel, beta,
                                      spn_annealing_gamma(a, n), err));
    return spn_stage_bounds(&s->falls[n], &s->drifts[n], s->landscape, a, n, s->verdict,
                            s->climbs[n], err);
}

/* The log of the smallest constant for which stage n contracts as the theorem asks. */
static spn_status find_constant(double *out, const stages *s, spn_operator *op, size_t n,
                                spn_error *err)
{
    const spn_annealing *a = s->annealing;
    const double all = (double)a->beta[n].steps, each = s->falls[n] / all;
    const double steps = s->falls[n] < FALL_LEAST ? fmax(1, ceil(FALL_LEAST / each)) : all;
    double norm;
    SPN_TRY(spn_operator_set(op, a->kernel, a->beta[n].value, spn_annealing_gamma(a, n), err));
    SPN_TRY(spn_operator_contraction(&norm, op, (uint64_t)steps, err));
    *out = log(norm) - steps * each;
    return SPN_OK;
}

static spn_status find_kappa3(spn_kappa3 *k, const stages *s, spn_error *err)
{
    const spn_annealing *a = s->annealing;
    spn_operator *op = NULL;
    spn_status status = SPN_OK;
    SPN_TRY(spn_operator_create(&op, s->landscape, a->replicas, a->kernel, 0, 0, err));
    for (size_t n = 0; n < a->stages && !spn_pause_now(); n++) {
        double one = INFINITY;
        SPN_TRY_OR(cleanup, find_stage(s, n, err));
        if (isfinite(s->falls[n]))
            SPN_TRY_OR(cleanup, find_constant(&one, s, op, n, err));
        k->log_kappa3 = fmax(k->log_kappa3, one);
    }
cleanup:
    spn_operator_free(op);
    return status;
}

static spn_status conclude(spn_kappa3 *k, const stages *s, spn_error *err)
{
    const spn_condition condition = {.size = sizeof condition,
                                     .beta = s->annealing->beta,
                                     .stages = k->stages,
                                     .m = s->verdict->m,
                                     .climbs = s->climbs,
                                     .c = s->verdict->c,
                                     .log_kappa = k->log_kappa3};
    const spn_status status = spn_condition_evaluate(k->condition, &k->margin, &condition, err);
    k->met = k->margin > 0;
    for (size_t n = 0; n < k->stages; n++) {
        const double before = n > 0 ? spn_log_add(k->log_bound[n - 1], s->drifts[n - 1]) : 0;
        k->log_bound[n] = k->log_kappa3 + s->falls[n] + before;
    }
    return status;
}

spn_status spn_kappa3_create(spn_kappa3 **out, const spn_landscape *landscape,
                             const spn_annealing *given, const spn_verdict *verdict, spn_error *err)
{
    spn_annealing annealing = spn_annealing_defaults();
    stages s = {.landscape = landscape, .annealing = &annealing, .verdict = verdict};
    spn_kappa3 *k = NULL;
    *out = NULL;
    spn_status status;
    SPN_TRY(spn_sized_take(&annealing, sizeof annealing, given, "spn_annealing_defaults", err));
    const size_t count = annealing.stages;
    s.climbs = spn_alloc(count, sizeof *s.climbs);
    s.falls = spn_alloc(count, sizeof *s.falls);
    s.drifts = spn_alloc(count, sizeof *s.drifts);
    k = spn_alloc(1, sizeof *k + 2 * count * sizeof(double)); /* with its two arrays */
    if (!s.climbs || !s.falls || !s.drifts || !k) {
        status = spn_exact_no_memory(err, "kappa3", 40 * count);
        goto cleanup;
    }
    k->stages = count;
    k->condition = (double *)(void *)(k + 1);
    k->log_bound = k->condition + count;
    SPN_TRY_OR(cleanup, find_kappa3(k, &s, err));
    status = conclude(k, &s, err);
cleanup:
    SPN_FREE_ALL(s.climbs, s.falls, s.drifts);
    if (status)
        spn_kappa3_free(k);
    else
        *out = k;
    return status;
}
