/* qubo: E = sum Q_ij x_i x_j with x = (1+s)/2, over the listed entries. Entries listed twice, or as
   i j and j i, add up. */
#include "energy/quadratic.h"

spn_status spn_qubo_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    spn_status status = spn_quadratic_check(problem, "qubo", SPN_VARIABLES_SPIN, err);
    if (status)
        return status;
    spn_quadratic_terms *terms = spn_quadratic_begin(problem->sites, problem->count);
    for (size_t e = 0; terms && e < problem->count; e++) {
        const spn_edge *edge = &problem->edges[e];
        if (edge->i == edge->j) { /* x^2 = x = (1+s)/2 */
            spn_quadratic_offset(terms, edge->weight / 2);
            spn_quadratic_field(terms, edge->i, edge->weight / 2);
        } else { /* (1+s)(1+s')/4 */
            spn_quadratic_offset(terms, edge->weight / 4);
            spn_quadratic_field(terms, edge->i, edge->weight / 4);
            spn_quadratic_field(terms, edge->j, edge->weight / 4);
            spn_quadratic_edge(terms, edge->i, edge->j, edge->weight / 4);
        }
    }
    if (terms)
        spn_quadratic_constant(terms, problem->offset);
    return spn_quadratic_finish(out, terms, "qubo", spn_quadratic_all_integers(problem), err);
}
