/* First hits: survival, times to solution and trends, worked out by hand, and how often the
   intervals of times hold the truth. */
#include "record/record.h"
#include "report/figure/figure.h"
#include "report/figure/hits.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

static spn_hit solved(double cost, size_t unit)
{
    return (spn_hit){.cost = cost, .hit = true, .whole = 10, .unit = unit};
}

static spn_hit unsolved(double cost, size_t unit)
{
    return (spn_hit){.cost = cost, .hit = false, .whole = cost, .unit = unit};
}

/* ---- survival ---- */

/* 1, 2+, 3, 3+, 4, 5 of six: 5/6, then of four 3/4, of two 1/2, of one 0. */
static void test_survival(void **state)
{
    (void)state;
    const spn_hit hits[] = {unsolved(3, 0), solved(5, 1),   solved(1, 2),
                            solved(3, 3),   unsolved(2, 4), solved(4, 5)};
    const double shares[] = {5.0 / 6, 5.0 / 6, 5.0 / 8, 5.0 / 16, 0};
    const size_t at_risk[] = {6, 5, 4, 2, 1};
    spn_survival survival;
    spn_error err = {0};
    assert_ok(spn_survival_make(&survival, hits, 6, &err), err);
    assert_int_equal(survival.count, 5);
    assert_int_equal(survival.hits, 4);
    for (size_t k = 0; k < 5; k++) {
        assert_near(survival.steps[k].cost, (double)k + 1, 0);
        assert_near(survival.steps[k].share, shares[k], 1e-15);
        assert_int_equal(survival.steps[k].at_risk, at_risk[k]);
    }
    /* Greenwood at 3: 1/(6 5) + 1/(4 3) = 7/60 */
    const double width = 1.959963984540054 * sqrt(7.0 / 60) / log(1.6);
    assert_near(survival.steps[2].low, pow(0.625, exp(width)), 1e-12);
    assert_near(survival.steps[2].high, pow(0.625, exp(-width)), 1e-12);
    assert_true(isnan(survival.steps[4].low));
    assert_near(spn_survival_solved_by(&survival, 1.0 / 6), 1, 0);
    assert_near(spn_survival_solved_by(&survival, 0.2), 3, 0);
    assert_near(spn_survival_solved_by(&survival, 1), 5, 0);
    spn_survival_clear(&survival);
    assert_ok(spn_survival_make(&survival, hits, 1, &err), err); /* nothing but a censored run */
    assert_near(survival.steps[0].share, 1, 0);
    assert_near(survival.steps[0].low, 1, 0);
    assert_true(isnan(spn_survival_solved_by(&survival, 0.1)));
    spn_survival_clear(&survival);
}

/* ---- times ---- */

static void test_formula(void **state)
{
    (void)state;
    assert_near(spn_tts(3, 0.5), 3 * 6.643856189774724, 1e-12);
    assert_near(spn_tts(3, 0.99), 3, 1e-12);
    assert_near(spn_tts(3, 0.999), 3, 0); /* one run is enough */
    assert_near(spn_tts(3, 1), 3, 0);
    assert_true(isinf(spn_tts(3, 0)));
}

static spn_tts_estimate find(const spn_hit *hits, size_t count, bool restarts)
{
    spn_tts_estimate out;
    spn_error err = {0};
    assert_ok(spn_tts_find(&out, hits, count, restarts, false, &err), err);
    return out;
}

/* Half of 20 runs of length 10: Wilson's interval of 10 of 20 is [0.2992980, 0.7007020]. */
static void test_one_length(void **state)
{
    (void)state;
    spn_hit hits[20];
    for (size_t k = 0; k < 20; k++)
        hits[k] = k < 10 ? solved(1 + (double)k, k) : unsolved(10, k);
    spn_tts_estimate t = find(hits, 20, false);
    assert_near(t.tts, 66.43856189774724, 1e-12);
    assert_near(t.low, 10 * log(0.01) / log(1 - 0.7007020), 1e-5);
    assert_near(t.high, 10 * log(0.01) / log(1 - 0.2992980), 1e-5);
    assert_near(t.cut, 10, 0);
    /* solved at their ends, which are no whole lengths: those of the others count */
    for (size_t k = 0; k < 10; k++)
        hits[k].whole = NAN;
    assert_near(find(hits, 20, false).tts, 66.43856189774724, 1e-12);
    /* all of them so: the longest */
    t = find(hits, 10, false);
    assert_near(t.tts, 10, 0);
    assert_near(t.low, 10, 0);
    assert_near(t.high, 10 * log(0.01) / log(1 - 0.7224672), 1e-5); /* 10 of 10: from 0.7224672 */
}

