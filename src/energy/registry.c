/* The table of built-in energies: an energy is its own file and one line here. */
#include "energy/create.h"

#include "base/sized.h"

#include <math.h>
#include <string.h>

static const spn_energy_kind kinds[] = {
    {"errors", "patterns classified wrongly", SPN_PROBLEM_PATTERNS, .create = spn_errors_create,
     .create_at = spn_errors_create_at},
    {"product", "0 if all patterns are right, else 1", SPN_PROBLEM_PATTERNS,
     .create = spn_product_create, .create_at = spn_product_create_at},
    {"bits", "flips needed to put each pattern right; ties are right", SPN_PROBLEM_PATTERNS,
     .create = spn_bits_create, .create_at = spn_bits_create_at},
    {"bits-strict", "flips needed to put each pattern right; ties are wrong", SPN_PROBLEM_PATTERNS,
     .create = spn_bits_strict_create, .create_at = spn_bits_strict_create_at},
    {"symmetric", "patterns with |<W, pattern>|/sqrt(N) above kappa", SPN_PROBLEM_PATTERNS,
     .create = spn_symmetric_create, .create_at = spn_symmetric_create_at, .kappa = 1},
    {"committee", "patterns that the majority of hidden units puts wrong", SPN_PROBLEM_PATTERNS,
     .create = spn_committee_create, .create_of = spn_committee_create_of,
     .units = SPN_USUAL_UNITS},
    {"committee-units", "hidden units that must change to put each pattern right",
     SPN_PROBLEM_PATTERNS, .create = spn_committee_units_create,
     .create_of = spn_committee_units_create_of, .units = SPN_USUAL_UNITS},
    {"logistic", "logistic loss of the patterns", SPN_PROBLEM_PATTERNS,
     .create = spn_logistic_create},
    {"logistic-steep", "the same with stabilities times 20", SPN_PROBLEM_PATTERNS,
     .create = spn_logistic_steep_create},
    {"ising", "sum of J s_i s_j and h s_i", SPN_PROBLEM_COUPLINGS, .create = spn_ising_create},
    {"qubo", "sum of Q x_i x_j, x = 0 or 1", SPN_PROBLEM_COUPLINGS, .create = spn_qubo_create},
    {"maxcut", "minus the weight of the cut", SPN_PROBLEM_CUT, .create = spn_maxcut_create},
    {"table", "a listed energy for each of 2^N states", SPN_PROBLEM_TABLE,
     .create = spn_table_create},
    {"distance", "Hamming distance to the nearest listed state", SPN_PROBLEM_STATES,
     .create = spn_distance_create},
    {.name = NULL}};

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

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    const double kappa = options->kappa;
    if (kind->problem != problem->kind)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the energy '%s' needs another kind of problem",
                        kind->name);
    if (problem->sites == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a problem needs at least one spin");
    if (problem->values && !kind->create_at)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the energy '%s' is of patterns of +1 and -1, not of real values",
                        kind->name);
    if ((options->units || options->tree) && !kind->create_of)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the energy '%s' has no hidden units", kind->name);
    if (isnan(kappa))
        return kind->create_of ? kind->create_of(out, problem, options->units, options->tree, err)
                               : kind->create(out, problem, err);
    if (!kind->create_at)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the energy '%s' has no threshold kappa",
                        kind->name);
    return kind->create_at(out, problem, kappa, err);
}

spn_status spn_energy_create_as(spn_energy **out, const char *name, const spn_problem *problem,
                                const spn_energy_options *given, spn_error *err)
{
    spn_energy_options options = spn_energy_options_defaults();
    *out = NULL;
    const spn_energy_kind *kind = spn_energy_find(name);
    if (!kind)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no energy '%s'", name);
    const spn_status status =
        spn_sized_take(&options, sizeof options, given, "spn_energy_options_defaults", err);
    return status ? status : create(out, kind, problem, &options, err);
}

spn_status spn_energy_create(spn_energy **out, const char *name, const spn_problem *problem,
                             spn_error *err)
{
    return spn_energy_create_as(out, name, problem, NULL, err);
}
