/* exp, log and log cosh against the C library, and the values published for log cosh. */
#include "core/coupling.h"
#include "core/numeric.h"
#include "support/test.h"

#include <math.h>

static void log_is_accurate(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.00731) {
        assert_near(spn_log(x), log(x), 4e-16 * fabs(log(x)) + 1e-16);
        assert_near(spn_log_short(x), log(x), 2e-11);
    }
    for (double x = 0.5; x < 2; x += 1e-5)
        assert_near(spn_log(x), log(x), 4e-16 * fabs(log(x)) + 1e-17);
    assert_true(spn_log(1) == 0);
}

static void exp_is_accurate(void **state)
{
    (void)state;
    for (double x = -708; x <= 708; x += 0.00917)
        assert_near(spn_exp(x) / exp(x), 1, 8e-16);
    assert_true(spn_exp(0) == 1);
}

static void log_cosh_has_its_values(void **state)
{
    (void)state;
    assert_near(spn_log_cosh(0.5), 0.1201145069582775, 2e-16);
    assert_near(spn_log_cosh(1), 0.4337808304830271, 2e-16);
    assert_near(spn_log_cosh(2), 1.3250027473578645, 4e-16);
    assert_near(spn_log_cosh(1e4), 9999.30685281944, 5e-12);
    assert_near(spn_log_cosh(1e300), 1e300, 1e285);
    assert_true(spn_log_cosh(0) == 0);
    assert_near(spn_log_cosh(1e-9) / 5e-19, 1, 1e-15); /* x^2/2 */
    for (double x = 0.001; x < 300; x *= 1.01) {
        assert_near(spn_log_cosh(x), (double)logl(coshl((long double)x)), 4e-16 * (1 + x));
        assert_true(spn_log_cosh(x) == spn_log_cosh(-x));
    }
}

/* The table and the direct formula, and both against log cosh, up to gamma = 10^4. */
static void coupling_changes_agree(void **state)
{
    (void)state;
    const double gammas[] = {0, 1e-6, 0.1, 0.5, 1, 3.2, 50, 1e4};
    const size_t replicas[] = {1, 2, 3, 10, 255};
    static spn_coupling coupling;
    for (size_t g = 0; g < 8; g++)
        for (size_t r = 0; r < 5; r++) {
            spn_coupling_set(&coupling, gammas[g], replicas[r]);
            int y = (int)replicas[r];
            for (int s = -y; s <= y; s += 2)
                for (int spin = -1; spin <= 1; spin += 2) {
                    if ((spin > 0 && s == -y) || (spin < 0 && s == y))
                        continue; /* no such spin at that sum */
                    double exact =
                        spn_log_cosh(gammas[g] * (s - 2 * spin)) - spn_log_cosh(gammas[g] * s);
                    double tolerance = 1e-15 * (1 + gammas[g] * y);
                    assert_true(isfinite(exact));
                    assert_near(spn_coupling_look_up(&coupling, s, spin), exact, tolerance);
                    assert_near(spn_coupling_change(gammas[g], s, spin), exact, tolerance);
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_accurate),
        cmocka_unit_test(exp_is_accurate),
        cmocka_unit_test(log_cosh_has_its_values),
        cmocka_unit_test(coupling_changes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
