/* Read specification files. */
#include "sweep/spec/spec.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/text.h"
#include "base/try.h"

#include <assert.h>
#include <spinney/lab/sweep.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts NAME=VALUE that replace values: they change the tree before it is read, so that one
   reader handles all ---- */

static const char *const others[] = {"runs", "seed", "keep", NULL};

/* If the parent is no mapping, the reader refuses it later. */
static spn_status put_text(spn_node *parent, const char *key, const char *value, const char *set,
                           const spn_spec *spec)
{
    return parent->kind != SPN_NODE_MAPPING ||
                   spn_node_put_text(parent, key, value, strlen(value), set)
               ? SPN_OK
               : spn_spec_no_memory(spec);
}

/* Split a text into a list; between: "" for one part. */
static spn_status put_list(spn_node *parent, const char *key, const char *value,
                           const char *between, const char *set, const spn_spec *spec)
{
    return spn_node_put_list(parent, key, value, between, set) ? SPN_OK : spn_spec_no_memory(spec);
}

static spn_node *find_axis(const spn_spec *spec, const char *name)
{
    for (size_t k = 0; spn_spec_axis(spec, k); k++) {
        const spn_node *axis = spn_spec_axis(spec, k), *setting = spn_node_get(axis, "setting");
        if (setting && setting->text && strcmp(setting->text, name) == 0)
            return (spn_node *)axis;
    }
    return NULL;
}

static spn_status set_setting(spn_spec *spec, const spn_setting *setting, const char *value,
                              const char *set)
{
    const spn_node place = {.set = set};
    spn_node *axis = find_axis(spec, setting->name);
    for (const spn_member *member = spn_axis_members; axis && member->name; member++)
        if (member->flags & SPN_MEMBER_APART)
            spn_node_remove(axis, member->name); /* it is no range any more */
    if (axis)
        return put_list(axis, "values", value, setting->kind != SPN_SETTING_LIST ? "," : "", set,
                        spec);
    if (setting->kind != SPN_SETTING_LIST && strchr(value, ','))
        return spn_spec_fail(spec, &place, "%s is no axis of the grid; give one value",
                             setting->name);
    spn_node *settings = (spn_node *)spn_node_get(&spec->root, "settings");
    if (!settings)
        settings = spn_node_put(&spec->root, "settings", SPN_NODE_MAPPING, NULL);
    return settings ? put_text(settings, setting->name, value, set, spec)
                    : spn_spec_no_memory(spec);
}

static const char *settable(const void *task, size_t i)
{
    spn_setting_walk walk = spn_setting_walk_start(((const spn_task *)task)->settings);
    for (size_t k = 0; others[k]; k++)
        if (i-- == 0)
            return others[k];
    while (spn_setting_walk_named(&walk))
        if (i-- == 0)
            return walk.setting->name;
    return NULL;
}

static spn_status unknown(const spn_spec *spec, const char *name, const char *set)
{
    const spn_node place = {.set = set};
    const char *nearest = spn_nearest_word(name, settable, spec->task);
    return spn_spec_fail(spec, &place, "unknown setting '%s' of %s%s%s%s", name, spec->task->name,
                         nearest ? "; did you mean " : "", nearest ? nearest : "",
                         nearest ? "?" : "");
}

static spn_status set_one(spn_spec *spec, const char *set)
{
    const spn_node place = {.set = set};
    const char *equals = strchr(set, '=');
    char name[64];
    if (!equals || equals == set || !equals[1] || (size_t)(equals - set) >= sizeof name)
        return spn_spec_fail(spec, &place, "expected NAME=VALUE or NAME=VALUE,VALUE,...");
    if (!spn_is_utf8(set)) /* sweep.json and records hold only UTF-8 */
        return spn_spec_fail(spec, &place, "is not UTF-8 text");
    snprintf(name, sizeof name, "%.*s", (int)(equals - set), set);
    if (strcmp(name, "keep") == 0)
        return put_list(&spec->root, name, equals + 1, ",", set, spec);
    for (size_t k = 0; others[k]; k++)
        if (strcmp(others[k], name) == 0)
            return put_text(&spec->root, name, equals + 1, set, spec);
    const spn_setting *setting = spn_setting_find(spec->task->settings, name);
    spn_node *axis = find_axis(spec, name);
    if (!setting && axis && spn_node_get(axis, "cases"))
        return put_list(axis, "values", equals + 1, ",", set, spec);
    return setting ? set_setting(spec, setting, equals + 1, set) : unknown(spec, name, set);
}

