/* Weights of samples: a sample of weight 3 is as good as three of it, in every energy, in training
   and in evaluations, and weights stay with their samples. */
#include "base/memory.h"
#include "data/dataset.h"
#include "support/images.h"
#include "support/test.h"

#include <math.h>
#include <spinney/encoding.h>
#include <spinney/network.h>
#include <spinney/random.h>
#include <spinney/softmax.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 90, FEATURES = 12, CLASSES = 3, MOST = 3 };

/* The same samples, with weights and in as many copies. */
typedef struct pair {
    spn_dataset *weighted, *repeated;
} pair;

static double weight_of(size_t n)
{
    return (double)(1 + n % MOST);
}

static pair make_pair(bool real, bool bits)
{
    spn_dataset *plain = spn_test_images(SAMPLES, FEATURES, CLASSES, 5);
    for (size_t k = 0; bits && k < SAMPLES * FEATURES; k++)
        plain->bytes[k] = plain->bytes[k] > 60;
    spn_dataset *data = real ? spn_test_images_as_values(plain) : plain;
    for (size_t k = 0; real && k < SAMPLES * FEATURES; k++)
        data->values[k] += 0.25; /* whole numbers would be kept as bytes */
    double weights[SAMPLES];
    size_t rows[MOST * SAMPLES], count = 0;
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_error err = {0};
    spn_dataset *named;
    pair out;
    arrays.samples = SAMPLES;
    arrays.features = FEATURES;
    arrays.bytes = data->bytes;
    arrays.values = data->values;
    arrays.labels = data->labels;
    arrays.classes = CLASSES;
    assert_ok(spn_dataset_create(&named, &arrays, &err), err);
    arrays.weights = weights;
    for (size_t n = 0; n < SAMPLES; n++) {
        weights[n] = weight_of(n);
        for (size_t k = 0; k < (size_t)weights[n]; k++)
            rows[count++] = n;
    }
    assert_ok(spn_dataset_create(&out.weighted, &arrays, &err), err);
    assert_ok(spn_dataset_select(&out.repeated, named, rows, count, &err), err);
    spn_dataset_free(named);
    if (data != plain)
        spn_dataset_free(data);
    spn_dataset_free(plain);
    return out;
}

static void free_pair(pair *p)
{
    spn_dataset_free(p->weighted);
    spn_dataset_free(p->repeated);
}

/* Two energies agree in values and changes, along flips. */
static void agree(const spn_energy *a, const spn_energy *b, double tolerance)
{
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    assert_int_equal(spn_energy_sites(a), spn_energy_sites(b));
    int8_t *spins = spn_alloc(spn_energy_sites(a), 1);
    void *cache[2] = {spn_alloc(1, spn_energy_cache_size(a)),
                      spn_alloc(1, spn_energy_cache_size(b))};
    spn_random_spins(&random, spins, spn_energy_sites(a));
    assert_near(spn_energy_attach(a, cache[0], spins), spn_energy_attach(b, cache[1], spins),
                tolerance);
    assert_near(spn_energy_value(a, spins), spn_energy_value(b, spins), 1e-12);
    for (int t = 0; t < 200; t++) {
        const size_t site = spn_random_below(&random, (uint32_t)spn_energy_sites(a));
        assert_near(spn_energy_delta(a, cache[0], spins, site),
                    spn_energy_delta(b, cache[1], spins, site), tolerance);
        spins[site] = (int8_t)-spins[site];
        assert_near(spn_energy_commit(a, cache[0], spins, site),
                    spn_energy_commit(b, cache[1], spins, site), tolerance);
    }
    free(cache[0]);
    free(cache[1]);
    free(spins);
}

/* ---- data ---- */

