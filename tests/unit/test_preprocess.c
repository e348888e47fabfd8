/* Scalings and binarisation. */
#include "data/dataset.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/preprocess.h>
#include <string.h>

static spn_dataset *make(void **state, const char *text)
{
    spn_error err = {0};
    spn_dataset *d;
    const char *path = spn_scratch_text(state, "data.csv", text);
    assert_ok(spn_dataset_read(&d, path, NULL, NULL, &err), err);
    return d;
}

static spn_scaling *fit(spn_preprocess *how, const spn_dataset *d)
{
    spn_error err = {0};
    spn_scaling *s;
    assert_ok(spn_preprocess_fit(&s, how, d, &err), err);
    assert_int_equal(s->features, d->features);
    return s;
}

static void test_uniform_kinds(void **state)
{
    spn_dataset *d = make(state, "0,10,a\n4,2,b\n");
    spn_preprocess how = {.kind = SPN_PREPROCESS_NONE, .shift = 5, .scale = 5};
    spn_scaling *s = fit(&how, d);
    assert_true(s->shift[1] == 0 && s->scale[1] == 1 && how.shift == 0 && how.scale == 1);
    spn_scaling_free(s);
    how = spn_preprocess_suiting("mnist", NULL);
    s = fit(&how, d);
    assert_near((255 - s->shift[0]) / s->scale[0], (1 - 0.1307) / 0.3081, 1e-14);
    spn_scaling_free(s);
    assert_int_equal(spn_preprocess_suiting(NULL, d).kind, SPN_PREPROCESS_FEATURE);
    d->width = 2;
    d->height = 1;
    assert_int_equal(spn_preprocess_suiting("own", d).kind, SPN_PREPROCESS_DATASET);
    assert_int_equal(spn_preprocess_suiting("mnist", d).kind, SPN_PREPROCESS_GIVEN);
    how = spn_preprocess_suiting(NULL, NULL);
    assert_int_equal(how.kind, SPN_PREPROCESS_DATASET);
    s = fit(&how, d);
    assert_near(s->shift[0], 4, 1e-15); /* of 0, 10, 4, 2 */
    assert_near(s->scale[1], sqrt(14), 1e-15);
    assert_true(how.shift == s->shift[0] && how.scale == s->scale[0]);
    spn_scaling_free(s);
    spn_dataset_free(d);
}

static void test_per_feature(void **state)
{
    /* the mean of three times 0.1 is not 0.1: still a constant */
    spn_dataset *d = make(state, "1,0.1,a\n2,0.1,b\n6,0.1,c\n");
    spn_preprocess how = {.kind = SPN_PREPROCESS_FEATURE};
    spn_scaling *s = fit(&how, d);
    assert_near(s->shift[0], 3, 1e-15);
    assert_near(s->scale[0], sqrt(14.0 / 3), 1e-15);
    assert_true(s->shift[1] == 0.1 && s->scale[1] == 1);
    spn_scaling_free(s);
    spn_dataset_free(d);
}

static void test_constants_of_mnist_are_its_moments(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_dataset *d;
    if (spn_dataset_open(&d, NULL, "mnist", &err) != SPN_OK)
        skip();
    spn_preprocess how = {.kind = SPN_PREPROCESS_DATASET};
    spn_scaling *s = fit(&how, d);
    assert_near(how.shift / 255, 0.1307, 5e-5);
    assert_near(how.scale / 255, 0.3081, 5e-5);
    spn_scaling_free(s);
    spn_dataset_free(d);
}

