/* What can be asked of a run besides its settings: the files that it writes, and how often.
   Commands and calls take these from here. */
#ifndef SPN_JOB_RUN_OPTIONS_H
#define SPN_JOB_RUN_OPTIONS_H

#include <spinney/lab/job.h>

typedef struct spn_run_options {
    const char *out, *checkpoint, *trace;
    uint64_t every, trace_every;
} spn_run_options;

/* Those of tasks that run a chain; their places are in spn_run_options. */
extern const spn_setting spn_checkpoint_rows[];
extern const spn_setting spn_trace_rows[];

/* The table of all that a task has: out where it makes something, the others where it runs a chain.
   It has the task's texts, and groups that stay. */
enum { SPN_RUN_OPTION_ROWS = 4 };
void spn_run_option_table(spn_setting out[SPN_RUN_OPTION_ROWS], const spn_task *task);

/* Whether they go together, and with the settings of the job; where a file is of one run, and
   nothing says how many reads there are, the job is made one of one read. Errors: ARGUMENT, which
   start with the name of an option; MEMORY. */
spn_status spn_run_options_check(const spn_run_options *options, spn_job *job, spn_error *err);

#endif
