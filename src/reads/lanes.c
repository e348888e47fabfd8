/* A group of lanes as a sampler: its sweeps, best states and results. */
#include "reads/lanes.h"

#include "base/memory.h"
#include "core/kernel.h"
#include "core/schedule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26 }; /* most bytes of local fields, if there is a choice */

spn_lane_function *spn_lanes_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512)
        return spn_lanes_avx512;
    if (isa >= SPN_ISA_AVX2)
        return spn_lanes_avx2;
#endif
    (void)isa;
    return NULL;
}

size_t spn_lanes_width(const spn_lane_graph *graph, size_t reads, unsigned threads)
{
    size_t most = SPN_LANE_MOST;
    assert(reads > 0 && threads > 0);
    while (most > SPN_LANE_WORD && graph->sites * most > MOST_BYTES)
        most -= SPN_LANE_WORD;
    const size_t each = (reads + threads - 1) / threads;
    size_t groups = (each + most - 1) / most * threads;
    while (groups > 1 && reads / groups < SPN_LANE_FEWEST)
        groups--;
    return (reads + groups - 1) / groups;
}

/* Whether spn_lane_estimate knows the kernel's threshold. */
static bool has_cuts(spn_kernel kernel)
{
    const spn_kernel_traits *traits = spn_kernel_traits_of(kernel);
    return traits && (traits->threshold == SPN_THRESHOLD_METROPOLIS ||
                      traits->threshold == SPN_THRESHOLD_HEAT_BATH);
}

/* Stops and schedules that depend on a single chain need plain chains. */
bool spn_lanes_fit(const spn_chain_options *o)
{
    const bool ends = o->stretch || o->steps > 0 || o->part_count > 0;
    return o->replicas == 1 && !o->proposed && o->moves != SPN_MOVES_WAITING &&
           o->coupling == SPN_COUPLING_REPLICAS && o->order == SPN_ORDER_SEQUENTIAL && ends &&
           o->patience == 0 && !o->stop_frozen && has_cuts(o->kernel) &&
           (!o->beta ||
            spn_schedule_traits_of(o->beta->kind)->changes != SPN_CHANGES_BY_ACCEPTANCE);
}

spn_lane_graph *spn_lanes_prepare(const spn_energy *energy, const spn_chain_options *options,
                                  size_t reads)
{
    if (reads < SPN_LANE_FEWEST || !spn_lanes_fit(options))
        return NULL;
    return spn_lane_graph_make(energy, spn_kernel_traits_of(options->kernel)->threshold);
}

/* Put the spins of a lane into g->start. */
static void unpack(spn_lane_group *g, const uint64_t *spins, size_t lane)
{
    const size_t word = lane / SPN_LANE_WORD, bit = lane % SPN_LANE_WORD;
    assert(lane < g->width);
    for (size_t i = 0; i < g->graph->sites; i++)
        g->start[i] = spins[i * g->lanes.words + word] >> bit & 1 ? 1 : -1;
}

