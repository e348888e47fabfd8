/* What the scans of a round showed. */
#include "ladder/ladder.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- what the scans found ---- */

/* times e^x */
static void add_scaled(spn_log_sum *sum, double x, double times)
{
    if (x == -INFINITY || times == 0)
        return;
    if (sum->sum == 0 || x > sum->most) {
        sum->sum = sum->sum == 0 ? times : sum->sum * exp(sum->most - x) + times;
        sum->most = x;
    } else {
        sum->sum += times * exp(x - sum->most);
    }
}

static void add_exp(spn_log_sum *sum, double x)
{
    add_scaled(sum, x, 1);
}

void spn_ladder_clear_tallies(spn_ladder *ladder)
{
    /* of the rungs that there are: all that there could be are megabytes */
    const size_t tallies = ladder->rungs * SPN_LADDER_BLOCKS;
    memset(ladder->tallies, 0, tallies * sizeof *ladder->tallies);
    memset(ladder->totals, 0, sizeof ladder->totals);
    for (size_t w = 0; w < ladder->walkers; w++) {
        spn_walker_state *s = &ladder->walker[w].s;
        s->restarts = s->round_trips = 0;
        s->side = s->rung == 0 ? SPN_FROM_FIRST : SPN_FROM_NOWHERE;
    }
}

static void join(spn_rung_tally *to, const spn_rung_tally *from)
{
    to->count += from->count;
    to->energy += from->energy;
    to->coupling += from->coupling;
    to->overlap += from->overlap;
    add_scaled(&to->up, from->up.most, from->up.sum);
    add_scaled(&to->down, from->down.most, from->down.sum);
}

uint64_t spn_ladder_joined_length(uint64_t length)
{
    const uint64_t size = (length + SPN_LADDER_BLOCKS - 1) / SPN_LADDER_BLOCKS;
    return 2 * size * SPN_LADDER_BLOCKS;
}

uint64_t spn_ladder_join_blocks(spn_ladder *ladder, uint64_t length)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        spn_rung_tally *tally = &ladder->tallies[k * SPN_LADDER_BLOCKS];
        for (size_t b = 0; b < SPN_LADDER_BLOCKS; b++) {
            const spn_rung_tally own = tally[b];
            tally[b] = (spn_rung_tally){0};
            join(&tally[b / 2], &own);
        }
    }
    return spn_ladder_joined_length(length);
}

static void add_walker(spn_ladder *ladder, const spn_walker_state *s, size_t block)
{
    assert(s->rung < ladder->rungs && block < SPN_LADDER_BLOCKS && s->left == 0);
    assert(s->accepted <= s->proposals && s->uphill <= s->accepted);
    spn_rung_tally *tally = &ladder->tallies[s->rung * SPN_LADDER_BLOCKS + block];
    spn_rung_total *total = &ladder->totals[s->rung];
    tally->count++;
    tally->energy += s->energy;
    tally->coupling += s->coupling;
    tally->overlap += s->overlap;
    add_exp(&tally->up, 0.5 * s->up);
    add_exp(&tally->down, 0.5 * s->down);
    total->proposals += s->proposals;
    total->accepted += s->accepted;
    total->uphill += s->uphill;
    total->cluster_moves += ladder->options.clusters;
    total->cluster_sites += s->cluster_sites;
}

bool spn_ladder_make_kept_room(spn_ladder *l, size_t count)
{
    const size_t y = l->chain.replicas, spins = y * l->energy->sites;
    return spn_grow(&l->kept_states, &l->kept_capacity, count, sizeof *l->kept_states) &&
           spn_grow(&l->kept_energies, &l->kept_energy_capacity, count * y, sizeof(double)) &&
           spn_grow(&l->kept_spins, &l->kept_spin_capacity, count * spins, 1);
}

static spn_status keep_state(spn_ladder *ladder, const spn_walker *w, spn_error *err)
{
    const spn_chain *chain = w->chain;
    const size_t y = chain->replicas, spins = y * chain->sites, n = ladder->kept;
    if (!spn_ladder_make_kept_room(ladder, n + 1))
        return spn_no_memory(err, "%zu states of %zu replicas; keep fewer of them", n + 1, y);
    ladder->kept_states[n] = (spn_kept_state){w->s.rung, ladder->round_scan + 1};
    memcpy(ladder->kept_energies + n * y, chain->energies, y * sizeof *chain->energies);
    memcpy(ladder->kept_spins + n * spins, chain->spins, spins);
    ladder->kept++;
    return SPN_OK;
}