static void weights_stay_with_their_samples(void **state)
{
    (void)state;
    pair p = make_pair(false, false);
    spn_dataset *rest, *off, *binary, *encoded;
    spn_encoding *copies;
    spn_error err = {0};
    assert_ok(spn_dataset_split(&rest, &off, p.weighted, 0.3, 1, true, &err), err);
    assert_near(spn_dataset_total_weight(rest) + spn_dataset_total_weight(off),
                spn_dataset_total_weight(p.weighted), 0);
    assert_ok(spn_dataset_binarise(&binary, p.weighted, 60, &err), err);
    assert_ok(spn_encoding_copies(&copies, FEATURES, 2, &err), err);
    assert_ok(spn_encoding_apply(&encoded, copies, p.weighted, &err), err);
    for (size_t n = 0; n < SAMPLES; n++) {
        assert_near(spn_dataset_weights(binary)[n], weight_of(n), 0);
        assert_near(spn_dataset_weights(encoded)[n], weight_of(n), 0);
    }
    assert_near(spn_dataset_total_weight(p.weighted), (double)p.repeated->samples, 0);
    assert_null(spn_dataset_weights(p.repeated));
    spn_encoding_free(copies);
    spn_dataset_free(rest);
    spn_dataset_free(off);
    spn_dataset_free(binary);
    spn_dataset_free(encoded);
    free_pair(&p);
}

static void ones_are_no_weights(void **state)
{
    (void)state;
    const uint8_t bytes[] = {1, 2, 3};
    const uint32_t labels[] = {0, 1, 0};
    double weights[] = {1, 1, 1};
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_dataset *without, *ones, *others;
    spn_error err = {0};
    arrays.samples = 3;
    arrays.features = 1;
    arrays.bytes = bytes;
    arrays.labels = labels;
    arrays.classes = 2;
    assert_ok(spn_dataset_create(&without, &arrays, &err), err);
    arrays.weights = weights;
    assert_ok(spn_dataset_create(&ones, &arrays, &err), err);
    assert_null(spn_dataset_weights(ones));
    weights[2] = 0.5;
    assert_ok(spn_dataset_create(&others, &arrays, &err), err);
    assert_int_equal(spn_dataset_checksum(ones), spn_dataset_checksum(without));
    assert_int_not_equal(spn_dataset_checksum(others), spn_dataset_checksum(without));
    spn_dataset_free(without);
    spn_dataset_free(ones);
    spn_dataset_free(others);
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -1, NAN, INFINITY};
    const double values[] = {1, 2};
    double weights[] = {1, 1};
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_dataset *out;
    arrays.samples = 2;
    arrays.features = 1;
    arrays.values = values;
    arrays.weights = weights;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        weights[1] = bad[k];
        assert_int_equal(spn_dataset_create(&out, &arrays, &err), SPN_ERROR_ARGUMENT);
        assert_non_null(strstr(err.text, "sample 1 has weight "));
    }
    spn_error err = {0};
    weights[0] = weights[1] = 1.5e308;
    assert_int_equal(spn_dataset_create(&out, &arrays, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "infinity"));
}

/* ---- energies ---- */

static void check_softmax(bool real, const double *class_weights)
{
    pair p = make_pair(real, false);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    spn_softmax_options o = spn_softmax_options_defaults();
    spn_energy *a, *b;
    spn_error err = {0};
    o.logit_scale = 0.3;
    o.bias = 2;
    o.class_weights = class_weights;
    assert_ok(spn_softmax_create_as(&a, p.weighted, scaling, &o, &err), err);
    assert_ok(spn_softmax_create_as(&b, p.repeated, scaling, &o, &err), err);
    agree(a, b, real ? 1e-12 : 1e-5); /* of bytes the second is computed in floats */
    spn_energy_free(a);
    spn_energy_free(b);
    spn_scaling_free(scaling);
    free_pair(&p);
}

static void softmax_counts_samples_by_weight(void **state)
{
    (void)state;
    const double class_weights[CLASSES] = {0.5, 2, 1.25};
    for (int real = 0; real < 2; real++) {
        check_softmax(real, NULL);
        check_softmax(real, class_weights);
    }
}

