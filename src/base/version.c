/* What this library is and what it runs on. */
#include "base/commit.h"
#include "base/cpu.h"
#include <spinney/version.h>

const char *spn_version(void)
{
    return SPN_VERSION_FULL;
}

const char *spn_instruction_set(void)
{
    return spn_isa_name(spn_cpu_isa());
}
