/* The mass of D^y, and the constants of section 3 that need mu0(N_0). Both are ratios of sums of
   g^y, with g summed over the states of a set. */
#include "analysis/common.h"

#include <spinney/sampler.h>
#include <stdlib.h>

/* log sum over D^y of exp(-beta (U - U_min) + H_gamma), D being the states of finite log weight,
   less the factor 2^N e^(-gamma N y) that all sets share. Overwrites the weights. */
static double log_set_sum(double *log_weights, size_t sites, size_t replicas, double gamma)
{
    if (isfinite(gamma)) /* else the replicas are aligned: sum w^y */
        spn_couple_log(log_weights, sites, gamma);
    return spn_log_sum_exp(log_weights, (double)replicas, (size_t)1 << sites);
}

spn_status spn_mark_states(bool **out, const spn_landscape *landscape, const uint32_t *states,
                           size_t count, spn_error *err)
{
    bool *taken = *out = spn_alloc(landscape->states, sizeof *taken);
    SPN_EXACT_NEED(taken, err, "a set of states", landscape->states);
    for (size_t j = 0; j < count; j++) {
        const uint32_t k = states[j];
        SPN_REFUSE_IF(k >= landscape->states, err, "state %u is out of range, expected 0 to %zu", k,
                      landscape->states - 1);
        SPN_REFUSE_IF(taken[k], err, "state %u is named twice", k);
        taken[k] = true;
    }
    return SPN_OK;
}

spn_status spn_dense_mass(double *out, const spn_landscape *landscape, size_t replicas, double beta,
                          double gamma, const uint32_t *states, size_t count, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    spn_status status;
    SPN_TRY(spn_exact_check(replicas, beta, gamma, true, true, err));
    double *all = spn_alloc(landscape->states, sizeof *all);
    double *part = spn_alloc(landscape->states, sizeof *part);
    bool *inside = NULL;
    SPN_EXACT_NEED_OR(cleanup, all && part, err, "the mass of a set", 16 * landscape->states);
    spn_log_weights(all, landscape, beta);
    SPN_TRY_OR(cleanup, spn_mark_states(&inside, landscape, states, count, err));
    for (size_t k = 0; k < landscape->states; k++)
        part[k] = inside[k] ? all[k] : -INFINITY;
    const double log_part = log_set_sum(part, landscape->sites, replicas, gamma);
    *out = exp(log_part - log_set_sum(all, landscape->sites, replicas, gamma));
cleanup:
    SPN_FREE_ALL(all, part, inside);
    return status;
}

/* log kappa1 from log p0 and the log of the largest mu0, which aligned replicas have both inside
   N_0 and, unless E is constant, outside it. */
static double log_kappa1(double log_p0, double log_top, bool constant)
{
    if (constant)
        return -INFINITY;
    const double inside = log_top + log1p(-exp(log_p0)) - 2 * log_p0;
    return fmax(inside, log_top - log_p0);
}

/* kappa2 = max((2^(N y) - J)/J^2, 1/J). The J aligned minima have weight 1, all others at most
   e^(-beta B) or e^(-B'), and each weight falls as beta and gamma grow. */
static double log_kappa2(double bits, double minima)
{
    const double log_j = log(minima), log_all = bits * log(2.0);
    const double others = log_all + log1p(-fmin(1, exp(log_j - log_all)));
    return fmax(others - 2 * log_j, -log_j);
}

spn_status spn_constants_compute_sized(spn_constants *out, size_t size,
                                       const spn_landscape *landscape, size_t replicas, double beta,
                                       double gamma, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    SPN_TRY(spn_exact_check(replicas, beta, gamma, true, false, err));
    double *weights = spn_alloc(landscape->states, sizeof *weights);
    SPN_EXACT_NEED(weights, err, "the constants", 8 * landscape->states);
    const double n = (double)landscape->sites, y = (double)replicas;
    const double minima = (double)landscape->minima_count;
    spn_log_weights(weights, landscape, INFINITY);
    const double log_sum = log_set_sum(weights, landscape->sites, replicas, gamma);
    free(weights);
    spn_constants c = {.B = landscape->step};
    c.B_prime = spn_log_cosh(gamma * y) - spn_log_cosh(gamma * (y - 2));
    c.log_gamma = y * n * (spn_log_cosh(gamma) + log(2.0));
    const double log_p0 = fmin(0, log_sum + y * gamma * n - n * log(2.0) - c.log_gamma);
    const double log_top = spn_law_log_top(landscape->sites, replicas, gamma) - c.log_gamma;
    c.mu0_minima = exp(log_p0);
    c.log_kappa1 = log_kappa1(log_p0, log_top, landscape->minima_count == landscape->states);
    c.kappa1 = exp(c.log_kappa1);
    c.log_kappa2 = log_kappa2(n * y, minima);
    const double cold = c.B > 0 ? -beta * c.B : -INFINITY; /* constant E: no such states */
    const double apart = -c.B_prime, top = fmax(cold, apart);
    c.log_kappa2_bound = c.log_kappa2 + top + log1p(exp(fmin(cold, apart) - top));
    spn_sized_give(out, size, &c, sizeof c);
    return SPN_OK;
}
