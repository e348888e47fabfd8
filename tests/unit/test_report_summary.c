/* Figures summed up: means and intervals worked out by hand, conditions, order, what is missing. */
#include "record/record.h"
#include "report/figure/figure.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const spn_sweep_figure PLAIN = {.name = "figure",
                                       .x = "gamma",
                                       .by = "replicas",
                                       .value = "loss",
                                       .as[SPN_FIGURE_LINES] = true};

static spn_report_figure make(const spn_records *records, const spn_sweep_figure *request)
{
    spn_error err = {0};
    spn_report_figure figure;
    assert_ok(spn_report_figure_make(&figure, records, request, &err), err);
    assert_ptr_equal(figure.request, request);
    return figure;
}

static void refuse(const spn_records *records, const spn_sweep_figure *request, const char *part)
{
    spn_error err = {0};
    spn_report_figure figure;
    assert_error(spn_report_figure_make(&figure, records, request, &err), &err, SPN_ERROR_ARGUMENT,
                 "figure figure: ", part);
    assert_null(figure.curves);
}

/* 1, 2, 3, 4: mean 5/2, deviation sqrt(5/3), and 3.18244630528 sqrt(5/3) / 2 */
static void test_mean_and_interval(void **state)
{
    (void)state;
    spn_records *records = spn_test_records("nowhere");
    for (int k = 1; k <= 4; k++)
        spn_test_run(records, "0.5", "3", "loss", k);
    spn_test_run(records, "0.5", "5", "loss", 10);
    spn_report_figure figure = make(records, &PLAIN);
    assert_int_equal(figure.count, 2);
    assert_string_equal(figure.curves[0].name, "replicas = 3");
    const spn_report_cell *cell = spn_test_cell(&figure, "3", "0.5");
    assert_int_equal(cell->ours.count, 4);
    assert_near(cell->x, 0.5, 0);
    assert_near(cell->ours.mean, 2.5, 0);
    assert_near(cell->ours.deviation, 1.2909944487, 1e-9);
    assert_near(cell->ours.half, 2.054260256760522, 1e-14);
    assert_false(cell->has_reference);
    cell = spn_test_cell(&figure, "5", "0.5"); /* one run: no interval */
    assert_near(cell->ours.mean, 10, 0);
    assert_true(isnan(cell->ours.half) && isnan(cell->also.mean));
    assert_int_equal(figure.compared, 0);
    spn_report_figure_clear(&figure);
    spn_sweep_figure labelled = PLAIN;
    labelled.by_label = "y";
    figure = make(records, &labelled);
    assert_string_equal(figure.curves[0].name, "y = 3");
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_no_by_and_also(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_sweep_figure request = PLAIN;
    request.by = NULL;
    request.also = "other";
    request.label = "the loss";
    spn_records *records = spn_test_records("nowhere");
    for (int k = 0; k < 2; k++) {
        spn_record *record = spn_test_run(records, "1", k ? "3" : "5", "loss", k);
        assert_ok(spn_record_add_result(record, "other", 7 + k, &err), err);
    }
    spn_report_figure figure = make(records, &request);
    assert_int_equal(figure.count, 1);
    assert_string_equal(figure.curves[0].name, "the loss");
    const spn_report_cell *cell = spn_test_cell(&figure, "", "1");
    assert_near(cell->ours.mean, 0.5, 0);
    assert_near(cell->also.mean, 7.5, 0);
    assert_near(cell->also.half, 12.7062047361747046 / 2, 1e-14);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

/* x by number, curves as the sweep lists them; names as the sweep lists them. */
static void test_order(void **state)
{
    (void)state;
    spn_records *records = spn_test_records("nowhere");
    spn_test_axis(records, "replicas", (const char *const[]){"7", "3", NULL});
    spn_test_axis(records, "gamma", (const char *const[]){"b", "a", "c", NULL});
    const char *const gammas[] = {"10", "9", "1e-1", "0.2"};
    for (size_t k = 0; k < 4; k++) {
        spn_test_run(records, gammas[k], "3", "loss", 1);
        spn_test_run(records, gammas[k], "7", "loss", 1);
    }
    spn_report_figure figure = make(records, &PLAIN);
    assert_string_equal(figure.curves[0].value, "7");
    assert_string_equal(figure.curves[0].cells[0].x_text, "1e-1");
    assert_string_equal(figure.curves[1].cells[1].x_text, "0.2");
    assert_string_equal(figure.curves[1].cells[3].x_text, "10");
    spn_report_figure_clear(&figure);
    spn_test_run(records, "c", "4", "loss", 1);
    spn_test_run(records, "a", "4", "loss", 1);
    spn_test_run(records, "b", "4", "loss", 1);
    figure = make(records, &PLAIN);
    assert_int_equal(figure.count, 3);
    assert_string_equal(figure.curves[2].value, "4"); /* not on the axis: last */
    assert_string_equal(figure.curves[2].cells[0].x_text, "b");
    assert_string_equal(figure.curves[2].cells[2].x_text, "c");
    assert_true(isnan(figure.curves[2].cells[0].x));
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_where(void **state)
{
    (void)state;
    char *where[] = {"gamma<=3.2", "replicas=3"};
    spn_sweep_figure request = PLAIN;
    request.where = where;
    request.where_count = 2;
    spn_records *records = spn_test_records("nowhere");
    spn_test_run(records, "6.4", "3", "loss", 1);
    spn_test_run(records, "0.1", "5", "loss", 2);
    refuse(records, &request, "no finished run meets its conditions");
    spn_test_run(records, "3.2", "3", "loss", 3);
    spn_report_figure figure = make(records, &request);
    assert_int_equal(figure.count, 1);
    assert_int_equal(figure.curves[0].count, 1);
    assert_near(spn_test_cell(&figure, "3", "3.2")->ours.mean, 3, 0);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

/* Curves, point by point over runs; a NaN does not count. */
static void test_curves(void **state)
{
    (void)state;
    const double p[] = {0.1, 0, 0.25}, first[] = {0.8, 0.9, NAN}, second[] = {0.6, 0.7, 0.5};
    spn_sweep_figure request = {
        .name = "figure", .x = "flips.p", .by = "replicas", .value = "flips.accuracy"};
    spn_records *records = spn_test_records("nowhere");
    spn_test_flips(spn_test_run(records, "1", "3", "loss", 0), 3, p, first);
    spn_test_flips(spn_test_run(records, "1", "3", "loss", 0), 3, p, second);
    spn_test_run(records, "1", "3", "loss", 0); /* without the curve */
    spn_report_figure figure = make(records, &request);
    assert_int_equal(figure.curves[0].count, 3);
    assert_near(figure.curves[0].cells[0].x, 0, 0);
    assert_near(spn_test_cell(&figure, "3", "0")->ours.mean, 0.8, 1e-15);
    assert_near(spn_test_cell(&figure, "3", "0.1")->ours.mean, 0.7, 1e-15);
    assert_near(spn_test_cell(&figure, "3", "0.1")->ours.half, 12.7062047361747046 * 0.1, 1e-14);
    assert_int_equal(spn_test_cell(&figure, "3", "0.25")->ours.count, 1);
    spn_report_figure_clear(&figure);
    /* the same by its rows, against a setting */
    request.x = "gamma";
    request.by = "flips.p";
    figure = make(records, &request);
    assert_int_equal(figure.count, 3);
    assert_near(spn_test_cell(&figure, "0.1", "1")->ours.mean, 0.7, 1e-15);
    spn_report_figure_clear(&figure);
    char *const below[] = {"flips.p<=0.1"}, *const one[] = {"gamma=1", "flips.p=0.1"};
    request.where = (char **)below;
    request.where_count = 1;
    figure = make(records, &request);
    assert_int_equal(figure.count, 2);
    spn_report_figure_clear(&figure);
    request.by = NULL; /* its x would mix the rows */
    refuse(records, &request, "unless a condition holds one fixed");
    request.where = (char **)one;
    request.where_count = 2;
    figure = make(records, &request);
    assert_true(figure.count == 1 && figure.curves[0].count == 1);
    assert_near(spn_test_cell(&figure, "", "1")->ours.mean, 0.7, 1e-15);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_what_is_missing(void **state)
{
    (void)state;
    spn_sweep_figure request = PLAIN;
    spn_records *records = spn_test_records("nowhere");
    refuse(records, &request, "no finished run");
    spn_test_run(records, "1", NULL, "loss", 0);
    refuse(records, &request, "no run has the setting 'replicas' of its by");
    request.by = NULL;
    request.value = "energy";
    refuse(records, &request, "no run has the result 'energy'");
    request.x = "steps";
    refuse(records, &request, "no run has the setting 'steps' of its x");
    request.x = "gamma";
    request.value = "flips.accuracy";
    refuse(records, &request, "must be another of the same curve");
    request.x = "flips.p";
    request.value = "loss";
    refuse(records, &request, "flips.p is a column of a curve");
    request.value = "profile.energy";
    refuse(records, &request, "must be another of the same curve");
    /* a point that one curve lacks is missing there alone */
    spn_test_run(records, "1", "3", "loss", 1);
    spn_test_run(records, "2", "5", "loss", 2);
    spn_report_figure figure = make(records, &PLAIN);
    assert_int_equal(figure.curves[0].count + figure.curves[1].count, 2);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

/* ---- several values, fits and guides ---- */

/* 3 e^(-2 gamma), with a result `m` and a second one. */
static spn_records *falling(double m)
{
    static const char *const gammas[] = {"0", "1", "2.5", "4"};
    spn_records *records = spn_test_records("nowhere");
    spn_error err = {0};
    for (size_t k = 0; k < 4; k++) {
        const double y = 3 * exp(-2 * spn_test_strtod(gammas[k], NULL));
        spn_record *record = spn_test_run(records, gammas[k], "3", "loss", y);
        assert_ok(spn_record_add_result(record, "other", 0.5, &err), err);
        assert_ok(spn_record_add_result(record, "m", k < 3 ? 2 : m, &err), err);
    }
    return records;
}

static void test_values(void **state)
{
    (void)state;
    spn_sweep_figure request = PLAIN;
    request.value = (char *)"loss,other";
    spn_records *records = falling(2);
    spn_report_figure figure = make(records, &request);
    assert_int_equal(figure.count, 2);
    assert_string_equal(figure.curves[0].name, "replicas = 3, loss");
    assert_near(spn_test_cell(&figure, "3, loss", "0")->ours.mean, 3, 0);
    assert_near(spn_test_cell(&figure, "3, other", "2.5")->ours.mean, 0.5, 0);
    spn_report_figure_clear(&figure);
    request.by = NULL;
    figure = make(records, &request);
    assert_string_equal(figure.curves[1].name, "other");
    char *csv = spn_test_written(spn_figure_csv, &figure);
    assert_non_null(strstr(csv, ",gamma,value\n"));
    assert_non_null(strstr(csv, ",0,other\n"));
    free(csv);
    spn_report_figure_clear(&figure);
    request.value = (char *)"loss,nothing";
    refuse(records, &request, "no run has the result 'nothing'");
    spn_records_free(records);
}

static void test_fit(void **state)
{
    (void)state;
    spn_sweep_figure request = PLAIN;
    request.fit = true;
    spn_records *records = falling(2);
    spn_report_figure figure = make(records, &request);
    const spn_gap_fit *fit = &figure.curves[0].fit;
    assert_int_equal(figure.count, 1);
    assert_true(figure.curves[0].is_fitted && isnan(fit->c) && isnan(figure.guide));
    assert_near(fit->slope, -2, 1e-12);
    assert_near(fit->last_slope, -2, 1e-12);
    spn_report_figure_clear(&figure);
    request.guide = (char *)"m";
    figure = make(records, &request);
    assert_int_equal(figure.count, 2);
    assert_near(figure.curves[0].fit.c, 3, 1e-12);
    assert_near(figure.curves[0].fit.C, 3, 1e-12);
    assert_true(figure.curves[1].is_guide && !figure.curves[1].is_fitted);
    assert_string_equal(figure.curves[1].name, "slope -m = -2");
    assert_near(spn_test_cell(&figure, "m", "1")->ours.mean, 3 * exp(-2), 1e-12);
    char *csv = spn_test_written(spn_figure_fit_csv, &figure);
    assert_non_null(strstr(csv, "curve,slope,last_slope,guide,c,C\n\"3\",-"));
    free(csv);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_guide(void **state)
{
    (void)state;
    spn_sweep_figure request = PLAIN;
    request.guide = (char *)"other";
    spn_records *records = falling(3);
    spn_report_figure figure = make(records, &request);
    assert_string_equal(figure.curves[1].name, "other = 0.5");
    assert_near(spn_test_cell(&figure, "other", "4")->ours.mean, 0.5, 0);
    assert_int_equal(spn_test_cell(&figure, "other", "4")->ours.count, 0);
    spn_report_figure_clear(&figure);
    request.guide = (char *)"m";
    refuse(records, &request, "its guide, m, is 2 in one run and 3 in another");
    request.where_count = 1;
    request.where = (char *[]){(char *)"gamma<3"};
    figure = make(records, &request);
    assert_string_equal(figure.curves[1].name, "m = 2");
    spn_report_figure_clear(&figure);
    request.guide = (char *)"nothing";
    refuse(records, &request, "no run has the result 'nothing' of its guide");
    spn_records_free(records);
}

/* The energy by its name against energies as results: the words are the columns. */
static void test_setting_called_as_a_result(void **state)
{
    (void)state;
    static const char *const words[] = {"bits", "errors", "product"};
    spn_records *records = spn_test_records("nowhere");
    spn_error err = {0};
    for (size_t k = 0; k < 6; k++) {
        spn_record *run = spn_test_run(records, "0.5", NULL, "solved", (double)k);
        assert_ok(spn_record_add_setting(run, "energy", words[k % 3], &err), err);
        assert_ok(spn_record_add_result(run, "energy", 0, &err), err);
    }
    const spn_sweep_figure request = {
        .name = "figure", .x = "energy", .value = "solved", .as[SPN_FIGURE_LINES] = true};
    spn_report_figure figure = make(records, &request);
    assert_int_equal(figure.curves[0].count, 3);
    for (size_t k = 0; k < 3; k++) {
        assert_string_equal(figure.curves[0].cells[k].x_text, words[k]);
        assert_true(isnan(figure.curves[0].cells[k].x));
    }
    free(spn_test_written(spn_figure_csv, &figure));
    spn_report_figure_clear(&figure);
    const spn_sweep_figure by = {.name = "figure",
                                 .x = "gamma",
                                 .by = "energy",
                                 .value = "solved",
                                 .as[SPN_FIGURE_LINES] = true};
    figure = make(records, &by);
    assert_int_equal(figure.count, 3);
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(figure.curves[k].value, words[k]);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_and_interval),
        cmocka_unit_test(test_no_by_and_also),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_what_is_missing),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_guide),
        cmocka_unit_test(test_setting_called_as_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
