/* What a job found, as JSON: the same names as in a line of a manifest, and all settings. */
#include "job/job_json.h"

#include "base/number.h"
#include "job/solutions.h"
#include "record/machine_words.h"

#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

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
    return spn_json_string(text);
}

static json_t *settings_json(spn_json_tree *tree, const spn_job_result *result)
{
    json_t *settings = json_object();
    spn_setting_walk walk = spn_setting_walk_start(result->job->task->settings);
    while (spn_setting_walk_named(&walk)) {
        const char *name = walk.setting->name, *text = spn_job_given(result->job, name);
        if (walk.setting->flags & SPN_SETTING_SEED)
            text = result->job->seed_text;
        text = text ? text : spn_record_setting(result->resolved, name);
        text = text ? text : spn_record_setting(result->record, name); /* found by the run */
        spn_json_set(tree, settings, name, setting_json(walk.setting, text));
    }
    return settings;
}

/* The tree of a JSON text of ours, which is freed. */
static spn_status load_own(json_t **out, char *text, spn_error *err)
{
    spn_json_fault fault;
    const spn_status status = spn_json_load(out, text, strlen(text), &fault);
    free(text);
    return status ? spn_fail(err, status, "out of memory for the JSON") : SPN_OK;
}

/* Take some members of a record as a manifest has it. */
static spn_status add_record(spn_json_tree *tree, json_t *root, const spn_record *record,
                             spn_error *err)
{
    static const char *const names[] = {"results", "curves",        "notes",
                                        "seed",    "instance_seed", "first_hit_seconds"};
    char *text;
    json_t *whole;
    spn_status status = spn_record_json(&text, record, err);
    if (!status)
        status = load_own(&whole, text, err);
    if (status)
        return status;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (json_object_get(whole, names[k]))
            spn_json_set(tree, root, names[k], json_incref(json_object_get(whole, names[k])));
    if (!json_object_get(root, "notes"))
        spn_json_set(tree, root, "notes", json_array());
    json_decref(whole);
    return SPN_OK;
}

static void add_outcome(spn_json_tree *tree, json_t *root, const spn_job_result *result)
{
    const spn_outcome *o = result->outcome;
    char machine[512];
    spn_machine_describe(machine, sizeof machine);
    spn_json_set(tree, root, "version", json_string(spn_version()));
    spn_json_set(tree, root, "instructions", json_string(spn_instruction_set()));
    spn_json_set(tree, root, "machine", spn_json_string(machine));
    spn_json_set(tree, root, "seconds", spn_json_number(o->seconds));
    if (result->job->task->chain) {
        spn_json_set(tree, root, "steps", json_integer((json_int_t)o->step));
        spn_json_set(tree, root, "resumed_step", json_integer((json_int_t)o->resumed_step));
    }
    spn_json_set(tree, root, "complete", json_boolean(o->complete));
}

/* The states that reads found, as members. */
static spn_status add_states(json_t *root, const spn_solutions *solutions, size_t rows,
                             spn_error *err)
{
    char *text;
    json_t *states;
    if (!solutions || !solutions->of_reads)
        return SPN_OK;
    spn_status status = spn_solutions_json(&text, solutions, rows, err);
    if (!status)
        status = load_own(&states, text, err);
    if (status)
        return status;
    const int failed = json_object_update(root, states);
    json_decref(states);
    return failed ? spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the JSON") : SPN_OK;
}

spn_status spn_job_json(json_t **out, spn_json_tree *tree, const spn_job_result *result,
                        size_t rows, spn_error *err)
{
    json_t *root = json_object();
    spn_json_set(tree, root, "task", json_string(result->job->task->name));
    spn_json_set(tree, root, "settings", settings_json(tree, result));
    spn_status status = add_record(tree, root, result->record, err);
    if (!status)
        status = add_states(root, result->solutions, rows, err);
    if (!status)
        add_outcome(tree, root, result);
    *out = status ? NULL : root;
    if (status)
        json_decref(root);
    return status;
}
