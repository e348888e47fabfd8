/* What can be read from a ladder. */
#include "ladder/ladder.h"

#include "base/memory.h"
#include "base/number.h"
#include <assert.h>
#include <math.h>
#include <string.h>

size_t spn_ladder_rungs(const spn_sampler *sampler)
{
    return spn_ladder_of(sampler)->rungs;
}

size_t spn_ladder_walkers(const spn_sampler *sampler)
{
    return spn_ladder_of(sampler)->walkers;
}

bool spn_ladder_log_z_is_absolute(const spn_sampler *sampler)
{
    return spn_ladder_of(sampler)->beta[0] == 0;
}

/* ---- rungs ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

/* A walker on a rung, the first of them; SIZE_MAX: there is none. */
static size_t walker_on(const spn_ladder *ladder, size_t k)
{
    if (!spn_ladder_simulates(ladder))
        return ladder->walker_at[k];
    for (size_t w = 0; w < ladder->walkers; w++)
        if (ladder->walker[w].s.rung == k)
            return w;
    return SIZE_MAX;
}

static uint64_t visits_of(const spn_ladder *ladder, size_t k)
{
    uint64_t sum = 0;
    for (size_t b = 0; b < SPN_LADDER_BLOCKS; b++)
        sum += ladder->tallies[k * SPN_LADDER_BLOCKS + b].count;
    return sum;
}

/* All but the barrier. */
static spn_ladder_rung look_at(const spn_ladder *ladder, size_t k, const spn_jackknife *log_z)
{
    assert(k < ladder->rungs);
    const spn_rung_total *total = &ladder->totals[k];
    const size_t walker = walker_on(ladder, k);
    spn_ladder_rung now = {
        .fraction = ladder->fraction[k],
        .beta = ladder->beta[k],
        .gamma = ladder->gamma[k],
        .acceptance = share(total->accepted, total->proposals),
        .uphill = share(total->uphill, total->proposals),
        .rejection = k + 1 < ladder->rungs && total->pairs ? spn_ladder_rejection(ladder, k) : NAN,
        .walker = walker,
        .energy_now =
            walker == SIZE_MAX ? NAN : spn_chain_total_energy(ladder->walker[walker].chain),
        .visits = visits_of(ladder, k),
        .jumps_tried = total->jumps.tries,
        .jumps = total->jumps.jumps,
        .cluster = share(total->cluster_sites, total->cluster_moves)};
    spn_ladder_estimate(&now, ladder, k, log_z);
    return now;
}

void spn_ladder_look_at_rungs_sized(void *out, size_t size, const spn_sampler *sampler,
                                    size_t first, size_t count)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    spn_jackknife log_z = spn_ladder_log_z_first(ladder);
    double barrier = 0;
    assert(first < ladder->rungs && count <= ladder->rungs - first);
    for (size_t k = 0; k < first + count; k++) {
        if (k > 0) {
            spn_ladder_log_z_next(&log_z, ladder, k - 1);
            barrier += spn_ladder_rejection(ladder, k - 1);
        }
        if (k < first)
            continue;
        spn_ladder_rung now = look_at(ladder, k, &log_z);
        now.barrier = barrier;
        spn_sized_give((char *)out + (k - first) * size, size, &now, sizeof now);
    }
}

size_t spn_ladder_worst_pair(const spn_sampler *sampler)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    size_t worst = 0;
    for (size_t k = 1; k + 1 < ladder->rungs; k++)
        if (spn_ladder_rejection(ladder, k) > spn_ladder_rejection(ladder, worst))
            worst = k;
    return worst;
}

/* ---- walkers ---- */

/* The sum of a count, at this place in the state of a walker, over one or all of them. */
static uint64_t sum_of(const spn_sampler *sampler, size_t walker, size_t place)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    uint64_t sum = 0;
    for (size_t w = 0; w < ladder->walkers; w++)
        if (walker == SPN_LADDER_ALL || walker == w)
            sum += *(const uint64_t *)(const void *)((const char *)&ladder->walker[w].s + place);
    return sum;
}

uint64_t spn_ladder_restarts(const spn_sampler *sampler, size_t walker)
{
    return sum_of(sampler, walker, offsetof(spn_walker_state, restarts));
}

uint64_t spn_ladder_round_trips(const spn_sampler *sampler, size_t walker)
{
    return sum_of(sampler, walker, offsetof(spn_walker_state, round_trips));
}

void spn_ladder_walker_sized(spn_snapshot *out, size_t size, const spn_sampler *sampler,
                             size_t walker)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    assert(walker < ladder->walkers);
    spn_chain_snapshot_sized(out, size, &ladder->walker[walker].chain->base);
}

/* ---- the run ---- */

static void look_for_best(spn_ladder_progress *out, const spn_ladder *ladder)
{
    out->best_energy = INFINITY;
    for (size_t w = 0; w < ladder->walkers; w++) {
        const spn_best_states *best = &ladder->walker[w].chain->best;
        for (size_t a = 0; a < best->replicas; a++) {
            if (out->best_spins && !(best->energy[a] < out->best_energy))
                continue;
            out->best_energy = best->energy[a];
            out->best_spins = best->spins + a * best->sites;
            out->best_walker = w;
            out->best_replica = a;
        }
    }
}

