/* gnuplot's scripts: axes, tics, intervals, legends and long texts. */
#include "report/figure_heat.h"
#include "report/figure_script.h"
#include "report/page.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

static char *set_text(const char *text, size_t width)
{
    char *out = NULL;
    size_t size;
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    spn_gnuplot_set_text(stream, "title", text, width);
    assert_int_equal(fclose(stream), 0);
    return out;
}

static void expect_text(const char *text, size_t width, const char *expected)
{
    char *out = set_text(text, width);
    assert_string_equal(out, expected);
    free(out);
}

static void test_long_texts_have_lines(void **state)
{
    (void)state;
    expect_text("", 12, "set title ''\n");
    expect_text("It fits in.", 12, "set title 'It fits in.'\n");
    expect_text("It's too long", 10, "set title 'It''s too'.\"\\n\".'long'\n");
    /* letters, not bytes; those of East Asia are wide */
    expect_text("γγγγγγγγ ββ", 8, "set title 'γγγγγγγγ'.\"\\n\".'ββ'\n");
    expect_text("層層層層層", 8, "set title '層層層層'.\"\\n\".'層'\n");
    /* smaller, then three lines, then no more */
    expect_text("aaaa bbbb cccc dddd eee", 11,
                "set title 'aaaa bbbb'.\"\\n\".'cccc dddd eee' font ',11'\n");
    expect_text("aaaa bbbb cccc dddd eeee ffff", 9,
                "set title 'aaaa bbbb'.\"\\n\".'cccc dddd'.\"\\n\".'eeee ffff' font ',9'\n");
    expect_text("aaaa bbbb cccc dddd eeee ffff gggg hhhh", 9,
                "set title 'aaaa bbbb'.\"\\n\".'cccc dddd'.\"\\n\".'eeee ffff…' font ',9'\n");
}

/* What gnuplot would run or read as a number stays in single quotes, whatever the break. */
static void test_broken_texts_stay_quoted(void **state)
{
    (void)state;
    for (size_t width = 1; width < 30; width++) {
        char *text = set_text("'`touch a`' \"@b\" '' \\n ${c} '.system('d').'", width);
        bool inside = false;
        for (const char *c = text + strlen("set title "); *c && *c != '\n'; c++) {
            if (*c == '\'')
                inside = !inside;
            else if (!inside)
                assert_non_null(strchr(".\"\\n font ',19", *c));
            else
                assert_int_not_equal(*c, '\n');
        }
        assert_false(inside);
        free(text);
    }
}

/* ---- tics ---- */

