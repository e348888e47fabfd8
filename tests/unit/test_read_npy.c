/* NPY files. */
#include "support/scratch.h"

#include <math.h>
#include <spinney/dataset.h>
#include <stdio.h>
#include <string.h>

/* Put an NPY file together: version, header and array. */
static const char *write_npy(void **state, const char *name, int version, const char *header,
                             const void *data, size_t size)
{
    uint8_t file[1024] = "\x93NUMPY";
    size_t length = strlen(header), start = version == 2 ? 12 : 10;
    file[6] = (uint8_t)version;
    file[8] = (uint8_t)length;
    file[9] = (uint8_t)(length >> 8);
    memcpy(file + start, header, length);
    memcpy(file + start + length, data, size);
    return spn_scratch_write(state, name, file, start + length + size);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE "<"
#else
#define NATIVE ">"
#endif
#define HEADER(descr, shape)                                                                       \
    "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }\n"

static const uint8_t bytes[] = {1, 2, 3, 4, 5, 250};

static void test_bytes_and_labels(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static const int64_t labels[] = {-1, 1000000000000};
    const char *x = write_npy(state, "x", 1, HEADER("|u1", "(2, 3)"), bytes, 6);
    const char *y = write_npy(state, "y", 2, HEADER(NATIVE "i8", "(2,)"), labels, sizeof labels);
    assert_ok(spn_dataset_read(&d, x, y, NULL, &err), err);
    assert_int_equal(spn_dataset_samples(d), 2);
    assert_int_equal(spn_dataset_features(d), 3);
    assert_memory_equal(spn_dataset_bytes(d), bytes, 6);
    assert_string_equal(spn_dataset_class_names(d)[0], "-1");
    assert_string_equal(spn_dataset_class_names(d)[1], "1000000000000");
    spn_dataset_free(d);
}

static void test_label_types(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static const int8_t small[] = {-2, 5};
    static const int32_t middle[] = {-2, 5};
    const char *x = write_npy(state, "x", 1, HEADER("|u1", "(2, 3)"), bytes, 6);
    const char *y1 = write_npy(state, "y1", 1, HEADER("|i1", "(2,)"), small, sizeof small);
    const char *y4 = write_npy(state, "y4", 1, HEADER(NATIVE "i4", "(2,)"), middle, sizeof middle);
    const char *yu = write_npy(state, "yu", 1, HEADER("|u1", "(2,)"), bytes + 4, 2);
    const char *const files[] = {y1, y4, yu};
    static const char *const first[] = {"-2", "-2", "5"};
    for (size_t k = 0; k < 3; k++) {
        assert_ok(spn_dataset_read(&d, x, files[k], NULL, &err), err);
        assert_string_equal(spn_dataset_class_names(d)[0], first[k]);
        spn_dataset_free(d);
    }
}

static spn_dataset *read_features(void **state, const char *header, const void *data, size_t size)
{
    spn_error err = {0};
    spn_dataset *d;
    const spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE};
    const char *x = write_npy(state, "x", 1, header, data, size);
    assert_ok(spn_dataset_read(&d, x, NULL, &options, &err), err);
    return d;
}

static void test_feature_types(void **state)
{
    static const float singles[] = {0.5f, -1.25f};
    static const double doubles[] = {0.1, -1e300};
    static const double whole[] = {3, 255};
    static const int8_t negative[] = {-128, 127};
    spn_dataset *d = read_features(state, HEADER(NATIVE "f4", "(1, 2)"), singles, sizeof singles);
    assert_true(spn_dataset_values(d)[0] == 0.5 && spn_dataset_values(d)[1] == -1.25);
    spn_dataset_free(d);
    d = read_features(state, HEADER(NATIVE "f8", "(1, 2)"), doubles, sizeof doubles);
    assert_true(spn_dataset_values(d)[0] == 0.1 && spn_dataset_values(d)[1] == -1e300);
    spn_dataset_free(d);
    d = read_features(state, HEADER(NATIVE "f8", "(2, 1)"), whole, sizeof whole);
    assert_true(spn_dataset_bytes(d) && spn_dataset_bytes(d)[0] == 3 &&
                spn_dataset_bytes(d)[1] == 255);
    spn_dataset_free(d);
    d = read_features(state, HEADER("|i1", "(1, 2)"), negative, sizeof negative);
    assert_true(spn_dataset_values(d)[0] == -128 && spn_dataset_values(d)[1] == 127);
    spn_dataset_free(d);
    d = read_features(state, HEADER("|u1", "(1, 2, 3)"), bytes, 6);
    assert_int_equal(spn_dataset_features(d), 6);
    assert_int_equal(spn_dataset_height(d), 2);
    assert_int_equal(spn_dataset_width(d), 3);
    spn_dataset_free(d);
    /* keys in another order, double quotes, no last comma */
    d = read_features(state, "{\"shape\": (3,2), 'fortran_order':False,'descr':'|u1'}", bytes, 6);
    assert_int_equal(spn_dataset_samples(d), 3);
    spn_dataset_free(d);
}

static void expect_fault(void **state, const char *header, const void *data, size_t size,
                         const char *what)
{
    spn_error err = {0};
    spn_dataset *d;
    const spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE};
    const char *x = write_npy(state, "x", 1, header, data, size);
    assert_error(spn_dataset_read(&d, x, NULL, &options, &err), &err, SPN_ERROR_INPUT, x, what);
    assert_true(strstr(err.text, ": byte ") || strstr(err.text, ": header"));
    assert_null(d);
}

