/* Calls: the same results as jobs, to the last bit; what a watcher is told; what is refused. */
#include "support/scratch.h"
#include "support/test.h"

#include <jansson.h>
#include <math.h>
#include <spinney/chain.h>
#include <spinney/energies.h>
#include <spinney/lab/call.h>
#include <spinney/lab/job.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITES = 12 };

/* A ring with some chords, whose couplings are whole numbers. */
static spn_problem *make_problem(bool cut)
{
    spn_edge edges[2 * SITES];
    spn_problem *out;
    spn_error err = {0};
    for (uint32_t i = 0; i < SITES; i++) {
        edges[2 * i] = (spn_edge){i, (i + 1) % SITES, i % 3 == 0 ? -2 : 1};
        edges[2 * i + 1] = (spn_edge){i, (i + 5) % SITES, i % 2 ? 3 : -1};
    }
    assert_ok(cut ? spn_problem_cut_create(&out, SITES, 2 * SITES, edges, &err)
                  : spn_problem_couplings_create(&out, SITES, 2 * SITES, edges, &err),
              err);
    return out;
}

static spn_call *make_call(const char *task, const char *const *texts)
{
    spn_call *call;
    spn_error err = {0};
    assert_ok(spn_call_create(&call, task, &err), err);
    for (; *texts; texts += 2)
        assert_ok(spn_call_set(call, texts[0], texts[1], &err), err);
    return call;
}

static const char *const short_run[] = {"energy", "ising", "steps", "3000", "beta",
                                        "0.1:3",  "seed",  "5",     NULL};

static spn_call *make_anneal(const spn_problem *problem)
{
    spn_call *call = make_call("anneal", short_run);
    spn_error err = {0};
    assert_ok(spn_call_give_problem(call, "graph", problem, &err), err);
    return call;
}

static void run(spn_call *call)
{
    spn_error err = {0};
    assert_ok(spn_call_run(call, &err), err);
}

static void set(spn_call *call, const char *name, const char *text)
{
    spn_error err = {0};
    assert_ok(spn_call_set(call, name, text, &err), err);
}

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

static int count_moments(void *context, const spn_moment *moment)
{
    *(size_t *)context += spn_moment_number(moment, "at") > 0;
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
    spn_problem *problem = make_problem(false);
    const spn_object graph = {"graph", problem, SPN_OBJECT_PROBLEM}, wrong = {"graph", problem, 4};
    spn_call *one = make_anneal(problem), *other;
    spn_error err = {0};
    size_t moments = 0;
    int8_t best[2][SITES];
    run(one);
    assert_ok(spn_call_prepare(&other, "anneal", texts, &graph, 1, &err), err);
    assert_false(spn_call_best(other, best[1]));
    assert_ok(spn_call_run_watched(other, count_moments, &moments, 1000, &err), err);
    assert_int_equal(moments, 4); /* with the start */
    assert_true(spn_call_number(one, "energy") == spn_call_number(other, "energy"));
    assert_true(spn_call_best(one, best[0]) && spn_call_best(other, best[1]));
    assert_memory_equal(best[0], best[1], SITES);
    spn_call_spins(one, 0, 1, best[1]);
    assert_memory_equal(best[0], best[1], SITES);
    spn_call_free(one);
    spn_call_free(other);
    assert_error(spn_call_prepare(&other, "aneal", "", NULL, 0, &err), &err, SPN_ERROR_ARGUMENT,
                 "did you mean anneal?", "");
    assert_error(spn_call_prepare(&other, "anneal", texts, &wrong, 1, &err), &err,
                 SPN_ERROR_ARGUMENT, "graph: there is no kind 4", "");
    assert_error(spn_call_prepare(&other, "anneal", "stepz\0", &graph, 1, &err), &err,
                 SPN_ERROR_ARGUMENT, "stepz", "");
    assert_null(other);
    spn_problem_free(problem);
}

