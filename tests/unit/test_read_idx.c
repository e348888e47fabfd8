/* IDX files, and what all binary files have in common: gzip, size limits. */
#include "support/scratch.h"

#include <spinney/dataset.h>
#include <stdio.h>
#include <string.h>

/* 3 images of 2x2 and their labels 7, 0, 7 */
static const uint8_t images[] = {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0,  2,  0,  0,
                                 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 90, 91, 92, 255};
static const uint8_t labels[] = {0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 7};

static void check_content(const spn_dataset *d)
{
    assert_int_equal(spn_dataset_samples(d), 3);
    assert_int_equal(spn_dataset_features(d), 4);
    assert_int_equal(spn_dataset_width(d), 2);
    assert_int_equal(spn_dataset_height(d), 2);
    assert_null(spn_dataset_values(d));
    assert_memory_equal(spn_dataset_bytes(d), images + 16, 12);
    assert_int_equal(spn_dataset_classes(d), 2);
    assert_string_equal(spn_dataset_class_names(d)[0], "0");
    assert_string_equal(spn_dataset_class_names(d)[1], "7");
    assert_int_equal(spn_dataset_labels(d)[0], 1);
    assert_int_equal(spn_dataset_labels(d)[1], 0);
    assert_int_equal(spn_dataset_labels(d)[2], 1);
}

static void test_plain_and_gzipped(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *x = spn_scratch_write(state, "x", images, sizeof images);
    const char *y = spn_scratch_write(state, "y", labels, sizeof labels);
    const char *zx = spn_scratch_gzip(state, "no-ending", images, sizeof images);
    const char *zy = spn_scratch_gzip(state, "labels.gz", labels, sizeof labels);
    assert_ok(spn_dataset_read(&d, x, y, NULL, &err), err);
    check_content(d);
    spn_dataset_free(d);
    assert_ok(spn_dataset_read(&d, zx, zy, NULL, &err), err);
    check_content(d);
    spn_dataset_free(d);
}

static void test_without_labels(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *x = spn_scratch_write(state, "x", images, sizeof images);
    assert_error(spn_dataset_read(&d, x, NULL, NULL, &err), &err, SPN_ERROR_INPUT, x,
                 "give that file");
    assert_null(d);
    spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE};
    assert_ok(spn_dataset_read(&d, x, NULL, &options, &err), err);
    assert_null(spn_dataset_labels(d));
    assert_int_equal(spn_dataset_classes(d), 0);
    spn_dataset_free(d);
    options = (spn_read_options){.size = sizeof(spn_read_options), .labels_optional = true};
    assert_ok(spn_dataset_read(&d, x, NULL, &options, &err), err);
    spn_dataset_free(d);
}

/* Read a copy of the images cut to a size and with one byte changed; at < 0 changes nothing. */
static void expect_fault(void **state, size_t images_size, int at, uint8_t value, const char *file,
                         const char *place)
{
    spn_error err = {0};
    spn_dataset *d;
    uint8_t copy[sizeof images];
    memcpy(copy, images, sizeof images);
    if (at >= 0)
        copy[at] = value;
    const char *x = spn_scratch_write(state, "x", copy, images_size);
    const char *y = spn_scratch_write(state, "y", labels, sizeof labels);
    const spn_read_options options = {.size = sizeof options, .format = SPN_FORMAT_IDX};
    assert_error(spn_dataset_read(&d, x, y, &options, &err), &err, SPN_ERROR_INPUT, file, place);
    assert_null(d);
}

static void test_malformed(void **state)
{
    expect_fault(state, sizeof images, 0, 1, "/x: byte 0", "not an IDX file");
    expect_fault(state, sizeof images, 2, 13, "/x: byte 2", "0x0d");
    expect_fault(state, sizeof images, 3, 4, "/x: byte 3", "4 dimensions");
    expect_fault(state, sizeof images, 3, 0, "/x: byte 3", "0 dimensions");
    expect_fault(state, 3, -1, 0, "/x: byte 0", "not an IDX file");
    expect_fault(state, 10, -1, 0, "/x: byte 10", "cut short");
    expect_fault(state, sizeof images - 1, -1, 0, "/x: byte 27", "ends before");
    expect_fault(state, sizeof images, 7, 2, "/x: byte 28", "ends after");
    expect_fault(state, sizeof images, 4, 255, "/x: byte 28", "ends before");
    expect_fault(state, sizeof images, 7, 0, "/x: byte 4", "empty");
    expect_fault(state, sizeof images, 15, 0, "/x: byte 12", "empty");
}

static void test_sizes_that_overflow(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    /* (2^32-1)^3 does not fit 64 bits */
    uint8_t huge[17] = {0, 0, 8, 3};
    memset(huge + 4, 255, 12);
    const char *x = spn_scratch_write(state, "x", huge, sizeof huge);
    const spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE};
    assert_error(spn_dataset_read(&d, x, NULL, &options, &err), &err, SPN_ERROR_INPUT, x,
                 "ends before");
}

