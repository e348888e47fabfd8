/* The energy `softmax`: mean cross-entropy over a training set of a K-class linear classifier whose
   weights are spins, and the scores of such a classifier on any data.

   Spin k*(D+n) + i is weight i of class k: N = K*(D+n) spins, of which the last n of a class are
   its bias, on a constant input of 1 (n = 0 by default). The logits of a sample x are
   z_k = s * (sum_i W_ki (x_i - shift_i)/scale_i + sum_j W_k,D+j) with the logit scale s. */
#ifndef SPINNEY_SOFTMAX_H
#define SPINNEY_SOFTMAX_H

#include <spinney/dataset.h>
#include <spinney/energy.h>
#include <spinney/faults.h>
#include <spinney/preprocess.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

/* How the energy is made; start from spn_softmax_options_defaults(). */
typedef struct spn_softmax_options {
    size_t size;        /* of this struct */
    double logit_scale; /* positive and finite (1) */
    size_t bias;        /* n (0) */
    /* K of them, positive and finite if the class occurs: the energy is then the weighted mean
       sum_n w_(label of n) loss_n / sum_n w_(label of n) (NULL: all 1). Weights that the samples
       of the data set have are multiplied with these; then all is in double precision. */
    const double *class_weights;
    /* p, 0 to SPN_MOST_FAULTS: the energy is the chance of a wrong answer if weights fail with this
       probability; 0: the cross-entropy (0) */
    double faults;
    spn_fault_model fault_model; /* what faults do to weights; not rows (flips) */
    /* Round each feature to 65,535 values, evenly spaced from its least to its largest, if no flip
       changes a logit by more than 12: the energy is that of the rounded features, in floats like
       that of bytes. A delta is many times as fast as in doubles, also with weights, which
       are rounded to floats. Flips of several copies of a feature (<spinney/encoding.h>) cost as
       much as one (SPN_MOVES_LEVELS) (0) */
    size_t rounded;
} spn_softmax_options;

SPN_DEFAULTS(spn_softmax_options, spn_softmax_options_defaults, o.logit_scale = 1)

/* Make the energy of a labelled training set. Everything is copied: train and scaling may be freed
   once this returns. scaling has train->features features. options: NULL for the defaults.

   Memory, M samples padded to a multiple of 64: bytes take M*D in the energy (a copy by columns)
   and about M*(8K + 9) in each replica's cache; doubles 8*M*D and M*(8K + 8). MNIST (60,000 x 784
   bytes) with three replicas: 47 MB of dataset, 47 MB of energy, 16 MB of caches.

   Time: attach O(M*K*D); delta O(M); commit O(M), for doubles O(M*K).

   Accuracy. With bytes, as long as no flip changes a logit by more than 12, the caches hold floats,
   rebuilt from exact integer logits at least every 64 accepted flips, so that nothing drifts; right
   after attach and after each rebuild they are a function of the spins alone, bit for bit. With d
   the largest change of a logit by any flip, a delta is then within 2^-24 (64 + 2048 e^d) of the
   exact one at worst; along an annealing on MNIST 2e-8 was usual and 1.3e-7 the largest seen.
   With doubles, or larger changes, everything is in double precision, and a delta is within 1e-9.
   The same machine gives the same bits each time, at any number of threads; machines with different
   instruction sets may differ within these bounds. With weights the
   bounds on a delta hold times the largest weight over the mean one, and bytes take up to 64*K
   positions more.

   With faults > 0 the energy is the mean over the samples of 1 - softmax(c W x)_label with c =
   1.702 keep / sqrt(2 variance sum_i x_i^2) of each sample (keep and variance of
   <spinney/faults.h>): the chance that another class is ahead if the logits are normal with the
   mean and variance that faults give them, in the logistic approximation. The logit scale does not
   matter. Inputs are rounded to 1/32767 of the largest (less with more than 16384 inputs); then the
   energy is a function of the spins bit for bit on every machine, and a change is within 1e-6 of
   the exact one. Memory 2*M*D bytes, and M*(8K + 4) in each cache; delta O(M), commit O(M*K).
   Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_softmax_create_as(spn_energy **out, const spn_dataset *train,
                                         const spn_scaling *scaling,
                                         const spn_softmax_options *options, spn_error *err);

/* The same with a logit scale alone. */
static inline spn_status spn_softmax_create(spn_energy **out, const spn_dataset *train,
                                            const spn_scaling *scaling, double logit_scale,
                                            spn_error *err)
{
    spn_softmax_options options = spn_softmax_options_defaults();
    options.logit_scale = logit_scale;
    return spn_softmax_create_as(out, train, scaling, &options, err);
}

/* The weights that make all classes count the same: M/(K M_k) for M_k samples of class k among M,
   K counting the classes that occur; 1 for one that does not. out: one for each class. Errors:
   ARGUMENT for data without labels. */
