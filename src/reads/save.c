/* The state of reads as bytes: the results of finished reads, the samplers of the others. */
#include "reads/reads.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_status refuse(spn_error *err)
{
    return spn_refuse(err, "the saved state has reads that no run comes to");
}

/* Forget every read, before others are loaded. */
static void forget(spn_reads *reads)
{
    for (size_t k = 0; k < reads->group_count; k++) {
        spn_sampler_free(reads->groups[k].sampler);
        reads->groups[k] = (spn_read_group){0};
    }
    memset(reads->state, SPN_READ_WAITS, reads->options.reads);
    memset(reads->slices, 0, sizeof reads->slices);
    reads->next = reads->finished = reads->steps_done = 0;
    reads->best_energy = INFINITY;
}

static bool is_result(const spn_reads *reads, const spn_read *read)
{
    for (size_t i = 0; i < reads->energy->sites; i++)
        if (!spn_is_spin(read->best_spins[i]))
            return false;
    return read->stop > SPN_STOP_NONE && read->stop <= SPN_STOP_FROZEN &&
           isfinite(read->best_energy) && isfinite(read->energy) &&
           (read->hit <= read->steps || read->hit == SPN_NO_HIT);
}

static spn_status visit_read(spn_reads *reads, size_t r, spn_archive *archive, spn_error *err)
{
    const size_t sites = reads->energy->sites;
    spn_read *read = &reads->read[r];
    size_t stop = read->stop;
    spn_archive_size(archive, &stop);
    SPN_VISIT(archive, read->best_energy);
    SPN_VISIT(archive, read->energy);
    SPN_VISIT(archive, read->steps);
    SPN_VISIT(archive, read->accepted);
    SPN_VISIT(archive, read->proposals);
    SPN_VISIT(archive, read->hit);
    SPN_VISIT_ARRAY(archive, reads->best_spins + r * sites, sites);
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(&reads->base, archive, err));
    read->stop = stop <= SPN_STOP_FROZEN ? (spn_stop)stop : SPN_STOP_NONE;
    read->best_spins = reads->best_spins + r * sites;
    if (!is_result(reads, read))
        return refuse(err);
    reads->state[r] = SPN_READ_DONE;
    reads->finished++;
    reads->steps_done += read->steps;
    reads->best_energy = fmin(reads->best_energy, read->best_energy);
    return SPN_OK;
}

static spn_status visit_results(spn_reads *reads, spn_archive *archive, spn_error *err)
{
    for (size_t r = 0; r < reads->options.reads; r++) {
        bool done = reads->state[r] == SPN_READ_DONE;
        spn_archive_flag(archive, &done);
        SPN_TRY(spn_sampler_visited(&reads->base, archive, err));
        if (done)
            SPN_TRY(visit_read(reads, r, archive, err));
    }
    SPN_VISIT(archive, reads->slices);
    return SPN_OK;
}

/* Whether a loaded group consists of reads that still wait. */
static bool is_group(spn_reads *reads, const spn_read_group *g)
{
    const size_t all = reads->options.reads;
    /* A device may have saved a group of any size. */
    const size_t most = g->engine == SPN_ENGINE_WORDS   ? all
                        : g->engine == SPN_ENGINE_LANES ? SPN_LANE_MOST
                                                        : 1;
    if (g->count < 1 || g->count > most || g->first >= all || g->count > all - g->first ||
        (g->engine == SPN_ENGINE_LANES && !reads->graph && !reads->rows) ||
        (g->engine == SPN_ENGINE_WORDS && !reads->bits) || (g->stretched && !reads->chain.stretch))
        return false;
    for (size_t r = g->first; r < g->first + g->count; r++)
        if (reads->state[r] != SPN_READ_WAITS)
            return false;
    return g->stretched || !reads->chain.stretch || spn_shared_parts_are_made(&reads->parts);
}

static spn_status visit_group(spn_reads *reads, spn_read_group *g, spn_archive *archive,
                              spn_error *err)
{
    size_t engine = g->engine;
    assert(!g->sampler == spn_archive_reads(archive));
    spn_archive_size(archive, &g->first);
    spn_archive_size(archive, &g->count);
    spn_archive_size(archive, &engine);
    spn_archive_flag(archive, &g->stretched);
    if (spn_archive_reads(archive)) {
        SPN_TRY(spn_sampler_visited(&reads->base, archive, err));
        g->engine = engine <= SPN_ENGINE_WORDS ? (spn_engine)engine : SPN_ENGINE_AUTO;
        if (g->engine == SPN_ENGINE_AUTO || !is_group(reads, g)) {
            g->count = 0;
            return refuse(err);
        }
        SPN_TRY(spn_read_group_make(reads, g, err));
        memset(reads->state + g->first, SPN_READ_RUNS, g->count);
    }
    return spn_sampler_visit(g->sampler, archive, err);
}

static spn_status make_room(spn_reads *reads, size_t groups, spn_error *err)
{
    if (groups <= reads->group_count)
        return SPN_OK;
    spn_read_group *more = spn_alloc(groups, sizeof *more);
    SPN_NEED(more, err, "%zu groups of reads", groups);
    for (size_t k = 0; k < reads->group_count; k++)
        assert(!reads->groups[k].sampler);
    free(reads->groups);
    reads->groups = more;
    reads->group_count = groups;
    return SPN_OK;
}

static bool is_saved(const spn_read_group *g)
{
    return g->sampler && spn_sampler_can_save(g->sampler);
}

static spn_status visit_groups(spn_reads *reads, spn_archive *archive, spn_error *err)
{
    const bool loads = spn_archive_reads(archive);
    size_t count = 0;
    for (size_t k = 0; k < reads->group_count; k++)
        count += is_saved(&reads->groups[k]);
    spn_archive_size(archive, &count);
    SPN_TRY(spn_sampler_visited(&reads->base, archive, err));
    if (count > reads->options.reads)
        return refuse(err);
    if (loads)
        SPN_TRY(make_room(reads, count, err));
    for (size_t k = 0; k < (loads ? count : reads->group_count); k++)
        if (loads || is_saved(&reads->groups[k]))
            SPN_TRY(visit_group(reads, &reads->groups[k], archive, err));
    return SPN_OK;
}

spn_status spn_reads_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_reads *reads = spn_reads_of(sampler);
    const spn_chain_options *o = &reads->chain;
    const uint64_t made_of[] = {
        reads->options.reads, reads->energy->sites, o->replicas, o->seed, o->run, o->stretch};
    if (!spn_archive_agrees(archive, made_of, sizeof made_of / sizeof *made_of))
        return spn_refuse(err, "this is not the saved state of %zu reads of %zu spins",
                          reads->options.reads, reads->energy->sites);
    if (spn_archive_reads(archive))
        forget(reads);
    if (o->stretch)
        SPN_TRY(spn_parts_visit(&reads->parts.parts, 0, archive, err));
    SPN_TRY(visit_results(reads, archive, err));
    SPN_TRY(visit_groups(reads, archive, err));
    if (spn_archive_reads(archive))
        sampler->step = spn_reads_count_steps(reads); /* less than saved if reads start again */
    return SPN_OK;
}
