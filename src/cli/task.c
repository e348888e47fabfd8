/* One command for every task: make a job from the options, run it, and print the results. */
#include "cli/task.h"
#include "cli/terminal.h"
#include "job/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const spn_setting chain_rows[] = {
    {.group = spn_checkpoint_settings},
    CLI_FLAG("resume",
             "continue from `checkpoint`; this is the default, but says so if there is none"),
    {.group = spn_trace_settings},
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
             "draw into FILE.svg, FILE.pdf or FILE.png; a curve of the run, else its trace; or "
             "with `grid` "
             "results against the first setting, one curve for each value of the second"),
    CLI_ROW(SPN_SETTING_LIST, "y", "RESULT,...", NULL,
            "results to draw or, with `grid`, to show; write a column of a curve as "
            "flips.accuracy, one "
            "of the trace as energy, best, overlap or acceptance"),
    CLI_FLAG("log", "logarithmic y axis; only positive values are drawn"),
    CLI_FLAG("histogram", "with `plot`, draw a histogram; of the values of a column or, with "
                          "`grid`, of all runs of a point"),
    {.name = NULL}};

cli_command cli_task_command(const spn_task *task)
{
    static const spn_setting none[] = {{.name = NULL}};
    return (cli_command){.name = task->name,
                         .arguments = spn_setting_find(task->settings, "model") ? "MODEL" : NULL,
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

/* Pass an option to the call: a setting of the task, or an option of the run. The others are the
   command's own. */
static spn_status give(spn_call *call, const spn_setting *run_options, const spn_setting *option,
                       const char *text, spn_error *err)
{
    if (spn_setting_find(call->job.task->settings, option->name) == option)
        return spn_call_set(call, option->name, text, err);
    return spn_setting_find(run_options, option->name)
               ? spn_call_option(call, option->name, text, err)
               : SPN_OK;
}

static int make_call(spn_call **out, const cli_values *values)
{
    const spn_task *task = values->command->task;
    spn_setting run_options[SPN_RUN_OPTION_ROWS];
    spn_error err = {0};
    spn_status status = spn_call_create(out, task->name, &err);
    if (values->argument_count > 1)
        return cli_error(values->command, "give one model file; see spinney %s --help", task->name);
    if (!status && values->argument_count == 1)
        status = spn_call_set(*out, "model", values->arguments[0], &err);
    spn_run_option_table(run_options, task);
    for (size_t k = 0; k < values->count && !status; k++)
        status = give(*out, run_options, values->given[k].option, values->given[k].text, &err);
    return status ? cli_fail(values, &err) : CLI_OK;
}

/* The library checks the other files. */
static int check_plot_file(const cli_values *values)
{
    static const char *const names[] = {"out", "checkpoint", "trace", NULL};
    const char *plot = cli_text(values, "plot");
    for (size_t k = 0; plot && names[k]; k++) {
        const char *other = cli_text(values, names[k]);
        if (other && strcmp(plot, other) == 0)
            return cli_error(values->command, "--%s and --plot both name %s; give two files",
                             names[k], plot);
    }
    return CLI_OK;
}

static bool is_stdout(const cli_values *values, const char *name)
{
    return cli_given(values, name) && strcmp(cli_text(values, name), "-") == 0;
}

static int check_options(const cli_values *values)
{
    static const char *const needs[][2] = {
        {"resume", "checkpoint"}, {"runs", "grid"}, {"log", "plot"}, {"histogram", "plot"}};
    static const char *const alone[] = {"out", "checkpoint", "trace", NULL};
    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
        if (cli_given(values, needs[k][0]) && !cli_given(values, needs[k][1]))
            return cli_error(values->command, "--%s needs --%s", needs[k][0], needs[k][1]);
    for (size_t k = 0; cli_given(values, "grid") && alone[k]; k++)
        if (cli_given(values, alone[k]))
            return cli_error(values->command,
                             "--%s is for one run, but --grid makes several; use spinney sweep, "
                             "which keeps the files of each",
                             alone[k]);
    if (cli_flag(values, "json") && (is_stdout(values, "out") || is_stdout(values, "trace")))
        return cli_error(values->command,
                         "--json is for the standard output, and so is --%s -; give one of them "
                         "the name of a file",
                         is_stdout(values, "out") ? "out" : "trace");
    if (cli_given(values, "y") && !cli_given(values, "plot") && !cli_given(values, "grid"))
        return cli_error(values->command, "--y needs --plot or --grid");
    const int status = cli_check_figure(values);
    return status ? status : check_plot_file(values);
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
                "spinney %s: interrupted at step %" PRIu64
                "; repeat the command to continue from step %" PRIu64 " (%s)\n",
                name, outcome->step, outcome->saved_step, checkpoint);
    else
        fprintf(stderr,
                "spinney %s: interrupted at step %" PRIu64 "; with --checkpoint FILE it could "
                "continue later\n",
                name, outcome->step);
}

/* If a file of the run goes to stdout, everything else goes to stderr. */
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

size_t cli_task_rows(const cli_values *values)
{
    uint64_t rows;
    cli_value(&rows, values, "rows");
    return (size_t)rows;
}

static int print_json(const cli_values *values, const spn_call *call)
{
    spn_error err = {0};
    spn_json json = SPN_JSON_PRINTED;
    if (spn_json_begin(&json, &err))
        return cli_fail(values, &err);
    if (spn_call_put_json(&json, call, cli_task_rows(values), &err)) {
        spn_json_drop(&json);
        return cli_fail(values, &err);
    }
    static const char *const names[] = {"out", "checkpoint", "trace", "plot", NULL};
    spn_json_open(&json, "files", '{');
    for (size_t k = 0; names[k]; k++) {
        const char *text = cli_text(values, names[k]);
        if (!spn_setting_find(values->command->options, names[k]))
            continue;
        if (text)
            spn_json_any_text(&json, names[k], text);
        else
            spn_json_null(&json, names[k]);
    }
    spn_json_close(&json, '}');
    spn_json_close(&json, '}');
    return cli_print_json(values, &json);
}

/* Print the results, and then remove the checkpoint, as nothing can be lost any more. */
static int report(const cli_values *values, const spn_call *call)
{
    spn_error err = {0};
    int status = cli_flag(values, "json") ? print_json(values, call) : cli_task_text(values, call);
    if (!status && cli_given(values, "plot"))
        status = cli_task_plot(values, call);
    if (status)
        return status;
    if (!call->outcome.complete) {
        say_how_to_resume(values, &call->outcome);
        return CLI_INTERRUPTED;
    }
    return spn_call_finish(call, &err) ? cli_fail(values, &err) : CLI_OK;
}

static int run_call(const cli_values *values, spn_call *call)
{
    cli_progress progress = cli_progress_start(cli_flag(values, "quiet"));
    const spn_run how = {
        .stop = &cli_interrupted, .progress = cli_progress_run, .context = &progress};
    spn_error err = {0};
    if (spn_call_plan(call, &err))
        return cli_fail(values, &err);
    if (!spn_call_resolved(call))
        return cli_no_memory(values->command);
    int status = cli_check_plot(values, call->plan);
    if (status)
        return status;
    const char *checkpoint = cli_text(values, "checkpoint");
    if (values->command->task->chain && cli_flag(values, "resume") && access(checkpoint, F_OK) != 0)
        fprintf(stderr, "spinney %s: there is no %s yet: starting from the beginning\n",
                values->command->name, checkpoint);
    cli_catch_signals();
    const spn_status failed = spn_call_run_as(call, &how, &err);
    cli_progress_end(&progress);
    if (failed)
        return cli_fail(values, &err);
    if (call->outcome.one_thread && !cli_flag(values, "quiet"))
        fprintf(stderr, "spinney %s: used one thread, because more would not be faster\n",
                values->command->name);
    status = keep_stdout_clean(values);
    return status ? status : report(values, call);
}

int cli_task(const cli_values *values)
{
    spn_call *call = NULL;
    int status = make_call(&call, values);
    if (!status)
        status = check_options(values);
    if (!status)
        status =
            cli_given(values, "grid") ? cli_task_grid(values, &call->job) : run_call(values, call);
    spn_call_free(call);
    return status;
}
