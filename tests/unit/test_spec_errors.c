/* What is said of bad specification files, and of bad values that are set. */
#include "support/scratch.h"
#include "support/specs.h"

#include <spinney/lab/job.h>
#include <spinney/lab/sweep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_bad_set(void **state)
{
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"gamma", "gamma: expected NAME=VALUE or NAME=VALUE,VALUE,..."},
        {"=5", "=5: expected NAME=VALUE or NAME=VALUE,VALUE,..."},
        {"gama=5", "gama=5: unknown setting 'gama' of train; did you mean gamma?"},
        {"run=5", "run=5: unknown setting 'run' of train; did you mean runs?"},
        {"runs=0", "runs=0: runs: '0' is not a whole number from 1 to 4294967295"},
        {"steps=1,2", "steps=1,2: steps is no axis of the grid; give one value"},
        {"gamma=1,1.0", "gamma=1,1.0: gamma has the value 1 twice"},
        {"gamma=1,x", "gamma=1,x: gamma: 'x' is not a number or START:END"},
        {"replicas=300", "replicas=300: replicas: '300' is not a whole number from 1 to 255"},
        {"flip=2", "flip=2: flip: '2' is not a number from 0 to 1; give a list such as 0,0.01,0.1"},
        {"trials=5", "trials=5: trials: 5 trials are fewer than two for each of the 3 replicas"},
        {"flips.p=0,1", "flips.p=0,1: unknown setting 'flips.p' of train; did you mean flip?"},
        {"keep=all", "keep=all: keep: 'all' is not one of models, traces, replicas"},
        {"seed=-1", "seed=-1: seed: '-1' is not a whole number of 0 or more"},
    };
    const char *path = spn_scratch_text(state, "spec.yaml", spn_test_full_spec);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_sweep *sweep;
        assert_int_equal(spn_sweep_parse(&sweep, path, &bad[k].text, 1, &err), SPN_ERROR_ARGUMENT);
        assert_null(sweep);
        assert_string_equal(err.text, bad[k].error);
    }
}

/* A value that no setting of its kind takes. */
static const char *wrong_value(spn_setting_kind kind)
{
    static const char *const wrong[] = {
        [SPN_SETTING_WHOLE] = "1.5",  [SPN_SETTING_REAL] = "x",     [SPN_SETTING_FLAG] = "maybe",
        [SPN_SETTING_WORD] = "x y z", [SPN_SETTING_RANGE] = "a\tb", [SPN_SETTING_TEXT] = "a\tb",
        [SPN_SETTING_LIST] = "a\tb",  [SPN_SETTING_FILE] = "a\tb",  [SPN_SETTING_WHOLES] = "1.5"};
    return wrong[kind];
}

/* Of every setting of every task: a wrong value gets from a file and from --set the error that it
   gets from the command, which is that of its job. */
static void test_same_errors(void **state)
{
    const char *path = spn_scratch_path(state, "spec.yaml");
    size_t walked = 0;
    for (const spn_task *const *task = spn_tasks(); *task; task++) {
        spn_setting_walk walk = spn_setting_walk_start((*task)->settings);
        while (spn_setting_walk_named(&walk)) {
            const char *name = walk.setting->name, *wrong = wrong_value(walk.setting->kind);
            char text[300], set[200], expected[2 * SPN_ERROR_TEXT];
            spn_error err = {0}, why = {0};
            const char *const sets[] = {set};
            spn_sweep *sweep;
            if (walk.setting->flags & SPN_SETTING_SEED)
                continue;
            spn_job job = spn_job_start(*task);
            assert_int_equal(spn_job_set(&job, name, wrong, &why), SPN_ERROR_ARGUMENT);
            spn_job_clear(&job);
            snprintf(text, sizeof text, "name: a\ntask: %s\nsettings:\n  %s: \"%s\"\n",
                     (*task)->name, name, wrong);
            spn_test_rewrite(path, text);
            assert_int_equal(spn_sweep_parse(&sweep, path, NULL, 0, &err), SPN_ERROR_INPUT);
            snprintf(expected, sizeof expected, "%s: line 4: %s", path, why.text);
            assert_string_equal(err.text, expected);
            snprintf(text, sizeof text, "name: a\ntask: %s\n", (*task)->name);
            spn_test_rewrite(path, text);
            snprintf(set, sizeof set, "%s=%s", name, wrong);
            assert_int_equal(spn_sweep_parse(&sweep, path, sets, 1, &err), SPN_ERROR_ARGUMENT);
            snprintf(expected, sizeof expected, "%s: %s", set, why.text);
            for (char *c = expected; *c; c++)
                *c = *c == '\t' ? '?' : *c;
            assert_string_equal(err.text, expected);
            walked++;
        }
    }
    assert_true(walked > 60);
}

