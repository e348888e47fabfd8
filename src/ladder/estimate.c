/* Means, log Z and entropies of rungs, with errors by the jackknife: each estimate is made again
   without each of the blocks, of all rungs at once, which takes account of what scans have to do
   with each other, and rungs. */
#include "ladder/ladder.h"

#include <assert.h>
#include <math.h>

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
static spn_jackknife log_mean_of(const spn_log_sum_exp *sums, const double *counts, size_t blocks)
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
    spn_log_sum_exp sums[SPN_LADDER_BLOCKS];
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
