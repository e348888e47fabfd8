/* The task `eval`. */
#include "support/jobs.h"
#include "support/models.h"
#include "support/schedules.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/robustness.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>

/* A model trained for a moment, written to a file; forget: without its losses in training. */
static const char *write_model(void **state, bool forget)
{
    spn_error err = {0};
    spn_train_options options = spn_train_defaults();
    spn_chain_options chain = spn_chain_defaults();
    spn_train_data data = spn_train_data_defaults();
    spn_train_result *result;
    spn_dataset *train, *test;
    const char *path = spn_scratch_path(state, forget ? "forgot.spn" : "model.spn");
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    data.train = train;
    data.test = test;
    options.subset = 200;
    chain.beta = spn_test_exponential(100, 100000);
    chain.steps = 3000;
    assert_ok(spn_train_run(&result, &options, &chain, NULL, &data, &err), err);
    if (forget) {
        spn_model *old = result->model;
        spn_model_arrays arrays = spn_model_arrays_defaults();
        arrays.classes = spn_model_classes(old);
        arrays.features = spn_model_features(old);
        arrays.replicas = spn_model_replicas(old);
        arrays.class_names = spn_model_class_names(old);
        arrays.preprocess = spn_model_preprocess(old);
        arrays.scaling = spn_model_scaling(old);
        arrays.logit_scale = spn_model_logit_scale(old);
        arrays.weights = spn_test_weights(old, 0);
        assert_ok(spn_model_create(&result->model, &arrays, &err), err);
        spn_model_free(old);
    }
    assert_ok(spn_model_write(result->model, path, &err), err);
    spn_train_result_free(result);
    spn_dataset_free(train);
    spn_dataset_free(test);
    return path;
}

enum { HIDDEN = 20, INPUTS = 64, UNITS = HIDDEN * (INPUTS + 1), SITES = UNITS + 10 * HIDDEN };

/* A network of random weights on the digits in bits. */
static const char *write_network(void **state)
{
    const double losses[] = {3, 1, 2};
    int8_t weights[3 * SITES];
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_preprocess how = {.kind = SPN_PREPROCESS_BINARY, .scale = 1, .threshold = 7};
    spn_model_arrays arrays = spn_model_arrays_defaults();
    const char *path = spn_scratch_path(state, "network.spn");
    spn_error err = {0};
    spn_model *model;
    spn_random_spins(&random, weights, sizeof weights);
    arrays.classes = 10;
    arrays.features = INPUTS;
    arrays.replicas = 3;
    arrays.preprocess = &how;
    arrays.logit_scale = 0.1;
    arrays.weights = weights;
    arrays.train_losses = losses;
    arrays.hidden = HIDDEN;
    arrays.hidden_bias = 1;
    assert_ok(spn_model_create(&model, &arrays, &err), err);
    assert_ok(spn_model_write(model, path, &err), err);
    spn_model_free(model);
    return path;
}

