/* The replicas of a chain with a centre, side by side on threads. Between two draws of the centre
   they are independent: each runs a stretch of steps in its own view of the chain, and their counts
   are added at the end. The random numbers depend on the replica and the step, so the result is
   that of the loops on one thread, which remain the reference. */
#ifndef SPN_CHAIN_SIDE_BY_SIDE_H
#define SPN_CHAIN_SIDE_BY_SIDE_H

#include "chain/chain.h"

enum { SPN_STRETCH = 4096 };

/* Make the views of a chain that can use them: with a centre, threads, and several replicas that
   all propose in a step. Without memory there are none, and the chain runs on one thread. Memory: y
   blocks of numbers and, if the chain has a target, a copy of its state. */
void spn_sides_make(spn_chain *chain);
void spn_sides_free(spn_sides *sides);

/* Whether making the next steps, at most `count`, side by side is faster. */
bool spn_sides_pay(spn_chain *chain, size_t count);

/* Make at most count steps; returns how many. 0: some replicas reached the target, and the chain is
   unchanged; spn_sides_pay is then false until one thread has passed that point. */
size_t spn_sides_run(spn_chain *chain, size_t count);

/* Whether to time the next block on one thread: a thread's clock costs as much as many steps. */
bool spn_sides_time_alone(spn_chain *chain);

/* Note the seconds that these steps took on one thread. */
void spn_sides_note_alone(spn_chain *chain, double seconds, size_t steps);

#endif
