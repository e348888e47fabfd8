/* The task `train` from inside: its plan, and what its files make of it. */
#ifndef SPN_JOB_TRAIN_PLAN_H
#define SPN_JOB_TRAIN_PLAN_H

#include "job/chain_job.h"
#include "job/measure.h"
#include "job/sample_settings.h"

#include <spinney/train.h>

typedef struct spn_train_plan {
    const char *data, *labels, *test, *test_labels, *scaling, *logit_scale, *bias, *encode;
    bool balance;
    double penalty;
    double test_fraction, validation;
    uint64_t subset, split_seed;
    int preset;
    spn_sample_settings samples;
    spn_chain_settings chain;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* What they make; the data belong to the inputs. */
    spn_train_data sets;
    spn_train_options options;
    spn_preprocess preprocess;
    size_t inputs; /* of a class, without the bias */
    spn_chain_plan annealing;
    spn_flip_plan flips;
} spn_train_plan;

/* ---- train_settings.c ---- */

extern const spn_setting spn_train_settings[];
extern const spn_preset spn_train_presets[];

/* ---- train_classifier.c: what is trained ---- */

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

/* ---- train_results.c ---- */

extern const spn_quantity spn_train_results[];

/* The scores, and what the chain did; and what only a command shows. Errors: MEMORY. */
spn_status spn_train_add_results(spn_record *out, const spn_train_result *result,
                                 const spn_resumable *chain, spn_error *err);
spn_status spn_train_add_details(spn_record *out, const spn_train_plan *plan,
                                 const spn_chain_ready *ready, const spn_training *training,
                                 const spn_train_result *result, spn_error *err);

#endif
