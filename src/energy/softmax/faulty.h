/* The energy of a linear classifier whose weights will fail: the mean chance of a wrong answer
   under faults.

   With a share p of faults, logit k of a sample has the mean keep z_k (and a drift that all classes
   share) and the variance v sum_i x_i^2, so that class y is ahead of class k with probability
   Phi(keep (z_y - z_k) / sqrt(2 v sum x^2)), which a logistic function of 1.702 times as much
   follows to 0.01. So the chance of a right answer is taken to be the softmax of slope z, with
   slope = 1.702 keep / sqrt(2 v sum x^2) of each sample.

   Inputs are rounded to whole numbers of 16 bits, so logits are integers; what is kept of a sample
   is a function of its logits alone, in floats that are the same on every machine, and losses are
   added as integers. */
#ifndef SPN_ENERGY_SOFTMAX_FAULTY_H
#define SPN_ENERGY_SOFTMAX_FAULTY_H

#include "base/machine.h"
#include <spinney/softmax.h>

typedef struct spn_faulty_loops {
    /* The shares of the classes and the loss, 1 less the share of `label`, of `count` positions:
       class k at k * stride. */
    void (*settle)(float *share, float *loss, const int32_t *logits, size_t stride,
                   uint32_t classes, uint32_t label, const float *slope, size_t count);
    /* The sum of worth times the change of the loss, rounded, if the logits of a class with these
       shares rise by `by` times the inputs. own: the class is the label. */
    int64_t (*change)(const int16_t *inputs, int by, const float *share, const float *loss,
                      const float *slope, const float *worth, bool own, size_t count);
    int64_t (*sum)(const float *loss, const float *worth, size_t count);
} spn_faulty_loops;

/* The energy of `train`, for options with faults, by an instruction set. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_faulty_create_by(spn_energy **out, const spn_dataset *train,
                                const spn_scaling *scaling, const spn_softmax_options *options,
                                spn_isa isa, spn_error *err);

#endif
