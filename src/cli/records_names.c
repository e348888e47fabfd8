/* spinney records: names of settings and results. */
#include "cli/records.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NUMBERS[] = {"run", "seed", "instance_seed", "seconds", NULL};
static const char *const TEXTS[] = {"key", "machine", "version", "finished", NULL};
static const char *const GROUPS[] = {"run", "machine", "version", NULL}; /* for --by */

static bool has(const char *const *names, size_t count, const char *name)
{
    for (size_t k = 0; k < count && names[k]; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* A setting of the specification; before the first run is finished there is nothing else. */
static bool is_specified(const spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->fixed_count; k++)
        if (strcmp(sweep->fixed[k].name, name) == 0)
            return true;
    for (size_t k = 0; k < sweep->default_count; k++)
        if (strcmp(sweep->defaults[k].name, name) == 0)
            return true;
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (strcmp(sweep->axes[k].setting, name) == 0)
            return true;
    return false;
}

cli_kind cli_record_kind(const cli_view *view, const char *name)
{
    if (has(view->names.results, view->names.result_count, name))
        return CLI_RESULT;
    if (has(view->names.settings, view->names.setting_count, name) ||
        is_specified(view->all->sweep, name))
        return CLI_SETTING;
    if (has(NUMBERS, SIZE_MAX, name))
        return CLI_NUMBER;
    return has(TEXTS, SIZE_MAX, name) ? CLI_TEXT : CLI_NOTHING;
}

const char *cli_record_text(const spn_record *record, const char *name, char buffer[CLI_FIELD])
{
    const char *text = spn_record_setting(record, name);
    if (text)
        return text;
    if (strcmp(name, "machine") == 0)
        return record->machine;
    if (strcmp(name, "version") == 0)
        return record->version;
    if (strcmp(name, "finished") == 0)
        return record->finished;
    snprintf(buffer, CLI_FIELD, "-");
    if (strcmp(name, "seed") == 0) /* all of its digits, so that the run can be done again */
        snprintf(buffer, CLI_FIELD, "%" PRIu64, record->seed);
    if (strcmp(name, "instance_seed") == 0 && record->instance_seed)
        snprintf(buffer, CLI_FIELD, "%" PRIu64, record->instance_seed);
    if (strcmp(name, "run") == 0)
        snprintf(buffer, CLI_FIELD, "%zu", record->run);
    if (strcmp(name, "key") == 0)
        snprintf(buffer, CLI_FIELD, "%016" PRIx64, record->key);
    return buffer;
}

/* ---- unknown names ---- */

/* What could have been meant: settings, and perhaps results, and the words of some lists. */
typedef struct choice {
    const cli_view *view;
    bool results;
    const char *const *lists[2]; /* each ended by NULL */
} choice;

/* Word i of these. */
static const char *word_at(const void *context, size_t i)
{
    const choice *c = context;
    const spn_record_names *names = &c->view->names;
    if (i < names->setting_count)
        return names->settings[i];
    i -= names->setting_count;
    if (c->results && i < names->result_count)
        return names->results[i];
    i -= c->results ? names->result_count : 0;
    for (size_t k = 0; k < 2; k++)
        for (size_t n = 0; c->lists[k] && c->lists[k][n]; n++)
            if (i-- == 0)
                return c->lists[k][n];
    return NULL;
}

static int unknown(const cli_view *view, const char *option, const char *name, choice c)
{
    c.view = view;
    const char *nearest = spn_nearest_word(name, word_at, &c);
    if (has(view->names.curves, view->names.curve_count, name))
        return cli_error(view->values->command,
                         "--%s: %s is a curve; --csv FILE --curves %s writes its points", option,
                         name, name);
    if (nearest)
        return cli_error(view->values->command, "--%s: there is no '%s'; did you mean %s?", option,
                         name, nearest);
    return cli_error(view->values->command, "--%s: there is no %s '%s'", option,
                     c.results ? "result or setting" : "setting", name);
}

/* ---- lists ---- */

void cli_names_clear(cli_names *names)
{
    free(names->names);
    free(names->text);
}

static int out_of_memory(const cli_view *view)
{
    cli_error(view->values->command, "out of memory");
    return CLI_FAILED;
}

/* Take a list such as a,b,c apart. */
static bool split(cli_names *out, const char *text)
{
    out->text = strdup(text);
    out->names = calloc(strlen(text) + 1, sizeof *out->names);
    if (!out->text || !out->names)
        return false;
    for (char *at = out->text, *name; (name = strsep(&at, ","));)
        out->names[out->count++] = name;
    return true;
}

static int read_columns(cli_view *view)
{
    if (!split(&view->columns, cli_text(view->values, "columns")))
        return out_of_memory(view);
    for (size_t k = 0; k < view->columns.count; k++)
        if (cli_record_kind(view, view->columns.names[k]) == CLI_NOTHING)
            return unknown(view, "columns", view->columns.names[k],
                           (choice){.results = true, .lists = {NUMBERS, TEXTS}});
    return CLI_OK;
}

/* What tells most about each task. */
static const struct {
    const char *task;
    const char *results[6];
} USEFUL[] = {
    {"train", {"train_loss", "train_accuracy", "test_loss", "test_accuracy", "active", NULL}},
    {"anneal", {"best_energy", "solved", "active", NULL}},
    {"eval", {"accuracy", NULL}}};

/* Whether any run has a number for it. */
static bool is_measured(const cli_view *view, const char *name)
{
    if (!has(view->names.results, view->names.result_count, name))
        return false;
    for (size_t k = 0; k < view->all->count; k++)
        if (!isnan(spn_record_number(&view->all->records[k], name)))
            return true;
    return false;
}

static int default_columns(cli_view *view)
{
    enum { MOST = 5 };
    cli_names *out = &view->columns;
    if (!(out->names = calloc(MOST, sizeof *out->names)))
        return out_of_memory(view);
    for (size_t t = 0; t < sizeof USEFUL / sizeof *USEFUL; t++)
        for (size_t k = 0; USEFUL[t].results[k]; k++)
            if (strcmp(USEFUL[t].task, view->all->sweep->task) == 0 &&
                is_measured(view, USEFUL[t].results[k]))
                out->names[out->count++] = USEFUL[t].results[k];
    for (size_t k = 0; out->count == 0 && k < view->names.result_count && k < MOST; k++)
        out->names[k] = view->names.results[k];
    if (out->count == 0)
        out->count = view->names.result_count < MOST ? view->names.result_count : MOST;
    return CLI_OK;
}

static int read_by(cli_view *view)
{
    cli_names *out = &view->by;
    const spn_sweep *sweep = view->all->sweep;
    const char *text = cli_text(view->values, "by");
    if (text && !split(out, text))
        return out_of_memory(view);
    for (size_t k = 0; k < out->count; k++) {
        const char *name = out->names[k];
        if (!has(GROUPS, SIZE_MAX, name) &&
            !has(view->names.settings, view->names.setting_count, name) &&
            !is_specified(sweep, name))
            return unknown(view, "by", name, (choice){.lists = {GROUPS}});
    }
    if (text)
        return CLI_OK;
    if (!(out->names = calloc(sweep->axis_count + 1, sizeof *out->names)))
        return out_of_memory(view);
    for (size_t k = 0; k < sweep->axis_count; k++)
        out->names[out->count++] = sweep->axes[k].setting;
    return CLI_OK;
}

/* The values that a setting has in the runs, the first few. */
static void list_values(char *out, size_t size, const cli_view *view, const char *name)
{
    enum { MOST = 8 };
    const char *met[MOST];
    size_t count = 0, used = 0;
    for (size_t k = 0; k < view->all->count && used < size; k++) {
        const char *text = spn_record_setting(&view->all->records[k], name);
        if (!text || has(met, count, text))
            continue;
        if (count == MOST) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        met[count++] = text;
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", text);
    }
}

/* Say so if no run at all meets a condition on a setting: it may be a slip. */
static void check_met(const cli_view *view, const char *condition, const char *name)
{
    char values[256] = "";
    bool match = view->all->count == 0;
    for (size_t k = 0; k < view->all->count && !match; k++)
        spn_record_matches(&match, &view->all->records[k], condition, NULL);
    if (match)
        return;
    list_values(values, sizeof values, view, name);
    if (*values)
        cli_error(view->values->command, "--where: no run has %s; %s is %s", condition, name,
                  values);
}

/* The library has seen that the conditions are well formed. */
static int check_conditions(const cli_view *view)
{
    for (size_t k = 0; k < view->where_count; k++) {
        char name[128];
        const char *text = view->where[k] + strspn(view->where[k], " \t");
        const size_t length = strcspn(text, "=!<>");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "=!<> \t"), text);
        const cli_kind kind = cli_record_kind(view, name);
        if (kind == CLI_NOTHING)
            return unknown(view, "where", name,
                           (choice){.results = true, .lists = {NUMBERS, TEXTS}});
        if (kind == CLI_TEXT && strchr("<>", text[length]))
            return cli_error(view->values->command,
                             "--where: %s is a text; compare it with = or "
                             "!=, not '%s'",
                             name, view->where[k]);
        if (kind == CLI_SETTING)
            check_met(view, view->where[k], name);
    }
    return CLI_OK;
}

int cli_records_names(cli_view *view)
{
    int status = check_conditions(view);
    if (!status)
        status = cli_given(view->values, "columns") ? read_columns(view) : default_columns(view);
    return status ? status : read_by(view);
}
