/* Thermometers: their thresholds by hand, and what they make of data. Copies, which are stored
   once: the same as data that hold them. */
#include "data/dataset.h"
#include "support/test.h"

#include <math.h>
#include <spinney/encoding.h>
#include <spinney/energies.h>
#include <spinney/energy.h>
#include <spinney/random.h>
#include <spinney/softmax.h>
#include <stdlib.h>
#include <string.h>

static spn_dataset *table(const double *values, size_t samples, size_t features)
{
    spn_error err = {0};
    spn_dataset *data;
    uint32_t *labels = calloc(samples, sizeof *labels);
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    assert_non_null(labels);
    labels[samples - 1] = 1;
    arrays.samples = samples;
    arrays.features = features;
    arrays.values = values;
    arrays.labels = labels;
    arrays.classes = 2;
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    free(labels);
    return data;
}

typedef spn_status fitted(spn_encoding **out, size_t levels, const spn_dataset *train,
                          spn_error *err);

/* The thresholds of one feature of these values. */
static void expect_of(fitted *fit, const double *values, size_t samples, size_t levels,
                      const double *thresholds, size_t count)
{
    spn_error err = {0};
    spn_encoding *e;
    spn_dataset *data = table(values, samples, 1);
    assert_ok(fit(&e, levels, data, &err), err);
    assert_int_equal(e->features, 1);
    assert_int_equal(e->inputs, count);
    for (size_t j = 0; j < count; j++)
        assert_true(e->thresholds[j] == thresholds[j]);
    spn_encoding_free(e);
    spn_dataset_free(data);
}

static void expect(const double *values, size_t samples, size_t levels, const double *thresholds,
                   size_t count)
{
    expect_of(spn_encoding_fit, values, samples, levels, thresholds, count);
}

static void test_steps(void **state)
{
    (void)state;
    const double next = nextafter(1, 2), far = 0x1p1023;
    fitted *fit = spn_encoding_fit_steps;
    expect_of(fit, (const double[]){8, 0, 8, 0}, 4, 4, (const double[]){1, 3, 5, 7}, 4);
    const double values[32] = {-4, 4}; /* of deviation 1 */
    expect_of(fit, values, 32, 2, (const double[]){-1.25, 1.25}, 2);
    expect_of(fit, (const double[]){1, next}, 2, 4, (const double[]){1}, 1);
    expect_of(fit, (const double[]){-far, far}, 2, 2, (const double[]){-far / 2, far / 2}, 2);
    spn_error err = {0};
    spn_encoding *e;
    spn_dataset *data = table((const double[]){3, 3}, 2, 1);
    assert_int_equal(fit(&e, 4, data, &err), SPN_ERROR_INPUT);
    assert_null(e);
    spn_dataset_free(data);
}

static void test_thresholds(void **state)
{
    (void)state;
    /* few values: a threshold between each two, so a binary feature has one, however rare a 1 is */
    expect((const double[]){0, 0, 0, 0, 0, 0, 0, 1}, 8, 5, (const double[]){0.5}, 1);
    expect((const double[]){3, 1, 2, 2, 7}, 5, 3, (const double[]){1.5, 2.5, 5}, 3);
    /* many: equal shares of the samples */
    expect((const double[]){8, 7, 6, 5, 4, 3, 2, 1}, 8, 3, (const double[]){2.5, 4.5, 6.5}, 3);
    expect((const double[]){8, 7, 6, 5, 4, 3, 2, 1}, 8, 1, (const double[]){4.5}, 1);
    /* ties: the nearest step, each once. Steps are after 6, 7 and 8 of 9 samples; shares 3 and 6 */
    expect((const double[]){0, 0, 0, 0, 0, 0, 1, 2, 3}, 9, 2, (const double[]){0.5}, 1);
    /* neighbours in double precision still differ */
    const double next = nextafter(1, 2);
    expect((const double[]){1, next}, 2, 4, (const double[]){1}, 1);
    expect((const double[]){-1.7e308, 1.7e308}, 2, 1, (const double[]){0}, 1);
}