/* Whether a lane's stored fields and energy are those of its spins. O(edges). */
static bool is_consistent(spn_side *side, size_t lane)
{
    spn_lane_group *g = (spn_lane_group *)side;
    const spn_lane_graph *graph = g->graph;
    unpack(g, g->lanes.spins, lane);
    for (size_t i = 0; i < graph->sites; i++) {
        int field = graph->floor[i];
        for (size_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            if (g->start[graph->neighbours[e].site] > 0)
                field += graph->neighbours[e].change;
        if (field != g->lanes.fields[i * g->width + lane])
            return false;
    }
    return spn_energy_value(graph->energy, g->start) ==
           spn_lane_energy(g, lane, g->lanes.energy[lane]);
}

static size_t count_active(const spn_side *side)
{
    const spn_lane_group *g = (const spn_lane_group *)side;
    size_t active = 0;
    for (size_t word = 0; word < g->lanes.words; word++)
        active += (size_t)__builtin_popcountll(g->lanes.active[word]);
    assert(active <= g->side.count);
    return active;
}

/* Count the moves of `count` steps after base.step. before: the number of lanes active then. */
static void count_moves(spn_lane_group *g, spn_slice *slice, size_t count, size_t before)
{
    const size_t after = count_active(&g->side);
    const uint64_t step = g->side.base.step;
    slice->proposals += count * after;
    for (size_t l = 0; before > after && l < g->side.count; l++)
        if (g->lanes.hit[l] > step)
            slice->proposals += g->lanes.hit[l] - step;
    slice->uphill += g->lanes.uphill;
    g->lanes.uphill = 0;
    for (size_t l = 0; l < g->width; l++) {
        assert(g->lanes.accepted[l] <= count);
        g->accepted[l] += g->lanes.accepted[l];
        slice->accepted += g->lanes.accepted[l];
    }
    memset(g->lanes.accepted, 0, g->width);
}

/* Make at most `most` steps, up to the next border of a chunk, slice or part; the first has row
   `row` of the window. Returns how many. */
static size_t make_chunk(spn_side *side, size_t row, size_t most)
{
    spn_lane_group *g = (spn_lane_group *)side;
    const spn_way now = spn_parts_at(&g->side.parts, g->side.base.step);
    const uint64_t part = spn_parts_left(&g->side.parts, g->side.base.step),
                   slice = spn_slice_left(now);
    /* whole strides of schedules */
    size_t count = SPN_LANE_CHUNK - (size_t)(now.step % SPN_LANE_CHUNK);
    count = count < most ? count : most;
    count = count < part ? count : (size_t)part;
    count = count < slice ? count : (size_t)slice;
    assert(count > 0 && count <= SPN_LANE_CHUNK);
    spn_schedule_fill(spn_side_beta(&g->side), now.step, count, now.steps, 0, 1, g->beta);
    const size_t before = count_active(&g->side);
    g->steps(&g->lanes, g->side.base.step, count, row, g->beta);
    count_moves(g, &g->side.slices[spn_slice_at(now)], count, before);
    g->side.base.step += count;
    return count;
}

/* Update the best states of lanes with a new best in the window. No site was proposed twice in it,
   so the state at a lane's last best is the state now without the flips after it. Going back from
   the end, `after` holds the lanes whose last best is still to come. O(N). */
static void keep_best(spn_lane_group *g, size_t count)
{
    const size_t sites = g->graph->sites, words = g->lanes.words;
    const size_t start = (size_t)((g->side.base.step - count) % sites);
    assert(count <= sites);
    for (size_t word = 0; word < words; word++) {
        uint64_t improved = 0;
        for (size_t row = 0; row < count; row++)
            improved |= g->lanes.better[row * words + word];
        uint64_t after = improved;
        for (size_t row = sites; improved && row-- > 0;) {
            const size_t site = start + row < sites ? start + row : start + row - sites;
            const size_t at = site * words + word;
            uint64_t state = g->lanes.spins[at];
            if (row < count) {
                after &= ~g->lanes.better[row * words + word];
                state ^= g->lanes.flips[row * words + word] & after;
            }
            g->best_spins[at] = (g->best_spins[at] & ~improved) | (state & improved);
        }
        assert(!after);
    }
}

static uint64_t make_window(spn_side *side)
{
    spn_lane_group *g = (spn_lane_group *)side;
    const size_t done = spn_side_steps(side, make_chunk);
    keep_best(g, done);
    return done;
}

static double best_of(const spn_side *side, size_t lane)
{
    const spn_lane_group *g = (const spn_lane_group *)side;
    return spn_lane_energy(g, lane, g->lanes.best[lane]);
}

static bool settle(spn_side *side, bool trusted)
{
    spn_lane_group *g = (spn_lane_group *)side;
    spn_lane_group_fill_fields(g);
    for (size_t l = 0; !trusted && l < g->width; l++) {
        const bool active = g->lanes.active[l / SPN_LANE_WORD] >> l % SPN_LANE_WORD & 1;
        if ((active && l >= side->count) || g->lanes.hit[l] > side->base.step ||
            g->lanes.best[l] > g->lanes.energy[l] || !is_consistent(side, l))
            return false;
        unpack(g, g->best_spins, l);
        if (spn_energy_value(g->graph->energy, g->start) != best_of(side, l))
            return false;
    }
    return true;
}

static spn_status visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_lane_group *g = (spn_lane_group *)sampler;
    const size_t width = g->width, words = g->lanes.words, all = g->graph->sites * words;
    const uint64_t made_of[] = {g->side.first, g->side.count, g->graph->sites};
    SPN_TRY(spn_side_visit(&g->side, made_of, sizeof made_of / sizeof *made_of, archive, err));
    SPN_VISIT_ARRAY(archive, g->lanes.spins, all);
    SPN_VISIT_ARRAY(archive, g->best_spins, all);
    SPN_VISIT_ARRAY(archive, g->lanes.active, words);
    SPN_VISIT_ARRAY(archive, g->lanes.energy, width);
    SPN_VISIT_ARRAY(archive, g->lanes.best, width);
    SPN_VISIT_ARRAY(archive, g->lanes.hit, width);
    SPN_VISIT_ARRAY(archive, g->accepted, width);
    return spn_side_visited(&g->side, archive, err);
}

