/* The task `anneal` on a problem with constraints: its records beside the library's solver, short
   runs, problems given as objects, answers that are equal, and checksums. */
#include "job/answers.h"
#include "job/call.h"
#include "support/jobs.h"
#include "support/scratch.h"
#include "task/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 12 };

/* A knapsack with a set of which at most two are taken. */
static spn_program *knapsack(double room)
{
    spn_program *p;
    spn_error err = {0};
    spn_terms value = spn_terms_defaults(), weight = spn_terms_defaults();
    uint32_t list[ITEMS];
    double values[ITEMS], weights[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        list[i] = i;
        values[i] = 3 + (i * i) % 7;
        weights[i] = 2 + (5 * i) % 9;
    }
    value.count = weight.count = ITEMS;
    value.variables = weight.variables = list;
    value.coefficients = values;
    weight.coefficients = weights;
    assert_ok(spn_program_create(&p, &err), err);
    assert_ok(spn_program_add_variables(p, NULL, ITEMS, NULL, SPN_VARIABLE_BINARY, 0, 1, &err),
              err);
    assert_ok(spn_program_add_objective(p, &value, 0, &err), err);
    assert_ok(
        spn_program_add_constraint(p, "room", &weight, SPN_SENSE_AT_MOST, room, INFINITY, &err),
        err);
    weight.count = 4;
    weight.coefficients = NULL;
    assert_ok(spn_program_add_constraint(p, "few", &weight, SPN_SENSE_AT_MOST, 2, INFINITY, &err),
              err);
    spn_program_set_maximise(p, true);
    return p;
}

static void test_same_as_solver(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = knapsack(30);
    const spn_object given = {"problem", p, SPN_OBJECT_PROGRAM};
    spn_call *call;
    assert_ok(spn_call_prepare(&call, "anneal",
                               "reads\0007\0sweeps\00050\0rounds\0003\0seed\0009\0", &given, 1,
                               &err),
              err);
    assert_ok(spn_call_run(call, &err), err);
    spn_solver_options o = spn_solver_defaults();
    o.reads = 7;
    o.sweeps = 50;
    o.rounds = 3;
    o.seed = 9;
    spn_sampler *solver;
    spn_stop stop;
    spn_solver_result r;
    assert_ok(spn_solver_create(&solver, p, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, solver, NULL, &err), err);
    spn_solver_look(&r, solver);
    int32_t values[ITEMS];
    double best = -INFINITY;
    const spn_result_curve *reads = spn_record_curve(&call->record, "reads");
    for (size_t k = 0; k < 7; k++) {
        spn_solution solution;
        assert_ok(spn_solver_solution(&solution, solver, k, values, &err), err);
        assert_true(reads->values[0][k] == solution.score.objective);
        assert_true(reads->values[2][k] == (double)solution.found);
        if (solution.score.feasible)
            best = fmax(best, solution.score.objective);
    }
    assert_true(spn_call_number(call, "objective") == best);
    assert_true(spn_call_number(call, "feasible") == 1);
    assert_true(spn_call_number(call, "found_reads") == (double)r.found);
    assert_true(spn_call_number(call, "rounds_found") == (double)r.rounds_found);
    assert_true(spn_call_number(call, "proposals") == (double)r.proposals);
    assert_string_equal(spn_call_text(call, "stop"), "steps");
    spn_sampler_free(solver);
    spn_call_free(call);
    spn_program_free(p);
}

