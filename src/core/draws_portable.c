/* Draws in plain C: the reference. */
#include "core/draws_body.h"

void spn_draw_portable(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                       double *threshold)
{
    uint32_t chosen[SPN_DRAW_CHUNK];
    for (size_t start = 0; start < request->count; start += SPN_DRAW_CHUNK) {
        size_t left = request->count - start;
        size_t count = left < SPN_DRAW_CHUNK ? left : SPN_DRAW_CHUNK;
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
