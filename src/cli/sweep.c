/* spinney sweep: all runs of a specification file, into a folder of records. */
#include "cli/sweep.h"

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    "  mpirun -n 64 spinney sweep gamma.yaml\n";

const char cli_sweep_examples[] =
    "  spinney sweep gamma.yaml --dry-run\n"
    "  spinney sweep gamma.yaml\n"
    "  spinney sweep gamma.yaml --set gamma=0,0.4,0.8 --runs 3 --out quick\n";

/* ---- options ---- */

static int read_shard(cli_sweep_state *state)
{
    const char *text = cli_text(&state->values, "shard");
    unsigned shard, shards;
    int used = 0;
    if (!text)
        return CLI_OK;
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

static int read_options(cli_sweep_state *state)
{
    const cli_values *values = &state->values;
    if (values->argument_count != 1)
        return cli_error(values->command, "give one specification file; see spinney sweep --help");
    uint64_t threads = spn_sweep_default_threads();
    cli_value(&threads, values, "threads");
    cli_value(&state->options.save_seconds, values, "save-every");
    state->options.threads = (unsigned)threads;
    state->options.specification = values->arguments[0];
    state->options.stop = &cli_interrupted;
    return read_shard(state);
}

/* Read the specification, with what the command line changes of it. */
static int read_specification(cli_sweep_state *state)
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

static int choose_folder(cli_sweep_state *state)
{
    const char *out = cli_text(&state->values, "out");
    const size_t size = strlen(out ? out : state->sweep->name) + sizeof "records/";
    state->folder = malloc(size);
    if (!state->folder) {
        cli_error(state->values.command, "out of memory");
        return CLI_FAILED;
    }
    snprintf(state->folder, size, "%s%s", out ? "" : "records/", out ? out : state->sweep->name);
    state->options.folder = state->folder;
    return CLI_OK;
}

/* ---- the outcome ---- */

static int print_json(const cli_sweep_state *state, const spn_sweep_outcome *outcome,
                      double seconds)
{
    char *text;
    spn_error err = {0};
    if (spn_sweep_outcome_json(&text, state->sweep, state->folder, outcome, seconds, &err))
        return cli_fail(&state->values, &err);
    return cli_print(state->values.command, text);
}

static int print_text(const cli_sweep_state *state, const spn_sweep_outcome *outcome,
                      double seconds)
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

/* What the runs that failed or were interrupted leave. */
static int report_failure(const cli_sweep_state *state, const spn_sweep_outcome *outcome,
                          const spn_error *err)
{
    if (!outcome->started)
        return cli_fail(&state->values, err);
    cli_error(state->values.command, "%s (%zu of %zu runs are finished)", err->text,
              outcome->before + outcome->now, outcome->jobs);
    return CLI_FAILED;
}

static int report(const cli_sweep_state *state, const spn_sweep_outcome *outcome, double seconds)
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

/* Under mpirun the first rank speaks for all; what a batch system starts may be shards, which do
   not know each other. */
static bool speaks(bool shard)
{
    return spn_sweep_rank() == 0 || (shard && spn_sweep_ranks() <= 1);
}

static int run(cli_sweep_state *state)
{
    spn_error err = {0};
    spn_sweep_outcome outcome;
    cli_progress progress = cli_progress_start(cli_flag(&state->values, "quiet"));
    state->options.observer = cli_progress_sweep;
    state->options.observer_context = &progress;
    cli_catch_signals();
    const double started = spn_clock();
    spn_status failed = spn_sweep_run(&outcome, state->sweep, &state->options, &err);
    if (!speaks(state->options.shards >
                1)) /* mpirun's status is that of the first rank, which says what it is */
        return CLI_OK;
    cli_progress_end(&progress);
    return failed ? report_failure(state, &outcome, &err)
                  : report(state, &outcome, spn_clock() - started);
}

/* All that is done before the ranks, if there are several, meet. */
static bool prepare(cli_sweep_state *state, const cli_command *command, int argc, char **argv,
                    int *status)
{
    if (!cli_parse(&state->values, command, argc, argv, status))
        return false;
    *status = read_options(state);
    if (!*status)
        *status = read_specification(state);
    if (!*status)
        *status = choose_folder(state);
    return *status == CLI_OK;
}

/* The same for a rank that is not the first. What is wrong is wrong for the first one too, as a
   rule, which says so and has all ranks ended; only if it does not is it said here. */
static bool prepare_quietly(cli_sweep_state *state, const cli_command *command, int argc,
                            char **argv, int *status)
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
    cli_sweep_state state = {0};
    bool shard = false;
    for (int k = 1; k < argc; k++)
        shard = shard || strncmp(argv[k], "--shard", strlen("--shard")) == 0;
    if (speaks(shard) ? prepare(&state, command, argc, argv, &status)
                      : prepare_quietly(&state, command, argc, argv, &status))
        status = cli_flag(&state.values, "dry-run") ? cli_sweep_plan(&state) : run(&state);
    spn_sweep_free(state.sweep);
    free(state.folder);
    return status;
}