/* Each state once, best first, with the reads that found it and its distance from the best. */
static void test_answers(void **state)
{
    (void)state;
    enum { READS = 60 };
    spn_error err = {0};
    spn_program *p = knapsack(14);
    spn_solver_options o = spn_solver_defaults();
    o.reads = READS;
    o.sweeps = 1;
    o.penalty = 0.5; /* too little, so that some are not feasible */
    spn_sampler *solver;
    spn_stop stop;
    spn_answers *answers;
    assert_ok(spn_solver_create(&solver, p, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, solver, NULL, &err), err);
    assert_ok(spn_answers_collect(&answers, p, solver, READS, &err), err);
    uint64_t total = 0;
    for (size_t k = 0; k < answers->count; k++) {
        const spn_answer *a = &answers->answer[k];
        const int32_t *own = spn_answer_values(answers, k);
        uint64_t found = 0, differ = 0;
        spn_score score;
        assert_ok(spn_program_score(&score, NULL, p, own, &err), err);
        assert_true(score.objective == a->score.objective && score.feasible == a->score.feasible);
        for (size_t r = 0; r < READS; r++) {
            int32_t values[ITEMS];
            spn_solution solution;
            assert_ok(spn_solver_solution(&solution, solver, r, values, &err), err);
            if (memcmp(values, own, sizeof values) != 0)
                continue;
            if (found++ == 0)
                assert_int_equal(a->first, r);
        }
        for (size_t i = 0; i < ITEMS; i++)
            differ += own[i] != answers->values[i];
        assert_int_equal(a->count, found);
        assert_int_equal(a->distance, differ);
        total += found;
        if (k == 0)
            continue;
        const spn_score *before = &a[-1].score;
        assert_true(before->violation < score.violation ||
                    (before->violation <= score.violation &&
                     (before->objective > score.objective ||
                      (before->objective >= score.objective && a[-1].count >= a->count))));
    }
    assert_int_equal(total, READS);
    assert_true(answers->count > 3);
    spn_answers_free(answers);
    spn_sampler_free(solver);
    spn_program_free(p);
}

static const char text[] =
    "max\n o: 2 a + 3 b + c\nst\n r: 2 a + 3 b + 2 c <= 4\nbin\n a b c\nend\n";

