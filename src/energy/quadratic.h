/* What ising, qubo and maxcut share: E = offset + sum h_i s_i + sum J_ij s_i s_j on a sparse graph.

   Couplings are kept as integer multiples of a unit 2^-k, the finest for which every energy is an
   exact double. Integer and dyadic couplings are then exact, others are rounded to about 2^-52 of
   the sum of all sizes; and no sequence of flips ever accumulates an error. */
#ifndef SPN_ENERGY_QUADRATIC_H
#define SPN_ENERGY_QUADRATIC_H

#include "energy/create.h"

typedef struct spn_quadratic_terms spn_quadratic_terms;

/* Collect terms for an energy of `sites` spins; NULL when memory cannot be had. */
spn_quadratic_terms *spn_quadratic_begin(size_t sites, size_t most_edges);

/* Add to the offset, to h_i, to J_ij (i != j). No more edges than announced. */
void spn_quadratic_offset(spn_quadratic_terms *terms, double value);
void spn_quadratic_field(spn_quadratic_terms *terms, size_t i, double value);
void spn_quadratic_edge(spn_quadratic_terms *terms, size_t i, size_t j, double value);

/* Add to a constant that is kept apart from the units and added to every energy last, so that an
   offset such as 0.1 costs neither the exactness nor the speed of integer couplings. */
void spn_quadratic_constant(spn_quadratic_terms *terms, double value);

/* Build the energy and free the terms, which may be NULL (that is reported). `integral` says
   whether all its values are integers. */
spn_status spn_quadratic_finish(spn_energy **out, spn_quadratic_terms *terms, const char *name,
                                bool integral, spn_error *err);

/* Fail where a file said of its variables that they are not those of the energy, such as a .qubo
   file given to ising: its numbers would mean something else. */
spn_status spn_quadratic_check(const spn_problem *problem, const char *name, spn_variables refused,
                               spn_error *err);

/* Whether every weight of a problem is an integer. */
bool spn_quadratic_all_integers(const spn_problem *problem);

#endif
