/* Hand out the jobs of a sweep one by one. Rank 0 has the list and leads. Its own workers and
   those of the other ranks, which follow, take the next job when they are free. */
#ifndef SPN_SWEEP_DISPATCH_H
#define SPN_SWEEP_DISPATCH_H

#include "sweep/agenda.h"
#include "sweep/pool.h"
#include "sweep/ranks.h"

typedef struct spn_dispatch {
    spn_pool *pool;   /* workers of this rank */
    spn_ranks *ranks; /* NULL: only one rank */
    const spn_sweep_options *options;
    /* rank 0 only */
    const spn_agenda *agenda;
    bool resumed; /* runs resume from checkpoints */
    /* other ranks only */
    const spn_sweep *sweep;
} spn_dispatch;

/* Hand out all jobs of the agenda, until they are done, one fails, or *stop. out->now: jobs
   finished, in all ranks. out->stopped: by *stop, in any rank. Afterwards the pool is idle, and no
   other rank sends anything. Errors: MEMORY; those of a job that failed in another rank. The pool
   has those of this rank. */
spn_status spn_dispatch_lead(spn_sweep_outcome *out, const spn_dispatch *dispatch, spn_error *err);

/* Take jobs until there are no more. Afterwards the pool is idle; the rank then ends it, closes
   its files, and says so. Errors: INPUT (rank 0 has another specification). */
spn_status spn_dispatch_follow(const spn_dispatch *dispatch, spn_error *err);
void spn_dispatch_say_ended(spn_ranks *ranks, spn_status status, const spn_error *err);

/* Estimates the remaining time of a sweep. */
typedef struct spn_rate {
    bool resumed;       /* runs resume from checkpoints, whose share appears within a second */
    double time, share; /* where the rate is measured from */
} spn_rate;

/* Seconds left, if this share of the work is done after this many seconds; NaN: unknown so far.
   Call it repeatedly, starting from a rate of zeros except `resumed`. */
double spn_rate_left(spn_rate *rate, double seconds, double share);

#endif