/* Weights that are larger or smaller by a power of 2 change nothing, however large it is. */
static void only_ratios_of_weights_count(void **state)
{
    (void)state;
    const double sizes[] = {0x1p-1040, 0x1p-600, 1, 0x1p1000};
    const double class_weights[CLASSES] = {0x1p-900, 0x1p-899, 0x1.4p-900};
    pair p = make_pair(true, false), bits = make_pair(false, true);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    spn_softmax_options o = spn_softmax_options_defaults();
    spn_network_options network = spn_network_options_defaults();
    double values[2] = {0, 0};
    int8_t spins[6 * FEATURES + 6 * CLASSES];
    memset(spins, 1, sizeof spins);
    spins[1] = spins[FEATURES + 3] = spins[6 * FEATURES + 2] = -1;
    o.logit_scale = network.logit_scale = 0.3;
    network.hidden = 6;
    o.class_weights = network.class_weights = class_weights;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        spn_energy *e[2];
        spn_error err = {0};
        for (size_t n = 0; n < SAMPLES; n++)
            p.weighted->weights[n] = bits.weighted->weights[n] = sizes[k] * weight_of(n);
        assert_ok(spn_softmax_create_as(&e[0], p.weighted, scaling, &o, &err), err);
        assert_ok(spn_network_create(&e[1], bits.weighted, &network, &err), err);
        for (int j = 0; j < 2; j++) {
            const double value = spn_energy_value(e[j], spins);
            values[j] = k ? values[j] : value;
            assert_true(value > 0 && value == values[j]);
            spn_energy_free(e[j]);
        }
    }
    spn_scaling_free(scaling);
    free_pair(&p);
    free_pair(&bits);
}

static void networks_count_samples_by_weight(void **state)
{
    (void)state;
    const double class_weights[CLASSES] = {0.5, 2, 1.25};
    for (int way = 0; way < 4; way++) {
        pair p = make_pair(false, way & 1);
        spn_network_options o = spn_network_options_defaults();
        spn_energy *a, *b;
        spn_error err = {0};
        o.hidden = 6;
        o.hidden_bias = o.bias = 1;
        o.logit_scale = 0.4;
        o.class_weights = way & 2 ? class_weights : NULL;
        assert_ok(spn_network_create(&a, p.weighted, &o, &err), err);
        assert_ok(spn_network_create(&b, p.repeated, &o, &err), err);
        agree(a, b, 1e-6);
        spn_energy_free(a);
        spn_energy_free(b);
        free_pair(&p);
    }
}

/* ---- training ---- */

static void training_counts_samples_by_weight(void **state)
{
    (void)state;
    pair p = make_pair(true, false);
    const spn_preprocess none = {.kind = SPN_PREPROCESS_GIVEN, .shift = 40, .scale = 90};
    spn_train_options o = spn_train_defaults();
    spn_train_data data[2] = {spn_train_data_defaults(), spn_train_data_defaults()};
    spn_training *t[2];
    spn_error err = {0};
    o.preprocess = &none;
    o.copies = 4;
    o.penalty = 2;
    o.logit_scale = 0.2;
    data[0].train = p.weighted;
    data[1].train = p.repeated;
    for (int k = 0; k < 2; k++)
        assert_ok(spn_training_create(&t[k], &o, &data[k], &err), err);
    agree(spn_training_energy(t[0]), spn_training_energy(t[1]), 1e-12);
    assert_int_equal(spn_train_bias(p.weighted, 0.01, FEATURES, false),
                     spn_train_bias(p.repeated, 0.01, FEATURES, false));
    spn_training_free(t[0]);
    spn_training_free(t[1]);
    free_pair(&p);
}

static void losses_are_weighted(void **state)
{
    (void)state;
    pair p = make_pair(true, false);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    int8_t weights[CLASSES * FEATURES];
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_softmax_model model = spn_softmax_model_defaults();
    spn_softmax_scores scores[2];
    spn_error err = {0};
    spn_random_spins(&random, weights, sizeof weights);
    model.weights = weights;
    model.classes = CLASSES;
    model.features = FEATURES;
    model.scaling = scaling;
    assert_ok(spn_softmax_evaluate(&scores[0], &model, p.weighted, NULL, &err), err);
    assert_ok(spn_softmax_evaluate(&scores[1], &model, p.repeated, NULL, &err), err);
    assert_near(scores[0].loss, scores[1].loss, 1e-12);
    spn_scaling_free(scaling);
    free_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_stay_with_their_samples),
        cmocka_unit_test(ones_are_no_weights),
        cmocka_unit_test(bad_weights_are_refused),
        cmocka_unit_test(softmax_counts_samples_by_weight),
        cmocka_unit_test(only_ratios_of_weights_count),
        cmocka_unit_test(networks_count_samples_by_weight),
        cmocka_unit_test(training_counts_samples_by_weight),
        cmocka_unit_test(losses_are_weighted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
