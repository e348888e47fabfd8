/* The random streams of moves beside flips: what takes the place of the replica in a stream of
   purpose SPN_PURPOSE_MOVES. */
#ifndef SPN_LADDER_STREAMS_H
#define SPN_LADDER_STREAMS_H

enum {
    SPN_MOVES_CLUSTERS, /* clusters that two replicas exchange */
    SPN_MOVES_RUNGS,    /* the walk of simulated tempering over the rungs */
    SPN_MOVES_JUMPS,    /* equi-energy jumps, */
    SPN_MOVES_STORE     /* and the states that a store keeps for them */
};

#endif
