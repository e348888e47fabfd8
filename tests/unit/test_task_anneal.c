/* The task `anneal`: its records, the curves of solved patterns, runs that were stopped. */
#include "job/solutions.h"
#include "query/query.h"
#include "support/jobs.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/lab/view.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Few patterns, which every replica learns. */
#define EASY                                                                                       \
    "energy", "errors", "random", "101,20", "steps", "40000", "beta", "0.3:20", "gamma", "0.3"
static const char *const easy[] = {EASY, NULL};

/* The same as a chain of the library with the record's seed, on the patterns of the run. */
static void test_same_as_chain(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_job job = spn_test_job("anneal", 2, easy);
    const spn_run how = {.details = true};
    spn_record record = spn_test_run_job(&job, &how);
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, 101, 20, job.instance_seed, false, &err), err);
    assert_ok(spn_energy_create(&energy, "errors", problem, &err), err);
    spn_chain_options options = spn_chain_defaults();
    options.seed = record.seed;
    options.steps = 40000;
    options.beta = spn_test_exponential(0.3, 20);
    options.gamma = spn_test_constant(0.3);
    spn_sampler *chain;
    spn_stop stop;
    spn_snapshot s;
    assert_ok(spn_chain_create(&chain, energy, &options, &err), err);
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    spn_chain_snapshot(&s, chain);
    const spn_result_curve *replicas = spn_record_curve(&record, "replicas");
    assert_non_null(replicas);
    double mean = 0, lowest = INFINITY, best = INFINITY, solved = 0;
    for (size_t a = 0; a < 3; a++) {
        mean += s.energy[a] / 3;
        lowest = fmin(lowest, s.energy[a]);
        best = fmin(best, s.best_energy[a]);
        solved += (s.energy[a] == 0) / 3.0;
        assert_int_equal(spn_patterns_right(&(spn_instance){.problem = problem}, s.spins + a * 101),
                         20 - (int)s.energy[a]);
        assert_true(replicas->values[0][a] == s.energy[a]);
        assert_true(replicas->values[2][a] == (double)s.accepted[a]);
    }
    assert_true(spn_record_number(&record, "lowest_energy") == lowest);
    assert_true(spn_record_number(&record, "best_energy") == best);
    assert_near(spn_record_number(&record, "energy"), mean, 1e-12);
    assert_near(spn_record_number(&record, "solved_share"), solved, 1e-12);
    assert_true(spn_record_number(&record, "solved") == (s.first_hit != SPN_NO_HIT));
    if (s.first_hit != SPN_NO_HIT)
        assert_true(spn_record_number(&record, "first_hit_steps") == (double)s.first_hit &&
                    spn_record_number(&record, "first_hit_proposals") ==
                        (double)(s.first_hit * s.replicas));
    assert_true(spn_record_number(&record, "overlap") == spn_snapshot_overlap(&s));
    const spn_result_curve *overlaps = spn_record_curve(&record, "overlaps");
    assert_int_equal(overlaps->rows, 3);
    for (size_t k = 0; k < 3; k++) {
        const size_t a = (size_t)overlaps->values[0][k] - 1, b = (size_t)overlaps->values[1][k] - 1;
        int sum = 0;
        for (size_t i = 0; i < 101; i++)
            sum += s.spins[a * 101 + i] * s.spins[b * 101 + i];
        assert_true(a < b && b < 3);
        assert_near(overlaps->values[2][k], sum / 101.0, 1e-15);
    }
    assert_true(spn_record_number(&record, "steps_done") == 40000);
    assert_true(spn_record_number(&record, "proposals") == 120000);
    assert_string_equal(spn_record_text(&record, "stop"), "steps");
    assert_true(record.instance_seed == job.instance_seed);
    spn_sampler_free(chain);
    spn_energy_free(energy);
    spn_problem_free(problem);
    spn_job_clear(&job);
    spn_record_clear(&record);
}

/* Flipped weights of solved replicas: all right at 0, all wrong at 1 (an odd number of weights has
   no ties), in between more wrong with more flips. */
