/* The inner loop: proposals one after the other, accepted or rejected. It is written once, as
   inline functions of an energy's delta and commit. loop.c compiles the version that calls them
   through the interface. An energy for which a call costs as much as its work compiles its own
   (spn_loop_choose), with both inlined.

   Every kernel compares one cost, minus the logarithm of the acceptance ratio, with a random
   threshold. For the Metropolis kernels the threshold is exponential. Since that is memoryless, one
   threshold serves both tests of the two-stage kernel: (-dH)^+ <= e is its coupling test, and
   (-dH)^+ + beta (dU)^+ <= e is both tests together. The loop compares dU itself with the largest
   change that would be accepted, (threshold - coupling cost) / beta, which is ready before the
   energy is. */
#ifndef SPN_CHAIN_LOOP_H
#define SPN_CHAIN_LOOP_H

#include "chain/chain.h"

#include <assert.h>
#include <stdlib.h>

#define SPN_INLINE static inline __attribute__((always_inline))

/* The slots delta and commit of an energy. */
typedef double spn_change_slot(const spn_energy *self, void *cache, const int8_t *spins,
                               size_t site);

/* The compile-time constants that a loop is specialised on. */
typedef struct spn_variant {
    bool two_stage;
    spn_gamma_use gamma;
    bool single;   /* one replica */
    bool compares; /* what delta said, with the change at a commit, if the energy is a user's */
    spn_change_slot *delta, *commit;
    /* Prefetch what a commit at site will need: the sites of coming proposals are known. May be
       NULL. */
    void (*prefetch)(const spn_energy *self, size_t site);
} spn_variant;

/* What a proposal uses of a chain, held in registers: spins are bytes, so the compiler would
   otherwise reload every pointer after a store to them. */
typedef struct spn_loop_view {
    spn_chain *chain;
    const spn_energy *energy;
    int8_t *spins;
    int16_t *sums;
    const int8_t *centre;
    unsigned char *caches;
    size_t sites, cache_stride;
    const double *beta, *gamma;
    double per_unit; /* 1 / the unit that delta is measured in */
} spn_loop_view;

SPN_INLINE spn_loop_view spn_loop_view_of(spn_chain *chain, double per_unit)
{
    return (spn_loop_view){.chain = chain,
                           .energy = chain->energy,
                           .spins = chain->spins,
                           .sums = chain->sums,
                           .centre = chain->centre,
                           .caches = chain->caches,
                           .sites = chain->sites,
                           .cache_stride = chain->cache_stride,
                           .gamma = chain->block.gamma,
                           .beta = chain->block.beta,
                           .per_unit = per_unit};
}

/* max(x, 0), except that NaN stays NaN, so that it is noticed and never accepted. */
SPN_INLINE double spn_positive(double x)
{
    return 0 > x ? 0 : x;
}

/* The cost known before the energy: minus the change of H, or its positive part with two stages. */
SPN_INLINE double spn_coupling_cost(const spn_loop_view *view, const int8_t *spins, size_t site,
                                    size_t j, spn_variant v)
{
    double change = 0;
    if (v.gamma == SPN_GAMMA_VARIES)
        change = spn_coupling_change(view->gamma[j], view->sums[site], spins[site]);
    else if (v.gamma == SPN_GAMMA_TABLE)
        change = spn_coupling_look_up(&view->chain->coupling, view->sums[site], spins[site]);
    else if (v.gamma == SPN_GAMMA_CENTRE)
        change = -2 * view->gamma[j] * (view->centre[site] * spins[site]);
    return v.two_stage ? spn_positive(-change) : -change;
}

SPN_INLINE bool spn_coupling_rejects(double cost, double threshold, spn_variant v)
{
    return v.two_stage && v.gamma != SPN_GAMMA_NONE && cost > threshold;
}

/* The largest energy change, in units of delta, that is accepted. It is finite at beta 0 too: a
   change to an infinite energy is never accepted. */
SPN_INLINE double spn_limit(const spn_loop_view *view, double cost, double threshold, size_t j)
{
    assert(view->beta[j] >= 0 && view->per_unit > 0);
    return (threshold - cost) / (view->beta[j] + 1e-300) * view->per_unit;
}

