/* Counts that show whether a run was annealed: proposals, accepted moves and accepted uphill moves
   in each slice, a sixteenth of the schedules. Blocks of steps never cross the border of a slice,
   so the counts do not depend on when somebody looks. */
#ifndef SPN_CHAIN_HEALTH_H
#define SPN_CHAIN_HEALTH_H

#include "chain/parts.h"

enum { SPN_SLICES = 16 };

typedef struct spn_slice {
    uint64_t proposals, accepted, uphill;
} spn_slice;

typedef struct spn_health_log {
    spn_slice slices[SPN_SLICES];
    uint64_t still;          /* proposals in the latest whole slices, which changed no energy */
    double *energies;        /* of the replicas at the start of the slice */
    double ends[SPN_SLICES]; /* mean energy of the replicas at the end of each whole slice */
    uint64_t downhill[SPN_SLICES]; /* accepted moves */
} spn_health_log;

/* The slice of a step, and the steps left in it; 0 and UINT64_MAX if the run has no end. */
size_t spn_slice_at(spn_way now);
uint64_t spn_slice_left(spn_way now);

/* Smaller changes of an energy count as none: rounding errors, and tails that are almost flat. */
static inline double spn_energy_grain(double energy)
{
    return (energy < 0 ? -energy : energy) * 0x1p-30;
}

/* Add the counts of a block to its slice. whole: the slice ends here, so check whether it changed
   an energy. */
void spn_health_add(spn_health_log *log, size_t slice, spn_slice counts, uint64_t downhill,
                    bool whole, const double *energies, size_t replicas);

/* Of a whole run: by how much the mean energy fell in the last eighth, if more than twice as many
   moves went down there as up. Then the run lags behind its schedules: in one that keeps up nearly
   as many go up while beta lowers the energy. Else 0. */
double spn_health_fall(const spn_health_log *log);

/* Add the counts of another run with the same schedules. */
void spn_slices_add(spn_slice *sums, const spn_slice *more);

/* The verdict on the SPN_SLICES sums of one or more runs. complete: one of them ran to its end. */
spn_health spn_slices_verdict(const spn_slice *sums, const spn_schedule *beta, bool complete);

#endif
