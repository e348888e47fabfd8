/* spinney records: the results of a sweep as a table, CSV or JSON. */
#include "cli/table.h"

#include <spinney/lab/task.h>
#include <stdio.h>
#include <string.h>

const spn_setting cli_records_options[] = {
    SPN_HEADING("What"),
    CLI_TEXT("where", "COND", NULL,
             "only runs that meet a condition, such as 'gamma<=3.2'; the operators are = != < <= > "
             ">=, the names those of `columns`. May be repeated"),
    CLI_TEXT(
        "columns", "LIST", NULL,
        "results and settings to show, such as test_loss,overlap; also run, seed, instance_seed, "
        "seconds, key, machine, version and finished (default: the task's main results)"),
    CLI_TEXT(
        "by", "LIST", NULL,
        "one row for all runs that agree in these settings (default: the settings of the grid)"),
    CLI_FLAG("list", "one row per run"),
    SPN_HEADING("Output"),
    CLI_FILE("csv", "FILE", NULL,
             "write one row per run with all settings and results; in full precision. - is the "
             "standard output"),
    CLI_TEXT("curves", "NAME", NULL, "write one row per point of this curve; with `csv`"),
    CLI_FLAG("json", "print one JSON object, and nothing else, on stdout"),
    CLI_FLAG("archive", "compress all runs into manifest.jsonl.gz; it has a fifth of the size and "
                        "is read like the other manifests, which are removed"),
    {.name = NULL}};

const char cli_records_details[] = "FOLDER is what spinney sweep writes; the sweep may be "
                                   "incomplete or running. Means are over the\n"
                                   "runs, with 95% confidence intervals: by Student's t, or for "
                                   "shares such as solved by Wilson's\n"
                                   "score: 0.05 [0.01, 0.24].\n";

const char cli_records_examples[] =
    "  spinney records records/gamma\n"
    "  spinney records records/gamma --where 'gamma<=0.5' --columns overlap --list\n"
    "  spinney records records/gamma --csv gamma.csv\n";

static void print_doubts(const cli_values *values, const spn_view *view,
                         const spn_view_options *options)
{
    char doubt[SPN_ERROR_TEXT];
    for (size_t k = 0; k < options->where_count; k++)
        if (*spn_view_doubt(doubt, view, options->where[k]))
            cli_error(values->command, "--where: %s", doubt);
}

static int write_csv(const cli_values *values, const spn_view *view)
{
    const char *path = cli_text(values, "csv"), *curve = cli_text(values, "curves");
    const size_t columns = cli_given(values, "columns") ? view->column_count : 0;
    const bool print = strcmp(path, "-") == 0;
    spn_error err = {0};
    char *text = NULL;
    if ((curve && spn_view_check_curve(view, curve, &err)) ||
        (print ? spn_records_csv(&text, view->chosen, view->count, curve, view->columns, columns,
                                 &err)
               : spn_records_csv_file(path, view->chosen, view->count, curve, view->columns,
                                      columns, &err)))
        return cli_fail(values, &err);
    return print ? cli_print(values->command, text, "") : CLI_OK;
}

int cli_records_json(const cli_values *values, const spn_view *view,
                     const spn_view_options *options, bool list)
{
    spn_error err = {0};
    char *text;
    return spn_view_json(&text, view, options, list, &err) ? cli_fail(values, &err)
                                                           : cli_print(values->command, text, "");
}

/* The first option of a pair excludes the second. */
static int check_options(const cli_values *values)
{
    static const char *const pairs[][2] = {
        {"csv", "json"}, {"csv", "list"}, {"csv", "by"}, {"curves", "columns"}, {"list", "by"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (cli_given(values, pairs[k][0]) && cli_given(values, pairs[k][1]))
            return cli_error(values->command, "--%s and --%s cannot be combined", pairs[k][0],
                             pairs[k][1]);
    if (cli_given(values, "curves") && !cli_given(values, "csv"))
        return cli_error(values->command, "--curves needs --csv FILE");
    static const char *const shown[] = {"where", "columns", "by", "list", "csv", "json"};
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        if (cli_flag(values, "archive") && cli_given(values, shown[k]))
            return cli_error(values->command, "--archive and --%s cannot be combined", shown[k]);
    if (values->argument_count != 1)
        return cli_error(values->command, "give the folder of one sweep; see spinney records "
                                          "--help");
    return CLI_OK;
}

static int archive(const cli_values *values, const spn_records *records)
{
    spn_error err = {0};
    if (spn_records_archive(records->folder, &err))
        return cli_fail(values, &err);
    printf("%s: %zu run%s in manifest.jsonl.gz\n", records->folder, records->count,
           records->count == 1 ? "" : "s");
    return cli_flush(values->command);
}

static int show(const cli_values *values, const spn_view *view, const spn_view_options *options)
{
    const bool list = cli_flag(values, "list");
    print_doubts(values, view, options);
    if (cli_flag(values, "archive"))
        return archive(values, view->all);
    if (cli_given(values, "csv"))
        return write_csv(values, view);
    return cli_flag(values, "json") ? cli_records_json(values, view, options, list)
                                    : cli_records_print(values, view, options, list);
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
    spn_view view;
    spn_records *records;
    spn_error err = {0};
    if (spn_records_read(&records, values.arguments[0], &err))
        return cli_fail(&values, &err);
    spn_task_main_quantities(usual, records->sweep->task);
    status = spn_view_make(&view, records, &options, &err) ? cli_fail(&values, &err)
                                                           : show(&values, &view, &options);
    spn_view_clear(&view);
    spn_records_free(records);
    return status;
}
