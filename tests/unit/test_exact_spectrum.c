/* Operators and gaps: the reference values of docs/theory.md, the two directions of an operator
   against its entries, and bad input. Lanczos against other eigensolvers: test_exact_oracle.c. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/spectrum.h>
#include <stdlib.h>
#include <string.h>

static double acceptance_of(const spn_landscape *l, int kernel)
{
    spn_operator *op = operator_of(l, 2, kernel, 1, 0.5);
    spn_balance balance;
    spn_error err = {0};
    assert_ok(spn_operator_balance(&balance, op, &err), err);
    spn_operator_free(op);
    return balance.acceptance;
}

static void test_reference_values(void **state)
{
    (void)state;
    spn_landscape *a = landscape_a(), *b = landscape_b();
    assert_digits(acceptance_of(a, S1), 0.389426344384, 12);
    assert_digits(acceptance_of(b, S1), 0.164602454441, 12);
    assert_digits(acceptance_of(a, S2), 0.45686129319, 11);
    assert_digits(acceptance_of(b, S2), 0.193784933743, 12);
    const spn_gap a1 = gap_of(a, 2, S1, 1, 0.5), b1 = gap_of(b, 2, S1, 1, 0.5);
    assert_digits(a1.gap, 0.0789584211868, 12);
    assert_digits(b1.gap, 0.0135773116828, 12);
    assert_digits(a1.lambda_min, -0.361793094786, 12);
    assert_digits(b1.lambda_min, -0.169595446119, 12);
    assert_digits(gap_of(a, 2, S2, 1, 0.5).gap, 0.0962355870314, 12);
    assert_digits(gap_of(b, 2, S2, 1, 0.5).gap, 0.0168695590124, 12);
    spn_landscape_free(a);
    spn_landscape_free(b);
}

static void test_reference_entries(void **state)
{
    (void)state;
    spn_landscape *a = landscape_a();
    spn_operator *one = operator_of(a, 2, S1, 1, 0.5), *two = operator_of(a, 2, S2, 1, 0.5);
    assert_digits(spn_operator_entry(one, 18, 19), 0.039734307341, 11);
    assert_digits(spn_operator_entry(two, 18, 19), 0.039734307341, 11);
    assert_digits(spn_operator_entry(one, 18, 18), 0.811827901078, 12);
    assert_digits(spn_operator_entry(two, 18, 18), 0.811827901078, 12);
    assert_digits(spn_operator_entry(one, 0, 2), 0.108009045611, 12);
    assert_near(spn_operator_entry(two, 0, 2), 1.0 / 6, 1e-16);
    assert_true(spn_operator_entry(one, 0, 3) == 0);
    spn_operator_free(one);
    spn_operator_free(two);
    spn_landscape_free(a);
}

/* Values of more digits than a dense eigensolver in double precision gives, by inverse iteration in
   128-bit arithmetic. docs/theory.md prints the same to 1e-15 absolute. */
static void test_small_gaps(void **state)
{
    (void)state;
    static const struct {
        char instance;
        double beta, s1, s2, printed1, printed2;
    } rows[] = {{'A', 4, 0.00315867147873589, 0.00400354201136249, .003158671479, .004003542011},
                {'A', 8, 5.70065693000842e-5, 7.24817778223190e-5, 5.70065693e-5, 7.248177782e-5},
                {'A', 12, 1.04382674147071e-6, 1.32726631863828e-6, 1.043826742e-6, 1.327266319e-6},
                {'B', 4, 1.76422048225728e-5, 2.24229484101485e-5, 1.764220482e-5, 2.242294841e-5},
                {'B', 8, 5.73875067122299e-9, 7.29700623168565e-9, 5.738749e-9, 7.297005e-9}};
    spn_landscape *a = landscape_a(), *b = landscape_b();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const spn_landscape *l = rows[r].instance == 'A' ? a : b;
        const spn_gap one = gap_of(l, 2, S1, rows[r].beta, 0.5);
        const spn_gap two = gap_of(l, 2, S2, rows[r].beta, 0.5);
        assert_true(one.converged && two.converged);
        assert_digits(one.gap, rows[r].s1, 10);
        assert_digits(two.gap, rows[r].s2, 10);
        assert_near(one.gap, rows[r].printed1, 2e-15 + 5e-10 * one.gap);
        assert_near(two.gap, rows[r].printed2, 2e-15 + 5e-10 * two.gap);
    }
    spn_landscape_free(a);
    spn_landscape_free(b);
}

