/* Records and sweeps: the specification on disk, looking things up, conditions. */
#include "record/sweep.h"
#include "support/scratch.h"
#include "support/sweeps.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sweep.json ---- */

static void assert_texts(const char *a, const char *b)
{
    assert_true(!a == !b);
    if (a)
        assert_string_equal(a, b);
}

static void assert_figures_equal(const spn_sweep_figure *a, const spn_sweep_figure *b)
{
    assert_texts(a->name, b->name);
    assert_texts(a->title, b->title);
    assert_texts(a->x, b->x);
    assert_texts(a->by, b->by);
    assert_texts(a->value, b->value);
    assert_texts(a->also, b->also);
    assert_texts(a->x_label, b->x_label);
    assert_texts(a->by_label, b->by_label);
    assert_texts(a->label, b->label);
    assert_true(memcmp(a->as, b->as, sizeof a->as) == 0);
    assert_true(a->bands == b->bands && a->log_x == b->log_x && a->log_y == b->log_y);
    assert_int_equal(a->best, b->best);
    assert_int_equal(a->where_count, b->where_count);
    for (size_t k = 0; k < a->where_count; k++)
        assert_texts(a->where[k], b->where[k]);
    assert_texts(a->reference, b->reference);
    assert_texts(a->reference_name, b->reference_name);
}

static void assert_measures_equal(const spn_measures *a, const spn_measures *b)
{
    assert_true(a->models == b->models && a->traces == b->traces);
    assert_int_equal(a->flips_count, b->flips_count);
    for (size_t k = 0; k < a->flips_count; k++)
        assert_true(a->flips[k] == b->flips[k]);
    assert_true(a->flips_trials == b->flips_trials && a->flips_exact == b->flips_exact);
    assert_true(a->profile_walks == b->profile_walks && a->profile_reach == b->profile_reach);
    assert_int_equal(a->profile_points, b->profile_points);
}

static void assert_fields_equal(const spn_field *a, size_t a_count, const spn_field *b,
                                size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t k = 0; k < a_count; k++) {
        assert_texts(a[k].name, b[k].name);
        assert_texts(a[k].text, b[k].text);
    }
}

static void assert_sweeps_equal(const spn_sweep *a, const spn_sweep *b)
{
    assert_texts(a->name, b->name);
    assert_texts(a->title, b->title);
    assert_texts(a->about, b->about);
    assert_texts(a->task, b->task);
    assert_texts(a->version, b->version);
    assert_true(a->seed == b->seed && a->runs == b->runs);
    assert_fields_equal(a->fixed, a->fixed_count, b->fixed, b->fixed_count);
    assert_fields_equal(a->defaults, a->default_count, b->defaults, b->default_count);
    assert_int_equal(a->file_count, b->file_count);
    for (size_t k = 0; k < a->file_count; k++) {
        assert_texts(a->files[k].setting, b->files[k].setting);
        assert_texts(a->files[k].name, b->files[k].name);
        assert_true(a->files[k].checksum == b->files[k].checksum);
    }
    assert_int_equal(a->axis_count, b->axis_count);
    for (size_t k = 0; k < a->axis_count; k++) {
        assert_texts(a->axes[k].setting, b->axes[k].setting);
        assert_int_equal(a->axes[k].count, b->axes[k].count);
        for (size_t v = 0; v < a->axes[k].count; v++)
            assert_texts(a->axes[k].values[v], b->axes[k].values[v]);
    }
    assert_measures_equal(&a->measures, &b->measures);
    assert_int_equal(a->figure_count, b->figure_count);
    for (size_t k = 0; k < a->figure_count; k++)
        assert_figures_equal(&a->figures[k], &b->figures[k]);
}

static void test_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_sweep *sweep = spn_test_sweep(), *back;
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    assert_int_equal(spn_sweep_jobs(sweep), SPN_TEST_JOBS);
    assert_ok(spn_sweep_read(&back, folder, &err), err);
    assert_sweeps_equal(back, sweep);
    assert_ok(spn_sweep_write(back, folder, &err), err); /* over the one that is there */
    spn_assert_content(folder, "sweep.json", bytes, size);
    free(bytes);
    spn_sweep_free(back);
    spn_sweep_free(sweep);
    spn_sweep_free(NULL);
}

