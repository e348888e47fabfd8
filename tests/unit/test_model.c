/* Model files: what is written is read, and no changed byte goes unnoticed. */
#include "model/model.h"
#include "support/models.h"
#include "support/scratch.h"

#include "base/memory.h"
#include "model/model_format.h"
#include <math.h>
#include <spinney/network.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct content {
    uint8_t *data;
    size_t size;
} content;

/* A small model as it stands in a file. */
static content written(void **state, const spn_model *model)
{
    spn_error err = {0};
    const char *path = spn_scratch_path(state, "written.spn");
    assert_ok(spn_model_write(model, path, &err), err);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    content c = {malloc(1 << 20), 0};
    assert_non_null(c.data);
    c.size = fread(c.data, 1, 1 << 20, file);
    fclose(file);
    return c;
}

static content small_file(void **state)
{
    spn_model *model = spn_test_model(3, 5, 2, 1);
    content c = written(state, model);
    spn_model_free(model);
    return c;
}

/* A model that needs all that version 3 has: a bias, and a section that this program does not know.
 */
static spn_model *full_model(void)
{
    spn_model *model = spn_test_model(3, 7, 2, 5);
    spn_error err = {0};
    spn_scaling *scaling;
    assert_ok(spn_scaling_create(&scaling, 5, model->scaling->shift, model->scaling->scale, &err),
              err);
    spn_scaling_free(model->scaling);
    model->scaling = scaling;
    model->features = 5;
    model->bias = 2;
    model->strangers = spn_alloc(2, sizeof *model->strangers);
    assert_non_null(model->strangers);
    model->stranger_count = 2;
    for (size_t j = 0; j < 2; j++) {
        model->strangers[j] =
            (spn_model_stranger){strdup(j ? "nothing" : "colour"), spn_alloc(4, 1), j ? 0 : 4};
        memcpy(model->strangers[j].data, "blue", 4);
    }
    return model;
}

/* Three features, the second constant, as four bits. */
static spn_model *encoded_model(void)
{
    static const uint32_t counts[] = {3, 0, 1};
    static const double thresholds[] = {-1, 0.5, 1e300, 7};
    spn_model *model = spn_test_model(3, 4, 2, 6);
    spn_error err = {0};
    assert_ok(spn_encoding_create(&model->encoding, 3, counts, thresholds, &err), err);
    model->features = 3;
    return model;
}

/* The same features, seen by two units. */
static spn_model *encoded_network(void)
{
    spn_model *linear = encoded_model(), *model;
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

static content network_file(void **state)
{
    spn_model *model = spn_test_network(3, 5, 4, 2, 7);
    content c = written(state, model);
    spn_model_free(model);
    return c;
}

static content full_file(void **state)
{
    spn_model *model = full_model();
    content c = written(state, model);
    spn_model_free(model);
    return c;
}

/* Parse a copy of exactly the given size, so that sanitizers see a read beyond it. */
static spn_status parse(spn_model **out, const uint8_t *data, size_t size, spn_error *err)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    spn_status status = spn_model_parse(out, copy, size, "m.spn", err);
    free(copy);
    return status;
}

static void refuse(const content *c, size_t size, const char *part, const char *other)
{
    spn_error err = {0};
    spn_model *model;
    spn_status status = parse(&model, c->data, size, &err);
    assert_null(model);
    assert_error(status, &err, SPN_ERROR_INPUT, part, other);
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
    assert_memory_equal(a->weights, b->weights, a->replicas * spn_model_sites(a));
    assert_int_equal(!a->encoding, !b->encoding);
    if (a->encoding) {
        assert_memory_equal(spn_encoding_starts(a->encoding), spn_encoding_starts(b->encoding),
                            (a->features + 1) * sizeof(size_t));
        assert_memory_equal(spn_encoding_thresholds(a->encoding),
                            spn_encoding_thresholds(b->encoding), reals);
    }
    assert_int_equal(a->stranger_count, b->stranger_count);
    for (size_t j = 0; j < a->stranger_count; j++) {
        assert_string_equal(a->strangers[j].name, b->strangers[j].name);
        assert_int_equal(a->strangers[j].size, b->strangers[j].size);
        assert_memory_equal(a->strangers[j].data, b->strangers[j].data, a->strangers[j].size);
    }
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
    check_round_trip(state, full_model());
    check_round_trip(state, encoded_model());
    check_round_trip(state, spn_test_network(10, 64, 32, 3, 7));
    check_round_trip(state, spn_test_network(2, 1, 1, 1, 8));
    check_round_trip(state, encoded_network());
}

