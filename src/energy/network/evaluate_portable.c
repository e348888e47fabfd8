/* Networks in plain C. */
#include "energy/network/evaluate_body.h"

static bool pack(uint64_t *out, int32_t *ones, const uint8_t *rows, size_t count, size_t features)
{
    return pack_rows(out, ones, rows, count, features);
}

static void signs(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t count)
{
    find_signs(out, apart, bits, count);
}

const spn_network_counting spn_network_counting_portable = {
    .pack = pack, .signs = signs, .differ = differ};
