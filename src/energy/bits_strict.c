/* bits-strict: the flips needed to put each pattern right, x/sqrt(N) > kappa, summed; a tie is
   wrong. */
#include "energy/perceptron.h"

spn_status spn_bits_strict_create_at(spn_energy **out, const spn_problem *problem, double kappa,
                                     spn_error *err)
{
    const spn_perceptron_demand demand = {
        .name = "bits-strict", .rule = SPN_RULE_BITS, .kappa = kappa, .ties_wrong = true};
    return spn_perceptron_create(out, problem, &demand, err);
}

spn_status spn_bits_strict_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_bits_strict_create_at(out, problem, 0, err);
}
