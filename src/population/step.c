/* One point after the other: how far to go, which groups are copied, and their steps. */
#include "population/population.h"

#include "base/memory.h"
#include "core/pause.h"
#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- weights ---- */

static double beta_at(const spn_population *p, double u)
{
    return u == 1 ? p->options.beta_last : u * p->options.beta_last;
}

static double gamma_at(const spn_population *p, double u)
{
    const double first = p->options.gamma_first, last = p->options.gamma_last;
    return u == 1 ? last : first + u * (last - first);
}

static double total_energy(const spn_population *p, size_t g)
{
    double sum = 0;
    for (size_t a = 0; a < p->chain.replicas; a++)
        sum += p->energies[g * p->chain.replicas + a];
    return sum;
}

/* Fill p->weight with the expected copies of each group on the way to u; their sum is R. Returns
   the log of the mean weight, -INFINITY if every weight is 0. */
static double weigh(spn_population *p, double u)
{
    const size_t groups = p->options.groups;
    const double more_beta = beta_at(p, u) - p->beta, gamma = gamma_at(p, u);
    double most = -INFINITY, sum = 0;
    for (size_t g = 0; g < groups; g++) {
        p->weight[g] = more_beta > 0 ? -more_beta * total_energy(p, g) : 0;
        if (p->counts)
            p->weight[g] += spn_coupling_counts_value(&p->counts[g], gamma) - p->coupling[g];
        most = fmax(most, p->weight[g]);
    }
    if (!isfinite(most))
        return -INFINITY;
    for (size_t g = 0; g < groups; g++) {
        p->weight[g] = exp(p->weight[g] - most);
        sum += p->weight[g];
    }
    for (size_t g = 0; g < groups; g++)
        p->weight[g] *= (double)groups / sum;
    assert(sum >= 1);
    return most + log(sum / (double)groups);
}

/* The share of the groups from which no copy is expected. */
static double culled_share(const spn_population *p)
{
    double sum = 0;
    for (size_t g = 0; g < p->options.groups; g++)
        sum += fmax(1 - p->weight[g], 0);
    return sum / (double)p->options.groups;
}

/* The farthest point that culls at most options.culled, by bisection. Leaves its weights. */
static double next_by_share(spn_population *p)
{
    enum { HALVINGS = 48 };
    double low = p->u, high = 1;
    weigh(p, 1);
    if (culled_share(p) <= p->options.culled)
        return 1;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = low + (high - low) / 2;
        weigh(p, middle);
        *(culled_share(p) <= p->options.culled ? &low : &high) = middle;
    }
    return low > p->u ? low : high;
}

static double next_point(spn_population *p)
{
    const uint64_t points = p->options.points;
    if (points == 0)
        return next_by_share(p);
    return p->points >= points ? 1 : (double)p->points / (double)points;
}

/* ---- resampling ---- */

/* Systematic resampling: one copy for each of the R points offset, offset + 1, ... on the line of
   the expected copies. Returns how many groups have none. */
static size_t choose_parents(spn_population *p)
{
    const size_t groups = p->options.groups;
    /* A uniform number in (0, 1) for this point. */
    spn_random random = spn_random_make(p->chain.seed, p->chain.run, 0, SPN_PURPOSE_SWAPS);
    random.index = p->points;
    const double offset = spn_random_uniform(&random);
    size_t made = 0, childless = 0, last = 0;
    double sum = 0;
    for (size_t g = 0; g < groups; g++) {
        const size_t before = made;
        sum += p->weight[g];
        while (made < groups && (double)made + offset < sum)
            p->parent[made++] = (uint32_t)g;
        childless += made == before;
        last = p->weight[g] > 0 ? g : last;
    }
    for (; made < groups; made++) /* the sum is rounded */
        p->parent[made] = (uint32_t)last;
    return childless;
}

/* Replace row g by row parent[g], for all g. Parents ascend, so rows from above move first, in
   ascending order, then those from below: none is overwritten before it is copied. */
static void copy_rows(const spn_population *p, void *rows, size_t size)
{
    unsigned char *const bytes = rows;
    const size_t groups = p->options.groups;
    for (size_t g = 0; g < groups; g++)
        if (p->parent[g] > g)
            memcpy(bytes + g * size, bytes + p->parent[g] * size, size);
    for (size_t g = groups; g-- > 0;)
        if (p->parent[g] < g)
            memcpy(bytes + g * size, bytes + p->parent[g] * size, size);
}

