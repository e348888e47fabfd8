/* What a built-in energy is: its kind, defined in its own file and listed in registry.c. */
#ifndef SPN_ENERGY_CREATE_H
#define SPN_ENERGY_CREATE_H

#include "base/try.h"
#include "core/energy.h"
#include "data/problem.h"

#include <spinney/energies.h>

/* Define the kind NAME, which registry.c lists under that word. */
#define SPN_ENERGY_KIND(NAME)                                                                      \
    extern const spn_energy_kind spn_kind_##NAME;                                                  \
    const spn_energy_kind spn_kind_##NAME

enum { SPN_USUAL_UNITS = 3 }; /* hidden units of a committee */

/* ---- penalty.c ---- */

/* base: owned by the new energy, which frees it; but not on failure. row: spins of a class; they
   divide those of base. features: groups of a class, at the start of its row. copies: spins of a
   group, 1 to 32767, side by side. strength: finite, at least 0. Errors: ARGUMENT, MEMORY. */
spn_status spn_penalty_create(spn_energy **out, spn_energy *base, size_t row, size_t features,
                              size_t copies, double strength, spn_error *err);

#endif
