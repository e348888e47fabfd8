/* The centre that replicas are coupled to in place of each other: a chain on {-1,+1}^(N(y+1)) with
   the law

   Q(sigma, c)  ~  exp(-beta sum_a E(sigma^a)) prod_i exp(gamma c_i s_i).

   Its marginal on the replicas is that of H_gamma = sum_i log cosh(gamma s_i). Given the centre,
   the replicas are independent, each in a field gamma c; given the replicas, the spins of the
   centre are independent coins. The inner loop flips replicas in the field; this file draws the
   centre. */
#ifndef SPN_CHAIN_CENTRE_H
#define SPN_CHAIN_CENTRE_H

#include "chain/chain.h"

/* Start the centre, if the chain has one: copy the given one or make a first draw. Errors: ARGUMENT
   (a given value is no spin), MEMORY. */
spn_status spn_centre_begin(spn_chain *chain, spn_error *err);

/* The steps until the next draw; UINT64_MAX if there is none. */
uint64_t spn_centre_left(const spn_chain *chain);

/* Whether a draw is due now. */
bool spn_centre_is_due(const spn_chain *chain);

/* Draw the centre from its law given the replicas, at the gamma of the last step. The random
   numbers depend only on the step. O(y N). */
void spn_centre_draw(spn_chain *chain);

/* The same with draw `number` of a stream; each draw takes N/2 blocks or slightly more. */
void spn_centre_draw_from(spn_chain *chain, spn_stream stream, uint64_t number);

/* Update the sums, which the steps of a chain with a centre do not keep. O(y N). */
void spn_centre_sums(const spn_chain *chain);

#endif
