#include "base/clock.h"
#include "base/memory.h"
#include "base/try.h"
#include "record/record.h"
#include "report/figure/figure.h"

#include <spinney/lab/folder_call.h>
#include <spinney/lab/sweep.h>
#include <spinney/lab/task.h>
#include <spinney/lab/view.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- output of spinney records and spinney sweep as JSON ---- */

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

/* ---- folders ---- */

typedef struct watch {
    spn_folder_watcher *watcher;
    void *context;
    volatile sig_atomic_t stop;
} watch;

static void observe(void *context, const spn_sweep_progress *progress)
{
    watch *w = context;
    if (w->watcher && w->watcher(w->context, progress->jobs, progress->finished, progress->share,
                                 progress->seconds, progress->seconds_left))
        w->stop = 1;
}

static spn_status run_sweep(char **out, const spn_sweep *sweep, const char *folder,
                            const char *specification, unsigned threads, watch watched,
                            spn_error *err)
{
    const spn_sweep_options options = {.folder = folder,
                                       .specification = specification,
                                       .threads = threads ? threads : spn_sweep_default_threads(),
                                       .stop = &watched.stop,
                                       .observer = observe,
                                       .observer_context = &watched};
    spn_sweep_outcome outcome;
    spn_error why = {0};
    const double started = spn_clock();
    const spn_status status = spn_sweep_run(&outcome, sweep, &options, &why);
    if (status && outcome.started)
        return spn_fail(err, status, "%.400s (%zu of %zu runs are finished)", why.text,
                        outcome.before + outcome.now, outcome.jobs);
    if (status)
        return spn_fail(err, status, "%s", why.text);
    return spn_sweep_outcome_json(out, sweep, folder, &outcome, spn_clock() - started, err);
}

spn_status spn_folder_sweep(char **out, const spn_sweep *sweep, const char *folder,
                            const char *specification, unsigned threads,
                            spn_folder_watcher *watcher, void *context, spn_error *err)
{
    const watch watched = {.watcher = watcher, .context = context};
    char *own = folder ? strdup(folder) : spn_text_new("records/%s", sweep->name);
    *out = NULL;
    SPN_NEED(own, err, "the name of a folder");
    const spn_status status = run_sweep(out, sweep, own, specification, threads, watched, err);
    free(own);
    return status;
}

spn_status spn_folder_read(spn_records **out, const char *path, spn_error *err)
{
    struct stat info;
    const bool joint = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    *out = NULL;
    return joint ? spn_records_join(out, path, err) : spn_records_read(out, path, err);
}

spn_status spn_folder_json(char **out, const spn_records *records, const char *const *where,
                           size_t where_count, const char *columns, const char *by, bool list,
                           spn_error *err)
{
    const char *usual[SPN_MAIN_QUANTITIES + 1] = {NULL};
    const spn_view_options options = {
        .where_count = where_count, .where = where, .columns = columns, .usual = usual, .by = by};
    spn_view view;
    *out = NULL;
    spn_task_main_quantities(usual, records->sweep->task);
    spn_status status;
    SPN_TRY_OR(cleanup, spn_view_make(&view, records, &options, err));
    status = spn_view_json(out, &view, &options, list, err);
cleanup:
    spn_view_clear(&view);
    return status;
}

spn_status spn_folder_csv(char **out, const spn_records *records, const char *const *where,
                          size_t where_count, const char *columns, const char *curve,
                          spn_error *err)
{
    const spn_view_options chosen = {
        .where_count = where_count, .where = where, .columns = columns};
    spn_view view;
    *out = NULL;
    if (curve && columns)
        return spn_refuse(err, "curves: give either curves or columns");
    spn_status status;
    SPN_TRY_OR(cleanup, spn_view_make(&view, records, &chosen, err));
    if (curve)
        SPN_TRY_OR(cleanup, spn_view_check_curve(&view, curve, err));
    status = spn_records_csv(out, view.chosen, view.count, curve, view.columns,
                             columns ? view.column_count : 0, err);
cleanup:
    spn_view_clear(&view);
    return status;
}

spn_status spn_folder_doubts(char **out, const spn_records *records, const char *const *where,
                             size_t where_count, spn_error *err)
{
    char doubt[SPN_ERROR_TEXT];
    spn_memory_stream memory;
    spn_view view;
    *out = NULL;
    const spn_view_options options = {.where_count = where_count, .where = where};
    spn_status status;
    SPN_TRY_OR(cleanup, spn_view_make(&view, records, &options, err));
    FILE *stream = spn_memory_stream_open(&memory);
    for (size_t k = 0; stream && k < where_count; k++)
        if (*spn_view_doubt(doubt, &view, where[k]))
            fprintf(stream, "%s\n", doubt);
    *out = spn_memory_stream_finish(&memory);
    status = *out ? SPN_OK : spn_no_memory(err, "conditions");
cleanup:
    spn_view_clear(&view);
    return status;
}

