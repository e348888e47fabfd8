/* The energy network: every form of inputs and instruction set against the energy from scratch,
   which is compared with the definition. */
#include "support/test.h"

#include "base/memory.h"
#include "energy/network/network.h"
#include <math.h>
#include <spinney/chain.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* ---- problems ---- */

enum { CLASSES = 1, SAMPLES = 2 };

typedef struct shape {
    size_t samples, inputs, hidden, hidden_bias, bias;
    uint32_t classes, largest; /* largest: of an input */
    double logit_scale;
    unsigned weighted; /* CLASSES, SAMPLES, or both */
    double faults;     /* that units expect */
    const char *model; /* of these faults; NULL: flips */
    double margin;     /* with faults */
} shape;

static const shape shapes[] = {
    {200, 30, 7, 0, 0, 3, 1, 0.3, 0, 0, NULL, 0},
    {333, 70, 16, 2, 1, 10, 1, 0.2, 0, 0, NULL, 0},
    {150, 5, 1, 0, 0, 2, 1, 1, 0, 0, NULL, 0},
    {1, 1, 1, 0, 0, 2, 1, 0.5, 0, 0, NULL, 0},
    {257, 40, 12, 1, 2, 5, 1, 0.1, CLASSES, 0, NULL, 0},
    {120, 25, 9, 3, 2, 4, 7, 0.4, 0, 0, NULL, 0},
    {90, 12, 6, 0, 1, 17, 255, 0.2, CLASSES, 0, NULL, 0},
    {130, 64, 5, 1, 0, 6, 1, 16, 0, 0, NULL, 0},
    {210, 30, 8, 1, 1, 4, 1, 0.3, SAMPLES, 0, NULL, 0},
    {110, 20, 5, 0, 2, 3, 9, 0.5, SAMPLES | CLASSES, 0, NULL, 0},
    {70, 16, 4, 1, 1, 5, 1, 16, SAMPLES, 0, NULL, 0},
    {500, 4200, 3, 0, 0, 2, 1, 0.5, 0, 0, NULL, 0},
    {64, 129, 33, 0, 3, 12, 1, 0.05, 0, 0, NULL, 0},
};

/* Units that expect faults. */
static const shape smooth[] = {
    {200, 30, 7, 0, 0, 3, 1, 0.3, 0, 0.1, NULL, 0},
    {333, 70, 16, 2, 1, 10, 1, 0.2, 0, 0.15, NULL, 2},
    {150, 5, 1, 0, 0, 2, 1, 1, 0, 0.3, NULL, 0},
    {1, 1, 1, 0, 0, 2, 1, 0.5, 0, 0.01, NULL, 0},
    {257, 40, 12, 1, 2, 5, 1, 0.1, CLASSES, 0.2, NULL, 0},
    {120, 25, 9, 3, 2, 4, 7, 0.4, 0, 0.15, NULL, 0},
    {130, 64, 5, 1, 0, 6, 1, 2, 0, 0.05, NULL, 0},
    {210, 30, 8, 1, 1, 4, 1, 0.3, SAMPLES, 0.49, NULL, 0.7},
    {110, 20, 5, 0, 2, 3, 9, 0.5, SAMPLES | CLASSES, 0.15, NULL, 0},
    {64, 129, 33, 0, 3, 12, 1, 0.05, 0, 0.25, NULL, 1},
    {170, 50, 9, 2, 0, 3, 1, 0.3, 0, 0.2, "stuck-0", 0},
    {120, 25, 9, 3, 2, 4, 7, 0.4, 0, 0.4, "asymmetric:0.9,0.2", 0},
};
enum { SMOOTH = sizeof smooth / sizeof *smooth };
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double weight_of(const shape *s, uint32_t k)
{
    return s->weighted & CLASSES ? 0.5 + k : 1;
}

static double weight_of_sample(const shape *s, size_t n)
{
    return s->weighted & SAMPLES ? 0.25 + 0.5 * (double)(n % 7) : 1;
}