/* None of 20: at most 0.1611252 by Wilson, and so at least. */
static void test_bound(void **state)
{
    (void)state;
    spn_hit hits[40];
    for (size_t k = 0; k < 40; k++)
        hits[k] = (spn_hit){.cost = 100, .whole = 100, .unit = k % 20, .length = k / 20};
    for (size_t k = 20; k < 40; k++)
        hits[k].cost = hits[k].whole = 1000;
    for (int restarts = 0; restarts < 2; restarts++) {
        const spn_tts_estimate t = find(hits, 40, restarts);
        assert_true(isinf(t.tts) && isinf(t.high));
        assert_near(t.low, 100 * log(0.01) / log(1 - 0.1611252), 1e-3);
        assert_int_equal(t.length, 0);
    }
}

/* Of two lengths the better one; the runs of a unit are drawn together, so that the interval is the
   same each time. */
static void test_lengths(void **state)
{
    (void)state;
    spn_hit hits[40];
    for (size_t k = 0; k < 40; k++) {
        hits[k] = (spn_hit){.length = k / 20, .unit = k % 20, .whole = k < 20 ? 1 : 2};
        hits[k].hit = k < 20 ? k < 6 : k < 36; /* 6 and 16 of 20 */
        hits[k].cost = hits[k].whole;
    }
    const spn_tts_estimate t = find(hits, 40, false), again = find(hits, 40, false);
    assert_near(t.tts, 2 * log(0.01) / log(0.2), 1e-12);
    assert_int_equal(t.length, 1);
    assert_int_equal(t.hits, 16);
    assert_true(t.low < t.tts && t.tts < t.high);
    assert_near(t.low, again.low, 0);
    assert_near(t.high, again.high, 0);
    spn_tts_estimate one;
    spn_error err = {0};
    assert_ok(spn_tts_of_length(&one, hits, 40, 0, false, &err), err);
    assert_near(one.tts, log(0.01) / log(0.7), 1e-12);
    assert_int_equal(one.runs, 20);
}

/* 20 hits of 40 at 1, 2, ..., 20, all others at 1000: cuts are at 10, 15 and 20 hits, the best at
   20 of 40; or at 15 where the last five come late. */
static void test_restarts(void **state)
{
    (void)state;
    spn_hit hits[40];
    for (size_t k = 0; k < 40; k++)
        hits[k] = k < 20 ? solved((double)k + 1, k) : unsolved(1000, k);
    const spn_tts_estimate t = find(hits, 40, true);
    assert_near(t.tts, 20 * log(0.01) / log(0.5), 1e-9);
    assert_near(t.cut, 20, 0);
    for (size_t k = 15; k < 20; k++)
        hits[k].cost = 500;
    const spn_tts_estimate early = find(hits, 40, true);
    assert_near(early.tts, 15 * log(0.01) / log(0.625), 1e-9);
    assert_near(early.cut, 15, 0);
    assert_int_equal(early.hits, 15);
    assert_near(early.share, 0.375, 1e-15);
    assert_true(early.low <= early.tts && early.tts <= early.high);
}

static void test_median(void **state)
{
    (void)state;
    const spn_tts_estimate of[] = {{.tts = 4, .runs = 2, .hits = 1},
                                   {.tts = INFINITY, .low = 50, .runs = 2},
                                   {.tts = 2, .runs = 2, .hits = 2},
                                   {.tts = INFINITY, .low = 30, .runs = 2}};
    spn_tts_estimate out;
    spn_error err = {0};
    assert_ok(spn_tts_median(&out, of, 3, &err), err);
    assert_near(out.tts, 4, 0);
    assert_near(out.low, 2, 0);
    assert_true(isinf(out.high));
    assert_int_equal(out.runs, 6);
    assert_ok(spn_tts_median(&out, of, 4, &err), err); /* (4 + inf)/2: at least (4 + 30)/2 */
    assert_true(isinf(out.tts));
    assert_near(out.low, 17, 0);
}

