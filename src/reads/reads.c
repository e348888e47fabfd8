/* Reads: a sampler made of samplers. Each thread runs a group, a plain chain or many reads in
   lanes or words, and takes the next one when it ends. */
#include "reads/reads.h"

#include "base/memory.h"
#include "base/text.h"
#include "chain/chain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 4096, FEWEST_ON_DEVICE = 2048 };

const spn_names spn_engine_names =
    SPN_NAME_LIST("engine", [SPN_ENGINE_AUTO] = "auto", [SPN_ENGINE_PLAIN] = "plain",
                  [SPN_ENGINE_LANES] = "lanes", [SPN_ENGINE_WORDS] = "words");

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

spn_status spn_read_group_make(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    static spn_status (*const make[])(spn_reads *, spn_read_group *,
                                      spn_error *) = {[SPN_ENGINE_PLAIN] = make_chain,
                                                      [SPN_ENGINE_LANES] = make_lanes,
                                                      [SPN_ENGINE_WORDS] = make_words};
    assert(!g->sampler && g->count > 0 && (g->engine != SPN_ENGINE_PLAIN || g->count == 1));
    SPN_TRY(make[g->engine](reads, g, err));
    g->sampler->clock = reads->base.clock;
    return SPN_OK;
}

static spn_read look_at_chain(const spn_sampler *sampler)
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
    out.best_spins = s.best_spins + best * s.sites;
    if (spn_chain_of(sampler)->options.target != SPN_TARGET_NONE)
        out.hit = s.first_hit;
    return out;
}

/* Compare the best energies of a group's reads with those of their states, computed anew. */
static spn_status check_group(const spn_reads *reads, const spn_read_group *g, spn_error *err)
{
    for (size_t r = g->first; r < g->first + g->count; r++)
        SPN_TRY(spn_energy_check(NULL, reads->energy, reads->read[r].best_spins,
                                 reads->read[r].best_energy, 0, reads->read[r].steps, err));
    return SPN_OK;
}

/* Fill in a read of a running group, and its best state. */
static void look_at_group(spn_reads *reads, const spn_read_group *g, size_t r)
{
    const size_t sites = reads->energy->sites;
    spn_read *out = &reads->read[r];
    int8_t *best_spins = reads->best_spins + r * sites;
    assert(r >= g->first && r < g->first + g->count);
    if (g->engine == SPN_ENGINE_WORDS) {
        spn_word_group_look(out, best_spins, (spn_word_group *)g->sampler, r);
    } else if (g->engine == SPN_ENGINE_LANES) {
        spn_lane_group_look(out, best_spins, (spn_lane_group *)g->sampler, r);
    } else {
        *out = look_at_chain(g->sampler);
        memcpy(best_spins, out->best_spins, sites);
        out->best_spins = best_spins;
    }
}

static const spn_slice *slices_of(const spn_read_group *g)
{
    if (g->engine == SPN_ENGINE_WORDS)
        return ((const spn_word_group *)g->sampler)->slices;
    return g->engine == SPN_ENGINE_LANES ? ((const spn_lane_group *)g->sampler)->slices
                                         : spn_chain_of(g->sampler)->health.slices;
}

/* The steps of all reads of a group; in a step side by side every replica proposes. */
static uint64_t steps_of(const spn_reads *reads, const spn_read_group *g)
{
    uint64_t proposals = 0;
    if (g->engine == SPN_ENGINE_PLAIN)
        return g->sampler->step;
    for (size_t j = 0; j < SPN_SLICES; j++)
        proposals += slices_of(g)[j].proposals;
    return proposals / reads->chain.replicas;
}

