/* Errors by the jackknife: of blocks that are correlated in time, and of skewed means. */
#include "chain/jackknife.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>

enum { BLOCKS = SPN_JACKKNIFE_BLOCKS, RUNS = 4000 };

/* 0.95 less 4.9 standard deviations of RUNS runs: a false alarm in 10^6. */
static const double LEAST = 0.95 - 4.9 * 0.00345;

/* The mean of the values of the blocks, and of all but each. */
static spn_jackknife mean_of(const double *values, size_t blocks, bool in_time)
{
    spn_jackknife out = {.blocks = blocks, .in_time = in_time};
    double sum = 0;
    for (size_t b = 0; b < blocks; b++)
        sum += values[b];
    out.all = sum / (double)blocks;
    for (size_t b = 0; b < blocks; b++)
        out.without[b] = (sum - values[b]) / (double)(blocks - 1);
    return out;
}

static double gaussian(spn_random *random)
{
    const double r = sqrt(-2 * log(spn_random_uniform(random)));
    return r * cos(2 * 3.14159265358979 * spn_random_uniform(random));
}

/* A stationary series with mean 0 and correlation rho of neighbours. */
static void draw_series(double *out, uint32_t run, double rho)
{
    spn_random random = spn_random_make(5, run, 0, SPN_PURPOSE_USER);
    out[0] = gaussian(&random);
    for (size_t b = 1; b < BLOCKS; b++)
        out[b] = rho * out[b - 1] + sqrt(1 - rho * rho) * gaussian(&random);
}

/* The share of the intervals that hold 0. */
static double coverage(double rho, bool in_time)
{
    double held = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        double values[BLOCKS], value, error, low, high;
        draw_series(values, run, rho);
        const spn_jackknife e = mean_of(values, BLOCKS, in_time);
        spn_jackknife_give(&e, &value, &error, &low, &high);
        held += low <= 0 && 0 <= high;
    }
    return held / RUNS;
}

/* A fifth of a block remembers the one before; errors of independent blocks are too small then. */
static void correlated_blocks_are_covered(void **state)
{
    (void)state;
    assert_true(coverage(0, true) > LEAST && coverage(0, true) < 1.9 - LEAST);
    assert_true(coverage(0, false) > LEAST && coverage(0, false) < 1.9 - LEAST);
    assert_true(coverage(0.2, true) > LEAST);
    assert_true(coverage(0.2, false) < LEAST - 0.02);
}

/* With all waves the error is that of independent blocks. */
static void few_blocks_count_alike(void **state)
{
    (void)state;
    double values[BLOCKS];
    draw_series(values, 1, 0.5);
    for (size_t blocks = 2; blocks <= 9; blocks++) {
        const spn_jackknife in_time = mean_of(values, blocks, true),
                            alike = mean_of(values, blocks, false);
        assert_int_equal(spn_jackknife_degrees(&in_time), blocks - 1);
        assert_near(spn_jackknife_error(&in_time), spn_jackknife_error(&alike), 1e-12);
    }
    const spn_jackknife all = mean_of(values, BLOCKS, true), alike = mean_of(values, BLOCKS, false);
    assert_int_equal(spn_jackknife_degrees(&all), 8);
    assert_int_equal(spn_jackknife_degrees(&alike), BLOCKS - 1);
}

/* The mean of events of which a block has seldom one, 1/8 in the mean: (the interval with the
   correction, without it) that hold it. Runs without an event are refused. */
static void rare_events_are_covered(void **state)
{
    (void)state;
    double skewed = 0, plain = 0, given = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        spn_random random = spn_random_make(6, run, 0, SPN_PURPOSE_USER);
        double values[BLOCKS], value, error, low, high;
        for (size_t b = 0; b < BLOCKS; b++)
            values[b] = spn_random_uniform(&random) < 0.125;
        const spn_jackknife e = mean_of(values, BLOCKS, true);
        spn_jackknife_give(&e, &value, &error, &low, &high);
        plain += low <= 0.125 && 0.125 <= high;
        spn_jackknife_give_skewed(&e, &value, &error, &low, &high);
        skewed += low <= 0.125 && 0.125 <= high;
        given += !isnan(low);
    }
    print_message("skewed %g of %g, plain %g\n", skewed, given, plain);
    assert_true(skewed / given > LEAST);
    assert_true(plain / given < LEAST);
}

static void equal_blocks_say_nothing_of_the_error(void **state)
{
    (void)state;
    spn_jackknife e = {.blocks = BLOCKS, .in_time = true, .all = 0.1};
    double value, error, low, high;
    for (size_t b = 0; b < BLOCKS; b++)
        e.without[b] = 0.1;
    spn_jackknife_give_skewed(&e, &value, &error, &low, &high);
    assert_true(value == 0.1 && isnan(error) && isnan(low) && isnan(high));
    spn_jackknife_give(&e, &value, &error, &low, &high);
    assert_true(error == 0 && low == 0.1 && high == 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(correlated_blocks_are_covered),
                                       cmocka_unit_test(few_blocks_count_alike),
                                       cmocka_unit_test(rare_events_are_covered),
                                       cmocka_unit_test(equal_blocks_say_nothing_of_the_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
