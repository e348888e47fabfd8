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

static spn_status make_rows(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    const spn_chain_options o = options_of(reads, g);
    spn_row_function *steps = spn_rows_select(spn_cpu_isa());
    spn_row_group *made;
    SPN_TRY(spn_row_group_create(&made, reads->rows, steps, &o, g->first, g->count, err));
    made->parts.shared = g->stretched ? &reads->parts : NULL;
    g->sampler = &made->base;
    return SPN_OK;
}

static spn_status make_lanes(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    const spn_chain_options o = options_of(reads, g);
    spn_lane_function *steps = spn_lanes_select(spn_cpu_isa());
    spn_lane_group *made;
    steps = steps ? steps : spn_lanes_portable;
    SPN_TRY(spn_lane_group_create(&made, reads->graph, steps, &o, g->first, g->count, err));
    made->parts.shared = g->stretched ? &reads->parts : NULL;
    g->sampler = &made->base;
    return SPN_OK;
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
    made->parts.shared = g->stretched ? &reads->parts : NULL;
    g->sampler = &made->base;
    return reads->on_device ? move_words(reads, made, err) : SPN_OK;
}

/* ---- looking ---- */

static void look_at_chain(spn_read *to, int8_t *best_spins, spn_sampler *sampler, size_t r)
{
    (void)r;
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

static void look_at_lanes(spn_read *out, int8_t *best_spins, spn_sampler *sampler, size_t r)
{
    spn_lane_group_look(out, best_spins, (spn_lane_group *)sampler, r);
}

static void look_at_rows(spn_read *out, int8_t *best_spins, spn_sampler *sampler, size_t r)
{
    spn_row_group_look(out, best_spins, (spn_row_group *)sampler, r);
}

static void look_at_words(spn_read *out, int8_t *best_spins, spn_sampler *sampler, size_t r)
{
    spn_word_group_look(out, best_spins, (spn_word_group *)sampler, r);
}

static const spn_slice *slices_of_chain(const spn_sampler *sampler)
{
    return spn_chain_of(sampler)->health.slices;
}

static const spn_slice *slices_of_lanes(const spn_sampler *sampler)
{
    return ((const spn_lane_group *)sampler)->slices;
}

static const spn_slice *slices_of_rows(const spn_sampler *sampler)
{
    return ((const spn_row_group *)sampler)->slices;
}

static const spn_slice *slices_of_words(const spn_sampler *sampler)
{
    return ((const spn_word_group *)sampler)->slices;
}

/* ---- the kinds ---- */

typedef struct group_kind {
    spn_status (*make)(spn_reads *reads, spn_read_group *g, spn_error *err);
    void (*look)(spn_read *out, int8_t *best_spins, spn_sampler *sampler, size_t read);
    const spn_slice *(*slices)(const spn_sampler *sampler);
} group_kind;

/* Couplings that do not fit the bytes of lanes stand in rows. */
static const group_kind *kind_of(const spn_reads *reads, const spn_read_group *g)
{
    static const group_kind chain = {make_chain, look_at_chain, slices_of_chain};
    static const group_kind lanes = {make_lanes, look_at_lanes, slices_of_lanes};
    static const group_kind rows = {make_rows, look_at_rows, slices_of_rows};
    static const group_kind words = {make_words, look_at_words, slices_of_words};
    if (g->engine == SPN_ENGINE_WORDS)
        return &words;
    if (g->engine == SPN_ENGINE_LANES)
        return reads->rows ? &rows : &lanes;
    return &chain;
}

spn_status spn_read_group_make(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    assert(!g->sampler && g->count > 0 && (g->engine != SPN_ENGINE_PLAIN || g->count == 1));
    SPN_TRY(kind_of(reads, g)->make(reads, g, err));
    g->sampler->clock = reads->base.clock;
    return SPN_OK;
}

void spn_read_group_look(spn_reads *reads, const spn_read_group *g, size_t r)
{
    assert(r >= g->first && r < g->first + g->count);
    kind_of(reads, g)->look(&reads->read[r], reads->best_spins + r * reads->energy->sites,
                            g->sampler, r);
}

const spn_slice *spn_read_group_slices(const spn_reads *reads, const spn_read_group *g)
{
    return kind_of(reads, g)->slices(g->sampler);
}
