/* Objects of the caller's in place of files: the same results to the last bit, and what is
   refused. */
#include "base/number.h"
#include "support/jobs.h"
#include "support/scratch.h"

#include <spinney/energies.h>
#include <string.h>

static const spn_edge edges[] = {{0, 1, -1.5}, {1, 2, 0.25}, {0, 2, 1}, {2, 3, -0.75}, {1, 1, 0.5}};
static const char edges_text[] = "0 1 -1.5\n1 2 0.25\n0 2 1\n2 3 -0.75\n1 1 0.5\n";

static spn_problem *couplings(void)
{
    spn_problem *out;
    spn_error err = {0};
    assert_ok(spn_problem_couplings_create(&out, 4, sizeof edges / sizeof *edges, edges, &err),
              err);
    return out;
}

static spn_inputs *some_inputs(void)
{
    spn_inputs *inputs;
    spn_error err = {0};
    assert_ok(spn_inputs_create(&inputs, NULL, &err), err);
    return inputs;
}

static void assert_same_results(const char *task, const char *const *first,
                                const char *const *second, spn_inputs *inputs)
{
    spn_job a = spn_test_job(task, 1, first), b = spn_test_job(task, 1, second);
    b.seed = a.seed; /* which depends on the names of files */
    memcpy(b.seed_text, a.seed_text, sizeof b.seed_text);
    const spn_run how = {.inputs = inputs};
    spn_record one = spn_test_run_job(&a, &how), two = spn_test_run_job(&b, &how);
    assert_true(one.result_count == two.result_count && one.result_count > 5);
    for (size_t k = 0; k < one.result_count; k++) {
        assert_string_equal(one.results[k].name, two.results[k].name);
        const double x = one.results[k].value, y = two.results[k].value;
        if (memcmp(&x, &y, sizeof x) != 0)
            fail_msg("%s: %.17g and %.17g", one.results[k].name, x, y);
    }
    spn_record_clear(&one), spn_record_clear(&two);
    spn_job_clear(&a), spn_job_clear(&b);
}

