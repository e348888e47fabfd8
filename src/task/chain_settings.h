/* Settings of the chain, shared by all tasks that anneal. */
#ifndef SPN_TASK_CHAIN_SETTINGS_H
#define SPN_TASK_CHAIN_SETTINGS_H

#include "job/inputs.h"

#include <spinney/chain.h>

typedef struct spn_chain_settings {
    uint64_t replicas, sweeps, seed, threads, patience, centre_every;
    double beta_start, beta_end, target, seconds;
    const char *gamma, *gamma_schedule, *beta, *schedule, *steps, *init;
    int kernel, order, target_by, coupling, moves;
    bool stop_frozen;
} spn_chain_settings;

/* All settings; those of tasks that run many chains in one sampler. */
extern const spn_setting spn_chain_rows[], spn_ensemble_rows[];

typedef struct spn_chain_plan {
    /* Without stop and observer. If the energy decides beta, its ends are placeholders until
       spn_chain_settle. */
    spn_chain_options options;
    spn_schedule *beta, *gamma; /* owned */
    struct { /* which ends of beta the energy decides, and by what acceptance rates */
        bool start, end;
        double hot, cold;
        const char *kind; /* kind of the schedule; NULL: chosen from the ends */
    } choice;
    uint64_t *parts;      /* owned; NULL: none */
    double seconds;       /* time limit if the schedule is not stretched; 0: none */
    uint64_t usual_steps; /* steps; if the time decides, those of a run without a time limit */
    int8_t *states;       /* initial states of the replicas, from the file of `init`; NULL: none */
    const int8_t *starts; /* all states of that file; owned by the inputs */
    size_t start_count;
} spn_chain_plan;

/* Plan the chain of a job. sites: number of spins; owner: what has them, for error texts;
   proposed: proposals of each replica in a sweep. Clear out, also after an error. Errors:
   ARGUMENT, INPUT, IO, MEMORY. */
spn_status spn_chain_plan_make(spn_chain_plan *out, const spn_chain_settings *settings,
                               const spn_job *job, spn_inputs *inputs, size_t sites,
                               size_t proposed, const char *owner, spn_error *err);

/* Set the range of beta, once known. blame: the setting to name in errors. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_chain_plan_set_beta(spn_chain_plan *plan, double start, double end,
                                   const char *blame, spn_error *err);

/* Read only the coupling. Errors: ARGUMENT. */
spn_status spn_chain_read_coupling(spn_chain_options *out, const spn_chain_settings *settings,
                                   const spn_job *job, spn_error *err);
void spn_chain_plan_clear(spn_chain_plan *plan);

/* Add the values of settings that were not given to a record. */
spn_status spn_chain_plan_resolve(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err);

/* Read beta and gamma. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_read_schedules(spn_chain_plan *out, const spn_job *job, spn_error *err);

/* Make a schedule of the plan's kind. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_make_beta(spn_schedule **out, double start, double end,
                               const spn_chain_plan *plan, spn_error *err);

/* Read steps, parts and stretch. Needs the schedules, order and replicas. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_chain_read_steps(spn_chain_plan *out, const spn_chain_settings *settings,
                                const spn_job *job, size_t proposed, spn_error *err);

/* Add the values of these settings to a record, if they were not given. */
spn_status spn_chain_resolve_beta(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err);
spn_status spn_chain_resolve_steps(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                   spn_error *err);

/* Proposals of all replicas in this many steps. */
double spn_chain_plan_proposals(const spn_chain_plan *plan, uint64_t steps);

/* Estimated share of the proposals that pass the coupling, so that the energy is computed. */
double spn_chain_plan_passes(const spn_chain_plan *plan);

#endif
