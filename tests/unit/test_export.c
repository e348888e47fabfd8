/* Exports from the library: votes, and what is refused. The tests of the program compare what is
   exported with predictions. */
#include "support/models.h"
#include "support/scratch.h"
#include "support/test.h"

#include <spinney/export.h>
#include <stdio.h>
#include <stdlib.h>

static char *content(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 20) - 1, file);
    assert_true(feof(file));
    fclose(file);
    return text;
}

static void assert_same_files(const char *a, const char *b)
{
    size_t size_a, size_b;
    char *text_a = content(a, &size_a), *text_b = content(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(text_a, text_b, size_a);
    free(text_a);
    free(text_b);
}

/* A vote of one is that one, and a program of before there were votes gets none. */
static void test_vote_of_one(void **state)
{
    const size_t before = offsetof(spn_export_options, vote);
    spn_model *model = spn_test_network(3, 70, 9, 2, 1);
    const char *plain = spn_scratch_path(state, "plain"), *other = spn_scratch_path(state, "other");
    spn_error err = {0};
    for (int format = SPN_EXPORT_C; format <= SPN_EXPORT_ONNX; format++) {
        spn_export_options options = spn_export_defaults();
        options.format = (spn_export_format)format;
        options.name = "model";
        assert_ok(spn_model_export(model, spn_test_weights(model, 1), 1, &options, plain, &err),
                  err);
        options.vote = 1;
        assert_ok(spn_model_export(model, spn_test_weights(model, 1), 1, &options, other, &err),
                  err);
        assert_same_files(plain, other);
        options.size = before;
        assert_ok(spn_model_export(model, spn_test_weights(model, 1), 1, &options, other, &err),
                  err);
        assert_same_files(plain, other);
    }
    const char *beside = spn_scratch_path(state, "plain.outputs.npy");
    assert_same_files(beside, spn_scratch_path(state, "other.outputs.npy"));
    spn_model_free(model);
}

static void refuses(void **state, const char *text, const spn_model *model, size_t count,
                    const spn_export_options *options)
{
    const char *path = spn_scratch_path(state, "never");
    spn_error err = {0};
    const spn_status status =
        spn_model_export(model, spn_test_weights(model, 0), count, options, path, &err);
    assert_error(status, &err, SPN_ERROR_ARGUMENT, text, "");
    assert_null(fopen(path, "rb"));
}

static void test_refused(void **state)
{
    spn_model *network = spn_test_network(3, 5, 4, 2, 1), *linear = spn_test_model(3, 5, 2, 1);
    spn_export_options options = spn_export_defaults();
    options.format = SPN_EXPORT_ONNX;
    refuses(state, "hold one classifier, not 2; choose a replica, or their vote", network, 2,
            &options);
    refuses(state, "hold one classifier, not 0", network, 0, &options);
    options.vote = 1;
    refuses(state, "hold one classifier, not 0", network, 0, &options);
    refuses(state, "networks vote, and this model is linear", linear, 2, &options);
    options.format = SPN_EXPORT_C;
    options.arithmetic = SPN_ARITHMETIC_FLOAT;
    refuses(state, "the arithmetic float is not possible", network, 2, &options);
    spn_model_free(network);
    spn_model_free(linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_vote_of_one), scratch_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
