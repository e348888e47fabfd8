/* The tables of the tasks, walked: the program takes every setting as an option, and sweeps take it
   as a key and by `set`; the program shows it in --help-all, in JSON and in the manual; and a wrong
   value is refused in the same words everywhere. */
#include "support/json.h"
#include "support/test.h"

#include <spinney/lab/sweep.h>
#include <spinney/lab/task.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what settings need ---- */

/* A small job of each task: NAME=VALUE, separated by blanks. */
static const char *const bases[][2] = {
    {"train", "data=d.csv preset=paper steps=50"},
    {"anneal", "energy=bits random=9,3,1 steps=50"},
    {"temper", "energy=bits random=9,3,1 scans=4"},
    {"population", "energy=bits random=9,3,1 groups=64"},
    {"eval", "model=m.spn data=d.csv"},
    {"exact", "energy=bits random=5,3,1"},
    {"entropy", "energy=bits random=9,3,1 steps=50 scans=8 distance=0.3"},
};

/* A setting whose value does not follow from its kind, or that goes with others: its value, or NULL
   for that of its kind; and what else is set, with the base or, after !, in its place. task: NULL
   for all. A setting that is not here needs nothing. */
static const struct need {
    const char *task, *setting, *value, *with;
} needs[] = {
    {NULL, "energy", "bits", ""},
    {NULL, "energy-options", "4,5,6", "!energy=./own.so"},
    {NULL, "energy-file", "n.txt", "!energy=./own.so"},
    {NULL, "patterns", "p.csv", "!energy=bits"},
    {NULL, "graph", "g.txt", "!energy=ising"},
    {NULL, "graph-format", "coo", "!energy=ising graph=g.txt"},
    {NULL, "offset", "-1.5", "!energy=ising graph=g.txt"},
    {NULL, "table", "t.txt", "!energy=table"},
    {NULL, "minima", "s.txt", "!energy=distance"},
    {NULL, "code", "011,101", "!energy=planted ball=0"},
    {NULL, "ball", "1", "!energy=planted code=011,101"},
    {NULL, "random", "7,0.4,2", "!energy=bits"},
    {NULL, "sites", "7", "!energy=bits patterns=3"},
    {NULL, "alpha", "0.5", "!energy=bits sites=7"},
    {NULL, "instance-seed", "2", "!energy=bits sites=7 alpha=0.5"},
    {NULL, "units", "5", "!energy=committee random=5,3,2"},
    {NULL, "tree", NULL, "!energy=committee random=3,3,2"},
    {NULL, "pattern-values", "gaussian", "!energy=errors random=7,3,2"},
    {"entropy", "distance", "0,0.5", "!energy=bits random=9,3,1 steps=50 scans=8"},
    {"entropy", "scans", "9", "!energy=bits random=9,3,1 steps=50 distance=0.3"},
    {"entropy", "state", "s9.txt", ""},
    {"entropy", "around", "centre", ""},
    {"entropy", "sweeps", "3", "!energy=bits random=9,3,1 scans=8 distance=0.3"},
    {"temper", "rungs", "5", ""},
    {"temper", "ladder", "0,0.25,1", ""},
    {"temper", "method", "equi-energy", ""},
    {"temper", "clusters", "2", "!energy=ising graph=g.txt scans=4"},
    {"population", "beta", "2", ""},
    {"exact", "beta", "inf", ""},
    {NULL, "beta", "0.5:2", ""},
    {"exact", "gamma", "0.25", ""},
    {NULL, "gamma", "0:1", ""},
    {NULL, "beta-start", "0.5", ""},
    {"exact", "schedule", "pieces:1x10,2x10", ""},
    {"exact", "gamma-schedule", "stages:0:0.1", "schedule=pieces:1x10,2x10"},
    {"exact", "steps", "20", "schedule=linear:0:2"},
    {"exact", "start", "1", "schedule=pieces:1x10,2x10"},
    {"exact", "kernel", "heat-bath", ""},
    {"exact", "rungs", "4", "joint=simulated"},
    {"exact", "ladder", "0.1,1", "joint=simulated"},
    {"exact", "exchanges", "0.25", "joint=simulated"},
    {"exact", "weight-errors", "1,2,3", "joint=simulated"},
    {"exact", "rings", "1,2", "joint=equi-energy"},
    {"exact", "dense-center", "1", "dense-radius=1"},
    {"exact", "dense-radius", "1", "dense-center=1"},
    {"exact", "dense", "s5.txt", ""},
    {"exact", "best-gamma", "0:1:0.5", "dense-center=1 dense-radius=1"},
    {NULL, "schedule", "pieces:1x10,2x10", ""},
    {NULL, "gamma-schedule", "linear", "gamma=0:1"},
    {NULL, "centre-every", "5", "coupling=centre"},
    {NULL, "init", "independent", ""},
    {NULL, "target", "-1", ""},
    {NULL, "target-by", "any", "target=-1"},
    {NULL, "time", "60", ""},
    {"anneal", "sweeps", "3", "!energy=bits random=9,3,1"},
    {"anneal", "engine", "words", "!energy=ising graph=g.txt steps=50 reads=3"},
    {"population", "engine", "words", "!energy=ising graph=g.txt order=sequential groups=64"},
    {"anneal", "device", "auto", "!energy=ising graph=g.txt steps=50 reads=3"},
    {"train", "losses", "whole", "!data=digits preset=paper steps=50"},
    {"train", "device", "auto", "!data=digits preset=paper steps=50 losses=whole"},
    {"anneal", "problem", "p.lp", "!sweeps=5"},
    {"anneal", "problem-format", "lp", "!problem=p.lp sweeps=5"},
    {"anneal", "fix", "a=1", "!problem=p.lp sweeps=5"},
    {"anneal", "penalty", "2", "!problem=p.lp sweeps=5"},
    {"temper", "problem", "p.lp", "!scans=4"},
    {"population", "problem", "p.lp", "!groups=64"},
    {"exact", "problem", "p.lp", "!gamma=0.5"},
    {"entropy", "problem", "p.lp", "!steps=50 scans=8 distance=0.3"},
    {NULL, "problem-format", "lp", "!problem=p.lp"},
    {NULL, "fix", "a=1", "!problem=p.lp"},
    {"temper", "penalty", "2", "!problem=p.lp"},
    {"population", "penalty", "2", "!problem=p.lp"},
    {"exact", "penalty", "2", "!problem=p.lp"},
    {"entropy", "penalty", "2", "!problem=p.lp"},
    {"anneal", "rounds", "2", "!problem=p.lp sweeps=5"},
    {"anneal", "rank", "robust", "!problem=p.lp sweeps=5"},
    {"anneal", "rank-changes", "1", "!problem=p.lp sweeps=5"},
    {"anneal", "rank-noise", "0.1", "!problem=p.lp sweeps=5"},
    {"anneal", "rank-draws", "9", "!problem=p.lp sweeps=5 rank=robust"},
    {"train", "sweeps", "3", "!data=d.csv preset=paper"},
    {"train", "preset", "robust", ""},
    {"train", "hidden", "3", "!data=d.csv steps=50"},
    {"train", "hidden-bias", "2", "!data=d.csv steps=50 hidden=3"},
    {"train", "propose", "all", "!data=d.csv steps=50 hidden=3"},
    {"train", "output-weight", "2", "!data=d.csv steps=50 hidden=3"},
    {"train", "faults", "0.1", "!data=d.csv steps=50 hidden=3"},
    {"train", "fault-model", "stuck-1", "!data=d.csv steps=50 hidden=3 faults=0.1"},
    {"train", "margin", "2", "!data=d.csv steps=50 hidden=3 faults=0.1"},
    {"train", "temperature", "2:1", ""},
    {"train", "shifts", "4", "!data=digits subset=50 preset=paper steps=50"},
    {NULL, "flip", "0,0.1", ""},
    {NULL, "trials", "12", "flip=0.1"},
    {NULL, "flip-mode", "exact", "flip=0.1"},
    {"eval", "replica", "best", "flip=0.1"},
    {"eval", "flip-layer", "all", "flip=0.1"},
    {"eval", "fault-model", "stuck-0", "flip=0.1"},
    {NULL, "profile-reach", "0.5", "profile-walks=2"},
    {NULL, "profile-points", "3", "profile-walks=2"},
    {NULL, "data", "d.csv", ""},
    {NULL, "model", "m.spn", ""},
    {NULL, "labels", "labels", "data=images"},
    {"train", "test-labels", "labels", "data=images labels=labels test=images"},
    {"eval", "test", "d.csv", "!model=m.spn"},
    {"train", "test", "d.csv", ""},
    {"eval", "test-labels", "labels", "!model=m.spn test=images"},
    {"eval", "part", "train", "!model=digits.spn data=digits"},
    {"train", "test-fraction", "0.25", ""},
    {"train", "validation", "0.25", ""},
    {"train", "subset", "8", ""},
    {NULL, "format", "csv", ""},
    {NULL, "label-column", "last", ""},
    {NULL, "separator", "comma", ""},
    {"train", "drop", "1", ""},
    {"train", "categories", "1", ""},
    {NULL, "header", "no", ""},
    {"train", "scaling", "128,64", ""},
    {"train", "encode", "thermometer:3", ""},
    {"train", "bias", "2", ""},
    {"train", "logit-scale", "0.5", ""},
};

