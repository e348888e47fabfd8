/* Everything once: a run reads each text and opens each file once, and plans once; so does each
   point of a sweep. The linker sends the calls of the library through the counters here
   (--wrap, in tests/CMakeLists.txt). */
#include "base/source.h"
#include "support/scratch.h"
#include "support/test.h"

#include <pthread.h>
#include <spinney/lab/call.h>
#include <spinney/lab/job.h>
#include <spinney/lab/sweep.h>
#include <stdio.h>
#include <string.h>

/* ---- counters ---- */

enum { MOST = 1024 };

typedef struct counter {
    char seen[MOST][160];
    size_t count;
} counter;

static counter texts, files;
static size_t plans;
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;

static void note(counter *c, const char *what)
{
    pthread_mutex_lock(&noting);
    if (c->count < MOST)
        snprintf(c->seen[c->count++], sizeof c->seen[0], "%s", what);
    pthread_mutex_unlock(&noting);
}

spn_status __real_spn_setting_read(void *out, const spn_setting *setting, const char *text,
                                   spn_error *err);
spn_status __wrap_spn_setting_read(void *out, const spn_setting *setting, const char *text,
                                   spn_error *err);
spn_status __wrap_spn_setting_read(void *out, const spn_setting *setting, const char *text,
                                   spn_error *err)
{
    char what[160];
    snprintf(what, sizeof what, "%s=%s", setting->name, text);
    note(&texts, what);
    return __real_spn_setting_read(out, setting, text, err);
}

spn_status __real_spn_source_load(spn_source *out, const char *path, size_t most, spn_error *err);
spn_status __wrap_spn_source_load(spn_source *out, const char *path, size_t most, spn_error *err);
spn_status __wrap_spn_source_load(spn_source *out, const char *path, size_t most, spn_error *err)
{
    note(&files, path);
    return __real_spn_source_load(out, path, most, err);
}

spn_status __real_spn_job_plan(void **out, const spn_job *job, spn_inputs *inputs, spn_error *err);
spn_status __wrap_spn_job_plan(void **out, const spn_job *job, spn_inputs *inputs, spn_error *err);
spn_status __wrap_spn_job_plan(void **out, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    __atomic_fetch_add(&plans, 1, __ATOMIC_RELAXED);
    return __real_spn_job_plan(out, job, inputs, err);
}

static void start_counting(void)
{
    texts.count = files.count = plans = 0;
}

static void assert_each_once(const counter *c)
{
    assert_true(c->count > 0 && c->count < MOST);
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->seen[i], c->seen[k]) == 0)
                fail_msg("%s: twice", c->seen[i]);
}

/* ---- runs ---- */

static const char samples[] = "a,b,label\n1,2,x\n2,1,y\n0,1,x\n3,3,y\n1,0,x\n3,2,y\n";
static const char graph[] = "0 1 3\n1 2 -2\n2 3 1\n0 3 -1\n";

/* What the program and Python do: give texts, plan, run, ask for results. */
static void assert_call_once(const char *task, const char *const *given)
{
    spn_call *call;
    spn_error err = {0};
    char *json;
    start_counting();
    assert_ok(spn_call_create(&call, task, &err), err);
    for (size_t k = 0; given[k]; k += 2)
        assert_ok(spn_call_set(call, given[k], given[k + 1], &err), err);
    assert_ok(spn_call_plan(call, &err), err);
    assert_ok(spn_call_run(call, &err), err);
    assert_ok(spn_call_json(&json, call, 8, &err), err);
    assert_true(spn_call_complete(call));
    spn_text_free(json);
    spn_call_free(call);
    assert_each_once(&texts);
    assert_each_once(&files);
    assert_int_equal(plans, 1);
}

static void test_train(void **state)
{
    const char *data = spn_scratch_text(state, "samples.csv", samples);
    assert_call_once("train", (const char *[]){"data", data, "steps", "200", "replicas", "2",
                                               "flip", "0,0.1", "trials", "10", NULL});
}

static void test_reads(void **state)
{
    const char *file = spn_scratch_text(state, "graph.txt", graph);
    assert_call_once("anneal", (const char *[]){"energy", "ising", "graph", file, "steps", "100",
                                                "reads", "4", "target", "-2", NULL});
}

static void test_sweep(void **state)
{
    enum { POINTS = 4 };
    spn_scratch_text(state, "graph.txt", graph);
    const char *spec =
        spn_scratch_text(state, "sweep.yaml",
                         "name: once\ntask: anneal\nruns: 2\n"
                         "settings: {energy: ising, graph: graph.txt, steps: 100}\n"
                         "grid:\n  - {setting: gamma, values: [0, 0.5]}\n"
                         "  - {setting: replicas, values: [2, 3]}\n"
                         "figures:\n  - {x: gamma, by: replicas, value: energy, name: f}\n");
    spn_sweep *sweep;
    spn_error err = {0};
    spn_sweep_estimate estimate;
    spn_sweep_outcome outcome;
    start_counting();
    assert_ok(spn_sweep_parse(&sweep, spec, NULL, 0, &err), err);
    const spn_sweep_options options = {
        .folder = spn_scratch_path(state, "folder"), .specification = spec, .threads = 2};
    assert_ok(spn_sweep_calibrate(&estimate, sweep, &options, 0.01, &err), err);
    assert_ok(spn_sweep_run(&outcome, sweep, &options, &err), err);
    assert_true(outcome.complete);
    size_t opened = 0;
    for (size_t k = 0; k < files.count; k++)
        opened += strstr(files.seen[k], "graph.txt") != NULL;
    assert_int_equal(opened, 1);
    assert_int_equal(plans, POINTS);
    spn_sweep_estimate_clear(&estimate);
    spn_sweep_free(sweep);
    static const char *const left[] = {"sweep.json", "manifest.jsonl", "lock"};
    for (size_t k = 0; k < sizeof left / sizeof *left; k++) { /* the teardown removes them */
        char name[64];
        snprintf(name, sizeof name, "folder/%s", left[k]);
        spn_scratch_path(state, name);
    }
}

/* The counters notice a second plan, and a text that is read again. */
static void test_counters(void **state)
{
    (void)state;
    spn_call *call;
    spn_error err = {0};
    start_counting();
    assert_ok(spn_call_create(&call, "exact", &err), err);
    assert_ok(spn_call_set(call, "energy", "bits", &err), err);
    assert_ok(spn_call_set(call, "random", "4,1,1", &err), err);
    assert_ok(spn_call_plan(call, &err), err);
    assert_ok(spn_call_set(call, "random", "4,1,1", &err), err);
    assert_ok(spn_call_plan(call, &err), err);
    size_t read = 0;
    for (size_t k = 0; k < texts.count; k++)
        read += strcmp(texts.seen[k], "random=4,1,1") == 0;
    assert_int_equal(read, 2);
    assert_int_equal(plans, 2);
    spn_call_free(call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_train), scratch_test(test_reads),
                                       scratch_test(test_sweep), cmocka_unit_test(test_counters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
