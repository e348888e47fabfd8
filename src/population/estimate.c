/* What a population says of the law at its point: families, log Z, energy and entropy, with errors
   by the jackknife over blocks of families. A family has the same weight in every estimate, its
   share of the population, so log Z without a block follows from the shares alone. */
#include "population/population.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <spinney/statistics.h>

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

/* An estimate from all families, and without each block of them. */
typedef struct estimates {
    double all, without[SPN_FAMILY_BLOCKS];
} estimates;

static size_t block_of(const spn_population *p, size_t g)
{
    return (size_t)((uint64_t)p->family[g] * SPN_FAMILY_BLOCKS / p->options.groups);
}

/* The mean over the groups of f. */
static estimates mean_of(const spn_population *p, double (*f)(const spn_population *, size_t))
{
    double sums[SPN_FAMILY_BLOCKS] = {0}, counts[SPN_FAMILY_BLOCKS] = {0}, sum = 0;
    const double groups = (double)p->options.groups;
    estimates out;
    for (size_t g = 0; g < p->options.groups; g++) {
        const double value = f(p, g);
        sums[block_of(p, g)] += value;
        counts[block_of(p, g)]++;
        sum += value;
    }
    out.all = sum / groups;
    for (size_t b = 0; b < SPN_FAMILY_BLOCKS; b++)
        out.without[b] = (sum - sums[b]) / (groups - counts[b]);
    return out;
}

static double energy_of(const spn_population *p, size_t g)
{
    double sum = 0;
    for (size_t a = 0; a < p->chain.replicas; a++)
        sum += p->energies[g * p->chain.replicas + a];
    return sum;
}

static double coupling_of(const spn_population *p, size_t g)
{
    return p->coupling[g];
}

static double overlap_of(const spn_population *p, size_t g)
{
    return p->overlap[g];
}

/* Without a block there is its share less of the weight, and one thirty-second less of the groups
   that it started with. */
static estimates log_z_of(const spn_population *p)
{
    double share[SPN_FAMILY_BLOCKS] = {0}, started[SPN_FAMILY_BLOCKS] = {0};
    const double groups = (double)p->options.groups;
    estimates out = {.all = p->log_z};
    for (size_t g = 0; g < p->options.groups; g++) {
        share[block_of(p, g)] += 1 / groups;
        started[g * SPN_FAMILY_BLOCKS / p->options.groups] += 1 / groups;
    }
    for (size_t b = 0; b < SPN_FAMILY_BLOCKS; b++)
        out.without[b] = p->log_z + log((1 - share[b]) / (1 - started[b]));
    return out;
}

static estimates add(estimates a, double factor, const estimates *b)
{
    a.all += factor * b->all;
    for (size_t k = 0; k < SPN_FAMILY_BLOCKS; k++)
        a.without[k] += factor * b->without[k];
    return a;
}

/* The standard error; NaN if all groups are of one block. */
static double error_of(const estimates *e)
{
    const double n = SPN_FAMILY_BLOCKS;
    double mean = 0, squares = 0;
    for (size_t b = 0; b < SPN_FAMILY_BLOCKS; b++)
        mean += e->without[b] / n;
    for (size_t b = 0; b < SPN_FAMILY_BLOCKS; b++)
        squares += (e->without[b] - mean) * (e->without[b] - mean);
    return sqrt(squares * (n - 1) / n);
}

static void put(double *value, double *error, double *low, double *high, const estimates *e)
{
    const double half = spn_student_quantile(SPN_FAMILY_BLOCKS - 1) * error_of(e);
    *value = e->all;
    *error = error_of(e);
    *low = e->all - half;
    *high = e->all + half;
}

void spn_population_look_sized(spn_population_result *out, size_t size, const spn_sampler *sampler)
{
    const spn_population *p = spn_population_of(sampler);
    const estimates log_z = log_z_of(p), energy = mean_of(p, energy_of),
                    coupling = mean_of(p, coupling_of);
    const estimates entropy = add(add(log_z, p->beta, &energy), -1, &coupling);
    spn_population_result r = {.beta = p->beta,
                               .gamma = p->gamma,
                               .energy = energy.all,
                               .energy_error = error_of(&energy),
                               .overlap = mean_of(p, overlap_of).all,
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
    put(&r.log_z, &r.log_z_error, &r.log_z_low, &r.log_z_high, &log_z);
    put(&r.entropy, &r.entropy_error, &r.entropy_low, &r.entropy_high, &entropy);
    spn_sized_give(out, size, &r, sizeof r);
}
