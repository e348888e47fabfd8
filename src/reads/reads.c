/* Reads: a sampler made of samplers. Each thread runs a group, a plain chain or many reads in
   lanes or words, and takes the next one when it ends. */
#include "reads/reads.h"

#include "base/memory.h"
#include "base/text.h"
#include "chain/chain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 4096 };

const spn_names spn_engine_names =
    SPN_NAME_LIST("engine", [SPN_ENGINE_AUTO] = "auto", [SPN_ENGINE_PLAIN] = "plain",
                  [SPN_ENGINE_LANES] = "lanes", [SPN_ENGINE_WORDS] = "words");

/* Compare the best energies of a group's reads with those of their states, computed anew. */
static spn_status check_group(const spn_reads *reads, const spn_read_group *g, spn_error *err)
{
    for (size_t r = g->first; r < g->first + g->count; r++)
        SPN_TRY(spn_energy_check(NULL, reads->energy, reads->read[r].best_spins,
                                 reads->read[r].best_energy, 0, reads->read[r].steps, err));
    return SPN_OK;
}

/* The steps of all reads of a group; in a step side by side every replica proposes. */
static uint64_t steps_of(const spn_reads *reads, const spn_read_group *g)
{
    uint64_t proposals = 0;
    if (g->engine == SPN_ENGINE_PLAIN)
        return g->sampler->step;
    for (size_t j = 0; j < SPN_SLICES; j++)
        proposals += spn_read_group_slices(g)[j].proposals;
    return proposals / reads->chain.replicas;
}

static spn_status finish_group(spn_reads *reads, spn_read_group *g, spn_stop stop, spn_error *err)
{
    assert(stop != SPN_STOP_NONE);
    pthread_mutex_lock(&reads->lock);
    for (size_t r = g->first; r < g->first + g->count; r++) {
        spn_read_group_look(reads, g, r);
        spn_read *read = &reads->read[r];
        read->stop = read->stop ? read->stop : stop;
        reads->best_energy = fmin(reads->best_energy, read->best_energy);
        reads->state[r] = SPN_READ_DONE;
    }
    reads->finished += g->count;
    reads->steps_done += steps_of(reads, g);
    spn_slices_add(reads->slices, spn_read_group_slices(g));
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
            spn_slices_add(sums, spn_read_group_slices(&reads->groups[k]));
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
            spn_read_group_look(reads, g, r);
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
    spn_row_graph_free(reads->rows);
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
    SPN_TRY(spn_reads_choose_engine(reads, err));
    SPN_TRY(spn_reads_choose_device(reads, err));
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
