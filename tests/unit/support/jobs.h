/* Jobs run in a test. */
#ifndef SPN_TEST_JOBS_H
#define SPN_TEST_JOBS_H

#include "job/inputs.h"
#include <spinney/lab/job.h>

/* A job of a task with these settings, "name", "text", ..., NULL: run `run` of a sweep's seed 3. To
   be cleared. */
spn_job spn_test_job(const char *task, size_t run, const char *const *texts);

/* Run it to its end; how may be NULL, and its inputs too. To be cleared. */
spn_record spn_test_run_job(const spn_job *job, const spn_run *how);

/* Plan it, and fail unless that fails with a text that has both parts; beside as for inputs. */
void spn_test_refused(const char *task, const char *const *texts, const char *beside,
                      spn_status status, const char *part, const char *other);

/* Run it without a break, and again with stops at every tenth of it; fail unless the records,
   products and traces agree in every bit. */
void spn_test_stops(void **scratch, const spn_job *job);

#endif
