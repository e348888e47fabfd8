/* Training from inside: its parts of the data, its settings, its scores. */
#ifndef SPN_MODEL_TRAIN_H
#define SPN_MODEL_TRAIN_H

#include "core/schedule.h"
#include "data/dataset.h"
#include "model/model.h"
#include "record/annealing.h"
#include <spinney/train.h>

/* What a training inside a sweep has besides its options. */
typedef struct spn_train_extras {
    const spn_keeper *keeper; /* may be NULL */
    double pause;             /* seconds between checkpoints, at least */
} spn_train_extras;

/* spn_train_run with extras, which may be NULL. */
spn_status spn_train_run_with(spn_train_result *out, const spn_train_options *options,
                              const spn_train_data *data, const spn_train_extras *extras,
                              spn_error *err);

/* Two splits make two parts each, the subset one; binarisation may copy a borrowed test part. */
enum { SPN_TRAIN_OWNED = 6 };

/* The parts that a training works with. What had to be made is owned; the rest is borrowed. */
typedef struct spn_train_parts {
    const char *name;
    const spn_dataset *train, *validation, *test; /* the last two may be NULL */
    spn_dataset *owned[SPN_TRAIN_OWNED];
    size_t owned_count;
    spn_preprocess preprocess; /* as fitted */
    spn_scaling *scaling;
    double logit_scale; /* as it is used */
} spn_train_parts;

spn_status spn_train_parts_make(spn_train_parts *out, const spn_train_options *options,
                                const spn_train_data *data, spn_error *err);
void spn_train_parts_clear(spn_train_parts *parts);

/* All that determines the result, as lines "name value\n" whose values are JSON; to be freed. NULL
   when there is no memory. Threads, checkpoints and times are not among them. */
char *spn_train_settings(const spn_train_options *options, const spn_train_parts *parts);

/* Fill scores, centre, best, overlap and model of a result from the state of a chain. */
spn_status spn_train_score_all(spn_train_result *result, const spn_train_options *options,
                               const spn_train_parts *parts, const spn_snapshot *snapshot,
                               const char *settings, spn_error *err);

/* The manifest of a model: JSON text, to be freed; NULL when there is no memory. */
char *spn_train_manifest(const spn_train_result *result, const spn_train_options *options,
                         const spn_train_parts *parts, const char *settings);

#endif