static spn_status finish_group(spn_reads *reads, spn_read_group *g, spn_stop stop, spn_error *err)
{
    assert(stop != SPN_STOP_NONE);
    pthread_mutex_lock(&reads->lock);
    for (size_t r = g->first; r < g->first + g->count; r++) {
        look_at_group(reads, g, r);
        spn_read *read = &reads->read[r];
        read->stop = read->stop ? read->stop : stop;
        reads->best_energy = fmin(reads->best_energy, read->best_energy);
        reads->state[r] = SPN_READ_DONE;
    }
    reads->finished += g->count;
    reads->steps_done += steps_of(reads, g);
    spn_slices_add(reads->slices, slices_of(g));
    pthread_mutex_unlock(&reads->lock);
    if (g->engine != SPN_ENGINE_PLAIN)
        SPN_TRY(check_group(reads, g, err));
    spn_sampler_free(g->sampler);
    *g = (spn_read_group){0};
    return SPN_OK;
}

/* How many reads a group that begins with this one may have. Runs of a word stay together. */
static size_t most_from(const spn_reads *reads, size_t first)
{
    return reads->engine == SPN_ENGINE_WORDS
               ? reads->width - (reads->chain.run + first) % SPN_WORD_BITS
               : reads->width;
}

/* Take reads that wait. False if there are none. */
static bool take_reads(spn_reads *reads, spn_read_group *g)
{
    const size_t count = reads->options.reads;
    pthread_mutex_lock(&reads->lock);
    while (reads->next < count && reads->state[reads->next] != SPN_READ_WAITS)
        reads->next++;
    *g = (spn_read_group){.first = reads->next, .engine = reads->engine};
    const size_t most = most_from(reads, g->first);
    while (g->count < most && reads->next < count && reads->state[reads->next] == SPN_READ_WAITS) {
        reads->state[reads->next++] = SPN_READ_RUNS;
        g->count++;
    }
    pthread_mutex_unlock(&reads->lock);
    g->stretched = reads->chain.stretch && !spn_shared_parts_are_made(&reads->parts);
    return g->count > 0;
}

/* Take steps of the block for all reads of a thread's group; 0 if none are left. Threads take them
   in small pieces, so that all end at about the same time. */
static uint64_t take_steps(spn_reads *reads, uint64_t piece)
{
    pthread_mutex_lock(&reads->lock);
    const uint64_t steps = piece < reads->steps_left ? piece : reads->steps_left;
    reads->steps_left -= steps;
    pthread_mutex_unlock(&reads->lock);
    return steps;
}

static void fail_block(spn_reads *reads, spn_read_group *g, spn_status status)
{
    pthread_mutex_lock(&reads->lock);
    reads->steps_left = 0;
    pthread_mutex_unlock(&reads->lock);
    g->status = status;
}

static spn_stop ended_group(const spn_reads *reads, const spn_read_group *g)
{
    const double seconds = reads->options.seconds * (double)g->count;
    const spn_stop own = g->sampler->type->ended(g->sampler);
    if (own != SPN_STOP_NONE)
        return own;
    return seconds > 0 && spn_sampler_seconds(g->sampler) >= seconds ? SPN_STOP_TIME
                                                                     : SPN_STOP_NONE;
}

/* Make the sampler of a group if needed, and start its clock until the end of the block. If the
   group ran in the last block, its time continues from there: waiting for other threads and
   observers is part of a run's time. */
static spn_status begin_group(spn_reads *reads, spn_read_group *g, spn_error *err)
{
    const bool goes_on = g->until == reads->until && reads->until > reads->base.began;
    double began = goes_on ? reads->until : reads->base.now;
    if (!g->sampler) {
        began = reads->base.clock();
        SPN_TRY(spn_read_group_make(reads, g, err));
    }
    if (g->sampler->began == 0)
        g->sampler->began = began;
    return SPN_OK;
}

static void end_groups(spn_reads *reads)
{
    reads->until = reads->base.clock();
    for (size_t k = 0; k < reads->group_count; k++) {
        spn_read_group *g = &reads->groups[k];
        if (!g->sampler || g->sampler->began == 0)
            continue;
        g->sampler->spent += reads->until - g->sampler->began;
        g->sampler->began = 0;
        g->until = reads->until;
    }
}