/* The fit of log psi of S1 over a list of beta, gamma = 0.5, y = 2. */
static spn_gap_fit fit_of(const spn_landscape *l, const double *betas, size_t count, double m)
{
    double gaps[8];
    spn_gap_fit fit;
    spn_error err = {0};
    for (size_t n = 0; n < count; n++)
        gaps[n] = gap_of(l, 2, S1, betas[n], 0.5).gap;
    assert_ok(spn_gap_fit_compute(&fit, betas, gaps, count, m, &err), err);
    return fit;
}

/* log psi falls with slope -m: m = 1 on A, 2 on B. */
static void test_fit(void **state)
{
    (void)state;
    const double betas_a[3] = {8, 10, 12}, betas_b[2] = {7, 8};
    spn_landscape *a = landscape_a(), *b = landscape_b();
    const spn_gap_fit fit = fit_of(a, betas_a, 3, 1);
    assert_digits(fit.last_slope, -1.000016, 7);
    assert_near(fit.slope, -1.00007, 1e-5);
    assert_near(fit.c, 0.1698, 1e-4);
    assert_true(fit.C >= fit.c && fit.C < 0.17);
    assert_digits(fit_of(b, betas_b, 2, 2).last_slope, -2.00098, 6);
    spn_landscape_free(a);
    spn_landscape_free(b);
}

