/* The task exact: as jobs and as sweeps it gives what the golden files of tests/golden/exact hold,
   which an engine of its own for grids printed, bit for bit; and bad input. */
#include "job/run.h"
#include "support/json.h"
#include "support/test.h"
#include "sweep/jobs.h"
#include <spinney/lab/task.h>

#include <math.h>
#include <spinney/spectrum.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- jobs from the texts of a command ---- */

enum { ARGUMENTS_MOST = 40, VALUES_MOST = 64 };

/* What a line of the file of commands asks for. */
typedef struct command {
    char name[64];
    size_t count;
    char *names[ARGUMENTS_MOST], *texts[ARGUMENTS_MOST];
    char *copy; /* owned; the texts are parts of it */
} command;

/* The values of a list or a range, as texts. */
typedef struct axis {
    bool list;
    size_t count;
    char texts[VALUES_MOST][32];
} axis;

static command read_command(const char *line)
{
    command c = {.copy = strdup(line)};
    char *rest = NULL, *word = strtok_r(c.copy, " \n", &rest);
    snprintf(c.name, sizeof c.name, "%.*s", (int)strlen(word) - 1, word);
    while ((word = strtok_r(NULL, " \n", &rest))) {
        const bool option = strncmp(word, "--", 2) == 0 && word[2] >= 'a' && word[2] <= 'z';
        if (option) {
            c.names[c.count] = word + 2;
            c.texts[c.count++] = (char *)"true";
        } else {
            c.texts[c.count - 1] = word;
        }
    }
    return c;
}

static const char *text_of(const command *c, const char *name)
{
    for (size_t k = 0; k < c->count; k++)
        if (strcmp(c->names[k], name) == 0)
            return c->texts[k];
    return NULL;
}

static axis read_axis(const command *c, const char *name, const char *otherwise)
{
    axis a = {0};
    double start, end, step = 1;
    const char *text = text_of(c, name);
    text = text ? text : otherwise;
    a.list = strpbrk(text, ",:") != NULL;
    if (sscanf(text, "%lf:%lf:%lf", &start, &end, &step) >= 2) {
        a.count = (size_t)floor((end - start) / step + 1e-9) + 1;
        assert_true(a.count <= VALUES_MOST);
        for (size_t k = 0; k < a.count; k++)
            snprintf(a.texts[k], sizeof a.texts[k], "%.12g", start + (double)k * step);
        return a;
    }
    while (*text) {
        const size_t length = strcspn(text, ",");
        snprintf(a.texts[a.count++], sizeof a.texts[0], "%.*s", (int)length, text);
        text += length + (text[length] == ',');
    }
    return a;
}

static void set(spn_job *job, const char *name, const char *text)
{
    spn_error err = {0};
    assert_ok(spn_job_set(job, name, text, &err), err);
}

/* The job of a command at one point. */
static spn_job job_of(const command *c, const char *y, const char *beta, const char *gamma)
{
    spn_job job = spn_job_start(spn_task_find("exact"));
    for (size_t k = 0; k < c->count; k++)
        set(&job, c->names[k],
            strcmp(c->names[k], "replicas") == 0 || strcmp(c->names[k], "beta") == 0 ||
                    strcmp(c->names[k], "gamma") == 0
                ? "1"
                : c->texts[k]);
    set(&job, "replicas", y);
    set(&job, "beta", beta);
    set(&job, "gamma", gamma);
    set(&job, "threads", "1");
    return job;
}

static spn_record run(const spn_job *job, spn_inputs *inputs)
{
    const spn_run options = {.inputs = inputs, .details = true};
    spn_record record = {0};
    spn_outcome outcome;
    spn_error err = {0};
    assert_ok(spn_job_run(&record, &outcome, job, &options, &err), err);
    assert_true(outcome.complete);
    return record;
}

/* ---- comparing with JSON ---- */

static void assert_same(double actual, const spn_json_value *golden, const char *name,
                        const char *key)
{
    const double expected = spn_json_get_real(golden);
    if (isnan(expected) ? !isnan(actual) : actual != expected)
        fail_msg("%s: %s is %.17g, expected %.17g", name, key, actual, expected);
}

