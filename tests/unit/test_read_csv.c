/* CSV files. */
#include "data/dataset.h"
#include "support/texts.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static spn_dataset *read_text(void **state, const char *text, spn_read_options options)
{
    return spn_test_text(state, "data.csv", text, options);
}

static void expect_fault(void **state, const char *text, spn_read_options options,
                         const char *place, const char *what)
{
    spn_test_text_fault(state, "data.csv", text, options, place, what);
}

static const spn_read_options usual = {.size = sizeof usual};

static void test_bytes(void **state)
{
    spn_dataset *d = read_text(state, "0,255,cat\n 7 , 8,dog\r\n\n9.0,1e1,cat", usual);
    static const uint8_t expected[] = {0, 255, 7, 8, 9, 10};
    assert_int_equal(d->samples, 3);
    assert_int_equal(d->features, 2);
    assert_memory_equal(d->bytes, expected, 6);
    assert_string_equal(d->class_names[0], "cat");
    assert_string_equal(d->class_names[1], "dog");
    assert_int_equal(d->labels[1], 1);
    spn_dataset_free(d);
}

static void test_doubles(void **state)
{
    spn_dataset *d =
        read_text(state, "3,1,2\n4,0.1,-2.5e-3\n",
                  (spn_read_options){.size = sizeof(spn_read_options), .labels = SPN_LABELS_FIRST});
    assert_null(d->bytes);
    assert_true(d->values[0] == 1 && d->values[1] == 2);
    assert_true(d->values[2] == 0.1 && d->values[3] == -2.5e-3);
    assert_true(spn_dataset_value(d, 1, 1) == -2.5e-3);
    assert_string_equal(d->class_names[0], "3");
    spn_dataset_free(d);
    d = read_text(state, "256,1\n0,2\n", usual);
    assert_true(d->values && d->values[0] == 256);
    spn_dataset_free(d);
}

/* What strtod would say, digit for digit, on texts of every length. */
static void test_numbers_are_correctly_rounded(void **state)
{
    static const char *const numbers[] = {
        "3.141592653589793238462643383279",
        "1e22",
        "1e23",
        "9007199254740993",
        "123456789012345678901234567890",
        "5e-324",
        "2.2250738585072011e-308",
        "0.1000000000000000055511151231257827021181583404541015625",
        "1.7976931348623157e308",
        "-0.3",
        "+4.5",
        ".5",
        "5.",
        "00012.250",
        "1e-400"};
    char text[4000] = "";
    size_t count = sizeof numbers / sizeof *numbers;
    for (size_t k = 0; k < count; k++)
        sprintf(text + strlen(text), "%s%s", numbers[k], k + 1 < count ? "," : "\n");
    spn_dataset *d =
        read_text(state, text,
                  (spn_read_options){.size = sizeof(spn_read_options), .labels = SPN_LABELS_NONE});
    for (size_t k = 0; k < count; k++)
        assert_true(d->values[k] == spn_test_strtod(numbers[k], NULL));
    spn_dataset_free(d);
}

static void test_locale_does_not_matter(void **state)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        skip();
    spn_dataset *d = read_text(state, "1.23456789012345678901,a\n1.5,b\n",
                               (spn_read_options){.size = sizeof(spn_read_options)});
    setlocale(LC_ALL, "C");
    assert_true(d->values[0] == 1.23456789012345678901);
    spn_dataset_free(d);
}

static void test_class_order(void **state)
{
    spn_dataset *d = read_text(state, "1,10\n1,9\n1,-1\n", usual);
    assert_string_equal(d->class_names[0], "-1");
    assert_string_equal(d->class_names[1], "9");
    assert_string_equal(d->class_names[2], "10");
    assert_int_equal(d->labels[0], 2);
    spn_dataset_free(d);
    d = read_text(state, "1,10\n1,9\n1,x\n",
                  (spn_read_options){.size = sizeof(spn_read_options), .header = SPN_HEADER_NO});
    assert_string_equal(d->class_names[0], "10");
    assert_string_equal(d->class_names[1], "9");
    assert_string_equal(d->class_names[2], "x");
    spn_dataset_free(d);
}

