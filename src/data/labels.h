/* The labels of a dataset while it is read: texts in, class numbers out. */
#ifndef SPN_DATA_LABELS_H
#define SPN_DATA_LABELS_H

#include "data/dataset.h"
#include "data/texts.h"

typedef struct spn_labels {
    const char *name; /* of the file, for errors */
    uint32_t *numbers;
    size_t samples;
    size_t used;
    spn_texts classes; /* in the order in which they came */
} spn_labels;

/* Room for the labels of samples. */
spn_status spn_labels_begin(spn_labels *out, const char *name, size_t samples, spn_error *err);

/* Append the label of the next sample. place, such as "line 3", is for errors: a label that is
   empty, too long or not printable, or one class too many. */
spn_status spn_labels_add(spn_labels *labels, spn_span text, const char *place, spn_error *err);

/* The same for a label that is an integer. */
spn_status spn_labels_add_integer(spn_labels *labels, int64_t value, const char *place,
                                  spn_error *err);

/* Sort the classes and hand everything over to a dataset. */
spn_status spn_labels_finish(spn_labels *labels, spn_dataset *dataset, spn_error *err);

void spn_labels_free(spn_labels *labels);

#endif
