/* Graphs as lists of entries: rudy (Gset), qbsolv's .qubo, and coordinates. Entries that are listed
   more than once add up in the energies. */
#include "data/graph/graph.h"

static const char ENTRY[] = "`i j value`: two whole numbers and a finite number";

static spn_status no_edge(const spn_graph *graph, spn_span line, const char *form, spn_error *err)
{
    char shown[SPN_SHOWN];
    return spn_walk_fail(graph->walk, err, "'%s' is not %s", spn_show(shown, line), form);
}

/* ---- rudy ---- */

static spn_status read_rudy_header(uint32_t *edges, spn_graph *graph, spn_error *err)
{
    spn_status status;
    uint32_t vertices;
    if (!spn_graph_line(graph, &status, err))
        return status
                   ? status
                   : spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected a header `vertices edges`",
                              graph->walk->source->name);
    const spn_span line = graph->walk->line;
    if (!spn_graph_whole(&vertices, graph) || !spn_graph_whole(edges, graph) ||
        graph->walk->line.size > 0 || vertices == 0)
        return no_edge(graph, line, "the header `vertices edges`", err);
    return spn_graph_set_sites(graph, vertices, err);
}

/* Whether the lines have weights: the first says it for all. */
typedef enum rudy_form { FORM_UNKNOWN, FORM_PLAIN, FORM_WEIGHTED } rudy_form;

static spn_status read_rudy_edge(rudy_form *form, spn_graph *graph, spn_error *err)
{
    const spn_span line = graph->walk->line;
    const size_t sites = graph->problem->sites;
    uint32_t i, j;
    double weight = 1;
    const bool ends = spn_graph_whole(&i, graph) && spn_graph_whole(&j, graph);
    if (ends && *form == FORM_UNKNOWN)
        *form = graph->walk->line.size > 0 ? FORM_WEIGHTED : FORM_PLAIN;
    if (!ends || (*form == FORM_WEIGHTED && !spn_graph_real(&weight, graph)) ||
        graph->walk->line.size > 0)
        return no_edge(
            graph, line,
            *form == FORM_PLAIN ? "`i j`: two whole numbers, as in the lines before" : ENTRY, err);
    if (i < 1 || j < 1)
        return spn_walk_fail(graph->walk, err, "index 0 is out of range; indices start at 1 here");
    if (i > sites || j > sites)
        return spn_walk_fail(graph->walk, err,
                             "vertex %u is out of range: the header says there are %zu",
                             i > j ? i : j, sites);
    return spn_graph_add(graph, i - 1, j - 1, weight, 1, err);
}

spn_status spn_read_rudy(spn_graph *graph, spn_error *err)
{
    uint32_t edges = 0;
    rudy_form form = FORM_UNKNOWN;
    spn_status status = read_rudy_header(&edges, graph, err);
    while (!status && spn_graph_line(graph, &status, err)) {
        if (graph->problem->count == edges)
            return spn_walk_fail(graph->walk, err, "more lines than the %u edges of the header",
                                 edges);
        status = read_rudy_edge(&form, graph, err);
    }
    if (!status && graph->problem->count != edges)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %zu edges, but the header says %u: cut short?",
                        graph->walk->source->name, graph->problem->count, edges);
    return status;
}

/* ---- qbsolv ---- */

typedef struct qbsolv_counts {
    uint32_t nodes, couplers;
} qbsolv_counts;

static bool token_is(spn_graph *graph, const char *first, const char *second)
{
    spn_span token;
    if (!spn_graph_token(&token, graph))
        return false;
    return spn_span_is(token, first) || spn_span_is(token, second);
}

static spn_status read_qbsolv_header(qbsolv_counts *out, spn_graph *graph, spn_error *err)
{
    static const char form[] = "`p qubo 0 maxNodes nNodes nCouplers`";
    spn_status status;
    uint32_t most;
    if (!spn_graph_line(graph, &status, err))
        return status ? status
                      : spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected a line %s",
                                 graph->walk->source->name, form);
    const spn_span line = graph->walk->line;
    if (!token_is(graph, "p", "p") || !token_is(graph, "qubo", "qubo") ||
        !token_is(graph, "0", "unconstrained") || !spn_graph_whole(&most, graph) ||
        !spn_graph_whole(&out->nodes, graph) || !spn_graph_whole(&out->couplers, graph) ||
        graph->walk->line.size > 0)
        return no_edge(graph, line, form, err);
    return spn_graph_set_sites(graph, most, err);
}

