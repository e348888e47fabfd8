/* Calls: the same results as jobs, to the last bit; their tables, states, models and JSON. */
#include "support/calls.h"
#include "support/json.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/test.h"

#include <math.h>
#include <spinney/chain.h>
#include <spinney/energies.h>
#include <spinney/lab/call.h>
#include <spinney/lab/job.h>
#include <stdlib.h>
#include <string.h>

static void several_texts_are_set_at_once(void **state)
{
    (void)state;
    spn_call *call;
    spn_error err = {0};
    assert_ok(spn_call_create(&call, "anneal", &err), err);
    assert_ok(spn_call_set_all(call, "", &err), err);
    assert_ok(spn_call_set_all(call,
                               "energy\0bits\0random\0"
                               "21,5,1\0steps\0"
                               "100\0",
                               &err),
              err);
    assert_ok(spn_call_plan(call, &err), err);
    assert_string_equal(spn_call_text(call, "random"), "21,5,1");
    assert_string_equal(spn_call_text(call, "steps"), "100");
    assert_error(spn_call_set_all(call,
                                  "seed\0"
                                  "7\0sted\0"
                                  "100\0",
                                  &err),
                 &err, SPN_ERROR_ARGUMENT, "sted", "");
    assert_error(spn_call_set_all(call,
                                  "replicas\0"
                                  "0\0",
                                  &err),
                 &err, SPN_ERROR_ARGUMENT, "replicas: ", "");
    spn_call_free(call);
}

static int count_moments(void *context, const spn_progress *now)
{
    *(size_t *)context += now->due;
    return 0;
}

/* In one go as one by one. */
static void all_is_given_at_once(void **state)
{
    (void)state;
    static const char texts[] = "energy\0ising\0steps\0"
                                "3000\0beta\0"
                                "0.1:3\0seed\0"
                                "5\0";
    spn_problem *problem = spn_test_call_problem(false);
    const spn_object graph = {"graph", problem, SPN_OBJECT_PROBLEM}, wrong = {"graph", problem, 5};
    spn_call *one = spn_test_call_anneal(problem), *other;
    spn_error err = {0};
    size_t moments = 0;
    int8_t best[2][SPN_TEST_CALL_SITES];
    spn_test_call_run(one);
    assert_ok(spn_call_prepare(&other, "anneal", texts, &graph, 1, &err), err);
    assert_int_equal(spn_call_spins(other, 0, 1, best[1]), 0);
    assert_ok(spn_call_run_watched(other, count_moments, &moments, 1000, &err), err);
    assert_int_equal(moments, 4); /* with the start */
    assert_true(spn_call_number(one, "energy") == spn_call_number(other, "energy"));
    assert_int_equal(spn_call_spins(one, 0, 1, best[0]), 1);
    assert_int_equal(spn_call_spins(other, 0, 1, best[1]), 1);
    assert_memory_equal(best[0], best[1], SPN_TEST_CALL_SITES);
    spn_call_free(one);
    spn_call_free(other);
    assert_error(spn_call_prepare(&other, "aneal", "", NULL, 0, &err), &err, SPN_ERROR_ARGUMENT,
                 "did you mean anneal?", "");
    assert_error(spn_call_prepare(&other, "anneal", texts, &wrong, 1, &err), &err,
                 SPN_ERROR_ARGUMENT, "graph: there is no kind 5", "");
    assert_error(spn_call_prepare(&other, "anneal", "stepz\0\0", &graph, 1, &err), &err,
                 SPN_ERROR_ARGUMENT, "stepz", "");
    assert_null(other);
    spn_problem_free(problem);
}

/* ---- tables ---- */

static const char *text_of(const spn_json_value *object, const char *name)
{
    return spn_json_get_text(spn_json_get(object, name));
}

static void check_settings(const spn_task *task, const spn_json_value *rows)
{
    spn_setting_walk walk = spn_setting_walk_start(task->settings);
    size_t k = 0;
    for (; spn_setting_walk_next(&walk); k++) {
        const spn_json_value *row = json_at(rows, k);
        const char *name = walk.setting->name,
                   *fallback = name ? spn_setting_find(task->settings, name)->fallback : NULL;
        const char *shown = text_of(row, "default");
        if (!name) {
            assert_string_equal(text_of(row, "heading"), walk.setting->help);
            continue;
        }
        assert_string_equal(text_of(row, "name"), name);
        assert_string_equal(text_of(row, "help"), walk.setting->help);
        assert_true(fallback ? shown && strcmp(shown, fallback) == 0 : !shown);
        assert_int_equal(json_is_true(spn_json_get(row, "effort")),
                         (walk.setting->flags & SPN_SETTING_EFFORT) != 0);
        size_t words = 0;
        while (spn_setting_word(walk.setting, words))
            words++;
        assert_int_equal(json_count(spn_json_get(row, "words")), words);
    }
    assert_int_equal(json_count(rows), k);
}

