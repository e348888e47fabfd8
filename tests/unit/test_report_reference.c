/* References: joint intervals worked out by hand, how points are matched, files that are not right.
 */
#include "record/record.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A scratch folder whose reference/r.csv holds text. */
static char *folder_with(void **state, const char *text)
{
    assert_int_equal(mkdir(spn_scratch_path(state, "reference"), 0777), 0);
    char *path = strdup(spn_scratch_text(state, "reference/r.csv", text));
    assert_non_null(path);
    *strstr(path, "/reference") = 0;
    return path;
}

static spn_sweep_figure request_of(const char *value)
{
    return (spn_sweep_figure){.name = "figure",
                              .x = "gamma",
                              .by = "replicas",
                              .value = (char *)value,
                              .reference = "papers/r.csv",
                              .reference_name = "paper"};
}

/* Runs 1, 2, 3, 4 at gamma 0.5, replicas 3; one run at 1; two equal ones at 2. */
static spn_records *records_in(const char *folder, const char *value)
{
    spn_records *records = spn_test_records(folder);
    for (int k = 1; k <= 4; k++)
        spn_test_run(records, "0.5", "3", value, k);
    spn_test_run(records, "1", "3", value, 8);
    spn_test_run(records, "2", "3", value, 6);
    spn_test_run(records, "2", "3", value, 6);
    return records;
}

static void test_joint_intervals(void **state)
{
    spn_error err = {0};
    char *folder = folder_with(state, "# where from\n"
                                      "replicas,note,gamma,loss,loss_half\r\n"
                                      "3,\"a, b\",0.5000001,2.0,1\n"
                                      "3,,1,7,0.5\n"
                                      "3.0,,2,6,0\n"
                                      "3,,4,9,\n"
                                      "3,,5,,\n"
                                      "7,,1,9,1\n");
    spn_sweep_figure request = request_of("loss");
    spn_records *records = records_in(folder, "loss");
    spn_report_figure figure;
    assert_ok(spn_report_figure_make(&figure, records, &request, &err), err);
    assert_int_equal(figure.count, 1); /* no curve of theirs alone */
    assert_int_equal(figure.curves[0].count, 4);
    const spn_report_cell *cell = spn_test_cell(&figure, "3", "0.5");
    assert_true(cell->has_reference);
    assert_near(cell->reference_half, 1, 0);
    assert_int_equal(cell->reference_digits, 1);
    assert_int_equal(cell->reference_half_digits, 0);
    assert_near(cell->joint, 2.284728693413248, 1e-14); /* sqrt(2.05426026^2 + 1) */
    assert_near(cell->difference, 0.2188443649530352, 1e-14);
    cell = spn_test_cell(&figure, "3", "1"); /* one run: unknown */
    assert_true(cell->has_reference && isnan(cell->joint) && isnan(cell->difference));
    cell = spn_test_cell(&figure, "3", "2"); /* both exactly the same, without a unit to say how */
    assert_near(cell->joint, 0, 0);
    assert_true(isnan(cell->difference));
    cell = spn_test_cell(&figure, "3", "4"); /* theirs alone */
    assert_true(cell->has_reference && cell->ours.count == 0 && isnan(cell->ours.mean));
    assert_near(cell->x, 4, 0);
    assert_int_equal(figure.compared, 1);
    assert_int_equal(figure.within, 1);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
    free(folder);
}

/* Without an interval the reference counts as one run: t deviation = 3.18244631 * 1.29099445. */
static void test_reference_without_interval(void **state)
{
    spn_error err = {0};
    char *folder = folder_with(state, "gamma,replicas,loss\n0.5,3,20e-1\n2,3,5.50\n");
    spn_sweep_figure request = request_of("loss");
    spn_records *records = records_in(folder, "loss");
    spn_report_figure figure;
    assert_ok(spn_report_figure_make(&figure, records, &request, &err), err);
    const spn_report_cell *cell = spn_test_cell(&figure, "3", "0.5");
    assert_true(isnan(cell->reference_half));
    assert_int_equal(cell->reference_digits, -1);
    assert_int_equal(spn_test_cell(&figure, "3", "2")->reference_digits, 2);
    assert_near(cell->joint, 4.593465577592699, 1e-14);
    assert_near(cell->difference, 0.1088502768887702, 1e-14);
    cell = spn_test_cell(&figure, "3", "2"); /* no deviation, and another value */
    assert_true(cell->joint == 0 && isnan(cell->difference));
    assert_int_equal(figure.compared, 1);
    assert_int_equal(figure.within, 1);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
    free(folder);
}

