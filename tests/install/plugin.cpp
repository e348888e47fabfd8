// An energy in C++: minus the largest block of equal spins.
#include <spinney/plugin.h>

#include <cstddef>
#include <cstdint>

namespace {
const std::size_t sites = 12;

double energy(const void *, const std::int8_t *spins)
{
    double longest = 1, length = 1;
    for (std::size_t i = 1; i < sites; i++) {
        length = spins[i] == spins[i - 1] ? length + 1 : 1;
        longest = length > longest ? length : longest;
    }
    return -longest;
}

int create(spn_plugin_problem *out, const spn_plugin_request *, char *, std::size_t)
{
    out->sites = sites;
    out->integral = true;
    return 0;
}

spn_energy_ops make_ops()
{
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "blocks";
    ops.energy = energy;
    return ops;
}

const spn_energy_ops ops = make_ops();
} // namespace

const spn_energy_plugin spinney_energy = {sizeof(spn_energy_plugin), SPN_PLUGIN_VERSION, &ops,
                                          create};