static void test_tables(void **state)
{
    (void)state;
    char *text;
    spn_error err = {0};
    assert_ok(spn_tables_json(&text, &err), err);
    spn_json_tree tree = json_of(text, strlen(text));
    const spn_json_value *tasks = spn_json_get(tree.root, "tasks");
    size_t count = 0;
    for (; spn_tasks()[count]; count++) {
        const spn_task *task = spn_tasks()[count];
        const spn_json_value *row = json_at(tasks, count);
        assert_string_equal(text_of(row, "name"), task->name);
        check_settings(task, spn_json_get(row, "settings"));
        size_t results = 0;
        spn_quantity_walk walk = spn_quantity_walk_start(task->results);
        while (spn_quantity_walk_next(&walk))
            results++;
        assert_int_equal(json_count(spn_json_get(row, "results")), results);
    }
    assert_int_equal(json_count(tasks), count);
    spn_json_unload(&tree);
    spn_text_free(text);
}

/* ---- results ---- */

static spn_record run_job(const spn_problem *problem)
{
    spn_inputs *inputs;
    spn_record record;
    spn_outcome outcome;
    spn_error err = {0};
    spn_job job = spn_job_start(spn_task_find("anneal"));
    assert_ok(spn_inputs_create(&inputs, NULL, &err), err);
    assert_ok(spn_inputs_give(inputs, "g", SPN_OBJECT_PROBLEM, problem, &err), err);
    for (const char *const *t = spn_test_call_short; *t; t += 2)
        assert_ok(spn_job_set(&job, t[0], t[1], &err), err);
    assert_ok(spn_job_set(&job, "graph", "@g", &err), err);
    const spn_run how = {.inputs = inputs, .details = true};
    assert_ok(spn_job_run(&record, &outcome, &job, &how, &err), err);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
    return record;
}

static void test_same_as_job(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    spn_record record = run_job(problem);
    spn_call *call = spn_test_call_anneal(problem);
    spn_test_call_run(call);
    assert_true(spn_call_complete(call));
    assert_true(record.result_count > 8 && record.curve_count > 1);
    for (size_t k = 0; k < record.result_count; k++) {
        const double value = spn_call_number(call, record.results[k].name);
        assert_memory_equal(&value, &record.results[k].value, sizeof value);
    }
    assert_null(spn_call_curve(call, record.curve_count));
    for (size_t k = 0; k < record.curve_count; k++) {
        const spn_result_curve *curve = &record.curves[k];
        assert_string_equal(spn_call_curve(call, k)->name, curve->name);
        assert_int_equal(spn_call_curve(call, k)->rows, curve->rows);
        assert_int_equal(spn_call_curve(call, k)->columns, curve->columns);
        for (size_t c = 0; c < curve->columns; c++) {
            assert_string_equal(spn_call_curve(call, k)->names[c], curve->names[c]);
            assert_memory_equal(spn_call_curve(call, k)->values[c], curve->values[c],
                                curve->rows * sizeof(double));
        }
    }
    assert_string_equal(spn_call_text(call, "stop"), "steps");
    assert_string_equal(spn_call_text(call, "seed"), "5");
    assert_string_equal(spn_call_text(call, "replicas"), "3");
    assert_string_equal(spn_call_text(call, "graph"), "@graph");
    assert_null(spn_call_text(call, "nothing"));
    assert_true(isnan(spn_call_number(call, "nothing")));
    spn_call_free(call);
    spn_record_clear(&record);
    spn_problem_free(problem);
}

/* The lowest energy of all states. */
static double ground_energy(const spn_energy *energy)
{
    int8_t spins[SPN_TEST_CALL_SITES];
    double low = INFINITY;
    for (unsigned k = 0; k < 1U << SPN_TEST_CALL_SITES; k++) {
        for (unsigned i = 0; i < SPN_TEST_CALL_SITES; i++)
            spins[i] = k >> i & 1 ? 1 : -1;
        low = fmin(low, spn_energy_value(energy, spins));
    }
    return low;
}

/* The states are sorted, have the energies that the energy gives them, and the first is a ground
   state. Returns the sum of their counts. */
