/* Handing out the jobs of a sweep, one by one: rank 0 has the list and leads; its own workers and
   those of the other ranks, which follow, take the next job whenever they are free. */
#ifndef SPN_SWEEP_HANDOUT_H
#define SPN_SWEEP_HANDOUT_H

#include "sweep/agenda.h"
#include "sweep/pool.h"
#include "sweep/ranks.h"

typedef struct spn_handout {
    spn_pool *pool;   /* the workers of this rank */
    spn_ranks *ranks; /* NULL: there are no others */
    const volatile sig_atomic_t *stop;
    /* of rank 0 */
    const spn_agenda *agenda;
    bool resumed; /* runs go on from checkpoints */
    spn_sweep_observer *observer;
    void *observer_context;
    /* of the others */
    const spn_sweep *sweep;
} spn_handout;

typedef struct spn_handout_result {
    size_t finished;   /* jobs, of all ranks */
    bool stopped;      /* by *stop, in one of them */
    spn_status status; /* of a job that failed in another rank; those of this one are the pool's */
    spn_error error;
} spn_handout_result;

/* Hand out all jobs of the agenda, until they are done, one fails, or *stop. The pool is idle
   afterwards, and no other rank sends anything. Errors: MEMORY. */
spn_status spn_handout_lead(spn_handout_result *out, const spn_handout *handout, spn_error *err);

/* Take jobs until there are no more. The pool is idle afterwards; the rank then ends it, closes
   what it has open, and says so. Errors: INPUT (rank 0 has another specification). */
spn_status spn_handout_follow(const spn_handout *handout, spn_error *err);
void spn_handout_say_ended(spn_ranks *ranks, spn_status status, const spn_error *err);

#endif
