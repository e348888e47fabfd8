/* How well weights have learnt a teacher's rule: the probability that they give a fresh random
   pattern of +-1 the label that the teacher gives it, and their overlap with the teacher. Of a
   perceptron, or of a committee (<spinney/energies.h>), whose sign is +1 at 0. */
#ifndef SPINNEY_GENERALISATION_H
#define SPINNEY_GENERALISATION_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

SPN_BEGIN_C

/* Start from spn_generalisation_defaults(). */
typedef struct spn_generalisation_options {
    size_t size;           /* of this struct */
    size_t sites;          /* weights of a state, and of the teacher */
    size_t units;          /* hidden units of both, odd, a divisor of sites (1) */
    bool tree;             /* each unit sees its own share of the inputs */
    const int8_t *teacher; /* +1 or -1 */
    size_t patterns;       /* fresh patterns, 1 or more (16384) */
    uint64_t seed;         /* that they are drawn from */
} spn_generalisation_options;

SPN_DEFAULTS(spn_generalisation_options, spn_generalisation_defaults, o.units = 1,
             o.patterns = 16384)

typedef struct spn_generalisation {
    double mean;           /* of the states: the share of the patterns labelled as by the teacher */
    double standard_error; /* of that mean, over the draw of the patterns; 0 if exact */
    double vote;           /* the share that the majority of the states labels so; +1 at a tie */
    size_t patterns;       /* that were looked at */
    bool exact;            /* these are all patterns that there are */
} spn_generalisation;

/* Measure it for `count` states of `sites` weights each. If there are no more than
   options->patterns patterns in all, each is used once, and the result is exact. The same seed and
   shape give the same fresh patterns. each: of each state; may be NULL.
   Cost: patterns times (count + 1) times sites/64. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_generalisation_measure_sized(spn_generalisation *out, size_t size,
                                                    double *each, const int8_t *states,
                                                    size_t count,
                                                    const spn_generalisation_options *options,
                                                    spn_error *err);
static inline spn_status spn_generalisation_measure(spn_generalisation *out, double *each,
                                                    const int8_t *states, size_t count,
                                                    const spn_generalisation_options *options,
                                                    spn_error *err)
{
    return spn_generalisation_measure_sized(out, sizeof *out, each, states, count, options, err);
}

/* The scalar product of a state and the teacher over N. The units of a fully connected committee
   can be in any order: they are matched greedily, the two of the largest product first, then the
   next two of those left. (The best matching can be better.) Only the options sites, units, tree
   and teacher matter. O(units sites + units^3). Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_teacher_overlap(double *out, const int8_t *state,
                                       const spn_generalisation_options *options, spn_error *err);

SPN_END_C
#endif