static void test_bad_fits(void **state)
{
    (void)state;
    const double betas[2] = {1, 2}, same[2] = {1, 1}, gaps[2] = {0.1, 0.01}, zero[2] = {0.1, 0};
    spn_gap_fit fit;
    spn_error err = {0};
    assert_int_equal(spn_gap_fit_compute(&fit, betas, gaps, 1, 2, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_gap_fit_compute(&fit, betas, zero, 2, 2, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "gap 2 of the fit is 0, expected above 0");
    assert_int_equal(spn_gap_fit_compute(&fit, same, gaps, 2, 2, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "beta must increase: 1 follows 1");
}

/* Push and apply against the sum over entries, rows that sum to 1, and the invariant law. */
static void check_operator(const spn_landscape *l, size_t y, int kernel, double beta, double gamma)
{
    spn_operator *op = operator_of(l, y, kernel, beta, gamma);
    const size_t states = spn_operator_states(op);
    double *in = malloc(3 * states * sizeof *in), *out = in + states, *law = out + states;
    spn_random random = spn_random_make(4, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    for (size_t k = 0; k < states; k++)
        in[k] = spn_random_uniform(&random);
    for (int forward = 0; forward < 2; forward++) {
        (forward ? spn_operator_push : spn_operator_apply)(op, in, out);
        for (size_t k = 0; k < states; k += 1 + states / 97) {
            double expected = 0, row = 0;
            for (size_t z = 0; z < states; z++) {
                expected +=
                    in[z] * (forward ? spn_operator_entry(op, z, k) : spn_operator_entry(op, k, z));
                row += spn_operator_entry(op, k, z);
            }
            assert_near(out[k], expected, 1e-13);
            assert_near(row, 1, 1e-14);
        }
    }
    replicated_law(law, l, y, beta, gamma);
    spn_operator_law(op, in);
    for (size_t k = 0; k < states; k++)
        assert_near(in[k], law[k], 1e-13);
    spn_balance balance;
    assert_ok(spn_operator_balance(&balance, op, &err), err);
    assert_true(balance.stationarity < 1e-15);
    assert_true(balance.reversibility < 1e-15);
    free(in);
    spn_operator_free(op);
}

static void test_operators(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(4, 3, 8), *r = landscape_random(3, 1, 9);
    spn_landscape *one = landscape_random(1, 1, 3);
    for (int kernel = S1; kernel <= HEAT_BATH; kernel++) {
        check_operator(l, 3, kernel, 0.8, 0.4); /* 2^12: more than one span */
        check_operator(r, 2, kernel, 700, 0.1); /* weights that underflow */
        check_operator(r, 2, kernel, 2, 300);
        check_operator(r, 1, kernel, 0, 0);
        check_operator(one, 1, kernel, 1, 1);
        check_operator(one, 5, kernel, 1, 1);
    }
    spn_landscape_free(l);
    spn_landscape_free(r);
    spn_landscape_free(one);
}

/* S2 accepts at least as often as S1, move by move, and so has the larger gap. */
static void test_order_of_kernels(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(3, 5, 31);
    spn_operator *one = operator_of(l, 2, S1, 1.3, 0.6), *two = operator_of(l, 2, S2, 1.3, 0.6);
    for (size_t x = 0; x < 64; x++)
        for (size_t z = 0; z < 64; z++)
            if (x != z)
                assert_true(spn_operator_entry(two, x, z) >=
                            spn_operator_entry(one, x, z) * (1 - 1e-14));
    assert_true(gap_of(l, 2, S2, 1.3, 0.6).gap >= gap_of(l, 2, S1, 1.3, 0.6).gap);
    spn_operator_free(one);
    spn_operator_free(two);
    spn_landscape_free(l);
}

/* At beta = gamma = 0 the chain is the walk on the hypercube: gap 2/(N y), period 2. */
static void test_hypercube(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(4, 1, 2), *one = landscape_random(1, 1, 2);
    for (size_t y = 1; y <= 4; y++) {
        const spn_gap gap = gap_of(l, y, S1, 0, 0);
        assert_true(gap.converged);
        assert_near(gap.gap, 2 / (4.0 * (double)y), 1e-12);
        assert_near(gap.lambda_min, -1, 1e-12);
    }
    assert_near(gap_of(one, 1, S1, 0, 0).gap, 2, 1e-14); /* two states: one eigenvalue left */
    assert_near(gap_of(one, 1, HEAT_BATH, 3, 0).gap, 1, 1e-14);
    spn_landscape_free(l);
    spn_landscape_free(one);
}

/* A gap that cannot be had in the iterations allowed, or at all, is said to be so. */
static void test_not_converged(void **state)
{
    (void)state;
    spn_landscape *b = landscape_b();
    spn_operator *op = operator_of(b, 2, S1, 2, 0.5);
    spn_gap_options options = spn_gap_defaults();
    spn_error err = {0};
    spn_gap gap;
    options.max_iterations = 12;
    assert_ok(spn_operator_gap(&gap, op, &options, &err), err);
    assert_false(gap.converged);
    assert_int_equal(gap.iterations, 12);
    assert_true(gap.gap >= gap_of(b, 2, S1, 2, 0.5).gap);
    options.max_iterations = 400;
    assert_ok(spn_operator_set(op, SPN_KERNEL_TWO_STAGE, 40, 0.5, &err), err);
    assert_ok(spn_operator_gap(&gap, op, &options, &err), err);
    assert_false(gap.converged); /* e^-80 */
    options.max_iterations = 0;
    assert_int_equal(spn_operator_gap(&gap, op, &options, &err), SPN_ERROR_ARGUMENT);
    spn_operator_free(op);
    spn_landscape_free(b);
}

static void test_bad_input(void **state)
{
    (void)state;
    spn_landscape *b = landscape_b();
    spn_operator *op = NULL;
    spn_error err = {0};
    const spn_kernel kernel = SPN_KERNEL_TWO_STAGE;
    assert_int_equal(spn_operator_create(&op, b, 5, kernel, 1, 1, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "N y may be up to 22: here N=5, y=5"));
    assert_non_null(strstr(err.text, "N may be up to 4"));
    assert_int_equal(spn_operator_create(&op, b, 0, kernel, 1, 1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_operator_create(&op, b, 2, kernel, -1, 1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_operator_create(&op, b, 2, kernel, INFINITY, 1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_operator_create(&op, b, 2, kernel, 1, -1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_operator_create(&op, b, 2, (spn_kernel)7, 1, 1, &err), SPN_ERROR_ARGUMENT);
    assert_null(op);
    spn_landscape_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_values), cmocka_unit_test(test_reference_entries),
        cmocka_unit_test(test_small_gaps),       cmocka_unit_test(test_fit),
        cmocka_unit_test(test_bad_fits),         cmocka_unit_test(test_operators),
        cmocka_unit_test(test_order_of_kernels), cmocka_unit_test(test_hypercube),
        cmocka_unit_test(test_not_converged),    cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
