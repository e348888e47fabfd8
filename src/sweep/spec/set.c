/* Texts NAME=VALUE that replace values of a specification. They change the tree before it is read,
   so that one reader handles all. */
#include "base/text.h"
#include "base/try.h"
#include "sweep/spec/spec.h"

#include <spinney/words.h>
#include <string.h>

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

spn_status spn_spec_set(spn_spec *spec, const char *const *set, size_t count)
{
    for (size_t k = 0; k < count; k++)
        SPN_TRY(set_one(spec, set[k]));
    return SPN_OK;
}