static spn_dataset *make_data(const shape *s)
{
    spn_random random = spn_random_make(11, 0, 0, SPN_PURPOSE_USER);
    uint8_t *bytes = spn_alloc(s->samples, s->inputs);
    uint32_t *labels = spn_alloc(s->samples, sizeof *labels);
    double *weights = spn_alloc(s->samples, sizeof *weights);
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_dataset *data;
    spn_error err = {0};
    for (size_t j = 0; j < s->samples * s->inputs; j++) {
        const uint32_t x = (uint32_t)spn_random_below(&random, 2 * (s->largest + 1));
        bytes[j] = (uint8_t)(x > s->largest ? 0 : x); /* many zeros */
    }
    for (size_t n = 0; n < s->samples; n++) /* the last of many classes does not occur */
        labels[n] =
            (uint32_t)spn_random_below(&random, s->classes > 3 ? s->classes - 1 : s->classes);
    arrays.samples = s->samples;
    arrays.features = s->inputs;
    arrays.bytes = bytes;
    arrays.labels = labels;
    arrays.classes = s->classes;
    arrays.weights = weights;
    for (size_t n = 0; n < s->samples; n++)
        weights[n] = weight_of_sample(s, n);
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    free(bytes);
    free(labels);
    free(weights);
    return data;
}

/* One energy with a cache and spins. */
typedef struct fixture {
    spn_energy *energy;
    void *cache;
    int8_t *spins;
    double value;
    spn_random random;
} fixture;

static spn_fault_model model_of(const shape *s)
{
    spn_fault_model model;
    spn_error err = {0};
    assert_ok(spn_fault_model_parse(&model, s->model ? s->model : "flips", &err), err);
    return model;
}

static fixture start(const shape *s, const spn_dataset *data, bool as_bytes, spn_isa isa)
{
    fixture f = {.random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER)};
    spn_error err = {0};
    double weights[32];
    spn_network_options options = spn_network_options_defaults();
    for (uint32_t k = 0; k < s->classes; k++)
        weights[k] = weight_of(s, k);
    options.hidden = s->hidden;
    options.hidden_bias = s->hidden_bias;
    options.bias = s->bias;
    options.logit_scale = s->logit_scale;
    options.class_weights = s->weighted & CLASSES ? weights : NULL;
    options.faults = s->faults;
    options.fault_model = model_of(s);
    options.margin = s->margin;
    assert_ok(spn_network_create_by(&f.energy, data, &options, as_bytes, isa, &err), err);
    assert_int_equal(spn_energy_sites(f.energy),
                     spn_network_sites(s->inputs, s->classes, &options));
    f.cache = spn_alloc(1, f.energy->cache_size);
    f.spins = spn_alloc(spn_energy_sites(f.energy), 1);
    assert_non_null(f.cache);
    assert_non_null(f.spins);
    spn_random_spins(&f.random, f.spins, spn_energy_sites(f.energy));
    f.value = f.energy->slots->attach(f.energy, f.cache, f.spins);
    return f;
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

/* The energy has the bits of its plain reference. */
static double from_scratch(const fixture *f)
{
    const double value = f->energy->slots->energy(f->energy, f->spins);
    assert_true(value == spn_network_reference(f->energy, f->spins));
    return value;
}

/* A site, of the outputs every other time: there are few of them. */
static size_t some_site(fixture *f)
{
    const spn_network *p = (const spn_network *)f->energy;
    const size_t outputs = p->base.sites - p->first_output;
    return spn_random_below(&f->random, 2)
               ? p->first_output + spn_random_below(&f->random, (uint32_t)outputs)
               : spn_random_below(&f->random, (uint32_t)p->base.sites);
}

/* What spinney/network.h promises of a change: 1e-6 for each sample that it concerns, all at most,
   times the heaviest weight over the mean one. Random ones stay far below: a sixteenth is asked. */
static double bound(const fixture *f)
{
    const spn_network *p = (const spn_network *)f->energy;
    double heaviest = 1;
    for (size_t j = 0; j < p->part_count; j++)
        heaviest = fmax(heaviest, p->parts[j].weight * (double)p->samples / p->total);
    for (size_t n = 0; p->position_weight && n < SPN_NETWORK_WORD * p->words; n++)
        heaviest = fmax(heaviest, p->position_weight[n] * (double)p->samples / p->total);
    return heaviest * 1e-6 / 16;
}