/* ---- tables ---- */

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void check_settings(const spn_task *task, const json_t *rows)
{
    spn_setting_walk walk = spn_setting_walk_start(task->settings);
    size_t k = 0;
    for (; spn_setting_walk_next(&walk); k++) {
        const json_t *row = json_array_get(rows, k);
        const char *name = walk.setting->name,
                   *fallback = name ? spn_task_default(task, name) : NULL;
        const char *shown = text_of(row, "default");
        if (!name) {
            assert_string_equal(text_of(row, "heading"), walk.setting->help);
            continue;
        }
        assert_string_equal(text_of(row, "name"), name);
        assert_string_equal(text_of(row, "help"), walk.setting->help);
        assert_true(fallback ? shown && strcmp(shown, fallback) == 0 : !shown);
        assert_int_equal(json_is_true(json_object_get(row, "effort")),
                         (walk.setting->flags & SPN_SETTING_EFFORT) != 0);
        size_t words = 0;
        while (spn_setting_word(walk.setting, words))
            words++;
        assert_int_equal(json_array_size(json_object_get(row, "words")), words);
    }
    assert_int_equal(json_array_size(rows), k);
}

static void test_tables(void **state)
{
    (void)state;
    char *text;
    spn_error err = {0};
    assert_ok(spn_tables_json(&text, &err), err);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    const json_t *tasks = json_object_get(root, "tasks");
    size_t count = 0;
    for (; spn_tasks()[count]; count++) {
        const spn_task *task = spn_tasks()[count];
        const json_t *row = json_array_get(tasks, count);
        assert_string_equal(text_of(row, "name"), task->name);
        check_settings(task, json_object_get(row, "settings"));
        size_t results = 0;
        while (task->results[results].name || task->results[results].help)
            results++;
        assert_int_equal(json_array_size(json_object_get(row, "results")), results);
    }
    assert_int_equal(json_array_size(tasks), count);
    json_decref(root);
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
    assert_ok(spn_inputs_give_problem(inputs, "g", problem, &err), err);
    for (const char *const *t = short_run; *t; t += 2)
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
    spn_problem *problem = make_problem(false);
    spn_record record = run_job(problem);
    spn_call *call = make_anneal(problem);
    run(call);
    assert_true(spn_call_complete(call));
    assert_true(record.result_count > 8 && record.curve_count > 1);
    for (size_t k = 0; k < record.result_count; k++) {
        const double value = spn_call_number(call, record.results[k].name);
        assert_memory_equal(&value, &record.results[k].value, sizeof value);
    }
    assert_int_equal(spn_call_curves(call), record.curve_count);
    for (size_t k = 0; k < record.curve_count; k++) {
        const spn_result_curve *curve = &record.curves[k];
        assert_string_equal(spn_call_curve_name(call, k), curve->name);
        assert_int_equal(spn_call_rows(call, k), curve->rows);
        assert_int_equal(spn_call_columns(call, k), curve->columns);
        for (size_t c = 0; c < curve->columns; c++) {
            assert_string_equal(spn_call_column_name(call, k, c), curve->names[c]);
            assert_memory_equal(spn_call_column(call, k, c), curve->values[c],
                                curve->rows * sizeof(double));
        }
    }
    assert_string_equal(spn_call_text(call, "stop"), "steps");
    assert_string_equal(spn_call_text(call, "seed"), "5");
    assert_string_equal(spn_call_text(call, "replicas"), "3");
    assert_string_equal(spn_call_text(call, "graph"), "@graph");
    assert_null(spn_call_text(call, "nothing"));
    assert_true(isnan(spn_call_number(call, "nothing")));
    assert_null(spn_call_column(call, spn_call_curves(call), 0));
    assert_null(spn_call_column(call, 0, spn_call_columns(call, 0)));
    spn_call_free(call);
    spn_record_clear(&record);
    spn_problem_free(problem);
}

/* The lowest energy of all states. */
static double ground_energy(const spn_energy *energy)
{
    int8_t spins[SITES];
    double low = INFINITY;
    for (unsigned k = 0; k < 1U << SITES; k++) {
        for (unsigned i = 0; i < SITES; i++)
            spins[i] = k >> i & 1 ? 1 : -1;
        low = fmin(low, spn_energy_value(energy, spins));
    }
    return low;
}

/* The states are sorted, have the energies that the energy gives them, and the first is a ground
   state. Returns the sum of their counts. */
