/* errors: the number of patterns with stability x/sqrt(N) < kappa. */
#include "energy/perceptron.h"

spn_status spn_errors_create_at(spn_energy **out, const spn_problem *problem, double kappa,
                                spn_error *err)
{
    const spn_perceptron_demand demand = {
        .name = "errors", .rule = SPN_RULE_ERRORS, .kappa = kappa};
    return spn_perceptron_create(out, problem, &demand, err);
}

spn_status spn_errors_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_errors_create_at(out, problem, 0, err);
}
