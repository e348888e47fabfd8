/* Simulated tempering (Marinari, Parisi, Europhys. Lett. 19, 451 (1992),
   doi:10.1209/0295-5075/19/6/002): walkers that change their rung by themselves. State and rung of
   a walker together have the law

     p(sigma, k) ~ exp(w_k - beta_k U(sigma) + H_{gamma_k}(sigma))

   for weights w_k of our choice. After a scan a neighbour of k is proposed, both with equal
   chances, and j accepted with min(1, exp(w_j - w_k - (beta_j - beta_k) U + H_{gamma_j} -
   H_{gamma_k})); what lies beyond an end is rejected. This is exact for any weights; with w_k =
   -log Z_k all rungs are visited equally often, while wrong weights leave some of them out.

   The ladder swaps in all rounds but the last. Between the last two the rungs stay where they are,
   and the log Z of the last but one give the weights. In the last each walker goes its own way:
   none knows of the others, and several may be on one rung, or none. What is measured on a rung has
   the law of the rung, so that log Z is estimated as ever, from the states of all rungs. */
#ifndef SPN_LADDER_SIMULATED_H
#define SPN_LADDER_SIMULATED_H

#include "ladder/ladder.h"

/* The last round of simulated tempering begins: weights from what was measured, and a place in
   walker_at for each walker, whatever its rung. Errors: INPUT, where what was measured gives no log
   Z, which only a saved state that was changed does. O(rungs^2 blocks^2). */
spn_status spn_ladder_begin_simulated(spn_ladder *ladder, spn_error *err);

/* The places of walkers, from their rungs; false where a walker has no such rung, or there are not
   as many walkers as rungs. */
bool spn_ladder_place_simulated(spn_ladder *ladder);

/* Add how likely the walkers' states would have moved, from either side of each pair of rungs. */
void spn_ladder_note_simulated(spn_ladder *ladder);

/* The moves of a scan. */
void spn_ladder_exchange_simulated(spn_ladder *ladder);

#endif
