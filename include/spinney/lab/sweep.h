/* Sweeps: hundreds of runs from one specification file, on threads, shards or ranks, that can be
   killed at any moment and resumed. Results go into a folder (<spinney/lab/records.h>). */
#ifndef SPINNEY_LAB_SWEEP_H
#define SPINNEY_LAB_SWEEP_H

#include <signal.h>
#include <spinney/lab/records.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More jobs than this are refused, with their number. */
enum { SPN_SWEEP_MOST_JOBS = 1000000 };

/* Read a specification file (YAML, docs/experiments.md) and check all of it: every key, every value
   of every setting, as far as that is possible without running.
   set: `set_count` texts NAME=VALUE or NAME=VALUE,VALUE,... that replace a fixed setting or the
   values of an axis, and runs, seed and keep; a setting that the file does not have becomes a fixed
   one.
   Files that settings and figures name are looked for beside the specification.
   Errors: IO, INPUT (FILE: line N: what is wrong, and for an unknown key the nearest valid one),
   ARGUMENT (a text of set, or too many jobs), MEMORY. */
SPN_API spn_status spn_sweep_parse(spn_sweep **out, const char *path, const char *const *set,
                                   size_t set_count, spn_error *err);

/* The same of a specification in memory: a JSON object with the keys of the file. name: what errors
   call it, without lines; files are looked for beside it as if it were one. */
SPN_API spn_status spn_sweep_parse_json(spn_sweep **out, const char *text, const char *name,
                                        const char *const *set, size_t set_count, spn_error *err);

/* The progress of a sweep. */
typedef struct spn_sweep_progress {
    size_t jobs;     /* of this process: its shard, or all */
    size_t finished; /* of these, with those that were finished before */
    size_t running;
    double share;        /* of the work that this process set out to do that is done, 0 to 1,
                            running jobs included */
    double seconds;      /* since the start */
    double seconds_left; /* NaN: not known yet */
} spn_sweep_progress;

typedef void spn_sweep_observer(void *context, const spn_sweep_progress *progress);

typedef struct spn_sweep_options {
    const char *folder;
    const char
        *specification;   /* the file that was parsed: reference files are looked for beside it */
    unsigned threads;     /* runs side by side; 0 and 1: one */
    size_t shard, shards; /* this process does every shards-th job, from the shard-th; shards
                             0 and 1: all of them; not under mpirun */
    double save_seconds;  /* between the checkpoints of a running job; 0: 5 */
    const volatile sig_atomic_t *stop; /* may be NULL: running jobs are checkpointed, and it ends */
    spn_sweep_observer *observer;      /* may be NULL; called about ten times a second, and at the
                                          end, from the thread that called spn_sweep_run */
    void *observer_context;
} spn_sweep_options;

typedef struct spn_sweep_outcome {
    size_t jobs, before, now; /* of this process: all, finished before, finished now */
    bool complete;            /* every job of the whole sweep is finished; the folder is merged, by
                                 the last process that works in it */
    bool stopped;             /* by *stop, before all were finished */
    bool started; /* runs were begun: an error is not one of the options or the folder */
} spn_sweep_outcome;

/* Run what is not finished yet. Under mpirun all ranks call it, and the jobs are handed out one by
   one. The records do not depend on threads, shards, ranks, or on how often the sweep was killed.
   The folder is made if there is none. An existing one must come from this version, this
   instruction set, and a specification whose jobs are all among those of this one: the grid may
   have grown, and the figures may have changed. Errors: ARGUMENT, INPUT (the folder is of another
   sweep, version or instruction set), IO (disk full: what was finished stays), and those of the
   runs: the first that fails ends the sweep, once the others that were running are checkpointed. */
SPN_API spn_status spn_sweep_run(spn_sweep_outcome *out, const spn_sweep *sweep,
                                 const spn_sweep_options *options, spn_error *err);

/* The outcome as the JSON that the program prints; free it. Errors: MEMORY. */
SPN_API spn_status spn_sweep_outcome_json(char **out, const spn_sweep *sweep, const char *folder,
                                          const spn_sweep_outcome *outcome, double seconds,
                                          spn_error *err);

/* The rank of this process under mpirun, by the environment; 0 if it was started alone. All
   ranks return the same from spn_sweep_run, so only rank 0 has to say what happened. */
SPN_API size_t spn_sweep_rank(void);

/* How many processes mpirun has started together, by the environment: 1 if this one was started
   alone, 0 if it is not known. */
SPN_API size_t spn_sweep_ranks(void);

/* A number of threads for this process: its cores, or one under mpirun. */
SPN_API unsigned spn_sweep_default_threads(void);

/* One point of the grid in an estimate. */
typedef struct spn_sweep_point {
    char *settings;   /* "gamma=0.8 replicas=3" */
    double proposals; /* of all runs of this point */
    double seconds;   /* one thread, all runs; from the calibration. NaN if there was none */
} spn_sweep_point;

typedef struct spn_sweep_estimate {
    size_t points;
    spn_sweep_point *point;
    size_t jobs, finished; /* finished: in the folder already */
    size_t begun;          /* of the others: a state of theirs is saved there */
    double seconds;        /* one thread, what is not finished yet */
    double longest;        /* the longest of these */
    double memory;         /* bytes that a run takes, at most; 0: not worth a word */
} spn_sweep_estimate;

/* Estimate the time by short runs of some points: the same schedules over fewer steps, for about as
   many seconds as are given. No files remain.
   options: folder, which may be NULL or not there yet, specification and stop; the others do not
   matter. Errors: those of spn_sweep_run. */
SPN_API spn_status spn_sweep_calibrate(spn_sweep_estimate *out, const spn_sweep *sweep,
                                       const spn_sweep_options *options, double seconds,
                                       spn_error *err);
SPN_API void spn_sweep_estimate_clear(spn_sweep_estimate *estimate);

#ifdef __cplusplus
}
#endif
#endif
