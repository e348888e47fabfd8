/* Data sets known by name. */
#include "data/dataset.h"
#include "support/scratch.h"

#include <spinney/dataset.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_digits(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_dataset *train, *test;
    assert_ok(spn_dataset_open(&train, &test, "digits", &err), err);
    assert_int_equal(train->samples, 1346);
    assert_int_equal(test->samples, 451);
    assert_int_equal(train->features, 64);
    assert_int_equal(train->width, 8);
    assert_int_equal(train->height, 8);
    assert_int_equal(train->classes, 10);
    assert_string_equal(train->class_names[7], "7");
    size_t count[10] = {0};
    for (size_t n = 0; n < test->samples; n++)
        count[test->labels[n]]++;
    for (size_t k = 0; k < 10; k++)
        assert_in_range(count[k], 43, 46);
    for (size_t k = 0; k < train->samples * 64; k++)
        assert_true(train->bytes[k] <= 16);
    /* the split is fixed: published figures depend on it */
    assert_int_equal(spn_dataset_checksum(train), UINT64_C(0x612d813bd788f0ba));
    spn_dataset_free(test);
    spn_dataset_free(train);
    assert_ok(spn_dataset_open(&train, NULL, "digits", &err), err);
    spn_dataset_free(train);
}

static void test_unknown_name(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_dataset *train, *test;
    assert_error(spn_dataset_open(&train, &test, "cifar", &err), &err, SPN_ERROR_ARGUMENT,
                 "'cifar'", "expected digits, mnist or fashion");
    assert_null(train);
    assert_null(test);
    assert_string_equal(spn_dataset_names()[0], "digits");
}

static void test_folder(void **state)
{
    (void)state;
    spn_error err = {0};
    char *folder;
    setenv("HOME", "/home/x", 1);
    setenv("XDG_CACHE_HOME", "/cache", 1);
    setenv("SPINNEY_DATA", "/own", 1);
    assert_ok(spn_data_folder(&folder, &err), err);
    assert_string_equal(folder, "/own");
    free(folder);
    unsetenv("SPINNEY_DATA");
    assert_ok(spn_data_folder(&folder, &err), err);
    assert_string_equal(folder, "/cache/spinney");
    free(folder);
    setenv("XDG_CACHE_HOME", "", 1);
    assert_ok(spn_data_folder(&folder, &err), err);
    assert_string_equal(folder, "/home/x/.cache/spinney");
    free(folder);
    unsetenv("HOME");
    assert_error(spn_data_folder(&folder, &err), &err, SPN_ERROR_IO, "SPINNEY_DATA", "not known");
    assert_null(folder);
}

/* An IDX pair of `count` images of 28x28, image n all of value n and of class n % 10. */
static void write_pair(void **state, const char *part, uint8_t count, bool gzip)
{
    static uint8_t images[16 + 784 * 20], labels[8 + 20];
    const char *(*write)(void **, const char *, const void *, size_t) =
        gzip ? spn_scratch_gzip : spn_scratch_write;
    char name[80];
    memcpy(images, (const uint8_t[]){0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, 28, 0, 0, 0, 28}, 16);
    memcpy(labels, (const uint8_t[]){0, 0, 8, 1, 0, 0, 0, count}, 8);
    for (uint8_t n = 0; n < count; n++) {
        memset(images + 16 + 784 * n, n, 784);
        labels[8 + n] = n % 10;
    }
    snprintf(name, sizeof name, "mnist/%s-images-idx3-ubyte%s", part, gzip ? ".gz" : "");
    write(state, name, images, 16 + 784 * (size_t)count);
    snprintf(name, sizeof name, "mnist/%s-labels-idx1-ubyte%s", part, gzip ? ".gz" : "");
    write(state, name, labels, 8 + (size_t)count);
}

static void test_fetched(void **state)
{
    spn_error err = {0};
    spn_dataset *train, *test;
    char folder[200];
    const char *mnist = spn_scratch_path(state, "mnist");
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(mnist) - 6), mnist);
    setenv("SPINNEY_DATA", folder, 1);
    assert_error(spn_dataset_open(&train, &test, "mnist", &err), &err, SPN_ERROR_IO, mnist,
                 "run scripts/fetch-data mnist, or put the four IDX files");
    assert_int_equal(mkdir(mnist, 0777), 0);
    write_pair(state, "train", 20, false);
    assert_error(spn_dataset_open(&train, &test, "mnist", &err), &err, SPN_ERROR_IO,
                 "t10k-images-idx3-ubyte", "fetch-data");
    assert_null(train);
    write_pair(state, "t10k", 5, true);
    assert_ok(spn_dataset_open(&train, &test, "mnist", &err), err);
    assert_int_equal(train->samples, 20);
    assert_int_equal(test->samples, 5);
    assert_int_equal(test->classes, 10);
    assert_int_equal(test->labels[4], 4);
    assert_int_equal(test->bytes[784 * 5 - 1], 4);
    spn_dataset_free(train);
    spn_dataset_free(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_unknown_name),
        cmocka_unit_test(test_folder),
        scratch_test(test_fetched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