static uint64_t check_states(const spn_call *call, const spn_energy *energy)
{
    const size_t states = spn_call_states(call);
    int8_t *spins = malloc(states * SITES);
    double *energies = malloc(states * sizeof *energies);
    uint64_t *counts = malloc(states * sizeof *counts), total = 0;
    assert_int_equal(spn_call_sites(call), SITES);
    assert_true(states > 0);
    spn_call_spins(call, 0, states, spins);
    spn_call_energies(call, energies);
    spn_call_counts(call, counts);
    for (size_t k = 0; k < states; k++) {
        assert_true(spn_energy_value(energy, spins + k * SITES) == energies[k]);
        assert_true(k == 0 || energies[k - 1] <= energies[k]);
        total += counts[k];
    }
    int8_t last[SITES];
    spn_call_spins(call, states - 1, 1, last);
    assert_memory_equal(last, spins + (states - 1) * SITES, SITES);
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
        spn_problem *problem = make_problem(kinds[k].cut);
        spn_energy *energy;
        spn_error err = {0};
        assert_ok(spn_energy_create(&energy, kinds[k].energy, problem, &err), err);
        spn_call *one = make_anneal(problem), *many = make_anneal(problem);
        set(one, "energy", kinds[k].energy), set(many, "energy", kinds[k].energy);
        set(many, "reads", "50");
        run(one), run(many);
        assert_int_equal(check_states(one, energy), 3);
        assert_int_equal(check_states(many, energy), 50);
        assert_true(spn_call_of_reads(many) && !spn_call_of_reads(one));
        assert_int_equal(spn_call_binary(many), kinds[k].binary);
        double *cuts = malloc(spn_call_states(many) * sizeof *cuts);
        assert_int_equal(spn_call_cuts(many, cuts), kinds[k].cut);
        if (kinds[k].cut)
            assert_true(cuts[0] == spn_call_number(many, "cut"));
        assert_null(spn_call_variable(many, 0));
        free(cuts);
        spn_call_free(one), spn_call_free(many);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[SITES] = {"a", "b", "c", "d", "e", "f",
                                             "g", "h", "i", "j", "k", "l"};
    spn_problem *problem = make_problem(false);
    spn_error err = {0};
    assert_ok(spn_problem_set_names(problem, names, &err), err);
    spn_call *call = make_anneal(problem);
    run(call);
    assert_string_equal(spn_call_variable(call, SITES - 1), "l");
    assert_null(spn_call_variable(call, SITES));
    spn_call_free(call);
    spn_problem_free(problem);
}

static void test_json(void **state)
{
    (void)state;
    spn_problem *problem = make_problem(false);
    spn_call *call = make_anneal(problem);
    spn_error err = {0};
    char *text;
    assert_int_equal(spn_call_json(&text, call, 8, &err), SPN_ERROR_ARGUMENT);
    set(call, "reads", "20");
    run(call);
    assert_ok(spn_call_json(&text, call, 2, &err), err);
    json_t *root = json_loads(text, 0, NULL);
    const json_t *results = json_object_get(root, "results");
    assert_string_equal(text_of(root, "task"), "anneal");
    assert_true(json_number_value(json_object_get(results, "best_energy")) ==
                spn_call_number(call, "best_energy"));
    assert_int_equal(json_array_size(json_object_get(root, "states")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "settings"), "seed")),
                     5);
    assert_null(json_object_get(root, "files"));
    assert_true(json_is_true(json_object_get(root, "complete")));
    json_decref(root);
    spn_text_free(text);
    spn_call_free(call);
    spn_problem_free(problem);
}

