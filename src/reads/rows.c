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

static spn_row_group *group_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_row_group_type);
    return (spn_row_group *)sampler;
}

static bool is_consistent(const spn_row_group *g, size_t r)
{
    spn_row_unpack(g, g->rows.spins, r);
    return spn_energy_value(g->rows.graph->energy, g->start) == g->rows.read[r].energy;
}

static size_t count_resting(const spn_row_group *g)
{
    size_t resting = 0;
    for (size_t r = 0; r < g->count; r++)
        resting += g->rows.read[r].rests;
    return resting;
}

/* What the reads have counted so far, in a slice that began with `sums`. */
typedef struct sums {
    uint64_t proposals, accepted, uphill;
} sums;

static sums sums_at(const spn_row_group *g, uint64_t step)
{
    sums out = {0};
    for (size_t r = 0; r < g->count; r++) {
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
static uint64_t make_window(spn_row_group *g)
{
    static const spn_schedule one = {.kind = SPN_SCHEDULE_CONSTANT, .start = 1, .end = 1};
    const spn_schedule *schedule = g->options.beta ? g->options.beta : &one;
    const spn_way now = spn_parts_at(&g->parts, g->base.step);
    const size_t sites = g->rows.graph->sites, site = (size_t)(g->base.step % sites);
    const uint64_t part = spn_parts_left(&g->parts, g->base.step), slice = spn_slice_left(now);
    double *beta = g->beta + SPN_ROW_MARGIN;
    size_t count = sites - site;
    count = count < part ? count : (size_t)part;
    count = count < slice ? count : (size_t)slice;
    spn_schedule_fill(schedule, now.step, count, now.steps, 0, 1, beta);
    for (size_t j = 0; j < count; j++)
        beta[j] += 1e-300; /* as in spn_limit */
    const sums before = sums_at(g, g->base.step);
    g->steps(&g->rows, g->base.step, count, beta);
    g->base.step += count;
    const sums after = sums_at(g, g->base.step);
    spn_slice *counts = &g->slices[spn_slice_at(now)];
    counts->proposals += after.proposals - before.proposals;
    counts->accepted += after.accepted - before.accepted;
    counts->uphill += after.uphill - before.uphill;
    keep_best(g, site + count);
    return count;
}

static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_row_group *g = group_of(sampler);
    uint64_t done = 0;
    SPN_TRY(spn_parts_begin(&g->parts, sampler, err));
    do {
        done += make_window(g);
    } while (done < most && count_resting(g) < g->count &&
             !spn_parts_are_done(&g->parts, sampler->step) &&
             !spn_parts_enter(&g->parts, sampler->step) && !spn_sampler_is_halted(sampler));
    assert(is_consistent(g, 0) && is_consistent(g, g->count - 1));
    return SPN_OK;
}

static spn_stop ended(const spn_sampler *sampler)
{
    const spn_row_group *g = group_of(sampler);
    if (count_resting(g) == g->count)
        return SPN_STOP_TARGET;
    if (spn_parts_are_done(&g->parts, sampler->step))
        return SPN_STOP_STEPS;
    return spn_parts_are_late(&g->parts, sampler) ? SPN_STOP_TIME : SPN_STOP_NONE;
}

static void look(spn_progress *out, const spn_sampler *sampler)
{
    const spn_row_group *g = group_of(sampler);
    out->share = spn_parts_share(&g->parts, sampler->step);
    out->steps = spn_parts_total(&g->parts);
    out->best_energy = INFINITY;
    for (size_t r = 0; r < g->count; r++)
        out->best_energy = fmin(out->best_energy, g->rows.read[r].best);
    for (size_t j = 0; j < SPN_SLICES; j++)
        out->proposals += g->slices[j].proposals;
}

static spn_health health(const spn_sampler *sampler)
{
    const spn_row_group *g = group_of(sampler);
    return spn_slices_verdict(g->slices, g->options.beta,
                              spn_parts_are_done(&g->parts, sampler->step));
}

/* Whether these reads can reach the loaded state. */
static bool is_possible(spn_row_group *g)
{
    for (size_t r = 0; r < g->count; r++) {
        const spn_row_read *read = &g->rows.read[r];
        if (read->rests > 1 || read->hit > g->base.step || read->accepted > g->base.step ||
            read->uphill > read->accepted || !is_consistent(g, r))
            return false;
        spn_row_unpack(g, g->best_spins, r);
        if (spn_energy_value(g->rows.graph->energy, g->start) != read->best ||
            !(read->best <= read->energy))
            return false;
    }
    return true;
}

static spn_status visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_row_group *g = group_of(sampler);
    const size_t all = g->rows.graph->tiles * g->count;
    const uint64_t made_of[] = {g->first, g->count, g->rows.graph->sites, SPN_ROW_TILE};
    if (!spn_archive_agrees(archive, made_of, sizeof made_of / sizeof *made_of))
        return spn_refuse(err, "this is not the saved state of %zu reads of %zu spins", g->count,
                          g->rows.graph->sites);
    SPN_TRY(spn_parts_visit(&g->parts, sampler->step, archive, err));
    SPN_VISIT(archive, g->slices);
    SPN_VISIT_ARRAY(archive, g->rows.spins, all);
    SPN_VISIT_ARRAY(archive, g->best_spins, all);
    for (size_t r = 0; r < g->count; r++) {
        spn_row_read *read = &g->rows.read[r];
        SPN_VISIT(archive, read->best);
        SPN_VISIT(archive, read->accepted);
        SPN_VISIT(archive, read->uphill);
        SPN_VISIT(archive, read->rests);
        SPN_VISIT(archive, read->hit);
    }
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(sampler, archive, err));
    spn_row_group_fill(g);
    return archive->trusted || is_possible(g)
               ? SPN_OK
               : spn_refuse(err, "the saved state of the reads is one that no run comes to");
}

