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

static int watch(void *context, const spn_progress *now)
{
    watched *w = context;
    const spn_snapshot *s = now->state;
    assert_non_null(s);
    assert_true(s->replicas == 3 && s->sites == SPN_TEST_CALL_SITES && !now->words);
    for (size_t i = 0; i < s->replicas * s->sites; i++)
        assert_true(s->spins[i] == 1 || s->spins[i] == -1);
    w->calls++;
    if (now->due) {
        assert_true(s->step == w->fixed++ * w->every);
        assert_near(now->share, (double)s->step / 3000, 1e-12);
    }
    assert_int_equal(now->proposals, 3 * s->step);
    assert_int_equal(s->proposals[0] + s->proposals[1] + s->proposals[2], now->proposals);
    double best = s->best_energy[0];
    for (size_t a = 0; a < 3; a++) {
        assert_true(s->accepted[a] <= s->proposals[a] && s->best_energy[a] <= s->energy[a]);
        best = fmin(best, s->best_energy[a]);
    }
    assert_true(best == now->best_energy && s->beta >= 0.1 - 1e-9);
    w->last_step = (double)s->step;
    w->best = now->best_energy;
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
    assert_true(spn_test_call_states(call).count > 0);
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

static int watch_ladder(void *context, const spn_progress *now)
{
    tempered *t = context;
    const spn_snapshot *s = now->state;
    if (!now->due)
        return 0;
    assert_non_null(s);
    assert_true(s->step == t->fixed++ * 300);
    assert_true(s->replicas == 1 && s->sites == SPN_TEST_CALL_SITES);
    assert_true(now->best_energy <= s->energy[0]);
    assert_near(s->beta, 3, 1e-9);
    assert_non_null(now->words);
    t->last = now->best_energy;
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
    assert_true(spn_test_call_states(call).count > 0 && spn_test_call_states(call).replicas == 0);
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
