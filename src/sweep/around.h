/* A grid around one job, for a command: the job at several values of its settings, run in a folder
   that nobody sees. */
#ifndef SPN_SWEEP_AROUND_H
#define SPN_SWEEP_AROUND_H

#include <spinney/lab/job.h>
#include <spinney/lab/sweep.h>

/* A sweep of the job's task: its settings, its seed, `runs` runs of each point, and axes, texts
   NAME=A,B,C or, for numbers, NAME=START:END:STEP with both ends among the values. If an axis names
   a setting of the job, the axis replaces it. Values of a setting that has commas of its own
   (SPN_SETTING_LIST) are separated by semicolons: NAME=A;B. Free it with spn_sweep_free. Errors:
   ARGUMENT (they begin with the text of the axis), MEMORY. */
spn_status spn_sweep_around(spn_sweep **out, const spn_job *job, const char *const *axes,
                            size_t count, size_t runs, spn_error *err);

/* Run a sweep in a private folder under TMPDIR, or /tmp, which is removed again; options: those of
   spn_sweep_run, without a folder. *out has what is finished, all of it unless *stop ended it. Free
   it with spn_records_free. Errors: those of spn_sweep_run. */
spn_status spn_sweep_run_unseen(spn_records **out, const spn_sweep *sweep,
                                const spn_sweep_options *options, spn_error *err);

#endif