static void test_problems(void **state)
{
    const char *file = spn_scratch_text(state, "graph.txt", edges_text);
    const char *starts = spn_scratch_text(state, "states.txt", "+-+-\n--++\n");
    static const int8_t rows[] = {1, -1, 1, -1, -1, -1, 1, 1};
    spn_problem *problem = couplings(), *states;
    spn_error err = {0};
    assert_ok(spn_problem_states_create(&states, 4, 2, rows, &err), err);
    spn_inputs *inputs = some_inputs();
    assert_ok(spn_inputs_give(inputs, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    assert_ok(spn_inputs_give(inputs, "start", SPN_OBJECT_PROBLEM, states, &err), err);
    const char *const by_file[] = {"energy", "ising", "graph", file,     "steps",     "200", "init",
                                   starts,   "beta",  "0.1:3", "kernel", "one-stage", NULL};
    const char *const by_object[] = {"energy", "ising",     "graph",  "@graph", "steps",
                                     "200",    "init",      "@start", "beta",   "0.1:3",
                                     "kernel", "one-stage", NULL};
    assert_same_results("anneal", by_file, by_object, inputs);
    spn_inputs_free(inputs);
    spn_problem_free(problem);
    spn_problem_free(states);
}

static void test_energies(void **state)
{
    (void)state;
    spn_problem *problem = couplings();
    spn_energy *energy;
    spn_error err = {0};
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_inputs *inputs = some_inputs();
    assert_ok(spn_inputs_give(inputs, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    assert_ok(spn_inputs_give(inputs, "mine", SPN_OBJECT_ENERGY, energy, &err), err);
    static const char *const built_in[] = {"energy", "ising", "graph", "@graph", "steps",
                                           "300",    "beta",  "0.1:3", NULL};
    static const char *const given[] = {"energy", "@mine", "steps", "300", "beta", "0.1:3", NULL};
    assert_same_results("anneal", built_in, given, inputs);
    spn_inputs_free(inputs);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void test_data(void **state)
{
    enum { SAMPLES = 40, FEATURES = 3 };
    double values[SAMPLES * FEATURES];
    uint32_t labels[SAMPLES];
    char text[SAMPLES * 40] = "";
    static const char *const names[] = {"no", "yes"};
    for (size_t n = 0; n < SAMPLES; n++) {
        labels[n] = (uint32_t)(n * 7 % 5 > 2);
        for (size_t i = 0; i < FEATURES; i++)
            values[n * FEATURES + i] = (double)((n * 13 + i * 5) % 11) / 4 + 2.0 * labels[n];
        spn_print_text(text + strlen(text), sizeof text - strlen(text), "%.17g,%.17g,%.17g,%s\n",
                       values[n * FEATURES], values[n * FEATURES + 1], values[n * FEATURES + 2],
                       names[labels[n]]);
    }
    const char *file = spn_scratch_text(state, "data.csv", text);
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = SAMPLES;
    arrays.features = FEATURES;
    arrays.values = values;
    arrays.labels = labels;
    arrays.classes = 2;
    arrays.class_names = names;
    spn_dataset *data;
    spn_error err = {0};
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    spn_inputs *inputs = some_inputs();
    assert_ok(spn_inputs_give(inputs, "table", SPN_OBJECT_DATASET, data, &err), err);
    const char *const by_file[] = {"data", file, "sweeps", "2", "test-fraction", "0.25", NULL};
    static const char *const by_object[] = {"data",          "@table", "sweeps", "2",
                                            "test-fraction", "0.25",   NULL};
    assert_same_results("train", by_file, by_object, inputs);
    /* a test set whose classes are called otherwise */
    static const char *const others[] = {"yes", "no"};
    static const char *const mixed[] = {"data", "@table", "test", "@test", "sweeps", "2", NULL};
    spn_dataset *test;
    void *plan;
    arrays.class_names = others;
    assert_ok(spn_dataset_create(&test, &arrays, &err), err);
    assert_ok(spn_inputs_give(inputs, "test", SPN_OBJECT_DATASET, test, &err), err);
    spn_job job = spn_test_job("train", 1, mixed);
    assert_error(spn_job_plan(&plan, &job, inputs, &err), &err, SPN_ERROR_ARGUMENT,
                 "test: its class 0 is 'yes', and 'no' is needed", "");
    spn_job_clear(&job);
    spn_dataset_free(test);
    spn_inputs_free(inputs);
    spn_dataset_free(data);
}

/* Data without labels, and of one class, cannot be trained on. */
static void test_data_without_classes(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3.5};
    static const uint32_t labels[] = {0, 0, 0};
    static const char *const texts[] = {"data", "@table", "sweeps", "2", NULL};
    for (int labelled = 0; labelled < 2; labelled++) {
        spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
        arrays.samples = 3;
        arrays.features = 1;
        arrays.values = values;
        arrays.labels = labelled ? labels : NULL;
        arrays.classes = labelled ? 1 : 0;
        spn_dataset *data;
        spn_error err = {0};
        void *plan;
        assert_ok(spn_dataset_create(&data, &arrays, &err), err);
        spn_inputs *inputs = some_inputs();
        assert_ok(spn_inputs_give(inputs, "table", SPN_OBJECT_DATASET, data, &err), err);
        spn_job job = spn_test_job("train", 1, texts);
        assert_error(spn_job_plan(&plan, &job, inputs, &err), &err, SPN_ERROR_ARGUMENT,
                     labelled ? "data: has labels of one class only" : "data: has no labels", "");
        spn_job_clear(&job);
        spn_inputs_free(inputs);
        spn_dataset_free(data);
    }
}

/* Without objects "@x" is the name of a file. */
static void test_files_stay_files(void **state)
{
    static const char *const texts[] = {"energy", "ising", "graph", "@nothing", "steps", "5", NULL};
    (void)state;
    spn_test_refused("anneal", texts, NULL, SPN_ERROR_IO, "graph: @nothing", "No such file");
}

static void assert_plan_refused(spn_inputs *inputs, const char *const *texts, const char *part)
{
    spn_job job = spn_test_job("anneal", 1, texts);
    spn_error err = {0};
    void *plan;
    assert_error(spn_job_plan(&plan, &job, inputs, &err), &err, SPN_ERROR_ARGUMENT, part, "");
    spn_job_clear(&job);
}

static void test_refused(void **state)
{
    (void)state;
    spn_problem *problem = couplings();
    spn_error err = {0};
    spn_inputs *inputs = some_inputs();
    assert_ok(spn_inputs_give(inputs, "graph", SPN_OBJECT_PROBLEM, problem, &err), err);
    assert_error(spn_inputs_give(inputs, "graph", SPN_OBJECT_PROBLEM, problem, &err), &err,
                 SPN_ERROR_ARGUMENT, "'graph'", "is taken");
    assert_error(spn_inputs_give(inputs, "", SPN_OBJECT_PROBLEM, problem, &err), &err,
                 SPN_ERROR_ARGUMENT, "is empty", "");
    static const char *const unknown[] = {"energy", "ising", "graph", "@other", NULL};
    static const char *const kind[] = {"energy", "maxcut", "graph", "@graph", NULL};
    static const char *const object[] = {"energy", "@graph", NULL};
    static const char *const offset[] = {"energy", "ising", "graph", "@graph",
                                         "offset", "2.5",   NULL};
    assert_plan_refused(inputs, unknown, "graph: no object was given as 'other'");
    assert_plan_refused(inputs, kind, "graph: 'graph' is a problem of couplings, not of cut");
    assert_plan_refused(inputs, object, "energy: 'graph' is a problem, not an energy");
    assert_plan_refused(inputs, offset, "offset: needs a file: 'graph' has its own");
    spn_inputs_free(inputs);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_problems),
                                       cmocka_unit_test(test_energies),
                                       scratch_test(test_data),
                                       cmocka_unit_test(test_data_without_classes),
                                       cmocka_unit_test(test_files_stay_files),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
