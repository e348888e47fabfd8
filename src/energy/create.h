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

#endif
