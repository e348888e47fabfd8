/* The state of a chain as bytes, and back. */
#include "chain/chain.h"

#include "base/try.h"
#include "chain/waiting.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_status refuse(spn_error *err, const char *why)
{
    return spn_refuse(err, "the saved state has %s", why);
}

/* Whether the order holds each site of each replica once. False without memory, too. */
static bool is_order(const spn_chain *chain, const uint32_t *order)
{
    unsigned char *seen = calloc(chain->sites, 1);
    bool good = seen != NULL;
    for (size_t k = 0; good && k < chain->replicas * chain->sites; k++) {
        const unsigned char replica = (unsigned char)(k / chain->sites + 1);
        good = order[k] < chain->sites && seen[order[k]] != replica;
        if (good)
            seen[order[k]] = replica;
    }
    free(seen);
    return good;
}

/* order: y N sites, which the caller frees; NULL if there is no order. */
static spn_status visit_waiting(spn_chain *chain, uint32_t **order, spn_archive *archive,
                                spn_error *err)
{
    const size_t all = chain->replicas * chain->sites;
    bool ordered = chain->waiting && chain->waiting->built;
    *order = NULL;
    if (!chain->waiting)
        return SPN_OK;
    SPN_VISIT(archive, chain->waiting->clock);
    spn_archive_flag(archive, &ordered);
    if (!ordered)
        return SPN_OK;
    if (archive->bytes && all > spn_archive_left(archive) / sizeof **order) {
        archive->is_short = true;
        return SPN_OK;
    }
    if (archive->bytes && !(*order = malloc(all * sizeof **order)))
        return spn_no_memory(err, "the order of %zu spins", all);
    if (archive->bytes && !archive->reads)
        spn_waiting_order(chain, *order);
    SPN_VISIT_ARRAY(archive, *order, all);
    return SPN_OK;
}

/* After the spins were attached. */
static spn_status settle_waiting(spn_chain *chain, const uint32_t *order, spn_error *err)
{
    if (!chain->waiting)
        return SPN_OK;
    const spn_waiting_clock clock = chain->waiting->clock;
    const uint64_t step = chain->base.step;
    if ((clock.until > step && (clock.from > step || clock.next < step * chain->streams)) ||
        (order && !is_order(chain, order)))
        return refuse(err, "no order of its spins");
    SPN_TRY(spn_chain_attach(chain, err));
    if (order && !spn_waiting_build(chain, order))
        return spn_no_memory(err, "the classes of %zu spins", chain->sites);
    chain->waiting->clock = clock; /* attaching forgets it */
    return SPN_OK;
}

/* The largest step that a run can reach: the sum of the settled parts if it is stretched. No walk
   reaches 2^62. */
static uint64_t most_steps(const spn_chain *chain)
{
    const uint64_t steps = chain->options.steps, most = INT64_MAX / 2;
    uint64_t sum = 0;
    for (size_t k = 0; k < chain->parts.made; k++)
        sum += chain->parts.steps[k];
    if (chain->options.stretch)
        return sum;
    return steps && steps < most ? steps : most;
}

static bool are_numbers(const spn_chain *chain)
{
    const uint64_t step = chain->base.step;
    return step <= most_steps(chain) && chain->improved_step <= step &&
           (chain->first_hit <= step || chain->first_hit == SPN_NO_HIT) && isfinite(chain->beta) &&
           chain->beta >= 0 && isfinite(chain->gamma) && chain->gamma >= 0 &&
           isfinite(chain->first_hit_seconds) && chain->first_hit_seconds >= 0;
}

/* Whether the best energies are numbers and, if energies are exact, no higher than those of the
   states. Others are sums, which rounding may leave higher. */
static bool are_best(const spn_chain *chain)
{
    for (size_t a = 0; a < chain->replicas; a++) {
        const double best = chain->best.energy[a];
        if (!isfinite(best))
            return false;
        if (chain->energy->integral && !chain->slots.refresh &&
            best > spn_energy_value(chain->energy, spn_chain_spins(chain, a)))
            return false;
    }
    return true;
}

static spn_status check(const spn_chain *chain, spn_error *err)
{
    const size_t all = chain->replicas * chain->sites;
    SPN_REFUSE_IF(!are_numbers(chain), err,
                  "the saved state has numbers that no run comes to, at step %llu",
                  (unsigned long long)chain->base.step);
    if (!spn_are_spins(chain->spins, all) || !spn_are_spins(chain->best.spins, all) ||
        (chain->centre && !spn_are_spins(chain->centre, chain->sites)))
        return refuse(err, "a spin that is not -1 or +1");
    return are_best(chain) ? SPN_OK : refuse(err, "best energies that are not");
}

