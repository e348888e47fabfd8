/* Certificates of a classifier with one-bit weights: for each sample, the least number of weights
   that must flip until its class changes. No choice of fewer flips changes it. */
#ifndef SPINNEY_CERTIFICATE_H
#define SPINNEY_CERTIFICATE_H

#include <spinney/softmax.h>

SPN_BEGIN_C

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