/* The value of a quantity at one point: arrays are there for lists alone. */
static const spn_json_value *at(const spn_json_value *value, const axis axes[3],
                                const size_t place[3])
{
    for (size_t k = 0; k < 3; k++)
        if (axes[k].list)
            value = json_at(value, place[k]);
    return value;
}

static void assert_column(const spn_record *r, const char *curve, const char *column,
                          const spn_json_value *golden, const char *name)
{
    const spn_result_curve *c = spn_record_curve(r, curve);
    assert_non_null(c);
    const size_t k = spn_result_curve_column(c, column);
    assert_true(k != SIZE_MAX);
    assert_int_equal(c->rows, json_count(golden));
    for (size_t n = 0; n < c->rows; n++)
        assert_same(c->values[k][n], json_at(golden, n), name, column);
}

/* The keys of the old JSON that hold other things than a number of each point. */
static bool is_number_key(const char *key)
{
    static const char *const others[] = {"y",       "beta",      "gamma",  "minima",
                                         "phi",     "P",         "slopes", "dense_best",
                                         "density", "annealing", "notes",  "settings"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (strcmp(key, others[k]) == 0)
            return false;
    return true;
}

static void compare_annealing(const spn_record *r, const spn_json_value *golden, const char *name)
{
    static const char *const columns[] = {"beta", "gamma", "steps", "epsilon", "total_variation"};
    static const char *const numbers[] = {"theorem", "margin", "c", "log_kappa"};
    const spn_json_value *condition = spn_json_get(golden, "condition");
    for (size_t k = 0; k < 5; k++)
        assert_column(r, "stages", columns[k], spn_json_get(golden, columns[k]), name);
    assert_column(r, "stages", "condition", spn_json_get(condition, "values"), name);
    assert_column(r, "stages", "log_bound", spn_json_get(condition, "log_bound"), name);
    for (size_t k = 0; k < 4; k++)
        assert_same(spn_record_number(r, numbers[k]), spn_json_get(condition, numbers[k]), name,
                    numbers[k]);
    assert_true(spn_record_number(r, "condition_met") ==
                json_is_true(spn_json_get(condition, "met")));
}

static void compare_density(const spn_record *r, const spn_json_value *golden, const char *name)
{
    static const char *const columns[][2] = {
        {"R", "radius"}, {"k", "k"}, {"exactly", "exactly"}, {"at_least", "at_least"}};
    const spn_json_value *balls = spn_json_get(golden, "balls");
    const spn_json_value *within = spn_json_get(golden, "within");
    assert_column(r, "density", "isolated", spn_json_get(golden, "isolated"), name);
    assert_column(r, "minima", "nearest", spn_json_get(golden, "nearest"), name);
    for (size_t k = 0; k < 4; k++) {
        const spn_result_curve *c = spn_record_curve(r, "balls");
        const size_t column = spn_result_curve_column(c, columns[k][1]);
        assert_true(column != SIZE_MAX);
        assert_int_equal(c->rows, json_count(balls));
        for (size_t n = 0; n < c->rows; n++)
            assert_same(c->values[column][n], spn_json_get(json_at(balls, n), columns[k][0]), name,
                        "balls");
    }
    const spn_result_curve *table = spn_record_curve(r, "within");
    assert_int_equal(table->rows, json_count(within));
    for (size_t j = 0; j < table->rows; j++)
        for (size_t c = 0; c < table->columns; c++)
            assert_same(table->values[c][j], json_at(json_at(within, j), c), name, "within");
}

/* Everything of a record that the golden file has at this point. */
static void compare_point(const spn_record *r, const spn_json_value *golden, const axis axes[3],
                          const size_t place[3], const char *name)
{
    for (const spn_json_value *v = spn_json_first(golden); v; v = spn_json_next(golden, v)) {
        const spn_json_value *here = json_is_list(v) ? at(v, axes, place) : v;
        if (is_number_key(v->name))
            assert_same(spn_record_number(r, v->name), here, name, v->name);
    }
    const spn_json_value *phi = at(spn_json_get(golden, "phi"), axes, place);
    if (json_is_list(phi)) {
        assert_column(r, "states", "phi", phi, name);
        assert_column(r, "states", "P", at(spn_json_get(golden, "P"), axes, place), name);
    }
    assert_column(r, "minima", "state", spn_json_get(golden, "minima"), name);
    assert_int_equal(r->note_count >= json_count(spn_json_get(golden, "notes")), 1);
    if (spn_json_is(spn_json_get(golden, "density"), SPN_JSON_OBJECT))
        compare_density(r, spn_json_get(golden, "density"), name);
    if (spn_json_is(spn_json_get(golden, "annealing"), SPN_JSON_OBJECT))
        compare_annealing(r, spn_json_get(golden, "annealing"), name);
}

/* ---- what is taken over several points ---- */

/* The slopes of log psi, from records: those of one (y, gamma), in the order of beta. */
static void compare_slopes(const spn_records *records, const spn_json_value *golden,
                           const char *name)
{
    const spn_json_value *slopes = spn_json_get(golden, "slopes");
    for (size_t s = 0; s < json_count(slopes); s++) {
        const spn_json_value *slope = json_at(slopes, s);
        char gap[64];
        double beta[VALUES_MOST], psi[VALUES_MOST];
        size_t count = 0;
        snprintf(gap, sizeof gap, "gap_%s", spn_json_get_text(spn_json_get(slope, "kernel")));
        for (char *c = gap; *c; c++)
            *c = *c == '-' ? '_' : *c;
        for (size_t k = 0; k < records->count; k++) {
            const spn_record *r = &records->records[k];
            const double value = spn_record_number(r, gap);
            if (spn_record_number(r, "replicas") == spn_json_get_real(spn_json_get(slope, "y")) &&
                spn_record_number(r, "gamma") == spn_json_get_real(spn_json_get(slope, "gamma")) &&
                value > 0) {
                beta[count] = spn_record_number(r, "beta");
                psi[count++] = value;
            }
        }
        spn_gap_fit fit;
        spn_error err = {0};
        assert_ok(spn_gap_fit_compute(&fit, beta, psi, count,
                                      spn_record_number(&records->records[0], "m"), &err),
                  err);
        assert_same(fit.slope, spn_json_get(slope, "slope"), name, "slope");
        assert_same(fit.last_slope, spn_json_get(slope, "last_slope"), name, "last_slope");
        assert_same(fit.c, spn_json_get(slope, "c"), name, "c");
        assert_same(fit.C, spn_json_get(slope, "C"), name, "C");
    }
}

/* The gamma of the largest mass: a job of its own for each y and beta. */
static size_t compare_best(const command *c, const spn_json_value *golden, spn_inputs *inputs)
{
    const spn_json_value *rows = spn_json_get(golden, "dense_best");
    for (size_t k = 0; k < json_count(rows); k++) {
        const spn_json_value *row = json_at(rows, k), *beta = spn_json_get(row, "beta");
        char y[32], b[32];
        snprintf(y, sizeof y, "%g", spn_json_get_real(spn_json_get(row, "y")));
        snprintf(b, sizeof b, "%.17g", spn_json_get_real(beta));
        spn_job job = job_of(c, y, spn_json_is(beta, SPN_JSON_TEXT) ? "inf" : b, "1");
        set(&job, "best-gamma", text_of(c, "gamma"));
        spn_record r = run(&job, inputs);
        assert_same(spn_record_number(&r, "best_gamma"), spn_json_get(row, "gamma"), c->name,
                    "best gamma");
        assert_same(spn_record_number(&r, "best_mass"), spn_json_get(row, "mass"), c->name,
                    "best mass");
        spn_record_clear(&r);
        spn_job_clear(&job);
    }
    return json_count(rows);
}

/* The records of a command: of one job, or of a sweep over its lists and ranges. */
static spn_records *run_command(const command *c, const axis axes[3])
{
    static const char *const names[3] = {"replicas", "beta", "gamma"};
    const spn_sweep_options options = {.threads = 2};
    char texts[3][256];
    const char *given[3];
    size_t count = 0;
    spn_job job = job_of(c, axes[0].texts[0], axes[1].texts[0], axes[2].texts[0]);
    for (size_t k = 0; k < 3; k++) {
        if (!axes[k].list)
            continue;
        const char *text = text_of(c, names[k]);
        const bool whole = strchr(text, ':') && !strchr(strchr(text, ':') + 1, ':');
        snprintf(texts[count], sizeof texts[0], "%s=%s%s", names[k], text, whole ? ":1" : "");
        given[count] = texts[count];
        count++;
    }
    spn_sweep *sweep = NULL;
    spn_records *records = NULL;
    spn_error err = {0};
    assert_ok(spn_sweep_around(&sweep, &job, given, count, 1, &err), err);
    sweep->keep.replicas = true;
    assert_ok(spn_sweep_run_unseen(&records, sweep, &options, &err), err);
    spn_sweep_free(sweep);
    spn_job_clear(&job);
    return records;
}

static void compare_command(const command *c, spn_inputs *inputs, size_t *best)
{
    char path[128];
    snprintf(path, sizeof path, "tests/golden/exact/%s.json", c->name);
    spn_json_tree tree = json_of_file(path);
    const spn_json_value *golden = tree.root;
    const axis axes[3] = {read_axis(c, "replicas", "2"), read_axis(c, "beta", "1"),
                          read_axis(c, "gamma", "0.5")};
    const size_t betas = axes[1].count, gammas = axes[2].count;
    spn_records *records = run_command(c, axes);
    assert_int_equal(records->count, axes[0].count * betas * gammas);
    for (size_t k = 0; k < records->count; k++) {
        const size_t place[3] = {k / gammas / betas, k / gammas % betas, k % gammas};
        compare_point(&records->records[k], golden, axes, place, c->name);
    }
    /* the first point as a job of its own */
    spn_job job = job_of(c, axes[0].texts[0], axes[1].texts[0], axes[2].texts[0]);
    spn_record alone = run(&job, inputs);
    compare_point(&alone, golden, axes, (const size_t[3]){0}, c->name);
    compare_slopes(records, golden, c->name);
    *best += compare_best(c, golden, inputs);
    spn_record_clear(&alone);
    spn_job_clear(&job);
    spn_records_free(records);
    spn_json_unload(&tree);
}

static spn_inputs *make_inputs(void)
{
    spn_inputs *inputs = NULL;
    spn_error err = {0};
    assert_ok(spn_inputs_create(&inputs, NULL, &err), err);
    return inputs;
}

/* The two that take most of the time. The others run the same code, p15a-one on enough states to
   be shared out to threads, so the sanitizers go without. */
static bool is_long(const command *c)
{
    return strcmp(c->name, "random9") == 0 || strcmp(c->name, "slow-b") == 0;
}

static void test_golden(void **state)
{
    (void)state;
    spn_inputs *inputs = make_inputs();
    FILE *file = fopen("tests/golden/exact/commands", "r");
    char line[1024];
    size_t commands = 0, best = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        command c = read_command(line);
        if (!spn_test_sanitized() || !is_long(&c))
            compare_command(&c, inputs, &best);
        free(c.copy);
        commands++;
    }
    assert_true(commands > 30 && best > 5);
    fclose(file);
    spn_inputs_free(inputs);
}

