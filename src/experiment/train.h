/* Training from inside: its parts of the data, its settings, its scores. */
#ifndef SPN_EXPERIMENT_TRAIN_H
#define SPN_EXPERIMENT_TRAIN_H

#include <spinney/train.h>

/* The parts that a training works with. What had to be made is owned; the rest is borrowed. */
typedef struct spn_train_parts {
    const char *name;
    const spn_dataset *train, *validation, *test; /* the last two may be NULL */
    spn_dataset *owned[6];
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
