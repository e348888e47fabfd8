/* Views of records: groups of runs and of rows of curves, kinds of names, and what looks wrong. */
#include "query/query.h"
#include "record/record.h"
#include "support/json.h"
#include "support/reports.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/lab/view.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gamma 0 and 0.5, the second also as 0.50, with two rows of flips each. */
static spn_records *sample(void)
{
    const char *const gammas[] = {"0.5", "0", "0.50", "0"}, *const axis[] = {"0.5", "0", NULL};
    const double p[] = {0, 0.1}, accuracy[] = {1, 0.5};
    spn_error err = {0};
    spn_records *records = spn_test_records("nowhere");
    spn_test_axis(records, "gamma", axis);
    for (size_t k = 0; k < 4; k++) {
        spn_record *run = spn_test_run(records, gammas[k], "3", "loss", k == 3 ? NAN : (double)k);
        spn_test_flips(run, 2, p, accuracy);
        assert_ok(spn_record_add_text(run, "stop", k ? "steps" : "target", &err), err);
    }
    return records;
}

static void test_groups(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_records *records = sample();
    spn_observation rows[8];
    for (size_t k = 0; k < 8; k++)
        rows[k] = (spn_observation){&records->records[k / 2], k % 2};
    spn_groups groups;
    spn_summary summary;
    char text[SPN_FIELD_TEXT];
    const char *const names[] = {"flips.p", "gamma"};
    assert_ok(spn_groups_make(&groups, rows, 8, names, 2, records->sweep, &err), err);
    assert_int_equal(groups.count, 4); /* 0.5 is 0.50; as the axis has them: 0.5 before 0 */
    assert_string_equal(spn_observation_text(text, groups.groups[0].members[0], "gamma"), "0.5");
    assert_string_equal(spn_observation_text(text, groups.groups[1].members[0], "gamma"), "0");
    assert_string_equal(spn_observation_text(text, groups.groups[3].members[0], "flips.p"), "0.1");
    assert_int_equal(groups.groups[0].count, 2);
    assert_ptr_equal(groups.groups[0].members[1].record, &records->records[2]);
    assert_ok(spn_group_summarise(&summary, &groups.groups[2], "flips.accuracy", false, &err), err);
    assert_near(summary.mean, 0.5, 0);
    assert_ok(spn_group_summarise(&summary, &groups.groups[1], "loss", false, &err), err);
    assert_int_equal(summary.count, 1); /* the other is NaN */
    assert_near(summary.mean, 1, 0);
    spn_groups_clear(&groups);
    assert_ok(spn_groups_make(&groups, rows, 0, names, 2, records->sweep, &err), err);
    assert_int_equal(groups.count, 0);
    spn_groups_clear(&groups);
    spn_records_free(records);
}

/* Numbers in several writings, words, -0 and 0: the group of each run is that of the first that a
   plain search finds equal. */
static void test_many_values(void **state)
{
    (void)state;
    enum { RUNS = 1200, KINDS = 301 };
    static const char *const name = "gamma", *const ends[] = {"", ".0", "e0", "g"};
    const char *const none[] = {NULL};
    spn_error err = {0};
    spn_records *records = spn_test_records("nowhere");
    spn_test_axis(records, name, none);
    for (size_t k = 0; k < RUNS; k++) {
        char text[32];
        snprintf(text, sizeof text, "%s%zu%s", k % 5 ? "" : "-", k * 7919 % KINDS, ends[k % 4]);
        spn_test_run(records, text, "3", "loss", 0);
    }
    spn_observation all[RUNS];
    spn_groups groups;
    size_t met = 0, first[RUNS];
    for (size_t k = 0; k < RUNS; k++)
        all[k] = (spn_observation){&records->records[k], 0};
    assert_ok(spn_groups_make(&groups, all, RUNS, &name, 1, records->sweep, &err), err);
    for (size_t k = 0; k < RUNS; k++) {
        char text[SPN_FIELD_TEXT], other[SPN_FIELD_TEXT], *end, *other_end;
        const char *mine = spn_observation_text(text, all[k], name);
        const double number = spn_test_strtod(mine, &end);
        size_t g = 0;
        for (; g < met; g++) {
            const char *theirs = spn_observation_text(other, all[first[g]], name);
            const double value = spn_test_strtod(theirs, &other_end);
            if ((!*end && !*other_end && value == number) || strcmp(mine, theirs) == 0)
                break;
        }
        if (g == met)
            first[met++] = k;
        size_t at = 0;
        while (at < groups.groups[g].count &&
               groups.groups[g].members[at].record != &records->records[k])
            at++;
        assert_true(at < groups.groups[g].count);
    }
    assert_int_equal(groups.count, met);
    spn_groups_clear(&groups);
    spn_records_free(records);
}

