/* What a call found, by name and by number. */
#include "base/try.h"
#include "job/call.h"
#include "job/job_json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool spn_call_complete(const spn_call *call)
{
    return call->done && call->outcome.complete;
}

/* ---- numbers and texts ---- */

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

/* The text of a setting; NULL where it has none, or there is no such setting. */
static const char *setting_text(const spn_call *call, const char *name)
{
    const spn_setting *setting = spn_setting_find(call->job.task->settings, name);
    const char *text = spn_job_given(&call->job, name);
    if (!setting || text)
        return text;
    if (setting->flags & SPN_SETTING_SEED)
        return call->job.seed_text;
    text = spn_record_setting(spn_call_resolved(call), name);
    return text || !call->done ? text : spn_record_setting(&call->record, name);
}

const char *spn_call_text(const spn_call *call, const char *name)
{
    const char *text = call->done ? spn_record_text(&call->record, name) : NULL;
    return text ? text : setting_text(call, name);
}

const char *spn_call_note(const spn_call *call, size_t k)
{
    return call->done && k < call->record.note_count ? call->record.notes[k] : NULL;
}

/* ---- curves ---- */

const spn_result_curve *spn_call_curve(const spn_call *call, size_t k)
{
    return call->done && k < call->record.curve_count ? &call->record.curves[k] : NULL;
}

/* ---- states ---- */

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

/* ---- the model ---- */

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

/* ---- JSON ---- */

spn_job_result spn_call_result(const spn_call *call)
{
    return (spn_job_result){.job = &call->job,
                            .resolved = spn_call_resolved(call),
                            .record = &call->record,
                            .outcome = &call->outcome,
                            .solutions = call->solutions};
}

spn_status spn_call_json(char **out, const spn_call *call, size_t rows, spn_error *err)
{
    const spn_job_result found = spn_call_result(call);
    spn_json json = SPN_JSON_PRINTED;
    *out = NULL;
    if (!call->done)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the call has no results: run it first");
    if (!call->texts->made)
        return spn_no_memory(err, "the settings");
    SPN_TRY(spn_json_begin(&json, err));
    const spn_status status = spn_job_json(&json, &found, rows, err);
    if (status) {
        spn_json_drop(&json);
        return status;
    }
    spn_json_close(&json, '}');
    return spn_json_finish(out, NULL, &json, err);
}
