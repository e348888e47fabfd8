/* A penalty on large weights, added to the energy of a classifier: its spins are rows, one for each
   class, of groups of `copies` spins that weigh the same feature, and the rest of a row that is not
   penalised. With v the sum of the spins of a group the energy is

     E = E_base + strength * sum over groups of v^2

   For one copy v^2 is always 1, and the penalty a constant. */
#ifndef SPN_ENERGY_PENALTY_H
#define SPN_ENERGY_PENALTY_H

#include "core/energy.h"

typedef struct spn_penalty_groups {
    size_t row;      /* spins of a class */
    size_t features; /* groups of a class, at the start of its row */
    size_t copies;   /* spins of a group, 1 to 32767, side by side */
} spn_penalty_groups;

/* base: owned by the new energy, which frees it; but not on failure. Its sites are a multiple of
   row. strength: finite, at least 0. Errors: ARGUMENT, MEMORY. */
spn_status spn_penalty_create(spn_energy **out, spn_energy *base, const spn_penalty_groups *groups,
                              double strength, spn_error *err);

#endif
