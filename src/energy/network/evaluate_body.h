/* Networks by counting bits, compiled once per instruction set by the file that includes this. */
#include "energy/network/evaluate.h"

#ifndef SPN_OWN_PACK
static bool pack(uint64_t *out, int32_t *ones, const uint8_t *rows, size_t count, size_t features)
{
    const size_t words = (features + 63) / 64;
    for (size_t n = 0; n < count; n++) {
        const uint8_t *row = rows + n * features;
        uint8_t seen = 0;
        for (size_t i = 0; i < features; i++)
            seen |= row[i];
        if (seen > 1)
            return false;
        ones[n] = 0;
        for (size_t w = 0; w < words; w++) {
            out[n * words + w] = spn_network_pack_word(row + w * 64, features - w * 64);
            ones[n] += __builtin_popcountll(out[n * words + w]);
        }
    }
    return true;
}
#endif

#ifndef SPN_OWN_SIGNS
static void signs(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t count)
{
    const size_t words = bits->words;
    for (size_t g = 0; g < bits->groups; g++)
        for (size_t n = 0; n < count; n++) {
            const uint64_t *sample = bits->samples + n * words;
            const uint64_t *units = bits->units + g * words * SPN_NETWORK_GROUP;
            int64_t common[SPN_NETWORK_GROUP] = {0};
            unsigned found = 0;
            for (size_t w = 0; w < words; w++)
                for (size_t u = 0; u < SPN_NETWORK_GROUP; u++)
                    common[u] += __builtin_popcountll(sample[w] & units[w * SPN_NETWORK_GROUP + u]);
            for (size_t u = 0; u < SPN_NETWORK_GROUP; u++) {
                const int64_t bias = bits->bias[g * SPN_NETWORK_GROUP + u];
                found |= (unsigned)(2 * common[u] + bias >= bits->ones[n]) << u;
            }
            out[n * apart + (g ^ SPN_BYTE_PLACE)] = (uint8_t)found;
        }
}
#endif

static void differ(int64_t *out, const uint64_t *hidden, size_t count, const uint64_t *output,
                   size_t outputs, size_t words)
{
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; k < outputs; k++) {
            int64_t total = 0;
            for (size_t w = 0; w < words; w++)
                total += __builtin_popcountll(hidden[n * words + w] ^ output[k * words + w]);
            out[n * outputs + k] -= 2 * total;
        }
}

#define SPN_NETWORK_COUNTING                                                                       \
    {                                                                                              \
        .pack = pack, .signs = signs, .differ = differ                                             \
    }
