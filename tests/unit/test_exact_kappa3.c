/* kappa3: contractions against all measures that matter, and a bound that holds. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/theorems.h>
#include <stdlib.h>
#include <string.h>

/* The largest |nu S^steps| over all nu of as many +1 as -1: the corners of the measures of mass 0
   with |nu| <= 1, so the largest of all. By one push after the other. */
static double over_all_corners(const spn_operator *op, size_t steps)
{
    enum { STATES = 8 };
    double best = 0;
    for (unsigned signs = 0; signs < 1U << STATES; signs++) {
        double law[STATES], next[STATES];
        if (__builtin_popcount(signs) != STATES / 2)
            continue;
        for (size_t x = 0; x < STATES; x++)
            law[x] = signs >> x & 1 ? 1 : -1;
        for (size_t t = 0; t < steps; t++) {
            spn_operator_push(op, law, next);
            memcpy(law, next, sizeof law);
        }
        for (size_t x = 0; x < STATES; x++)
            best = fmax(best, fabs(law[x]));
    }
    return best;
}

static void test_contraction(void **state)
{
    (void)state;
    static const uint64_t steps[] = {1, 2, 3, 7, 20, 65};
    spn_landscape *a = landscape_a();
    spn_error err = {0};
    double norm;
    for (int kernel = 0; kernel < 3; kernel++) {
        spn_operator *op = operator_of(a, 1, kernel, 1.3, 0);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            assert_ok(spn_operator_contraction(&norm, op, steps[k], &err), err);
            assert_near(norm, over_all_corners(op, steps[k]), 1e-13);
        }
        assert_int_equal(spn_operator_contraction(&norm, op, 0, &err), SPN_ERROR_ARGUMENT);
        spn_operator_free(op);
    }
    spn_operator *large = operator_of(a, 3, S1, 1, 0.5);
    assert_int_equal(spn_operator_contraction(&norm, large, 1, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "N y up to 8, not 9"));
    spn_operator_free(large);
    spn_landscape_free(a);
}

typedef struct judged {
    spn_stage stages[16];
    spn_verdict *verdict;
    spn_kappa3 *kappa3;
} judged;

static judged judge(const spn_landscape *l, const spn_annealing *a)
{
    judged j;
    spn_error err = {0};
    assert_ok(spn_annealing_converge(j.stages, NULL, l, a, &err), err);
    assert_ok(spn_verdict_create(&j.verdict, l, a, NAN, NAN, &err), err);
    assert_ok(spn_kappa3_create(&j.kappa3, l, a, j.verdict, &err), err);
    return j;
}

static void done(judged *j)
{
    spn_verdict_free(j->verdict);
    spn_kappa3_free(j->kappa3);
}

/* epsilon_n stays below the bound with kappa3, for schedules slow and fast, gamma fixed or not; and
   each stage of the verdict contracts by kappa3 at most, one of them by that. */
static void test_bound_holds(void **state)
{
    (void)state;
    static const double growing[] = {0.5, 0.7, 0.9, 1.1, 1.3, 1.5};
    spn_landscape *all[] = {landscape_a(), landscape_random(3, 6, 12), landscape_b()};
    for (int run = 0; run < 12; run++) {
        const spn_landscape *l = all[run % 3];
        spn_piece pieces[6];
        spn_annealing a = spn_annealing_defaults();
        a.replicas = run % 3 == 2 ? 1 : 2;
        a.kernel = (spn_kernel)(run % 2);
        a.beta = pieces;
        a.stages = 6;
        a.start = 5;
        a.gamma = 0.4;
        a.gammas = run < 6 ? NULL : growing;
        for (size_t n = 0; n < 6; n++)
            pieces[n] = (spn_piece){0.5 + 0.6 * (double)n,
                                    (uint64_t)(run % 4 < 2 ? 3 + n : 40 * (n + 1) * (n + 1))};
        judged j = judge(l, &a);
        assert_true(j.kappa3->log_kappa3 >= 0 && isfinite(j.kappa3->log_kappa3));
        for (size_t n = 0; n < 6; n++)
            assert_true(log(j.stages[n].epsilon) <= j.kappa3->log_bound[n] + 1e-9);
        done(&j);
    }
    for (int k = 0; k < 3; k++)
        spn_landscape_free(all[k]);
}

/* On A kappa3 is above kappa1 = 4.09 and tends to a constant as beta grows: one stage of 6 e^beta
   steps, at each beta. The values are those of a first run; `scripts/misprints kappa3` has that of
   beta = 1 from powers written out in Python. */
static void test_instance_a(void **state)
{
    (void)state;
    static const double betas[] = {1, 4, 8, 12},
                        expected[] = {1.98687463103, 2.35067496068, 2.37483920072, 2.37528223572};
    spn_landscape *l = landscape_a();
    for (size_t k = 0; k < 4; k++) {
        const spn_piece piece = {betas[k], (uint64_t)(6 * exp(betas[k]))};
        spn_annealing a = spn_annealing_defaults();
        a.replicas = 2;
        a.beta = &piece;
        a.stages = 1;
        a.gamma = 0.5;
        judged j = judge(l, &a);
        assert_near(j.kappa3->log_kappa3, expected[k], 1e-8);
        assert_true(j.kappa3->log_kappa3 > j.verdict->log_kappa);
        done(&j);
    }
    spn_landscape_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contraction),
        cmocka_unit_test(test_bound_holds),
        cmocka_unit_test(test_instance_a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
