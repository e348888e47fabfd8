/* Training: a K-class classifier whose weights are all -1 or +1, by replicated annealing of the
   mean cross-entropy (<spinney/softmax.h>), from a labelled data set to a model.

   spn_train_run does it all. A program that runs the chain itself, to save its state or to look at
   it, makes the training, anneals its energy and finishes it:
     spn_training_create -> spn_chain_create(spn_training_energy) ... -> spn_training_finish */
#ifndef SPINNEY_TRAIN_H
#define SPINNEY_TRAIN_H

#include <spinney/chain.h>
#include <spinney/dataset.h>
#include <spinney/model.h>
#include <spinney/preprocess.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to train on; start from spn_train_data_defaults(). Everything is borrowed, and must stay as
   long as the training. */
typedef struct spn_train_data {
    size_t size;              /* of this struct */
    const spn_dataset *train; /* labelled, at least two classes */
    const spn_dataset *test;  /* labelled, same features and classes; NULL: none */
} spn_train_data;

static inline spn_train_data spn_train_data_defaults(void)
{
    spn_train_data d;
    memset(&d, 0, sizeof d);
    d.size = sizeof d;
    return d;
}

/* Start from spn_train_defaults() and change what you need. */
typedef struct spn_train_options {
    size_t size;                      /* of this struct */
    bool logit_scale_by_root;         /* logits are s/sqrt(D) * W x, so that one s suits many */
    double logit_scale;               /* widths, or s * W x; s > 0 (1) */
    const spn_preprocess *preprocess; /* fitted to the training set (NULL: what
                                         spn_preprocess_suiting says) */
    /* Sets, drawn by split_seed: first the test set where the data have none, then the validation
       set, both from the training set and of every class alike; then the subset of what is left. */
    double test_fraction; /* (0: none) */
    double validation;    /* a fraction, for tuning (0: none) */
    size_t subset;        /* samples to train on (0: all) */
    uint64_t split_seed;  /* (1) */
    bool balance;         /* all classes count the same: spn_softmax_balance (false) */
    size_t bias;          /* weights of each class on a constant input of 1 (0) */
    /* Levels of a thermometer (<spinney/encoding.h>), fitted to the training set: inputs are then
       +1 and -1, preprocess must be NULL, and D is the number of inputs (0: none) */
    size_t thermometer;
    /* Copies of each feature (<spinney/encoding.h>), scaled by preprocess; D is then the number of
       inputs. Not with a thermometer, nor with features made binary (0: as they are) */
    size_t copies;
    /* With copies: L of sum of losses + L/2 sum of squared weights of features, as in logistic
       regression with C = 1/L, a weight being the logit scale times the sum over the copies; for
       two classes, whose weights differ by twice each, L instead of L/2 (0: none) */
    double penalty;
    /* Hidden units between the inputs and the outputs (<spinney/network.h>); inputs are then bits
       or bytes as they are: preprocess binary, none, or NULL with a thermometer; no copies; and the
       logit scale by root is s/sqrt(H) (0: none, a linear classifier) */
    size_t hidden;
    size_t hidden_bias; /* weights of each unit on a constant input of 1 (0) */
    /* Of images: train on them and on copies moved by one pixel, 4: up, down, left, right; 8: also
       along both diagonals. What moves in is 0. The test and validation sets stay as they are (0)
     */
    size_t shifts;
} spn_train_options;

static inline spn_train_options spn_train_defaults(void)
{
    spn_train_options o;
    memset(&o, 0, sizeof o);
    o.size = sizeof o;
    o.logit_scale = 1;
    o.split_seed = 1;
    return o;
}

/* A logit scale from text, "s" or "s/sqrtD", s positive and finite. Errors: ARGUMENT. */
SPN_API spn_status spn_train_logit_scale(double *scale, bool *by_root, const char *text,
                                         spn_error *err);

/* A bias with which a classifier can represent the shares of the classes: as many as bring n s to
   the logarithm of the largest share over the smallest (0 where classes are balanced), s being the
   logit scale as it is used; and, for boundaries that do not pass through the mean of the data, as
   many more as bring n s to 5 beyond it, but no more than the inputs for that. SIZE_MAX without
   memory. */
SPN_API size_t spn_train_bias(const spn_dataset *train, double logit_scale, size_t inputs,
                              bool balance);

/* The inputs of a class that a training of these options will have, without the bias: those of the
   thermometer, or the copies of the features. Errors: those of spn_training_create. Cost: that of
   drawing the sets and fitting a thermometer, where there is one. */
SPN_API spn_status spn_train_inputs(size_t *out, const spn_train_options *options,
                                    const spn_train_data *data, spn_error *err);

/* ---- a training ---- */

