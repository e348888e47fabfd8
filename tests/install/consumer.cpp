// The headers are usable from C++, and the functions are found with C linkage.
#ifdef USE_LAB
#include <spinney/lab/lab.h>
#endif
#include <spinney/spinney.h>

#include <cstring>

int main()
{
    spn_chain_options options = spn_chain_defaults();
    bool good = spn_energy_find("bits") != nullptr && options.replicas == 3 &&
                std::strncmp(spn_version(), SPN_VERSION, std::strlen(SPN_VERSION)) == 0;
#ifdef USE_LAB
    good = good && spn_task_find("anneal") != nullptr;
#endif
    return good ? 0 : 1;
}
