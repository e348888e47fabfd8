/* A penalty on large weights, added to the energy of a classifier: its spins are rows, one for each
   class, of groups of `copies` spins that weigh the same feature, and the rest of a row that is not
   penalised. With v the sum of the spins of a group the energy is

     E = E_base + strength * sum over groups of v^2

   For one copy v^2 is always 1, and the penalty a constant. */
#ifndef SPN_ENERGY_PENALTY_H
#define SPN_ENERGY_PENALTY_H

#include "core/energy.h"

/* base: owned by the new energy, which frees it; but not on failure. row: spins of a class; they
   divide those of base. features: groups of a class, at the start of its row. copies: spins of a
   group, 1 to 32767, side by side. strength: finite, at least 0. Errors: ARGUMENT, MEMORY. */
spn_status spn_penalty_create(spn_energy **out, spn_energy *base, size_t row, size_t features,
                              size_t copies, double strength, spn_error *err);

#endif
