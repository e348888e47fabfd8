/* Training: a K-class classifier whose weights are all -1 or +1, by replicated annealing of the
   mean cross-entropy (<spinney/softmax.h>), from a labelled data set to a model.

   spn_train_run does it all. To run the chain yourself, for example to save its state, make the
   training, anneal its energy and finish it:
     spn_training_create -> spn_chain_create(spn_training_energy) ... -> spn_training_finish */
#ifndef SPINNEY_TRAIN_H
#define SPINNEY_TRAIN_H

#include <spinney/chain.h>
#include <spinney/dataset.h>
#include <spinney/faults.h>
#include <spinney/model.h>
#include <spinney/preprocess.h>

SPN_BEGIN_C

/* What to train on; start from spn_train_data_defaults(). Everything is borrowed, as long as the
   training lives. */
typedef struct spn_train_data {
    size_t size;              /* of this struct */
    const spn_dataset *train; /* labelled, at least two classes */
    const spn_dataset *test;  /* labelled, same features and classes; NULL: none */
} spn_train_data;

SPN_DEFAULTS(spn_train_data, spn_train_data_defaults, )

enum { SPN_TIED_LEVELS = 15, SPN_MOST_TIED = 17 };

/* Start from spn_train_defaults() and change what you need. */
typedef struct spn_train_options {
    size_t size;                      /* of this struct */
    bool logit_scale_by_root;         /* logits are s/sqrt(D) * W x, so that one s suits many */
    double logit_scale;               /* widths; otherwise s * W x; s > 0 (1) */
    const spn_preprocess *preprocess; /* fitted to the training set (NULL: as from
                                         spn_preprocess_suiting) */
    /* Sets, drawn with split_seed: first the test set if the data has none, then the validation
       set, both stratified from the training set; then the subset of what is left. */
    double test_fraction; /* (0: none) */
    double validation;    /* a fraction, for tuning (0: none) */
    size_t subset;        /* samples to train on (0: all) */
    uint64_t split_seed;  /* (1) */
    bool balance;         /* all classes count equally: spn_softmax_balance (false) */
    size_t bias;          /* weights of each class on a constant input of 1 (0) */
    /* Levels of a thermometer (<spinney/encoding.h>), fitted to the training set. Inputs are then
       +1 and -1, preprocess must be NULL, and D is the number of inputs (0: none) */
    size_t thermometer;
    /* Copies of each feature (<spinney/encoding.h>), scaled by preprocess; D is then the number of
       inputs. Not with a thermometer or with features made binary (0: features as they are). A
       network has up to SPN_MOST_TIED: the model has a thermometer of SPN_TIED_LEVELS levels for
       each copy, at equal steps, and training ties a unit's weights of a copy, and those of its
       bias by as many, so that its sum is linear in the features but for rounding */
    size_t copies;
    /* With copies: the L in sum of losses + L/2 sum of squared weights, as in logistic regression
       with C = 1/L. The weight of a feature is the logit scale times the sum over its copies. For
       two classes, whose weights differ by twice each, L replaces L/2 (0: none) */
    double penalty;
    /* Hidden units between the inputs and the outputs (<spinney/network.h>). Inputs are then bits
       or bytes as they are: preprocess is binary, none, or NULL with a thermometer or copies; the
       logit scale by root is s/sqrt(H) (0: none, a linear classifier) */
    size_t hidden;
    size_t hidden_bias; /* weights of each unit on a constant input of 1 (0) */
    /* For images: train also on copies moved by one pixel, 4: up, down, left, right; 8: also along
       both diagonals. Zeros move in. The test and validation sets stay as they are (0) */
    size_t shifts;
    /* The share of faults that hidden units expect while training (<spinney/network.h>; the model
       has their signs), or the energy of a linear classifier (<spinney/softmax.h>) (0) */
    double faults;
    spn_fault_model fault_model; /* what these faults do; not rows (flips) */
    double margin; /* with faults: the label's logit counts as so much less in training (0) */
    /* Round features for speed, as spn_softmax_options says; 1: yes. Not with a thermometer or
       hidden units (0) */
    size_t rounded;
    /* A linear classifier without faults or penalties is trained on this device, as
       spn_softmax_on_device says; borrowed until the training is made. Trainings of the same data
       on several threads share the device (NULL: losses in floats, on the processor) */
    const char *device;
} spn_train_options;

SPN_DEFAULTS(spn_train_options, spn_train_defaults, o.logit_scale = 1, o.split_seed = 1)

/* A logit scale from text, "s" or "s/sqrtD", s positive and finite. Errors: ARGUMENT. */
SPN_API spn_status spn_train_logit_scale(double *scale, bool *by_root, const char *text,
                                         spn_error *err);

/* A bias n with which a classifier can represent the shares of the classes. With the logit scale s
   as it is used, n s reaches the logarithm of the largest share over the smallest (0 if classes are
   balanced); and, for boundaries that do not pass through the mean of the data, 5 beyond it, but
   with no more than `inputs` weights for that. SIZE_MAX without memory. */
SPN_API size_t spn_train_bias(const spn_dataset *train, double logit_scale, size_t inputs,
                              bool balance);