static void test_files_that_do_not_belong_together(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static const uint8_t two[] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 0};
    const char *x = spn_scratch_write(state, "x", images, sizeof images);
    const char *y = spn_scratch_write(state, "y", labels, sizeof labels);
    const char *y2 = spn_scratch_write(state, "y2", two, sizeof two);
    assert_error(spn_dataset_read(&d, x, y2, NULL, &err), &err, SPN_ERROR_INPUT, y2,
                 "2 labels for 3 samples");
    assert_error(spn_dataset_read(&d, y, x, NULL, &err), &err, SPN_ERROR_INPUT, y,
                 "file of labels?");
    assert_error(spn_dataset_read(&d, x, x, NULL, &err), &err, SPN_ERROR_INPUT, x, "swapped?");
    assert_error(spn_dataset_read(&d, x, spn_scratch_path(state, "none"), NULL, &err), &err,
                 SPN_ERROR_IO, "/none", "cannot be opened");
}

static void test_single_class(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static const uint8_t sevens[] = {0, 0, 8, 1, 0, 0, 0, 3, 7, 7, 7};
    const char *x = spn_scratch_write(state, "x", images, sizeof images);
    const char *y = spn_scratch_write(state, "y", sevens, sizeof sevens);
    assert_error(spn_dataset_read(&d, x, y, NULL, &err), &err, SPN_ERROR_INPUT, x,
                 "all 3 samples are of class '7'");
    const spn_read_options options = {.size = sizeof options, .single_class = true};
    assert_ok(spn_dataset_read(&d, x, y, &options, &err), err);
    assert_int_equal(spn_dataset_classes(d), 1);
    spn_dataset_free(d);
}

static void test_number_of_features(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *x = spn_scratch_write(state, "x", images, sizeof images);
    spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE, .features = 5};
    assert_error(spn_dataset_read(&d, x, NULL, &options, &err), &err, SPN_ERROR_INPUT, x,
                 "4 features per sample; expected 5");
}

static void test_damaged_gzip(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    uint8_t packed[256];
    const spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE};
    const char *good = spn_scratch_gzip(state, "good", images, sizeof images);
    FILE *file = fopen(good, "r");
    size_t size = fread(packed, 1, sizeof packed, file);
    fclose(file);
    for (size_t cut = 2; cut < size; cut++) {
        FILE *out = fopen(good, "w");
        assert_int_equal(fwrite(packed, 1, cut, out), cut);
        fclose(out);
        assert_error(spn_dataset_read(&d, good, NULL, &options, &err), &err, SPN_ERROR_INPUT, good,
                     "cut short at byte");
    }
    packed[size - 6] ^= 1; /* the checksum */
    const char *bad = spn_scratch_write(state, "bad", packed, size);
    assert_error(spn_dataset_read(&d, bad, NULL, &options, &err), &err, SPN_ERROR_INPUT, bad,
                 "damaged before byte");
    packed[size - 6] ^= 1;
    packed[size] = 'x';
    const char *tail = spn_scratch_write(state, "tail", packed, size + 1);
    assert_error(spn_dataset_read(&d, tail, NULL, &options, &err), &err, SPN_ERROR_INPUT, tail,
                 "byte");
}

static void test_size_limit(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static uint8_t zeros[1 << 20];
    const char *bomb = spn_scratch_gzip(state, "bomb", zeros, sizeof zeros);
    const char *plain = spn_scratch_write(state, "plain", zeros, sizeof zeros);
    spn_read_options options = {
        .size = sizeof options, .labels = SPN_LABELS_NONE, .max_bytes = 100000};
    assert_error(spn_dataset_read(&d, bomb, NULL, &options, &err), &err, SPN_ERROR_INPUT, bomb,
                 "more than the 100000 bytes");
    assert_error(spn_dataset_read(&d, plain, NULL, &options, &err), &err, SPN_ERROR_INPUT, plain,
                 "more than the 100000 bytes");
}

static void test_unreadable(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *none = spn_scratch_path(state, "none");
    assert_error(spn_dataset_read(&d, none, NULL, NULL, &err), &err, SPN_ERROR_IO, none,
                 "No such file");
    assert_null(d);
    assert_error(spn_dataset_read(&d, "/tmp", NULL, NULL, &err), &err, SPN_ERROR_IO, "/tmp",
                 "is a folder");
    const char *empty = spn_scratch_text(state, "empty", "");
    assert_error(spn_dataset_read(&d, empty, NULL, NULL, &err), &err, SPN_ERROR_INPUT, empty,
                 "is empty");
    const char *junk = spn_scratch_text(state, "junk", "\x01\x02\x03 what?\n");
    assert_error(spn_dataset_read(&d, junk, NULL, NULL, &err), &err, SPN_ERROR_INPUT, junk,
                 "none of the formats");
    assert_int_equal(spn_dataset_read(&d, none, NULL, NULL, NULL), SPN_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_plain_and_gzipped),
        scratch_test(test_without_labels),
        scratch_test(test_malformed),
        scratch_test(test_sizes_that_overflow),
        scratch_test(test_files_that_do_not_belong_together),
        scratch_test(test_single_class),
        scratch_test(test_number_of_features),
        scratch_test(test_damaged_gzip),
        scratch_test(test_size_limit),
        scratch_test(test_unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