/* ---- how often intervals hold the truth ---- */

enum { REPEATS = 200, RUNS = 50 };

/* With 90% of the intervals right, fewer than 158 of 200 would be in one of a million tests. */
enum { LEAST_RIGHT = 158 };

static void fill(spn_hit *out, spn_random *random, double end, double delay, size_t length)
{
    for (size_t k = 0; k < RUNS; k++) {
        const double cost = delay - log(spn_random_uniform(random));
        out[k] = (spn_hit){
            .cost = fmin(cost, end), .hit = cost < end, .whole = end, .unit = k, .length = length};
    }
}

static void test_coverage_of_restarts(void **state)
{
    (void)state;
    /* of exponential hits every cut is as good, log 100; behind a delay of 1/2 it is log 100 times
       t/(t - 1/2), least at the whole length 3 */
    const double delays[] = {0, 0.5}, ends[] = {2, 3}, truths[] = {4.605170, 5.526204};
    spn_random random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER);
    spn_hit hits[RUNS];
    for (size_t law = 0; law < 2; law++) {
        size_t right = 0;
        for (size_t repeat = 0; repeat < REPEATS; repeat++) {
            fill(hits, &random, ends[law], delays[law], 0);
            const spn_tts_estimate t = find(hits, RUNS, true);
            right += t.low <= truths[law] && truths[law] <= t.high;
        }
        assert_true(right >= LEAST_RIGHT);
    }
}

/* Lengths 0.5 and 2 behind a delay of 0.4: shares 0.0952 and 0.7981, times 23.02 and 5.756. */
static void test_coverage_of_lengths(void **state)
{
    (void)state;
    spn_random random = spn_random_make(8, 0, 0, SPN_PURPOSE_USER);
    spn_hit hits[2 * RUNS];
    const double truth = 2 * log(0.01) / -1.6;
    size_t right = 0, chosen = 0;
    for (size_t repeat = 0; repeat < REPEATS; repeat++) {
        fill(hits, &random, 0.5, 0.4, 0);
        fill(hits + RUNS, &random, 2, 0.4, 1);
        const spn_tts_estimate t = find(hits, 2 * RUNS, false);
        right += t.low <= truth && truth <= t.high;
        chosen += t.length == 1;
    }
    assert_true(right >= LEAST_RIGHT);
    assert_true(chosen >= LEAST_RIGHT);
}

/* ---- trends ---- */

static void test_exact_trends(void **state)
{
    (void)state;
    spn_trend_point power[4], exponential[4];
    for (size_t k = 0; k < 4; k++) {
        const double x = (double)k + 1;
        power[k] = (spn_trend_point){x, 3 * x * x, 0.1};
        exponential[k] = (spn_trend_point){x, 2 * exp(0.25 * x), 0.1};
    }
    spn_trend_fit fit = spn_trend_through(power, 4, SPN_TREND_POWER, true);
    assert_near(fit.slope, 2, 1e-12);
    assert_near(fit.factor, 3, 1e-12);
    assert_near(fit.residual, 0, 1e-20);
    fit = spn_trend_through(exponential, 4, SPN_TREND_EXPONENTIAL, true);
    assert_near(fit.slope, 0.25, 1e-12);
    assert_near(fit.factor, 2, 1e-12);
    /* standard error 0.1/sqrt(1.5^2 + 0.5^2 + 0.5^2 + 1.5^2) */
    assert_near(fit.high - fit.slope, 1.959963984540054 * 0.1 / sqrt(5), 1e-12);
    assert_true(spn_trend_through(power, 4, SPN_TREND_EXPONENTIAL, true).residual > 1);
    assert_false(spn_trend_through(power, 1, SPN_TREND_POWER, true).done);
}

