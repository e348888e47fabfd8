/* Lanes: when they can be used, their start, sweeps, best states and results. */
#include "core/lanes.h"

#include "base/memory.h"
#include "base/philox.h"
#include "base/stop.h"
#include "core/kernel.h"
#include "core/schedule.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26 }; /* of local fields side by side, where there is a choice */

spn_lane_function *spn_lanes_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512)
        return spn_lanes_avx512;
#endif
    (void)isa;
    return NULL;
}

size_t spn_lanes_width(const spn_lane_graph *graph, size_t reads, unsigned threads)
{
    const size_t each = (reads + threads - 1) / threads;
    size_t words = (each + SPN_LANE_WORD - 1) / SPN_LANE_WORD;
    words = words < SPN_LANE_WORDS ? words : SPN_LANE_WORDS;
    while (words > 1 && graph->sites * words * SPN_LANE_WORD > MOST_BYTES)
        words--;
    return words * SPN_LANE_WORD;
}

/* Stops that look at the clock or at a single chain, and schedules that depend on it, are left to
   plain chains. */
static bool fits(const spn_chain_options *o)
{
    return o->replicas == 1 && o->order == SPN_ORDER_SEQUENTIAL && o->steps > 0 &&
           o->patience == 0 && o->seconds == 0 && o->part_count == 0 && !o->stretch &&
           !o->stop_frozen && spn_kernel_traits_of(o->kernel) &&
           (!o->beta ||
            spn_schedule_traits_of(o->beta->kind)->changes != SPN_CHANGES_BY_ACCEPTANCE);
}

spn_lane_graph *spn_lanes_prepare(const spn_energy *energy, const spn_chain_options *options,
                                  size_t reads)
{
    if (reads < SPN_LANE_FEWEST || !fits(options))
        return NULL;
    return spn_lane_graph_make(energy, spn_kernel_traits_of(options->kernel)->threshold);
}

/* A group of reads at work. */
typedef struct group {
    spn_lanes lanes;
    const spn_lane_graph *graph;
    const spn_chain_options *options;
    size_t first, count; /* reads; the lanes beyond are run and forgotten */
    size_t width;        /* lanes */
    uint64_t step;
    int8_t *start;        /* N spins */
    double *start_energy; /* without the constant; per lane, as is the next */
    uint64_t *accepted;
    uint64_t *best_spins; /* as lanes.spins */
    double beta[SPN_LANE_CHUNK];
} group;

static void clear(group *g)
{
    spn_lanes *lanes = &g->lanes;
    free(lanes->run_products);
    free(lanes->fields);
    free(lanes->spins);
    free(lanes->active);
    free(lanes->energy);
    free(lanes->best);
    free(lanes->target);
    free(lanes->hit);
    free(lanes->flips);
    free(lanes->better);
    free(lanes->accepted);
    free(lanes->random);
    free(g->start);
    free(g->start_energy);
    free(g->accepted);
    free(g->best_spins);
}

static bool allocate(group *g)
{
    spn_lanes *lanes = &g->lanes;
    const size_t sites = g->graph->sites, words = lanes->words, width = g->width;
    const bool has_target = g->options->target != SPN_TARGET_NONE;
    lanes->run_products = spn_alloc(width, sizeof *lanes->run_products);
    lanes->fields = spn_alloc(sites, width);
    lanes->spins = spn_alloc(sites, words * sizeof *lanes->spins);
    lanes->active = spn_alloc(words, sizeof *lanes->active);
    lanes->energy = spn_alloc(width, sizeof *lanes->energy);
    lanes->best = spn_alloc(width, sizeof *lanes->best);
    lanes->target = has_target ? spn_alloc(width, sizeof *lanes->target) : NULL;
    lanes->hit = spn_alloc(width, sizeof *lanes->hit);
    lanes->flips = spn_alloc(sites, words * sizeof *lanes->flips);
    lanes->better = spn_alloc(sites, words * sizeof *lanes->better);
    lanes->accepted = spn_alloc(width, sizeof *lanes->accepted);
    lanes->random = spn_alloc(2 * width, sizeof *lanes->random);
    g->start = spn_alloc(sites, 1);
    g->start_energy = spn_alloc(width, sizeof *g->start_energy);
    g->accepted = spn_alloc(width, sizeof *g->accepted);
    g->best_spins = spn_alloc(sites, words * sizeof *g->best_spins);
    return lanes->run_products && lanes->fields && lanes->spins && lanes->active && lanes->energy &&
           lanes->best && (lanes->target || !has_target) && lanes->hit && lanes->flips &&
           lanes->better && lanes->accepted && lanes->random && g->start && g->start_energy &&
           g->accepted && g->best_spins;
}

