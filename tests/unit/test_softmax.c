/* The energy softmax: every path and instruction set against the energy from scratch. */
#include "data/dataset.h"
#include "support/images.h"
#include "support/test.h"

#include "base/memory.h"
#include "energy/softmax/softmax.h"
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* One energy with a cache and spins. */
typedef struct fixture {
    spn_energy *energy;
    void *cache;
    int8_t *spins;
    double value;
    spn_random random;
} fixture;

static fixture start_by(const spn_dataset *data, const spn_scaling *scaling,
                        const spn_softmax_options *options, int path, spn_isa isa)
{
    fixture f = {.random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER)};
    spn_error err = {0};
    assert_ok(spn_softmax_create_by(&f.energy, data, scaling, options, path, isa, &err), err);
    f.cache = spn_alloc(1, f.energy->cache_size);
    f.spins = spn_alloc(spn_energy_sites(f.energy), 1);
    assert_non_null(f.cache);
    assert_non_null(f.spins);
    spn_random_spins(&f.random, f.spins, spn_energy_sites(f.energy));
    f.value = f.energy->slots->attach(f.energy, f.cache, f.spins);
    return f;
}

static fixture start(const spn_dataset *data, const spn_scaling *scaling, double logit_scale,
                     int path, spn_isa isa)
{
    spn_softmax_options options = spn_softmax_options_defaults();
    options.logit_scale = logit_scale;
    return start_by(data, scaling, &options, path, isa);
}

static void stop(fixture *f)
{
    spn_energy_free(f->energy);
    free(f->cache);
    free(f->spins);
}

static double delta(fixture *f, size_t site)
{
    return f->energy->slots->delta(f->energy, f->cache, f->spins, site);
}

static void flip(fixture *f, size_t site)
{
    f->spins[site] = (int8_t)-f->spins[site];
    f->value = f->energy->slots->commit(f->energy, f->cache, f->spins, site);
}

static double from_scratch(const fixture *f)
{
    return f->energy->slots->energy(f->energy, f->spins);
}

/* The fast path's worst case, as spinney/softmax.h states it, has a factor of 2048 before e^d: what
   a sample can lose in a whole window. A factor of 8 is what random flips show. */
static double usual(const fixture *f)
{
    const spn_softmax *p = (const spn_softmax *)f->energy;
    double widest = 0;
    for (size_t i = 0; i < p->features; i++)
        widest = fmax(widest, p->max_change[i]);
    double heaviest = 1; /* weight over the mean one */
    for (uint32_t k = 0; p->class_weight && k < p->classes; k++)
        heaviest = fmax(heaviest, p->class_weight[k] * (double)p->samples / p->total);
    return heaviest * (p->gains ? 0x1p-24 * (64 + 8 * exp(widest)) : 1e-10);
}

static bool has_isa(spn_isa isa)
{
    if (isa <= spn_cpu_isa())
        return true;
    print_message("[ SKIPPED ] %s: not on this machine\n", spn_isa_name(isa));
    return false;
}

/* Deltas against recomputed differences, there and back, over many flips. */
static void conform(fixture *f, int flips)
{
    assert_near(f->value, from_scratch(f), usual(f) * (1 + fabs(f->value)));
    for (int t = 0; t < flips; t++) {
        const size_t site = spn_random_below(&f->random, (uint32_t)spn_energy_sites(f->energy));
        const double before = from_scratch(f), there = delta(f, site);
        flip(f, site);
        const double after = from_scratch(f);
        assert_near(there, after - before, usual(f));
        assert_near(f->value, after, usual(f) * (1 + fabs(after)));
        if (t % 3 != 0)
            continue;
        assert_near(delta(f, site), -there, 2 * usual(f));
        flip(f, site);
        assert_near(f->value, before, usual(f) * (1 + fabs(before)));
    }
}

