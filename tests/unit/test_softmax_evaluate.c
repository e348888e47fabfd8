/* The scores of softmax classifiers: dot products of every instruction set against plain C, the
   fast count of right predictions against the full evaluation, and the evaluation against the
   energy. */
#include "support/images.h"
#include "support/test.h"

#include "base/memory.h"
#include "energy/softmax/softmax.h"
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that end exactly where the data end, so that a sanitizer sees any read beyond. */
static void test_dots(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 31, 32, 33, 64, 784, 2049, 4128};
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++) {
        if (isa > spn_cpu_isa()) {
            print_message("[ SKIPPED ] %s: not on this machine\n", spn_isa_name(isa));
            continue;
        }
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
            enum { ROWS = 5, CLASSES = 13 };
            const size_t features = lengths[j], apart = (features / 32 + 1) * 32;
            uint8_t *rows = malloc(ROWS * features);
            int8_t *weights = spn_alloc(CLASSES, apart);
            int32_t got[ROWS * CLASSES], expected[ROWS * CLASSES];
            assert_non_null(rows);
            assert_non_null(weights);
            for (size_t i = 0; i < ROWS * features; i++) /* the first row at the limit */
                rows[i] = (uint8_t)(i < features ? 255 : spn_random_below(&random, 256));
            for (size_t k = 0; k < CLASSES; k++) {
                spn_random_spins(&random, weights + k * apart, features);
                if (k < 2)
                    memset(weights + k * apart, k ? -1 : 1, features);
            }
            spn_softmax_portable.dots(expected, rows, ROWS, features, weights, apart, CLASSES);
            spn_softmax_select(isa)->dots(got, rows, ROWS, features, weights, apart, CLASSES);
            assert_int_equal(expected[0], (int)(255 * features));
            assert_memory_equal(got, expected, sizeof got);
            free(rows);
            free(weights);
        }
    }
}

