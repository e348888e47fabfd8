#include "base/machine.h"
#include "base/try.h"
#include "job/call.h"
#include "record/record.h"

#include <math.h>
#include <spinney/version.h>
#include <string.h>

bool spn_call_complete(const spn_call *call)
{
    return call->done && call->outcome.complete;
}

double spn_call_number(const spn_call *call, const char *result)
{
    const spn_record *record = &call->record;
    for (size_t k = 0; call->done && k < record->result_count; k++)
        if (strcmp(record->results[k].name, result) == 0)
            return record->results[k].value;
    if (!call->done)
        return NAN;
    if (strcmp(result, "seconds") == 0)
        return record->seconds;
    return strcmp(result, "first_hit_seconds") == 0 && spn_record_has_hit(record)
               ? record->first_hit_seconds
               : NAN;
}

/* NULL if the setting has no text or does not exist. */
static const char *setting_text(spn_call *call, const char *name)
{
    const spn_setting *setting = spn_setting_find(call->job.task->settings, name);
    const char *text = spn_job_given(&call->job, name);
    if (!setting || text)
        return text;
    if (setting->flags & SPN_SETTING_SEED)
        return call->job.seed_text;
    const spn_record *resolved = spn_call_resolved(call);
    text = resolved ? spn_record_setting(resolved, name) : NULL;
    return text || !call->done ? text : spn_record_setting(&call->record, name);
}

const char *spn_call_text(spn_call *call, const char *name)
{
    const char *text = call->done ? spn_record_text(&call->record, name) : NULL;
    return text ? text : setting_text(call, name);
}

const char *spn_call_note(const spn_call *call, size_t k)
{
    return call->done && k < call->record.note_count ? call->record.notes[k] : NULL;
}

const spn_result_curve *spn_call_curve(const spn_call *call, size_t k)
{
    return call->done && k < call->record.curve_count ? &call->record.curves[k] : NULL;
}

void spn_call_states(spn_states *inout, const spn_call *call)
{
    const spn_solutions *s = call->done ? call->solutions : NULL;
    spn_states *to = inout;
    if (!s)
        return;
    to->count = spn_samples_distinct(s->samples);
    to->sites = s->sites;
    to->of_reads = s->of_reads;
    to->binary = s->binary;
    to->has_cuts = s->cuts;
    to->variables = (const char *const *)s->names;
    to->replicas = s->replicas;
    to->end_spins = s->replicas ? s->ends : NULL;
    to->end_energies = s->replicas ? s->end_energies : NULL;
    for (size_t k = 0; k < to->count; k++) {
        if (to->energies)
            to->energies[k] = spn_samples_energy(s->samples, k);
        if (to->counts)
            to->counts[k] = spn_samples_count(s->samples, k);
        if (to->firsts)
            to->firsts[k] = spn_samples_first(s->samples, k);
        if (to->cuts && s->cuts)
            to->cuts[k] = s->offset - spn_samples_energy(s->samples, k);
    }
}

size_t spn_call_spins(const spn_call *call, size_t first, size_t count, int8_t *out)
{
    spn_states found = {0};
    spn_call_states(&found, call);
    const size_t left = first < found.count ? found.count - first : 0;
    count = count < left ? count : left;
    for (size_t k = 0; k < count; k++)
        spn_samples_spins(call->solutions->samples, first + k, out + k * found.sites);
    return count;
}

static void fill_answer(spn_answer_arrays *to, const spn_answer *answer, size_t k)
{
    if (to->objectives)
        to->objectives[k] = answer->score.objective;
    if (to->violations)
        to->violations[k] = answer->score.violation;
    if (to->counts)
        to->counts[k] = answer->count;
    if (to->firsts)
        to->firsts[k] = answer->first;
    if (to->distances)
        to->distances[k] = answer->distance;
    if (to->robust && to->is_shaken)
        to->robust[k] = answer->robust;
}

void spn_call_answers(spn_answer_arrays *inout, const spn_call *call)
{
    const spn_answers *answers = call->done ? call->answers : NULL;
    spn_answer_arrays *to = inout;
    if (!answers)
        return;
    to->count = answers->count;
    to->variables = answers->variables;
    to->reads = answers->reads;
    to->program = answers->program;
    to->is_shaken = answers->is_shaken;
    for (size_t k = 0; k < to->count; k++)
        fill_answer(to, &answers->answer[k], k);
    if (to->values)
        memcpy(to->values, answers->values, to->count * to->variables * sizeof *to->values);
}

const spn_model *spn_call_model(const spn_call *call)
{
    return call->done ? call->model : NULL;
}

spn_model *spn_call_take_model(spn_call *call)
{
    spn_model *model = call->done ? call->model : NULL;
    if (model)
        call->model = NULL;
    return model;
}

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

static void put_settings(spn_json *json, const spn_call *call)
{
    spn_setting_walk walk = spn_setting_walk_start(call->job.task->settings);
    spn_json_open(json, "settings", '{');
    while (spn_setting_walk_named(&walk)) {
        const char *name = walk.setting->name, *text = spn_job_given(&call->job, name);
        if (walk.setting->flags & SPN_SETTING_SEED)
            text = call->job.seed_text;
        text = text ? text : spn_record_setting(&call->resolved, name);
        text = text ? text : spn_record_setting(&call->record, name); /* found by the run */
        put_setting(json, walk.setting, text);
    }
    spn_json_close(json, '}');
}

spn_status spn_call_put_json(spn_json *json, const spn_call *call, size_t rows, spn_error *err)
{
    const spn_solutions *solutions = call->solutions;
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "task", call->job.task->name);
    put_settings(json, call);
    spn_record_put_found(json, &call->record);
    if (solutions && solutions->of_reads)
        SPN_TRY(spn_solutions_json(json, solutions, rows, err));
    if (call->answers)
        SPN_TRY(spn_answers_json(json, call->answers, rows, err));
    const spn_outcome *o = &call->outcome;
    char machine[512];
    spn_machine_describe(machine, sizeof machine);
    spn_json_text(json, "version", spn_version());
    spn_json_text(json, "instructions", spn_instruction_set());
    spn_json_any_text(json, "machine", machine);
    spn_json_decimal(json, "seconds", o->seconds);
    if (call->job.task->chain) {
        spn_json_whole(json, "steps", o->step);
        spn_json_whole(json, "resumed_step", o->resumed_step);
    }
    spn_json_flag(json, "complete", o->complete);
    return SPN_OK;
}

spn_status spn_call_json(char **out, spn_call *call, size_t rows, spn_error *err)
{
    spn_json json = SPN_JSON_PRINTED;
    *out = NULL;
    if (!call->done)
        return spn_refuse(err, "the call has no results: run it first");
    SPN_NEED(spn_call_resolved(call), err, "the settings");
    SPN_TRY(spn_json_begin(&json, err));
    const spn_status status = spn_call_put_json(&json, call, rows, err);
    if (status) {
        spn_json_drop(&json);
        return status;
    }
    spn_json_close(&json, '}');
    return spn_json_finish(out, NULL, &json, err);
}
