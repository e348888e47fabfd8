/* Class maps, parts of datasets, checksums. */
#include "data/dataset.h"
#include "support/scratch.h"

#include <spinney/dataset.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n samples (n, n + 0.5) of classes a, b, c in turn */
static spn_dataset *make(void **state, int samples)
{
    char text[8000] = "";
    spn_error err = {0};
    spn_dataset *d;
    for (int n = 0; n < samples; n++)
        sprintf(text + strlen(text), "%d,%d.5,%c\n", n, n, "abc"[n % 3]);
    const char *path = spn_scratch_text(state, "data.csv", text);
    assert_ok(spn_dataset_read(&d, path, NULL, NULL, &err), err);
    return d;
}

static void test_relabel(void **state)
{
    spn_error err = {0};
    spn_dataset *d = make(state, 6);
    static const char *const model[] = {"z", "c", "b", "a"};
    assert_ok(spn_dataset_relabel(d, model, 4, "test.csv", &err), err);
    assert_int_equal(d->classes, 4);
    assert_int_equal(d->labels[0], 3);
    assert_int_equal(d->labels[2], 1);
    assert_string_equal(d->class_names[0], "z");
    assert_error(spn_dataset_relabel(d, model, 3, "test.csv", &err), &err, SPN_ERROR_INPUT,
                 "test.csv: sample 1", "label 'a' is none of the 3 known classes ('z' to 'b')");
    assert_int_equal(d->classes, 4);
    assert_int_equal(d->labels[0], 3);
    assert_error(spn_dataset_relabel(d, model, 0, "test.csv", &err), &err, SPN_ERROR_ARGUMENT,
                 "test.csv", "no class names");
    spn_dataset_free(d);
}

static void test_relabel_while_reading(void **state)
{
    spn_error err = {0};
    spn_dataset *d;
    static const char *const model[] = {"1", "2", "30"};
    const char *path = spn_scratch_text(state, "test.csv", "5,30\n5,30\n");
    spn_read_options options = {
        .size = sizeof options, .single_class = true, .class_names = model, .classes = 3};
    assert_ok(spn_dataset_read(&d, path, NULL, &options, &err), err);
    assert_int_equal(d->labels[1], 2);
    assert_int_equal(d->classes, 3);
    spn_dataset_free(d);
    options.classes = 2;
    assert_error(spn_dataset_read(&d, path, NULL, &options, &err), &err, SPN_ERROR_INPUT, path,
                 "label '30'");
    assert_null(d);
}

static void test_select_and_first(void **state)
{
    spn_error err = {0};
    spn_dataset *d = make(state, 9), *part;
    static const size_t rows[] = {8, 0, 8}, beyond[] = {9};
    assert_ok(spn_dataset_select(&part, d, rows, 3, &err), err);
    assert_int_equal(part->samples, 3);
    assert_true(part->values[0] == 8 && part->values[2] == 0 && part->values[5] == 8.5);
    assert_int_equal(part->labels[0], 2);
    assert_int_equal(part->classes, 3);
    spn_dataset_free(part);
    assert_error(spn_dataset_select(&part, d, beyond, 1, &err), &err, SPN_ERROR_ARGUMENT, "row 9",
                 "9 samples");
    assert_error(spn_dataset_select(&part, d, rows, 0, &err), &err, SPN_ERROR_ARGUMENT, "at least",
                 "one");
    assert_ok(spn_dataset_first(&part, d, 2, &err), err);
    assert_int_equal(part->samples, 2);
    assert_true(part->values[3] == 1.5);
    spn_dataset_free(part);
    assert_error(spn_dataset_first(&part, d, 10, &err), &err, SPN_ERROR_ARGUMENT, "10 samples",
                 "has 9");
    assert_error(spn_dataset_first(&part, d, 0, &err), &err, SPN_ERROR_ARGUMENT, "0 samples",
                 "has 9");
    assert_null(part);
    spn_dataset_free(d);
}

