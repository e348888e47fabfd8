/* Thermometers: their thresholds by hand, and what they make of data. */
#include "data/dataset.h"
#include "support/test.h"

#include <math.h>
#include <spinney/encoding.h>
#include <spinney/random.h>
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

/* The thresholds of one feature of these values. */
static void expect(const double *values, size_t samples, size_t levels, const double *thresholds,
                   size_t count)
{
    spn_error err = {0};
    spn_encoding *e;
    spn_dataset *data = table(values, samples, 1);
    assert_ok(spn_encoding_fit(&e, levels, data, &err), err);
    assert_int_equal(spn_encoding_features(e), 1);
    assert_int_equal(spn_encoding_inputs(e), count);
    for (size_t j = 0; j < count; j++)
        assert_true(spn_encoding_thresholds(e)[j] == thresholds[j]);
    spn_encoding_free(e);
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
    assert_int_equal(spn_encoding_inputs(e), LEVELS);
    for (size_t j = 0; j < LEVELS; j++) {
        size_t below = 0;
        for (size_t n = 0; n < SAMPLES; n++)
            below += values[n] <= spn_encoding_thresholds(e)[j];
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
    assert_int_equal(spn_encoding_inputs(e), 3);
    assert_memory_equal(spn_encoding_starts(e), ((const size_t[]){0, 2, 2, 3}), 4 * sizeof(size_t));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