SPN_API spn_status spn_softmax_balance(double *out, const spn_dataset *train, spn_error *err);

/* A classifier; everything is borrowed. Start from spn_softmax_model_defaults(). */
typedef struct spn_softmax_model {
    size_t size;           /* of this struct */
    const int8_t *weights; /* classes * (features + bias), each -1 or +1 */
    uint32_t classes;
    size_t features;
    const spn_scaling *scaling;
    double logit_scale; /* (1) */
    size_t bias;        /* weights of a class on the constant input, after its others (0) */
    /* Not 0: features are bytes 0 and 1 that the scaling makes -1 and +1, as an encoding leaves
       them; logits are then s times whole numbers, so that equal ones are equal. (0) */
    size_t bits;
    /* H hidden units, each the sign of its sum, +1 at 0; the outputs see these (0: a linear
       classifier). Features are then bytes, seen as they are, so the scaling shifts by 0 and scales
       by 1; weights are H * (features + hidden_bias) of the units, one after the other, and then
       classes * (H + bias) of the outputs: <spinney/network.h>. (0) */
    size_t hidden;
    size_t hidden_bias; /* weights of a unit on the constant input, after its others (0) */
    /* weights holds this number of classifiers of this shape, one after the other, and logits are
       the sums of theirs, without division; 0 and 1: one (0) */
    size_t votes;
    /* The weights as bits instead, for spn_softmax_evaluate and _correct: 1 is +1, bit i mod 8 of
       byte i / 8 is weight i, and each classifier starts with a byte of its own; weights is then
       NULL (NULL) */
    const uint8_t *packed;
} spn_softmax_model;

SPN_DEFAULTS(spn_softmax_model, spn_softmax_model_defaults, o.logit_scale = 1)

/* The weights of one classifier: of all layers, and of one member of a vote. */
static inline size_t spn_softmax_model_sites(const spn_softmax_model *model)
{
    const size_t inputs = model->hidden ? model->hidden : model->features; /* of the outputs */
    return model->hidden * (model->features + model->hidden_bias) +
           model->classes * (inputs + model->bias);
}

/* What to compute besides loss and accuracy; each array is the caller's and may be NULL. Start from
   spn_softmax_details_defaults(). */
typedef struct spn_softmax_details {
    size_t size;           /* of this struct */
    bool ignore_labels;    /* as if the data had none (false) */
    uint64_t *confusion;   /* K*K counts: [label * K + predicted] */
    uint32_t *predictions; /* one per sample: the largest logit, the lowest class among equals */
    double *probabilities; /* K per sample */
    const double *class_weights; /* in, K: the loss is weighted by them, as an energy (NULL: not) */
} spn_softmax_details;

SPN_DEFAULTS(spn_softmax_details, spn_softmax_details_defaults, )

typedef struct spn_softmax_scores {
    double loss;     /* mean cross-entropy, weighted if samples are; NaN for data without labels */
    double accuracy; /* share predicted right; NaN for data without labels */
    size_t correct;
    /* NaN for data without labels, too: */
    double balanced_accuracy; /* mean over the classes that occur of the share predicted right */
    double
        macro_f1; /* mean over the classes that occur or are predicted of 2 TP/(2 TP + FP + FN) */
    double majority_accuracy; /* the share of the most frequent class: what a guess would get */
} spn_softmax_scores;

/* Loss, accuracy and details of a classifier on data. details may be NULL. O(M*K*D).
   Networks: O(votes*M*H*(D + K)), over 64 if the inputs are bits; they are bytes, or doubles
   that hold such numbers. Errors: ARGUMENT (features differ, a label out of range; of a network,
   more hidden units than SPN_MOST_HIDDEN, inputs that are no whole numbers from 0 to 255 or whose
   sum with hidden_bias exceeds 32767), MEMORY. */
SPN_API spn_status spn_softmax_evaluate_sized(spn_softmax_scores *out, size_t size,
                                              const spn_softmax_model *model,
                                              const spn_dataset *data,
                                              const spn_softmax_details *details, spn_error *err);
static inline spn_status spn_softmax_evaluate(spn_softmax_scores *out,
                                              const spn_softmax_model *model,
                                              const spn_dataset *data,
                                              const spn_softmax_details *details, spn_error *err)
{
    return spn_softmax_evaluate_sized(out, sizeof *out, model, data, details, err);
}

/* The number of samples predicted right, exactly spn_softmax_evaluate's, without the exponentials:
   about 1 ms for 10,000 images of MNIST and a linear classifier. For curves that try many weights.
 */
SPN_API spn_status spn_softmax_correct(size_t *out, const spn_softmax_model *model,
                                       const spn_dataset *data, spn_error *err);

SPN_END_C
#endif