static void test_random_sample(void **state)
{
    spn_error err = {0};
    spn_dataset *d = make(state, 60), *a, *b, *c;
    assert_ok(spn_dataset_sample(&a, d, 20, 7, &err), err);
    assert_ok(spn_dataset_sample(&b, d, 20, 7, &err), err);
    assert_ok(spn_dataset_sample(&c, d, 20, 8, &err), err);
    assert_true(spn_dataset_checksum(a) == spn_dataset_checksum(b));
    assert_true(spn_dataset_checksum(a) != spn_dataset_checksum(c));
    for (size_t n = 1; n < 20; n++)
        assert_true(a->values[2 * n] > a->values[2 * n - 2]);
    spn_dataset_free(a);
    spn_dataset_free(b);
    spn_dataset_free(c);
    assert_ok(spn_dataset_sample(&a, d, 60, 7, &err), err);
    assert_true(spn_dataset_checksum(a) == spn_dataset_checksum(d));
    spn_dataset_free(a);
    /* the choice of a seed is the same for ever: models and records name seeds */
    assert_ok(spn_dataset_sample(&a, d, 5, 1, &err), err);
    static const double pinned[] = {12, 28, 29, 36, 49};
    for (size_t n = 0; n < 5; n++)
        assert_true(a->values[2 * n] == pinned[n]);
    spn_dataset_free(a);
    spn_dataset_free(d);
}

/* Every sample is as likely as any other. */
static void test_random_sample_is_fair(void **state)
{
    spn_error err = {0};
    enum { SAMPLES = 30, TAKEN = 6, TRIALS = 3000 };
    spn_dataset *d = make(state, SAMPLES), *part;
    uint64_t seen[SAMPLES] = {0};
    double expected[SAMPLES];
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        assert_ok(spn_dataset_sample(&part, d, TAKEN, seed, &err), err);
        for (size_t n = 0; n < TAKEN; n++)
            seen[(size_t)part->values[2 * n]]++;
        spn_dataset_free(part);
    }
    for (size_t k = 0; k < SAMPLES; k++)
        expected[k] = 1.0 / SAMPLES;
    assert_true(spn_pearson_test(seen, expected, SAMPLES) > SPN_FALSE_ALARM);
    spn_dataset_free(d);
}

static void count_classes(const spn_dataset *d, size_t out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (size_t n = 0; n < d->samples; n++)
        out[d->labels[n]]++;
}

static void test_split(void **state)
{
    spn_error err = {0};
    spn_dataset *d = make(state, 62), *rest, *part;
    size_t count[3];
    assert_ok(spn_dataset_split(&rest, &part, d, 0.25, 3, true, &err), err);
    count_classes(part, count); /* of 21, 21 and 20 */
    assert_true(count[0] == 5 && count[1] == 5 && count[2] == 5);
    assert_int_equal(rest->samples, 47);
    bool seen[62] = {false};
    for (size_t n = 0; n < 15; n++)
        seen[(size_t)part->values[2 * n]] = true;
    for (size_t n = 0; n < 47; n++) {
        assert_false(seen[(size_t)rest->values[2 * n]]);
        seen[(size_t)rest->values[2 * n]] = true;
    }
    spn_dataset_free(rest);
    spn_dataset_free(part);
    assert_ok(spn_dataset_split(&rest, &part, d, 0.25, 3, false, &err), err);
    assert_int_equal(part->samples, 16);
    spn_dataset_free(rest);
    spn_dataset_free(part);
    assert_error(spn_dataset_split(&rest, &part, d, 1, 3, false, &err), &err, SPN_ERROR_ARGUMENT,
                 "fraction 1", "less than 1");
    assert_error(spn_dataset_split(&rest, &part, d, 0.001, 3, false, &err), &err,
                 SPN_ERROR_ARGUMENT, "no sample on one side", "62 samples");
    assert_null(rest);
    assert_null(part);
    spn_dataset_free(d);
}

