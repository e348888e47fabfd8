/* symmetric: the number of patterns with |x|/sqrt(N) > kappa; labels do not matter. */
#include "energy/perceptron.h"

spn_status spn_symmetric_create_at(spn_energy **out, const spn_problem *problem, double kappa,
                                   spn_error *err)
{
    const spn_perceptron_demand demand = {
        .name = "symmetric", .rule = SPN_RULE_ERRORS, .kappa = kappa, .window = true};
    return spn_perceptron_create(out, problem, &demand, err);
}

spn_status spn_symmetric_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_symmetric_create_at(out, problem, 1, err);
}
