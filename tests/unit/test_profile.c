/* Local energy profiles against enumeration, and against the energy from scratch. */
#include "support/images.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/preprocess.h>
#include <spinney/profile.h>
#include <spinney/random.h>
#include <spinney/softmax.h>
#include <spinney/statistics.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 7, STATES = 1 << SITES };
static const size_t every_distance[] = {0, 1, 2, 3, 4, 5, 6, 7};

/* A listed energy without any order. */
static spn_energy *make_table(double energies[STATES])
{
    spn_error err = {0};
    spn_energy *energy;
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < STATES; k++)
        energies[k] = spn_random_below(&random, 1000);
    const spn_problem problem = {
        .kind = SPN_PROBLEM_TABLE, .sites = SITES, .count = STATES, .energies = energies};
    assert_ok(spn_energy_create(&energy, "table", &problem, &err), err);
    return energy;
}

/* The exact mean and deviation of the energy at each distance of a state. */
static void enumerate(double *mean, double *deviation, const double *energies, size_t state)
{
    double count[SITES + 1] = {0}, squares[SITES + 1] = {0};
    memset(mean, 0, (SITES + 1) * sizeof *mean);
    for (size_t k = 0; k < STATES; k++) {
        const int distance = __builtin_popcountll(k ^ state);
        count[distance]++;
        mean[distance] += energies[k];
        squares[distance] += energies[k] * energies[k];
    }
    for (size_t d = 0; d <= SITES; d++) {
        mean[d] /= count[d];
        deviation[d] = sqrt(fmax(squares[d] / count[d] - mean[d] * mean[d], 0));
    }
}

static void test_enumeration(void **state)
{
    (void)state;
    enum { WALKS = 20000, STATE = 77 };
    spn_error err = {0};
    double energies[STATES], exact[SITES + 1], deviation[SITES + 1];
    double mean[SITES + 1], half[SITES + 1];
    int8_t spins[SITES];
    spn_energy *energy = make_table(energies);
    enumerate(exact, deviation, energies, STATE);
    for (size_t i = 0; i < SITES; i++)
        spins[i] = STATE >> i & 1 ? 1 : -1;
    const spn_profile_options options = {.size = sizeof options,
                                         .walks = WALKS,
                                         .seed = 11,
                                         .count = SITES + 1,
                                         .distances = every_distance};
    assert_ok(spn_profile_measure(mean, half, energy, spins, &options, &err), err);
    for (size_t d = 0; d <= SITES; d++) {
        if (d == 0 || d == SITES) {
            assert_true(mean[d] == exact[d] && half[d] == 0); /* there is one way to go */
            continue;
        }
        const double error = deviation[d] / sqrt(WALKS);
        assert_true(spn_normal_tail((mean[d] - exact[d]) / error) > SPN_FALSE_ALARM);
        assert_near(half[d] / (1.96 * error), 1, 0.05);
    }
    spn_energy_free(energy);
}

/* Every site is the first to be flipped equally often. */
static void test_first_flips(void **state)
{
    (void)state;
    enum { WALKS = 7000 };
    spn_error err = {0};
    uint64_t counts[SITES] = {0};
    double energies[STATES] = {0}, expected[SITES], value;
    const size_t one = 1;
    for (size_t i = 0; i < SITES; i++) {
        energies[(size_t)1 << i] = (double)i + 1;
        expected[i] = 1.0 / SITES;
    }
    const spn_problem problem = {
        .kind = SPN_PROBLEM_TABLE, .sites = SITES, .count = STATES, .energies = energies};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "table", &problem, &err), err);
    const int8_t spins[SITES] = {-1, -1, -1, -1, -1, -1, -1};
    for (uint64_t seed = 0; seed < WALKS; seed++) {
        const spn_profile_options options = {
            .size = sizeof options, .walks = 1, .seed = seed, .count = 1, .distances = &one};
        assert_ok(spn_profile_measure(&value, NULL, energy, spins, &options, &err), err);
        counts[(size_t)value - 1]++;
    }
    assert_true(spn_pearson_test(counts, expected, SITES) > SPN_FALSE_ALARM);
    spn_energy_free(energy);
}

