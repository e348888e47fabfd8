#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"

#include <errno.h>
#include <inttypes.h>
#include <spinney/lab/job.h>
#include <spinney/pause.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- texts ---- */

static void set_seed(spn_job *job, uint64_t seed)
{
    job->seed = job->instance_seed = seed;
    spn_whole_text(job->seed_text, seed);
}

spn_job spn_job_start(const spn_task *task)
{
    spn_job job = {.task = task, .run = 1};
    set_seed(&job, 1);
    return job;
}

void spn_job_clear(spn_job *job)
{
    for (size_t k = 0; k < job->count; k++) {
        SPN_FREE_ALL(job->given[k].name, job->given[k].text);
    }
    SPN_FREE_ALL(job->given, job->values);
    *job = (spn_job){0};
}

static spn_field *find_given(const spn_job *job, const char *name)
{
    for (size_t k = 0; k < job->count; k++)
        if (strcmp(job->given[k].name, name) == 0)
            return &job->given[k];
    return NULL;
}

static spn_field *field_of(spn_job *job, const char *name)
{
    spn_field *field = find_given(job, name);
    if (field)
        return field;
    spn_field *grown = realloc(job->given, (job->count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        job->given = grown;
    if (!grown || !copy) {
        free(copy);
        return NULL;
    }
    job->given[job->count] = (spn_field){.name = copy};
    return &job->given[job->count++];
}

/* Store a value in the plan; for texts, the copy that the job keeps. */
static void put_value(void *place, spn_setting_kind kind, const void *value, const char *kept)
{
    static const size_t sizes[] = {[SPN_SETTING_WHOLE] = sizeof(uint64_t),
                                   [SPN_SETTING_REAL] = sizeof(double),
                                   [SPN_SETTING_FLAG] = sizeof(bool),
                                   [SPN_SETTING_WORD] = sizeof(int)};
    if (kind < sizeof sizes / sizeof *sizes)
        memcpy(place, value, sizes[kind]);
    else
        memcpy(place, &kept, sizeof kept);
}

/* Keep the canonical text of a setting, and its value. */
static spn_status keep(spn_job *job, const spn_setting_walk *at, const char *text,
                       const void *value, spn_error *err)
{
    if (!job->values && !(job->values = spn_alloc(1, job->task->plan_size)))
        return spn_no_memory(err, "the settings");
    char *canonical = spn_setting_canonical(at->setting, text);
    spn_field *field = canonical ? field_of(job, at->setting->name) : NULL;
    if (!field) {
        free(canonical);
        return spn_no_memory(err, "the settings");
    }
    free(field->text);
    field->text = canonical;
    put_value((char *)job->values + at->at, at->setting->kind, value, canonical);
    return SPN_OK;
}

spn_status spn_job_set(spn_job *job, const char *name, const char *text, spn_error *err)
{
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    union {
        uint64_t whole;
        double real;
        const char *text;
    } value = {0}; /* of any kind */
    if (!spn_setting_walk_to(&walk, name))
        return spn_setting_unknown(job->task->settings, job->task->name, name, err);
    SPN_TRY(spn_setting_read(&value, walk.setting, text, err));
    if (!(walk.setting->flags & SPN_SETTING_SEED))
        return keep(job, &walk, text, &value, err);
    set_seed(job, value.whole);
    return SPN_OK;
}

const char *spn_job_given(const spn_job *job, const char *name)
{
    const spn_field *field = find_given(job, name);
    return field ? field->text : NULL;
}

static const char *text_in(const spn_text *texts, const char *name)
{
    for (; texts && texts->name; texts++)
        if (strcmp(texts->name, name) == 0)
            return texts->text;
    return NULL;
}

static const spn_text *preset_texts(const spn_job *job)
{
    if (!job->task->presets)
        return NULL;
    const char *chosen = spn_job_text(job, "preset");
    for (const spn_preset *p = job->task->presets; chosen && p->name; p++)
        if (strcmp(p->name, chosen) == 0)
            return p->texts;
    return NULL;
}

static const char *text_of(const spn_job *job, const spn_setting *setting, const spn_text *preset)
{
    const char *text = spn_job_given(job, setting->name);
    if (!text && setting->flags & SPN_SETTING_SEED)
        return job->seed_text;
    const bool is_preset = strcmp(setting->name, "preset") == 0;
    if (!text && is_preset && job->task->preset)
        text = job->task->preset(job);
    if (!text && !is_preset)
        text = text_in(preset, setting->name);
    return text ? text : setting->fallback;
}

const char *spn_job_text(const spn_job *job, const char *name)
{
    const spn_setting *setting = spn_setting_find(job->task->settings, name);
    if (!setting)
        return NULL;
    const bool is_preset = strcmp(name, "preset") == 0;
    return text_of(job, setting, is_preset ? NULL : preset_texts(job));
}

/* ---- identity ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const spn_field *)a)->name, ((const spn_field *)b)->name);
}

/* Sorted lines "name=text" of the given settings with all flags of `with` and none of `without`;
   the caller frees them. */
static char *sorted_lines(const spn_job *job, unsigned with, unsigned without)
{
    spn_memory_stream memory;
    spn_field *order = spn_alloc(job->count, sizeof *order);
    FILE *stream = order ? spn_memory_stream_open(&memory) : NULL;
    if (!stream) {
        free(order);
        return NULL;
    }
    if (job->count)
        memcpy(order, job->given, job->count * sizeof *order);
    qsort(order, job->count, sizeof *order, by_name);
    for (size_t k = 0; k < job->count; k++) {
        const spn_setting *s = spn_setting_find(job->task->settings, order[k].name);
        if ((s->flags & with) == with && !(s->flags & without))
            fprintf(stream, "%s=%s\n", order[k].name, order[k].text);
    }
    free(order);
    return spn_memory_stream_finish(&memory);
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return XXH3_64bits_withSeed(text, strlen(text), hash);
}

spn_status spn_job_identify(spn_job *job, uint64_t seed, size_t run, spn_error *err)
{
    enum { SEED_BITS = 63 };
    char text[96];
    char *settings = sorted_lines(job, 0, SPN_SETTING_EFFORT | SPN_SETTING_MEASURE);
    char *measured = sorted_lines(job, SPN_SETTING_MEASURE, 0);
    spn_status status = SPN_OK;
    if (settings && measured) {
        snprintf(text, sizeof text, "seed=%" PRIu64 "\nrun=%zu\n", seed, run);
        const uint64_t start = add_text(0, text), point = add_text(start, settings);
        set_seed(job, point >> (64 - SEED_BITS));
        job->instance_seed = start >> (64 - SEED_BITS);
        job->key = add_text(add_text(point, job->task->name), measured);
        job->run = run;
    } else {
        status = spn_no_memory(err, "run %zu", run);
    }
    SPN_FREE_ALL(settings, measured);
    return status;
}

/* All settings that determine the result, given or not, if they have a text. */
static spn_status put_identity(FILE *out, const spn_job *job, const void *plan)
{
    spn_record resolved = {0};
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    spn_status status = spn_job_resolve(&resolved, job, plan, NULL);
    while (!status && spn_setting_walk_named(&walk)) {
        const char *name = walk.setting->name, *text = spn_job_given(job, name);
        const unsigned others =
            SPN_SETTING_EFFORT | SPN_SETTING_MEASURE | SPN_SETTING_SEED | SPN_SETTING_EXTENDS;
        text = text ? text : spn_record_setting(&resolved, name);
        if (text && !(walk.setting->flags & others))
            fprintf(out, "%s \"%s\"\n", name, text);
    }
    spn_record_clear(&resolved);
    return status;
}

char *spn_job_identity(const spn_job *job, const void *plan, const char *more)
{
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    if (!stream)
        return NULL;
    fprintf(stream, "version \"%s\"\ninstructions \"%s\"\ntask \"%s\"\nseed %" PRIu64 "\n",
            SPN_VERSION, spn_instruction_set(), job->task->name, job->seed);
    if (job->instance_seed != job->seed)
        fprintf(stream, "instance_seed %" PRIu64 "\n", job->instance_seed);
    const spn_status status = put_identity(stream, job, plan);
    fputs(more ? more : "", stream);
    char *text = spn_memory_stream_finish(&memory);
    if (!status)
        return text;
    free(text);
    return NULL;
}

/* ---- planning ---- */

/* Read the settings that were not given, from the preset or the defaults. */
static spn_status read_others(void *plan, const spn_job *job, spn_error *err)
{
    const spn_text *preset = preset_texts(job);
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    while (spn_setting_walk_named(&walk)) {
        void *value = (char *)plan + walk.at;
        const char *text =
            find_given(job, walk.setting->name) ? NULL : text_of(job, walk.setting, preset);
        if (walk.setting->flags & SPN_SETTING_SEED)
            memcpy(value, &job->seed, sizeof job->seed);
        else if (text)
            SPN_TRY(spn_setting_read(value, walk.setting, text, err));
    }
    return SPN_OK;
}

spn_status spn_job_plan(void **out, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    const spn_task *task = job->task;
    void *plan = spn_alloc(1, task->plan_size);
    *out = NULL;
    SPN_NEED(plan, err, "a plan");
    if (job->values)
        memcpy(plan, job->values, task->plan_size);
    spn_status status = read_others(plan, job, err);
    if (!status)
        status = task->plan(plan, job, inputs, err);
    if (status)
        spn_job_plan_free(task, plan);
    else
        *out = plan;
    return status;
}

void spn_job_plan_free(const spn_task *task, void *plan)
{
    if (plan && task->clear)
        task->clear(plan);
    free(plan);
}

spn_status spn_job_resolve(spn_record *out, const spn_job *job, const void *plan, spn_error *err)
{
    const spn_text *preset = preset_texts(job);
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    while (spn_setting_walk_named(&walk)) {
        const char *name = walk.setting->name;
        const char *text = spn_job_given(job, name) ? NULL : text_of(job, walk.setting, preset);
        if (text && !(walk.setting->flags & SPN_SETTING_SEED))
            SPN_TRY(spn_record_add_setting(out, name, text, err));
    }
    return plan && job->task->resolve ? job->task->resolve(out, plan, job, err) : SPN_OK;
}

/* ---- running ---- */

static spn_status start_record(spn_record *out, const spn_job *job, spn_error *err)
{
    *out = (spn_record){.key = job->key, .seed = job->seed, .run = job->run};
    for (size_t k = 0; k < job->count; k++)
        SPN_TRY(spn_record_add_setting(out, job->given[k].name, job->given[k].text, err));
    out->version = strdup(spn_version());
    out->instructions = strdup(spn_instruction_set());
    return out->version && out->instructions ? SPN_OK : spn_no_memory(err, "a record");
}

/* For work that does not know about runs. */
static bool pause_run(void *context)
{
    const spn_run *run = context;
    if (run->pause)
        run->pause(run->context);
    return spn_stop_asked(run->stop);
}

spn_status spn_job_run_plan(spn_record *out, spn_outcome *outcome, const spn_job *job,
                            const void *plan, const spn_run *run, spn_error *err)
{
    *outcome = (spn_outcome){0};
    SPN_TRY(start_record(out, job, err));
    spn_run own = *run;
    const spn_pause before = spn_pause_set((spn_pause){pause_run, &own});
    const spn_status status = job->task->run(out, outcome, plan, job, run, err);
    spn_pause_set(before);
    return status;
}

spn_status spn_job_run(spn_record *out, spn_outcome *outcome, const spn_job *job,
                       const spn_run *run, spn_error *err)
{
    void *plan;
    *out = (spn_record){0};
    *outcome = (spn_outcome){0};
    spn_status status = spn_job_plan(&plan, job, run->inputs, err);
    if (!status)
        status = spn_job_run_plan(out, outcome, job, plan, run, err);
    spn_job_plan_free(job->task, plan);
    return status;
}

spn_status spn_job_finish(const spn_run *run, spn_error *err)
{
    if (!run->checkpoint || unlink(run->checkpoint) == 0 || errno == ENOENT)
        return SPN_OK;
    return spn_file_fail(run->checkpoint, "cannot be removed", err);
}
