/* spinney records: what a sweep found, as a table, as CSV or as JSON. */
#include "cli/records.h"

#include "cli/commands.h"
#include "cli/model.h"
#include <spinney/lab/task.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const spn_setting cli_records_options[] = {
    SPN_HEADING("What"),
    CLI_TEXT("where", "COND", NULL,
             "only runs for which NAME=VALUE, !=, <, <=, > or >= holds, such as 'gamma<=3.2'; NAME "
             "as in --columns; may be given several times"),
    CLI_TEXT("columns", "LIST", NULL,
             "results and settings to show, given or by default, such as test_loss,overlap; also "
             "run, seed, instance_seed, seconds, key, machine, version and finished (default: the "
             "most useful of the task)"),
    CLI_TEXT("by", "LIST", NULL,
             "one row for all runs that agree in these settings (default: those of the grid)"),
    CLI_FLAG("list", "one row for each run"),
    SPN_HEADING("Output"),
    CLI_FILE(
        "csv", "FILE", NULL,
        "write one row for each run, with all settings and results in full precision; - is stdout"),
    CLI_TEXT("curves", "NAME", NULL,
             "of --csv: one row for each point of this curve of each run instead"),
    CLI_FLAG("json", "print one JSON object on stdout and nothing else there"),
    CLI_FLAG("archive", "put all runs into manifest.jsonl.gz, a fifth of the size, which is read "
                        "as the others are, and remove these; a sweep that goes on there keeps it"),
    {.name = NULL}};

const char cli_records_details[] =
    "FOLDER is what spinney sweep makes; it may be incomplete, and a sweep may be running in it.\n"
    "Means are over the runs; the interval is that of 95% by Student's t, of shares such as "
    "solved\n"
    "by Wilson's score: 0.05 [0.01, 0.24].\n\n"
    "Examples\n"
    "  spinney records records/gamma\n"
    "  spinney records records/gamma --by replicas --columns test_accuracy,centre_test_accuracy\n"
    "  spinney records records/gamma --where 'gamma<=1.6' --where replicas=3 --list\n"
    "  spinney records records/gamma --csv gamma.csv\n"
    "  spinney records records/gamma --curves flips --csv flips.csv\n"
    "  spinney records records/gamma --archive\n";

/* Say where a condition may be a slip. */
static void tell_doubts(const cli_values *values, const spn_view *view,
                        const spn_view_options *options)
{
    char doubt[SPN_ERROR_TEXT];
    for (size_t k = 0; k < options->where_count; k++)
        if (*spn_view_doubt(doubt, view, options->where[k]))
            cli_error(values->command, "--where: %s", doubt);
}

/* ---- CSV, JSON ---- */

static int write_csv(const cli_records_view *view)
{
    const char *path = cli_text(view->values, "csv"), *curve = cli_text(view->values, "curves");
    const bool columns = cli_given(view->values, "columns");
    const spn_csv_options options = {.curve = curve,
                                     .column_count = columns ? view->view.column_count : 0,
                                     .columns = view->view.columns};
    spn_error err = {0};
    char *text;
    if (curve && spn_view_check_curve(&view->view, curve, &err))
        return cli_fail(view->values, &err);
    if (strcmp(path, "-") != 0) {
        if (spn_records_csv_file(path, view->view.chosen, view->view.count, &options, &err))
            return cli_fail(view->values, &err);
        return CLI_OK;
    }
    if (spn_records_csv(&text, view->view.chosen, view->view.count, &options, &err))
        return cli_fail(view->values, &err);
    const int status = cli_print(view->values->command, text);
    free(text);
    return status;
}

int cli_records_json(const cli_records_view *view)
{
    spn_error err = {0};
    char *text;
    if (spn_view_json(&text, &view->view, view->options, view->list, &err))
        return cli_fail(view->values, &err);
    const int status = cli_print(view->values->command, text);
    free(text);
    return status;
}

/* ---- the command ---- */

/* Options of which the first excludes the second. */
static int check_options(const cli_values *values)
{
    static const char *const pairs[][2] = {
        {"csv", "json"}, {"csv", "list"}, {"csv", "by"}, {"curves", "columns"}, {"list", "by"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (cli_given(values, pairs[k][0]) && cli_given(values, pairs[k][1]))
            return cli_error(values->command, "--%s and --%s do not go together", pairs[k][0],
                             pairs[k][1]);
    if (cli_given(values, "curves") && !cli_given(values, "csv"))
        return cli_error(values->command, "--curves goes with --csv FILE");
    static const char *const shown[] = {"where", "columns", "by", "list", "csv", "json"};
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        if (cli_flag(values, "archive") && cli_given(values, shown[k]))
            return cli_error(values->command, "--archive and --%s do not go together", shown[k]);
    if (values->argument_count != 1)
        return cli_error(values->command, "give the folder of one sweep; see spinney records "
                                          "--help");
    return CLI_OK;
}

static int archive(const cli_records_view *view)
{
    spn_error err = {0};
    if (spn_records_archive(view->view.all->folder, &err))
        return cli_fail(view->values, &err);
    printf("%s: %zu run%s in manifest.jsonl.gz\n", view->view.all->folder, view->view.all->count,
           view->view.all->count == 1 ? "" : "s");
    return cli_flush(view->values->command);
}

static int show(const cli_records_view *view)
{
    if (cli_flag(view->values, "archive"))
        return archive(view);
    if (cli_given(view->values, "csv"))
        return write_csv(view);
    return cli_flag(view->values, "json") ? cli_records_json(view) : cli_records_print(view);
}

int cli_records(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    if ((status = check_options(&values)))
        return status;
    const char *where[CLI_MAX_GIVEN];
    const char *usual[SPN_MAIN_QUANTITIES + 1] = {NULL};
    const spn_view_options options = {.where_count = cli_texts(where, &values, "where"),
                                      .where = where,
                                      .columns = cli_text(&values, "columns"),
                                      .usual = usual,
                                      .by = cli_text(&values, "by")};
    cli_records_view view = {
        .values = &values, .options = &options, .list = cli_flag(&values, "list")};
    spn_records *records;
    spn_error err = {0};
    if (spn_records_read(&records, values.arguments[0], &err))
        return cli_fail(&values, &err);
    spn_task_main_quantities(usual, records->sweep->task);
    if (spn_view_make(&view.view, records, &options, &err)) {
        status = cli_fail(&values, &err);
    } else {
        tell_doubts(&values, &view.view, &options);
        status = show(&view);
    }
    spn_view_clear(&view.view);
    spn_records_free(records);
    return status;
}
