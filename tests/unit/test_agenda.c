/* The agenda of a sweep: the longest jobs first, shards that share everything, what is finished
   left out. */
#include "support/scratch.h"
#include "sweep/folder.h"
#include "sweep/jobs.h"
#include "sweep/running.h"

#include <stdlib.h>
#include <string.h>

/* 12 jobs: three steps times two replicas, two runs. */
static const char small[] =
    "{\"format\": 1, \"version\": \"1\", \"name\": \"a\", \"task\": \"train\", \"seed\": 1, "
    "\"runs\": 2, \"settings\": {\"data\": \"digits\", \"gamma\": \"0\"}, \"grid\": ["
    "{\"setting\": \"steps\", \"values\": [\"2000\", \"9000\", \"4000\"]}, "
    "{\"setting\": \"replicas\", \"values\": [\"1\", \"3\"]}]}";
enum { JOBS = 12 };

static spn_sweep *make_sweep(void)
{
    spn_sweep *sweep;
    spn_error err = {0};
    assert_ok(spn_sweep_from_text(&sweep, small, strlen(small), "small", &err), err);
    assert_ok(spn_plans_create(&sweep->plans, sweep, NULL, &err), err);
    return sweep;
}

static spn_agenda make_agenda(const spn_sweep *sweep)
{
    spn_agenda agenda;
    spn_error err = {0};
    assert_ok(spn_agenda_make(&agenda, sweep, &err), err);
    assert_int_equal(agenda.count, JOBS);
    return agenda;
}

static void test_longest_first(void **state)
{
    (void)state;
    /* without a coupling the cost is that of steps times replicas; runs in their order */
    static const size_t expected[JOBS] = {6, 7, 10, 11, 4, 5, 2, 3, 8, 9, 0, 1};
    spn_sweep *sweep = make_sweep();
    spn_agenda agenda = make_agenda(sweep);
    double cost = 0;
    assert_int_equal(agenda.pending, JOBS);
    for (size_t k = 0; k < JOBS; k++) {
        const spn_agenda_job *job = &agenda.jobs[k];
        assert_true(job->cost > 0 && job->cost == agenda.costs[job->index / 2].work);
        assert_true(k == 0 || job->cost <= job[-1].cost);
        if (k > 0 && job->cost == job[-1].cost)
            assert_true(job->index > job[-1].index);
        assert_int_equal(job->index, expected[k]);
        cost += job->cost;
    }
    assert_near(agenda.cost, cost, 1e-9 * cost);
    spn_agenda_clear(&agenda);
    spn_sweep_free(sweep);
}

/* Every job is in one shard; their costs are as even as the jobs allow. */
static void test_shards(void **state)
{
    (void)state;
    spn_sweep *sweep = make_sweep();
    spn_agenda agenda = make_agenda(sweep);
    const double longest = agenda.jobs[0].cost, whole = agenda.cost;
    for (size_t shards = 1; shards <= JOBS + 2; shards++) {
        int seen[JOBS] = {0};
        double sum = 0;
        for (size_t shard = 0; shard < shards; shard++) {
            spn_agenda_choose(&agenda, shard, shards, NULL, 0);
            assert_int_equal(agenda.pending, agenda.mine);
            assert_int_equal(agenda.mine, JOBS / shards + (shard < JOBS % shards));
            assert_true(agenda.cost <= whole / (double)shards + longest);
            for (size_t k = 0; k < agenda.pending; k++)
                seen[agenda.jobs[k].index]++;
            sum += agenda.cost;
        }
        for (size_t k = 0; k < JOBS; k++)
            assert_int_equal(seen[k], 1);
        assert_near(sum, whole, 1e-9 * whole);
    }
    spn_agenda_clear(&agenda);
    spn_sweep_free(sweep);
}

/* What is finished is left out, and does not move the others between shards. */
static void test_finished(void **state)
{
    (void)state;
    spn_sweep *sweep = make_sweep();
    spn_agenda agenda = make_agenda(sweep);
    uint64_t finished[] = {agenda.keys[7], agenda.keys[0], 12345, agenda.keys[3]};
    int before[JOBS] = {0}, after[JOBS] = {0};
    spn_agenda_choose(&agenda, 0, 2, NULL, 0);
    for (size_t k = 0; k < agenda.pending; k++)
        before[agenda.jobs[k].index] = 1;
    spn_keys_sort(finished, 4);
    spn_agenda_choose(&agenda, 0, 2, finished, 4);
    for (size_t k = 0; k < agenda.pending; k++)
        after[agenda.jobs[k].index] = 1;
    for (size_t k = 0; k < JOBS; k++)
        assert_int_equal(after[k], before[k] && k != 0 && k != 3 && k != 7);
    assert_int_equal(agenda.done, 3);
    assert_int_equal(agenda.before, before[0] + before[3] + before[7]);
    assert_int_equal(agenda.mine, JOBS / 2);
    spn_agenda_choose(&agenda, 0, 1, agenda.sorted, JOBS);
    assert_int_equal(agenda.pending, 0);
    assert_int_equal(agenda.before, JOBS);
    assert_true(agenda.cost == 0);
    spn_agenda_clear(&agenda);
    spn_sweep_free(sweep);
}

static void test_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_agenda agenda;
    spn_sweep *sweep = make_sweep();
    strcpy(sweep->axes[0].values[2], "2000"); /* as the first */
    assert_error(spn_agenda_make(&agenda, sweep, &err), &err, SPN_ERROR_ARGUMENT,
                 "same point twice", "steps=2000 replicas=");
    spn_agenda_clear(&agenda);
    sweep->runs = SPN_SWEEP_MOST_JOBS;
    assert_error(spn_agenda_make(&agenda, sweep, &err), &err, SPN_ERROR_ARGUMENT, "6000000", "");
    spn_agenda_clear(&agenda);
    spn_sweep_free(sweep);
}

static void test_point(void **state)
{
    (void)state;
    spn_sweep *sweep = make_sweep();
    spn_job job;
    spn_error err = {0};
    char *text = spn_sweep_point_text(sweep, 3);
    assert_string_equal(text, "steps=9000 replicas=3");
    free(text);
    assert_ok(spn_sweep_job(&job, sweep, 7, &err), err);
    assert_int_equal(job.run, 2);
    assert_string_equal(spn_job_given(&job, "steps"), "9000");
    spn_job_clear(&job);
    spn_sweep_free(sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_first), cmocka_unit_test(test_shards),
        cmocka_unit_test(test_finished),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
