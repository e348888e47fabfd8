/* Grids in memory: the points around one job, run without a folder, for commands. */
#ifndef SPN_SWEEP_IN_MEMORY_H
#define SPN_SWEEP_IN_MEMORY_H

#include "job/inputs.h"

#include <spinney/lab/sweep.h>

/* A sweep of the job's task: its settings, its seed, `runs` runs of each point, and axes, texts
   NAME=A,B,C or, of numbers, NAME=START:END:STEP with both ends among the values. A setting that
   the job has and an axis names is the axis's. A setting whose values have commas of their own
   (SPN_SETTING_LIST) takes semicolons: NAME=A;B. To be freed with spn_sweep_free. Errors: ARGUMENT
   (they begin with the text of the axis), MEMORY. */
spn_status spn_sweep_around(spn_sweep **out, const spn_job *job, const char *const *axes,
                            size_t count, size_t runs, spn_error *err);

typedef struct spn_in_memory_options {
    spn_inputs *inputs;
    unsigned threads;                  /* runs side by side; 0 and 1: one */
    bool details;                      /* as in spn_run */
    const volatile sig_atomic_t *stop; /* may be NULL */
    spn_sweep_observer *observer;      /* as in spn_sweep_options */
    void *observer_context;
} spn_in_memory_options;

/* Run all points. The records are in the order of the grid, with seconds, machine and finished;
   after a stop those that were finished. They own the sweep, also after an error: pass what
   spn_sweep_around gave. To be freed with spn_records_free. Errors: those of runs, which say which
   point it was. */
spn_status spn_sweep_run_in_memory(spn_records **out, spn_sweep *sweep,
                                   const spn_in_memory_options *options, spn_error *err);

#endif
