/* Orders: which replicas propose which sites, step by step. All that depends on the order is here
   and in order.c; the loops know only whether a step picks one replica or takes all in turn. */
#ifndef SPN_CHAIN_ORDER_H
#define SPN_CHAIN_ORDER_H

#include "chain/chain.h"

/* Whether a step is one proposal, of a replica that is drawn with it; else it is a proposal of each
   replica in turn. */
bool spn_order_picks_replica(spn_order order);

/* Whether it draws the site of a proposal at random; else the site follows from the step. */
bool spn_order_draws_sites(spn_order order);

/* Errors: ARGUMENT for an unknown order, or one that cannot have this many replicas and sites
   to choose among. */
spn_status spn_order_check(spn_order order, size_t replicas, size_t choices, spn_error *err);

/* The sites, replicas and thresholds of the next count steps into the block of the chain. */
void spn_order_fill(spn_chain *chain, size_t count);

/* Count the proposals of the first `steps` steps of the block. */
void spn_order_count(spn_chain *chain, size_t steps);

/* The replica that proposes in a step, where the order picks one. */
size_t spn_order_replica(const spn_chain *chain, uint64_t step);

/* Count the proposals of the next `steps` steps, any number of them, without a block. */
void spn_order_count_all(spn_chain *chain, size_t steps);

#endif
