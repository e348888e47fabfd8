/* The runs of a sweep: the list of its jobs, the workers that do them, the one that does a job,
   and who hands them out. */
#ifndef SPN_SWEEP_RUNNING_H
#define SPN_SWEEP_RUNNING_H

#include "job/inputs.h"
#include "sweep/jobs.h"
#include "sweep/ranks.h"
#include <signal.h>
#include <spinney/lab/sweep.h>
#include <spinney/status.h>
#include <stdbool.h>

/* The jobs of a sweep, longest first so that the last ones to end are short; which of them this
   process does, and which are finished. */

typedef struct spn_agenda_job {
    size_t index; /* in the sweep */
    double cost;
} spn_agenda_job;

typedef struct spn_agenda {
    size_t count, runs;   /* all jobs; runs per point */
    uint64_t *keys;       /* of all jobs, in the order of the sweep */
    uint64_t *sorted;     /* the same keys, sorted */
    spn_cost *costs;      /* per job of each point, in the order of the sweep */
    size_t mine;          /* jobs of this process, finished or not */
    size_t before;        /* of these, already finished */
    size_t done;          /* of all jobs, already finished */
    size_t pending;       /* jobs of this process to do, */
    spn_agenda_job *jobs; /* longest first */
    double cost;          /* of these */
} spn_agenda;

/* List all jobs of a sweep as unfinished and as this process's, and plan every point. Clear out,
   also after an error. Errors: those of plans; ARGUMENT (two jobs are the same), MEMORY. */
spn_status spn_agenda_make(spn_agenda *out, const spn_sweep *sweep, spn_error *err);
void spn_agenda_clear(spn_agenda *agenda);

/* Choose the jobs of a shard, from 0: every shards-th of all jobs, longest first, without those
   whose sorted keys are given. */
void spn_agenda_choose(spn_agenda *agenda, size_t shard, size_t shards, const uint64_t *finished,
                       size_t finished_count);

/* For qsort: longest first, else as in the sweep. */
int spn_agenda_compare(const void *a, const void *b);

void spn_keys_sort(uint64_t *keys, size_t count);
bool spn_keys_hold(const uint64_t *sorted, size_t count, uint64_t key);

/* Threads that each do one job at a time. The thread that started them hands out the jobs, watches
   progress, and stops them. */

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

typedef struct spn_runner spn_runner;

/* save_seconds: between checkpoints of a job. part: of the manifest, for the records
   (spn_records_open). Everything is borrowed. Errors: IO, ARGUMENT (another process writes there),
   MEMORY. */
spn_status spn_runner_create(spn_runner **out, const spn_sweep *sweep, const char *folder,
                             const char *part, double save_seconds, spn_error *err);
void spn_runner_free(spn_runner *runner);

/* A spn_pool_work whose context is a runner, for any number of threads. Run or resume the job,
   append its record, remove the checkpoint. Errors name the job. */
spn_status spn_runner_work(void *runner, bool *complete, const spn_pool_job *job, spn_error *err);

/* Hand out the jobs of a sweep one by one. Rank 0 has the list and leads. Its own workers and
   those of the other ranks, which follow, take the next job when they are free. */

typedef struct spn_dispatch {
    spn_pool *pool;   /* workers of this rank */
    spn_ranks *ranks; /* NULL: only one rank */
    const spn_sweep_options *options;
    const spn_sweep *sweep;
    const spn_agenda *agenda; /* of rank 0 */
    bool resumed;             /* runs resume from checkpoints */
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
