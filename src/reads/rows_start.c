/* The graph of a quadratic energy as rows need it, and the start of a group of reads. */
#include "reads/rows.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the graph ---- */

/* Whether all sums are exact: of the sizes of all terms, twice that of a local field, four times
   that of the energy. */
static bool is_exact(const spn_sparse_terms *terms)
{
    double size = fabs(terms->offset);
    for (size_t i = 0; i < terms->sites; i++)
        size += fabs(terms->exact_field[i]);
    for (size_t e = 0; e < terms->first[terms->sites]; e++)
        size += fabs(terms->exact_coupling[e]) / 2;
    return size <= 0x1p51;
}

/* Whether adding a whole row of N couplings takes no longer than a chain takes for the neighbours
   alone, and the matrix is small, or not much larger than the energy. */
static bool is_dense(const spn_sparse_terms *terms)
{
    const double all = (double)terms->sites * (double)terms->sites;
    const double couplings = (double)terms->first[terms->sites], small = 1 << 25;
    return 12 * couplings > all && (all < small || 4 * couplings > all);
}

static void fill_matrix(spn_row_graph *graph, const spn_sparse_terms *terms)
{
    for (size_t i = 0; i < terms->sites; i++)
        for (size_t e = terms->first[i]; e < terms->first[i + 1]; e++) {
            const size_t tile = terms->site[e] / SPN_ROW_TILE, at = terms->site[e] % SPN_ROW_TILE;
            graph->matrix[(tile * graph->tiles * SPN_ROW_TILE + i) * SPN_ROW_TILE + at] +=
                4 * terms->exact_coupling[e];
        }
}

static bool fill(spn_row_graph *graph, const spn_sparse_terms *terms)
{
    const size_t padded = graph->tiles * SPN_ROW_TILE;
    graph->field = spn_alloc(padded, sizeof *graph->field);
    graph->matrix = spn_alloc(padded, padded * sizeof *graph->matrix);
    if (!graph->field || !graph->matrix)
        return false;
    for (size_t i = 0; i < terms->sites; i++)
        graph->field[i] = 2 * terms->exact_field[i];
    fill_matrix(graph, terms);
    return true;
}

spn_row_graph *spn_row_graph_make(const spn_energy *energy)
{
    spn_sparse_terms terms = {0};
    if (!energy->slots->exact_terms || !energy->slots->exact_terms(energy, &terms))
        return NULL;
    spn_row_graph *graph =
        is_dense(&terms) && is_exact(&terms) ? spn_alloc(1, sizeof *graph) : NULL;
    if (graph) {
        *graph = (spn_row_graph){.energy = energy,
                                 .sites = terms.sites,
                                 .tiles = (terms.sites + SPN_ROW_TILE - 1) / SPN_ROW_TILE,
                                 .unit = terms.unit,
                                 .constant = terms.constant,
                                 .offset = terms.offset};
        if (!fill(graph, &terms)) {
            spn_row_graph_free(graph);
            graph = NULL;
        }
    }
    spn_sparse_terms_clear(&terms);
    return graph;
}

void spn_row_graph_free(spn_row_graph *graph)
{
    if (graph)
        SPN_FREE_ALL(graph->field, graph->matrix, graph);
}

/* ---- a group ---- */

void spn_row_group_clear(spn_row_group *g)
{
    spn_rows *rows = &g->rows;
    SPN_FREE_ALL(rows->fields, rows->spins, rows->flips, rows->threshold, rows->read, g->start,
                 g->best_spins, g->beta);
    spn_parts_clear(&g->parts);
}

bool spn_row_group_allocate(spn_row_group *g)
{
    enum { MARGINS = 2 * SPN_ROW_MARGIN };
    spn_rows *rows = &g->rows;
    const size_t tiles = rows->graph->tiles, words = tiles * rows->reads;
    rows->fields = spn_alloc(words, SPN_ROW_TILE * sizeof *rows->fields);
    rows->spins = spn_alloc(words, sizeof *rows->spins);
    rows->flips = spn_alloc(words, sizeof *rows->flips);
    rows->threshold = spn_alloc(rows->reads * SPN_ROW_TILE + MARGINS, sizeof *rows->threshold);
    rows->read = spn_alloc(rows->reads, sizeof *rows->read);
    g->start = spn_alloc(tiles, SPN_ROW_TILE);
    g->best_spins = spn_alloc(words, sizeof *g->best_spins);
    g->beta = spn_alloc(rows->graph->sites + MARGINS, sizeof *g->beta);
    return rows->fields && rows->spins && rows->flips && rows->threshold && rows->read &&
           g->start && g->best_spins && g->beta;
}

