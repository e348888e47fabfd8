/* Sweeps, records and reports by texts alone, as bindings of other languages call them. */
#include "support/scratch.h"
#include "sweep/folder.h"

#include <ftw.h>
#include <spinney/lab/folder_call.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char specification[] =
    "{\"name\": \"small\", \"task\": \"anneal\", \"runs\": 3, \"seed\": 7,\n"
    " \"settings\": {\"energy\": \"bits\", \"random\": \"21,7\", \"steps\": 500, \"beta\": 0.8},\n"
    " \"grid\": [{\"setting\": \"gamma\", \"values\": [0, 0.1]}],\n"
    " \"figures\": [{\"name\": \"least\", \"x\": \"gamma\", \"value\": \"best_energy\"},\n"
    "               {\"name\": \"spread\", \"value\": \"best_energy\", \"as\": [\"histogram\"]}]}";

/* The same as a file. */
static const char yaml[] = "name: small\n"
                           "task: anneal\n"
                           "runs: 3\n"
                           "seed: 7\n"
                           "settings: {energy: bits, random: '21,7', steps: 500, beta: 0.8}\n"
                           "grid:\n"
                           "  - {setting: gamma, values: [0, 0.1]}\n"
                           "figures:\n"
                           "  - {name: least, x: gamma, value: best_energy}\n"
                           "  - {name: spread, value: best_energy, as: [histogram]}\n";

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

/* A folder that is made in the test, with all that is in it. */
static void remove_folder(const char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    while ((text = strstr(text, part))) {
        found++;
        text += strlen(part);
    }
    return found;
}

static spn_sweep *parse(const char *text)
{
    spn_error err = {0};
    spn_sweep *sweep;
    assert_ok(spn_sweep_parse_json(&sweep, text, "specification", NULL, 0, &err), err);
    return sweep;
}

/* Run the sweep into a folder of the scratch, and read it. */
static spn_records *run(void **state)
{
    spn_error err = {0};
    char *outcome;
    spn_records *records;
    spn_sweep *sweep = parse(specification);
    const char *folder = spn_scratch_path(state, "small");
    assert_ok(spn_folder_sweep(&outcome, sweep, folder, "specification", 2, NULL, NULL, &err), err);
    assert_non_null(strstr(outcome, "\"now\": 6,"));
    assert_non_null(strstr(outcome, "\"complete\": true,"));
    free(outcome);
    spn_sweep_free(sweep);
    assert_ok(spn_folder_read(&records, folder, &err), err);
    assert_int_equal(records->count, 6);
    remove_folder(folder);
    return records;
}

static void test_json_is_yaml(void **state)
{
    spn_error err = {0};
    spn_sweep *json = parse(specification), *file;
    assert_ok(spn_sweep_parse(&file, spn_scratch_text(state, "s.yaml", yaml), NULL, 0, &err), err);
    char *one = spn_sweep_show(json), *other = spn_sweep_show(file);
    assert_string_equal(one, other);
    free(one);
    free(other);
    spn_sweep_free(json);
    spn_sweep_free(file);
}

static void test_bad_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"", "specification: line 1: "},
        {"[1]", "specification: expected keys and values, starting with name: and task:"},
        {"{\"name\": 1", "specification: line 1: "},
        {"{\"name\": \"a\", \"task\": \"aneal\"}",
         "specification: task: there is no 'aneal'; did you mean anneal?"},
        {"{\"name\": \"a\", \"task\": \"anneal\", \"settings\": {\"gama\": 1}}",
         "specification: unknown setting 'gama' of anneal; did you mean gamma?"},
        {"{\"name\": \"a\", \"task\": \"anneal\", \"settings\": {\"replicas\": \"x\"}}",
         "specification: replicas: 'x' is not"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_sweep *sweep;
        const spn_status status =
            spn_sweep_parse_json(&sweep, bad[k].text, "specification", NULL, 0, &err);
        assert_error(status, &err, SPN_ERROR_INPUT, bad[k].error, "");
        assert_null(sweep);
    }
}

/* Stop at the first look. */
static int stop_at_once(void *context, size_t runs, size_t finished, double share, double seconds,
                        double seconds_left)
{
    (void)seconds_left;
    assert_true(finished <= runs && share >= 0 && share <= 1 && seconds >= 0);
    ++*(size_t *)context;
    return 1;
}