static void agree(const spn_dataset *data, const spn_scaling *scaling, double logit_scale)
{
    const size_t sites = data->classes * data->features;
    int8_t *weights = spn_alloc(sites, 1);
    uint32_t *predictions = spn_alloc(data->samples, sizeof *predictions);
    double *probabilities = spn_alloc(data->samples * data->classes, sizeof *probabilities);
    uint64_t *confusion = spn_alloc(data->classes * data->classes, sizeof *confusion);
    const spn_softmax_details details = {.size = sizeof details,
                                         .confusion = confusion,
                                         .predictions = predictions,
                                         .probabilities = probabilities};
    const spn_softmax_model model = {
        .size = sizeof model, weights, data->classes, data->features, scaling, logit_scale};
    spn_random random = spn_random_make(4, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    spn_energy *energy;
    assert_true(weights && predictions && probabilities && confusion);
    assert_ok(spn_softmax_create(&energy, data, scaling, logit_scale, &err), err);
    for (int trial = 0; trial < 20; trial++) {
        spn_softmax_scores scores;
        size_t correct, right = 0, on_diagonal = 0;
        uint64_t counted = 0;
        spn_random_spins(&random, weights, sites);
        assert_ok(spn_softmax_evaluate(&scores, &model, data, &details, &err), err);
        assert_ok(spn_softmax_correct(&correct, &model, data, &err), err);
        for (size_t n = 0; n < data->samples; n++)
            right += predictions[n] == data->labels[n];
        for (uint32_t k = 0; k < data->classes; k++)
            on_diagonal += confusion[k * data->classes + k];
        for (size_t c = 0; c < data->classes * data->classes; c++)
            counted += confusion[c];
        assert_int_equal(correct, scores.correct);
        assert_int_equal(correct, right);
        assert_int_equal(correct, on_diagonal);
        assert_int_equal(counted, data->samples);
        assert_near(scores.accuracy, (double)correct / (double)data->samples, 0);
        assert_near(scores.loss, spn_energy_value(energy, weights), 1e-10 * (1 + scores.loss));
        double total = 0;
        for (uint32_t k = 0; k < data->classes; k++)
            total += probabilities[k];
        assert_near(total, 1, 1e-14);
        assert_true(probabilities[predictions[0]] >= 1.0 / data->classes);
    }
    spn_energy_free(energy);
    free(weights);
    free(predictions);
    free(probabilities);
    free(confusion);
}

static void test_scores(void **state)
{
    (void)state;
    spn_dataset *bytes = spn_test_images(333, 70, 10, 30);
    spn_dataset *values = spn_test_images_as_values(bytes);
    spn_scaling *scaling = spn_test_scaling(70);
    agree(bytes, scaling, 1.0);
    agree(values, scaling, 1.0);
    agree(bytes, scaling, 0.1);
    for (size_t i = 0; i < 70; i++)
        scaling->shift[i] = (double)i;
    agree(bytes, scaling, 1.0);
    for (size_t i = 0; i < 70; i++)
        scaling->scale[i] = 30 + (double)i;
    agree(bytes, scaling, 1.0);
    spn_scaling_free(scaling);
    spn_dataset_free(values);
    spn_dataset_free(bytes);
}

/* Among equal logits the lowest class; data without labels have predictions but no scores. */
static void test_ties_and_labels(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(4, 3, 2, 31);
    spn_scaling *scaling = spn_test_scaling(3);
    const int8_t weights[6] = {1, -1, 1, 1, -1, 1};
    const spn_softmax_model model = {.size = sizeof model, weights, 2, 3, scaling, 1.0};
    uint32_t predictions[4] = {9, 9, 9, 9};
    const spn_softmax_details details = {.size = sizeof details, .predictions = predictions};
    spn_softmax_scores scores;
    spn_error err = {0};
    size_t correct;
    uint32_t *labels = data->labels;
    data->labels = NULL;
    assert_ok(spn_softmax_evaluate(&scores, &model, data, &details, &err), err);
    for (int n = 0; n < 4; n++)
        assert_int_equal(predictions[n], 0);
    assert_true(isnan(scores.loss) && isnan(scores.accuracy));
    assert_int_equal(spn_softmax_correct(&correct, &model, data, &err), SPN_ERROR_ARGUMENT);
    data->labels = labels;
    data->labels[3] = 2;
    assert_int_equal(spn_softmax_correct(&correct, &model, data, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "softmax: sample 3 has label 2, the model has classes 0 to 1");
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* One feature of plus or minus x and two classes whose logits are that: half of the samples lose
   log 2 each, whatever the size of x; the others 2x, or nothing. */
static void test_large_logits(void **state)
{
    (void)state;
    static const double sizes[] = {1e3, 1e10, 1e15, 1e18, 1e300};
    for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
        const double values[] = {sizes[j], sizes[j], -sizes[j], -sizes[j]};
        const uint32_t labels[] = {0, 0, 1, 1};
        const double zero = 0, one = 1;
        const int8_t same[] = {1, 1}, apart[] = {1, -1};
        spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
        arrays.samples = 4;
        arrays.features = 1;
        arrays.values = values;
        arrays.labels = labels;
        arrays.classes = 2;
        spn_dataset *data;
        spn_scaling *scaling;
        spn_softmax_scores scores;
        spn_error err = {0};
        assert_ok(spn_dataset_create(&data, &arrays, &err), err);
        assert_ok(spn_scaling_create(&scaling, 1, &zero, &one, &err), err);
        spn_softmax_model model = {.size = sizeof model, same, 2, 1, scaling, 1.0};
        assert_ok(spn_softmax_evaluate(&scores, &model, data, NULL, &err), err);
        assert_near(scores.loss, log(2), 1e-12);
        model.weights = apart;
        assert_ok(spn_softmax_evaluate(&scores, &model, data, NULL, &err), err);
        assert_true(scores.loss == 0 && scores.accuracy == 1);
        spn_energy *energy;
        spn_status status = spn_softmax_create(&energy, data, scaling, 1.0, &err);
        if (sizes[j] <= 1e8)
            assert_near(spn_softmax_reference(energy, same), log(2), 1e-12);
        else
            assert_true(status == SPN_ERROR_ARGUMENT && strstr(err.text, "check the scaling"));
        spn_energy_free(energy);
        spn_scaling_free(scaling);
        spn_dataset_free(data);
    }
}

/* Balanced accuracy, macro F1 and the majority, by hand: labels 0 0 0 1 1 2 of four classes, of
   which the last never occurs; predictions 0 0 1 1 1 0. */
static void test_scores_of_classes(void **state)
{
    (void)state;
    static const double values[] = {1, 1, -1, -1, -1, 1};
    static const uint32_t labels[] = {0, 0, 0, 1, 1, 2};
    static const int8_t weights[] = {1,  1, 1, /* class 0: x + 2, by its bias */
                                     -1, 1, 1, -1, -1, -1, 1, -1, -1};
    const double zero = 0, one = 1, class_weights[] = {1, 2, 4, 1};
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = 6;
    arrays.features = 1;
    arrays.values = values;
    arrays.labels = labels;
    arrays.classes = 4;
    spn_dataset *data;
    spn_scaling *scaling;
    spn_softmax_scores scores, weighted;
    spn_error err = {0};
    uint32_t predictions[6];
    double probabilities[24];
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    assert_ok(spn_scaling_create(&scaling, 1, &zero, &one, &err), err);
    spn_softmax_model model = {.size = sizeof model,
                               .weights = weights,
                               .classes = 4,
                               .features = 1,
                               .scaling = scaling,
                               .logit_scale = 0.5,
                               .bias = 2};
    spn_softmax_details details = {
        .size = sizeof details, .predictions = predictions, .probabilities = probabilities};
    assert_ok(spn_softmax_evaluate(&scores, &model, data, &details, &err), err);
    assert_memory_equal(predictions, ((const uint32_t[]){0, 0, 1, 1, 1, 0}), sizeof predictions);
    assert_near(probabilities[0], exp(1.5) / (exp(1.5) + exp(0.5) + exp(-1.5) + exp(-0.5)), 1e-15);
    assert_near(scores.accuracy, 4.0 / 6, 1e-15);
    assert_near(scores.balanced_accuracy, (2.0 / 3 + 1 + 0) / 3, 1e-15);
    assert_near(scores.macro_f1, (4.0 / 6 + 4.0 / 5 + 0) / 3, 1e-15);
    assert_near(scores.majority_accuracy, 0.5, 1e-15);
    details.class_weights = class_weights;
    assert_ok(spn_softmax_evaluate(&weighted, &model, data, &details, &err), err);
    double loss = 0;
    for (size_t n = 0; n < 6; n++)
        loss -= class_weights[labels[n]] * log(probabilities[4 * n + labels[n]]) / 11;
    assert_near(weighted.loss, loss, 1e-14);
    assert_true(weighted.accuracy == scores.accuracy);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_ties_and_labels),
        cmocka_unit_test(test_large_logits),
        cmocka_unit_test(test_scores_of_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