static void test_malformed_header(void **state)
{
    expect_fault(state, "{'descr': '|u1', 'fortran_order': 1, 'shape': (2, 3), }", bytes, 6,
                 "neither True nor False");
    expect_fault(state, HEADER("<f3", "(2, 3)"), bytes, 6, "'<f3'");
    expect_fault(state, HEADER("|O", "(2, 3)"), bytes, 6, "'|O'");
    expect_fault(state, HEADER("<c8", "(2, 3)"), bytes, 6, "'<c8'");
    expect_fault(state, HEADER("<i99999999999", "(2, 3)"), bytes, 6, "'<i99999999999'");
    expect_fault(state, HEADER("|S2", "(1, 3)"), bytes, 6, "2-D of |S2");
    expect_fault(state, HEADER("|u1", "(6,)"), bytes, 6, "1-D of |u1");
    expect_fault(state, HEADER("|u1", "()"), bytes, 1, "no dimensions");
    expect_fault(state, HEADER("|u1", "(1, 1, 1, 2, 3)"), bytes, 6, "more than 4 dimensions");
    expect_fault(state, HEADER("|u1", "(2, 0)"), bytes, 0, "empty");
    expect_fault(state, HEADER("|u1", "(2 3)"), bytes, 6, "shape in the NPY header is malformed");
    expect_fault(state, HEADER("|u1", "(-2, 3)"), bytes, 6, "malformed");
    expect_fault(state, HEADER("|u1", "(99999999999999999999999, 3)"), bytes, 6, "malformed");
    expect_fault(state, HEADER("|u1", "(4294967296, 4294967296)"), bytes, 6, "ends before");
    expect_fault(state, "{'descr': '|u1', 'shape': (2, 3), }", bytes, 6, "lacks");
    expect_fault(state, "{'descr': '|u1', 'descr': '|u1', }", bytes, 6, "repeated key");
    expect_fault(state, "{'colour': '|u1', }", bytes, 6, "unknown or repeated key");
    expect_fault(state, "{'descr': [('a', '|u1')], }", bytes, 6, "no simple element type");
    expect_fault(state, "[1, 2]", bytes, 6, "not a dictionary");
    expect_fault(state, "{'descr", bytes, 6, "malformed");
    expect_fault(state, HEADER("|u1", "(2, 3)") "x", bytes, 6, "text follows");
    expect_fault(state, "", bytes, 6, "not a dictionary");
}

static void test_wrong_size(void **state)
{
    expect_fault(state, HEADER("|u1", "(2, 3)"), bytes, 5, "ends before");
    expect_fault(state, HEADER("|u1", "(2, 2)"), bytes, 6, "ends after");
    expect_fault(state, HEADER(NATIVE "f8", "(1, 1)"), bytes, 6, "ends before");
}

static void test_not_finite(void **state)
{
    const double nan_at_1[] = {1, NAN};
    const float inf_at_0[] = {INFINITY, 1};
    expect_fault(state, HEADER(NATIVE "f8", "(1, 2)"), nan_at_1, sizeof nan_at_1,
                 "feature 1 of sample 0 is not finite; 1 missing value");
    expect_fault(state, HEADER(NATIVE "f4", "(1, 2)"), inf_at_0, sizeof inf_at_0,
                 "feature 0 of sample 0 is not finite; correct");
}

static void test_cut_short_and_versions(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    const spn_read_options options = {
        .size = sizeof options, .format = SPN_FORMAT_NPY, .labels = SPN_LABELS_NONE};
    const char *v4 = write_npy(state, "v4", 4, HEADER("|u1", "(2, 3)"), bytes, 6);
    assert_error(spn_dataset_read(&d, v4, NULL, &options, &err), &err, SPN_ERROR_INPUT, v4,
                 "version 4.0");
    const char *text = "\x93NUMPY\x01";
    const char *cut = spn_scratch_text(state, "cut", text);
    assert_error(spn_dataset_read(&d, cut, NULL, &options, &err), &err, SPN_ERROR_INPUT, cut,
                 "cut short");
    const char *long_header =
        spn_scratch_write(state, "long", "\x93NUMPY\x02\0\xff\xff\xff\xff", 12);
    assert_error(spn_dataset_read(&d, long_header, NULL, &options, &err), &err, SPN_ERROR_INPUT,
                 long_header, "header is cut short");
    const char *other = spn_scratch_text(state, "other", "1,2,3\n4,5,6\n");
    assert_error(spn_dataset_read(&d, other, NULL, &options, &err), &err, SPN_ERROR_INPUT, other,
                 "not an NPY file");
}

static void test_labels_that_do_not_fit(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static const double halves[] = {0.5, 1};
    const char *x = write_npy(state, "x", 1, HEADER("|u1", "(2, 3)"), bytes, 6);
    const char *three = write_npy(state, "three", 1, HEADER("|u1", "(3,)"), bytes, 3);
    const char *floats = write_npy(state, "floats", 1, HEADER(NATIVE "f8", "(2,)"), halves, 16);
    assert_error(spn_dataset_read(&d, x, three, NULL, &err), &err, SPN_ERROR_INPUT, three,
                 "3 labels for 2 samples");
    assert_error(spn_dataset_read(&d, x, floats, NULL, &err), &err, SPN_ERROR_INPUT, floats,
                 "element 0: the label is not a whole number");
    assert_error(spn_dataset_read(&d, x, x, NULL, &err), &err, SPN_ERROR_INPUT, x, "2-D of |u1");
    assert_error(spn_dataset_read(&d, x, NULL, NULL, &err), &err, SPN_ERROR_INPUT, x,
                 "give that file too");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_bytes_and_labels),
        scratch_test(test_label_types),
        scratch_test(test_feature_types),
        scratch_test(test_malformed_header),
        scratch_test(test_wrong_size),
        scratch_test(test_not_finite),
        scratch_test(test_cut_short_and_versions),
        scratch_test(test_labels_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
