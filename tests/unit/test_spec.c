/* Specification files: what comes of a good one, as it is or with values set. */
#include "support/scratch.h"
#include "support/specs.h"
#include "sweep/folder.h"

#include <spinney/lab/job.h>
#include <spinney/lab/sweep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_full(void **state)
{
    spn_sweep *s = spn_test_parse_spec(state, spn_test_full_spec, NULL, 0);
    assert_string_equal(s->name, "gamma-1");
    assert_string_equal(s->about, "Two lines of text.\n");
    assert_true(s->seed == 5 && s->runs == 10);
    assert_int_equal(spn_sweep_jobs(s), 4 * 5 * 10);
    assert_int_equal(s->fixed_count, 10); /* in the order of the file */
    assert_string_equal(s->fixed[1].name, "data");
    assert_string_equal(s->fixed[2].text, "3000");
    assert_string_equal(s->fixed[3].name, "validation");
    assert_string_equal(s->fixed[3].text, "0.2");
    assert_string_equal(s->fixed[4].text, "0,0.01,0.1");
    assert_string_equal(s->fixed[5].text, "100");
    static const char *const gammas[] = {"0", "0.1", "0.8", "0:1"};
    static const char *const betas[] = {"100", "1000", "10000", "100000", "1000000"};
    for (size_t k = 0; k < 4; k++)
        assert_string_equal(s->axes[0].values[k], gammas[k]);
    for (size_t k = 0; k < 5; k++)
        assert_string_equal(s->axes[1].values[k], betas[k]);
    assert_true(s->keep.models && !s->keep.traces && s->keep.replicas);
    assert_int_equal(s->figure_count, 4);
    const spn_sweep_figure *f = s->figures;
    assert_true(!f->as[SPN_FIGURE_LINES] && f->as[SPN_FIGURE_HEAT] && f->as[SPN_FIGURE_TABLE] &&
                f->log_x && !f->log_y && !f->bands);
    assert_int_equal(f->best, SPN_BEST_HIGHEST);
    assert_int_equal(f->where_count, 2);
    assert_string_equal(f->where[1], "run<5");
    assert_string_equal(f->x_label, "γ");
    assert_string_equal(f->by_label, "y");
    assert_true(f[1].as[SPN_FIGURE_LINES] && !f[1].as[SPN_FIGURE_HEAT] && f[1].bands &&
                !f[1].title && !f[1].by);
    spn_sweep_free(s);
}

static void test_defaults(void **state)
{
    spn_sweep *s = spn_test_parse_spec(state, "name: a\ntask: train\n", NULL, 0);
    assert_true(s->seed == 1 && s->runs == 1 && s->fixed_count == 0 && s->axis_count == 0);
    assert_int_equal(spn_sweep_jobs(s), 1);
    spn_sweep_free(s);
}

/* What is shown of a specification is one, of the same sweep. */
static void test_shown(void **state)
{
    spn_sweep *s = spn_test_parse_spec(state, spn_test_full_spec, NULL, 0);
    char *text = spn_sweep_show(s);
    assert_non_null(text);
    assert_non_null(strstr(text, "\nabout: \"Two lines of text.\\u000a\"\ntask: train\n"));
    assert_non_null(strstr(text, "\n# not given, and so by default:\n#   "));
    assert_non_null(strstr(text, "\ngrid:\n  - setting: gamma\n    values: [0, 0.1, 0.8, "));
    assert_non_null(strstr(text, "\nkeep: [models, replicas]\n"));
    assert_non_null(strstr(text, "    as: [heat, table]\n    log: [x]\n    best: highest\n"));
    spn_sweep *again = spn_test_parse_spec(state, text, NULL, 0);
    char *same = spn_sweep_show(again);
    assert_string_equal(same, text);
    free(same);
    free(text);
    spn_sweep_free(again);
    spn_sweep_free(s);
}

