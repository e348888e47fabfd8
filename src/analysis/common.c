/* Argument checks, ordered sums, and the tables over replicated states. */
#include "analysis/common.h"

#include "base/clock.h"

#include <spinney/sampler.h>

enum { CHUNK = 4096, MAX_CHUNKS = 1024 };

spn_status spn_exact_check(size_t replicas, double beta, double gamma, bool infinite_beta,
                           bool infinite_gamma, spn_error *err)
{
    SPN_REFUSE_IF(replicas < 1 || replicas > SPN_MAX_REPLICAS, err,
                  "replicas must be 1 to %d, not %zu", SPN_MAX_REPLICAS, replicas);
    SPN_REFUSE_IF(!(beta >= 0) || (isinf(beta) && !infinite_beta), err,
                  "beta must be %s0 or more, not %g", infinite_beta ? "" : "finite and ", beta);
    SPN_REFUSE_IF(!(gamma >= 0) || (isinf(gamma) && !infinite_gamma), err,
                  "gamma must be %s0 or more, not %g", infinite_gamma ? "" : "finite and ", gamma);
    return SPN_OK;
}

spn_status spn_exact_check_bits(size_t sites, size_t replicas, size_t bytes_per_state,
                                const char *what, spn_error *err)
{
    if (sites * replicas <= SPN_EXACT_BITS)
        return SPN_OK;
    const double bytes = (double)bytes_per_state * pow(2.0, (double)(sites * replicas));
    return spn_refuse(
        err,
        "%s needs all 2^(N y) replicated states, and N y may be up to %d: here N=%zu, "
        "y=%zu, which would take %.3g GB; at y=%zu N may be up to %zu",
        what, SPN_EXACT_BITS, sites, replicas, bytes / 1e9, replicas, SPN_EXACT_BITS / replicas);
}

double spn_ordered_sum(spn_range_sum *sum, const void *context, size_t count)
{
    double partial[MAX_CHUNKS];
    size_t chunk = (count + MAX_CHUNKS - 1) / MAX_CHUNKS;
    if (chunk < CHUNK)
        chunk = CHUNK;
    const size_t chunks = (count + chunk - 1) / chunk;
#pragma omp parallel for schedule(static) if (spn_threads_pay(count > SPN_PARALLEL_FROM))
    for (size_t c = 0; c < chunks; c++) {
        const size_t begin = c * chunk;
        const size_t end = begin + chunk < count ? begin + chunk : count;
        partial[c] = sum(context, begin, end);
    }
    double total = 0;
    for (size_t c = 0; c < chunks; c++)
        total += partial[c];
    return total;
}

typedef struct exp_context {
    const double *values;
    double factor, top;
} exp_context;

static double exp_sum(const void *context, size_t begin, size_t end)
{
    const exp_context *c = context;
    double total = 0;
    for (size_t k = begin; k < end; k++)
        total += exp(c->factor * c->values[k] - c->top);
    return total;
}

double spn_log_sum_exp(const double *values, double factor, size_t count)
{
    double top = -INFINITY;
    for (size_t k = 0; k < count; k++)
        if (factor * values[k] > top)
            top = factor * values[k];
    if (isinf(top))
        return -INFINITY;
    const exp_context context = {values, factor, top};
    return top + log(spn_ordered_sum(exp_sum, &context, count));
}

static double dot_sum(const void *context, size_t begin, size_t end)
{
    const double *const *pair = context;
    const double *a = pair[0], *b = pair[1];
    /* four sums: less rounding, and the compiler can use vectors */
    double s[4] = {0};
    size_t k = begin;
    for (; k + 4 <= end; k += 4)
        for (size_t j = 0; j < 4; j++)
            s[j] += a[k + j] * b[k + j];
    for (; k < end; k++)
        s[0] += a[k] * b[k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

double spn_dot(const double *a, const double *b, size_t count)
{
    const double *const pair[2] = {a, b};
    return spn_ordered_sum(dot_sum, pair, count);
}

void spn_replicated_energy(double *out, const spn_landscape *landscape, size_t replicas)
{
    const size_t sites = landscape->sites, mask = landscape->states - 1;
    const size_t states = (size_t)1 << (sites * replicas);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++) {
        double total = 0;
        for (size_t rest = k, a = 0; a < replicas; a++, rest >>= sites)
            total += landscape->energy[rest & mask];
        out[k] = total;
    }
}

void spn_coupling_table(double *out, size_t replicas, double gamma)
{
    for (size_t plus = 0; plus <= replicas; plus++)
        out[plus] = spn_log_cosh(gamma * (2.0 * (double)plus - (double)replicas));
}

void spn_replicated_coupling(double *out, size_t sites, size_t replicas, double gamma)
{
    double table[SPN_MAX_REPLICAS + 1];
    spn_coupling_table(table, replicas, gamma);
    const size_t states = (size_t)1 << (sites * replicas);
    size_t column = 0; /* the bits of site 0 */
    for (size_t a = 0; a < replicas; a++)
        column |= (size_t)1 << (a * sites);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++) {
        double total = 0;
        for (size_t i = 0; i < sites; i++)
            total += table[__builtin_popcountll((k >> i) & column)];
        out[k] = total;
    }
}

void spn_log_weights(double *out, const spn_landscape *landscape, double beta)
{
    const double *energy = landscape->energy;
    for (size_t k = 0; k < landscape->states; k++)
        out[k] = isinf(beta) ? -INFINITY : -beta * (energy[k] - landscape->minimum);
    if (isinf(beta))
        for (size_t j = 0; j < landscape->minima_count; j++)
            out[landscape->minima[j]] = 0;
}

/* ---- threads ---- */

#ifdef _OPENMP
#include <omp.h>
#endif

/* Minimum seconds between two looks: a few time slices of a scheduler. */
static const double between_looks = 0.02;
/* A thread gets this share of the time if nobody else needs its processor. */
static const double served_well = 0.85;
/* A rest is this much longer than a look, so that looks cost little on a busy machine. */
static const double rest = 50;

static _Thread_local spn_serving serving;

int spn_threads_limit(unsigned threads)
{
    serving.looks = false; /* earlier work of the thread does not count */
#ifdef _OPENMP
    const int before = omp_get_max_threads();
    if (threads > 0)
        omp_set_num_threads((int)threads);
    return before;
#else
    (void)threads;
    return 1;
#endif
}

void spn_threads_restore(const int *before)
{
#ifdef _OPENMP
    omp_set_num_threads(*before);
#else
    (void)before;
#endif
}

int spn_thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

bool spn_serving_pays(spn_serving *s, double (*wall)(void), double (*own)(void))
{
    const double now = wall();
    if (now < s->rest_until)
        return false;
    const double length = now - s->wall;
    if (s->looks && length < between_looks)
        return true;
    const double mine = own();
    const bool busy = s->looks && mine - s->own < served_well * length;
    s->looks = !busy;
    s->wall = now;
    s->own = mine;
    if (busy)
        s->rest_until = now + rest * length;
    return !busy;
}

bool spn_threads_pay(bool large)
{
#ifdef _OPENMP
    return large && omp_get_max_threads() > 1 && !omp_in_parallel() &&
           spn_serving_pays(&serving, spn_clock, spn_thread_clock);
#else
    (void)large;
    return false;
#endif
}
