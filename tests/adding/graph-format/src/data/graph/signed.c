/* Graphs as lists of signs: `+ i j` for a weight of 1, `- i j` for -1, from 0. */
#include "base/try.h"
#include "data/graph/graph.h"

static spn_status read_edge(spn_graph *graph, spn_error *err)
{
    char shown[SPN_SHOWN];
    const spn_span line = graph->walk->line;
    const size_t most = spn_graph_most_sites(graph);
    spn_span sign;
    uint32_t i, j;
    if (!spn_graph_token(&sign, graph) || sign.size != 1 ||
        (sign.text[0] != '+' && sign.text[0] != '-') || !spn_graph_whole(&i, graph) ||
        !spn_graph_whole(&j, graph) || graph->walk->line.size > 0 || i >= most || j >= most)
        return spn_walk_fail(graph->walk, err, "'%s' is not `+ i j` or `- i j`",
                             spn_show(shown, line));
    const uint32_t sites = (i > j ? i : j) + 1;
    if (sites > graph->problem->sites)
        graph->problem->sites = sites;
    return spn_graph_add(graph, i, j, sign.text[0] == '+' ? 1 : -1, 0, err);
}

spn_status spn_read_signed(spn_graph *graph, spn_error *err)
{
    spn_status status;
    while (spn_graph_line(graph, &status, err))
        SPN_TRY(read_edge(graph, err));
    if (!status && graph->problem->sites == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected lines `+ i j` or `- i j`",
                        graph->walk->source->name);
    return status;
}
