/* Graphs in MatrixMarket's format: a square matrix, as coordinates or whole.
   https://math.nist.gov/MatrixMarket/formats.html */
#include "data/graph/graph.h"

#include "base/memory.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct market_head {
    bool array, pattern, symmetric;
    uint32_t entries; /* of coordinates */
} market_head;

/* ---- head ---- */

static bool same_word(spn_span token, const char *word)
{
    return strlen(word) == token.size && strncasecmp(token.text, word, token.size) == 0;
}

/* The next word of the banner must be one of a list; its number, or -1. */
static int banner_word(spn_graph *graph, const char *const *words, spn_span *token)
{
    *token = (spn_span){"", 0};
    spn_graph_token(token, graph);
    for (int k = 0; words[k]; k++)
        if (same_word(*token, words[k]))
            return k;
    return -1;
}

static spn_status read_banner(market_head *out, spn_graph *graph, spn_error *err)
{
    static const char *const starts[] = {"%%MatrixMarket", NULL},
                             *const objects[] = {"matrix", NULL},
                             *const layouts[] = {"coordinate", "array", NULL},
                             *const fields[] = {"real", "double", "integer", "pattern", NULL},
                             *const symmetries[] = {"general", "symmetric", NULL};
    const struct {
        const char *const *words;
        const char *expected;
    } parts[] = {{starts, "%%MatrixMarket"},
                 {objects, "matrix"},
                 {layouts, "coordinate or array"},
                 {fields, "real, integer or pattern"},
                 {symmetries, "general or symmetric"}};
    int found[5];
    char shown[SPN_SHOWN];
    if (!spn_lines_next(&graph->walk->lines, &graph->walk->line))
        return spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected %%%%MatrixMarket matrix ...",
                        graph->walk->source->name);
    for (size_t k = 0; k < 5; k++) {
        spn_span token;
        found[k] = banner_word(graph, parts[k].words, &token);
        if (found[k] < 0)
            return spn_walk_fail(graph->walk, err, "'%s' in the first line; expected %s",
                                 spn_show(shown, token), parts[k].expected);
    }
    *out =
        (market_head){.array = found[2] == 1, .pattern = found[3] == 3, .symmetric = found[4] == 1};
    if (graph->walk->line.size > 0 || (out->array && out->pattern))
        return spn_walk_fail(graph->walk, err, "%s",
                             out->array && out->pattern
                                 ? "an array has numbers and cannot be a pattern"
                                 : "more than five words in the first line");
    return SPN_OK;
}

static spn_status read_sizes(market_head *out, spn_graph *graph, spn_error *err)
{
    spn_status status;
    uint32_t rows, columns;
    char shown[SPN_SHOWN];
    if (!spn_graph_line(graph, &status, err))
        return status ? status
                      : spn_fail(err, SPN_ERROR_INPUT, "%s: no line of sizes: cut short?",
                                 graph->walk->source->name);
    const spn_span line = graph->walk->line;
    if (!spn_graph_whole(&rows, graph) || !spn_graph_whole(&columns, graph) ||
        (!out->array && !spn_graph_whole(&out->entries, graph)) || graph->walk->line.size > 0)
        return spn_walk_fail(graph->walk, err, "'%s' is not the line of sizes, `%s`",
                             spn_show(shown, line),
                             out->array ? "rows columns" : "rows columns entries");
    if (rows != columns)
        return spn_walk_fail(graph->walk, err, "%u rows and %u columns; the matrix must be square",
                             rows, columns);
    return spn_graph_set_sites(graph, rows, err);
}

/* ---- coordinates ---- */