/* Against the definition: shares of the samples below the thresholds, on random data. */
static void test_shares(void **state)
{
    (void)state;
    enum { SAMPLES = 1000, LEVELS = 9 };
    static double values[SAMPLES];
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    spn_encoding *e;
    for (size_t n = 0; n < SAMPLES; n++)
        values[n] = spn_random_uniform(&random);
    spn_dataset *data = table(values, SAMPLES, 1);
    assert_ok(spn_encoding_fit(&e, LEVELS, data, &err), err);
    assert_int_equal(e->inputs, LEVELS);
    for (size_t j = 0; j < LEVELS; j++) {
        size_t below = 0;
        for (size_t n = 0; n < SAMPLES; n++)
            below += values[n] <= e->thresholds[j];
        assert_int_equal(below, 100 * (j + 1));
    }
    spn_encoding_free(e);
    spn_dataset_free(data);
}

static void test_apply(void **state)
{
    (void)state;
    /* the second feature is constant, the third binary */
    static const double values[] = {1, 5, 0, 2, 5, 1, 3, 5, 0};
    static const double others[] = {2.2, -9, 0.5, -INFINITY, 0, 0.51};
    static const uint8_t expected[] = {1, 0, 0, 0, 0, 1};
    spn_error err = {0};
    spn_encoding *e;
    spn_dataset *data = table(values, 3, 3), *encoded;
    assert_ok(spn_encoding_fit(&e, 2, data, &err), err);
    assert_int_equal(e->inputs, 3);
    assert_memory_equal(e->start, ((const size_t[]){0, 2, 2, 3}), 4 * sizeof(size_t));
    spn_dataset more = {.samples = 2, .features = 3, .values = (double *)others};
    assert_ok(spn_encoding_apply(&encoded, e, &more, &err), err);
    assert_memory_equal(encoded->bytes, expected, sizeof expected);
    assert_null(encoded->labels);
    spn_dataset_free(encoded);
    assert_ok(spn_encoding_apply(&encoded, e, data, &err), err);
    assert_memory_equal(encoded->labels, data->labels, 3 * sizeof *data->labels);
    assert_string_equal(encoded->class_names[1], "1");
    spn_dataset_free(encoded);
    more.features = 2;
    assert_int_equal(spn_encoding_apply(&encoded, e, &more, &err), SPN_ERROR_ARGUMENT);
    assert_null(encoded);
    spn_encoding_free(e);
    spn_dataset_free(data);
}

