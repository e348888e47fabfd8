/* Traces written and read back, files that appear whole or not at all, figures. */
#include "base/file.h"
#include "record/record.h"
#include "support/test.h"

#include <math.h>
#include <spinney/lab/plot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/spinney-test-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static void files_appear_whole_or_not_at_all(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_file *file;
    assert_ok(spn_file_create(&file, path_of("a"), &err), err);
    fprintf(spn_file_stream(file), "half");
    assert_false(exists(path_of("a")));
    spn_file_discard(file);
    assert_false(exists(path_of("a")));
    assert_ok(spn_file_create(&file, path_of("a"), &err), err);
    fprintf(spn_file_stream(file), "whole");
    assert_ok(spn_file_commit(file, &err), err);
    assert_true(exists(path_of("a")));
    assert_int_equal(spn_file_create(&file, "/nonexistent/a", &err), SPN_ERROR_IO);
    assert_non_null(strstr(err.text, "/nonexistent/a"));
    assert_int_equal(spn_file_create(&file, folder, &err), SPN_ERROR_IO);
    /* a device is written to, not replaced */
    assert_ok(spn_file_create(&file, "/dev/null", &err), err);
    assert_ok(spn_file_commit(file, &err), err);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    /* a full disk is an error at the end, not a short file */
    assert_ok(spn_file_create(&file, "/dev/full", &err), err);
    fprintf(spn_file_stream(file), "text");
    assert_int_equal(spn_file_commit(file, &err), SPN_ERROR_IO);
    assert_non_null(strstr(err.text, "No space left"));
}

static void traces_read_back_exactly(void **state)
{
    (void)state;
    spn_error err = {0};
    double values[40][10];
    const spn_trace_rows rows = {.replicas = 2, .count = 40, .values = values[0]};
    for (size_t k = 0; k < 40; k++) {
        const double row[10] = {(double)(k * 10), 0.1 * (double)k, 0.5, 1.0 / 7, 0.25,
                                1.0 / 3,          -2e-300,         0,   1e300,   0.125};
        memcpy(values[k], row, sizeof row);
    }
    assert_ok(spn_trace_rows_write(&rows, path_of("trace.csv"), &err), err);
    spn_result_curve columns;
    assert_ok(spn_trace_read(&columns, path_of("trace.csv"), &err), err);
    assert_int_equal(columns.columns, 10);
    assert_int_equal(spn_result_curve_column(&columns, "seconds"), 9);
    assert_true(columns.values[9][3] == 0.125);
    assert_int_equal(columns.rows, 40);
    assert_string_equal(columns.names[5], "energy_1");
    assert_int_equal(spn_result_curve_column(&columns, "best_2"), 8);
    assert_true(spn_result_curve_column(&columns, "nothing") == SIZE_MAX);
    assert_true(columns.values[0][39] == 390 && columns.values[1][39] == 0.1 * 39);
    assert_true(columns.values[5][0] == 1.0 / 3 && columns.values[6][0] == -2e-300);
    assert_true(columns.values[8][7] == 1e300 && columns.values[3][1] == 1.0 / 7);
    spn_result_curve_clear(&columns);
}

static void write_text(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static void bad_columns_are_refused(void **state)
{
    (void)state;
    const char *bad[] = {"", "a,b\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,b\n1,x\n"};
    for (size_t k = 0; k < 5; k++) {
        spn_error err = {0};
        spn_result_curve columns;
        write_text(path_of("bad.csv"), bad[k]);
        assert_int_equal(spn_trace_read(&columns, path_of("bad.csv"), &err), SPN_ERROR_INPUT);
        assert_non_null(strstr(err.text, "bad.csv"));
        assert_null(columns.names);
    }
}

static void figures_are_drawn(void **state)
{
    (void)state;
    spn_error err = {0};
    const double x[] = {0, 1, 2, 3}, rising[] = {0, 1, 2, 3}, odd[] = {3, NAN, 0, -1};
    const spn_curve curves[] = {{"rising", 4, x, rising}, {"odd", 4, x, odd}};
    spn_figure figure = {"title", "x", "y", false, false, 2, curves};
    char *text;
    assert_ok(spn_figure_text(&text, &figure, 40, 12, false, &err), err);
    assert_non_null(strstr(text, "title: y"));
    assert_non_null(strstr(text, "rising  odd"));
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 12);
    free(text);
    figure.log_y = true; /* what is not positive is left out, and something is left */
    assert_ok(spn_figure_text(&text, &figure, 40, 12, true, &err), err);
    assert_non_null(strstr(text, "\033["));
    free(text);
    figure.count = 0;
    assert_int_equal(spn_figure_text(&text, &figure, 40, 12, false, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_figure_text(&text, &figure, 4, 2, false, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_figure_file(&figure, path_of("figure.jpg"), &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, ".svg, .pdf or .png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_appear_whole_or_not_at_all),
        cmocka_unit_test(traces_read_back_exactly),
        cmocka_unit_test(bad_columns_are_refused),
        cmocka_unit_test(figures_are_drawn),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