static void test_flips(void **state)
{
    (void)state;
    const char *const texts[] = {EASY, "flip", "0,0.02,0.3,1", "trials", "3000", NULL};
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_record record = spn_test_run_job(&job, NULL);
    assert_true(spn_record_number(&record, "solved_share") == 1);
    assert_true(spn_record_number(&record, "solved") == 1);
    assert_true(spn_record_number(&record, "first_hit_steps") > 0 &&
                spn_record_number(&record, "first_hit_seconds") > 0);
    const spn_result_curve *flips = spn_record_curve(&record, "flips");
    assert_non_null(flips);
    assert_int_equal(flips->rows, 4);
    const double *accuracy = flips->values[spn_result_curve_column(flips, "accuracy")];
    const double *low = flips->values[spn_result_curve_column(flips, "low")];
    assert_true(accuracy[0] == 1 && low[0] == 1);
    assert_true(accuracy[1] > 0.9 && accuracy[1] < 1 && low[1] < accuracy[1]);
    assert_true(accuracy[2] < accuracy[1] && accuracy[2] > 0.5);
    assert_true(accuracy[3] == 0);
    assert_null(spn_record_curve(&record, "replicas")); /* no details were asked for */
    spn_record_clear(&record);
    spn_job_clear(&job);
}

/* Where no replica solves, there is nothing to flip. */
static void test_unsolved(void **state)
{
    (void)state;
    const char *const texts[] = {"energy", "bits",  "random", "21,60", "steps", "100",
                                 "flip",   "0,0.3", "trials", "6",     NULL};
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_record record = spn_test_run_job(&job, NULL);
    assert_true(spn_record_number(&record, "solved_share") == 0);
    assert_true(spn_record_number(&record, "solved") == 0);
    assert_true(spn_record_has(&record, "first_hit_steps")); /* but it never was */
    assert_true(isnan(spn_record_number(&record, "first_hit_steps")) &&
                isnan(spn_record_number(&record, "first_hit_proposals")) &&
                isnan(spn_record_number(&record, "first_hit_seconds")));
    const spn_result_curve *flips = spn_record_curve(&record, "flips");
    assert_true(flips->values[0][1] == 0.3 && isnan(flips->values[1][0]));
    spn_record_clear(&record);
    spn_job_clear(&job);
}

static void test_stop_and_resume(void **state)
{
    const char *const texts[] = {EASY,  "flip",           "0,0.02,0.3,1", "trials",
                                 "300", "profile-walks",  "20",           "profile-reach",
                                 "0.5", "profile-points", "11",           NULL};
    spn_job job = spn_test_job("anneal", 3, texts);
    spn_test_stops(state, &job);
    spn_job_clear(&job);
}

/* ---- files ---- */

static const char graph[] = "0 1 0.3\n1 2 -1.7\n2 3 0.11\n3 3 0.9\n0 3 2.3\n";

/* A file beside the specification, couplings that are no integers, random order; then a start from
   the states that it wrote. */
static void test_files(void **state)
{
    spn_error err = {0};
    spn_scratch_text(state, "graph.txt", graph);
    const char *const texts[] = {"energy",   "ising", "graph",    "graph.txt",  "order",
                                 "random",   "steps", "20000",    "beta-start", "0.1",
                                 "beta-end", "20",    "replicas", "1",          NULL};
    spn_run run = {.product = spn_scratch_path(state, "states.txt")};
    assert_ok(spn_inputs_create(&run.inputs, spn_scratch_path(state, "sweep.yaml"), &err), err);
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_record record = spn_test_run_job(&job, &run);
    /* the ground state by hand: s0 = -s3, s3 = -1, s1 = s2, s0 s1 = -1, s2 s3 = -1 is frustrated */
    const double ground = -0.9 - 2.3 - 1.7 - 0.3 + 0.11;
    assert_near(spn_record_number(&record, "energy"), ground, 1e-12);
    assert_true(isnan(spn_record_number(&record, "solved")));
    spn_record_clear(&record);

    assert_ok(spn_job_set(&job, "init", "states.txt", &err), err);
    assert_ok(spn_job_set(&job, "target", "-5", &err), err);
    run.product = NULL;
    record = spn_test_run_job(&job, &run);
    assert_string_equal(spn_record_text(&record, "stop"), "target");
    assert_true(spn_record_number(&record, "steps_done") == 0);
    assert_near(spn_record_number(&record, "energy"), ground, 1e-12);
    spn_record_clear(&record);
    spn_job_clear(&job);
    spn_inputs_free(run.inputs);

    const char *const absent[] = {"energy", "ising", "graph", "no.txt", NULL};
    spn_test_refused("anneal", absent, NULL, SPN_ERROR_IO, "graph: ", "no.txt");
    const char *path = spn_scratch_path(state, "states.txt");
    const char *const other[] = {"energy", "errors", "random", "101,20", "init", path, NULL};
    spn_test_refused("anneal", other, NULL, SPN_ERROR_ARGUMENT,
                     "init: ", "states of 4 spins, but the energy has 101");
}

