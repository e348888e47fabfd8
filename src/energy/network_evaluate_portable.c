/* Networks in plain C. */
#include "energy/network_evaluate_body.h"

static void signs(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t count)
{
    find_signs(out, apart, bits, count);
}

const spn_network_kernels spn_network_portable = {.signs = signs, .differ = differ};
