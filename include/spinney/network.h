/* The energy `network`: mean cross-entropy over a training set of a K-class network with one hidden
   layer of H sign units, every weight of which is a spin.

   Inputs x_i are bytes: bits, such as pixels made binary or a thermometer's, or small whole
   numbers. Unit j has the sum a_j = sum_i W_ji x_i + sum_m W_j,D+m over D inputs and n weights of a
   constant input of 1, and the sign h_j = +1 if a_j >= 0, else -1; the logits are z_k = s (sum_j
   V_kj h_j + sum_m V_k,H+m) with the logit scale s. Spin j*(D+n) + i is W_ji; after those, spin
   k*(H+m) + j is V_kj: N = H*(D+n) + K*(H+m) spins. */
#ifndef SPINNEY_NETWORK_H
#define SPINNEY_NETWORK_H

#include <spinney/dataset.h>
#include <spinney/energy.h>
#include <spinney/faults.h>

SPN_BEGIN_C

enum { SPN_MOST_HIDDEN = 16384 };

/* The largest logit scale with faults. */
#define SPN_MOST_FAULTY_SCALE 2.0
#define SPN_MOST_MARGIN 100.0

/* Start from spn_network_options_defaults(). */
typedef struct spn_network_options {
    size_t size;        /* of this struct */
    size_t hidden;      /* H, 1 to SPN_MOST_HIDDEN (64) */
    size_t hidden_bias; /* n, weights of each unit on a constant input of 1 (0) */
    size_t bias;        /* m, weights of each class on a constant input of 1 (0) */
    double logit_scale; /* s, positive and finite (1) */
    /* K of them, as for spn_softmax_options (NULL: all 1); if samples have weights of their own,
       a change takes a logarithm for each sample that it concerns, and an accepted one O(M) */
    const double *class_weights;
    /* p, 0 to SPN_MOST_FAULTS: each unit is the mean of its sign if each of its weights is flipped
       with this probability; 0: the sign itself (0) */
    double faults;
    spn_fault_model fault_model; /* what faults do to weights; not rows (flips) */
    /* b, 0 to SPN_MOST_MARGIN and 16384 s: with faults, the logit of the label counts as b less, so
       that it has to win by more; rounded to s 2^-14 (0) */
    double margin;
    /* With faults: an input x is a sum of x bits that fail one by one, whose weights are tied, so
       that sigma has x in place of x^2; 1: yes (0) */
    size_t tied;
} spn_network_options;

SPN_DEFAULTS(spn_network_options, spn_network_options_defaults, o.hidden = 64, o.logit_scale = 1)

/* Make the energy of a labelled training set of bytes, which is copied. The inputs of any sample
   add up to at most 32767 - n.

   Memory, M samples: bits take M*D/8 bytes in the energy, other bytes M*D; each replica's cache
   about M*(2H + 3H/8 + 6K + 12). spn_network_memory gives both before anything is made.

   Time of a change of W_ji: a scan of M bits, and a few nanoseconds for each sample whose unit j
   changes sign, about 1% of them; of V_kj: O(M). An accepted change of W_ji: O(M), of V_kj O(M K).

   Units that expect faults (faults > 0) are h_j = erf(a_j / (sqrt 2 sigma)) with sigma^2 = 4 p
   (1-p) sum_i x_i^2 / (1-2p)^2: the mean of the sign in the normal approximation, rounded to 2^-14.
   With another fault model (<spinney/faults.h>) a_j is first moved by drift/keep sum_i x_i, rounded
   to a whole number, and sigma^2 = variance sum_i x_i^2 / keep^2; the drift of V moves all logits
   alike, so it does not count. A sample without inputs has h_j = 0. The flip of a W_ji is then a
   sum over M bits, and an accepted one O(samples with x_i > 0); propose the weights of a unit one
   after the other (sequential order), since the first costs O(M K). The cache is about M*(2H + 4K +
   22) bytes. A change is within (1 + 4s) 1e-6/M for each sample that it concerns. The logit scale
   is at most SPN_MOST_FAULTY_SCALE.

   Without faults, sums and logits are integers, and what is kept of a sample is a function of its
   logits alone, so nothing drifts: the energy is a function of the spins, bit for bit, on every
   machine. A change is within 1e-6/M for each sample that it concerns of the exact one. Errors:
   ARGUMENT (what is out of its range; a dataset of real numbers), MEMORY. */
SPN_API spn_status spn_network_create(spn_energy **out, const spn_dataset *train,
                                      const spn_network_options *options, spn_error *err);

/* N for data of this many inputs and classes; 0 if that is 2^32 or more. */
SPN_API size_t spn_network_sites(size_t inputs, size_t classes, const spn_network_options *options);

/* The least number of bytes that an energy of this many samples takes: *shared once, *each for
 * every replica.
 */
SPN_API void spn_network_memory(uint64_t *shared, uint64_t *each, size_t samples, size_t inputs,
                                size_t classes, const spn_network_options *options);

SPN_END_C
#endif
