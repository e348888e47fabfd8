/* Graphs as lists of entries: rudy (Gset), qbsolv's .qubo, and coordinates. Repeated entries add
   up in the energies. */
#include "data/graph/graph.h"

#include "base/try.h"

#include <string.h>

static const char ENTRY[] = "`i j value`: two whole numbers and a finite number";

static spn_status no_edge(const spn_walk *walk, const char *form, spn_error *err)
{
    char shown[SPN_SHOWN];
    return spn_walk_fail(walk, err, "'%s' is not %s", spn_show(shown, walk->whole), form);
}

static spn_status read_rudy_header(uint32_t *edges, spn_walk *walk, spn_error *err)
{
    uint32_t vertices;
    SPN_TRY(spn_graph_need_line(walk, "empty; expected a header `vertices edges`", err));
    if (!spn_graph_whole(&vertices, walk) || !spn_graph_whole(edges, walk) || walk->line.size > 0 ||
        vertices == 0)
        return no_edge(walk, "the header `vertices edges`", err);
    return spn_graph_set_sites(walk, vertices, err);
}

/* fields: per line, 3 with weights; 0 before the first line, which sets it for all. */
static spn_status read_rudy_edge(size_t *fields, spn_walk *walk, spn_error *err)
{
    const size_t sites = walk->problem->sites;
    uint32_t i, j;
    double weight = 1;
    const bool ends = spn_graph_whole(&i, walk) && spn_graph_whole(&j, walk);
    if (ends && *fields == 0)
        *fields = walk->line.size > 0 ? 3 : 2;
    if (!ends || (*fields == 3 && !spn_graph_real(&weight, walk)) || walk->line.size > 0)
        return no_edge(
            walk, *fields == 2 ? "`i j`: two whole numbers, as in the lines before" : ENTRY, err);
    if (i < 1 || j < 1)
        return spn_walk_fail(walk, err, "index 0 is out of range; indices start at 1 here");
    if (i > sites || j > sites)
        return spn_walk_fail(walk, err, "vertex %u is out of range: the header says there are %zu",
                             i > j ? i : j, sites);
    return spn_graph_add(walk, i - 1, j - 1, weight, 1, err);
}

spn_status spn_read_rudy(spn_walk *walk, spn_error *err)
{
    uint32_t edges = 0;
    size_t fields = 0;
    SPN_TRY(read_rudy_header(&edges, walk, err));
    while (spn_walk_line(walk, err)) {
        if (walk->problem->count == edges)
            return spn_walk_fail(walk, err, "more lines than the %u edges of the header", edges);
        SPN_TRY(read_rudy_edge(&fields, walk, err));
    }
    if (!walk->status && walk->problem->count != edges)
        return spn_source_fail(walk->source, err, "%zu edges, but the header says %u: cut short?",
                               walk->problem->count, edges);
    return walk->status;
}

/* Numbers of nodes and of couplers. */
enum { NODES, COUPLERS, COUNTED };

static bool token_is(spn_walk *walk, const char *first, const char *second)
{
    spn_span token;
    if (!spn_walk_token(&token, walk))
        return false;
    return spn_span_is(token, first) || spn_span_is(token, second);
}

static spn_status read_qbsolv_header(uint32_t counts[COUNTED], spn_walk *walk, spn_error *err)
{
    uint32_t most;
    SPN_TRY(spn_graph_need_line(walk, "empty; expected a line `p qubo 0 maxNodes nNodes nCouplers`",
                                err));
    if (!token_is(walk, "p", "p") || !token_is(walk, "qubo", "qubo") ||
        !token_is(walk, "0", "unconstrained") || !spn_graph_whole(&most, walk) ||
        !spn_graph_whole(&counts[NODES], walk) || !spn_graph_whole(&counts[COUPLERS], walk) ||
        walk->line.size > 0)
        return no_edge(walk, "`p qubo 0 maxNodes nNodes nCouplers`", err);
    return spn_graph_set_sites(walk, most, err);
}

static spn_status read_qbsolv_entry(uint32_t counts[COUNTED], spn_walk *walk, spn_error *err)
{
    uint32_t i, j;
    double weight;
    if (!spn_graph_whole(&i, walk) || !spn_graph_whole(&j, walk) ||
        !spn_graph_real(&weight, walk) || walk->line.size > 0)
        return no_edge(walk, ENTRY, err);
    if (i > j)
        return spn_walk_fail(walk, err, "a coupler has i < j, not %u and %u", i, j);
    if (j >= walk->problem->sites)
        return spn_walk_fail(walk, err,
                             "node %u is out of range: the line p says the largest is %zu", j,
                             walk->problem->sites - 1);
    counts[i == j ? NODES : COUPLERS]++;
    return spn_graph_add(walk, i, j, weight, 0, err);
}

spn_status spn_read_qbsolv(spn_walk *walk, spn_error *err)
{
    uint32_t should[COUNTED] = {0}, are[COUNTED] = {0};
    SPN_TRY(read_qbsolv_header(should, walk, err));
    walk->problem->variables = SPN_VARIABLES_BINARY;
    while (spn_walk_line(walk, err))
        SPN_TRY(read_qbsolv_entry(are, walk, err));
    if (!walk->status && memcmp(are, should, sizeof are) != 0)
        return spn_source_fail(
            walk->source, err,
            "%u nodes and %u couplers, but the line p says %u and %u: cut short?", are[NODES],
            are[COUPLERS], should[NODES], should[COUPLERS]);
    return walk->status;
}

/* A number, even if it cannot be an index, not a name. */
static bool is_number(spn_span token)
{
    double value;
    return spn_number_read(&value, token) != SPN_NUMBER_NONE;
}

static spn_status read_index(uint32_t *out, spn_walk *walk, spn_span token, spn_error *err)
{
    if (!spn_whole_read(out, token))
        return no_edge(walk, ENTRY, err);
    if (*out >= spn_graph_most_sites(walk))
        return spn_walk_fail(walk, err,
                             "index %u is out of range; the largest in a file of %zu bytes is %zu",
                             *out, walk->source->size, spn_graph_most_sites(walk) - 1);
    if (*out >= walk->problem->sites)
        walk->problem->sites = (size_t)*out + 1;
    return SPN_OK;
}

/* Spins have numbers or names, as in the first line. */
static spn_status read_coo_line(spn_walk *walk, spn_error *err)
{
    spn_span ends[2];
    uint32_t at[2];
    double weight;
    if (!spn_walk_token(&ends[0], walk) || !spn_walk_token(&ends[1], walk) ||
        !spn_graph_real(&weight, walk) || walk->line.size > 0)
        return no_edge(walk, ENTRY, err);
    const bool named = walk->problem->count == 0 ? !is_number(ends[0]) || !is_number(ends[1])
                                                 : walk->names.count > 0;
    for (size_t k = 0; k < 2; k++)
        SPN_TRY(named ? spn_graph_name(&at[k], walk, ends[k], err)
                      : read_index(&at[k], walk, ends[k], err));
    if (named)
        walk->problem->sites = walk->names.count;
    return spn_graph_add(walk, at[0], at[1], weight, 0, err);
}

spn_status spn_read_coo(spn_walk *walk, spn_error *err)
{
    while (spn_walk_line(walk, err))
        SPN_TRY(read_coo_line(walk, err));
    if (!walk->status && walk->problem->count == 0)
        return spn_source_fail(walk->source, err, "no couplings; expected lines `i j value`");
    return walk->status;
}
