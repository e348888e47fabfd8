/* What is written of figures: numbers as texts, the grid, data that read back, tables, scripts. */
#include "report/figure/figure.h"
#include "report/figure/script.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_shown(double mean, double half, double factor, const char *expected)
{
    char text[SPN_SHOWN_MEAN];
    assert_string_equal(spn_show_mean(text, mean, half, factor), expected);
}

static void test_numbers_have_the_digits_of_their_interval(void **state)
{
    (void)state;
    assert_shown(0.913724, 0.001234, 100, "91.37 ± 0.12");
    assert_shown(0.5, 0.0996, 1, "0.50 ± 0.10");
    assert_shown(0.5, 0.00996, 1, "0.500 ± 0.010");
    assert_shown(1234.56, 78.9, 1, "1235 ± 79");
    assert_shown(1234.56, 7890, 1, "1235 ± 7890");
    assert_shown(3, 0, 1, "3 ± 0");
    assert_shown(1.0 / 3, NAN, 1, "0.33333");
    assert_shown(271733, NAN, 1, "271733");
    assert_shown(271733.4, NAN, 1, "271733");
    assert_shown(-123456789, 0, 1, "-123456789 ± 0");
    assert_shown(99999.96, NAN, 1, "100000");
    assert_shown(1234.56, NAN, 1, "1234.6");
    assert_shown(0.8612, NAN, 100, "86.12");
    assert_shown(0.29, NAN, 100, "29");
    assert_shown(0, NAN, 1, "0");
    assert_shown(100, NAN, 1, "100");
    assert_shown(0.000123456, NAN, 1, "0.00012346");
    assert_shown(0.0000123456, NAN, 1, "1.2346e-05");
    assert_shown(174197, 1049, 1, "174197 ± 1049");
    assert_shown(1e-12, 1e-13, 1, "1e-12 ± 1e-13");
    assert_shown(-2.25, 0.5, 1, "-2.25 ± 0.50");
    assert_shown(NAN, NAN, 1, "–");
    char text[SPN_SHOWN_MEAN], value[SPN_SHOWN_VALUE];
    assert_string_equal(spn_show_value(value, "3.16227766017"), "3.16228");
    assert_string_equal(spn_show_value(value, "100:100000"), "100:100000");
    assert_string_equal(spn_show_value(value, "100000000"), "100000000");
    assert_string_equal(spn_show_center(text, 0.913724, 0.001234, 100), "91.37");
    spn_report_cell cell = {.has_reference = true, .difference = -0.4249};
    assert_string_equal(spn_show_difference(text, &cell), "-0.42");
    cell.difference = NAN;
    assert_string_equal(spn_show_difference(text, &cell), "–");
}

static void assert_reference(double mean, int digits, double half, int half_digits, double factor,
                             const char *expected)
{
    char text[SPN_SHOWN_MEAN];
    const spn_report_cell cell = {.reference = mean,
                                  .reference_digits = digits,
                                  .reference_half = half,
                                  .reference_half_digits = half_digits};
    assert_string_equal(spn_show_reference(text, &cell, factor), expected);
}

static void test_references_keep_their_digits(void **state)
{
    (void)state;
    assert_reference(0.860, 3, NAN, -1, 100, "86.0");
    assert_reference(0.8610, 4, NAN, -1, 100, "86.10");
    assert_reference(0.86, 2, NAN, -1, 100, "86");
    assert_reference(0.5, 1, NAN, -1, 100, "50");
    assert_reference(271733, 0, NAN, -1, 1, "271733");
    assert_reference(1.5, 2, NAN, -1, 1, "1.50");
    assert_reference(1.5, -1, NAN, -1, 1, "1.5"); /* 15e-1 */
    /* with an interval two of its digits, if it was written in so many */
    assert_reference(0.879107, 6, 0.000702, 6, 100, "87.911 ± 0.070");
    assert_reference(0.79, 2, 0.02, 2, 100, "79 ± 2");
    assert_reference(0.95, 2, 0.001, 3, 100, "95.0 ± 0.1");
    assert_reference(63604.233333, 6, 235.562395, 6, 1, "63604 ± 236");
    assert_reference(1, 0, 0, 6, 100, "100 ± 0");
    assert_reference(NAN, -1, NAN, -1, 1, "–");
}

