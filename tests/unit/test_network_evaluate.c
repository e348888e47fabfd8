/* The scores of networks and of votes against the definition written out, for every instruction
   set; and what is refused. */
#include "data/dataset.h"
#include "support/test.h"

#include "base/memory.h"
#include "energy/network/evaluate.h"
#include <math.h>
#include <spinney/network.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* A random network on random data. */
typedef struct scene {
    size_t samples, features, hidden, classes, hidden_bias, bias, votes;
    unsigned most; /* inputs are 0 to this */
    bool as_values;
    spn_softmax_model model;
    spn_dataset *data;
    spn_scaling *scaling;
    int8_t *weights;
} scene;

static size_t sites_of(const scene *s)
{
    const size_t inputs = s->hidden ? s->hidden : s->features; /* of the outputs */
    return s->hidden * (s->features + s->hidden_bias) + s->classes * (inputs + s->bias);
}

static spn_scaling *identity(size_t features)
{
    double *zeros = spn_alloc(features, sizeof *zeros), *ones = spn_alloc(features, sizeof *ones);
    spn_scaling *scaling;
    spn_error err = {0};
    assert_true(zeros && ones);
    for (size_t i = 0; i < features; i++)
        ones[i] = 1;
    assert_ok(spn_scaling_create(&scaling, features, zeros, ones, &err), err);
    free(zeros);
    free(ones);
    return scaling;
}

/* Samples of random density, so that some have no input but 0. */
static spn_dataset *random_data(const scene *s, spn_random *random)
{
    const size_t cells = s->samples * s->features;
    uint8_t *bytes = spn_alloc(cells, 1);
    uint32_t *labels = spn_alloc(s->samples, sizeof *labels);
    spn_error err = {0};
    spn_dataset *data;
    assert_true(bytes && labels);
    for (size_t n = 0; n < s->samples; n++) {
        const uint32_t density = spn_random_below(random, 5);
        labels[n] = spn_random_below(random, (uint32_t)s->classes);
        for (size_t i = 0; i < s->features; i++)
            if (spn_random_below(random, 4) < density)
                bytes[n * s->features + i] = (uint8_t)(1 + spn_random_below(random, s->most));
    }
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = s->samples;
    arrays.features = s->features;
    arrays.bytes = bytes;
    arrays.labels = labels;
    arrays.classes = s->classes;
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    if (s->as_values) { /* a part of data whose other samples are no bytes */
        data->values = spn_alloc(cells, sizeof *data->values);
        assert_non_null(data->values);
        for (size_t c = 0; c < cells; c++)
            data->values[c] = bytes[c];
        free(data->bytes);
        data->bytes = NULL;
    }
    free(bytes);
    free(labels);
    return data;
}

static void scene_make(scene *s, uint64_t seed)
{
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
    const size_t votes = s->votes > 1 ? s->votes : 1;
    s->data = random_data(s, &random);
    s->scaling = identity(s->features);
    s->weights = malloc(votes * sites_of(s)); /* a sanitizer sees any read beyond */
    assert_non_null(s->weights);
    spn_random_spins(&random, s->weights, votes * sites_of(s));
    s->model = spn_softmax_model_defaults();
    s->model.weights = s->weights;
    s->model.classes = (uint32_t)s->classes;
    s->model.features = s->features;
    s->model.scaling = s->scaling;
    s->model.logit_scale = 0.25;
    s->model.bias = s->bias;
    s->model.hidden = s->hidden;
    s->model.hidden_bias = s->hidden_bias;
    s->model.votes = s->votes;
}

static void scene_free(scene *s)
{
    spn_dataset_free(s->data);
    spn_scaling_free(s->scaling);
    free(s->weights);
}

/* What was met on the way, so that no case passes by not occurring. */
static size_t zero_sums, ties;

/* The definition: the sums, their signs, the logits in units of the logit scale. */
static void oracle(double *logits, const scene *s, size_t n)
{
    const size_t unit = s->features + s->hidden_bias, row = s->hidden + s->bias;
    for (size_t k = 0; k < s->classes; k++)
        logits[k] = 0;
    for (size_t v = 0; v == 0 || v < s->votes; v++) {
        const int8_t *w = s->weights + v * sites_of(s), *out = w + s->hidden * unit;
        for (size_t j = 0; j < row; j++) {
            double sum = 0;
            for (size_t i = 0; j < s->hidden && i < unit; i++)
                sum += w[j * unit + i] * (i < s->features ? spn_dataset_value(s->data, n, i) : 1.0);
            zero_sums += j < s->hidden && sum == 0;
            for (size_t k = 0; k < s->classes; k++)
                logits[k] += (sum < 0 ? -1 : 1) * out[k * row + j];
        }
    }
}

