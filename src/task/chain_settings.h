/* The settings of every chain: one group of rows for all tasks that anneal. */
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

extern const spn_setting spn_chain_rows[];

/* Of these the rows that other tasks with chains have too: replicas; kernel and order; seed;
   target. */
extern const spn_setting spn_replicas_rows[], spn_coupling_rows[], spn_kernel_rows[],
    spn_seed_rows[], spn_target_rows[];

/* Which ends of beta's range the energy decides, and by what acceptances. */
typedef struct spn_beta_choice {
    bool start, end;
    double hot, cold;
    const char *kind; /* of the schedule; NULL: by its ends */
} spn_beta_choice;

/* What the settings make; to be cleared. */
typedef struct spn_chain_plan {
    /* But its stop and observer; where the energy decides on beta, and until spn_chain_ready_make,
       with ends of beta that only stand for them. */
    spn_chain_options options;
    spn_schedule *beta, *gamma; /* those of the options */
    spn_beta_choice choice;
    uint64_t *parts;      /* those of the options; NULL: none */
    double seconds;       /* the time limit of a run that is not stretched; 0: none */
    uint64_t usual_steps; /* those of the options or, where the time decides, of a run without it */
    int8_t *states;       /* where the replicas start by the file of `init`; NULL: none */
    const int8_t *starts; /* all states of that file, which belong to the inputs, */
    size_t start_count;   /* and how many they are */
} spn_chain_plan;

/* The options of the chain of a job, whose texts were read into settings. To be cleared, also after
   an error. sites: of the energy, and owner what error texts call what has them. Errors: ARGUMENT,
   INPUT, IO, MEMORY. */
spn_status spn_chain_plan_make(spn_chain_plan *out, const spn_chain_settings *settings,
                               const spn_job *job, spn_inputs *inputs, size_t sites,
                               const char *owner, spn_error *err);

/* The same where only some sites are proposed, as many as a sweep has proposals of each replica. */
typedef struct spn_chain_sites {
    size_t count, proposed;
    const char *owner;
} spn_chain_sites;

spn_status spn_chain_plan_make_of(spn_chain_plan *out, const spn_chain_settings *settings,
                                  const spn_job *job, spn_inputs *inputs,
                                  const spn_chain_sites *sites, spn_error *err);

/* Let beta go from start to end in the way of its schedule, whose range it had and did not know.
   blame: the setting that says so. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_plan_set_beta(spn_chain_plan *plan, double start, double end,
                                   const char *blame, spn_error *err);

/* The coupling of the settings alone. Errors: ARGUMENT. */
spn_status spn_chain_read_coupling(spn_chain_options *out, const spn_chain_settings *settings,
                                   const spn_job *job, spn_error *err);
void spn_chain_plan_clear(spn_chain_plan *plan);

/* What the settings that are not given come to, into the settings of a record. */
spn_status spn_chain_plan_resolve(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err);

/* The proposals of all replicas in this many steps. */
double spn_chain_plan_proposals(const spn_chain_plan *plan, uint64_t steps);

/* The share of the proposals whose energy is computed, as far as the coupling decides that. */
double spn_chain_plan_passes(const spn_chain_plan *plan);

#endif
