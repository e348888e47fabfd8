/* bits: the flips needed to put each pattern right, summed; a tie is right. */
#include "energy/perceptron.h"

spn_status spn_bits_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_perceptron_create(out, problem, "bits", SPN_RULE_BITS, false, err);
}