/* log y = 0, 1, 3 at 1, 2, 3: slope 3/2, residuals 1/6, -1/3, 1/6. */
static void test_trend_intervals(void **state)
{
    (void)state;
    spn_trend_point points[] = {{1, 1, 0.1}, {2, exp(1), 0.1}, {3, exp(3), 0.1}};
    spn_trend_fit fit = spn_trend_through(points, 3, SPN_TREND_EXPONENTIAL, false);
    assert_near(fit.slope, 1.5, 1e-14);
    assert_near(fit.residual, 1.0 / 6, 1e-14);
    assert_near(fit.high - fit.slope, 12.706204736175 * sqrt(1.0 / 12), 1e-9); /* Student's, one */
    assert_near(fit.aic, 3 * log(1.0 / 18) + 6, 1e-12);
    fit = spn_trend_through(points, 3, SPN_TREND_EXPONENTIAL, true);
    assert_near(fit.residual, 100.0 / 6, 1e-11);
    /* 0.1/sqrt(2) scaled by sqrt(100/6) */
    assert_near(fit.high - fit.slope, 1.959963984540054 * 0.1 / sqrt(2) * sqrt(100.0 / 6), 1e-11);
    fit =
        spn_trend_through(points, 2, SPN_TREND_EXPONENTIAL, true); /* two points, by their errors */
    assert_near(fit.high - fit.low, 2 * 1.959963984540054 * 0.1 * sqrt(2), 1e-12);
    assert_true(isnan(spn_trend_through(points, 2, SPN_TREND_EXPONENTIAL, false).low));
}

/* ---- figures ---- */

/* A run of so many sites and sweeps; cost NaN: it was not solved. */
static void add_run(spn_records *records, const char *sites, const char *sweeps, size_t run,
                    double hit, double cost)
{
    spn_error err = {0};
    spn_record *record = spn_test_run(records, NULL, NULL, "solved", isnan(hit) ? 0 : 1);
    record->run = run;
    assert_ok(spn_record_add_setting(record, "sites", sites, &err), err);
    assert_ok(spn_record_add_setting(record, "sweeps", sweeps, &err), err);
    assert_ok(spn_record_add_result(record, "first_hit_steps", hit, &err), err);
    assert_ok(spn_record_add_result(record, "steps_done", cost, &err), err);
}

static const spn_sweep_figure TIMES = {.name = "figure",
                                       .x = "sites",
                                       .value = "first_hit_steps",
                                       .tts = SPN_TTS_LENGTHS,
                                       .over = "sweeps",
                                       .trends = {true, true},
                                       .as[SPN_FIGURE_LINES] = true};

/* 10 sites: 5 of 10 in 100 steps, 9 of 10 in 200: the latter, 400. 20 sites: 8 of 10 in 400; 40: 0
   of 10 in 400, a bound. */
static spn_records *make_records(void)
{
    spn_records *records = spn_test_records("nowhere");
    for (size_t k = 0; k < 10; k++) {
        const double part = (double)k;
        add_run(records, "10", "1", k + 1, k < 5 ? part + 1 : NAN, 100);
        add_run(records, "10", "2", k + 1, k < 9 ? part + 1 : NAN, 200);
        add_run(records, "20", "2", k + 1, k < 8 ? part + 1 : NAN, 400);
        add_run(records, "40", "2", k + 1, NAN, 400);
    }
    spn_test_axis(records, "sweeps", (const char *[]){"1", "2", NULL});
    spn_test_axis(records, "sites", (const char *[]){"10", "20", "40", NULL});
    return records;
}