static spn_status keep_states(spn_ladder *ladder, spn_error *err)
{
    const spn_ladder_options *o = &ladder->options;
    if (!o->keep || !spn_ladder_is_last_round(ladder) || (ladder->round_scan + 1) % o->keep != 0)
        return SPN_OK;
    for (size_t k = 0; k < ladder->rungs; k++) {
        const spn_walker *w = &ladder->walker[ladder->walker_at[k]];
        if (o->keep_all || w->s.rung + 1 == ladder->rungs)
            SPN_TRY(keep_state(ladder, w, err));
    }
    return SPN_OK;
}

/* Every pair is asked how likely it would swap, be it its turn or not: all are draws of the same
   law, and twice as many say more. */
static void note_pairs(spn_ladder *ladder)
{
    for (size_t k = 0; k + 1 < ladder->rungs; k++) {
        ladder->totals[k].pairs++;
        ladder->totals[k].rejection -= expm1(spn_ladder_swap_log_chance(ladder, k));
    }
}

spn_status spn_ladder_add_scan(spn_ladder *ladder, spn_error *err)
{
    /* The block of the current scan; a round of few scans has as many blocks. */
    const uint64_t length = spn_ladder_round_length(ladder, ladder->round);
    const uint64_t size = (length + SPN_LADDER_BLOCKS - 1) / SPN_LADDER_BLOCKS;
    assert(ladder->round_scan < length);
    const size_t block = (size_t)(ladder->round_scan / size);
    for (size_t k = 0; k < ladder->rungs; k++)
        add_walker(ladder, &ladder->walker[ladder->walker_at[k]].s, block);
    if (spn_ladder_simulates(ladder))
        spn_ladder_note_simulated(ladder);
    else
        note_pairs(ladder);
    return keep_states(ladder, err);
}

/* With simulated tempering a block may have left out some rungs. */
static bool has_scans(const spn_ladder *ladder, size_t block)
{
    for (size_t k = 0; k < ladder->rungs; k++)
        if (ladder->tallies[k * SPN_LADDER_BLOCKS + block].count > 0)
            return true;
    return false;
}

size_t spn_ladder_blocks(const spn_ladder *ladder)
{
    size_t blocks = SPN_LADDER_BLOCKS;
    while (blocks > 0 && !has_scans(ladder, blocks - 1))
        blocks--;
    return blocks;
}

static const spn_rung_tally *tallies_of(const spn_ladder *ladder, size_t k)
{
    return ladder->tallies + k * SPN_LADDER_BLOCKS;
}

/* From the sums of the blocks and their counts. The others are added up from both sides: taking a
   block off the whole sum would leave rounding errors if it has nearly all of it. */
static spn_jackknife mean_of(const double *sums, const double *counts, size_t blocks)
{
    spn_jackknife out = {.blocks = blocks, .in_time = true};
    double sum = 0, count = 0, sums_before[SPN_LADDER_BLOCKS], counts_before[SPN_LADDER_BLOCKS];
    assert(blocks <= SPN_LADDER_BLOCKS);
    for (size_t b = 0; b < blocks; b++) {
        sums_before[b] = sum;
        counts_before[b] = count;
        sum += sums[b];
        count += counts[b];
    }
    out.all = sum / count;
    sum = count = 0;
    for (size_t b = blocks; b-- > 0;) {
        out.without[b] = (sums_before[b] + sum) / (counts_before[b] + count);
        sum += sums[b];
        count += counts[b];
    }
    return out;
}

/* The logarithm of the mean of the numbers in a sum of each block. */
static spn_jackknife log_mean_of(const spn_log_sum *sums, const double *counts, size_t blocks)
{
    double scaled[SPN_LADDER_BLOCKS] = {0}, most = -INFINITY;
    for (size_t b = 0; b < blocks; b++)
        most = sums[b].sum > 0 && sums[b].most > most ? sums[b].most : most;
    for (size_t b = 0; b < blocks; b++)
        scaled[b] = sums[b].sum > 0 ? sums[b].sum * exp(sums[b].most - most) : 0;
    spn_jackknife out = mean_of(scaled, counts, blocks);
    out.all = log(out.all) + most;
    for (size_t b = 0; b < blocks; b++)
        out.without[b] = log(out.without[b]) + most;
    return out;
}

