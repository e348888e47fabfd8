/* A sampler run for a job: the checkpoint that it goes on from and leaves, its trace, its progress,
   and what became of it. It works for every sampler. */
#ifndef SPN_JOB_RUN_SAMPLER_H
#define SPN_JOB_RUN_SAMPLER_H

#include "job/progress.h"
#include <spinney/sampler.h>

/* How; everything is borrowed. */
typedef struct spn_sampler_job {
    const spn_job *job;
    const void *plan;    /* of the task */
    const spn_run *run;  /* files, stop, progress */
    const char *content; /* lines that a checkpoint must agree with, besides the settings */
    const spn_meter *meter;
    double work;    /* of the sampler, in the meter's unit */
    double seconds; /* the time limit; 0: none */
    bool in_all;    /* it is for the run with all that was before its checkpoint */
} spn_sampler_job;

/* A sampler that was run, and why it stopped. */
typedef struct spn_ran {
    spn_sampler *sampler; /* to be freed */
    spn_stop stop;
} spn_ran;

/* Run ran->sampler, which is at its start: from the checkpoint if there is one, to its end or to a
   stop; leave a checkpoint from which it would come to the same end, and the trace so far, whole
   however often the run was killed. Without save_seconds the first checkpoint is written at once,
   so that a file that cannot be written is found before the run. outcome: filled; complete is false
   only if the stop ended the run. Errors: those of samplers, of checkpoints and of files. */
spn_status spn_sampler_job_run(spn_ran *ran, spn_outcome *outcome, const spn_sampler_job *how,
                               spn_error *err);

#endif
