/* Settings and jobs, on a task made for the purpose. */
#include "support/test.h"

#include <math.h>
#include <spinney/lab/job.h>
#include <stdlib.h>
#include <string.h>

/* ---- a task ---- */

typedef struct inner {
    double gamma, share;
    uint64_t replicas;
} inner;

typedef struct toy_plan {
    uint64_t threads, seed;
    inner chain;
    int kind;
    bool flag;
    const char *beta, *data, *flip, *preset, *random;
    double limit;
} toy_plan;

static const char *const kinds[] = {"round", "random", NULL};
static const char *const sets[] = {"digits", "mnist", NULL};
static const char *const presets_words[] = {"paper", "other", NULL};

static const spn_setting chain_rows[] = {SPN_HEADING("Chain"),
                                         {.name = "gamma",
                                          .kind = SPN_SETTING_REAL,
                                          .fallback = "0.5",
                                          .least = 0,
                                          .most = 10,
                                          .at = offsetof(inner, gamma),
                                          .help = "coupling"},
                                         {.name = "share",
                                          .kind = SPN_SETTING_REAL,
                                          .fallback = "0.25",
                                          .least = 1e-9,
                                          .most = 1 - 1e-9,
                                          .at = offsetof(inner, share),
                                          .help = "a share"},
                                         {.name = "replicas",
                                          .kind = SPN_SETTING_WHOLE,
                                          .fallback = "3",
                                          .least = 1,
                                          .most = 255,
                                          .at = offsetof(inner, replicas),
                                          .help = "copies"},
                                         {.name = NULL}};

static const spn_setting rows[] = {{.name = "threads",
                                    .kind = SPN_SETTING_WHOLE,
                                    .flags = SPN_SETTING_EFFORT,
                                    .fallback = "1",
                                    .least = 1,
                                    .most = 4096,
                                    .at = offsetof(toy_plan, threads),
                                    .help = "threads"},
                                   {.name = "seed",
                                    .kind = SPN_SETTING_WHOLE,
                                    .flags = SPN_SETTING_SEED,
                                    .fallback = "1",
                                    .at = offsetof(toy_plan, seed),
                                    .help = "seed"},
                                   {.group = chain_rows, .at = offsetof(toy_plan, chain)},
                                   {.name = "kind",
                                    .kind = SPN_SETTING_WORD,
                                    .fallback = "round",
                                    .words = kinds,
                                    .at = offsetof(toy_plan, kind),
                                    .help = "kind"},
                                   {.name = "flag",
                                    .kind = SPN_SETTING_FLAG,
                                    .fallback = "false",
                                    .at = offsetof(toy_plan, flag),
                                    .help = "flag"},
                                   {.name = "beta",
                                    .kind = SPN_SETTING_RANGE,
                                    .fallback = "0.1:10",
                                    .at = offsetof(toy_plan, beta),
                                    .help = "beta"},
                                   {.name = "data",
                                    .kind = SPN_SETTING_FILE,
                                    .words = sets,
                                    .at = offsetof(toy_plan, data),
                                    .help = "data"},
                                   {.name = "flip",
                                    .kind = SPN_SETTING_LIST,
                                    .flags = SPN_SETTING_MEASURE,
                                    .at = offsetof(toy_plan, flip),
                                    .help = "flips"},
                                   {.name = "preset",
                                    .kind = SPN_SETTING_WORD,
                                    .words = presets_words,
                                    .fallback = "paper",
                                    .at = offsetof(toy_plan, kind),
                                    .help = "preset"},
                                   {.name = "limit",
                                    .kind = SPN_SETTING_REAL,
                                    .flags = SPN_SETTING_INFINITE,
                                    .fallback = "inf",
                                    .at = offsetof(toy_plan, limit),
                                    .help = "limit"},
                                   {.name = NULL}};

static const spn_text paper_texts[] = {{"gamma", "0.8"}, {NULL, NULL}};
static const spn_text other_texts[] = {{"gamma", "1.6"}, {"replicas", "7"}, {NULL, NULL}};
static const spn_preset presets[] = {
    {"paper", "the paper's", paper_texts}, {"other", "another", other_texts}, {NULL, NULL, NULL}};