/* ---- bad input ---- */

/* A job of texts NAME, VALUE, ..., ended by NULL, fails, and says so. */
static void refuses(const char *part, const char *const *texts)
{
    spn_inputs *inputs = make_inputs();
    spn_job job = spn_job_start(spn_task_find("exact"));
    const spn_run options = {.inputs = inputs};
    spn_record record = {0};
    spn_outcome outcome;
    spn_error err = {0};
    spn_status status = SPN_OK;
    for (size_t k = 0; texts[k] && !status; k += 2)
        status = spn_job_set(&job, texts[k], texts[k + 1], &err);
    if (!status)
        status = spn_job_run(&record, &outcome, &job, &options, &err);
    assert_int_not_equal(status, SPN_OK);
    if (!strstr(err.text, part))
        fail_msg("expected \"%s\" in \"%s\"", part, err.text);
    spn_record_clear(&record);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
}

#define REFUSES(part, ...) refuses(part, (const char *const[]){__VA_ARGS__, NULL})
#define A "energy", "table", "table", "docs/examples/a.txt"
#define RANDOM "energy", "bits", "random"
#define P7 "code", "0111100,1011010,1101001", "ball", "1"

static void test_too_large(void **state)
{
    (void)state;
    REFUSES("N may be up to 24 (about 0.7 GB); N=25 would take 1.34 GB", RANDOM, "25,4,1");
    REFUSES("gap: needs all 2^(N y) replicated states, and N y may be up to 22: here N=9, y=3",
            RANDOM, "9,4,1", "replicas", "3", "gap", "always");
    REFUSES("at y=3 N may be up to 7", RANDOM, "9,4,1", "replicas", "3", "schedule", "theorem1");
    REFUSES("schedule: 1e+09 steps of 2^22 replicated states would take about", RANDOM, "11,9,3",
            "no-chain", "true", "no-law", "true", "schedule", "pieces:1x1000000000");
    REFUSES("schedule: more than 100000 stages", A, "schedule", "linear:0:4", "steps", "1e6");
}