/* Note the energy after an accepted move, of which `site` was the last flip. */
SPN_INLINE void spn_accepted(const spn_loop_view *view, size_t a, size_t site, double after,
                             size_t j)
{
    spn_chain *chain = view->chain;
    double before = chain->energies[a], target = chain->options.target_energy;
    chain->energies[a] = after;
    chain->accepted[a]++;
    chain->accepted_total++;
    chain->uphill += after - before > spn_energy_grain(before);
    chain->downhill += before - after > spn_energy_grain(before);
    chain->at_target += (size_t)(after <= target) - (size_t)(before <= target);
    assert(chain->at_target <= chain->replicas);
    if (spn_best_flip(&chain->best, a, site, view->spins + a * view->sites, after)) {
        chain->improved_step = chain->base.step + j + 1;
        if (after <= target && chain->first_hit == SPN_NO_HIT) /* it is the best of its replica */
            chain->first_hit = chain->base.step + j + 1;
    }
    if (chain->at_target >= chain->target_count || chain->accepted_total >= chain->scope)
        chain->interrupt = 1;
    if (!(after > -INFINITY))
        spn_chain_bad_energy(chain, a, site);
}

/* Flip, and update everything that depends on the spins. */
SPN_INLINE void spn_accept(const spn_loop_view *view, size_t a, size_t site, size_t j,
                           spn_variant v)
{
    int8_t *spins = view->spins + a * view->sites;
    assert(a < view->chain->replicas && site < view->sites && spn_is_spin(spins[site]));
    int8_t flipped = (int8_t)-spins[site];
    spins[site] = flipped;
    if (v.gamma !=
        SPN_GAMMA_CENTRE) { /* else sums are not kept, and other threads may flip this site */
        view->sums[site] = (int16_t)(view->sums[site] + 2 * flipped);
        assert(abs(view->sums[site]) <= (int)view->chain->replicas);
    }
    spn_accepted(view, a, site,
                 v.commit(view->energy, view->caches + a * view->cache_stride, spins, site), j);
}

/* Accept or reject a change. False if the run must be checked before another step. */
SPN_INLINE bool spn_decide(const spn_loop_view *view, size_t a, size_t site, double delta,
                           double limit, size_t j, spn_variant v)
{
    if (delta <= limit) {
        const double before = view->chain->energies[a];
        spn_accept(view, a, site, j, v);
        if (v.compares && view->energy->is_foreign)
            spn_chain_compare_change(view->chain, a, site, before, delta);
        return !view->chain->interrupt;
    }
    if (delta == delta)
        return true;
    spn_chain_bad_energy(view->chain, a, site);
    return false;
}

/* A proposal when gamma differs at every step. The change of H takes longer than the rest, so it is
   computed only if a bound for the whole block does not already reject the move. */
SPN_INLINE bool spn_propose_bounded(const spn_loop_view *view, size_t a, size_t site,
                                    double threshold, size_t j, spn_variant v)
{
    const int8_t *spins = view->spins + a * view->sites;
    const double most = spn_coupling_look_up(&view->chain->coupling, view->sums[site], spins[site]);
    const double least = v.two_stage ? spn_positive(-most) : -most;
    if (spn_coupling_rejects(least, threshold, v))
        return true;
    double delta = v.delta(view->energy, view->caches + a * view->cache_stride, spins, site);
    if (delta > spn_limit(view, least, threshold, j))
        return true;
    double cost = spn_coupling_cost(view, spins, site, j, v);
    if (spn_coupling_rejects(cost, threshold, v))
        return true;
    return spn_decide(view, a, site, delta, spn_limit(view, cost, threshold, j), j, v);
}

SPN_INLINE bool spn_propose(const spn_loop_view *view, size_t a, size_t site, double threshold,
                            size_t j, spn_variant v)
{
    const int8_t *spins = view->spins + a * view->sites;
    assert(a < view->chain->replicas && site < view->sites && spn_is_spin(spins[site]));
    if (v.gamma == SPN_GAMMA_VARIES)
        return spn_propose_bounded(view, a, site, threshold, j, v);
    double cost = spn_coupling_cost(view, spins, site, j, v);
    if (spn_coupling_rejects(cost, threshold, v))
        return true;
    double limit = spn_limit(view, cost, threshold, j);
    double delta = v.delta(view->energy, view->caches + a * view->cache_stride, spins, site);
    return spn_decide(view, a, site, delta, limit, j, v);
}