static void test_accuracies_are_percents(void **state)
{
    (void)state;
    const char *const shares[] = {"accuracy", "test_accuracy", "flips.accuracy", "best_accuracy"};
    const char *const others[] = {"loss", "inaccuracy", "accuracy_half", "", "overlap"};
    for (size_t k = 0; k < 4; k++)
        assert_near(spn_value_factor(shares[k]), 100, 0);
    for (size_t k = 0; k < 5; k++)
        assert_near(spn_value_factor(others[k]), 1, 0);
    char label[SPN_LABEL], title[SPN_TITLE];
    spn_sweep_figure request = {.name = "acc", .value = "test_accuracy", .x = "beta_end"};
    assert_string_equal(spn_figure_title(title, &request), "test accuracy against beta_end");
    assert_string_equal(spn_figure_label(label, &request), "test_accuracy (%)");
    request.label = "accuracy in %";
    assert_string_equal(spn_figure_label(label, &request), "accuracy in %");
    request.x_label = "β_f";
    assert_string_equal(spn_figure_title(title, &request), "accuracy in % against β_f");
    /* a long label is cut between characters */
    char long_label[400] = "x";
    for (size_t k = 0; k < 150; k++)
        strcat(long_label, "γ");
    request.label = long_label;
    spn_figure_label(label, &request);
    assert_int_equal(strlen(label) % 2, 1 + (sizeof " (%)" - 1) % 2);
}

/* Two curves, of gamma 0, 0.1, 0.4 and 0.1, 0.8; the sixth run has no result. */
static spn_report_figure sample(spn_records *records, const spn_sweep_figure *request)
{
    spn_error err = {0};
    spn_report_figure figure;
    const char *const gammas[] = {"0.1", "0", "0", "0.4", "0.1", "0.8"};
    for (size_t k = 0; k < 6; k++)
        spn_test_run(records, gammas[k], k < 4 ? "3" : "5", "loss",
                     k == 5 ? NAN : 1.0 / (double)(k + 1));
    assert_ok(spn_report_figure_make(&figure, records, request, &err), err);
    return figure;
}

static const spn_sweep_figure REQUEST = {.name = "figure",
                                         .title = "It's a `touch pwned` @title",
                                         .x = "gamma",
                                         .by = "replicas",
                                         .value = "loss",
                                         .as[SPN_FIGURE_LINES] = true,
                                         .as[SPN_FIGURE_HEAT] = true,
                                         .as[SPN_FIGURE_TABLE] = true,
                                         .log_x = true,
                                         .best = SPN_BEST_LOWEST};