/* Lane l of a vector of 16 is at the place where the draws leave its words: two vectors of eight
   interleave. */
static void multiply_runs(group *g)
{
    const uint32_t run = g->lanes.stream.run;
    for (size_t l = 0; l < g->width; l++) {
        const size_t place = l / 16 * 16 + l % 2 * 8 + l % 16 / 2;
        g->lanes.run_products[place] = (uint64_t)SPN_PHILOX_M1 * (run + (uint32_t)l);
    }
}

/* The constant last, as in the energy itself: all that comes before it is exact. */
static double energy_of(const group *g, size_t lane, int32_t quanta)
{
    return g->start_energy[lane] + quanta * (g->graph->quantum / g->graph->per_unit) +
           g->graph->constant;
}

/* The most quanta at which the energy is at or below the target; the quotient is only a guess. */
static int32_t target_quanta(const group *g, size_t lane)
{
    const double target = g->options->target_energy, most = 0x1p30;
    const double guess = (target - g->graph->constant - g->start_energy[lane]) /
                         (g->graph->quantum / g->graph->per_unit);
    int32_t quanta = (int32_t)floor(fmin(fmax(guess, -most), most));
    while (quanta < (int32_t)most && energy_of(g, lane, quanta + 1) <= target)
        quanta++;
    while (quanta > -(int32_t)most && energy_of(g, lane, quanta) > target)
        quanta--;
    return quanta;
}

/* As the chain places its start. */
static void place_lane(group *g, size_t lane)
{
    const spn_chain_options *o = g->options;
    const size_t sites = g->graph->sites, words = g->lanes.words;
    if (o->start == SPN_START_GIVEN) {
        memcpy(g->start, o->given, sites);
    } else {
        spn_random random =
            spn_random_make(o->seed, g->lanes.stream.run + (uint32_t)lane, 0, SPN_PURPOSE_START);
        spn_random_spins(&random, g->start, sites);
    }
    for (size_t i = 0; i < sites; i++)
        g->lanes.spins[i * words + lane / SPN_LANE_WORD] |= (uint64_t)(g->start[i] > 0)
                                                            << lane % SPN_LANE_WORD;
    const double start = spn_energy_value(g->graph->energy, g->start) - g->graph->constant;
    g->start_energy[lane] = rint(start * g->graph->per_unit) / g->graph->per_unit;
    if (!g->lanes.target)
        return;
    g->lanes.target[lane] = target_quanta(g, lane);
    if (energy_of(g, lane, 0) <= o->target_energy)
        g->lanes.active[lane / SPN_LANE_WORD] &= ~(1ull << lane % SPN_LANE_WORD);
}

/* From fields with all spins down: those that are up, one site after the other. */
static void fill_fields(group *g)
{
    const spn_lane_graph *graph = g->graph;
    for (size_t i = 0; i < graph->sites; i++)
        memset(g->lanes.fields + i * g->width, graph->floor[i], g->width);
    for (size_t i = 0; i < graph->sites; i++)
        for (size_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const spn_lane_neighbour *n = &graph->neighbours[e];
            int8_t *field = g->lanes.fields + n->site * g->width;
            for (size_t l = 0; l < g->width; l++) {
                const uint64_t word = g->lanes.spins[i * g->lanes.words + l / SPN_LANE_WORD];
                field[l] = (int8_t)(field[l] + n->change * (int)(word >> l % SPN_LANE_WORD & 1));
            }
        }
}

static void place_start(group *g)
{
    memset(g->lanes.active, 0xFF, g->lanes.words * sizeof *g->lanes.active);
    multiply_runs(g);
    for (size_t l = 0; l < g->width; l++)
        place_lane(g, l);
    fill_fields(g);
    memcpy(g->best_spins, g->lanes.spins, g->graph->sites * g->lanes.words * sizeof *g->best_spins);
}

