/* Datasets read from texts. */
#ifndef SPN_TEST_TEXTS_H
#define SPN_TEST_TEXTS_H

#include "support/scratch.h"

#include <spinney/dataset.h>

/* The dataset of a file of this name and text, in the scratch folder; free with spn_dataset_free.
 */
spn_dataset *spn_test_text(void **state, const char *name, const char *text,
                           spn_read_options options);

/* It is refused as bad input, by a message that holds the path, the place and what is wrong. */
void spn_test_text_fault(void **state, const char *name, const char *text, spn_read_options options,
                         const char *place, const char *what);

#endif
