/* Records: looking things up, conditions. */
#include "record/record.h"
#include "support/scratch.h"
#include "support/sweeps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking things up ---- */

/* A record of a folder has the sweep's defaults where it has no setting of that name. */
static void test_record_defaults(void **state)
{
    (void)state;
    spn_record r = spn_test_record(3);
    spn_field defaults[] = {{"steps", "300000"}, {"gamma", "7"}};
    bool match;
    spn_error err = {0};
    assert_null(spn_record_setting(&r, "steps"));
    r.default_count = 2;
    r.defaults = defaults;
    assert_string_equal(spn_record_setting(&r, "steps"), "300000");
    assert_true(spn_record_number(&r, "steps") == 300000);
    assert_string_equal(spn_record_setting(&r, "gamma"), "0"); /* its own */
    assert_ok(spn_record_matches(&match, &r, "steps>=1e5", &err), err);
    assert_true(match);
    const spn_record *const list[] = {&r};
    const char *const columns[] = {"steps"};
    char *text;
    assert_ok(spn_records_csv(&text, list, 1, NULL, columns, 1, &err), err);
    assert_string_equal(text, "steps\n300000\n");
    free(text);
    spn_record_clear(&r);
}

static void test_lookup(void **state)
{
    (void)state;
    spn_record r = spn_test_record(3);
    spn_error err = {0};
    assert_string_equal(spn_record_setting(&r, "gamma"), "0");
    assert_null(spn_record_setting(&r, "gam"));
    assert_true(spn_record_number(&r, "replicas") == 5);
    assert_true(spn_record_number(&r, "test_accuracy") == 3.1);
    assert_true(spn_record_number(&r, "run") == 2 && spn_record_number(&r, "seed") == 3);
    assert_true(spn_record_number(&r, "seconds") == 4.5);
    assert_true(isnan(spn_record_number(&r, "data")) && isnan(spn_record_number(&r, "nothing")));
    assert_true(isnan(spn_record_number(&r, "none")));
    const spn_result_curve *curve = spn_record_curve(&r, "flips");
    assert_non_null(curve);
    assert_int_equal(spn_result_curve_column(curve, "accuracy"), 1);
    assert_true(spn_result_curve_column(curve, "accurac") == SIZE_MAX);
    assert_null(spn_record_curve(&r, "flip"));
    /* a name that is a setting of words and a result */
    assert_ok(spn_record_add_setting(&r, "energy", "errors", &err), err);
    assert_ok(spn_record_add_result(&r, "energy", 12, &err), err);
    assert_true(spn_record_number(&r, "energy") == 12);
    spn_record_clear(&r);
    spn_record_clear(&r); /* empty: nothing to do */
}

/* What is given again replaces what was there. */
static void test_given_again(void **state)
{
    (void)state;
    spn_record r = {0};
    spn_error err = {0};
    const double ones[] = {1, 2};
    const double *const values[] = {ones, ones};
    const char *const names[] = {"p", "q"};
    for (int again = 0; again < 2; again++) {
        assert_ok(spn_record_add_setting(&r, "a", again ? "2" : "1", &err), err);
        assert_ok(spn_record_add_result(&r, "b", again, &err), err);
        assert_ok(spn_record_add_curve(&r, "c", again ? 2 : 1, names, 2, values, &err), err);
    }
    assert_true(r.setting_count == 1 && r.result_count == 1 && r.curve_count == 1);
    assert_string_equal(r.settings[0].text, "2");
    assert_true(r.results[0].value == 1 && r.curves[0].columns == 2);
    spn_record_clear(&r);
}

/* ---- conditions ---- */

static bool holds(const spn_record *record, const char *condition)
{
    bool out;
    spn_error err = {0};
    assert_ok(spn_record_matches(&out, record, condition, &err), err);
    return out;
}

static void test_conditions(void **state)
{
    (void)state;
    spn_record r = spn_test_record(6); /* gamma 0.5, replicas 5, run 1 */
    const char *const yes[] = {"gamma=0.5",    "gamma=5e-1",        "gamma <= 0.5", " gamma>=.5",
                               "gamma<0.6",    "gamma>-1",          "gamma!=0.6",   "data=mnist",
                               "data!=digits", "data != 7",         "run=1",        "seed=6",
                               "seconds>7",    "test_accuracy=6.1", "gamma!=half"};
    const char *const no[] = {"gamma=0.6",  "gamma<0.5",   "gamma>0.5", "gamma!=0.50", "data=Mnist",
                              "data=mnis",  "data!=mnist", "data=7",    "data<7",      "nothing=1",
                              "nothing!=1", "none=1",      "none!=1",   "gamma=half",  "none<1"};
    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        if (!holds(&r, yes[k]))
            fail_msg("%s does not hold", yes[k]);
    for (size_t k = 0; k < sizeof no / sizeof *no; k++)
        if (holds(&r, no[k]))
            fail_msg("%s holds", no[k]);
    spn_record_clear(&r);
}

static void test_no_conditions(void **state)
{
    (void)state;
    spn_record r = {0};
    const struct {
        const char *text, *why;
    } cases[] = {{"", "no comparison"},
                 {"gamma", "no comparison"},
                 {"=3", "no name"},
                 {" <3", "no name"},
                 {"gamma=", "no value"},
                 {"gamma<= ", "no value"},
                 {"gamma==3", "no value"},
                 {"gamma=<3", "no value"},
                 {"gamma!3", "no comparison"},
                 {"gamma<three", "only numbers are less or greater"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        spn_error err = {0};
        bool out = true;
        assert_error(spn_record_matches(&out, &r, cases[k].text, &err), &err, SPN_ERROR_ARGUMENT,
                     cases[k].why, "expected NAME OP VALUE");
        assert_false(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record_defaults), cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_given_again), cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_no_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
