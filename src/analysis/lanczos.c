/* The spectral gap of any reversible chain, by Lanczos. L = 1 - A has the eigenvalues 1 - lambda in
   [0, 2]. Every step projects out its null vector sqrt(D), so the smallest one left is the gap.
   Three vectors suffice: without reorthogonalisation the tridiagonal matrix repeats converged
   eigenvalues, which does no harm. */
#include "analysis/common.h"
#include "analysis/operator.h"

#include <float.h>
#include <spinney/random.h>
#include <string.h>

/* Gaps below this are recomputed from the Dirichlet form: the rounding of L is about 1e-15. */
static const double REFINE_BELOW = 1e-4;

/* A lower bound on any residual. */
static const double ROUNDING = 4e-16;

/* ---- symmetric tridiagonal matrices of order n: diagonal[0..n-1], side[0..n-2] beside it
   (Golub and Van Loan, Matrix Computations, 8.4 and 8.2) ---- */

/* The number of eigenvalues below x (a Sturm sequence). O(n). */
static size_t tridiagonal_below(const double *diagonal, const double *side, size_t n, double x)
{
    size_t below = 0;
    double pivot = 1;
    for (size_t k = 0; k < n; k++) {
        pivot = diagonal[k] - x - (k > 0 ? side[k - 1] * side[k - 1] / pivot : 0);
        if (fabs(pivot) < DBL_MIN)
            pivot = -DBL_MIN;
        below += pivot < 0;
    }
    return below;
}

/* Eigenvalue number k, 0 the smallest, by bisection. */
static double tridiagonal_value(const double *diagonal, const double *side, size_t n, size_t k)
{
    double low = INFINITY, high = -INFINITY; /* Gershgorin's discs */
    for (size_t i = 0; i < n; i++) {
        const double radius = (i > 0 ? side[i - 1] : 0) + (i + 1 < n ? side[i] : 0);
        low = fmin(low, diagonal[i] - radius);
        high = fmax(high, diagonal[i] + radius);
    }
    for (int pass = 0; pass < 200; pass++) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high || high - low <= 1e-300)
            break;
        if (tridiagonal_below(diagonal, side, n, middle) > k)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* Solve (T - value) x = right in place, by elimination with row exchanges; (u, v, w): upper rows.
 */
static void solve(double *right, const double *diagonal, const double *side, size_t n, double value,
                  double *scratch)
{
    double *u = scratch, *v = scratch + n, *w = scratch + 2 * n;
    double now = diagonal[0] - value, next = n > 1 ? side[0] : 0;
    for (size_t k = 0; k + 1 < n; k++) {
        const double below = side[k], after = diagonal[k + 1] - value;
        const double beyond = k + 2 < n ? side[k + 1] : 0;
        if (fabs(below) > fabs(now)) { /* exchange rows k and k + 1 */
            const double factor = now / below, held = right[k];
            u[k] = below;
            v[k] = after;
            w[k] = beyond;
            now = next - factor * after;
            next = -factor * beyond;
            right[k] = right[k + 1];
            right[k + 1] = held - factor * right[k];
        } else {
            const double factor = now == 0 ? 0 : below / now; /* 0 only if both are */
            u[k] = now;
            v[k] = next;
            w[k] = 0;
            now = after - factor * next;
            next = beyond;
            right[k + 1] -= factor * right[k];
        }
    }
    u[n - 1] = now;
    for (size_t k = n; k-- > 0;) {
        double sum = right[k];
        sum -= k + 1 < n ? v[k] * right[k + 1] : 0;
        sum -= k + 2 < n ? w[k] * right[k + 2] : 0;
        right[k] = sum / (fabs(u[k]) > DBL_EPSILON * 1e-2 ? u[k] : DBL_EPSILON * 1e-2);
    }
}

/* A unit eigenvector for the eigenvalue value, by inverse iteration; scratch holds 4 n doubles. */
static void tridiagonal_vector(double *out, const double *diagonal, const double *side, size_t n,
                               double value, double *scratch)
{
    for (size_t k = 0; k < n; k++)
        out[k] = 1 + 0.01 * (double)(k % 7); /* not orthogonal to any eigenvector */
    for (int pass = 0; pass < 4; pass++) {
        solve(out, diagonal, side, n, value, scratch);
        double top = 0, norm = 0;
        for (size_t k = 0; k < n; k++)
            top = fmax(top, fabs(out[k]));
        for (size_t k = 0; k < n; k++) {
            out[k] /= top;
            norm += out[k] * out[k];
        }
        for (size_t k = 0; k < n; k++)
            out[k] /= sqrt(norm);
    }
}

