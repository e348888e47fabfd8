/* The task `anneal`: its records, the curves of solved patterns, runs that were stopped. */
#include "old/instance.h"
#include "old/task.h"
#include "support/runs.h"
#include "support/schedules.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/chain.h>
#include <stdlib.h>
#include <string.h>

static double shares[] = {0, 0.02, 0.3, 1};

/* Few patterns, which every replica learns. */
static spn_field easy[] = {{"energy", "errors"},
                           {"random", "101,20"},
                           {"steps", "40000"},
                           {"beta", "0.3:20"},
                           {"gamma", "0.3"}};

static spn_sweep make_sweep(spn_field *fixed, size_t count)
{
    return (spn_sweep){.name = "test",
                       .task = "anneal",
                       .seed = 3,
                       .runs = 4,
                       .fixed_count = count,
                       .fixed = fixed};
}

/* The same as a chain of the library with the record's seed, on the patterns of the run. */
static void test_same_as_chain(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_sweep sweep = make_sweep(easy, 5);
    spn_record record = spn_test_do(&sweep, 1, NULL, NULL);
    xpn_job job;
    assert_ok(xpn_job_make(&job, &sweep, 1, &err), err);
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, 101, 20, job.instance_seed, false, &err), err);
    assert_ok(spn_energy_create(&energy, "errors", problem, &err), err);
    spn_chain_options options = spn_chain_defaults();
    options.seed = record.seed;
    options.steps = 40000;
    options.beta = spn_test_exponential(0.3, 20);
    options.gamma = spn_test_constant(0.3);
    spn_chain *chain;
    spn_stop stop;
    spn_snapshot s;
    assert_ok(spn_chain_create(&chain, energy, &options, &err), err);
    assert_ok(spn_chain_run(&stop, chain, &err), err);
    spn_chain_snapshot(&s, chain);
    double mean = 0, lowest = INFINITY, best = INFINITY, solved = 0;
    for (size_t a = 0; a < 3; a++) {
        mean += s.energy[a] / 3;
        lowest = fmin(lowest, s.energy[a]);
        best = fmin(best, s.best_energy[a]);
        solved += (s.energy[a] == 0) / 3.0;
        assert_int_equal(xpn_patterns_right(problem, s.spins + a * 101), 20 - (int)s.energy[a]);
    }
    assert_near(spn_record_number(&record, "energy"), mean, 1e-12);
    assert_true(spn_record_number(&record, "lowest_energy") == lowest);
    assert_true(spn_record_number(&record, "best_energy") == best);
    assert_near(spn_record_number(&record, "solved"), solved, 1e-12);
    assert_true(spn_record_number(&record, "overlap") == spn_snapshot_overlap(&s));
    assert_int_equal(record.result_count, 7);
    spn_chain_free(chain);
    spn_energy_free(energy);
    spn_problem_free(problem);
    xpn_job_clear(&job);
    spn_record_clear(&record);
}

/* All points of the grid see the same random patterns, other runs see others. */
static void test_instances(void **state)
{
    (void)state;
    spn_error err = {0};
    char *gammas[] = {"0", "1"};
    spn_axis axis = {"gamma", 2, gammas};
    spn_sweep sweep = make_sweep(easy, 4);
    sweep.axis_count = 1;
    sweep.axes = &axis;
    xpn_job jobs[8];
    for (size_t k = 0; k < 8; k++)
        assert_ok(xpn_job_make(&jobs[k], &sweep, k, &err), err);
    for (size_t k = 0; k < 4; k++)
        assert_true(jobs[k].instance_seed == jobs[k + 4].instance_seed);
    for (size_t k = 1; k < 8; k++)
        for (size_t j = 0; j < k; j++) {
            assert_true(jobs[k].seed != jobs[j].seed && jobs[k].key != jobs[j].key);
            assert_true(k == j + 4 || jobs[k].instance_seed != jobs[j].instance_seed);
        }
    for (size_t k = 0; k < 8; k++)
        xpn_job_clear(&jobs[k]);
}

/* Flipped weights of solved replicas: all right at 0, all wrong at 1 (an odd number of weights has
   no ties), in between more wrong with more flips. */
static void test_flips(void **state)
{
    (void)state;
    spn_sweep sweep = make_sweep(easy, 5);
    sweep.measures = (spn_measures){.flips_count = 4, .flips = shares, .flips_trials = 3000};
    spn_record record = spn_test_do(&sweep, 0, NULL, NULL);
    assert_true(spn_record_number(&record, "solved") == 1);
    const spn_result_curve *flips = spn_record_curve(&record, "flips");
    assert_non_null(flips);
    assert_int_equal(flips->rows, 4);
    const double *accuracy = flips->values[spn_result_curve_column(flips, "accuracy")];
    const double *low = flips->values[spn_result_curve_column(flips, "low")];
    assert_true(accuracy[0] == 1 && low[0] == 1);
    assert_true(accuracy[1] > 0.9 && accuracy[1] < 1 && low[1] < accuracy[1]);
    assert_true(accuracy[2] < accuracy[1] && accuracy[2] > 0.5);
    assert_true(accuracy[3] == 0);
    spn_record_clear(&record);
}