/* Cases are an axis of names, some of which may be left out; they are shown as they are read. */
static void test_cases(void **state)
{
    const char *text = "name: a\ntask: anneal\nruns: 2\nsettings: {energy: bits, sites: 9}\ngrid:\n"
                       "  - {setting: alpha, values: [0.3, 0.5]}\n"
                       "  - setting: case\n    cases:\n"
                       "      - {name: one, settings: {replicas: 1}}\n      - {name: none}\n"
                       "      - {name: many, settings: {replicas: 7.0, gamma: \"0:1\"}}\n"
                       "figures:\n  - {name: f, value: solved, x: alpha, by: case,"
                       " where: [case!=one]}\n";
    spn_sweep *s = spn_test_parse_spec(state, text, NULL, 0);
    assert_int_equal(spn_sweep_jobs(s), 12);
    assert_int_equal(s->axes[1].case_count, 3);
    assert_string_equal(s->axes[1].values[2], "many");
    assert_string_equal(s->axes[1].cases[2].settings[0].text, "7");
    char *shown = spn_sweep_show(s);
    spn_sweep *again = spn_test_parse_spec(state, shown, NULL, 0);
    char *same = spn_sweep_show(again);
    assert_string_equal(same, shown);
    spn_sweep_free(s);
    s = spn_test_parse_spec(state, text, (const char *[]){"case=many,one"}, 1);
    assert_int_equal(spn_sweep_jobs(s), 8);
    assert_string_equal(s->axes[1].values[0], "many");
    free(same);
    free(shown);
    spn_sweep_free(again);
    spn_sweep_free(s);
}

static const char *fixed_text(const spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->fixed_count; k++)
        if (strcmp(sweep->fixed[k].name, name) == 0)
            return sweep->fixed[k].text;
    fail_msg("no setting %s", name);
    return NULL;
}

static void test_set(void **state)
{
    const char *const set[] = {
        "runs=2",          "gamma=0.50,1",     "beta-end=500,700", "steps=1e3",
        "flip=0,.5",       "seed=9",           "replicas=5",       "trials=40",
        "profile-walks=3", "profile-points=4", "scaling=3,5",      "keep=traces,replicas",
        "runs=3"};
    spn_sweep *s = spn_test_parse_spec(state, spn_test_full_spec, set, sizeof set / sizeof *set);
    assert_true(s->runs == 3 && s->seed == 9);
    assert_true(s->axes[0].count == 2 && s->axes[1].count == 2);
    assert_string_equal(s->axes[0].values[0], "0.5");
    assert_string_equal(s->axes[1].values[1], "700");
    assert_true(!s->keep.models && s->keep.traces && s->keep.replicas);
    assert_int_equal(s->fixed_count, 12);
    assert_string_equal(fixed_text(s, "steps"), "1000");
    assert_string_equal(fixed_text(s, "scaling"), "3,5");
    assert_string_equal(fixed_text(s, "flip"), "0,.5");
    assert_string_equal(fixed_text(s, "trials"), "40");
    assert_string_equal(fixed_text(s, "profile-walks"), "3");
    spn_sweep_free(s);
}

/* Files are beside the specification. */
static void test_files(void **state)
{
    spn_error err = {0};
    spn_sweep *sweep;
    const char *path =
        spn_scratch_text(state, "spec.yaml",
                         "name: a\ntask: anneal\nsettings:\n  energy: errors\n  patterns: p.csv\n"
                         "grid:\n  - setting: gamma\n    values: [1, 2]\n"
                         "figures:\n  - {name: f, x: gamma, value: energy, reference: r.csv}\n");
    assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_INPUT,
                 "spec.yaml: line 10: 'reference': ", "r.csv: cannot be read");
    spn_scratch_text(state, "r.csv", "gamma,energy\n1,2\n");
    assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_IO,
                 "spec.yaml: line 5: patterns: ", "p.csv");
    spn_scratch_text(state, "p.csv", "1,-1,1\n1,1,x\n");
    assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_INPUT,
                 "spec.yaml: line 5: patterns: ", "p.csv: line 2");
    spn_scratch_text(state, "p.csv", "1,-1,1\n1,1,-1\n");
    assert_ok(spn_sweep_parse(&sweep, path, NULL, 0, &err), err);
    assert_string_equal(sweep->fixed[1].text, "p.csv");
    assert_string_equal(sweep->figures[0].reference, "r.csv");
    spn_sweep_free(sweep);
    assert_error(spn_sweep_parse(&sweep, spn_scratch_path(state, "no.yaml"), NULL, 0, &err), &err,
                 SPN_ERROR_IO, "no.yaml: cannot be opened: ", "No such file");
    assert_error(spn_sweep_parse(&sweep, "/tmp", NULL, 0, &err), &err, SPN_ERROR_IO,
                 "/tmp: is a folder", "the name of a file");
    char *large = malloc((1 << 20) + 2);
    assert_non_null(large);
    memset(large, '#', (1 << 20) + 1);
    path = spn_scratch_write(state, "large.yaml", large, (1 << 20) + 1);
    free(large);
    assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_INPUT,
                 "large.yaml: ", "more than the 1048576 bytes");
}

