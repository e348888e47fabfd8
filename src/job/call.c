#include "job/call.h"
#include "base/clock.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/try.h"
#include "record/record.h"

#include <math.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

static const char *task_name(const void *tasks, size_t i)
{
    const spn_task *const *all = tasks;
    return all[i] ? all[i]->name : NULL;
}

spn_status spn_call_create(spn_call **out, const char *task, spn_error *err)
{
    const spn_task *found = spn_task_find(task);
    *out = NULL;
    if (!found) {
        const char *nearest = spn_nearest_word(task, task_name, spn_tasks());
        return spn_refuse(err, "unknown task '%s'%s%s%s", task, nearest ? "; did you mean " : "",
                          nearest ? nearest : "", nearest ? "?" : "");
    }
    spn_call *call = calloc(1, sizeof *call);
    if (!call || spn_inputs_create(&call->inputs, NULL, err)) {
        free(call);
        return spn_no_memory(err, "a call");
    }
    call->job = spn_job_start(found);
    *out = call;
    return SPN_OK;
}

static void drop_plan(spn_call *call)
{
    spn_job_plan_free(call->job.task, call->plan);
    call->plan = NULL;
    spn_record_clear(&call->resolved);
    call->is_resolved = false;
}

void spn_call_free(spn_call *call)
{
    if (!call)
        return;
    spn_solutions_free(call->solutions);
    spn_answers_free(call->answers);
    spn_model_free(call->model);
    spn_record_clear(&call->record);
    drop_plan(call);
    for (size_t k = 0; k < SPN_CALL_FILES; k++)
        free(call->files[k]);
    spn_inputs_free(call->inputs);
    spn_job_clear(&call->job);
    free(call);
}

static spn_status check_fresh(const spn_call *call, spn_error *err)
{
    return call->started
               ? spn_refuse(err, "the call was run; make another one of %s", call->job.task->name)
               : SPN_OK;
}

spn_status spn_call_set(spn_call *call, const char *name, const char *text, spn_error *err)
{
    SPN_TRY(check_fresh(call, err));
    drop_plan(call);
    return spn_job_set(&call->job, name, text, err);
}

/* Where the text of a file option is kept. */
static char **file_slot(spn_call *call, size_t at)
{
    static const size_t places[SPN_CALL_FILES] = {offsetof(spn_run_options, out),
                                                  offsetof(spn_run_options, checkpoint),
                                                  offsetof(spn_run_options, trace)};
    for (size_t k = 0; k < SPN_CALL_FILES; k++)
        if (places[k] == at)
            return &call->files[k];
    return NULL;
}

spn_status spn_call_option(spn_call *call, const char *name, const char *text, spn_error *err)
{
    spn_setting table[SPN_RUN_OPTION_ROWS];
    SPN_TRY(check_fresh(call, err));
    spn_run_option_table(table, call->job.task);
    spn_setting_walk walk = spn_setting_walk_start(table);
    if (!spn_setting_walk_to(&walk, name))
        return spn_setting_unknown(table, call->job.task->name, name, err);
    char **slot = file_slot(call, walk.at), *copy = slot ? strdup(text) : NULL;
    if (slot && !copy)
        return spn_no_memory(err, "a call");
    const spn_status status =
        spn_setting_read((char *)&call->options + walk.at, walk.setting, slot ? copy : text, err);
    if (slot && !status) {
        free(*slot);
        *slot = copy;
    } else {
        free(copy);
    }
    return status;
}

static spn_status check_object(const spn_call *call, const char *name, const void *object,
                               spn_error *err)
{
    const spn_task *task = call->job.task;
    const spn_setting *setting = spn_setting_find(task->settings, name);
    SPN_TRY(check_fresh(call, err));
    if (!setting)
        return spn_setting_unknown(task->settings, task->name, name, err);
    if (setting->kind != SPN_SETTING_FILE)
        return spn_setting_fail(name, err,
                                "is given by a text; only what may be a file can be "
                                "given as an object");
    return object ? SPN_OK : spn_setting_fail(name, err, "the object is NULL");
}

spn_status spn_call_give(spn_call *call, const char *setting, spn_object_kind kind,
                         const void *object, spn_error *err)
{
    char *text = NULL;
    spn_error why = {0};
    SPN_TRY(check_object(call, setting, object, err));
    if ((unsigned)kind > SPN_OBJECT_PROGRAM)
        return spn_setting_fail(setting, err, "there is no kind %d of objects", (int)kind);
    SPN_NEED(text = spn_text_new("@%s", setting), err, "a call");
    const spn_status status = spn_call_set(call, setting, text, err);
    free(text);
    SPN_TRY(status);
    if (spn_inputs_give(call->inputs, setting, kind, object, &why) == SPN_OK)
        return SPN_OK;
    /* the inputs refuse only a second object for a setting */
    return why.status == SPN_ERROR_ARGUMENT
               ? spn_setting_fail(setting, err, "an object was given already")
               : spn_fail(err, why.status, "%s", why.text);
}

