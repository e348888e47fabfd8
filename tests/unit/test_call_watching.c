/* What a watcher of a call is told, and that it can stop it. */
#include "support/calls.h"
#include "support/test.h"

#include <math.h>
#include <spinney/chain.h>
#include <spinney/energies.h>
#include <spinney/lab/call.h>
#include <spinney/lab/job.h>
#include <string.h>

/* ---- watching ---- */

typedef struct watched {
    uint64_t every, calls, fixed, stop_at;
    double last_step, best;
} watched;

static int watch(void *context, const spn_moment *m)
{
    watched *w = context;
    size_t replicas, sites, count;
    const int8_t *spins = spn_moment_spins(m, &replicas, &sites);
    const double *energies = spn_moment_energies(m, &count);
    const double step = spn_moment_number(m, "step");
    double sum = 0;
    assert_non_null(spins);
    assert_true(replicas == 3 && sites == SPN_TEST_CALL_SITES && count == 3);
    for (size_t i = 0; i < replicas * sites; i++)
        assert_true(spins[i] == 1 || spins[i] == -1);
    for (size_t a = 0; a < count; a++)
        sum += energies[a];
    assert_near(spn_moment_number(m, "energy"), sum / 3, 1e-12);
    w->calls++;
    if (spn_moment_number(m, "at") == 1) {
        assert_true(step == (double)(w->fixed++ * w->every));
        assert_near(spn_moment_number(m, "done"), step / 3000, 1e-12);
        assert_near(spn_moment_number(m, "proposals"), 3 * step, 0);
    }
    const double acceptance = spn_moment_number(m, "acceptance"),
                 overlap = spn_moment_number(m, "overlap");
    assert_true(step == 0 ? isnan(acceptance) : acceptance >= 0 && acceptance <= 1);
    assert_true(overlap >= -1 && overlap <= 1 && spn_moment_number(m, "beta") >= 0.1 - 1e-9);
    assert_true(isnan(spn_moment_number(m, "nothing")));
    w->last_step = step;
    w->best = spn_moment_number(m, "best_energy");
    return w->stop_at && w->fixed > w->stop_at;
}

/* Whoever watches, and how often, the run is the same. */
static void test_watching(void **state)
{
    (void)state;
    static const uint64_t rhythms[] = {0, 1, 7, 1000, 1024, 5000};
    spn_problem *problem = spn_test_call_problem(false);
    spn_call *alone = spn_test_call_anneal(problem);
    spn_test_call_run(alone);
    for (size_t k = 0; k < sizeof rhythms / sizeof *rhythms; k++) {
        spn_call *call = spn_test_call_anneal(problem);
        watched w = {.every = rhythms[k]};
        spn_call_watch(call, watch, &w, rhythms[k]);
        spn_test_call_run(call);
        assert_int_equal(w.fixed, rhythms[k] ? 3000 / rhythms[k] + 1 : 0);
        static const char *const same[] = {"energy", "best_energy", "active", "overlap"};
        for (size_t n = 0; n < sizeof same / sizeof *same; n++)
            assert_true(spn_call_number(call, same[n]) == spn_call_number(alone, same[n]));
        if (rhythms[k] == 1)
            assert_true(w.last_step == 3000 && w.best == spn_call_number(call, "best_energy"));
        spn_call_free(call);
    }
    spn_call_free(alone);
    spn_problem_free(problem);
}

/* A watcher ends the run at the step that it was told of, and the results are those so far. */
static void test_stopping(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    spn_call *call = spn_test_call_anneal(problem), *before = spn_test_call_anneal(problem);
    watched w = {.every = 100, .stop_at = 4};
    spn_call_watch(call, watch, &w, 100);
    spn_test_call_run(call);
    assert_false(spn_call_complete(call));
    assert_string_equal(spn_call_text(call, "stop"), "interrupted");
    assert_true(spn_call_number(call, "steps_done") == 400 && w.last_step == 400);
    assert_true(spn_call_states(call) > 0);
    spn_call_stop(before);
    spn_test_call_run(before);
    assert_false(spn_call_complete(before));
    assert_true(spn_call_number(before, "steps_done") == 0);
    spn_call_free(call), spn_call_free(before);
    spn_problem_free(problem);
}

typedef struct tempered {
    uint64_t fixed;
    double last;
} tempered;

static int watch_ladder(void *context, const spn_moment *m)
{
    tempered *t = context;
    size_t replicas, sites;
    const double step = spn_moment_number(m, "step");
    if (spn_moment_number(m, "at") == 0)
        return 0;
    assert_true(step == (double)(t->fixed++ * 300));
    assert_non_null(spn_moment_spins(m, &replicas, &sites));
    assert_true(replicas == 1 && sites == SPN_TEST_CALL_SITES);
    assert_true(spn_moment_number(m, "best_energy") <= spn_moment_number(m, "energy"));
    assert_near(spn_moment_number(m, "beta"), 3, 1e-9);
    assert_true(isnan(spn_moment_number(m, "acceptance")));
    assert_non_null(spn_moment_words(m));
    t->last = spn_moment_number(m, "best_energy");
    return 0;
}

/* The last rung of a ladder is seen after scans, of 12 steps each: after 25 of them. */
static void test_watching_ladders(void **state)
{
    (void)state;
    static const char *const texts[] = {"energy",   "ising", "beta",  "0:3", "scans", "64",
                                        "replicas", "1",     "rungs", "4",   NULL};
    spn_problem *problem = spn_test_call_problem(false);
    spn_error err = {0};
    spn_call *call = spn_test_call("temper", texts);
    tempered t = {0};
    assert_ok(spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    spn_call_watch(call, watch_ladder, &t, 310);
    spn_test_call_run(call);
    assert_true(t.fixed > 2 && t.last >= spn_call_number(call, "best_energy"));
    assert_true(spn_call_states(call) > 0 && spn_call_replicas(call) == 0);
    spn_call_free(call);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watching),
        cmocka_unit_test(test_watching_ladders),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
