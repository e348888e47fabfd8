/* The time that a sweep still takes: known early, and not misled by what runs had done before. */
#include "support/test.h"
#include "sweep/running.h"

#include <math.h>

static void test_short(void **state)
{
    (void)state;
    spn_rate rate = {0};
    assert_true(isnan(spn_rate_left(&rate, 0.1, 0)));
    assert_true(isnan(spn_rate_left(&rate, 0.1, 0.04)));
    assert_near(spn_rate_left(&rate, 0.2, 0.1), 1.8, 1e-12);
    assert_near(spn_rate_left(&rate, 0.9, 0.5), 0.9, 1e-12);
    assert_near(spn_rate_left(&rate, 1.2, 0.6), 0.8, 1e-12);
    assert_near(spn_rate_left(&rate, 2.0, 0.8), 1.1 * 0.2 / 0.3, 1e-12); /* after 0.9 s, 0.5 */
    assert_near(spn_rate_left(&rate, 2.4, 1), 0, 0);
}

static void test_long(void **state)
{
    (void)state;
    spn_rate rate = {0};
    assert_true(isnan(spn_rate_left(&rate, 0.5, 0.001)));
    assert_true(isnan(spn_rate_left(&rate, 1.2, 0.002)));
    assert_near(spn_rate_left(&rate, 10.5, 0.011), 10 * 0.989 / 0.01, 1e-9);
}

/* Nine tenths were done before; the rest takes ten seconds. */
static void test_resumed(void **state)
{
    (void)state;
    spn_rate rate = {.resumed = true};
    assert_true(isnan(spn_rate_left(&rate, 0.1, 0.9)));
    assert_true(isnan(spn_rate_left(&rate, 0.5, 0.905)));
    assert_true(isnan(spn_rate_left(&rate, 1.25, 0.9125)));
    assert_near(spn_rate_left(&rate, 1.5, 0.915), 8.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
