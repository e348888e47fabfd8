/* Options of calls, and what is refused of them and of their settings. */
#include "support/calls.h"
#include "support/scratch.h"
#include "support/test.h"

#include <math.h>
#include <spinney/chain.h>
#include <spinney/energies.h>
#include <spinney/lab/call.h>
#include <spinney/lab/job.h>
#include <stdio.h>
#include <unistd.h>

/* ---- options ---- */

static void option(spn_call *call, const char *name, const char *text)
{
    spn_error err = {0};
    assert_ok(spn_call_option(call, name, text, &err), err);
}

static size_t count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t lines = 0;
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static int stop_at_once(void *context, const spn_progress *now)
{
    (void)now;
    return ++*(int *)context > 3;
}

/* A call that was stopped goes on from its checkpoint, and comes to the same end. */
static void test_options(void **state)
{
    const char *checkpoint = spn_scratch_path(state, "run.checkpoint");
    const char *trace = spn_scratch_path(state, "trace.csv");
    const char *out = spn_scratch_path(state, "states.csv");
    spn_problem *problem = spn_test_call_problem(false);
    spn_call *whole = spn_test_call_anneal(problem), *first = spn_test_call_anneal(problem),
             *second = spn_test_call_anneal(problem);
    int calls = 0;
    option(whole, "trace", trace), option(whole, "trace-every", "100");
    option(whole, "out", spn_scratch_path(state, "wrong.csv")), option(whole, "out", out);
    option(first, "checkpoint", checkpoint), option(second, "checkpoint", checkpoint);
    spn_call_watch(first, stop_at_once, &calls, 100);
    spn_test_call_run(whole), spn_test_call_run(first);
    assert_false(spn_call_complete(first));
    assert_int_equal(access(checkpoint, F_OK), 0);
    spn_test_call_run(second);
    assert_true(spn_call_complete(second));
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    assert_true(spn_call_number(second, "active") == spn_call_number(whole, "active"));
    assert_memory_equal(spn_test_call_states(second).end_spins,
                        spn_test_call_states(whole).end_spins, 3 * SPN_TEST_CALL_SITES);
    assert_int_equal(count_lines(trace), 32);
    assert_int_equal(count_lines(out), spn_test_call_states(whole).count + 1);
    assert_int_not_equal(access(spn_scratch_path(state, "wrong.csv"), F_OK), 0);
    assert_string_equal(spn_call_text(whole, "reads"), "1");
    spn_call_free(whole), spn_call_free(first), spn_call_free(second);
    spn_problem_free(problem);
}

/* ---- what is refused ---- */

#define assert_refused(status, expected)                                                           \
    do {                                                                                           \
        assert_int_equal(status, SPN_ERROR_ARGUMENT);                                              \
        assert_string_equal(err.text, expected);                                                   \
    } while (0)

static void test_refused(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    spn_error err = {0};
    spn_call *call;
    assert_refused(spn_call_create(&call, "annael", &err),
                   "unknown task 'annael'; did you mean anneal?");
    assert_null(call);
    call = spn_test_call("anneal", spn_test_call_short);
    assert_refused(spn_call_set(call, "replica", "3", &err),
                   "unknown setting 'replica' of anneal; did you mean replicas?");
    assert_refused(
        spn_call_give(call, "replicas", SPN_OBJECT_PROBLEM, problem, &err),
        "replicas: is given by a text; only what may be a file can be given as an object");
    assert_refused(spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, NULL, &err),
                   "graph: the object is NULL");
    assert_refused(spn_call_plan(call, &err), "energy: ising needs `graph`, a file");
    assert_true(isnan(spn_call_number(call, "energy")));
    assert_int_equal(spn_test_call_states(call).count, 0);
    assert_null(spn_call_curve(call, 0));
    assert_false(spn_call_complete(call));
    assert_ok(spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    assert_refused(spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err),
                   "graph: an object was given already");
    assert_ok(spn_call_plan(call, &err), err);
    spn_test_call_set(call, "energy", "maxcut"); /* the plan is made anew */
    assert_refused(spn_call_run(call, &err),
                   "graph: 'graph' is a problem of couplings, not of cut");
    spn_test_call_set(call, "energy", "ising");
    spn_test_call_run(call);
    assert_refused(spn_call_run(call, &err), "the call was run; make another one of anneal");
    assert_refused(spn_call_set(call, "seed", "6", &err),
                   "the call was run; make another one of anneal");
    spn_call_free(call);
    spn_call_free(NULL);
    spn_text_free(NULL);
    spn_problem_free(problem);
}

static void refuse_options(const spn_problem *problem, const char *const *options,
                           const char *expected)
{
    spn_call *call = spn_test_call_anneal(problem);
    spn_error err = {0};
    for (; options[2]; options += 2)
        spn_test_call_set(call, options[0], options[1]);
    option(call, options[0], options[1]);
    assert_refused(spn_call_run(call, &err), expected);
    spn_call_free(call);
}

static void test_refused_options(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    spn_error err = {0};
    spn_call *call = spn_test_call_anneal(problem),
             *exact = spn_test_call("exact", spn_test_call_short + 8);
    assert_refused(spn_call_option(call, "outt", "x", &err),
                   "unknown setting 'outt' of anneal; did you mean out?");
    assert_refused(spn_call_option(exact, "out", "x", &err), "unknown setting 'out' of exact");
    assert_refused(spn_call_option(call, "every", "many", &err),
                   "every: 'many' is not a whole number of 1 or more");
    option(call, "out", "same"), option(call, "trace", "same");
    assert_refused(spn_call_plan(call, &err),
                   "trace: names the same file as `out`; give two files");
    option(call, "trace", "other"), option(call, "out", "@graph");
    assert_refused(spn_call_plan(call, &err), "out: would replace @graph, the file of `graph`");
    spn_call_free(call), spn_call_free(exact);
    refuse_options(problem, (const char *[]){"every", "100", NULL}, "every: needs `checkpoint`");
    refuse_options(problem, (const char *[]){"trace-every", "100", NULL},
                   "trace-every: needs `trace`");
    refuse_options(problem, (const char *[]){"checkpoint", "-", NULL},
                   "checkpoint: is read when the run continues; give a file name");
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_options),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