SPN_INLINE void spn_prefetch(const spn_loop_view *view, size_t site, spn_variant v)
{
    assert(site < view->sites); /* also past the last proposal of a block */
    if (v.prefetch)
        v.prefetch(view->energy, site);
}

SPN_INLINE size_t spn_loop_picked(spn_chain *chain, size_t count, double per_unit, spn_variant v)
{
    const spn_loop_view view = spn_loop_view_of(chain, per_unit);
    const uint32_t *site = chain->block.site, *replica = chain->block.replica;
    const double *threshold = chain->block.threshold;
    for (size_t j = 0; j < count; j++) {
        spn_prefetch(&view, site[j + SPN_LOOKAHEAD], v);
        if (!spn_propose(&view, v.single ? 0 : replica[j], site[j], threshold[j], j, v))
            return j + 1;
    }
    return count;
}

SPN_INLINE size_t spn_loop_round(spn_chain *chain, size_t count, double per_unit, spn_variant v)
{
    const spn_loop_view view = spn_loop_view_of(chain, per_unit);
    const size_t replicas = v.single ? 1 : chain->replicas, stride = chain->block.capacity;
    assert(replicas > 0);
    const size_t ahead = (SPN_LOOKAHEAD + replicas - 1) / replicas;
    for (size_t j = 0; j < count; j++) {
        const uint32_t *site = chain->block.site + j;
        const double *threshold = chain->block.threshold + j;
        bool go_on = true;
        for (size_t a = 0; a < replicas; a++) {
            spn_prefetch(&view, site[a * stride + ahead], v);
            go_on &= spn_propose(&view, a, site[a * stride], threshold[a * stride], j, v);
        }
        if (!go_on)
            return j + 1;
    }
    return count;
}

SPN_INLINE size_t spn_loop_order(spn_chain *chain, size_t count, double per_unit, spn_variant v)
{
    return chain->picks_replica ? spn_loop_picked(chain, count, per_unit, v)
                                : spn_loop_round(chain, count, per_unit, v);
}

SPN_INLINE size_t spn_loop_kernel(spn_chain *chain, size_t count, double per_unit, spn_variant v)
{
    v.two_stage = true;
    if (chain->two_stage)
        return spn_loop_order(chain, count, per_unit, v);
    v.two_stage = false;
    return spn_loop_order(chain, count, per_unit, v);
}

/* Choose among the specialised loops, once per block. v has the energy's delta, in units of
   1/per_unit, commit, prefetch, and whether changes are compared. */
SPN_INLINE size_t spn_loop_choose(spn_chain *chain, size_t count, double per_unit, spn_variant v)
{
    const spn_gamma_use use = spn_chain_gamma_use(chain);
    if (chain->replicas == 1 && use == SPN_GAMMA_CENTRE) {
        v.single = true;
        v.gamma = SPN_GAMMA_CENTRE;
        return spn_loop_kernel(chain, count, per_unit, v);
    }
    if (chain->replicas == 1) {
        v.single = true;
        v.gamma = SPN_GAMMA_NONE;
        return spn_loop_kernel(chain, count, per_unit, v);
    }
    v.single = false;
    switch (use) {
    case SPN_GAMMA_NONE:
        v.gamma = SPN_GAMMA_NONE;
        return spn_loop_kernel(chain, count, per_unit, v);
    case SPN_GAMMA_TABLE:
        v.gamma = SPN_GAMMA_TABLE;
        return spn_loop_kernel(chain, count, per_unit, v);
    case SPN_GAMMA_CENTRE:
        v.gamma = SPN_GAMMA_CENTRE;
        return spn_loop_kernel(chain, count, per_unit, v);
    case SPN_GAMMA_VARIES:
        break;
    }
    v.gamma = SPN_GAMMA_VARIES;
    return spn_loop_kernel(chain, count, per_unit, v);
}

#endif