/* A short run to measure speed makes about as many steps as it is told. */
static void test_short_run(void **state)
{
    const char *const texts[] = {"problem", spn_scratch_text(state, "p.lp", text), "time", "1000",
                                 NULL};
    spn_job job = spn_test_job("anneal", 1, texts);
    const spn_run how = {.steps = 6000};
    spn_record record = spn_test_run_job(&job, &how);
    assert_true(spn_record_number(&record, "steps_done") >= 6000);
    assert_true(spn_record_number(&record, "steps_done") <= 6003);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

static void test_stop_and_resume(void **state)
{
    const char *const texts[] = {"problem", spn_scratch_text(state, "p.lp", text),
                                 "sweeps",  "20000",
                                 "rounds",  "4",
                                 "reads",   "3",
                                 NULL};
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_test_stops(state, &job);
    spn_job_clear(&job);
}

static void test_checksum(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *one = knapsack(14), *same = knapsack(14), *other = knapsack(15);
    const uint64_t sum = spn_program_checksum(one);
    assert_true(sum == spn_program_checksum(same));
    assert_true(sum != spn_program_checksum(other));
    assert_ok(spn_program_fix(same, 3, 1, &err), err);
    assert_true(sum != spn_program_checksum(same));
    spn_program_set_maximise(one, false);
    assert_true(sum != spn_program_checksum(one));
    spn_program_free(one);
    spn_program_free(same);
    spn_program_free(other);
}

/* The figures of answers are those of the library, in either order. */
static void test_robustness(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = knapsack(30);
    const spn_object given = {"problem", p, SPN_OBJECT_PROGRAM};
    const char *const texts[2] = {
        "reads\00060\0beta\0001000\0seed\0009\0rank-changes\0002\0rank-noise\0000.1\0",
        "reads\00060\0beta\0001000\0seed\0009\0rank-changes\0002\0rank-noise\0000.1\0"
        "rank\000robust\0"};
    spn_shake shake = spn_shake_defaults();
    shake.changes = 2;
    shake.noise = 0.1;
    shake.seed = 9;
    for (size_t ranked = 0; ranked < 2; ranked++) {
        spn_call *call;
        assert_ok(spn_call_prepare(&call, "anneal", texts[ranked], &given, 1, &err), err);
        assert_ok(spn_call_run(call, &err), err);
        const spn_answers *answers = call->answers;
        assert_true(answers->is_shaken && answers->count > 3);
        for (size_t k = 0; k < answers->count; k++) {
            const spn_answer *a = &answers->answer[k], *next = a + 1;
            spn_robust own;
            assert_ok(spn_program_robust(&own, p, 1, spn_answer_values(answers, k), &shake, &err),
                      err);
            assert_memory_equal(&own, &a->robust, sizeof own);
            if (k + 1 == answers->count || !next->score.feasible)
                continue;
            assert_true(a->score.feasible);
            assert_true(ranked ? a->robust.feasible >= next->robust.feasible
                               : a->score.objective >= next->score.objective);
        }
        spn_call_free(call);
    }
    spn_program_free(p);
}

/* The share of halves without a met round, beside all halves; its mean over all runs of four rounds
   is the chance that the last two are better than the first two. */
static void test_share_missed(void **state)
{
    (void)state;
    enum { ROUNDS = 6, FOUR = 4, VALUES = 3 };
    for (unsigned met = 0; met <= ROUNDS; met++) {
        unsigned halves = 0, missed = 0;
        for (unsigned half = 0; half < 1U << ROUNDS; half++) {
            if (__builtin_popcount(half) != ROUNDS / 2)
                continue;
            halves++;
            missed += (half & ((1U << met) - 1)) == 0;
        }
        assert_near(spn_share_missed(ROUNDS, met), (double)missed / halves, 1e-15);
    }
    static const double chance[VALUES] = {0.1, 0.3, 0.6}; /* of the best, the next, the worst */
    double mean = 0, better = 0;
    for (unsigned run = 0; run < 81; run++) {
        unsigned value[FOUR], best = VALUES, met = 0;
        double weight = 1;
        for (unsigned k = 0, left = run; k < FOUR; k++, left /= VALUES) {
            value[k] = left % VALUES;
            weight *= chance[value[k]];
            best = value[k] < best ? value[k] : best;
        }
        for (unsigned k = 0; k < FOUR; k++)
            met += value[k] == best;
        mean += weight * spn_share_missed(FOUR, met);
        better += value[0] > best && value[1] > best ? weight : 0;
    }
    assert_near(mean, better, 1e-15);
}

static spn_verdict verdict(size_t trials, size_t met, size_t feasible)
{
    const spn_solver_result r = {
        .reads = 4, .trials = trials, .met = met, .feasible = feasible, .impossible = SIZE_MAX};
    return spn_verdict_of(&r, SPN_HEALTH_GOOD, SPN_STOP_STEPS, false);
}

static void test_verdicts(void **state)
{
    (void)state;
    assert_string_equal(verdict(40, 0, 0).health, "no feasible state");
    assert_true(isnan(verdict(40, 0, 0).chance));
    assert_string_equal(verdict(40, 1, 4).health, "found once");
    assert_near(verdict(40, 1, 4).chance, 0.5, 1e-15);
    assert_string_equal(verdict(40, 0, 4).health, "found once"); /* by a shorter round */
    assert_string_equal(verdict(40, 3, 4).health, "reads disagree");
    assert_string_equal(verdict(40, 3, 4).word, "keep going");
    assert_string_equal(verdict(2, 2, 2).health, "too short to tell");
    assert_string_equal(verdict(1, 1, 1).health, "too short to tell");
    assert_string_equal(verdict(40, 20, 4).health, "good");
    assert_string_equal(verdict(40, 20, 4).word, "met again and again");
    for (size_t met = 1; met <= 40; met++) {
        const spn_verdict v = verdict(40, met, 4);
        assert_true(v.low <= v.chance && v.chance <= v.high && v.high <= 1);
    }
    const spn_solver_result r = {
        .reads = 4, .trials = 4, .met = 1, .feasible = 1, .impossible = SIZE_MAX};
    assert_string_equal(spn_verdict_of(&r, SPN_HEALTH_SHORT, SPN_STOP_STEPS, true).word,
                        "proved best");
    assert_string_equal(spn_verdict_of(&r, SPN_HEALTH_GOOD, SPN_STOP_TARGET, false).word,
                        "target met");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_solver), cmocka_unit_test(test_answers),
        scratch_test(test_short_run),          scratch_test(test_stop_and_resume),
        cmocka_unit_test(test_checksum),       cmocka_unit_test(test_robustness),
        cmocka_unit_test(test_share_missed),   cmocka_unit_test(test_verdicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
