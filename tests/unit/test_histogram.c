/* Histograms: widths, limits, grids of values, and what is in the bins. */
#include "report/figure/figure.h"
#include "support/test.h"

#include <math.h>
#include <spinney/lab/plot.h>
#include <spinney/random.h>
#include <string.h>

static spn_bins choose(const spn_curve *samples, size_t count)
{
    spn_error err = {0};
    spn_bins bins;
    assert_ok(spn_bins_choose(&bins, samples, count, &err), err);
    return bins;
}

/* Freedman and Diaconis: of 0, 1/1000, ... the quartiles are 1/2 apart. */
static void test_width(void **state)
{
    (void)state;
    double values[1001];
    for (size_t k = 0; k <= 1000; k++)
        values[k] = pow((double)k / 1000, 1.5); /* no grid */
    const double q1 = pow(0.25, 1.5), q3 = pow(0.75, 1.5);
    const double wanted = 2 * (q3 - q1) / cbrt(1001);
    spn_bins bins = choose(&(spn_curve){.y = values, .count = 1001}, 1);
    assert_int_equal(bins.count, (size_t)ceil(1 / wanted));
    assert_near(bins.width * (double)bins.count, 1, 1e-12);
    size_t counts[SPN_MOST_BINS];
    assert_int_equal(spn_bins_fill(counts, &bins, &(spn_curve){.y = values, .count = 1001}), 1001);
    size_t all = 0;
    for (size_t k = 0; k < bins.count; k++)
        all += counts[k];
    assert_int_equal(all, 1001); /* also the value at the upper end */
    /* a narrow sample beside a wide one has the width, but there are not too many bins */
    double narrow[100];
    for (size_t k = 0; k < 100; k++)
        narrow[k] = 1e-3 * pow((double)k, 0.7);
    const spn_curve both[] = {{.y = values, .count = 1001}, {.y = narrow, .count = 100}};
    assert_true(choose(both, 2).width < bins.width);
    for (size_t k = 0; k < 100; k++)
        narrow[k] *= 1e-9;
    assert_int_equal(choose(both, 2).count <= SPN_MOST_BINS, 1);
}

/* Whole numbers stand in the middle of their bins, and no bin has more of them than another. */
static void test_grids(void **state)
{
    (void)state;
    double values[2000];
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 2000; k++)
        values[k] = spn_random_below(&random, 11);
    spn_bins bins = choose(&(spn_curve){.y = values, .count = 2000}, 1);
    assert_true(bins.start == -0.5 && bins.width == 1 && bins.count == 11);
    for (size_t k = 0; k < 2000; k++)
        values[k] = 4 + 2 * spn_random_below(&random, 500);
    bins = choose(&(spn_curve){.y = values, .count = 2000}, 1); /* even ones: steps of 2 */
    assert_true(fmod(bins.width, 2) == 0 && fmod(bins.start + 1, 2) == 0);
    for (size_t k = 0; k < 2000; k++) /* overlaps of 201 spins */
        values[k] = 1 - 2.0 * (60 + spn_random_below(&random, 40)) / 201;
    bins = choose(&(spn_curve){.y = values, .count = 2000}, 1);
    const double steps = bins.width / (2.0 / 201);
    assert_near(steps, round(steps), 1e-6);
    assert_true(bins.count <= SPN_MOST_BINS && bins.count >= 5);
    double few[] = {3, 7, 12}; /* gaps by chance */
    bins = choose(&(spn_curve){.y = few, .count = 3}, 1);
    assert_true(bins.start == 2.5 && fmod(bins.width, 1) == 0);
}

static void test_odd_samples(void **state)
{
    (void)state;
    double same[] = {0.3, 0.3, NAN, INFINITY, 0.3};
    spn_bins bins = choose(&(spn_curve){.y = same, .count = 5}, 1);
    size_t counts[SPN_MOST_BINS];
    assert_int_equal(bins.count, 1);
    assert_true(bins.width > 0 && bins.start < 0.3 && 0.3 < bins.start + bins.width);
    assert_int_equal(spn_bins_fill(counts, &bins, &(spn_curve){.y = same, .count = 5}), 3);
    assert_int_equal(counts[0], 3);
    assert_int_equal(choose(&(spn_curve){.y = same + 2, .count = 2}, 1).count, 0);
    assert_int_equal(choose(NULL, 0).count, 0);
    /* most are the same, so that the quartiles are */
    double mostly[100] = {0};
    mostly[7] = 0.77;
    mostly[8] = 0.123;
    bins = choose(&(spn_curve){.y = mostly, .count = 100}, 1);
    assert_true(bins.count > 1 && bins.count <= SPN_MOST_BINS);
    double x[2 * SPN_MOST_BINS + 2], y[2 * SPN_MOST_BINS + 2], area = 0;
    spn_error err = {0};
    assert_ok(spn_bins_outline(x, y, &bins, &(spn_curve){.y = mostly, .count = 100}, &err), err);
    for (size_t k = 0; k + 1 < 2 * bins.count + 2; k++)
        area += (x[k + 1] - x[k]) * y[k];
    assert_near(area, bins.width, 1e-12);
    double also_x[2 * SPN_MOST_BINS + 2], also_y[2 * SPN_MOST_BINS + 2];
    size_t points;
    assert_ok(spn_histogram_outline(also_x, also_y, &points, mostly, 100, &err), err);
    assert_int_equal(points, 2 * bins.count + 2);
    assert_memory_equal(x, also_x, points * sizeof *x);
    assert_memory_equal(y, also_y, points * sizeof *y);
    assert_ok(spn_histogram_outline(also_x, also_y, &points, same + 2, 2, &err), err);
    assert_int_equal(points, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_width), cmocka_unit_test(test_grids),
                                       cmocka_unit_test(test_odd_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
