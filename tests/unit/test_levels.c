/* Chains that move between levels: their law against the enumerated one, for every kernel, with and
   without coupling; the same bits at any number of threads and after a save. */
#include "support/chains.h"
#include "support/test.h"

#include "chain/chain.h"
#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

/* Two classes of two correlated features in three copies, and a bias of two spins. */
enum { SAMPLES = 64, FEATURES = 2, COPIES = 3, BIAS = 2, CLASSES = 2, ROW = 8, SITES = 16 };

static spn_training *make_training(double scale)
{
    static double values[SAMPLES * FEATURES];
    static uint32_t labels[SAMPLES];
    spn_random random = spn_random_make(4, 0, 0, SPN_PURPOSE_USER);
    for (size_t n = 0; n < SAMPLES; n++) {
        values[2 * n] = spn_random_uniform(&random);
        values[2 * n + 1] = values[2 * n] + 0.4 * spn_random_uniform(&random);
        labels[n] = spn_random_uniform(&random) < values[2 * n];
    }
    spn_error err = {0};
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    arrays.samples = SAMPLES;
    arrays.features = FEATURES;
    arrays.classes = CLASSES;
    arrays.values = values;
    arrays.labels = labels;
    spn_dataset *data;
    assert_ok(spn_dataset_create(&data, &arrays, &err), err);
    spn_train_data sets = spn_train_data_defaults();
    spn_train_options o = spn_train_defaults();
    spn_training *training;
    const spn_preprocess how = {.kind = SPN_PREPROCESS_FEATURE, .scale = 1};
    o.preprocess = &how;
    o.copies = COPIES;
    o.bias = BIAS;
    o.logit_scale = scale;
    o.penalty = 1;
    o.rounded = 1;
    sets.train = data;
    assert_ok(spn_training_create(&training, &o, &sets, &err), err);
    assert_int_equal(spn_energy_sites(spn_training_energy(training)), SITES);
    spn_dataset_free(data); /* encoded data are copies */
    return training;
}

static spn_chain_options levels(size_t replicas)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = replicas;
    o.moves = SPN_MOVES_LEVELS;
    o.start = SPN_START_INDEPENDENT;
    return o;
}

/* ---- the law ---- */

/* The cell of a state: the level of the first feature of class 0, of the second, that of the first
   of class 1, and single spins that levels do not tell apart. */
enum { CELLS = 4 * 4 * 4 * 4 };

static int ups(const int8_t *spins, size_t first)
{
    return (spins[first] + spins[first + 1] + spins[first + 2] + 3) / 2;
}

static size_t cell_of(const int8_t *s)
{
    const size_t singles = (size_t)((s[1] > 0) + 2 * (s[FEATURES * COPIES] > 0));
    return ((size_t)(ups(s, 0) * 4 + ups(s, COPIES)) * 4 + (size_t)ups(s, ROW)) * 4 + singles;
}

static void state_of(size_t index, int8_t *spins)
{
    for (size_t i = 0; i < SITES; i++)
        spins[i] = index >> i & 1 ? 1 : -1;
}

/* The law of one replica in a field gamma c, c all +1: exp(-beta E + gamma sum s). */
static void enumerate(double *law, const spn_energy *energy, double beta, double field)
{
    double total = 0;
    int8_t spins[SITES];
    memset(law, 0, CELLS * sizeof *law);
    for (size_t k = 0; k < 1 << SITES; k++) {
        int sum = 0;
        state_of(k, spins);
        for (size_t i = 0; i < SITES; i++)
            sum += spins[i];
        const double weight = exp(-beta * spn_energy_value(energy, spins) + field * sum);
        law[cell_of(spins)] += weight;
        total += weight;
    }
    for (size_t c = 0; c < CELLS; c++)
        law[c] /= total;
}

