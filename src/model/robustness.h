/* Robustness of any classifier whose weights are spins. */
#ifndef SPN_MODEL_ROBUSTNESS_H
#define SPN_MODEL_ROBUSTNESS_H

#include <spinney/robustness.h>

/* What is flipped, and how its right answers are counted. */
typedef struct spn_flip_target {
    const void *context;
    /* The right answers among the samples with these weights. Called from several threads. */
    spn_status (*correct)(size_t *out, const void *context, const int8_t *weights, spn_error *err);
    const int8_t *weights; /* of the replicas, one after the other */
    size_t replicas, sites, samples;
} spn_flip_target;

/* A softmax classifier on data; both are borrowed. */
typedef struct spn_softmax_target {
    const spn_softmax_model *model;
    const spn_dataset *data;
} spn_softmax_target;

spn_flip_target spn_flip_target_softmax(const spn_softmax_target *target, size_t replicas);

/* spn_robustness_measure for any target. */
spn_status spn_robustness_of(spn_robustness *out, const spn_flip_target *target, double p,
                             const spn_robustness_options *options, spn_error *err);

#endif
