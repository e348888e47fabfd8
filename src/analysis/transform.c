/* Butterflies, in numbers and in logarithms. */
#include "analysis/transform.h"

#include "analysis/common.h"
#include "core/pause.h"

#include <math.h>

/* Passes over a block of this size are made while it is in the cache. */
enum { BLOCK_BITS = 13 };

typedef void pass_fn(double *low, double *high, size_t count, double decay);

static void pass_plain(double *restrict low, double *restrict high, size_t count, double e)
{
    for (size_t k = 0; k < count; k++) {
        const double a = low[k], b = high[k];
        low[k] = a + e * b;
        high[k] = e * a + b;
    }
}

static void pass_log(double *restrict low, double *restrict high, size_t count, double shift)
{
    for (size_t k = 0; k < count; k++) {
        const double a = low[k], b = high[k];
        low[k] = spn_log_add(a, b + shift);
        high[k] = spn_log_add(a + shift, b);
    }
}

static void pass_bit(double *values, size_t count, size_t bit, pass_fn *pass, double decay)
{
    for (size_t base = 0; base < count; base += 2 * bit)
        pass(values + base, values + base + bit, bit, decay);
}

static void all_passes(double *values, size_t sites, pass_fn *pass, double decay)
{
    const size_t low_bits = sites < BLOCK_BITS ? sites : BLOCK_BITS;
    const size_t block = (size_t)1 << low_bits, blocks = (size_t)1 << (sites - low_bits);
#pragma omp parallel for schedule(static) if (spn_threads_pay(blocks > 1))
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < low_bits; i++)
            pass_bit(values + b * block, block, (size_t)1 << i, pass, decay);
    for (size_t i = low_bits; i < sites && !spn_pause_now(); i++) {
        const size_t bit = (size_t)1 << (i - low_bits); /* in units of blocks */
#pragma omp parallel for schedule(static) if (spn_threads_pay(true))
        for (size_t p = 0; p < blocks / 2; p++) {
            const size_t b = (p & ~(bit - 1)) << 1 | (p & (bit - 1));
            pass(values + b * block, values + (b | bit) * block, block, decay);
        }
    }
}

void spn_couple(double *values, size_t sites, double gamma)
{
    all_passes(values, sites, pass_plain, exp(-2 * gamma));
}

void spn_couple_log(double *values, size_t sites, double gamma)
{
    /* With the largest term scaled to 1, every sum is at least e^(-2 gamma N). If that is above
       e^-600, terms that underflow (below 1e-308) are far below its last bit. */
    if (2 * gamma * (double)sites > 600) {
        all_passes(values, sites, pass_log, -2 * gamma);
        return;
    }
    const size_t states = (size_t)1 << sites;
    double top = -INFINITY;
    for (size_t k = 0; k < states; k++)
        top = values[k] > top ? values[k] : top;
    if (isinf(top))
        return;
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        values[k] = exp(values[k] - top);
    spn_couple(values, sites, gamma);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        values[k] = log(values[k]) + top;
}