static const struct shape {
    size_t samples, features;
    uint32_t classes;
    int flips;
} shapes[] = {{1, 1, 2, 200},  {3, 1, 2, 200},   {2, 5, 3, 300},     {31, 8, 2, 300},
              {64, 9, 5, 200}, {65, 33, 4, 200}, {200, 40, 10, 200}, {1100, 20, 3, 60}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_conformance(void **state)
{
    (void)state;
    static const double scales[] = {0.02, 0.3, 1.0, 1.3, 1.9};
    for (size_t j = 0; j < SHAPES * 5; j++) {
        const struct shape *s = &shapes[j / 5];
        spn_dataset *data = spn_test_images(s->samples, s->features, s->classes, 10 + j);
        spn_scaling *scaling = spn_test_scaling(s->features);
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++) {
            if (isa > spn_cpu_isa())
                continue;
            fixture f = start(data, scaling, scales[j % 5], SPN_SOFTMAX_FAST, isa);
            conform(&f, s->flips);
            stop(&f);
        }
        spn_scaling_free(scaling);
        spn_dataset_free(data);
    }
}

/* The definition once more, from the data. */
static double direct(const spn_dataset *data, const spn_scaling *scaling,
                     const spn_softmax_options *o, const int8_t *spins)
{
    const size_t row = data->features + o->bias;
    double loss = 0, total = 0;
    for (size_t n = 0; n < data->samples; n++) {
        double sum = 0, of_label = 0;
        for (uint32_t k = 0; k < data->classes; k++) {
            const int8_t *w = spins + k * row;
            double z = 0;
            for (size_t i = 0; i < row; i++)
                z += i < data->features
                         ? w[i] * (spn_dataset_cell(data, n, i) - scaling->shift[i]) /
                               scaling->scale[i]
                         : w[i];
            sum += exp(o->logit_scale * z);
            of_label = k == data->labels[n] ? o->logit_scale * z : of_label;
        }
        const double weight = o->class_weights ? o->class_weights[data->labels[n]] : 1;
        loss += weight * (log(sum) - of_label);
        total += weight;
    }
    return loss / total;
}

/* Bias and weights of classes, in every path and instruction set, bytes and values, one scale for
   all features or one for each. */
static void check_options(const struct shape *s, size_t bias, bool weights, bool uneven)
{
    spn_dataset *data = spn_test_images(s->samples, s->features, s->classes, 77 + bias);
    spn_dataset *values = spn_test_images_as_values(data);
    spn_scaling *scaling = spn_test_scaling(s->features);
    double class_weights[10];
    for (uint32_t k = 0; k < s->classes; k++)
        class_weights[k] = 0.25 + 1.5 * k;
    for (size_t i = 0; uneven && i < s->features; i++)
        scaling->scale[i] *= 1 + 0.1 * (double)(i % 3);
    spn_softmax_options o = spn_softmax_options_defaults();
    o.logit_scale = 0.4;
    o.bias = bias;
    o.class_weights = weights ? class_weights : NULL;
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++) {
        if (isa > spn_cpu_isa())
            continue;
        for (int path = 0; path < 3; path++) {
            const int way = path == 0 ? SPN_SOFTMAX_FAST : SPN_SOFTMAX_PLAIN;
            fixture f = start_by(path == 2 ? values : data, scaling, &o, way, isa);
            assert_int_equal(spn_energy_sites(f.energy), s->classes * (s->features + bias));
            conform(&f, s->flips / 4);
            assert_near(from_scratch(&f), direct(data, scaling, &o, f.spins), 1e-9);
            stop(&f);
        }
    }
    spn_scaling_free(scaling);
    spn_dataset_free(values);
    spn_dataset_free(data);
}

static void test_bias_and_weights(void **state)
{
    (void)state;
    for (size_t j = 0; j < SHAPES; j++)
        for (int c = 0; c < 8; c++)
            check_options(&shapes[j], c & 1 ? 3 : 0, c & 2, c & 4);
}