/* Where no replica solves, there is nothing to flip. */
static void test_unsolved(void **state)
{
    (void)state;
    spn_field hard[] = {{"energy", "bits"}, {"random", "21,60"}, {"steps", "100"}};
    spn_sweep sweep = make_sweep(hard, 3);
    sweep.measures = (spn_measures){.flips_count = 4, .flips = shares, .flips_trials = 6};
    spn_record record = spn_test_do(&sweep, 0, NULL, NULL);
    assert_true(spn_record_number(&record, "solved") == 0);
    const spn_result_curve *flips = spn_record_curve(&record, "flips");
    assert_true(flips->values[0][2] == 0.3 && isnan(flips->values[1][0]));
    spn_record_clear(&record);
}

static void test_stop_and_resume(void **state)
{
    spn_sweep sweep = make_sweep(easy, 5);
    sweep.measures = (spn_measures){.flips_count = 4,
                                    .flips = shares,
                                    .flips_trials = 300,
                                    .profile_walks = 20,
                                    .profile_reach = 0.5,
                                    .profile_points = 11,
                                    .traces = true};
    spn_test_stop_and_resume(state, &sweep, 2);
}

static const char graph[] = "0 1 0.3\n1 2 -1.7\n2 3 0.11\n3 3 0.9\n0 3 2.3\n";

/* A file beside the specification, couplings that are no integers, random order. */
static void test_graph(void **state)
{
    spn_error err = {0};
    spn_scratch_text(state, "graph.txt", graph);
    spn_field fields[] = {{"energy", "ising"}, {"graph", "graph.txt"}, {"order", "random"},
                          {"steps", "20000"},  {"beta-start", "0.1"},  {"beta-end", "20"},
                          {"replicas", "1"}};
    spn_sweep sweep = make_sweep(fields, 7);
    xpn_task_store *store;
    xpn_job job;
    spn_record record;
    bool complete;
    assert_ok(xpn_task_store_create(&store, spn_scratch_path(state, "specification.yaml"), &err),
              err);
    assert_ok(xpn_task_check(&sweep, store, &err), err);
    assert_ok(xpn_job_make(&job, &sweep, 0, &err), err);
    const xpn_task_run run = {.store = store};
    assert_ok(xpn_task_do(&record, &complete, &job, &run, &err), err);
    assert_true(complete);
    /* the ground state by hand: s0 = -s3, s3 = -1, s1 = s2, s0 s1 = -1, s2 s3 = -1 is frustrated */
    assert_near(spn_record_number(&record, "energy"), -0.9 - 2.3 - 1.7 - 0.3 + 0.11, 1e-12);
    assert_true(isnan(spn_record_number(&record, "solved")));
    spn_record_clear(&record);
    xpn_job_clear(&job);
    fields[1].text = "no.txt";
    assert_error(xpn_task_check(&sweep, store, &err), &err, SPN_ERROR_IO, "graph: ", "no.txt");
    xpn_task_store_free(store);
}

static void test_check(void **state)
{
    (void)state;
    spn_error err = {0};
    xpn_task_store *store;
    assert_ok(xpn_task_store_create(&store, NULL, &err), err);
    const struct {
        spn_field fields[2];
        const char *part;
    } bad[] = {
        {{{"energy", "bit"}, {"random", "5,2"}}, "energy: there is no 'bit'; did you mean bits?"},
        {{{"energy", "ising"}, {"random", "5,2"}},
         "random: does not go with energy ising, which takes graph"},
        {{{"energy", "bits"}, {"gamma", "1"}}, "energy: bits needs patterns, a file, or random"},
        {{{"energy", "bits"}, {"random", "5"}}, "random: '5' is not N,P or N,P,SEED"},
        {{{"energy", "bits"}, {"teacher", "true"}}, "teacher: goes with random"},
        {{{"random", "5,2"}, {"gamma", "1"}}, "energy: is needed"},
        {{{"energy", "bits"}, {"subset", "5"}}, "unknown setting 'subset' of anneal"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const spn_sweep sweep = make_sweep((spn_field *)bad[k].fields, 2);
        const spn_status status = xpn_task_check(&sweep, store, &err);
        assert_error(status, &err, SPN_ERROR_ARGUMENT, bad[k].part, "");
    }
    spn_sweep sweep = make_sweep(easy, 5);
    sweep.measures = (spn_measures){.flips_count = 4, .flips = shares, .flips_trials = 5};
    assert_error(xpn_task_check(&sweep, store, &err), &err, SPN_ERROR_ARGUMENT,
                 "flips.trials: ", "two for each of the 3 replicas");
    sweep.measures = (spn_measures){.models = true};
    assert_error(xpn_task_check(&sweep, store, &err), &err, SPN_ERROR_ARGUMENT,
                 "models: ", "anneal");
    xpn_task_store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_chain), cmocka_unit_test(test_instances),
        cmocka_unit_test(test_flips),         cmocka_unit_test(test_unsolved),
        scratch_test(test_stop_and_resume),   scratch_test(test_graph),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
