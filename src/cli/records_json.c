/* spinney records --json. */
#include "cli/records.h"

#include <jansson.h>
#include <math.h>
#include <spinney/lab/task.h>
#include <stdlib.h>

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *summary_json(const spn_summary *s)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)s->count,
                     "mean", real_or_null(s->mean), "half", real_or_null(s->half), "low",
                     real_or_null(s->low), "high", real_or_null(s->high), "deviation",
                     real_or_null(s->deviation), "least", real_or_null(s->least), "most",
                     real_or_null(s->most));
}

/* The numbers to sum up: those asked for, or every result. */
static spn_status add_summaries(json_t *out, const cli_records_view *records,
                                const spn_group *group, spn_error *err)
{
    const spn_view *view = &records->view;
    const bool given = records->options->columns != NULL;
    const size_t count = given ? view->column_count : view->names.result_count;
    const char *const *names = given ? view->columns : view->names.results;
    for (size_t k = 0; k < count; k++) {
        const spn_name_kind kind = spn_view_kind(view, names[k]);
        spn_summary summary;
        if (kind != SPN_NAME_RESULT && kind != SPN_NAME_NUMBER)
            continue;
        const bool share = spn_quantity_is_share(view->all->sweep->task, names[k]);
        spn_status status = spn_group_summarise(&summary, group, names[k], share, err);
        if (status)
            return status;
        json_object_set_new(out, names[k], summary_json(&summary));
    }
    return SPN_OK;
}

static spn_status add_groups(json_t *root, const cli_records_view *records, spn_error *err)
{
    const spn_view *view = &records->view;
    spn_groups groups;
    json_t *array = json_array();
    json_object_set_new(root, "groups", array);
    spn_status status = spn_view_group(&groups, view, err);
    for (size_t g = 0; g < groups.count && !status; g++) {
        const spn_group *group = &groups.groups[g];
        char text[SPN_FIELD_TEXT];
        json_t *object = json_object(), *by = json_object(), *results = json_object();
        json_array_append_new(array, object);
        for (size_t k = 0; k < view->by_count; k++)
            json_object_set_new(
                by, view->by[k],
                json_string(spn_observation_text(text, group->members[0], view->by[k])));
        json_object_set_new(object, "by", by);
        json_object_set_new(object, "runs", json_integer((json_int_t)group->count));
        json_object_set_new(object, "results", results);
        status = add_summaries(results, records, group, err);
    }
    spn_groups_clear(&groups);
    return status;
}

/* Runs as in the manifest. */
static spn_status add_runs(json_t *root, const spn_view *view, spn_error *err)
{
    json_t *array = json_array();
    json_object_set_new(root, "records", array);
    for (size_t k = 0; k < view->count; k++) {
        char *text;
        spn_status status = spn_record_json(&text, view->chosen[k], err);
        if (status)
            return status;
        json_t *run = json_loads(text, 0, NULL);
        free(text);
        if (!run)
            return spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
        json_array_append_new(array, run);
    }
    return SPN_OK;
}

int cli_records_json(const cli_records_view *records)
{
    const spn_view *view = &records->view;
    const spn_sweep *sweep = view->all->sweep;
    const spn_tally tally = spn_records_tally(view->all);
    spn_error err = {0};
    json_t *defaults = json_object();
    for (size_t k = 0; k < sweep->default_count; k++)
        json_object_set_new(defaults, sweep->defaults[k].name,
                            json_string(sweep->defaults[k].text));
    json_t *root =
        json_pack("{s:s, s:s?, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:o}", "name",
                  sweep->name, "title", sweep->title, "task", sweep->task, "version",
                  sweep->version, "seed", (json_int_t)sweep->seed, "runs", (json_int_t)sweep->runs,
                  "jobs", (json_int_t)tally.jobs, "finished", (json_int_t)tally.finished, "missing",
                  (json_int_t)(tally.jobs - tally.finished), "others", (json_int_t)tally.others,
                  "torn", (json_int_t)view->all->torn, "seconds", real_or_null(tally.seconds),
                  "chosen", (json_int_t)view->count, "defaults", defaults);
    if (!root)
        spn_fail(&err, SPN_ERROR_MEMORY, "out of memory");
    else if (records->list)
        add_runs(root, view, &err);
    else
        add_groups(root, records, &err);
    if (!err.status)
        return cli_print_json(records->values, root);
    json_decref(root);
    return cli_fail(records->values, &err);
}
