/* Model files: what is written is what is read, in the bytes of each version. */
#include "model/model_format.h"
#include "support/models.h"
#include "support/scratch.h"

#include <malloc.h>
#include <math.h>
#include <spinney/network.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same features, seen by two units. */
static spn_model *encoded_network(void)
{
    spn_model *linear = spn_test_encoded_model(), *model;
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_error err = {0};
    int8_t weights[2 * 4 + 3 * 2];
    memset(weights, -1, sizeof weights);
    weights[3] = weights[9] = 1;
    arrays.classes = 3;
    arrays.features = 3;
    arrays.hidden = 2;
    arrays.encoding = linear->encoding;
    arrays.weights = weights;
    assert_ok(spn_model_create(&model, &arrays, &err), err);
    assert_int_equal(spn_model_sites(model), sizeof weights);
    assert_int_equal(spn_model_row(model), 2);
    spn_model_free(linear);
    return model;
}

static void assert_same(const spn_model *a, const spn_model *b)
{
    const size_t reals = a->scaling->features * sizeof(double);
    assert_int_equal(a->classes, b->classes);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->bias, b->bias);
    assert_int_equal(a->hidden, b->hidden);
    assert_int_equal(a->hidden_bias, b->hidden_bias);
    assert_int_equal(a->scaling->features, b->scaling->features);
    assert_int_equal(a->replicas, b->replicas);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_true(a->logit_scale == b->logit_scale);
    assert_memory_equal(&a->preprocess, &b->preprocess, sizeof a->preprocess);
    assert_memory_equal(a->scaling->shift, b->scaling->shift, reals);
    assert_memory_equal(a->scaling->scale, b->scaling->scale, reals);
    assert_memory_equal(a->packed, b->packed, a->replicas * spn_model_replica_bytes(a));
    assert_int_equal(!a->encoding, !b->encoding);
    if (a->encoding) {
        assert_memory_equal(a->encoding->start, b->encoding->start,
                            (a->features + 1) * sizeof(size_t));
        assert_memory_equal(a->encoding->thresholds, b->encoding->thresholds, reals);
    }
    assert_int_equal(a->strangers.size, b->strangers.size);
    if (a->strangers.size > 0)
        assert_memory_equal(a->strangers.data, b->strangers.data, a->strangers.size);
    assert_string_equal(a->manifest, b->manifest);
    assert_int_equal(!a->train_losses, !b->train_losses);
    for (size_t k = 0; a->train_losses && k < a->replicas; k++)
        assert_true(a->train_losses[k] == b->train_losses[k]);
    for (uint32_t k = 0; k < a->classes; k++)
        assert_string_equal(a->class_names[k], b->class_names[k]);
}

static void check_round_trip(void **state, spn_model *model)
{
    spn_error err = {0};
    spn_model *back;
    const char *path = spn_scratch_path(state, "model.spn");
    assert_ok(spn_model_write(model, path, &err), err);
    assert_ok(spn_model_read(&back, path, &err), err);
    assert_same(model, back);
    spn_model_free(back);
    spn_model_free(model);
}

static void test_round_trip(void **state)
{
    check_round_trip(state, spn_test_model(10, 64, 3, 1));
    check_round_trip(state, spn_test_model(2, 1, 1, 2));
    check_round_trip(state, spn_test_model(7, 13, 255, 3));
    spn_model *image = spn_test_model(4, 12, 2, 4);
    image->width = 4;
    image->height = 3;
    image->preprocess =
        (spn_preprocess){.kind = SPN_PREPROCESS_BINARY, .shift = .5, .scale = .5, .threshold = 7};
    free(image->manifest);
    image->manifest = strdup("");
    free(image->train_losses);
    image->train_losses = NULL;
    check_round_trip(state, image);
    check_round_trip(state, spn_test_full_model());
    check_round_trip(state, spn_test_encoded_model());
    check_round_trip(state, spn_test_network(10, 64, 32, 3, 7));
    check_round_trip(state, spn_test_network(2, 1, 1, 1, 8));
    check_round_trip(state, encoded_network());
}

