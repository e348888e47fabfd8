/* Model files that are damaged or forged: every byte changed, every length, wrong parts. */
#include "base/memory.h"
#include "model/model_format.h"
#include "support/models.h"
#include "support/scratch.h"

#include <spinney/network.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const spn_test_content *c, size_t size, const char *part, const char *other)
{
    spn_error err = {0};
    spn_model *model;
    spn_status status = spn_test_parse_model(&model, c->data, size, &err);
    assert_null(model);
    assert_error(status, &err, SPN_ERROR_INPUT, part, other);
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

static void change_every_byte(spn_test_content c)
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
    change_every_byte(spn_test_small_file(state));
    change_every_byte(spn_test_full_file(state));
    change_every_byte(spn_test_network_file(state));
}

static void try_every_length(spn_test_content c)
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
    try_every_length(spn_test_small_file(state));
    try_every_length(spn_test_full_file(state));
    try_every_length(spn_test_network_file(state));
}

static void test_not_a_model(void **state)
{
    (void)state;
    uint8_t text[200];
    memset(text, 'x', sizeof text);
    spn_test_content c = {text, sizeof text};
    refuse(&c, sizeof text, "m.spn", "is not a spinney model");
    refuse(&c, 5, "m.spn", "is not a spinney model");
}

/* Change a model's bytes and seal them again: wrong content under right checksums. */
static void reseal(spn_test_content *c, size_t at, uint8_t value, const char *part)
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
    spn_test_content c = spn_test_small_file(state);
    reseal(&c, at, value, part);
}

/* `at` counts from the start of the named sections; those before it from the end of the file. */
static void refuse_section(void **state, size_t at, uint8_t value, const char *part)
{
    spn_test_content c = spn_test_full_file(state);
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
    spn_model *model = spn_test_encoded_model();
    spn_test_content c = spn_test_written_model(state, model);
    spn_model_free(model);
    reseal(&c, c.size - 16 - (8 + 3 * 4 + 4 * 8) + at, value, part);
}

static void test_wrong_encoding(void **state)
{
    refuse_encoding(state, 0, 4, "impossible size");
    refuse_encoding(state, 7, 255, "impossible size");
    refuse_encoding(state, 8, 2, "3 thresholds, not 4");
    refuse_encoding(state, 11, 255, "thresholds, not 4");
    refuse_encoding(state, 20 + 15, 0x7F, "must be finite and ascending"); /* 0.5 becomes huge */
}

/* The same name twice. */
static void test_double_section(void **state)
{
    spn_model *model = spn_test_full_model();
    uint8_t first[16 + 6 + 4]; /* head, "colour", "blue" */
    memcpy(first, model->strangers.data, sizeof first);
    spn_bytes_put(&model->strangers, first, sizeof first);
    spn_test_content c = spn_test_written_model(state, model);
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
    refuse_sealed(state, 32, 2, "not an image");
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
    spn_test_content c = spn_test_network_file(state);
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
    spn_test_content c = spn_test_network_file(state);
    c.data[8] = 3; /* a linear model's head is shorter, so that nothing is where it should be */
    spn_put_number(c.data + 72, spn_model_head_sum(c.data), 8);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_every_byte_changed), scratch_test(test_every_length),
        cmocka_unit_test(test_not_a_model),    scratch_test(test_wrong_network),
        scratch_test(test_absurd_networks),    scratch_test(test_wrong_sections),
        scratch_test(test_double_section),     scratch_test(test_wrong_encoding),
        scratch_test(test_wrong_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