/* Chi-squared of independent counts against the law; cells below 10 are put together. */
static void assert_law(const uint64_t *counts, const double *law, double samples)
{
    double chi = 0, rest = 0, rest_expected = 0, cells = 0;
    for (size_t c = 0; c < CELLS; c++) {
        const double expected = law[c] * samples, off = (double)counts[c] - expected;
        if (expected < 10) {
            rest += (double)counts[c];
            rest_expected += expected;
            continue;
        }
        chi += off * off / expected;
        cells++;
    }
    if (rest_expected >= 10)
        chi += (rest - rest_expected) * (rest - rest_expected) / rest_expected;
    /* Wilson and Hilferty's bound for 1e-6 */
    const double t = 1 - 2 / (9 * cells) + 4.7534 * sqrt(2 / (9 * cells));
    print_message("chi-squared %.1f, at most %.1f\n", chi, cells * t * t * t);
    assert_true(chi < cells * t * t * t);
    assert_true(cells > (samples < 20000 ? 20 : 40)); /* fewer under the sanitizers fill fewer */
}

static void check_law(spn_kernel kernel, spn_order order, double field)
{
    spn_training *training = make_training(0.5);
    const spn_energy *energy = spn_training_energy(training);
    const double beta = 15;
    static double law[CELLS];
    uint64_t counts[CELLS] = {0};
    int8_t centre[SITES];
    spn_schedule hot = {.kind = SPN_SCHEDULE_CONSTANT, .start = beta, .end = beta};
    spn_schedule pull = {.kind = SPN_SCHEDULE_CONSTANT, .start = field, .end = field};
    spn_chain_options o = levels(1);
    memset(centre, 1, sizeof centre);
    o.kernel = kernel;
    o.order = order;
    o.beta = &hot;
    o.gamma = &pull;
    o.steps = INT64_MAX;
    o.coupling = field > 0 ? SPN_COUPLING_GIVEN : SPN_COUPLING_REPLICAS;
    o.centre = centre;
    enumerate(law, energy, beta, field);
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    assert_non_null(((const spn_chain *)chain)->levels);
    const uint64_t apart = 150, samples = spn_test_samples(20000);
    for (uint64_t k = 0; k < samples; k++) {
        spn_until until = spn_until_defaults();
        spn_stop stop;
        spn_error err = {0};
        until.steps = apart;
        assert_ok(spn_sampler_run(&stop, chain, &until, &err), err);
        counts[cell_of(spn_test_chain_look(chain).spins)]++;
    }
    assert_law(counts, law, (double)samples);
    spn_sampler_free(chain);
    spn_training_free(training);
}

static void test_law(void **state)
{
    (void)state;
    check_law(SPN_KERNEL_TWO_STAGE, SPN_ORDER_REPLICA_ROUND, 0);
    check_law(SPN_KERNEL_ONE_STAGE, SPN_ORDER_SEQUENTIAL, 0);
    check_law(SPN_KERNEL_HEAT_BATH, SPN_ORDER_RANDOM, 0);
    check_law(SPN_KERNEL_TWO_STAGE, SPN_ORDER_RANDOM, 0.2);
    check_law(SPN_KERNEL_HEAT_BATH, SPN_ORDER_REPLICA_ROUND, 0.2);
}

/* ---- a run ---- */

static void test_same_bits(void **state)
{
    (void)state;
    spn_training *training = make_training(0.5);
    const spn_energy *energy = spn_training_energy(training);
    spn_schedule gamma = {.kind = SPN_SCHEDULE_LINEAR, .start = 0, .end = 0.5};
    spn_schedule beta = {.kind = SPN_SCHEDULE_EXPONENTIAL, .start = 1, .end = 1000};
    spn_chain_options o = levels(3);
    o.steps = 9000;
    o.beta = &beta;
    o.gamma = &gamma;
    spn_sampler *whole = spn_test_chain_start(energy, &o);
    o.threads = 2;
    spn_sampler *half = spn_test_chain_start(energy, &o), *rest = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(whole), SPN_STOP_STEPS);
    spn_until until = spn_until_defaults();
    until.steps = 1234;
    spn_test_run_until(half, &until);
    spn_error err = {0};
    size_t size;
    void *bytes;
    assert_ok(spn_sampler_save(&bytes, &size, half, &err), err);
    assert_ok(spn_sampler_load(rest, bytes, size, &err), err);
    free(bytes);
    spn_test_chain_run(half);
    spn_test_chain_run(rest);
    spn_test_assert_same_state(whole, half);
    spn_test_assert_same_state(whole, rest);
    spn_sampler_free(rest);
    spn_sampler_free(half);
    spn_sampler_free(whole);
    spn_training_free(training);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law),
                                       cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
