/* Run any sampler for a job, with checkpoint, trace, progress and outcome. */
#ifndef SPN_JOB_RUN_SAMPLER_H
#define SPN_JOB_RUN_SAMPLER_H

#include "job/progress.h"
#include <spinney/sampler.h>

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

#endif