/* ---- tests ---- */

/* A unit with these weights: its sign, or the mean of it if each weight fails with probability
   `faults`, in the normal approximation, with the variance of a weight averaged over its signs. */
static double unit_of(const shape *s, const spn_dataset *data, size_t n, const int8_t *weights)
{
    double a = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < s->inputs + s->hidden_bias; i++) {
        const double x = i < s->inputs ? data->bytes[n * s->inputs + i] : 1;
        a += weights[i] * x;
        sum += x;
        squares += x * x;
    }
    const spn_fault_model m = model_of(s);
    const double up = s->faults * m.rise, down = s->faults * m.fall; /* -1 to +1, +1 to -1 */
    const double low = 2 * up - 1, high = 1 - 2 * down, keep = (high - low) / 2;
    const double sigma = sqrt((2 - low * low - high * high) / 2 * squares) / keep;
    if (s->faults == 0)
        return a < 0 ? -1 : 1;
    return squares > 0 ? erf((a + rint((high + low) / 2 / keep * sum)) / (sqrt(2) * sigma)) : 0;
}

/* The definition, from the data alone. */
static double defined(const shape *s, const spn_dataset *data, const int8_t *spins)
{
    const size_t row = s->inputs + s->hidden_bias, output_row = s->hidden + s->bias;
    double total = 0, weights = 0;
    for (size_t n = 0; n < s->samples; n++) {
        double logits[32] = {0}, sum = 0;
        for (size_t j = 0; j < output_row; j++) {
            const double h = j < s->hidden ? unit_of(s, data, n, spins + j * row) : 1;
            for (uint32_t k = 0; k < s->classes; k++)
                logits[k] += s->logit_scale * h * spins[s->hidden * row + k * output_row + j];
        }
        const uint32_t label = data->labels[n];
        for (uint32_t k = 0; k < s->classes; k++)
            sum += exp(logits[k] - logits[label] + (k == label ? 0 : s->margin));
        const double weight = weight_of(s, label) * weight_of_sample(s, n);
        total += weight * log(sum);
        weights += weight;
    }
    return total / weights;
}

static void energy_is_as_defined(void **state)
{
    (void)state;
    for (size_t j = 0; j < SHAPES; j++) {
        spn_dataset *data = make_data(&shapes[j]);
        fixture f = start(&shapes[j], data, false, spn_cpu_isa());
        const double expected = defined(&shapes[j], data, f.spins);
        assert_near(from_scratch(&f), expected, 1e-12 * (1 + expected));
        assert_near(f.value, expected, 1e-9 * (1 + expected));
        stop(&f);
        spn_dataset_free(data);
    }
}

/* Changes and energies after accepted flips, and what was tried in between leaves no trace. */
static void check_walk(const shape *s, const spn_dataset *data, bool as_bytes, spn_isa isa)
{
    fixture f = start(s, data, as_bytes, isa);
    const double most = bound(&f);
    double before = from_scratch(&f);
    for (size_t t = 0; t < 60; t++) {
        const size_t site = some_site(&f), other = some_site(&f);
        const double change = delta(&f, site);
        if (t % 3 == 0)
            delta(&f, other);
        assert_true(change == delta(&f, site));
        if (t % 3 == 1)
            delta(&f, other);
        flip(&f, site);
        const double after = from_scratch(&f);
        assert_near(change, after - before, most);
        assert_near(f.value, after, 1e-9 * (1 + after));
        before = after;
    }
    stop(&f);
}

static void changes_are_differences(void **state)
{
    (void)state;
    for (size_t j = 0; j < SHAPES; j++) {
        spn_dataset *data = make_data(&shapes[j]);
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
            check_walk(&shapes[j], data, false, isa);
            check_walk(&shapes[j], data, true, isa);
        }
        spn_dataset_free(data);
    }
}

/* After many flips the cache is what the spins alone make it, and every instruction set and form of
   inputs gives the same bits all along. */
