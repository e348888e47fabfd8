/* A group of rows as a sampler: its sweeps, best states and results. */
#include "reads/rows.h"

#include "base/memory.h"
#include "core/kernel.h"
#include "core/schedule.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

spn_row_function *spn_rows_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512)
        return spn_rows_avx512;
    if (isa >= SPN_ISA_AVX2)
        return spn_rows_avx2;
#endif
    (void)isa;
    return spn_rows_portable;
}

/* All reads of a group share the couplings in the cache. */
size_t spn_rows_width(const spn_row_graph *graph, size_t reads, unsigned threads)
{
    const size_t most_bytes = 1u << 28;
    const size_t bytes = graph->tiles * SPN_ROW_TILE * sizeof *graph->field;
    const size_t fit = most_bytes / bytes, each = (reads + threads - 1) / threads;
    const size_t most = fit < 1 ? 1 : fit < SPN_ROW_MOST ? fit : SPN_ROW_MOST;
    const size_t groups = (each + most - 1) / most * threads;
    return (reads + groups - 1) / groups;
}

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

static void clear(spn_row_group *g)
{
    spn_rows *rows = &g->rows;
    SPN_FREE_ALL(rows->fields, rows->spins, rows->flips, rows->threshold, rows->read, g->start,
                 g->best_spins, g->beta);
    spn_parts_clear(&g->side.parts);
}

/* False without memory. */
static bool allocate(spn_row_group *g)
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

