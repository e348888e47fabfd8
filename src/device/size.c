/* What words take on a device. */
#include "device/device.h"

static size_t bits_of(uint64_t x)
{
    return x ? 64 - (size_t)__builtin_clzll(x) : 0;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

spn_device_digits spn_device_digits_of(const spn_word_graph *graph, size_t planes)
{
    const size_t leaves = (graph->sites + SPN_DEVICE_LEAF - 1) / SPN_DEVICE_LEAF;
    spn_device_digits d = {.site = bits_of((uint64_t)graph->reach / 2) + 1};
    d.leaf = d.site + graph->odd + bits_of(SPN_DEVICE_LEAF);
    d.all = most(most(planes, d.leaf), bits_of(graph->sites) + 1);
    d.all = (d.all + 7) / 8 * 8; /* for fewer different programs */
    d.nodes = leaves + 32;       /* rows above the leaves */
    for (size_t row = (leaves + SPN_DEVICE_BRANCH - 1) / SPN_DEVICE_BRANCH; row > 1;
         row = (row + 1) / 2)
        d.tops += row;
    d.tops++;
    return d;
}

spn_device_bytes spn_device_bytes_of(const spn_word_graph *graph, size_t replicas)
{
    enum { MOST_PLANES = 32, ROWS = 4, NUMBERS = 3 };
    const spn_device_digits d = spn_device_digits_of(graph, MOST_PLANES);
    const uint64_t row = sizeof(uint64_t) * replicas * ((uint64_t)graph->sites + 1);
    const uint64_t word = sizeof(uint64_t) * replicas, numbers = word * d.tops * d.all;
    const uint64_t change = row * d.site;
    return (spn_device_bytes){.all = row * (ROWS + 1) + change + NUMBERS * numbers +
                                     word * (d.nodes + 1),
                              .largest = change > numbers ? change : numbers};
}
