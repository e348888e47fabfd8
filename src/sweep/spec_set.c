/* Values that replace those of the specification file. */
#include "sweep/spec.h"

#include <spinney/words.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What can be replaced besides settings. */
static const char *const others[] = {"runs",          "seed",           "flips.trials",  "flips.p",
                                     "profile.walks", "profile.points", "profile.reach", NULL};

static spn_status replace(char **slot, const char *value, spn_error *err)
{
    char *copy = strdup(value);
    if (!copy)
        return spn_spec_no_memory(err);
    free(*slot);
    *slot = copy;
    return SPN_OK;
}

static void free_list(char **list, uint32_t count)
{
    for (size_t k = 0; k < count; k++)
        free(list[k]);
    free(list);
}

/* Replace a list by the parts of a text; `comma` false: the text is one part. */
static spn_status replace_list(char ***list, uint32_t *count, const char *value, bool comma,
                               spn_error *err)
{
    uint32_t parts = 1, made = 0;
    for (const char *c = value; comma && *c; c++)
        parts += *c == ',';
    char **fresh = calloc(parts, sizeof *fresh);
    if (!fresh)
        return spn_spec_no_memory(err);
    while (made < parts) {
        const size_t length = comma ? strcspn(value, ",") : strlen(value);
        if (!(fresh[made++] = strndup(value, length))) {
            free_list(fresh, made);
            return spn_spec_no_memory(err);
        }
        value += length + 1;
    }
    free_list(*list, *count);
    *list = fresh;
    *count = parts;
    return SPN_OK;
}

/* The axis of a setting, or NULL. */
static spn_spec_axis *find_axis(spn_spec *spec, const char *name)
{
    for (size_t k = 0; k < spec->raw->grid_count; k++)
        if (strcmp(spec->raw->grid[k].setting, name) == 0)
            return &spec->raw->grid[k];
    return NULL;
}

static spn_status set_setting(spn_spec *spec, spn_place place, const xpn_setting *setting,
                              const char *value, spn_error *err)
{
    spn_spec_axis *axis = find_axis(spec, setting->name);
    const bool comma = setting->kind != XPN_SETTING_LIST;
    if (!axis && comma && strchr(value, ','))
        return spn_spec_fail(spec, place, err, "%s is no axis of the grid; give one value",
                             setting->name);
    if (!axis)
        return replace(&spec->raw->settings[setting - spec->task->settings], value, err);
    char **const range[] = {&axis->from, &axis->to, &axis->count, &axis->spacing};
    for (size_t k = 0; k < 4; k++) {
        free(*range[k]);
        *range[k] = NULL;
    }
    return replace_list(&axis->values, &axis->values_count, value, comma, err);
}

static spn_status set_other(spn_spec *spec, spn_place place, const char *name, const char *value,
                            spn_error *err)
{
    spn_spec_raw *raw = spec->raw;
    if (strcmp(name, "runs") == 0 || strcmp(name, "seed") == 0)
        return replace(name[0] == 'r' ? &raw->runs : &raw->seed, value, err);
    const bool flips = name[0] == 'f';
    if (flips ? !raw->measure || !raw->measure->flips : !raw->measure || !raw->measure->profile)
        return spn_spec_fail(spec, place, err, "%s are not measured by %s",
                             flips ? "flips" : "profiles", spec->file);
    if (strcmp(name, "flips.trials") == 0)
        return replace(&raw->measure->flips->trials, value, err);
    if (flips)
        return replace_list(&raw->measure->flips->p, &raw->measure->flips->p_count, value, true,
                            err);
    spn_spec_profile *profile = raw->measure->profile;
    return replace(strcmp(name, "profile.walks") == 0    ? &profile->walks
                   : strcmp(name, "profile.points") == 0 ? &profile->points
                                                         : &profile->reach,
                   value, err);
}

/* The names that can be set: those of the task's settings, and others. */
static const char *settable(const void *task, size_t i)
{
    const xpn_setting *settings = ((const xpn_task *)task)->settings;
    size_t count = 0;
    while (settings[count].name)
        count++;
    return i < count ? settings[i].name : others[i - count];
}

static spn_status set_one(spn_spec *spec, const char *text, spn_error *err)
{
    const char *equals = strchr(text, '=');
    const spn_place place = {.set = text};
    char name[64];
    if (!equals || equals == text || !equals[1] || (size_t)(equals - text) >= sizeof name)
        return spn_spec_fail(spec, place, err, "expected NAME=VALUE or NAME=VALUE,VALUE,...");
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const xpn_setting *setting = xpn_setting_find(spec->task, name);
    if (setting)
        return set_setting(spec, place, setting, equals + 1, err);
    for (size_t k = 0; others[k]; k++)
        if (strcmp(others[k], name) == 0)
            return set_other(spec, place, name, equals + 1, err);
    const char *nearest = spn_nearest_word(name, settable, spec->task);
    if (nearest)
        return spn_spec_fail(spec, place, err, "unknown setting '%s'; did you mean %s?", name,
                             nearest);
    return spn_spec_fail(spec, place, err, "unknown setting '%s' of %s", name, spec->task->name);
}

spn_status spn_spec_override(spn_spec *spec, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < spec->set_count && !status; k++)
        status = set_one(spec, spec->set[k], err);
    return status;
}
