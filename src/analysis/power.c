/* Many proposals at once. Squaring a stochastic matrix makes its row sums drift from 1, and each
   squaring doubles the drift. So each product sets the diagonal from the rest of its row: what is
   left are sums of products of positive numbers, with small relative errors. */
#include "analysis/common.h"
#include "analysis/operator.h"
#include "base/number.h"

#include <spinney/theorems.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARING_BITS = 10 };

static void exchange(double **a, double **b)
{
    double *swap = *a;
    *a = *b;
    *b = swap;
}

void spn_operator_step_by_step(const spn_operator *op, uint64_t steps, double **law, double **other)
{
    for (uint64_t t = 0; t < steps && !spn_pause_now(); t++) {
        spn_operator_push(op, *law, *other);
        exchange(law, other);
    }
}

static void fill(double *matrix, const spn_operator *op)
{
    const size_t n = op->states;
    for (size_t x = 0; x < n; x++) {
        matrix[x * n + x] = spn_operator_entry(op, x, x);
        for (size_t j = 0; j < op->bits; j++) {
            const size_t z = x ^ (size_t)1 << j;
            matrix[x * n + z] = spn_operator_entry(op, x, z);
        }
    }
}

/* out += factor * row */
static void add_row(double *restrict out, double factor, const double *restrict row, size_t n)
{
    for (size_t k = 0; k < n; k++)
        out[k] += factor * row[k];
}

void spn_matrix_multiply(double *out, const double *a, const double *b, size_t n)
{
#pragma omp parallel for schedule(static) if (spn_threads_pay(n > 128))
    for (size_t x = 0; x < n; x++) {
        memset(out + x * n, 0, n * sizeof *out);
        for (size_t z = 0; z < n; z++)
            add_row(out + x * n, a[x * n + z], b + z * n, n);
    }
}

/* out = a b, all n x n and stochastic. */
static void multiply(double *out, const double *a, const double *b, size_t n)
{
    spn_matrix_multiply(out, a, b, n);
    for (size_t x = 0; x < n; x++) {
        double *row = out + x * n, rest = 0;
        for (size_t z = 0; z < n; z++)
            rest += z == x ? 0 : row[z];
        row[x] = 1 - rest;
    }
}

bool spn_operator_by_squaring(const spn_operator *op, uint64_t steps, double **law, double **other)
{
    const size_t n = op->states;
    double *power = spn_alloc(n * n, sizeof *power), *next = spn_alloc(n * n, sizeof *next);
    const bool done = power && next;
    if (done)
        fill(power, op);
    for (uint64_t left = steps; done && left > 0 && !spn_pause_now(); left >>= 1) {
        if (left & 1) {
            memset(*other, 0, n * sizeof **other);
            for (size_t x = 0; x < n; x++)
                add_row(*other, (*law)[x], power + x * n, n);
            exchange(law, other);
        }
        if (left > 1) {
            multiply(next, power, power, n);
            exchange(&power, &next);
        }
    }
    SPN_FREE_ALL(power, next);
    return done;
}

void spn_operator_advance(const spn_operator *op, uint64_t steps, double **law, double **other)
{
    /* about 8 ns for a pair of states in a step, 0.5 ns for a product in a squaring */
    const double n = (double)op->states, pairs = 0.5 * n * (double)op->bits;
    const double stepping = 8 * pairs * (double)steps, squaring = 0.5 * n * n * n * 64;
    if (op->bits <= SQUARING_BITS && squaring < stepping &&
        spn_operator_by_squaring(op, steps, law, other))
        return;
    spn_operator_step_by_step(op, steps, law, other);
}

/* sum |values - their median|; sorts them. */
static double spread(double *values, size_t n)
{
    double sum = 0;
    qsort(values, n, sizeof *values, spn_number_compare);
    for (size_t k = 0; k < n; k++)
        sum += fabs(values[k] - values[n / 2]);
    return sum;
}

/* *power <- S^steps, from *power = S. */
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
        return spn_refuse(err, "a contraction needs a step or more, and N y up to %d, not %zu",
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
    SPN_FREE_ALL(power, result, scratch);
    return status;
}