/* Files, and the exact text of what is wrong, behind the name of the file. */
static const struct {
    const char *text, *error;
} bad[] = {
    /* YAML */
    {"", "expected keys and values, starting with name: and task:"},
    {"- a\n", "line 1: expected keys and values, starting with name: and task:"},
    {"name: a\ntask: train\n\tseed: 1\n",
     "line 3: while scanning a plain scalar, found a tab character that violates indentation"},
    {"name: [a\ntask: b\n",
     "line 2: while parsing a flow sequence, did not find expected ',' or ']'"},
    {"name: a\n---\nname: b\n", "line 2: a second document; expected one"},
    {"name: &n a\ntask: *n\n", "line 2: aliases such as *n are not read; write the value out"},
    {"name: \"a\\0b\"\n", "line 1: a text with a zero byte"},
    {"name: a\x01\n", "line 1: control characters are not allowed"},
    {"# γ\nname: a\ntitle: \xff\n", "line 3: invalid leading UTF-8 octet"},
    /* keys */
    {"name: a\ntaks: train\n", "line 2: unknown key 'taks'; did you mean task?"},
    {SPEC_HEAD "settings:\n  gama: 1\n",
     "line 4: unknown setting 'gama' of train; did you mean gamma?"},
    {SPEC_HEAD "settings:\n  seed: 1\n",
     "line 4: seed: a sweep makes one for each run from its own; put seed beside settings, not "
     "under it"},
    {SPEC_HEAD "measure:\n  flips: {p: [1]}\n",
     "line 3: 'measure' is no longer read: flips are the settings flip, trials and flip-mode, a "
     "profile is profile-walks, profile-reach and profile-points; what is kept stands in keep: "
     "[models, traces]"},
    {SPEC_GAMMA "    vales: 1\n", "line 6: unknown key 'vales'; did you mean values?"},
    {SPEC_HEAD "xyzzy: 1\n",
     "line 3: unknown key 'xyzzy'; there are name, title, about, task, seed, "
     "runs, settings, grid, keep, figures"},
    {SPEC_HEAD "[a]: 1\n", "line 3: a key should be a word"},
    {SPEC_HEAD "name: b\n", "line 3: 'name' is there twice, first in line 1"},
    {SPEC_HEAD "settings:\n  gamma: 1\n  gamma: 1\n",
     "line 5: 'gamma' is there twice, first in line 4"},
    {"title: a\ntask: train\n", "line 1: 'name' is missing"},
    {"name: a\n", "line 1: 'task' is missing"},
    {SPEC_HEAD "grid:\n  - values: [1]\n", "line 4: 'setting' is missing"},
    /* types */
    {SPEC_HEAD "runs: many\n", "line 3: runs: 'many' is not a whole number from 1 to 4294967295"},
    {SPEC_HEAD "runs: 0\n", "line 3: runs: '0' is not a whole number from 1 to 4294967295"},
    {SPEC_HEAD "runs: 1.5\n", "line 3: runs: '1.5' is not a whole number from 1 to 4294967295"},
    {SPEC_HEAD "seed: -1\n", "line 3: seed: '-1' is not a whole number of 0 or more"},
    {SPEC_HEAD "runs:\n", "line 3: 'runs' has no value"},
    {SPEC_HEAD "runs: [1]\n", "line 3: 'runs' should be a single value, not a list"},
    {SPEC_HEAD "settings: [gamma]\n",
     "line 3: 'settings' should be a mapping of keys to values, not a list"},
    {SPEC_HEAD "settings:\n  gamma: [0, 1]\n",
     "line 4: 'gamma' should be a single value, not a list"},
    {SPEC_HEAD "grid:\n  setting: gamma\n",
     "line 4: 'grid' should be a list, not a mapping of keys to values"},
    {SPEC_HEAD "grid:\n  - setting: gamma\n    values: 1\n",
     "line 5: 'values' should be a list, not a single value"},
    {SPEC_HEAD "keep: [model]\n",
     "line 3: keep: there is no 'model'; did you mean models? (models, traces, replicas)"},
    {SPEC_HEAD "keep: [traces, traces]\n", "line 3: keep: has traces twice"},
    {SPEC_HEAD "keep: traces\n", "line 3: 'keep' should be a list, not a single value"},
    {SPEC_HEAD "grid: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]\n",
     "line 3: lists and mappings in each other to too many levels"},
    /* the head */
    {"name: A b\ntask: train\n",
     "line 1: name: 'A b' is not up to 64 letters a to z, digits and hyphens"},
    {"name: ../a\ntask: train\n",
     "line 1: name: '../a' is not up to 64 letters a to z, digits and hyphens"},
    {"name: a\ntask: trian\n",
     "line 2: task: there is no 'trian'; did you mean train? (train, anneal, temper, "
     "population, entropy, eval, exact)"},
    /* the grid */
    {SPEC_HEAD "grid:\n  - setting: gama\n    values: [1]\n",
     "line 4: unknown setting 'gama' of train; did you mean gamma?"},
    {SPEC_HEAD "settings:\n  gamma: 1\ngrid:\n  - setting: gamma\n    values: [1]\n",
     "line 6: gamma is both a fixed setting and an axis of the grid"},
    {SPEC_GAMMA "  - setting: gamma\n    values: [3]\n", "line 6: gamma is an axis twice"},
    {SPEC_HEAD "grid:\n  - setting: gamma\n    values:\n      - 0.1\n      - 1\n      - 1e-1\n",
     "line 8: gamma has the value 0.1 twice"},
    {SPEC_HEAD "grid:\n  - setting: gamma\n    values: []\n", "line 5: 'values' is an empty list"},
    {SPEC_HEAD "grid: []\n", "line 3: 'grid' is an empty list"},
    {SPEC_HEAD "grid:\n  - setting: gamma\n", "line 4: an axis has values, or from, to and count"},
    {SPEC_HEAD "grid:\n  - setting: gamma\n    from: 1\n    to: 2\n",
     "line 4: an axis has values, or from, to and count"},
    {SPEC_GAMMA "    from: 1\n", "line 4: an axis has values, or from, to and count, not both"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 1, to: 2, count: 0}\n",
     "line 4: count: '0' is not a whole number of 1 or more"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 1, to: x, count: 2}\n",
     "line 4: to: 'x' is not a number"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 0, to: 2, count: 3, spacing: log}\n",
     "line 4: spacing log is for positive numbers, not 0 to 2"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 1, to: 2, count: 3, spacing: even}\n",
     "line 4: spacing: 'even' is not one of linear, log"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 0, to: 1, count: 1}\n",
     "line 4: one value cannot be both 0 and 1; give count: 2 or more, or values"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 2, to: 2, count: 3}\n",
     "line 4: 3 values from 2 to the same"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, from: 1, to: 1.00000000000001, count: 3}\n",
     "line 4: gamma has the value 1 twice"},
    /* values of settings */
    {SPEC_HEAD "settings:\n  replicas: 0\n",
     "line 4: replicas: '0' is not a whole number from 1 to 255"},
    {SPEC_HEAD "settings:\n  kernel: heatbath\n",
     "line 4: kernel: there is no 'heatbath'; did you mean heat-bath? (two-stage, one-stage, "
     "heat-bath)"},
    {SPEC_HEAD "settings:\n  data: minst\n",
     "line 4: data: 'minst' is neither a file nor a data set; did you mean mnist?"},
    {SPEC_HEAD "settings:\n  gamma: \"a\\nb\"\n",
     "line 4: gamma: has a line break or another control character"},
    {SPEC_HEAD "grid:\n  - setting: gamma\n    values:\n      - 0.1\n      - -2\n",
     "line 7: gamma: the start is -2; it must be a finite number, 0 or more"},
    {SPEC_HEAD "grid:\n  - setting: replicas\n    from: 1\n    to: 2\n    count: 3\n",
     "line 4: replicas: '1.5' is not a whole number from 1 to 255"},
    {SPEC_HEAD "settings:\n  beta: 1:5\n  beta-end: 7\n",
     "line 5: beta-end: give this or beta, not both"},
    {"name: a\ntask: anneal\nsettings:\n  energy: bits\n",
     "line 4: energy: bits needs patterns, a file, or sites and alpha, or random: N,P"},
    {"name: a\ntask: anneal\n", "energy: is missing; give what to minimise, such as qubo"},
    /* measures */
    {SPEC_HEAD "settings:\n  trials: 5\n", "line 4: trials: needs flip"},
    {SPEC_HEAD "settings:\n  flip: [0, 1.5]\n",
     "line 4: flip: '1.5' is not a number from 0 to 1; give a list such as 0,0.01,0.1"},
    {SPEC_HEAD "settings:\n  flip: [0, 0.5, 5e-1]\n", "line 4: flip: has the value 5e-1 twice"},
    {SPEC_HEAD "settings:\n  flip: [0, [1]]\n",
     "line 4: 'flip' should be a single value, not a list"},
    {SPEC_HEAD "settings:\n  flip: 0\n  trials: 5\n",
     "line 5: trials: 5 trials are fewer than two for each of the 3 replicas"},
    {SPEC_HEAD "settings:\n  profile-walks: 0\n",
     "line 4: profile-walks: '0' is not a whole number from 1 to 4294967295"},
    {"name: a\ntask: eval\nsettings: {model: m.spn}\nkeep:\n  - models\n",
     "line 5: keep: the task eval has no models"},
    /* figures */
    {SPEC_FIGURE "    x: gamma\n", "line 7: 'value' is missing"},
    {SPEC_FIGURE "    x: gamma\n    value: test_acuracy\n",
     "line 9: 'value': 'test_acuracy' is no result of train; did you mean test_accuracy?"},
    {SPEC_FIGURE "    x: gamma\n    value: solved\n",
     "line 9: 'value': solved needs a target, such as target: 0"},
    {SPEC_FIGURE "    x: gamma\n    value: lowest_energy\n",
     "line 9: 'value': 'lowest_energy' is no result of train"},
    {SPEC_FIGURE "    x: flips.p\n    value: flips.accuracy\n",
     "line 9: 'value': flips.accuracy needs flips; give flip: 0,0.01,0.1"},
    {SPEC_FIGURE "    x: gamma\n    value: stop\n",
     "line 9: 'value': stop is not a number of each run"},
    {SPEC_FIGURE "    x: gamma\n    value: replicas.active\n",
     "line 9: 'value': replicas.active is not kept; give keep: [replicas]"},
    {SPEC_FIGURE "    x: gama\n    value: overlap\n",
     "line 8: 'x': 'gama' is no axis of the grid; did you mean gamma?"},
    {SPEC_FIGURE "    x: replicas\n    value: overlap\n",
     "line 8: 'x': 'replicas' is no axis of the grid"},
    {SPEC_FIGURE "    x: gamma\n    by: replicas\n    value: overlap\n",
     "line 9: 'by': 'replicas' is no axis of the grid"},
    {SPEC_FIGURE "    x: gamma\n    by: gamma\n    value: overlap\n",
     "line 9: 'by' is the same as 'x'"},
    {SPEC_GAMMA "settings:\n  flip: 0\nfigures:\n  - name: f\n    x: gamma\n"
                "    value: flips.accuracy\n",
     "line 10: 'x': with flips.accuracy, x or by is a column of that curve, such as flips.p, or a "
     "condition holds one fixed (where: [flips.p=...])"},
    {SPEC_GAMMA "settings:\n  flip: 0\nfigures:\n  - name: f\n    x: gamma\n"
                "    value: flips.accuracy\n    where: [flips.p>0]\n",
     "line 10: 'x': with flips.accuracy, x or by is a column of that curve, such as flips.p, or a "
     "condition holds one fixed (where: [flips.p=...])"},
    {SPEC_GAMMA "settings:\n  flip: 0\nfigures:\n  - name: f\n    x: gamma\n"
                "    value: flips.accuracy\n    where: [flips.q=0]\n",
     "line 12: 'where': 'flips.q' is neither a setting nor a result of train; did you mean "
     "flips.p?"},
    {SPEC_GAMMA "settings:\n  flip: 0\nfigures:\n  - name: f\n    x: gamma\n"
                "    value: overlap\n    where: [flips.p=0]\n",
     "line 12: 'where': 'flips.p' is neither a setting nor a result of train"},
    {SPEC_GAMMA "settings:\n  flip: 0\nfigures:\n  - name: f\n    x: flips.q\n"
                "    value: flips.accuracy\n",
     "line 10: 'x': 'flips.q' is no result of train; did you mean flips.p?"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n  - name: f\n    x: gamma\n    value: active\n",
     "line 10: the figure f is there twice"},
    {SPEC_GAMMA "figures:\n  - name: F\n    x: gamma\n    value: overlap\n",
     "line 7: name: 'F' is not up to 64 letters a to z, digits and hyphens"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    as: [pie]\n",
     "line 10: as: 'pie' is not one of lines, heat, table, histogram, survival"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    as: [heat]\n",
     "line 10: a figure as heat needs 'by'"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    log: [x, x]\n",
     "line 10: log: has x twice"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    best: most\n",
     "line 10: best: 'most' is not one of none, lowest, highest"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    where: [gama=1]\n",
     "line 10: 'where': 'gama' is neither a setting nor a result of train; did you mean gamma?"},
    {SPEC_FIGURE "    x: gamma\n    value: validation_loss\n",
     "line 9: 'value': validation_loss needs a validation set; give validation: "
     "0.1"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    also: best_validation_accuracy\n",
     "line 10: 'also': best_validation_accuracy needs a validation set; give validation: "
     "0.1"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    where: [validation_loss<1]\n",
     "line 10: 'where': validation_loss needs a validation set; give validation: "
     "0.1"},
    {"name: a\ntask: train\nsettings: {data: d.csv}\ngrid:\n  - {setting: gamma, values: [0, 1]}\n"
     "figures:\n  - {name: f, x: gamma, value: centre_test_loss}\n",
     "line 7: 'value': centre_test_loss needs a test set; give test, a file, or test-fraction: "
     "0.2"},
    {"name: a\ntask: anneal\nsettings: {energy: ising, graph: g}\n"
     "grid:\n  - {setting: gamma, values: [0, 1]}\n"
     "figures:\n  - {name: f, x: gamma, value: solved_share}\n",
     "line 7: 'value': solved_share needs an energy of patterns, such as errors; show energy or "
     "best_energy"},
    {"name: a\ntask: anneal\nsettings: {energy: ising, graph: g}\n"
     "grid:\n  - {setting: gamma, values: [0, 1]}\n"
     "figures:\n  - {name: f, x: gamma, value: solved}\n",
     "line 7: 'value': solved needs a target, such as target: 0"},
    {SPEC_FIGURE
     "    x: gamma\n    value: overlap\n    where:\n      - gamma>=0\n      - gamma>5\n",
     "line 12: 'where': no point of the grid has gamma>5: gamma is 0,1"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    where: [\"gamma > 5\"]\n",
     "line 10: 'where': no point of the grid has gamma > 5: gamma is 0,1"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    where: [replicas=5]\n",
     "line 10: 'where': no point of the grid has replicas=5: replicas is 3"},
    {SPEC_FIGURE "    value: overlap\n", "line 7: 'x' is missing"},
    {SPEC_CASES
     "      - {name: a, settings: {replicas: 3}}\n      - {name: a, settings: {replicas: 5}}\n",
     "line 7: the case a is there twice"},
    {SPEC_CASES "      - {name: a, settings: {replicas: 3, gamma: 0}}\n"
                "      - {name: b, settings: {gamma: 0.0, replicas: 3}}\n",
     "line 7: the cases a and b have the same settings"},
    {SPEC_CASES "      - {name: a, settings: {replica: 3}}\n",
     "line 6: unknown setting 'replica' of train; did you mean replicas?"},
    {SPEC_CASES "      - {name: a, settings: {replicas: x}}\n",
     "line 6: replicas: 'x' is not a whole number from 1 to 255"},
    {SPEC_CASES "      - {name: a, settings: {seed: 3}}\n",
     "line 6: seed: a sweep makes one for each run from its own; give runs: N"},
    {SPEC_CASES "      - {name: a, settings: {data: d.csv}}\n",
     "line 6: data: names a file; give it under settings, or as an axis"},
    {SPEC_CASES "      - {name: a, settings: {replicas: 3}}\n    values: [b]\n",
     "line 7: case: 'b' is none of its cases"},
    {SPEC_CASES "      - {settings: {replicas: 3}}\n", "line 6: 'name' is missing"},
    {SPEC_CASES "      - {name: a, settings: {replicas: 3}}\n    from: 1\n",
     "line 4: an axis has values, or from, to and count, not both"},
    {SPEC_CASES "      - {name: a, settings: {gamma: 0}}\n  - {setting: gamma, values: [0, 1]}\n",
     "line 6: gamma is both of a case and an axis of the grid"},
    {SPEC_HEAD "settings: {replicas: 3}\ngrid:\n  - setting: case\n    cases:\n"
               "      - {name: a, settings: {replicas: 5}}\n",
     "line 7: replicas is both of a case and a fixed setting"},
    {SPEC_HEAD
     "grid:\n  - setting: gamma\n    cases:\n      - {name: a, settings: {replicas: 5}}\n",
     "line 4: gamma is a setting or a result of train; cases have a name of their own, such as "
     "case"},
    {SPEC_HEAD "join: [{folder: a}]\n",
     "line 3: 'join' is of a report over several folders, and no sweep; spinney report takes this "
     "file"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    tts: lengths\n",
     "line 9: 'value': overlap is no first hit; it is first_hit_steps, first_hit_proposals or "
     "first_hit_seconds"},
    {SPEC_FIGURE "    value: overlap\n    as: [survival]\n",
     "line 8: 'value': overlap is no first hit; it is first_hit_steps, first_hit_proposals or "
     "first_hit_seconds"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    over: gamma\n",
     "line 7: 'over' needs 'tts'"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    tts: best\n",
     "line 10: tts: 'best' is not one of none, lengths, restarts"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    trend: [linear]\n",
     "line 10: trend: 'linear' is not one of power, exponential"},
    {SPEC_HITS "    x: sites\n    value: first_hit_steps\n    tts: lengths\n",
     "line 8: runs of several sweeps would be taken together; give over: sweeps for the best, or "
     "hold it (where: [sweeps=...])"},
    {SPEC_HITS "    x: sites\n    value: first_hit_steps\n    tts: lengths\n    over: sweep\n",
     "line 12: 'over': 'sweep' is no axis of the grid; did you mean sweeps?"},
    {SPEC_HITS
     "    x: sites\n    value: first_hit_steps\n    tts: lengths\n    over: [sweeps, sites]\n",
     "line 12: 'over': sites is x, by or held by a condition as well"},
    {SPEC_HITS "    x: sites\n    value: first_hit_steps\n    tts: lengths\n    over: sweeps\n"
               "    each: ru\n",
     "line 13: 'each': 'ru' is neither a setting nor what every run has; did you mean run?"},
    {SPEC_HITS "    x: sites\n    value: first_hit_steps\n    tts: lengths\n    over: sweeps\n"
               "    also: energy\n",
     "line 13: 'also' cannot be combined with 'tts'"},
    {SPEC_HITS
     "    x: sites\n    by: sweeps\n    value: first_hit_steps\n    as: [survival, table]\n",
     "line 12: 'as': survival is a figure of its own, without table"},
    {SPEC_HITS
     "    by: sweeps\n    value: first_hit_steps\n    as: [survival]\n    trend: [power]\n",
     "line 8: 'trend' cannot be combined with as: [survival]"},
    {"name: a\ntask: anneal\nsettings: {energy: ising, graph: g}\n"
     "grid:\n  - {setting: gamma, values: [0, 1]}\n"
     "figures:\n  - {name: f, by: gamma, value: first_hit_steps, as: [survival]}\n",
     "line 7: 'value': first_hit_steps needs a target, such as target: 0"},
    {"name: a\ntask: exact\nsettings: {energy: errors, random: \"5,2\"}\n"
     "grid:\n  - {setting: gamma, values: [0, 1]}\n"
     "figures:\n  - {name: f, by: gamma, value: first_hit_steps, as: [survival]}\n",
     "line 7: 'value': 'first_hit_steps' is no result of exact"},
    {SPEC_FIGURE "    value: overlap\n    as: [histogram, lines]\n", "line 7: 'x' is missing"},
    {SPEC_FIGURE "    value: overlaps.overlap\n    as: [histogram]\n",
     "line 8: 'value': overlaps.overlap is not kept; give keep: [replicas]"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    where: [subset=5]\n",
     "line 10: 'where': no run has subset: it is neither given nor the same for all"},
    {SPEC_HEAD "grid:\n  - {setting: gamma, values: [0, 1]}\n  - {setting: steps, values: [8, 9]}\n"
               "figures:\n  - {name: a-heat, x: gamma, value: overlap}\n"
               "  - {name: a, x: gamma, by: steps, value: overlap, as: [heat]}\n",
     "line 8: the figure a-heat has files of this name, too; give one another name"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    reference-name: paper\n",
     "line 10: 'reference-name' needs 'reference'"},
    {SPEC_FIGURE "    x: gamma\n    value: overlap\n    by-label: y\n",
     "line 10: 'by-label' needs 'by'"},
};

