/* product: 1 minus the product of Theta(x), Theta(0) = 0: whether all patterns are right. */
#include "energy/perceptron.h"

spn_status spn_product_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_perceptron_create(out, problem, "product", SPN_RULE_PRODUCT, true, err);
}
