/* Accuracy under flipped weights: laws that are known, and independence of threads. */
#include "data/dataset.h"
#include "support/images.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/robustness.h>
#include <spinney/statistics.h>
#include <stdlib.h>
#include <string.h>

/* Two classes, one feature, one sample x = 1 of class 0, weights +1 and -1: predicted wrong only
   where both weights are flipped (ties go to class 0). */
typedef struct tiny {
    int8_t weights[2];
    uint8_t x[1];
    uint32_t labels[1];
    double shift[1], scale[1];
    spn_scaling scaling;
    spn_dataset data;
    spn_softmax_model model;
} tiny;

static spn_robustness_options options_of(spn_flip_mode mode, size_t trials, uint64_t seed,
                                         unsigned threads)
{
    spn_robustness_options o = spn_robustness_defaults();
    o.mode = mode;
    o.trials = trials;
    o.seed = seed;
    o.threads = threads;
    return o;
}

static void make_tiny(tiny *t)
{
    *t = (tiny){.weights = {1, -1}, .x = {1}, .labels = {0}, .shift = {0}, .scale = {1}};
    t->scaling = (spn_scaling){1, t->shift, t->scale};
    t->data = (spn_dataset){
        .samples = 1, .features = 1, .bytes = t->x, .labels = t->labels, .classes = 2};
    t->model =
        (spn_softmax_model){.size = sizeof(spn_softmax_model), t->weights, 2, 1, &t->scaling, 1.0};
}

static spn_robustness measure(const spn_softmax_model *model, size_t replicas,
                              const spn_dataset *data, double p, spn_robustness_options options)
{
    spn_error err = {0};
    spn_robustness r;
    assert_ok(spn_robustness_measure(&r, model, replicas, data, p, &options, &err), err);
    return r;
}

static void test_known_law(void **state)
{
    (void)state;
    tiny t;
    make_tiny(&t);
    static const double ps[] = {0.01, 0.1, 0.5, 0.9};
    for (size_t j = 0; j < 4; j++) {
        const double p = ps[j], wrong = p * p, n = 20000;
        spn_robustness r = measure(&t.model, 1, &t.data, p, options_of(0, 20000, 5, 1));
        const double z = (r.mean - (1 - wrong)) / sqrt(wrong * (1 - wrong) / n);
        assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
        assert_int_equal(r.trials, 20000);
    }
}

static void test_exact_counts(void **state)
{
    (void)state;
    tiny t;
    make_tiny(&t);
    const spn_robustness_options exact = options_of(SPN_FLIP_EXACT, 100, 1, 1);
    /* of two weights: none, one and both */
    assert_true(measure(&t.model, 1, &t.data, 0.2, exact).mean == 1);
    assert_true(measure(&t.model, 1, &t.data, 0.5, exact).mean == 1);
    assert_true(measure(&t.model, 1, &t.data, 0.8, exact).mean == 0);
    const spn_robustness_options independent = options_of(SPN_FLIP_INDEPENDENT, 100, 1, 1);
    assert_true(measure(&t.model, 1, &t.data, 0, independent).high == 1);
    assert_true(measure(&t.model, 1, &t.data, 1, independent).low == 0);
}

/* The share of the weights that is really flipped by draws with replacement, against its law: a
   weight is flipped if it was drawn an odd number of times among k, and two of them are both with
   the probability below. */
static spn_status same_as_before(size_t *out, const void *context, const int8_t *weights,
                                 spn_error *err)
{
    (void)context, (void)err;
    for (size_t i = *out = 0; i < 2000; i++)
        *out += weights[i] == 1;
    return SPN_OK;
}

