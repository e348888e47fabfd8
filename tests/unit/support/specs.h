/* Specification files for tests. */
#ifndef SPN_TEST_SPECS_H
#define SPN_TEST_SPECS_H

#include <spinney/lab/sweep.h>

/* One with everything that a specification can have. */
extern const char *const spn_test_full_spec;

/* The heads of short ones. */
#define SPEC_HEAD "name: a\ntask: train\n"
#define SPEC_GAMMA SPEC_HEAD "grid:\n  - setting: gamma\n    values: [0, 1]\n"
#define SPEC_FIGURE SPEC_GAMMA "figures:\n  - name: f\n"
#define SPEC_CASES SPEC_HEAD "grid:\n  - setting: case\n    cases:\n"
#define SPEC_HITS                                                                                  \
    "name: a\ntask: anneal\nsettings: {energy: bits, alpha: 0.3}\n"                                \
    "grid:\n  - {setting: sites, values: [11, 21]}\n  - {setting: sweeps, values: [1, 2]}\n"       \
    "figures:\n  - name: f\n"

/* Parse a text as a file of the scratch folder; to be freed. What fails ends the test. */
spn_sweep *spn_test_parse_spec(void **state, const char *text, const char *const *set,
                               size_t count);

/* Write a text to a file that may be there. */
void spn_test_rewrite(const char *path, const char *text);

#endif
