/* The energy softmax of rounded features: flips and moves of several copies against the energy from
   scratch, on every instruction set, with and without weights. */
#include "support/test.h"

#include "base/memory.h"
#include "energy/softmax/softmax.h"
#include <math.h>
#include <spinney/encoding.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 333,
    FEATURES = 5,
    CLASSES = 3,
    COPIES = 7,
    BIAS = 4,
    ROW = FEATURES * COPIES + BIAS
};

/* Correlated features of which one has a long tail, in copies. */
static spn_dataset *make_data(bool weights, size_t copies)
{
    static double values[SAMPLES * FEATURES], weight[SAMPLES];
    static uint32_t labels[SAMPLES];
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    for (size_t n = 0; n < SAMPLES; n++) {
        const double common = spn_random_uniform(&random);
        for (size_t i = 0; i < FEATURES; i++)
            values[n * FEATURES + i] = 100 * (common + 0.3 * spn_random_uniform(&random)) - 7;
        values[n * FEATURES + 1] = -log(spn_random_uniform(&random));
        weight[n] = 0.1 + spn_random_uniform(&random);
        labels[n] = (uint32_t)(CLASSES * common);
    }
    spn_error err = {0};
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = SAMPLES;
    arrays.features = FEATURES;
    arrays.classes = CLASSES;
    arrays.values = values;
    arrays.labels = labels;
    arrays.weights = weights ? weight : NULL;
    spn_dataset *plain, *copied;
    spn_encoding *encoding;
    assert_ok(spn_dataset_create(&plain, &arrays, &err), err);
    assert_ok(spn_encoding_copies(&encoding, FEATURES, copies, &err), err);
    assert_ok(spn_encoding_apply(&copied, encoding, plain, &err), err);
    spn_encoding_free(encoding);
    spn_dataset_free(plain);
    return copied;
}

typedef struct fixture {
    spn_energy *energy;
    void *cache, *other;
    int8_t *spins;
    double value;
    spn_random random;
} fixture;

static spn_energy *make_energy(const spn_dataset *data, bool rounded, const double *weights,
                               double scale, spn_isa isa)
{
    spn_preprocess how = {.kind = SPN_PREPROCESS_FEATURE, .scale = 1};
    spn_softmax_options o = spn_softmax_options_defaults();
    spn_scaling *scaling;
    spn_energy *energy;
    spn_error err = {0};
    o.logit_scale = scale;
    o.bias = BIAS;
    o.rounded = rounded;
    o.class_weights = weights;
    assert_ok(spn_preprocess_fit(&scaling, &how, data, &err), err);
    assert_ok(spn_softmax_create_by(&energy, data, scaling, &o, SPN_SOFTMAX_AUTO, isa, &err), err);
    spn_scaling_free(scaling);
    return energy;
}

static fixture start(spn_energy *energy)
{
    fixture f = {.energy = energy, .random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER)};
    f.cache = spn_alloc(1, energy->cache_size);
    f.other = spn_alloc(1, energy->cache_size);
    f.spins = spn_alloc(spn_energy_sites(energy), 1);
    assert_true(f.cache && f.other && f.spins);
    spn_random_spins(&f.random, f.spins, spn_energy_sites(energy));
    f.value = energy->slots->attach(energy, f.cache, f.spins);
    return f;
}

static void stop(fixture *f)
{
    spn_energy_free(f->energy);
    free(f->cache);
    free(f->other);
    free(f->spins);
}

static size_t below(fixture *f, size_t bound)
{
    return spn_random_below(&f->random, (uint32_t)bound);
}