static void test_figure(void **state)
{
    (void)state;
    spn_records *records = make_records();
    spn_report_figure figure;
    spn_error err = {0};
    char text[SPN_TRENDS_TEXT];
    assert_ok(spn_report_figure_make(&figure, records, &TIMES, &err), err);
    assert_int_equal(figure.count, 1);
    const spn_report_cell *cells = figure.curves[0].cells;
    assert_int_equal(figure.curves[0].count, 3);
    assert_near(cells[0].ours.mean, 400, 1e-9);
    assert_int_equal(cells[0].length_count, 2);
    assert_string_equal(cells[0].lengths[0].text, "sweeps = 1");
    assert_near(cells[0].lengths[0].tts, 664.3856189774724, 1e-9);
    assert_true(cells[0].lengths[1].best && !cells[0].lengths[0].best);
    assert_near(cells[1].ours.mean, 400 * log(0.01) / log(0.2), 1e-9);
    assert_true(isnan(cells[2].ours.mean));
    assert_near(cells[2].ours.low, 400 * log(0.01) / log(1 - 0.2775328), 1e-3); /* 0 of 10 */
    assert_int_equal(figure.curves[0].trends.points, 2);
    assert_int_equal(figure.curves[0].trends.bounds, 1);
    assert_non_null(strstr(spn_curve_trends(text, &figure, 0),
                           "two points cannot tell the two apart; 2 points, 1 bound left out"));
    char *lengths = spn_test_written(spn_figure_lengths_csv, &figure);
    assert_non_null(strstr(lengths, "10,5,0.5,100,664.38561897747"));
    assert_non_null(strstr(lengths, "10,0,0,400,,566"));
    free(lengths);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

/* Of ten instances, each with a run of one step or of a hundred. */
static void test_each(void **state)
{
    (void)state;
    spn_records *records = make_records();
    spn_sweep_figure request = TIMES;
    spn_report_figure figure;
    spn_error err = {0};
    request.each = "run";
    request.tts = SPN_TTS_RESTARTS;
    assert_ok(spn_report_figure_make(&figure, records, &request, &err), err);
    const spn_report_cell *cells = figure.curves[0].cells;
    assert_near(cells[0].ours.mean, 5.5, 0); /* 1, ..., 9, never: the fifth and the sixth */
    assert_near(cells[1].ours.mean, 5.5, 0); /* 1, ..., 8, never, never */
    assert_true(isnan(cells[2].ours.mean));
    assert_string_equal(cells[0].lengths[0].text, "median of 10 instances");
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_survival_figure(void **state)
{
    (void)state;
    spn_records *records = make_records();
    const spn_sweep_figure request = {.name = "figure",
                                      .x = SPN_FIGURE_NO_X,
                                      .by = "sites",
                                      .value = "first_hit_steps",
                                      .as[SPN_FIGURE_SURVIVAL] = true};
    spn_report_figure figure;
    spn_error err = {0};
    char text[SPN_HITS_TEXT];
    assert_ok(spn_record_add_setting(spn_test_run(records, NULL, NULL, "steps_done", 7), "sites",
                                     "10", &err),
              err);
    assert_ok(spn_report_figure_make(&figure, records, &request, &err), err);
    assert_int_equal(figure.count, 3);
    assert_int_equal(figure.curves[1].hit_count, 10);
    assert_int_equal(figure.unsearched, 1);
    assert_string_equal(spn_figure_bounds(text, &figure), "1 run without a target is left out");
    assert_string_equal(spn_curve_hits(text, &figure, 1),
                        "10 runs, 8 solved, half of all by 5 steps");
    char *data = spn_test_written(spn_drawing_survival.text, &figure);
    assert_non_null(strstr(data, "\n0,1,1,1,1,10,0,0,\"20\"\n"));
    assert_non_null(strstr(data, ",2,0,2,\"20\"\n")); /* the last two are censored */
    free(data);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_refusals(void **state)
{
    (void)state;
    spn_records *records = make_records();
    spn_sweep_figure request = TIMES;
    spn_report_figure figure;
    spn_error err = {0};
    request.value = "first_hit_proposals"; /* which no run has the cost of */
    assert_error(spn_report_figure_make(&figure, records, &request, &err), &err, SPN_ERROR_ARGUMENT,
                 "figure figure: ", "no run has solved and proposals");
    request.value = "best_energy";
    assert_error(spn_report_figure_make(&figure, records, &request, &err), &err, SPN_ERROR_ARGUMENT,
                 "figure figure: ", "first hits are first_hit_steps");
    char *where[] = {"sites=50"};
    request = TIMES;
    request.where = where;
    request.where_count = 1;
    assert_error(spn_report_figure_make(&figure, records, &request, &err), &err, SPN_ERROR_ARGUMENT,
                 "figure figure: ", "no finished run meets its conditions");
    spn_records_free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_survival),
        cmocka_unit_test(test_formula),
        cmocka_unit_test(test_one_length),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_coverage_of_restarts),
        cmocka_unit_test(test_coverage_of_lengths),
        cmocka_unit_test(test_exact_trends),
        cmocka_unit_test(test_trend_intervals),
        cmocka_unit_test(test_figure),
        cmocka_unit_test(test_each),
        cmocka_unit_test(test_survival_figure),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
