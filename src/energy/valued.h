/* errors, product and symmetric of patterns with real values. */
#ifndef SPN_ENERGY_VALUED_H
#define SPN_ENERGY_VALUED_H

#include "energy/perceptron.h"

/* problem: of patterns with values. Errors: ARGUMENT, for bits, which counts flips that are worth
   the same in all patterns, and for kappa beyond sqrt(N); MEMORY. */
spn_status spn_valued_create(spn_energy **out, const spn_problem *problem,
                             const spn_perceptron_demand *demand, spn_error *err);

#endif