/* Flip up to two spins of one direction in each of one or two groups of a class. */
static spn_level_move random_move(fixture *f)
{
    spn_level_groups groups;
    assert_true(f->energy->slots->levels(f->energy, &groups));
    assert_int_equal(groups.row, ROW);
    assert_int_equal(groups.copies, COPIES);
    assert_int_equal(groups.groups, FEATURES);
    spn_level_move move = {.count = 0};
    const size_t class = below(f, CLASSES), first = below(f, FEATURES + 1);
    double reach = 0;
    for (size_t c = 0; c < 2; c++) {
        const size_t group = (first + 2 * c) % (FEATURES + 1), at = class * ROW + group * COPIES;
        const size_t size = group < FEATURES ? COPIES : BIAS;
        const int8_t from = below(f, 2) ? 1 : -1;
        int flipped = 0;
        for (size_t i = at; i < at + size && flipped < 2; i++)
            if (f->spins[i] == from && reach + groups.most[at % ROW] <= groups.limit) {
                f->spins[i] = (int8_t)-from;
                reach += groups.most[at % ROW];
                flipped++;
            }
        if (flipped) {
            move.site[move.count] = at;
            move.change[move.count++] = -2 * from * flipped;
        }
    }
    return move;
}

static void check_moves(const spn_dataset *data, const double *weights, double scale, spn_isa isa)
{
    fixture f = start(make_energy(data, true, weights, scale, isa));
    const spn_energy_slots *slots = f.energy->slots;
    const double close = scale < 0.5 ? 1e-5 : 5e-5; /* far below the worst case of softmax.h */
    assert_near(f.value, slots->energy(f.energy, f.spins), close);
    for (int t = 0; t < 400; t++) {
        const double before = slots->energy(f.energy, f.spins);
        if (t % 2) {
            const size_t site = below(&f, spn_energy_sites(f.energy));
            const double change = slots->delta(f.energy, f.cache, f.spins, site);
            f.spins[site] = (int8_t)-f.spins[site];
            f.value = slots->commit(f.energy, f.cache, f.spins, site);
            assert_near(change, slots->energy(f.energy, f.spins) - before, close);
        } else {
            const spn_level_move move = random_move(&f);
            if (move.count == 0)
                continue;
            const double change = slots->level_delta(f.energy, f.cache, &move);
            f.value = slots->level_commit(f.energy, f.cache, f.spins, &move);
            assert_near(change, slots->energy(f.energy, f.spins) - before, close);
        }
        assert_near(f.value, slots->energy(f.energy, f.spins), close);
    }
    /* the cache is a function of the spins */
    const double refreshed = slots->refresh(f.energy, f.cache, f.spins);
    assert_true(refreshed == slots->attach(f.energy, f.other, f.spins));
    stop(&f);
}

static void test_moves(void **state)
{
    (void)state;
    static const double weights[CLASSES] = {0.3, 1, 2.5};
    for (int weighted = 0; weighted < 2; weighted++) {
        spn_dataset *data = make_data(weighted, COPIES);
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++)
            for (int j = 0; j < 4; j++)
                check_moves(data, j % 2 ? weights : NULL, j < 2 ? 0.1 : 0.6, isa);
        spn_dataset_free(data);
    }
}

/* The energy of rounded features is close to that of the features. */
static void test_is_close(void **state)
{
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        spn_dataset *data = make_data(weighted, COPIES);
        fixture f = start(make_energy(data, true, NULL, 0.1, spn_cpu_isa()));
        spn_energy *exact = make_energy(data, false, NULL, 0.1, spn_cpu_isa());
        assert_null(exact->slots->levels);
        assert_near(f.value, exact->slots->energy(exact, f.spins), 1e-4);
        spn_energy_free(exact);
        stop(&f);
        spn_dataset_free(data);
    }
}

/* Flips that change a logit by more than 12 are left to doubles, and not rounded. */
static void test_too_wide(void **state)
{
    (void)state;
    spn_dataset *data = make_data(false, COPIES);
    spn_energy *wide = make_energy(data, true, NULL, 10, spn_cpu_isa());
    spn_energy *exact = make_energy(data, false, NULL, 10, spn_cpu_isa());
    fixture f = start(wide);
    assert_null(wide->slots->levels);
    assert_true(wide->slots->energy(wide, f.spins) == exact->slots->energy(exact, f.spins));
    spn_energy_free(exact);
    stop(&f);
    spn_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves),
                                       cmocka_unit_test(test_is_close),
                                       cmocka_unit_test(test_too_wide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