/* ---- Lanczos ---- */

typedef struct lanczos {
    const spn_reversible *chain;
    double *vector, *last, *next; /* the recurrence */
    double *diagonal, *side;      /* the tridiagonal matrix so far */
    double *ritz, *scratch;       /* an eigenvector of it, and room for four more */
    size_t steps;
} lanczos;

static void multiply(const lanczos *z, const double *in, double *out)
{
    z->chain->multiply(z->chain->chain, in, out);
}

/* to += factor * from */
static void add(double *restrict to, double factor, const double *restrict from, size_t count)
{
#pragma omp parallel for schedule(static) if (spn_threads_pay(count > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < count; k++)
        to[k] += factor * from[k];
}

static void scale(double *values, double factor, size_t count)
{
#pragma omp parallel for schedule(static) if (spn_threads_pay(count > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < count; k++)
        values[k] *= factor;
}

static void project(const lanczos *z, double *values)
{
    const size_t states = z->chain->states;
    add(values, -spn_dot(z->chain->root, values, states), z->chain->root, states);
}

/* Start from the same uniform numbers in every run, with sqrt(D) projected out. */
static void start(lanczos *z)
{
    const size_t states = z->chain->states;
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < states; k++)
        z->vector[k] = spn_random_uniform(&random) - 0.5;
    project(z, z->vector);
    project(z, z->vector);
    scale(z->vector, 1 / sqrt(spn_dot(z->vector, z->vector, states)), states);
    memset(z->last, 0, states * sizeof *z->last);
}

/* One step: a new row of the tridiagonal matrix. False if the space is exhausted. */
static bool step(lanczos *z, size_t n)
{
    const size_t states = z->chain->states;
    multiply(z, z->vector, z->next);
    if (n > 0)
        add(z->next, -z->side[n - 1], z->last, states);
    z->diagonal[n] = spn_dot(z->next, z->vector, states);
    add(z->next, -z->diagonal[n], z->vector, states);
    project(z, z->next);
    z->side[n] = sqrt(spn_dot(z->next, z->next, states));
    double *free_vector = z->last;
    z->last = z->vector;
    z->vector = z->next;
    z->next = free_vector;
    if (!(z->side[n] > 1e-14))
        return false;
    scale(z->vector, 1 / z->side[n], states);
    return true;
}

/* An end of the spectrum of the tridiagonal matrix of order n. *error bounds its distance to an
   eigenvalue of L: the residual r, or r^2 over the distance to the next eigenvalue (copies of this
   one not counted). Leaves the eigenvector in ritz. */
static double end_value(double *error, lanczos *z, size_t n, bool smallest)
{
    const double *d = z->diagonal, *s = z->side;
    const double value = tridiagonal_value(d, s, n, smallest ? 0 : n - 1);
    tridiagonal_vector(z->ritz, d, s, n, value, z->scratch);
    const double residual = fmax(s[n - 1] * fabs(z->ritz[n - 1]), ROUNDING);
    const double near = 1e-9 * fabs(value) + 1e-15;
    const size_t below = tridiagonal_below(d, s, n, smallest ? value + near : value - near);
    *error = residual;
    if (smallest ? below < n : below > 0) {
        const double other = tridiagonal_value(d, s, n, smallest ? below : below - 1);
        *error = fmin(residual, residual * residual / fabs(other - value));
    }
    return value;
}

/* At least the rounding error of the arithmetic. */
static double relative_error(double error, double gap)
{
    return gap > 0 ? fmax(error / gap, 4 * DBL_EPSILON) : INFINITY;
}

/* Check the tridiagonal matrix of order n. True once everything is known. The gap must pass twice:
   a wrong eigenvalue may seem to converge before the right one emerges. */
static bool look(spn_gap *gap, lanczos *z, size_t n, const spn_gap_options *options)
{
    const bool before = gap->accuracy <= options->tolerance;
    double error;
    gap->lambda_min = 1 - end_value(&error, z, n, false);
    gap->lambda_min_converged = error <= 1e-12;
    gap->gap = end_value(&error, z, n, true);
    gap->accuracy = relative_error(error, gap->gap);
    gap->converged = before && gap->accuracy <= options->tolerance;
    return gap->converged && (gap->lambda_min_converged || options->skip_lambda_min);
}

