/* Training from inside: its parts of the data, its settings, its scores. */
#ifndef SPN_OLD_TRAINING_INSIDE_H
#define SPN_OLD_TRAINING_INSIDE_H

#include "core/schedule.h"
#include "data/dataset.h"
#include "model/model.h"
#include "record/annealing.h"
#include "old/training.h"

/* What a training inside a sweep has besides its options. */
typedef struct xpn_train_extras {
    const spn_keeper *keeper; /* may be NULL */
    double pause;             /* seconds between checkpoints, at least */
} xpn_train_extras;

/* xpn_train_run with extras, which may be NULL. */
spn_status xpn_train_run_with(xpn_train_result *out, const xpn_train_options *options,
                              const xpn_train_data *data, const xpn_train_extras *extras,
                              spn_error *err);

/* Two splits make two parts each, the subset one; binarisation may copy a borrowed test part. */
enum { XPN_TRAIN_OWNED = 6 };

/* The parts that a training works with. What had to be made is owned; the rest is borrowed. */
typedef struct xpn_train_parts {
    const char *name;
    const spn_dataset *train, *validation, *test; /* the last two may be NULL */
    spn_dataset *owned[XPN_TRAIN_OWNED];
    size_t owned_count;
    spn_preprocess preprocess; /* as fitted */
    spn_scaling *scaling;
    double logit_scale; /* as it is used */
} xpn_train_parts;

spn_status xpn_train_parts_make(xpn_train_parts *out, const xpn_train_options *options,
                                const xpn_train_data *data, spn_error *err);
void xpn_train_parts_clear(xpn_train_parts *parts);

/* All that determines the result, as lines "name value\n" whose values are JSON; to be freed. NULL
   when there is no memory. Threads, checkpoints and times are not among them. */
char *xpn_train_settings(const xpn_train_options *options, const xpn_train_parts *parts);

/* Fill scores, centre, best, overlap and model of a result from the state of a chain. */
spn_status xpn_train_score_all(xpn_train_result *result, const xpn_train_options *options,
                               const xpn_train_parts *parts, const spn_snapshot *snapshot,
                               const char *settings, spn_error *err);

/* The manifest of a model: JSON text, to be freed; NULL when there is no memory. */
char *xpn_train_manifest(const xpn_train_result *result, const xpn_train_options *options,
                         const xpn_train_parts *parts, const char *settings);

#endif
