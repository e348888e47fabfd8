/* The table of built-in energies: an energy is its own file and one line here. */
#include "energy/create.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One line for each energy, in the order of the help. */
#define ENERGIES(KIND)                                                                             \
    KIND(errors)                                                                                   \
    KIND(product)                                                                                  \
    KIND(bits)                                                                                     \
    KIND(bits_strict)                                                                              \
    KIND(symmetric)                                                                                \
    KIND(committee)                                                                                \
    KIND(committee_units)                                                                          \
    KIND(logistic)                                                                                 \
    KIND(logistic_steep)                                                                           \
    KIND(ising)                                                                                    \
    KIND(qubo)                                                                                     \
    KIND(maxcut)                                                                                   \
    KIND(table)                                                                                    \
    KIND(distance)

#define DECLARE(NAME) extern const spn_energy_kind spn_kind_##NAME;
#define POINT_TO(NAME) &spn_kind_##NAME,
ENERGIES(DECLARE)
static const spn_energy_kind *const kinds[] = {ENERGIES(POINT_TO)};

const spn_energy_kind *spn_energy_kind_at(size_t i)
{
    return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

const spn_energy_kind *spn_energy_find(const char *name)
{
    const spn_energy_kind *kind;
    for (size_t i = 0; (kind = spn_energy_kind_at(i)); i++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

/* Replace the options that were left open by the kind's own. */
static spn_status resolve(spn_energy_options *options, const spn_energy_kind *kind, spn_error *err)
{
    SPN_REFUSE_IF((options->units || options->tree) && !kind->units, err,
                  "the energy '%s' has no hidden units", kind->name);
    SPN_REFUSE_IF(!isnan(options->kappa) && !kind->has_kappa, err,
                  "the energy '%s' has no threshold kappa", kind->name);
    if (isnan(options->kappa))
        options->kappa = kind->kappa;
    if (options->units == 0)
        options->units = kind->units;
    return SPN_OK;
}

spn_status spn_energy_create_as(spn_energy **out, const char *name, const spn_problem *problem,
                                const spn_energy_options *given, spn_error *err)
{
    spn_energy_options options = spn_energy_options_defaults();
    *out = NULL;
    const spn_energy_kind *kind = spn_energy_find(name);
    SPN_REFUSE_IF(!kind, err, "there is no energy '%s'", name);
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_energy_options_defaults", err));
    SPN_REFUSE_IF(kind->problem != problem->kind, err,
                  "the energy '%s' needs another kind of problem", kind->name);
    SPN_REFUSE_IF(problem->sites == 0, err, "a problem needs at least one spin");
    SPN_REFUSE_IF(problem->values && !kind->has_kappa, err,
                  "the energy '%s' is of patterns of +1 and -1, not of real values", kind->name);
    SPN_TRY(resolve(&options, kind, err));
    assert(kind->create && (kind->has_kappa || options.kappa == 0) &&
           !kind->units == !options.units);
    return kind->create(out, kind, problem, &options, err);
}