static void test_bad_files(void **state)
{
    const char *path = spn_scratch_path(state, "bad.yaml");
    size_t wrong = 0;
    spn_scratch_text(state, "d.csv", "1,2,a\n3,4,b\n1,5,a\n2,2,b\n");
    spn_scratch_text(state, "g", "0 1 1\n");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        spn_error err = {0};
        spn_sweep *sweep;
        char expected[SPN_ERROR_TEXT];
        spn_test_rewrite(path, bad[k].text);
        const spn_status status = spn_sweep_parse(&sweep, path, NULL, 0, &err);
        snprintf(expected, sizeof expected, "%s: %s", path, bad[k].error);
        assert_null(sweep);
        if (status == SPN_ERROR_INPUT && strcmp(err.text, expected) == 0)
            continue;
        print_error("%s\nsaid     %s\nexpected %s\n", bad[k].text, err.text, expected);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void test_bad_condition(void **state)
{
    spn_error err = {0};
    spn_sweep *sweep;
    const char *path = spn_scratch_text(
        state, "bad.yaml",
        SPEC_FIGURE "    x: gamma\n    value: overlap\n    where:\n      - gamma\n");
    assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_INPUT,
                 "bad.yaml: line 11: 'where': ", "gamma");
}

/* Too many jobs are counted exactly, and nothing is made of them. */
static void test_too_many(void **state)
{
    static const struct {
        const char *text, *error;
    } large[] = {
        {SPEC_HEAD "runs: 1000001\n", "points times runs are 1000001 jobs; at most 1000000"},
        {SPEC_HEAD "grid:\n  - {setting: gamma, from: 0, to: 1, count: 1000000000}\n",
         "points times runs are 1000000000 jobs; at most 1000000"},
        {SPEC_HEAD
         "runs: 3\ngrid:\n  - {setting: gamma, from: 0, to: 1, count: 6148914691236517204}\n",
         "points times runs are 18446744073709551612 jobs; at most 1000000"},
        {SPEC_HEAD
         "runs: 4\ngrid:\n  - {setting: gamma, from: 0, to: 1, count: 6148914691236517205}\n",
         "points times runs are more than 2^64 jobs; at most 1000000"},
    };
    const char *path = spn_scratch_path(state, "large.yaml");
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        spn_error err = {0};
        spn_sweep *sweep;
        spn_test_rewrite(path, large[k].text);
        assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_ARGUMENT,
                     "large.yaml: ", large[k].error);
    }
    /* but with other values for the axis it is small */
    const char *set[] = {"gamma=1,2"};
    spn_sweep *s = spn_test_parse_spec(state, large[1].text, set, 1);
    assert_int_equal(spn_sweep_jobs(s), 2);
    spn_sweep_free(s);
    s = spn_test_parse_spec(
        state, SPEC_HEAD "runs: 250\ngrid:\n  - {setting: gamma, from: 0, to: 1, count: 4000}\n",
        NULL, 0);
    assert_int_equal(spn_sweep_jobs(s), 1000000);
    assert_string_equal(s->axes[0].values[1], "0.000250062515629");
    assert_string_equal(s->axes[0].values[3999], "1");
    spn_sweep_free(s);
}