/* A part of a file is chosen, and its figures are not all for that. */
static void test_condition_on_what_is_set(void **state)
{
    const char *const set[] = {"gamma=0"};
    spn_sweep *s = spn_test_parse_spec(
        state, SPEC_FIGURE "    x: gamma\n    value: overlap\n    where: [gamma=1]\n", set, 1);
    spn_sweep_free(s);
}

static const char *default_of(const spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->default_count; k++)
        if (strcmp(sweep->defaults[k].name, name) == 0)
            return sweep->defaults[k].text;
    return NULL;
}

/* Every setting that is not given, as it is used. */
static void test_resolved(void **state)
{
    spn_sweep *s =
        spn_test_parse_spec(state, SPEC_HEAD "settings: {data: digits, steps: 500}\n", NULL, 0);
    static const char *const expected[][2] = {{"preset", "default"},
                                              {"replicas", "3"},
                                              {"gamma", "0"},
                                              {"init", "same"},
                                              {"beta", "auto:0.5:1e-30"},
                                              {"kernel", "two-stage"},
                                              {"split-seed", "1"},
                                              {"logit-scale", "2.8/sqrtD"},
                                              {"scaling", "dataset"},
                                              {"order", "replica-round"},
                                              {"threads", "1"},
                                              {"bias", "53"},
                                              {"encode", "copies:13"},
                                              {"penalty", "1"},
                                              {"losses", "floats"}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_string_equal(default_of(s, expected[k][0]), expected[k][1]);
    assert_int_equal(s->default_count, sizeof expected / sizeof *expected);
    spn_sweep_free(s);
    /* what differs between presets is left out, and of beta only what is not given is there */
    s = spn_test_parse_spec(state,
                            SPEC_HEAD "settings: {beta-end: 5000}\n"
                                      "grid:\n  - {setting: preset, values: [paper, accurate]}\n",
                            NULL, 0);
    assert_string_equal(default_of(s, "data"), "digits");
    assert_string_equal(default_of(s, "kernel"), "two-stage");
    static const char *const none[] = {"gamma", "steps", "beta", "beta-start", "preset", "test"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        assert_null(default_of(s, none[k]));
    spn_sweep_free(s);
    s = spn_test_parse_spec(
        state, SPEC_HEAD "settings: {preset: paper, beta-end: 5000, schedule: linear}\n", NULL, 0);
    assert_string_equal(default_of(s, "beta-start"), "100");
    assert_null(default_of(s, "beta-end"));
    spn_sweep_free(s);
    s = spn_test_parse_spec(
        state,
        "name: a\ntask: anneal\n"
        "settings: {energy: bits, random: \"9,5\", schedule: \"pieces:1x10,2x30\"}\n",
        NULL, 0);
    assert_string_equal(default_of(s, "steps"), "40");
    assert_string_equal(default_of(s, "order"), "replica-round");
    assert_string_equal(default_of(s, "teacher"), "false");
    assert_string_equal(default_of(s, "gamma"), "0.5");
    assert_null(default_of(s, "beta"));
    spn_sweep_free(s);
}

/* Checksums of what settings name: of the content, not of the name or of how it is packed. */
static void test_checksums(void **state)
{
    spn_sweep *s = spn_test_parse_spec(state, SPEC_HEAD, NULL, 0);
    assert_int_equal(s->file_count, 1);
    assert_string_equal(s->files[0].setting, "data");
    assert_string_equal(s->files[0].name, "digits");
    const uint64_t digits = s->files[0].checksum;
    spn_sweep_free(s);
    static const char data[] = "1,2,a\n3,4,b\n1,5,a\n2,2,b\n";
    spn_scratch_text(state, "d.csv", data);
    spn_scratch_text(state, "e.csv", data);
    const char *text = SPEC_HEAD "settings: {test: e.csv, header: \"no\"}\n"
                                 "grid:\n  - {setting: data, values: [d.csv, e.csv]}\n";
    s = spn_test_parse_spec(state, text, NULL, 0);
    assert_int_equal(s->file_count, 3);
    const uint64_t before = s->files[0].checksum;
    assert_true(s->files[1].checksum == before && s->files[2].checksum == before);
    assert_true(before != digits);
    assert_string_equal(s->files[1].name, "e.csv");
    assert_string_equal(s->files[2].setting, "test");
    spn_sweep_free(s);
    spn_test_rewrite(spn_scratch_path(state, "d.csv"), "1,2,a\n3,4,b\n1,5,a\n");
    s = spn_test_parse_spec(state, text, NULL, 0);
    assert_true(s->files[0].checksum != before && s->files[1].checksum == before);
    spn_sweep_free(s);
    spn_scratch_text(state, "p.csv", "1,-1,1\n1,1,-1\n");
    s = spn_test_parse_spec(
        state, "name: a\ntask: anneal\nsettings: {energy: bits, patterns: p.csv}\n", NULL, 0);
    assert_int_equal(s->file_count, 1);
    assert_string_equal(s->files[0].setting, "patterns");
    spn_sweep_free(s);
}

/* Every way to write a value gives one text, and so one job. */
static void test_canonical(void **state)
{
    static const struct {
        const char *written, *text;
    } same[] = {{"0.10", "0.1"}, {".1", "0.1"},          {"1e-1", "0.1"},   {"+1", "1"},
                {"007", "7"},    {"1.50:2e1", "1.5:20"}, {"1e5", "100000"}, {"2.0e20", "2e+20"}};
    char text[256];
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        snprintf(text, sizeof text, SPEC_HEAD "settings:\n  beta: %s\n", same[k].written);
        spn_sweep *s = spn_test_parse_spec(state, text, NULL, 0);
        assert_string_equal(s->fixed[0].text, same[k].text);
        spn_sweep_free(s);
    }
    spn_sweep *s =
        spn_test_parse_spec(state,
                            "name: a\ntask: anneal\nsettings:\n  energy: bits\n  random: 9,5,1\n"
                            "  teacher: yes\n",
                            NULL, 0);
    assert_string_equal(s->fixed[1].text, "9,5,1");
    assert_string_equal(s->fixed[2].text, "true");
    spn_sweep_free(s);
}

/* The examples of the documentation. */
static void test_examples(void **state)
{
    (void)state;
    static const char *const names[] = {"digits", "perceptron"};
    for (size_t k = 0; k < 2; k++) {
        char path[512];
        spn_error err = {0};
        spn_sweep *sweep;
        snprintf(path, sizeof path, "%s/../experiments/examples/%s.yaml", SPN_TESTS, names[k]);
        assert_ok(spn_sweep_parse(&sweep, path, NULL, 0, &err), err);
        assert_string_equal(sweep->name, names[k]);
        spn_sweep_free(sweep);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_full),         scratch_test(test_defaults),
        scratch_test(test_cases),        scratch_test(test_shown),
        scratch_test(test_set),          scratch_test(test_files),
        scratch_test(test_canonical),    scratch_test(test_condition_on_what_is_set),
        scratch_test(test_resolved),     scratch_test(test_checksums),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