static void test_names(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_records *records = sample();
    spn_view view;
    const char *where[] = {"gamma=0.5", "stop=steps"};
    spn_view_options options = {.where_count = 2, .where = where, .columns = "loss,stop,seed"};
    assert_ok(spn_view_make(&view, records, &options, &err), err);
    assert_int_equal(view.count, 1);
    assert_int_equal(view.chosen[0]->run, 3);
    assert_int_equal(view.column_count, 3);
    assert_string_equal(view.by[0], "gamma");
    assert_int_equal(spn_view_kind(&view, "loss"), SPN_NAME_RESULT);
    assert_int_equal(spn_view_kind(&view, "stop"), SPN_NAME_TEXT);
    assert_int_equal(spn_view_kind(&view, "replicas"), SPN_NAME_SETTING);
    assert_int_equal(spn_view_kind(&view, "seconds"), SPN_NAME_NUMBER);
    assert_int_equal(spn_view_kind(&view, "nothing"), SPN_NAME_NOTHING);
    char doubt[SPN_ERROR_TEXT];
    assert_string_equal(spn_view_doubt(doubt, &view, "gamma=3"),
                        "no run has gamma=3; gamma is 0.5, 0, 0.50");
    assert_string_equal(spn_view_doubt(doubt, &view, "gamma=0"), "");
    spn_view_clear(&view);
    const struct {
        spn_view_options options;
        const char *start, *rest;
    } wrong[] = {{{.columns = "los"}, "columns: there is no 'los'", "did you mean loss"},
                 {{.columns = "flips"}, "columns: flips is a curve", "with curves flips"},
                 {{.by = "loss"}, "by: there is no", "'loss'"},
                 {{.where_count = 1, .where = (const char *[]){"stop<3"}},
                  "where: stop is a text",
                  "= or !="},
                 {{.where_count = 1, .where = (const char *[]){"gamma"}},
                  "where: 'gamma' is no condition",
                  "comparison"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_error(spn_view_make(&view, records, &wrong[k].options, &err), &err,
                     SPN_ERROR_ARGUMENT, wrong[k].start, wrong[k].rest);
        spn_view_clear(&view);
    }
    spn_records_free(records);
}

/* As in the manifest: numbers in as few digits as read back, words beside them. */
static void test_json(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_records *records = sample();
    spn_json json = {0};
    char *text;
    assert_ok(spn_json_begin(&json, &err), err);
    spn_record_put(&json, &records->records[1]);
    assert_ok(spn_json_finish(&text, NULL, &json, &err), err);
    spn_json_tree tree = json_of(text, strlen(text));
    const spn_json_value *root = tree.root;
    const spn_json_value *results = spn_json_get(root, "results");
    assert_near(spn_json_get_real(spn_json_get(results, "loss")), 1, 0);
    assert_string_equal(spn_json_get_text(spn_json_get(results, "stop")), "steps");
    assert_non_null(strstr(text, "\"p\":[0,0.1]"));
    assert_null(spn_json_get(root, "check"));
    spn_json_unload(&tree);
    free(text);
    spn_records_free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_many_values),
                                       cmocka_unit_test(test_names), cmocka_unit_test(test_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