/* Put the spins of a read into g->start. */
static void unpack(const spn_row_group *g, const uint64_t *spins, size_t r)
{
    const spn_row_graph *graph = g->rows.graph;
    for (size_t i = 0; i < graph->sites; i++) {
        const uint64_t word = spins[i / SPN_ROW_TILE * g->side.count + r];
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

/* Compute fields and energies from the spins. O(reads N^2). */
static void fill_group(spn_row_group *g)
{
    const spn_row_graph *graph = g->rows.graph;
    memset(g->rows.flips, 0, graph->tiles * g->rows.reads * sizeof *g->rows.flips);
    for (size_t r = 0; r < g->rows.reads; r++) {
        spn_row_read *read = &g->rows.read[r];
        unpack(g, g->rows.spins, r);
        fill_fields(g, r);
        read->units = units_of(g, r);
        read->energy = read->units * graph->unit + graph->constant;
        read->drawn = UINT64_MAX;
    }
}

static void place(spn_row_group *g, size_t r)
{
    const size_t sites = g->rows.graph->sites;
    spn_side_start(&g->side, r, g->start);
    for (size_t i = 0; i < sites; i++)
        g->rows.spins[i / SPN_ROW_TILE * g->side.count + r] |= (uint64_t)(g->start[i] > 0)
                                                               << i % SPN_ROW_TILE;
}

/* Put every read of a new group at the start of its chain. O(reads N^2). */
static void start(spn_row_group *g)
{
    spn_rows *rows = &g->rows;
    for (size_t r = 0; r < rows->reads; r++)
        place(g, r);
    fill_group(g);
    for (size_t r = 0; r < rows->reads; r++) {
        rows->read[r].best = rows->read[r].energy;
        rows->read[r].rests = rows->read[r].energy <= rows->target;
    }
    memcpy(g->best_spins, rows->spins, rows->graph->tiles * rows->reads * sizeof *g->best_spins);
}

/* ---- the sampler ---- */

static bool is_consistent(spn_side *side, size_t r)
{
    const spn_row_group *g = (const spn_row_group *)side;
    unpack(g, g->rows.spins, r);
    return spn_energy_value(g->rows.graph->energy, g->start) == g->rows.read[r].energy;
}

static size_t count_active(const spn_side *side)
{
    size_t active = side->count;
    for (size_t r = 0; r < side->count; r++)
        active -= ((const spn_row_group *)side)->rows.read[r].rests;
    return active;
}

/* What the reads have counted so far, in a slice that began with `sums`. */
typedef struct sums {
    uint64_t proposals, accepted, uphill;
} sums;

static sums sums_at(const spn_row_group *g, uint64_t step)
{
    sums out = {0};
    for (size_t r = 0; r < g->side.count; r++) {
        const spn_row_read *read = &g->rows.read[r];
        out.proposals += read->rests ? read->hit : step;
        out.accepted += read->accepted;
        out.uphill += read->uphill;
    }
    return out;
}

/* The state at the last new lowest energy is the state now without the flips after it: those at
   higher sites of the window, which ends before site `end`. A read that rests has made none: it
   reached its target, and its lowest energy, by the last one. */
static void keep_best(spn_row_group *g, size_t end)
{
    const spn_rows *rows = &g->rows;
    for (size_t r = 0; r < rows->reads; r++) {
        spn_row_read *read = &rows->read[r];
        const size_t first = read->best_site / SPN_ROW_TILE;
        for (size_t t = 0; read->improved && t < rows->graph->tiles; t++) {
            const size_t at = t * rows->reads + r;
            uint64_t after = t < first || t * SPN_ROW_TILE >= end || read->rests ? 0 : ~0ull;
            after = after && t == first ? ~1ull << read->best_site % SPN_ROW_TILE : after;
            g->best_spins[at] = rows->spins[at] ^ (rows->flips[at] & after);
        }
        read->improved = 0;
    }
}

/* Steps to the next end of a sweep, slice or part, all at sites in ascending order. */
static uint64_t make_window(spn_side *side)
{
    spn_row_group *g = (spn_row_group *)side;
    const spn_way now = spn_parts_at(&g->side.parts, g->side.base.step);
    const size_t sites = g->rows.graph->sites, site = (size_t)(g->side.base.step % sites);
    const uint64_t part = spn_parts_left(&g->side.parts, g->side.base.step),
                   slice = spn_slice_left(now);
    double *beta = g->beta + SPN_ROW_MARGIN;
    size_t count = sites - site;
    count = count < part ? count : (size_t)part;
    count = count < slice ? count : (size_t)slice;
    spn_schedule_fill(spn_side_beta(side), now.step, count, now.steps, 0, 1, beta);
    for (size_t j = 0; j < count; j++)
        beta[j] += 1e-300; /* as in spn_limit */
    const sums before = sums_at(g, g->side.base.step);
    g->steps(&g->rows, g->side.base.step, count, beta);
    g->side.base.step += count;
    const sums after = sums_at(g, g->side.base.step);
    spn_slice *counts = &g->side.slices[spn_slice_at(now)];
    counts->proposals += after.proposals - before.proposals;
    counts->accepted += after.accepted - before.accepted;
    counts->uphill += after.uphill - before.uphill;
    keep_best(g, site + count);
    return count;
}

static double best_of(const spn_side *side, size_t r)
{
    return ((const spn_row_group *)side)->rows.read[r].best;
}

static bool settle(spn_side *side, bool trusted)
{
    spn_row_group *g = (spn_row_group *)side;
    fill_group(g);
    for (size_t r = 0; !trusted && r < side->count; r++) {
        const spn_row_read *read = &g->rows.read[r];
        if (read->rests > 1 || read->hit > side->base.step || read->accepted > side->base.step ||
            read->uphill > read->accepted || !is_consistent(side, r))
            return false;
        unpack(g, g->best_spins, r);
        if (spn_energy_value(g->rows.graph->energy, g->start) != read->best ||
            !(read->best <= read->energy))
            return false;
    }
    return true;
}

static spn_status visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_row_group *g = (spn_row_group *)sampler;
    const size_t all = g->rows.graph->tiles * g->side.count;
    const uint64_t made_of[] = {g->side.first, g->side.count, g->rows.graph->sites, SPN_ROW_TILE};
    SPN_TRY(spn_side_visit(&g->side, made_of, sizeof made_of / sizeof *made_of, archive, err));
    SPN_VISIT_ARRAY(archive, g->rows.spins, all);
    SPN_VISIT_ARRAY(archive, g->best_spins, all);
    for (size_t r = 0; r < g->side.count; r++) {
        spn_row_read *read = &g->rows.read[r];
        SPN_VISIT(archive, read->best);
        SPN_VISIT(archive, read->accepted);
        SPN_VISIT(archive, read->uphill);
        SPN_VISIT(archive, read->rests);
        SPN_VISIT(archive, read->hit);
    }
    return spn_side_visited(&g->side, archive, err);
}

static void destroy(spn_sampler *sampler)
{
    spn_row_group *g = (spn_row_group *)sampler;
    clear(g);
    free(g);
}

static void look_at(spn_read *out, int8_t *best_spins, spn_side *side, size_t r)
{
    const spn_row_group *g = (const spn_row_group *)side;
    const spn_row_read *own = &g->rows.read[r];
    const uint64_t steps = own->rests ? own->hit : side->base.step;
    *out = (spn_read){.best_energy = own->best,
                      .energy = own->energy,
                      .best_spins = best_spins,
                      .accepted = own->accepted,
                      .proposals = steps,
                      .steps = steps,
                      .hit = own->rests ? own->hit : SPN_NO_HIT,
                      .stop = own->rests ? SPN_STOP_TARGET : spn_side_ended(&side->base)};
    unpack(g, g->best_spins, r);
    memcpy(best_spins, g->start, g->rows.graph->sites);
}

static const spn_sampler_type type = {.name = "group of reads in rows",
                                      .advance = spn_side_advance,
                                      .ended = spn_side_ended,
                                      .look = spn_side_look,
                                      .health = spn_side_health,
                                      .visit = visit,
                                      .destroy = destroy};

static const spn_side_kind kind = {make_window,   count_active, best_of,
                                   is_consistent, settle,       look_at};

spn_status spn_row_group_create(spn_row_group **out, const spn_row_graph *graph,
                                spn_row_function *steps, const spn_chain_options *options,
                                size_t first, size_t count, spn_error *err)
{
    spn_row_group *g = spn_alloc(1, sizeof *g);
    spn_status status;
    assert(count <= SPN_ROW_MOST);
    *out = NULL;
    SPN_NEED(g, err, "%zu reads of %zu spins", count, graph->sites);
    g->steps = steps;
    g->rows = (spn_rows){.graph = graph,
                         .reads = count,
                         .kind = spn_kernel_traits_of(options->kernel)->threshold,
                         .draw = spn_draw_select(spn_cpu_isa()),
                         .stream = spn_stream_make(options->seed, options->run + (uint32_t)first, 0,
                                                   SPN_PURPOSE_PROPOSALS),
                         .target = options->target == SPN_TARGET_NONE ? -INFINITY
                                                                      : options->target_energy};
    SPN_TRY_OR(failed,
               spn_side_init(&g->side, &type, &kind, options, first, count, graph->sites, err));
    SPN_NEED_OR(failed, allocate(g), err, "%zu reads of %zu spins", count, graph->sites);
    start(g);
    *out = g;
    return SPN_OK;
failed:
    destroy(&g->side.base);
    return status;
}
