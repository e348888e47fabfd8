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
    expect_fault(state, "1\n2\n", usual, "no features", "empty");
    expect_fault(state, "1 1:1\n1 1:2\n", usual, "labels", "class '1'");
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
        scratch_test(test_sparse_becomes_dense),  scratch_test(test_bytes_and_width),
        scratch_test(test_without_labels),        scratch_test(test_malformed),
        scratch_test(test_size_is_checked_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