static void test_many_classes(void **state)
{
    char *text = calloc(1, 200000);
    size_t size = 0;
    for (int k = 0; k < 10000; k++)
        size += (size_t)sprintf(text + size, "1,%d\n", 9999 - k);
    spn_read_options options = usual;
    options.label_kind = SPN_LABEL_KIND_CLASSES;
    spn_dataset *d = read_text(state, text, options);
    assert_int_equal(d->classes, 10000);
    for (uint32_t k = 0; k < 10000; k++)
        assert_int_equal(d->labels[k], 9999 - k);
    spn_dataset_free(d);
    free(text);
}

static void test_too_many_classes(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    char *text = calloc(1, 1000000);
    size_t size = 0;
    for (int k = 0; k <= SPN_MAX_CLASSES; k++)
        size += (size_t)sprintf(text + size, "1,%d\n", k);
    const char *path = spn_scratch_text(state, "data.csv", text);
    free(text);
    assert_error(spn_dataset_read(&d, path, NULL, NULL, &err), &err, SPN_ERROR_INPUT, "line 65537",
                 "one class more");
}

static void test_quotes(void **state)
{
    spn_dataset *d = read_text(state, "1,\"a, \"\"b\"\"\"\n\"2\" , c\n", usual);
    assert_string_equal(d->class_names[0], "a, \"b\"");
    assert_string_equal(d->class_names[1], "c");
    assert_int_equal(d->bytes[1], 2);
    spn_dataset_free(d);
    expect_fault(state, "1,\"a\n2,b\n", usual, "line 1, column 2", "quote is not closed");
    expect_fault(state, "1,\"\n2,b\n", usual, "line 1, column 2", "quote is not closed");
    expect_fault(state, "1,a\n2,\"b\"c\n", usual, "line 2, column 2", "follows a closing quote");
}

static void test_header(void **state)
{
    spn_dataset *d = read_text(state, "\xef\xbb\xbfx1,x2,class\n1,2,a\n3,4,b\n", usual);
    assert_int_equal(d->samples, 2);
    spn_dataset_free(d);
    d = read_text(state, "0,1,2\n1,2,3\n3,4,5\n",
                  (spn_read_options){.size = sizeof(spn_read_options), .header = SPN_HEADER_YES});
    assert_int_equal(d->samples, 2);
    spn_dataset_free(d);
    expect_fault(state, "x1,x2,class\n1,2,a\n",
                 (spn_read_options){.size = sizeof(spn_read_options), .header = SPN_HEADER_NO},
                 "line 1, column 1", "'x1' is not a number");
    expect_fault(state, "x1,x2,class\n", usual, "line 1", "no samples");
    expect_fault(state, "1,o2,a\n1,2,b\n", usual, "line 1, column 2",
                 "if the first line is a header");
    expect_fault(state, "0,1,label\n1,2,3\n", usual, "line 1, column 3", "give `header yes` if");
    /* a first line with NaN is a bad sample, not a header */
    expect_fault(state, "nan,a\n1,b\n", usual, "line 1, column 1", "1 missing value");
    expect_fault(state, ",a\n1,b\n", usual, "line 1, column 1", "1 missing value");
}

