/* What a run counts to say whether it was annealed: the proposals, accepted moves and accepted
   uphill moves of each sixteenth of its schedules' way, a slice. Blocks of steps never cross the
   border of a slice, so that the counts do not depend on who looks when. */
#ifndef SPN_CHAIN_HEALTH_H
#define SPN_CHAIN_HEALTH_H

#include "chain/parts.h"

enum { SPN_SLICES = 16 };

typedef struct spn_slice {
    uint64_t proposals, accepted, uphill;
} spn_slice;

typedef struct spn_health_log {
    spn_slice slices[SPN_SLICES];
    uint64_t still;   /* proposals in the whole slices, up to now, that changed no energy */
    double *energies; /* of the replicas when the current slice began */
} spn_health_log;

/* The slice of a step, and the steps until it ends; 0 and UINT64_MAX without end. */
size_t spn_slice_at(spn_way now);
uint64_t spn_slice_left(spn_way now);

/* The change of an energy that counts as none: rounding errors, and tails that are as good as flat.
 */
static inline double spn_energy_grain(double energy)
{
    return (energy < 0 ? -energy : energy) * 0x1p-30;
}

/* Add the counts of a block to its slice. If that makes the slice whole, see whether it changed an
   energy. */
void spn_health_add(spn_health_log *log, size_t slice, spn_slice counts, bool whole,
                    const double *energies, size_t replicas);

/* Add the counts of another run with the same schedules. */
void spn_slices_add(spn_slice *sums, const spn_slice *more);

/* The verdict on the SPN_SLICES sums of one run or of many. complete: one of them went all the way.
 */
spn_health spn_slices_verdict(const spn_slice *sums, const spn_schedule *beta, bool complete);

#endif