/* Put texts NAME=VALUE into the tree, replacing values. */
static spn_status spec_set(spn_spec *spec, const char *const *set, size_t count)
{
    for (size_t k = 0; k < count; k++)
        SPN_TRY(set_one(spec, set[k]));
    return SPN_OK;
}

enum { MOST_BYTES = 1 << 20 };

spn_status spn_spec_no_memory(const spn_spec *spec)
{
    return spn_no_memory(spec->err, "%s", spec->file);
}

void spn_spec_clear(spn_spec *spec)
{
    spn_node_clear(&spec->root);
}

/* ---- places ---- */

const spn_node *spn_spec_figure(const spn_spec *spec, size_t k)
{
    return spn_node_item(spn_node_get(&spec->root, "figures"), k);
}

const spn_node *spn_spec_axis(const spn_spec *spec, size_t k)
{
    return spn_node_item(spn_node_get(&spec->root, "grid"), k);
}

const spn_node *spn_spec_value(const spn_spec *spec, size_t k, size_t i)
{
    const spn_node *axis = spn_spec_axis(spec, k);
    const spn_node *value = spn_node_item(spn_node_get(axis, "values"), i);
    return value ? value : axis;
}

const spn_node *spn_spec_setting(const spn_spec *spec, const char *name)
{
    return spn_node_get(spn_node_get(&spec->root, "settings"), name);
}

/* ---- settings ---- */

spn_status spn_spec_unknown(const spn_spec *spec, const spn_node *node, const char *name)
{
    spn_error why = {0};
    spn_setting_unknown(spec->task->settings, spec->task->name, name, &why);
    return spn_node_blame(node, spec->file, "", &why, spec->err);
}

spn_status spn_spec_seed(const spn_spec *spec, const spn_node *node, const char *name)
{
    return spn_spec_fail(spec, node,
                         "%s: a sweep makes one for each run from its own; give runs: N", name);
}

spn_status spn_spec_read_field(spn_field *field, const spn_spec *spec, const spn_node *node,
                               bool of_case)
{
    const spn_node key = {.line = node->key_line, .set = node->set};
    const spn_setting *setting = spn_setting_find(spec->task->settings, field->name);
    if (!setting)
        return spn_spec_unknown(spec, &key, field->name);
    if (setting->flags & SPN_SETTING_SEED && of_case)
        return spn_spec_seed(spec, &key, field->name);
    if (setting->flags & SPN_SETTING_SEED)
        return spn_spec_fail(spec, &key,
                             "%s: a sweep makes one for each run from its own; put %s beside "
                             "settings, not under it",
                             field->name, field->name);
    if (setting->kind == SPN_SETTING_FILE && of_case)
        return spn_spec_fail(spec, &key, "%s: names a file; give it under settings, or as an axis",
                             field->name);
    char *given = field->text;
    field->text = spn_setting_canonical(setting, given);
    free(given);
    return field->text ? SPN_OK : spn_spec_no_memory(spec);
}

/* A list of texts becomes a text with commas if the setting takes one: flip: [0, 0.1]. The reader
   refuses anything else later. */
