/* The task `train`: its records, and runs that were stopped and resumed. */
#include "job/run.h"
#include "record/record.h"
#include "support/jobs.h"
#include "support/models.h"
#include "support/schedules.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/train.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

#define SMALL "data", "digits", "preset", "paper", "subset", "300", "steps", "20000"

/* Training through the library with the same settings and the record's seed gives the same. */
static void test_same_as_training(void **state)
{
    spn_error err = {0};
    const char *const texts[] = {SMALL, "gamma", "0.8", NULL};
    spn_job job = spn_test_job("train", 1, texts);
    const spn_run run = {.details = true, .product = spn_scratch_path(state, "model.spn")};
    spn_record record = spn_test_run_job(&job, &run);
    spn_train_options options = spn_train_defaults();
    spn_chain_options chain = spn_chain_defaults();
    spn_train_data data = spn_train_data_defaults();
    spn_train_result *result;
    spn_dataset *train, *test;
    spn_model *model;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    data.train = train;
    data.test = test;
    options.subset = 300;
    chain.beta = spn_test_exponential(100, 100000);
    chain.gamma = spn_test_constant(0.8);
    chain.steps = 20000;
    chain.seed = record.seed;
    assert_ok(spn_train_run(&result, &options, &chain, NULL, &data, &err), err);
    assert_true(spn_record_number(&record, "train_loss") == result->mean->train_loss);
    assert_true(spn_record_number(&record, "test_accuracy") == result->mean->test_accuracy);
    assert_true(spn_record_number(&record, "active") == result->mean->active);
    assert_true(spn_record_number(&record, "centre_test_loss") == result->centre->test_loss);
    assert_true(spn_record_number(&record, "best_train_loss") ==
                result->replica[result->best]->train_loss);
    assert_true(spn_record_number(&record, "best_replica") == (double)result->best + 1);
    assert_true(spn_record_number(&record, "overlap") == result->overlap);
    assert_true(isnan(spn_record_number(&record, "validation_loss")));
    assert_string_equal(spn_record_text(&record, "stop"), "steps");
    const spn_result_curve *replicas = spn_record_curve(&record, "replicas");
    assert_int_equal(replicas->columns, 9); /* no validation set */
    assert_true(spn_record_number(&record, "test_balanced_accuracy") ==
                result->mean->test_balanced_accuracy);
    assert_true(spn_record_number(&record, "best_test_macro_f1") ==
                result->replica[result->best]->test_macro_f1);
    assert_non_null(strstr(spn_record_text(&record, "summary"), "test accuracy "));
    assert_string_equal(replicas->names[2], "test_loss");
    for (size_t a = 0; a < 3; a++)
        assert_true(replicas->values[2][a] == result->replica[a]->test_loss);

    assert_ok(spn_model_read(&model, run.product, &err), err);
    assert_memory_equal(spn_test_weights(model, 0), spn_test_weights(result->model, 0), 3 * 640);
    const char *manifest = spn_model_manifest(model);
    assert_non_null(strstr(manifest, "\"gamma\": \"0.8\""));
    assert_non_null(strstr(manifest, "\"beta\": \"100:100000\"")); /* the preset's */
    assert_non_null(strstr(manifest, "\"train_samples\": 300"));
    assert_null(strstr(manifest, "threads"));
    for (size_t a = 0; a < 3; a++)
        assert_true(spn_model_train_losses(model)[a] == result->replica[a]->train_loss);
    spn_model_free(model);
    spn_train_result_free(result);
    spn_dataset_free(train);
    spn_dataset_free(test);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

/* Stopped at several places, annealing or measures, everything is the same, bit for bit. */
static void test_stop_and_resume(void **state)
{
    const char *const texts[] = {
        SMALL,           "flip", "0,0.05,0.2",     "trials", "300", /* a third of the work */
        "profile-walks", "20",   "profile-points", "5",      NULL};
    spn_job job = spn_test_job("train", 2, texts);
    spn_test_stops(state, &job);
    spn_job_clear(&job);
}

/* Folds: each is what a training on the others does with it, and the model is that of all samples.
   Without folds it is the same model. */
static void test_folds(void **state)
{
    enum { FOLDS = 3 };
    spn_error err = {0};
    const char *const texts[] = {"data",  "digits", "preset", "paper", "steps", "3000",
                                 "folds", "3",      "bias",   "2",     NULL};
    const char *const without[] = {"data", "digits", "preset", "paper", "steps",
                                   "3000", "bias",   "2",      NULL};
    const spn_run run = {.details = true, .product = spn_scratch_path(state, "model.spn")};
    const spn_run other = {.details = true, .product = spn_scratch_path(state, "other.spn")};
    spn_job job = spn_test_job("train", 1, texts), plain = spn_test_job("train", 1, without);
    spn_record record = spn_test_run_job(&job, &run), all = spn_test_run_job(&plain, &other);
    spn_train_options options = spn_train_defaults();
    spn_chain_options chain = spn_chain_defaults();
    spn_dataset *train, *test;
    double mean = 0;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    options.bias = 2;
    chain.beta = spn_test_exponential(100, 100000);
    chain.gamma = spn_test_constant(0.8);
    chain.steps = 3000;
    chain.seed = record.seed;
    const spn_result_curve *folds = spn_record_curve(&record, "folds");
    assert_int_equal(folds->rows, FOLDS);
    for (size_t k = 0; k < FOLDS; k++) {
        spn_train_data data = spn_train_data_defaults();
        spn_train_result *result;
        spn_dataset *rest, *part;
        assert_ok(spn_dataset_fold(&rest, &part, train, FOLDS, k, 1 + (UINT64_C(3) << 62), &err),
                  err);
        data.train = rest;
        data.test = part;
        assert_ok(spn_train_run(&result, &options, &chain, NULL, &data, &err), err);
        const spn_train_score *s = result->replica[result->best];
        assert_true(folds->values[1][k] == (double)spn_dataset_samples(part));
        assert_true(folds->values[2][k] == s->test_loss);
        assert_true(folds->values[3][k] == s->test_accuracy);
        mean += s->test_accuracy / FOLDS;
        spn_train_result_free(result);
        spn_dataset_free(rest);
        spn_dataset_free(part);
    }
    assert_true(fabs(spn_record_number(&record, "cv_accuracy") - mean) < 1e-12);
    assert_true(spn_record_number(&record, "cv_accuracy_sd") > 0);
    assert_non_null(strstr(spn_record_text(&record, "summary"), "; cross-validated in 3 folds: "));
    assert_true(spn_record_number(&record, "train_loss") == spn_record_number(&all, "train_loss"));
    assert_true(isnan(spn_record_number(&all, "cv_accuracy")));
    spn_dataset_free(train);
    spn_dataset_free(test);
    spn_record_clear(&record);
    spn_record_clear(&all);
    spn_job_clear(&job);
    spn_job_clear(&plain);
}

/* A run that is stopped in its folds goes on to the same results. */
static void test_folds_stop(void **state)
{
    const char *const texts[] = {"data",   "digits", "preset", "paper", "steps", "3000",
                                 "subset", "500",    "folds",  "4",     NULL};
    spn_job job = spn_test_job("train", 2, texts);
    spn_test_stops(state, &job);
    spn_job_clear(&job);
}

/* A checkpoint of other settings is refused. */
static void test_other_checkpoint(void **state)
{
    spn_error err = {0};
    const char *const texts[] = {SMALL, NULL};
    spn_record record;
    spn_outcome outcome;
    spn_job job = spn_test_job("train", 1, texts);
    spn_run run = {.checkpoint = spn_scratch_path(state, "checkpoint")};
    assert_ok(spn_inputs_create(&run.inputs, NULL, &err), err);
    assert_ok(spn_job_run(&record, &outcome, &job, &run, &err), err);
    spn_record_clear(&record);
    assert_ok(spn_job_set(&job, "threads", "2", &err), err); /* changes nothing */
    assert_ok(spn_job_run(&record, &outcome, &job, &run, &err), err);
    assert_int_equal(outcome.resumed_step, 20000);
    spn_record_clear(&record);
    assert_ok(spn_job_set(&job, "validation", "0.1", &err), err);
    const spn_status status = spn_job_run(&record, &outcome, &job, &run, &err);
    assert_error(status, &err, SPN_ERROR_INPUT,
                 "another run: its validation is nothing, here it is ", "0.1");
    spn_record_clear(&record);
    spn_inputs_free(run.inputs);
    spn_job_clear(&job);
}

/* So is one that was made with another instruction set. */
static void test_other_instructions(void **state)
{
    spn_error err = {0};
    const char *const texts[] = {SMALL, NULL};
    spn_record record;
    spn_outcome outcome;
    spn_checkpoint saved;
    spn_job job = spn_test_job("train", 1, texts);
    spn_run run = {.checkpoint = spn_scratch_path(state, "checkpoint")};
    assert_ok(spn_inputs_create(&run.inputs, NULL, &err), err);
    assert_ok(spn_job_run(&record, &outcome, &job, &run, &err), err);
    assert_string_equal(record.instructions, spn_instruction_set());
    assert_string_equal(record.version, spn_version());
    spn_record_clear(&record);
    assert_ok(spn_checkpoint_read(&saved, run.checkpoint, &err), err);
    char *name = strstr(saved.settings, spn_instruction_set());
    assert_non_null(name);
    name[0] = 'A';
    assert_ok(spn_checkpoint_write(&saved, run.checkpoint, &err), err);
    spn_checkpoint_clear(&saved);
    assert_error(spn_job_run(&record, &outcome, &job, &run, &err), &err, SPN_ERROR_INPUT,
                 "made with the instruction set \"A", spn_instruction_set() + 1);
    spn_record_clear(&record);
    spn_inputs_free(run.inputs);
    spn_job_clear(&job);
}

/* All settings of chains are training's, too: a target is a loss. */
static void test_target(void **state)
{
    (void)state;
    const char *const texts[] = {SMALL, "target", "1.5",    "target-by",
                                 "any", "order",  "random", NULL};
    spn_job job = spn_test_job("train", 1, texts);
    spn_record record = spn_test_run_job(&job, NULL);
    assert_string_equal(spn_record_text(&record, "stop"), "target");
    assert_true(spn_record_number(&record, "steps_done") < 20000);
    assert_true(spn_record_number(&record, "best_train_loss") <= 1.5);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

static void test_refused(void **state)
{
    (void)state;
    const struct {
        const char *texts[3], *part;
    } bad[] = {
        {{"replicas", "256"}, "replicas: '256' is not a whole number from 1 to 255"},
        {{"kernel", "twostage"}, "kernel: there is no 'twostage'; did you mean two-stage?"},
        {{"preset", "papre"}, "preset: there is no 'papre'; did you mean paper?"},
        {{"data", "minst"}, "data: 'minst' is neither a file nor a data set; did you mean mnist?"},
        {{"data", "qqqqqqqq"}, "data: 'qqqqqqqq' is neither a file nor a data set (digits, "},
        {{"beta", "5:"}, "beta: "},
        {{"schedule", "linera"}, "schedule: "},
        {{"steps", "0"}, "steps: '0' is not a whole number of 1 or more"},
        {{"subset", "1347"}, "subset: 1347 samples are more than there are (1346)"},
        {{"validation", "1"}, "validation: '1' is not a number"},
        {{"test-fraction", "0.2"}, "test-fraction: is for data without a test set"},
        {{"folds", "1347"}, "folds: 1346 samples cannot be cut into 1347 folds"},
        {{"test", "x.csv"}, "test: needs a file"},
        {{"scaling", "5"}, "scaling: '5' is not none"},
        {{"logit-scale", "-1"}, "logit-scale: '-1' is not"},
        {{"gama", "1"}, "unknown setting 'gama' of train; did you mean gamma?"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        spn_test_refused("train", bad[k].texts, NULL, SPN_ERROR_ARGUMENT, bad[k].part, "");
    const char *const absent[] = {"data", "no/where.csv", NULL};
    spn_test_refused("train", absent, NULL, SPN_ERROR_IO, "data: no/where.csv: ", "");
    const char *const start[] = {"init", "given", NULL};
    spn_test_refused("train", start, NULL, SPN_ERROR_IO,
                     "init: given: ", "(give same, independent or a file of states)");
    const char *const input[] = {"data", "-", NULL};
    spn_test_refused("train", input, "/tmp/sweep.yaml", SPN_ERROR_ARGUMENT,
                     "data: the standard input cannot be read for every run", "");
}

static const char samples[] = "1,2,a\n3,4,b\n2,1,a\n4,4,b\n2,2,a\n4,3,b\n";

/* Files of the user's own: what a record says, and what is missing. */
static void test_files(void **state)
{
    spn_error err = {0};
    void *plan;
    spn_record resolved = {0};
    spn_run run = {0};
    spn_scratch_text(state, "d.csv", samples);
    const char *const texts[] = {"data", "d.csv", "header", "no", "steps", "50", NULL};
    spn_job job = spn_test_job("train", 1, texts);
    assert_ok(spn_inputs_create(&run.inputs, spn_scratch_path(state, "sweep.yaml"), &err), err);
    assert_ok(spn_job_plan(&plan, &job, run.inputs, &err), err);
    assert_ok(spn_job_resolve(&resolved, &job, plan, &err), err);
    assert_string_equal(spn_record_setting(&resolved, "format"), "auto");
    assert_string_equal(spn_record_setting(&resolved, "scaling"), "feature");
    assert_string_equal(spn_record_setting(&resolved, "logit-scale"), "2.8/sqrtD");
    assert_non_null(spn_result_needs(job.task, plan, "test_loss"));
    assert_non_null(spn_result_needs(job.task, plan, "best_validation_accuracy"));
    assert_non_null(spn_result_needs(job.task, plan, "flips.accuracy"));
    assert_null(spn_result_needs(job.task, plan, "train_loss"));
    assert_true(job.task->cost(plan, 0).proposals == 150);
    spn_job_plan_free(job.task, plan);
    spn_record_clear(&resolved);
    spn_record record = spn_test_run_job(&job, &run);
    assert_true(isnan(spn_record_number(&record, "test_loss")));
    assert_true(spn_record_number(&record, "train_loss") >= 0);
    spn_record_clear(&record);
    spn_job_clear(&job);
    spn_inputs_free(run.inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_same_as_training),
        scratch_test(test_stop_and_resume),
        scratch_test(test_folds),
        scratch_test(test_folds_stop),
        scratch_test(test_other_checkpoint),
        scratch_test(test_other_instructions),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_refused),
        scratch_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
