/* Orders: which replicas propose which sites, step by step. The loops only know whether a step
   picks one replica or takes all in turn. */
#ifndef SPN_CHAIN_ORDER_H
#define SPN_CHAIN_ORDER_H

#include "chain/chain.h"

/* Whether a step is one proposal of a random replica; otherwise each replica proposes in turn. */
bool spn_order_picks_replica(spn_order order);

/* Whether sites are random; otherwise the site follows from the step. */
bool spn_order_draws_sites(spn_order order);

/* Errors: ARGUMENT (an unknown order, or too many replicas and choices for it). */
spn_status spn_order_check(spn_order order, size_t replicas, size_t choices, spn_error *err);

/* Fill the block with the sites, replicas and thresholds of the next count steps. */
void spn_order_fill(spn_chain *chain, size_t count);

/* Count the proposals of the first `steps` steps of the block. */
void spn_order_count(spn_chain *chain, size_t steps);

/* The replica that proposes in a step, if the order picks one. */
size_t spn_order_replica(const spn_chain *chain, uint64_t step);

/* Count the proposals of any number of next steps, without a block. */
void spn_order_count_all(spn_chain *chain, size_t steps);

#endif