static void test_grid(void **state)
{
    (void)state;
    spn_records *records = spn_test_records("nowhere");
    spn_report_figure figure = sample(records, &REQUEST);
    spn_grid grid;
    assert_true(spn_grid_make(&grid, &figure));
    assert_int_equal(grid.rows, 2);
    assert_int_equal(grid.columns, 4);
    assert_true(grid.numbers);
    assert_null(spn_grid_at(&grid, 1, 0));
    assert_ptr_equal(spn_grid_at(&grid, 0, 1), spn_test_cell(&figure, "3", "0.1"));
    assert_near(spn_grid_position(&grid, 0, false), 0, 0);
    /* as far left of 0.1 as 0.4 is right of it */
    assert_near(spn_grid_position(&grid, 0, true), 0.025, 1e-15);
    assert_near(spn_grid_position(&grid, 3, true), 0.8, 0);
    assert_int_equal(spn_heat_row(&figure, 0), 0);
    spn_grid_clear(&grid);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_data_reads_back_exactly(void **state)
{
    (void)state;
    spn_records *records = spn_test_records("nowhere");
    spn_report_figure figure = sample(records, &REQUEST);
    char *text = spn_test_written(spn_figure_csv, &figure);
    const char *line = strchr(text, '\n') + 1; /* gamma 0: mean of 1/2 and 1/3 */
    char *end;
    assert_near(spn_test_strtod(line, &end), 0.025, 0);
    assert_near(spn_test_strtod(end + 1, &end), (1.0 / 2 + 1.0 / 3) / 2, 0);
    assert_near(spn_test_strtod(end + 1, &end), spn_test_cell(&figure, "3", "0")->ours.half, 0);
    assert_string_equal(strrchr(text, '\n') - strlen("0,,,,,,,,3,1,–,0.8,5"),
                        "0,,,,,,,,3,1,–,0.8,5\n");
    free(text);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

/* Cells of two curves over flips.p or gamma, one run each. */
static spn_report_figure curves_of(spn_records *records, const spn_sweep_figure *request)
{
    spn_error err = {0};
    const double p[] = {0, 0.1, 0.2}, a[] = {0.9, 0.8, 0.3}, b[] = {0.89999999, 0.7, 0.4};
    spn_report_figure figure;
    for (size_t k = 0; k < 2; k++)
        spn_test_flips(spn_test_run(records, k ? "1" : "0", "3", "loss", 1), 3, p, k ? b : a);
    assert_ok(spn_report_figure_make(&figure, records, request, &err), err);
    return figure;
}

/* One letter for each cell, row by row: b for the best. */
static const char *best_cells(char out[32], const spn_report_figure *figure, bool of_reference)
{
    spn_grid grid;
    size_t used = 0;
    assert_true(spn_grid_make(&grid, figure));
    for (size_t k = 0; k < grid.rows; k++) {
        for (size_t c = 0; c < grid.columns; c++)
            out[used++] = spn_grid_is_best(&grid, figure, k, c, of_reference) ? 'b' : '.';
        out[used++] = k + 1 < grid.rows ? '/' : 0;
    }
    spn_grid_clear(&grid);
    return out;
}

/* At each measured x the best curve, and over the whole table where both are settings; those that
   read the same as the best are as good. */
static void test_best(void **state)
{
    (void)state;
    char cells[32];
    spn_sweep_figure request = {.name = "flips",
                                .x = "flips.p",
                                .by = "gamma",
                                .value = "flips.accuracy",
                                .best = SPN_BEST_HIGHEST};
    spn_records *records = spn_test_records("nowhere");
    spn_report_figure figure = curves_of(records, &request);
    assert_string_equal(best_cells(cells, &figure, false), "bb./b.b");
    assert_string_equal(best_cells(cells, &figure, true), ".../...");
    assert_string_equal(spn_figure_best_text(&figure), "best of each column in bold");
    request.best = SPN_BEST_LOWEST;
    assert_string_equal(best_cells(cells, &figure, false), "b.b/bb.");
    request.best = SPN_BEST_NONE;
    assert_string_equal(best_cells(cells, &figure, false), ".../...");
    assert_string_equal(spn_figure_best_text(&figure), "");
    spn_report_figure_clear(&figure);
    spn_records_free(records);

    records = spn_test_records("nowhere");
    request = (spn_sweep_figure){.name = "flips",
                                 .x = "gamma",
                                 .by = "flips.p",
                                 .value = "flips.accuracy",
                                 .best = SPN_BEST_HIGHEST};
    figure = curves_of(records, &request);
    assert_string_equal(best_cells(cells, &figure, false), "bb/b./.b");
    assert_string_equal(spn_figure_best_text(&figure), "best of each row in bold");
    spn_report_figure_clear(&figure);
    spn_records_free(records);

    records = spn_test_records("nowhere");
    figure = sample(records, &REQUEST);
    assert_string_equal(best_cells(cells, &figure, false), "..../.b..");
    assert_string_equal(spn_figure_best_text(&figure), "best in bold");
    spn_report_figure_clear(&figure);
    spn_records_free(records);

    /* one curve has nobody to be better than */
    records = spn_test_records("nowhere");
    request = (spn_sweep_figure){
        .name = "flips", .x = "flips.p", .value = "flips.accuracy", .best = SPN_BEST_HIGHEST};
    figure = curves_of(records, &request);
    assert_string_equal(best_cells(cells, &figure, false), "...");
    assert_string_equal(spn_figure_best_text(&figure), "");
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_one_run(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_sweep_figure request = {
        .name = "acc", .x = "gamma", .value = "test_accuracy", .as[SPN_FIGURE_TABLE] = true};
    spn_records *records = spn_test_records("nowhere");
    spn_report_figure figure;
    spn_test_run(records, "0", "3", "test_accuracy", 0.8612);
    spn_test_run(records, "1", "3", "test_accuracy", 0.9);
    assert_ok(spn_report_figure_make(&figure, records, &request, &err), err);
    char *text = spn_test_written(spn_drawing_table.text, &figure);
    assert_string_equal(text, "# test accuracy against gamma\n\n"
                              "test\\_accuracy (%): one run.\n\n"
                              "| gamma | 0 | 1 |\n"
                              "|---|---|---|\n"
                              "| test\\_accuracy (%) | 86.12 | 90 |\n");
    free(text);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static void test_table(void **state)
{
    (void)state;
    spn_records *records = spn_test_records("nowhere");
    spn_report_figure figure = sample(records, &REQUEST);
    char *text = spn_test_written(spn_drawing_table.text, &figure);
    assert_string_equal(text, "# It's a \\`touch pwned\\` @title\n\n"
                              "loss: mean ± half the 95% interval (Student's t) over 1 to 2 runs. "
                              "The best in bold.\n\n"
                              "| replicas \\\\ gamma | 0 | 0.1 | 0.4 | 0.8 |\n"
                              "|---|---|---|---|---|\n"
                              "| 3 | 0.4 ± 1.1 | 1 | 0.25 | – |\n"
                              "| 5 | – | **0.2** | – | – |\n");
    free(text);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void test_scripts(void **state)
{
    (void)state;
    spn_records *records = spn_test_records("nowhere");
    spn_report_figure figure = sample(records, &REQUEST);
    char *lines = spn_test_written(spn_drawing_lines.script, &figure);
    char *heat = spn_test_written(spn_drawing_heat.script, &figure);
    assert_non_null(strstr(lines, "set title 'It'.\"'\".'s a `touch pwned` @title'\n"));
    assert_non_null(strstr(lines, "set xtics ('0' 0.025, '0.1' 0.1, '0.4' 0.4, '0.8' 0.8)\n"));
    assert_int_equal(count_of(lines, "keyentry"), 2);
    assert_non_null(strstr(heat, "set ytics ('3' 0, '5' 1)\n"));
    assert_non_null(strstr(heat, "set output 'figure-heat.png'.ending\n"));
    free(lines);
    free(heat);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
}

/* gnuplot runs what is in backquotes, but not in single quotes. */
static void test_quotes(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    spn_gnuplot_quote(stream, "'a''b \"c\" `d` \\n\ne");
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "''.\"'\".'a'.\"'\".''.\"'\".'b \"c\" `d` \\n e'");
    free(text);
}

static void test_colours(void **state)
{
    (void)state;
    char a[SPN_COLOUR], b[SPN_COLOUR];
    for (size_t count = 1; count < 30; count++)
        for (size_t k = 0; k + 1 < count; k++) {
            spn_curve_colour(a, k, count, false);
            assert_string_not_equal(a, spn_curve_colour(b, k + 1, count, false));
            assert_string_not_equal(a, spn_curve_colour(b, k, count, true));
        }
    assert_string_equal(spn_heat_colour(a, 0), "#440154");
    assert_string_equal(spn_heat_colour(a, 1), "#fde725");
    assert_string_equal(spn_heat_colour(a, 7), "#fde725");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_have_the_digits_of_their_interval),
        cmocka_unit_test(test_references_keep_their_digits),
        cmocka_unit_test(test_accuracies_are_percents),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_data_reads_back_exactly),
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_one_run),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