static struct need need_of(const spn_task *task, const spn_setting *setting)
{
    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
        if (strcmp(needs[k].setting, setting->name) == 0 &&
            (!needs[k].task || strcmp(needs[k].task, task->name) == 0))
            return needs[k];
    return (struct need){.with = ""};
}

/* A value of the setting that is not its default, where that is easy. */
static void good_value(char *out, size_t size, const spn_task *task, const spn_setting *s)
{
    const struct need need = need_of(task, s);
    size_t last = 0;
    if (need.value) {
        snprintf(out, size, "%s", need.value);
        return;
    }
    switch (s->kind) {
    case SPN_SETTING_WHOLE:
    case SPN_SETTING_WHOLES:
        snprintf(out, size, "%.0f", fmin(s->least + 2, s->most > 0 ? s->most : 2));
        return;
    case SPN_SETTING_REAL:
        snprintf(out, size, "%g", s->most > 0 ? fmin(s->least + 1, s->most) : 1.5);
        return;
    case SPN_SETTING_FLAG:
        snprintf(out, size, "true");
        return;
    case SPN_SETTING_WORD:
        while (spn_setting_word(s, last + 1))
            last++;
        snprintf(out, size, "%s", spn_setting_word(s, last));
        return;
    case SPN_SETTING_RANGE:
    case SPN_SETTING_TEXT:
    case SPN_SETTING_LIST:
    case SPN_SETTING_FILE:
        fail_msg("%s of %s: give a value in the table `needs` of %s", s->name, task->name,
                 __FILE__);
    }
}

