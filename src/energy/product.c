/* product: 1 minus the product of Theta(x/sqrt(N) - kappa), Theta(0) = 0: whether all patterns are
   right. */
#include "energy/perceptron.h"

spn_status spn_product_create_at(spn_energy **out, const spn_problem *problem, double kappa,
                                 spn_error *err)
{
    const spn_perceptron_demand demand = {
        .name = "product", .rule = SPN_RULE_PRODUCT, .kappa = kappa, .ties_wrong = true};
    return spn_perceptron_create(out, problem, &demand, err);
}

spn_status spn_product_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_product_create_at(out, problem, 0, err);
}
