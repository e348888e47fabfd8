/* Svmlight files. */
#include "data/dataset.h"
#include "support/texts.h"

#include <string.h>

static spn_dataset *read_text(void **state, const char *text, spn_read_options options)
{
    return spn_test_text(state, "data", text, options);
}

static void expect_fault(void **state, const char *text, spn_read_options options,
                         const char *place, const char *what)
{
    spn_test_text_fault(state, "data.svm", text, options, place, what);
}

static const spn_read_options usual = {.size = sizeof usual};

static void test_sparse_becomes_dense(void **state)
{
    spn_dataset *d = read_text(state,
                               "# made by hand\n+1 1:0.5 3:2 # a comment\n\n-1\t2:1e1\r\n"
                               "1 # all zero\n",
                               usual);
    static const double expected[] = {0.5, 0, 2, 0, 10, 0, 0, 0, 0};
    assert_int_equal(d->samples, 3);
    assert_int_equal(d->features, 3);
    assert_memory_equal(d->values, expected, sizeof expected);
    assert_int_equal(d->classes, 2);
    assert_string_equal(d->class_names[0], "-1");
    assert_string_equal(d->class_names[1], "1");
    assert_int_equal(d->labels[2], 1);
    spn_dataset_free(d);
}

static void test_bytes_and_width(void **state)
{
    spn_dataset *d = read_text(state, "3 1:255\n2.0 2:7\n",
                               (spn_read_options){.size = sizeof(spn_read_options), .features = 4});
    static const uint8_t expected[] = {255, 0, 0, 0, 0, 7, 0, 0};
    assert_int_equal(d->features, 4);
    assert_memory_equal(d->bytes, expected, sizeof expected);
    assert_string_equal(d->class_names[0], "2");
    spn_dataset_free(d);
    expect_fault(state, "1 1:1\n2 5:1\n",
                 (spn_read_options){.size = sizeof(spn_read_options), .features = 4}, "line 2",
                 "index 5; expected at most 4");
}

static void test_without_labels(void **state)
{
    spn_dataset *d =
        read_text(state, "1 1:1\n2 2:1\n",
                  (spn_read_options){.size = sizeof(spn_read_options), .labels = SPN_LABELS_NONE});
    assert_null(d->labels);
    spn_dataset_free(d);
    d = read_text(state, "1:1\n2:1\n",
                  (spn_read_options){.size = sizeof(spn_read_options), .labels_optional = true});
    assert_null(d->labels);
    assert_int_equal(d->features, 2);
    spn_dataset_free(d);
    expect_fault(state, "1:1\n2:1\n", usual, "line 1", "no label");
    expect_fault(state, "1 1:1\n2:1\n", usual, "line 2, column 1", "differs from the lines before");
}

static void test_malformed(void **state)
{
    expect_fault(state, "1 1:1\n2 2:1 2:3\n", usual, "line 2, column 7", "out of order");
    expect_fault(state, "1 1:1\n2 3:1 2:3\n", usual, "line 2, column 7", "must ascend");
    expect_fault(state, "1 1:1\n2 x:1\n", usual, "line 2, column 3", "no index");
    expect_fault(state, "1 1:1\n2 :1\n", usual, "line 2, column 3", "needs an index");
    expect_fault(state, "1 1:1\n2 -1:1\n", usual, "line 2, column 3", "no index");
    expect_fault(state, "1 1:1\n2 1:\n", usual, "line 2, column 3", "no number");
    expect_fault(state, "1 1:1\n2 1:1:1\n", usual, "line 2, column 3", "no number");
    expect_fault(state, "1 1:1\n2 1\n", usual, "line 2, column 3", "is not index:value");
    expect_fault(state, "1 1:1 qid:3\n", usual, "line 1, column 7", "no index");
    expect_fault(state, "1 1:1 2:nan\n", usual, "sample 1, index 2", "1 missing value");
    expect_fault(state, "1 1:1e400\n", usual, "line 1, column 3", "not finite");
    expect_fault(state, "1 99999999999999999999:1\n", usual, "line 1, column 3",
                 "above 4294967295");
    expect_fault(state, "cat 1:1\n", usual, "line 1, column 1", "is not a label");
    expect_fault(state, "1.5 1:1\n", usual, "line 1, column 1", "is not a label");
    expect_fault(state, "1e16 1:1\n", usual, "line 1, column 1", "is not a label");
    expect_fault(state, "# nothing\n", usual, "line 1", "no samples");
    expect_fault(state, "1\n2\n", usual, "no features", "needs at least one");
    expect_fault(state, "1 1:1\n1 1:2\n", usual, "labels", "class '1'");
}

/* An index 0 anywhere means that features count from 0, there and in files that are read by the
   same recipe. */
static void test_from_zero(void **state)
{
    spn_error err = {0};
    spn_columns *columns;
    spn_dataset *d = read_text(state, "1 1:7\n2 0:5 2:6\n", usual);
    static const uint8_t expected[] = {0, 7, 0, 5, 0, 6};
    assert_int_equal(d->features, 3);
    assert_memory_equal(d->bytes, expected, sizeof expected);
    assert_ok(spn_columns_copy(&columns, spn_dataset_columns(d), NULL, &err), err);
    spn_dataset_free(d);
    spn_read_options further = {
        .size = sizeof further, .features = 3, .columns = columns, .single_class = true};
    d = read_text(state, "1 2:9\n", further);
    assert_true(spn_dataset_value(d, 0, 2) == 9);
    spn_dataset_free(d);
    expect_fault(state, "1 3:9\n", further, "line 1", "expected at most 3 features");
    spn_columns_free(columns);
    further.columns = NULL;
    expect_fault(state, "1 0:9\n", further, "index 0", "counts features from 1");
    d = read_text(state, "1 1:7\n2 2:5\n", usual);
    assert_null(spn_dataset_columns(d));
    assert_int_equal(d->features, 2);
    spn_dataset_free(d);
}

static void test_groups_and_missing(void **state)
{
    spn_dataset *d = read_text(state, "3 qid:1 1:7 # one\n-1.0 qid:12 2:5\n", usual);
    static const uint8_t expected[] = {7, 0, 0, 5};
    assert_memory_equal(d->bytes, expected, sizeof expected);
    assert_string_equal(d->class_names[0], "-1");
    spn_dataset_free(d);
    d = read_text(state, "1 1:nan 2:3\n2 1:4\n",
                  (spn_read_options){.size = sizeof usual, .missing = SPN_MISSING_MEAN});
    assert_int_equal(spn_dataset_missing(d), 1);
    spn_dataset_free(d);
}

static void test_size_is_checked_first(void **state)
{
    /* 8 GiB of zeros in a file of a few bytes */
    expect_fault(state, "1 4294967295:1\n2 1:1\n", usual, "2 samples of 4294967295 features",
                 "keep fewer samples");
    expect_fault(state, "1 600:1\n2 1:0.5\n",
                 (spn_read_options){.size = sizeof(spn_read_options), .max_bytes = 2000},
                 "1200 numbers of 8 bytes", "2000 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_sparse_becomes_dense),
        scratch_test(test_bytes_and_width),
        scratch_test(test_without_labels),
        scratch_test(test_malformed),
        scratch_test(test_from_zero),
        scratch_test(test_groups_and_missing),
        scratch_test(test_size_is_checked_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
