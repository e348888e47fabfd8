/* spinney sweep: do all runs of a specification file and write records into a folder. */
#include "base/clock.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the shard that a job array of Slurm stands for ---- */

/* Fields of the array, in the order in which they are read. */
enum { TASK, COUNT, LEAST, MOST, STEP, FIELDS };

static const char *const fields[FIELDS] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT",
                                           "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
                                           "SLURM_ARRAY_TASK_STEP"};

/* The step is 1 where it is not set. */
static bool read_fields(unsigned long out[FIELDS], char *why, size_t size)
{
    for (int k = 0; k < FIELDS; k++) {
        const char *text = getenv(fields[k]);
        int used = 0;
        if (!text && k == STEP) {
            out[k] = 1;
            continue;
        }
        if (!text || !text[0] || text[strspn(text, "0123456789")] ||
            sscanf(text, "%9lu%n", &out[k], &used) != 1 || text[used]) {
            snprintf(why, size, text ? "%s is '%s', no number" : "%s is not set beside %s",
                     fields[k], text ? text : fields[TASK]);
            return false;
        }
    }
    return true;
}

/* Task i of n is shard i/n. Without SLURM_ARRAY_TASK_ID *shards is 0. Returns false, and why in
   `why`, if the fields are no numbers or the array is not a range from which a shard follows. */
static bool find_array_shard(size_t *shard, size_t *shards, char *why, size_t size)
{
    unsigned long array[FIELDS];
    *shards = 0;
    if (!getenv(fields[TASK]))
        return true;
    if (!read_fields(array, why, size))
        return false;
    const unsigned long place = array[TASK] - array[LEAST];
    if (!array[STEP] || !array[COUNT] || array[MOST] < array[LEAST] || array[TASK] < array[LEAST] ||
        array[TASK] > array[MOST] || place % array[STEP] ||
        (array[MOST] - array[LEAST]) / array[STEP] + 1 != array[COUNT]) {
        snprintf(why, size,
                 "task %lu of the job array (%lu tasks from %lu to %lu, in steps of %lu) is no "
                 "shard: start a range, such as sbatch --array=1-%lu",
                 array[TASK], array[COUNT], array[LEAST], array[MOST], array[STEP],
                 array[COUNT] ? array[COUNT] : 1);
        return false;
    }
    *shard = place / array[STEP];
    *shards = array[COUNT];
    return true;
}

const spn_setting cli_sweep_options[] = {
    SPN_HEADING("What is run"),
    CLI_WHOLE("runs", "n", NULL, 1, UINT32_MAX,
              "runs of each point, in place of the number in FILE"),
    CLI_TEXT("set", "NAME=V[,V...]", NULL,
             "replace the value of a setting, or the values of an axis; also runs, seed and keep. "
             "May be repeated"),
    CLI_FLAG("dry-run", "only list the points, and estimate the time by short runs"),
    SPN_HEADING("How"),
    CLI_OR_ELSE("threads", "n", "one per core; one under mpirun", 1, 4096,
                "number of runs at once; the results do not depend on it"),
    CLI_TEXT(
        "shard", "i/n", NULL,
        "do every n-th run from the i-th; for n processes, on any machines that share the folder"),
    CLI_REAL("save-every", "SECONDS", "5", 1e-6, 1e9, "seconds between checkpoints of each run"),
    SPN_HEADING("Output"),
    CLI_FILE("out", "DIR", NULL,
             "folder of the records; it is created, or completed (default: records/NAME, with the "
             "sweep's name)"),
    CLI_FLAG("json", "print one JSON object, and nothing else, on stdout"),
    CLI_FLAG("quiet", "show no progress"),
    {.name = NULL}};

const char cli_sweep_details[] =
    "You can interrupt (Ctrl-C) or kill a sweep at any moment. The same command continues it, and "
    "the\n"
    "records are the same bit for bit, with any --threads, with shards and under mpirun. Runs that "
    "are\n"
    "in the folder are not repeated, so the grid and --runs may grow. docs/experiments.md "
    "describes\n"
    "FILE, docs/file-formats.md the records. On several machines:\n"
    "  spinney sweep gamma.yaml --shard 1/2 & spinney sweep gamma.yaml --shard 2/2\n"
    "  mpirun -n 64 spinney sweep gamma.yaml\n"
    "  sbatch --array=1-64 --wrap 'spinney sweep gamma.yaml'\n";

const char cli_sweep_examples[] =
    "  spinney sweep gamma.yaml --dry-run\n"
    "  spinney sweep gamma.yaml\n"
    "  spinney sweep gamma.yaml --set gamma=0,0.4,0.8 --runs 3 --out quick\n";

