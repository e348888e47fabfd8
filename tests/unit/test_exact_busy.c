/* Whether the loops of the exact laboratory are parallel ones: by clocks that the test moves, on an
   idle machine always, on a busy one for a small share of the time. */
#include "analysis/common.h"
#include "support/test.h"

static double time_of_day, time_of_thread;

static double wall(void)
{
    return time_of_day;
}

static double own(void)
{
    return time_of_thread;
}

/* Loops of `length` seconds each, of which the thread has its share; returns the share of the time
   that was spent in parallel ones. Alone, a loop takes a tenth of the time. */
static double run_loops(spn_serving *s, double length, double share, double seconds)
{
    const double end = time_of_day + seconds;
    double parallel = 0;
    while (time_of_day < end) {
        const bool pays = spn_serving_pays(s, wall, own);
        const double took = pays ? length : length / 10;
        parallel += pays ? took : 0;
        time_of_day += took;
        time_of_thread += share * took;
    }
    return parallel / seconds;
}

static void idle_machines_are_used_whole(void **state)
{
    (void)state;
    for (double length = 1e-6; length < 2; length *= 10) {
        spn_serving s = {0};
        assert_true(run_loops(&s, length, 0.99, 1000 * length) > 0.999);
    }
}

static void busy_machines_are_tried_now_and_then(void **state)
{
    (void)state;
    for (double length = 1e-4; length < 2; length *= 10) {
        spn_serving s = {0};
        const double share = run_loops(&s, length, 0.5, 10000 * (length > 0.02 ? length : 0.02));
        assert_true(share > 0.001 && share < 0.05);
    }
}

/* Both ways, within the longest rest. */
static void changes_are_noticed(void **state)
{
    (void)state;
    spn_serving s = {0};
    run_loops(&s, 0.001, 1, 5);
    assert_true(run_loops(&s, 0.001, 0.6, 20) < 0.05);
    run_loops(&s, 0.001, 1, 2);
    assert_true(run_loops(&s, 0.001, 1, 5) > 0.999);
}

/* What the thread did between two calls is no sign of a busy machine. */
static void sleep_is_no_work(void **state)
{
    (void)state;
    spn_serving s = {0};
    run_loops(&s, 0.001, 1, 1);
    time_of_day += 1000;
    s.looks = false; /* as spn_threads_limit has it */
    assert_true(run_loops(&s, 0.001, 1, 1) > 0.99);
}

static void small_loops_are_made_alone(void **state)
{
    (void)state;
    const int before = spn_threads_limit(1);
    assert_false(spn_threads_pay(true));
    assert_false(spn_threads_pay(false));
    spn_threads_restore(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_machines_are_used_whole),
        cmocka_unit_test(busy_machines_are_tried_now_and_then),
        cmocka_unit_test(changes_are_noticed),
        cmocka_unit_test(sleep_is_no_work),
        cmocka_unit_test(small_loops_are_made_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
