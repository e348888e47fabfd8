/* One command for every task: it makes a job of the options, runs it and prints what it found. */
#include "cli/task.h"

#include "cli/commands.h"
#include "cli/progress.h"
#include "job/run_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the table of options ---- */

static const spn_setting chain_rows[] = {
    {.group = spn_checkpoint_rows},
    CLI_FLAG("resume",
             "continue from `checkpoint`; this is the default, but says so if there is none"),
    {.group = spn_trace_rows},
    {.name = NULL}};

static const spn_setting output_rows[] = {
    {.name = "json",
     .kind = SPN_SETTING_FLAG,
     .flags = SPN_SETTING_COMMON,
     .help = "print one JSON object, and nothing else, on stdout"},
    CLI_WHOLE("rows", "n", "8", 0, 1e9, "show at most n replicas and n states found by reads"),
    CLI_FLAG("quiet", "show no progress"),
    SPN_HEADING("Grids and figures"),
    CLI_TEXT("grid", "NAME=VALUES", NULL,
             "run with each value of a setting, A,B,C or START:END:STEP, and print a table; repeat "
             "it for all combinations of several settings"),
    CLI_WHOLE("runs", "n", "1", 1, 1000000, "runs of each point of `grid`"),
    CLI_FILE("plot", "FILE", NULL,
             "draw into FILE.svg, FILE.pdf or FILE.png; a curve of the run, or with `grid` results "
             "against the first setting, one curve for each value of the second"),
    CLI_ROW(
        SPN_SETTING_LIST, "y", "RESULT,...", NULL,
        "results to draw or, with `grid`, to show; write a column of a curve as flips.accuracy"),
    CLI_FLAG("log", "logarithmic y axis; only positive values are drawn"),
    CLI_FLAG("histogram", "with `plot`, draw a histogram; of the values of a column or, with "
                          "`grid`, of all runs of a point"),
    {.name = NULL}};

/* What may be given as an argument, without its name. */
static bool takes_model(const spn_task *task)
{
    return spn_setting_find(task->settings, "model") != NULL;
}

cli_command cli_task_command(const spn_task *task)
{
    static const spn_setting none[] = {{.name = NULL}};
    return (cli_command){.name = task->name,
                         .arguments = takes_model(task) ? "MODEL" : NULL,
                         .summary = task->summary,
                         .details = task->details,
                         .examples = task->examples,
                         .options = {{.group = task->settings},
                                     SPN_HEADING("Output"),
                                     task->product ? (spn_setting){.name = "out",
                                                                   .kind = SPN_SETTING_FILE,
                                                                   .flags = SPN_SETTING_COMMON,
                                                                   .argument = "FILE",
                                                                   .help = task->product}
                                                   : (spn_setting){.group = none},
                                     {.group = task->chain ? chain_rows : none},
                                     {.group = output_rows},
                                     {.name = NULL}},
                         .run = cli_task,
                         .task = task};
}

/* ---- the job ---- */