static void copy_groups(spn_population *p)
{
    copy_rows(p, p->spins, p->state_size);
    copy_rows(p, p->energies, p->chain.replicas * sizeof *p->energies);
    copy_rows(p, p->coupling, sizeof *p->coupling);
    copy_rows(p, p->overlap, sizeof *p->overlap);
    copy_rows(p, p->family, sizeof *p->family);
    for (size_t g = 0; g < p->options.groups; g++)
        assert(p->parent[g] < p->options.groups && (g == 0 || p->parent[g] >= p->parent[g - 1]));
    if (!p->counts)
        return;
    copy_rows(p, p->counts, sizeof *p->counts);
    for (size_t g = 0; g < p->options.groups; g++)
        p->coupling[g] = spn_coupling_counts_value(&p->counts[g], p->gamma);
}

static spn_status go_to_next(spn_population *p, spn_error *err)
{
    const double u = next_point(p), log_mean = weigh(p, u);
    assert(u > p->u && u <= 1);
    if (!isfinite(log_mean))
        return spn_fail(err, SPN_ERROR_ENERGY,
                        "the energy of every group is infinite at beta %g: no group can be copied",
                        p->beta);
    p->culled = (double)choose_parents(p) / (double)p->options.groups;
    p->log_z += log_mean;
    p->u = u;
    p->beta = beta_at(p, u);
    p->gamma = gamma_at(p, u);
    copy_groups(p);
    return SPN_OK;
}

/* ---- walking ---- */

/* Put group g into the chain at the current point, with the group's own random numbers. */
static spn_status enter(const spn_population *p, spn_chain *chain, size_t g, spn_error *err)
{
    spn_chain_become(chain, p->chain.run + (uint32_t)g, p->points * p->options.sweep_steps,
                     p->points);
    spn_chain_set_point(chain, p->beta, p->gamma);
    if (p->beta == 0) {
        spn_pause_now(); /* as after the steps of a walk */
        return spn_chain_redraw(chain, p->gamma, err);
    }
    SPN_TRY(spn_chain_place(chain, p->spins + g * p->state_size, err));
    return spn_chain_walk(chain, p->options.sweep_steps, err);
}

/* Whether the chain has made all steps of its group, or reached the target. */
static bool is_whole(const spn_population *p, const spn_chain *chain)
{
    return p->beta == 0 || chain->at_target >= chain->target_count ||
           chain->base.step == (p->points + 1) * p->options.sweep_steps;
}

static void keep_best(spn_walker_of_groups *w, const spn_population *p, size_t g)
{
    const spn_best_states *best = &w->chain->best;
    size_t a = 0;
    for (size_t b = 1; b < best->replicas; b++)
        a = best->energy[b] < best->energy[a] ? b : a;
    if (!spn_walked_is_better(best->energy[a], g, &w->walked))
        return;
    w->walked.best_energy = best->energy[a];
    w->walked.best_group = g;
    memcpy(w->best_spins, best->spins + a * p->energy->sites, p->energy->sites);
}

/* Take the group out of the chain after its steps. */
static void leave(spn_population *p, spn_walker_of_groups *w, size_t g, uint64_t accepted,
                  uint64_t uphill)
{
    const spn_chain *chain = w->chain;
    spn_coupling_counts counts;
    memcpy(p->spins + g * p->state_size, chain->spins, p->state_size);
    memcpy(p->energies + g * chain->replicas, chain->energies,
           chain->replicas * sizeof *p->energies);
    spn_chain_coupling_counts(&counts, chain);
    p->coupling[g] = spn_coupling_counts_value(&counts, p->gamma);
    p->overlap[g] = spn_coupling_counts_overlap(&counts);
    if (p->counts)
        p->counts[g] = counts;
    p->walked[g] = 1;
    w->walked.groups++;
    w->walked.accepted += accepted;
    w->walked.uphill += uphill;
    w->walked.at_target = w->walked.at_target || chain->at_target >= chain->target_count;
    keep_best(w, p, g);
    if (chain->first_hit != SPN_NO_HIT) {
        const uint64_t hit = chain->first_hit - p->points * p->options.sweep_steps;
        w->walked.hit = hit < w->walked.hit ? hit : w->walked.hit;
    }
}

/* A thread walks one group after the other until none is left or a stop is asked for. A group that
   was cut off is unchanged, and is walked again with the same numbers. */
