/* The chain of a job: run with the files, the progress and the stop that the job was given. */
#ifndef SPN_TASK_CHAIN_JOB_H
#define SPN_TASK_CHAIN_JOB_H

#include "job/run_sampler.h"
#include "task/chain_ready.h"
#include "task/chain_results.h"

/* Make the chain, run it and fill the outcome. out: free its sampler, also after an
   error. Errors: those of spn_chain_create and spn_sampler_job_run. */
spn_status spn_chain_job_run(spn_ran *out, spn_outcome *outcome, const spn_sampler_job *how,
                             const spn_chain_ready *chain, const spn_energy *energy,
                             spn_error *err);

/* What the results of a target need if there is none; NULL: there is one. */
const char *spn_chain_target_needs(const spn_chain_plan *chain);

/* If a time decided the steps, add them to the settings, so that the run can be repeated. Errors:
   MEMORY. */
spn_status spn_chain_job_record_steps(spn_record *out, const spn_ran *chain, spn_error *err);

/* The steps of parts that a time made, into the settings of a record that has none: with them in
   place of the time the run can be repeated. Errors: MEMORY. */
spn_status spn_chain_job_steps(spn_record *out, const uint64_t *parts, size_t count,
                               spn_error *err);

/* Notes on how beta and gamma go, on the health where it is not good, and on how to repeat a run
 * whose steps a time decided. */
spn_status spn_chain_job_note(spn_record *out, const spn_chain_ready *chain, spn_error *err);

#endif