/* The record agrees with evaluations and flips through the library. */
static void test_eval(void **state)
{
    spn_error err = {0};
    const char *path = write_model(state, false);
    const char *const texts[] = {"model", path,     "data", "digits", "flip",
                                 "0,0.1", "trials", "30",   NULL};
    spn_job job = spn_test_job("eval", 1, texts);
    const spn_run run = {.details = true};
    spn_record record = spn_test_run_job(&job, &run);
    spn_dataset *train, *test;
    spn_model *m;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    assert_ok(spn_model_read(&m, path, &err), err);
    double loss = 0, accuracy = 0;
    spn_softmax_model classifier = spn_model_classifier(m, spn_test_weights(m, 0));
    spn_robustness flips;
    spn_robustness_options options = spn_robustness_defaults();
    options.trials = 30;
    options.seed = record.seed;
    assert_ok(spn_robustness_measure(&flips, &classifier, 3, test, 0.1, &options, &err), err);
    uint64_t first[100], sum = 0; /* threes of the best replica taken for fives */
    const spn_result_curve *confusion = spn_record_curve(&record, "confusion");
    const spn_result_curve *replicas = spn_record_curve(&record, "replicas");
    const size_t best = (size_t)spn_record_number(&record, "best_replica") - 1;
    for (size_t a = 0; a < 3; a++) {
        spn_softmax_scores scores;
        spn_softmax_details details = spn_softmax_details_defaults();
        details.confusion = first;
        classifier.weights = spn_test_weights(m, a);
        assert_ok(spn_softmax_evaluate(&scores, &classifier, test, &details, &err), err);
        loss += scores.loss / 3;
        accuracy += scores.accuracy / 3;
        assert_true(replicas->values[0][a] == scores.loss);
        assert_true(spn_model_train_losses(m)[a] >= spn_model_train_losses(m)[best]);
        if (a == best)
            sum = first[3 * 10 + 5];
        if (a == best)
            assert_true(spn_record_number(&record, "best_accuracy") == scores.accuracy);
    }
    assert_true(spn_record_number(&record, "loss") == loss);
    assert_true(spn_record_number(&record, "accuracy") == accuracy);
    assert_true(spn_record_number(&record, "centre_accuracy") > 0.3);
    assert_int_equal(confusion->rows, 10);
    assert_true(confusion->values[5][3] == (double)sum);
    const spn_result_curve *curve = spn_record_curve(&record, "flips");
    assert_true(curve->values[1][1] == flips.mean && curve->values[2][1] == flips.low);
    spn_model_free(m);
    spn_dataset_free(train);
    spn_dataset_free(test);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

/* The accuracy at flips of none is that of the weights that were chosen. */
static void test_replica(void **state)
{
    const char *path = write_model(state, false);
    const struct {
        const char *replica, *result;
    } cases[] = {{"all", "accuracy"}, {"best", "best_accuracy"}, {"centre", "centre_accuracy"}};
    for (size_t k = 0; k < 3; k++) {
        const char *const texts[] = {"model", path, "data",    "digits",         "part", "train",
                                     "flip",  "0",  "replica", cases[k].replica, NULL};
        spn_job job = spn_test_job("eval", 1, texts);
        spn_record record = spn_test_run_job(&job, NULL);
        assert_near(spn_record_curve(&record, "flips")->values[1][0],
                    spn_record_number(&record, cases[k].result), 1e-12);
        spn_record_clear(&record);
        spn_job_clear(&job);
    }
}

/* A model that does not say which replica was best. */
static void test_no_losses(void **state)
{
    const char *const texts[] = {"model", write_model(state, true), "data", "digits", NULL};
    spn_job job = spn_test_job("eval", 1, texts);
    spn_record record = spn_test_run_job(&job, NULL);
    assert_true(isnan(spn_record_number(&record, "best_accuracy")));
    assert_true(spn_record_number(&record, "centre_accuracy") > 0.3);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

/* The curve `certified` is what the library says of these weights; options: of the random flips. */
static void check_certified(const spn_record *record, spn_softmax_model model, size_t replicas,
                            const spn_dataset *test, const char *layer,
                            spn_robustness_options options)
{
    const spn_result_curve *curve = spn_record_curve(record, "certified");
    const size_t samples = spn_dataset_samples(test), one = spn_softmax_model_sites(&model);
    const double votes = model.votes > 1 ? (double)model.votes : 1;
    const double sites = votes * (double)(options.count ? options.count : one);
    uint32_t *least = malloc(2 * samples * sizeof *least);
    const int layers = layer[0] == 'h'   ? SPN_LAYERS_HIDDEN
                       : layer[0] == 'o' ? SPN_LAYERS_OUTPUT
                                         : SPN_LAYERS_ALL;
    spn_robustness flips;
    spn_error err = {0};
    options.mode = SPN_FLIP_EXACT;
    options.trials = 100;
    assert_ok(spn_robustness_measure(&flips, &model, replicas, test, 5 / sites, &options, &err),
              err);
    assert_int_equal(curve->rows, 6);
    assert_true(curve->values[0][2] == 5 && curve->values[1][2] == flips.mean);
    assert_true(curve->values[2][2] == flips.low && curve->values[3][2] == flips.high);
    double withstand = 0;
    for (size_t a = 0; a < replicas; a++, model.weights += one) {
        assert_ok(spn_certify(least, least + samples, &model, test, (spn_layers)layers, &err), err);
        for (size_t n = 0; n < samples; n++)
            withstand += least[n] > 5 && least[samples + n] == spn_dataset_labels(test)[n];
    }
    assert_near(curve->values[4][2], withstand / (double)(replicas * samples), 1e-12);
    for (size_t k = 0; k < 6; k++)
        assert_true(curve->values[4][k] <= curve->values[3][k]);
    free(least);
}

/* Replicas, centre and vote of a network, and flips of a layer of a replica and of the vote, as the
   library gives them. */
static void test_network(void **state)
{
    const char *path = write_network(state);
    spn_error err = {0};
    spn_dataset *train, *test;
    spn_model *m;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    assert_ok(spn_model_read(&m, path, &err), err);
    assert_ok(spn_model_prepare(&test, m, &err), err);
    spn_softmax_model vote = spn_model_classifier(m, spn_test_weights(m, 0));
    vote.votes = 3;
    spn_softmax_scores scores;
    assert_ok(spn_softmax_evaluate(&scores, &vote, test, NULL, &err), err);
    static const struct {
        const char *replica, *layer;
        size_t replicas, votes, first, count;
    } cases[] = {{"all", "all", 3, 0, 0, 0},
                 {"all", "hidden", 3, 0, 0, UNITS},
                 {"vote", "all", 1, 3, 0, 0},
                 {"vote", "output", 1, 3, UNITS, 10 * HIDDEN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const texts[] = {
            "model",      path,           "data",    "digits",  "flip",
            "0,0.2",      "trials",       "30",      "replica", cases[k].replica,
            "flip-layer", cases[k].layer, "certify", "true",    NULL};
        spn_job job = spn_test_job("eval", 1, texts);
        const spn_run run = {.details = true};
        spn_record record = spn_test_run_job(&job, &run);
        assert_true(spn_record_number(&record, "vote_loss") == scores.loss);
        assert_true(spn_record_number(&record, "vote_accuracy") == scores.accuracy);
        assert_true(spn_record_number(&record, "bits") == SITES);
        assert_true(spn_record_number(&record, "vote_bytes") == ceil(3 * SITES / 8.0));
        assert_true(spn_record_number(&record, "best_replica") == 2);
        spn_robustness_options options = spn_robustness_defaults();
        spn_robustness flips;
        options.trials = 30;
        options.seed = record.seed;
        options.first = cases[k].first;
        options.count = cases[k].count;
        vote.votes = cases[k].votes;
        assert_ok(
            spn_robustness_measure(&flips, &vote, cases[k].replicas, test, 0.2, &options, &err),
            err);
        const spn_result_curve *curve = spn_record_curve(&record, "flips");
        assert_true(curve->values[1][1] == flips.mean && curve->values[2][1] == flips.low);
        assert_near(curve->values[1][0],
                    spn_record_number(&record, cases[k].votes ? "vote_accuracy" : "accuracy"),
                    1e-12);
        check_certified(&record, vote, cases[k].replicas, test, cases[k].layer, options);
        spn_record_clear(&record);
        spn_job_clear(&job);
    }
    spn_model_free(m);
    spn_dataset_free(train);
    spn_dataset_free(test);
}

static void test_network_refused(void **state)
{
    const char *network = write_network(state), *linear = write_model(state, false);
    const struct {
        const char *texts[11];
        const char *part;
    } bad[] = {{{"model", linear, "data", "digits", "replica", "vote", "flip", "0.1"},
                "replica: only networks vote, and"},
               {{"model", linear, "data", "digits", "flip-layer", "output", "flip", "0.1"},
                "is a linear classifier, which has one layer: only all will do"},
               {{"model", network, "data", "digits", "flip-layer", "hidden"},
                "flip-layer: needs `flip` or `certify`"},
               {{"model", network, "data", "digits", "replica", "4", "flip", "0.1"},
                "replica: '4' is not all, best, centre, vote, or a number from 1 to 3"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        spn_test_refused("eval", bad[k].texts, NULL, SPN_ERROR_ARGUMENT, bad[k].part, "");
}

static void test_refused(void **state)
{
    const char *path = write_model(state, false);
    const char *narrow = spn_scratch_text(state, "narrow.csv", "1,2,a\n3,4,b\n");
    const struct {
        const char *texts[9];
        spn_status status;
        const char *part;
    } bad[] = {
        {{"data", "digits"}, SPN_ERROR_ARGUMENT, "model: is needed"},
        {{"model", path}, SPN_ERROR_ARGUMENT, "data: is needed"},
        {{"model", "no.spn", "data", "digits"}, SPN_ERROR_IO, "model: no.spn"},
        {{"model", path, "data", narrow}, SPN_ERROR_INPUT, "data: "},
        {{"model", path, "data", "minst"}, SPN_ERROR_ARGUMENT, "did you mean mnist?"},
        {{"model", path, "test", narrow, "data", "digits"},
         SPN_ERROR_ARGUMENT,
         "test: give this or `data`, not both"},
        {{"model", path, "data", narrow, "part", "test"},
         SPN_ERROR_ARGUMENT,
         "part: needs a data set known by name"},
        {{"model", path, "data", "digits", "replica", "4", "flip", "0.1"},
         SPN_ERROR_ARGUMENT,
         "replica: '4' is not all, best, centre, or a number from 1 to 3"},
        {{"model", path, "data", "digits", "fault-model", "rows"},
         SPN_ERROR_ARGUMENT,
         "fault-model: needs `flip`"},
        {{"model", path, "data", "digits", "flip", "0.1", "fault-model", "stuck"},
         SPN_ERROR_ARGUMENT,
         "fault-model: 'stuck' is not flips, stuck-0, stuck-1, rows or asymmetric:p01,p10 with"},
        {{"model", path, "data", "digits", "trials", "5", "flip", "0.1"},
         SPN_ERROR_ARGUMENT,
         "trials: 5 trials are fewer than two for each of the 3"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        spn_test_refused("eval", bad[k].texts, NULL, bad[k].status, bad[k].part, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_eval),
        scratch_test(test_replica),
        scratch_test(test_no_losses),
        scratch_test(test_network),
        scratch_test(test_network_refused),
        scratch_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
