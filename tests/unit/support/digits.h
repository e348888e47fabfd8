/* The embedded digits, opened once for a group of tests. */
#ifndef SPN_TEST_DIGITS_H
#define SPN_TEST_DIGITS_H

#include <spinney/train.h>

/* Setup and teardown of a group. */
int spn_test_open_digits(void **state);
int spn_test_close_digits(void **state);

/* Both parts of them, while they are open. */
spn_train_data spn_test_digits(void);

#endif
