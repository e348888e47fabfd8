/* Means and their intervals, against values worked out by hand and from tables. */
#include "support/test.h"

#include <math.h>
#include <spinney/statistics.h>

/* The 0.975 quantile of Student's t, from printed tables. */
static void test_quantiles(void **state)
{
    (void)state;
    const struct {
        size_t degrees;
        double quantile;
    } table[] = {{1, 12.7062},  {2, 4.30265},   {9, 2.26216},    {10, 2.22814},
                 {11, 2.20099}, {12, 2.17881},  {20, 2.08596},   {30, 2.04227},
                 {60, 2.00030}, {120, 1.97993}, {1000, 1.96234}, {1000000, 1.95997}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        assert_near(spn_student_quantile(table[k].degrees), table[k].quantile, 1.01e-5);
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
    assert_near(s.half, 2.36462 * 0.755928946018454454, 1e-12); /* t(7) sqrt(32/7/8) */
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
    assert_near(s.half, 2 * 12.7062, 1e-4);
}

static void test_missing(void **state)
{
    (void)state;
    const double values[] = {NAN, 1, NAN, 2, 6, NAN}; /* 1 2 6: mean 3, variance 14/2 */
    const spn_summary s = spn_summarise(values, 6);
    assert_int_equal(s.count, 3);
    assert_near(s.mean, 3, 0);
    assert_near(s.deviation, 2.64575131106459059, 1e-15);
    assert_near(s.half, 4.30265 * 1.52752523165194667, 1e-12);
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
    assert_near(spn_summarise(equal, 3).deviation, 0, 1e-16);
    assert_near(spn_summarise(large, 3).deviation, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),    cmocka_unit_test(test_summary),
        cmocka_unit_test(test_two),          cmocka_unit_test(test_missing),
        cmocka_unit_test(test_one_and_none), cmocka_unit_test(test_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