/* As little as a sweep can hold, in a folder in folders that are not there. */
static void test_small_sweep(void **state)
{
    spn_error err = {0};
    spn_scratch_path(state, "a");
    spn_scratch_path(state, "a/b");
    const char *folder = spn_scratch_path(state, "a/b/c");
    spn_scratch_path(state, "a/b/c/sweep.json");
    char name[] = "n", task[] = "eval", version[] = "1";
    const spn_sweep sweep = {.name = name, .task = task, .version = version, .runs = 1};
    spn_sweep *back;
    assert_ok(spn_sweep_write(&sweep, folder, &err), err);
    assert_ok(spn_sweep_read(&back, folder, &err), err);
    assert_sweeps_equal(back, &sweep);
    assert_int_equal(spn_sweep_jobs(back), 1);
    spn_sweep_free(back);
}

/* What is not measured is left out of the file, and folders that have it all the same are read. */
static void test_no_measures(void **state)
{
    const char *folder = spn_test_folder(state);
    static const char filler[] =
        "{\"format\":1,\"version\":\"1\",\"name\":\"n\",\"task\":\"eval\",\"seed\":0,"
        "\"runs\":1,\"settings\":{},\"grid\":[],\"measure\":{\"models\":false,"
        "\"traces\":false,\"flips\":{\"p\":[],\"trials\":0,\"exact\":false},"
        "\"profile\":{\"walks\":0,\"reach\":0,\"points\":0}},\"figures\":[]}";
    spn_error err = {0};
    spn_sweep *sweep;
    size_t size;
    assert_ok(spn_sweep_from_text(&sweep, filler, strlen(filler), "old", &err), err);
    assert_true(sweep->measures.flips_count == 0 && sweep->measures.profile_walks == 0);
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    json_t *root = json_loadb(bytes, size, 0, NULL);
    assert_non_null(root);
    const json_t *measure = json_object_get(root, "measure");
    assert_null(json_object_get(measure, "flips"));
    assert_null(json_object_get(measure, "profile"));
    assert_null(json_object_get(root, "defaults"));
    assert_null(json_object_get(root, "files"));
    json_decref(root);
    free(bytes);
    spn_sweep_free(sweep);
}

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
    assert_ok(spn_records_csv(&text, list, 1,
                              &(spn_csv_options){.column_count = 1, .columns = columns}, &err),
              err);
    assert_string_equal(text, "steps\n300000\n");
    free(text);
    spn_record_clear(&r);
}

static void test_jobs_overflow(void **state)
{
    (void)state;
    spn_axis axes[] = {{.count = SIZE_MAX / 2}, {.count = 3}};
    spn_sweep sweep = {.runs = 2, .axis_count = 1, .axes = axes};
    assert_true(spn_sweep_jobs(&sweep) == SIZE_MAX - 1);
    sweep.axis_count = 2;
    assert_true(spn_sweep_jobs(&sweep) == SIZE_MAX);
}

static void test_no_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_sweep *sweep;
    char path[256];
    snprintf(path, sizeof path, "%s/sweep.json", folder);
    assert_error(spn_sweep_read(&sweep, "/nowhere", &err), &err, SPN_ERROR_IO, "/nowhere",
                 "there is no such folder");
    assert_error(spn_sweep_read(&sweep, path, &err), &err, SPN_ERROR_IO, "sweep.json",
                 "is a file; give the folder of a sweep");
    remove(path);
    assert_error(spn_sweep_read(&sweep, folder, &err), &err, SPN_ERROR_IO, folder,
                 "is not the folder of a sweep: it has no sweep.json");
    char name[] = "caf\xe9", task[] = "eval", version[] = "1";
    spn_sweep bad = {.name = name, .task = task, .version = version, .runs = 1};
    assert_error(spn_sweep_write(&bad, folder, &err), &err, SPN_ERROR_ARGUMENT, "name",
                 "is not UTF-8");
    bad.seed = UINT64_MAX;
    assert_error(spn_sweep_write(&bad, folder, &err), &err, SPN_ERROR_ARGUMENT,
                 "18446744073709551615", "below 2^63");
    const char *blocked = spn_scratch_text(state, "file", "");
    snprintf(path, sizeof path, "%s/folder", blocked);
    name[3] = 'e';
    bad.seed = 0;
    assert_error(spn_sweep_write(&bad, path, &err), &err, SPN_ERROR_IO, "file/folder",
                 "cannot be made: Not a directory");
}