static void test_draws_law(void **state)
{
    (void)state;
    static int8_t weights[2000];
    memset(weights, 1, sizeof weights);
    spn_flip_target target = spn_flip_target_defaults();
    target.correct = same_as_before;
    target.weights = weights;
    target.sites = target.samples = 2000;
    const double n = 2000, trials = 400, ps[] = {0.01, 0.1003, 0.5, 1};
    for (size_t j = 0; j < 4; j++) {
        spn_error err = {0};
        spn_robustness r;
        const spn_robustness_options options = options_of(SPN_FLIP_DRAWS, 400, 3, 1);
        assert_ok(spn_robustness_of(&r, &target, ps[j], &options, &err), err);
        const double k = round(ps[j] * n), one = pow(1 - 2 / n, k), two = pow(1 - 4 / n, k);
        const double share = (1 - one) / 2, both = (1 - 2 * one + two) / 4;
        const double variance = share / n + both * (1 - 1 / n) - share * share;
        const double z = (1 - r.mean - share) / sqrt(variance / trials);
        assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
        assert_near(share, (1 - exp(-2 * ps[j])) / 2, 1 / n);
    }
    spn_robustness none, one;
    spn_robustness_options options = options_of(SPN_FLIP_DRAWS, 10, 3, 1);
    spn_error err = {0};
    assert_ok(spn_robustness_of(&none, &target, 0.4 / n, &options, &err), err);
    assert_ok(spn_robustness_of(&one, &target, 0.5 / n, &options, &err), err);
    assert_true(none.low == 1 && one.low == 1 - 1 / n && one.high == one.low);
    options.mode = (spn_flip_mode)3;
    assert_int_equal(spn_robustness_of(&one, &target, 0.1, &options, &err), SPN_ERROR_ARGUMENT);
}

/* The interval holds the true mean in 95% of cases. */
static void test_coverage(void **state)
{
    (void)state;
    tiny t;
    make_tiny(&t);
    const double p = 0.6, runs = 2000;
    double held = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        spn_robustness r = measure(&t.model, 1, &t.data, p, options_of(0, 200, seed, 1));
        held += r.low <= 1 - p * p && 1 - p * p <= r.high;
    }
    assert_near(held / runs, 0.95, 0.02);
}

static void test_threads_and_points(void **state)
{
    (void)state;
    enum { FEATURES = 30, CLASSES = 4, REPLICAS = 3 };
    static int8_t weights[REPLICAS * CLASSES * FEATURES];
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_START);
    spn_random_spins(&random, weights, sizeof weights);
    spn_dataset *data = spn_test_images(200, FEATURES, CLASSES, 1);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    spn_softmax_model model = {.size = sizeof model, weights, CLASSES, FEATURES, scaling, 0.1};
    for (int mode = 0; mode < 3; mode++) {
        spn_robustness_options options = options_of((spn_flip_mode)mode, 37, 9, 1);
        spn_robustness one = measure(&model, REPLICAS, data, 0.1, options);
        options.threads = 5;
        spn_robustness five = measure(&model, REPLICAS, data, 0.1, options);
        assert_memory_equal(&one, &five, sizeof one);
        assert_true(one.low < one.mean && one.mean < one.high);
        options.seed = 10;
        assert_true(measure(&model, REPLICAS, data, 0.1, options).mean != one.mean);
    }
    size_t correct = 0, total = 0;
    spn_error err = {0};
    for (size_t a = 0; a < REPLICAS; a++) {
        spn_softmax_model replica = model;
        replica.weights = weights + a * CLASSES * FEATURES;
        assert_ok(spn_softmax_correct(&correct, &replica, data, &err), err);
        total += correct;
    }
    spn_robustness none = measure(&model, REPLICAS, data, 0, options_of(0, 9, 1, 1));
    assert_near(none.mean, (double)total / (REPLICAS * 200.0), 1e-15);
    /* the mean over replicas is the mean of their means, however the trials are spread */
    spn_robustness all = measure(&model, REPLICAS, data, 0.05, options_of(0, 3001, 1, 1));
    double sum = 0;
    for (size_t a = 0; a < REPLICAS; a++) {
        spn_softmax_model replica = model;
        replica.weights = weights + a * CLASSES * FEATURES;
        sum += measure(&replica, 1, data, 0.05, options_of(0, 1000, 2, 1)).mean;
    }
    assert_near(all.mean, sum / REPLICAS, 2 * (all.high - all.low));
    spn_dataset_free(data);
    spn_scaling_free(scaling);
}

/* Two replicas of three members of 20 weights each, of which 10 from number 5 on may be flipped.
   What is "right" is the number of flipped weights, or 0 if one is flipped that may not be. */
enum { PLACES = 60, MEMBER = 20, FIRST = 5, COUNT = 10 };

static spn_status count_flips(size_t *out, const void *context, const int8_t *weights,
                              spn_error *err)
{
    const int8_t *original = context;
    (void)err;
    *out = 0;
    for (size_t i = 0; i < PLACES; i++) {
        const size_t at = i % MEMBER;
        if (weights[i] != original[i] && (at < FIRST || at >= FIRST + COUNT)) {
            *out = 0;
            return SPN_OK;
        }
        *out += weights[i] != original[i];
    }
    return SPN_OK;
}