/* Run a group for this many steps of all its reads together. */
static spn_status run_group(spn_reads *reads, spn_read_group *g, uint64_t steps, spn_error *err)
{
    assert(g->sampler && g->count > 0 && steps > 0);
    spn_sampler *sampler = g->sampler;
    const uint64_t each = (steps + g->count - 1) / g->count, end = sampler->step + each;
    spn_stop stop;
    spn_status status = SPN_OK;
    spn_sampler_follow(sampler, &reads->base);
    sampler->now = sampler->clock();
    while (!(stop = ended_group(reads, g)) && !status && sampler->step < end &&
           !spn_sampler_is_halted(sampler))
        status = spn_sampler_advance(sampler, end - sampler->step, err);
    if (status || !stop)
        return status;
    if (sampler->type->check)
        SPN_TRY(sampler->type->check(sampler, err));
    return finish_group(reads, g, stop, err);
}

static void work(void *context, size_t k)
{
    enum { PIECES = 8 };
    spn_reads *reads = context;
    spn_read_group *g = &reads->groups[k];
    const unsigned threads = spn_team_threads(reads->team);
    const uint64_t all = reads->block, piece = threads > 1 ? all / (PIECES * threads) + 1 : all;
    uint64_t steps;
    while (!spn_sampler_is_halted(&reads->base) && (g->count > 0 || take_reads(reads, g)) &&
           (steps = take_steps(reads, piece)) > 0) {
        spn_status status = begin_group(reads, g, &g->error);
        if (!status)
            status = run_group(reads, g, steps, &g->error);
        if (status)
            fail_block(reads, g, status);
    }
}

uint64_t spn_reads_count_steps(const spn_reads *reads)
{
    uint64_t steps = reads->steps_done;
    for (size_t k = 0; k < reads->group_count; k++)
        steps += reads->groups[k].sampler ? steps_of(reads, &reads->groups[k]) : 0;
    return steps;
}

/* If several groups failed, the error is that of the first read. */
static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_reads *reads = spn_reads_of(sampler);
    const spn_read_group *failed = NULL;
    reads->block = reads->steps_left = most;
    spn_team_run(reads->team, work, reads, reads->group_count);
    end_groups(reads);
    for (size_t k = 0; k < reads->group_count; k++) {
        const spn_read_group *g = &reads->groups[k];
        if (g->status && (!failed || g->first < failed->first))
            failed = g;
    }
    sampler->step = spn_reads_count_steps(reads);
    assert(reads->finished <= reads->options.reads && reads->next <= reads->options.reads);
    if (failed && err)
        *err = failed->error;
    return failed ? failed->status : SPN_OK;
}

/* The reason why most of the reads ended. */
static spn_stop ended(const spn_sampler *sampler)
{
    const spn_reads *reads = spn_reads_of(sampler);
    size_t counts[SPN_STOP_FROZEN + 1] = {0}, most = 0;
    if (reads->finished < reads->options.reads)
        return SPN_STOP_NONE;
    for (size_t r = 0; r < reads->options.reads; r++)
        counts[reads->read[r].stop]++;
    for (size_t k = 0; k <= SPN_STOP_FROZEN; k++)
        most = counts[k] > counts[most] ? k : most;
    assert(counts[SPN_STOP_NONE] == 0);
    return (spn_stop)most;
}

static void look(spn_progress *out, const spn_sampler *sampler)
{
    const spn_reads *reads = spn_reads_of(sampler);
    double share = (double)reads->finished;
    out->best_energy = reads->best_energy;
    for (size_t j = 0; j < SPN_SLICES; j++)
        out->proposals += reads->slices[j].proposals;
    for (size_t k = 0; k < reads->group_count; k++) {
        const spn_read_group *g = &reads->groups[k];
        spn_progress own;
        if (!g->sampler)
            continue;
        spn_sampler_look(&own, g->sampler);
        share += own.share * (double)g->count;
        out->proposals += own.proposals;
        out->best_energy = fmin(out->best_energy, own.best_energy);
    }
    const uint64_t each = spn_parts_total(&reads->parts.parts);
    out->steps = each <= UINT64_MAX / reads->options.reads ? each * reads->options.reads : 0;
    out->share = fmin(share / (double)reads->options.reads, 1);
}

