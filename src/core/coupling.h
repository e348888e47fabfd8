/* The change of the coupling H_gamma by one flip, from a table while gamma is constant. */
#ifndef SPN_CORE_COUPLING_H
#define SPN_CORE_COUPLING_H

#include <assert.h>
#include <spinney/sampler.h>
#include <stdlib.h>

/* H after a flip minus H before, for each sum s at the site before the flip and each spin: at 2 s
   + (spin > 0) from the middle of the table. */
typedef struct spn_coupling {
    double gamma;
    size_t replicas;
    double change[4 * SPN_MAX_REPLICAS + 2];
} spn_coupling;

static inline double spn_coupling_look_up(const spn_coupling *coupling, int sum, int spin)
{
    /* a sum of y spins has the parity of y and, with `spin` among them, is not at the other end */
    assert(abs(sum) <= (int)coupling->replicas && (sum - (int)coupling->replicas) % 2 == 0);
    assert((spin == 1 || spin == -1) && sum != -spin * (int)coupling->replicas);
    return coupling->change[2 * (sum + SPN_MAX_REPLICAS) + (spin > 0)];
}

/* Fill the table for gamma. O(y). */
void spn_coupling_set(spn_coupling *coupling, double gamma, size_t replicas);

/* Fill the table with the largest change for every gamma from low to high; the change is monotonic
   in gamma. If high is infinite: more than any change. O(y). */
void spn_coupling_bound(spn_coupling *coupling, double low, double high, size_t replicas);

/* The same change without a table, for a gamma that differs at every step. */
double spn_coupling_change(double gamma, int sum, int spin);

#endif