static void test_bad_fields(void **state)
{
    expect_fault(state, "1,2,a\n3,4\n", usual, "line 2", "2 columns, but 3");
    expect_fault(state, "1,2,a\n3,4,5,b\n", usual, "line 2", "4 columns, but 3");
    expect_fault(state, "1,2,a\n\n3,x,b\n", usual, "line 3, column 2", "'x' is not a number");
    expect_fault(state, "1,2,a\n3,0x10,b\n", usual, "line 2, column 2", "is not a number");
    expect_fault(state, "1,2,a\n3,1.2.3,b\n", usual, "line 2, column 2", "is not a number");
    expect_fault(state, "1,2,a\n3,1e,b\n", usual, "line 2, column 2", "is not a number");
    expect_fault(state, "1,2,a\n3,,b\n", usual, "line 2, column 2", "1 missing value");
    expect_fault(state, "1,2,a\n3,NaN,b\n?,,a\n", usual, "line 2, column 2", "3 missing values");
    expect_fault(state, "1,2,a\n3,-inf,b\n", usual, "line 2, column 2", "not finite");
    expect_fault(state, "1,2,a\n3,1e999,b\n", usual, "line 2, column 2", "not finite");
    expect_fault(state, "1,2,a\n3,4,\n", usual, "line 2", "1 missing label");
    expect_fault(state, "1,2,a\n3,4,b\x01\n", usual, "line 2", "control character");
    expect_fault(state, "1\n2\n", usual, "line 1", "one column");
    expect_fault(state, " \n\n", usual, "line 1", "no samples");
    expect_fault(state, "1,2,a\n3,4,a\n", usual, "labels", "all 2 samples are of class 'a'");
}

static void test_without_labels(void **state)
{
    spn_dataset *d =
        read_text(state, "1,2\n3,4\n",
                  (spn_read_options){.size = sizeof(spn_read_options), .labels = SPN_LABELS_NONE});
    assert_null(d->labels);
    assert_null(d->class_names);
    assert_int_equal(d->features, 2);
    spn_dataset_free(d);
    spn_read_options predict = {
        .size = sizeof predict, .labels_optional = true, .features = 2, .single_class = true};
    d = read_text(state, "1,2\n3,4\n", predict);
    assert_null(d->labels);
    spn_dataset_free(d);
    d = read_text(state, "1,2,x\n3,4,x\n", predict);
    assert_non_null(d->labels);
    spn_dataset_free(d);
    expect_fault(state, "1,2,3,x\n", predict, "line 1", "4 columns; expected 2 features");
    predict.labels = SPN_LABELS_NONE;
    expect_fault(state, "1,2,x\n", predict, "line 1", "expected 2 features and no label");
}

static void test_standard_input(void **state)
{
    const char *path = spn_scratch_gzip(state, "data", "1,2,a\n3,4,b\n", 12);
    spn_error err = {0};
    spn_dataset *d;
    int saved = dup(STDIN_FILENO);
    assert_non_null(freopen(path, "r", stdin));
    assert_ok(spn_dataset_read(&d, "-", NULL, NULL, &err), err);
    assert_int_equal(d->samples, 2);
    spn_dataset_free(d);
    /* a second time there is nothing left */
    assert_error(spn_dataset_read(&d, "-", NULL, NULL, &err), &err, SPN_ERROR_INPUT,
                 "standard input", "is empty");
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void test_labels_file_is_refused(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *path = spn_scratch_text(state, "data.csv", "1,2\n3,4\n");
    assert_error(spn_dataset_read(&d, path, path, NULL, &err), &err, SPN_ERROR_INPUT, path,
                 "leave out the file of labels");
}

static void test_limit_when_bytes_become_doubles(void **state)
{
    expect_fault(state, "1,2,3,a\n4,5,6.5,b\n",
                 (spn_read_options){.size = sizeof(spn_read_options), .max_bytes = 20}, "6 numbers",
                 "20 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_bytes),
        scratch_test(test_doubles),
        scratch_test(test_numbers_are_correctly_rounded),
        scratch_test(test_locale_does_not_matter),
        scratch_test(test_class_order),
        scratch_test(test_many_classes),
        scratch_test(test_too_many_classes),
        scratch_test(test_quotes),
        scratch_test(test_header),
        scratch_test(test_bad_fields),
        scratch_test(test_without_labels),
        scratch_test(test_standard_input),
        scratch_test(test_labels_file_is_refused),
        scratch_test(test_limit_when_bytes_become_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
