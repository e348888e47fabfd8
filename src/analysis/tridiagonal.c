/* Bisection and inverse iteration for a symmetric tridiagonal matrix (Golub and Van Loan, Matrix
   Computations, 8.4 and 8.2). */
#include "analysis/tridiagonal.h"

#include <float.h>
#include <math.h>

size_t spn_tridiagonal_below(const double *diagonal, const double *side, size_t n, double x)
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

double spn_tridiagonal_value(const double *diagonal, const double *side, size_t n, size_t k)
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
        if (spn_tridiagonal_below(diagonal, side, n, middle) > k)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* Gaussian elimination with row exchanges of T - value: upper triangular rows (u, v, w), and the
   factors and exchanges kept by solving at once for right. */
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

void spn_tridiagonal_vector(double *out, const double *diagonal, const double *side, size_t n,
                            double value, double *scratch)
{
    for (size_t k = 0; k < n; k++)
        out[k] = 1 + 0.01 * (double)(k % 7); /* not orthogonal to it, whatever it is */
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
