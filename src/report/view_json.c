/* What spinney records --json prints, and what spinney sweep --json does. */
#include "record/json_tree.h"

#include <spinney/lab/sweep.h>
#include <spinney/lab/task.h>
#include <spinney/lab/view.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *summary_json(spn_json_tree *tree, const spn_summary *s)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"mean", s->mean}, {"half", s->half},           {"low", s->low},
                   {"high", s->high}, {"deviation", s->deviation}, {"least", s->least},
                   {"most", s->most}};
    json_t *object = json_object();
    spn_json_set(tree, object, "count", json_integer((json_int_t)s->count));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        spn_json_set(tree, object, numbers[k].name, spn_json_number(numbers[k].value));
    return object;
}

/* The numbers to sum up: those asked for, or every result. */
static spn_status add_summaries(spn_json_tree *tree, json_t *out, const spn_view *view, bool given,
                                const spn_group *group, spn_error *err)
{
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
        spn_json_set(tree, out, names[k], summary_json(tree, &summary));
    }
    return SPN_OK;
}

static spn_status add_group(spn_json_tree *tree, json_t *list, const spn_view *view, bool given,
                            const spn_group *group, spn_error *err)
{
    char text[SPN_FIELD_TEXT];
    json_t *object = json_object(), *by = json_object(), *results = json_object();
    for (size_t k = 0; k < view->by_count; k++)
        spn_json_set(tree, by, view->by[k],
                     spn_json_string(spn_observation_text(text, group->members[0], view->by[k])));
    spn_json_set(tree, object, "by", by);
    spn_json_set(tree, object, "runs", json_integer((json_int_t)group->count));
    const spn_status status = add_summaries(tree, results, view, given, group, err);
    spn_json_set(tree, object, "results", results);
    spn_json_append(tree, list, object);
    return status;
}

static spn_status add_groups(spn_json_tree *tree, json_t *root, const spn_view *view, bool given,
                             spn_error *err)
{
    spn_groups groups;
    json_t *list = json_array();
    spn_status status = spn_view_group(&groups, view, err);
    for (size_t g = 0; g < groups.count && !status; g++)
        status = add_group(tree, list, view, given, &groups.groups[g], err);
    spn_json_set(tree, root, "groups", list);
    spn_groups_clear(&groups);
    return status;
}

/* Runs as in the manifest. */
static spn_status add_runs(spn_json_tree *tree, json_t *root, const spn_view *view, spn_error *err)
{
    json_t *list = json_array();
    spn_status status = SPN_OK;
    for (size_t k = 0; k < view->count && !status; k++) {
        char *text;
        json_t *run = NULL;
        spn_json_fault fault;
        if ((status = spn_record_json(&text, view->chosen[k], err)))
            break;
        if (spn_json_load(&run, text, strlen(text), &fault))
            status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
        else
            spn_json_append(tree, list, run);
        free(text);
    }
    spn_json_set(tree, root, "records", list);
    return status;
}

static void add_sweep(spn_json_tree *tree, json_t *root, const spn_view *view)
{
    const spn_sweep *sweep = view->all->sweep;
    const spn_tally tally = spn_records_tally(view->all);
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"seed", sweep->seed},
                  {"runs", sweep->runs},
                  {"jobs", tally.jobs},
                  {"finished", tally.finished},
                  {"missing", tally.jobs - tally.finished},
                  {"others", tally.others},
                  {"torn", view->all->torn}};
    json_t *defaults = json_object();
    spn_json_set(tree, root, "name", spn_json_string(sweep->name));
    spn_json_set(tree, root, "title", sweep->title ? spn_json_string(sweep->title) : json_null());
    spn_json_set(tree, root, "task", spn_json_string(sweep->task));
    spn_json_set(tree, root, "version", spn_json_string(sweep->version));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        spn_json_set(tree, root, counts[k].name, json_integer((json_int_t)counts[k].value));
    spn_json_set(tree, root, "seconds", spn_json_number(tally.seconds));
    spn_json_set(tree, root, "chosen", json_integer((json_int_t)view->count));
    for (size_t k = 0; k < sweep->default_count; k++)
        spn_json_set(tree, defaults, sweep->defaults[k].name,
                     spn_json_string(sweep->defaults[k].text));
    spn_json_set(tree, root, "defaults", defaults);
}

/* The text of a tree as the program prints it, to the end of the line. */
static spn_status print(char **out, const spn_json_tree *tree, json_t *root, spn_error *err)
{
    char *text = spn_json_dump(tree, root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    const size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (!line) {
        free(text);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory");
    }
    memcpy(line + length, "\n", 2);
    *out = line;
    return SPN_OK;
}

spn_status spn_view_json(char **out, const spn_view *view, const spn_view_options *options,
                         bool list, spn_error *err)
{
    spn_json_tree tree = {0};
    json_t *root = json_object();
    *out = NULL;
    add_sweep(&tree, root, view);
    const spn_status status = list ? add_runs(&tree, root, view, err)
                                   : add_groups(&tree, root, view, options->columns != NULL, err);
    if (!status)
        return print(out, &tree, root, err);
    json_decref(root);
    return status;
}

spn_status spn_sweep_outcome_json(char **out, const spn_sweep *sweep, const char *folder,
                                  const spn_sweep_outcome *outcome, double seconds, spn_error *err)
{
    spn_json_tree made = {0}, *tree = &made;
    json_t *root = json_object();
    *out = NULL;
    spn_json_set(tree, root, "name", spn_json_string(sweep->name));
    spn_json_set(tree, root, "folder", spn_json_string(folder));
    spn_json_set(tree, root, "runs", json_integer((json_int_t)outcome->jobs));
    spn_json_set(tree, root, "before", json_integer((json_int_t)outcome->before));
    spn_json_set(tree, root, "now", json_integer((json_int_t)outcome->now));
    spn_json_set(tree, root, "complete", json_boolean(outcome->complete));
    spn_json_set(tree, root, "interrupted", json_boolean(outcome->stopped));
    spn_json_set(tree, root, "seconds", spn_json_number(seconds));
    return print(out, tree, root, err);
}