static spn_status parse(const char *text, size_t size, spn_error *err)
{
    spn_sweep *sweep;
    spn_status status = spn_sweep_from_text(&sweep, text, size, "d/sweep.json", err);
    assert_true((status == SPN_OK) == (sweep != NULL));
    spn_sweep_free(sweep);
    return status;
}

static void test_cut_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    for (size_t cut = 0; cut + 2 < size; cut++) { /* the last byte is a newline */
        spn_error err = {0};
        assert_error(parse(bytes, cut, &err), &err, SPN_ERROR_INPUT, "d/sweep.json: line ",
                     "is not JSON");
    }
    free(bytes);
}

static void test_other_format(void **state)
{
    (void)state;
    spn_error err = {0};
    const char *text = "{\"format\": 7, \"version\": \"9.8.7\"}";
    assert_error(parse(text, strlen(text), &err), &err, SPN_ERROR_INPUT,
                 "d/sweep.json: is of format 7, written by spinney 9.8.7; this is spinney ",
                 "use that version, or make the folder anew");
    text = "{\"format\": 7}";
    assert_error(parse(text, strlen(text), &err), &err, SPN_ERROR_INPUT, "format 7", "unknown");
    text = "[]";
    assert_error(parse(text, strlen(text), &err), &err, SPN_ERROR_INPUT, "'format'", "missing");
}

static bool may_be_missing(const char *key)
{
    static const char *const optional[] = {
        "title",     "about",          "by",    "also",      "x_label",  "label",  "data",
        "reference", "reference_name", "beta",  "by_label",  "defaults", "kernel", "steps",
        "files",     "labels",         "mnist", "\"γ\".csv", "flips",    "profile"};
    for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
        if (strcmp(optional[k], key) == 0)
            return true;
    return false;
}

static void expect_broken(const json_t *root, bool broken)
{
    spn_error err = {0};
    char *text = json_dumps(root, JSON_COMPACT);
    assert_non_null(text);
    spn_status status = parse(text, strlen(text), &err);
    if (broken)
        assert_error(status, &err, SPN_ERROR_INPUT, "d/sweep.json: ", "is missing or is not");
    else
        assert_ok(status, err);
    free(text);
}

/* Take the member at every path away, or put something else there. */
static void break_members(json_t *root, json_t *node)
{
    const char *keys[32], *key;
    size_t count = 0, k;
    json_t *value;
    json_object_foreach(node, key, value) keys[count++] = key;
    for (k = 0; k < count; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s", keys[k]); /* which goes with the member */
        json_t *kept = json_incref(json_object_get(node, name));
        json_object_del(node, name);
        expect_broken(root, !may_be_missing(name));
        json_object_set_new(node, name, json_null());
        expect_broken(root, true);
        json_object_set(node, name, kept);
        break_members(root, kept);
        json_decref(kept);
    }
    json_array_foreach(node, k, value) break_members(root, value);
}

static void test_broken_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    json_t *root = json_loadb(bytes, size, 0, NULL);
    assert_non_null(root);
    break_members(root, root);
    expect_broken(root, false); /* all was put back */
    json_decref(root);
    free(bytes);
}

/* ---- looking things up ---- */

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
    const struct CMUnitTest tests[] = {scratch_test(test_sweep),
                                       scratch_test(test_small_sweep),
                                       scratch_test(test_no_measures),
                                       cmocka_unit_test(test_record_defaults),
                                       cmocka_unit_test(test_jobs_overflow),
                                       scratch_test(test_no_sweep),
                                       scratch_test(test_cut_sweep),
                                       cmocka_unit_test(test_other_format),
                                       scratch_test(test_broken_sweep),
                                       cmocka_unit_test(test_lookup),
                                       cmocka_unit_test(test_given_again),
                                       cmocka_unit_test(test_conditions),
                                       cmocka_unit_test(test_no_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
