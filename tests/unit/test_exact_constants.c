/* The constants of the convergence theorems, by their definitions and where they are extreme. Their
   reference values: test_exact_law.c. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>

/* kappa1 and mu0(N_0) by their definitions, over all replicated states. */
static void test_constants_by_definition(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(3, 4, 5);
    const size_t y = 3, states = 512;
    double mu0[512], limit[512], p0 = 0, inside = 0, outside = 0;
    spn_error err = {0};
    replicated_law(mu0, l, y, 0, 0.7);
    replicated_law(limit, l, y, INFINITY, 0.7);
    for (size_t k = 0; k < states; k++) {
        p0 += limit[k] > 0 ? mu0[k] : 0;
        inside = fmax(inside, limit[k] > 0 ? mu0[k] : 0);
        outside = fmax(outside, limit[k] > 0 ? 0 : mu0[k]);
    }
    spn_constants c;
    assert_ok(spn_constants_compute(&c, l, y, 1, 0.7, &err), err);
    assert_near(c.mu0_minima, p0, 1e-14);
    assert_near(c.kappa1, fmax(inside * (1 - p0) / (p0 * p0), outside / p0), 1e-12 * c.kappa1);
    for (size_t k = 0; k < states; k++)
        assert_near(limit[k], limit[k] > 0 ? mu0[k] / p0 : 0, 1e-14);
    spn_landscape_free(l);
}

/* The sum bound with kappa2 holds at every step of a joint schedule, the printed product does not:
   with gamma fixed and beta growing, the product would go to 0 and the difference does not. */
static void test_kappa2(void **state)
{
    (void)state;
    spn_landscape *l = landscape_a();
    double now[64], next[64];
    spn_error err = {0};
    bool product_fails = false;
    for (double gamma = 0.25; gamma < 6; gamma *= 2)
        for (double beta = 0.25; beta < 20; beta *= 2) {
            spn_constants c;
            assert_ok(spn_constants_compute(&c, l, 2, beta, gamma, &err), err);
            replicated_law(now, l, 2, beta, gamma);
            replicated_law(next, l, 2, 2 * beta, 2 * gamma);
            double distance = 0;
            for (size_t k = 0; k < 64; k++)
                distance = fmax(distance, fabs(now[k] - next[k]));
            assert_true(log(distance) <= c.log_kappa2_bound);
            product_fails = product_fails || log(distance) > c.log_kappa2 - beta * c.B - c.B_prime;
        }
    assert_true(product_fails);
    spn_landscape_free(l);
}

/* E constant: every state is a minimum, and nothing divides by zero. */
static void test_constant_energy(void **state)
{
    (void)state;
    const double values[4] = {3, 3, 3, 3};
    spn_error err = {0};
    spn_constants c;
    spn_landscape *l = landscape_of_values(values, 2);
    assert_int_equal(l->minima_count, 4);
    assert_true(l->step == 0);
    assert_ok(spn_constants_compute(&c, l, 2, INFINITY, 1, &err), err);
    assert_near(c.mu0_minima, 1, 1e-14);
    assert_true(c.kappa1 == 0 && !isnan(c.log_kappa2_bound));
    spn_landscape_free(l);
}

/* B' lies between 2 gamma - ln 2 and 2 gamma, and nothing overflows at many replicas. */
static void test_extreme_constants(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(6, 9, 1);
    spn_error err = {0};
    for (size_t y = 2; y <= 255; y = 2 * y + 1)
        for (double gamma = 1e-3; gamma < 1e3; gamma *= 10) {
            spn_constants c;
            assert_ok(spn_constants_compute(&c, l, y, 50, gamma, &err), err);
            assert_true(c.B_prime <= 2 * gamma * (1 + 1e-12));
            assert_true(c.B_prime >= 2 * gamma - log(2.0) - 1e-9);
            assert_true(c.mu0_minima >= 0 && c.mu0_minima <= 1);
            assert_true(isfinite(c.log_kappa1) && isfinite(c.log_kappa2));
            assert_true(isfinite(c.log_kappa2_bound));
        }
    spn_landscape_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants_by_definition),
        cmocka_unit_test(test_kappa2),
        cmocka_unit_test(test_constant_energy),
        cmocka_unit_test(test_extreme_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
