/* Kernels: their names and traits. */
#include "core/kernel.h"

static const char *const names[] = {[SPN_KERNEL_TWO_STAGE] = "two-stage",
                                    [SPN_KERNEL_ONE_STAGE] = "one-stage",
                                    [SPN_KERNEL_HEAT_BATH] = "heat-bath"};

static const spn_kernel_traits traits[] = {
    [SPN_KERNEL_TWO_STAGE] = {SPN_THRESHOLD_METROPOLIS, true},
    [SPN_KERNEL_ONE_STAGE] = {SPN_THRESHOLD_METROPOLIS, false},
    [SPN_KERNEL_HEAT_BATH] = {SPN_THRESHOLD_HEAT_BATH, false}};
const spn_names spn_kernel_names = {"kernel", sizeof names / sizeof *names, names};

const spn_kernel_traits *spn_kernel_traits_of(spn_kernel kernel)
{
    return (size_t)kernel < sizeof traits / sizeof *traits ? &traits[kernel] : NULL;
}
