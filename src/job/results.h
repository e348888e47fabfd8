/* The results of a run, by the table of its task: filling a record, and why one is missing. */
#ifndef SPN_JOB_RESULTS_H
#define SPN_JOB_RESULTS_H

#include <spinney/lab/task.h>

/* Add every result of the table that this run has to a record. run: the struct that the getters
   read, plan: that of the job; NULL: the run has all rows, whatever they need. details: also the
   rows marked so. Errors: MEMORY. */
spn_status spn_results_add(spn_record *out, const spn_quantity *table, const void *run,
                           const void *plan, bool details, spn_error *err);

/* What a run of this plan needs to have the result of that name, in words; NULL: it has it, or
   there is no such result. */
const char *spn_result_needs(const spn_task *task, const void *plan, const char *name);

#endif