static void nothing_drifts(void **state)
{
    enum { MOST = 6 };
    const size_t flips = spn_test_samples(4000);
    (void)state;
    for (size_t j = 0; j < SHAPES; j++) {
        spn_dataset *data = make_data(&shapes[j]);
        fixture f[MOST];
        size_t count = 0;
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++)
            for (int as_bytes = 0; as_bytes < 2; as_bytes++)
                f[count++] = start(&shapes[j], data, as_bytes, isa);
        for (size_t t = 0; t < flips; t++) {
            const size_t site = some_site(&f[0]);
            const double change = delta(&f[0], site);
            flip(&f[0], site);
            for (size_t c = 1; c < count; c++) {
                assert_true(delta(&f[c], site) == change);
                flip(&f[c], site);
                assert_true(f[c].value == f[0].value);
            }
        }
        fixture fresh = start(&shapes[j], data, false, spn_cpu_isa());
        memcpy(fresh.spins, f[0].spins, spn_energy_sites(f[0].energy));
        assert_true(fresh.energy->slots->attach(fresh.energy, fresh.cache, fresh.spins) ==
                    f[0].value);
        for (size_t t = 0; t < 50; t++) {
            const size_t site = some_site(&fresh);
            assert_true(delta(&fresh, site) == delta(&f[0], site));
        }
        stop(&fresh);
        for (size_t c = 0; c < count; c++)
            stop(&f[c]);
        spn_dataset_free(data);
    }
}

static void two_flips_are_none(void **state)
{
    (void)state;
    for (size_t j = 0; j < SHAPES; j++) {
        spn_dataset *data = make_data(&shapes[j]);
        fixture f = start(&shapes[j], data, false, spn_cpu_isa());
        for (size_t t = 0; t < 40; t++) {
            const size_t site = some_site(&f);
            const double value = f.value;
            flip(&f, site);
            flip(&f, site);
            assert_true(f.value == value);
        }
        stop(&f);
        spn_dataset_free(data);
    }
}

/* ---- units that expect faults ---- */

/* What spinney/network.h promises of their changes. */
static double smooth_bound(const fixture *f)
{
    const spn_network *p = (const spn_network *)f->energy;
    return 16 * bound(f) * (1 + 4 * p->logit_scale);
}

/* Units are rounded to 2^-14, so a logit is off by at most s H 2^-15, and a loss by twice that. */
static void smooth_energy_is_as_defined(void **state)
{
    (void)state;
    for (size_t j = 0; j < SMOOTH; j++) {
        const shape *s = &smooth[j];
        spn_dataset *data = make_data(s);
        fixture f = start(s, data, false, spn_cpu_isa());
        const double expected = defined(s, data, f.spins);
        assert_near(from_scratch(&f), expected, s->logit_scale * (double)s->hidden * 0x1p-14);
        assert_near(f.value, from_scratch(&f), 1e-6);
        stop(&f);
        spn_dataset_free(data);
    }
}

/* A visit to a unit sums the same whatever was tried before it; flips stay within the bound, and
   refresh makes the cache what attach would. */
static void check_smooth_walk(const shape *s, const spn_dataset *data, bool as_bytes, spn_isa isa)
{
    fixture f = start(s, data, as_bytes, isa), fresh = start(s, data, as_bytes, isa);
    const double most = smooth_bound(&f);
    double before = from_scratch(&f);
    for (size_t t = 0; t < 60; t++) {
        const size_t site = some_site(&f), other = some_site(&f);
        const double change = delta(&f, site);
        delta(&f, other);
        assert_true(change == delta(&f, site));
        flip(&f, site);
        const double after = from_scratch(&f);
        assert_near(change, after - before, most);
        assert_near(f.value, after, (double)(t + 2) * most);
        before = after;
    }
    memcpy(fresh.spins, f.spins, spn_energy_sites(f.energy));
    const double attached = fresh.energy->slots->attach(fresh.energy, fresh.cache, fresh.spins);
    assert_true(f.energy->slots->refresh(f.energy, f.cache, f.spins) == attached);
    for (size_t t = 0; t < 20; t++) {
        const size_t site = some_site(&f);
        assert_true(delta(&fresh, site) == delta(&f, site));
    }
    stop(&f);
    stop(&fresh);
}

/* More samples of a class than the energy takes at a time, and more words than the sum of changes.
 */