static spn_health health(const spn_sampler *sampler)
{
    const spn_reads *reads = spn_reads_of(sampler);
    spn_slice sums[SPN_SLICES];
    size_t hits = 0, complete = 0;
    for (size_t r = 0; r < reads->options.reads; r++) {
        const bool done = reads->state[r] == SPN_READ_DONE;
        hits += done && reads->read[r].stop == SPN_STOP_TARGET;
        complete += done && reads->read[r].stop == SPN_STOP_STEPS;
    }
    if (hits == reads->options.reads)
        return SPN_HEALTH_GOOD;
    memcpy(sums, reads->slices, sizeof sums);
    for (size_t k = 0; k < reads->group_count; k++)
        if (reads->groups[k].sampler)
            spn_slices_add(sums, slices_of(&reads->groups[k]));
    return spn_slices_verdict(sums, reads->chain.beta, complete > 0);
}

size_t spn_reads_count(const spn_sampler *sampler)
{
    return spn_reads_of(sampler)->options.reads;
}

void spn_reads_look_sized(spn_read *out, size_t size, const spn_sampler *sampler, size_t r)
{
    spn_reads *reads = spn_reads_of(sampler);
    assert(r < reads->options.reads);
    if (reads->state[r] != SPN_READ_DONE)
        reads->read[r] = (spn_read){.best_energy = NAN, .energy = NAN, .hit = SPN_NO_HIT};
    for (size_t k = 0; reads->state[r] == SPN_READ_RUNS && k < reads->group_count; k++) {
        const spn_read_group *g = &reads->groups[k];
        if (g->sampler && g->sampler->step > 0 && r >= g->first && r < g->first + g->count)
            look_at_group(reads, g, r);
    }
    spn_sized_give(out, size, &reads->read[r], sizeof reads->read[r]);
}

const char *spn_reads_device(const spn_sampler *sampler)
{
    const spn_reads *reads = spn_reads_of(sampler);
    return reads->place[0] ? reads->place : NULL;
}

const uint64_t *spn_reads_parts(const spn_sampler *sampler, size_t *count)
{
    const spn_parts *parts = &spn_reads_of(sampler)->parts.parts;
    *count = parts->count;
    return parts->steps;
}

static void destroy(spn_sampler *sampler)
{
    spn_reads *reads = spn_reads_of(sampler);
    for (size_t k = 0; reads->groups && k < reads->group_count; k++)
        spn_sampler_free(reads->groups[k].sampler);
    spn_team_free(reads->team);
    spn_shared_parts_clear(&reads->parts);
    spn_lane_graph_free(reads->graph);
    spn_word_graph_free(reads->bits);
    pthread_mutex_destroy(&reads->lock);
    SPN_FREE_ALL(reads->groups, reads->state, reads->read, reads->best_spins, reads);
}

const spn_sampler_type spn_reads_type = {.name = "set of reads",
                                         .advance = advance,
                                         .ended = ended,
                                         .look = look,
                                         .health = health,
                                         .visit = spn_reads_visit,
                                         .destroy = destroy};

static spn_status check_options(const spn_reads_options *o, const spn_chain_options *chain,
                                spn_error *err)
{
    SPN_REFUSE_IF(o->threads < 1 || o->threads > MOST_THREADS, err, "threads: %u is not 1 to %d",
                  o->threads, MOST_THREADS);
    SPN_REFUSE_IF(!o->starts != !o->start_count, err, "starts and start_count go together");
    SPN_REFUSE_IF(!(o->seconds >= 0), err, "seconds: %g is not 0 or more", o->seconds);
    SPN_REFUSE_IF(!spn_engine_name(o->engine), err, "there is no engine number %d", (int)o->engine);
    const uint64_t most = (uint64_t)UINT32_MAX + 1 - chain->run;
    SPN_REFUSE_IF(o->reads < 1 || o->reads > most, err, "reads: %zu is not 1 to %llu", o->reads,
                  (unsigned long long)most);
    return SPN_OK;
}

