/* The local energy profile: the mean energy at Hamming distance d from a configuration. In a wide
   valley it rises slowly. Any energy; measured by random walks that flip each site at most once. */
#ifndef SPINNEY_PROFILE_H
#define SPINNEY_PROFILE_H

#include <spinney/energy.h>

SPN_BEGIN_C

/* Start from spn_profile_defaults(). */
typedef struct spn_profile_options {
    size_t size;             /* of this struct */
    size_t walks;            /* 1 or more (1) */
    uint64_t seed;           /* walk w draws from the stream of run w */
    size_t count;            /* distances at which the energy is taken */
    const size_t *distances; /* increasing, 0 to N */
} spn_profile_options;

SPN_DEFAULTS(spn_profile_options, spn_profile_defaults, o.walks = 1)

/* mean[k]: the mean energy over the walks at distances[k]; half[k]: half the width of its 95%
   interval over the walks (Student's t; NaN for one walk). Either may be NULL.
   Cost: walks times the largest distance, times a flip. Errors: ARGUMENT, MEMORY, ENERGY. */
SPN_API spn_status spn_profile_measure(double *mean, double *half, const spn_energy *energy,
                                       const int8_t *spins, const spn_profile_options *options,
                                       spn_error *err);

SPN_END_C
#endif
