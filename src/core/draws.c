/* Draws in plain C, which are the reference; the choice of the draw function; and the retry that
   makes the choice of a move unbiased. */
#include "core/draws.h"

#include <assert.h>

enum { CHUNK = 64 };

spn_draw_function *spn_draw_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512)
        return spn_draw_avx512;
    if (isa >= SPN_ISA_AVX2)
        return spn_draw_avx2;
#endif
    (void)isa;
#if defined(__aarch64__)
    return spn_draw_neon;
#else
    return spn_draw_portable;
#endif
}

void spn_draw_move(const spn_draw_request *request, uint64_t index, uint32_t *site,
                   uint32_t *replica)
{
    const uint32_t moves = request->sites * request->replicas;
    assert(request->sites > 0 && request->replicas > 0 &&
           request->replicas <= UINT32_MAX / request->sites);
    // cppcheck-suppress zerodivcond
    const uint32_t reject_below = (0u - moves) % moves; /* 2^32 mod moves */
    spn_stream attempt = request->stream;
    for (;;) {
        uint32_t words[4];
        spn_stream_block(&attempt, index / 2, words);
        /* Lemire's product word * moves, in two steps that give replica and site */
        uint64_t outer = (uint64_t)words[2 * (index % 2)] * request->replicas;
        uint64_t inner = (outer & 0xFFFFFFFFu) * request->sites;
        if ((uint32_t)inner >= reject_below) {
            *replica = (uint32_t)(outer >> 32);
            *site = (uint32_t)(inner >> 32);
            assert(*replica < request->replicas && *site < request->sites);
            return;
        }
        attempt.lane += 1u << 20;
    }
}

void spn_draw_portable(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                       double *threshold)
{
    uint32_t chosen[CHUNK];
    for (size_t start = 0; start < request->count; start += CHUNK) {
        size_t left = request->count - start;
        size_t count = left < CHUNK ? left : CHUNK;
        for (size_t j = 0; j < count; j++) {
            uint64_t index = request->first + start + j;
            uint32_t words[4];
            spn_stream_block(&request->stream, index / 2, words);
            chosen[j] = words[2 * (index % 2) + 1];
            if (site)
                spn_draw_move(request, index, &site[start + j], &replica[start + j]);
        }
        spn_draw_thresholds(request->threshold, chosen, count, threshold + start);
    }
}
