/* Choice of the draw function, and the retry that makes bounded integers unbiased. */
#include "core/draws.h"

spn_draw_function *spn_draw_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX2)
        return spn_draw_avx2;
#endif
    (void)isa;
    return spn_draw_portable;
}

uint32_t spn_draw_below(const spn_stream *stream, uint64_t index, unsigned word, uint32_t bound)
{
    const uint32_t reject_below = (0u - bound) % bound; /* 2^32 mod bound */
    spn_stream attempt = *stream;
    for (;;) {
        uint32_t words[4];
        spn_stream_block(&attempt, index, words);
        uint64_t product = (uint64_t)words[word] * bound;
        if ((uint32_t)product >= reject_below)
            return (uint32_t)(product >> 32);
        attempt.lane += 1u << 20;
    }
}
