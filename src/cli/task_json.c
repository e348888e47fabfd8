/* What a job found, as JSON: the same names as in a line of a manifest, and all settings. */
#include "cli/task.h"

#include "base/number.h"
#include "record/machine.h"

#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

/* The value of a setting as its kind says; null where it has none. */
static json_t *setting_json(const spn_setting *setting, const char *text)
{
    uint64_t whole;
    double real;
    bool flag;
    if (!text)
        return json_null();
    switch (setting->kind) {
    case SPN_SETTING_WHOLE:
    case SPN_SETTING_WHOLES: /* several are a text */
        if (spn_whole_parse(&whole, text) && whole <= INT64_MAX)
            return json_integer((json_int_t)whole);
        break;
    case SPN_SETTING_REAL:
        if (spn_setting_read(&real, setting, text, NULL) == SPN_OK && isfinite(real))
            return json_real(real);
        break;
    case SPN_SETTING_FLAG:
        if (spn_setting_read(&flag, setting, text, NULL) == SPN_OK)
            return json_boolean(flag);
        break;
    case SPN_SETTING_WORD:
    case SPN_SETTING_RANGE:
    case SPN_SETTING_TEXT:
    case SPN_SETTING_LIST:
    case SPN_SETTING_FILE:
        break;
    }
    return json_string(text);
}

static json_t *settings_json(const cli_task_result *result)
{
    json_t *settings = json_object();
    spn_setting_walk walk = spn_setting_walk_start(result->job->task->settings);
    while (spn_setting_walk_named(&walk)) {
        const char *name = walk.setting->name, *text = spn_job_given(result->job, name);
        if (walk.setting->flags & SPN_SETTING_SEED)
            text = result->job->seed_text;
        text = text ? text : spn_record_setting(&result->resolved, name);
        text = text ? text : spn_record_setting(&result->record, name); /* found by the run */
        json_object_set_new(settings, name, setting_json(walk.setting, text));
    }
    return settings;
}

static json_t *files_json(const cli_values *values)
{
    static const char *const names[] = {"out", "checkpoint", "trace", "plot", NULL};
    json_t *files = json_object();
    for (size_t k = 0; names[k]; k++)
        if (spn_setting_find(values->command->options, names[k]))
            json_object_set_new(files, names[k], text_or_null(cli_text(values, names[k])));
    return files;
}

/* Take some members of a record as a manifest has it. */
static spn_status add_record(json_t *root, const spn_record *record, spn_error *err)
{
    static const char *const names[] = {"results", "curves",        "notes",
                                        "seed",    "instance_seed", "first_hit_seconds"};
    char *text;
    spn_status status = spn_record_json(&text, record, err);
    if (status)
        return status;
    json_t *whole = json_loads(text, 0, NULL);
    free(text);
    if (!whole)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the JSON");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (json_object_get(whole, names[k]))
            json_object_set(root, names[k], json_object_get(whole, names[k]));
    if (!json_object_get(root, "notes"))
        json_object_set_new(root, "notes", json_array());
    json_decref(whole);
    return SPN_OK;
}

static void add_outcome(json_t *root, const cli_task_result *result)
{
    const spn_outcome *o = &result->outcome;
    char machine[512];
    spn_machine_describe(machine, sizeof machine);
    json_object_set_new(root, "version", json_string(spn_version()));
    json_object_set_new(root, "instructions", json_string(spn_instruction_set()));
    json_object_set_new(root, "machine", json_string(machine));
    json_object_set_new(root, "seconds", json_real(o->seconds));
    if (result->job->task->chain) {
        json_object_set_new(root, "steps", json_integer((json_int_t)o->step));
        json_object_set_new(root, "resumed_step", json_integer((json_int_t)o->resumed_step));
    }
    json_object_set_new(root, "complete", json_boolean(o->complete));
    json_object_set_new(root, "files", files_json(result->values));
}

int cli_task_json(const cli_task_result *result)
{
    spn_error err = {0};
    json_t *root = json_object();
    json_object_set_new(root, "task", json_string(result->job->task->name));
    json_object_set_new(root, "settings", settings_json(result));
    if (add_record(root, &result->record, &err) ||
        cli_add_states(root, result, cli_task_rows(result), &err)) {
        json_decref(root);
        return cli_fail(result->values, &err);
    }
    add_outcome(root, result);
    return cli_print_json(result->values, root);
}
