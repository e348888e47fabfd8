#ifndef SPN_TASK_CHAIN_JOB_H
#define SPN_TASK_CHAIN_JOB_H

#include "job/run_sampler.h"
#include "task/chain_results.h"
#include "task/chain_settings.h"

#include <spinney/beta_range.h>

/* Copy the options of a plan, and measure the range of beta if the energy decides it. The number
   of energy changes computed is a thirty-second of the proposals, at most 32 per spin. If the
   schedule is stretched, the time decides it, and the number of parts records the choice, so that
   given parts repeat it. Errors: ENERGY, MEMORY. */
spn_status spn_chain_settle(spn_chain_options *out, spn_beta_range *range,
                            const spn_chain_plan *plan, uint64_t seed, const spn_energy *energy,
                            spn_error *err);
/* Free what spn_chain_settle made, also after an error; options of zeros are fine. */
void spn_chain_unsettle(spn_chain_options *options, const spn_chain_plan *plan);

/* Energy changes to compute for the range of beta, for a run of this many proposals. */
uint64_t spn_beta_changes(double proposals);

/* Create and run the chain. Free the sampler of out, also after an error. Errors: those of
   spn_chain_create and spn_sampler_job_run. */
spn_status spn_chain_job_run(spn_ran *out, spn_outcome *outcome, const spn_sampler_job *how,
                             const spn_chain_plan *plan, const spn_chain_options *settled,
                             const spn_energy *energy, spn_error *err);

/* What results about a target need of a plan, for SPN_NEEDS. */
#define SPN_TARGET_NEEDED "a target, such as `target 0`"

/* If a time limit decided the steps, add them to the settings, so that the run can be repeated.
   Errors: MEMORY. */
spn_status spn_chain_job_record_steps(spn_record *out, const spn_ran *chain, spn_error *err);

/* The same for given parts. Does nothing if the record has steps already. Errors: MEMORY. */
spn_status spn_chain_job_steps(spn_record *out, const uint64_t *parts, size_t count,
                               spn_error *err);

/* Note the schedules and why they were chosen, poor health, and how to repeat a run whose steps a
   time limit decided. Errors: MEMORY. */
spn_status spn_chain_job_note(spn_record *out, const spn_chain_plan *plan,
                              const spn_chain_options *options, const spn_beta_range *range,
                              spn_error *err);

#endif
