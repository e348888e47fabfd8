/* The state of a ladder as bytes, and back. */
#include "ladder/ladder.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

static spn_status refuse(const spn_ladder *ladder, const char *why, spn_error *err)
{
    return spn_refuse(
        err,
        "this is not the saved state of a ladder of %zu replicas of %zu spins and %llu scans: %s",
        ladder->chain.replicas, ladder->energy->sites, (unsigned long long)ladder->total_scans,
        why);
}

/* ---- what was read ---- */

/* The numbers at the head of a saved ladder. */
typedef struct saved_sizes {
    size_t rungs, walkers, kept;
} saved_sizes;

/* Whether the scans of the rounds add up; at the end of a round the next one has begun. */
static bool is_at_scan(const spn_ladder *ladder)
{
    if (ladder->round >= ladder->options.rounds)
        return false;
    const uint64_t length = spn_ladder_round_length(ladder, ladder->round);
    uint64_t scans = ladder->round_scan;
    for (uint32_t r = 0; r < ladder->round; r++)
        scans += spn_ladder_round_length(ladder, r);
    const bool at_end = ladder->scan == ladder->total_scans && !ladder->in_scan;
    return ladder->scan == scans && ladder->round_scan <= length &&
           (ladder->round_scan < length || at_end) &&
           ladder->base.step == ladder->scan * ladder->options.scan_steps;
}

/* How far a ladder that fills its time, or was extended, has grown. */
static bool is_grown(const spn_ladder *ladder)
{
    const spn_ladder_options *o = &ladder->options;
    const uint64_t most = INT64_MAX / 4 / o->scan_steps;
    return o->rounds >= 1 && o->rounds <= 32 && o->scans >= 1 && o->scans <= most &&
           ladder->last_scans >= o->scans && ladder->last_scans <= most;
}

static spn_status check_head(const spn_ladder *ladder, const saved_sizes *sizes,
                             const spn_archive *archive, spn_error *err)
{
    const size_t kept_size =
        ladder->chain.replicas * (ladder->energy->sites + sizeof(double)) + sizeof(spn_kept_state);
    const size_t given = ladder->options.rungs;
    if (sizes->rungs < 2 || sizes->rungs > SPN_LADDER_MOST_RUNGS || sizes->walkers < sizes->rungs ||
        sizes->walkers > SPN_LADDER_MOST_RUNGS || sizes->kept > archive->size / kept_size ||
        (given && sizes->rungs != given))
        return refuse(ladder, "its numbers of rungs, walkers and states disagree", err);
    return is_at_scan(ladder) ? SPN_OK : refuse(ladder, "its scans and rounds disagree", err);
}

/* Room for what the head says. */
static spn_status make_room(spn_ladder *ladder, const saved_sizes *sizes, spn_error *err)
{
    const size_t kept = sizes->kept;
    while (ladder->walkers < sizes->walkers)
        SPN_TRY(spn_ladder_add_walker(ladder, err));
    while (ladder->walkers > sizes->walkers)
        spn_sampler_free(&ladder->walker[--ladder->walkers].chain->base);
    if (kept > 0 && !spn_ladder_make_kept_room(ladder, kept))
        return spn_no_memory(err, "%zu states", kept);
    ladder->rungs = sizes->rungs;
    ladder->kept = kept;
    return SPN_OK;
}

static bool are_fractions(const double *u, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (!(u[k] > u[k - 1]))
            return false;
    return u[0] == 0 && u[count - 1] == 1;
}

static bool are_weights(const spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++)
        if (!isfinite(ladder->weight[k]))
            return false;
    return true;
}

/* Each rung has one walker, unless walkers change their rungs by themselves. */
static bool place_walkers(spn_ladder *ladder)
{
    for (size_t w = 0; w < ladder->walkers; w++)
        if (ladder->walker[w].s.left > ladder->options.scan_steps)
            return false;
    if (spn_ladder_simulates(ladder))
        return spn_ladder_place_simulated(ladder);
    for (size_t k = 0; k < ladder->rungs; k++)
        ladder->walker_at[k] = SIZE_MAX;
    for (size_t w = 0; w < ladder->walkers; w++) {
        const spn_walker_state *s = &ladder->walker[w].s;
        if (s->rung == UINT64_MAX)
            continue;
        if (s->rung >= ladder->rungs || ladder->walker_at[s->rung] != SIZE_MAX)
            return false;
        ladder->walker_at[s->rung] = w;
    }
    for (size_t k = 0; k < ladder->rungs; k++)
        if (ladder->walker_at[k] == SIZE_MAX)
            return false;
    return true;
}

/* ---- the visit ---- */