static void test_layers(void **state)
{
    (void)state;
    int8_t weights[2 * PLACES];
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_START);
    spn_random_spins(&random, weights, PLACES);
    memcpy(weights + PLACES, weights, PLACES);
    spn_flip_target target = spn_flip_target_defaults();
    target.context = weights;
    target.correct = count_flips;
    target.weights = weights;
    target.replicas = 2;
    target.sites = PLACES;
    target.samples = 1;
    target.members = 3;
    spn_robustness_options options = options_of(SPN_FLIP_EXACT, 50, 3, 2);
    options.first = FIRST;
    options.count = COUNT;
    spn_robustness r;
    spn_error err = {0};
    for (size_t flips = 0; flips <= 30; flips += 6) {
        assert_ok(spn_robustness_of(&r, &target, (double)flips / 30, &options, &err), err);
        assert_true(r.mean == (double)flips && r.low == r.mean && r.high == r.mean);
    }
    /* independent flips: the mean of 2000 counts of 30 at 1/2 is 15 within 5 deviations */
    options.mode = SPN_FLIP_INDEPENDENT;
    options.trials = 2000;
    assert_ok(spn_robustness_of(&r, &target, 0.5, &options, &err), err);
    assert_near(r.mean, 15, 5 * sqrt(30 * 0.25 / 2000));
    options.first = 11;
    assert_int_equal(spn_robustness_of(&r, &target, 0.5, &options, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "robustness: there are no 10 weights to flip from number 11 on: "
                                  "a classifier has 20");
    options.count = 0;
    assert_int_equal(spn_robustness_of(&r, &target, 0.5, &options, &err), SPN_ERROR_ARGUMENT);
    target.members = 7;
    assert_int_equal(spn_robustness_of(&r, &target, 0.5, &options, &err), SPN_ERROR_ARGUMENT);
}

/* All weights named as a range are all weights, bit for bit. */
static void test_all_as_range(void **state)
{
    (void)state;
    enum { FEATURES = 30, CLASSES = 4 };
    static int8_t weights[CLASSES * FEATURES];
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_START);
    spn_random_spins(&random, weights, sizeof weights);
    spn_dataset *data = spn_test_images(200, FEATURES, CLASSES, 1);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    spn_softmax_model model = {.size = sizeof model, weights, CLASSES, FEATURES, scaling, 0.1};
    for (int mode = 0; mode < 3; mode++) {
        spn_robustness_options options = options_of((spn_flip_mode)mode, 37, 9, 1);
        const spn_robustness all = measure(&model, 1, data, 0.1, options);
        options.count = sizeof weights;
        const spn_robustness range = measure(&model, 1, data, 0.1, options);
        assert_memory_equal(&all, &range, sizeof all);
        options.count = FEATURES;
        assert_true(measure(&model, 1, data, 0.1, options).mean != all.mean);
    }
    spn_dataset_free(data);
    spn_scaling_free(scaling);
}

/* ---- what faults do ---- */

enum { BROKEN = 2000, WIDE = 40, OUTPUTS = 20, HIDDEN = 30 }; /* 30 rows of 40, 40 rows of 20 */

typedef struct broken {
    const int8_t *weights;
    int counted; /* weights of this sign that changed; 0: rows that changed as a whole */
} broken;

static spn_status count_broken(size_t *out, const void *context, const int8_t *weights,
                               spn_error *err)
{
    const broken *b = context;
    (void)err;
    *out = 0;
    for (size_t i = 0; i < BROKEN; i++)
        *out += b->counted ? b->weights[i] == b->counted && weights[i] != b->weights[i] : 0;
    for (size_t i = 0; !b->counted && i < BROKEN;) {
        const size_t row = i < HIDDEN * WIDE ? WIDE : OUTPUTS;
        size_t changed = 0;
        for (size_t j = 0; j < row; j++, i++)
            changed += weights[i] != b->weights[i];
        if (changed != 0 && changed != row)
            return spn_fail(err, SPN_ERROR_ENERGY, "part of a row has changed");
        *out += changed > 0;
    }
    return SPN_OK;
}