static uint32_t first_largest(const double *logits, size_t classes)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < classes; k++)
        if (logits[k] > logits[best])
            best = k;
    for (size_t k = 0; k < classes; k++)
        ties += k != best && logits[k] == logits[best];
    return best;
}

/* Every instruction set gives the oracle's logits exactly. */
static void compare_logits(const scene *s)
{
    const size_t classes = s->classes;
    double *expected = spn_alloc(s->samples * classes, sizeof *expected);
    int64_t *got = spn_alloc(SPN_NETWORK_PART * classes, sizeof *got);
    spn_error err = {0};
    assert_true(expected && got);
    for (size_t n = 0; n < s->samples; n++)
        oracle(expected + n * classes, s, n);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
        spn_network_scorer *scorer;
        assert_ok(spn_network_scorer_make(&scorer, &s->model, s->data, isa, &err), err);
        for (size_t first = 0; first < s->samples; first += SPN_NETWORK_PART) {
            const size_t left = s->samples - first;
            const size_t count = left < SPN_NETWORK_PART ? left : SPN_NETWORK_PART;
            spn_network_scorer_logits(scorer, got, first, count);
            for (size_t c = 0; c < count * classes; c++)
                assert_true((double)got[c] == expected[first * classes + c]);
        }
        spn_network_scorer_free(scorer);
    }
    free(expected);
    free(got);
}

/* Predictions, probabilities, loss and counts of the public functions. */
static void compare_scores(const scene *s)
{
    const size_t classes = s->classes;
    uint32_t *predictions = spn_alloc(s->samples, sizeof *predictions);
    double *probabilities = spn_alloc(s->samples * classes, sizeof *probabilities);
    double *logits = spn_alloc(classes, sizeof *logits), loss = 0;
    size_t right = 0, correct;
    spn_softmax_details details = spn_softmax_details_defaults();
    spn_softmax_scores scores;
    spn_error err = {0};
    assert_true(predictions && probabilities && logits);
    details.predictions = predictions;
    details.probabilities = probabilities;
    assert_ok(spn_softmax_evaluate(&scores, &s->model, s->data, &details, &err), err);
    assert_ok(spn_softmax_correct(&correct, &s->model, s->data, &err), err);
    for (size_t n = 0; n < s->samples; n++) {
        const uint32_t label = spn_dataset_labels(s->data)[n];
        double total = 0;
        oracle(logits, s, n);
        assert_int_equal(predictions[n], first_largest(logits, classes));
        for (size_t k = 0; k < classes; k++)
            total += exp(s->model.logit_scale * logits[k]);
        for (size_t k = 0; k < classes; k++)
            assert_near(probabilities[n * classes + k],
                        exp(s->model.logit_scale * logits[k]) / total, 1e-13);
        loss += log(total) - s->model.logit_scale * logits[label];
        right += predictions[n] == label;
    }
    assert_int_equal(correct, right);
    assert_int_equal(scores.correct, right);
    assert_near(scores.loss, loss / (double)s->samples, 1e-11 * (1 + scores.loss));
    free(predictions);
    free(probabilities);
    free(logits);
}

static void test_against_definition(void **state)
{
    (void)state;
    static const unsigned shapes[][9] = {
        /* samples, features, hidden, classes, hidden bias, bias, votes, most, as values */
        {70, 20, 1, 2, 0, 0, 0, 1, 0},   {65, 64, 2, 2, 1, 0, 1, 1, 0},
        {64, 65, 3, 3, 0, 1, 2, 1, 0},   {130, 784, 37, 10, 2, 3, 3, 1, 0},
        {1, 1, 1, 2, 0, 0, 0, 1, 0},     {63, 63, 64, 5, 3, 0, 5, 1, 0},
        {67, 129, 65, 4, 0, 2, 1, 1, 0}, {50, 7, 8, 10, 0, 0, 1, 1, 0},
        {70, 20, 1, 2, 0, 0, 0, 16, 0},  {130, 90, 37, 10, 2, 3, 3, 255, 0},
        {66, 31, 9, 3, 1, 0, 2, 3, 0},   {40, 30, 16, 4, 0, 1, 2, 1, 1},
        {40, 30, 16, 4, 5, 0, 1, 9, 1}};
    zero_sums = ties = 0;
    for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++) {
        const unsigned *n = shapes[j];
        scene s = {.samples = n[0],
                   .features = n[1],
                   .hidden = n[2],
                   .classes = n[3],
                   .hidden_bias = n[4],
                   .bias = n[5],
                   .votes = n[6],
                   .most = n[7],
                   .as_values = n[8] > 0};
        scene_make(&s, j + 1);
        compare_logits(&s);
        compare_scores(&s);
        scene_free(&s);
    }
    assert_true(zero_sums > 1000 && ties > 100);
}

