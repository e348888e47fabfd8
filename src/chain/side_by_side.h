/* The replicas of a chain with a centre, side by side on threads. Between two draws of the centre
   they are independent of each other: each runs a stretch of steps by itself, in a view of the
   chain that holds one replica, and what they counted is added up after the last of them. The
   random numbers are those of the replica and the step, so the result is that of the loops of one
   thread, which remain the reference. */
#ifndef SPN_CHAIN_SIDE_BY_SIDE_H
#define SPN_CHAIN_SIDE_BY_SIDE_H

#include "chain/chain.h"

/* The steps of a stretch, at most. */
enum { SPN_STRETCH = 4096 };

/* Make the views of a chain that can use them: one with a centre, threads and several replicas that
   all propose in a step. Without memory there are none, and the chain runs on one thread. Cost: y
   blocks of numbers and, where the chain has a target, a copy of its state. */
void spn_sides_make(spn_chain *chain);
void spn_sides_free(spn_sides *sides);

/* Whether the next steps, at most `count`, are to be made side by side: as long as that is the
   faster way. */
bool spn_sides_pay(spn_chain *chain, size_t count);

/* Make at most count steps; returns how many were done. 0: some replicas reached the target on the
   way, and the chain is as it was; spn_sides_pay is false then until that was on one thread. */
size_t spn_sides_run(spn_chain *chain, size_t count);

/* Whether to time the next block on one thread: the clock of a thread costs as much as many
   cheap proposals. */
bool spn_sides_time_alone(spn_chain *chain);

/* Note how many seconds these steps took on one thread. */
void spn_sides_note_alone(spn_chain *chain, double seconds, size_t steps);

#endif
