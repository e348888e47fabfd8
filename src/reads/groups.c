/* Groups of reads: the kinds of samplers that make them, and what each knows of its reads. */
#include "reads/reads.h"

#include "base/memory.h"
#include "chain/chain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

/* The y start states of a read, which the caller frees; NULL without memory. */
static int8_t *starts_of(const spn_reads *reads, size_t read)
{
    const spn_reads_options *o = &reads->options;
    const size_t sites = reads->energy->sites, replicas = reads->chain.replicas;
    int8_t *starts = spn_alloc(replicas, sites);
    size_t state = read % o->start_count * replicas % o->start_count;
    for (size_t a = 0; starts && a < replicas; a++, state = (state + 1) % o->start_count)
        memcpy(starts + a * sites, o->starts + state * sites, sites);
    return starts;
}

/* Reads that settle no part have all parts given and no time limit. */
static spn_chain_options options_of(const spn_reads *reads, const spn_read_group *g)
{
    spn_chain_options o = reads->chain;
    assert(!g->stretched || o.stretch);
    if (o.stretch && !g->stretched) {
        o.stretch = 0;
        o.seconds = 0;
        o.parts = reads->parts.parts.steps;
        o.part_count = reads->parts.parts.count;
    }
    return o;
}

static spn_status make_chain(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    spn_chain_options o = options_of(reads, g);
    int8_t *starts = NULL;
    o.run += (uint32_t)g->first;
    if (reads->options.starts) {
        SPN_NEED(starts = starts_of(reads, g->first), err, "the start of a read");
        o.start = SPN_START_GIVEN;
        o.given = starts;
    }
    const spn_status status = spn_chain_create(&g->sampler, reads->energy, &o, err);
    free(starts);
    if (!status)
        spn_chain_of(g->sampler)->parts.shared = g->stretched ? &reads->parts : NULL;
    return status;
}

static spn_status take_side(spn_reads *reads, spn_read_group *g, spn_side *made)
{
    made->parts.shared = g->stretched ? &reads->parts : NULL;
    g->sampler = &made->base;
    return SPN_OK;
}

static spn_status make_rows(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    const spn_chain_options o = options_of(reads, g);
    spn_row_function *steps = spn_rows_select(spn_cpu_isa());
    spn_row_group *made;
    SPN_TRY(spn_row_group_create(&made, reads->rows, steps, &o, g->first, g->count, err));
    return take_side(reads, g, &made->side);
}

static spn_status make_lanes(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    const spn_chain_options o = options_of(reads, g);
    spn_lane_function *steps = spn_lanes_select(spn_cpu_isa());
    spn_lane_group *made;
    steps = steps ? steps : spn_lanes_portable;
    SPN_TRY(spn_lane_group_create(&made, reads->graph, steps, &o, g->first, g->count, err));
    return take_side(reads, g, &made->side);
}

/* A device of `auto` that fails leaves the group where it is. One thread makes all groups. */
static spn_status move_words(spn_reads *reads, spn_word_group *g, spn_error *err)
{
    spn_error why = {0};
    const spn_status status = spn_word_group_move(g, &reads->device, &why);
    if (!status)
        return SPN_OK;
    if (!reads->any_device)
        return spn_fail(err, status, "`device` %s: %s", reads->device.info.name, why.text);
    reads->on_device = false;
    snprintf(reads->place, sizeof reads->place, "the processor, as %.100s failed: %.300s",
             reads->device.info.name, why.text);
    return SPN_OK;
}

static spn_status make_words(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    const spn_chain_options o = options_of(reads, g);
    const size_t lanes = (o.run + g->first) % SPN_WORD_BITS + g->count;
    const spn_word_version *version =
        spn_words_select(spn_cpu_isa(), (lanes + SPN_WORD_BITS - 1) / SPN_WORD_BITS);
    spn_word_group *made;
    SPN_TRY(spn_word_group_create(&made, reads->bits, version, &o, &reads->options, g->first,
                                  g->count, err));
    SPN_TRY(take_side(reads, g, &made->side));
    return reads->on_device ? move_words(reads, made, err) : SPN_OK;
}

/* ---- looking ---- */

static void look_at_chain(spn_read *to, int8_t *best_spins, spn_sampler *sampler)
{
    spn_snapshot s;
    size_t best = 0;
    spn_chain_snapshot(&s, sampler);
    spn_read out = {.stop = sampler->type->ended(sampler),
                    .steps = s.step,
                    .energy = s.energy[0],
                    .hit = SPN_NO_HIT};
    for (size_t a = 0; a < s.replicas; a++) {
        best = s.best_energy[a] < s.best_energy[best] ? a : best;
        out.energy = s.energy[a] < out.energy ? s.energy[a] : out.energy;
        out.accepted += s.accepted[a];
        out.proposals += s.proposals[a];
    }
    out.best_energy = s.best_energy[best];
    memcpy(best_spins, s.best_spins + best * s.sites, s.sites);
    out.best_spins = best_spins;
    if (spn_chain_of(sampler)->options.target != SPN_TARGET_NONE)
        out.hit = s.first_hit;
    *to = out;
}

/* ---- the kinds ---- */

/* Couplings that do not fit the bytes of lanes stand in rows. */
static spn_status make(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    if (g->engine == SPN_ENGINE_WORDS)
        return make_words(reads, g, err);
    if (g->engine == SPN_ENGINE_LANES)
        return reads->rows ? make_rows(reads, g, err) : make_lanes(reads, g, err);
    return make_chain(reads, g, err);
}

spn_status spn_read_group_make(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    assert(!g->sampler && g->count > 0 && (g->engine != SPN_ENGINE_PLAIN || g->count == 1));
    SPN_TRY(make(reads, g, err));
    g->sampler->clock = reads->base.clock;
    return SPN_OK;
}

void spn_read_group_look(spn_reads *reads, const spn_read_group *g, size_t r)
{
    int8_t *best_spins = reads->best_spins + r * reads->energy->sites;
    if (g->engine == SPN_ENGINE_PLAIN)
        look_at_chain(&reads->read[r], best_spins, g->sampler);
    else
        spn_side_read(&reads->read[r], best_spins, (spn_side *)g->sampler, r);
}

const spn_slice *spn_read_group_slices(const spn_read_group *g)
{
    return g->engine == SPN_ENGINE_PLAIN ? spn_chain_of(g->sampler)->health.slices
                                         : ((const spn_side *)g->sampler)->slices;
}
