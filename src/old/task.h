/* Tasks: what one run of a sweep does. A task turns settings, which are texts, into a run of the
   library, and the run into a record. */
#ifndef SPN_OLD_TASK_H
#define SPN_OLD_TASK_H

#include <signal.h>
#include <spinney/lab/records.h>

/* One run of one point of a sweep's grid. */
typedef struct xpn_job {
    const spn_sweep *sweep;
    size_t index; /* in the sweep: point * runs + run - 1 */
    size_t run;   /* from 1 */
    uint64_t key;
    uint64_t seed; /* of the chain, below 2^63: of the sweep's seed, the point and the run */
    uint64_t instance_seed; /* of random problems: of the sweep's seed and the run alone, so that
                               all points see the same problems */
    size_t count;
    spn_field *settings; /* fixed ones, then those of the grid */
} xpn_job;

/* Job `index` of a sweep, to be cleared. Errors: MEMORY. */
spn_status xpn_job_make(xpn_job *out, const spn_sweep *sweep, size_t index, spn_error *err);
void xpn_job_clear(xpn_job *job);

/* What jobs share: data sets, read once and never changed. Safe to use from several threads.
   specification: the file of the sweep; files that settings name are looked for beside it. NULL:
   in the current folder. */
typedef struct xpn_task_store xpn_task_store;
spn_status xpn_task_store_create(xpn_task_store **out, const char *specification, spn_error *err);
void xpn_task_store_free(xpn_task_store *store);

/* From now on what is read must have the content that the sweep, borrowed, says. */
void xpn_task_store_expect(xpn_task_store *store, const spn_sweep *sweep);

typedef struct xpn_task_run {
    xpn_task_store *store;
    const char *folder;     /* of the sweep, for models and traces; NULL: keep none */
    const char *checkpoint; /* file; the run goes on from it if it is there. NULL: none */
    double save_seconds;    /* between writes of that file; a run that is shorter writes none */
    const volatile sig_atomic_t *stop;
    uint64_t steps;        /* 0: those of the settings; else a short run, for calibration, without
                              measures */
    volatile double *done; /* share of the run that is done, 0 to 1, for progress; may be NULL */
    void (*look)(void *context, double done); /* called whenever that changes; may be NULL */
    void *look_context;
} xpn_task_run;

/* Check the settings and measures of a sweep, all points, as far as that goes without running; a
   setting that the task does not know is an error that names the nearest. Reads the data. */
spn_status xpn_task_check(const spn_sweep *sweep, xpn_task_store *store, spn_error *err);

/* The work of a job, in units that are the same throughout the sweep: for the order of jobs and the
   time left. steps: as in xpn_task_run. proposals: how many there are; may be NULL. */
double xpn_task_cost(const xpn_job *job, uint64_t steps, double *proposals);

/* Run a job. *complete: false if it was stopped; then the checkpoint is written and there is no
   record. Otherwise the record has everything but machine, finished and seconds, and the checkpoint
   stays until xpn_task_finish, which is called once the record is on disk. */
spn_status xpn_task_do(spn_record *out, bool *complete, const xpn_job *job, const xpn_task_run *run,
                       spn_error *err);
spn_status xpn_task_finish(const xpn_task_run *run, spn_error *err);

#endif
