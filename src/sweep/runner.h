/* Does one job of a sweep, from its settings to its line in the manifest. */
#ifndef SPN_SWEEP_RUNNER_H
#define SPN_SWEEP_RUNNER_H

#include "job/inputs.h"
#include "sweep/jobs.h"
#include "sweep/pool.h"

typedef struct spn_runner spn_runner;

/* save_seconds: between checkpoints of a job. part: of the manifest, for the records
   (spn_records_open). Everything is borrowed. Errors: IO, ARGUMENT (another process writes there),
   MEMORY. */
spn_status spn_runner_create(spn_runner **out, const spn_sweep *sweep, const char *folder,
                             spn_plans *plans, const char *part, double save_seconds,
                             spn_error *err);
void spn_runner_free(spn_runner *runner);

/* A spn_pool_work whose context is a runner, for any number of threads. Run or resume the job,
   append its record, remove the checkpoint. Errors name the job. */
spn_status spn_runner_work(void *runner, bool *complete, const spn_pool_job *job, spn_error *err);

#endif