static void test_stop(void **state)
{
    spn_error err = {0};
    const char *const longer = "steps=1e9";
    spn_sweep *sweep;
    size_t looks = 0;
    char *outcome;
    assert_ok(spn_sweep_parse_json(&sweep, specification, "here", &longer, 1, &err), err);
    const char *folder = spn_scratch_path(state, "long");
    assert_ok(spn_folder_sweep(&outcome, sweep, folder, "here", 1, stop_at_once, &looks, &err),
              err);
    remove_folder(folder);
    assert_true(looks > 0);
    assert_non_null(strstr(outcome, "\"now\": 0,"));
    assert_non_null(strstr(outcome, "\"interrupted\": true,"));
    free(outcome);
    spn_sweep_free(sweep);
}

static void test_records(void **state)
{
    spn_error err = {0};
    const char *const where[] = {"gamma=0.1", "run<3"};
    spn_records *records = run(state);
    char *text;
    assert_ok(spn_folder_json(&text, records, where, 2, "best_energy", NULL, false, &err), err);
    assert_non_null(strstr(text, "\"chosen\": 2,"));
    assert_non_null(strstr(text, "\"best_energy\": {\n          \"count\": 2,"));
    free(text);
    assert_ok(spn_folder_json(&text, records, NULL, 0, NULL, NULL, true, &err), err);
    assert_int_equal(count(text, "\"key\":"), 6);
    free(text);
    assert_ok(spn_folder_csv(&text, records, where, 2, "run,gamma", NULL, &err), err);
    assert_string_equal(text, "run,gamma\n1,0.1\n2,0.1\n");
    free(text);
    assert_error(spn_folder_csv(&text, records, where, 2, NULL, "flip", &err), &err,
                 SPN_ERROR_ARGUMENT, "curves: ", "");
    assert_error(spn_folder_csv(&text, records, where, 2, "run", "replicas", &err), &err,
                 SPN_ERROR_ARGUMENT, "curves: ", "columns");
    assert_error(spn_folder_json(&text, records, NULL, 0, "best_enrgy", NULL, false, &err), &err,
                 SPN_ERROR_ARGUMENT, "columns: ", "best_energy");
    assert_null(text);
    const char *const slip = "gamma=3";
    assert_ok(spn_folder_doubts(&text, records, &slip, 1, &err), err);
    assert_string_equal(text, "no run has gamma=3; gamma is 0, 0.1\n");
    free(text);
    spn_records_free(records);
}

static void test_figures(void **state)
{
    spn_error err = {0};
    const char *const where = "gamma>0";
    spn_records *records = run(state);
    char *text;
    assert_ok(spn_folder_figures(&text, records, NULL, 0, &err), err);
    assert_non_null(strstr(text, "\"x\":[0,0.1]"));
    assert_non_null(strstr(text, "\"title\":\""));
    assert_non_null(strstr(text, "\"kinds\":[\"histogram\"]"));
    assert_non_null(strstr(text, "\"runs\":[3,3]"));
    assert_non_null(strstr(text, "\"pictures\":{\"histogram\":\"spread-histogram\"}"));
    free(text);
    assert_ok(spn_folder_figures(&text, records, &where, 1, &err), err);
    assert_non_null(strstr(text, "\"x\":[0.1]"));
    free(text);
    const char *const none = "gamma>9";
    assert_ok(spn_folder_figures(&text, records, &none, 1, &err), err);
    assert_int_equal(count(text, "\"missing\":"), 2);
    free(text);
    const char *const no_condition = "gamma";
    assert_error(spn_folder_figures(&text, records, &no_condition, 1, &err), &err,
                 SPN_ERROR_ARGUMENT, "where", "gamma");
    spn_records_free(records);
}

static void test_report(void **state)
{
    spn_error err = {0};
    spn_records *records = run(state);
    const char *page = spn_scratch_path(state, "page.html"),
               *figures = spn_scratch_path(state, "figures");
    char *text;
    assert_ok(spn_folder_report(&text, records, NULL, NULL, 0, page, figures, false, false, &err),
              err);
    assert_non_null(strstr(text, "page.html"));
    assert_non_null(strstr(text, "least.csv"));
    assert_non_null(strstr(text, "spread-histogram.gp"));
    assert_non_null(strstr(text, "\"pictures\":false"));
    free(text);
    assert_ok(
        spn_folder_report(&text, records, "spread", NULL, 0, NULL, figures, false, false, &err),
        err);
    assert_null(strstr(text, "least"));
    assert_int_equal(records->sweep->figure_count, 2);
    free(text);
    assert_error(
        spn_folder_report(&text, records, "last", NULL, 0, NULL, figures, false, false, &err), &err,
        SPN_ERROR_ARGUMENT, "figure: there is no figure 'last'", "least");
    remove_folder(figures);
    spn_records_free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_json_is_yaml), cmocka_unit_test(test_bad_json), scratch_test(test_stop),
        scratch_test(test_records),      scratch_test(test_figures),      scratch_test(test_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