/* The same model as version 1 wrote it: without the section of losses. */
static content as_version_1(const content *c)
{
    spn_model_head head;
    spn_model_layout now, then;
    spn_model_get_head(&head, c->data, c->size);
    assert_true(spn_model_layout_of(&now, &head));
    head.version = 1;
    assert_true(spn_model_layout_of(&then, &head));
    content old = {calloc(1, then.total), then.total};
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
        content c = written(state, model), old = as_version_1(&c);
        assert_ok(parse(&back, old.data, old.size, &err), err);
        assert_int_equal(spn_model_train_losses(back) != NULL, cases[k].known);
        if (cases[k].known)
            assert_true(spn_model_train_losses(back)[0] == 0.25 &&
                        spn_model_train_losses(back)[1] == 1e-3);
        assert_memory_equal(back->weights, model->weights, 2 * 15);
        spn_model_free(back);
        spn_model_free(model);
        free(c.data);
        free(old.data);
    }
}

/* The format is fixed: the bytes of a known model, by their checksum. */
static void test_bytes_are_pinned(void **state)
{
    content c = small_file(state);
    assert_int_equal(c.size, 80 + 11 + 8 + 8 * (4 + 10) + 8 + 6 + 8 + 2 * 2 + 8 + 2 * 8 + 8 + 8);
    assert_memory_equal(c.data, "SPNMODEL\2\0\0\0\3\0\0\0\5\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 32);
    assert_memory_equal(c.data + 80, "{\"seed\": 1}", 11);
    free(c.data);
}

/* So is that of what is new in version 3. */
static void test_version_3_bytes_are_pinned(void **state)
{
    content c = full_file(state);
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
    content c = network_file(state);
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
    content old = {data, fread(data, 1, 1 << 16, file)};
    fclose(file);
    spn_model_get_head(&head, data, old.size);
    assert_int_equal(head.version, 2);
    assert_true(spn_model_layout_of(&layout, &head));
    spn_model_seal(data, &layout);
    assert_ok(parse(&model, old.data, old.size, &err), err);
    content new = written(state, model);
    assert_int_equal(old.size, new.size);
    assert_memory_equal(old.data, new.data, old.size);
    spn_model_free(model);
    free(old.data);
    free(new.data);
}

/* What a byte of the file belongs to, as errors call it. */
static const char *part_at(const spn_model_layout *layout, size_t at)
{
    static const char *const names[] = {"manifest", "preprocessing", "class names",
                                        "weights",  "losses",        "named sections"};
    if (at < SPN_MODEL_MAGIC_SIZE)
        return "magic";
    if (at < SPN_MODEL_HEAD_SIZE)
        return "head";
    if (at < layout->start[0])
        return "second head";
    for (size_t s = 0; s < layout->sections; s++)
        if (at < layout->start[s] + layout->size[s] + SPN_MODEL_SUM_SIZE)
            return names[s];
    return "checksum at the end";
}

static void change_every_byte(content c)
{
    spn_model_head head;
    spn_model_layout layout;
    spn_model_get_head(&head, c.data, c.size);
    assert_true(spn_model_layout_of(&layout, &head));
    for (size_t at = 0; at < c.size; at++) {
        for (unsigned change = 1; change < 256; change++) {
            c.data[at] ^= (uint8_t)change;
            refuse(&c, c.size, "m.spn", part_at(&layout, at));
            c.data[at] ^= (uint8_t)change;
        }
    }
    free(c.data);
}

static void test_every_byte_changed(void **state)
{
    change_every_byte(small_file(state));
    change_every_byte(full_file(state));
    change_every_byte(network_file(state));
}

static void try_every_length(content c)
{
    refuse(&c, 0, "not a spinney model", "empty");
    for (size_t size = 1; size < c.size; size++)
        refuse(&c, size, "m.spn", "cut short");
    memset(c.data + c.size, 0, 100);
    refuse(&c, c.size + 1, "1 bytes follow", "end of the model");
    refuse(&c, c.size + 100, "100 bytes follow", "end of the model");
    free(c.data);
}

static void test_every_length(void **state)
{
    try_every_length(small_file(state));
    try_every_length(full_file(state));
    try_every_length(network_file(state));
}

static void test_not_a_model(void **state)
{
    (void)state;
    uint8_t text[200];
    memset(text, 'x', sizeof text);
    content c = {text, sizeof text};
    refuse(&c, sizeof text, "m.spn", "is not a spinney model");
    refuse(&c, 5, "m.spn", "is not a spinney model");
}

/* Change a model's bytes and seal them again: wrong content under right checksums. */
static void reseal(content *c, size_t at, uint8_t value, const char *part)
{
    spn_model_head head;
    spn_model_layout layout;
    spn_model_get_head(&head, c->data, c->size);
    assert_true(spn_model_layout_of(&layout, &head));
    c->data[at] = value;
    spn_model_seal(c->data, &layout);
    refuse(c, c->size, "m.spn", part);
    free(c->data);
}

static void refuse_sealed(void **state, size_t at, uint8_t value, const char *part)
{
    content c = small_file(state);
    reseal(&c, at, value, part);
}

/* `at` counts from the start of the named sections; those before it from the end of the file. */
static void refuse_section(void **state, size_t at, uint8_t value, const char *part)
{
    content c = full_file(state);
    reseal(&c, c.size - 16 - 49 + at, value, part);
}

static void test_wrong_sections(void **state)
{
    refuse_section(state, 0, 0, "impossible head");
    refuse_section(state, 0, 200, "does not end where it should");
    refuse_section(state, 4, 1, "cannot be used without its section 'colour'");
    refuse_section(state, 5, 1, "impossible head");
    refuse_section(state, 8, 200, "does not end where it should");
    refuse_section(state, 15, 255, "does not end where it should");
    refuse_section(state, 8, 3, "does not end where it should");
    refuse_section(state, 17, 0, "impossible head");
}

/* `at` counts from the start of the content of the section: D, three counts, four thresholds. */
static void refuse_encoding(void **state, size_t at, uint8_t value, const char *part)
{
    spn_model *model = encoded_model();
    content c = written(state, model);
    spn_model_free(model);
    reseal(&c, c.size - 16 - (8 + 3 * 4 + 4 * 8) + at, value, part);
}

static void test_wrong_encoding(void **state)
{
    refuse_encoding(state, 0, 4, "impossible size");
    refuse_encoding(state, 7, 255, "impossible size");
    refuse_encoding(state, 8, 2, "3 thresholds, not 4");
    refuse_encoding(state, 11, 255, "thresholds, not 4");
    refuse_encoding(state, 20 + 15, 0x7F, "not finite and ascending"); /* 0.5 becomes huge */
}

/* The same name twice. */
static void test_double_section(void **state)
{
    spn_model *model = full_model();
    free(model->strangers[1].name);
    model->strangers[1].name = strdup("colour");
    content c = written(state, model);
    refuse(&c, c.size, "m.spn", "two sections 'colour'");
    free(c.data);
    spn_model_free(model);
}

static void test_wrong_content(void **state)
{
    refuse_sealed(state, 8, 5, "version 5; this program reads versions 1 to 4");
    refuse_sealed(state, 8, 0, "version 0; this program");
    refuse_sealed(state, 12, 0, "impossible sizes");
    refuse_sealed(state, 23, 255, "impossible sizes");
    refuse_sealed(state, 24, 200, "cut short");
    refuse_sealed(state, 32, 2, "no image");
    refuse_sealed(state, 48, 9, "preprocessing");
    refuse_sealed(state, 52, 1, "impossible sizes");
    refuse_sealed(state, 81, 0, "not a text");
    refuse_sealed(state, 99 + 7, 0xFF, "logit scale");       /* its sign */
    refuse_sealed(state, 219, 0, "more than 3 class names"); /* the first "a" */
    refuse_sealed(state, 220, 'b', "class names where 3");   /* the NUL after it */
    refuse_sealed(state, 219 + 14 + 1, 0xFF, "bits follow the weights of replica 1");
    /* 1.5 becomes infinite, or NaN in one replica of two */
    refuse_sealed(state, 219 + 14 + 12 + 7, 0x7F, "training loss of replica 1 is not finite");
}

/* The bytes of the hidden units and of their bias start at 96, those of the scaling at 162. */
static void refuse_network(void **state, size_t at, uint8_t value, const char *part)
{
    content c = network_file(state);
    reseal(&c, at, value, part);
}

static void test_wrong_network(void **state)
{
    refuse_network(state, 96, 0, "impossible sizes: 3 classes, 0 hidden units, 5 features");
    refuse_network(state, 97, 0x80, "impossible sizes: 3 classes, 32772 hidden units");
    refuse_network(state, 103, 1, "impossible sizes");
    refuse_network(state, 96, 200, "cut short");
    refuse_network(state, 107, 0x7F, "impossible sizes");
    refuse_network(state, 111, 1, "impossible sizes");
    refuse_network(state, 107, 1, "cut short");
    refuse_network(state, 48, 3, "not scaled by preprocessing 'feature'");
    refuse_network(state, 162 + 7, 0x40, "feature 0 of a network has shift 2 and scale 1");
    refuse_network(state, 162 + 40 + 8 + 6, 0xE0, "feature 1 of a network has shift 0 and scale");
    content c = network_file(state);
    c.data[8] = 3; /* a linear model's head is shorter, so that nothing is where it should be */
    spn_put_u64(c.data + 72, spn_model_head_sum(c.data));
    refuse(&c, c.size, "m.spn", "second head");
    free(c.data);
}

/* What a program may ask for: each is refused before memory is taken. */
static void test_absurd_networks(void **state)
{
    (void)state;
    static const struct {
        size_t features, hidden, hidden_bias, bias;
    } cases[] = {{4, SPN_MOST_HIDDEN + 1, 0, 0}, {4, SIZE_MAX, 0, 0}, {4, 0, 1, 0},
                 {1u << 20, 8192, 0, 0},         {4, 2, SIZE_MAX, 0}, {4, 2, 0, UINT32_MAX},
                 {4, 16384, 1u << 18, 0},        {1u << 31, 3, 0, 0}, {4, 2, 0, SIZE_MAX}};
    static const int8_t weight = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_model_arrays arrays = spn_model_arrays_defaults();
        spn_error err = {0};
        spn_model *model;
        arrays.classes = 2;
        arrays.features = cases[k].features;
        arrays.hidden = cases[k].hidden;
        arrays.hidden_bias = cases[k].hidden_bias;
        arrays.bias = cases[k].bias;
        arrays.weights = &weight;
        assert_error(spn_model_create(&model, &arrays, &err), &err, SPN_ERROR_ARGUMENT,
                     "the arrays: ", "");
        assert_null(model);
    }
}

