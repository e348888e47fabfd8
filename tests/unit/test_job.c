/* The keys and seeds of jobs. */
#include "old/task.h"
#include "support/test.h"

static double shares[] = {0, 0.1};

static xpn_job make_job(const spn_sweep *sweep, size_t index)
{
    spn_error err = {0};
    xpn_job job;
    assert_ok(xpn_job_make(&job, sweep, index, &err), err);
    return job;
}

/* Two sweeps whose job has the same settings, seed and run, in another order and another grid. */
static void test_job_is_of_its_content(void **state)
{
    (void)state;
    spn_field fixed[] = {{"data", "digits"}}, more[] = {{"replicas", "5"}, {"data", "digits"}};
    char *gammas[] = {"0", "0.8"}, *three[] = {"0", "0.4", "0.8"}, *five[] = {"3", "5"};
    spn_axis one[] = {{"gamma", 2, gammas}, {"replicas", 2, five}}, two[] = {{"gamma", 3, three}};
    spn_sweep a = {.name = "a",
                   .task = "train",
                   .seed = 1,
                   .runs = 2,
                   .fixed_count = 1,
                   .fixed = fixed,
                   .axis_count = 2,
                   .axes = one};
    spn_sweep b = {.name = "b",
                   .task = "train",
                   .seed = 1,
                   .runs = 3,
                   .fixed_count = 2,
                   .fixed = more,
                   .axis_count = 1,
                   .axes = two};
    xpn_job first = make_job(&a, 3 * 2 + 1), second = make_job(&b, 2 * 3 + 1);
    assert_string_equal(first.settings[2].text, "5");
    assert_string_equal(second.settings[2].text, "0.8");
    assert_int_equal(first.run, 2);
    assert_true(first.key == second.key && first.seed == second.seed);
    assert_true(first.instance_seed == second.instance_seed);
    assert_true(first.seed < (uint64_t)1 << 63);
    xpn_job_clear(&second);
    /* other measures: another job, but of the same chain; what is only kept does not matter */
    b.measures = (spn_measures){.models = true, .traces = true};
    second = make_job(&b, 2 * 3 + 1);
    assert_true(first.key == second.key);
    xpn_job_clear(&second);
    b.measures = (spn_measures){.flips_count = 2, .flips = shares, .flips_trials = 10};
    second = make_job(&b, 2 * 3 + 1);
    assert_true(first.key != second.key && first.seed == second.seed);
    xpn_job_clear(&second);
    b.measures = (spn_measures){0};
    b.seed = 2;
    second = make_job(&b, 2 * 3 + 1);
    assert_true(first.key != second.key && first.seed != second.seed);
    assert_true(first.instance_seed != second.instance_seed);
    xpn_job_clear(&second);
    xpn_job_clear(&first);
}

/* Keys and seeds name the records of every version: they must never change. */
static void test_job_is_pinned(void **state)
{
    (void)state;
    spn_field fixed[] = {{"gamma", "0.8"}, {"data", "mnist"}};
    const spn_sweep sweep = {
        .name = "a", .task = "train", .seed = 1, .runs = 1, .fixed_count = 2, .fixed = fixed};
    xpn_job job = make_job(&sweep, 0);
    assert_true(job.key == 0xd5c45252bac1336a);
    assert_true(job.seed == 9036389287210887362);
    assert_true(job.instance_seed == 2877081901195713250);
    xpn_job_clear(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_is_of_its_content),
        cmocka_unit_test(test_job_is_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