static bool allocate(spn_reads *reads)
{
    const size_t count = reads->options.reads, threads = reads->options.threads;
    reads->group_count = threads < count ? threads : count;
    reads->groups = spn_alloc(reads->group_count, sizeof *reads->groups);
    reads->state = spn_alloc(count, sizeof *reads->state);
    reads->read = spn_alloc(count, sizeof *reads->read);
    reads->best_spins = spn_alloc(count, reads->energy->sites);
    return reads->groups && reads->state && reads->read && reads->best_spins;
}

/* Lanes have no warm starts and no time limit. */
static bool choose_lanes(spn_reads *reads)
{
    const spn_reads_options *o = &reads->options;
    if (o->starts || o->seconds > 0)
        return false;
    const bool asked = o->engine == SPN_ENGINE_LANES;
    reads->graph =
        spn_lanes_prepare(reads->energy, &reads->chain, asked ? SPN_LANE_FEWEST : o->reads);
    if (!reads->graph || !(asked || spn_lanes_select(spn_cpu_isa())))
        return false;
    reads->engine = SPN_ENGINE_LANES;
    reads->width = spn_lanes_width(reads->graph, o->reads, o->threads);
    return true;
}

/* Groups of whole words, so that all threads have work. */
static size_t words_width(const spn_reads_options *o)
{
    const size_t each = (o->reads + o->threads - 1) / o->threads;
    const size_t words = (each + SPN_WORD_BITS - 1) / SPN_WORD_BITS;
    return (words < SPN_WORD_ROW ? words : SPN_WORD_ROW) * SPN_WORD_BITS;
}

static bool choose_words(spn_reads *reads)
{
    if (!(reads->bits = spn_words_prepare(reads->energy, &reads->chain)))
        return false;
    reads->engine = SPN_ENGINE_WORDS;
    reads->width = words_width(&reads->options);
    return true;
}

/* For fewer reads lanes are as fast, and their results are those of chains. */
static bool words_pay(const spn_reads *reads)
{
    enum { FEWEST = 512, FEWEST_COUPLED = 64 };
    const spn_chain_options *o = &reads->chain;
    const bool alone = o->replicas == 1 && o->coupling == SPN_COUPLING_REPLICAS;
    return reads->options.reads >= (alone ? FEWEST : FEWEST_COUPLED);
}

static spn_status choose_engine(spn_reads *reads, spn_error *err)
{
    const spn_engine engine = reads->options.engine;
    reads->engine = SPN_ENGINE_PLAIN;
    reads->width = 1;
    if (engine == SPN_ENGINE_WORDS && !choose_words(reads)) {
        const char *why = spn_words_refuse(&reads->chain);
        return spn_refuse(err, "`engine` words needs %s; leave it out",
                          why ? why : "couplings that are small integers in some unit");
    }
    if (engine == SPN_ENGINE_LANES && !choose_lanes(reads))
        return spn_refuse(
            err, "`engine` lanes needs one replica in sequential order, plain moves, a "
                 "number of steps, no warm starts, and couplings that are small integers in "
                 "some unit; leave it out");
    if (engine == SPN_ENGINE_AUTO && !(words_pay(reads) && choose_words(reads)))
        choose_lanes(reads);
    return SPN_OK;
}

/* As many words as the device has room for; 0: not one. */
static size_t device_width(const spn_reads *reads)
{
    const spn_device_bytes bytes = spn_device_bytes_of(reads->bits, reads->chain.replicas);
    const uint64_t all = reads->device.info.memory / 4 * 3 / bytes.all;
    const uint64_t largest = reads->device.info.largest / bytes.largest;
    const uint64_t most = all < largest ? all : largest, words = reads->options.reads / 64 + 2;
    return (size_t)(most < words ? most : words) * SPN_WORD_BITS;
}

