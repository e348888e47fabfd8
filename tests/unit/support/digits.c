/* The embedded digits, opened once for a group of tests. */
#include "support/digits.h"

static spn_dataset *train_part, *test_part;

int spn_test_open_digits(void **state)
{
    (void)state;
    spn_error err = {0};
    return spn_dataset_open(&train_part, &test_part, "digits", &err) != SPN_OK;
}

int spn_test_close_digits(void **state)
{
    (void)state;
    spn_dataset_free(train_part);
    spn_dataset_free(test_part);
    return 0;
}

spn_train_data spn_test_digits(void)
{
    spn_train_data data = spn_train_data_defaults();
    data.train = train_part;
    data.test = test_part;
    return data;
}
