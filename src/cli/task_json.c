/* What a job found, as JSON: the same names as in a line of a manifest, and all settings. */
#include "cli/task.h"

#include "record/machine.h"

#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

/* A whole number where it is one, so that counts are written as such. */
static json_t *number_of(double value)
{
    if (value == floor(value) && fabs(value) < 0x1p53)
        return json_integer((json_int_t)value);
    return real_or_null(value);
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
        if (spn_setting_read(&whole, setting, text, NULL) == SPN_OK && whole <= INT64_MAX)
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
        json_object_set_new(settings, name, setting_json(walk.setting, text));
    }
    return settings;
}

static json_t *results_json(const spn_record *record)
{
    json_t *results = json_object();
    for (size_t k = 0; k < record->result_count; k++)
        json_object_set_new(results, record->results[k].name, number_of(record->results[k].value));
    for (size_t k = 0; k < record->text_count; k++)
        json_object_set_new(results, record->texts[k].name, json_string(record->texts[k].text));
    return results;
}

static json_t *column_json(const spn_result_curve *curve, size_t column)
{
    json_t *array = json_array();
    for (size_t r = 0; r < curve->rows; r++)
        json_array_append_new(array, number_of(curve->values[column][r]));
    return array;
}

static json_t *curves_json(const spn_record *record)
{
    json_t *curves = json_object();
    for (size_t k = 0; k < record->curve_count; k++) {
        json_t *columns = json_object();
        for (size_t c = 0; c < record->curves[k].columns; c++)
            json_object_set_new(columns, record->curves[k].names[c],
                                column_json(&record->curves[k], c));
        json_object_set_new(curves, record->curves[k].name, columns);
    }
    return curves;
}

static json_t *notes_json(const spn_record *record)
{
    json_t *notes = json_array();
    for (size_t k = 0; k < record->note_count; k++)
        json_array_append_new(notes, json_string(record->notes[k]));
    return notes;
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

int cli_task_json(const cli_task_result *result)
{
    const spn_record *record = &result->record;
    char machine[512];
    json_t *root = json_object();
    json_object_set_new(root, "task", json_string(result->job->task->name));
    json_object_set_new(root, "settings", settings_json(result));
    json_object_set_new(root, "results", results_json(record));
    json_object_set_new(root, "curves", curves_json(record));
    json_object_set_new(root, "notes", notes_json(record));
    json_object_set_new(root, "seed", json_integer((json_int_t)record->seed));
    if (record->instance_seed)
        json_object_set_new(root, "instance_seed", json_integer((json_int_t)record->instance_seed));
    json_object_set_new(root, "version", json_string(spn_version()));
    json_object_set_new(root, "instructions", json_string(spn_instruction_set()));
    spn_machine_describe(machine, sizeof machine);
    json_object_set_new(root, "machine", json_string(machine));
    json_object_set_new(root, "seconds", real_or_null(record->seconds));
    if (result->job->task->chain) {
        json_object_set_new(root, "steps", json_integer((json_int_t)result->outcome.step));
        json_object_set_new(root, "resumed_step",
                            json_integer((json_int_t)result->outcome.resumed_step));
    }
    json_object_set_new(root, "complete", json_boolean(result->outcome.complete));
    json_object_set_new(root, "files", files_json(result->values));
    return cli_print_json(result->values, root);
}
