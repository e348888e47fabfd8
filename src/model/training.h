/* Training from inside: the sets of samples that it works with. */
#ifndef SPN_MODEL_TRAINING_H
#define SPN_MODEL_TRAINING_H

#include "data/dataset.h"
#include <spinney/train.h>

/* Two splits make two sets each, the subset one; a borrowed test set may be copied to be encoded.
 */
enum { SPN_TRAINING_OWNED = 8 };

/* The sets of a training. What had to be made is owned; the rest is borrowed. */
typedef struct spn_training_sets {
    const spn_dataset *train, *validation, *test; /* the last two may be NULL */
    spn_dataset *owned[SPN_TRAINING_OWNED];
    size_t owned_count;
    spn_preprocess preprocess; /* as fitted */
    spn_encoding *encoding;    /* NULL: none */
    size_t width, height;      /* of the features, before they are encoded */
    spn_scaling *scaling;
    spn_columns *columns; /* how samples are read, what stands in for missing values included; NULL
                             where they are plain numbers */
} spn_training_sets;

struct spn_training {
    spn_training_sets sets;
    double logit_scale; /* as it is used */
    size_t bias;
    size_t hidden, hidden_bias; /* of a network; 0 and 0: a linear classifier */
    double *class_weights;      /* NULL: none */
    spn_energy *energy;
};

/* Draw the sets and fit the preprocessing. To be cleared, also after an error. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_training_sets_make(spn_training_sets *out, const spn_train_options *options,
                                  const spn_train_data *data, spn_error *err);

/* Fill in missing values, by the means of the training set. Errors: INPUT, MEMORY. */
spn_status spn_training_sets_fill(spn_training_sets *sets, spn_error *err);

/* Put another set in the place of one of these; it belongs to them from now on, and the one before
   it is freed if it did. */
void spn_training_sets_replace(spn_training_sets *sets, const spn_dataset **set,
                               spn_dataset *replacement);

void spn_training_sets_clear(spn_training_sets *sets);

#endif
