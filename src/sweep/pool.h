/* Workers: threads that each do one job at a time. The thread that started them gives out the jobs,
   sees how far they are, and stops them. */
#ifndef SPN_SWEEP_POOL_H
#define SPN_SWEEP_POOL_H

#include <signal.h>
#include <spinney/status.h>
#include <stdbool.h>

typedef struct spn_pool spn_pool;

/* A job as its worker gets it. */
typedef struct spn_pool_job {
    size_t job;                        /* as it was given */
    const volatile sig_atomic_t *stop; /* once this is not 0 the job should stop */
    volatile double *done;             /* for the job to say which share of it is done */
} spn_pool_job;

/* Do a job, in the thread of a worker. *complete: true unless it stopped because it was asked to.
   An error stops all workers. */
typedef spn_status spn_pool_work(void *context, bool *complete, const spn_pool_job *job,
                                 spn_error *err);

/* How far the workers are. */
typedef struct spn_pool_progress {
    size_t finished, running; /* jobs; those given and not begun are running */
    double cost;              /* of what is done, the shares of running jobs included */
    bool stopped;             /* a job failed, or spn_pool_stop was called */
    bool idle;                /* no job is running */
} spn_pool_progress;

/* Start workers. The functions below are for the thread that did. Errors: MEMORY (also if the
   system refuses more threads). */
spn_status spn_pool_start(spn_pool **out, unsigned threads, spn_pool_work *work, void *context,
                          spn_error *err);

/* How many more jobs would be begun at once; none after a stop. */
size_t spn_pool_wants(spn_pool *pool);

/* Give a job, at most as many as are wanted. */
void spn_pool_give(spn_pool *pool, size_t job, double cost);

/* Wait until a worker has ended a job since the last call, or for that long. */
void spn_pool_wait(spn_pool *pool, double seconds);

spn_pool_progress spn_pool_watch(spn_pool *pool);

/* Tell the running jobs to stop; no job is begun any more. */
void spn_pool_stop(spn_pool *pool);

/* Wait for the jobs that were given, end the workers and free the pool. Returns the first error of
   a job. Accepts NULL. */
spn_status spn_pool_end(spn_pool *pool, spn_error *err);

#endif