static spn_status read_entry(spn_graph *graph, const market_head *head, spn_error *err)
{
    const spn_span line = graph->walk->line;
    const size_t sites = graph->problem->sites;
    uint32_t i, j;
    double weight = 1;
    char shown[SPN_SHOWN];
    if (!spn_graph_whole(&i, graph) || !spn_graph_whole(&j, graph) ||
        (!head->pattern && !spn_graph_real(&weight, graph)) || graph->walk->line.size > 0)
        return spn_walk_fail(graph->walk, err, "'%s' is not `%s`", spn_show(shown, line),
                             head->pattern ? "row column"
                                           : "row column value`, the value a finite number, `");
    if (i < 1 || j < 1 || i > sites || j > sites)
        return spn_walk_fail(graph->walk, err, "entry (%u, %u) is out of range; both are 1 to %zu",
                             i, j, sites);
    if (head->symmetric && i < j)
        return spn_walk_fail(graph->walk, err,
                             "entry (%u, %u) is above the diagonal; a symmetric matrix lists what "
                             "is below it",
                             i, j);
    /* each entry off the diagonal stands for two */
    if (head->symmetric && i != j && !spn_graph_is_cut(graph))
        weight *= 2;
    if (!isfinite(weight))
        return spn_walk_fail(graph->walk, err, "twice the value is no finite number");
    if (i == j && weight == 0)
        return SPN_OK;
    return spn_graph_add(graph, i - 1, j - 1, weight, 1, err);
}

static spn_status read_coordinates(spn_graph *graph, const market_head *head, spn_error *err)
{
    spn_status status = SPN_OK;
    uint32_t entries = 0;
    while (!status && spn_graph_line(graph, &status, err)) {
        if (entries++ == head->entries)
            return spn_walk_fail(graph->walk, err, "more lines than the %u entries of the sizes",
                                 head->entries);
        status = read_entry(graph, head, err);
    }
    if (!status && entries != head->entries)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %u entries, but the sizes say %u: cut short?",
                        graph->walk->source->name, entries, head->entries);
    return status || head->symmetric ? status : spn_graph_merge(graph, err);
}

/* ---- arrays ---- */

static spn_status cut_short(const spn_graph *graph, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: fewer numbers than a matrix of %zu rows has: cut short?",
                    graph->walk->source->name, graph->problem->sites);
}

/* The next number of the file, on this line or a later one. */
static spn_status read_number(double *out, spn_graph *graph, spn_error *err)
{
    spn_status status = SPN_OK;
    spn_span token;
    char shown[SPN_SHOWN];
    while (!spn_graph_token(&token, graph))
        if (!spn_graph_line(graph, &status, err))
            return status ? status : cut_short(graph, err);
    if (spn_graph_number(out, token) == SPN_NUMBER_FINITE)
        return spn_graph_check_weight(graph, *out, err);
    return spn_walk_fail(graph->walk, err, "'%s' is not a finite number", spn_show(shown, token));
}

/* Column after column; of a symmetric matrix from the diagonal down. */
static spn_status fill_array(double *matrix, spn_graph *graph, bool symmetric, spn_error *err)
{
    const size_t n = graph->problem->sites;
    for (size_t j = 0; j < n; j++)
        for (size_t i = symmetric ? j : 0; i < n; i++) {
            spn_status status = read_number(&matrix[i * n + j], graph, err);
            if (!status && symmetric)
                matrix[j * n + i] = matrix[i * n + j];
            if (!status && i <= j)
                status = spn_graph_check_entry(graph, matrix, i, j, err);
            if (status)
                return status;
        }
    return SPN_OK;
}

static spn_status read_array(spn_graph *graph, const market_head *head, spn_error *err)
{
    const size_t n = graph->problem->sites;
    const size_t least = head->symmetric ? n * (n + 1) / 2 : n * n;
    spn_status status;
    if (least > graph->walk->source->size / 2) /* a digit and a blank for each */
        return cut_short(graph, err);
    double *matrix = spn_alloc(n * n, sizeof *matrix);
    if (!matrix)
        return spn_walk_no_memory(graph->walk, err);
    if ((status = fill_array(matrix, graph, head->symmetric, err)))
        goto cleanup;
    if (graph->walk->line.size > 0 || spn_graph_line(graph, &status, err))
        status = spn_walk_fail(graph->walk, err, "more numbers than a matrix of %zu rows has", n);
    if (!status)
        status = spn_graph_add_matrix(graph, matrix, err);
cleanup:
    free(matrix);
    return status;
}

spn_status spn_read_matrix_market(spn_graph *graph, spn_error *err)
{
    market_head head = {0};
    SPN_TRY(read_banner(&head, graph, err));
    SPN_TRY(read_sizes(&head, graph, err));
    return head.array ? read_array(graph, &head, err) : read_coordinates(graph, &head, err);
}