static const char *wrong_value(const spn_setting *s)
{
    switch (s->kind) {
    case SPN_SETTING_WHOLE:
    case SPN_SETTING_WHOLES:
        return "1.5";
    case SPN_SETTING_REAL:
        return "much";
    case SPN_SETTING_FLAG:
        return "perhaps";
    case SPN_SETTING_WORD:
        return "no-such-word";
    case SPN_SETTING_RANGE:
        return "a:b";
    case SPN_SETTING_FILE:
        return "no/such/file";
    case SPN_SETTING_TEXT:
    case SPN_SETTING_LIST:
        break;
    }
    return s->kind == SPN_SETTING_LIST ? "," : "?";
}

/* ---- running the program ---- */

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    if (getdelim(&text, &size, 0, file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

/* Run `spinney ARGUMENTS` by the shell; its output is in the files out and err. */
static int run(const char *arguments)
{
    char command[4096];
    assert_true(snprintf(command, sizeof command, "\"%s\" %s > out 2> err < /dev/null", SPN_PROGRAM,
                         arguments) < (int)sizeof command);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_run(const char *arguments)
{
    if (run(arguments) != 0)
        fail_msg("spinney %s: %s", arguments, read_file("err"));
}

/* Append as options, or as lines of YAML, what a list of NAME=VALUE holds. */
static void put_settings(FILE *out, const char *list, bool yaml)
{
    while (*list) {
        const size_t length = strcspn(list, " "), name = strcspn(list, "=");
        const char *value = list + name + 1;
        if (yaml)
            fprintf(out, "  %.*s: \"%.*s\"\n", (int)name, list, (int)(length - name - 1), value);
        else
            fprintf(out, " --%.*s='%.*s'", (int)name, list, (int)(length - name - 1), value);
        list += length + strspn(list + length, " ");
    }
}

/* Whether a list of NAME=VALUE has a value of this name. */
static bool has_name(const char *list, const char *name, size_t length)
{
    for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
        if (strcspn(list, "=") == length && strncmp(list, name, length) == 0)
            return true;
    return false;
}

/* Everything but the setting itself: of the base what is not given in its place. */
static void put_others(FILE *out, const spn_task *task, const spn_setting *setting, bool yaml)
{
    const char *with = need_of(task, setting).with, *base = "";
    const bool instead = with[0] == '!';
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++)
        base = strcmp(bases[k][0], task->name) == 0 ? bases[k][1] : base;
    with += instead;
    for (; *base; base += strcspn(base, " "), base += strspn(base, " ")) {
        char one[128];
        const size_t name = strcspn(base, "=");
        const bool kept =
            !instead || (strncmp(base, "steps=", 6) == 0 && strcmp(setting->name, "sweeps") != 0 &&
                         !has_name(with, "sweeps", 6));
        snprintf(one, sizeof one, "%.*s", (int)strcspn(base, " "), base);
        if (kept && !has_name(with, base, name) &&
            !(strlen(setting->name) == name && strncmp(base, setting->name, name) == 0))
            put_settings(out, one, yaml);
    }
    put_settings(out, with, yaml);
}

/* The setting with what it needs; what it needs where value is NULL. */
static void put_job(FILE *out, const spn_task *task, const spn_setting *setting, const char *value,
                    bool yaml)
{
    put_others(out, task, setting, yaml);
    if (value && yaml)
        fprintf(out, "  %s: \"%s\"\n", setting->name, value);
    else if (value)
        fprintf(out, " --%s='%s'", setting->name, value);
}

static char *command_line(const spn_task *task, const spn_setting *setting, const char *value)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs(task->name, out);
    put_job(out, task, setting, value, false);
    fputs(" --json --quiet", out);
    fclose(out);
    return text;
}

/* A specification; the seed stands at its top. */
static void write_sweep(const spn_task *task, const spn_setting *setting, const char *value)
{
    FILE *out = fopen("s.yaml", "w");
    const bool seed = setting->flags & SPN_SETTING_SEED;
    fprintf(out, "name: walk\ntask: %s\nruns: 1\n", task->name);
    if (seed && value)
        fprintf(out, "seed: \"%s\"\n", value);
    fputs("settings:\n", out);
    put_job(out, task, setting, seed ? NULL : value, true);
    fclose(out);
}

/* ---- one setting ---- */

static void check_json(const spn_setting *setting, const char *value)
{
    spn_json_tree tree = json_of_file("out");
    const spn_json_value *found = spn_json_get(spn_json_get(tree.root, "settings"), setting->name);
    if (!found || found->kind == SPN_JSON_NULL)
        fail_msg("%s: not among the settings of --json", setting->name);
    if (found->kind == SPN_JSON_TEXT)
        assert_string_equal(found->text, value);
    else if (json_is_true(found) || found->kind == SPN_JSON_FALSE)
        assert_string_equal(json_is_true(found) ? "true" : "false", value);
    else
        assert_near(spn_json_get_real(found), strtod(value, NULL), 0);
    spn_json_unload(&tree);
}

/* Parse and plan s.yaml, with one more NAME=VALUE or NULL. */
static spn_status parse_sweep(const char *set, spn_error *err)
{
    spn_sweep *sweep;
    const spn_status status = spn_sweep_parse(&sweep, "s.yaml", &set, set ? 1 : 0, err);
    if (!status)
        spn_sweep_free(sweep);
    return status;
}

static void check_good(const spn_task *task, const spn_setting *setting)
{
    char value[128], set[256];
    spn_error err = {0};
    good_value(value, sizeof value, task, setting);
    char *command = command_line(task, setting, value);
    expect_run(command);
    check_json(setting, value);
    free(command);
    write_sweep(task, setting, value);
    assert_ok(parse_sweep(NULL, &err), err);
    write_sweep(task, setting, NULL);
    snprintf(set, sizeof set, "%s=%s", setting->name, value);
    assert_ok(parse_sweep(set, &err), err);
}

/* What an error says from the name of the setting on; its start has to be as expected. A setting
   and its value are "--header yes" to the program and "header: yes" to a sweep; here "header yes".
 */
static char *after(const char *text, const char *start)
{
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("'%s' does not start with '%s'", text, start);
    text += strlen(start);
    if (strncmp(text, "line ", strlen("line ")) == 0)
        text += strcspn(text, ":") + strlen(": ");
    char *words = calloc(1, strlen(text) + 1), *end = words;
    for (; *text && *text != '\n'; text++)
        if (*text != ':' && strncmp(text, "--", 2) != 0 && (*text != '-' || text[-1] != '-'))
            *end++ = *text;
    return words;
}

static char *refused(const char *arguments, const char *start)
{
    if (run(arguments) != 2)
        fail_msg("spinney %s is not refused", arguments);
    char *text = read_file("err"), *cut = after(text, start);
    free(text);
    return cut;
}

static char *refused_sweep(const char *set, const char *start)
{
    spn_error err = {0};
    if (!parse_sweep(set, &err))
        fail_msg("a sweep is not refused that should be: %s", start);
    return after(err.text, start);
}

static void check_wrong(const spn_task *task, const spn_setting *setting)
{
    const char *value = wrong_value(setting);
    char set[160], start[164], name[80];
    char *command = command_line(task, setting, value);
    snprintf(start, sizeof start, "spinney %s: --", task->name);
    char *by_command = refused(command, start);
    snprintf(name, sizeof name, "%s ", setting->name);
    if (strncmp(by_command, name, strlen(name)) != 0)
        fail_msg("spinney %s: '%s' does not start with '%s'", command, by_command, name);
    write_sweep(task, setting, value);
    char *by_sweep = refused_sweep(NULL, "s.yaml: ");
    assert_string_equal(by_sweep, by_command);
    write_sweep(task, setting, NULL);
    snprintf(set, sizeof set, "%s=%s", setting->name, value);
    snprintf(start, sizeof start, "%s: ", set);
    char *by_set = refused_sweep(set, start);
    assert_string_equal(by_set, by_command);
    free(command);
    free(by_command);
    free(by_sweep);
    free(by_set);
}

/* In the help and in the manual. */
static void check_shown(const spn_task *task, const char *help, const char *manual)
{
    spn_setting_walk walk = spn_setting_walk_start(task->settings);
    while (spn_setting_walk_named(&walk)) {
        char option[96], roff[192] = "\\fB\\-\\-";
        snprintf(option, sizeof option, "\n  --%s ", walk.setting->name);
        for (const char *c = walk.setting->name; *c; c++)
            strcat(roff, *c == '-' ? "\\-" : (char[]){*c, 0});
        strcat(roff, "\\fR");
        if (!strstr(help, option) || !strstr(manual, roff))
            fail_msg("%s: not in the help or the manual of %s", walk.setting->name, task->name);
    }
}

/* ---- the walk ---- */

/* Whether the program has been started for this row by a task before. Tasks share rows; under the
   sanitizers, where a start costs ten times as much, it is started once for each row. */
static bool is_walked(const spn_setting *setting)
{
    enum { MOST = 512 };
    static const spn_setting *walked[MOST];
    static size_t count;
    for (size_t k = 0; spn_test_sanitized() && k < count; k++)
        if (walked[k] == setting)
            return true;
    assert_true(count < MOST);
    walked[count++] = setting;
    return false;
}

static void walk_task(const char *name)
{
    const spn_task *task = spn_task_find(name);
    char arguments[80];
    assert_non_null(task);
    snprintf(arguments, sizeof arguments, "%s --help-all", name);
    expect_run(arguments);
    char *help = read_file("out");
    snprintf(arguments, sizeof arguments, "--man %s", name);
    expect_run(arguments);
    char *manual = read_file("out");
    check_shown(task, help, manual);
    spn_setting_walk walk = spn_setting_walk_start(task->settings);
    while (spn_setting_walk_named(&walk)) {
        if (is_walked(walk.setting))
            continue;
        check_good(task, walk.setting);
        check_wrong(task, walk.setting);
    }
    free(help);
    free(manual);
}

static void walk_train(void **state)
{
    (void)state;
    walk_task("train");
}

static void walk_anneal(void **state)
{
    (void)state;
    walk_task("anneal");
}

static void walk_temper(void **state)
{
    (void)state;
    walk_task("temper");
}

static void walk_population(void **state)
{
    (void)state;
    walk_task("population");
}

static void walk_eval(void **state)
{
    (void)state;
    walk_task("eval");
}

static void walk_exact(void **state)
{
    (void)state;
    walk_task("exact");
}

static void walk_entropy(void **state)
{
    (void)state;
    walk_task("entropy");
}

/* A task that is not walked would go unseen. */
static void all_are_walked(void **state)
{
    size_t count = 0;
    (void)state;
    for (const spn_task *const *task = spn_tasks(); *task; task++) {
        size_t k = 0;
        while (k < sizeof bases / sizeof *bases && strcmp(bases[k][0], (*task)->name) != 0)
            k++;
        if (k == sizeof bases / sizeof *bases)
            fail_msg("%s: add it to the table `bases` of %s, and a test", (*task)->name, __FILE__);
        count++;
    }
    assert_int_equal(count, sizeof bases / sizeof *bases);
}

/* ---- files ---- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* 12 samples of 4 features in 2 classes, as CSV and as IDX. */
static void write_samples(void)
{
    FILE *csv = fopen("d.csv", "w"), *images = fopen("images", "w"), *labels = fopen("labels", "w");
    fwrite("\0\0\x08\x03\0\0\0\x0c\0\0\0\x02\0\0\0\x02", 1, 16, images);
    fwrite("\0\0\x08\x01\0\0\0\x0c", 1, 8, labels);
    for (int n = 0; n < 12; n++) {
        for (int i = 0; i < 4; i++) {
            const int value = (n % 2 == i % 2 ? 200 : 20) + (5 * n + i) % 7;
            fprintf(csv, "%d,", value);
            fputc(value, images);
        }
        fprintf(csv, "%d\n", n % 2);
        fputc(n % 2, labels);
    }
    fclose(csv);
    fclose(images);
    fclose(labels);
}

static char folder[] = "/tmp/spinney-tables-XXXXXX";

static int make_files(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_samples();
    write_text("p.csv", "1,1,1,1\n-1,1,-1,1\n");
    write_text("n.txt", "3 4 5\n");
    assert_int_equal(symlink(SPN_PLUGINS "/own_energy.so", "own.so"), 0);
    write_text("g.txt", "0 1 1\n1 2 -1\n");
    write_text("p.lp", "max\n obj: 2 a + 3 b\nst\n room: a + b <= 1\nbin\n a b\nend\n");
    write_text("t.txt", "1 2 3 4\n");
    write_text("s.txt", "++-\n+++\n");
    write_text("s5.txt", "++-++\n+++++\n");
    write_text("s9.txt", "++-++--++\n+++++++++\n");
    expect_run("train --data d.csv --preset paper --steps 50 --out m.spn");
    expect_run("train --subset 50 --preset paper --steps 50 --out digits.spn");
    return 0;
}

static int remove_files(void **state)
{
    char command[sizeof folder + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") || system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_walked),  cmocka_unit_test(walk_train),
        cmocka_unit_test(walk_anneal),     cmocka_unit_test(walk_temper),
        cmocka_unit_test(walk_population), cmocka_unit_test(walk_eval),
        cmocka_unit_test(walk_exact),      cmocka_unit_test(walk_entropy)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
