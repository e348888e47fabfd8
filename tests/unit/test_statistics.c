/* Means and their intervals, against values worked out by hand and from tables. */
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/statistics.h>

/* The 0.975 quantile of Student's t: closed forms, and roots of the regularised incomplete beta
   function, found with forty digits by mpmath. */
static void test_quantiles(void **state)
{
    (void)state;
    const struct {
        size_t degrees;
        double quantile;
    } table[] = {
        {3, 3.18244630528370959},    {4, 2.77644510519779436},     {5, 2.57058183563631551},
        {6, 2.44691185114496997},    {7, 2.36462425159278534},     {8, 2.30600413520416668},
        {9, 2.26215716279820554},    {10, 2.22813885198627475},    {11, 2.20098516009163987},
        {12, 2.17881282966722887},   {13, 2.16036865646279250},    {14, 2.14478668791780383},
        {15, 2.13144954555977568},   {16, 2.11990529922125467},    {17, 2.10981557783331709},
        {18, 2.10092204024103849},   {19, 2.09302405440830977},    {20, 2.08596344726586484},
        {21, 2.07961384472768040},   {22, 2.07387306790402617},    {23, 2.06865761041904865},
        {24, 2.06389856162802585},   {25, 2.05953855275329775},    {26, 2.05552943864287321},
        {27, 2.05183051648028556},   {28, 2.04840714179524516},    {29, 2.04522964213270430},
        {30, 2.04227245630123831},   {100, 1.98397151852355229},   {120, 1.97993040508244085},
        {999, 1.96234146113344998},  {1000, 1.96233908082640848},  {1001, 1.96233670528087992},
        {1002, 1.96233433448259132}, {10000, 1.96020123989062626}, {1000000, 1.95996635681410704}};
    assert_near(spn_student_quantile(1) / tan(0.475 * acos(-1)), 1, 1e-14);
    assert_near(spn_student_quantile(2) / (0.95 * sqrt(2 / (1 - 0.95 * 0.95))), 1, 1e-14);
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        assert_near(spn_student_quantile(table[k].degrees) / table[k].quantile, 1, 1e-13);
    for (size_t n = 1; n < 1100; n++)
        assert_true(spn_student_quantile(n) > spn_student_quantile(n + 1));
}

/* 2 4 4 4 5 5 7 9: mean 5, squares about it 9+1+1+1+0+0+4+16 = 32, variance 32/7. */
static void test_summary(void **state)
{
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    const spn_summary s = spn_summarise(values, 8);
    assert_int_equal(s.count, 8);
    assert_near(s.mean, 5, 0);
    assert_near(s.deviation, 2.13808993529939517, 1e-15);
    assert_near(s.half, 2.36462425159278534 * 0.755928946018454454, 1e-14); /* t(7) sqrt(32/7/8) */
    assert_near(s.least, 2, 0);
    assert_near(s.most, 9, 0);
}

static void test_two(void **state)
{
    (void)state;
    const double values[] = {-1, 3}; /* deviation sqrt(8), over sqrt(2): 2 */
    const spn_summary s = spn_summarise(values, 2);
    assert_near(s.mean, 1, 0);
    assert_near(s.deviation, 2.82842712474619010, 1e-15);
    assert_near(s.half, 2 * 12.7062047361747046, 1e-13);
}

static void test_missing(void **state)
{
    (void)state;
    const double values[] = {NAN, 1, NAN, 2, 6, NAN}; /* 1 2 6: mean 3, variance 14/2 */
    const spn_summary s = spn_summarise(values, 6);
    assert_int_equal(s.count, 3);
    assert_near(s.mean, 3, 0);
    assert_near(s.deviation, 2.64575131106459059, 1e-15);
    assert_near(s.half, 4.30265272974946385 * 1.52752523165194667, 1e-14);
    assert_near(s.least, 1, 0);
    assert_near(s.most, 6, 0);
}

static void test_one_and_none(void **state)
{
    (void)state;
    const double values[] = {NAN, 7};
    spn_summary s = spn_summarise(values, 2);
    assert_int_equal(s.count, 1);
    assert_true(s.mean == 7 && s.least == 7 && s.most == 7);
    assert_true(isnan(s.deviation) && isnan(s.half));
    for (size_t count = 0; count < 2; count++) {
        s = spn_summarise(values, count);
        assert_int_equal(s.count, 0);
        assert_true(isnan(s.mean) && isnan(s.deviation) && isnan(s.half));
        assert_true(isnan(s.least) && isnan(s.most));
    }
}