static void test_bad_values(void **state)
{
    (void)state;
    REFUSES("beta: '-1' is not a number of 0 or more, or inf", A, "beta", "-1");
    REFUSES("gamma: 'inf' is not a number", A, "gamma", "inf");
    REFUSES("replicas: '256' is not a whole number from 1 to 255", A, "replicas", "256");
    REFUSES("kernel: 'two-stage,two-stage' is not a list", A, "kernel", "two-stage,two-stage");
    REFUSES("kernel: 'two-stage,' is not a list", A, "kernel", "two-stage,");
    REFUSES("gap: ", A, "gap", "sometimes");
    REFUSES("best-gamma: '4:0' is not LOW:HIGH", P7, "best-gamma", "4:0");
    REFUSES("best-gamma: '1' is not LOW:HIGH", P7, "best-gamma", "1");
    REFUSES("best-gamma: '-1,2' is not LOW:HIGH", P7, "best-gamma", "-1,2");
    REFUSES("best-gamma: '0:1e9:1' has 1e+09 values", P7, "best-gamma", "0:1e9:1");
    REFUSES("best-gamma: needs a dense set", A, "best-gamma", "0:4");
}

static void test_bad_schedules(void **state)
{
    (void)state;
    REFUSES("steps: this schedule needs them", A, "schedule", "linear:0:4");
    REFUSES("steps: cannot be combined with pieces", A, "schedule", "theorem1", "steps", "9");
    REFUSES("scoping depends on what is accepted", A, "schedule", "scoping:factor=1", "steps", "9");
    REFUSES("schedule: theorem1: 'foo=3' does not start with KEY=VALUE", A, "schedule",
            "theorem1:foo=3");
    REFUSES("theorem1: 'm=' does not start with KEY=VALUE", A, "schedule", "theorem1:c=1,m=");
    REFUSES("schedule: 'linear' needs its values, such as linear:0.1:4", A, "schedule", "linear");
    REFUSES("over 2^62 steps; ask for fewer stages", A, "schedule", "theorem1:stages=80");
    REFUSES("pieces must not decrease", A, "schedule", "pieces:2x3,1x3");
    REFUSES("gamma-schedule: expected stages:START:STEP", A, "schedule", "theorem1",
            "gamma-schedule", "stages:1");
    REFUSES("gamma-schedule: stages:START:STEP needs a schedule in pieces", A, "schedule",
            "linear:0:4", "steps", "9", "gamma-schedule", "stages:0:1");
    REFUSES("start: '64' is not a state: an index from 0 to 63, or 3 or 6 characters + and -", A,
            "schedule", "theorem1", "start", "64");
    REFUSES("start: needs `schedule`", A, "start", "3");
}

