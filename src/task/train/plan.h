/* The task `train` from inside: its plan, and what its files make of it. */
#ifndef SPN_TASK_TRAIN_PLAN_H
#define SPN_TASK_TRAIN_PLAN_H

#include "task/chain_job.h"
#include "task/measure.h"
#include "task/sample_settings.h"

#include <spinney/train.h>

typedef struct spn_train_plan {
    const char *data, *labels, *test, *test_labels, *scaling, *logit_scale, *bias, *encode;
    const char *temperature;
    bool balance;
    double penalty;
    double test_fraction, validation;
    uint64_t subset, split_seed;
    uint64_t hidden, hidden_bias, output_weight;
    int preset, shifts, propose;
    spn_sample_settings samples;
    spn_chain_settings chain;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* What they make; the data belong to the inputs. */
    spn_train_data sets;
    spn_train_options options;
    spn_preprocess preprocess;
    size_t inputs; /* of a class, without the bias */
    size_t listed; /* what is proposed, by a list; 0: all weights */
    bool by_temperature;
    spn_chain_plan annealing;
    spn_flip_plan flips;
} spn_train_plan;

/* ---- settings.c ---- */

extern const spn_setting spn_train_settings[];
extern const spn_preset spn_train_presets[];

/* ---- classifier.c: what is trained ---- */

/* Read the texts that need no data. Errors: ARGUMENT. */
spn_status spn_train_read_classifier(spn_train_plan *plan, spn_error *err);

/* Settle what depends on the data, which have been read: inputs and bias. Errors: ARGUMENT, MEMORY.
 */
spn_status spn_train_fit_classifier(spn_train_plan *plan, spn_error *err);

/* The weights of a replica, and the samples that are left to train on. */
size_t spn_train_weights(const spn_train_plan *plan);
double spn_train_samples_left(const spn_train_plan *plan);

/* What settings that were left to the data came to. Errors: MEMORY. */
spn_status spn_train_resolve_classifier(spn_record *out, const spn_train_plan *plan,
                                        const spn_job *job, spn_error *err);

/* ---- network.c: networks with a hidden layer ---- */

enum { SPN_NETWORK_LEVELS = 8 }; /* of a thermometer, where that is left to the data */

/* The preset of a job that gives none, or NULL. */
const char *spn_train_preset(const spn_job *job);

/* Read the settings that need no data. Errors: ARGUMENT. */
spn_status spn_train_read_network(spn_train_plan *plan, const spn_job *job, spn_error *err);

/* Choose the preprocessing of a network where scaling or encode were left to the data; check shifts
   for any classifier. Errors: ARGUMENT. */
spn_status spn_train_suit_network(spn_train_plan *plan, bool scaling_auto, bool encode_auto,
                                  spn_error *err);

/* Check what the energy of a network demands of sizes. Errors: ARGUMENT. */
spn_status spn_train_check_network(const spn_train_plan *plan, spn_error *err);

/* Count what is proposed, once inputs and bias are settled: plan->listed. Errors: ARGUMENT, MEMORY.
 */
spn_status spn_train_count_proposed(spn_train_plan *plan, spn_inputs *inputs, spn_error *err);

/* Put the list of it into options. out: to be freed, NULL where all weights are proposed. Errors:
   MEMORY. */
spn_status spn_train_make_proposed(uint32_t **out, spn_chain_options *options,
                                   const spn_train_plan *plan, const spn_training *training,
                                   spn_error *err);

/* Let the setting temperature, where it is in force, say how beta goes; after the chain was
   planned. Errors: ARGUMENT, MEMORY. */
spn_status spn_train_set_temperature(spn_train_plan *plan, const spn_job *job, spn_error *err);

/* The bytes that the run of a network takes, at least, and 0 for others; and an error, with the
   remedy, where there are fewer. there_is: 0 where that is not known. Errors: ARGUMENT. */
double spn_train_memory(const spn_train_plan *plan);
spn_status spn_train_check_memory(const spn_train_plan *plan, double there_is, spn_error *err);

/* The same of a linear classifier: its data as they are and as the energy has them, and for each
   replica the weights and a number for each sample and class. Errors: ARGUMENT. */
spn_status spn_train_check_linear(const spn_train_plan *plan, double there_is, spn_error *err);

/* Leave out what does not matter to a run. */
void spn_train_resolve_network(spn_record *out, const spn_train_plan *plan, const spn_job *job);

/* ---- results.c ---- */

/* What a run has found, as its results read it. */
typedef struct spn_train_found {
    const spn_train_result *result;
    spn_chain_found chain;
    double overlap, best_replica, bits, bytes, vote_bits, vote_bytes;
    char summary[400];
    spn_curve_rows replicas, flips, profile;
} spn_train_found;

extern const spn_quantity spn_train_results[];

/* Take it from a training that is over, but for the curves that are measured after it. out: zeroed,
   to be cleared, also after an error. Errors: MEMORY. */
spn_status spn_train_found_take(spn_train_found *out, const spn_train_plan *plan,
                                const spn_ran *chain, const spn_training *training,
                                const spn_train_result *result, bool details, spn_error *err);
void spn_train_found_clear(spn_train_found *found);

/* Notes on the data, on what to beware of and on the chain, for a record that has the results.
   Errors: MEMORY. */
spn_status spn_train_note(spn_record *out, const spn_train_plan *plan, const spn_chain_ready *ready,
                          const spn_training *training, const spn_train_result *result,
                          spn_error *err);

#endif