static spn_status read_qbsolv_entry(qbsolv_counts *counts, spn_graph *graph, spn_error *err)
{
    const spn_span line = graph->walk->line;
    uint32_t i, j;
    double weight;
    if (!spn_graph_whole(&i, graph) || !spn_graph_whole(&j, graph) ||
        !spn_graph_real(&weight, graph) || graph->walk->line.size > 0)
        return no_edge(graph, line, ENTRY, err);
    if (i > j)
        return spn_walk_fail(graph->walk, err, "a coupler has i < j, not %u and %u", i, j);
    if (j >= graph->problem->sites)
        return spn_walk_fail(graph->walk, err,
                             "node %u is out of range: the line p says the largest is %zu", j,
                             graph->problem->sites - 1);
    if (i == j)
        counts->nodes++;
    else
        counts->couplers++;
    return spn_graph_add(graph, i, j, weight, 0, err);
}

spn_status spn_read_qbsolv(spn_graph *graph, spn_error *err)
{
    qbsolv_counts should = {0}, are = {0};
    spn_status status = read_qbsolv_header(&should, graph, err);
    graph->problem->variables = SPN_VARIABLES_BINARY;
    while (!status && spn_graph_line(graph, &status, err))
        status = read_qbsolv_entry(&are, graph, err);
    if (!status && (are.nodes != should.nodes || are.couplers != should.couplers))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %u nodes and %u couplers, but the line p says %u and %u: cut short?",
                        graph->walk->source->name, are.nodes, are.couplers, should.nodes,
                        should.couplers);
    return status;
}

/* ---- coordinates ---- */

/* How the spins are called: numbers or names, as in the first line. */
typedef struct coo_reading {
    spn_graph *graph;
    spn_name_map *names; /* NULL: numbers */
    bool started;
} coo_reading;

/* A number, as opposed to a name, be it one that cannot be an index. */
static bool is_number(spn_span token)
{
    double value;
    return spn_number_read(&value, token) != SPN_NUMBER_NONE;
}

static spn_status read_index(uint32_t *out, const coo_reading *reading, spn_span token,
                             spn_span line, spn_error *err)
{
    spn_problem *problem = reading->graph->problem;
    if (!spn_whole_read(out, token))
        return no_edge(reading->graph, line, ENTRY, err);
    if (*out >= spn_graph_most_sites(reading->graph))
        return spn_walk_fail(reading->graph->walk, err,
                             "index %u is out of range; the largest in a file of %zu bytes is %zu",
                             *out, reading->graph->walk->source->size,
                             spn_graph_most_sites(reading->graph) - 1);
    if (*out >= problem->sites)
        problem->sites = (size_t)*out + 1;
    return SPN_OK;
}

static spn_status read_end(uint32_t *out, coo_reading *reading, spn_span token, spn_span line,
                           spn_error *err)
{
    bool added;
    if (!reading->names)
        return read_index(out, reading, token, line, err);
    spn_status status =
        spn_name_map_put(out, &added, reading->names, token, reading->graph->walk, err);
    reading->graph->problem->sites = spn_name_map_count(reading->names);
    return status;
}

static spn_status read_coo_line(coo_reading *reading, spn_error *err)
{
    spn_graph *graph = reading->graph;
    const spn_span line = graph->walk->line;
    spn_span first, second;
    uint32_t i, j;
    double weight;
    spn_status status;
    if (!spn_graph_token(&first, graph) || !spn_graph_token(&second, graph) ||
        !spn_graph_real(&weight, graph) || graph->walk->line.size > 0)
        return no_edge(graph, line, ENTRY, err);
    if (!reading->started && !(is_number(first) && is_number(second)) &&
        !(reading->names = spn_name_map_create()))
        return spn_walk_no_memory(graph->walk, err);
    reading->started = true;
    if ((status = read_end(&i, reading, first, line, err)) ||
        (status = read_end(&j, reading, second, line, err)))
        return status;
    return spn_graph_add(graph, i, j, weight, 0, err);
}

spn_status spn_read_coo(spn_graph *graph, spn_error *err)
{
    coo_reading reading = {.graph = graph};
    spn_status status = SPN_OK;
    while (!status && spn_graph_line(graph, &status, err))
        status = read_coo_line(&reading, err);
    if (!status && graph->problem->count == 0)
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: no couplings; expected lines `i j value`",
                          graph->walk->source->name);
    if (!status && reading.names)
        spn_name_map_give(graph->problem, reading.names);
    spn_name_map_free(reading.names);
    return status;
}
