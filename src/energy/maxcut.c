/* maxcut: E = -(weight of the cut); an edge is cut when its ends have different spins. */
#include "energy/quadratic.h"

spn_status spn_maxcut_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    spn_status status = spn_quadratic_check(problem, "maxcut", SPN_VARIABLES_BINARY, err);
    if (status)
        return status;
    spn_quadratic_terms *terms = spn_quadratic_begin(problem->sites, problem->count);
    for (size_t e = 0; terms && e < problem->count; e++) {
        const spn_edge *edge = &problem->edges[e]; /* -w (1 - s s')/2 */
        spn_quadratic_offset(terms, -edge->weight / 2);
        spn_quadratic_edge(terms, edge->i, edge->j, edge->weight / 2);
    }
    if (terms)
        spn_quadratic_constant(terms, problem->offset);
    return spn_quadratic_finish(out, terms, "maxcut", spn_quadratic_all_integers(problem), err);
}