static void many_samples_are_as_few(void **state)
{
    static const shape many[] = {{10000, 70, 3, 1, 1, 2, 1, 0.4, 0, 0, NULL, 0},
                                 {9000, 20, 3, 0, 0, 2, 1, 0.4, SAMPLES, 0.1, "stuck-1", 1},
                                 {9000, 12, 2, 1, 0, 2, 9, 0.4, CLASSES, 0.2, NULL, 0}};
    (void)state;
    for (size_t j = 0; j < sizeof many / sizeof *many; j++) {
        spn_dataset *data = make_data(&many[j]);
        fixture f = start(&many[j], data, false, spn_cpu_isa());
        assert_near(f.value, from_scratch(&f), 1e-6);
        stop(&f);
        for (spn_isa isa = SPN_ISA_PORTABLE; many[j].faults > 0 && isa <= spn_cpu_isa(); isa++)
            check_smooth_walk(&many[j], data, false, isa);
        spn_dataset_free(data);
    }
}

static void smooth_changes_are_differences(void **state)
{
    (void)state;
    for (size_t j = 0; j < SMOOTH; j++) {
        spn_dataset *data = make_data(&smooth[j]);
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
            check_smooth_walk(&smooth[j], data, false, isa);
            check_smooth_walk(&smooth[j], data, true, isa);
        }
        spn_dataset_free(data);
    }
}

/* Every instruction set gives the same bits, flip by flip. */
static void smooth_sets_agree(void **state)
{
    (void)state;
    for (size_t j = 0; j < SMOOTH; j++) {
        spn_dataset *data = make_data(&smooth[j]);
        fixture f[4];
        size_t count = 0;
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++)
            f[count++] = start(&smooth[j], data, false, isa);
        for (size_t t = 0; t < spn_test_samples(1000); t++) {
            const size_t site = some_site(&f[0]);
            const double change = delta(&f[0], site);
            flip(&f[0], site);
            for (size_t c = 1; c < count; c++) {
                assert_true(delta(&f[c], site) == change);
                flip(&f[c], site);
                assert_true(f[c].value == f[0].value);
            }
        }
        assert_near(f[0].value, from_scratch(&f[0]), 1000 * smooth_bound(&f[0]));
        for (size_t c = 0; c < count; c++)
            stop(&f[c]);
        spn_dataset_free(data);
    }
}

/* ---- chains ---- */

/* Saved and loaded at any step, and at any number of threads, a chain goes on as it would have. */
static void check_going_on(const shape *s)
{
    spn_dataset *data = make_data(s);
    fixture f = start(s, data, false, spn_cpu_isa());
    spn_error err = {0};
    spn_schedule *beta;
    assert_ok(spn_schedule_exponential(&beta, 10, 1000, &err), err);
    spn_chain_options options = spn_chain_defaults();
    options.beta = beta;
    options.steps = 3000;
    spn_sampler *whole, *half, *rest;
    spn_stop why;
    assert_ok(spn_chain_create(&whole, f.energy, &options, &err), err);
    assert_ok(spn_sampler_run(&why, whole, NULL, &err), err);
    options.threads = 2;
    assert_ok(spn_chain_create(&rest, f.energy, &options, &err), err);
    options.patience = 1000; /* stops somewhere, or at the end */
    assert_ok(spn_chain_create(&half, f.energy, &options, &err), err);
    assert_ok(spn_sampler_run(&why, half, NULL, &err), err);
    assert_true(spn_sampler_can_save(half));
    void *saved;
    size_t size;
    assert_ok(spn_sampler_save(&saved, &size, half, &err), err);
    assert_ok(spn_sampler_load(rest, saved, size, &err), err);
    assert_ok(spn_sampler_run(&why, rest, NULL, &err), err);
    spn_snapshot a, b;
    spn_chain_snapshot(&a, whole);
    spn_chain_snapshot(&b, rest);
    assert_memory_equal(a.spins, b.spins, a.sites * a.replicas);
    assert_memory_equal(a.energy, b.energy, a.replicas * sizeof(double));
    assert_true(a.energy[0] < f.value);
    free(saved);
    spn_sampler_free(whole);
    spn_sampler_free(half);
    spn_sampler_free(rest);
    spn_schedule_free(beta);
    stop(&f);
    spn_dataset_free(data);
}

