/* ising: E = sum J_ij s_i s_j + sum h_i s_i, the convention of the common QUBO tools; a line `i i
   h` is a field, and couplings listed twice add up. */
#include "energy/quadratic.h"

spn_status spn_ising_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    spn_status status = spn_quadratic_check(problem, "ising", SPN_VARIABLES_BINARY, err);
    if (status)
        return status;
    spn_quadratic_terms *terms = spn_quadratic_begin(problem->sites, problem->count);
    for (size_t e = 0; terms && e < problem->count; e++) {
        const spn_edge *edge = &problem->edges[e];
        if (edge->i == edge->j)
            spn_quadratic_field(terms, edge->i, edge->weight);
        else
            spn_quadratic_edge(terms, edge->i, edge->j, edge->weight);
    }
    if (terms)
        spn_quadratic_constant(terms, problem->offset);
    return spn_quadratic_finish(out, terms, "ising", spn_quadratic_all_integers(problem), err);
}
