/* Calls that would take minutes, or hours, end when their watcher says so, wherever they are: it is
   told some ten times a second in all that a task does. No clock is compared with: a call that does
   not listen never ends. And two calls at once, in two threads, are what each is alone. */
#include "support/calls.h"
#include "support/test.h"

#include <math.h>
#include <pthread.h>
#include <spinney/energies.h>
#include <spinney/lab/call.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SITES = 12, MOST_TEXTS = 24 };

/* ---- stops ---- */

typedef struct patience {
    int ticks, most;
    double done; /* the share, as it was told last */
} patience;

static int lose(void *context, const spn_progress *now)
{
    patience *p = context;
    const double done = now->share;
    assert_false(now->due);
    assert_true(done >= p->done && done <= 1);
    p->done = done;
    return ++p->ticks >= p->most;
}

/* Run it until the second tick. */
static void stop_call(spn_call *call)
{
    patience p = {.most = 2};
    spn_error err = {0};
    spn_call_watch(call, lose, &p, 0);
    assert_ok(spn_call_run(call, &err), err);
    assert_false(spn_call_complete(call));
    assert_int_equal(p.ticks, p.most);
}

#define THREADS "threads", "2"

static const struct {
    const char *task;
    const char *texts[MOST_TEXTS];
} endless[] = {
    {"anneal", {"energy", "bits", "random", "101,0.5,1", "steps", "1e15", "beta", "0.1:9"}},
    {"anneal", {"energy", "bits", "random", "101,0.5,1", "sweeps", "1e12", "reads", "4"}},
    {"anneal", {"energy", "bits", "random", "101,0.5,1", "steps", "1e15", "coupling", "centre"}},
    {"anneal",
     {"energy", "bits", "random", "101,0.1,1", "steps", "2000", "flip", "0.1", "trials", "4e6"}},
    {"anneal",
     {"energy", "bits", "random", "21,0.1,1", "steps", "2000", "profile-walks", "4e6",
      "profile-points", "2"}},
    {"temper", {"energy", "bits", "random", "101,0.5,1", "scans", "1e12"}},
    {"entropy", {"energy", "bits", "random", "101,0.3,1", "all", "true", "scans", "1e9"}},
    {"train", {"data", "digits", "sweeps", "1e9"}},
    {"train", {"data", "digits", "hidden", "32", "sweeps", "1e9"}},
    {"train", {"data", "digits", "subset", "50", "sweeps", "1", "flip", "0.1", "trials", "4e6"}},
    /* on two threads: on all of a large machine they might be done before the second tick */
    {"exact", {"energy", "bits", "random", "22,11,1", "replicas", "1", "beta", "2", THREADS}},
    {"exact",
     {"energy", "bits", "random", "7,3,1", "replicas", "3", "beta", "2", "gamma", "1", THREADS}},
    {"exact",
     {"energy", "bits", "random", "7,4,1", "replicas", "1", "beta", "4", "joint", "swapping",
      THREADS}},
};

static void test_endless(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof endless / sizeof *endless; k++) {
        spn_call *call = spn_test_call(endless[k].task, endless[k].texts);
        stop_call(call);
        spn_call_free(call);
    }
}

/* Reads that are made many at once. */
static void test_endless_lanes(void **state)
{
    (void)state;
    static const char *const texts[] = {"energy", "ising", "sweeps", "1e12", "reads", "500", NULL};
    spn_problem *problem = spn_test_call_problem(false);
    spn_error err = {0};
    spn_call *call = spn_test_call("anneal", texts);
    assert_ok(spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    stop_call(call);
    assert_true(spn_test_call_states(call).count > 0);
    spn_call_free(call);
    spn_problem_free(problem);
}

static void test_endless_eval(void **state)
{
    (void)state;
    static const char *const training[] = {"data", "digits", "subset", "50", "sweeps", "1", NULL};
    static const char *const texts[] = {"data", "digits", "flip", "0.1", "trials", "4e6", NULL};
    spn_error err = {0};
    spn_call *train = spn_test_call("train", training), *eval = spn_test_call("eval", texts);
    assert_ok(spn_call_run(train, &err), err);
    assert_ok(spn_call_give(eval, "model", SPN_OBJECT_MODEL, spn_call_model(train), &err), err);
    stop_call(eval);
    assert_true(spn_call_number(eval, "accuracy") > 0);
    spn_call_free(eval), spn_call_free(train);
}

/* An energy that takes its time: a step of three replicas takes 15 ms, so that it is not the steps
   that tell when to look, neither in the chain nor where the range of beta is measured. */
static double slow_value(const void *problem, const int8_t *spins)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    double sum = 0;
    (void)problem;
    nanosleep(&pause, NULL);
    for (size_t i = 0; i < SITES; i++)
        sum += spins[i] * (i % 2 ? 1 : -1);
    return sum;
}

