/* gnuplot's scripts: axes, tics, intervals, legends and long texts. */
#include "base/number.h"
#include "report/figure/figure.h"
#include "report/figure/script.h"
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
    expect_text("It's too long", 10, "set title 'It'.\"'\".'s too'.\"\\n\".'long'\n");
    expect_text("'a' ''", 10, "set title ''.\"'\".'a'.\"'\".' '.\"'\".''.\"'\".''\n");
    /* letters, not bytes */
    expect_text("γγγγγγγγ ββ", 8, "set title 'γγγγγγγγ'.\"\\n\".'ββ'\n");
    expect_text("aaaabbbbcccc", 5, "set title 'aaaab'.\"\\n\".'bbbcc'.\"\\n\".'cc'\n");
    /* no more than so many lines */
    expect_text("a b c d e f g h", 1,
                "set title 'a'.\"\\n\".'b'.\"\\n\".'c'.\"\\n\".'d'.\"\\n\".'e'.\"\\n\".'f'.'…'\n");
}

/* What gnuplot would run or read as a number stays in single quotes, whatever the break. */
static void test_broken_texts_stay_quoted(void **state)
{
    (void)state;
    for (size_t width = 1; width < 30; width++) {
        char *text = set_text("'`touch a`' \"@b\" '' \\n ${c} '.system('d').'", width);
        const char *c = text + strlen("set title ");
        while (*c != '\n') { /* pieces joined by points: '...', "'" or "\n" */
            if (*c == '\'')
                c = strchr(c + 1, '\'') + 1;
            else if (strncmp(c, "\"'\"", 3) == 0)
                c += 3;
            else if (strncmp(c, "\"\\n\"", 4) == 0)
                c += 4;
            else
                fail_msg("not quoted: %s", c);
            assert_true(*c == '.' || *c == '\n');
            c += *c == '.';
        }
        free(text);
    }
}

/* ---- tics ---- */

static void expect_tics(double least, double most, const char *expected)
{
    char *out = NULL;
    size_t size;
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    spn_script_log_tics(stream, "y", least, most);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(out, expected);
    free(out);
}

static void test_tics(void **state)
{
    (void)state;
    expect_tics(0.05, 900, "");
    expect_tics(1e-300, 1e300, "");
    expect_tics(1.2, 55, "set for [p=0:1] ytics add (2*10.**p, 5*10.**p)\n");
    expect_tics(1.1, 8.8, "unset mytics\nset for [k=2:8] ytics add (k*1)\n");
    expect_tics(4.2, 4.9, "unset mytics\nset for [k=42:49] ytics add (k*0.1)\n");
    expect_tics(1, 1, "");
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
                               .as[SPN_FIGURE_LINES] = true,
                               .as[SPN_FIGURE_HEAT] = true,
                               .log_x = log_x,
                               .log_y = log_y}};
}

static void draw(drawn *d)
{
    spn_error err = {0};
    assert_ok(spn_report_figure_make(&d->figure, d->records, &d->request, &err), err);
    d->lines = spn_test_written(spn_drawing_lines.script, &d->figure);
    d->heat = spn_test_written(spn_drawing_heat.script, &d->figure);
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
    return spn_test_strtod(found + strlen(mark), NULL);
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
    assert_near(spn_test_strtod(strchr(d.csv, '\n') + 1, NULL), -1, 0);
    finish(&d);
    d = start(true, true);
    spn_test_run(d.records, "0", "3", "loss", 0);
    spn_test_run(d.records, "1", "3", "loss", 2);
    draw(&d);
    assert_non_null(strstr(d.lines, "set logscale x"));
    assert_non_null(strstr(d.lines, "set logscale y"));
    assert_non_null(strstr(d.heat, "set logscale cb"));
    assert_near(spn_test_strtod(strchr(d.csv, '\n') + 1, NULL), 0.5, 0);
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
    assert_non_null(strstr(d.lines, "low(end) = end > 0 ? end : bottom/2"));
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
    assert_non_null(strstr(d.lines, "every ::2::3 using (aside($1,0.5)):($2*1) with lines"));
    assert_near(spn_test_strtod(strchr(d.csv, '\n') + 1, NULL), 0.1, 0);
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

/* A short key is at the side; a long one is below, and the picture higher. */
static void test_long_keys_are_below(void **state)
{
    (void)state;
    drawn d = many_curves("", 6);
    assert_non_null(strstr(d.lines, "set key outside right"));
    assert_non_null(strstr(d.lines, "svg noenhanced size 720,440 "));
    finish(&d);
    d = many_curves("", MOST);
    assert_non_null(strstr(d.lines, "set key title ' ' outside below"));
    assert_near(number_after(d.lines, "horizontal maxcols "), 4, 0);
    assert_true(number_after(d.lines, "svg noenhanced size 720,") > 500);
    finish(&d);
    d = many_curves(" that goes on and on and on and on", 2);
    assert_near(number_after(d.lines, "horizontal maxcols "), 1, 0);
    finish(&d);
}

/* ---- heat maps ---- */

static void test_heat_of_many_columns(void **state)
{
    (void)state;
    drawn d = start(false, false);
    for (size_t k = 0; k < 20; k++) {
        char gamma[32];
        spn_print_text(gamma, sizeof gamma, "%.12g", (double)k * 3 / 19);
        spn_test_run(d.records, gamma, "3", "loss", (double)k);
    }
    draw(&d);
    assert_non_null(
        strstr(d.heat, "set xtics rotate by 40 right ('0' 0, '0.157895' 1, '0.315789' 2, "));
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
    char *page = spn_test_written(spn_drawing_heat.page, &d.figure);
    snprintf(cell, sizeof cell, "background:%s;color:#fff", spn_heat_colour(colour, 0.5));
    assert_non_null(strstr(page, cell));
    assert_non_null(strstr(page, ">10.0</td>"));
    free(page);
    finish(&d);
}

/* The colours' numbers have room, and no number is too great for a heat map. */
static void test_great_numbers(void **state)
{
    (void)state;
    drawn d = start(false, false);
    spn_test_run(d.records, "1", "3", "loss", 4943);
    spn_test_run(d.records, "2", "3", "loss", 275578);
    draw(&d);
    assert_non_null(strstr(d.heat, "set cblabel offset 2\n"));
    finish(&d);
    for (int variant = 0; variant < 4; variant++) {
        d = start(false, variant & 1);
        d.request.value = variant & 2 ? "accuracy" : "loss"; /* which is shown in percent */
        spn_test_run(d.records, "1", "3", d.request.value, 1.6e308);
        spn_test_run(d.records, "1", "3", d.request.value, 1.7e308);
        spn_test_run(d.records, "2", "3", d.request.value, -1.7e308);
        spn_test_run(d.records, "3", "3", d.request.value, 1e307);
        draw(&d);
        const spn_heat heat = spn_heat_make(&d.figure);
        assert_true(heat.least < heat.most);
        assert_true(isfinite(heat.least * heat.factor) && isfinite(heat.most * heat.factor));
        assert_null(strstr(d.heat, "inf"));
        assert_null(strstr(d.lines, "inf"));
        free(spn_test_written(spn_drawing_heat.page, &d.figure));
        finish(&d);
    }
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
        cmocka_unit_test(test_long_keys_are_below),
        cmocka_unit_test(test_heat_of_many_columns),
        cmocka_unit_test(test_scale_of_heat),
        cmocka_unit_test(test_heat_of_the_page),
        cmocka_unit_test(test_great_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