typedef struct spn_training spn_training;

/* Draw the sets, fit the preprocessing, and make the energy. out: to be freed with
   spn_training_free; NULL on failure. options: NULL for the defaults. Errors: ARGUMENT (options, or
   data of another shape), MEMORY. Cost: O(M D) for M samples of D features; memory as in
   <spinney/softmax.h>. */
SPN_API spn_status spn_training_create(spn_training **out, const spn_train_options *options,
                                       const spn_train_data *data, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_training_free(spn_training *training);

/* The energy to anneal: the mean cross-entropy of the training set. It belongs to the training. */
SPN_API const spn_energy *spn_training_energy(const spn_training *training);

/* How many inputs a network that is trained so has, and how many of them vary, being not the same
   in all samples that are trained on, shifted copies included. Errors: as spn_training_create,
   which takes as long without the energy. */
SPN_API spn_status spn_train_varying(size_t *out, size_t *inputs, const spn_train_options *options,
                                     const spn_train_data *data, spn_error *err);

enum { SPN_MOST_OUTPUT_WEIGHT = 1000 };

/* A list of what to propose of a network (spn_chain_options.proposed), to be freed with free(): the
   weights of the hidden units in their order, each once, but, where varying is asked for, those of
   inputs that do not vary; then those of the outputs, each output_weight times. Errors: ARGUMENT (a
   linear classifier; an output_weight of 0 or above the most), MEMORY. */
SPN_API spn_status spn_training_proposed(uint32_t **out, size_t *count,
                                         const spn_training *training, bool varying,
                                         size_t output_weight, spn_error *err);

typedef enum spn_train_set { SPN_SET_TRAIN, SPN_SET_VALIDATION, SPN_SET_TEST } spn_train_set;

/* The name of a set ("train", "validation", "test"), NULL past the last, and back. Errors:
   ARGUMENT, with the nearest name. */
SPN_NAMES(spn_train_set)

/* A set, as the classifier sees it, made binary or encoded where that was asked for; NULL where
   there is none. It belongs to the training, or to the data. */
SPN_API const spn_dataset *spn_training_set(const spn_training *training, spn_train_set set);

/* ---- what comes of it ---- */

/* How good weights are; NaN where there is no such set. Losses are weighted as the energy is. A
   later version may have more at the end. */
typedef struct spn_train_score {
    double train_loss, train_accuracy;
    double validation_loss, validation_accuracy;
    double test_loss, test_accuracy;
    double active; /* accepted flips: of a replica, or the mean over replicas */
    /* As in spn_softmax_scores: */
    double train_balanced_accuracy, train_macro_f1, train_majority_accuracy;
    double validation_balanced_accuracy, validation_macro_f1, validation_majority_accuracy;
    double test_balanced_accuracy, test_macro_f1, test_majority_accuracy;
} spn_train_score;

/* Made by the library; all that it points to belongs to it. */
typedef struct spn_train_result {
    spn_stop stop;  /* why the chain ended */
    uint64_t steps; /* that it did */
    size_t replicas;
    const spn_train_score *const *replica; /* one each */
    const spn_train_score *mean;           /* over the replicas */
    const spn_train_score *centre;         /* of the majority vote of the replicas; active is NaN */
    size_t best;                           /* the replica of the lowest training loss */
    double overlap;                        /* mean over pairs of replicas */
    /* The weights of every replica: at the end of the chain, or, of one that was told to stop,
       those of the lowest training loss that it met. Its manifest is empty
       (spn_model_set_manifest). */
    spn_model *model;
    const spn_train_score *vote; /* of the sum of the replicas' logits; active is NaN. NULL for
                                    linear classifiers */
} spn_train_result;

/* Score the replicas of a chain, made with the energy of the training, and make the model. out: to
   be freed with spn_train_result_free; NULL on failure. stop: why the chain ended. Errors: MEMORY,
   ARGUMENT (a snapshot of other sites). Cost: O(y M K D). */
SPN_API spn_status spn_training_finish(spn_train_result **out, const spn_training *training,
                                       const spn_snapshot *snapshot, spn_stop stop, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_train_result_free(spn_train_result *result);

/* ---- at once ---- */

/* Train. chain: replicas, schedules, steps and so on, as for spn_chain_create; until: as for
   spn_sampler_run (NULL: to the end). Errors: those of the
   functions above and of chains. Cost: that of spn_training_create and spn_training_finish, and
   steps * y * O(M). */
SPN_API spn_status spn_train_run(spn_train_result **out, const spn_train_options *options,
                                 const spn_chain_options *chain, const spn_until *until,
                                 const spn_train_data *data, spn_error *err);

#ifdef __cplusplus
}
#endif
#endif
