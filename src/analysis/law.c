/* A law by either method. */
#include "analysis/common.h"

#include "base/text.h"

#include <spinney/coupling.h>
#include <stdlib.h>
#include <string.h>

/* ---- by enumeration ---- */

static bool all_at_minimum(const spn_landscape *landscape, size_t replicas, size_t state)
{
    for (size_t a = 0; a < replicas; a++, state >>= landscape->sites)
        if (!spn_landscape_is_minimum(landscape, state & (landscape->states - 1)))
            return false;
    return true;
}

/* -beta (U - U_min) + H for every replicated state; -infinity outside N_0 at beta = infinity. */
static void log_weights(double *out, double *coupling, const spn_landscape *landscape,
                        size_t replicas, double beta, double gamma)
{
    const size_t states = (size_t)1 << (landscape->sites * replicas);
    const double floor = (double)replicas * landscape->minimum;
    spn_replicated_energy(out, landscape, replicas);
    spn_replicated_coupling(coupling, landscape->sites, replicas, gamma);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++) {
        if (isinf(beta))
            out[k] = all_at_minimum(landscape, replicas, k) ? coupling[k] : -INFINITY;
        else
            out[k] = coupling[k] - beta * (out[k] - floor);
    }
}

spn_status spn_replicated_law(double *out, const spn_landscape *landscape, size_t replicas,
                              double beta, double gamma, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    SPN_TRY(spn_exact_check(replicas, beta, gamma, true, false, err));
    SPN_TRY(spn_exact_check_bits(landscape->sites, replicas, 16, "the replicated law", err));
    const size_t states = (size_t)1 << (landscape->sites * replicas);
    double *coupling = spn_alloc(states, sizeof *coupling);
    SPN_EXACT_NEED(coupling, err, "the coupling", 8 * states);
    log_weights(out, coupling, landscape, replicas, beta, gamma);
    free(coupling);
    const double norm = spn_log_sum_exp(out, 1, states);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        out[k] = exp(out[k] - norm);
    return SPN_OK;
}

/* Phi of one state; terms: scratch for 2^N doubles. */
static double phi_of(size_t state, const double *weights, double *terms, size_t sites, double gamma)
{
    const size_t states = (size_t)1 << sites;
    for (size_t t = 0; t < states; t++) {
        const double distance = (double)__builtin_popcountll(state ^ t);
        terms[t] = weights[t] + gamma * ((double)sites - 2 * distance);
    }
    return spn_log_sum_exp(terms, 1, states);
}

/* O(4^N). */
static void fill_phi(spn_law *law, const spn_landscape *landscape)
{
    const size_t states = landscape->states;
    const double shift = spn_law_shift(landscape, law->beta);
    double *weights = law->centre, *terms = law->marginal; /* neither is in use yet */
    spn_log_weights(weights, landscape, law->beta);
    for (size_t s = 0; s < states; s++)
        law->phi[s] = phi_of(s, weights, terms, law->sites, law->gamma) - shift;
    memset(terms, 0, states * sizeof *terms);
    const double y = (double)law->replicas;
    law->log_z = spn_log_sum_exp(law->phi, y, states);
    for (size_t s = 0; s < states; s++)
        law->centre[s] = exp(y * law->phi[s] - law->log_z);
}

/* The mean over pairs of replicas of <sigma^a, sigma^b>/N: (s_i^2 - y)/(y (y-1)) at each site. */
static double state_overlap(size_t state, size_t sites, size_t replicas)
{
    if (replicas == 1)
        return 1;
    double total = 0;
    for (size_t i = 0; i < sites; i++) {
        double s = 0;
        for (size_t a = 0; a < replicas; a++)
            s += (state >> (a * sites + i) & 1) ? 1 : -1;
        total += s * s - (double)replicas;
    }
    return total / (double)(replicas * (replicas - 1) * sites);
}

/* Sum expectations under Qbar, given by its log weights. */
static void sum_states(spn_law *law, const spn_landscape *landscape, const double *log_weight)
{
    enum { PIECE = 1 << 14 }; /* states between two pauses */
    const size_t sites = law->sites, y = law->replicas, mask = landscape->states - 1;
    const size_t states = (size_t)1 << (sites * y);
    const double norm = spn_log_sum_exp(log_weight, 1, states);
    for (size_t k = 0; k < states && !(k % PIECE == 0 && spn_pause_now()); k++) {
        const double p = exp(log_weight[k] - norm);
        if (p <= 0)
            continue;
        double above = 0;
        for (size_t rest = k, a = 0; a < y; a++, rest >>= sites)
            above += landscape->energy[rest & mask] - landscape->minimum;
        law->marginal[k & mask] += p;
        law->mean_energy += p * above;
        law->prob_minimum += all_at_minimum(landscape, y, k) ? p : 0;
        law->overlap += p * state_overlap(k, sites, y);
        law->entropy -= p * (log_weight[k] - norm);
    }
    law->mean_energy += (double)y * landscape->minimum;
    law->max_probability = exp(spn_law_log_top(sites, y, law->gamma) - norm);
    law->log_z_marginal = norm - (double)y * spn_law_shift(landscape, law->beta);
}