static spn_status put_figure(spn_json *json, const spn_records *records,
                             const spn_sweep_figure *request, spn_error *err)
{
    spn_report_figure figure;
    char title[SPN_TITLE];
    spn_error why = {0};
    spn_status status = spn_report_figure_make(&figure, records, request, &why);
    if (status == SPN_ERROR_ARGUMENT) { /* no run has it yet */
        spn_json_open(json, NULL, '{');
        spn_json_text(json, "name", request->name);
        spn_json_text(json, "title", spn_figure_title(title, request));
        spn_json_text(json, "missing", why.text);
        spn_json_close(json, '}');
        return SPN_OK;
    }
    if (status)
        return spn_fail(err, status, "%s", why.text);
    if (!spn_figure_json(json, &figure, true))
        status = spn_no_memory(err, "a figure");
    spn_report_figure_clear(&figure);
    return status;
}

spn_status spn_folder_figures(char **out, spn_records *records, const char *const *where,
                              size_t where_count, spn_error *err)
{
    spn_sweep *sweep = records->sweep;
    spn_json json = {0};
    spn_status status;
    *out = NULL;
    SPN_TRY(spn_report_restrict(sweep, where, where_count, err));
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '[');
    for (size_t k = 0; k < sweep->figure_count; k++) {
        sweep->figures[k].task = sweep->task;
        SPN_TRY_OR(failed, put_figure(&json, records, &sweep->figures[k], err));
    }
    spn_json_close(&json, ']');
    return spn_json_finish(out, NULL, &json, err);
failed:
    spn_json_drop(&json);
    return status;
}

typedef struct told {
    size_t count[2];
    char **texts[2]; /* lines, files */
    bool failed;
} told;

static void keep(told *t, int which, const char *text)
{
    char **grown = realloc(t->texts[which], (t->count[which] + 1) * sizeof *grown);
    char *copy = strdup(text);
    if (grown)
        t->texts[which] = grown;
    if (grown && copy)
        grown[t->count[which]++] = copy;
    else {
        free(copy);
        t->failed = true;
    }
}

static void keep_line(void *context, const char *line)
{
    keep(context, 0, line);
}

static void keep_file(void *context, const char *path)
{
    keep(context, 1, path);
}

static spn_status told_json(char **out, const told *t, bool pictures, spn_error *err)
{
    static const char *const names[] = {"lines", "files"};
    spn_json json = {0};
    if (t->failed)
        return spn_no_memory(err, "the lines of a report");
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    for (int which = 0; which < 2; which++) {
        spn_json_open(&json, names[which], '[');
        for (size_t k = 0; k < t->count[which]; k++)
            spn_json_text(&json, NULL, t->texts[which][k]);
        spn_json_close(&json, ']');
    }
    spn_json_flag(&json, "pictures", pictures);
    spn_json_close(&json, '}');
    return spn_json_finish(out, NULL, &json, err);
}

static const char *figure_at(const void *context, size_t i)
{
    const spn_sweep *sweep = context;
    return i < sweep->figure_count ? sweep->figures[i].name : NULL;
}

/* Move one figure to the front; the caller skips the others. */
static spn_status choose_figure(spn_sweep *sweep, const char *name, spn_error *err)
{
    for (size_t k = 0; k < sweep->figure_count; k++)
        if (strcmp(sweep->figures[k].name, name) == 0) {
            const spn_sweep_figure chosen = sweep->figures[k];
            sweep->figures[k] = sweep->figures[0];
            sweep->figures[0] = chosen;
            return SPN_OK;
        }
    const char *nearest = spn_nearest_word(name, figure_at, sweep);
    return spn_refuse(err, "figure: there is no figure '%.100s'%s%s", name,
                      nearest ? "; there is " : "", nearest ? nearest : "");
}

spn_status spn_folder_report(char **out, spn_records *records, const char *figure,
                             const char *const *where, size_t where_count, const char *page,
                             const char *figures, bool pictures, bool still, spn_error *err)
{
    told t = {0};
    const size_t count = records->sweep->figure_count;
    const spn_report_options options = {.page = page,
                                        .figures = figures,
                                        .pictures = pictures && spn_report_can_draw(),
                                        .still = still,
                                        .told = keep_line,
                                        .wrote = keep_file,
                                        .context = &t};
    *out = NULL;
    if (records->count == 0)
        return spn_refuse(err, "%s: no run is finished yet; there is nothing to report",
                          records->folder);
    if (figure)
        SPN_TRY(choose_figure(records->sweep, figure, err));
    SPN_TRY(spn_report_restrict(records->sweep, where, where_count, err));
    records->sweep->figure_count = figure ? 1 : count;
    spn_status status = spn_report_write(records, &options, err);
    records->sweep->figure_count = count;
    if (!status)
        status = told_json(out, &t, options.pictures, err);
    for (int which = 0; which < 2; which++)
        spn_list_free(t.texts[which], t.count[which]);
    return status;
}
