/* The settings of a chain that say how beta and gamma go, and over how many steps. */
#ifndef SPN_TASK_CHAIN_SCHEDULES_H
#define SPN_TASK_CHAIN_SCHEDULES_H

#include "task/chain_settings.h"

/* beta and gamma of the plan, and what the energy decides. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_read_schedules(spn_chain_plan *out, const spn_job *job, spn_error *err);

/* Steps, parts and stretch of the plan, whose schedules, order and replicas are known, for an
   energy with this many sites. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_read_steps(spn_chain_plan *out, const spn_chain_settings *settings,
                                const spn_job *job, size_t sites, spn_error *err);

/* What settings of the two kinds that are not given come to, into the settings of a record. */
spn_status spn_chain_resolve_beta(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err);
spn_status spn_chain_resolve_steps(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                   spn_error *err);

#endif
