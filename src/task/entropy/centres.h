/* The task `entropy` from inside: the states that it counts around, its plan and its results. */
#ifndef SPN_TASK_ENTROPY_CENTRES_H
#define SPN_TASK_ENTROPY_CENTRES_H

#include "job/energy_settings.h"
#include "task/chain_job.h"

#include <spinney/local_entropy.h>

typedef enum spn_entropy_around {
    SPN_AROUND_BEST,     /* the state of least energy */
    SPN_AROUND_REPLICAS, /* each state */
    SPN_AROUND_CENTRE,   /* the majority of them */
    SPN_AROUND_TEACHER   /* of random patterns */
} spn_entropy_around;

/* Its word; NULL past the last. */
const char *spn_entropy_around_word(size_t i);

/* ---- the centres ---- */

/* Where they come from; all is borrowed. */
typedef struct spn_entropy_source {
    spn_entropy_around around;
    const spn_problem *states; /* of a file; NULL: */
    const spn_instance *instance;
    const spn_chain_plan *chain; /* a run finds them; NULL: the teacher */
    const spn_job *job;
    const void *plan;
    const spn_run *run;
    const spn_meter *meter;
    double work; /* of the chain */
} spn_entropy_source;

typedef struct spn_entropy_centres {
    size_t count, sites;
    int8_t *spins;  /* one after the other */
    double *energy; /* of each */
    uint64_t proposals;
    bool complete; /* the run that finds them was not stopped */
} spn_entropy_centres;

/* To be cleared, also after an error. Errors: those of the chain; MEMORY. */
spn_status spn_entropy_centres_find(spn_entropy_centres *out, spn_outcome *outcome,
                                    const spn_entropy_source *source, spn_error *err);
void spn_entropy_centres_clear(spn_entropy_centres *centres);

/* ---- the results ---- */

typedef struct spn_entropy_plan {
    spn_energy_settings energy;
    spn_chain_settings chain;
    const char *state, *distance;
    int around;
    bool all;
    double up_to, cold, scan_sweeps;
    uint64_t rungs, scans, rounds;
    /* What they make. */
    spn_instance instance;
    spn_chain_plan options;
    const spn_problem *states; /* of the file; NULL: none */
    bool annealed;             /* the centres are those of a run */
    size_t count;              /* of distances, owned */
    size_t *flips;
} spn_entropy_plan;

/* What a run has counted, as its results read it. */
typedef struct spn_entropy_found {
    /* Borrowed: */
    const spn_entropy_plan *plan;
    const spn_entropy_centres *centres;
    size_t sites;
    const spn_local_entropy *found; /* of each centre, of each distance; then of all */
    double proposals;
    /* What follows from these: */
    double all, all_error, all_low, all_high, all_met, best_energy;
    const char *health;
    spn_curve_rows local, each;
} spn_entropy_found;

extern const spn_quantity spn_entropy_results[];

/* Sum it up. out: to be cleared, also after an error. Errors: MEMORY. */
spn_status spn_entropy_found_take(spn_entropy_found *out, spn_error *err);
void spn_entropy_found_clear(spn_entropy_found *found);

/* A note on each number that is missing or weak. Errors: MEMORY. */
spn_status spn_entropy_note(spn_record *out, const spn_entropy_found *found, spn_error *err);

#endif