static void test_bad_sets(void **state)
{
    (void)state;
    REFUSES("dense-center: '8' is not a state: an index from 0 to 7, or 3 characters", A,
            "dense-center", "8", "dense-radius", "1");
    REFUSES("dense-center: needs `dense-radius`", A, "dense-center", "3");
    REFUSES("dense-radius: from 0 to N = 3, not 4", A, "dense-center", "3", "dense-radius", "4");
    REFUSES("dense: give this or `dense-center`, not both", A, "dense-center", "3", "dense-radius",
            "1", "dense", "tests/golden/exact/nine.states");
    REFUSES("states of 7 spins, but the energy has 3", A, "dense",
            "tests/golden/exact/nine.states");
}

/* ---- what a run does not have ---- */

static const char *missing(const char *result, const char *const *texts)
{
    static char text[256];
    spn_inputs *inputs = make_inputs();
    spn_job job = spn_job_start(spn_task_find("exact"));
    spn_error err = {0};
    void *plan = NULL;
    for (size_t k = 0; texts[k]; k += 2)
        set(&job, texts[k], texts[k + 1]);
    assert_ok(spn_job_plan(&plan, &job, inputs, &err), err);
    const char *why = spn_result_needs(spn_task_find("exact"), plan, result);
    snprintf(text, sizeof text, "%s", why ? why : "");
    spn_job_plan_free(spn_task_find("exact"), plan);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
    return text;
}

