/* The centre that replicas are coupled to in place of each other: a chain on {-1,+1}^(N(y+1)) with
   the law
       Q(sigma, c)  ~  exp(-beta sum_a E(sigma^a)) prod_i exp(gamma c_i s_i),
   whose marginal on the replicas is that of H_gamma = sum_i log cosh(gamma s_i). Given the centre
   the replicas are independent of each other, each in a field gamma c; given the replicas the spins
   of the centre are independent coins. The inner loop flips replicas in the field; here the centre
   is drawn, or taken as given. */
#ifndef SPN_CHAIN_CENTRE_H
#define SPN_CHAIN_CENTRE_H

#include "chain/chain.h"

/* The centre of a chain at its start, where it has one: the given one, copied, or a first draw.
   Errors: ARGUMENT (a given value is no spin), MEMORY. */
spn_status spn_centre_begin(spn_chain *chain, spn_error *err);

/* The steps until the centre is drawn next; UINT64_MAX where it never is. */
uint64_t spn_centre_left(const spn_chain *chain);

/* Whether it must be drawn now, after the steps so far. */
bool spn_centre_is_due(const spn_chain *chain);

/* Draw the centre from its law given the replicas, at the gamma of the last step. The random
   numbers are those of this step: the same however the run came here. O(y N). */
void spn_centre_draw(spn_chain *chain);

/* The same by draw `number` of a stream, of whose blocks each draw takes N/2 or somewhat more. */
void spn_centre_draw_from(spn_chain *chain, spn_stream stream, uint64_t number);

/* Bring the sums up to date, which the steps of a chain with a centre leave alone. O(y N). */
void spn_centre_sums(const spn_chain *chain);

#endif
