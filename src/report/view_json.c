/* Output of spinney records and spinney sweep as JSON. */
#include "base/try.h"
#include "record/record.h"

#include <spinney/lab/sweep.h>
#include <spinney/lab/task.h>
#include <spinney/lab/view.h>
#include <string.h>

static void put_summary(spn_json *json, const char *name, const spn_summary *s)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"mean", s->mean}, {"half", s->half},           {"low", s->low},
                   {"high", s->high}, {"deviation", s->deviation}, {"least", s->least},
                   {"most", s->most}};
    spn_json_open(json, name, '{');
    spn_json_whole(json, "count", s->count);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        spn_json_decimal(json, numbers[k].name, numbers[k].value);
    spn_json_close(json, '}');
}

/* Whether names[k] occurs before k: an object has each name once. */
static bool is_repeated(const char *const *names, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (strcmp(names[i], names[k]) == 0)
            return true;
    return false;
}

static spn_status put_summaries(spn_json *json, const spn_view *view, bool given,
                                const spn_group *group, spn_error *err)
{
    const size_t count = given ? view->column_count : view->names.results.count;
    const char *const *names = given ? view->columns : view->names.results.names;
    for (size_t k = 0; k < count; k++) {
        const spn_name_kind kind = spn_view_kind(view, names[k]);
        spn_summary summary;
        if ((kind != SPN_NAME_RESULT && kind != SPN_NAME_NUMBER) || is_repeated(names, k))
            continue;
        const bool share = spn_quantity_is_share(view->all->sweep->task, names[k]);
        SPN_TRY(spn_group_summarise(&summary, group, names[k], share, err));
        put_summary(json, names[k], &summary);
    }
    return SPN_OK;
}

static spn_status put_group(spn_json *json, const spn_view *view, bool given,
                            const spn_group *group, spn_error *err)
{
    char text[SPN_FIELD_TEXT];
    spn_json_open(json, NULL, '{');
    spn_json_open(json, "by", '{');
    for (size_t k = 0; k < view->by_count; k++)
        if (!is_repeated(view->by, k))
            spn_json_any_text(json, view->by[k],
                              spn_observation_text(text, group->members[0], view->by[k]));
    spn_json_close(json, '}');
    spn_json_whole(json, "runs", group->count);
    spn_json_open(json, "results", '{');
    SPN_TRY(put_summaries(json, view, given, group, err));
    spn_json_close(json, '}');
    spn_json_close(json, '}');
    return SPN_OK;
}

static spn_status put_groups(spn_json *json, const spn_view *view, bool given, spn_error *err)
{
    spn_groups groups;
    spn_status status;
    spn_json_open(json, "groups", '[');
    SPN_TRY_OR(cleanup, spn_view_group(&groups, view, err));
    for (size_t g = 0; g < groups.count; g++)
        SPN_TRY_OR(cleanup, put_group(json, view, given, &groups.groups[g], err));
    spn_json_close(json, ']');
cleanup:
    spn_groups_clear(&groups);
    return status;
}

static void put_sweep(spn_json *json, const spn_view *view)
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
    spn_json_any_text(json, "name", sweep->name);
    if (sweep->title)
        spn_json_any_text(json, "title", sweep->title);
    else
        spn_json_null(json, "title");
    spn_json_any_text(json, "task", sweep->task);
    spn_json_any_text(json, "version", sweep->version);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        spn_json_whole(json, counts[k].name, counts[k].value);
    spn_json_decimal(json, "seconds", tally.seconds);
    spn_json_whole(json, "chosen", view->count);
    spn_json_open(json, "defaults", '{');
    for (size_t k = 0; k < sweep->default_count; k++)
        spn_json_any_text(json, sweep->defaults[k].name, sweep->defaults[k].text);
    spn_json_close(json, '}');
}

/* The program's output ends with a newline. */
static spn_status finish(char **out, spn_json *json, spn_error *err)
{
    spn_json_close(json, '}');
    fputc('\n', json->stream);
    return spn_json_finish(out, NULL, json, err);
}

spn_status spn_view_json(char **out, const spn_view *view, const spn_view_options *options,
                         bool list, spn_error *err)
{
    spn_json json = SPN_JSON_PRINTED;
    spn_status status;
    *out = NULL;
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    put_sweep(&json, view);
    if (list) { /* runs as in the manifest */
        spn_json_open(&json, "records", '[');
        for (size_t k = 0; k < view->count; k++)
            spn_record_put(&json, view->chosen[k]);
        spn_json_close(&json, ']');
    } else {
        SPN_TRY_OR(failed, put_groups(&json, view, options->columns != NULL, err));
    }
    return finish(out, &json, err);
failed:
    spn_json_drop(&json);
    return status;
}

spn_status spn_sweep_outcome_json(char **out, const spn_sweep *sweep, const char *folder,
                                  const spn_sweep_outcome *outcome, double seconds, spn_error *err)
{
    spn_json json = SPN_JSON_PRINTED;
    *out = NULL;
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    spn_json_any_text(&json, "name", sweep->name);
    spn_json_any_text(&json, "folder", folder);
    spn_json_whole(&json, "runs", outcome->jobs);
    spn_json_whole(&json, "before", outcome->before);
    spn_json_whole(&json, "now", outcome->now);
    spn_json_flag(&json, "complete", outcome->complete);
    spn_json_flag(&json, "interrupted", outcome->stopped);
    spn_json_decimal(&json, "seconds", seconds);
    return finish(out, &json, err);
}
