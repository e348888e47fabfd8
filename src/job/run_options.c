#include "base/try.h"
#include "job/run.h"

#include <string.h>

const spn_setting spn_checkpoint_settings[] = {
    {"checkpoint", SPN_SETTING_FILE, .argument = "FILE",
     .at = offsetof(spn_run_options, checkpoint),
     .help = "save the state here during the run; if FILE exists, the run continues from it"},
    {"every", SPN_SETTING_WHOLE, .argument = "STEPS", .otherwise = "a twentieth of the run",
     .least = 1, .most = 0x1p63, .at = offsetof(spn_run_options, every),
     .help = "steps between checkpoints; `temper` writes them after a scan. A run that you stop is "
             "saved at the step where it stops"},
    {"keep-checkpoint", SPN_SETTING_FLAG, .at = offsetof(spn_run_options, keep_checkpoint),
     .help =
         "keep the checkpoint of a finished run, too. With more `scans`, `temper` goes on from it"},
    {.name = NULL}};

const spn_setting spn_trace_settings[] = {
    {"trace", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(spn_run_options, trace),
     .help = "write a CSV of beta, gamma, acceptance, overlap and energies during the run; - is "
             "the standard output"},
    {"trace-every", SPN_SETTING_WHOLE, .argument = "STEPS",
     .otherwise = "a power of two that gives 500 to 1000 rows", .least = 1, .most = 0x1p63,
     .at = offsetof(spn_run_options, trace_every), .help = "steps between rows of the trace"},
    {.name = NULL}};

void spn_run_option_table(spn_setting out[SPN_RUN_OPTION_ROWS], const spn_task *task)
{
    size_t count = 0;
    if (task->product)
        out[count++] = (spn_setting){.name = "out",
                                     .kind = SPN_SETTING_FILE,
                                     .argument = "FILE",
                                     .at = offsetof(spn_run_options, out),
                                     .help = task->product};
    if (task->chain) {
        out[count++] = (spn_setting){.group = spn_checkpoint_settings};
        out[count++] = (spn_setting){.group = spn_trace_settings};
    }
    out[count] = (spn_setting){.name = NULL};
}

static spn_status check_rhythms(const spn_run_options *o, spn_error *err)
{
    if (o->every && !o->checkpoint)
        return spn_setting_fail("every", err, "needs `checkpoint`");
    if (o->keep_checkpoint && !o->checkpoint)
        return spn_setting_fail("keep-checkpoint", err, "needs `checkpoint`");
    if (o->trace_every && !o->trace)
        return spn_setting_fail("trace-every", err, "needs `trace`");
    if (o->checkpoint && strcmp(o->checkpoint, "-") == 0)
        return spn_setting_fail("checkpoint", err,
                                "is read when the run continues; give a file name");
    return SPN_OK;
}

static bool is_same(const char *one, const char *other)
{
    return one && other && strcmp(one, other) == 0;
}

static spn_status check_distinct(const spn_run_options *o, spn_error *err)
{
    const char *one = o->out && !is_same(o->checkpoint, o->trace) ? "out" : "checkpoint";
    const char *twice = is_same(o->out, o->checkpoint) ? "checkpoint"
                        : is_same(o->out, o->trace) || is_same(o->checkpoint, o->trace) ? "trace"
                                                                                        : NULL;
    return twice ? spn_setting_fail(twice, err, "names the same file as `%s`; give two files", one)
                 : SPN_OK;
}

/* Refuse to overwrite the problem or the data. Initial states may be replaced. */
static spn_status check_inputs(const spn_run_options *o, const spn_job *job, spn_error *err)
{
    for (size_t k = 0; o->out && k < job->count; k++) {
        const char *name = job->given[k].name;
        const spn_setting *setting = spn_setting_find(job->task->settings, name);
        if (setting->kind == SPN_SETTING_FILE && strcmp(name, "init") != 0 &&
            strcmp(job->given[k].text, o->out) == 0)
            return spn_setting_fail("out", err, "would replace %s, the file of `%s`", o->out, name);
    }
    return SPN_OK;
}

spn_status spn_run_options_check(const spn_run_options *options, spn_job *job, spn_error *err)
{
    SPN_TRY(check_rhythms(options, err));
    SPN_TRY(check_distinct(options, err));
    SPN_TRY(check_inputs(options, job, err));
    /* a trace is of a single read unless reads are asked for, or a problem has several */
    if (!options->trace || !spn_setting_find(job->task->settings, "reads") ||
        spn_job_given(job, "reads") || spn_job_given(job, "problem"))
        return SPN_OK;
    return spn_job_set(job, "reads", "1", err);
}
