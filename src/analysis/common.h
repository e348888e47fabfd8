/* Shared by the files of this layer: argument checks, sums that do not depend on the number of
   threads, tables over replicated states, and the threads of loops.

   OpenMP threads spin while they wait. On a busy machine that takes most of the time: a run with
   two threads took ten times as long as with one. So the calling thread checks now and then how
   much of the time it had a processor. If that was not almost all of it, it runs the loops alone
   for a while. Results are the same at any number of threads. */
#ifndef SPN_ANALYSIS_COMMON_H
#define SPN_ANALYSIS_COMMON_H

#include "base/memory.h"
#include "core/pause.h"

#include <math.h>
#include <spinney/theorems.h>
#include <stdbool.h>
#include <stddef.h>

/* Limit the loops of this function to a number of threads (0: all cores). The old limit returns
   when the function does. */
#define SPN_LIMIT_THREADS(threads)                                                                 \
    const int threads_before __attribute__((cleanup(spn_threads_restore))) =                       \
        spn_threads_limit(threads);                                                                \
    (void)threads_before

/* Set the limit of the calling thread; returns the previous one. */
int spn_threads_limit(unsigned threads);
void spn_threads_restore(const int *before);

/* The number of the calling thread in its parallel loop; 0: the one that entered the loop. */
int spn_thread_number(void);

/* Below this many states a parallel loop costs more than it gains. */
enum { SPN_PARALLEL_FROM = 1 << 14 };

/* Whether the next loop should be parallel, for its `if` clause. large: it has enough work. */
bool spn_threads_pay(bool large);

/* How much processor time the calling thread got. */
typedef struct spn_serving {
    bool looks;        /* loops were parallel since `wall` and `own` */
    double wall, own;  /* wall-clock time and the thread's own processor time */
    double rest_until; /* loops run alone until then */
} spn_serving;

/* spn_threads_pay with given clocks, for tests. */
bool spn_serving_pays(spn_serving *s, double (*wall)(void), double (*own)(void));

/* Check the ranges of y, beta and gamma. Infinite values pass only if allowed. */
spn_status spn_exact_check(size_t replicas, double beta, double gamma, bool infinite_beta,
                           bool infinite_gamma, spn_error *err);

/* Check that N y <= SPN_EXACT_BITS. bytes_per_state: to name the cost in the error. */
spn_status spn_exact_check_bits(size_t sites, size_t replicas, size_t bytes_per_state,
                                const char *what, spn_error *err);

/* "out of memory for WHAT (1.2 MB)". */
#define spn_exact_no_memory(err, what, bytes)                                                      \
    spn_no_memory(err, "%s (%.3g MB)", what, (double)(bytes) / 1e6)
#define SPN_EXACT_NEED_OR(label, made, err, what, bytes)                                           \
    SPN_NEED_OR(label, made, err, "%s (%.3g MB)", what, (double)(bytes) / 1e6)
#define SPN_EXACT_NEED(made, err, what, bytes)                                                     \
    SPN_NEED(made, err, "%s (%.3g MB)", what, (double)(bytes) / 1e6)

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

/* (*out)[k]: whether state k is among `count` states, which are different. To be freed, also after
   an error. Errors: ARGUMENT (a state out of range or named twice), MEMORY. */
spn_status spn_mark_states(bool **out, const spn_landscape *landscape, const uint32_t *states,
                           size_t count, spn_error *err);

static inline double spn_annealing_gamma(const spn_annealing *annealing, size_t stage)
{
    return annealing->gammas ? annealing->gammas[stage] : annealing->gamma;
}

/* The log of the weight exp(-beta U + H) of replicas that share one minimum, E - E_min for E: the
   largest, since U and H are both extreme there. */
double spn_law_log_top(size_t sites, size_t replicas, double gamma);

/* values(sigma) <- sum_tau e^(gamma (<sigma,tau> - N)) values(tau), on logarithms, -infinity
   allowed. Every result has full relative accuracy: if the
   smallest could underflow, the sums are taken between logarithms. */
void spn_couple_log(double *values, size_t sites, double gamma);

#endif