static void destroy(spn_sampler *sampler)
{
    spn_lane_group *g = (spn_lane_group *)sampler;
    spn_lane_group_clear(g);
    free(g);
}

static void look_at(spn_read *out, int8_t *best_spins, spn_side *side, size_t lane)
{
    spn_lane_group *g = (spn_lane_group *)side;
    const spn_lanes *lanes = &g->lanes;
    const bool hit = !(lanes->active[lane / SPN_LANE_WORD] >> lane % SPN_LANE_WORD & 1);
    const uint64_t steps = hit ? lanes->hit[lane] : side->base.step;
    *out = (spn_read){.best_energy = best_of(side, lane),
                      .energy = spn_lane_energy(g, lane, lanes->energy[lane]),
                      .best_spins = best_spins,
                      .accepted = g->accepted[lane],
                      .proposals = steps,
                      .steps = steps,
                      .hit = hit ? steps : SPN_NO_HIT,
                      .stop = hit ? SPN_STOP_TARGET : spn_side_ended(&side->base)};
    unpack(g, g->best_spins, lane);
    memcpy(best_spins, g->start, g->graph->sites);
}

static const spn_sampler_type type = {.name = "group of reads",
                                      .advance = spn_side_advance,
                                      .ended = spn_side_ended,
                                      .look = spn_side_look,
                                      .health = spn_side_health,
                                      .visit = visit,
                                      .destroy = destroy};

static const spn_side_kind kind = {make_window,   count_active, best_of,
                                   is_consistent, settle,       look_at};

spn_status spn_lane_group_create(spn_lane_group **out, const spn_lane_graph *graph,
                                 spn_lane_function *steps, const spn_chain_options *options,
                                 size_t first, size_t count, spn_error *err)
{
    spn_lane_group *g = spn_alloc(1, sizeof *g);
    spn_status status;
    *out = NULL;
    SPN_NEED(g, err, "%zu reads of %zu spins", count, graph->sites);
    g->graph = g->lanes.graph = graph;
    g->steps = steps;
    g->lanes.words = (count + SPN_LANE_WORD - 1) / SPN_LANE_WORD;
    g->lanes.threshold = spn_kernel_traits_of(options->kernel)->threshold;
    g->lanes.stream =
        spn_stream_make(options->seed, options->run + (uint32_t)first, 0, SPN_PURPOSE_PROPOSALS);
    g->width = g->lanes.words * SPN_LANE_WORD;
    assert(g->lanes.words <= SPN_LANE_WORDS && g->width >= count);
    SPN_TRY_OR(failed,
               spn_side_init(&g->side, &type, &kind, options, first, count, graph->sites, err));
    SPN_NEED_OR(failed, spn_lane_group_allocate(g), err, "%zu reads of %zu spins", count,
                graph->sites);
    spn_lane_group_start(g);
    *out = g;
    return SPN_OK;
failed:
    destroy(&g->side.base);
    return status;
}