static void test_slow_energy(void **state)
{
    (void)state;
    static const char *const betas[] = {"0.1:3", "auto"};
    spn_error err = {0};
    for (size_t k = 0; k < 2; k++) {
        const char *const texts[] = {"beta", betas[k], "steps", "100000", NULL};
        spn_energy_ops ops = spn_energy_ops_defaults();
        spn_energy *energy;
        ops.name = "slow";
        ops.energy = slow_value;
        assert_ok(spn_energy_define(&energy, &ops, NULL, SITES, 0, true, &err), err);
        spn_call *call = spn_test_call("anneal", texts);
        assert_ok(spn_call_give(call, "energy", SPN_OBJECT_ENERGY, energy, &err), err);
        stop_call(call);
        assert_true(spn_call_number(call, "steps_done") < 1000);
        spn_call_free(call);
        spn_energy_free(energy);
    }
}

/* What was finished before the stop is there, and what was not is not. */
static void test_exact_parts(void **state)
{
    (void)state;
    static const char *const texts[] = {"energy", "bits", "random", "7,3,1", "replicas",
                                        "3",      "beta", "2",      THREADS, NULL};
    spn_call *call = spn_test_call("exact", texts);
    stop_call(call);
    if (!isnan(spn_call_number(call, "N")))
        assert_true(spn_call_number(call, "N") == 7 && spn_call_number(call, "minima_count") > 0);
    assert_true(isnan(spn_call_number(call, "gap_heat_bath")));
    assert_true(isnan(spn_call_number(call, "log_kappa1")));
    spn_call_free(call);
}

/* ---- two threads ---- */

typedef struct twin {
    const spn_problem *problem;
    const char *seed;
    double energy, active;
    uint64_t told;
    bool failed;
} twin;

static int count(void *context, const spn_progress *now)
{
    twin *t = context;
    t->told += now->due;
    return 0;
}

/* cmocka's asserts are for the thread of the test alone. */
static void *run_twin(void *context)
{
    twin *t = context;
    spn_call *call = NULL;
    const struct {
        const char *name, *text;
    } texts[] = {{"energy", "ising"}, {"steps", "40000"}, {"seed", t->seed}, {"threads", "2"}};
    t->failed = spn_call_create(&call, "anneal", NULL);
    for (size_t k = 0; !t->failed && k < sizeof texts / sizeof *texts; k++)
        t->failed = spn_call_set(call, texts[k].name, texts[k].text, NULL);
    t->failed = t->failed || spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, t->problem, NULL);
    if (!t->failed) {
        spn_call_watch(call, count, t, 1000);
        t->failed = spn_call_run(call, NULL);
        t->energy = spn_call_number(call, "energy");
        t->active = spn_call_number(call, "active");
    }
    spn_call_free(call);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    twin alone[2] = {{.problem = problem, .seed = "1"}, {.problem = problem, .seed = "2"}};
    twin both[2] = {alone[0], alone[1]};
    pthread_t threads[2];
    for (size_t k = 0; k < 2; k++)
        run_twin(&alone[k]);
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, run_twin, &both[k]), 0);
    for (size_t k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    for (size_t k = 0; k < 2; k++) {
        assert_false(alone[k].failed || both[k].failed);
        assert_true(both[k].told == 41 && alone[k].told == 41);
        assert_true(alone[k].energy == both[k].energy && alone[k].active == both[k].active);
    }
    spn_problem_free(problem);
}

/* A stop from another thread. */
static void *stop_later(void *context)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    nanosleep(&pause, NULL);
    spn_call_stop(context);
    return NULL;
}

static void test_stop_from_outside(void **state)
{
    (void)state;
    static const char *const texts[] = {"energy", "bits", "random", "101,0.5,1",
                                        "steps",  "1e15", NULL};
    spn_call *call = spn_test_call("anneal", texts);
    spn_error err = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, call), 0);
    assert_ok(spn_call_run(call, &err), err);
    pthread_join(thread, NULL);
    assert_false(spn_call_complete(call));
    assert_string_equal(spn_call_text(call, "stop"), "interrupted");
    spn_call_free(call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_stop_from_outside),
        cmocka_unit_test(test_endless),      cmocka_unit_test(test_endless_lanes),
        cmocka_unit_test(test_endless_eval), cmocka_unit_test(test_slow_energy),
        cmocka_unit_test(test_exact_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
