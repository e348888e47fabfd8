/* spinney records: the results of a sweep as a table, CSV or JSON. */
#include "base/try.h"
#include "cli/table.h"
#include "cli/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Print a text from a file on one line. Returns its bytes. */
static size_t print_text(const char *text)
{
    for (const char *c = text; *c; c++)
        putchar(iscntrl((unsigned char)*c) ? '?' : *c);
    return strlen(text);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_progress(const spn_view *view, const spn_tally *tally)
{
    const spn_sweep *sweep = view->all->sweep;
    const size_t points = sweep->runs ? tally->jobs / sweep->runs : 0;
    printf("%s: %zu point%s, %zu run%s each; %zu of %zu runs finished", sweep->task, points,
           plural(points), sweep->runs, plural(sweep->runs), tally->finished, tally->jobs);
    if (tally->finished < tally->jobs)
        printf(", %zu missing", tally->jobs - tally->finished);
    if (tally->others > 0)
        printf("; %zu other%s that the grid does not hold", tally->others, plural(tally->others));
    putchar('\n');
    if (view->all->torn > 0)
        printf("the last line of %zu manifest%s is cut off: its run does not count\n",
               view->all->torn, plural(view->all->torn));
}

void cli_print_fields(const char *before, const spn_field *fields, size_t count)
{
    enum { WIDTH = 100 };
    size_t column = count ? print_text(before) : 0;
    for (size_t k = 0; k < count; k++) {
        if (k > 0) {
            const bool fits = column + strlen(fields[k].name) + strlen(fields[k].text) + 3 <= WIDTH;
            fputs(fits ? ", " : ",\n", stdout);
            column = fits ? column + 2 : 0;
        }
        column += print_text(fields[k].name) + 1;
        putchar(' ');
        column += print_text(fields[k].text);
    }
    if (count > 0)
        putchar('\n');
}

static void print_different(const spn_view *view, const char *name)
{
    enum { MOST = 4 };
    const char *met[MOST];
    char buffer[SPN_FIELD_TEXT];
    size_t count = 0;
    for (size_t k = 0; k < view->all->count; k++) {
        const char *text = spn_record_field(buffer, &view->all->records[k], name);
        size_t m = 0;
        while (m < count && strcmp(met[m], text) != 0)
            m++;
        if (m < count)
            continue;
        if (count == MOST) {
            fputs(" and others", stdout);
            return;
        }
        fputs(count ? " and " : " ", stdout);
        print_text(text);
        met[count++] = text;
    }
}

static void print_effort(const spn_view *view, const spn_tally *tally)
{
    char time[32];
    if (view->all->count == 0)
        return;
    cli_format_time(time, sizeof time, tally->seconds);
    fputs("spinney", stdout);
    print_different(view, "version");
    printf("; %s of computing, %.3g s per run; on", time,
           tally->seconds / (double)view->all->count);
    print_different(view, "machine");
    putchar('\n');
}

static void print_header(const spn_view *view, const spn_view_options *options)
{
    const spn_sweep *sweep = view->all->sweep;
    const spn_tally tally = spn_records_tally(view->all);
    print_text(sweep->name);
    if (sweep->title) {
        fputs(": ", stdout);
        print_text(sweep->title);
    }
    putchar('\n');
    print_progress(view, &tally);
    cli_print_fields("", sweep->fixed, sweep->fixed_count);
    cli_print_fields("by default ", sweep->defaults, sweep->default_count);
    print_effort(view, &tally);
    if (options->where_count > 0) {
        printf("%zu of %zu runs with ", view->count, view->all->count);
        for (size_t k = 0; k < options->where_count; k++) {
            fputs(k ? " and " : "", stdout);
            print_text(options->where[k]);
        }
        putchar('\n');
    }
}

static bool is_number(const spn_view *view, const char *name)
{
    const spn_name_kind kind = spn_view_kind(view, name);
    return kind == SPN_NAME_RESULT || (kind == SPN_NAME_NUMBER && strcmp(name, "seed") != 0);
}

static const char *common_text(char out[SPN_FIELD_TEXT], const spn_group *group, const char *name)
{
    char other[SPN_FIELD_TEXT];
    const char *text = spn_observation_text(out, group->members[0], name);
    for (size_t k = 1; k < group->count; k++)
        if (strcmp(text, spn_observation_text(other, group->members[k], name)) != 0)
            return "(several)";
    return text;
}

static spn_status add_group(cli_table *table, const spn_view *view, const spn_group *group,
                            spn_error *err)
{
    char text[SPN_FIELD_TEXT];
    for (size_t k = 0; k < view->by_count; k++)
        cli_table_text(table, spn_observation_text(text, group->members[0], view->by[k]));
    cli_table_number(table, (double)group->count);
    for (size_t k = 0; k < view->column_count; k++) {
        const char *name = view->columns[k];
        spn_summary summary;
        if (!is_number(view, name)) {
            cli_table_text(table, common_text(text, group, name));
            continue;
        }
        SPN_TRY(spn_group_summarise(&summary, group, name,
                                    spn_quantity_is_share(view->all->sweep->task, name), err));
        cli_table_mean(table, &summary);
    }
    return SPN_OK;
}

static void add_heads(cli_table *table, const spn_view *view, const char *count)
{
    for (size_t k = 0; k < view->by_count; k++)
        cli_table_head(table, view->by[k], false);
    cli_table_head(table, count, true);
    for (size_t k = 0; k < view->column_count; k++)
        cli_table_head(table, view->columns[k], is_number(view, view->columns[k]));
}

static spn_status fill_groups(cli_table *table, const spn_view *view, spn_error *err)
{
    spn_groups groups;
    spn_status status = spn_view_group(&groups, view, err);
    add_heads(table, view, "runs");
    for (size_t k = 0; k < groups.count && !status; k++)
        status = add_group(table, view, &groups.groups[k], err);
    spn_groups_clear(&groups);
    return status;
}

static void add_run(cli_table *table, const spn_view *view, const spn_record *record, bool seconds)
{
    const spn_observation run = {record, 0};
    char text[SPN_FIELD_TEXT];
    for (size_t k = 0; k < view->by_count; k++)
        cli_table_text(table, spn_observation_text(text, run, view->by[k]));
    cli_table_number(table, (double)record->run);
    for (size_t k = 0; k < view->column_count; k++) {
        const char *name = view->columns[k];
        if (is_number(view, name))
            cli_table_number(table, spn_record_number(record, name));
        else
            cli_table_text(table, spn_observation_text(text, run, name));
    }
    if (seconds)
        cli_table_number(table, record->seconds);
}

static void fill_runs(cli_table *table, const spn_view *view, bool seconds)
{
    add_heads(table, view, "run");
    if (seconds)
        cli_table_head(table, "seconds", true);
    for (size_t k = 0; k < view->count; k++)
        add_run(table, view, view->chosen[k], seconds);
}

int cli_records_print(const cli_values *values, const spn_view *view,
                      const spn_view_options *options, bool list)
{
    spn_error err = {0};
    cli_table table = {0};
    if (list)
        fill_runs(&table, view, !options->columns);
    else
        fill_groups(&table, view, &err);
    print_header(view, options);
    if (!err.status && view->count > 0) {
        putchar('\n');
        if (!cli_table_print(&table))
            spn_fail(&err, SPN_ERROR_MEMORY, "out of memory");
    }
    cli_table_drop(&table);
    return err.status ? cli_fail(values, &err) : cli_flush(values->command);
}

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
    char doubt[SPN_ERROR_TEXT];
    for (size_t k = 0; k < options->where_count; k++)
        if (*spn_view_doubt(doubt, view, options->where[k]))
            cli_error(values->command, "--where: %s", doubt);
    if (cli_flag(values, "archive"))
        return archive(values, view->all);
    if (cli_given(values, "csv"))
        return write_csv(values, view);
    return cli_flag(values, "json") ? cli_records_json(values, view, options, list)
                                    : cli_records_print(values, view, options, list);
}

int cli_records(const cli_values *values)
{
    int status = check_options(values);
    if (status)
        return status;
    const char *where[CLI_MAX_GIVEN];
    const char *usual[SPN_MAIN_QUANTITIES + 1] = {NULL};
    const spn_view_options options = {.where_count = cli_texts(where, values, "where"),
                                      .where = where,
                                      .columns = cli_text(values, "columns"),
                                      .usual = usual,
                                      .by = cli_text(values, "by")};
    spn_view view;
    spn_records *records;
    spn_error err = {0};
    if (spn_records_read(&records, values->arguments[0], &err))
        return cli_fail(values, &err);
    spn_task_main_quantities(usual, records->sweep->task);
    status = spn_view_make(&view, records, &options, &err) ? cli_fail(values, &err)
                                                           : show(values, &view, &options);
    spn_view_clear(&view);
    spn_records_free(records);
    return status;
}
