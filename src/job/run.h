/* What tasks run with: options, progress, samplers, and the results of a finished run. */
#ifndef SPN_JOB_RUN_H
#define SPN_JOB_RUN_H

#include <spinney/lab/job.h>
#include <spinney/lab/task.h>
#include <spinney/sampler.h>

/* Options besides the settings: the files that a run writes, and how often. */
typedef struct spn_run_options {
    const char *out, *checkpoint, *trace;
    bool keep_checkpoint;
    uint64_t every, trace_every;
} spn_run_options;

/* For tasks that run a chain; stored in spn_run_options. */
extern const spn_setting spn_checkpoint_settings[];
extern const spn_setting spn_trace_settings[];

/* Options of a task: `out` if it has a product, the others if it runs a chain. The rows refer to
   static groups and the task's texts. */
enum { SPN_RUN_OPTION_ROWS = 4 };
void spn_run_option_table(spn_setting out[SPN_RUN_OPTION_ROWS], const spn_task *task);

/* Check the options with each other and with the settings. If a file needs a single read and
   `reads` is not given, sets it to 1. Errors: ARGUMENT, MEMORY. */
spn_status spn_run_options_check(const spn_run_options *options, spn_job *job, spn_error *err);

/* Progress over all parts of a run. */
typedef struct spn_meter {
    const spn_run *run;
    double total, past; /* in the unit of the task: all parts; parts done */
} spn_meter;

static inline spn_meter spn_meter_start(const spn_run *run, double total)
{
    return (spn_meter){.run = run, .total = total};
}

/* Report that a share, 0 to 1, of the current part is done. */
static inline void spn_meter_put(const spn_meter *meter, double work, double share,
                                 spn_progress progress)
{
    progress.share = meter->total > 0 ? (meter->past + work * share) / meter->total : 0;
    if (meter->run->progress)
        meter->run->progress(meter->run->context, &progress);
}

static inline void spn_meter_show(const spn_meter *meter, double work, double share)
{
    spn_meter_put(meter, work, share, (spn_progress){0});
}

/* The current part is done. */
static inline void spn_meter_pass(spn_meter *meter, double work)
{
    spn_meter_show(meter, work, 1);
    meter->past += work;
}

/* Everything is borrowed. */
typedef struct spn_sampler_job {
    const spn_job *job;
    const void *plan;    /* of the task */
    const spn_run *run;  /* files, stop, progress */
    const char *content; /* lines that a checkpoint must match, besides the settings */
    const spn_meter *meter;
    double work;    /* of the sampler, in the meter's unit */
    double seconds; /* time limit; 0: none */
    bool in_all;    /* the limit includes the time before the checkpoint */
} spn_sampler_job;

typedef struct spn_ran {
    spn_sampler *sampler; /* to be freed */
    spn_stop stop;
} spn_ran;

/* Run ran->sampler from its start, or from the checkpoint if there is one, to its end or a stop.
   Leave a checkpoint that leads to the same end, and the trace so far, complete however often the
   run was killed. Without save_seconds the first checkpoint is written at once, so that an
   unwritable file is found before the run. outcome->complete is false only if the stop ended the
   run. Errors: those of samplers, checkpoints and files. */
spn_status spn_sampler_job_run(spn_ran *ran, spn_outcome *outcome, const spn_sampler_job *how,
                               spn_error *err);

/* Add every result that this run has to a record. run: the struct that the getters read. plan:
   that of the job; NULL: ignore conditions. details: include rows marked as detail. Errors:
   MEMORY. */
spn_status spn_results_add(spn_record *out, const spn_quantity *table, const void *run,
                           const void *plan, bool details, spn_error *err);

/* What a run of this plan lacks for a result, in words; NULL: nothing, or no such result. */
const char *spn_result_needs(const spn_task *task, const void *plan, const char *name);

#endif
