/* spinney records --json. */
#include "cli/model.h"
#include "cli/records.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *summary_json(const spn_summary *s)
{
    json_t *object = json_object();
    json_object_set_new(object, "count", json_integer((json_int_t)s->count));
    json_object_set_new(object, "mean", real_or_null(s->mean));
    json_object_set_new(object, "half", real_or_null(s->half));
    json_object_set_new(object, "deviation", real_or_null(s->deviation));
    json_object_set_new(object, "least", real_or_null(s->least));
    json_object_set_new(object, "most", real_or_null(s->most));
    return object;
}

/* The numbers to sum up: those asked for, or every result. */
static bool add_summaries(json_t *out, const cli_view *view, const cli_group *group)
{
    const bool given = cli_given(view->values, "columns");
    const size_t count = given ? view->columns.count : view->names.result_count;
    const char *const *names = given ? view->columns.names : view->names.results;
    bool ok = true;
    for (size_t k = 0; k < count && ok; k++) {
        const cli_kind kind = cli_record_kind(view, names[k]);
        if (kind != CLI_RESULT && kind != CLI_NUMBER)
            continue;
        const spn_summary summary = cli_group_summary(group, names[k], &ok);
        json_object_set_new(out, names[k], summary_json(&summary));
    }
    return ok;
}

static json_t *group_json(const cli_view *view, const cli_group *group, bool *ok)
{
    char buffer[CLI_FIELD];
    json_t *object = json_object(), *by = json_object(), *results = json_object();
    for (size_t k = 0; k < view->by.count; k++)
        json_object_set_new(
            by, view->by.names[k],
            json_string(cli_record_text(group->records[0], view->by.names[k], buffer)));
    json_object_set_new(object, "by", by);
    json_object_set_new(object, "runs", json_integer((json_int_t)group->count));
    *ok = add_summaries(results, view, group);
    json_object_set_new(object, "results", results);
    return object;
}

static json_t *curve_json(const spn_result_curve *curve)
{
    json_t *object = json_object();
    for (size_t c = 0; c < curve->columns; c++) {
        json_t *column = json_array();
        for (size_t r = 0; r < curve->rows; r++)
            json_array_append_new(column, real_or_null(curve->values[c][r]));
        json_object_set_new(object, curve->names[c], column);
    }
    return object;
}

/* A run as in the manifest. */
static json_t *run_json(const spn_record *record)
{
    char key[CLI_FIELD];
    json_t *object = json_object(), *settings = json_object(), *results = json_object();
    json_t *curves = json_object();
    snprintf(key, sizeof key, "%016" PRIx64, record->key);
    json_object_set_new(object, "key", json_string(key));
    json_object_set_new(object, "seed", json_integer((json_int_t)record->seed));
    if (record->instance_seed)
        json_object_set_new(object, "instance_seed",
                            json_integer((json_int_t)record->instance_seed));
    json_object_set_new(object, "run", json_integer((json_int_t)record->run));
    for (size_t k = 0; k < record->setting_count; k++)
        json_object_set_new(settings, record->settings[k].name,
                            json_string(record->settings[k].text));
    json_object_set_new(object, "settings", settings);
    for (size_t k = 0; k < record->result_count; k++)
        json_object_set_new(results, record->results[k].name,
                            real_or_null(record->results[k].value));
    json_object_set_new(object, "results", results);
    for (size_t k = 0; k < record->curve_count; k++)
        json_object_set_new(curves, record->curves[k].name, curve_json(&record->curves[k]));
    json_object_set_new(object, "curves", curves);
    json_object_set_new(object, "version", json_string(record->version));
    json_object_set_new(object, "machine", json_string(record->machine));
    json_object_set_new(object, "finished", json_string(record->finished));
    json_object_set_new(object, "seconds", real_or_null(record->seconds));
    return object;
}

static bool add_groups(json_t *root, const cli_view *view)
{
    cli_groups groups;
    json_t *array = json_array();
    bool ok = cli_records_group(&groups, view);
    for (size_t k = 0; k < groups.count && ok; k++)
        json_array_append_new(array, group_json(view, &groups.groups[k], &ok));
    json_object_set_new(root, "groups", array);
    cli_groups_clear(&groups);
    return ok;
}

static void add_runs(json_t *root, const cli_view *view)
{
    json_t *array = json_array();
    for (size_t k = 0; k < view->count; k++)
        json_array_append_new(array, run_json(view->chosen[k]));
    json_object_set_new(root, "records", array);
}

int cli_records_json(const cli_view *view)
{
    const spn_sweep *sweep = view->all->sweep;
    const cli_tally tally = cli_records_tally(view);
    json_t *root = json_object();
    bool ok = true;
    json_object_set_new(root, "name", json_string(sweep->name));
    json_object_set_new(root, "title", sweep->title ? json_string(sweep->title) : json_null());
    json_object_set_new(root, "task", json_string(sweep->task));
    json_object_set_new(root, "version", json_string(sweep->version));
    json_object_set_new(root, "seed", json_integer((json_int_t)sweep->seed));
    json_object_set_new(root, "runs", json_integer((json_int_t)sweep->runs));
    json_object_set_new(root, "jobs", json_integer((json_int_t)tally.jobs));
    json_object_set_new(root, "finished", json_integer((json_int_t)tally.finished));
    json_object_set_new(root, "missing", json_integer((json_int_t)(tally.jobs - tally.finished)));
    json_object_set_new(root, "others", json_integer((json_int_t)tally.others));
    json_object_set_new(root, "torn", json_integer((json_int_t)view->all->torn));
    json_object_set_new(root, "seconds", real_or_null(tally.seconds));
    json_object_set_new(root, "chosen", json_integer((json_int_t)view->count));
    json_t *defaults = json_object();
    for (size_t k = 0; k < sweep->default_count; k++)
        json_object_set_new(defaults, sweep->defaults[k].name,
                            json_string(sweep->defaults[k].text));
    json_object_set_new(root, "defaults", defaults);
    if (cli_flag(view->values, "list"))
        add_runs(root, view);
    else
        ok = add_groups(root, view);
    if (ok)
        return cli_print_json(view->values, root);
    json_decref(root);
    cli_error(view->values->command, "out of memory");
    return CLI_FAILED;
}