#define MISSING(why, result, ...)                                                                  \
    assert_string_equal(missing(result, (const char *const[]){__VA_ARGS__, NULL}), why)

/* The reasons, and that a run has just the results that are not missing. */
static void test_missing(void **state)
{
    (void)state;
    MISSING("", "log_z_centre", A);
    MISSING("no-law leaves it out", "log_z_centre", A, "no-law", "true");
    MISSING("no-chain leaves it out", "psi", A, "no-chain", "true");
    MISSING("a chain needs a finite beta", "psi", A, "beta", "inf");
    MISSING("gap: never leaves it out", "gap_one_stage", A, "gap", "never");
    MISSING("", "acceptance_one_stage", A, "gap", "never");
    MISSING("name its kernel in the setting kernel", "gap_heat_bath", A);
    MISSING("give a dense set: dense-center or dense", "share", A);
    MISSING("give best-gamma", "best_mass", P7);
    MISSING("set density", "balls.k", P7);
    MISSING("give a schedule", "stages.epsilon", A);
    MISSING("", "stages.epsilon", A, "schedule", "theorem1");
}

static void assert_complete(const char *const *texts)
{
    spn_inputs *inputs = make_inputs();
    spn_job job = spn_job_start(spn_task_find("exact"));
    void *plan = NULL;
    spn_error err = {0};
    for (size_t k = 0; texts[k]; k += 2)
        set(&job, texts[k], texts[k + 1]);
    assert_ok(spn_job_plan(&plan, &job, inputs, &err), err);
    spn_record r = run(&job, inputs);
    spn_quantity_walk walk = spn_quantity_walk_start(spn_task_find("exact")->results);
    while (spn_quantity_walk_next(&walk)) {
        const spn_quantity *q = walk.row;
        if (!q->name)
            continue;
        char curve[64];
        snprintf(curve, sizeof curve, "%.*s", (int)strcspn(q->name, "."), q->name);
        bool has = q->kind != SPN_QUANTITY_NUMBER && spn_record_curve(&r, curve) != NULL;
        has = has || strcmp(q->name, "seconds") == 0; /* whoever runs it puts it there */
        for (size_t k = 0; k < r.result_count; k++)
            has = has || strcmp(r.results[k].name, q->name) == 0;
        if (has && q->kind == SPN_QUANTITY_COLUMN)
            has = spn_result_curve_column(spn_record_curve(&r, curve), strchr(q->name, '.') + 1) !=
                  SIZE_MAX;
        if (has != !spn_result_needs(spn_task_find("exact"), plan, q->name))
            fail_msg("%s: the record %s it", q->name, has ? "has" : "does not have");
    }
    for (size_t k = 0; k < r.result_count; k++)
        if (!spn_quantity_find(spn_task_find("exact"), r.results[k].name))
            fail_msg("%s is not in the table", r.results[k].name);
    spn_record_clear(&r);
    spn_job_plan_free(spn_task_find("exact"), plan);
    spn_job_clear(&job);
    spn_inputs_free(inputs);
}

static void test_table_of_results(void **state)
{
    (void)state;
    assert_complete((const char *const[]){A, NULL});
    assert_complete((const char *const[]){A, "beta", "inf", "no-law", "true", NULL});
    assert_complete((const char *const[]){A, "gap", "never", "kernel", "heat-bath", "density",
                                          "true", "schedule", "theorem1", NULL});
    assert_complete((const char *const[]){P7, "replicas", "4", "best-gamma", "0:4", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),           cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_bad_values),       cmocka_unit_test(test_bad_schedules),
        cmocka_unit_test(test_bad_sets),         cmocka_unit_test(test_missing),
        cmocka_unit_test(test_table_of_results),
    };
    if (chdir(SPN_TESTS "/.."))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
