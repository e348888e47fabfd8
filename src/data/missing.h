/* Missing values of arrays while they are read. */
#ifndef SPN_DATA_MISSING_H
#define SPN_DATA_MISSING_H

#include "data/dataset.h"

typedef struct spn_gaps {
    spn_missing how;
    const double *fills; /* one for each feature, where they are known */
    size_t missing;      /* how many */
    size_t nan;          /* of these, those that are left to be filled in */
    size_t first_sample, first_feature;
} spn_gaps;

/* As the options say, or the recipe in them. */
spn_gaps spn_gaps_of(const spn_read_options *options, size_t features);

/* Count a missing value, and say what stands in its place: NaN where that is not known yet. */
double spn_gaps_value(spn_gaps *gaps, size_t sample, size_t feature);

/* Whether there are some, and none may be. */
bool spn_gaps_refused(const spn_gaps *gaps);

/* What to do about them, for an error. */
const char *spn_gaps_remedy(char *out, size_t size, const spn_gaps *gaps);

#endif
