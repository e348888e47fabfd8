/* A grid around one job, for a command: the job at several values of its settings, run in a
   private folder. */
#ifndef SPN_SWEEP_AROUND_H
#define SPN_SWEEP_AROUND_H

#include <spinney/lab/job.h>
#include <spinney/lab/sweep.h>

/* A sweep of the job's task with its settings and seed, `runs` runs per point, and axes: texts
   NAME=A,B,C or, for numbers, NAME=START:END:STEP, which includes both ends. An axis replaces a
   setting of the job. Values of a setting that contains commas (SPN_SETTING_LIST) are separated by
   semicolons: NAME=A;B. Free it with spn_sweep_free. Errors: ARGUMENT (they begin with the text of
   the axis), MEMORY. */
spn_status spn_sweep_around(spn_sweep **out, const spn_job *job, const char *const *axes,
                            size_t count, size_t runs, spn_error *err);

/* Run a sweep in a private folder under TMPDIR, or /tmp, and remove the folder. options: those of
   spn_sweep_run, without a folder. *out has the finished runs: all of them unless *stop ended it.
   Free it with spn_records_free. Errors: those of spn_sweep_run. */
spn_status spn_sweep_run_unseen(spn_records **out, const spn_sweep *sweep,
                                const spn_sweep_options *options, spn_error *err);

#endif
