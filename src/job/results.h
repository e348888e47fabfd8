/* Fill a record by the table of results of a task, and say why a result is missing. */
#ifndef SPN_JOB_RESULTS_H
#define SPN_JOB_RESULTS_H

#include <spinney/lab/task.h>

/* Add every result that this run has to a record. run: the struct that the getters read. plan:
   that of the job; NULL: ignore conditions. details: include rows marked as detail. Errors:
   MEMORY. */
spn_status spn_results_add(spn_record *out, const spn_quantity *table, const void *run,
                           const void *plan, bool details, spn_error *err);

/* What a run of this plan lacks for a result, in words; NULL: nothing, or no such result. */
const char *spn_result_needs(const spn_task *task, const void *plan, const char *name);

#endif
