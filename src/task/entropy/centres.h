/* The task `entropy`: the states that it counts around, and the record of what it counted. */
#ifndef SPN_TASK_ENTROPY_CENTRES_H
#define SPN_TASK_ENTROPY_CENTRES_H

#include "task/chain_job.h"
#include "job/energy_settings.h"

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

/* ---- the record ---- */

typedef struct spn_entropy_found {
    const spn_entropy_centres *centres;
    const size_t *flips;
    size_t distances, sites;
    bool all;
    double up_to;
    const spn_local_entropy *found; /* of each centre, of each distance; behind them of all */
    uint64_t proposals;
} spn_entropy_found;

/* Add all results, and with details a note on each that is missing or weak. Errors: MEMORY. */
spn_status spn_entropy_record(spn_record *out, const spn_entropy_found *found, bool details,
                              spn_error *err);

#endif