static void test_refused(void **state)
{
    (void)state;
    static const double same[] = {4, 4, 4};
    spn_error err = {0};
    spn_encoding *e;
    spn_dataset *data = table(same, 3, 1);
    assert_int_equal(spn_encoding_fit(&e, 0, data, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_encoding_fit(&e, 256, data, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_encoding_fit(&e, 3, data, &err), SPN_ERROR_INPUT);
    assert_non_null(strstr(err.text, "every feature is constant"));
    assert_null(e);
    const uint32_t counts[] = {2, 0};
    assert_int_equal(spn_encoding_create(&e, 2, counts, (const double[]){1, 1}, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_encoding_create(&e, 2, counts, (const double[]){1, NAN}, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_encoding_create(&e, 1, counts + 1, NULL, &err), SPN_ERROR_ARGUMENT);
    assert_ok(spn_encoding_create(&e, 2, counts, (const double[]){1, 2}, &err), err);
    spn_encoding_free(e);
    spn_encoding_free(NULL);
    spn_dataset_free(data);
}

/* ---- copies ---- */

enum { SAMPLES = 70, FEATURES = 3, COPIES = 5, INPUTS = FEATURES * COPIES };

/* Cells as they are, or each of them COPIES times; of three classes. */
static spn_dataset *cells_of(const double *cells, size_t copies)
{
    static double values[SAMPLES * INPUTS];
    uint32_t labels[SAMPLES];
    spn_error err = {0};
    spn_dataset *data;
    for (size_t k = 0; k < (size_t)SAMPLES * FEATURES * copies; k++)
        values[k] = cells[k / copies];
    for (size_t n = 0; n < SAMPLES; n++)
        labels[n] = (uint32_t)(n % 3);
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = SAMPLES;
    arrays.features = FEATURES * copies;
    arrays.values = values;
    arrays.labels = labels;
    arrays.classes = 3;
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    return data;
}

/* Energies, their changes, and scores, to the last bit. */
static void assert_same_classifiers(const spn_dataset *a, const spn_dataset *b)
{
    enum { BIAS = 2, SITES = 3 * (INPUTS + BIAS) };
    const spn_dataset *const data[] = {a, b};
    const spn_preprocess each = {.kind = SPN_PREPROCESS_FEATURE};
    double energy[2], change[2];
    spn_softmax_scores scores[2];
    int8_t spins[SITES];
    spn_random random = spn_random_make(4, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&random, spins, SITES);
    for (size_t k = 0; k < 2; k++) {
        spn_error err = {0};
        spn_scaling *scaling;
        spn_energy *made;
        spn_preprocess how = each;
        assert_ok(spn_preprocess_fit(&scaling, &how, data[k], &err), err);
        spn_softmax_options o = spn_softmax_options_defaults();
        o.logit_scale = 0.3;
        o.bias = BIAS;
        assert_ok(spn_softmax_create_as(&made, data[k], scaling, &o, &err), err);
        energy[k] = spn_energy_value(made, spins);
        change[k] = 0;
        for (size_t i = 0; i < SITES; i++) {
            spins[i] = (int8_t)-spins[i];
            change[k] += (double)(i + 1) * spn_energy_value(made, spins);
            spins[i] = (int8_t)-spins[i];
        }
        spn_softmax_model model = spn_softmax_model_defaults();
        model.classes = 3;
        model.features = INPUTS;
        model.bias = BIAS;
        model.weights = spins;
        model.scaling = scaling;
        model.logit_scale = 0.3;
        assert_ok(spn_softmax_evaluate(&scores[k], &model, data[k], NULL, &err), err);
        spn_energy_free(made);
        spn_scaling_free(scaling);
    }
    assert_true(energy[0] == energy[1] && change[0] == change[1]);
    assert_true(scores[0].loss == scores[1].loss && scores[0].correct == scores[1].correct);
}

static void assert_same_cells(const spn_dataset *a, const spn_dataset *b)
{
    const size_t cells = (size_t)SAMPLES * INPUTS;
    assert_int_equal(spn_dataset_features(a), INPUTS);
    assert_int_equal(spn_dataset_features(b), INPUTS);
    assert_int_equal(!spn_dataset_bytes(a), !spn_dataset_bytes(b));
    for (size_t n = 0; n < SAMPLES; n++)
        for (size_t i = 0; i < INPUTS; i++)
            assert_true(spn_dataset_value(a, n, i) == spn_dataset_value(b, n, i));
    if (spn_dataset_bytes(a))
        assert_memory_equal(spn_dataset_bytes(a), spn_dataset_bytes(b), cells);
    else
        assert_memory_equal(spn_dataset_values(a), spn_dataset_values(b), cells * sizeof(double));
    assert_true(spn_dataset_checksum(a) == spn_dataset_checksum(b));
}

/* Real numbers, and bytes: counted copies are stored ones, in all that is made of them. */
static void test_copies(void **state)
{
    (void)state;
    spn_random random = spn_random_make(6, 0, 0, SPN_PURPOSE_USER);
    for (size_t real = 0; real < 2; real++) {
        double cells[SAMPLES * FEATURES];
        spn_error err = {0};
        spn_encoding *e;
        spn_dataset *counted, *part, *binary, *stored_binary;
        for (size_t k = 0; k < (size_t)SAMPLES * FEATURES; k++)
            cells[k] = spn_random_below(&random, 200) + (real ? 0.37 : 0);
        spn_dataset *plain = cells_of(cells, 1), *stored = cells_of(cells, COPIES);
        assert_ok(spn_encoding_copies(&e, FEATURES, COPIES, &err), err);
        assert_ok(spn_encoding_apply(&counted, e, plain, &err), err);
        assert_same_classifiers(counted, stored);
        assert_same_cells(counted, stored);
        assert_ok(spn_dataset_first(&part, counted, SAMPLES, &err), err);
        assert_same_cells(part, stored);
        assert_ok(spn_dataset_binarise(&binary, counted, 90, &err), err);
        assert_ok(spn_dataset_binarise(&stored_binary, stored, 90, &err), err);
        assert_same_cells(binary, stored_binary);
        spn_dataset *const made[] = {plain, stored, counted, part, binary, stored_binary};
        for (size_t k = 0; k < sizeof made / sizeof *made; k++)
            spn_dataset_free(made[k]);
        spn_encoding_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thresholds), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_shares),     cmocka_unit_test(test_apply),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
