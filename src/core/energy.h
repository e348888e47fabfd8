/* The slots of an energy as the chain calls them: resolved once, never NULL. */
#ifndef SPN_CORE_ENERGY_H
#define SPN_CORE_ENERGY_H

#include <spinney/energy.h>

/* The ops of energy with the slow defaults put where slots are missing. */
spn_energy_ops spn_energy_resolve(const spn_energy *energy);

#endif
