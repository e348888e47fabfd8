/* NPZ files, and arrays of every type, as numpy wrote them (numpy/make.py). */
#include "data/dataset.h"
#include "data/read/cells.h"
#include "data/read/npy_header.h"
#include "data/read/zip.h"
#include "support/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path_of(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/unit/numpy/%s", SPN_TESTS, name);
    return path;
}

/* The value k of the type that a name starts with. */
static double expected(const char *name, size_t k)
{
    const double value = (double)k;
    if (name[0] == 'b')
        return fmod(value, 2);
    if (name[0] == 'f')
        return (value - 3) / 4;
    return name[0] == 'i' ? value - 3 : value + ldexp(1, 8 * (name[1] - '0') - 1);
}

static void test_types(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_source file, array;
    spn_zip zip;
    spn_npy npy;
    assert_ok(spn_source_load(&file, path_of("types.npz"), 1 << 20, &err), err);
    assert_ok(spn_zip_open(&zip, &file, &err), err);
    assert_int_equal(zip.count, 12 * 4);
    for (size_t a = 0; a < zip.count; a++) {
        const char *name = zip.members[a].name;
        assert_ok(spn_zip_load(&array, &zip, &zip.members[a], name, 1 << 20, &err), err);
        assert_ok(spn_npy_read(&npy, &array, &err), err);
        assert_int_equal(spn_npy_features(&npy), 3);
        assert_int_equal(npy.fortran_order, strstr(name, "fortran") != NULL);
        for (size_t k = 0; k < 6; k++)
            assert_true(spn_npy_number(&npy, spn_npy_place(&npy, k / 3, k % 3)) ==
                        expected(name, k));
        spn_source_unload(&array);
    }
    spn_zip_free(&zip);
    spn_source_unload(&file);
}

static spn_dataset *read_array(const char *name, spn_read_options options)
{
    spn_error err = {0};
    spn_dataset *d;
    assert_ok(spn_dataset_read(&d, path_of(name), NULL, &options, &err), err);
    return d;
}

static void test_halves_and_channels(void **state)
{
    (void)state;
    spn_read_options options = spn_read_defaults();
    options.labels = SPN_LABELS_NONE;
    spn_dataset *d = read_array("halves.npy", options);
    assert_true(d->values[0] == ldexp(1, -24) && d->values[1] == 65504);
    assert_true(d->values[2] == ldexp(1, -14) && d->values[3] == 0.333251953125);
    spn_dataset_free(d);
    d = read_array("channels.npy", options);
    assert_int_equal(d->features, 15);
    assert_int_equal(d->height, 3);
    assert_int_equal(d->width, 5);
    for (size_t k = 0; k < 30; k++)
        assert_int_equal(d->bytes[k], 100 * (k / 15) + 10 * (k % 15 / 5) + k % 5);
    spn_dataset_free(d);
}

static void test_labels(void **state)
{
    static const struct {
        const char *array, *names[2];
        uint32_t labels[3];
    } cases[] = {
        {"text", {"ash", "Öl"}, {0, 1, 0}},   {"text_big", {"ash", "Öl"}, {0, 1, 0}},
        {"bytes", {"ash", "oak"}, {0, 1, 0}}, {"bool", {"False", "True"}, {1, 0, 1}},
        {"float", {"-2", "1"}, {1, 0, 1}},    {"u8", {"18446744073709551615", "7"}, {0, 1, 1}},
        {"i2", {"-5", "5"}, {0, 1, 1}}};
    spn_error err = {0};
    spn_source file, array;
    spn_zip zip;
    assert_ok(spn_source_load(&file, path_of("labels.npz"), 1 << 20, &err), err);
    assert_ok(spn_zip_open(&zip, &file, &err), err);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char name[64], samples[4096];
        size_t a = 0;
        snprintf(name, sizeof name, "%s.npy", cases[c].array);
        while (strcmp(zip.members[a].name, name) != 0)
            assert_true(++a < zip.count);
        assert_ok(spn_zip_load(&array, &zip, &zip.members[a], name, 1 << 20, &err), err);
        const char *labels = spn_scratch_write(state, name, array.data, array.size);
        snprintf(samples, sizeof samples, "%s", path_of("single.npz"));
        spn_dataset *d;
        assert_ok(spn_dataset_read(&d, samples, labels, NULL, &err), err);
        assert_int_equal(d->classes, 2);
        assert_string_equal(d->class_names[0], cases[c].names[0]);
        assert_string_equal(d->class_names[1], cases[c].names[1]);
        assert_memory_equal(d->labels, cases[c].labels, sizeof cases[c].labels);
        spn_dataset_free(d);
        spn_source_unload(&array);
    }
    spn_zip_free(&zip);
    spn_source_unload(&file);
}