typedef struct sweep_state {
    cli_values values;
    spn_sweep *sweep;
    spn_sweep_options options;
    char *folder; /* of options */
} sweep_state;

/* ---- options ---- */

/* Without --shard, a task of a job array of Slurm is a shard, and says so. */
static int take_array(sweep_state *state)
{
    size_t shard = 0, shards;
    char why[256];
    if (!find_array_shard(&shard, &shards, why, sizeof why))
        return cli_error(state->values.command, "%s; or give --shard i/n", why);
    if (!shards)
        return CLI_OK;
    if (spn_sweep_ranks() > 1)
        return cli_error(state->values.command,
                         "SLURM_ARRAY_TASK_ID and mpirun cannot be combined: the ranks share out "
                         "all runs; unset SLURM_ARRAY_TASK_ID");
    state->options.shard = shard;
    state->options.shards = shards;
    if (!cli_given(&state->values, "quiet"))
        fprintf(stderr, "spinney sweep: --shard %zu/%zu, from SLURM_ARRAY_TASK_ID=%s\n", shard + 1,
                shards, getenv("SLURM_ARRAY_TASK_ID"));
    return CLI_OK;
}

static int read_shard(sweep_state *state)
{
    const char *text = cli_text(&state->values, "shard");
    unsigned shard, shards;
    int used = 0;
    if (!text)
        return take_array(state);
    const bool digits = text[strspn(text, "0123456789/")] == 0;
    if (!digits || sscanf(text, "%9u/%9u%n", &shard, &shards, &used) != 2 || text[used] ||
        shard < 1 || shard > shards)
        return cli_error(state->values.command,
                         "--shard: '%s' is not i/n with whole numbers 1 <= i <= n, such as 1/4",
                         text);
    if (spn_sweep_ranks() > 1)
        return cli_error(state->values.command,
                         "--shard and mpirun cannot be combined: the ranks share out all runs");
    state->options.shard = shard - 1;
    state->options.shards = shards;
    return CLI_OK;
}

static int read_options(sweep_state *state)
{
    const cli_values *values = &state->values;
    uint64_t threads = spn_sweep_default_threads();
    cli_value(&threads, values, "threads");
    cli_value(&state->options.save_seconds, values, "save-every");
    state->options.threads = (unsigned)threads;
    state->options.specification = values->arguments[0];
    state->options.stop = &cli_interrupted;
    return read_shard(state);
}

