/* The task `eval`. */
#include "model/model.h"
#include "old/task.h"
#include "support/runs.h"
#include "support/scratch.h"

#include <spinney/robustness.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>

static double shares[] = {0, 0.1};

/* A model trained for a moment, written to a file. */
static const char *write_model(void **state)
{
    spn_error err = {0};
    spn_train_options options;
    spn_train_result result;
    spn_dataset *train, *test;
    const char *path = spn_scratch_path(state, "model.spn");
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    assert_ok(spn_train_options_preset(&options, "paper", "digits", &err), err);
    options.chain.steps = 3000;
    options.subset = 200;
    const spn_train_data data = {.size = sizeof data, "digits", train, test};
    assert_ok(spn_train_run(&result, &options, &data, &err), err);
    assert_ok(spn_model_write(result.model, path, &err), err);
    spn_train_result_clear(&result);
    spn_train_options_clear(&options);
    spn_dataset_free(train);
    spn_dataset_free(test);
    return path;
}

/* The record agrees with evaluations and flips through the library. */
static void test_eval(void **state)
{
    spn_error err = {0};
    const char *path = write_model(state);
    spn_field fixed[] = {{"model", (char *)path}, {"data", "digits"}};
    spn_sweep sweep = {
        .name = "test", .task = "eval", .seed = 1, .runs = 1, .fixed_count = 2, .fixed = fixed};
    sweep.measures = (spn_measures){.flips_count = 2, .flips = shares, .flips_trials = 30};
    spn_record record = spn_test_do(&sweep, 0, NULL, NULL);
    spn_dataset *train, *test;
    spn_model *m;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    assert_ok(spn_model_read(&m, path, &err), err);
    double loss = 0, accuracy = 0;
    spn_softmax_model classifier = {
        .size = sizeof classifier, m->weights, m->classes, m->features, m->scaling, m->logit_scale};
    spn_robustness flips;
    const spn_robustness_options options = {
        .size = sizeof options, .trials = 30, .seed = record.seed};
    assert_ok(spn_robustness_measure(&flips, &classifier, 3, test, 0.1, &options, &err), err);
    for (size_t a = 0; a < 3; a++) {
        spn_softmax_scores scores;
        classifier.weights = spn_model_replica(m, a);
        assert_ok(spn_softmax_evaluate(&scores, &classifier, test, NULL, &err), err);
        loss += scores.loss / 3;
        accuracy += scores.accuracy / 3;
    }
    assert_near(spn_record_number(&record, "loss"), loss, 1e-12);
    assert_near(spn_record_number(&record, "accuracy"), accuracy, 1e-12);
    assert_true(spn_record_number(&record, "best_accuracy") > 0.3);
    assert_true(spn_record_number(&record, "centre_accuracy") > 0.3);
    const spn_result_curve *curve = spn_record_curve(&record, "flips");
    assert_true(curve->values[1][1] == flips.mean && curve->values[2][1] == flips.low);
    spn_model_free(m);
    spn_dataset_free(train);
    spn_dataset_free(test);
    spn_record_clear(&record);
}

static void test_eval_check(void **state)
{
    spn_error err = {0};
    char *path = (char *)write_model(state);
    char *narrow = (char *)spn_scratch_text(state, "narrow.csv", "1,2,a\n3,4,b\n");
    xpn_task_store *store;
    assert_ok(xpn_task_store_create(&store, NULL, &err), err);
    const struct {
        spn_field fields[3];
        spn_status status;
        const char *part;
    } bad[] = {
        {{{"data", "digits"}}, SPN_ERROR_ARGUMENT, "model: is needed"},
        {{{"model", path}}, SPN_ERROR_ARGUMENT, "data: is needed"},
        {{{"model", "no.spn"}, {"data", "digits"}}, SPN_ERROR_IO, "model: no.spn"},
        {{{"model", path}, {"data", narrow}}, SPN_ERROR_INPUT, "data: "},
        {{{"model", path}, {"test", narrow}, {"data", "digits"}},
         SPN_ERROR_ARGUMENT,
         "test: give this or data, not both"},
        {{{"model", path}, {"data", narrow}, {"part", "test"}},
         SPN_ERROR_ARGUMENT,
         "part: goes with a data set known by name"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        size_t count = 0;
        while (count < 3 && bad[k].fields[count].name)
            count++;
        const spn_sweep sweep = {.name = "test",
                                 .task = "eval",
                                 .runs = 1,
                                 .fixed_count = count,
                                 .fixed = (spn_field *)bad[k].fields};
        const spn_status status = xpn_task_check(&sweep, store, &err);
        assert_error(status, &err, bad[k].status, bad[k].part, "");
    }
    xpn_task_store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_eval),
        scratch_test(test_eval_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
