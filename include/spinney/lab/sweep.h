/* Sweeps: many runs from one specification, on threads, shards or ranks. They can be killed and
   resumed at any time. Results go into a folder (<spinney/lab/records.h>). */
#ifndef SPINNEY_LAB_SWEEP_H
#define SPINNEY_LAB_SWEEP_H

#include <signal.h>
#include <spinney/lab/records.h>

SPN_BEGIN_C

/* A sweep with more jobs is refused. */
enum { SPN_SWEEP_MOST_JOBS = 1000000 };

/* Read a specification file (YAML, docs/experiments.md) and check all keys and values as far as
   possible without running. set: `set_count` texts NAME=VALUE or NAME=VALUE,VALUE,... that replace
   a fixed setting, the values of an axis, runs, seed or keep; a setting that the file does not
   have becomes fixed. Files are looked up beside the specification. Errors: IO, INPUT (FILE: line
   N: what is wrong, with the nearest valid key), ARGUMENT (a text of set, or too many jobs),
   MEMORY. */
SPN_API spn_status spn_sweep_parse(spn_sweep **out, const char *path, const char *const *set,
                                   size_t set_count, spn_error *err);

/* The same for a JSON object in memory with the keys of the file. name: for errors; files are
   looked up beside it. */
SPN_API spn_status spn_sweep_parse_json(spn_sweep **out, const char *text, const char *name,
                                        const char *const *set, size_t set_count, spn_error *err);

typedef struct spn_sweep_progress {
    size_t jobs;     /* of this process: its shard, or all */
    size_t finished; /* of these, including those finished before */
    size_t running;
    double share;   /* share of this process's work that is done, 0 to 1, including running jobs */
    double seconds; /* since the start */
    double seconds_left; /* NaN: not known yet */
} spn_sweep_progress;

typedef struct spn_sweep_options {
    const char *folder;
    const char *specification; /* the parsed file; references are looked up beside it */
    unsigned threads;          /* parallel runs; 0 and 1: one */
    size_t shard, shards; /* this process does every shards-th job, from the shard-th; shards 0 and
                             1: all; not under mpirun */
    double save_seconds;  /* between checkpoints of a running job; 0: 5 */
    const volatile sig_atomic_t *stop; /* may be NULL: saves running jobs and ends */
    /* may be NULL; called about ten times a second and at the end, in the thread of
       spn_sweep_run */
    void (*observer)(void *context, const spn_sweep_progress *progress);
    void *observer_context;
} spn_sweep_options;

typedef struct spn_sweep_outcome {
    size_t jobs, before, now; /* of this process: all, finished before, finished now */
    bool complete; /* every job of the whole sweep is finished; the last process has merged the
                      folder */
    bool stopped;  /* by *stop, before all were finished */
    bool started;  /* runs began, so an error is not about the options or the folder */
} spn_sweep_outcome;

/* Run what is not finished. Under mpirun all ranks call it, and jobs are handed out one by one.
   Records do not depend on threads, shards, ranks or kills. The folder is created if missing. An
   existing one must have the same version and instruction set, and all its jobs must be jobs of
   this specification: the grid may have grown, and the figures may have changed. Errors: ARGUMENT,
   INPUT (the folder has another sweep, version or instruction set), IO (disk full: finished runs
   stay), and those of the runs: the first failure ends the sweep, after the other running jobs are
   saved. */
SPN_API spn_status spn_sweep_run(spn_sweep_outcome *out, const spn_sweep *sweep,
                                 const spn_sweep_options *options, spn_error *err);

/* The outcome as the JSON that the program prints; free it. Errors: MEMORY. */
SPN_API spn_status spn_sweep_outcome_json(char **out, const spn_sweep *sweep, const char *folder,
                                          const spn_sweep_outcome *outcome, double seconds,
                                          spn_error *err);

/* Rank under mpirun, from the environment; 0 if started alone. All ranks return the same from
   spn_sweep_run, so only rank 0 needs to report. */
SPN_API size_t spn_sweep_rank(void);

/* Number of processes under mpirun, from the environment: 1 if started alone, 0 if unknown. */
SPN_API size_t spn_sweep_ranks(void);

/* Default threads of this process: its cores, or one under mpirun. */
SPN_API unsigned spn_sweep_default_threads(void);

typedef struct spn_sweep_point {
    char *settings;   /* "gamma=0.8 replicas=3" */
    double proposals; /* of all its runs */
    double seconds;   /* of all its runs on one thread, by calibration; NaN: not calibrated */
} spn_sweep_point;

typedef struct spn_sweep_estimate {
    size_t points;
    spn_sweep_point *point;
    size_t jobs, finished; /* finished: in the folder already */
    size_t begun;          /* of the others: saved there */
    double seconds;        /* on one thread, for what is not finished */
    double longest;        /* the longest of these runs */
    double memory;         /* most bytes that a run takes; 0: few */
} spn_sweep_estimate;

/* Estimate the time by short runs of some points: the same schedules over fewer steps, for about
   the given seconds. No files remain. options: folder, which may be NULL or missing, specification
   and stop; others are ignored. Errors: those of spn_sweep_run. */
SPN_API spn_status spn_sweep_calibrate(spn_sweep_estimate *out, const spn_sweep *sweep,
                                       const spn_sweep_options *options, double seconds,
                                       spn_error *err);
SPN_API void spn_sweep_estimate_clear(spn_sweep_estimate *estimate);

SPN_END_C
#endif
