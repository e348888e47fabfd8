/* Means, log Z and entropies of rungs, with errors by the jackknife: each estimate is made again
   without each of the blocks, of all rungs at once, which takes account of what scans have to do
   with each other, and rungs. */
#include "ladder/ladder.h"

#include <assert.h>
#include <math.h>
#include <spinney/statistics.h>

/* An estimate from all blocks, and without each of them. */
typedef struct estimates {
    size_t blocks;
    double all, without[SPN_LADDER_BLOCKS];
} estimates;

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

/* From sums of the blocks and how many each is a sum of. */
static estimates mean_of(const double *sums, const double *counts, size_t blocks)
{
    estimates out = {.blocks = blocks};
    assert(blocks <= SPN_LADDER_BLOCKS);
    for (size_t without = 0; without <= blocks; without++) {
        double sum = 0, count = 0;
        for (size_t b = 0; b < blocks; b++) {
            sum += b == without ? 0 : sums[b];
            count += b == without ? 0 : counts[b];
        }
        *(without == blocks ? &out.all : &out.without[without]) = sum / count;
    }
    return out;
}

/* The logarithm of the mean of the numbers in a sum of each block. */
static estimates log_mean_of(const spn_log_sum_exp *sums, const double *counts, size_t blocks)
{
    double scaled[SPN_LADDER_BLOCKS], most = -INFINITY;
    for (size_t b = 0; b < blocks; b++)
        most = sums[b].sum > 0 && sums[b].most > most ? sums[b].most : most;
    for (size_t b = 0; b < blocks; b++)
        scaled[b] = sums[b].sum > 0 ? sums[b].sum * exp(sums[b].most - most) : 0;
    estimates out = mean_of(scaled, counts, blocks);
    out.all = log(out.all) + most;
    for (size_t b = 0; b < blocks; b++)
        out.without[b] = log(out.without[b]) + most;
    return out;
}

static void add(estimates *to, double factor, const estimates *what)
{
    to->all += factor * what->all;
    for (size_t b = 0; b < to->blocks; b++)
        to->without[b] += factor * what->without[b];
}

static void counts_of(double *out, const spn_rung_tally *tallies, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++)
        out[b] = (double)tallies[b].count;
}

typedef double sum_of(const spn_rung_tally *tally);

static double energy_of(const spn_rung_tally *tally)
{
    return tally->energy;
}

static double coupling_of(const spn_rung_tally *tally)
{
    return tally->coupling;
}

static double overlap_of(const spn_rung_tally *tally)
{
    return tally->overlap;
}

static estimates rung_mean(const spn_ladder *ladder, size_t k, size_t blocks, sum_of *of)
{
    double sums[SPN_LADDER_BLOCKS], counts[SPN_LADDER_BLOCKS];
    const spn_rung_tally *tallies = tallies_of(ladder, k);
    counts_of(counts, tallies, blocks);
    for (size_t b = 0; b < blocks; b++)
        sums[b] = of(&tallies[b]);
    return mean_of(sums, counts, blocks);
}

/* The logarithm of the mean of e^(up/2) on a rung, or of e^(down/2). */
static estimates half_step(const spn_ladder *ladder, size_t k, size_t blocks, bool up)
{
    spn_log_sum_exp sums[SPN_LADDER_BLOCKS];
    double counts[SPN_LADDER_BLOCKS];
    const spn_rung_tally *tallies = tallies_of(ladder, k);
    counts_of(counts, tallies, blocks);
    for (size_t b = 0; b < blocks; b++)
        sums[b] = up ? tallies[b].up : tallies[b].down;
    return log_mean_of(sums, counts, blocks);
}

double spn_ladder_log_z_first(const spn_ladder *ladder)
{
    if (ladder->beta[0] != 0)
        return 0;
    return spn_chain_log_z_at_zero(&ladder->chain, ladder->energy->sites, ladder->gamma[0]);
}

/* Z_(j+1)/Z_j = <e^(a/2)>_j / <e^(-a/2)>_(j+1): from both sides to the law half-way. */
static estimates log_z(const spn_ladder *ladder, size_t k, size_t blocks)
{
    estimates out = {.blocks = blocks, .all = spn_ladder_log_z_first(ladder)};
    for (size_t b = 0; b < blocks; b++)
        out.without[b] = out.all;
    for (size_t j = 0; j < k; j++) {
        const estimates up = half_step(ladder, j, blocks, true);
        const estimates down = half_step(ladder, j + 1, blocks, false);
        add(&out, 1, &up);
        add(&out, -1, &down);
    }
    return out;
}

static spn_estimate finish(const estimates *e)
{
    const double n = (double)e->blocks;
    spn_estimate out = {e->blocks ? e->all : NAN, NAN, NAN, NAN};
    if (e->blocks < 2)
        return out;
    double mean = 0, squares = 0;
    for (size_t b = 0; b < e->blocks; b++)
        mean += e->without[b] / n;
    for (size_t b = 0; b < e->blocks; b++)
        squares += (e->without[b] - mean) * (e->without[b] - mean);
    out.error = sqrt(squares * (n - 1) / n);
    const double half = spn_student_quantile(e->blocks - 1) * out.error;
    out.low = out.value - half;
    out.high = out.value + half;
    return out;
}

void spn_ladder_estimate(spn_rung_estimates *out, const spn_ladder *ladder, size_t k)
{
    assert(k < ladder->rungs);
    const size_t blocks = spn_ladder_blocks(ladder);
    const estimates energy = rung_mean(ladder, k, blocks, energy_of);
    const estimates coupling = rung_mean(ladder, k, blocks, coupling_of);
    const estimates overlap = rung_mean(ladder, k, blocks, overlap_of);
    estimates sum = log_z(ladder, k, blocks);
    *out = (spn_rung_estimates){.energy = finish(&energy),
                                .coupling = finish(&coupling),
                                .overlap = finish(&overlap),
                                .log_z = finish(&sum)};
    add(&sum, ladder->beta[k], &energy);
    add(&sum, -1, &coupling);
    out->entropy = finish(&sum);
}
