/* The inner loop for energies called through the interface, and the choice between the loops. */
#include "chain/loop.h"
#include <assert.h>

spn_gamma_use spn_chain_gamma_use(const spn_chain *chain)
{
    if (chain->centre)
        return SPN_GAMMA_CENTRE;
    if (chain->replicas == 1) /* coupled to nothing: log cosh(+-gamma) is constant */
        return SPN_GAMMA_NONE;
    if (chain->gamma_varies)
        return SPN_GAMMA_VARIES;
    return chain->coupling.gamma == 0 ? SPN_GAMMA_NONE : SPN_GAMMA_TABLE;
}

void spn_chain_bad_energy(spn_chain *chain, size_t replica, size_t site)
{
    chain->bad_energy = true;
    chain->bad_replica = replica;
    chain->bad_site = site;
    chain->interrupt = 1;
}

size_t spn_loop_alone(spn_chain *chain, size_t count)
{
    if (chain->slots.loop)
        return chain->slots.loop(chain, count);
    return spn_loop_choose(chain, count, 1, chain->slots.delta, chain->slots.commit, NULL);
}

/* An energy with a loop of its own is one whose changes cost too little to be shared out. */
size_t spn_loop_run(spn_chain *chain, size_t count)
{
    assert(count > 0 && count <= chain->block.capacity && !chain->interrupt);
    const spn_sharing *s = &chain->sharing;
    const bool several = !chain->picks_replica && chain->options.threads > 1 &&
                         chain->replicas > 1 && !chain->centre;
    if (several && (s->always || !(chain->slots.loop || s->never)))
        return spn_loop_threaded(chain, count);
    return spn_loop_alone(chain, count);
}