static void walk_groups(void *context, size_t item)
{
    spn_population *p = context;
    spn_walker_of_groups *w = &p->walker[item];
    spn_chain *chain = w->chain;
    if (w->words && p->beta > 0) {
        spn_population_walk_words(p, w);
        return;
    }
    for (;;) {
        const size_t g = atomic_fetch_add(&p->next, 1);
        if (g >= p->options.groups || w->status || spn_sampler_is_halted(&p->base))
            return;
        if (p->walked[g])
            continue;
        const uint64_t accepted = chain->accepted_total, uphill = chain->health.slices[0].uphill;
        w->status = enter(p, chain, g, &w->error);
        if (!w->status && is_whole(p, chain))
            leave(p, w, g, chain->accepted_total - accepted,
                  chain->health.slices[0].uphill - uphill);
    }
}

static void merge(spn_population *p, spn_walker_of_groups *w)
{
    spn_walked *all = &p->point;
    all->groups += w->walked.groups;
    all->accepted += w->walked.accepted;
    all->uphill += w->walked.uphill;
    all->at_target = all->at_target || w->walked.at_target;
    all->hit = w->walked.hit < all->hit ? w->walked.hit : all->hit;
    if (spn_walked_is_better(w->walked.best_energy, w->walked.best_group, all)) {
        all->best_energy = w->walked.best_energy;
        all->best_group = w->walked.best_group;
        if (all->best_energy < p->so_far.best_energy)
            memcpy(p->best_spins, w->best_spins, p->energy->sites);
    }
    w->walked = spn_walked_none();
}

static spn_status walk(spn_population *p, spn_error *err)
{
    atomic_store(&p->next, 0);
    for (size_t w = 0; w < p->walkers; w++)
        spn_sampler_follow(&p->walker[w].chain->base, &p->base);
    if (p->walkers > 1 && !p->team)
        p->team = spn_team_create(p->walkers);
    spn_team_run(p->team, walk_groups, p, p->team ? p->walkers : 1);
    for (size_t w = 0; w < p->walkers; w++)
        merge(p, &p->walker[w]);
    for (size_t w = 0; w < p->walkers; w++)
        if (p->walker[w].status) {
            if (err)
                *err = p->walker[w].error;
            return p->walker[w].status;
        }
    return SPN_OK;
}

/* ---- points ---- */

static void note_hit(spn_population *p)
{
    const uint64_t steps = p->points * p->options.sweep_steps;
    if (p->so_far.hit != SPN_NO_HIT || p->point.hit == SPN_NO_HIT)
        return;
    p->so_far.hit = steps + p->point.hit;
    p->first_hit_proposals =
        p->proposals + p->options.groups * p->point.hit * p->proposals_per_step;
    p->first_hit_seconds = spn_sampler_seconds(&p->base);
}

static double mean_energy(const spn_population *p)
{
    double sum = 0;
    for (size_t g = 0; g < p->options.groups; g++)
        sum += total_energy(p, g);
    return sum / (double)p->options.groups;
}

/* Record the point after all groups have made their steps. */
static spn_status end_point(spn_population *p, spn_error *err)
{
    const uint64_t steps = p->options.sweep_steps;
    const double made = (double)p->options.groups * (double)steps * (double)p->proposals_per_step;
    if (!spn_grow(&p->path, &p->point_capacity, p->points + 1, sizeof *p->path))
        return spn_no_memory(err, "the points of a population");
    note_hit(p);
    p->so_far.at_target = p->point.at_target;
    p->so_far.best_energy = fmin(p->so_far.best_energy, p->point.best_energy);
    p->proposals += p->options.groups * steps * p->proposals_per_step;
    spn_population_point *point = &p->path[p->points++];
    *point =
        (spn_population_point){.beta = p->beta,
                               .gamma = p->gamma,
                               .energy = mean_energy(p),
                               .log_z = p->log_z,
                               .culled = p->culled,
                               .acceptance = p->beta == 0 ? NAN : (double)p->point.accepted / made,
                               .uphill = p->beta == 0 ? NAN : (double)p->point.uphill / made};
    point->families = (double)spn_population_families(&point->rho, NULL, p);
    p->base.step += steps;
    p->walking = false;
    return SPN_OK;
}

spn_status spn_population_advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_population *p = (spn_population *)sampler;
    (void)most;
    if (!p->walking) {
        if (p->points > 0)
            SPN_TRY(go_to_next(p, err));
        memset(p->walked, 0, p->options.groups);
        p->point = spn_walked_none();
        p->walking = true;
    }
    SPN_TRY(walk(p, err));
    assert(p->point.groups <= p->options.groups);
    return p->point.groups == p->options.groups ? end_point(p, err) : SPN_OK;
}