static uint64_t check_states(const spn_call *call, const spn_energy *energy)
{
    spn_states found = spn_test_call_states(call);
    const size_t states = found.count;
    int8_t *spins = malloc(states * SPN_TEST_CALL_SITES);
    double *energies = malloc(states * sizeof *energies);
    uint64_t *counts = malloc(states * sizeof *counts), total = 0;
    assert_int_equal(found.sites, SPN_TEST_CALL_SITES);
    assert_true(states > 0);
    assert_int_equal(spn_call_spins(call, 0, states + 1, spins), states);
    found.energies = energies;
    found.counts = counts;
    spn_call_states(&found, call);
    for (size_t k = 0; k < states; k++) {
        assert_true(spn_energy_value(energy, spins + k * SPN_TEST_CALL_SITES) == energies[k]);
        assert_true(k == 0 || energies[k - 1] <= energies[k]);
        total += counts[k];
    }
    int8_t last[SPN_TEST_CALL_SITES];
    assert_int_equal(spn_call_spins(call, states - 1, 1, last), 1);
    assert_memory_equal(last, spins + (states - 1) * SPN_TEST_CALL_SITES, SPN_TEST_CALL_SITES);
    assert_true(energies[0] == ground_energy(energy));
    assert_true(energies[0] == spn_call_number(call, "best_energy"));
    free(spins), free(energies), free(counts);
    return total;
}