/* A vote of linear classifiers: its logits are the sums of theirs. */
static void test_linear_votes(void **state)
{
    (void)state;
    enum { VOTES = 3 };
    for (int kind = 0; kind < 3; kind++) { /* bytes, doubles, bits of an encoding */
        scene s = {.samples = 77,
                   .features = 30,
                   .classes = 4,
                   .bias = 2,
                   .votes = VOTES,
                   .most = kind == 2 ? 1 : 40,
                   .as_values = kind == 1};
        uint32_t predictions[77];
        double probabilities[77 * 4], shift[30], scale[30];
        spn_softmax_details details = spn_softmax_details_defaults();
        spn_softmax_scores scores;
        spn_error err = {0};
        scene_make(&s, 50);
        for (size_t i = 0; i < 30; i++) {
            shift[i] = kind == 2 ? 0.5 : 7;
            scale[i] = kind == 2 ? 0.5 : 20;
        }
        spn_scaling_free(s.scaling);
        assert_ok(spn_scaling_create(&s.scaling, 30, shift, scale, &err), err);
        s.model.scaling = s.scaling;
        s.model.bits = kind == 2;
        details.predictions = predictions;
        details.probabilities = probabilities;
        assert_ok(spn_softmax_evaluate(&scores, &s.model, s.data, &details, &err), err);
        for (size_t n = 0; n < 77; n++) {
            double total = 0, logits[4] = {0};
            for (size_t r = 0; r < 4 * VOTES; r++)
                for (size_t i = 0; i < 32; i++)
                    logits[r % 4] +=
                        s.weights[r * 32 + i] *
                        (i < 30 ? (spn_dataset_value(s.data, n, i) - shift[i]) / scale[i] : 1);
            for (size_t k = 0; k < 4; k++)
                total += exp(0.25 * logits[k]);
            for (size_t k = 0; k < 4; k++)
                assert_near(probabilities[4 * n + k], exp(0.25 * logits[k]) / total, 1e-12);
            if (kind == 2)
                assert_int_equal(predictions[n], first_largest(logits, 4));
        }
        scene_free(&s);
    }
}

static void expect_refused(scene *s, const char *text)
{
    spn_error err = {0};
    spn_softmax_scores scores;
    size_t correct;
    assert_int_equal(spn_softmax_evaluate(&scores, &s->model, s->data, NULL, &err),
                     SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, text);
    assert_int_equal(spn_softmax_correct(&correct, &s->model, s->data, &err), SPN_ERROR_ARGUMENT);
}

static void test_refusals(void **state)
{
    (void)state;
    scene s = {
        .samples = 5, .features = 200, .hidden = 3, .classes = 2, .most = 1, .as_values = true};
    scene_make(&s, 9);
    s.data->values[2 * 200 + 7] = 0.5;
    expect_refused(&s, "network: feature 7 of sample 2 is 0.5, not a whole number from 0 to 255");
    s.data->values[2 * 200 + 7] = -1;
    expect_refused(&s, "network: feature 7 of sample 2 is -1, not a whole number from 0 to 255");
    s.data->values[2 * 200 + 7] = 256;
    expect_refused(&s, "network: feature 7 of sample 2 is 256, not a whole number from 0 to 255");
    s.data->values[2 * 200 + 7] = 1;
    s.scaling->shift[3] = 0.5;
    expect_refused(&s, "network: inputs are seen as they are, but the scaling of feature 3 has "
                       "shift 0.5 and scale 1");
    s.scaling->shift[3] = 0;
    for (size_t i = 0; i < 200; i++)
        s.data->values[200 + i] = i < 128 ? 255 : i == 128 ? 127 : 0; /* 32767 */
    size_t correct;
    spn_error err = {0};
    assert_ok(spn_softmax_correct(&correct, &s.model, s.data, &err), err);
    s.data->values[200 + 129] = 1;
    expect_refused(&s, "network: the inputs of sample 1 add up to 32768, more than the 32767 that "
                       "hidden units hold");
    s.model.features = 199;
    expect_refused(&s, "network: the model has 199 features, its scaling 200, the data 200");
    s.model.features = 200;
    s.model.hidden = SPN_MOST_HIDDEN + 1;
    expect_refused(&s,
                   "network: hidden units are at most 16384, and each has at most 32766 weights "
                   "of its bias, not 16385 and 0");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_definition),
                                       cmocka_unit_test(test_linear_votes),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