/* The same model as version 1 wrote it: without the section of losses. */
static spn_test_content as_version_1(const spn_test_content *c)
{
    spn_model_head head;
    spn_model_layout now, then;
    spn_model_get_head(&head, c->data, c->size);
    assert_true(spn_model_layout_of(&now, &head));
    head.version = 1;
    assert_true(spn_model_layout_of(&then, &head));
    spn_test_content old = {calloc(1, then.total), then.total};
    assert_non_null(old.data);
    spn_model_put_head(old.data, &head);
    for (size_t s = 0; s < then.sections; s++)
        memcpy(old.data + then.start[s], c->data + now.start[s], then.size[s]);
    spn_model_seal(old.data, &then);
    return old;
}

/* Files of version 1 hold the losses in their manifest, or nowhere. */
static void test_version_1(void **state)
{
    static const struct {
        const char *manifest;
        bool known;
    } cases[] = {
        {"{\"results\": {\"best\": 1, \"replicas\": [\n      {\"train_loss\": 0.25, \"active\": "
         "7},\n      {\"train_loss\": 1e-3}\n    ]}}",
         true},
        {"{\"results\": {\"replicas\": [{\"train_loss\": 0.25}]}}", false},
        {"{\"results\": {\"replicas\": [{\"train_loss\": 0.25}, {\"train_loss\": 1}, "
         "{\"train_loss\": 2}]}}",
         false},
        {"{\"results\": {\"replicas\": [{\"train_loss\": 0.25}, {\"train_loss\": null}]}}", false},
        {"{\"replicas\": [{\"train_loss\": 0.25}, {\"train_loss\": 1}]}", false},
        {"{\"results\": {\"replicas\": [{\"train_loss\": 0.25", false},
        {"{}", false},
        {"", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        spn_model *model = spn_test_model(3, 5, 2, 1), *back;
        assert_ok(spn_model_set_manifest(model, cases[k].manifest, &err), err);
        spn_test_content c = spn_test_written_model(state, model), old = as_version_1(&c);
        assert_ok(spn_test_parse_model(&back, old.data, old.size, &err), err);
        assert_int_equal(spn_model_train_losses(back) != NULL, cases[k].known);
        if (cases[k].known)
            assert_true(spn_model_train_losses(back)[0] == 0.25 &&
                        spn_model_train_losses(back)[1] == 1e-3);
        assert_memory_equal(spn_test_weights(back, 0), spn_test_weights(model, 0), 2 * 15);
        spn_model_free(back);
        spn_model_free(model);
        free(c.data);
        free(old.data);
    }
}

/* The format is fixed: the bytes of a known model, by their checksum. */
static void test_bytes_are_pinned(void **state)
{
    spn_test_content c = spn_test_small_file(state);
    assert_int_equal(c.size, 80 + 11 + 8 + 8 * (4 + 10) + 8 + 6 + 8 + 2 * 2 + 8 + 2 * 8 + 8 + 8);
    assert_memory_equal(c.data, "SPNMODEL\2\0\0\0\3\0\0\0\5\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 32);
    assert_memory_equal(c.data + 80, "{\"seed\": 1}", 11);
    free(c.data);
}

/* So is that of what is new in version 3. */
static void test_version_3_bytes_are_pinned(void **state)
{
    spn_test_content c = spn_test_full_file(state);
    static const uint8_t sections[] = "\6\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0colourblue"
                                      "\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0nothing";
    const size_t size = sizeof sections - 1;
    assert_int_equal(c.size, 80 + 24 + 11 + 8 + 8 * (4 + 10) + 8 + 6 + 8 + 2 * 3 + 8 + 2 * 8 + 8 +
                                 size + 8 + 8);
    assert_memory_equal(c.data, "SPNMODEL\3\0\0\0\3\0\0\0\5\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 32);
    assert_memory_equal(c.data + 80, "\2\0\0\0\0\0\0\0\61\0\0\0\0\0\0\0", 16);
    assert_memory_equal(c.data + c.size - 16 - size, sections, size);
    free(c.data);
}

/* And that of version 4, the second head of which holds the hidden units and their bias. */
static void test_version_4_bytes_are_pinned(void **state)
{
    spn_test_content c = spn_test_network_file(state);
    const size_t sites = 4 * (5 + 3) + 3 * (4 + 2);
    assert_int_equal(c.size, 80 + 40 + 2 + 8 + 8 * (4 + 10) + 8 + 6 + 8 + 2 * ((sites + 7) / 8) +
                                 8 + 2 * 8 + 8 + 0 + 8 + 8);
    assert_memory_equal(c.data, "SPNMODEL\4\0\0\0\3\0\0\0\5\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 32);
    assert_memory_equal(c.data + 80, "\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    assert_memory_equal(c.data + 96, "\4\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 16);
    free(c.data);
}

/* A file that the program of version 2 wrote is read, and written again byte for byte. */
static void test_old_file(void **state)
{
    spn_error err = {0};
    spn_model *model;
    spn_model_head head;
    spn_model_layout layout;
    uint8_t *data = calloc(1, 1 << 16);
    assert_non_null(data);
    FILE *file = fopen(SPN_TESTS "/fuzz/cases/model/losses", "r");
    assert_non_null(file);
    assert_int_equal(fgetc(file), 1); /* the fuzzer's own: seal the file first */
    spn_test_content old = {data, fread(data, 1, 1 << 16, file)};
    fclose(file);
    spn_model_get_head(&head, data, old.size);
    assert_int_equal(head.version, 2);
    assert_true(spn_model_layout_of(&layout, &head));
    spn_model_seal(data, &layout);
    assert_ok(spn_test_parse_model(&model, old.data, old.size, &err), err);
    spn_test_content new = spn_test_written_model(state, model);
    assert_int_equal(old.size, new.size);
    assert_memory_equal(old.data, new.data, old.size);
    spn_model_free(model);
    free(old.data);
    free(new.data);
}

static void test_writer_refuses(void **state)
{
    const char *path = spn_scratch_path(state, "never.spn");
    spn_error err = {0};
    spn_model *model = spn_test_model(3, 5, 2, 1);
    model->logit_scale = NAN;
    assert_error(spn_model_write(model, path, &err), &err, SPN_ERROR_ARGUMENT, path, "logit scale");
    model->logit_scale = 1;
    model->scaling->scale[2] = 0;
    assert_error(spn_model_write(model, path, &err), &err, SPN_ERROR_ARGUMENT, path, "feature 2");
    model->scaling->scale[2] = 1;
    model->train_losses[1] = INFINITY;
    assert_error(spn_model_write(model, path, &err), &err, SPN_ERROR_ARGUMENT, path, "replica 2");
    model->train_losses[1] = 0;
    assert_error(spn_model_write(model, "/no/such/folder/m", &err), &err, SPN_ERROR_IO,
                 "/no/such/folder/m", "cannot be written");
    assert_int_not_equal(access(path, F_OK), 0);
    spn_model_free(model);
}

static void test_missing_file(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_model *model;
    assert_error(spn_model_read(&model, "/no/such/model", &err), &err, SPN_ERROR_IO,
                 "/no/such/model", "cannot be opened");
    assert_null(model);
    spn_model_free(NULL);
}

static void test_centre(void **state)
{
    (void)state;
    spn_model *model = spn_test_model(2, 2, 4, 1);
    static const int8_t weights[] = {1, -1, 1, -1, 1, -1, -1, 1, 1, -1, -1, -1, -1, 1, 1, 1};
    static const int8_t expected[] = {1, -1, 1, -1}; /* the last two are ties: replica 0 */
    int8_t centre[4];
    spn_test_pack(model, weights);
    spn_model_centre(model, centre);
    assert_memory_equal(centre, expected, sizeof expected);
    assert_memory_equal(spn_test_weights(model, 0), weights, sizeof weights);
    assert_memory_equal(spn_test_weights(model, 3), weights + 12, 4);
    spn_model_free(model);
}

/* A model keeps its file, and no second copy of the weights. */
static void test_memory(void **state)
{
    const char *path = spn_scratch_path(state, "large.spn");
    spn_error err = {0};
    spn_model *model = spn_test_model(10, 1000, 400, 1), *back;
    assert_ok(spn_model_write(model, path, &err), err);
    spn_model_free(model);
    const struct mallinfo2 before = mallinfo2();
    assert_ok(spn_model_read(&back, path, &err), err);
    const struct mallinfo2 after = mallinfo2();
    const size_t taken = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
    assert_true(taken < 1.2 * 400 * 10 * 1000 / 8);
    assert_int_equal(spn_model_replicas(back), 400);
    spn_model_free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_round_trip),
        scratch_test(test_version_1),
        scratch_test(test_bytes_are_pinned),
        scratch_test(test_version_3_bytes_are_pinned),
        scratch_test(test_version_4_bytes_are_pinned),
        scratch_test(test_old_file),
        scratch_test(test_writer_refuses),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_centre),
        scratch_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
