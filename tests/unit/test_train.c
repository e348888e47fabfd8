/* Training through the library: results, parts, presets, and runs that were stopped and resumed. */
#include "model/model.h"
#include "support/test.h"

#include <math.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 40000 };

static spn_dataset *train_part, *test_part;

static int open_data(void **state)
{
    (void)state;
    spn_error err = {0};
    return spn_dataset_open(&train_part, &test_part, "digits", &err) != SPN_OK;
}

static int close_data(void **state)
{
    (void)state;
    spn_dataset_free(train_part);
    spn_dataset_free(test_part);
    return 0;
}

static spn_train_data digits(void)
{
    return (spn_train_data){.size = sizeof(spn_train_data), "digits", train_part, test_part};
}

static spn_train_options accurate(void)
{
    spn_error err = {0};
    spn_train_options options;
    assert_ok(spn_train_options_preset(&options, "accurate", "digits", &err), err);
    options.chain.steps = STEPS;
    return options;
}

static spn_train_result train(const spn_train_options *options)
{
    spn_error err = {0};
    spn_train_result result;
    const spn_train_data data = digits();
    assert_ok(spn_train_run(&result, options, &data, &err), err);
    return result;
}

static void test_result(void **state)
{
    (void)state;
    spn_train_options options = accurate();
    spn_train_result result = train(&options);
    assert_int_equal(result.stop, SPN_STOP_STEPS);
    assert_int_equal(result.replicas, 3);
    assert_int_equal(result.proposals, 3 * STEPS);
    assert_true(result.mean.test_accuracy > 0.85);
    assert_true(result.mean.validation_loss != result.mean.validation_loss); /* NaN */
    double loss = 0, least = INFINITY;
    for (size_t a = 0; a < 3; a++) {
        loss += result.replica[a].train_loss / 3;
        least = fmin(least, result.replica[a].train_loss);
    }
    assert_near(result.mean.train_loss, loss, 1e-12);
    assert_true(result.replica[result.best].train_loss == least);
    assert_int_equal(result.model->replicas, 3);
    assert_int_equal(result.model->width, 8);
    assert_non_null(strstr(result.model->manifest, "\"seed\": 1"));
    spn_train_result_clear(&result);
}

static void test_parts(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_train_options options = accurate();
    options.chain.steps = 100;
    options.validation = 0.2;
    options.subset = 300;
    options.preprocess = (spn_preprocess){.kind = SPN_PREPROCESS_BINARY, .threshold = 7};
    spn_train_result result = train(&options);
    assert_int_equal(result.train_samples, 300);
    assert_int_equal(result.validation_samples, 269);
    assert_int_equal(result.test_samples, 451);
    assert_true(result.mean.validation_accuracy >= 0);
    spn_train_result_clear(&result);

    const spn_train_data data = digits();
    options.test_fraction = 0.5; /* but there is a test part */
    assert_int_equal(spn_train_run(&result, &options, &data, &err), SPN_ERROR_ARGUMENT);
    spn_train_result_clear(&result);
    options = accurate();
    options.chain.patience = 5;
    assert_int_equal(spn_train_run(&result, &options, &data, &err), SPN_ERROR_ARGUMENT);
    spn_train_result_clear(&result);
}

/* An observer that asks for a stop at a step. */
typedef struct stopper {
    uint64_t step, seen;
    volatile sig_atomic_t stop;
} stopper;

static spn_status watch(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    (void)err;
    stopper *s = context;
    s->seen++;
    s->stop = snapshot->step >= s->step;
    return SPN_OK;
}

static void test_resume(void **state)
{
    (void)state;
    spn_error err = {0};
    char path[] = "/tmp/spinney-train-XXXXXX";
    close(mkstemp(path));
    unlink(path);
    spn_train_options options = accurate();
    spn_train_result whole = train(&options);
    stopper stop = {.step = 20000};
    options.checkpoint = path;
    options.chain.observer = watch;
    options.chain.observer_context = &stop;
    options.chain.observe_every = 1000;
    options.chain.stop = &stop.stop;
    spn_train_result part = train(&options);
    assert_int_equal(part.stop, SPN_STOP_REQUEST);
    assert_int_equal(part.saved_step, 2 * SPN_SAVE_STEPS);
    assert_true(stop.seen >= 20);
    spn_train_result_clear(&part);

    stop = (stopper){.step = UINT64_MAX};
    spn_train_result rest = train(&options);
    assert_int_equal(rest.resumed_step, 2 * SPN_SAVE_STEPS);
    assert_string_equal(rest.model->manifest, whole.model->manifest);
    assert_memory_equal(rest.model->weights, whole.model->weights, 3 * 640);

    assert_int_equal(access(path, F_OK), 0);
    assert_ok(spn_train_finish(&rest, &options, &err), err);
    assert_int_not_equal(access(path, F_OK), 0);
    spn_train_result_clear(&rest);
    spn_train_result_clear(&whole);
}

static void test_presets(void **state)
{
    (void)state;
    spn_error err = {0};
    for (const spn_train_preset *p = spn_train_presets(); p->name; p++) {
        spn_train_options options;
        assert_ok(spn_train_options_preset(&options, p->name, "mnist", &err), err);
        assert_int_equal(options.preprocess.kind, SPN_PREPROCESS_GIVEN);
        spn_train_options_clear(&options);
    }
    spn_train_options options;
    assert_int_equal(spn_train_options_preset(&options, "none", "mnist", &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_train_logit_scale(&options, "0", &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_train_logit_scale(&options, "1/sqrt", &err), SPN_ERROR_ARGUMENT);
    assert_ok(spn_train_logit_scale(&options, "2.5/sqrtD", &err), err);
    assert_true(options.logit_scale_by_root && options.logit_scale == 2.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_presets),
    };
    return cmocka_run_group_tests(tests, open_data, close_data);
}