static void test_binarise(void **state)
{
    spn_error err = {0};
    spn_dataset *d = make(state, "0.5,-3,a\n0.6,8.25,b\n"), *binary;
    static const uint8_t expected[] = {0, 0, 1, 1};
    assert_ok(spn_dataset_binarise(&binary, d, 0.5, &err), err);
    assert_null(binary->values);
    assert_memory_equal(binary->bytes, expected, 4);
    assert_int_equal(binary->labels[1], 1);
    spn_dataset_free(binary);
    spn_preprocess how = {.kind = SPN_PREPROCESS_BINARY, .threshold = 0.5};
    spn_scaling *s = fit(&how, d);
    assert_true((expected[0] - s->shift[0]) / s->scale[0] == -1);
    assert_true((expected[2] - s->shift[0]) / s->scale[0] == 1);
    spn_scaling_free(s);
    assert_error(spn_dataset_binarise(&binary, d, NAN, &err), &err, SPN_ERROR_ARGUMENT, "threshold",
                 "finite");
    assert_null(binary);
    spn_dataset_free(d);
    d = make(state, "1,2,a\n3,4,b\n");
    assert_ok(spn_dataset_binarise(&binary, d, 2, &err), err);
    assert_memory_equal(binary->bytes, expected, 4);
    spn_dataset_free(binary);
    spn_dataset_free(d);
}

static void test_faults(void **state)
{
    spn_error err = {0};
    spn_scaling *s;
    spn_dataset *d = make(state, "1e308,-1e308,a\n-1e308,1e308,b\n");
    spn_preprocess how = {.kind = SPN_PREPROCESS_DATASET};
    assert_error(spn_preprocess_fit(&s, &how, d, &err), &err, SPN_ERROR_INPUT, "deviation",
                 "rescale");
    how.kind = SPN_PREPROCESS_FEATURE;
    assert_error(spn_preprocess_fit(&s, &how, d, &err), &err, SPN_ERROR_INPUT, "feature 1",
                 "rescale");
    how = (spn_preprocess){.kind = SPN_PREPROCESS_GIVEN, .shift = 1, .scale = 0};
    assert_error(spn_preprocess_fit(&s, &how, d, &err), &err, SPN_ERROR_ARGUMENT, "scale 0",
                 "not 0");
    how.kind = (spn_preprocess_kind)99;
    assert_error(spn_preprocess_fit(&s, &how, d, &err), &err, SPN_ERROR_ARGUMENT, "99", "no");
    assert_null(s);
    spn_dataset_free(d);
}

static void test_scaling_from_numbers(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_scaling *s;
    double shift[] = {1, 2}, scale[] = {3, 4};
    assert_ok(spn_scaling_create(&s, 2, shift, scale, &err), err);
    assert_memory_equal(s->shift, shift, sizeof shift);
    assert_memory_equal(s->scale, scale, sizeof scale);
    spn_scaling_free(s);
    scale[1] = 0;
    assert_error(spn_scaling_create(&s, 2, shift, scale, &err), &err, SPN_ERROR_ARGUMENT,
                 "feature 1", "not 0");
    scale[1] = INFINITY;
    assert_error(spn_scaling_create(&s, 2, shift, scale, &err), &err, SPN_ERROR_ARGUMENT,
                 "feature 1", "finite");
    assert_null(s);
}

static void test_names(void **state)
{
    (void)state;
    spn_error err = {0};
    for (int k = SPN_PREPROCESS_NONE; k <= SPN_PREPROCESS_BINARY; k++) {
        spn_preprocess_kind kind;
        const char *name = spn_preprocess_kind_name((spn_preprocess_kind)k);
        assert_ok(spn_preprocess_kind_parse(&kind, name, &err), err);
        assert_int_equal(kind, k);
    }
    for (int k = SPN_FORMAT_AUTO; k <= SPN_FORMAT_SVMLIGHT; k++) {
        spn_format format;
        assert_ok(spn_format_parse(&format, spn_format_name((spn_format)k), &err), err);
        assert_int_equal(format, k);
    }
    spn_preprocess_kind kind;
    spn_format format;
    assert_error(spn_preprocess_kind_parse(&kind, "log", &err), &err, SPN_ERROR_ARGUMENT, "'log'",
                 "expected none");
    assert_error(spn_format_parse(&format, "xls", &err), &err, SPN_ERROR_ARGUMENT, "'xls'",
                 "expected auto");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_uniform_kinds),
        scratch_test(test_per_feature),
        cmocka_unit_test(test_constants_of_mnist_are_its_moments),
        scratch_test(test_binarise),
        scratch_test(test_faults),
        cmocka_unit_test(test_scaling_from_numbers),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
