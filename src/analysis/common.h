/* What the files of this layer share: argument checks, sums whose result does not depend on
   threads, and the tables over replicated states. */
#ifndef SPN_ANALYSIS_COMMON_H
#define SPN_ANALYSIS_COMMON_H

#include "analysis/threads.h"

#include <math.h>
#include <spinney/exact.h>

/* y, beta and gamma in range; infinite ones only if allowed. */
spn_status spn_exact_check(size_t replicas, double beta, double gamma, bool infinite_beta,
                           bool infinite_gamma, spn_error *err);

/* N y <= SPN_EXACT_BITS, else an error that says what is possible and what this would cost, at
   bytes_per_state. */
spn_status spn_exact_check_bits(size_t sites, size_t replicas, size_t bytes_per_state,
                                const char *what, spn_error *err);

spn_status spn_exact_no_memory(spn_error *err, const char *what, size_t bytes);

/* The sum over 0..count-1 of a function given a range: in chunks that depend on count alone, added
   in order, so that it is the same at any number of threads. */
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

/* a . b */
double spn_dot(const double *a, const double *b, size_t count);

/* U of every replicated state. */
void spn_replicated_energy(double *out, const spn_landscape *landscape, size_t replicas);

/* H_gamma of every replicated state. */
void spn_replicated_coupling(double *out, size_t sites, size_t replicas, double gamma);

/* log cosh(gamma s) for s = -y, -y+2, ..., y into out[0..y]. */
void spn_coupling_table(double *out, size_t replicas, double gamma);

/* -beta (E - E_min), or at beta = infinity 0 at the minima and -infinity elsewhere. */
void spn_log_weights(double *out, const spn_landscape *landscape, double beta);

/* The two ways to fill a law whose arrays are allocated and whose parameters are set. */
spn_status spn_law_transform(spn_law *law, const spn_landscape *landscape, spn_error *err);
spn_status spn_law_enumerate(spn_law *law, const spn_landscape *landscape, spn_error *err);

/* The log of the weight exp(-beta U + H) of replicas that share one minimum, E - E_min for E: the
   largest, since U and H are both extreme there. */
double spn_law_log_top(size_t sites, size_t replicas, double gamma);

/* beta E_min, or 0 at beta = infinity, where E_min is subtracted. */
double spn_law_shift(const spn_landscape *landscape, double beta);

#endif