static spn_status join_list(spn_node *node, const spn_spec *spec)
{
    spn_memory_stream memory;
    if (node->kind != SPN_NODE_LIST || node->count == 0)
        return SPN_OK;
    for (size_t k = 0; k < node->count; k++)
        if (node->items[k].kind != SPN_NODE_TEXT)
            return SPN_OK;
    FILE *out = spn_memory_stream_open(&memory);
    for (size_t k = 0; out && k < node->count; k++)
        fprintf(out, "%s%s", k ? "," : "", node->items[k].text);
    char *text = spn_memory_stream_finish(&memory);
    SPN_NEED(text, spec->err, "%s", spec->file);
    for (size_t k = 0; k < node->count; k++)
        spn_node_clear(&node->items[k]);
    node->count = 0;
    node->kind = SPN_NODE_TEXT;
    node->text = text;
    return SPN_OK;
}

static bool is_list(const spn_spec *spec, const char *name)
{
    const spn_setting *setting =
        name && spec->task ? spn_setting_find(spec->task->settings, name) : NULL;
    return setting && setting->kind == SPN_SETTING_LIST;
}

static spn_status join_settings(const spn_node *settings, const spn_spec *spec)
{
    for (size_t k = 0; settings && k < settings->count; k++)
        if (is_list(spec, settings->items[k].key))
            SPN_TRY(join_list(&settings->items[k], spec));
    return SPN_OK;
}

spn_status spn_spec_join_lists(spn_spec *spec)
{
    static const char *const keys[] = {"value", "over"};
    SPN_TRY(join_settings(spn_node_get(&spec->root, "settings"), spec));
    for (size_t k = 0; spn_spec_axis(spec, k); k++) {
        const spn_node *axis = spn_spec_axis(spec, k), *name = spn_node_get(axis, "setting");
        const spn_node *values = spn_node_get(axis, "values"), *cases = spn_node_get(axis, "cases");
        for (size_t i = 0; spn_node_item(cases, i); i++)
            SPN_TRY(join_settings(spn_node_get(spn_node_item(cases, i), "settings"), spec));
        for (size_t i = 0; name && values && is_list(spec, name->text) && i < values->count; i++)
            SPN_TRY(join_list(&values->items[i], spec));
    }
    for (size_t k = 0; spn_spec_figure(spec, k); k++)
        for (size_t i = 0; i < 2; i++) {
            spn_node *list = (spn_node *)spn_node_get(spn_spec_figure(spec, k), keys[i]);
            if (list)
                SPN_TRY(join_list(list, spec));
        }
    return SPN_OK;
}

/* ---- all of it but files ---- */

static const char *task_word(size_t i)
{
    const spn_task *task = spn_tasks()[i];
    return task ? task->name : NULL;
}

static spn_status find_task(spn_spec *spec)
{
    const spn_setting task = {.name = "task", .kind = SPN_SETTING_WORD, .word = task_word};
    const spn_node *node = spn_node_get(&spec->root, "task");
    spn_error why = {0};
    int number;
    if (!node || node->kind != SPN_NODE_TEXT || spn_node_is_empty(node))
        return SPN_OK; /* the reader refuses it */
    if (spn_setting_read(&number, &task, node->text, &why))
        return spn_node_blame(node, spec->file, "", &why, spec->err);
    spec->task = spn_tasks()[number];
    return SPN_OK;
}

static spn_status check_old_keys(const spn_spec *spec)
{
    const spn_node *measure = spn_node_get(&spec->root, "measure");
    const spn_node *join = spn_node_get(&spec->root, "join");
    if (join)
        return spn_spec_fail(spec, &(spn_node){.line = join->key_line},
                             "'join' is of a report over several folders, and no sweep; spinney "
                             "report takes this file");
    if (!measure)
        return SPN_OK;
    return spn_spec_fail(spec, &(spn_node){.line = measure->key_line},
                         "'measure' is no longer read: flips are the settings flip, trials and "
                         "flip-mode, a profile is profile-walks, profile-reach and profile-points; "
                         "what is kept stands in keep: [models, traces]");
}