void spn_row_unpack(const spn_row_group *g, const uint64_t *spins, size_t r)
{
    const spn_row_graph *graph = g->rows.graph;
    for (size_t i = 0; i < graph->sites; i++) {
        const uint64_t word = spins[i / SPN_ROW_TILE * g->count + r];
        g->start[i] = word >> i % SPN_ROW_TILE & 1 ? 1 : -1;
    }
}

/* The fields of a read by definition, from g->start. */
static void fill_fields(spn_row_group *g, size_t r)
{
    const spn_row_graph *graph = g->rows.graph;
    const size_t stride = g->rows.reads * SPN_ROW_TILE, padded = graph->tiles * SPN_ROW_TILE;
    double *fields = g->rows.fields + r * SPN_ROW_TILE;
    for (size_t i = 0; i < padded; i++)
        fields[i / SPN_ROW_TILE * stride + i % SPN_ROW_TILE] = graph->field[i];
    for (size_t i = 0; i < graph->sites; i++)
        for (size_t t = 0; t < graph->tiles; t++)
            for (size_t j = 0; j < SPN_ROW_TILE; j++)
                fields[t * stride + j] +=
                    g->start[i] * graph->matrix[(t * padded + i) * SPN_ROW_TILE + j] / 2;
}

/* The energy in units: offset + sum s (h + f / 2) / 2. */
static double units_of(const spn_row_group *g, size_t r)
{
    const spn_row_graph *graph = g->rows.graph;
    const double *fields = g->rows.fields + r * SPN_ROW_TILE;
    double sum = 0;
    for (size_t i = 0; i < graph->sites; i++)
        sum += g->start[i] *
               (graph->field[i] +
                fields[i / SPN_ROW_TILE * g->rows.reads * SPN_ROW_TILE + i % SPN_ROW_TILE]);
    return graph->offset + sum / 4;
}

void spn_row_group_fill(spn_row_group *g)
{
    const spn_row_graph *graph = g->rows.graph;
    memset(g->rows.flips, 0, graph->tiles * g->rows.reads * sizeof *g->rows.flips);
    for (size_t r = 0; r < g->rows.reads; r++) {
        spn_row_read *read = &g->rows.read[r];
        spn_row_unpack(g, g->rows.spins, r);
        fill_fields(g, r);
        read->units = units_of(g, r);
        read->energy = read->units * graph->unit + graph->constant;
        read->drawn = UINT64_MAX;
    }
}

/* As the chain places its start. */
static void place(spn_row_group *g, size_t r)
{
    const spn_chain_options *o = &g->options;
    const size_t sites = g->rows.graph->sites;
    if (o->start == SPN_START_GIVEN) {
        memcpy(g->start, o->given, sites);
    } else {
        spn_random random =
            spn_random_make(o->seed, g->rows.stream.run + (uint32_t)r, 0, SPN_PURPOSE_START);
        spn_random_spins(&random, g->start, sites);
    }
    for (size_t i = 0; i < sites; i++)
        g->rows.spins[i / SPN_ROW_TILE * g->count + r] |= (uint64_t)(g->start[i] > 0)
                                                          << i % SPN_ROW_TILE;
}

void spn_row_group_start(spn_row_group *g)
{
    spn_rows *rows = &g->rows;
    const size_t words = rows->graph->tiles * rows->reads;
    g->base.step = 0;
    memset(rows->spins, 0, words * sizeof *rows->spins);
    memset(rows->read, 0, rows->reads * sizeof *rows->read);
    memset(g->slices, 0, sizeof g->slices);
    for (size_t r = 0; r < rows->reads; r++)
        place(g, r);
    spn_row_group_fill(g);
    for (size_t r = 0; r < rows->reads; r++) {
        rows->read[r].best = rows->read[r].energy;
        rows->read[r].rests = rows->read[r].energy <= rows->target;
    }
    memcpy(g->best_spins, rows->spins, words * sizeof *g->best_spins);
}
