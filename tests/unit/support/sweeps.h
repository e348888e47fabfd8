/* A small made-up sweep and its records, for tests. */
#ifndef SPN_TEST_SWEEPS_H
#define SPN_TEST_SWEEPS_H

#include <spinney/records.h>

/* gamma 0, 0.5 times replicas 3, 5; two runs each. Everything that a sweep can hold is there. Free
   with spn_sweep_free. */
spn_sweep *spn_test_sweep(void);
enum { SPN_TEST_JOBS = 8 };

/* Job 0 to 7 of it, done: odd texts, NaN, a curve. To be cleared. */
spn_record spn_test_record(size_t job);

/* Fail unless they agree in everything, machine, finished and seconds included. */
void spn_assert_records_equal(const spn_record *a, const spn_record *b);

#endif