/* What is read must be what it was when a sweep was started. */
static void test_content(void **state)
{
    spn_error err = {0};
    const char *const texts[] = {"energy", "ising", "graph", "graph.txt", "steps", "10", NULL};
    const spn_setting *setting = spn_setting_find(spn_task_find("anneal")->settings, "graph");
    spn_input_sum sum = {.setting = "graph", .name = "graph.txt"};
    spn_inputs *inputs;
    void *plan;
    spn_job job = spn_test_job("anneal", 1, texts);
    const char *beside = spn_scratch_path(state, "sweep.yaml");
    spn_scratch_text(state, "graph.txt", graph);
    for (int changed = 0; changed < 2; changed++) {
        assert_ok(spn_inputs_create(&inputs, beside, &err), err);
        if (!changed)
            assert_ok(spn_inputs_checksum(&sum.checksum, inputs, setting, "graph.txt", &err), err);
        spn_inputs_expect(inputs, &sum, 1);
        const spn_status status = spn_job_plan(&plan, &job, inputs, &err);
        if (changed)
            assert_error(status, &err, SPN_ERROR_ARGUMENT, "graph: graph.txt has another content",
                         "");
        else
            assert_ok(status, err);
        spn_job_plan_free(job.task, plan);
        spn_inputs_free(inputs);
        spn_scratch_text(state, "graph.txt", "0 1 1\n");
    }
    spn_job_clear(&job);
}

/* A planted landscape: the codewords and the ball are minima. */
static void test_planted(void **state)
{
    (void)state;
    const char *const texts[] = {"code",      "0111100,1011010,1101001",
                                 "ball",      "1",
                                 "target",    "0",
                                 "replicas",  "2",
                                 "target-by", "all",
                                 NULL};
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_record record = spn_test_run_job(&job, NULL);
    assert_true(spn_record_number(&record, "energy") == 0);
    assert_string_equal(spn_record_text(&record, "stop"), "target");
    spn_record_clear(&record);
    spn_job_clear(&job);
    const char *const one[] = {"energy", "planted", "code", "011,101", NULL};
    spn_test_refused("anneal", one, NULL, SPN_ERROR_ARGUMENT, "energy: planted needs code", "ball");
    const char *const rows[] = {"code", "011,10", "ball", "1", NULL};
    spn_test_refused("anneal", rows, NULL, SPN_ERROR_ARGUMENT, "code: ", "");
}

