/* The sets of samples that a training works with. */
#ifndef SPN_MODEL_TRAINING_H
#define SPN_MODEL_TRAINING_H

#include "data/dataset.h"
#include <spinney/train.h>

/* Two splits make two sets each, the subset one; a borrowed test set may be copied to be
   encoded. */
enum { SPN_TRAINING_OWNED = 8 };

/* Sets in `owned` are owned; others are borrowed. */
typedef struct spn_training_sets {
    const spn_dataset *train, *validation, *test; /* the last two may be NULL */
    spn_dataset *owned[SPN_TRAINING_OWNED];
    size_t owned_count;
    spn_preprocess preprocess; /* as fitted */
    spn_encoding *encoding;    /* NULL: none */
    spn_dataset *tied;         /* what the chain of a network trains on instead; NULL: train */
    size_t copies, tied_bias;  /* of `tied`: groups of each feature and of the units' bias */
    size_t width, height;      /* of the features before encoding */
    spn_scaling *scaling;
    /* How samples are read, and what replaces missing values; NULL: plain numbers. */
    spn_columns *columns;
} spn_training_sets;

struct spn_training {
    spn_training_sets sets;
    double logit_scale; /* as used */
    size_t bias;
    size_t hidden, hidden_bias; /* of a network; 0 and 0: a linear classifier */
    double faults;              /* that its units expect */
    spn_fault_model fault_model;
    double margin;
    double *class_weights; /* NULL: none */
    spn_energy *energy;
};

/* Draw the sets and fit the preprocessing. Clear out, also after an error. Errors: ARGUMENT,
   INPUT, MEMORY. */
spn_status spn_training_sets_make(spn_training_sets *out, const spn_train_options *options,
                                  const spn_train_data *data, spn_error *err);

/* Weights of the model's replicas. */
size_t spn_training_sites(const spn_training *training);

/* The weights of the model from the spins of a chain on tied inputs; out: free it. Errors: MEMORY.
 */
spn_status spn_training_untie(int8_t **out, const spn_training *training, const int8_t *spins,
                              size_t replicas, spn_error *err);

void spn_training_sets_clear(spn_training_sets *sets);

#endif
