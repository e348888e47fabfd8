/* Many proposals at once. Squaring a stochastic matrix in floating point lets its rows drift from
   sum 1, and the drift doubles with every squaring; here the diagonal is set from the rest of its
   row each time, which leaves only sums of products of positive numbers, accurate relative to
   themselves. */
#include "analysis/common.h"
#include "analysis/operator.h"
#include "base/memory.h"
#include "core/pause.h"

#include <stdlib.h>
#include <string.h>

enum { SQUARING_BITS = 10 };

void spn_operator_step_by_step(const spn_operator *op, uint64_t steps, double **law, double **other)
{
    for (uint64_t t = 0; t < steps && !spn_pause_now(); t++) {
        spn_operator_push(op, *law, *other);
        double *swap = *law;
        *law = *other;
        *other = swap;
    }
}

/* S as a matrix, row by row. */
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

static void square(double *out, const double *matrix, size_t n)
{
#pragma omp parallel for schedule(static) if (spn_threads_pay(n > 128))
    for (size_t x = 0; x < n; x++) {
        double *row = out + x * n, rest = 0;
        memset(row, 0, n * sizeof *row);
        for (size_t z = 0; z < n; z++)
            add_row(row, matrix[x * n + z], matrix + z * n, n);
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
        double *swap;
        if (left & 1) {
            memset(*other, 0, n * sizeof **other);
            for (size_t x = 0; x < n; x++)
                add_row(*other, (*law)[x], power + x * n, n);
            swap = *law;
            *law = *other;
            *other = swap;
        }
        if (left > 1) {
            square(next, power, n);
            swap = power;
            power = next;
            next = swap;
        }
    }
    free(power);
    free(next);
    return done;
}

void spn_operator_advance(const spn_operator *op, uint64_t steps, double **law, double **other)
{
    /* about: 8 ns for a pair of states in a step, 0.5 ns for a product in a squaring */
    const double n = (double)op->states, pairs = 0.5 * n * (double)op->bits;
    const double stepping = 8 * pairs * (double)steps, squaring = 0.5 * n * n * n * 64;
    if (op->bits <= SQUARING_BITS && squaring < stepping &&
        spn_operator_by_squaring(op, steps, law, other))
        return;
    spn_operator_step_by_step(op, steps, law, other);
}
