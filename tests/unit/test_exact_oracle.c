/* The gap by Lanczos against other eigensolvers: Jacobi rotations on the whole matrix, and ARPACK.
 */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spectrum.h>
#include <stdlib.h>

#ifdef SPN_HAVE_ARPACK
#include <arpack/arpack.h>
#endif

/* Cyclic Jacobi rotations on a symmetric matrix; the eigenvalues end on the diagonal. */
static void jacobi(double *m, size_t n)
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                const double apq = m[p * n + q];
                if (fabs(apq) < 1e-300)
                    continue;
                const double theta = (m[q * n + q] - m[p * n + p]) / (2 * apq);
                const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (size_t k = 0; k < n; k++) {
                    const double a = m[k * n + p], b = m[k * n + q];
                    m[k * n + p] = c * a - s * b;
                    m[k * n + q] = s * a + c * b;
                }
                for (size_t k = 0; k < n; k++) {
                    const double a = m[p * n + k], b = m[q * n + k];
                    m[p * n + k] = c * a - s * b;
                    m[q * n + k] = s * a + c * b;
                }
            }
}

static void test_gap_against_dense(void **state)
{
    (void)state;
    enum { STATES = 64 };
    static double matrix[STATES * STATES];
    for (int run = 0; run < 6; run++) {
        spn_landscape *l = landscape_random(run < 3 ? 3 : 2, run % 2 ? 1 : 6, 40 + (uint64_t)run);
        const size_t y = run < 3 ? 2 : 3;
        const double beta = 0.4 * run, gamma = 0.3 * run;
        spn_operator *op = operator_of(l, y, run % 3, beta, gamma);
        for (size_t x = 0; x < STATES; x++)
            for (size_t z = 0; z < STATES; z++)
                matrix[x * STATES + z] =
                    sqrt(spn_operator_entry(op, x, z) * spn_operator_entry(op, z, x));
        jacobi(matrix, STATES);
        double top = -2, second = -2, low = 2;
        for (size_t k = 0; k < STATES; k++) {
            const double value = matrix[k * STATES + k];
            second = value > top ? top : fmax(second, value);
            top = fmax(top, value);
            low = fmin(low, value);
        }
        const spn_gap gap = gap_of(l, y, run % 3, beta, gamma);
        assert_near(top, 1, 1e-13);
        assert_true(gap.converged && gap.lambda_min_converged);
        assert_near(gap.gap, 1 - second, 1e-12);
        assert_near(gap.lambda1, second, 1e-12);
        assert_near(gap.lambda_min, low, 1e-12);
        spn_operator_free(op);
        spn_landscape_free(l);
    }
}

#ifdef SPN_HAVE_ARPACK
/* out = S in, symmetrised with sqrt of the law. */
static void symmetric_apply(const spn_operator *op, const double *root, const double *in,
                            double *out, double *scratch)
{
    const size_t states = spn_operator_states(op);
    for (size_t k = 0; k < states; k++)
        scratch[k] = in[k] / root[k];
    spn_operator_apply(op, scratch, out);
    for (size_t k = 0; k < states; k++)
        out[k] *= root[k];
}

/* The two largest eigenvalues of S by ARPACK (implicitly restarted, full orthogonality). */
static double arpack_second(const spn_operator *op)
{
    enum { WANTED = 2, BASIS = 40 };
    const size_t states = spn_operator_states(op);
    const int n = (int)states, lworkl = BASIS * (BASIS + 8);
    double *root = malloc(states * sizeof *root), *scratch = malloc(states * sizeof *root);
    double *residual = malloc(states * sizeof *root),
           *basis = malloc(BASIS * states * sizeof *root);
    double *work = malloc(3 * states * sizeof *root);
    double workl[BASIS * (BASIS + 8)], values[WANTED];
    int ido = 0, info = 0, select[BASIS], param[11] = {1, 0, 3000, 1, 0, 0, 1}, pointers[14];
    spn_operator_law(op, root);
    for (size_t k = 0; k < states; k++)
        root[k] = sqrt(root[k]);
    do {
        dsaupd_c(&ido, "I", n, "LA", WANTED, 1e-13, residual, BASIS, basis, n, param, pointers,
                 work, workl, lworkl, &info);
        if (ido == 1 || ido == -1)
            symmetric_apply(op, root, work + pointers[0] - 1, work + pointers[1] - 1, scratch);
    } while (ido == 1 || ido == -1);
    assert_int_equal(info, 0);
    dseupd_c(0, "A", select, values, basis, n, 0, "I", n, "LA", WANTED, 1e-13, residual, BASIS,
             basis, n, param, pointers, work, workl, lworkl, &info);
    assert_int_equal(info, 0);
    free(root);
    free(scratch);
    free(residual);
    free(basis);
    free(work);
    return values[0];
}

static void test_gap_against_arpack(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(6, 6, 77), *b = landscape_b();
    const struct {
        const spn_landscape *l;
        size_t y;
        int kernel;
    } runs[] = {{b, 2, S1}, {b, 2, S2}, {l, 2, S1}, {l, 2, S2}, {l, 2, HEAT_BATH}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        spn_operator *op = operator_of(runs[r].l, runs[r].y, runs[r].kernel, 1, 0.5);
        const spn_gap gap = gap_of(runs[r].l, runs[r].y, runs[r].kernel, 1, 0.5);
        assert_true(gap.converged);
        assert_near(gap.lambda1, arpack_second(op), 1e-11);
        spn_operator_free(op);
    }
    spn_landscape_free(l);
    spn_landscape_free(b);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap_against_dense),
#ifdef SPN_HAVE_ARPACK
        cmocka_unit_test(test_gap_against_arpack),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