static spn_status read_sweep(spn_sweep *out, spn_spec *spec, const char *const *set,
                             size_t set_count)
{
    SPN_TRY(find_task(spec));
    SPN_TRY(check_old_keys(spec));
    if (spec->task) {
        SPN_TRY(spec_set(spec, set, set_count));
        SPN_TRY(spn_spec_join_lists(spec));
    }
    SPN_TRY(spn_members_read(out, spn_sweep_members, &spec->root, spec->file, false, spec->err));
    for (size_t k = 0; k < out->fixed_count; k++)
        SPN_TRY(spn_spec_read_field(&out->fixed[k], spec,
                                    spn_spec_setting(spec, out->fixed[k].name), false));
    SPN_TRY(spn_spec_grid(out, spec));
    SPN_TRY(spn_spec_figures(out, spec));
    out->version = strdup(spn_version());
    out->instructions = strdup(spn_instruction_set());
    if (!out->version || !out->instructions)
        return spn_spec_no_memory(spec);
    return spn_plans_create(&out->plans, out, spec->file, spec->err);
}

spn_status spn_spec_take(spn_sweep **out, spn_spec *spec, const char *const *set, size_t set_count)
{
    if (spec->root.kind != SPN_NODE_MAPPING)
        return spn_spec_fail(spec, &spec->root,
                             "expected keys and values, starting with name: and task:");
    spn_sweep *sweep = calloc(1, sizeof *sweep);
    SPN_HAND_OVER(out, sweep, spn_sweep_free,
                  sweep ? read_sweep(sweep, spec, set, set_count) : spn_spec_no_memory(spec));
}

spn_status spn_spec_read(spn_sweep **out, spn_spec *spec, const char *text, size_t size,
                         const char *const *set, size_t set_count, spn_error *err)
{
    *out = NULL;
    spec->err = err;
    SPN_TRY(spn_tree_read_yaml(&spec->root, text, size, spec->file, err));
    return spn_spec_take(out, spec, set, set_count);
}

spn_status spn_spec_read_json(spn_sweep **out, spn_spec *spec, const char *text,
                              const char *const *set, size_t set_count, spn_error *err)
{
    spn_json_tree tree;
    spn_json_fault fault;
    const size_t size = strlen(text);
    *out = NULL;
    spec->err = err;
    if (size > MOST_BYTES)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: more than %d bytes; a specification is smaller",
                        spec->file, MOST_BYTES);
    spn_status status = spn_json_load(&tree, text, size, &fault);
    if (status)
        return status == SPN_ERROR_MEMORY
                   ? spn_spec_no_memory(spec)
                   : spn_fail(err, status, "%s: line %zu: %s", spec->file, fault.line, fault.what);
    status = spn_tree_read_json(&spec->root, tree.root, spec->file, err);
    spn_json_unload(&tree);
    return status ? status : spn_spec_take(out, spec, set, set_count);
}

/* Check a sweep with the files it names. Frees it on failure. */
static spn_status check(spn_sweep **sweep, const spn_spec *spec)
{
    assert(*sweep);
    const spn_status status = spn_spec_check(*sweep, spec);
    if (status) {
        spn_sweep_free(*sweep);
        *sweep = NULL;
    }
    return status;
}

spn_status spn_sweep_parse(spn_sweep **out, const char *path, const char *const *set,
                           size_t set_count, spn_error *err)
{
    spn_spec spec = {.file = path};
    spn_source source = {0};
    *out = NULL;
    spn_status status;
    SPN_TRY(spn_source_load(&source, path, MOST_BYTES, err));
    SPN_TRY_OR(cleanup, spn_spec_read(out, &spec, (const char *)source.data, source.size, set,
                                      set_count, err));
    status = check(out, &spec);
cleanup:
    spn_spec_clear(&spec);
    spn_source_unload(&source);
    return status;
}

spn_status spn_sweep_parse_json(spn_sweep **out, const char *text, const char *name,
                                const char *const *set, size_t set_count, spn_error *err)
{
    spn_spec spec = {.file = name};
    spn_status status = spn_spec_read_json(out, &spec, text, set, set_count, err);
    if (!status)
        status = check(out, &spec);
    spn_spec_clear(&spec);
    return status;
}
