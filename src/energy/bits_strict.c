/* bits-strict: the flips needed to put each pattern right, summed; a tie is wrong. */
#include "energy/perceptron.h"

spn_status spn_bits_strict_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_perceptron_create(out, problem, "bits-strict", SPN_RULE_BITS, true, err);
}
