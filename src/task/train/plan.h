#ifndef SPN_TASK_TRAIN_PLAN_H
#define SPN_TASK_TRAIN_PLAN_H

#include "task/chain.h"
#include "task/measure.h"
#include "task/sample_settings.h"

#include <spinney/train.h>

typedef struct spn_train_plan {
    const char *data, *labels, *test, *test_labels, *scaling, *logit_scale, *bias, *encode;
    const char *temperature, *hidden_bias, *device;
    bool balance;
    double penalty, faults, margin;
    double test_fraction, validation;
    uint64_t subset, split_seed, folds;
    uint64_t hidden, output_weight;
    int preset, shifts, propose, features, losses;
    spn_sample_settings samples;
    spn_chain_settings chain;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* Made from these. The inputs own the data. */
    spn_train_data sets;
    spn_train_options options;
    spn_preprocess preprocess;
    size_t inputs; /* of a class, without the bias */
    size_t listed; /* length of the list of proposed weights; 0: all weights */
    bool by_temperature;
    bool choose_scale; /* of the logits, by cross-validation */
    uint64_t longer;   /* how many times as long as those trials the training is; 0: as long */
    spn_chain_plan annealing;
    spn_flip_plan flips;
} spn_train_plan;

extern const spn_setting spn_train_settings[];
extern const spn_preset spn_train_presets[];

/* Read the settings that need no data. Errors: ARGUMENT. */
spn_status spn_train_read_classifier(spn_train_plan *plan, spn_error *err);

/* Set the inputs and the bias from the data. Errors: ARGUMENT, MEMORY. */
spn_status spn_train_fit_classifier(spn_train_plan *plan, spn_error *err);

/* Weights of a unit on the constant input that are not among plan->inputs. */
size_t spn_train_unit_bias(const spn_train_plan *plan);

/* Weights of a replica; samples left to train on. */
size_t spn_train_weights(const spn_train_plan *plan);
double spn_train_samples_left(const spn_train_plan *plan);

/* Record the values of settings that the data decided. Errors: MEMORY. */
spn_status spn_train_resolve_classifier(spn_record *out, const spn_train_plan *plan,
                                        const spn_job *job, spn_error *err);

/* Of a thermometer, if the data decide; fine: of tables, for units that expect faults. */
enum { SPN_NETWORK_LEVELS = 8, SPN_NETWORK_FINE_LEVELS = 32 };

/* s of s/sqrtD that `logit-scale auto` gives a network: the first, or the better one. */
#define SPN_STEEP_SCALE 2.0
#define SPN_GENTLE_SCALE 0.5

/* Preset of a job that gives none, or NULL. */
const char *spn_train_preset(const spn_job *job);

/* Read the settings that need no data. Errors: ARGUMENT. */
spn_status spn_train_read_network(spn_train_plan *plan, const spn_job *job, spn_error *err);

/* Choose the preprocessing of a network if scaling or encode were left to the data. Check shifts
   for any classifier. Errors: ARGUMENT. */
spn_status spn_train_suit_network(spn_train_plan *plan, bool scaling_auto, bool encode_auto,
                                  spn_error *err);

/* Check the sizes that the energy of a network needs. Errors: ARGUMENT. */
spn_status spn_train_check_network(const spn_train_plan *plan, spn_error *err);

/* Set plan->listed. Inputs and bias must be known. Errors: ARGUMENT, MEMORY. */
spn_status spn_train_count_proposed(spn_train_plan *plan, spn_inputs *inputs, spn_error *err);

/* Put the list of proposed weights into options. Free out; NULL if all weights are proposed.
   Errors: MEMORY. */
spn_status spn_train_make_proposed(uint32_t **out, spn_chain_options *options,
                                   const spn_train_plan *plan, const spn_training *training,
                                   spn_error *err);

/* Samples in changes, up to which a network chooses its logit scale, and learns tables longer. */
#define SPN_SMALL_WORK 2e9

/* Set sweeps and temperature of the preset `tolerant` for a small table if none is given. */
void spn_train_suit_table(spn_train_plan *plan, const spn_job *job);

/* If `temperature` is in force, set beta from it. The chain must be planned. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_train_set_temperature(spn_train_plan *plan, const spn_job *job, spn_error *err);

/* Bytes that a network needs, at least; 0 for other classifiers. The check fails with a remedy if
   there_is is less; 0: not known. Errors: ARGUMENT. */
double spn_train_memory(const spn_train_plan *plan);
spn_status spn_train_check_memory(const spn_train_plan *plan, double there_is, spn_error *err);

/* The same check for a linear classifier: data before and after preprocessing, and for each
   replica its weights and a number per sample and class. Errors: ARGUMENT. */
spn_status spn_train_check_linear(const spn_train_plan *plan, double there_is, spn_error *err);

/* Remove settings that do not matter to the run. */
void spn_train_resolve_network(spn_record *out, const spn_train_plan *plan, const spn_job *job);

/* Scores of the replica that predicts, on one fold; means over the folds. */
typedef struct spn_fold_row {
    double fold, samples, loss, accuracy, balanced_accuracy, macro_f1;
} spn_fold_row;
typedef struct spn_fold_scores {
    double loss, accuracy, accuracy_sd, balanced_accuracy, macro_f1;
} spn_fold_scores;

/* The run and its results. */
typedef struct spn_trained {
    const spn_train_plan *plan;
    const spn_run *run;
    spn_measuring measuring;
    spn_training *training;
    spn_chain_options options; /* with the measured range of beta */
    spn_beta_range range;
    uint32_t *proposed; /* of the options; NULL: all */
    spn_ran ran;
    spn_train_result *result;
    const spn_train_score *mean, *centre, *vote, *best; /* of the result; NULL: no vote */
    spn_chain_found chain;
    double overlap, best_replica, bits, bytes, vote_bits, vote_bytes;
    char summary[480];
    spn_fold_scores cv; /* NaN without folds */
    spn_curve_rows replicas, folds, flips, profile;
} spn_trained;

/* Cross-validation: check the settings, with the chain planned; work besides that of the chain;
   train and test each fold after the training. Nothing without folds; t->measuring.stopped if the
   run was. Errors: ARGUMENT; those of a training. */
spn_status spn_train_check_folds(const spn_train_plan *plan, spn_error *err);
double spn_train_folds_work(const spn_train_plan *plan, double chain);
spn_status spn_train_folds(spn_trained *t, spn_error *err);
extern const spn_quantity spn_fold_results[];

/* If the plan says so, set plan->options.logit_scale to the better one for the samples to train on
   by cross-validation in few folds; plan: a copy of t's. Nothing if the run is stopped. Errors:
   those of a training. */
spn_status spn_train_choose_scale(spn_train_plan *plan, spn_trained *t, spn_error *err);

/* All results; the columns of each replica, which are fields of spn_train_score. */
extern const spn_quantity spn_train_results[], spn_train_replica_results[];

/* Read the results of a finished training, except curves measured after it. Errors: MEMORY. */
spn_status spn_trained_take(spn_trained *t, spn_error *err);

/* Note the data, warnings and the chain. The record must have the results. Errors: MEMORY. */
spn_status spn_trained_note(spn_record *out, const spn_trained *t, spn_error *err);

#endif
