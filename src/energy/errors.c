/* errors: the number of patterns with stability x < 0. */
#include "energy/perceptron.h"

spn_status spn_errors_create(spn_energy **out, const spn_problem *problem, spn_error *err)
{
    return spn_perceptron_create(out, problem, "errors", SPN_RULE_ERRORS, false, err);
}