#ifndef NDEBUG
/* Whether the fields of a lane are those of its spins, and its energy too. O(edges). */
static bool is_consistent(group *g, size_t lane)
{
    const spn_lane_graph *graph = g->graph;
    for (size_t i = 0; i < graph->sites; i++)
        g->start[i] =
            g->lanes.spins[i * g->lanes.words + lane / SPN_LANE_WORD] >> lane % SPN_LANE_WORD & 1
                ? 1
                : -1;
    for (size_t i = 0; i < graph->sites; i++) {
        int field = graph->floor[i];
        for (size_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            if (g->start[graph->neighbours[e].site] > 0)
                field += graph->neighbours[e].change;
        if (field != g->lanes.fields[i * g->width + lane])
            return false;
    }
    return spn_energy_value(graph->energy, g->start) == energy_of(g, lane, g->lanes.energy[lane]);
}
#endif

/* Make the window's `count` steps, at most a sweep. */
static void make_steps(group *g, spn_lane_function *steps, size_t count)
{
    static const spn_schedule one = {.kind = SPN_SCHEDULE_CONSTANT, .start = 1, .end = 1};
    const spn_chain_options *o = g->options;
    for (size_t done = 0; done < count;) {
        /* whole strides of schedules */
        const size_t to_edge = SPN_LANE_CHUNK - (size_t)(g->step % SPN_LANE_CHUNK);
        const size_t chunk = to_edge < count - done ? to_edge : count - done;
        spn_schedule_fill(o->beta ? o->beta : &one, g->step, chunk, o->steps, 0, 1, g->beta);
        steps(&g->lanes, g->step, chunk, done, g->beta);
        for (size_t l = 0; l < g->width; l++)
            g->accepted[l] += g->lanes.accepted[l];
        memset(g->lanes.accepted, 0, g->width);
        g->step += chunk;
        done += chunk;
    }
}

/* Bring the best states of lanes with a new best in the window up to date. No site was proposed
   twice in it, so the state at a lane's last best is the state now, without the flips after it:
   back from the end, `after` are the lanes whose last best is still to come. O(N). */
static void keep_best(group *g, size_t count)
{
    const size_t sites = g->graph->sites, words = g->lanes.words;
    const size_t start = (size_t)((g->step - count) % sites);
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

static bool any_active(const group *g)
{
    uint64_t active = 0;
    for (size_t word = 0; word < g->lanes.words; word++)
        active |= g->lanes.active[word];
    return active != 0;
}

static void give_read(spn_reads *out, const group *g, size_t lane)
{
    const spn_lanes *lanes = &g->lanes;
    const size_t word = lane / SPN_LANE_WORD, bit = lane % SPN_LANE_WORD;
    const bool hit = !(lanes->active[word] >> bit & 1);
    const uint64_t steps = hit ? lanes->hit[lane] : g->step;
    out->read[g->first + lane] =
        (spn_read){.best_energy = energy_of(g, lane, lanes->best[lane]),
                   .energy = energy_of(g, lane, lanes->energy[lane]),
                   .accepted = g->accepted[lane],
                   .proposals = steps,
                   .steps = steps,
                   .hit = hit ? steps : SPN_NO_HIT,
                   .stop = hit                            ? SPN_STOP_TARGET
                           : g->step == g->options->steps ? SPN_STOP_STEPS
                                                          : SPN_STOP_REQUEST};
    int8_t *spins = out->best_spins + (g->first + lane) * out->sites;
    for (size_t i = 0; i < out->sites; i++)
        spins[i] = g->best_spins[i * lanes->words + word] >> bit & 1 ? 1 : -1;
}

static spn_status run(group *g, spn_lane_function *steps, spn_lane_observer *observer,
                      void *context, spn_error *err)
{
    const uint64_t total = g->options->steps;
    spn_status status = SPN_OK;
    while (!status && g->step < total && any_active(g) && !spn_stop_asked(g->options->stop)) {
        const uint64_t left = total - g->step;
        const size_t count = left < g->graph->sites ? (size_t)left : g->graph->sites;
        make_steps(g, steps, count);
        keep_best(g, count);
        status = observer(context, g->step, err);
    }
    assert(is_consistent(g, 0) && is_consistent(g, g->width - 1));
    return status;
}

spn_status spn_lanes_run(spn_reads *out, const spn_lane_graph *graph, spn_lane_function *steps,
                         const spn_chain_options *options, size_t first, size_t count,
                         spn_lane_observer *observer, void *context, spn_error *err)
{
    group g = {.graph = graph, .options = options, .first = first, .count = count};
    assert(count > 0 && count <= (size_t)SPN_LANE_WORD * SPN_LANE_WORDS);
    g.lanes.graph = graph;
    g.lanes.words = (count + SPN_LANE_WORD - 1) / SPN_LANE_WORD;
    g.lanes.threshold = spn_kernel_traits_of(options->kernel)->threshold;
    g.lanes.stream =
        spn_stream_make(options->seed, options->run + (uint32_t)first, 0, SPN_PURPOSE_PROPOSALS);
    g.width = g.lanes.words * SPN_LANE_WORD;
    spn_status status = SPN_OK;
    if (!allocate(&g)) {
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu reads of %zu spins", count,
                          graph->sites);
    } else {
        place_start(&g);
        status = run(&g, steps, observer, context, err);
    }
    for (size_t l = 0; !status && l < count; l++)
        give_read(out, &g, l);
    clear(&g);
    return status;
}
