/* Options of a run besides its settings: the files it writes, and how often. Commands and calls
   share them. */
#ifndef SPN_JOB_RUN_OPTIONS_H
#define SPN_JOB_RUN_OPTIONS_H

#include <spinney/lab/job.h>

typedef struct spn_run_options {
    const char *out, *checkpoint, *trace;
    uint64_t every, trace_every;
} spn_run_options;

/* For tasks that run a chain; stored in spn_run_options. */
extern const spn_setting spn_checkpoint_rows[];
extern const spn_setting spn_trace_rows[];

/* Options of a task: `out` if it has a product, the others if it runs a chain. The rows refer to
   static groups and the task's texts. */
enum { SPN_RUN_OPTION_ROWS = 4 };
void spn_run_option_table(spn_setting out[SPN_RUN_OPTION_ROWS], const spn_task *task);

/* Check the options with each other and with the settings. If a file needs a single read and
   `reads` is not given, sets it to 1. Errors: ARGUMENT, MEMORY. */
spn_status spn_run_options_check(const spn_run_options *options, spn_job *job, spn_error *err);

#endif
