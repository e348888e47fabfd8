/* spinney records: a header and a table for people. */
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the header ---- */

static bool is_of_grid(const spn_sweep *sweep, const spn_record *record)
{
    for (size_t k = 0; k < sweep->axis_count; k++) {
        const char *text = spn_record_setting(record, sweep->axes[k].setting);
        size_t v = 0;
        while (v < sweep->axes[k].count && (!text || strcmp(text, sweep->axes[k].values[v]) != 0))
            v++;
        if (v == sweep->axes[k].count)
            return false;
    }
    return record->run <= sweep->runs;
}

cli_tally cli_records_tally(const cli_view *view)
{
    cli_tally tally = {.jobs = spn_sweep_jobs(view->all->sweep)};
    for (size_t k = 0; k < view->all->count; k++) {
        const spn_record *record = &view->all->records[k];
        const bool inside = is_of_grid(view->all->sweep, record);
        tally.finished += inside;
        tally.others += !inside;
        tally.seconds += isnan(record->seconds) ? 0 : record->seconds;
    }
    return tally;
}

/* A text from a file, on one line; how many bytes it has. */
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

static void print_progress(const cli_view *view, const cli_tally *tally)
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

/* "name value, name value", in lines of a width. */
static void print_fields(const char *before, const spn_field *fields, size_t count)
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

/* The different values of a text of the records: all of a few, or the first ones. */
static void print_different(const cli_view *view, const char *name)
{
    enum { MOST = 4 };
    const char *met[MOST];
    char buffer[CLI_FIELD];
    size_t count = 0;
    for (size_t k = 0; k < view->all->count; k++) {
        const char *text = cli_record_text(&view->all->records[k], name, buffer);
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

static void print_effort(const cli_view *view, const cli_tally *tally)
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

static void print_header(const cli_view *view)
{
    const spn_sweep *sweep = view->all->sweep;
    const cli_tally tally = cli_records_tally(view);
    print_text(sweep->name);
    if (sweep->title) {
        fputs(": ", stdout);
        print_text(sweep->title);
    }
    putchar('\n');
    print_progress(view, &tally);
    print_fields("", sweep->fixed, sweep->fixed_count);
    print_fields("by default ", sweep->defaults, sweep->default_count);
    print_effort(view, &tally);
    if (view->where_count > 0) {
        printf("%zu of %zu runs with ", view->count, view->all->count);
        for (size_t k = 0; k < view->where_count; k++) {
            fputs(k ? " and " : "", stdout);
            print_text(view->where[k]);
        }
        putchar('\n');
    }
}

/* ---- tables ---- */

static bool is_number(const cli_view *view, const char *name)
{
    const cli_kind kind = cli_record_kind(view, name);
    return kind == CLI_RESULT || (kind == CLI_NUMBER && strcmp(name, "seed") != 0);
}

/* A text that all runs of a group share. */
static const char *common_text(const cli_group *group, const char *name, char buffer[CLI_FIELD])
{
    char other[CLI_FIELD];
    const char *text = cli_record_text(group->records[0], name, buffer);
    for (size_t k = 1; k < group->count; k++)
        if (strcmp(text, cli_record_text(group->records[k], name, other)) != 0)
            return "(several)";
    return text;
}

static bool add_group(cli_table *table, const cli_view *view, const cli_group *group)
{
    char buffer[CLI_FIELD];
    bool ok = true;
    for (size_t k = 0; k < view->by.count; k++)
        cli_table_text(table, cli_record_text(group->records[0], view->by.names[k], buffer));
    cli_table_number(table, (double)group->count);
    for (size_t k = 0; k < view->columns.count && ok; k++) {
        const char *name = view->columns.names[k];
        if (!is_number(view, name)) {
            cli_table_text(table, common_text(group, name, buffer));
            continue;
        }
        const spn_summary summary = cli_group_summary(group, name, &ok);
        cli_table_mean(table, &summary);
    }
    return ok;
}

static bool fill_groups(cli_table *table, const cli_view *view)
{
    cli_groups groups;
    bool ok = cli_records_group(&groups, view);
    for (size_t k = 0; k < view->by.count; k++)
        cli_table_column(table, view->by.names[k], false);
    cli_table_column(table, "runs", true);
    for (size_t k = 0; k < view->columns.count; k++)
        cli_table_column(table, view->columns.names[k], is_number(view, view->columns.names[k]));
    for (size_t k = 0; k < groups.count && ok; k++)
        ok = add_group(table, view, &groups.groups[k]);
    cli_groups_clear(&groups);
    return ok;
}

static void add_run(cli_table *table, const cli_view *view, const spn_record *record, bool seconds)
{
    char buffer[CLI_FIELD];
    for (size_t k = 0; k < view->by.count; k++)
        cli_table_text(table, cli_record_text(record, view->by.names[k], buffer));
    cli_table_number(table, (double)record->run);
    for (size_t k = 0; k < view->columns.count; k++) {
        const char *name = view->columns.names[k];
        if (is_number(view, name))
            cli_table_number(table, spn_record_number(record, name));
        else
            cli_table_text(table, cli_record_text(record, name, buffer));
    }
    if (seconds)
        cli_table_number(table, record->seconds);
}

static void fill_runs(cli_table *table, const cli_view *view)
{
    const bool seconds = !cli_given(view->values, "columns");
    for (size_t k = 0; k < view->by.count; k++)
        cli_table_column(table, view->by.names[k], false);
    cli_table_column(table, "run", true);
    for (size_t k = 0; k < view->columns.count; k++)
        cli_table_column(table, view->columns.names[k], is_number(view, view->columns.names[k]));
    if (seconds)
        cli_table_column(table, "seconds", true);
    for (size_t k = 0; k < view->count; k++)
        add_run(table, view, view->chosen[k], seconds);
}

int cli_records_print(const cli_view *view)
{
    cli_table *table = cli_table_create();
    bool ok = table != NULL;
    if (ok && cli_flag(view->values, "list"))
        fill_runs(table, view);
    else if (ok)
        ok = fill_groups(table, view);
    print_header(view);
    if (ok && view->count > 0) {
        putchar('\n');
        ok = cli_table_print(table);
    }
    cli_table_free(table);
    if (ok)
        return cli_flush(view->values->command);
    cli_error(view->values->command, "out of memory");
    return CLI_FAILED;
}