static void expect_tics(double least, double most, bool log, const char *expected)
{
    double tics[SPN_TICS];
    char text[400] = "";
    const size_t count = spn_tics(tics, least, most, log);
    for (size_t k = 0; k < count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g", k ? " " : "", tics[k]);
    assert_string_equal(text, expected);
}

static void test_tics(void **state)
{
    (void)state;
    expect_tics(1.2, 55, true, "2 5 10 20 50");
    expect_tics(0.9, 24, true, "1 2 5 10 20");
    expect_tics(0.1, 100, true, "0.1 0.2 0.5 1 2 5 10 20 50 100");
    expect_tics(1.1, 8.8, true, "2 4 6 8");
    expect_tics(0.05, 900, true, "0.1 1 10 100");
    expect_tics(1e-30, 1, true, "1e-30 1e-26 1e-22 1e-18 1e-14 1e-10 1e-06 0.01");
    expect_tics(4943, 275578, false, "50000 100000 150000 200000 250000");
    expect_tics(0, 5, true, "");
    expect_tics(3, 3, false, "");
    expect_tics(0, 5e-324, false, "");
    /* beyond the digits of a number, some, but not without end */
    double tics[SPN_TICS];
    assert_true(spn_tics(tics, 1e17, 1e17 + 64, false) <= SPN_TICS);
}

/* ---- figures ---- */

enum { MOST = 24 };

/* A figure of loss against gamma, curves by replicas. */
typedef struct drawn {
    spn_records *records;
    spn_sweep_figure request;
    spn_report_figure figure;
    char *lines, *heat, *csv;
} drawn;

static drawn start(bool log_x, bool log_y)
{
    return (drawn){.records = spn_test_records("nowhere"),
                   .request = {.name = "figure",
                               .x = "gamma",
                               .by = "replicas",
                               .value = "loss",
                               .lines = true,
                               .heat = true,
                               .log_x = log_x,
                               .log_y = log_y}};
}

static void draw(drawn *d)
{
    spn_error err = {0};
    assert_ok(spn_report_figure_make(&d->figure, d->records, &d->request, &err), err);
    d->lines = spn_test_written(spn_figure_script_lines, &d->figure);
    d->heat = spn_test_written(spn_figure_script_heat, &d->figure);
    d->csv = spn_test_written(spn_figure_csv, &d->figure);
}

static void finish(drawn *d)
{
    free(d->lines);
    free(d->heat);
    free(d->csv);
    spn_report_figure_clear(&d->figure);
    spn_records_free(d->records);
}

/* The number behind a text in another. */
static double number_after(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    assert_non_null(found);
    return strtod(found + strlen(mark), NULL);
}

static void test_what_cannot_be_logarithmic_is_linear(void **state)
{
    (void)state;
    drawn d = start(true, true);
    spn_test_run(d.records, "0", "3", "loss", 0);
    spn_test_run(d.records, "-1", "3", "loss", 0);
    draw(&d);
    assert_null(strstr(d.lines, "logscale"));
    assert_null(strstr(d.heat, "logscale"));
    assert_near(strtod(strchr(d.csv, '\n') + 1, NULL), -1, 0);
    finish(&d);
    d = start(true, true);
    spn_test_run(d.records, "0", "3", "loss", 0);
    spn_test_run(d.records, "1", "3", "loss", 2);
    draw(&d);
    assert_non_null(strstr(d.lines, "set logscale x"));
    assert_non_null(strstr(d.lines, "set logscale y"));
    assert_non_null(strstr(d.heat, "set logscale cb"));
    assert_near(strtod(strchr(d.csv, '\n') + 1, NULL), 0.5, 0);
    finish(&d);
}

/* 1.1 ± 12.7 at gamma 1, 8 ± 6.4 at gamma 2. */
static void test_intervals_that_reach_zero_run_off_the_axis(void **state)
{
    (void)state;
    drawn d = start(false, true);
    spn_test_run(d.records, "1", "3", "loss", 0.1);
    spn_test_run(d.records, "1", "3", "loss", 2.1);
    spn_test_run(d.records, "2", "3", "loss", 7.5);
    spn_test_run(d.records, "2", "3", "loss", 8.5);
    draw(&d);
    assert_true(spn_test_cell(&d.figure, "3", "1")->ours.half > 12);
    /* a little below the least mean */
    const double bottom = number_after(d.lines, "\nbottom = ");
    assert_true(bottom > 0.9 && bottom < 1.1);
    assert_non_null(strstr(d.lines, "mean > half ? mean - half : bottom/2"));
    assert_null(strstr(d.lines, "/10"));
    finish(&d);
}

/* Points and bars stand aside, lines and data do not; neither where no bar can be seen. */
static void test_bars_stand_aside(void **state)
{
    (void)state;
    drawn d = start(true, false);
    const char *const gammas[] = {"0.1", "1"}, *const replicas[] = {"3", "5"};
    for (size_t k = 0; k < 8; k++)
        spn_test_run(d.records, gammas[k & 1], replicas[k >> 1 & 1], "loss", (double)(k >> 2));
    draw(&d);
    const double factor = number_after(d.lines, "aside(x, steps) = x * ");
    assert_true(factor > 1.005 && factor < 1.05);
    assert_non_null(strstr(d.lines, "every ::0::1 using (aside($1,-0.5)):($2*1):(low"));
    assert_non_null(strstr(d.lines, "every ::2::3 using (aside($1,0.5)):($2*1) with points"));
    assert_non_null(strstr(d.lines, "every ::2::3 using 1:($2*1) with lines"));
    assert_near(strtod(strchr(d.csv, '\n') + 1, NULL), 0.1, 0);
    finish(&d);
    d = start(true, false);
    for (size_t k = 0; k < 8; k++)
        spn_test_run(d.records, gammas[k & 1], replicas[k >> 1 & 1], "loss",
                     (double)(k & 1) + 1e-6 * (double)(k >> 2));
    draw(&d);
    assert_null(strstr(d.lines, "aside"));
    finish(&d);
}

static void test_names_are_not_joined(void **state)
{
    (void)state;
    drawn d = start(false, false);
    d.request.bands = true;
    spn_test_run(d.records, "0.8", "3", "loss", 1);
    spn_test_run(d.records, "0:0.8", "3", "loss", 2);
    spn_test_run(d.records, "0.8", "5", "loss", 3);
    draw(&d);
    assert_null(strstr(d.lines, "with lines"));
    assert_null(strstr(d.lines, "filledcurves"));
    assert_non_null(strstr(d.lines, "keyentry with points"));
    assert_non_null(strstr(d.lines, "with yerrorbars"));
    assert_non_null(strstr(d.lines, "set xtics ('0.8' 0, '0:0.8' 1)\n"));
    finish(&d);
}

static drawn many_curves(const char *ending, size_t count)
{
    drawn d = start(false, false);
    for (size_t k = 0; k < count; k++) {
        char replicas[64];
        snprintf(replicas, sizeof replicas, "%zu%s", k, ending);
        spn_test_run(d.records, "1", replicas, "loss", (double)k);
    }
    draw(&d);
    return d;
}

/* The plot keeps three fifths of the width. */
static void test_long_legends_are_below(void **state)
{
    (void)state;
    drawn d = many_curves("", 6);
    assert_true(number_after(d.lines, "set rmargin at screen ") > 0.7);
    assert_non_null(strstr(d.lines, "svg noenhanced size 720,440 "));
    finish(&d);
    d = many_curves(" and so on", 6); /* 22 letters */
    assert_true(number_after(d.lines, "set rmargin at screen ") > 0.68);
    finish(&d);
    d = many_curves("", MOST);
    assert_null(strstr(d.lines, "rmargin"));
    assert_near(number_after(d.lines, "horizontal maxcols "), 5, 0);
    assert_true(number_after(d.lines, "svg noenhanced size 720,") > 500);
    finish(&d);
    d = many_curves(" that goes on and on and on and on", 2);
    assert_near(number_after(d.lines, "horizontal maxcols "), 2, 0);
    finish(&d);
}

/* ---- heat maps ---- */

static void test_heat_of_many_columns(void **state)
{
    (void)state;
    drawn d = start(false, false);
    for (size_t k = 0; k < 20; k++) {
        char gamma[32];
        snprintf(gamma, sizeof gamma, "%.12g", (double)k * 3 / 19);
        spn_test_run(d.records, gamma, "3", "loss", (double)k);
    }
    draw(&d);
    assert_non_null(strstr(d.heat, "set xtics rotate by 40 right ('0' 0, '0.158' 1, '0.316' 2, "));
    assert_non_null(strstr(d.csv, ",0.157894736842,3\n")); /* exact in the data */
    finish(&d);
}

static void expect_heat(const spn_heat *heat, double mean, const char *text, double share)
{
    char shown[SPN_SHOWN_MEAN];
    assert_string_equal(spn_heat_text(shown, heat, mean), text);
    assert_near(spn_heat_share(heat, mean), share, 1e-12);
}

static void test_scale_of_heat(void **state)
{
    (void)state;
    char shown[SPN_SHOWN_MEAN];
    drawn d = start(false, false);
    spn_test_run(d.records, "1", "3", "loss", 1);
    spn_test_run(d.records, "2", "3", "loss", 5);
    spn_test_run(d.records, "3", "3", "loss", 101);
    draw(&d);
    spn_heat heat = spn_heat_make(&d.figure);
    expect_heat(&heat, 1, "1", 0);
    expect_heat(&heat, 51, "51", 0.5);
    assert_string_equal(spn_heat_text(shown, &heat, NAN), "–");
    d.request.log_y = true;
    heat = spn_heat_make(&d.figure);
    expect_heat(&heat, 101, "101", 1);
    expect_heat(&heat, sqrt(101), "10.0", 0.5);
    expect_heat(&heat, 9.996, "10.0", log(9.996) / log(101));
    expect_heat(&heat, 0, "0", 0);
    /* two digits of the intervals, the same everywhere */
    d.request.log_y = false;
    for (size_t c = 0; c < 3; c++)
        d.figure.curves[0].cells[c].ours.half = c == 1 ? 0.02 : 0.3;
    heat = spn_heat_make(&d.figure);
    expect_heat(&heat, 1, "1.00", 0);
    expect_heat(&heat, 101, "101.00", 1);
    finish(&d);
}

/* The page shows the same scale. */
static void test_heat_of_the_page(void **state)
{
    (void)state;
    char colour[SPN_COLOUR], cell[80];
    drawn d = start(false, true);
    spn_test_run(d.records, "1", "3", "loss", 1);
    spn_test_run(d.records, "2", "3", "loss", 10);
    spn_test_run(d.records, "3", "3", "loss", 100);
    draw(&d);
    char *page = spn_test_written(spn_page_heat, &d.figure);
    snprintf(cell, sizeof cell, "background:%s;color:#fff", spn_heat_colour(colour, 0.5));
    assert_non_null(strstr(page, cell));
    assert_non_null(strstr(page, ">10.0</td>"));
    free(page);
    finish(&d);
}

/* The colours' numbers and label have room. */
static void test_room_for_colours(void **state)
{
    (void)state;
    drawn d = start(false, false);
    spn_test_run(d.records, "1", "3", "loss", 4943);
    spn_test_run(d.records, "2", "3", "loss", 275578);
    draw(&d);
    const double box = number_after(d.heat, "set colorbox user origin screen ") + 26 / 720.0;
    const double label = number_after(d.heat, "set label 1 at screen ");
    assert_true((label - box) * 720 > 6 * 0.6 * 13); /* "250000" */
    assert_true(label < 1 - 13 / 720.0);
    finish(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_texts_have_lines),
        cmocka_unit_test(test_broken_texts_stay_quoted),
        cmocka_unit_test(test_tics),
        cmocka_unit_test(test_what_cannot_be_logarithmic_is_linear),
        cmocka_unit_test(test_intervals_that_reach_zero_run_off_the_axis),
        cmocka_unit_test(test_bars_stand_aside),
        cmocka_unit_test(test_names_are_not_joined),
        cmocka_unit_test(test_long_legends_are_below),
        cmocka_unit_test(test_heat_of_many_columns),
        cmocka_unit_test(test_scale_of_heat),
        cmocka_unit_test(test_heat_of_the_page),
        cmocka_unit_test(test_room_for_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
