/* The runner: does one job of a sweep, from its settings to its line in the manifest. */
#ifndef SPN_SWEEP_RUNNER_H
#define SPN_SWEEP_RUNNER_H

#include "job/inputs.h"
#include "sweep/plans.h"
#include "sweep/pool.h"

typedef struct spn_runner spn_runner;

/* For the jobs of a sweep, each of which is saved so often; their records go to a part of the
   manifest (spn_records_open). All but the runner is borrowed. Errors: IO, ARGUMENT (another
   process writes there), MEMORY. */
spn_status spn_runner_create(spn_runner **out, const spn_sweep *sweep, const char *folder,
                             spn_plans *plans, const char *part, double save_seconds,
                             spn_error *err);
void spn_runner_free(spn_runner *runner);

/* A spn_pool_work whose context is a runner, for any number of threads: run the job, or go on from
   its checkpoint, append its record, remove the checkpoint. Errors say which job it was. */
spn_status spn_runner_work(void *runner, bool *complete, const spn_pool_job *job, spn_error *err);

/* What jobs without a folder need of it, too: a spn_run.progress whose context is
   spn_pool_job.done; what may differ when a job is done again, put into its record; the words
   "gamma=0.8 replicas=3, run 2: " put before an error of job number `index`. */
void spn_runner_progress(void *done, const spn_run_progress *progress);
spn_status spn_runner_stamp(spn_record *record, double seconds, spn_error *err);
void spn_runner_blame(const spn_sweep *sweep, size_t index, spn_error *err);

#endif
