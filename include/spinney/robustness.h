/* Robustness of a classifier with one-bit weights: its accuracy if some weights are flipped at
   random, with a confidence interval. */
#ifndef SPINNEY_ROBUSTNESS_H
#define SPINNEY_ROBUSTNESS_H

#include <spinney/faults.h>
#include <spinney/softmax.h>

SPN_BEGIN_C

typedef enum spn_flip_mode {
    SPN_FLIP_INDEPENDENT = 0, /* each of the N weights with probability p */
    SPN_FLIP_EXACT,           /* round(p N) weights, drawn without repetition */
    SPN_FLIP_DRAWS /* flip a random weight round(p N) times: a weight drawn twice is as before,
                      so a share of about (1 - exp(-2p))/2 is flipped */
} spn_flip_mode;

SPN_NAMES(spn_flip_mode) /* "independent", "exact", "draws" */

/* Start from spn_robustness_defaults(). */
typedef struct spn_robustness_options {
    size_t size; /* of this struct */
    spn_flip_mode mode;
    unsigned threads; /* 1 or more (1); never changes a result */
    size_t trials; /* spread evenly over the replicas: two for each, up to 2^32-1 in all (1000) */
    uint64_t seed; /* (1) */
    /* Flip only weights first .. first + count - 1 of each classifier, such as those of a layer, or
       of each member of a vote; N is then count, or votes * count (0 and 0: all) */
    size_t first, count;
    spn_fault_model faults; /* what happens to chosen weights; p is the share chosen. With rows, N
                               counts rows; draws need flips of weights or rows (flips) */
} spn_robustness_options;

SPN_DEFAULTS(spn_robustness_options, spn_robustness_defaults, o.threads = 1, o.trials = 1000,
             o.seed = 1)

/* The accuracy at one p, a fraction. */
typedef struct spn_robustness {
    double p;
    double mean; /* over the trials of each replica, then over the replicas */
    double low;  /* 95% confidence interval of that mean over all ways to flip these replicas, by */
    double high; /* Student's t with a variance for each replica; not cut off at 0 or 1 */
    size_t trials;
} spn_robustness;

/* The accuracy under flipped weights.
   model: model->weights holds `replicas` classifiers, or votes, one after the other; trial t flips
   weights of replica t mod replicas, so that the cost does not grow with the replicas.
   data: labelled, preprocessed as the model expects.
   p: 0 to 1.
   A point depends only on the seed, p and the options: trial t of replica a draws from the stream
   of run t and replica a, under a key made from seed and p. If there is only one way to flip (none,
   or all), it is computed once, and low = mean = high.
   Errors: ARGUMENT, MEMORY. Cost: trials times that of spn_softmax_correct. */
SPN_API spn_status spn_robustness_measure_sized(spn_robustness *out, size_t size,
                                                const spn_softmax_model *model, size_t replicas,
                                                const spn_dataset *data, double p,
                                                const spn_robustness_options *options,
                                                spn_error *err);
static inline spn_status spn_robustness_measure(spn_robustness *out, const spn_softmax_model *model,
                                                size_t replicas, const spn_dataset *data, double p,
                                                const spn_robustness_options *options,
                                                spn_error *err)
{
    return spn_robustness_measure_sized(out, sizeof *out, model, replicas, data, p, options, err);
}

/* ---- any classifier whose weights are spins ---- */

/* What to flip, and how to count right answers; start from spn_flip_target_defaults(). Everything
   is borrowed. */
typedef struct spn_flip_target {
    size_t size; /* of this struct */
    const void *context;
    /* The right answers among the samples with these weights. Called from several threads. */
    spn_status (*correct)(size_t *out, const void *context, const int8_t *weights, spn_error *err);
    const int8_t *weights; /* of the replicas, one after the other */
    size_t replicas;       /* (1) */
    size_t sites, samples;
    /* The equal parts that each replica consists of, such as the members of a vote; `first` and
       `count` of the options are within each part (1) */
    size_t members;
    /* The rows of each part, for faults of rows: `units` rows of unit_row weights, then rows of
       `row` weights (0, 0 and 0: rows are not known) */
    size_t units, unit_row, row;
} spn_flip_target;

SPN_DEFAULTS(spn_flip_target, spn_flip_target_defaults, o.replicas = 1, o.members = 1)

/* Set what a target has of a model: its weights, sites, members and rows. */
static inline void spn_flip_target_shape(spn_flip_target *target, const spn_softmax_model *model)
{
    target->weights = model->weights;
    target->members = model->votes > 1 ? model->votes : 1;
    target->sites = target->members * spn_softmax_model_sites(model);
    target->units = model->hidden;
    target->unit_row = model->features + model->hidden_bias;
    target->row = (model->hidden ? model->hidden : model->features) + model->bias;
}

/* spn_robustness_measure for any target. */
SPN_API spn_status spn_robustness_of_sized(spn_robustness *out, size_t size,
                                           const spn_flip_target *target, double p,
                                           const spn_robustness_options *options, spn_error *err);
static inline spn_status spn_robustness_of(spn_robustness *out, const spn_flip_target *target,
                                           double p, const spn_robustness_options *options,
                                           spn_error *err)
{
    return spn_robustness_of_sized(out, sizeof *out, target, p, options, err);
}

/* ---- certificates: for each sample, the least number of weights that must flip until its class
   changes; no choice of fewer flips changes it ---- */

/* Which weights may flip. Linear classifiers have outputs alone. */
typedef enum spn_layers { SPN_LAYERS_ALL, SPN_LAYERS_HIDDEN, SPN_LAYERS_OUTPUT } spn_layers;

/* No number of flips changes the class. */
#define SPN_NEVER UINT32_MAX

/* out: for each sample the least number of flips that change the class that spn_softmax_evaluate
   predicts; classes: these predictions; may be NULL.

   A class c changes to k if and only if k's logit becomes larger than c's, or equal with k < c, and
   a flip in the rows of other classes does not help; so the least number for one k is exact, and
   the result is the smallest. In a linear classifier each flip of W_ci x_i > 0 or W_ki x_i < 0
   lowers c's lead by 2 |x_i|: take the largest. In a network, or a vote of networks, unit j gives c
   a lead of h_j (V_cj - V_kj). One flip of an output weight lowers that by 2, down to -2; turning
   the unit, by 4 if its lead is 2. A unit that one flip turns thus costs half of what the flips of
   its output weights do, and any other at least as much as these. (If only units may flip, those
   that the fewest flips turn come first.)

   Whole-number inputs (bits and networks) are exact, ties included. Real ones have rounded sums: a
   lead within 2^-36 of the largest sum that the sample allows counts as none, so that what is
   certified holds. Errors: ARGUMENT (as spn_softmax_evaluate; a vote of linear classifiers; hidden
   weights of a linear classifier), MEMORY. O(M (D log D + K D)); networks O(votes M H (D + K)). */
SPN_API spn_status spn_certify(uint32_t *out, uint32_t *classes, const spn_softmax_model *model,
                               const spn_dataset *data, spn_layers layers, spn_error *err);

SPN_END_C
#endif
