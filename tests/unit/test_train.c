/* Training through the library: results, sets, and chains that were stopped and went on. */
#include "support/digits.h"
#include "support/models.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40000 };

static spn_chain_options chain_options(void)
{
    spn_chain_options options = spn_chain_defaults();
    options.beta = spn_test_exponential(1000, 300000);
    options.steps = STEPS;
    return options;
}

static spn_train_options options(void)
{
    spn_train_options o = spn_train_defaults();
    o.logit_scale = 2.8;
    o.logit_scale_by_root = true;
    return o;
}

static spn_train_result *train(const spn_train_options *o, const spn_chain_options *chain)
{
    spn_error err = {0};
    spn_train_result *result;
    const spn_train_data data = spn_test_digits();
    assert_ok(spn_train_run(&result, o, chain, NULL, &data, &err), err);
    return result;
}

static void test_result(void **state)
{
    (void)state;
    const spn_train_options o = options();
    const spn_chain_options chain = chain_options();
    spn_train_result *result = train(&o, &chain);
    assert_int_equal(result->stop, SPN_STOP_STEPS);
    assert_int_equal(result->steps, STEPS);
    assert_int_equal(result->replicas, 3);
    assert_true(result->mean->test_accuracy > 0.85);
    assert_true(isnan(result->mean->validation_loss));
    double loss = 0, least = INFINITY;
    for (size_t a = 0; a < 3; a++) {
        loss += result->replica[a]->train_loss / 3;
        least = fmin(least, result->replica[a]->train_loss);
        assert_true(spn_model_train_losses(result->model)[a] == result->replica[a]->train_loss);
    }
    assert_near(result->mean->train_loss, loss, 1e-12);
    assert_true(result->replica[result->best]->train_loss == least);
    assert_int_equal(spn_model_replicas(result->model), 3);
    assert_int_equal(spn_model_width(result->model), 8);
    assert_near(spn_model_logit_scale(result->model), 2.8 / 8, 1e-15);
    assert_string_equal(spn_model_manifest(result->model), "{}");
    spn_train_result_free(result);
}

static void test_sets(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_training *training;
    spn_train_options o = options();
    const spn_train_data data = spn_test_digits();
    const spn_preprocess binary = {.kind = SPN_PREPROCESS_BINARY, .threshold = 7};
    o.validation = 0.2;
    o.subset = 300;
    o.preprocess = &binary;
    assert_ok(spn_training_create(&training, &o, &data, &err), err);
    assert_int_equal(spn_dataset_samples(spn_training_set(training, SPN_SET_TRAIN)), 300);
    assert_int_equal(spn_dataset_samples(spn_training_set(training, SPN_SET_VALIDATION)), 269);
    const spn_dataset *test = spn_training_set(training, SPN_SET_TEST);
    assert_int_equal(spn_dataset_samples(test), 451);
    for (size_t i = 0; i < 64; i++)
        assert_true(spn_dataset_bytes(test)[i] ==
                    (spn_dataset_value(spn_test_digits().test, 0, i) > 7));
    assert_int_equal(spn_energy_sites(spn_training_energy(training)), 640);
    spn_training_free(training);

    o.test_fraction = 0.5; /* but there is a test set */
    assert_int_equal(spn_training_create(&training, &o, &data, &err), SPN_ERROR_ARGUMENT);
    assert_null(training);
    o = options();
    o.validation = 1;
    assert_int_equal(spn_training_create(&training, &o, &data, &err), SPN_ERROR_ARGUMENT);
    o = options();
    o.size = 0;
    assert_int_equal(spn_training_create(&training, &o, &data, &err), SPN_ERROR_ARGUMENT);
}

/* A chain of one's own, saved and loaded, ends with the same scores as spn_train_run. */
static void test_own_chain(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_train_options o = options();
    spn_chain_options whole = chain_options(), part = whole;
    spn_train_result *expected = train(&o, &whole), *found;
    const spn_train_data data = spn_test_digits();
    spn_training *training;
    spn_sampler *chain;
    spn_snapshot snapshot;
    spn_stop stop;
    volatile sig_atomic_t now = 1;
    assert_ok(spn_training_create(&training, &o, &data, &err), err);
    spn_until until = spn_until_defaults();
    until.stop = &now;
    assert_ok(spn_chain_create(&chain, spn_training_energy(training), &part, &err), err);
    assert_ok(spn_sampler_run(&stop, chain, &until, &err), err);
    assert_int_equal(stop, SPN_STOP_REQUEST);
    now = 0;
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    spn_chain_snapshot(&snapshot, chain);
    assert_ok(spn_training_finish(&found, training, &snapshot, stop, &err), err);
    assert_true(found->mean->train_loss == expected->mean->train_loss);
    assert_true(found->centre->test_loss == expected->centre->test_loss);
    assert_true(found->overlap == expected->overlap && found->best == expected->best);
    assert_memory_equal(spn_test_weights(found->model, 0), spn_test_weights(expected->model, 0),
                        3 * 640);
    spn_train_result_free(found);
    /* one that was interrupted leaves the best weights that it met */
    assert_ok(spn_training_finish(&found, training, &snapshot, SPN_STOP_REQUEST, &err), err);
    assert_memory_equal(spn_test_weights(found->model, 0), snapshot.best_spins, 3 * 640);
    spn_train_result_free(found);
    snapshot.sites = 639;
    assert_int_equal(spn_training_finish(&found, training, &snapshot, stop, &err),
                     SPN_ERROR_ARGUMENT);
    spn_sampler_free(chain);
    spn_training_free(training);
    spn_train_result_free(expected);
}

