/* The task `train`: its records, and runs that were stopped and resumed. */
#include "data/dataset.h"
#include "old/task.h"
#include "support/runs.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static spn_field fixed[] = {
    {"data", "digits"}, {"preset", "paper"}, {"subset", "300"}, {"steps", "20000"}};
static char *gammas[] = {"0", "0.8"};
static spn_axis axes[] = {{"gamma", 2, gammas}};
static double shares[] = {0, 0.05, 0.2};

static spn_sweep make_sweep(void)
{
    return (spn_sweep){.name = "test",
                       .task = "train",
                       .seed = 7,
                       .runs = 2,
                       .fixed_count = 4,
                       .fixed = fixed,
                       .axis_count = 1,
                       .axes = axes};
}

/* `spinney train` with the same settings and the record's seed gives the same. */
static void test_same_as_training(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_sweep sweep = make_sweep();
    const spn_record record = spn_test_do(&sweep, 2, NULL, NULL);
    spn_train_options options;
    spn_train_result result;
    spn_train_data data = {.size = sizeof data, .name = "digits"};
    spn_dataset *train, *test;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    data.train = train;
    data.test = test;
    assert_ok(spn_train_options_preset(&options, "paper", "digits", &err), err);
    options.chain.steps = 20000;
    options.chain.seed = record.seed;
    options.subset = 300;
    assert_ok(spn_train_run(&result, &options, &data, &err), err);
    assert_true(spn_record_number(&record, "train_loss") == result.mean.train_loss);
    assert_true(spn_record_number(&record, "test_accuracy") == result.mean.test_accuracy);
    assert_true(spn_record_number(&record, "active") == result.mean.active);
    assert_true(spn_record_number(&record, "centre_test_loss") == result.centre.test_loss);
    assert_true(spn_record_number(&record, "best_train_loss") ==
                result.replica[result.best].train_loss);
    assert_true(spn_record_number(&record, "overlap") == result.overlap);
    assert_true(isnan(spn_record_number(&record, "validation_loss")));
    assert_int_equal(record.run, 1);
    assert_string_equal(spn_record_setting(&record, "gamma"), "0.8");
    assert_string_equal(spn_record_setting(&record, "subset"), "300");
    spn_train_result_clear(&result);
    spn_train_options_clear(&options);
    spn_dataset_free(train);
    spn_dataset_free(test);
    spn_record_clear((spn_record *)&record);
}

/* Stopped at several places, annealing or measures, the record is the same, bit for bit. */
static void test_stop_and_resume(void **state)
{
    spn_sweep sweep = make_sweep();
    sweep.measures = (spn_measures){.flips_count = 3,
                                    .flips = shares,
                                    .flips_trials = 300, /* a third of the work */
                                    .profile_walks = 20,
                                    .profile_reach = 0.1,
                                    .profile_points = 5,
                                    .traces = true,
                                    .models = true};
    spn_test_stop_and_resume(state, &sweep, 3);
}

static void test_check(void **state)
{
    (void)state;
    spn_error err = {0};
    xpn_task_store *store;
    assert_ok(xpn_task_store_create(&store, NULL, &err), err);
    spn_sweep sweep = make_sweep();
    assert_ok(xpn_task_check(&sweep, store, &err), err);
    const struct {
        char *name, *text;
        const char *part;
    } bad[] = {
        {"replicas", "256", "replicas: '256' is not a whole number from 1 to 255"},
        {"kernel", "twostage", "kernel: there is no 'twostage'; did you mean two-stage?"},
        {"preset", "papre", "preset: there is no 'papre'; did you mean paper?"},
        {"data", "minst", "data: 'minst' is neither a file nor a data set; did you mean mnist?"},
        {"data", "no/where.csv", "nor a file: there is no no/where.csv"},
        {"beta", "5:", "beta: "},
        {"schedule", "linera", "schedule: "},
        {"steps", "0", "steps: '0' is not a whole number from 1"},
        {"subset", "1347", "subset: 1347 samples are more than there are (1346)"},
        {"validation", "1", "validation: '1' is not a number"},
        {"test-fraction", "0.2", "test-fraction: is for data without a test part"},
        {"test", "x.csv", "test: goes with a file"},
        {"scaling", "5", "scaling: '5' is not none"},
        {"logit-scale", "-1", "logit-scale: '-1' is not"},
        {"init", "given", "init: 'given' is not one of same, independent"},
        {"gama", "1", "unknown setting 'gama' of train; did you mean gamma?"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_field field = {bad[k].name, bad[k].text};
        sweep.axis_count = 0;
        sweep.fixed = &field;
        sweep.fixed_count = 1;
        const spn_status status = xpn_task_check(&sweep, store, &err);
        if (!strstr(err.text, bad[k].part))
            print_message("%s %s: %s\n", bad[k].name, bad[k].text, err.text);
        assert_error(status, &err, SPN_ERROR_ARGUMENT, bad[k].part, "");
    }
    xpn_task_store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_training),
        scratch_test(test_stop_and_resume),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
