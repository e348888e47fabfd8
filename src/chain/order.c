/* Orders, one row of a table each, and the proposals of a block. */

#include "base/text.h"
#include "base/try.h"
#include "chain/chain.h"
#include "core/kernel.h"
#include <assert.h>

enum { PICKED_LANE = 0xFFFF }; /* the stream of proposals that pick their replica */

const spn_names spn_order_names =
    SPN_NAME_LIST("order", [SPN_ORDER_REPLICA_ROUND] = "replica-round",
                  [SPN_ORDER_RANDOM] = "random", [SPN_ORDER_SEQUENTIAL] = "sequential");

typedef struct order_traits {
    bool picks_replica;
    /* The choices of proposals `step` .. `step` + count - 1 of a replica: sites, or places in the
       list of proposed sites. NULL: drawn at random. */
    void (*sites)(uint64_t step, size_t count, uint32_t choices, uint32_t *out);
} order_traits;

/* Every site in turn. A proposal at a given site leaves the law invariant, as one at a random site
   does, so every composition of them does too. */
static void in_turn(uint64_t step, size_t count, uint32_t choices, uint32_t *out)
{
    uint32_t choice = (uint32_t)(step % choices);
    for (size_t j = 0; j < count; j++) {
        out[j] = choice;
        choice = choice + 1 == choices ? 0 : choice + 1;
    }
}

/* From places in the list of proposed sites to the sites. Unlisted sites never flip, and each
   proposal leaves the law of the others, given them, invariant. */
static void look_up(const uint32_t *proposed, size_t count, uint32_t *sites)
{
    for (size_t j = 0; j < count; j++)
        sites[j] = proposed[sites[j]];
}

static const order_traits orders[] = {[SPN_ORDER_REPLICA_ROUND] = {.picks_replica = false},
                                      [SPN_ORDER_RANDOM] = {.picks_replica = true},
                                      [SPN_ORDER_SEQUENTIAL] = {.sites = in_turn}};

bool spn_order_picks_replica(spn_order order)
{
    return orders[order].picks_replica;
}

bool spn_order_draws_sites(spn_order order)
{
    return !orders[order].sites;
}

size_t spn_order_proposals(spn_order order, size_t replicas)
{
    return orders[order].picks_replica ? 1 : replicas;
}

spn_status spn_order_check(spn_order order, size_t replicas, size_t choices, spn_error *err)
{
    if ((size_t)order >= sizeof orders / sizeof *orders)
        return spn_refuse(err, "there is no order number %d", (int)order);
    if (orders[order].picks_replica && replicas > UINT32_MAX / choices)
        return spn_refuse(err, "%s order: replicas times spins must be below 2^32, not %zu",
                          spn_order_name(order), replicas * choices);
    return SPN_OK;
}

static spn_draw_request request_of(const spn_chain *chain, size_t a, uint64_t first, size_t count)
{
    const spn_chain_options *o = &chain->options;
    const order_traits *order = &orders[o->order];
    const uint32_t lane = order->picks_replica ? PICKED_LANE : (uint32_t)(chain->first_stream + a);
    return (spn_draw_request){.stream =
                                  spn_stream_make(o->seed, o->run, lane, SPN_PURPOSE_PROPOSALS),
                              .first = first,
                              .count = count,
                              .sites = (uint32_t)chain->choices,
                              .replicas = order->picks_replica ? (uint32_t)chain->replicas : 1,
                              .threshold = spn_kernel_traits_of(o->kernel)->threshold};
}

void spn_order_fill(spn_chain *chain, size_t count)
{
    const spn_chain_options *o = &chain->options;
    const order_traits *order = &orders[o->order];
    spn_block *block = &chain->block;
    assert(count > 0 && count <= block->capacity);
    for (size_t a = 0; a < chain->streams; a++) {
        const spn_draw_request request = request_of(chain, a, chain->base.step, count);
        const size_t at = a * block->capacity;
        if (order->sites)
            order->sites(chain->base.step, count, (uint32_t)chain->choices, block->site + at);
        chain->draw(&request, order->sites ? NULL : block->site + at, block->replica + at,
                    block->threshold + at);
        if (chain->proposed)
            look_up(chain->proposed, count, block->site + at);
    }
}

void spn_order_count(spn_chain *chain, size_t steps)
{
    if (chain->picks_replica && chain->replicas > 1)
        for (size_t j = 0; j < steps; j++)
            chain->proposals[chain->block.replica[j]]++;
    else
        for (size_t a = 0; a < chain->replicas; a++)
            chain->proposals[a] += steps;
}

size_t spn_order_replica(const spn_chain *chain, uint64_t step)
{
    assert(chain->picks_replica);
    const spn_draw_request request = request_of(chain, 0, step, 1);
    uint32_t site, replica;
    spn_draw_move(&request, step, &site, &replica);
    return replica;
}

void spn_order_count_all(spn_chain *chain, size_t steps)
{
    const spn_block *block = &chain->block;
    if (!chain->picks_replica || chain->replicas == 1) {
        for (size_t a = 0; a < chain->replicas; a++)
            chain->proposals[a] += steps;
        return;
    }
    for (size_t done = 0, count; done < steps; done += count) {
        count = steps - done < block->capacity ? steps - done : block->capacity;
        const spn_draw_request request = request_of(chain, 0, chain->base.step + done, count);
        chain->draw(&request, block->site, block->replica, block->threshold);
        for (size_t j = 0; j < count; j++)
            chain->proposals[block->replica[j]]++;
    }
}
