/* The settings of a ladder of chains, and what they make: the tasks that temper share them. */
#ifndef SPN_TASK_LADDER_SETTINGS_H
#define SPN_TASK_LADDER_SETTINGS_H

#include "task/chain_settings.h"

#include <spinney/ladder.h>

typedef struct spn_ladder_settings {
    spn_chain_settings
        chain; /* of which it has replicas, coupling, kernel, order, seed and target */
    const char *beta, *gamma, *rungs, *fractions;
    uint64_t scans, rounds, clusters, keep, threads;
    double scan_sweeps, seconds;
    int method;
} spn_ladder_settings;

extern const spn_setting spn_ladder_rows[];

/* What the settings make; to be cleared. */
typedef struct spn_ladder_plan {
    spn_chain_options chain; /* of each walker */
    /* With chain and fractions borrowed from here; its beta_last only stands for what the energy
       decides where cold is not 0. */
    spn_ladder_options options;
    double cold;    /* the share of uphill changes of descended states that is accepted at the cold
                       end; 0: the end is given */
    double seconds; /* the time limit; 0: none */
    double *fractions;
    size_t sites; /* of the energy */
} spn_ladder_plan;

/* The options of the ladder of a job, whose texts were read into settings. To be cleared, also
   after an error; it must not be moved. sites: of the energy. Errors: ARGUMENT, MEMORY. */
spn_status spn_ladder_plan_make(spn_ladder_plan *out, const spn_ladder_settings *settings,
                                const spn_job *job, size_t sites, spn_error *err);
void spn_ladder_plan_clear(spn_ladder_plan *plan);

/* What the settings that are not given come to, into the settings of a record. */
spn_status spn_ladder_plan_resolve(spn_record *out, const spn_ladder_plan *plan, const spn_job *job,
                                   spn_error *err);

/* The proposals of all walkers in this many steps of each (0: in all rounds); an estimate where the
   rounds choose the rungs. */
double spn_ladder_plan_proposals(const spn_ladder_plan *plan, uint64_t steps);

#endif
