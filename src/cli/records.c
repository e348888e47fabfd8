/* spinney records: what a sweep found, as a table, as CSV or as JSON. */
#include "cli/records.h"

#include "cli/commands.h"
#include "cli/model.h"
#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const spn_setting cli_records_options[] = {
    SPN_HEADING("What"),
    CLI_TEXT("where", "COND", NULL,
             "only runs for which NAME=VALUE, !=, <, <=, > or >= holds, such as 'gamma<=3.2'; NAME "
             "as in "
             "--columns; may be given several times"),
    CLI_TEXT(
        "columns", "LIST", NULL,
        "results and settings to show, given or by default, such as test_loss,overlap; also run, "
        "seed, instance_seed, seconds, key, machine, version and finished (default: the most "
        "useful "
        "of the task)"),
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
    CLI_FLAG("archive",
             "put all runs into manifest.jsonl.gz, a fifth of the size, which is read as "
             "the others are, and remove these; a sweep that goes on there keeps it"),
    {.name = NULL}};

const char cli_records_details[] =
    "FOLDER is what spinney sweep makes; it may be incomplete, and a sweep may be running in it.\n"
    "Means are over the runs; the interval is that of 95% by Student's t.\n\n"
    "Examples\n"
    "  spinney records records/gamma\n"
    "  spinney records records/gamma --by replicas --columns test_accuracy,centre_test_accuracy\n"
    "  spinney records records/gamma --where 'gamma<=1.6' --where replicas=3 --list\n"
    "  spinney records records/gamma --csv gamma.csv\n"
    "  spinney records records/gamma --curves flips --csv flips.csv\n"
    "  spinney records records/gamma --archive\n";

/* ---- choosing ---- */

static int choose(cli_view *view)
{
    spn_error err = {0};
    const spn_record none = {0};
    bool match;
    for (size_t k = 0; k < view->where_count; k++) /* wrong ones also where there are no runs */
        if (spn_record_matches(&match, &none, view->where[k], &err))
            return cli_error(view->values->command, "--where: %s", err.text);
    for (size_t k = 0; k < view->all->count; k++) {
        const spn_record *record = &view->all->records[k];
        match = true;
        for (size_t w = 0; w < view->where_count && match; w++)
            if (spn_record_matches(&match, record, view->where[w], &err))
                return cli_fail(view->values, &err);
        if (match)
            view->chosen[view->count++] = record;
    }
    return CLI_OK;
}

static int out_of_memory(const cli_view *view)
{
    cli_error(view->values->command, "out of memory");
    return CLI_FAILED;
}

/* Read the folder, and what is asked of it. */
static int load(cli_view *view, const char *folder)
{
    spn_error err = {0};
    if (spn_records_read(&view->all, folder, &err))
        return cli_fail(view->values, &err);
    view->chosen = calloc(view->all->count + 1, sizeof(void *));
    if (!view->chosen)
        return out_of_memory(view);
    for (size_t k = 0; k < view->all->count; k++)
        view->chosen[k] = &view->all->records[k];
    if (spn_record_names_of(&view->names, view->chosen, view->all->count, &err))
        return cli_fail(view->values, &err);
    view->where_count = cli_texts(view->where, view->values, "where");
    int status = choose(view);
    return status ? status : cli_records_names(view);
}

static void clear(cli_view *view)
{
    spn_record_names_clear(&view->names);
    spn_records_free(view->all);
    free(view->chosen);
    cli_names_clear(&view->columns);
    cli_names_clear(&view->by);
}

/* ---- CSV ---- */

static const char *curve_at(const void *view, size_t i)
{
    const spn_record_names *names = &((const cli_view *)view)->names;
    return i < names->curve_count ? names->curves[i] : NULL;
}

static int check_curve(const cli_view *view, const char *curve)
{
    for (size_t k = 0; k < view->names.curve_count; k++)
        if (strcmp(view->names.curves[k], curve) == 0)
            return CLI_OK;
    if (view->names.curve_count == 0)
        return cli_error(view->values->command, "--curves: the runs of %s have no curves",
                         view->all->folder);
    const char *nearest = spn_nearest_word(curve, curve_at, view);
    return cli_error(view->values->command, "--curves: there is no curve '%s'; there is %s", curve,
                     nearest ? nearest : view->names.curves[0]);
}

static int write_csv(const cli_view *view)
{
    const char *path = cli_text(view->values, "csv"), *curve = cli_text(view->values, "curves");
    const bool columns = cli_given(view->values, "columns");
    const spn_csv_options options = {.curve = curve,
                                     .column_count = columns ? view->columns.count : 0,
                                     .columns = view->columns.names};
    spn_error err = {0};
    char *text;
    int status = curve ? check_curve(view, curve) : CLI_OK;
    if (status)
        return status;
    if (strcmp(path, "-") != 0) {
        if (spn_records_csv_file(path, view->chosen, view->count, &options, &err))
            return cli_fail(view->values, &err);
        return CLI_OK;
    }
    if (spn_records_csv(&text, view->chosen, view->count, &options, &err))
        return cli_fail(view->values, &err);
    fputs(text, stdout);
    free(text);
    return cli_flush(view->values->command);
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

static int archive(const cli_view *view)
{
    spn_error err = {0};
    if (spn_records_archive(view->all->folder, &err))
        return cli_fail(view->values, &err);
    printf("%s: %zu run%s in manifest.jsonl.gz\n", view->all->folder, view->all->count,
           view->all->count == 1 ? "" : "s");
    return cli_flush(view->values->command);
}

static int show(const cli_view *view)
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
    cli_view view = {.values = &values};
    status = check_options(&values);
    if (!status)
        status = load(&view, values.arguments[0]);
    if (!status)
        status = show(&view);
    clear(&view);
    return status;
}
