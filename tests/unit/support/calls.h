/* Calls for tests. What fails ends the test. */
#ifndef SPN_TEST_CALLS_H
#define SPN_TEST_CALLS_H

#include <spinney/lab/call.h>
#include <spinney/problems.h>
#include <stdbool.h>

/* A ring with some chords, whose couplings are whole numbers; or a cut of it. To be freed. */
enum { SPN_TEST_CALL_SITES = 12 };
spn_problem *spn_test_call_problem(bool cut);

/* A call of a task with texts, in pairs and ended by NULL; to be freed. */
spn_call *spn_test_call(const char *task, const char *const *texts);

/* The texts of a short annealing, and a call of it on a problem. */
extern const char *const spn_test_call_short[];
spn_call *spn_test_call_anneal(const spn_problem *problem);

void spn_test_call_run(spn_call *call);
spn_states spn_test_call_states(const spn_call *call);
void spn_test_call_set(spn_call *call, const char *name, const char *text);

#endif
