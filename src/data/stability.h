/* What a threshold kappa asks of the stability x = label * <W, pattern> of a pattern of +1 and -1:
   an integer of the parity of N. The comparisons are those of x/sqrt(N) with kappa in doubles, so
   that where N is a square a stability that equals kappa counts as equal. */
#ifndef SPN_DATA_STABILITY_H
#define SPN_DATA_STABILITY_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

/* The stabilities that are right: least to most, both of the parity of N and within -N..N. */
typedef struct spn_stability {
    int64_t least, most;
} spn_stability;

/* x/sqrt(N) >= kappa, or, where ties are wrong, > kappa. Errors: ARGUMENT, where no pattern can be
   right, or none wrong. */
spn_status spn_stability_above(spn_stability *out, size_t sites, double kappa, bool ties_wrong,
                               spn_error *err);

/* |x|/sqrt(N) <= kappa. Errors: ARGUMENT, where no pattern can be right, or kappa is above sqrt(N).
 */
spn_status spn_stability_within(spn_stability *out, size_t sites, double kappa, spn_error *err);

#endif
