/* The penalty: its value by definition, its changes and its cache against recomputed values, spins
   that are not penalised, and what is refused. */
#include "energy/create.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/random.h>
#include <stdlib.h>

enum { CLASSES = 3, FEATURES = 4, COPIES = 5, BIAS = 2, ROW = FEATURES * COPIES + BIAS };
enum { SITES = CLASSES * ROW };
static const double strength = 0.37;

static double weighted_sum(const int8_t *spins, size_t sites, void *context)
{
    double sum = 0;
    (void)context;
    for (size_t i = 0; i < sites; i++)
        sum += spins[i] * sin((double)i);
    return sum;
}

static double by_definition(const int8_t *spins)
{
    double squares = 0;
    for (size_t k = 0; k < CLASSES; k++)
        for (size_t f = 0; f < FEATURES; f++) {
            double v = 0;
            for (size_t c = 0; c < COPIES; c++)
                v += spins[k * ROW + f * COPIES + c];
            squares += v * v;
        }
    return weighted_sum(spins, SITES, NULL) + strength * squares;
}

static spn_energy *penalised(void)
{
    spn_energy *base, *energy;
    spn_error err;
    assert_int_equal(spn_callback_create(&base, SITES, weighted_sum, NULL, NULL, &err), SPN_OK);
    assert_int_equal(spn_penalty_create(&energy, base, ROW, FEATURES, COPIES, strength, &err),
                     SPN_OK);
    return energy;
}

static void walks_without_drift(void **state)
{
    (void)state;
    spn_energy *energy = penalised();
    int8_t spins[SITES];
    for (size_t i = 0; i < SITES; i++)
        spins[i] = i * i % 3 ? 1 : -1;
    void *cache = aligned_alloc(64, (spn_energy_cache_size(energy) + 63) / 64 * 64);
    assert_non_null(cache);
    assert_true(fabs(spn_energy_attach(energy, cache, spins) - by_definition(spins)) < 1e-12);
    for (size_t step = 0; step < 5000; step++) {
        const size_t site = step * 7919 % SITES;
        const double before = by_definition(spins);
        const double delta = spn_energy_delta(energy, cache, spins, site);
        spins[site] = (int8_t)-spins[site];
        assert_true(fabs(before + delta - by_definition(spins)) < 1e-11);
        const double after = spn_energy_commit(energy, cache, spins, site);
        assert_true(fabs(after - by_definition(spins)) < 1e-11);
        assert_true(after == spn_energy_value(energy, spins));
    }
    assert_true(spn_energy_resolve(energy).refresh(energy, cache, spins) ==
                spn_energy_value(energy, spins));
    free(cache);
    spn_energy_free(energy);
}

static void refuses_groups_that_do_not_fit(void **state)
{
    (void)state;
    const size_t bad[][3] = {
        {ROW, FEATURES + 1, COPIES}, {ROW + 1, FEATURES, COPIES}, {ROW, FEATURES, 0}};
    spn_energy *base, *energy;
    spn_error err;
    assert_int_equal(spn_callback_create(&base, SITES, weighted_sum, NULL, NULL, &err), SPN_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(
            spn_penalty_create(&energy, base, bad[i][0], bad[i][1], bad[i][2], strength, &err),
            SPN_ERROR_ARGUMENT);
        assert_null(energy);
    }
    assert_int_equal(spn_penalty_create(&energy, base, ROW, FEATURES, COPIES, -1, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_penalty_create(&energy, base, ROW, FEATURES, COPIES, NAN, &err),
                     SPN_ERROR_ARGUMENT);
    spn_energy_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_without_drift),
                                       cmocka_unit_test(refuses_groups_that_do_not_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