static spn_status plan_toy(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    const toy_plan *p = plan;
    (void)job, (void)inputs;
    if (p->flag && p->chain.replicas == 1)
        return spn_setting_fail("flag", err, "needs two replicas");
    return SPN_OK;
}

static const spn_task toy = {.name = "train",
                             .settings = rows,
                             .presets = presets,
                             .plan_size = sizeof(toy_plan),
                             .plan = plan_toy};

/* ---- values ---- */

static void check_value(const char *name, const char *text, const char *canonical)
{
    const spn_setting *setting = spn_setting_find(rows, name);
    spn_error err = {0};
    char *made = spn_setting_canonical(setting, text);
    assert_non_null(made);
    assert_string_equal(made, canonical);
    if (spn_setting_read(NULL, setting, text, &err))
        fail_msg("%s", err.text);
    free(made);
}

static void check_refused(const char *name, const char *text, const char *why)
{
    spn_job job = spn_job_start(&toy);
    spn_error err = {0};
    assert_int_equal(spn_job_set(&job, name, text, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, why);
    spn_job_clear(&job);
}

static void values(void **state)
{
    (void)state;
    check_value("replicas", "2e2", "200");
    check_value("replicas", "007", "7");
    check_value("gamma", "00", "0");
    check_value("beta", "007:00", "7:0");
    check_value("gamma", ".50", "0.5");
    check_value("gamma", "1e1", "10");
    check_value("limit", "inf", "inf");
    check_value("flag", "Yes", "true");
    check_value("beta", "1e2:1e5", "100:100000");
    check_value("beta", "0.10:inf", "0.1:inf");
    check_value("data", "1e3.csv", "1e3.csv");
    uint64_t whole = 0;
    const spn_setting *seed = spn_setting_find(rows, "seed");
    assert_int_equal(spn_setting_read(&whole, seed, "9223372036854775807", NULL), SPN_OK);
    assert_true(whole == 9223372036854775807u);
}

static void refusals(void **state)
{
    (void)state;
    check_refused("replicas", "0", "replicas: '0' is not a whole number from 1 to 255");
    check_refused("replicas", "1.5", "replicas: '1.5' is not a whole number from 1 to 255");
    check_refused("replicas", "0x10", "replicas: '0x10' is not a whole number from 1 to 255");
    check_refused("gamma", "-1", "gamma: '-1' is not a number from 0 to 10");
    check_refused("gamma", "inf", "gamma: 'inf' is not a number from 0 to 10");
    check_refused("limit", "nan", "limit: 'nan' is not a number, or inf");
    check_refused("flag", "maybe", "flag: 'maybe' is not true or false");
    check_refused("kind", "randm",
                  "kind: there is no 'randm'; did you mean random? (round, random)");
    check_refused("data", "", "data: needs a value");
    check_refused("data", "a\nb", "data: has a line break or another control character");
    check_refused("gama", "1", "unknown setting 'gama' of train; did you mean gamma?");
    check_refused("xxxxxxx", "1", "unknown setting 'xxxxxxx' of train");
}

/* ---- texts and plans ---- */

static void where_texts_come_from(void **state)
{
    (void)state;
    spn_job job = spn_job_start(&toy);
    assert_string_equal(spn_job_text(&job, "gamma"), "0.8"); /* the preset's */
    assert_string_equal(spn_job_text(&job, "share"), "0.25");
    assert_string_equal(spn_job_text(&job, "replicas"), "3"); /* the table's */
    assert_null(spn_job_text(&job, "data"));
    assert_int_equal(spn_job_set(&job, "preset", "other", NULL), SPN_OK);
    assert_string_equal(spn_job_text(&job, "replicas"), "7");
    assert_int_equal(spn_job_set(&job, "gamma", "1", NULL), SPN_OK);
    assert_int_equal(spn_job_set(&job, "gamma", "2.0", NULL), SPN_OK);
    assert_string_equal(spn_job_text(&job, "gamma"), "2");
    assert_null(spn_job_given(&job, "replicas"));
    assert_int_equal(job.count, 2);
    spn_job_clear(&job);
}

static void plans(void **state)
{
    (void)state;
    spn_job job = spn_job_start(&toy);
    void *plan;
    spn_error err = {0};
    assert_int_equal(spn_job_set(&job, "flag", "true", &err), SPN_OK);
    assert_int_equal(spn_job_set(&job, "seed", "42", &err), SPN_OK);
    assert_int_equal(spn_job_plan(&plan, &job, NULL, &err), SPN_OK);
    const toy_plan *p = plan;
    assert_true(p->flag && p->seed == 42 && p->chain.gamma == 0.8 && p->chain.share == 0.25 &&
                p->chain.replicas == 3 && isinf(p->limit) && strcmp(p->beta, "0.1:10") == 0);
    spn_job_plan_free(&toy, plan);
    assert_int_equal(spn_job_set(&job, "replicas", "1", &err), SPN_OK);
    assert_int_equal(spn_job_plan(&plan, &job, NULL, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "flag: needs two replicas");
    assert_ptr_equal(spn_task_fault(&toy, &err), spn_setting_find(rows, "flag"));
    assert_null(plan);
    spn_job_clear(&job);
}

/* ---- identity ---- */

static spn_job made(const char *const *texts)
{
    spn_job job = spn_job_start(&toy);
    for (; texts[0]; texts += 2)
        assert_int_equal(spn_job_set(&job, texts[0], texts[1], NULL), SPN_OK);
    assert_int_equal(spn_job_identify(&job, 1, 1, NULL), SPN_OK);
    return job;
}

/* The first run of experiments/records/gamma. */
static void seeds_stay(void **state)
{
    (void)state;
    const char *const texts[] = {"data", "mnist", "preset", "paper", "replicas",
                                 "3",    "gamma", "0",      NULL};
    spn_job job = made(texts);
    assert_true(job.seed == 7157436340527270153u);
    spn_job_clear(&job);
}

static void what_identifies_a_job(void **state)
{
    (void)state;
    const char *const one[] = {"gamma", "1", "data", "mnist", NULL};
    const char *const order[] = {"data", "mnist", "gamma", "1.0", NULL};
    const char *const effort[] = {"data", "mnist", "gamma", "1", "threads", "2", NULL};
    const char *const measured[] = {"data", "mnist", "gamma", "1", "flip", "0,0.1", NULL};
    const char *const other[] = {"data", "mnist", "gamma", "2", NULL};
    spn_job a = made(one), b = made(order), c = made(effort), d = made(measured), e = made(other);
    assert_true(a.key == b.key && a.seed == b.seed);
    assert_true(a.key == c.key && a.seed == c.seed);
    assert_true(a.key != d.key && a.seed == d.seed);
    assert_true(a.key != e.key && a.seed != e.seed && a.instance_seed == e.instance_seed);
    spn_job_clear(&a), spn_job_clear(&b), spn_job_clear(&c), spn_job_clear(&d), spn_job_clear(&e);
}

static void what_a_checkpoint_agrees_with(void **state)
{
    (void)state;
    const char *const texts[] = {"gamma", "1", "threads", "2", "flip", "0.1", NULL};
    spn_job job = made(texts);
    char *text = spn_job_identity(&job, NULL, "data_checksum \"00\"\n");
    assert_non_null(strstr(text, "\ngamma \"1\"\n"));
    assert_non_null(strstr(text, "\nreplicas \"3\"\n"));
    assert_non_null(strstr(text, "\ndata_checksum \"00\"\n"));
    assert_null(strstr(text, "threads"));
    assert_null(strstr(text, "flip"));
    free(text);
    spn_job_clear(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(where_texts_come_from),
                                       cmocka_unit_test(plans),
                                       cmocka_unit_test(seeds_stay),
                                       cmocka_unit_test(what_identifies_a_job),
                                       cmocka_unit_test(what_a_checkpoint_agrees_with)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