static void destroy(spn_sampler *sampler)
{
    spn_row_group *g = group_of(sampler);
    spn_row_group_clear(g);
    free(g);
}

const spn_sampler_type spn_row_group_type = {.name = "group of reads in rows",
                                             .advance = advance,
                                             .ended = ended,
                                             .look = look,
                                             .health = health,
                                             .visit = visit,
                                             .destroy = destroy};

spn_status spn_row_group_create(spn_row_group **out, const spn_row_graph *graph,
                                spn_row_function *steps, const spn_chain_options *options,
                                size_t first, size_t count, spn_error *err)
{
    assert(count > 0 && count <= SPN_ROW_MOST);
    *out = NULL;
    spn_row_group *g = spn_alloc(1, sizeof *g);
    SPN_NEED(g, err, "%zu reads of %zu spins", count, graph->sites);
    *g = (spn_row_group){.steps = steps, .options = *options, .first = first, .count = count};
    spn_sampler_init(&g->base, &spn_row_group_type);
    g->rows = (spn_rows){.graph = graph,
                         .reads = count,
                         .kind = spn_kernel_traits_of(options->kernel)->threshold,
                         .draw = spn_draw_select(spn_cpu_isa()),
                         .stream = spn_stream_make(options->seed, options->run + (uint32_t)first, 0,
                                                   SPN_PURPOSE_PROPOSALS),
                         .target = options->target == SPN_TARGET_NONE ? -INFINITY
                                                                      : options->target_energy};
    g->options.seconds *= (double)count;
    spn_status status = spn_parts_init(&g->parts, &g->options, err);
    if (!status && !spn_row_group_allocate(g))
        status = spn_no_memory(err, "%zu reads of %zu spins", count, graph->sites);
    if (status) {
        destroy(&g->base);
        return status;
    }
    spn_row_group_start(g);
    *out = g;
    return SPN_OK;
}

void spn_row_group_look(spn_read *out, int8_t *best_spins, const spn_row_group *g, size_t read)
{
    const size_t r = read - g->first;
    const spn_row_read *own = &g->rows.read[r];
    assert(read >= g->first && r < g->count);
    const uint64_t steps = own->rests ? own->hit : g->base.step;
    *out = (spn_read){.best_energy = own->best,
                      .energy = own->energy,
                      .best_spins = best_spins,
                      .accepted = own->accepted,
                      .proposals = steps,
                      .steps = steps,
                      .hit = own->rests ? own->hit : SPN_NO_HIT,
                      .stop = own->rests ? SPN_STOP_TARGET : ended(&g->base)};
    spn_row_unpack(g, g->best_spins, r);
    memcpy(best_spins, g->start, g->rows.graph->sites);
}
