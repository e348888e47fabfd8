/* Replica-round steps whose energy changes are computed side by side. A proposal is tried if it
   passes the coupling test as things stand; the decisions are then made in order, and where an
   earlier flip at the same site changed the outcome of the test, the change is computed there and
   then. So the results are those of the serial loop, whatever the number of threads. */
#include "core/loop.h"
#include <assert.h>

static void compute_trials(spn_chain *chain, size_t j)
{
    const spn_block *block = &chain->block;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)chain->options.threads)
    for (size_t a = 0; a < chain->replicas; a++)
        if (chain->has_trial[a])
            chain->trial[a] =
                chain->slots.delta(chain->energy, spn_chain_cache(chain, a),
                                   spn_chain_spins(chain, a), block->site[a * block->capacity + j]);
}

/* False if the run must be looked at before another step. */
static bool step(spn_chain *chain, size_t j, spn_variant v)
{
    const spn_loop_view view = spn_loop_view_of(chain, 1);
    const spn_block *block = &chain->block;
    assert(!chain->picks_replica && j < block->capacity);
    for (size_t a = 0; a < chain->replicas; a++) {
        size_t at = a * block->capacity + j;
        double cost = spn_coupling_cost(&view, spn_chain_spins(chain, a), block->site[at], j, v);
        chain->has_trial[a] = !spn_coupling_rejects(cost, block->threshold[at], v);
    }
    compute_trials(chain, j);
    bool go_on = true;
    for (size_t a = 0; a < chain->replicas; a++) {
        size_t at = a * block->capacity + j, site = block->site[at];
        const double threshold = block->threshold[at];
        if (!chain->has_trial[a]) {
            go_on &= spn_propose(&view, a, site, threshold, j, v);
            continue;
        }
        double cost = spn_coupling_cost(&view, spn_chain_spins(chain, a), site, j, v);
        double limit = spn_limit(&view, cost, threshold, j);
        if (!spn_coupling_rejects(cost, threshold, v))
            go_on &= spn_decide(&view, a, site, chain->trial[a], limit, j, v);
    }
    return go_on;
}

size_t spn_loop_threaded(spn_chain *chain, size_t count)
{
    const spn_variant v = {.two_stage = chain->two_stage,
                           .gamma = spn_chain_gamma_use(chain),
                           .delta = chain->slots.delta,
                           .commit = chain->slots.commit};
    for (size_t j = 0; j < count; j++)
        if (!step(chain, j, v))
            return j + 1;
    return count;
}
