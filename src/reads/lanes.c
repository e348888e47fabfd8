/* Lanes: when they can be used, their sweeps, best states and results. */
#include "reads/lanes_group.h"

#include "base/clock.h"
#include "base/memory.h"
#include "core/kernel.h"
#include "core/schedule.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26 }; /* of local fields side by side, where there is a choice */

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
    size_t most = (size_t)SPN_LANE_WORDS * SPN_LANE_WORD;
    while (most > SPN_LANE_WORD && graph->sites * most > MOST_BYTES)
        most -= SPN_LANE_WORD;
    const size_t each = (reads + threads - 1) / threads;
    size_t groups = (each + most - 1) / most * threads;
    while (groups > 1 && reads / groups < SPN_LANE_FEWEST)
        groups--;
    return (reads + groups - 1) / groups;
}

/* Stops that look at the clock or at a single chain, and schedules that depend on it, are left to
   plain chains. */
static bool fits(const spn_chain_options *o)
{
    const bool ends = o->stretch || o->steps > 0 || o->part_count > 0;
    return o->replicas == 1 && !o->proposed && o->moves != SPN_MOVES_WAITING &&
           o->coupling == SPN_COUPLING_REPLICAS && o->order == SPN_ORDER_SEQUENTIAL && ends &&
           o->patience == 0 && !o->stop_frozen && spn_kernel_traits_of(o->kernel) &&
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

#ifndef NDEBUG
/* Whether the fields of a lane are those of its spins, and its energy too. O(edges). */
static bool is_consistent(spn_lane_group *g, size_t lane)
{
    const spn_lane_graph *graph = g->graph;
    for (size_t i = 0; i < graph->sites; i++)
        g->start[i] =
            g->lanes.spins[i * g->lanes.words + lane / SPN_LANE_WORD] >> lane % SPN_LANE_WORD & 1
                ? 1
                : -1;
    for (size_t i = 0; i < graph->sites; i++) {
        int field = graph->floor[i]; /* what is kept of it */
        for (size_t e = graph->first[i]; e < graph->first[i + 1]; e++)
            if (g->start[graph->neighbours[e].site] > 0)
                field += graph->neighbours[e].change;
        if (field != g->lanes.fields[i * g->width + lane])
            return false;
    }
    return spn_energy_value(graph->energy, g->start) ==
           spn_lane_energy(g, lane, g->lanes.energy[lane]);
}
#endif

/* ---- parts ---- */

spn_status spn_lane_plan_init(spn_lane_plan *plan, const spn_chain_options *options, spn_error *err)
{
    spn_chain_options o = *options;
    *plan = (spn_lane_plan){.stretch = o.stretch, .clock = spn_clock};
    pthread_mutex_init(&plan->lock, NULL);
    return spn_parts_init(&plan->parts, &o, err);
}

void spn_lane_plan_clear(spn_lane_plan *plan)
{
    pthread_mutex_destroy(&plan->lock);
    spn_parts_clear(&plan->parts);
}

static spn_status copy_parts(spn_parts *out, const spn_lane_plan *plan, spn_error *err)
{
    *out = (spn_parts){.count = plan->parts.count};
    out->made = plan->stretch ? 0 : out->count;
    out->steps = spn_alloc(out->count, sizeof *out->steps);
    if (!out->steps)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu parts", out->count);
    for (size_t k = 0; !plan->stretch && k < out->count; k++)
        out->steps[k] = plan->parts.steps[k];
    return SPN_OK;
}

/* A part begins whose length this group does not know: that of the group which was first there, or
   by the time that is left. */
static void begin_part(spn_lane_group *g)
{
    spn_lane_plan *plan = g->plan;
    spn_parts *own = &g->parts;
    const double now = plan->clock();
    if (g->step > g->part_step && now > g->part_time)
        own->pace = (double)(g->step - g->part_step) / (now - g->part_time);
    g->part_step = g->step;
    g->part_time = now;
    pthread_mutex_lock(&plan->lock);
    if (plan->parts.made == own->now) {
        plan->parts.now = own->now;
        plan->parts.pace = own->pace;
        spn_parts_settle(&plan->parts, g->seconds - (now - g->started));
    }
    for (size_t k = own->now; k < own->count; k++)
        own->steps[k] = plan->parts.steps[k];
    pthread_mutex_unlock(&plan->lock);
    own->made = own->now + 1;
}

/* Whether the steps of all parts are done. */
static bool is_complete(spn_lane_group *g)
{
    if (spn_parts_enter(&g->parts, g->step))
        begin_part(g);
    return spn_parts_left(&g->parts, g->step) == 0;
}

static double share_done(const spn_lane_group *g)
{
    const spn_parts *p = &g->parts;
    const double in_part = (double)(g->step - p->start) / (double)p->steps[p->now];
    return ((double)p->now + in_part) / (double)p->count;
}

/* ---- sweeps ---- */

static size_t count_active(const spn_lane_group *g)
{
    size_t active = 0;
    for (size_t word = 0; word < g->lanes.words; word++)
        active += (size_t)__builtin_popcountll(g->lanes.active[word]);
    return active;
}

/* Count `count` steps of a slice, of which g->step were made before. before: the lanes that were
   active then. */
static void count_moves(spn_lane_group *g, spn_slice *slice, size_t count, size_t before)
{
    const size_t after = count_active(g);
    slice->proposals += count * after;
    for (size_t l = 0; before > after && l < g->count; l++)
        if (g->lanes.hit[l] > g->step)
            slice->proposals += g->lanes.hit[l] - g->step;
    slice->uphill += g->lanes.uphill;
    g->lanes.uphill = 0;
    for (size_t l = 0; l < g->width; l++) {
        g->accepted[l] += g->lanes.accepted[l];
        slice->accepted += g->lanes.accepted[l];
    }
    memset(g->lanes.accepted, 0, g->width);
}

/* Make a sweep, or what is left to do; returns the steps. */
static size_t make_sweep(spn_lane_group *g, spn_lane_function *steps)
{
    static const spn_schedule one = {.kind = SPN_SCHEDULE_CONSTANT, .start = 1, .end = 1};
    const spn_schedule *beta = g->options->beta ? g->options->beta : &one;
    size_t done = 0;
    while (done < g->graph->sites && !is_complete(g)) {
        const spn_way now = spn_parts_at(&g->parts, g->step);
        const uint64_t part = spn_parts_left(&g->parts, g->step), slice = spn_slice_left(now);
        const uint64_t left = part < slice ? part : slice;
        /* whole strides of schedules */
        size_t count = SPN_LANE_CHUNK - (size_t)(now.step % SPN_LANE_CHUNK);
        count = count < g->graph->sites - done ? count : g->graph->sites - done;
        count = count < left ? count : (size_t)left;
        spn_schedule_fill(beta, now.step, count, now.steps, 0, 1, g->beta);
        const size_t before = count_active(g);
        steps(&g->lanes, g->step, count, done, g->beta);
        count_moves(g, &g->slices[spn_slice_at(now)], count, before);
        g->step += count;
        done += count;
    }
    return done;
}

/* Measure the pace by the first steps of the run, and go back to the start. */
static void try_pace(spn_lane_group *g, spn_lane_function *steps)
{
    const double share = 0.01, started = g->plan->clock();
    g->parts.steps[0] = INT64_MAX / SPN_STRETCHED_PARTS;
    g->parts.made = 1;
    double seconds = 0;
    while (seconds < share * g->seconds && g->step < SPN_SAVE_STEPS) {
        make_sweep(g, steps);
        seconds = g->plan->clock() - started;
    }
    g->parts.pace = (double)g->step / fmax(seconds, 1e-9);
    g->parts.made = 0;
    spn_lane_group_start(g);
}

/* Bring the best states of lanes with a new best in the window up to date. No site was proposed
   twice in it, so the state at a lane's last best is the state now, without the flips after it:
   back from the end, `after` are the lanes whose last best is still to come. O(N). */
static void keep_best(spn_lane_group *g, size_t count)
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

static void give_read(spn_reads *out, const spn_lane_group *g, size_t lane, spn_stop stop)
{
    const spn_lanes *lanes = &g->lanes;
    const size_t word = lane / SPN_LANE_WORD, bit = lane % SPN_LANE_WORD;
    const bool hit = !(lanes->active[word] >> bit & 1);
    const uint64_t steps = hit ? lanes->hit[lane] : g->step;
    out->read[g->first + lane] =
        (spn_read){.best_energy = spn_lane_energy(g, lane, lanes->best[lane]),
                   .energy = spn_lane_energy(g, lane, lanes->energy[lane]),
                   .accepted = g->accepted[lane],
                   .proposals = steps,
                   .steps = steps,
                   .hit = hit ? steps : SPN_NO_HIT,
                   .stop = hit ? SPN_STOP_TARGET : stop};
    int8_t *spins = out->best_spins + (g->first + lane) * out->sites;
    for (size_t i = 0; i < out->sites; i++)
        spins[i] = g->best_spins[i * lanes->words + word] >> bit & 1 ? 1 : -1;
}

static spn_stop reached_stop(spn_lane_group *g)
{
    const double grace = fmax(1.25 * g->seconds, g->seconds + 0.1); /* as a chain's */
    if (count_active(g) == 0)
        return SPN_STOP_TARGET;
    if (is_complete(g))
        return SPN_STOP_STEPS;
    if (spn_stop_asked(g->stop))
        return SPN_STOP_REQUEST;
    if (g->plan->stretch && g->step > 0 && g->plan->clock() - g->started > grace)
        return SPN_STOP_TIME;
    return SPN_STOP_NONE;
}

static spn_status run(spn_lane_group *g, spn_stop *stop, spn_lane_function *steps,
                      spn_lane_observer *observer, void *context, spn_error *err)
{
    spn_status status = SPN_OK;
    uint64_t seen = 0;
    g->started = g->part_time = g->plan->clock();
    spn_lane_group_start(g);
    if (g->plan->stretch)
        try_pace(g, steps);
    while (!status && !(*stop = reached_stop(g))) {
        keep_best(g, make_sweep(g, steps));
        if (g->step - seen < SPN_SAVE_STEPS)
            continue;
        status = observer(context, share_done(g), err);
        seen = g->step;
    }
    assert(is_consistent(g, 0) && is_consistent(g, g->width - 1));
    return status;
}

spn_status spn_lanes_run(spn_reads *out, spn_slice slices[SPN_SLICES], const spn_lane_graph *graph,
                         spn_lane_function *steps, spn_lane_plan *plan,
                         const spn_chain_options *options, const volatile sig_atomic_t *flag,
                         size_t first, size_t count, spn_lane_observer *observer, void *context,
                         spn_error *err)
{
    spn_lane_group g = {.graph = graph,
                        .plan = plan,
                        .options = options,
                        .stop = flag,
                        .first = first,
                        .count = count};
    spn_stop stop;
    assert(count > 0 && count <= (size_t)SPN_LANE_WORD * SPN_LANE_WORDS);
    g.lanes.graph = graph;
    g.lanes.words = (count + SPN_LANE_WORD - 1) / SPN_LANE_WORD;
    g.lanes.threshold = spn_kernel_traits_of(options->kernel)->threshold;
    g.lanes.stream =
        spn_stream_make(options->seed, options->run + (uint32_t)first, 0, SPN_PURPOSE_PROPOSALS);
    g.width = g.lanes.words * SPN_LANE_WORD;
    g.seconds = options->seconds * (double)count;
    spn_status status = copy_parts(&g.parts, plan, err);
    if (!status && !spn_lane_group_allocate(&g))
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu reads of %zu spins", count,
                          graph->sites);
    if (!status)
        status = run(&g, &stop, steps, observer, context, err);
    for (size_t l = 0; !status && l < count; l++)
        give_read(out, &g, l, stop);
    memcpy(slices, g.slices, sizeof g.slices);
    spn_lane_group_clear(&g);
    return status;
}
