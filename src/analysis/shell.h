/* An energy that holds the states at a distance of a centre: E plus a price for each flip by which
   a state is more than some flips nearer or farther than that distance. */
#ifndef SPN_ANALYSIS_SHELL_H
#define SPN_ANALYSIS_SHELL_H

#include "core/energy.h"

typedef struct spn_shell {
    const spn_energy *energy; /* borrowed, like */
    const int8_t *centre;     /* N spins */
    size_t distance;          /* flips */
    double price;             /* of a flip too far; one of few bits keeps sums with E exact */
} spn_shell;

/* out: free it with spn_energy_free, before what is borrowed. Each change costs O(1) more than
   one of the energy. Errors: MEMORY. */
spn_status spn_shell_create(spn_energy **out, const spn_shell *shell, spn_error *err);

#endif