static spn_status settle(spn_chain *chain, const uint32_t *order, spn_error *err)
{
    SPN_TRY(check(chain, err));
    assert(chain->base.step <= INT64_MAX / 2);
    chain->options.steps = spn_parts_total(&chain->parts);
    chain->bad_energy = false;
    return chain->waiting ? settle_waiting(chain, order, err) : spn_chain_attach(chain, err);
}

/* What the caches of an energy with `refresh` have beyond the spins: nothing just after one. When
   it reads, they were attached before. */
static spn_status visit_caches(spn_chain *chain, spn_archive *archive, spn_error *err)
{
    bool fresh = chain->fresh || !chain->slots.visit, good = true;
    if (!chain->slots.refresh)
        return SPN_OK;
    spn_archive_flag(archive, &fresh);
    if (fresh)
        return SPN_OK;
    if (!chain->slots.visit)
        return refuse(err, "no caches");
    SPN_VISIT_ARRAY(archive, chain->energies, chain->replicas);
    chain->at_target = 0;
    for (size_t a = 0; a < chain->replicas; a++) {
        good &= chain->slots.visit(chain->energy, spn_chain_cache(chain, a), archive);
        good &= !isnan(chain->energies[a]);
        chain->at_target += chain->energies[a] <= chain->options.target_energy;
    }
    chain->fresh = false;
    return good || archive->is_short ? SPN_OK : refuse(err, "caches that no run comes to");
}

/* A given centre must be the same in both chains. */
static spn_status visit_centre(spn_chain *chain, spn_archive *archive, spn_error *err)
{
    const size_t at = archive->at, sites = chain->sites;
    if (!chain->centre)
        return SPN_OK;
    if (!spn_archive_reads(archive) || chain->options.coupling != SPN_COUPLING_GIVEN) {
        SPN_VISIT_ARRAY(archive, chain->centre, sites);
        return SPN_OK;
    }
    if (sites > spn_archive_left(archive) || memcmp(archive->bytes + at, chain->centre, sites) != 0)
        return spn_refuse(err, "the saved state is of another given centre");
    archive->at += sites;
    return SPN_OK;
}

static spn_status visit_arrays(spn_chain *chain, spn_archive *archive, spn_error *err)
{
    const size_t y = chain->replicas;
    assert(chain->best.replicas == y && chain->best.sites == chain->sites);
    SPN_VISIT_ARRAY(archive, chain->health.energies, y);
    SPN_VISIT_ARRAY(archive, chain->accepted, y);
    SPN_VISIT_ARRAY(archive, chain->proposals, y);
    SPN_VISIT_ARRAY(archive, chain->best.energy, y);
    SPN_TRY(visit_centre(chain, archive, err));
    SPN_VISIT_ARRAY(archive, chain->spins, y * chain->sites);
    SPN_VISIT_ARRAY(archive, chain->best.spins, y * chain->sites);
    return SPN_OK;
}

spn_status spn_chain_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_chain *chain = spn_chain_of(sampler);
    const uint64_t made_of[] = {
        chain->sites,           chain->replicas, (uint64_t)chain->options.coupling,
        chain->waiting != NULL, chain->list_sum, chain->options.stretch ? chain->parts.count : 0};
    uint32_t *order = NULL;
    SPN_REFUSE_IF(!spn_archive_agrees(archive, made_of, sizeof made_of / sizeof *made_of), err,
                  "this is not the saved state of a chain of %zu replicas of %zu spins",
                  chain->replicas, chain->sites);
    SPN_VISIT(archive, chain->redraws);
    SPN_VISIT(archive, chain->accepted_total);
    SPN_VISIT(archive, chain->improved_step);
    SPN_VISIT(archive, chain->beta);
    SPN_VISIT(archive, chain->gamma);
    SPN_VISIT(archive, chain->first_hit);
    SPN_VISIT(archive, chain->first_hit_seconds);
    SPN_VISIT(archive, chain->health.still);
    SPN_VISIT(archive, chain->health.slices);
    SPN_VISIT(archive, chain->health.ends);
    SPN_VISIT(archive, chain->health.downhill);
    SPN_TRY(spn_parts_visit(&chain->parts, chain->base.step, archive, err));
    spn_status status;
    SPN_TRY_OR(cleanup, visit_waiting(chain, &order, archive, err));
    SPN_TRY_OR(cleanup, visit_arrays(chain, archive, err));
    SPN_TRY_OR(cleanup, spn_sampler_visited(sampler, archive, err));
    if (spn_archive_reads(archive))
        SPN_TRY_OR(cleanup, settle(chain, order, err));
    status = visit_caches(chain, archive, err);
cleanup:
    free(order);
    return status;
}