/* How many inputs a training with these options will have, without the bias: those of the
   thermometer, or the copies of the features; with tied copies the groups of bias weights count,
   too. Errors: those of spn_training_create. Cost: with a
   thermometer, that of drawing the sets and fitting it. */
SPN_API spn_status spn_train_inputs(size_t *out, const spn_train_options *options,
                                    const spn_train_data *data, spn_error *err);

/* ---- a training ---- */

typedef struct spn_training spn_training;

/* Draw the sets, fit the preprocessing, and make the energy. out: free it with spn_training_free;
   NULL on failure. options: NULL for the defaults. Errors: ARGUMENT (options, or data of another
   shape), INPUT, MEMORY. O(M D) for M samples of D features; memory as in <spinney/softmax.h>. */
SPN_API spn_status spn_training_create(spn_training **out, const spn_train_options *options,
                                       const spn_train_data *data, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_training_free(spn_training *training);

/* The energy to anneal: the mean cross-entropy of the training set. It belongs to the training. */
SPN_API const spn_energy *spn_training_energy(const spn_training *training);

/* How many inputs a network with these options has, and how many of them vary: are not the same in
   all training samples, shifted copies included. Errors and cost: those of spn_training_create
   without the energy. */
SPN_API spn_status spn_train_varying(size_t *out, size_t *inputs, const spn_train_options *options,
                                     const spn_train_data *data, spn_error *err);

enum { SPN_MOST_OUTPUT_WEIGHT = 1000 };

/* A list of the weights of a network to propose (spn_chain_options.proposed): those of the hidden
   units, each once, with `varying` only on inputs that vary; then those of the outputs, each
   output_weight times, 1 to SPN_MOST_OUTPUT_WEIGHT. With faults the outputs of a unit follow its
   inputs, which is fast in sequential order. out: free it with free(). Errors: ARGUMENT,
   also for a linear classifier; MEMORY. */
SPN_API spn_status spn_training_proposed(uint32_t **out, size_t *count,
                                         const spn_training *training, bool varying,
                                         size_t output_weight, spn_error *err);

typedef enum spn_train_set { SPN_SET_TRAIN, SPN_SET_VALIDATION, SPN_SET_TEST } spn_train_set;

SPN_NAMES(spn_train_set) /* "train", "validation", "test" */

/* A set as the classifier sees it, perhaps made binary or encoded; NULL if there is none. It
   belongs to the training, or to the data. */
SPN_API const spn_dataset *spn_training_set(const spn_training *training, spn_train_set set);

/* ---- results ---- */

/* How good weights are; NaN if there is no such set. Losses are weighted like the energy. A later
   version may have more at the end. */
typedef struct spn_train_score {
    double train_loss, train_accuracy;
    double validation_loss, validation_accuracy;
    double test_loss, test_accuracy;
    double active; /* accepted flips of a replica, or the mean over replicas */
    /* As in spn_softmax_scores: */
    double train_balanced_accuracy, train_macro_f1, train_majority_accuracy;
    double validation_balanced_accuracy, validation_macro_f1, validation_majority_accuracy;
    double test_balanced_accuracy, test_macro_f1, test_majority_accuracy;
} spn_train_score;

/* Made by the library; everything it points to belongs to it. */
typedef struct spn_train_result {
    spn_stop stop;  /* why the chain ended */
    uint64_t steps; /* of the chain */
    size_t replicas;
    const spn_train_score *const *replica; /* one each */
    const spn_train_score *mean;           /* over the replicas */
    const spn_train_score *centre;         /* of the majority vote of the replicas; active is NaN */
    size_t best;                           /* the replica of the lowest training loss */
    double overlap;                        /* mean over pairs of replicas */
    /* The weights of every replica: at the end of the chain or, if it was asked to stop, those with
       the lowest training loss so far. Its manifest is empty (spn_model_set_manifest). */
    spn_model *model;
    const spn_train_score *vote; /* by the sum of the replicas' logits; active is NaN. NULL for
                                    linear classifiers */
    /* The run was too short: in its last eighth the mean energy still fell (spn_snapshot.fall) by
       more than a 500th of what was learnt. That is the cross-entropy of always answering with the
       shares of the classes, less the mean energy at the end. */
    bool still_falls;
} spn_train_result;

/* Score the replicas of a chain that annealed the energy of the training, and make the model. out:
   free it with spn_train_result_free; NULL on failure. stop: why the chain ended. Errors: MEMORY,
   ARGUMENT (a snapshot with other sites). O(y M K D). */
SPN_API spn_status spn_training_finish(spn_train_result **out, const spn_training *training,
                                       const spn_snapshot *snapshot, spn_stop stop, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_train_result_free(spn_train_result *result);

/* ---- all at once ---- */

/* Train. chain: replicas, schedules, steps and so on, as for spn_chain_create; until: as for
   spn_sampler_run (NULL: to the end). Errors: those of the
   functions above and of chains. Cost: that of spn_training_create and spn_training_finish, and
   steps * y * O(M). */
SPN_API spn_status spn_train_run(spn_train_result **out, const spn_train_options *options,
                                 const spn_chain_options *chain, const spn_until *until,
                                 const spn_train_data *data, spn_error *err);

SPN_END_C
#endif