/* Every sample is in one fold, and folds have classes alike. */
static void test_folds(void **state)
{
    enum { FOLDS = 4, SAMPLES = 62 };
    spn_error err = {0};
    spn_dataset *d = make(state, SAMPLES), *rest, *part;
    bool seen[SAMPLES] = {false};
    size_t count[3], all = 0;
    for (size_t k = 0; k < FOLDS; k++) {
        assert_ok(spn_dataset_fold(&rest, &part, d, FOLDS, k, 3, &err), err);
        assert_int_equal(rest->samples + part->samples, SAMPLES);
        assert_true(part->samples == 15 || part->samples == 16);
        count_classes(part, count); /* of 21, 21 and 20 */
        for (size_t c = 0; c < 3; c++)
            assert_true(count[c] == 5 || count[c] == 6);
        for (size_t n = 0; n < part->samples; n++, all++) {
            assert_false(seen[(size_t)part->values[2 * n]]);
            seen[(size_t)part->values[2 * n]] = true;
        }
        spn_dataset_free(rest);
        spn_dataset_free(part);
    }
    assert_int_equal(all, SAMPLES);
    assert_error(spn_dataset_fold(&rest, &part, d, SAMPLES + 1, 0, 3, &err), &err,
                 SPN_ERROR_ARGUMENT, "fold 0 of 63", "62 samples");
    spn_dataset_free(d);
}

static void test_split_without_labels(void **state)
{
    spn_error err = {0};
    spn_dataset *d, *rest, *part;
    const spn_read_options options = {.size = sizeof options, .labels = SPN_LABELS_NONE};
    const char *path = spn_scratch_text(state, "x.csv", "1,2\n3,4\n5,6\n7,8\n");
    assert_ok(spn_dataset_read(&d, path, NULL, &options, &err), err);
    assert_error(spn_dataset_split(&rest, &part, d, 0.5, 1, true, &err), &err, SPN_ERROR_ARGUMENT,
                 "stratified", "needs labels");
    assert_ok(spn_dataset_split(&rest, &part, d, 0.5, 1, false, &err), err);
    assert_null(part->labels);
    static const char *const names[] = {"a"};
    assert_error(spn_dataset_relabel(part, names, 1, "x.csv", &err), &err, SPN_ERROR_ARGUMENT,
                 "x.csv", "no labels");
    spn_dataset_free(rest);
    spn_dataset_free(part);
    spn_dataset_free(d);
}

static void test_checksum(void **state)
{
    spn_error err = {0};
    spn_dataset *csv, *svm;
    const char *a = spn_scratch_text(state, "a.csv", "1,0,x\n0,2,y\n");
    const char *b = spn_scratch_text(state, "b.csv", "x1,x2,l\n1.0,0,\"x\"\n0,2e0,y\n");
    assert_ok(spn_dataset_read(&csv, a, NULL, NULL, &err), err);
    assert_ok(spn_dataset_read(&svm, b, NULL, NULL, &err), err);
    uint64_t sum = spn_dataset_checksum(csv);
    assert_true(sum == spn_dataset_checksum(svm));
    csv->bytes[3] = 3;
    assert_true(sum != spn_dataset_checksum(csv));
    csv->bytes[3] = 2;
    csv->labels[0] = 1;
    assert_true(sum != spn_dataset_checksum(csv));
    csv->labels[0] = 0;
    csv->class_names[1][0] = 'z';
    assert_true(sum != spn_dataset_checksum(csv));
    spn_dataset_free(csv);
    spn_dataset_free(svm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_relabel),
        scratch_test(test_relabel_while_reading),
        scratch_test(test_select_and_first),
        scratch_test(test_random_sample),
        scratch_test(test_random_sample_is_fair),
        scratch_test(test_split),
        scratch_test(test_folds),
        scratch_test(test_split_without_labels),
        scratch_test(test_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
