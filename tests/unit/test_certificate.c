/* Certificates equal brute force: every set of flipped weights of small classifiers is tried. */
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/robustness.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 12, MOST_SITES = 20, MOST_INPUTS = 16, MOST_CLASSES = 4 };

typedef struct shape {
    uint32_t classes;
    size_t features, bias, hidden, hidden_bias, votes;
    int largest; /* of whole inputs; 0: real ones, scaled; -1: bits that are seen as -1 and +1 */
} shape;

typedef struct fixture {
    const shape *shape;
    spn_dataset *data;
    spn_scaling scaling;
    double shift[MOST_INPUTS], scale[MOST_INPUTS];
    int8_t weights[MOST_SITES];
    spn_softmax_model model;
    size_t sites; /* of all votes */
} fixture;

static void start(fixture *f, const shape *s, uint64_t seed)
{
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
    uint8_t bytes[SAMPLES * MOST_INPUTS];
    double values[SAMPLES * MOST_INPUTS];
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_error err = {0};
    *f = (fixture){.shape = s, .model = spn_softmax_model_defaults()};
    for (size_t j = 0; j < SAMPLES * s->features; j++) {
        bytes[j] =
            (uint8_t)spn_random_below(&random, s->largest > 0 ? 1 + (uint32_t)s->largest : 2);
        values[j] = spn_random_uniform(&random) * 4 - 2;
    }
    arrays.samples = SAMPLES;
    arrays.features = s->features;
    if (s->largest == 0)
        arrays.values = values;
    else
        arrays.bytes = bytes;
    assert_ok(spn_dataset_create(&f->data, &arrays, &err), err);
    for (size_t i = 0; i < s->features; i++) {
        f->shift[i] = s->largest > 0 ? 0 : s->largest < 0 ? 0.5 : 0.3;
        f->scale[i] = s->largest > 0 ? 1 : s->largest < 0 ? 0.5 : 0.7 + 0.1 * (double)i;
    }
    f->scaling = (spn_scaling){s->features, f->shift, f->scale};
    f->model.weights = f->weights;
    f->model.classes = s->classes;
    f->model.features = s->features;
    f->model.scaling = &f->scaling;
    f->model.logit_scale = 0.3;
    f->model.bias = s->bias;
    f->model.bits = s->largest < 0;
    f->model.hidden = s->hidden;
    f->model.hidden_bias = s->hidden_bias;
    f->model.votes = s->votes;
    f->sites = (s->votes ? s->votes : 1) * spn_softmax_model_sites(&f->model);
    assert_true(f->sites <= MOST_SITES && s->features <= MOST_INPUTS);
    spn_random_spins(&random, f->weights, f->sites);
}

/* The logits of weights, from the definition, over the logit scale. */
static void logits_of(double *out, const fixture *f, const double *x, const int8_t *weights)
{
    const shape *s = f->shape;
    const size_t hidden = s->hidden, inner = s->features + s->hidden_bias;
    const size_t seen = hidden ? hidden : s->features, row = seen + s->bias;
    memset(out, 0, s->classes * sizeof *out);
    for (size_t v = 0; v == 0 || v < s->votes; v++) {
        const int8_t *own = weights + v * spn_softmax_model_sites(&f->model);
        double units[MOST_INPUTS];
        for (size_t j = 0; j < hidden; j++) {
            double sum = 0;
            for (size_t i = 0; i < inner; i++)
                sum += own[j * inner + i] * (i < s->features ? x[i] : 1);
            units[j] = sum >= 0 ? 1 : -1;
        }
        for (size_t k = 0; k < s->classes; k++)
            for (size_t j = 0; j < row; j++)
                out[k] +=
                    own[hidden * inner + k * row + j] * (j >= seen ? 1 : (hidden ? units : x)[j]);
    }
}

/* Whether another class than `own` is predicted; leads up to `rounding` count as none. */
static bool changed(const fixture *f, const double *z, uint32_t own, double rounding)
{
    bool other = false;
    for (uint32_t k = 0; k < f->shape->classes; k++)
        other = other || (k < own && z[k] >= z[own] - rounding) ||
                (k > own && z[k] > z[own] - rounding);
    return other;
}

static void inputs_of(double *x, const fixture *f, size_t n)
{
    for (size_t i = 0; i < f->shape->features; i++) {
        const spn_dataset *d = f->data;
        const size_t cell = n * f->shape->features + i;
        const double raw =
            spn_dataset_bytes(d) ? spn_dataset_bytes(d)[cell] : spn_dataset_values(d)[cell];
        x[i] = (raw - f->shift[i]) / f->scale[i];
    }
}

