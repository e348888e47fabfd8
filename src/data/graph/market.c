/* Graphs in MatrixMarket's format: a square matrix, as coordinates or whole.
   https://math.nist.gov/MatrixMarket/formats.html */
#include "data/graph/graph.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct market_head {
    bool array, pattern, symmetric;
    uint32_t entries; /* for coordinates */
} market_head;

/* Index of the next word of the banner in a list, or -1. */
static int banner_word(spn_walk *walk, const char *const *words, spn_span *token)
{
    *token = (spn_span){"", 0};
    spn_walk_token(token, walk);
    for (int k = 0; words[k]; k++)
        if (spn_span_is_word(*token, words[k]))
            return k;
    return -1;
}

static spn_status read_banner(market_head *out, spn_walk *walk, spn_error *err)
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
    if (!spn_lines_next(&walk->lines, &walk->line))
        return spn_source_fail(walk->source, err, "empty; expected %%%%MatrixMarket matrix ...");
    for (size_t k = 0; k < 5; k++) {
        spn_span token;
        found[k] = banner_word(walk, parts[k].words, &token);
        if (found[k] < 0)
            return spn_walk_fail(walk, err, "'%s' in the first line; expected %s",
                                 spn_show(shown, token), parts[k].expected);
    }
    *out =
        (market_head){.array = found[2] == 1, .pattern = found[3] == 3, .symmetric = found[4] == 1};
    if (walk->line.size > 0 || (out->array && out->pattern))
        return spn_walk_fail(walk, err, "%s",
                             out->array && out->pattern
                                 ? "an array has numbers and cannot be a pattern"
                                 : "more than five words in the first line");
    return SPN_OK;
}

static spn_status read_sizes(market_head *out, spn_walk *walk, spn_error *err)
{
    uint32_t rows, columns;
    char shown[SPN_SHOWN];
    SPN_TRY(spn_graph_need_line(walk, "no line of sizes: cut short?", err));
    if (!spn_graph_whole(&rows, walk) || !spn_graph_whole(&columns, walk) ||
        (!out->array && !spn_graph_whole(&out->entries, walk)) || walk->line.size > 0)
        return spn_walk_fail(walk, err, "'%s' is not the line of sizes, `%s`",
                             spn_show(shown, walk->whole),
                             out->array ? "rows columns" : "rows columns entries");
    if (rows != columns)
        return spn_walk_fail(walk, err, "%u rows and %u columns; the matrix must be square", rows,
                             columns);
    return spn_graph_set_sites(walk, rows, err);
}

static spn_status read_entry(spn_walk *walk, const market_head *head, spn_error *err)
{
    const size_t sites = walk->problem->sites;
    uint32_t i, j;
    double weight = 1;
    char shown[SPN_SHOWN];
    if (!spn_graph_whole(&i, walk) || !spn_graph_whole(&j, walk) ||
        (!head->pattern && !spn_graph_real(&weight, walk)) || walk->line.size > 0)
        return spn_walk_fail(walk, err, "'%s' is not `%s`", spn_show(shown, walk->whole),
                             head->pattern ? "row column"
                                           : "row column value`, the value a finite number, `");
    if (i < 1 || j < 1 || i > sites || j > sites)
        return spn_walk_fail(walk, err, "entry (%u, %u) is out of range; both are 1 to %zu", i, j,
                             sites);
    if (head->symmetric && i < j)
        return spn_walk_fail(walk, err,
                             "entry (%u, %u) is above the diagonal; a symmetric matrix lists what "
                             "is below it",
                             i, j);
    /* an entry off the diagonal stands for two */
    if (head->symmetric && i != j && !spn_graph_is_cut(walk))
        weight *= 2;
    if (!isfinite(weight))
        return spn_walk_fail(walk, err, "twice the value is no finite number");
    if (i == j && weight == 0)
        return SPN_OK;
    return spn_graph_add(walk, i - 1, j - 1, weight, 1, err);
}

static spn_status read_coordinates(spn_walk *walk, const market_head *head, spn_error *err)
{
    uint32_t entries = 0;
    while (spn_walk_line(walk, err)) {
        if (entries++ == head->entries)
            return spn_walk_fail(walk, err, "more lines than the %u entries of the sizes",
                                 head->entries);
        SPN_TRY(read_entry(walk, head, err));
    }
    SPN_TRY(walk->status);
    if (entries != head->entries)
        return spn_source_fail(walk->source, err, "%u entries, but the sizes say %u: cut short?",
                               entries, head->entries);
    return head->symmetric ? SPN_OK : spn_graph_merge(walk, err);
}

static spn_status cut_short(const spn_walk *walk, spn_error *err)
{
    return spn_source_fail(walk->source, err,
                           "fewer numbers than a matrix of %zu rows has: cut short?",
                           walk->problem->sites);
}

/* The next number, on this line or a later one. */
static spn_status read_number(double *out, spn_walk *walk, spn_error *err)
{
    spn_span token;
    char shown[SPN_SHOWN];
    while (!spn_walk_token(&token, walk))
        if (!spn_walk_line(walk, err))
            return walk->status ? walk->status : cut_short(walk, err);
    if (spn_graph_number(out, token) == SPN_NUMBER_FINITE)
        return spn_graph_check_weight(walk, *out, err);
    return spn_walk_fail(walk, err, "'%s' is not a finite number", spn_show(shown, token));
}

/* By columns; a symmetric matrix from the diagonal down. */
static spn_status fill_array(double *matrix, spn_walk *walk, bool symmetric, spn_error *err)
{
    const size_t n = walk->problem->sites;
    for (size_t j = 0; j < n; j++)
        for (size_t i = symmetric ? j : 0; i < n; i++) {
            SPN_TRY(read_number(&matrix[i * n + j], walk, err));
            if (symmetric)
                matrix[j * n + i] = matrix[i * n + j];
            if (i <= j)
                SPN_TRY(spn_graph_check_entry(walk, matrix, i, j, err));
        }
    return SPN_OK;
}

static spn_status read_array(spn_walk *walk, const market_head *head, spn_error *err)
{
    const size_t n = walk->problem->sites;
    const size_t least = head->symmetric ? n * (n + 1) / 2 : n * n;
    spn_status status;
    if (least > walk->source->size / 2) /* at least a digit and a blank each */
        return cut_short(walk, err);
    double *matrix = spn_alloc(n * n, sizeof *matrix);
    if (!matrix)
        return spn_walk_no_memory(walk, err);
    SPN_TRY_OR(cleanup, fill_array(matrix, walk, head->symmetric, err));
    SPN_TRY_OR(cleanup,
               walk->line.size > 0 || spn_walk_line(walk, err)
                   ? spn_walk_fail(walk, err, "more numbers than a matrix of %zu rows has", n)
                   : walk->status);
    status = spn_graph_add_matrix(walk, matrix, err);
cleanup:
    free(matrix);
    return status;
}

spn_status spn_read_matrix_market(spn_walk *walk, spn_error *err)
{
    market_head head = {0};
    SPN_TRY(read_banner(&head, walk, err));
    SPN_TRY(read_sizes(&head, walk, err));
    return head.array ? read_array(walk, &head, err) : read_coordinates(walk, &head, err);
}
