#ifndef SPN_TASK_ENTROPY_ENTROPY_H
#define SPN_TASK_ENTROPY_ENTROPY_H

#include "job/energy_settings.h"
#include "task/chain.h"

#include <spinney/local_entropy.h>

enum {
    SPN_AROUND_BEST,     /* lowest energy */
    SPN_AROUND_REPLICAS, /* each state */
    SPN_AROUND_CENTRE,   /* majority at each spin */
    SPN_AROUND_TEACHER   /* of planted random patterns */
};

typedef struct spn_entropy_plan {
    spn_energy_settings energy;
    spn_chain_settings chain;
    const char *state, *distance;
    int around;
    bool all;
    double up_to, cold, scan_sweeps;
    uint64_t rungs, scans, rounds;
    /* Made from these: */
    spn_instance instance;
    spn_chain_plan options;
    const spn_problem *states; /* from the file; NULL: none */
    bool annealed;             /* the centres come from a run */
    size_t count;              /* number of distances */
    size_t *flips;
} spn_entropy_plan;

/* The run and its results. */
typedef struct spn_entropy_run {
    const spn_entropy_plan *plan;
    const spn_job *job;
    const spn_run *run;
    spn_instance instance;
    spn_meter meter;
    double chain_work, ladder_work; /* of one ladder, with its search */
    /* Spins of the centres, one after the other, and their energies. */
    size_t centres;
    int8_t *spins;
    double *energy;
    double cold;
    spn_local_entropy *counted; /* for each centre and distance, then for all states */
    uint64_t done;              /* proposals */
    double seconds;
    bool stopped;
    /* Results: */
    double proposals, all, all_error, all_low, all_high, all_met, best_energy;
    const char *health;
    spn_curve_rows local, each;
} spn_entropy_run;

extern const spn_quantity spn_entropy_results[];

/* Compute the results. Errors: MEMORY. */
spn_status spn_entropy_sum_up(spn_entropy_run *r, spn_error *err);

/* Note each number that is missing or weak. Errors: MEMORY. */
spn_status spn_entropy_note(spn_record *out, const spn_entropy_run *r, spn_error *err);

#endif
