#include "base/memory.h"
#include "base/number.h"
#include "query/query.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const NUMBERS[] = {
    "run", "seed", "instance_seed", "seconds", "first_hit_seconds", NULL};
static const char *const TEXTS[] = {"key", "machine", "version", "instructions", "finished", NULL};
static const char *const GROUPED[] = {"run", "machine", "version", NULL}; /* besides settings */

/* ---- kinds of names ---- */

bool spn_names_have(const char *const *names, size_t count, const char *name)
{
    for (size_t k = 0; k < count && names[k]; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

static bool has_field(const spn_field *fields, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(fields[k].name, name) == 0)
            return true;
    return false;
}

/* A setting of a run, or of the specification, which is all there is before the first run is
   finished. */
static bool is_setting(const spn_view *view, const char *name)
{
    const spn_sweep *sweep = view->all->sweep;
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (strcmp(sweep->axes[k].setting, name) == 0)
            return true;
    return spn_names_have(view->names.settings.names, view->names.settings.count, name) ||
           has_field(sweep->fixed, sweep->fixed_count, name) ||
           has_field(sweep->defaults, sweep->default_count, name);
}

spn_name_kind spn_view_kind(const spn_view *view, const char *name)
{
    if (spn_names_have(view->names.results.names, view->names.results.count, name))
        return SPN_NAME_RESULT;
    if (spn_names_have(view->names.texts.names, view->names.texts.count, name))
        return SPN_NAME_TEXT;
    if (is_setting(view, name))
        return SPN_NAME_SETTING;
    if (spn_names_have(NUMBERS, SIZE_MAX, name))
        return SPN_NAME_NUMBER;
    return spn_names_have(TEXTS, SIZE_MAX, name) ? SPN_NAME_TEXT : SPN_NAME_NOTHING;
}

/* Names to suggest: those to group by, or all. */
typedef struct choice {
    const spn_view *view;
    bool settings_only;
} choice;

static const char *word_at(const void *context, size_t i)
{
    const choice *c = context;
    const spn_record_names *names = &c->view->names;
    const struct {
        const char *const *words;
        size_t count;
    } lists[] = {{names->settings.names, names->settings.count},
                 {names->results.names, c->settings_only ? 0 : names->results.count},
                 {names->texts.names, c->settings_only ? 0 : names->texts.count},
                 {c->settings_only ? GROUPED : NUMBERS, c->settings_only ? 3 : 5},
                 {TEXTS, c->settings_only ? 0 : 5}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (i < lists[k].count)
            return lists[k].words[i];
        i -= lists[k].count;
    }
    return NULL;
}

static spn_status unknown(const spn_view *view, const char *option, const char *name,
                          bool settings_only, spn_error *err)
{
    const choice c = {view, settings_only};
    if (spn_names_have(view->names.curves.names, view->names.curves.count, name))
        return spn_refuse(err, "%s: %s is a curve; write its points as CSV, with curves %s", option,
                          name, name);
    const char *nearest = spn_nearest_word(name, word_at, &c);
    if (nearest)
        return spn_refuse(err, "%s: there is no '%s'; did you mean %s?", option, name, nearest);
    return spn_refuse(err, "%s: there is no %s '%s'", option,
                      settings_only ? "setting" : "result or setting", name);
}

/* ---- lists of names ---- */

static spn_status split(const char ***out, size_t *count, char **own, const char *text,
                        spn_error *err)
{
    *own = strdup(text);
    *out = spn_alloc(strlen(text) + 1, sizeof **out);
    SPN_NEED(*own && *out, err, "records");
    for (char *at = *own, *name; (name = strsep(&at, ","));)
        (*out)[(*count)++] = name;
    return SPN_OK;
}

/* The usual columns that were measured, or the first of all. */
static spn_status default_columns(spn_view *view, const char *const *usual, spn_error *err)
{
    enum { MOST = 5 };
    size_t count = MOST;
    for (size_t k = 0; usual && usual[k]; k++)
        count++;
    SPN_NEED(view->columns = spn_alloc(count, sizeof *view->columns), err, "records");
    for (size_t k = 0; usual && usual[k]; k++) {
        bool measured = false; /* some run has a number for it */
        if (spn_names_have(view->names.results.names, view->names.results.count, usual[k]))
            for (size_t r = 0; r < view->all->count && !measured; r++)
                measured = !isnan(spn_record_number(&view->all->records[r], usual[k]));
        if (measured)
            view->columns[view->column_count++] = usual[k];
    }
    if (view->column_count > 0)
        return SPN_OK;
    for (size_t k = 0; k < view->names.results.count && k < MOST; k++)
        view->columns[view->column_count++] = view->names.results.names[k];
    return SPN_OK;
}

static spn_status choose_columns(spn_view *view, const char *text, const char *const *usual,
                                 spn_error *err)
{
    if (!text)
        return default_columns(view, usual, err);
    SPN_TRY(split(&view->columns, &view->column_count, &view->column_text, text, err));
    for (size_t k = 0; k < view->column_count; k++)
        if (spn_view_kind(view, view->columns[k]) == SPN_NAME_NOTHING)
            return unknown(view, "columns", view->columns[k], false, err);
    return SPN_OK;
}

/* ---- conditions ---- */

enum { NAME = 128 };

/* Copy the name, and return the comparison after it. */
static const char *name_of(char name[NAME], const char *condition)
{
    condition += strspn(condition, " \t");
    snprintf(name, NAME, "%.*s", (int)strcspn(condition, "=!<> \t"), condition);
    return condition + strcspn(condition, "=!<>");
}

/* Wrong conditions are refused even if there are no runs. */
static spn_status check_condition(const spn_view *view, const char *condition, spn_error *err)
{
    char name[NAME];
    const spn_record none = {0};
    spn_error why = {0};
    bool match;
    if (spn_record_matches(&match, &none, condition, &why))
        return spn_fail(err, why.status, "where: %.480s", why.text);
    const char *comparison = name_of(name, condition);
    const spn_name_kind kind = spn_view_kind(view, name);
    if (kind == SPN_NAME_NOTHING)
        return unknown(view, "where", name, false, err);
    if (kind == SPN_NAME_TEXT && strchr("<>", *comparison))
        return spn_refuse(err, "where: %s is a text; compare it with = or !=, not '%s'", name,
                          condition);
    return SPN_OK;
}

static spn_status choose_runs(spn_view *view, const spn_view_options *options, spn_error *err)
{
    for (size_t w = 0; w < options->where_count; w++)
        SPN_TRY(check_condition(view, options->where[w], err));
    for (size_t k = 0; k < view->all->count; k++) {
        const spn_record *record = &view->all->records[k];
        bool match = true;
        for (size_t w = 0; w < options->where_count && match; w++)
            spn_record_matches(&match, record, options->where[w], NULL);
        if (match)
            view->chosen[view->count++] = record;
    }
    return SPN_OK;
}

/* The first few values of a setting in the runs. */
static void list_values(char *out, size_t size, const spn_view *view, const char *name)
{
    enum { MOST = 8 };
    const char *met[MOST];
    size_t count = 0;
    for (size_t k = 0; k < view->all->count; k++) {
        const char *text = spn_record_setting(&view->all->records[k], name);
        if (!text || spn_names_have(met, count, text))
            continue;
        if (count == MOST) {
            spn_print_more(out, size, ", ...");
            return;
        }
        met[count++] = text;
        spn_print_more(out, size, "%s%s", *out ? ", " : "", text);
    }
}

const char *spn_view_doubt(char out[SPN_ERROR_TEXT], const spn_view *view, const char *condition)
{
    char name[NAME], values[256] = "";
    bool match = false;
    *out = 0;
    name_of(name, condition);
    for (size_t k = 0; k < view->all->count && !match; k++)
        spn_record_matches(&match, &view->all->records[k], condition, NULL);
    if (match || spn_view_kind(view, name) != SPN_NAME_SETTING)
        return out;
    list_values(values, sizeof values, view, name);
    if (*values)
        snprintf(out, SPN_ERROR_TEXT, "no run has %.100s; %s is %s", condition, name, values);
    return out;
}

static const char *curve_at(const void *context, size_t i)
{
    const spn_record_names *names = context;
    return i < names->curves.count ? names->curves.names[i] : NULL;
}

spn_status spn_view_check_curve(const spn_view *view, const char *curve, spn_error *err)
{
    const spn_record_names *names = &view->names;
    if (spn_names_have(names->curves.names, names->curves.count, curve))
        return SPN_OK;
    if (names->curves.count == 0)
        return spn_refuse(err, "curves: the runs of %s have no curves", view->all->folder);
    const char *nearest = spn_nearest_word(curve, curve_at, names);
    return spn_refuse(err, "curves: there is no curve '%s'; there is %s", curve,
                      nearest ? nearest : names->curves.names[0]);
}

/* ---- the view ---- */

spn_status spn_view_make(spn_view *out, const spn_records *records, const spn_view_options *options,
                         spn_error *err)
{
    *out = (spn_view){.all = records};
    out->chosen = spn_alloc(records->count, sizeof(void *));
    SPN_NEED(out->chosen, err, "records");
    for (size_t k = 0; k < records->count; k++)
        out->chosen[k] = &records->records[k];
    SPN_TRY(spn_record_names_of(&out->names, out->chosen, records->count, err));
    SPN_TRY(choose_runs(out, options, err));
    SPN_TRY(choose_columns(out, options->columns, options->usual, err));
    const spn_sweep *sweep = out->all->sweep;
    if (options->by) {
        SPN_TRY(split(&out->by, &out->by_count, &out->by_text, options->by, err));
        for (size_t k = 0; k < out->by_count; k++)
            if (!spn_names_have(GROUPED, SIZE_MAX, out->by[k]) && !is_setting(out, out->by[k]))
                return unknown(out, "by", out->by[k], true, err);
        return SPN_OK;
    }
    SPN_NEED(out->by = spn_alloc(sweep->axis_count, sizeof *out->by), err, "records");
    for (size_t k = 0; k < sweep->axis_count; k++)
        out->by[out->by_count++] = sweep->axes[k].setting;
    return SPN_OK;
}

void spn_view_clear(spn_view *view)
{
    spn_record_names_clear(&view->names);
    SPN_FREE_ALL(view->chosen, view->columns, view->by, view->column_text, view->by_text);
    *view = (spn_view){0};
}

spn_status spn_view_group(spn_groups *out, const spn_view *view, spn_error *err)
{
    *out = (spn_groups){0};
    spn_observation *runs = spn_alloc(view->count, sizeof *runs);
    SPN_NEED(runs, err, "records");
    for (size_t k = 0; k < view->count; k++)
        runs[k] = (spn_observation){view->chosen[k], 0};
    spn_status status =
        spn_groups_make(out, runs, view->count, view->by, view->by_count, view->all->sweep, err);
    free(runs);
    return status;
}