static int read_specification(sweep_state *state)
{
    const cli_values *values = &state->values;
    const char *set[CLI_MAX_GIVEN + 1];
    char runs[64];
    uint64_t count;
    spn_error err = {0};
    size_t changes = cli_texts(set, values, "set");
    if (cli_given(values, "runs")) {
        cli_value(&count, values, "runs");
        snprintf(runs, sizeof runs, "runs=%llu", (unsigned long long)count);
        set[changes++] = runs;
    }
    if (spn_sweep_parse(&state->sweep, values->arguments[0], set, changes, &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

static int choose_folder(sweep_state *state)
{
    const char *out = cli_text(&state->values, "out");
    if (asprintf(&state->folder, "%s%s", out ? "" : "records/", out ? out : state->sweep->name) <
        0) {
        state->folder = NULL;
        return cli_no_memory(state->values.command);
    }
    state->options.folder = state->folder;
    return CLI_OK;
}

/* ---- --dry-run: the points of the grid and the time that they would take ---- */

/* Points listed as text; the JSON has all. */
enum { MOST_LINES = 20 };

static size_t ranks(void)
{
    return spn_sweep_ranks() > 1 ? spn_sweep_ranks() : 1;
}

/* Longest first on all threads: at least the longest, and at least an equal share. */
static double on_all(const spn_sweep_estimate *estimate, const sweep_state *state)
{
    const double threads = (double)ranks() * state->options.threads;
    return fmax(estimate->seconds / threads, estimate->longest);
}

/* The settings that tell a point apart, as in the manifest. */
static void put_point(spn_json *json, const spn_sweep *sweep, size_t point)
{
    size_t stride = 1;
    for (size_t k = 0; k < sweep->axis_count; k++)
        stride *= sweep->axes[k].count;
    spn_json_open(json, "settings", '{');
    for (size_t k = 0; k < sweep->axis_count; k++) {
        const spn_axis *axis = &sweep->axes[k];
        stride /= axis->count;
        spn_json_any_text(json, axis->setting, axis->values[point / stride % axis->count]);
    }
    spn_json_close(json, '}');
}

static int print_plan_json(const sweep_state *state, const spn_sweep_estimate *estimate)
{
    spn_error err = {0};
    spn_json json = SPN_JSON_PRINTED;
    if (spn_json_begin(&json, &err))
        return cli_fail(&state->values, &err);
    spn_json_open(&json, NULL, '{');
    spn_json_any_text(&json, "name", state->sweep->name);
    spn_json_any_text(&json, "folder", state->folder);
    spn_json_whole(&json, "runs", estimate->jobs);
    spn_json_whole(&json, "finished", estimate->finished);
    spn_json_whole(&json, "begun", estimate->begun);
    spn_json_whole(&json, "ranks", ranks());
    spn_json_whole(&json, "threads", state->options.threads);
    spn_json_decimal(&json, "seconds", on_all(estimate, state));
    spn_json_decimal(&json, "seconds_one_thread", estimate->seconds);
    if (estimate->memory > 0)
        spn_json_decimal(&json, "memory", estimate->memory);
    spn_json_open(&json, "points", '[');
    for (size_t k = 0; k < estimate->points; k++) {
        spn_json_open(&json, NULL, '{');
        put_point(&json, state->sweep, k);
        spn_json_whole(&json, "runs", state->sweep->runs);
        spn_json_decimal(&json, "proposals", estimate->point[k].proposals);
        spn_json_decimal(&json, "seconds", estimate->point[k].seconds);
        spn_json_close(&json, '}');
    }
    spn_json_close(&json, ']');
    spn_json_close(&json, '}');
    return cli_print_json(&state->values, &json);
}

static void format_estimate(char *out, size_t size, double seconds)
{
    if (isnan(seconds))
        snprintf(out, size, "-");
    else if (seconds < 10)
        snprintf(out, size, "%.1f s", seconds);
    else
        cli_format_time(out, size, seconds);
}

static void print_points(const spn_sweep_estimate *estimate, size_t runs)
{
    const size_t shown = estimate->points > MOST_LINES ? MOST_LINES - 2 : estimate->points;
    int width = 5;
    for (size_t k = 0; k < shown; k++)
        if ((int)strlen(estimate->point[k].settings) > width)
            width = (int)strlen(estimate->point[k].settings);
    printf("\n%-*s  %6s  %10s  %10s\n", width, "point", "runs", "proposals", "time");
    for (size_t k = 0; k < shown; k++) {
        const spn_sweep_point *point = &estimate->point[k];
        char time[32];
        format_estimate(time, sizeof time, point->seconds);
        printf("%-*s  %6zu  %10.4g  %10s\n", width, point->settings[0] ? point->settings : "all",
               runs, point->proposals, time);
    }
    if (shown < estimate->points)
        printf("and %zu more, which --json lists\n", estimate->points - shown);
}

static void print_time(const sweep_state *state, const spn_sweep_estimate *estimate)
{
    char one[32], many[32];
    const size_t count = ranks(), threads = state->options.threads;
    format_estimate(one, sizeof one, estimate->seconds);
    format_estimate(many, sizeof many, on_all(estimate, state));
    printf("\nwhat is left takes about %s on one thread", one);
    if (count > 1)
        printf(", %s on %zu ranks of %zu thread%s", many, count, threads, threads == 1 ? "" : "s");
    else if (threads > 1)
        printf(", %s on %zu", many, threads);
    putchar('\n');
    if (estimate->memory >= 1e8)
        printf("a run takes up to %.3g GB of memory\n", estimate->memory / 1e9);
}

static int print_plan(const sweep_state *state, const spn_sweep_estimate *estimate)
{
    printf("%s: %zu runs, %zu of them finished already", state->sweep->name, estimate->jobs,
           estimate->finished);
    if (estimate->begun)
        printf(" and %zu begun", estimate->begun);
    printf(", in %s\n", state->folder);
    print_points(estimate, state->sweep->runs);
    if (estimate->finished == estimate->jobs)
        printf("\nnothing is left to do\n");
    else
        print_time(state, estimate);
    return cli_flush(state->values.command);
}

static int plan(const sweep_state *state)
{
    const double calibration_seconds = 8;
    spn_error err = {0};
    spn_sweep_estimate estimate;
    if (spn_sweep_rank() > 0)
        return CLI_OK;
    cli_catch_signals();
    if (spn_sweep_calibrate(&estimate, state->sweep, &state->options, calibration_seconds, &err))
        return cli_fail(&state->values, &err);
    int status = CLI_INTERRUPTED;
    if (!cli_interrupted)
        status = cli_flag(&state->values, "json") ? print_plan_json(state, &estimate)
                                                  : print_plan(state, &estimate);
    spn_sweep_estimate_clear(&estimate);
    return status;
}

/* ---- the outcome ---- */

static int print_json(const sweep_state *state, const spn_sweep_outcome *outcome, double seconds)
{
    char *text;
    spn_error err = {0};
    if (spn_sweep_outcome_json(&text, state->sweep, state->folder, outcome, seconds, &err))
        return cli_fail(&state->values, &err);
    return cli_print(state->values.command, text, "");
}

static int print_text(const sweep_state *state, const spn_sweep_outcome *outcome, double seconds)
{
    char time[32], before[64] = "";
    cli_format_time(time, sizeof time, seconds);
    if (outcome->before)
        snprintf(before, sizeof before, ", after %zu before", outcome->before);
    printf("%s: %zu run%s in %s%s, in %s\n", state->sweep->name, outcome->now,
           outcome->now == 1 ? "" : "s", time, before, state->folder);
    if (outcome->complete)
        printf("all %zu runs are finished; next: spinney report %s\n", spn_sweep_jobs(state->sweep),
               state->folder);
    else if (!outcome->stopped)
        printf("this shard is done; others are not\n");
    return cli_flush(state->values.command);
}

static int report_failure(const sweep_state *state, const spn_sweep_outcome *outcome,
                          const spn_error *err)
{
    if (!outcome->started)
        return cli_fail(&state->values, err);
    cli_error(state->values.command, "%s (%zu of %zu runs are finished)", err->text,
              outcome->before + outcome->now, outcome->jobs);
    return CLI_FAILED;
}

static int report(const sweep_state *state, const spn_sweep_outcome *outcome, double seconds)
{
    int status = cli_flag(&state->values, "json") ? print_json(state, outcome, seconds)
                                                  : print_text(state, outcome, seconds);
    if (status || !outcome->stopped)
        return status;
    fprintf(stderr,
            "spinney sweep: interrupted; %zu of %zu runs are finished; repeat the command to "
            "continue\n",
            outcome->before + outcome->now, outcome->jobs);
    return CLI_INTERRUPTED;
}

/* ---- the run ---- */

/* Under mpirun the first rank speaks for all. A batch system may start shards, which do not know
   each other. */
static bool speaks(bool shard)
{
    return spn_sweep_rank() == 0 || (shard && spn_sweep_ranks() <= 1);
}

static int run(sweep_state *state)
{
    spn_error err = {0};
    spn_sweep_outcome outcome;
    cli_progress progress = cli_progress_start(cli_flag(&state->values, "quiet"));
    state->options.observer = cli_progress_sweep;
    state->options.observer_context = &progress;
    cli_catch_signals();
    const double started = spn_clock();
    spn_status failed = spn_sweep_run(&outcome, state->sweep, &state->options, &err);
    /* The first rank reports, and mpirun returns its status. */
    if (!speaks(state->options.shards > 1))
        return CLI_OK;
    cli_progress_end(&progress);
    return failed ? report_failure(state, &outcome, &err)
                  : report(state, &outcome, spn_clock() - started);
}

/* Done before the ranks, if there are several, meet. */
static bool prepare(sweep_state *state, const cli_command *command, int argc, char **argv,
                    int *status)
{
    if (!cli_parse(&state->values, command, argc, argv, status))
        return false;
    return !(*status = read_options(state)) && !(*status = read_specification(state)) &&
           !(*status = choose_folder(state));
}

/* The same for other ranks. An error is usually the first rank's too, which reports it and ends
   all ranks; otherwise it is reported here. */
static bool prepare_quietly(sweep_state *state, const cli_command *command, int argc, char **argv,
                            int *status)
{
    const int errors = dup(STDERR_FILENO);
    FILE *held = tmpfile();
    if (!freopen("/dev/null", "w", stdout) || errors < 0 || !held)
        return prepare(state, command, argc, argv, status);
    dup2(fileno(held), STDERR_FILENO);
    const bool prepared = prepare(state, command, argc, argv, status);
    dup2(errors, STDERR_FILENO);
    rewind(held);
    if (*status != CLI_OK)
        sleep(2);
    for (int c; (c = getc(held)) != EOF;)
        putc(c, stderr);
    fclose(held);
    close(errors);
    return prepared;
}

int cli_sweep(const cli_command *command, int argc, char **argv)
{
    int status;
    sweep_state state = {0};
    bool shard = false;
    for (int k = 1; k < argc; k++)
        shard = shard || strncmp(argv[k], "--shard", strlen("--shard")) == 0;
    if (speaks(shard) ? prepare(&state, command, argc, argv, &status)
                      : prepare_quietly(&state, command, argc, argv, &status))
        status = cli_flag(&state.values, "dry-run") ? plan(&state) : run(&state);
    spn_sweep_free(state.sweep);
    free(state.folder);
    return status;
}
