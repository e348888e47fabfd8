/* An energy that holds states at a distance from a centre: E plus a price for each flip by which a
   state is nearer or farther. */
#ifndef SPN_ANALYSIS_SHELL_H
#define SPN_ANALYSIS_SHELL_H

#include "core/energy.h"

/* Borrows the energy and the N spins of the centre: free out, with spn_energy_free, before them.
   distance: in flips. price: per flip; a number of few bits keeps sums with E exact. A change costs
   O(1) more than one of the energy. Errors: MEMORY. */
spn_status spn_shell_create(spn_energy **out, const spn_energy *energy, const int8_t *centre,
                            size_t distance, double price, spn_error *err);

#endif
