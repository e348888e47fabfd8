/* A small made-up sweep and its records, for tests. */
#ifndef SPN_TEST_SWEEPS_H
#define SPN_TEST_SWEEPS_H

#include <spinney/lab/records.h>

/* gamma 0, 0.5 times replicas 3, 5; two runs each. Everything that a sweep can hold is there. Free
   with spn_sweep_free. */
spn_sweep *spn_test_sweep(void);
enum { SPN_TEST_JOBS = 8 };

/* Job 0 to 7 of it, done: odd texts, NaN, a curve. To be cleared. */
spn_record spn_test_record(size_t job);

/* Fail unless they agree in everything, machine, finished and seconds included. */
void spn_assert_records_equal(const spn_record *a, const spn_record *b);

/* ---- its folder ---- */

extern const size_t SPN_ALL_JOBS[SPN_TEST_JOBS]; /* 0, 1, ... */
const uint64_t *spn_test_keys(void);

/* Make the folder "sweep" in the scratch folder. */
const char *spn_test_folder(void **state);

/* Append jobs to manifest.jsonl, or to that of a part, "a" or "b". */
void spn_test_append(const char *folder, const char *part, const size_t *jobs, size_t count);

spn_records *spn_test_read(const char *folder);

/* Fail unless the folder holds these jobs, and so many torn lines. */
void spn_assert_jobs(const char *folder, const size_t *jobs, size_t count, size_t torn);

/* A file of the folder: its bytes, ended by 0 and to be freed; written; there; as expected. */
char *spn_test_load(const char *folder, const char *name, size_t *size);
void spn_test_store(const char *folder, const char *name, const char *bytes, size_t size);
bool spn_test_exists(const char *folder, const char *name);
void spn_assert_content(const char *folder, const char *name, const char *bytes, size_t size);

#endif
