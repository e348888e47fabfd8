/* Energies that are functions of the caller's, one state or many at a time. */
#include "support/test.h"

#include <spinney/energies.h>
#include <spinney/random.h>
#include <spinney/reads.h>
#include <stdlib.h>
#include <string.h>

static double ring_value(const int8_t *spins, size_t sites, void *context)
{
    double total = 0;
    for (size_t i = 0; i < sites; i++)
        total += *(const double *)context * spins[i] * spins[(i + 1) % sites];
    return total;
}

static double ring_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    int around = spins[(site + 1) % sites] + spins[(site + sites - 1) % sites];
    return -2 * *(const double *)context * spins[site] * around;
}

static void callbacks_conform(void **state)
{
    (void)state;
    double coupling = 0.1;
    for (int fast = 0; fast < 2; fast++) {
        spn_error err = {0};
        spn_energy *energy;
        assert_ok(spn_callback_create(&energy, 50, ring_value, fast ? ring_change : NULL, &coupling,
                                      &err),
                  err);
        void *cache = aligned_alloc(64, 128);
        int8_t spins[50];
        spn_random r = spn_random_make(2, 0, 0, SPN_PURPOSE_USER);
        spn_random_spins(&r, spins, 50);
        double value = spn_energy_attach(energy, cache, spins);
        for (size_t k = 0; k < (fast ? 1000000 : 20000); k++) {
            size_t site = spn_random_below(&r, 50);
            double delta = spn_energy_delta(energy, cache, spins, site);
            spins[site] = (int8_t)-spins[site];
            double after = spn_energy_commit(energy, cache, spins, site);
            assert_near(value + delta, after, 1e-12);
            if (k % 1000 == 0) /* the sum of 4096 roundings at most */
                assert_near(after, ring_value(spins, 50, &coupling), 4096 * 1e-15);
            value = after;
        }
        free(cache);
        spn_energy_free(energy);
    }
    spn_error err = {0};
    spn_energy *energy;
    assert_int_equal(spn_callback_create(&energy, 0, ring_value, NULL, NULL, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_callback_create(&energy, 3, NULL, NULL, NULL, &err), SPN_ERROR_ARGUMENT);
}

typedef struct batch_calls {
    double coupling;
    size_t calls, states, largest;
} batch_calls;

static void ring_values(double *out, const int8_t *states, size_t count, size_t sites,
                        void *context)
{
    batch_calls *calls = context;
    calls->calls++;
    calls->states += count;
    calls->largest = count > calls->largest ? count : calls->largest;
    for (size_t k = 0; k < count; k++)
        out[k] = ring_value(states + k * sites, sites, &calls->coupling);
}

/* Bit for bit the plain callback, whatever is asked for together. */
static void batches_are_the_plain_callback(void **state)
{
    (void)state;
    enum { SITES = 50 };
    batch_calls calls = {.coupling = 0.1};
    spn_error err = {0};
    spn_energy *plain, *batch;
    assert_ok(spn_callback_create(&plain, SITES, ring_value, NULL, &calls.coupling, &err), err);
    assert_ok(spn_batch_callback_create(&batch, SITES, ring_values, &calls, &err), err);
    void *caches[2] = {aligned_alloc(64, 1024), aligned_alloc(64, 1024)};
    assert_true(spn_energy_cache_size(batch) <= 1024 && spn_energy_cache_size(plain) <= 1024);
    int8_t spins[SITES];
    spn_random r = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, SITES);
    assert_true(spn_energy_attach(plain, caches[0], spins) ==
                spn_energy_attach(batch, caches[1], spins));
    for (size_t k = 0; k < 5000; k++) {
        const size_t site = spn_random_below(&r, SITES);
        const double delta = spn_energy_delta(batch, caches[1], spins, site);
        assert_true(spn_energy_delta(plain, caches[0], spins, site) == delta);
        if (k % (1 + k / 100) != 0) /* ever longer stays */
            continue;
        spins[site] = (int8_t)-spins[site];
        assert_true(spn_energy_commit(plain, caches[0], spins, site) ==
                    spn_energy_commit(batch, caches[1], spins, site));
    }
    assert_int_equal(calls.largest, SITES);
    /* a state at which the chain stays: all flips, in few calls and each at most twice and a bit */
    spn_energy_attach(batch, caches[1], spins);
    calls.calls = calls.states = 0;
    for (size_t k = 0; k < 20; k++)
        for (size_t site = 0; site < SITES; site++)
            spn_energy_delta(batch, caches[1], spins, site * 7 % SITES);
    assert_in_range(calls.calls, 6, 8);
    assert_in_range(calls.states, SITES, 3 * SITES);
    for (size_t k = 0; k < 2; k++)
        free(caches[k]);
    spn_energy_free(plain);
    spn_energy_free(batch);
    assert_int_equal(spn_batch_callback_create(&batch, 0, ring_values, NULL, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_batch_callback_create(&batch, 3, NULL, NULL, &err), SPN_ERROR_ARGUMENT);
}

/* A change that is not the difference of the values. */
static double wrong_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    return ring_change(spins, sites, site, context) - 0.01;
}

/* How a run of a sampler ends. */
static spn_status run_on(spn_sampler *sampler, spn_error *err)
{
    const spn_until until = spn_until_defaults();
    spn_stop stop;
    return spn_sampler_run(&stop, sampler, &until, err);
}

/* A run whose changes do not add up to its energies ends in an error, soon. */
static void wrong_changes_end_in_an_error(void **state)
{
    (void)state;
    double coupling = 0.1;
    for (int wrong = 0; wrong < 2; wrong++)
        for (int is_long = 0; is_long < 2; is_long++) {
            spn_error err = {0};
            spn_energy *energy;
            spn_sampler *chain, *reads;
            spn_chain_options o = spn_chain_defaults();
            spn_reads_options several = spn_reads_defaults();
            assert_ok(spn_callback_create(&energy, 20, ring_value,
                                          wrong ? wrong_change : ring_change, &coupling, &err),
                      err);
            o.steps = is_long ? 1000000 : 500;
            assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
            several.reads = 3;
            several.chain = &o;
            o.steps = 500;
            assert_ok(spn_reads_create(&reads, energy, &several, &err), err);
            assert_int_equal(run_on(reads, &err), wrong ? SPN_ERROR_ENERGY : SPN_OK);
            assert_int_equal(run_on(chain, &err), wrong ? SPN_ERROR_ENERGY : SPN_OK);
            if (wrong) {
                spn_progress now;
                assert_non_null(strstr(err.text, "does not agree with itself"));
                spn_sampler_look(&now, chain);
                assert_true(now.step < 500);
            }
            spn_sampler_free(reads);
            spn_sampler_free(chain);
            spn_energy_free(energy);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callbacks_conform),
        cmocka_unit_test(wrong_changes_end_in_an_error),
        cmocka_unit_test(batches_are_the_plain_callback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