/* The ladder's steps at the earliest hit; all walkers go in step. */
static void look_for_hit(spn_ladder_progress *out, const spn_ladder *ladder)
{
    out->first_hit = SPN_NO_HIT;
    out->first_hit_proposals = SPN_NO_HIT;
    for (size_t w = 0; w < ladder->walkers; w++) {
        const spn_walker_state *s = &ladder->walker[w].s;
        if (s->hit >= out->first_hit)
            continue;
        out->first_hit = s->hit;
        out->first_hit_proposals = s->hit_proposals;
        out->first_hit_seconds = s->hit_seconds;
        out->first_hit_walker = w;
    }
}

void spn_ladder_progress_sized(spn_ladder_progress *out, size_t size, const spn_sampler *sampler)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    spn_ladder_progress now = {.scan = ladder->scan,
                               .scans = ladder->total_scans,
                               .round = ladder->round,
                               .rounds = ladder->options.rounds,
                               .round_scans = ladder->round_scan,
                               .blocks = spn_ladder_blocks(ladder),
                               .scan_steps = ladder->options.scan_steps,
                               .proposals = ladder->proposals,
                               .seconds = spn_sampler_seconds(sampler)};
    if (ladder->in_scan)
        for (size_t k = 0; k < ladder->rungs; k++)
            now.proposals += (now.scan_steps - ladder->walker[ladder->walker_at[k]].s.left) *
                             ladder->proposals_per_step;
    look_for_best(&now, ladder);
    look_for_hit(&now, ladder);
    spn_sized_give(out, size, &now, sizeof now);
}

/* The walker on the last rung, with the steps of the ladder and what all walkers did. */
static const spn_snapshot *show_last_rung(spn_ladder *ladder)
{
    spn_snapshot *out = &ladder->seen;
    const size_t last = ladder->rungs - 1, y = ladder->chain.replicas;
    spn_chain_snapshot(out, &ladder->walker[ladder->walker_at[last]].chain->base);
    out->step = ladder->base.step;
    out->beta = ladder->beta[last];
    out->gamma = ladder->gamma[last];
    memset(ladder->counts, 0, 2 * y * sizeof *ladder->counts);
    for (size_t a = 0; a < y; a++)
        ladder->best[a] = INFINITY;
    for (size_t w = 0; w < ladder->walkers; w++) {
        const spn_chain *chain = ladder->walker[w].chain;
        for (size_t a = 0; a < y; a++) {
            ladder->counts[a] += chain->proposals[a];
            ladder->counts[y + a] += chain->accepted[a];
            ladder->best[a] = fmin(ladder->best[a], chain->best.energy[a]);
        }
    }
    out->proposals = ladder->counts;
    out->accepted = ladder->counts + y;
    out->best_energy = ladder->best;
    return out;
}

/* The method simulated may have no walker on the last rung, or several. */
void spn_ladder_show(spn_progress *out, const spn_sampler *sampler)
{
    spn_ladder *ladder = spn_ladder_of(sampler);
    spn_ladder_progress now;
    spn_ladder_look(&now, sampler);
    if (!ladder->options.fills) { /* else the time tells */
        out->share = (double)now.scan / (double)now.scans;
        out->steps = now.scans * now.scan_steps;
    }
    out->block = now.scan_steps;
    out->proposals = now.proposals;
    out->best_energy = now.best_energy;
    if (ladder->options.method != SPN_LADDER_SIMULATED)
        out->state = show_last_rung(ladder);
    spn_print_text(ladder->words, sizeof ladder->words, "round %u of %u, %zu rungs, best %.6g",
                   now.round + 1, now.rounds, ladder->rungs, now.best_energy);
    out->words = ladder->words;
}

/* Fewer than two round trips of all walkers or, where walkers keep their rungs, two jumps into each
   but the first. */
static bool is_short(const spn_ladder *ladder)
{
    if (ladder->options.method != SPN_LADDER_EQUI_ENERGY)
        return spn_ladder_round_trips(&ladder->base, SPN_LADDER_ALL) < 2;
    for (size_t k = 1; k < ladder->rungs; k++)
        if (ladder->totals[k].jumps.jumps < 2)
            return true;
    return false;
}

spn_health spn_ladder_health(const spn_sampler *sampler)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    const double nearly_always = 0.95, many = 0.05;
    const spn_rung_total *last = &ladder->totals[ladder->rungs - 1];
    if (spn_ladder_is_at_target(ladder))
        return SPN_HEALTH_GOOD;
    if (ladder->totals[0].pairs == 0)
        return SPN_HEALTH_SHORT;
    if (spn_ladder_rejection(ladder, spn_ladder_worst_pair(sampler)) > nearly_always)
        return SPN_HEALTH_BROKEN;
    if (is_short(ladder))
        return SPN_HEALTH_SHORT;
    const bool searches = ladder->chain.target != SPN_TARGET_NONE;
    return searches && share(last->uphill, last->proposals) >= many ? SPN_HEALTH_HOT_END
                                                                    : SPN_HEALTH_GOOD;
}

/* ---- kept states ---- */

size_t spn_ladder_kept(const spn_sampler *sampler)
{
    return spn_ladder_of(sampler)->kept;
}

void spn_ladder_kept_state(const spn_sampler *sampler, size_t k, const int8_t **spins,
                           const double **energies, size_t *rung, uint64_t *scan)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    const size_t y = ladder->chain.replicas;
    assert(k < ladder->kept);
    if (spins)
        *spins = ladder->kept_spins + k * y * ladder->energy->sites;
    if (energies)
        *energies = ladder->kept_energies + k * y;
    if (rung)
        *rung = (size_t)ladder->kept_states[k].rung;
    if (scan)
        *scan = ladder->kept_states[k].scan;
}