static spn_status visit_head(spn_ladder *ladder, spn_archive *archive, spn_error *err)
{
    const uint64_t made_of[] = {ladder->energy->sites, ladder->chain.replicas,
                                ladder->options.fills, ladder->options.scan_steps};
    saved_sizes sizes = {ladder->rungs, ladder->walkers, ladder->kept};
    uint64_t round = ladder->round;
    if (!spn_archive_agrees(archive, made_of, sizeof made_of / sizeof *made_of))
        return refuse(ladder, "it is of another", err);
    SPN_VISIT(archive, ladder->options.rounds);
    SPN_VISIT(archive, ladder->options.scans);
    SPN_VISIT(archive, ladder->last_scans);
    spn_archive_flag(archive, &ladder->in_scan);
    SPN_VISIT(archive, ladder->scan);
    SPN_VISIT(archive, round);
    SPN_VISIT(archive, ladder->round_scan);
    SPN_VISIT(archive, ladder->proposals);
    spn_archive_size(archive, &sizes.rungs);
    spn_archive_size(archive, &sizes.walkers);
    spn_archive_size(archive, &sizes.kept);
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(&ladder->base, archive, err));
    if (!is_grown(ladder))
        return refuse(ladder, "its rounds cannot be", err);
    ladder->total_scans = spn_ladder_count_scans(ladder);
    ladder->round = round < ladder->options.rounds ? (uint32_t)round : ladder->options.rounds;
    SPN_TRY(check_head(ladder, &sizes, archive, err));
    return make_room(ladder, &sizes, err);
}

/* The saved last round becomes as long as was asked for, if its blocks can be joined so. */
static spn_status extend(spn_ladder *ladder, spn_error *err)
{
    const uint64_t asked = ladder->asked_scans;
    uint64_t fits = ladder->last_scans;
    if (ladder->options.fills || fits == asked)
        return SPN_OK;
    SPN_REFUSE_IF(!spn_ladder_is_last_round(ladder), err,
                  "scans: the saved ladder is not in its last round yet; continue it with %llu",
                  (unsigned long long)fits);
    SPN_REFUSE_IF(ladder->options.method == SPN_LADDER_EQUI_ENERGY, err,
                  "scans: the stores of equi-energy jumps are of %llu and cannot grow",
                  (unsigned long long)fits);
    while (fits < asked)
        fits = spn_ladder_joined_length(fits);
    SPN_REFUSE_IF(fits != asked, err,
                  "scans: the last round of the saved ladder has %llu and cannot become %llu, but "
                  "%llu",
                  (unsigned long long)ladder->last_scans, (unsigned long long)asked,
                  (unsigned long long)fits);
    while (ladder->last_scans < asked)
        ladder->last_scans = spn_ladder_join_blocks(ladder, ladder->last_scans);
    ladder->total_scans = spn_ladder_count_scans(ladder);
    return SPN_OK;
}

static spn_status visit_arrays(spn_ladder *ladder, spn_archive *archive, spn_error *err)
{
    const size_t y = ladder->chain.replicas, sites = ladder->energy->sites;
    SPN_VISIT_ARRAY(archive, ladder->fraction, ladder->rungs);
    SPN_VISIT_ARRAY(archive, ladder->weight, ladder->rungs);
    SPN_VISIT_ARRAY(archive, ladder->totals, ladder->rungs);
    SPN_VISIT_ARRAY(archive, ladder->tallies, ladder->rungs * SPN_LADDER_BLOCKS);
    SPN_VISIT_ARRAY(archive, ladder->kept_states, ladder->kept);
    SPN_VISIT_ARRAY(archive, ladder->kept_energies, ladder->kept * y);
    SPN_VISIT_ARRAY(archive, ladder->kept_spins, ladder->kept * y * sites);
    for (size_t w = 0; w < ladder->walkers; w++)
        SPN_VISIT(archive, ladder->walker[w].s);
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(&ladder->base, archive, err));
    if (!are_fractions(ladder->fraction, ladder->rungs) || !are_weights(ladder) ||
        !place_walkers(ladder))
        return refuse(ladder, "its rungs are in disorder", err);
    SPN_TRY(extend(ladder, err));
    return spn_ladder_begin_stores(ladder, err);
}

spn_status spn_ladder_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_ladder *ladder = spn_ladder_of(sampler);
    SPN_TRY(visit_head(ladder, archive, err));
    SPN_TRY(visit_arrays(ladder, archive, err));
    for (size_t k = 0; k < ladder->store_count; k++)
        SPN_TRY(spn_store_visit(ladder->stores[k], archive, err));
    for (size_t w = 0; w < ladder->walkers; w++)
        SPN_TRY(spn_sampler_visit(&ladder->walker[w].chain->base, archive, err));
    return spn_archive_reads(archive) ? spn_ladder_set_points(ladder, err) : SPN_OK;
}
