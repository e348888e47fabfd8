/* The table of built-in energies: an energy is its own file and one line here. */
#include "energy/create.h"

#include <string.h>

static const spn_energy_kind kinds[] = {
    {"errors", "patterns classified wrongly", SPN_PROBLEM_PATTERNS, spn_errors_create},
    {"product", "0 if all patterns are right, else 1", SPN_PROBLEM_PATTERNS, spn_product_create},
    {"bits", "flips needed to put each pattern right; ties are right", SPN_PROBLEM_PATTERNS,
     spn_bits_create},
    {"bits-strict", "flips needed to put each pattern right; ties are wrong", SPN_PROBLEM_PATTERNS,
     spn_bits_strict_create},
    {"logistic", "logistic loss of the patterns", SPN_PROBLEM_PATTERNS, spn_logistic_create},
    {"logistic-steep", "the same with stabilities times 20", SPN_PROBLEM_PATTERNS,
     spn_logistic_steep_create},
    {"ising", "sum of J s_i s_j and h s_i", SPN_PROBLEM_COUPLINGS, spn_ising_create},
    {"qubo", "sum of Q x_i x_j, x = 0 or 1", SPN_PROBLEM_COUPLINGS, spn_qubo_create},
    {"maxcut", "minus the weight of the cut", SPN_PROBLEM_CUT, spn_maxcut_create},
    {"table", "a listed energy for each of 2^N states", SPN_PROBLEM_TABLE, spn_table_create},
    {"distance", "Hamming distance to the nearest listed state", SPN_PROBLEM_STATES,
     spn_distance_create},
    {NULL, NULL, SPN_PROBLEM_PATTERNS, NULL}};

const spn_energy_kind *spn_energy_kind_at(size_t i)
{
    return i < sizeof kinds / sizeof kinds[0] - 1 ? &kinds[i] : NULL;
}

const spn_energy_kind *spn_energy_find(const char *name)
{
    for (const spn_energy_kind *kind = kinds; kind->name; kind++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

spn_status spn_energy_create(spn_energy **out, const char *name, const spn_problem *problem,
                             spn_error *err)
{
    *out = NULL;
    const spn_energy_kind *kind = spn_energy_find(name);
    if (!kind)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no energy '%s'", name);
    if (kind->problem != problem->kind)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the energy '%s' needs another kind of problem",
                        name);
    if (problem->sites == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a problem needs at least one spin");
    return kind->create(out, problem, err);
}