static void iterate(spn_gap *gap, lanczos *z, const spn_gap_options *options)
{
    size_t n = 0, due = 8;
    bool done = false, more = true;
    start(z);
    while (!done && more && n < options->max_iterations) {
        more = step(z, n++) && !spn_pause_now();
        if (n >= due || !more || n == options->max_iterations) {
            done = look(gap, z, n, options);
            due = n + 4 + n / 12;
        }
    }
    if (!more) /* the matrix is exact */
        gap->converged = gap->accuracy <= options->tolerance;
    gap->iterations = z->steps = n;
}

/* Sum the eigenvector of the gap into `vector`, by repeating the steps with the weights in ritz.
   The Dirichlet form has no cancellation, so the gap's relative error is the eigenvector's,
   squared. */
static void refine(spn_gap *gap, lanczos *z, double *vector, const spn_gap_options *options)
{
    const size_t states = z->chain->states, n = z->steps;
    double error;
    end_value(&error, z, n, true);
    start(z);
    for (size_t k = 0; k < n && !spn_pause_now(); k++) {
        add(vector, z->ritz[k], z->vector, states);
        step(z, k);
    }
    project(z, vector);
    project(z, vector);
    scale(vector, 1 / sqrt(spn_dot(vector, vector, states)), states);
    for (size_t k = 0; k < states; k++)
        z->last[k] = 1;
    const double value = z->chain->dirichlet(z->chain->chain, vector, z->next, z->last);
    multiply(z, vector, z->next);
    add(z->next, -value, vector, states);
    const double residual = fmax(sqrt(spn_dot(z->next, z->next, states)), ROUNDING);
    const size_t below = tridiagonal_below(z->diagonal, z->side, n, value * (1 + 1e-6) + 1e-15);
    double bound = residual;
    if (below < n) {
        const double other = tridiagonal_value(z->diagonal, z->side, n, below);
        bound = fmin(bound, residual * residual / fabs(other - value));
    }
    gap->gap = value;
    gap->accuracy = relative_error(bound, value);
    gap->converged = gap->converged && gap->accuracy <= options->tolerance;
}

static bool prepare(lanczos *z, const spn_reversible *chain, size_t max_iterations)
{
    const size_t states = chain->states;
    *z = (lanczos){.chain = chain};
    z->vector = spn_alloc(states, sizeof(double));
    z->last = spn_alloc(states, sizeof(double));
    z->next = spn_alloc(states, sizeof(double));
    z->diagonal = spn_alloc(max_iterations, sizeof(double));
    z->side = spn_alloc(max_iterations, sizeof(double));
    z->ritz = spn_alloc(max_iterations, sizeof(double));
    z->scratch = spn_alloc(4 * max_iterations, sizeof(double));
    return z->vector && z->last && z->next && z->diagonal && z->side && z->ritz && z->scratch;
}

spn_status spn_reversible_gap(spn_gap *out, const spn_reversible *chain,
                              const spn_gap_options *options, spn_error *err)
{
    SPN_LIMIT_THREADS(chain->threads);
    spn_gap_options chosen = spn_gap_defaults();
    spn_status status = SPN_OK;
    SPN_TRY(spn_sized_take(&chosen, sizeof chosen, options, "spn_gap_defaults", err));
    if (!(chosen.tolerance > 0) || chosen.max_iterations < 1)
        return spn_refuse(err, "the gap needs a tolerance above 0 and at least 1 iteration");
    lanczos z;
    double *vector = NULL;
    spn_gap gap = {.accuracy = INFINITY};
    SPN_EXACT_NEED_OR(cleanup, prepare(&z, chain, chosen.max_iterations), err, "the gap",
                      24 * chain->states);
    iterate(&gap, &z, &chosen);
    if (gap.gap < REFINE_BELOW && gap.converged) {
        vector = spn_alloc(chain->states, sizeof *vector);
        SPN_EXACT_NEED_OR(cleanup, vector, err, "an eigenvector", 8 * chain->states);
        refine(&gap, &z, vector, &chosen);
    }
    gap.lambda1 = 1 - gap.gap;
    *out = gap;
cleanup:
    SPN_FREE_ALL(z.vector, z.last, z.next, z.diagonal, z.side, z.ritz, z.scratch, vector);
    return status;
}