spn_status spn_call_set_all(spn_call *call, const char *texts, spn_error *err)
{
    spn_status status = SPN_OK;
    while (!status && *texts) {
        const char *text = texts + strlen(texts) + 1;
        status = spn_call_set(call, texts, text, err);
        texts = text + strlen(text) + 1;
    }
    return status;
}

spn_status spn_call_prepare(spn_call **out, const char *task, const char *texts,
                            const spn_object *objects, size_t count, spn_error *err)
{
    spn_call *call = NULL;
    *out = NULL;
    spn_status status = spn_call_create(&call, task, err);
    if (!call)
        return status;
    for (size_t k = 0; k < count && !status; k++)
        status = spn_call_give(call, objects[k].setting, (spn_object_kind)objects[k].kind,
                               objects[k].object, err);
    if (!status)
        status = spn_call_set_all(call, texts, err);
    SPN_HAND_OVER(out, call, spn_call_free, status);
}

spn_status spn_call_plan(spn_call *call, spn_error *err)
{
    SPN_TRY(check_fresh(call, err));
    if (call->plan)
        return SPN_OK;
    drop_plan(call);
    SPN_TRY(spn_run_options_check(&call->options, &call->job, err));
    return spn_job_plan(&call->plan, &call->job, call->inputs, err);
}

const spn_record *spn_call_resolved(spn_call *call)
{
    if (!call->plan || call->is_resolved)
        return &call->resolved;
    call->is_resolved = spn_job_resolve(&call->resolved, &call->job, call->plan, NULL) == SPN_OK;
    if (call->is_resolved)
        return &call->resolved;
    spn_record_clear(&call->resolved);
    return NULL;
}

void spn_call_watch(spn_call *call, spn_watcher *watcher, void *context, uint64_t every)
{
    call->watcher = watcher;
    call->watcher_context = context;
    call->watch_every = every;
    call->told_step = UINT64_MAX;
    call->share = 0;
}

/* Callback of the run; context: the call. */
static void show_progress(void *context, const spn_progress *progress)
{
    const double tick = 0.1;
    spn_call *call = context;
    spn_progress now = *progress;
    /* A run may see the same step twice; the watcher sees a fixed step once. */
    now.due = now.due && !(now.state && now.state->step == call->told_step);
    call->share = now.share;
    if ((!now.due && spn_clock() - call->told < tick) || spn_stop_asked(&call->stop))
        return;
    if (call->watcher(call->watcher_context, &now) != 0)
        spn_stop_ask(&call->stop);
    call->told = spn_clock();
    call->told_step = now.due && now.state ? now.state->step : call->told_step;
}

static void show_pause(void *context)
{
    const spn_call *call = context;
    show_progress(context, &(spn_progress){.share = call->share});
}

spn_status spn_call_run_as(spn_call *call, const spn_run *how, spn_error *err)
{
    SPN_TRY(spn_call_plan(call, err));
    spn_run run = *how;
    run.inputs = call->inputs;
    run.details = true;
    run.checkpoint = call->options.checkpoint;
    run.save_steps = call->options.every;
    run.trace = call->options.trace;
    run.trace_steps = call->options.trace_every;
    run.product = call->options.out;
    run.solutions = &call->solutions;
    run.answers = &call->answers;
    run.model = &call->model;
    call->started = true;
    const spn_status status =
        spn_job_run_plan(&call->record, &call->outcome, &call->job, call->plan, &run, err);
    call->record.seconds = call->outcome.seconds;
    call->done = !status;
    return status;
}

spn_status spn_call_finish(const spn_call *call, spn_error *err)
{
    const spn_run_options *o = &call->options;
    const spn_run run = {.checkpoint = o->keep_checkpoint ? NULL : o->checkpoint};
    return call->outcome.complete ? spn_job_finish(&run, err) : SPN_OK;
}

spn_status spn_call_run(spn_call *call, spn_error *err)
{
    const bool watched = call->watcher;
    const spn_run how = {.stop = &call->stop,
                         .progress = watched ? show_progress : NULL,
                         .context = call,
                         .pause = watched ? show_pause : NULL,
                         .watch_steps = watched ? call->watch_every : 0};
    call->told = spn_clock();
    SPN_TRY(spn_call_run_as(call, &how, err));
    const spn_status status = spn_call_finish(call, err);
    call->done = !status;
    return status;
}

spn_status spn_call_run_watched(spn_call *call, spn_watcher *watcher, void *context, uint64_t every,
                                spn_error *err)
{
    spn_call_watch(call, watcher, context, every);
    return spn_call_run(call, err);
}

void spn_call_stop(spn_call *call)
{
    spn_stop_ask(&call->stop);
}

/* ---- results ---- */

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
