/* What a population says of the law at its point: families, log Z, energy and entropy, with errors
   by the jackknife over blocks of families. A family has the same weight in every estimate, its
   share of the population, so log Z without a block follows from the shares alone. */
#include "population/population.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

/* Copies of a family are neighbours, as resampling keeps the order of the groups. */
size_t spn_population_families(double *rho, double *entropy, const spn_population *p)
{
    const double groups = (double)p->options.groups;
    size_t families = 0, first = 0;
    double squares = 0, sum = 0;
    for (size_t g = 1; g <= p->options.groups; g++) {
        if (g < p->options.groups && p->family[g] == p->family[first])
            continue;
        assert(g == p->options.groups || p->family[g] > p->family[first]);
        const double size = (double)(g - first);
        squares += size * size;
        sum -= size / groups * log(size / groups);
        families++;
        first = g;
    }
    *rho = squares / groups;
    if (entropy)
        *entropy = sum;
    return families;
}

static size_t block_of(const spn_population *p, size_t g)
{
    return (size_t)((uint64_t)p->family[g] * SPN_FAMILY_BLOCKS / p->options.groups);
}

/* The mean over the groups of the sum of the `each` values that a group has. */
static spn_jackknife mean_of(const spn_population *p, const double *values, size_t each)
{
    double sums[SPN_FAMILY_BLOCKS] = {0}, counts[SPN_FAMILY_BLOCKS] = {0}, sum = 0;
    const double groups = (double)p->options.groups;
    spn_jackknife out = {.blocks = SPN_FAMILY_BLOCKS};
    for (size_t g = 0; g < p->options.groups; g++) {
        double value = 0;
        for (size_t a = 0; a < each; a++)
            value += values[g * each + a];
        sums[block_of(p, g)] += value;
        counts[block_of(p, g)]++;
        sum += value;
    }
    out.all = sum / groups;
    for (size_t b = 0; b < SPN_FAMILY_BLOCKS; b++)
        out.without[b] = (sum - sums[b]) / (groups - counts[b]);
    return out;
}

/* Without a block there is its share less of the weight, and one thirty-second less of the groups
   that it started with. */
static spn_jackknife log_z_of(const spn_population *p)
{
    double share[SPN_FAMILY_BLOCKS] = {0}, started[SPN_FAMILY_BLOCKS] = {0};
    const double groups = (double)p->options.groups;
    spn_jackknife out = {.blocks = SPN_FAMILY_BLOCKS, .all = p->log_z};
    for (size_t g = 0; g < p->options.groups; g++) {
        share[block_of(p, g)] += 1 / groups;
        started[g * SPN_FAMILY_BLOCKS / p->options.groups] += 1 / groups;
    }
    for (size_t b = 0; b < SPN_FAMILY_BLOCKS; b++)
        out.without[b] = p->log_z + log((1 - share[b]) / (1 - started[b]));
    return out;
}

void spn_population_look_sized(spn_population_result *out, size_t size, const spn_sampler *sampler)
{
    const spn_population *p = spn_population_of(sampler);
    const spn_jackknife log_z = log_z_of(p), energy = mean_of(p, p->energies, p->chain.replicas),
                        coupling = mean_of(p, p->coupling, 1);
    spn_jackknife entropy = log_z;
    spn_jackknife_add(&entropy, p->beta, &energy);
    spn_jackknife_add(&entropy, -1, &coupling);
    spn_population_result r = {.beta = p->beta,
                               .gamma = p->gamma,
                               .overlap = mean_of(p, p->overlap, 1).all,
                               .groups = p->options.groups,
                               .points = p->points,
                               .sweep_steps = p->options.sweep_steps,
                               .proposals = p->proposals,
                               .best_energy = fmin(p->so_far.best_energy, p->point.best_energy),
                               .best_spins = p->best_spins,
                               .first_hit = p->so_far.hit,
                               .first_hit_proposals = p->first_hit_proposals,
                               .first_hit_seconds = p->first_hit_seconds};
    r.families = spn_population_families(&r.rho, &r.family_entropy, p);
    spn_jackknife_give(&energy, &r.energy, &r.energy_error, NULL, NULL);
    spn_jackknife_give(&log_z, &r.log_z, &r.log_z_error, &r.log_z_low, &r.log_z_high);
    spn_jackknife_give(&entropy, &r.entropy, &r.entropy_error, &r.entropy_low, &r.entropy_high);
    spn_sized_give(out, size, &r, sizeof r);
}
