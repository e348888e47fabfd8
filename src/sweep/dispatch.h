/* Dispatching the jobs of a sweep, one by one: rank 0 has the list and leads; its own workers and
   those of the other ranks, which follow, take the next job whenever they are free. */
#ifndef SPN_SWEEP_DISPATCH_H
#define SPN_SWEEP_DISPATCH_H

#include "sweep/agenda.h"
#include "sweep/pool.h"
#include "sweep/ranks.h"

typedef struct spn_dispatch {
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
} spn_dispatch;

typedef struct spn_dispatch_result {
    size_t finished;   /* jobs, of all ranks */
    bool stopped;      /* by *stop, in one of them */
    spn_status status; /* of a job that failed in another rank; those of this one are the pool's */
    spn_error error;
} spn_dispatch_result;

/* Dispatch all jobs of the agenda, until they are done, one fails, or *stop. The pool is idle
   afterwards, and no other rank sends anything. Errors: MEMORY. */
spn_status spn_dispatch_lead(spn_dispatch_result *out, const spn_dispatch *dispatch,
                             spn_error *err);

/* Take jobs until there are no more. The pool is idle afterwards; the rank then ends it, closes
   what it has open, and says so. Errors: INPUT (rank 0 has another specification). */
spn_status spn_dispatch_follow(const spn_dispatch *dispatch, spn_error *err);
void spn_dispatch_say_ended(spn_ranks *ranks, spn_status status, const spn_error *err);

/* How long a sweep still takes, by how far it is. */
typedef struct spn_rate {
    bool resumed; /* runs go on from checkpoints, whose share shows up at once, within a second */
    double time, share; /* where the rate is measured from */
} spn_rate;

/* The seconds left, when this share of the work is done after this many seconds; NaN: not known
   yet. To be asked again and again, with a rate that was zeroed but for `resumed`. */
double spn_rate_left(spn_rate *rate, double seconds, double share);

#endif