static const char *refuse_device(const spn_reads *reads)
{
    if (reads->engine != SPN_ENGINE_WORDS)
        return "it makes reads in words; give `engine` words, or leave it out";
    if (reads->chain.target != SPN_TARGET_NONE)
        return "it makes no reads with a `target`; leave one of the two out";
    if (reads->any_device && reads->options.reads < FEWEST_ON_DEVICE)
        return "a device pays from 2048 reads";
    return NULL;
}

static spn_status find_device(spn_reads *reads, spn_error *err)
{
    const char *name = reads->options.device, *why = refuse_device(reads);
    if (why)
        return spn_refuse(err, "%s", why);
    SPN_TRY(spn_device_choose(&reads->device, name, err));
    const size_t width = device_width(reads);
    if (width == 0)
        return spn_refuse(err, "the problem is too large for its memory");
    reads->width = width;
    reads->group_count = 1; /* one thread feeds the device */
    reads->on_device = true;
    snprintf(reads->place, sizeof reads->place, "%s", reads->device.info.name);
    return SPN_OK;
}

static spn_status choose_device(spn_reads *reads, spn_error *err)
{
    const char *name = reads->options.device;
    spn_error why = {0};
    if (!name || strcmp(name, "cpu") == 0)
        return SPN_OK;
    reads->any_device = strcmp(name, "auto") == 0;
    const spn_status status = find_device(reads, &why);
    if (status && !reads->any_device)
        return spn_fail(err, status, "`device` %s: %.400s", name, why.text);
    if (status)
        snprintf(reads->place, sizeof reads->place, "the processor: %.400s", why.text);
    return SPN_OK;
}

static spn_status begin(spn_reads *reads, spn_error *err)
{
    const size_t count = reads->options.reads;
    reads->best_energy = INFINITY;
    SPN_NEED(allocate(reads), err, "%zu reads of %zu spins", count, reads->energy->sites);
    /* Check the options by making a chain, which reports what is wrong. */
    spn_sampler *chain;
    SPN_TRY(spn_chain_create(&chain, reads->energy, &reads->chain, err));
    reads->base.endless = chain->endless && !(reads->options.seconds > 0);
    spn_sampler_free(chain);
    SPN_TRY(choose_engine(reads, err));
    SPN_TRY(choose_device(reads, err));
    size_t groups = 0;
    for (size_t r = 0; r < count; groups++)
        r += most_from(reads, r);
    reads->group_count = groups < reads->group_count ? groups : reads->group_count;
    const double together = (double)reads->group_count, rounds = ceil((double)groups / together);
    SPN_TRY(spn_shared_parts_init(&reads->parts, &reads->chain, rounds, together, err));
    if (reads->group_count > 1)
        reads->team = spn_team_create((unsigned)reads->group_count);
    return SPN_OK;
}

spn_status spn_reads_create(spn_sampler **out, const spn_energy *energy,
                            const spn_reads_options *given, spn_error *err)
{
    spn_reads_options options = spn_reads_defaults();
    spn_chain_options chain = spn_chain_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_reads_defaults", err));
    SPN_TRY(spn_sized_take(&chain, sizeof chain, options.chain, "spn_chain_defaults", err));
    SPN_TRY(check_options(&options, &chain, err));
    chain.threads = 1;
    spn_reads *reads = spn_alloc(1, sizeof *reads);
    SPN_NEED(reads, err, "%zu reads", options.reads);
    *reads = (spn_reads){.energy = energy, .options = options, .chain = chain};
    spn_sampler_init(&reads->base, &spn_reads_type);
    pthread_mutex_init(&reads->lock, NULL);
    const spn_status status = begin(reads, err);
    if (status)
        destroy(&reads->base);
    else
        *out = &reads->base;
    return status;
}
