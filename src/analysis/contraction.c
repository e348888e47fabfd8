/* How much a chain contracts measures of mass 0 in the largest value, from powers of its matrix. As
   in power.c, the diagonal of each power is set from the rest of its row. */
#include "analysis/common.h"
#include "analysis/operator.h"
#include "base/memory.h"
#include "core/pause.h"

#include <math.h>
#include <spinney/theorems.h>
#include <stdlib.h>
#include <string.h>

/* out = a b, all n x n and stochastic. */
static void multiply(double *out, const double *a, const double *b, size_t n)
{
#pragma omp parallel for schedule(static) if (spn_threads_pay(n > 128))
    for (size_t x = 0; x < n; x++) {
        double *restrict row = out + x * n, rest = 0;
        memset(row, 0, n * sizeof *row);
        for (size_t z = 0; z < n; z++) {
            const double factor = a[x * n + z], *restrict other = b + z * n;
            for (size_t k = 0; k < n; k++)
                row[k] += factor * other[k];
        }
        for (size_t z = 0; z < n; z++)
            rest += z == x ? 0 : row[z];
        row[x] = 1 - rest;
    }
}

static void exchange(double **a, double **b)
{
    double *swap = *a;
    *a = *b;
    *b = swap;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, z = *(const double *)b;
    return (x > z) - (x < z);
}

/* sum |values - their median|; sorts them. */
static double spread(double *values, size_t n)
{
    double sum = 0;
    qsort(values, n, sizeof *values, by_value);
    for (size_t k = 0; k < n; k++)
        sum += fabs(values[k] - values[n / 2]);
    return sum;
}

/* *power <- S^steps; starts as S. The others are scratch. */
static void take_power(double **power, double **result, double **scratch, uint64_t steps, size_t n)
{
    bool any = false;
    for (uint64_t left = steps; left > 0 && !spn_pause_now(); left >>= 1) {
        if ((left & 1) && !any) {
            memcpy(*result, *power, n * n * sizeof **result);
            any = true;
        } else if (left & 1) {
            multiply(*scratch, *result, *power, n);
            exchange(result, scratch);
        }
        if (left > 1) {
            multiply(*scratch, *power, *power, n);
            exchange(power, scratch);
        }
    }
    exchange(power, result);
}

spn_status spn_operator_contraction(double *out, const spn_operator *op, uint64_t steps,
                                    spn_error *err)
{
    SPN_LIMIT_THREADS(op->threads);
    const size_t n = op->states;
    if (op->bits > SPN_KAPPA3_BITS || steps < 1)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a contraction needs a step or more, and N y up to %d, not %zu",
                        SPN_KAPPA3_BITS, op->bits);
    double *power = spn_alloc(n * n, sizeof *power), *result = spn_alloc(n * n, sizeof *result);
    double *scratch = spn_alloc(n * n, sizeof *scratch);
    spn_status status = SPN_OK;
    if (power && result && scratch) {
        for (size_t x = 0; x < n; x++)
            for (size_t z = 0; z < n; z++)
                power[x * n + z] = spn_operator_entry(op, x, z);
        take_power(&power, &result, &scratch, steps, n);
        *out = 0;
        for (size_t x = 0; x < n; x++) {
            for (size_t z = 0; z < n; z++)
                scratch[z] = power[z * n + x];
            *out = fmax(*out, spread(scratch, n));
        }
    } else {
        status = spn_exact_no_memory(err, "a contraction", 24 * n * n);
    }
    free(power);
    free(result);
    free(scratch);
    return status;
}