static void counts_of(double *out, const spn_rung_tally *tallies, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++)
        out[b] = (double)tallies[b].count;
}

/* The mean of a field of the tallies, at this place in them. */
static spn_jackknife rung_mean(const spn_ladder *ladder, size_t k, size_t blocks, size_t place)
{
    double sums[SPN_LADDER_BLOCKS] = {0}, counts[SPN_LADDER_BLOCKS] = {0};
    const spn_rung_tally *tallies = tallies_of(ladder, k);
    counts_of(counts, tallies, blocks);
    for (size_t b = 0; b < blocks; b++)
        sums[b] = *(const double *)(const void *)((const char *)&tallies[b] + place);
    return mean_of(sums, counts, blocks);
}

/* The logarithm of the mean of e^(up/2) on a rung, or of e^(down/2). */
static spn_jackknife half_step(const spn_ladder *ladder, size_t k, size_t blocks, bool up)
{
    spn_log_sum sums[SPN_LADDER_BLOCKS];
    double counts[SPN_LADDER_BLOCKS] = {0};
    const spn_rung_tally *tallies = tallies_of(ladder, k);
    counts_of(counts, tallies, blocks);
    for (size_t b = 0; b < blocks; b++)
        sums[b] = up ? tallies[b].up : tallies[b].down;
    return log_mean_of(sums, counts, blocks);
}

/* log Z of the first rung if its beta is 0; else 0, from which log Z counts. */
static double log_z_at_first(const spn_ladder *ladder)
{
    if (ladder->beta[0] != 0)
        return 0;
    return spn_chain_log_z_at_zero(&ladder->chain, ladder->energy->sites, ladder->gamma[0]);
}

spn_jackknife spn_ladder_log_z_first(const spn_ladder *ladder)
{
    spn_jackknife out = {
        .blocks = spn_ladder_blocks(ladder), .in_time = true, .all = log_z_at_first(ladder)};
    for (size_t b = 0; b < out.blocks; b++)
        out.without[b] = out.all;
    return out;
}

/* Z_(k+1)/Z_k = <e^(a/2)>_k / <e^(-a/2)>_(k+1): from both sides to the law half-way. */
void spn_ladder_log_z_next(spn_jackknife *log_z, const spn_ladder *ladder, size_t k)
{
    assert(k + 1 < ladder->rungs);
    const spn_jackknife up = half_step(ladder, k, log_z->blocks, true);
    const spn_jackknife down = half_step(ladder, k + 1, log_z->blocks, false);
    spn_jackknife_add(log_z, 1, &up);
    spn_jackknife_add(log_z, -1, &down);
}

void spn_ladder_estimate(spn_ladder_rung *out, const spn_ladder *ladder, size_t k,
                         const spn_jackknife *log_z)
{
    assert(k < ladder->rungs);
    const size_t blocks = log_z->blocks;
    const spn_jackknife energy = rung_mean(ladder, k, blocks, offsetof(spn_rung_tally, energy));
    const spn_jackknife coupling = rung_mean(ladder, k, blocks, offsetof(spn_rung_tally, coupling));
    const spn_jackknife overlap = rung_mean(ladder, k, blocks, offsetof(spn_rung_tally, overlap));
    spn_jackknife entropy = *log_z;
    if (ladder->beta[k] > 0) /* at 0 the energy may be infinite */
        spn_jackknife_add(&entropy, ladder->beta[k], &energy);
    spn_jackknife_add(&entropy, -1, &coupling);
    spn_jackknife_give_skewed(&energy, &out->energy, &out->energy_error, &out->energy_low,
                              &out->energy_high);
    spn_jackknife_give(&coupling, &out->coupling, &out->coupling_error, NULL, NULL);
    spn_jackknife_give(&overlap, &out->overlap, &out->overlap_error, NULL, NULL);
    spn_jackknife_give(log_z, &out->log_z, &out->log_z_error, &out->log_z_low, &out->log_z_high);
    spn_jackknife_give(&entropy, &out->entropy, &out->entropy_error, &out->entropy_low,
                       &out->entropy_high);
}