static void test_parts(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_dataset *train, *test;
    assert_ok(spn_dataset_read_parts(&train, &test, path_of("parts.npz"), NULL, NULL, &err), err);
    assert_int_equal(train->samples, 3);
    assert_int_equal(test->samples, 1);
    assert_true(spn_dataset_value(test, 0, 1) == 12 && test->classes == 2);
    spn_dataset_free(train);
    spn_dataset_free(test);
    spn_read_options options = spn_read_defaults();
    options.part = SPN_DATA_TEST;
    options.single_class = true;
    test = read_array("parts.npz", options);
    assert_int_equal(test->samples, 1);
    spn_dataset_free(test);
    /* a file without a test part is read as it is */
    options.single_class = false;
    test = read_array("named.npz", options);
    assert_int_equal(test->samples, 3);
    spn_dataset_free(test);
    assert_ok(spn_dataset_read_parts(&train, &test, path_of("named.npz"), NULL, NULL, &err), err);
    assert_null(test);
    spn_dataset_free(train);
}

static void test_names_and_shapes(void **state)
{
    (void)state;
    static const char *const files[] = {"parts.npz", "named.npz", "positional.npz"};
    static const uint8_t samples[] = {1, 2, 3, 4, 5, 6};
    static const uint32_t labels[] = {0, 1, 1};
    spn_error err = {0};
    for (size_t k = 0; k < 3; k++) {
        spn_dataset *d = read_array(files[k], spn_read_defaults());
        assert_memory_equal(d->bytes, samples, sizeof samples);
        assert_memory_equal(d->labels, labels, sizeof labels);
        spn_dataset_free(d);
    }
    spn_dataset *d;
    assert_error(spn_dataset_read(&d, path_of("single.npz"), NULL, NULL, &err), &err,
                 SPN_ERROR_INPUT, "single.npz", "(labels)");
    assert_error(spn_dataset_read(&d, path_of("unclear.npz"), NULL, NULL, &err), &err,
                 SPN_ERROR_INPUT, "unclear.npz: holds a.npy, b.npy, c.npy", "expected x_train");
    assert_error(spn_dataset_read(&d, path_of("labels.npz"), NULL, NULL, &err), &err,
                 SPN_ERROR_INPUT, "labels.npz", "expected x_train");
}

static void test_missing(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_dataset *d;
    assert_error(spn_dataset_read(&d, path_of("gaps.npz"), NULL, NULL, &err), &err, SPN_ERROR_INPUT,
                 "gaps.npz: X.npy", "feature 0 of sample 1 is not finite; 1 missing value");
    spn_read_options options = spn_read_defaults();
    options.missing = SPN_MISSING_ZERO;
    d = read_array("gaps.npz", options);
    assert_true(spn_dataset_value(d, 1, 0) == 0 && spn_dataset_missing(d) == 0);
    spn_dataset_free(d);
    options.missing = SPN_MISSING_MEAN;
    d = read_array("gaps.npz", options);
    assert_int_equal(spn_dataset_missing(d), 1);
    double means[2];
    spn_columns *columns;
    assert_ok(spn_dataset_means(means, d, &err), err);
    assert_true(means[0] == 3 && means[1] == 4);
    assert_ok(spn_columns_copy(&columns, spn_dataset_columns(d), means, &err), err);
    spn_dataset_free(d);
    options.columns = columns;
    d = read_array("gaps.npz", options);
    assert_true(spn_dataset_value(d, 1, 0) == 3 && spn_dataset_missing(d) == 0);
    spn_dataset_free(d);
    spn_columns_free(columns);
}

/* A file that is cut short is refused; one with a changed byte, too, or it reads the same: dates
   and the like are not looked at. */
static void test_damaged(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_source file;
    spn_dataset *d;
    const spn_read_options options = {.size = sizeof options, .format = SPN_FORMAT_NPZ};
    assert_ok(spn_source_load(&file, path_of("named.npz"), 1 << 20, &err), err);
    assert_ok(spn_dataset_parse(&d, &file, NULL, &options, &err), err);
    const uint64_t sum = spn_dataset_checksum(d);
    spn_dataset_free(d);
    uint8_t *copy = malloc(file.size);
    assert_non_null(copy);
    for (size_t k = 0; k < file.size; k++) {
        const spn_source cut = {.name = "cut", .data = copy, .size = k};
        const spn_source changed = {.name = "changed", .data = copy, .size = file.size};
        memcpy(copy, file.data, file.size);
        assert_int_equal(spn_dataset_parse(&d, &cut, NULL, &options, &err), SPN_ERROR_INPUT);
        copy[k] ^= 0xff;
        if (spn_dataset_parse(&d, &changed, NULL, &options, &err) == SPN_OK)
            assert_true(spn_dataset_checksum(d) == sum);
        spn_dataset_free(d);
    }
    free(copy);
    spn_source_unload(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_types),
        scratch_test(test_halves_and_channels),
        scratch_test(test_labels),
        scratch_test(test_parts),
        scratch_test(test_names_and_shapes),
        scratch_test(test_missing),
        scratch_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
