/* Graphs as lists of signs: `+ i j` for a weight of 1, `- i j` for -1, from 0. */
#include "base/try.h"
#include "data/graph/graph.h"

static spn_status read_edge(spn_walk *walk, spn_error *err)
{
    char shown[SPN_SHOWN];
    const size_t most = spn_graph_most_sites(walk);
    spn_span sign;
    uint32_t i, j;
    if (!spn_walk_token(&sign, walk) || sign.size != 1 ||
        (sign.text[0] != '+' && sign.text[0] != '-') || !spn_graph_whole(&i, walk) ||
        !spn_graph_whole(&j, walk) || walk->line.size > 0 || i >= most || j >= most)
        return spn_walk_fail(walk, err, "'%s' is not `+ i j` or `- i j`",
                             spn_show(shown, walk->whole));
    const uint32_t sites = (i > j ? i : j) + 1;
    if (sites > walk->problem->sites)
        walk->problem->sites = sites;
    return spn_graph_add(walk, i, j, sign.text[0] == '+' ? 1 : -1, 0, err);
}

spn_status spn_read_signed(spn_walk *walk, spn_error *err)
{
    while (spn_walk_line(walk, err))
        SPN_TRY(read_edge(walk, err));
    if (!walk->status && walk->problem->sites == 0)
        return spn_source_fail(walk->source, err, "empty; expected lines `+ i j` or `- i j`");
    return walk->status;
}