static void test_refused(void **state)
{
    (void)state;
    const struct {
        const char *texts[10], *part;
    } bad[] = {
        {{"energy", "bit"}, "energy: there is no 'bit'; did you mean bits?"},
        {{"energy", "ising", "random", "5,2"},
         "random: cannot be combined with energy ising, which takes graph"},
        {{"energy", "bits", "gamma", "1"},
         "energy: bits needs `patterns`, a file, or `sites` and `alpha`, or `random N,P`"},
        {{"energy", "bits", "random", "5"}, "random: '5' is not N,P or N,P,SEED"},
        {{"energy", "bits", "teacher", "true"}, "teacher: needs `sites` or `random`"},
        {{"energy", "bits", "ball", "1"}, "ball: cannot be combined with energy bits"},
        {{"random", "5,2", "gamma", "1"}, "energy: is missing"},
        {{"energy", "bits", "subset", "5"}, "unknown setting 'subset' of anneal"},
        {{"energy", "bits", "random", "5,2", "beta", "x"}, "beta: 'x' is not a number"},
        {{"energy", "bits", "random", "5,2", "beta", "auto:0.5"},
         "beta: 'auto:0.5' is not auto or "},
        {{"energy", "bits", "random", "5,2", "beta", "auto:1e-4:0.5"}, "with 1 > HOT > COLD > 0"},
        {{"energy", "bits", "random", "5,2", "steps", "5", "sweeps", "1"},
         "sweeps: give this or `steps`, not both"},
        {{"energy", "bits", "random", "5,2", "steps", "5,0"},
         "steps: '0' is not a whole number of 1"},
        {{"energy", "bits", "random", "5,2", "steps", "5,"},
         "steps: '' is not a whole number of 1"},
        {{"energy", "bits", "random", "5,2", "sweeps", "4e18"},
         "sweeps: 4000000000000000000 of 5 "},
        {{"energy", "bits", "random", "5,2", "steps", "5,5", "schedule", "pieces:1x10"},
         "steps: several numbers go with schedules from START to END"},
        {{"energy", "bits", "random", "5,2", "gamma", "-1"}, "gamma: the start is -1"},
        {{"energy", "bits", "random", "5,2", "trials", "9"}, "trials: needs `flip`"},
        {{"energy", "bits", "random", "5,2", "profile-reach", "1"}, "needs `profile-walks`"},
        {{"energy", "bits", "random", "5,2", "flip", "0,2"}, "flip: '2' is not a number from 0"},
        {{"energy", "bits", "random", "5,2", "flip", "0,0.0"}, "flip: has the value 0.0 twice"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        spn_test_refused("anneal", bad[k].texts, NULL, SPN_ERROR_ARGUMENT, bad[k].part, "");
    const char *const few[] = {EASY, "flip", "0,0.1", "trials", "5", NULL};
    spn_test_refused("anneal", few, NULL, SPN_ERROR_ARGUMENT,
                     "trials: ", "two for each of the 3 replicas");
    const char *const both[] = {EASY, "beta-start", "1", NULL};
    spn_test_refused("anneal", both, NULL, SPN_ERROR_ARGUMENT,
                     "beta-start: give this or `beta`, not both", "");
    const char *const unflippable[] = {"code", "011,101", "ball", "0", "flip", "0.1", NULL};
    spn_test_refused("anneal", unflippable, NULL, SPN_ERROR_ARGUMENT,
                     "flip: needs an energy of patterns", "planted has none");
}

/* ---- reads ---- */

/* The same as the reads of the library with the record's seed; the set holds each best state. */
static void test_reads(void **state)
{
    (void)state;
    enum { READS = 11, SITES = 101 };
    const char *const texts[] = {EASY,     "reads", "11",        "threads", "2",
                                 "target", "0",     "target-by", "any",     NULL};
    spn_error err = {0};
    spn_job job = spn_test_job("anneal", 2, texts);
    spn_solutions *solutions = NULL;
    const spn_run how = {.details = true, .solutions = &solutions};
    spn_record record = spn_test_run_job(&job, &how);
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, SITES, 20, job.instance_seed, false, &err),
              err);
    assert_ok(spn_energy_create(&energy, "errors", problem, &err), err);
    spn_chain_options chain = spn_chain_defaults();
    chain.seed = record.seed;
    chain.steps = 40000;
    chain.beta = spn_test_exponential(0.3, 20);
    chain.gamma = spn_test_constant(0.3);
    chain.target = SPN_TARGET_ANY;
    spn_sampler *reads = spn_test_reads_run(energy, &chain, READS, 1);
    const spn_result_curve *each = spn_record_curve(&record, "reads");
    assert_int_equal(each->rows, READS);
    double proposals = 0, solved = 0;
    uint64_t found = 0;
    for (size_t r = 0; r < READS; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        assert_true(each->values[0][r] == read.best_energy);
        assert_true(each->values[1][r] == read.energy);
        assert_true(each->values[2][r] == (double)read.accepted);
        assert_true(each->values[4][r] == (double)read.steps);
        assert_true(each->values[5][r] == (double)read.hit);
        proposals += (double)read.proposals;
        solved += (double)(read.best_energy == 0) / READS;
        int8_t spins[SITES];
        for (size_t k = 0; k < spn_samples_distinct(solutions->samples); k++) {
            spn_samples_spins(solutions->samples, k, spins);
            found += memcmp(spins, read.best_spins, SITES) == 0;
        }
    }
    assert_int_equal(found, READS);
    assert_int_equal(spn_samples_total(solutions->samples), READS);
    assert_true(spn_record_number(&record, "proposals") == proposals);
    assert_near(spn_record_number(&record, "solved"), solved, 1e-12);
    assert_true(spn_record_number(&record, "hits") == READS);
    assert_true(spn_record_number(&record, "success") == 1);
    assert_true(spn_record_number(&record, "best_energy") == 0);
    assert_true(spn_record_number(&record, "best_reads") == READS);
    assert_true(isnan(spn_record_number(&record, "overlap")));
    assert_string_equal(spn_record_text(&record, "stop"), "target");
    spn_solutions_free(solutions);
    spn_sampler_free(reads);
    spn_energy_free(energy);
    spn_problem_free(problem);
    spn_job_clear(&job);
    spn_record_clear(&record);
}