static void test_states(void **state)
{
    (void)state;
    static const struct {
        const char *energy;
        bool cut, binary;
    } kinds[] = {{"ising", false, false}, {"qubo", false, true}, {"maxcut", true, false}};
    for (size_t k = 0; k < 3; k++) {
        spn_problem *problem = spn_test_call_problem(kinds[k].cut);
        spn_energy *energy;
        spn_error err = {0};
        assert_ok(spn_energy_create(&energy, kinds[k].energy, problem, &err), err);
        spn_call *one = spn_test_call_anneal(problem), *many = spn_test_call_anneal(problem);
        spn_test_call_set(one, "energy", kinds[k].energy),
            spn_test_call_set(many, "energy", kinds[k].energy);
        spn_test_call_set(many, "reads", "50");
        spn_test_call_run(one), spn_test_call_run(many);
        assert_int_equal(check_states(one, energy), 3);
        assert_int_equal(check_states(many, energy), 50);
        spn_states found = spn_test_call_states(many);
        assert_true(found.of_reads && !spn_test_call_states(one).of_reads);
        assert_int_equal(found.binary, kinds[k].binary);
        assert_int_equal(found.has_cuts, kinds[k].cut);
        found.cuts = malloc(found.count * sizeof *found.cuts);
        spn_call_states(&found, many);
        if (kinds[k].cut)
            assert_true(found.cuts[0] == spn_call_number(many, "cut"));
        assert_null(found.variables);
        free(found.cuts);
        spn_call_free(one), spn_call_free(many);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[SPN_TEST_CALL_SITES] = {"a", "b", "c", "d", "e", "f",
                                                           "g", "h", "i", "j", "k", "l"};
    spn_problem *problem = spn_test_call_problem(false);
    spn_error err = {0};
    assert_ok(spn_problem_set_names(problem, names, &err), err);
    spn_call *call = spn_test_call_anneal(problem);
    spn_test_call_run(call);
    assert_string_equal(spn_test_call_states(call).variables[SPN_TEST_CALL_SITES - 1], "l");
    spn_call_free(call);
    spn_problem_free(problem);
}

static void test_json(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    spn_call *call = spn_test_call_anneal(problem);
    spn_error err = {0};
    char *text;
    assert_int_equal(spn_call_json(&text, call, 8, &err), SPN_ERROR_ARGUMENT);
    spn_test_call_set(call, "reads", "20");
    spn_test_call_run(call);
    assert_ok(spn_call_json(&text, call, 2, &err), err);
    spn_json_tree tree = json_of(text, strlen(text));
    const spn_json_value *root = tree.root;
    const spn_json_value *results = spn_json_get(root, "results");
    assert_string_equal(text_of(root, "task"), "anneal");
    assert_true(spn_json_get_real(spn_json_get(results, "best_energy")) ==
                spn_call_number(call, "best_energy"));
    assert_int_equal(json_count(spn_json_get(root, "states")), 2);
    assert_int_equal(spn_json_get(spn_json_get(root, "settings"), "seed")->whole, 5);
    assert_null(spn_json_get(root, "files"));
    assert_true(json_is_true(spn_json_get(root, "complete")));
    spn_json_unload(&tree);
    spn_text_free(text);
    spn_call_free(call);
    spn_problem_free(problem);
}

/* The replicas at the end are those of the curve, and have the energies of their spins. */
static void test_ends(void **state)
{
    (void)state;
    spn_problem *problem = spn_test_call_problem(false);
    spn_energy *energy;
    spn_error err = {0};
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_call *call = spn_test_call_anneal(problem), *reads = spn_test_call_anneal(problem);
    spn_test_call_set(reads, "reads", "5");
    spn_test_call_run(call), spn_test_call_run(reads);
    const spn_states found = spn_test_call_states(call), none = spn_test_call_states(reads);
    assert_int_equal(found.replicas, 3);
    assert_string_equal(spn_call_curve(call, 0)->name, "replicas");
    assert_string_equal(spn_call_curve(call, 0)->names[0], "energy");
    for (size_t a = 0; a < 3; a++) {
        const double value = found.end_energies[a];
        assert_true(spn_energy_value(energy, found.end_spins + a * found.sites) == value);
        assert_true(value == spn_call_curve(call, 0)->values[0][a]);
    }
    assert_int_equal(none.replicas, 0);
    assert_null(none.end_spins);
    assert_null(none.end_energies);
    spn_call_free(call), spn_call_free(reads);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* ---- models ---- */

static const char *const short_training[] = {"data", "digits", "subset", "60", "sweeps",
                                             "1",    "seed",   "3",      NULL};

/* The same training as a job, whose model is written and read back. */
static spn_model *train_into(const char *path)
{
    spn_inputs *inputs;
    spn_record record;
    spn_outcome outcome;
    spn_model *model;
    spn_error err = {0};
    spn_job job = spn_job_start(spn_task_find("train"));
    assert_ok(spn_inputs_create(&inputs, NULL, &err), err);
    for (const char *const *t = short_training; *t; t += 2)
        assert_ok(spn_job_set(&job, t[0], t[1], &err), err);
    const spn_run how = {.inputs = inputs, .product = path};
    assert_ok(spn_job_run(&record, &outcome, &job, &how, &err), err);
    assert_ok(spn_model_read(&model, path, &err), err);
    spn_record_clear(&record);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
    return model;
}

static void assert_same_model(const spn_model *a, const spn_model *b)
{
    const size_t weights = spn_model_replicas(a) * spn_model_sites(a);
    assert_int_equal(weights, spn_model_replicas(b) * spn_model_sites(b));
    assert_memory_equal(spn_test_weights(a, 0), spn_test_weights(b, 0), weights);
    assert_memory_equal(spn_model_train_losses(a), spn_model_train_losses(b),
                        spn_model_replicas(a) * sizeof(double));
    assert_string_equal(spn_model_manifest(a), spn_model_manifest(b));
}

/* Loss and accuracy of a model, given or in a file. */
static void evaluate(double out[2], const spn_model *model, const char *path)
{
    static const char *const texts[] = {"data", "digits", NULL};
    spn_call *call = spn_test_call("eval", texts);
    spn_error err = {0};
    assert_ok(model ? spn_call_give(call, "model", SPN_OBJECT_MODEL, model, &err)
                    : spn_call_set(call, "model", path, &err),
              err);
    spn_test_call_run(call);
    assert_null(spn_call_model(call));
    out[0] = spn_call_number(call, "loss");
    out[1] = spn_call_number(call, "accuracy");
    spn_call_free(call);
}

/* A training that is stopped before its first step ends where it started: at the weights of the
   model. */
static void check_warm_start(const spn_model *model)
{
    spn_call *call = spn_test_call("train", short_training);
    spn_error err = {0};
    spn_call_stop(call);
    assert_ok(spn_call_give(call, "init", SPN_OBJECT_MODEL, model, &err), err);
    spn_test_call_run(call);
    const size_t weights = spn_model_replicas(model) * spn_model_sites(model);
    assert_memory_equal(spn_test_weights(spn_call_model(call), 0), spn_test_weights(model, 0),
                        weights);
    spn_call_free(call);
}

static void test_models(void **state)
{
    const char *path = spn_scratch_path(state, "model.spn");
    spn_model *written = train_into(path);
    spn_call *call = spn_test_call("train", short_training);
    double given[2], read[2];
    spn_test_call_run(call);
    assert_same_model(spn_call_model(call), written);
    evaluate(given, spn_call_model(call), NULL);
    evaluate(read, NULL, path);
    assert_memory_equal(given, read, sizeof given);
    check_warm_start(written);
    spn_model *taken = spn_call_take_model(call);
    assert_null(spn_call_model(call));
    assert_null(spn_call_take_model(call));
    spn_call_free(call);
    assert_same_model(taken, written);
    spn_model_free(taken), spn_model_free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_texts_are_set_at_once),
        cmocka_unit_test(all_is_given_at_once),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_same_as_job),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_json),
        scratch_test(test_models),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