/* Equal values have no spread, and values that are large beside theirs lose none of it. */
static void test_spread(void **state)
{
    (void)state;
    const double equal[] = {0.1, 0.1, 0.1}, large[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
    const spn_summary same = spn_summarise(equal, 3);
    assert_true(same.mean == 0.1 && same.deviation == 0 && same.half == 0);
    assert_near(spn_summarise(large, 3).deviation, 1, 1e-12);
}

/* Wilson's interval by hand, and its ends where nothing, or everything, was met. */
static void test_shares(void **state)
{
    (void)state;
    double values[20] = {0};
    const double z2 = 3.841458820694124;
    spn_summary s = spn_summarise_shares(values, 20);
    assert_true(s.mean == 0 && s.low == 0 && s.trials == 20);
    assert_near(s.high, z2 / (20 + z2), 1e-14);
    values[3] = 1;
    s = spn_summarise_shares(values, 20);
    assert_near(s.trials, 20, 1e-12);
    assert_near(s.low, 0.0088813, 1e-6); /* of 1 in 20, as tables have it */
    assert_near(s.high, 0.2361312, 1e-6);
    assert_near(s.half, (s.high - s.low) / 2, 1e-15);
    for (size_t k = 0; k < 20; k++)
        values[k] = 1;
    s = spn_summarise_shares(values, 20);
    assert_true(s.mean == 1 && s.high == 1 && s.low < 1 - 0.16 && s.low > 1 - 0.17);
    s = spn_summarise_shares(values, 1); /* one run says little, but something */
    assert_near(s.low, 1 / (1 + z2), 1e-14);
    for (size_t k = 0; k < 3; k++)
        values[k] = 2.0 / 3;
    s = spn_summarise_shares(values, 3); /* that all agree is no certainty */
    assert_true(s.deviation == 0 && s.trials > 3 && s.low > 0.3 && s.low < 0.5 && s.high < 0.92);
    values[1] = NAN;
    assert_int_equal(spn_summarise_shares(values, 3).count, 2);
    values[1] = 1.5; /* no share */
    assert_true(spn_summarise_shares(values, 3).trials == 0);
    s = spn_summarise_shares(values, 0);
    assert_true(s.count == 0 && isnan(s.low) && isnan(s.high) && s.trials == 0);
}

/* How often the interval holds the truth: of runs that are 0 or 1, and of shares of ten replicas
   that differ from run to run (then the replicas of a run are no trials of their own). */
static void test_share_coverage(void **state)
{
    (void)state;
    for (int clustered = 0; clustered < 2; clustered++) {
        const double truth = clustered ? 0.5 : 0.1;
        double held = 0, naive = 0;
        for (uint32_t set = 0; set < 4000; set++) {
            spn_random random = spn_random_make(11, set, (uint32_t)clustered, SPN_PURPOSE_USER);
            double values[20];
            for (size_t k = 0; k < 20; k++) {
                const double p = clustered ? spn_random_uniform(&random) : truth;
                values[k] = 0;
                for (int a = 0; a < (clustered ? 10 : 1); a++)
                    values[k] += (spn_random_uniform(&random) < p) / (clustered ? 10.0 : 1.0);
            }
            const spn_summary s = spn_summarise_shares(values, 20);
            held += s.low <= truth && truth <= s.high;
            naive += fabs(s.mean - truth) < 1.96 * sqrt(truth * (1 - truth) / 200);
            assert_true(s.low >= 0 && s.high <= 1 && s.high > s.low);
        }
        /* 0.95 nominally; of 20 trials at 0.1 it is 0.9568 exactly; the normal deviation is 0.0035
         */
        assert_near(held / 4000, clustered ? 0.945 : 0.9568, 0.02);
        assert_true(!clustered || naive / 4000 < 0.75);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),       cmocka_unit_test(test_share_coverage),
        cmocka_unit_test(test_quantiles),    cmocka_unit_test(test_summary),
        cmocka_unit_test(test_two),          cmocka_unit_test(test_missing),
        cmocka_unit_test(test_one_and_none), cmocka_unit_test(test_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