/* A stop before the first step leaves nothing to report, and no file. */
static void test_reads_stopped(void **state)
{
    volatile sig_atomic_t stop = 1;
    spn_error err = {0};
    const char *const texts[] = {EASY, "reads", "5", NULL};
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_run run = {.stop = &stop, .product = spn_scratch_path(state, "s.csv")};
    spn_record record = {0};
    spn_outcome outcome;
    assert_ok(spn_inputs_create(&run.inputs, NULL, &err), err);
    assert_ok(spn_job_run(&record, &outcome, &job, &run, &err), err);
    assert_false(outcome.complete);
    assert_int_equal(outcome.reads, 0);
    assert_int_equal(access(run.product, F_OK), -1);
    spn_inputs_free(run.inputs);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

/* An offset is part of energies, and not of cuts; the target is a cut. */
static void test_cuts(void **state)
{
    const char *path = spn_scratch_text(state, "g.txt", "3 3\n1 2 1\n2 3 2\n1 3 4\n");
    const char *const texts[] = {"energy",   "maxcut", "graph",  path,    "offset",
                                 "10",       "beta",   "1:9",    "steps", "2000",
                                 "replicas", "1",      "target", "6",     NULL};
    for (int many = 0; many < 2; many++) {
        spn_error err = {0};
        spn_job job = spn_test_job("anneal", 1, texts);
        if (many)
            assert_ok(spn_job_set(&job, "reads", "4", &err), err);
        spn_record record = spn_test_run_job(&job, NULL);
        assert_true(spn_record_number(&record, "cut") == 6);
        assert_true(spn_record_number(&record, "best_energy") == 4);
        assert_string_equal(spn_record_text(&record, "stop"), "target");
        spn_record_clear(&record);
        spn_job_clear(&job);
    }
    const char *const negative[] = {"energy", "maxcut", "graph", path, "target", "-6", NULL};
    spn_test_refused("anneal", negative, NULL, SPN_ERROR_ARGUMENT, "target: of maxcut is a cut",
                     "give 6 in place of the energy -6");
}

/* ---- what is not given ---- */

static void check_resolved(const char *const *texts, const char *name, const char *text)
{
    spn_error err = {0};
    spn_inputs *inputs;
    void *plan;
    spn_record resolved = {0};
    spn_job job = spn_test_job("anneal", 1, texts);
    assert_ok(spn_inputs_create(&inputs, NULL, &err), err);
    assert_ok(spn_job_plan(&plan, &job, inputs, &err), err);
    assert_ok(spn_job_resolve(&resolved, &job, plan, &err), err);
    const char *found = spn_record_setting(&resolved, name);
    if (text && found)
        assert_string_equal(found, text);
    else
        assert_true(!text && !found);
    spn_record_clear(&resolved);
    spn_job_plan_free(job.task, plan);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
}

static void test_resolved(void **state)
{
    (void)state;
#define PATTERNS "energy", "bits", "random", "21,5"
    const char *const plain[] = {PATTERNS, NULL};
    check_resolved(plain, "beta", "auto");
    check_resolved(plain, "steps", "21000"); /* 1000 sweeps */
    check_resolved(plain, "sweeps", NULL);
    check_resolved(plain, "teacher", "false");
    check_resolved(plain, "trials", NULL);
    check_resolved(plain, "target-by", NULL);
    const char *const end[] = {PATTERNS, "beta-end", "3", "flip", "0.1", NULL};
    check_resolved(end, "beta", "auto");
    check_resolved(end, "beta-start", NULL); /* the energy decides */
    check_resolved(end, "beta-end", NULL);   /* it is given */
    check_resolved(end, "trials", "1000");
    const char *const sweeps[] = {PATTERNS, "sweeps", "7", "order", "random", NULL};
    check_resolved(sweeps, "steps", NULL); /* 7 * 21 * 3, but a command with both is refused */
    const char *const timed[] = {PATTERNS, "time", "60", NULL};
    check_resolved(timed, "steps", NULL);
    const char *const limited[] = {PATTERNS, "time", "60", "steps", "100", NULL};
    check_resolved(limited, "steps", NULL); /* it is given */
    const char *const pieces[] = {PATTERNS, "schedule", "pieces:1x50,2x70", NULL};
    check_resolved(pieces, "beta", NULL);
    check_resolved(pieces, "steps", "120");
    const char *const planted[] = {"code", "011,101", "ball", "0", NULL};
    check_resolved(planted, "energy", "planted");
    check_resolved(planted, "teacher", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_chain),
        cmocka_unit_test(test_flips),
        cmocka_unit_test(test_unsolved),
        scratch_test(test_stop_and_resume),
        scratch_test(test_files),
        scratch_test(test_content),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_reads),
        scratch_test(test_reads_stopped),
        scratch_test(test_cuts),
        cmocka_unit_test(test_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