static void test_writer_refuses(void **state)
{
    const char *path = spn_scratch_path(state, "never.spn");
    spn_error err = {0};
    spn_model *model = spn_test_model(3, 5, 2, 1);
    model->weights[7] = 0;
    assert_error(spn_model_write(model, path, &err), &err, SPN_ERROR_ARGUMENT, path, "weight");
    model->weights[7] = 1;
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
    memcpy(model->weights, weights, sizeof weights);
    spn_model_centre(model, centre);
    assert_memory_equal(centre, expected, sizeof expected);
    assert_ptr_equal(spn_model_replica(model, 3), model->weights + 12);
    spn_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_round_trip),
        scratch_test(test_version_1),
        scratch_test(test_bytes_are_pinned),
        scratch_test(test_every_byte_changed),
        scratch_test(test_every_length),
        cmocka_unit_test(test_not_a_model),
        scratch_test(test_version_3_bytes_are_pinned),
        scratch_test(test_version_4_bytes_are_pinned),
        scratch_test(test_wrong_network),
        scratch_test(test_absurd_networks),
        scratch_test(test_old_file),
        scratch_test(test_wrong_sections),
        scratch_test(test_double_section),
        scratch_test(test_wrong_encoding),
        scratch_test(test_wrong_content),
        scratch_test(test_writer_refuses),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
