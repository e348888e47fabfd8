/* Pictures of hidden units: what they are made of, and how they look. */
#include "support/scratch.h"
#include "support/test.h"

#include "model/picture.h"
#include <spinney/encoding.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 3, HEIGHT = 2, PIXELS = WIDTH * HEIGHT, HIDDEN = 3, CLASSES = 4 };

/* One replica of a network on images of 3 by 2 pixels; hidden bias 1 and bias 2. */
static spn_model *make_network(const int8_t *weights, const spn_encoding *encoding)
{
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_model *model;
    spn_error err = {0};
    arrays.classes = CLASSES;
    arrays.features = PIXELS;
    arrays.width = WIDTH;
    arrays.height = HEIGHT;
    arrays.weights = weights;
    arrays.encoding = encoding;
    arrays.hidden = HIDDEN;
    arrays.hidden_bias = 1;
    arrays.bias = 2;
    assert_ok(spn_model_create(&model, &arrays, &err), err);
    return model;
}

/* Rows of + and - as weights. */
static void read_weights(int8_t *out, const char *text)
{
    for (; *text; text++)
        if (*text != ' ')
            *out++ = *text == '+' ? 1 : -1;
}

static void test_units(void **state)
{
    (void)state;
    int8_t weights[HIDDEN * (PIXELS + 1) + CLASSES * (HIDDEN + 2)];
    read_weights(weights, "+-- -+- +  +++ --- -  -+- +-+ +" /* units, each with its bias */
                          "+-+ ++  --+ +-  +++ --  -+- -+");
    spn_model *model = make_network(weights, NULL);
    spn_error err = {0};
    char *text;
    assert_ok(spn_units_text(&text, model, weights, 0, 0, 13, false, &err), err);
    assert_string_equal(text, "uni  uni  uni\n▀▄   ▀▀▀  ▄▀▄\n");
    free(text);
    assert_ok(spn_units_text(&text, model, weights, 1, 2, 4, false, &err), err);
    assert_string_equal(text, "uni\n▀▀▀\n\nuni\n▄▀▄\n");
    free(text);
    spn_pictures pictures;
    assert_ok(spn_pictures_make(&pictures, model, weights, 1, 2, 64, &err), err);
    static const int expected[2][CLASSES] = {{-1, -1, 1, 1}, {1, 1, 1, -1}};
    for (size_t j = 0; j < 2; j++)
        for (size_t k = 0; k < CLASSES; k++)
            assert_int_equal(spn_picture_output(&pictures, j, k), expected[j][k]);
    assert_int_equal(spn_units_text(&text, model, weights, 2, 2, 80, false, &err),
                     SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "the hidden units are 1 to 3: there are no 2 from number 3 on");
    assert_null(text);
    spn_model_free(model);
}

/* Three levels of the first pixel, none of the second, one of each other: means, and no cell. */
static void test_levels(void **state)
{
    (void)state;
    static const uint32_t counts[PIXELS] = {3, 0, 1, 1, 1, 2};
    static const double thresholds[] = {1, 2, 3, 1, 1, 1, 1, 2};
    enum { INPUTS = 8 };
    int8_t weights[HIDDEN * (INPUTS + 1) + CLASSES * (HIDDEN + 2)];
    spn_error err = {0};
    spn_encoding *encoding;
    memset(weights, 1, sizeof weights);
    read_weights(weights, "++- + - - +- -  --+ - + + -- +");
    assert_ok(spn_encoding_create(&encoding, PIXELS, counts, thresholds, &err), err);
    spn_model *model = make_network(weights, encoding);
    static const int expected[2][PIXELS] = {{33, SPN_SHADE_NONE, 100, -100, -100, 0},
                                            {-33, SPN_SHADE_NONE, -100, 100, 100, -100}};
    spn_pictures pictures;
    assert_ok(spn_pictures_make(&pictures, model, weights, 0, 0, 64, &err), err);
    assert_int_equal(pictures.count, HIDDEN);
    for (size_t j = 0; j < 2; j++)
        for (size_t i = 0; i < PIXELS; i++)
            assert_int_equal(spn_picture_shade(&pictures, j, i % WIDTH, i / WIDTH), expected[j][i]);
    assert_int_equal(spn_picture_shade(&pictures, 0, 0, HEIGHT), SPN_SHADE_NONE);
    char *text;
    assert_ok(spn_units_text(&text, model, weights, 0, 1, 3, true, &err), err);
    assert_string_equal(text, "uni\n\033[38;5;145;48;5;24m▀\033[0m\033[38;5;24m▄\033[0m"
                              "\033[38;5;230;48;5;145m▀\033[0m\n");
    free(text);
    spn_model_free(model);
    spn_encoding_free(encoding);
}

static void test_linear_has_no_units(void **state)
{
    const int8_t weights[] = {1, -1, 1, 1, -1, 1};
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_model *model;
    spn_error err = {0};
    arrays.classes = 2;
    arrays.features = 3;
    arrays.weights = weights;
    assert_ok(spn_model_create(&model, &arrays, &err), err);
    assert_int_equal(
        spn_units_png(model, weights, 0, 1, 1, spn_scratch_path(state, "never.png"), &err),
        SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "a linear classifier has no hidden units to draw");
    spn_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_units), cmocka_unit_test(test_levels),
                                       scratch_test(test_linear_has_no_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