/* Weights that are all 1 change no decision: the energy is that without them. */
static void test_equal_weights(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(300, 30, 4, 8);
    spn_scaling *scaling = spn_test_scaling(30);
    const double ones[] = {1, 1, 1, 1};
    spn_softmax_options o = spn_softmax_options_defaults();
    o.class_weights = ones;
    fixture plain = start(data, scaling, 1.0, SPN_SOFTMAX_FAST, spn_cpu_isa());
    fixture weighted = start_by(data, scaling, &o, SPN_SOFTMAX_FAST, spn_cpu_isa());
    for (size_t t = 0; t < 500; t++) {
        const size_t site = t * 7919 % spn_energy_sites(plain.energy);
        assert_near(delta(&plain, site), delta(&weighted, site), 1e-5);
        flip(&plain, site);
        flip(&weighted, site);
        assert_near(plain.value, weighted.value, 1e-5);
    }
    double weights[4], sum = 0;
    spn_error err = {0};
    assert_ok(spn_softmax_balance(weights, data, &err), err);
    for (size_t n = 0; n < data->samples; n++)
        sum += data->labels[n] == 2 ? weights[2] : 0;
    assert_near(sum, 300.0 / 4, 1e-12);
    stop(&plain);
    stop(&weighted);
    o.class_weights = (const double[]){1, 0, 1, 1};
    spn_energy *energy;
    assert_int_equal(spn_softmax_create_as(&energy, data, scaling, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "softmax: class 1 has weight 0, expected a positive number");
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* From one state: the same changes, and after every other one, which is made, the same energy. */
static void walk_together(fixture *f, fixture *plain, size_t steps)
{
    for (size_t t = 0; t < steps; t++) {
        const size_t site = t * 7919 % spn_energy_sites(f->energy);
        assert_near(delta(f, site), delta(plain, site), 1e-5);
        if (t % 2)
            continue;
        flip(f, site);
        flip(plain, site);
        assert_near(f->value, plain->value, 1e-5 * (1 + plain->value));
    }
}

static void test_instruction_sets(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(777, 50, 10, 3);
    spn_scaling *scaling = spn_test_scaling(50);
    fixture plain = start(data, scaling, 1.0, SPN_SOFTMAX_PLAIN, SPN_ISA_PORTABLE);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++) {
        if (!has_isa(isa))
            continue;
        fixture f = start(data, scaling, 1.0, SPN_SOFTMAX_FAST, isa);
        memcpy(f.spins, plain.spins, spn_energy_sites(f.energy));
        f.value = f.energy->slots->attach(f.energy, f.cache, f.spins);
        walk_together(&f, &plain, 1000);
        stop(&f);
    }
    stop(&plain);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* Erase a third of each feature in runs of samples of odd lengths, so that groups of positions are
   blank here and there, and the last feature whole. */
static spn_dataset *images_with_blanks(size_t samples, size_t features, uint32_t classes)
{
    spn_dataset *data = spn_test_images(samples, features, classes, 11);
    for (size_t n = 0; n < samples; n++) {
        for (size_t i = 0; i < features; i++) {
            if ((n / (150 + 37 * i) + i) % 3 == 0 || i + 1 == features)
                data->bytes[n * features + i] = 0;
        }
    }
    return data;
}

/* More positions than the bits of one word stand for and than a flip changes at once, in one part
   and in one for each class, many of them blank: nothing is left out and nothing is taken twice. */
static void test_blank_groups(void **state)
{
    (void)state;
    enum { SAMPLES = 8501, FEATURES = 7, CLASSES = 3 };
    spn_dataset *data = images_with_blanks(SAMPLES, FEATURES, CLASSES);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    const double weights[CLASSES] = {1, 2.5, 0.5};
    spn_softmax_options o = spn_softmax_options_defaults();
    for (int way = 0; way < 2 * (SPN_ISA_AVX512 + 1); way++) {
        const spn_isa isa = (spn_isa)(way / 2);
        if (!has_isa(isa))
            continue;
        o.class_weights = way % 2 ? weights : NULL;
        fixture f = start_by(data, scaling, &o, SPN_SOFTMAX_FAST, isa);
        fixture plain = start_by(data, scaling, &o, SPN_SOFTMAX_PLAIN, SPN_ISA_PORTABLE);
        walk_together(&f, &plain, 200);
        stop(&f);
        stop(&plain);
    }
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* With many classes the plain path adds to log-sum-exp, too. */
static void test_no_drift(void **state)
{
    (void)state;
    const int flips = (int)spn_test_samples(100000);
    spn_scaling *scaling = spn_test_scaling(12);
    for (uint32_t classes = 4; classes <= 20; classes += 16) {
        spn_dataset *data = spn_test_images(130, 12, classes, 5);
        for (int path = SPN_SOFTMAX_FAST; path <= SPN_SOFTMAX_PLAIN; path++) {
            fixture f = start(data, scaling, 1.0, path, spn_cpu_isa());
            for (int t = 0; t < flips; t++) {
                flip(&f, spn_random_below(&f.random, 12 * classes));
                if (t % 997 == 0)
                    assert_near(f.value, from_scratch(&f), usual(&f) * (1 + f.value));
            }
            stop(&f);
        }
        spn_dataset_free(data);
    }
    spn_scaling_free(scaling);
}

/* After a full window the cache is a function of the spins: the bits of a fresh attach. */
static void test_rebuild_is_attach(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(300, 30, 10, 6);
    spn_scaling *scaling = spn_test_scaling(30);
    fixture f = start(data, scaling, 0.2, SPN_SOFTMAX_FAST, spn_cpu_isa());
    void *fresh = spn_alloc(1, f.energy->cache_size);
    assert_non_null(fresh);
    for (int t = 0; t < 20 * SPN_SOFTMAX_WINDOW; t++)
        flip(&f, spn_random_below(&f.random, 300));
    const double value = f.energy->slots->attach(f.energy, fresh, f.spins);
    assert_true(f.value == value);
    for (size_t site = 0; site < 300; site++)
        assert_true(delta(&f, site) == f.energy->slots->delta(f.energy, fresh, f.spins, site));
    free(fresh);
    stop(&f);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* A delta depends neither on other deltas nor on whether results were kept for a commit. */
static void test_delta_is_pure(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(100, 16, 4, 8);
    spn_scaling *scaling = spn_test_scaling(16);
    fixture a = start(data, scaling, 1.0, SPN_SOFTMAX_FAST, spn_cpu_isa());
    fixture b = start(data, scaling, 1.0, SPN_SOFTMAX_FAST, spn_cpu_isa());
    for (size_t t = 0; t < 500; t++) {
        const size_t site = t * 29 % 64, other = t * 31 % 64;
        const double first = delta(&a, site);
        for (size_t j = 0; j < t % 50; j++)
            delta(&a, (other + j) % 64);
        assert_true(delta(&a, site) == first);
        assert_true(delta(&b, site) == first);
        delta(&b, other);
        flip(&a, site);
        flip(&b, site);
        assert_true(a.value == b.value);
    }
    stop(&a);
    stop(&b);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* Logits of hundreds: most classes vanish beside the largest and come back. */
static void test_extreme_logits(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(40, 784, 10, 9);
    spn_scaling *scaling = spn_test_scaling(784);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++) {
        if (!has_isa(isa))
            continue;
        fixture f = start(data, scaling, 1.0, SPN_SOFTMAX_FAST, isa);
        for (size_t i = 0; i < 784; i++)
            f.spins[i] = 1; /* class 0: logits of about +-1000 against the others */
        f.value = f.energy->slots->attach(f.energy, f.cache, f.spins);
        assert_true(f.value > 50);
        for (size_t i = 0; i < 784; i++) {
            if (i % 8 == 0) {
                const double before = from_scratch(&f), there = delta(&f, i);
                flip(&f, i);
                assert_near(there, from_scratch(&f) - before, 5e-5);
            } else {
                flip(&f, i); /* class 0 walks all the way to the other side */
            }
        }
        assert_near(f.value, from_scratch(&f), 1e-5 * f.value);
        stop(&f);
    }
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

static void test_scalings(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(150, 20, 5, 11);
    for (size_t n = 0; n < 150; n++)
        data->bytes[n * 20 + 7] = 99; /* a constant feature */
    for (int kind = 0; kind < 4; kind++) {
        spn_scaling *scaling = spn_test_scaling(20);
        for (size_t i = 0; i < 20; i++) {
            if (kind & 1)
                scaling->shift[i] = 5.0 * (double)i;
            if (kind & 2)
                scaling->scale[i] = (i % 3 ? 60.0 : -90.0) + (double)i;
        }
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
            fixture f = start(data, scaling, 0.7, SPN_SOFTMAX_FAST, isa);
            assert_true((((spn_softmax *)f.energy)->factor != NULL) == ((kind & 2) != 0));
            conform(&f, 200);
            stop(&f);
        }
        spn_scaling_free(scaling);
    }
    spn_dataset_free(data);
}

/* Changes of logits too large for floats take the plain path by themselves. */
static void test_plain_paths(void **state)
{
    (void)state;
    spn_dataset *bytes = spn_test_images(70, 15, 4, 12);
    spn_dataset *values = spn_test_images_as_values(bytes);
    spn_scaling *scaling = spn_test_scaling(15);
    static const double scales[] = {0.5, 1.0, 3.0, 100.0};
    for (int j = 0; j < 4; j++) {
        fixture b = start(bytes, scaling, scales[j], SPN_SOFTMAX_PLAIN, spn_cpu_isa());
        fixture v = start(values, scaling, scales[j], SPN_SOFTMAX_AUTO, spn_cpu_isa());
        assert_true(b.value == v.value);
        conform(&b, 100);
        conform(&v, 100);
        assert_true(b.value == v.value);
        stop(&b);
        stop(&v);
    }
    fixture wild = start(bytes, scaling, 100.0, SPN_SOFTMAX_AUTO, spn_cpu_isa());
    assert_null(((spn_softmax *)wild.energy)->gains);
    stop(&wild);
    spn_scaling_free(scaling);
    spn_dataset_free(values);
    spn_dataset_free(bytes);
}

static void test_errors(void **state)
{
    (void)state;
    spn_dataset *data = spn_test_images(10, 4, 3, 13);
    spn_scaling *scaling = spn_test_scaling(4);
    spn_error err = {0};
    spn_energy *energy;
    assert_int_equal(spn_softmax_create(&energy, data, scaling, 0.0, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "softmax: the logit scale is 0, expected a positive number");
    scaling->features = 3;
    assert_int_equal(spn_softmax_create(&energy, data, scaling, 1.0, &err), SPN_ERROR_ARGUMENT);
    scaling->features = 4;
    scaling->scale[2] = 0;
    assert_int_equal(spn_softmax_create(&energy, data, scaling, 1.0, &err), SPN_ERROR_ARGUMENT);
    scaling->scale[2] = 1;
    data->labels[5] = 3;
    assert_int_equal(spn_softmax_create(&energy, data, scaling, 1.0, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "softmax: sample 5 has label 3, expected 0 to 2");
    assert_null(energy);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

/* ---- the chance of a wrong answer under faults ---- */

/* The definition in double precision, from the data alone: samples of equal weight, flips. */
static double chance_of_error(const spn_dataset *data, const spn_scaling *scaling, size_t bias,
                              double faults, const int8_t *spins)
{
    const size_t inputs = data->features + bias;
    double total = 0;
    for (size_t n = 0; n < data->samples; n++) {
        double z[16] = {0}, squares = (double)bias, sum = 0;
        for (size_t i = 0; i < data->features; i++) {
            const double x = (spn_dataset_cell(data, n, i) - scaling->shift[i]) / scaling->scale[i];
            squares += x * x;
            for (uint32_t k = 0; k < data->classes; k++)
                z[k] += spins[k * inputs + i] * x;
        }
        for (uint32_t k = 0; k < data->classes; k++)
            for (size_t i = data->features; i < inputs; i++)
                z[k] += spins[k * inputs + i];
        const double slope = 1.702 * (1 - 2 * faults) / sqrt(8 * faults * (1 - faults) * squares);
        for (uint32_t k = 0; k < data->classes; k++)
            sum += exp(slope * (z[k] - z[data->labels[n]]));
        total += 1 - 1 / sum;
    }
    return total / (double)data->samples;
}

/* What is kept equals what attach makes of the spins, on every instruction set, and changes are
   those of the definition. */
static void faults_are_expected(void **state)
{
    (void)state;
    for (size_t j = 0; j < SHAPES; j++) {
        const struct shape *s = &shapes[j];
        spn_dataset *data = spn_test_images(s->samples, s->features, s->classes, 10 + j);
        spn_scaling *scaling = spn_test_scaling(s->features);
        spn_softmax_options o = spn_softmax_options_defaults();
        double first[3] = {0};
        o.bias = j % 3;
        o.faults = 0.05 + 0.05 * (double)(j % 4);
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512 && has_isa(isa); isa++) {
            fixture f = start_by(data, scaling, &o, SPN_SOFTMAX_AUTO, isa);
            double before = chance_of_error(data, scaling, o.bias, o.faults, f.spins);
            assert_near(f.value, before, 1e-4); /* inputs are rounded */
            assert_near(f.value, from_scratch(&f), 4e-6);
            for (int t = 0; t < s->flips; t++) {
                const size_t site =
                    spn_random_below(&f.random, (uint32_t)spn_energy_sites(f.energy));
                const double value = f.value, change = delta(&f, site);
                flip(&f, site);
                assert_near(change, f.value - value, 4e-6);
            }
            assert_near(f.value, chance_of_error(data, scaling, o.bias, o.faults, f.spins), 1e-4);
            const double kept[3] = {f.value, delta(&f, 0),
                                    delta(&f, spn_energy_sites(f.energy) - 1)};
            f.value = f.energy->slots->attach(f.energy, f.cache, f.spins);
            assert_true(kept[0] == f.value && kept[1] == delta(&f, 0));
            if (isa == SPN_ISA_PORTABLE)
                memcpy(first, kept, sizeof first);
            assert_memory_equal(first, kept, sizeof first);
            stop(&f);
        }
        spn_scaling_free(scaling);
        spn_dataset_free(data);
    }
}

/* Weights of classes, real features, and faults that are refused. */
static void faults_have_weights_and_limits(void **state)
{
    (void)state;
    const double heavy[3] = {3, 1, 1};
    const int8_t spins[6] = {1, -1, -1, 1, 1, 1};
    double values[6] = {0.5, -1, 2, 0.25, -1.5, 1}, shift[2] = {0, 0}, scale[2] = {1, 1};
    uint32_t labels[3] = {0, 1, 2};
    const spn_dataset data = {
        .samples = 3, .features = 2, .values = values, .labels = labels, .classes = 3};
    spn_scaling scaling = {2, shift, scale};
    spn_softmax_options o = spn_softmax_options_defaults();
    spn_error err = {0};
    spn_energy *plain, *weighted, *alone;
    o.faults = 0.1;
    assert_ok(spn_softmax_create_as(&plain, &data, &scaling, &o, &err), err);
    o.class_weights = heavy;
    assert_ok(spn_softmax_create_as(&weighted, &data, &scaling, &o, &err), err);
    o.class_weights = NULL;
    spn_dataset one = data;
    one.samples = 1;
    assert_ok(spn_softmax_create_as(&alone, &one, &scaling, &o, &err), err);
    assert_near(spn_energy_value(plain, spins), chance_of_error(&data, &scaling, 0, 0.1, spins),
                1e-4);
    assert_near(5 * spn_energy_value(weighted, spins),
                3 * spn_energy_value(plain, spins) + 2 * spn_energy_value(alone, spins), 1e-3);
    spn_energy_free(plain);
    spn_energy_free(weighted);
    spn_energy_free(alone);
    o.fault_model.rows = 1;
    assert_int_equal(spn_softmax_create_as(&plain, &data, &scaling, &o, &err), SPN_ERROR_ARGUMENT);
    o.fault_model.rows = 0;
    o.faults = 0.5;
    assert_int_equal(spn_softmax_create_as(&plain, &data, &scaling, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text,
                        "softmax: the share of faults is 0.5, expected 0 to 0.49, and not of rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conformance),       cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_blank_groups),      cmocka_unit_test(test_no_drift),
        cmocka_unit_test(test_rebuild_is_attach), cmocka_unit_test(test_delta_is_pure),
        cmocka_unit_test(test_extreme_logits),    cmocka_unit_test(test_scalings),
        cmocka_unit_test(test_plain_paths),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_bias_and_weights),  cmocka_unit_test(test_equal_weights),
        cmocka_unit_test(faults_are_expected),    cmocka_unit_test(faults_have_weights_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
