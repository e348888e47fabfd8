/* Levels: which sites of a sweep in sequential order can be proposed at once. */
#include "base/memory.h"
#include "device/device.h"
#include <assert.h>

static uint32_t terms_of(const spn_word_graph *graph, size_t i)
{
    uint32_t count = 0;
    for (uint32_t r = graph->site[i].run; r < graph->site[i].run + graph->site[i].runs; r++)
        count += graph->runs[r].count;
    return count;
}

/* One more than the highest level of the neighbours before a site. */
static uint32_t level_of(const spn_word_graph *graph, const uint32_t *level, size_t i)
{
    const spn_word_term *term = graph->terms + graph->site[i].term;
    uint32_t own = 0;
    for (const spn_word_term *end = term + terms_of(graph, i); term < end; term++)
        if (term->site < i && level[term->site] >= own)
            own = level[term->site] + 1;
    return own;
}

bool spn_device_levels_make(spn_device_levels *out, const spn_word_graph *graph)
{
    uint32_t *level = spn_alloc(graph->sites, sizeof *level);
    *out = (spn_device_levels){.order = spn_alloc(graph->sites, sizeof *out->order),
                               .start = spn_alloc(graph->sites + 1, sizeof *out->start)};
    if (!level || !out->order || !out->start) {
        SPN_FREE_ALL(level);
        spn_device_levels_clear(out);
        return false;
    }
    for (size_t i = 0; i < graph->sites; i++) {
        level[i] = level_of(graph, level, i);
        out->count = level[i] >= out->count ? level[i] + 1 : out->count;
        out->start[level[i] + 1]++;
    }
    for (size_t l = 0; l < out->count; l++)
        out->start[l + 1] += out->start[l];
    for (size_t i = 0; i < graph->sites; i++)
        out->order[out->start[level[i]]++] = (uint32_t)i;
    for (size_t l = out->count; l > 0; l--) /* each start is now the next one's */
        out->start[l] = out->start[l - 1];
    out->start[0] = 0;
    assert(out->start[out->count] == graph->sites);
    SPN_FREE_ALL(level);
    return true;
}

void spn_device_levels_clear(spn_device_levels *levels)
{
    SPN_FREE_ALL(levels->order, levels->start);
    *levels = (spn_device_levels){0};
}