/* The replicas at the end are those of the curve, and have the energies of their spins. */
static void test_ends(void **state)
{
    (void)state;
    spn_problem *problem = make_problem(false);
    spn_energy *energy;
    spn_error err = {0};
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_call *call = make_anneal(problem), *reads = make_anneal(problem);
    set(reads, "reads", "5");
    run(call), run(reads);
    assert_int_equal(spn_call_replicas(call), 3);
    assert_string_equal(spn_call_curve_name(call, 0), "replicas");
    assert_string_equal(spn_call_column_name(call, 0, 0), "energy");
    for (size_t a = 0; a < 3; a++) {
        const double value = spn_call_end_energies(call)[a];
        assert_true(spn_energy_value(energy, spn_call_end_spins(call) + a * SITES) == value);
        assert_true(value == spn_call_column(call, 0, 0)[a]);
    }
    assert_int_equal(spn_call_replicas(reads), 0);
    assert_null(spn_call_end_spins(reads));
    assert_null(spn_call_end_energies(reads));
    spn_call_free(call), spn_call_free(reads);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

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

static int stop_at_once(void *context, const spn_moment *m)
{
    (void)m;
    return ++*(int *)context > 3;
}

/* A call that was stopped goes on from its checkpoint, and comes to the same end. */
static void test_options(void **state)
{
    const char *checkpoint = spn_scratch_path(state, "run.checkpoint");
    const char *trace = spn_scratch_path(state, "trace.csv");
    const char *out = spn_scratch_path(state, "states.csv");
    spn_problem *problem = make_problem(false);
    spn_call *whole = make_anneal(problem), *first = make_anneal(problem),
             *second = make_anneal(problem);
    int calls = 0;
    option(whole, "trace", trace), option(whole, "trace-every", "100");
    option(whole, "out", spn_scratch_path(state, "wrong.csv")), option(whole, "out", out);
    option(first, "checkpoint", checkpoint), option(second, "checkpoint", checkpoint);
    spn_call_watch(first, stop_at_once, &calls, 100);
    run(whole), run(first);
    assert_false(spn_call_complete(first));
    assert_int_equal(access(checkpoint, F_OK), 0);
    run(second);
    assert_true(spn_call_complete(second));
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    assert_true(spn_call_number(second, "active") == spn_call_number(whole, "active"));
    assert_memory_equal(spn_call_end_spins(second), spn_call_end_spins(whole), 3 * SITES);
    assert_int_equal(count_lines(trace), 32);
    assert_int_equal(count_lines(out), spn_call_states(whole) + 1);
    assert_int_not_equal(access(spn_scratch_path(state, "wrong.csv"), F_OK), 0);
    assert_string_equal(spn_call_text(whole, "reads"), "1");
    spn_call_free(whole), spn_call_free(first), spn_call_free(second);
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
    assert_memory_equal(spn_model_weights(a), spn_model_weights(b), weights);
    assert_memory_equal(spn_model_train_losses(a), spn_model_train_losses(b),
                        spn_model_replicas(a) * sizeof(double));
    assert_string_equal(spn_model_manifest(a), spn_model_manifest(b));
}

/* Loss and accuracy of a model, given or in a file. */
static void evaluate(double out[2], const spn_model *model, const char *path)
{
    static const char *const texts[] = {"data", "digits", NULL};
    spn_call *call = make_call("eval", texts);
    spn_error err = {0};
    assert_ok(model ? spn_call_give_model(call, "model", model, &err)
                    : spn_call_set(call, "model", path, &err),
              err);
    run(call);
    assert_null(spn_call_model(call));
    out[0] = spn_call_number(call, "loss");
    out[1] = spn_call_number(call, "accuracy");
    spn_call_free(call);
}

/* A training that is stopped before its first step ends where it started: at the weights of the
   model. */
static void check_warm_start(const spn_model *model)
{
    spn_call *call = make_call("train", short_training);
    spn_error err = {0};
    spn_call_stop(call);
    assert_ok(spn_call_give_model(call, "init", model, &err), err);
    run(call);
    const size_t weights = spn_model_replicas(model) * spn_model_sites(model);
    assert_memory_equal(spn_model_weights(spn_call_model(call)), spn_model_weights(model), weights);
    spn_call_free(call);
}

static void test_models(void **state)
{
    const char *path = spn_scratch_path(state, "model.spn");
    spn_model *written = train_into(path);
    spn_call *call = make_call("train", short_training);
    double given[2], read[2];
    run(call);
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
    assert_true(replicas == 3 && sites == SITES && count == 3);
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
    spn_problem *problem = make_problem(false);
    spn_call *alone = make_anneal(problem);
    run(alone);
    for (size_t k = 0; k < sizeof rhythms / sizeof *rhythms; k++) {
        spn_call *call = make_anneal(problem);
        watched w = {.every = rhythms[k]};
        spn_call_watch(call, watch, &w, rhythms[k]);
        run(call);
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
    spn_problem *problem = make_problem(false);
    spn_call *call = make_anneal(problem), *before = make_anneal(problem);
    watched w = {.every = 100, .stop_at = 4};
    spn_call_watch(call, watch, &w, 100);
    run(call);
    assert_false(spn_call_complete(call));
    assert_string_equal(spn_call_text(call, "stop"), "interrupted");
    assert_true(spn_call_number(call, "steps_done") == 400 && w.last_step == 400);
    assert_true(spn_call_states(call) > 0);
    spn_call_stop(before);
    run(before);
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
    assert_true(replicas == 1 && sites == SITES);
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
    spn_problem *problem = make_problem(false);
    spn_error err = {0};
    spn_call *call = make_call("temper", texts);
    tempered t = {0};
    assert_ok(spn_call_give_problem(call, "graph", problem, &err), err);
    spn_call_watch(call, watch_ladder, &t, 310);
    run(call);
    assert_true(t.fixed > 2 && t.last >= spn_call_number(call, "best_energy"));
    assert_true(spn_call_states(call) > 0 && spn_call_replicas(call) == 0);
    spn_call_free(call);
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
    spn_problem *problem = make_problem(false);
    spn_error err = {0};
    spn_call *call;
    assert_refused(spn_call_create(&call, "annael", &err),
                   "unknown task 'annael'; did you mean anneal?");
    assert_null(call);
    call = make_call("anneal", short_run);
    assert_refused(spn_call_set(call, "replica", "3", &err),
                   "unknown setting 'replica' of anneal; did you mean replicas?");
    assert_refused(
        spn_call_give_problem(call, "replicas", problem, &err),
        "replicas: is given by a text; only what may be a file can be given as an object");
    assert_refused(spn_call_give_problem(call, "graph", NULL, &err), "graph: the object is NULL");
    assert_refused(spn_call_plan(call, &err), "energy: ising needs graph, a file");
    assert_true(isnan(spn_call_number(call, "energy")));
    assert_int_equal(spn_call_states(call), 0);
    assert_int_equal(spn_call_curves(call), 0);
    assert_false(spn_call_complete(call));
    assert_ok(spn_call_give_problem(call, "graph", problem, &err), err);
    assert_refused(spn_call_give_problem(call, "graph", problem, &err),
                   "graph: an object was given already");
    assert_ok(spn_call_plan(call, &err), err);
    set(call, "energy", "maxcut"); /* the plan is made anew */
    assert_refused(spn_call_run(call, &err),
                   "graph: 'graph' is a problem of couplings, not of cut");
    set(call, "energy", "ising");
    run(call);
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
    spn_call *call = make_anneal(problem);
    spn_error err = {0};
    for (; options[2]; options += 2)
        set(call, options[0], options[1]);
    option(call, options[0], options[1]);
    assert_refused(spn_call_run(call, &err), expected);
    spn_call_free(call);
}

static void test_refused_options(void **state)
{
    (void)state;
    spn_problem *problem = make_problem(false);
    spn_error err = {0};
    spn_call *call = make_anneal(problem), *exact = make_call("exact", short_run + 8);
    assert_refused(spn_call_option(call, "outt", "x", &err),
                   "unknown setting 'outt' of anneal; did you mean out?");
    assert_refused(spn_call_option(exact, "out", "x", &err), "unknown setting 'out' of exact");
    assert_refused(spn_call_option(call, "every", "many", &err),
                   "every: 'many' is not a whole number of 1 or more");
    option(call, "out", "same"), option(call, "trace", "same");
    assert_refused(spn_call_plan(call, &err),
                   "trace: another option names the same file; give two files");
    option(call, "trace", "other"), option(call, "out", "@graph");
    assert_refused(spn_call_plan(call, &err), "out: would replace @graph, the file of graph");
    spn_call_free(call), spn_call_free(exact);
    refuse_options(problem, (const char *[]){"every", "100", NULL}, "every: goes with checkpoint");
    refuse_options(problem, (const char *[]){"trace-every", "100", NULL},
                   "trace-every: goes with trace");
    refuse_options(problem, (const char *[]){"checkpoint", "-", NULL},
                   "checkpoint: is read again when the run goes on; give the name of a file");
    refuse_options(problem, (const char *[]){"reads", "2", "trace", "t.csv", NULL},
                   "trace: is of one run, and reads makes several; give one of them");
    spn_problem_free(problem);
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
        cmocka_unit_test(test_watching),
        scratch_test(test_models),
        scratch_test(test_options),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_watching_ladders),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
