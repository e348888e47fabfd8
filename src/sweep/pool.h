/* Threads that each do one job at a time. The thread that started them hands out the jobs, watches
   progress, and stops them. */
#ifndef SPN_SWEEP_POOL_H
#define SPN_SWEEP_POOL_H

#include <signal.h>
#include <spinney/status.h>
#include <stdbool.h>

typedef struct spn_pool spn_pool;

typedef struct spn_pool_job {
    size_t job;
    const volatile sig_atomic_t *stop; /* if not 0, the job should stop */
    volatile double *done;             /* for the job: share that is done */
} spn_pool_job;

/* Do a job in a worker's thread. *complete: true unless it stopped because it was asked to. An
   error stops all workers. */
typedef spn_status spn_pool_work(void *context, bool *complete, const spn_pool_job *job,
                                 spn_error *err);

typedef struct spn_pool_progress {
    size_t finished, running; /* jobs; those handed out but not begun are running */
    double cost;              /* of what is done, including shares of running jobs */
    bool stopped;             /* a job failed, or spn_pool_stop was called */
    bool idle;                /* no job is running */
} spn_pool_progress;

/* Start workers. Only the thread that started them may call the functions below. Errors: MEMORY
   (also if the system refuses more threads). */
spn_status spn_pool_start(spn_pool **out, unsigned threads, spn_pool_work *work, void *context,
                          spn_error *err);

/* How many more jobs would begin at once; none after a stop. */
size_t spn_pool_wants(spn_pool *pool);

/* Hand out a job; at most as many as are wanted. */
void spn_pool_give(spn_pool *pool, size_t job, double cost);

/* Wait until a worker ends a job, or for this time. */
void spn_pool_wait(spn_pool *pool, double seconds);

spn_pool_progress spn_pool_watch(spn_pool *pool);

/* Ask running jobs to stop; no job is begun any more. */
void spn_pool_stop(spn_pool *pool);

/* Wait for the jobs, end the workers and free the pool. Returns the first error of a job. Accepts
   NULL. */
spn_status spn_pool_end(spn_pool *pool, spn_error *err);

#endif