static void chains_go_on(void **state)
{
    (void)state;
    check_going_on(&shapes[1]);
    check_going_on(&smooth[1]);
}

/* ---- bad options ---- */

static void expect_refused(const spn_dataset *data, const spn_network_options *options,
                           const char *text)
{
    spn_energy *energy;
    spn_error err = {0};
    assert_int_equal(spn_network_create(&energy, data, options, &err), SPN_ERROR_ARGUMENT);
    assert_null(energy);
    assert_string_equal(err.text, text);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    spn_dataset *data = make_data(&shapes[0]);
    spn_network_options o = spn_network_options_defaults();
    o.hidden = 0;
    expect_refused(data, &o, "network: 1 to 16384 hidden units, not 0");
    o.hidden = 1000000;
    expect_refused(data, &o, "network: 1 to 16384 hidden units, not 1000000");
    o.hidden = 4;
    o.logit_scale = 0;
    expect_refused(data, &o, "network: the logit scale is 0, expected more than 0, up to 16");
    o.logit_scale = NAN;
    expect_refused(data, &o, "network: the logit scale is nan, expected more than 0, up to 16");
    o.logit_scale = 1;
    o.bias = 20000;
    expect_refused(data, &o, "network: a bias has at most 16383 weights");
    o.bias = 0;
    o.faults = 0.5;
    expect_refused(data, &o, "network: the share of faults is 0.5, expected 0 to 0.49");
    o.faults = 0.1;
    o.fault_model.rows = 1;
    expect_refused(data, &o,
                   "network: units expect faults of weights, not of rows, whose mean is the unit's "
                   "sign times 1-2p");
    o.fault_model.rows = 0;
    o.margin = 101;
    expect_refused(data, &o, "network: the margin is 101, expected 0 to 100, and 0 without faults");
    o.margin = 0;
    o.logit_scale = 2.5;
    expect_refused(data, &o,
                   "network: the logit scale is 2.5, expected at most 2 for units that expect "
                   "faults");
    o.faults = 0;
    const double weights[3] = {1, -1, 1};
    o.class_weights = weights;
    expect_refused(data, &o, "network: class 1 has weight -1, expected a positive number");
    spn_dataset_free(data);
}

static void sums_that_are_too_large_are_refused(void **state)
{
    (void)state;
    shape s = {.samples = 2, .inputs = 200, .hidden = 1, .classes = 2, .largest = 255};
    spn_dataset *data = make_data(&s);
    spn_network_options o = spn_network_options_defaults();
    memset(data->bytes + s.inputs, 255, s.inputs);
    expect_refused(data, &o,
                   "network: the inputs of sample 1 add up to 51000, expected at most 32767: make "
                   "them binary or use a thermometer");
    spn_dataset_free(data);
}

static void memory_is_told(void **state)
{
    (void)state;
    for (size_t j = 0; j < SHAPES; j++) {
        spn_dataset *data = make_data(&shapes[j]);
        fixture f = start(&shapes[j], data, false, spn_cpu_isa());
        spn_network_options o = spn_network_options_defaults();
        uint64_t shared, each;
        o.hidden = shapes[j].hidden;
        spn_network_memory(&shared, &each, shapes[j].samples, shapes[j].inputs, shapes[j].classes,
                           &o);
        /* small problems are mostly padding: words of 64 for every class, and lines of 64 bytes */
        const double most = 64.0 * shapes[j].classes * (3 * (double)o.hidden + 100) + 4096;
        assert_true((double)f.energy->cache_size < (double)each + most);
        assert_true((double)each < (double)f.energy->cache_size + most);
        stop(&f);
        spn_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_as_defined),
        cmocka_unit_test(changes_are_differences),
        cmocka_unit_test(nothing_drifts),
        cmocka_unit_test(two_flips_are_none),
        cmocka_unit_test(smooth_energy_is_as_defined),
        cmocka_unit_test(many_samples_are_as_few),
        cmocka_unit_test(smooth_changes_are_differences),
        cmocka_unit_test(smooth_sets_agree),
        cmocka_unit_test(chains_go_on),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(sums_that_are_too_large_are_refused),
        cmocka_unit_test(memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
