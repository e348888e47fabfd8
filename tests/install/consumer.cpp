// The headers are usable from C++, and the functions are found with C linkage.
#include <spinney/spinney.h>

#include <cstdio>

int main()
{
    spn_chain_options options = spn_chain_defaults();
    return spn_energy_find("bits") != nullptr && options.replicas == 3 ? 0 : 1;
}
