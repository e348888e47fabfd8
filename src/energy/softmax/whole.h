/* Softmax in whole numbers, for devices: the same bits everywhere.

   Let u be the logit of a flip by 1 of a byte, 2 slope. Logit k of a sample is kept as the sum U_k
   of the bytes whose weight is +1, in units of u, and the logarithm of the sum of the exponentials,
   L, in steps of u / 2^shift; both as 32-bit words that wrap around. Less `offset` of the class,
   the sum of the origins of the weights +1, the distance L - (U_k << shift) + offset_k is below
   2^32 steps for every sample: below 2^31 at each rebuild, which is checked, and a window cannot
   add as much. e to the minus distance is the class's share p. The loss of a sample is the distance
   of its label, a whole number; the energy is their sum, exactly.

   A flip that multiplies the share by g changes L by log2(1 + p (g - 1)): a trial adds the
   logarithms of products of WHOLE_ITEM such factors in 2^-WHOLE_FRACTION, a commit adds each to its
   L, rounded. As L falls its error grows by as much, so once it is 3 powers of 2 below the highest
   since it was computed (its depth), it is computed anew from the U_k; and after WHOLE_WINDOW
   commits all are, as in attach: a function of the spins alone. */
#ifndef SPN_ENERGY_SOFTMAX_WHOLE_H
#define SPN_ENERGY_SOFTMAX_WHOLE_H

#include "energy/softmax/softmax.h"
#include <math.h>

/* The loss if a logit is too far below another: about 800. */
#define SPN_WHOLE_FAR INT64_MIN

enum { SPN_WHOLE_GAINS = 512 }; /* g - 1 of 256 bytes if the weight falls, and if it rises */

typedef struct spn_whole {
    spn_energy base;      /* on the processor, plainly */
    spn_softmax *softmax; /* the data: byte columns in the natural order */
    unsigned shift;
    float bits, per_step; /* a step in powers of 2, and 1 over it */
    double step;          /* of a loss */
    double bit;           /* of a sum of logarithms */
    uint32_t *origin;     /* D: in steps */
    int64_t *label;       /* K*D: what weight +1 instead of -1 adds to the labels' logits, steps */
    float *gains;         /* SPN_WHOLE_GAINS each gain_step */
    size_t gain_step;     /* SPN_WHOLE_GAINS, or 0: the same for all features */
} spn_whole;

/* Errors: ARGUMENT (data that do not fit: real features, weights, scales that differ, faults, flips
   that change a logit by more than 8, sums too large), MEMORY. */
spn_status spn_whole_create(spn_whole **out, const spn_dataset *train, const spn_scaling *scaling,
                            const spn_softmax_options *options, spn_error *err);
void spn_whole_free(spn_whole *whole);

/* The energy of a sum of losses. */
static inline double spn_whole_value(const spn_whole *w, int64_t loss)
{
    if (loss == SPN_WHOLE_FAR)
        return NAN;
    return (double)loss * w->step / (double)w->softmax->samples;
}

#endif