static void check_broken(spn_flip_target *target, broken *b, spn_robustness_options options,
                         double p, int counted, double cells, double share)
{
    spn_error err = {0};
    spn_robustness r;
    b->counted = counted;
    assert_ok(spn_robustness_of(&r, target, p, &options, &err), err);
    const double off = r.mean - cells * share;
    const double deviation = sqrt(cells * fabs(share * (1 - share)) / (double)options.trials);
    assert_true(fabs(off) < 1e-9 || spn_normal_tail(off / deviation) > SPN_FALSE_ALARM);
}

/* Weights change as the model says and as the moments for training expect. */
static void test_fault_models(void **state)
{
    (void)state;
    static const char *const models[] = {"flips", "stuck-0", "stuck-1", "asymmetric:0.3,0.75"};
    static int8_t weights[BROKEN];
    spn_random random = spn_random_make(9, 0, 0, SPN_PURPOSE_START);
    spn_random_spins(&random, weights, BROKEN);
    broken b = {.weights = weights};
    spn_flip_target target = spn_flip_target_defaults();
    target.context = &b;
    target.correct = count_broken;
    target.weights = weights;
    target.sites = BROKEN;
    target.samples = 1;
    double ups = 0;
    for (size_t i = 0; i < BROKEN; i++)
        ups += weights[i] > 0;
    for (size_t m = 0; m < 4; m++) {
        spn_robustness_options options = options_of(SPN_FLIP_INDEPENDENT, 400, 3, 2);
        spn_error err = {0};
        assert_ok(spn_fault_model_parse(&options.faults, models[m], &err), err);
        const spn_fault_moments x = spn_fault_moments_of(&options.faults, 0.2);
        check_broken(&target, &b, options, 0.2, 1, ups, (1 - x.keep - x.drift) / 2);
        check_broken(&target, &b, options, 0.2, -1, BROKEN - ups, (1 - x.keep + x.drift) / 2);
        if (m < 3)
            check_broken(&target, &b, options, 1, 1, ups,
                         spn_fault_model_whole(options.faults).fall);
    }
    target.units = HIDDEN;
    target.unit_row = WIDE;
    target.row = OUTPUTS;
    spn_robustness_options rows = options_of(SPN_FLIP_INDEPENDENT, 400, 3, 1);
    rows.faults.rows = 1;
    check_broken(&target, &b, rows, 0.3, 0, 70, 0.3);
    rows.mode = SPN_FLIP_EXACT;
    rows.first = 10 * WIDE;
    rows.count = 20 * WIDE;
    check_broken(&target, &b, rows, 0.25, 0, 5, 1); /* of 20 rows */
    spn_robustness r;
    spn_error err = {0};
    rows.count--;
    assert_int_equal(spn_robustness_of(&r, &target, 0.1, &rows, &err), SPN_ERROR_ARGUMENT);
    target.row = 0;
    assert_int_equal(spn_robustness_of(&r, &target, 0.1, &rows, &err), SPN_ERROR_ARGUMENT);
    rows = options_of(SPN_FLIP_DRAWS, 10, 1, 1);
    rows.faults.fall = 1;
    assert_int_equal(spn_robustness_of(&r, &target, 0.1, &rows, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "draws flip what they draw: use them with flips or rows");
    assert_int_equal(spn_fault_model_parse(&rows.faults, "asymmetric:0.1,1.5", &err),
                     SPN_ERROR_ARGUMENT);
}

static void test_refusals(void **state)
{
    (void)state;
    tiny t;
    make_tiny(&t);
    spn_robustness r;
    const spn_robustness_options good = options_of(0, 10, 1, 1), few = options_of(0, 1, 1, 1);
    spn_error err = {0};
    assert_int_equal(spn_robustness_measure(&r, &t.model, 1, &t.data, -0.1, &good, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_robustness_measure(&r, &t.model, 1, &t.data, NAN, &good, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_robustness_measure(&r, &t.model, 1, &t.data, 0.1, &few, &err),
                     SPN_ERROR_ARGUMENT);
    t.data.labels = NULL;
    assert_int_equal(spn_robustness_measure(&r, &t.model, 1, &t.data, 0.1, &good, &err),
                     SPN_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_law),
        cmocka_unit_test(test_exact_counts),
        cmocka_unit_test(test_draws_law),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_threads_and_points),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_all_as_range),
        cmocka_unit_test(test_fault_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
