/* What a job found, as JSON: the same names as in a line of a manifest, and all settings. */
#include "job/job_json.h"

#include "base/machine.h"
#include "base/try.h"
#include "job/solutions.h"
#include "record/record.h"

#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* The value of a setting as its kind says; null if it has none. */
static void put_setting(spn_json *json, const spn_setting *setting, const char *text)
{
    uint64_t whole;
    double real;
    const spn_setting_kind kind = setting->kind;
    if (!text)
        spn_json_null(json, setting->name);
    else if ((kind == SPN_SETTING_WHOLE || kind == SPN_SETTING_WHOLES) && /* several are a text */
             spn_whole_parse(&whole, text) && whole <= INT64_MAX)
        spn_json_whole(json, setting->name, whole);
    else if (kind == SPN_SETTING_REAL && spn_number_parse(&real, text) && isfinite(real))
        spn_json_decimal(json, setting->name, real);
    else if (kind == SPN_SETTING_FLAG)
        spn_json_flag(json, setting->name, strcmp(text, "true") == 0);
    else
        spn_json_any_text(json, setting->name, text);
}

static void put_settings(spn_json *json, const spn_job_result *result)
{
    spn_setting_walk walk = spn_setting_walk_start(result->job->task->settings);
    spn_json_open(json, "settings", '{');
    while (spn_setting_walk_named(&walk)) {
        const char *name = walk.setting->name, *text = spn_job_given(result->job, name);
        if (walk.setting->flags & SPN_SETTING_SEED)
            text = result->job->seed_text;
        text = text ? text : spn_record_setting(result->resolved, name);
        text = text ? text : spn_record_setting(result->record, name); /* found by the run */
        put_setting(json, walk.setting, text);
    }
    spn_json_close(json, '}');
}

static void put_outcome(spn_json *json, const spn_job_result *result)
{
    const spn_outcome *o = result->outcome;
    char machine[512];
    spn_machine_describe(machine, sizeof machine);
    spn_json_text(json, "version", spn_version());
    spn_json_text(json, "instructions", spn_instruction_set());
    spn_json_any_text(json, "machine", machine);
    spn_json_decimal(json, "seconds", o->seconds);
    if (result->job->task->chain) {
        spn_json_whole(json, "steps", o->step);
        spn_json_whole(json, "resumed_step", o->resumed_step);
    }
    spn_json_flag(json, "complete", o->complete);
}

spn_status spn_job_json(spn_json *json, const spn_job_result *result, size_t rows, spn_error *err)
{
    const spn_solutions *solutions = result->solutions;
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "task", result->job->task->name);
    put_settings(json, result);
    spn_record_put_found(json, result->record);
    if (solutions && solutions->of_reads)
        SPN_TRY(spn_solutions_json(json, solutions, rows, err));
    put_outcome(json, result);
    return SPN_OK;
}
