#include "job/call.h"
#include "base/clock.h"
#include "base/memory.h"

#include <spinney/words.h>
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
    if (status)
        spn_call_free(call);
    else
        *out = call;
    return status;
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
