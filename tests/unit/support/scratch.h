/* A scratch folder per test, files in it, and checks of error texts. */
#ifndef SPN_TEST_SCRATCH_H
#define SPN_TEST_SCRATCH_H

#include "support/test.h"

#include <spinney/status.h>

/* Setup and teardown for cmocka_unit_test_setup_teardown: *state is the scratch. */
int spn_scratch_setup(void **state);
int spn_scratch_teardown(void **state);

#define scratch_test(function)                                                                     \
    cmocka_unit_test_setup_teardown(function, spn_scratch_setup, spn_scratch_teardown)

/* The path of a name in the folder; it lives until the teardown. */
const char *spn_scratch_path(void **state, const char *name);

/* Write a file, plain or gzipped, and return its path. */
const char *spn_scratch_write(void **state, const char *name, const void *data, size_t size);
const char *spn_scratch_text(void **state, const char *name, const char *text);
const char *spn_scratch_gzip(void **state, const char *name, const void *data, size_t size);

/* Fail unless status is the expected one and the text of err is one line that holds both parts. */
#define assert_error(actual, err, expected, part, other)                                           \
    spn_assert_error(actual, err, expected, part, other, __FILE__, __LINE__)
void spn_assert_error(spn_status actual, const spn_error *err, spn_status expected,
                      const char *part, const char *other, const char *file, int line);

#endif