static spn_status enumerate(spn_law *law, const spn_landscape *landscape, spn_error *err)
{
    const size_t states = (size_t)1 << (law->sites * law->replicas);
    double *weights = spn_alloc(states, sizeof *weights);
    double *coupling = spn_alloc(states, sizeof *coupling);
    if (!weights || !coupling) {
        SPN_FREE_ALL(weights, coupling);
        return spn_exact_no_memory(err, "the replicated states", 16 * states);
    }
    log_weights(weights, coupling, landscape, law->replicas, law->beta, law->gamma);
    free(coupling);
    fill_phi(law, landscape);
    sum_states(law, landscape, weights);
    free(weights);
    return SPN_OK;
}

const spn_names spn_law_method_names =
    SPN_NAME_LIST("method", [SPN_LAW_AUTO] = "auto", [SPN_LAW_ENUMERATE] = "enumerate",
                  [SPN_LAW_TRANSFORM] = "transform");

double spn_law_log_top(size_t sites, size_t replicas, double gamma)
{
    return (double)sites * spn_log_cosh(gamma * (double)replicas);
}

double spn_law_shift(const spn_landscape *landscape, double beta)
{
    return isinf(beta) ? 0 : beta * landscape->minimum;
}

/* One block of memory holds the struct and its arrays. */
static spn_law *allocate(const spn_landscape *landscape, size_t replicas, double beta, double gamma)
{
    const size_t states = landscape->states;
    spn_law *law = spn_alloc(1, sizeof *law + 3 * states * sizeof(double));
    if (!law)
        return NULL;
    double *arrays = (double *)(void *)(law + 1);
    *law = (spn_law){.sites = landscape->sites,
                     .replicas = replicas,
                     .beta = beta,
                     .gamma = gamma,
                     .phi = arrays,
                     .centre = arrays + states,
                     .marginal = arrays + 2 * states};
    return law;
}

static double entropy_sum(const void *context, size_t begin, size_t end)
{
    const double *p = context;
    double total = 0;
    for (size_t k = begin; k < end; k++)
        total -= p[k] > 0 ? p[k] * log(p[k]) : 0;
    return total;
}

spn_status spn_law_create(spn_law **out, const spn_landscape *landscape, size_t replicas,
                          double beta, double gamma, spn_law_method method, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    SPN_TRY(spn_exact_check(replicas, beta, gamma, true, false, err));
    /* 2^(N y) for Qbar, and 4^N for Phi by its definition. */
    const size_t bits = landscape->sites * (replicas > 2 ? replicas : 2);
    if (method == SPN_LAW_AUTO)
        method = bits <= 16 ? SPN_LAW_ENUMERATE : SPN_LAW_TRANSFORM;
    SPN_REFUSE_IF(method == SPN_LAW_ENUMERATE && bits > SPN_EXACT_BITS, err,
                  "a law by enumeration takes N max(y, 2) up to %d, here %zu, which would "
                  "take %.3g GB; at y=%zu N may be up to %zu, and by the transform up to %d",
                  SPN_EXACT_BITS, bits, 16e-9 * pow(2.0, (double)bits), replicas,
                  SPN_EXACT_BITS / (replicas > 2 ? replicas : 2), SPN_EXACT_SITES);
    spn_law *law = allocate(landscape, replicas, beta, gamma);
    SPN_EXACT_NEED(law, err, "a law", 24 * landscape->states);
    const spn_status status = method == SPN_LAW_ENUMERATE ? enumerate(law, landscape, err)
                                                          : spn_law_transform(law, landscape, err);
    if (status) {
        spn_law_free(law);
        return status;
    }
    const double n = (double)law->sites, y = (double)law->replicas;
    law->log_gamma = y * n * (spn_log_cosh(law->gamma) + log(2.0));
    law->aligned_minimum = (double)landscape->minima_count * law->max_probability;
    law->centre_entropy = spn_ordered_sum(entropy_sum, law->centre, landscape->states);
    *out = law;
    return SPN_OK;
}
