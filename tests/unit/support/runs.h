/* Jobs of sweeps run in a test. */
#ifndef SPN_TEST_RUNS_H
#define SPN_TEST_RUNS_H

#include <spinney/lab/records.h>

/* Run job `index` of a sweep to its end; folder and checkpoint may be NULL. To be cleared. */
spn_record spn_test_do(const spn_sweep *sweep, size_t index, const char *folder,
                       const char *checkpoint);

/* Run a job without a break, and again with stops at every tenth of it; fail unless the records,
   models and traces agree in every bit. */
void spn_test_stop_and_resume(void **scratch, const spn_sweep *sweep, size_t index);

#endif