static void test_logit_scale(void **state)
{
    (void)state;
    spn_error err = {0};
    double scale = 0;
    bool by_root = false;
    static const char *const bad[] = {"0", "-1", "1/sqrt", "inf", "nan", "", "/sqrtD", "1 ", "0x1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(spn_train_logit_scale(&scale, &by_root, bad[k], &err), SPN_ERROR_ARGUMENT);
    assert_ok(spn_train_logit_scale(&scale, &by_root, "2.5/sqrtD", &err), err);
    assert_true(by_root && scale == 2.5);
    assert_ok(spn_train_logit_scale(&scale, &by_root, "1e-3", &err), err);
    assert_true(!by_root && scale == 1e-3);
}

/* A table with classes of 8, 1 and 1 parts in 10, whose features have units of their own. */
static spn_dataset *uneven_table(void)
{
    enum { SAMPLES = 400, FEATURES = 5 };
    static double values[SAMPLES * FEATURES];
    static uint32_t labels[SAMPLES];
    spn_random random = spn_random_make(9, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    spn_dataset *data;
    for (size_t n = 0; n < SAMPLES; n++) {
        labels[n] = n % 10 < 8 ? 0 : n % 10 == 8 ? 1 : 2;
        for (size_t i = 0; i < FEATURES; i++)
            values[n * FEATURES + i] =
                pow(10, (double)i - 2) * (spn_random_uniform(&random) + (labels[n] == 1 && i < 2) +
                                          (labels[n] == 2 && i > 2));
    }
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = SAMPLES;
    arrays.features = FEATURES;
    arrays.values = values;
    arrays.labels = labels;
    arrays.classes = 3;
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    return data;
}

static spn_train_result *train_table(const spn_train_options *o, const spn_dataset *table)
{
    spn_error err = {0};
    spn_train_result *result;
    spn_train_data data = spn_train_data_defaults();
    spn_chain_options chain = chain_options();
    data.train = table;
    chain.beta = spn_test_exponential(10, 3000);
    assert_ok(spn_train_run(&result, o, &chain, NULL, &data, &err), err);
    return result;
}

/* With every switch: the sizes, the model evaluated again on stored samples, and whether it helps.
 */
static void test_switches(void **state)
{
    (void)state;
    spn_dataset *table = uneven_table();
    double bare = 0;
    for (int c = 0; c < 8; c++) {
        spn_train_options o = options();
        o.bias = c & 1 ? 6 : 0;
        o.balance = c & 2;
        o.thermometer = c & 4 ? 6 : 0;
        o.test_fraction = 0.25;
        size_t inputs;
        spn_error err = {0};
        spn_train_data data = spn_train_data_defaults();
        data.train = table;
        assert_ok(spn_train_inputs(&inputs, &o, &data, &err), err);
        spn_train_result *r = train_table(&o, table);
        const spn_model *m = r->model;
        assert_int_equal(inputs, o.thermometer ? 30 : 5);
        assert_int_equal(spn_model_row(m), inputs + o.bias);
        assert_int_equal(spn_model_features(m), 5);
        assert_int_equal(!spn_model_encoding(m), !o.thermometer);
        const spn_train_score *best = r->replica[r->best];
        assert_true(best->test_majority_accuracy == 0.8);
        if (c == 0)
            bare = best->test_balanced_accuracy;
        if (c == 7)
            assert_true(best->test_balanced_accuracy > fmax(bare, 0.9));
        spn_dataset *stored;
        spn_softmax_scores again;
        const spn_softmax_model classifier = spn_model_classifier(m, spn_test_weights(m, r->best));
        assert_ok(spn_dataset_first(&stored, table, 400, &err), err);
        assert_ok(spn_model_prepare(&stored, m, &err), err);
        assert_ok(spn_softmax_evaluate(&again, &classifier, stored, NULL, &err), err);
        assert_near(again.accuracy, 0.75 * best->train_accuracy + 0.25 * best->test_accuracy,
                    1e-12);
        spn_dataset_free(stored);
        spn_train_result_free(r);
    }
    spn_dataset_free(table);
}

/* The loss of a balanced training is the energy: that of its best replica is what evaluation with
   the weights of the classes gives. */
static void test_balanced_loss(void **state)
{
    (void)state;
    spn_dataset *table = uneven_table();
    spn_train_options o = options();
    spn_error err = {0};
    double weights[3];
    o.balance = true;
    o.bias = 2;
    spn_train_result *r = train_table(&o, table);
    const spn_softmax_model classifier =
        spn_model_classifier(r->model, spn_test_weights(r->model, r->best));
    spn_softmax_details details = spn_softmax_details_defaults();
    spn_softmax_scores scores;
    assert_ok(spn_softmax_balance(weights, table, &err), err);
    assert_near(weights[0], 400 / (3 * 320.0), 1e-15);
    assert_near(weights[2], 400 / (3 * 40.0), 1e-14);
    details.class_weights = weights;
    assert_ok(spn_softmax_evaluate(&scores, &classifier, table, &details, &err), err);
    assert_true(scores.loss == r->replica[r->best]->train_loss);
    spn_train_result_free(r);
    spn_dataset_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switches),  cmocka_unit_test(test_balanced_loss),
        cmocka_unit_test(test_result),    cmocka_unit_test(test_sets),
        cmocka_unit_test(test_own_chain), cmocka_unit_test(test_logit_scale),
    };
    return cmocka_run_group_tests(tests, spn_test_open_digits, spn_test_close_digits);
}