static double from_scratch(const int8_t *spins, size_t sites, void *context)
{
    (void)sites;
    return spn_energy_value(context, spins);
}

/* The same walks with caches and without them. */
static void compare_with_scratch(spn_energy *energy, double tolerance)
{
    spn_error err = {0};
    const size_t distances[] = {0, 3, spn_energy_sites(energy) / 2, spn_energy_sites(energy)};
    double fast[4], slow[4], half[4];
    spn_energy *plain;
    int8_t *spins = malloc(spn_energy_sites(energy));
    assert_non_null(spins);
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&random, spins, spn_energy_sites(energy));
    assert_ok(
        spn_callback_create(&plain, spn_energy_sites(energy), from_scratch, NULL, energy, &err),
        err);
    const spn_profile_options options = {
        .size = sizeof options, .walks = 2, .seed = 4, .count = 4, .distances = distances};
    assert_ok(spn_profile_measure(fast, half, energy, spins, &options, &err), err);
    assert_ok(spn_profile_measure(slow, NULL, plain, spins, &options, &err), err);
    for (size_t k = 0; k < 4; k++)
        assert_near(fast[k], slow[k], tolerance);
    assert_near(fast[0], spn_energy_value(energy, spins), tolerance);
    spn_energy_free(plain);
    free(spins);
}

static void test_from_scratch(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *patterns;
    assert_ok(spn_problem_random_patterns(&patterns, 101, 40, 9, false, &err), err);
    assert_ok(spn_energy_create(&energy, "bits", patterns, &err), err);
    compare_with_scratch(energy, 0);
    spn_energy_free(energy);
    spn_problem_free(patterns);
    spn_dataset *images = spn_test_images(200, 30, 4, 2);
    spn_preprocess how = spn_preprocess_suiting(NULL, NULL);
    spn_scaling *scaling;
    assert_ok(spn_preprocess_fit(&scaling, &how, images, &err), err);
    assert_ok(spn_softmax_create(&energy, images, scaling, 0.5, &err), err);
    compare_with_scratch(energy, 1e-5);
    spn_energy_free(energy);
    spn_scaling_free(scaling);
    spn_dataset_free(images);
}

static double nan_energy(const int8_t *spins, size_t sites, void *context)
{
    (void)context;
    double sum = 0;
    for (size_t i = 0; i < sites; i++)
        sum += spins[i];
    return sum < (double)sites ? NAN : 0;
}

static void test_errors(void **state)
{
    (void)state;
    spn_error err = {0};
    const int8_t spins[3] = {1, 1, 1};
    const size_t falling[] = {1, 1}, far[] = {4}, near[] = {0, 1};
    double mean[2], half[2];
    spn_energy *energy;
    assert_ok(spn_callback_create(&energy, 3, nan_energy, NULL, NULL, &err), err);
    spn_profile_options options = {
        .size = sizeof options, .walks = 1, .count = 2, .distances = falling};
    assert_int_equal(spn_profile_measure(mean, half, energy, spins, &options, &err),
                     SPN_ERROR_ARGUMENT);
    options = (spn_profile_options){
        .size = sizeof(spn_profile_options), .walks = 1, .count = 1, .distances = far};
    assert_int_equal(spn_profile_measure(mean, half, energy, spins, &options, &err),
                     SPN_ERROR_ARGUMENT);
    options = (spn_profile_options){
        .size = sizeof(spn_profile_options), .walks = 0, .count = 2, .distances = near};
    assert_int_equal(spn_profile_measure(mean, half, energy, spins, &options, &err),
                     SPN_ERROR_ARGUMENT);
    options.walks = 1;
    assert_int_equal(spn_profile_measure(mean, half, energy, spins, &options, &err),
                     SPN_ERROR_ENERGY);
    options.count = 1;
    assert_ok(spn_profile_measure(mean, half, energy, spins, &options, &err), err);
    assert_true(mean[0] == 0 && isnan(half[0])); /* one walk has no interval */
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumeration),
        cmocka_unit_test(test_first_flips),
        cmocka_unit_test(test_from_scratch),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
