/* Shared by the files of this layer: argument checks, sums that do not depend on the number of
   threads, tables over replicated states. */
#ifndef SPN_ANALYSIS_COMMON_H
#define SPN_ANALYSIS_COMMON_H

#include "analysis/threads.h"

#include <math.h>
#include <spinney/theorems.h>

/* Check the ranges of y, beta and gamma. Infinite values pass only if allowed. */
spn_status spn_exact_check(size_t replicas, double beta, double gamma, bool infinite_beta,
                           bool infinite_gamma, spn_error *err);

/* Check that N y <= SPN_EXACT_BITS. bytes_per_state: to name the cost in the error. */
spn_status spn_exact_check_bits(size_t sites, size_t replicas, size_t bytes_per_state,
                                const char *what, spn_error *err);

spn_status spn_exact_no_memory(spn_error *err, const char *what, size_t bytes);

/* The sum of a function over 0..count-1. The chunks depend on count alone and are added in order,
   so the result is the same at any number of threads. */
typedef double spn_range_sum(const void *context, size_t begin, size_t end);
double spn_ordered_sum(spn_range_sum *sum, const void *context, size_t count);

/* log(e^a + e^b) */
static inline double spn_log_add(double a, double b)
{
    const double top = a > b ? a : b;
    return isinf(top) ? top : top + log1p(exp((a > b ? b : a) - top));
}

/* log sum_k exp(factor * values[k]); -infinity for an empty or zero sum. */
double spn_log_sum_exp(const double *values, double factor, size_t count);

double spn_dot(const double *a, const double *b, size_t count);

/* U of every replicated state. */
void spn_replicated_energy(double *out, const spn_landscape *landscape, size_t replicas);

/* H_gamma of every replicated state. */
void spn_replicated_coupling(double *out, size_t sites, size_t replicas, double gamma);

/* log cosh(gamma s) for s = -y, -y+2, ..., y into out[0..y]. */
void spn_coupling_table(double *out, size_t replicas, double gamma);

/* -beta (E - E_min), or at beta = infinity 0 at the minima and -infinity elsewhere. */
void spn_log_weights(double *out, const spn_landscape *landscape, double beta);

static inline double spn_annealing_gamma(const spn_annealing *annealing, size_t stage)
{
    return annealing->gammas ? annealing->gammas[stage] : annealing->gamma;
}

/* Stage n in the recursion of the proofs, as logarithms: the fall (1 - c e^-climb)^T_n, and the
   drift after it. */
spn_status spn_stage_bounds(double *fall, double *drift, const spn_landscape *landscape,
                            const spn_annealing *annealing, size_t n, const spn_verdict *verdict,
                            double climb, spn_error *err);

/* The two ways to fill a law whose arrays are allocated and whose parameters are set. */
spn_status spn_law_transform(spn_law *law, const spn_landscape *landscape, spn_error *err);
spn_status spn_law_enumerate(spn_law *law, const spn_landscape *landscape, spn_error *err);

/* The log of the weight exp(-beta U + H) of replicas that share one minimum, E - E_min for E: the
   largest, since U and H are both extreme there. */
double spn_law_log_top(size_t sites, size_t replicas, double gamma);

/* beta E_min, or 0 at beta = infinity, where E_min is subtracted. */
double spn_law_shift(const spn_landscape *landscape, double beta);

#endif
