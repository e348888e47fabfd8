/* The same bits at any number of threads, on systems large enough for every parallel loop. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spectrum.h>
#include <stdlib.h>

/* NULL in a build without OpenMP, where there is nothing to compare. */
extern int omp_get_max_threads(void) __attribute__((weak));

enum { NUMBERS = 16 };

static void compute(double *out, unsigned threads)
{
    spn_landscape *l = landscape_random(16, 30, 6), *small = landscape_random(8, 30, 7);
    l->threads = small->threads = threads;
    const uint32_t set[3] = {l->minima[0], 77, 4000};
    spn_law *law = NULL;
    spn_operator *op = NULL;
    spn_constants constants;
    spn_balance balance;
    spn_gap gap;
    spn_heights heights;
    spn_error err = {0};
    assert_ok(spn_law_create(&law, l, 3, 0.4, 0.3, SPN_LAW_TRANSFORM, &err), err);
    assert_ok(spn_dense_mass(&out[0], l, 3, 0.4, 0.3, set, 3, &err), err);
    assert_ok(spn_constants_compute(&constants, l, 3, 0.4, 0.3, &err), err);
    assert_ok(spn_operator_create(&op, small, 2, SPN_KERNEL_TWO_STAGE, 0.1, 0.3, &err), err);
    assert_ok(spn_operator_balance(&balance, op, &err), err);
    assert_ok(spn_operator_gap(&gap, op, NULL, &err), err);
    assert_ok(spn_landscape_heights(&heights, l, &err), err);
    const double numbers[] = {
        law->log_z,         law->mean_energy,     law->overlap,   law->entropy,
        law->phi[123],      law->marginal[5],     law->centre[9], constants.kappa1,
        balance.acceptance, balance.stationarity, gap.gap,        gap.lambda_min,
        heights.m,          heights.d_star};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        out[k + 1] = numbers[k];
    assert_true(gap.converged);
    spn_law_free(law);
    spn_operator_free(op);
    spn_landscape_free(l);
    spn_landscape_free(small);
}

static void test_threads(void **state)
{
    (void)state;
    if (!omp_get_max_threads)
        skip();
    const int before = omp_get_max_threads();
    double one[NUMBERS] = {0}, more[NUMBERS] = {0};
    compute(one, 1);
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        compute(more, threads);
        assert_memory_equal(one, more, sizeof one);
    }
    assert_int_equal(omp_get_max_threads(), before); /* the caller's OpenMP is as it was */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