static int make_job(spn_job *job, const cli_values *values)
{
    const spn_task *task = values->command->task;
    spn_error err = {0};
    if (values->argument_count > 1)
        return cli_error(values->command, "give one model file; see spinney %s --help", task->name);
    if (values->argument_count == 1 && spn_job_set(job, "model", values->arguments[0], &err))
        return cli_fail(values, &err);
    for (size_t k = 0; k < values->count; k++) {
        const spn_setting *option = values->given[k].option;
        if (spn_setting_find(task->settings, option->name) == option &&
            spn_job_set(job, option->name, values->given[k].text, &err))
            return cli_fail(values, &err);
    }
    /* a trace and a checkpoint are of one run, where nothing else is asked for */
    if ((cli_given(values, "trace") || cli_given(values, "checkpoint")) &&
        spn_setting_find(task->settings, "reads") && !cli_given(values, "reads") &&
        spn_job_set(job, "reads", "1", &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

/* ---- options that go together ---- */

static int check_distinct(const cli_values *values)
{
    static const char *const names[] = {"out", "checkpoint", "trace", "plot", NULL};
    for (size_t i = 0; names[i]; i++) {
        const char *one = cli_text(values, names[i]);
        for (size_t j = i + 1; one && names[j]; j++) {
            const char *other = cli_text(values, names[j]);
            if (other && strcmp(one, other) == 0)
                return cli_error(values->command, "--%s and --%s both name %s; give two files",
                                 names[i], names[j], one);
        }
    }
    return CLI_OK;
}

/* Whether a file is to go to the standard output. */
static bool is_stdout(const cli_values *values, const char *name)
{
    return cli_given(values, name) && strcmp(cli_text(values, name), "-") == 0;
}

/* A slip that would cost the problem, or the data. States to start from may be replaced by better.
 */
static int check_inputs(const cli_values *values)
{
    const char *out = cli_text(values, "out");
    for (size_t k = 0; out && k < values->count; k++) {
        const spn_setting *option = values->given[k].option;
        if (option->kind == SPN_SETTING_FILE && strcmp(option->name, "out") != 0 &&
            strcmp(option->name, "init") != 0 && strcmp(values->given[k].text, out) == 0 &&
            spn_setting_find(values->command->task->settings, option->name) == option)
            return cli_error(values->command, "--out would replace %s, the file of --%s", out,
                             option->name);
    }
    return CLI_OK;
}

/* What is kept of one run goes with one read. */
static int check_reads(const cli_values *values)
{
    static const char *const of_one[] = {"checkpoint", "trace", NULL};
    uint64_t reads = 1;
    if (spn_setting_find(values->command->options, "reads"))
        cli_value(&reads, values, "reads");
    for (size_t k = 0; reads > 1 && of_one[k]; k++)
        if (cli_given(values, of_one[k]))
            return cli_error(values->command,
                             "--%s is of one run, and --reads makes several; give one of them",
                             of_one[k]);
    return CLI_OK;
}

static int check_options(const cli_values *values)
{
    static const char *const needs[][2] = {{"every", "checkpoint"},  {"resume", "checkpoint"},
                                           {"trace-every", "trace"}, {"runs", "grid"},
                                           {"log", "plot"},          {"histogram", "plot"}};
    static const char *const alone[] = {"out", "checkpoint", "trace", NULL};
    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
        if (cli_given(values, needs[k][0]) && !cli_given(values, needs[k][1]))
            return cli_error(values->command, "--%s goes with --%s", needs[k][0], needs[k][1]);
    for (size_t k = 0; cli_given(values, "grid") && alone[k]; k++)
        if (cli_given(values, alone[k]))
            return cli_error(values->command,
                             "--%s is of one run, and --grid makes several; spinney sweep keeps "
                             "what each of them makes",
                             alone[k]);
    if (is_stdout(values, "checkpoint"))
        return cli_error(
            values->command,
            "--checkpoint is read again when the run goes on; give the name of a file");
    if (cli_flag(values, "json") && (is_stdout(values, "out") || is_stdout(values, "trace")))
        return cli_error(values->command,
                         "--json is for the standard output, and so is --%s -; give one of them "
                         "the name of a file",
                         is_stdout(values, "out") ? "out" : "trace");
    if (cli_given(values, "y") && !cli_given(values, "plot") && !cli_given(values, "grid"))
        return cli_error(values->command, "--y goes with --plot or --grid");
    int status = cli_check_figure(values);
    if (!status)
        status = check_reads(values);
    if (!status)
        status = check_inputs(values);
    return status ? status : check_distinct(values);
}

/* ---- the run ---- */

static void show_progress(void *context, const spn_run_progress *progress)
{
    cli_progress_run(context, progress);
}

static spn_run make_run(const cli_values *values, spn_inputs *inputs, cli_progress *progress)
{
    spn_run run = {.inputs = inputs,
                   .stop = &cli_interrupted,
                   .details = true,
                   .checkpoint = cli_text(values, "checkpoint"),
                   .trace = cli_text(values, "trace"),
                   .product = cli_text(values, "out"),
                   .progress = show_progress,
                   .context = progress};
    if (values->command->task->chain) {
        cli_value(&run.save_steps, values, "every");
        cli_value(&run.trace_steps, values, "trace-every");
    }
    return run;
}

static void say_how_to_resume(const cli_values *values, const spn_outcome *outcome)
{
    const char *name = values->command->name, *checkpoint = cli_text(values, "checkpoint");
    if (!values->command->task->chain)
        fprintf(stderr, "spinney %s: interrupted\n", name);
    else if (outcome->reads)
        fprintf(stderr, "spinney %s: interrupted: %" PRIu64 " reads were begun\n", name,
                outcome->reads);
    else if (checkpoint)
        fprintf(stderr,
                "spinney %s: interrupted at step %" PRIu64 "; give the same command again to go on "
                "from step %" PRIu64 " (%s)\n",
                name, outcome->step, outcome->saved_step, checkpoint);
    else
        fprintf(stderr,
                "spinney %s: interrupted at step %" PRIu64 "; with --checkpoint FILE it could go "
                "on later\n",
                name, outcome->step);
}

/* Where the standard output holds a file of the run, what is said about the run goes to stderr. */
static int keep_stdout_clean(const cli_values *values)
{
    if (!is_stdout(values, "out") && !is_stdout(values, "trace"))
        return CLI_OK;
    const int status = cli_flush(values->command);
    if (status)
        return status;
    return dup2(STDERR_FILENO, STDOUT_FILENO) < 0
               ? cli_error(values->command, "the standard output cannot be replaced")
               : CLI_OK;
}

size_t cli_task_rows(const cli_task_result *result)
{
    uint64_t rows;
    cli_value(&rows, result->values, "rows");
    return (size_t)rows;
}

/* Print it, and then, as nothing is lost any more, drop the checkpoint. */
static int report(const cli_task_result *result, const spn_run *run)
{
    const cli_values *values = result->values;
    spn_error err = {0};
    int status = cli_flag(values, "json") ? cli_task_json(result) : cli_task_text(result);
    if (!status && cli_given(values, "plot"))
        status = cli_task_plot(result);
    if (status)
        return status;
    if (!result->outcome.complete) {
        say_how_to_resume(values, &result->outcome);
        return CLI_INTERRUPTED;
    }
    return spn_job_finish(run, &err) ? cli_fail(values, &err) : CLI_OK;
}

/* The texts of what was not given; wrong settings are found out here. */
static int resolve(cli_task_result *result, spn_inputs *inputs)
{
    spn_error err = {0};
    void *plan;
    spn_status status = spn_job_plan(&plan, result->job, inputs, &err);
    if (!status)
        status = spn_job_resolve(&result->resolved, result->job, plan, &err);
    const int shown =
        status ? cli_fail(result->values, &err) : cli_check_plot(result->values, plan);
    spn_job_plan_free(result->job->task, plan);
    return shown;
}

static int run_job(cli_task_result *result, spn_inputs *inputs)
{
    const cli_values *values = result->values;
    cli_progress progress = cli_progress_start(cli_flag(values, "quiet"));
    spn_run run = make_run(values, inputs, &progress);
    spn_error err = {0};
    run.solutions = &result->solutions;
    int status = resolve(result, inputs);
    if (status)
        return status;
    if (values->command->task->chain && cli_flag(values, "resume") &&
        access(run.checkpoint, F_OK) != 0)
        fprintf(stderr, "spinney %s: there is no %s yet: starting from the beginning\n",
                values->command->name, run.checkpoint);
    cli_catch_signals();
    const spn_status failed =
        spn_job_run(&result->record, &result->outcome, result->job, &run, &err);
    cli_progress_end(&progress);
    result->record.seconds = result->outcome.seconds;
    if (failed)
        return cli_fail(values, &err);
    if (result->outcome.one_thread && !cli_flag(values, "quiet"))
        fprintf(stderr, "spinney %s: one thread was used, as more would not have been faster\n",
                values->command->name);
    status = keep_stdout_clean(values);
    return status ? status : report(result, &run);
}

int cli_task(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    spn_inputs *inputs = NULL;
    spn_error err = {0};
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    spn_job job = spn_job_start(command->task);
    cli_task_result result = {.values = &values, .job = &job};
    if ((status = make_job(&job, &values)) || (status = check_options(&values)))
        goto cleanup;
    if (spn_inputs_create(&inputs, NULL, &err)) {
        status = cli_fail(&values, &err);
        goto cleanup;
    }
    status = cli_given(&values, "grid") ? cli_task_grid(&values, &job) : run_job(&result, inputs);
cleanup:
    spn_solutions_free(result.solutions);
    spn_record_clear(&result.record);
    spn_record_clear(&result.resolved);
    spn_inputs_free(inputs);
    spn_job_clear(&job);
    return status;
}