/* The content of reference files is read for their figures. */
static void test_references(void **state)
{
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"gama,overlap\n0,1\n", "r.csv: there is no column 'gamma'"},
        {"gamma,overlap\n0,x\n", "r.csv: line 2: overlap is 'x', not a number"},
        {"gamma,overlap\n0,1\n1,2\n0.0,2\n", "r.csv: line 4: a second row for gamma = 0.0"},
        {"gamma,overlap\n0,1,2\n", "r.csv: line 2 has 3 cells; the first line has 2"},
        {"", "r.csv: is empty"},
    };
    spn_error err = {0};
    spn_sweep *sweep;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        spn_test_rewrite(spn_scratch_path(state, "r.csv"), wrong[k].text);
        const char *path = spn_scratch_text(
            state, "spec.yaml",
            SPEC_FIGURE "    x: gamma\n    value: overlap\n    reference: r.csv\n");
        assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_INPUT,
                     "spec.yaml: line 10: 'reference': ", wrong[k].error);
    }
}

/* Data that has to be fetched first. */
static void test_missing_data(void **state)
{
    spn_error err = {0};
    spn_sweep *sweep;
    const char *path = spn_scratch_text(state, "spec.yaml", SPEC_HEAD "settings:\n  data: mnist\n");
    const char *before = getenv("SPINNEY_DATA");
    char *kept = before ? strdup(before) : NULL;
    setenv("SPINNEY_DATA", "/nowhere", 1);
    assert_error(spn_sweep_parse(&sweep, path, NULL, 0, &err), &err, SPN_ERROR_IO,
                 "spec.yaml: line 4: data: /nowhere/mnist/", "run scripts/fetch-data mnist");
    if (kept)
        setenv("SPINNEY_DATA", kept, 1);
    else
        unsetenv("SPINNEY_DATA");
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(test_bad_set),    scratch_test(test_same_errors),
        scratch_test(test_bad_files),  scratch_test(test_bad_condition),
        scratch_test(test_too_many),   scratch_test(test_missing_data),
        scratch_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