/* The figure's conditions choose among the rows, too. */
static void test_conditions(void **state)
{
    spn_error err = {0};
    char *where[] = {"gamma<=2", "data = mnist", "solved=1"};
    char *folder = folder_with(state, "data,gamma,replicas,loss\n"
                                      "mnist,0.5,3,2\nfashion,0.5,3,3\nmnist,4,3,5\n");
    spn_sweep_figure request = request_of("loss");
    request.where = where;
    request.where_count = 3;
    spn_records *records = records_in(folder, "loss");
    for (size_t r = 0; r < records->count; r++) {
        assert_ok(spn_record_add_setting(&records->records[r], "data", "mnist", &err), err);
        assert_ok(spn_record_add_result(&records->records[r], "solved", 1, &err), err);
    }
    spn_report_figure figure;
    assert_ok(spn_report_figure_make(&figure, records, &request, &err), err);
    assert_int_equal(figure.curves[0].count, 3);
    assert_near(spn_test_cell(&figure, "3", "0.5")->reference, 2, 0);
    spn_report_figure_clear(&figure);
    spn_records_free(records);
    free(folder);
}

static void refuse(void **state, const char *value, const char *text, const char *part)
{
    spn_error err = {0};
    spn_report_figure figure;
    const char *path = spn_scratch_text(state, "reference/r.csv", text);
    char *folder = strdup(path);
    assert_non_null(folder);
    *strstr(folder, "/reference") = 0;
    spn_sweep_figure request = request_of(value);
    spn_records *records = records_in(folder, value);
    assert_error(spn_report_figure_make(&figure, records, &request, &err), &err, SPN_ERROR_INPUT,
                 "reference/r.csv: ", part);
    assert_null(figure.curves);
    spn_records_free(records);
    free(folder);
}

static void test_bad_files(void **state)
{
    spn_error err = {0};
    spn_report_figure figure;
    spn_sweep_figure request = request_of("loss");
    spn_records *records = records_in("/nonexistent", "loss");
    assert_error(spn_report_figure_make(&figure, records, &request, &err), &err, SPN_ERROR_IO,
                 "/nonexistent/reference/r.csv", "No such file");
    spn_records_free(records);
    assert_int_equal(mkdir(spn_scratch_path(state, "reference"), 0777), 0);
    refuse(state, "loss", "", "is empty");
    refuse(state, "loss", "gamma,loss\n1,2\n",
           "there is no column 'replicas'; the first line names the columns gamma, replicas, loss");
    refuse(state, "loss", "gamma,replicas\n1,2\n", "there is no column 'loss'");
    refuse(state, "loss", "gamma,replicas,loss\n1,3,x\n", "line 2: loss is 'x', not a number");
    refuse(state, "loss", "gamma,replicas,loss\n\n1,3\n",
           "line 3 has 2 cells; the first line has 3");
    refuse(state, "loss", "gamma,replicas,loss,loss_half\n1,3,1,-1\n", "line 2: half");
    refuse(state, "loss", "gamma,replicas,loss\n1,3,1\n1.0,3,2\n",
           "line 3: a second row for gamma = 1.0, replicas = 3");
    refuse(state, "test_accuracy", "gamma,replicas,test_accuracy\n1,3,88\n",
           "expected a share from 0 to 1, not percents");
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_joint_intervals),
                                       scratch_test(test_reference_without_interval),
                                       scratch_test(test_conditions), scratch_test(test_bad_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
