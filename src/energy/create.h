/* The create functions of the built-in energies, one per file. */
#ifndef SPN_ENERGY_CREATE_H
#define SPN_ENERGY_CREATE_H

#include "core/energy.h"
#include "data/problem.h"
#include <spinney/energies.h>

typedef spn_status spn_energy_creator(spn_energy **out, const spn_problem *problem, spn_error *err);

spn_energy_creator spn_errors_create, spn_product_create, spn_bits_create, spn_bits_strict_create;
spn_energy_creator spn_symmetric_create;
spn_energy_creator spn_committee_create, spn_committee_units_create;
spn_energy_creator spn_logistic_create, spn_logistic_steep_create;
spn_energy_creator spn_ising_create, spn_qubo_create, spn_maxcut_create;
spn_energy_creator spn_table_create, spn_distance_create;

/* The same at a threshold of the stabilities. */
typedef spn_status spn_threshold_creator(spn_energy **out, const spn_problem *problem, double kappa,
                                         spn_error *err);
spn_threshold_creator spn_errors_create_at, spn_product_create_at, spn_bits_create_at,
    spn_bits_strict_create_at, spn_symmetric_create_at;

/* The same of committees of so many units; 0: as many as are usual. */
enum { SPN_USUAL_UNITS = 3 };
typedef spn_status spn_committee_creator(spn_energy **out, const spn_problem *problem, size_t units,
                                         bool tree, spn_error *err);
spn_committee_creator spn_committee_create_of, spn_committee_units_create_of;

#endif
