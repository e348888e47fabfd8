/* Equi-energy jumps on a ladder: walkers keep their rungs, and each but the last stores its states
   for the next colder one. */
#include "ladder/ladder.h"

#include "base/memory.h"
#include <assert.h>
#include <stdlib.h>

void spn_ladder_free_stores(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->store_count; k++)
        spn_store_free(ladder->stores[k]);
    free(ladder->stores);
    ladder->stores = NULL;
    ladder->store_count = 0;
}

/* A ring is worth while if it fills early in a round. */
static size_t capacity_of(const spn_ladder *ladder, size_t spins)
{
    const size_t fits = spn_store_capacity(spins, ladder->rungs - 1);
    const uint64_t wanted = spn_ladder_round_length(ladder, ladder->round) / 16;
    if (wanted >= fits)
        return fits;
    return wanted < SPN_STORE_LEAST_CAPACITY ? SPN_STORE_LEAST_CAPACITY : (size_t)wanted;
}

spn_status spn_ladder_begin_stores(spn_ladder *ladder, spn_error *err)
{
    const size_t spins = ladder->chain.replicas * ladder->energy->sites;
    spn_ladder_free_stores(ladder);
    if (ladder->options.method != SPN_LADDER_EQUI_ENERGY)
        return SPN_OK;
    if (spn_store_capacity(spins, ladder->rungs - 1) == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "method: equi-energy stores states of %zu rungs of %zu spins, which need "
                        "more than %zu MiB; use fewer rungs, or swap",
                        ladder->rungs, spins, SPN_STORE_BYTES >> 20);
    ladder->stores = spn_alloc(ladder->rungs - 1, sizeof(spn_store *));
    if (!ladder->stores)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for stores of states");
    for (; ladder->store_count < ladder->rungs - 1; ladder->store_count++) {
        const spn_status status = spn_store_create(&ladder->stores[ladder->store_count], spins,
                                                   capacity_of(ladder, spins), err);
        if (status)
            return status;
    }
    return SPN_OK;
}

static spn_point_pair points_of(const spn_ladder *ladder, size_t hot)
{
    return (spn_point_pair){ladder->beta[hot], ladder->gamma[hot], ladder->beta[hot + 1],
                            ladder->gamma[hot + 1]};
}

static spn_status jump(spn_ladder *ladder, size_t k, spn_error *err)
{
    spn_chain *chain = ladder->walker[ladder->walker_at[k]].chain;
    const spn_point_pair points = points_of(ladder, k - 1);
    if (chain->at_target >= chain->target_count) /* the run ends here */
        return SPN_OK;
    return spn_chain_jump(chain, ladder->stores[k - 1], &points, ladder->scan,
                          &ladder->totals[k].jumps, err);
}

static spn_status put(spn_ladder *ladder, size_t k, spn_error *err)
{
    const spn_chain *chain = ladder->walker[ladder->walker_at[k]].chain;
    const spn_point_pair points = points_of(ladder, k);
    return spn_store_put(ladder->stores[k], chain, &points, ladder->scan, err);
}

/* All jumps see the stores as they were before this scan. */
spn_status spn_ladder_exchange_equi_energy(spn_ladder *ladder, spn_error *err)
{
    spn_status status = SPN_OK;
    assert(ladder->store_count == ladder->rungs - 1);
    for (size_t k = 1; k < ladder->rungs && !status; k++)
        status = jump(ladder, k, err);
    for (size_t k = 0; k + 1 < ladder->rungs && !status; k++)
        status = put(ladder, k, err);
    return status;
}
