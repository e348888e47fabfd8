/* Predictions of models in memory are those that preparing and evaluating give; packed models are
   the bytes of their files. */
#include "model/model.h"
#include "support/images.h"
#include "support/models.h"
#include "support/scratch.h"
#include "support/test.h"

#include <math.h>
#include <spinney/encoding.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 60, FEATURES = 9, CLASSES = 4 };

static spn_dataset *make_samples(void)
{
    spn_dataset *images = spn_test_images(SAMPLES, FEATURES, CLASSES, 3), *out;
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_error err = {0};
    arrays.samples = SAMPLES;
    arrays.features = FEATURES;
    arrays.bytes = images->bytes;
    arrays.labels = images->labels;
    arrays.classes = CLASSES;
    assert_ok(spn_dataset_create(&out, &arrays, &err), err);
    spn_dataset_free(images);
    return out;
}

/* As the command predict does it; and from weights as bits as from weights as bytes. */
static void compare(const spn_model *model, size_t first, size_t votes)
{
    const int8_t *weights = spn_test_weights(model, first);
    spn_dataset *samples = make_samples(), *prepared = make_samples();
    uint32_t classes[SAMPLES], expected[SAMPLES];
    double shares[SAMPLES * CLASSES], expected_shares[SAMPLES * CLASSES];
    spn_error err = {0};
    assert_ok(spn_model_prepare(&prepared, model, &err), err);
    spn_softmax_model classifier = spn_model_classifier(model, weights);
    classifier.votes = votes;
    spn_softmax_details details = spn_softmax_details_defaults();
    details.ignore_labels = true;
    details.predictions = expected;
    details.probabilities = expected_shares;
    spn_softmax_scores scores;
    assert_ok(spn_softmax_evaluate(&scores, &classifier, prepared, &details, &err), err);
    assert_ok(spn_model_predict(classes, shares, model, weights, votes, samples, &err), err);
    assert_memory_equal(classes, expected, sizeof classes);
    assert_memory_equal(shares, expected_shares, sizeof shares);
    memset(classes, 0, sizeof classes);
    memset(shares, 0, sizeof shares);
    classifier = spn_model_replica(model, first, votes);
    details.predictions = classes;
    details.probabilities = shares;
    assert_null(classifier.weights);
    assert_ok(spn_softmax_evaluate(&scores, &classifier, prepared, &details, &err), err);
    assert_memory_equal(classes, expected, sizeof classes);
    assert_memory_equal(shares, expected_shares, sizeof shares);
    memset(classes, 0, sizeof classes);
    assert_ok(spn_model_predict(classes, NULL, model, weights, votes, samples, &err), err);
    assert_memory_equal(classes, expected, sizeof classes);
    spn_dataset_free(samples);
    spn_dataset_free(prepared);
}

static void predictions_are_those_of_the_command(void **state)
{
    (void)state;
    spn_model *linear = spn_test_model(CLASSES, FEATURES, 3, 1);
    spn_model *network = spn_test_network(CLASSES, FEATURES, 6, 3, 2);
    spn_model *encoded = spn_test_model(CLASSES, 3 * FEATURES, 1, 4);
    spn_error err = {0};
    assert_ok(spn_encoding_copies(&encoded->encoding, FEATURES, 3, &err), err);
    encoded->features = FEATURES;
    for (size_t a = 0; a < 3; a++) {
        compare(linear, a, 1);
        compare(network, a, 1);
    }
    compare(network, 0, 3);
    compare(encoded, 0, 1);
    for (size_t i = 0; i < FEATURES; i++) /* one scale, so that the sums are of whole numbers */
        linear->scaling->scale[i] = 2;
    compare(linear, 2, 1);
    spn_model_free(linear);
    spn_model_free(network);
    spn_model_free(encoded);
}

static void what_cannot_be_predicted_is_refused(void **state)
{
    (void)state;
    spn_model *narrow = spn_test_model(CLASSES, FEATURES - 1, 2, 1);
    spn_model *model = spn_test_model(CLASSES, FEATURES, 2, 1);
    spn_dataset *samples = make_samples();
    uint32_t classes[SAMPLES];
    spn_error err = {0};
    assert_int_equal(
        spn_model_predict(classes, NULL, narrow, spn_test_weights(narrow, 0), 1, samples, &err),
        SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "the model has 8 features, the samples 9");
    assert_int_equal(
        spn_model_predict(classes, NULL, model, spn_test_weights(model, 0), 2, samples, &err),
        SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "this model is linear"));
    assert_int_equal(
        spn_model_predict(classes, NULL, model, spn_test_weights(model, 0), 0, samples, &err),
        SPN_ERROR_ARGUMENT);
    spn_dataset_free(samples);
    spn_model_free(narrow);
    spn_model_free(model);
}

static void packed_models_are_their_files(void **state)
{
    spn_model *model = spn_test_network(CLASSES, FEATURES, 6, 3, 2), *again;
    const char *path = spn_scratch_path(state, "model.spn");
    uint8_t *bytes, file_bytes[1 << 14];
    size_t size;
    spn_error err = {0};
    assert_ok(spn_model_pack(&bytes, &size, model, &err), err);
    assert_ok(spn_model_write(model, path, &err), err);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(file_bytes, 1, sizeof file_bytes, file), size);
    fclose(file);
    assert_memory_equal(file_bytes, bytes, size);
    assert_ok(spn_model_parse(&again, bytes, size, "memory", &err), err);
    assert_memory_equal(spn_test_weights(again, 0), spn_test_weights(model, 0),
                        3 * spn_model_sites(model));
    spn_free(bytes);
    spn_model_free(model);
    spn_model_free(again);
}

static void the_best_replica_has_the_lowest_loss(void **state)
{
    (void)state;
    spn_model *model = spn_test_model(2, 3, 4, 1);
    const double losses[] = {0.5, 0.25, 0.75, 0.25};
    memcpy(model->train_losses, losses, sizeof losses);
    assert_int_equal(spn_model_best(model), 1);
    free(model->train_losses);
    model->train_losses = NULL;
    assert_int_equal(spn_model_best(model), 0);
    spn_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_those_of_the_command),
        cmocka_unit_test(what_cannot_be_predicted_is_refused),
        scratch_test(packed_models_are_their_files),
        cmocka_unit_test(the_best_replica_has_the_lowest_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
