/* Losses in whole numbers: the exact energy to their accuracy, and chains on every device that
   OpenCL finds with the bits of the processor. Debian's pocl-opencl-icd makes the processor such a
   device; without any, what needs one is skipped. */
#include "support/chains.h"
#include "support/devices.h"
#include "support/images.h"
#include "support/schedules.h"
#include "support/test.h"

#include "base/memory.h"
#include "base/team.h"
#include "core/sampler.h"
#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_device_choice device(size_t group)
{
    spn_device_choice choice = spn_test_device();
    choice.group = group;
    return choice;
}

/* Images, and how bytes become features: images of few grey values have more steps to a byte. */
typedef struct shape {
    size_t samples, features, bias;
    uint32_t classes;
    unsigned darker;
    double logit_scale, brighter; /* brighter: features far above 0 */
} shape;

static const shape shapes[] = {
    {100, 30, 0, 10, 0, 1, 0},  {8, 3, 0, 2, 0, 1, 0},        {1, 1, 0, 2, 0, 1, 0},
    {333, 50, 5, 3, 0, 0.5, 0}, {1030, 17, 0, 17, 4, 0.2, 0}, {200, 20, 1, 5, 0, 0.1, 600},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct data {
    spn_dataset *images;
    spn_scaling *scaling;
    spn_softmax_options options;
} data;

static data make_data(const shape *s)
{
    data d = {spn_test_images(s->samples, s->features, s->classes, 7),
              spn_test_scaling(s->features), spn_softmax_options_defaults()};
    for (size_t n = 0; n < s->samples * s->features; n++)
        d.images->bytes[n] = (uint8_t)(d.images->bytes[n] >> s->darker);
    for (size_t i = 0; i < s->features; i++) {
        ((double *)(uintptr_t)d.scaling->shift)[i] -= s->brighter;
        ((double *)(uintptr_t)d.scaling->scale)[i] /= s->darker ? 4 : 1;
    }
    d.options.bias = s->bias;
    d.options.logit_scale = s->logit_scale;
    return d;
}

static void drop_data(data *d)
{
    spn_dataset_free(d->images);
    spn_scaling_free(d->scaling);
}

/* Along an annealing: changes, energies of flips, and the state after rebuilds. */
static void whole_losses_are_the_exact_ones(void **state)
{
    (void)state;
    for (size_t k = 0; k < SHAPES; k++) {
        spn_error err = {0};
        data d = make_data(&shapes[k]);
        spn_energy *whole, *exact;
        spn_random random = spn_random_make(5, (uint32_t)k, 0, SPN_PURPOSE_USER);
        assert_ok(spn_softmax_on_device(&whole, d.images, d.scaling, &d.options, "cpu", &err), err);
        assert_ok(spn_softmax_create_by(&exact, d.images, d.scaling, &d.options, SPN_SOFTMAX_PLAIN,
                                        SPN_ISA_PORTABLE, &err),
                  err);
        const size_t sites = spn_energy_sites(whole);
        int8_t *spins = spn_alloc(sites, 1);
        void *cache = spn_alloc(1, spn_energy_cache_size(whole)),
             *other = spn_alloc(1, spn_energy_cache_size(exact));
        spn_random_spins(&random, spins, sites);
        double value = spn_energy_attach(whole, cache, spins), worst = 0, far = 0;
        assert_near(value, spn_energy_attach(exact, other, spins), 1e-6 * (1 + value));
        for (int t = 0; t < 1500; t++) {
            const size_t site = spn_random_below(&random, (uint32_t)sites);
            const double change = spn_energy_delta(whole, cache, spins, site);
            const double right = spn_energy_delta(exact, other, spins, site);
            worst = fmax(worst, fabs(change - right));
            if (change > 0.01 * spn_random_uniform(&random))
                continue;
            spins[site] = (int8_t)-spins[site];
            value = spn_energy_commit(whole, cache, spins, site);
            far = fmax(far, fabs(value - spn_energy_commit(exact, other, spins, site)));
        }
        print_message("shape %zu: changes within %.2g, energies within %.2g\n", k, worst, far);
        assert_true(worst < 5e-6 && far < 5e-6);
        const double fresh = whole->slots->refresh(whole, cache, spins);
        memset(cache, 0, spn_energy_cache_size(whole));
        assert_true(fresh == spn_energy_attach(whole, cache, spins));
        SPN_FREE_ALL(spins, cache, other);
        spn_energy_free(whole);
        spn_energy_free(exact);
        drop_data(&d);
    }
}

/* A chain here and one there, on a thread each with others. */
typedef struct pair {
    const spn_energy *here, *there;
    spn_chain_options options;
    spn_sampler *made[2];
} pair;

static void run_pair(void *context, size_t k)
{
    pair *p = (pair *)context + k / 2;
    spn_error err = {0};
    spn_stop stop;
    const spn_energy *energy = k % 2 ? p->there : p->here;
    if (spn_chain_create(&p->made[k % 2], energy, &p->options, &err) ||
        spn_sampler_run(&stop, p->made[k % 2], NULL, &err))
        fprintf(stderr, "%s\n", err.text);
}

static void check_chains(const spn_energy *here, const spn_energy *there, pair *pairs, size_t count)
{
    spn_team *team = spn_team_create((unsigned)(2 * count));
    for (size_t k = 0; k < count; k++) {
        pairs[k].here = here;
        pairs[k].there = there;
    }
    spn_team_run(team, run_pair, pairs, 2 * count);
    spn_team_free(team);
    for (size_t k = 0; k < count; k++) {
        assert_true(pairs[k].made[0] && pairs[k].made[1]);
        spn_test_assert_same_state(pairs[k].made[0], pairs[k].made[1]);
        spn_sampler_free(pairs[k].made[0]);
        spn_sampler_free(pairs[k].made[1]);
    }
}

/* All kernels, orders, schedules and numbers of replicas, four at a time. */
static void devices_make_the_bits_of_the_processor(void **state)
{
    (void)state;
    enum { AT_ONCE = 4, CHAINS = 16 };
    for (size_t k = 0; k < SHAPES; k++) {
        spn_error err = {0};
        const spn_device_choice choice = device(k % 2 ? 32 : 0);
        data d = make_data(&shapes[k]);
        spn_energy *here, *there, *same;
        assert_ok(spn_softmax_on_device(&here, d.images, d.scaling, &d.options, "cpu", &err), err);
        assert_ok(spn_softmax_on(&there, d.images, d.scaling, &d.options, &choice, &err), err);
        assert_ok(spn_softmax_on(&same, d.images, d.scaling, &d.options, &choice, &err), err);
        for (size_t first = 0; first < CHAINS; first += AT_ONCE) {
            pair pairs[AT_ONCE] = {{0}};
            for (size_t j = 0; j < AT_ONCE; j++) {
                pairs[j].options = spn_test_variant((k * CHAINS + first + j) % SPN_TEST_VARIANTS);
                pairs[j].options.run = (uint32_t)j;
                pairs[j].options.steps = 100;
            }
            check_chains(here, first % 8 ? same : there, pairs, AT_ONCE);
        }
        spn_energy_free(here);
        spn_energy_free(there);
        spn_energy_free(same);
        drop_data(&d);
    }
}

/* The paper's chain, and long enough for many rebuilds and for a refresh. */
static void a_long_training(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_device_choice choice = device(0);
    data d = make_data(&shapes[0]);
    spn_energy *here, *there;
    pair pairs[2] = {{.options = spn_chain_defaults()}, {.options = spn_chain_defaults()}};
    assert_ok(spn_softmax_on_device(&here, d.images, d.scaling, &d.options, "cpu", &err), err);
    assert_ok(spn_softmax_on(&there, d.images, d.scaling, &d.options, &choice, &err), err);
    for (size_t k = 0; k < 2; k++) {
        spn_chain_options *o = &pairs[k].options;
        o->replicas = k ? 3 : 1;
        o->kernel = SPN_KERNEL_TWO_STAGE;
        o->beta = spn_test_exponential(10, 10000);
        o->gamma = spn_test_constant(0.8);
        o->steps = spn_test_samples(10000);
    }
    check_chains(here, there, pairs, 2);
    spn_energy_free(here);
    spn_energy_free(there);
    drop_data(&d);
}

/* Saved on the device, a chain goes on here. */
static void a_checkpoint_goes_elsewhere(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_device_choice choice = device(0);
    data d = make_data(&shapes[1]);
    spn_energy *here, *there;
    spn_chain_options o = spn_chain_defaults();
    spn_until until = spn_until_defaults();
    void *bytes;
    size_t size;
    o.replicas = 3;
    o.beta = spn_test_exponential(1, 100);
    o.gamma = spn_test_constant(0.4);
    o.steps = SPN_SAVE_STEPS + 500;
    until.steps = SPN_SAVE_STEPS;
    assert_ok(spn_softmax_on_device(&here, d.images, d.scaling, &d.options, "cpu", &err), err);
    assert_ok(spn_softmax_on(&there, d.images, d.scaling, &d.options, &choice, &err), err);
    spn_sampler *whole = spn_test_chain_start(here, &o), *first = spn_test_chain_start(there, &o),
                *second = spn_test_chain_start(here, &o);
    assert_string_equal(spn_softmax_device(there), choice.info.name);
    assert_null(spn_softmax_device(here));
    spn_test_run_until(first, &until);
    assert_ok(spn_sampler_save(&bytes, &size, first, &err), err);
    assert_ok(spn_sampler_load(second, bytes, size, &err), err);
    spn_test_chain_run(whole);
    spn_test_chain_run(second);
    spn_test_assert_same_state(whole, second);
    free(bytes);
    spn_sampler_free(whole);
    spn_sampler_free(first);
    spn_sampler_free(second);
    spn_energy_free(here);
    spn_energy_free(there);
    drop_data(&d);
}

/* What another program on the device would do: the last bit of one gain is wrong. */
static void a_wrong_bit_is_noticed(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_device_choice choice = device(0);
    const spn_device_library *library;
    data d = make_data(&shapes[0]);
    spn_whole *whole;
    int64_t loss[2];
    assert_ok(spn_device_load(&library, &err), err);
    assert_ok(spn_whole_create(&whole, d.images, d.scaling, &d.options, &err), err);
    int8_t *spins = spn_alloc(whole->base.sites, 1);
    memset(spins, 1, whole->base.sites);
    for (int wrong = 0; wrong < 2; wrong++) {
        const spn_train_move flip = {.site = 7, .threshold = INFINITY, .beta = 1};
        const double cost[6] = {0};
        const uint32_t row = 0;
        spn_train_taken taken;
        spn_train_job job = {.flags = SPN_TRAIN_START, .row = &row, .replicas = 1, .start = spins};
        spn_train_job *jobs[1] = {&job};
        void *opened;
        for (int x = 0; x < SPN_WHOLE_GAINS; x++)
            whole->gains[x] = wrong ? nextafterf(whole->gains[x], 1e9f) : whole->gains[x];
        job.move = &flip;
        job.moves = 1;
        job.cost = cost;
        job.costs = 6;
        job.taken = &taken;
        assert_ok(library->train_open(&opened, choice.number, whole, 0, &err), err);
        assert_ok(library->train_work(opened, 0, jobs, 1, &err), err);
        library->train_close(opened);
        assert_int_equal(job.accepted, 1);
        loss[wrong] = taken.loss;
    }
    assert_true(loss[0] != loss[1]);
    free(spins);
    spn_whole_free(whole);
    drop_data(&d);
}

/* A first loss from the device that is further from the processor's than the energy says it may be:
   all chains of these data fail, this one and the next. */
static void wrong_losses_are_noticed(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_device_choice choice = device(0);
    data d = make_data(&shapes[0]);
    spn_energy *first, *next;
    assert_ok(spn_softmax_on(&first, d.images, d.scaling, &d.options, &choice, &err), err);
    assert_ok(spn_softmax_on(&next, d.images, d.scaling, &d.options, &choice, &err), err);
    int8_t *spins = spn_alloc(spn_energy_sites(first), 1);
    memset(spins, 1, spn_energy_sites(first));
    first->accuracy = 0;
    assert_true(isnan(spn_energy_value(first, spins)));
    assert_true(isnan(spn_energy_value(next, spins)));
    assert_non_null(strstr(next->slots->failure(next), "the device computes wrong losses"));
    free(spins);
    spn_energy_free(first);
    spn_energy_free(next);
    drop_data(&d);
}

/* Each reading of it is 20 ms later. */
static double slow_clock(void)
{
    static double now;
    return now += 0.02;
}

/* Launches take their time, whatever is in them: so chains do not send fewer steps for it. */
static void slow_launches_stay_long(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_stop stop;
    spn_sampler *chain;
    spn_energy *there;
    const spn_device_choice choice = device(0);
    data d = make_data(&shapes[1]);
    spn_chain_options o = spn_test_variant(0);
    o.steps = 5000;
    assert_ok(spn_softmax_on(&there, d.images, d.scaling, &d.options, &choice, &err), err);
    assert_ok(spn_chain_create(&chain, there, &o, &err), err);
    chain->clock = slow_clock;
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    assert_true(chain->limit >= 1024);
    spn_sampler_free(chain);
    spn_energy_free(there);
    drop_data(&d);
}

static void data_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    data d = make_data(&shapes[0]);
    spn_energy *energy;
    double weights[10];
    for (size_t k = 0; k < 10; k++)
        weights[k] = 1;
    d.options.class_weights = weights;
    assert_int_equal(spn_softmax_on_device(&energy, d.images, d.scaling, &d.options, "cpu", &err),
                     SPN_ERROR_ARGUMENT);
    d.options.class_weights = NULL;
    d.options.logit_scale = 2;
    assert_int_equal(spn_softmax_on_device(&energy, d.images, d.scaling, &d.options, "cpu", &err),
                     SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "more than 8"));
    d.options.logit_scale = 1;
    ((double *)(uintptr_t)d.scaling->scale)[3] *= 2;
    assert_int_equal(spn_softmax_on_device(&energy, d.images, d.scaling, &d.options, "cpu", &err),
                     SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "different scales"));
    drop_data(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_losses_are_the_exact_ones),
        cmocka_unit_test(data_that_do_not_fit_are_refused),
        cmocka_unit_test(devices_make_the_bits_of_the_processor),
        cmocka_unit_test(a_long_training),
        cmocka_unit_test(slow_launches_stay_long),
        cmocka_unit_test(a_checkpoint_goes_elsewhere),
        cmocka_unit_test(a_wrong_bit_is_noticed),
        cmocka_unit_test(wrong_losses_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