/* The sites that may flip, as a mask. */
static uint32_t mask_of(const fixture *f, spn_layers layers)
{
    const size_t one = spn_softmax_model_sites(&f->model);
    const size_t units = f->shape->hidden * (f->shape->features + f->shape->hidden_bias);
    uint32_t mask = 0;
    for (size_t i = 0; i < f->sites; i++)
        if (layers == SPN_LAYERS_ALL || (i % one < units) == (layers == SPN_LAYERS_HIDDEN))
            mask |= 1u << i;
    return mask;
}

static uint32_t by_force(const fixture *f, size_t n, uint32_t own, spn_layers layers)
{
    const uint32_t allowed = mask_of(f, layers);
    uint32_t least = SPN_NEVER;
    double x[MOST_INPUTS];
    inputs_of(x, f, n);
    for (uint32_t set = 1; set < 1u << f->sites; set++) {
        const uint32_t flips = (uint32_t)__builtin_popcount(set);
        int8_t weights[MOST_SITES];
        double z[MOST_CLASSES];
        if (set & ~allowed || flips >= least)
            continue;
        for (size_t i = 0; i < f->sites; i++)
            weights[i] = (int8_t)(set >> i & 1 ? -f->weights[i] : f->weights[i]);
        logits_of(z, f, x, weights);
        if (changed(f, z, own, f->shape->largest == 0 ? 1e-9 : 0))
            least = flips;
    }
    return least;
}

static void check(const shape *s, uint64_t seed, spn_layers layers)
{
    uint32_t flips[SAMPLES], classes[SAMPLES], predictions[SAMPLES];
    spn_softmax_details details = spn_softmax_details_defaults();
    spn_softmax_scores scores;
    spn_error err = {0};
    fixture f;
    start(&f, s, seed);
    details.predictions = predictions;
    assert_ok(spn_certify(flips, classes, &f.model, f.data, layers, &err), err);
    assert_ok(spn_softmax_evaluate(&scores, &f.model, f.data, &details, &err), err);
    assert_memory_equal(classes, predictions, sizeof classes);
    for (size_t n = 0; n < SAMPLES; n++)
        assert_int_equal(flips[n], by_force(&f, n, classes[n], layers));
    spn_dataset_free(f.data);
}

static void linear_classifiers(void **state)
{
    (void)state;
    static const shape shapes[] = {
        {2, 7, 0, 0, 0, 0, 1}, {3, 4, 0, 0, 0, 0, 0},  {2, 5, 2, 0, 0, 0, 0},
        {3, 3, 1, 0, 0, 0, 9}, {4, 3, 0, 0, 0, 0, -1}, {2, 6, 1, 0, 0, 0, -1},
        {2, 1, 0, 0, 0, 0, 0}, {3, 4, 0, 0, 0, 0, 2},
    };
    for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
        for (uint64_t seed = 0; seed < 5; seed++)
            check(&shapes[j], seed, SPN_LAYERS_ALL);
}

static void networks(void **state)
{
    (void)state;
    static const shape shapes[] = {
        {2, 3, 0, 3, 0, 0, 1}, {3, 2, 1, 2, 1, 0, 1}, {2, 3, 0, 2, 1, 0, 5}, {4, 2, 0, 2, 0, 0, 1},
        {2, 1, 1, 2, 0, 2, 1}, {3, 1, 0, 3, 0, 0, 3}, {2, 1, 0, 1, 0, 3, 1},
    };
    for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++)
        for (uint64_t seed = 0; seed < 5; seed++)
            for (int layers = SPN_LAYERS_ALL; layers <= SPN_LAYERS_OUTPUT; layers++)
                check(&shapes[j], seed, (spn_layers)layers);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const shape linear = {2, 3, 0, 0, 0, 0, 1};
    uint32_t flips[SAMPLES];
    spn_error err = {0};
    fixture f;
    start(&f, &linear, 1);
    assert_int_equal(spn_certify(flips, NULL, &f.model, f.data, SPN_LAYERS_HIDDEN, &err),
                     SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text,
                        "certificates: a linear classifier has no votes and no hidden weights");
    f.model.features = 2;
    assert_int_equal(spn_certify(flips, NULL, &f.model, f.data, SPN_LAYERS_ALL, &err),
                     SPN_ERROR_ARGUMENT);
    spn_dataset_free(f.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_classifiers),
        cmocka_unit_test(networks),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
