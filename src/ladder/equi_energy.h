/* Equi-energy jumps (Kou, Zhou, Wong, Ann. Stat. 34, 1581 (2006), doi:10.1214/009053606000000515):
   chains from hot to cold, each of which stores states that it was in, by rings of equal energy; a
   colder chain now and then proposes a stored state of the next hotter one from its own ring.

   For a hot chain of law pi_h and the next colder one, pi_c, the level of a state is

     V(x) = log pi_h(x) - log pi_c(x) = (beta_c - beta_h) U(x) - (H_{gamma_c}(x) - H_{gamma_h}(x)),

   up to a constant: the total energy U in units of 1 / (beta_c - beta_h) where gamma is the same. A
   state is all y replicas; with an explicit centre H is that of the replicas alone, and the centre
   is drawn after the jump. Rings are intervals of V of length 1. From x a stored state y of the
   ring of x is accepted with min(1, pi_c(y) pi_h(x) / (pi_c(x) pi_h(y))) = min(1, exp(V(x) -
   V(y))), so at least with 1/e.

   What is exact: were y drawn from pi_h within the ring, independent of x, the jump would leave
   pi_c invariant. What is not: y is one of the states that the store holds, at most `capacity` in a
   ring, and the chain may have come from one of them; and the store has to forget the hot chain's
   start. So the law of the cold chain is pi_c only in the limit of long runs and large stores; at a
   finite capacity m a bias of order 1/m remains, times the share of jumps among all moves (a
   tenth). For the same reason a ring is used only once it is half full. Swaps (ladder) have no such
   bias.

   Memory is bounded: a ring keeps `capacity` states, one bit a spin; once it is full a new state
   takes the place of a random one, so that the store follows the chain and its noise averages out,
   which that of a reservoir filled once would not. Of a 33rd ring the one of highest level gives
   way: the colder chain is at low levels. */
#ifndef SPN_LADDER_EQUI_ENERGY_H
#define SPN_LADDER_EQUI_ENERGY_H

#include "chain/point.h"

enum { SPN_STORE_RINGS = 32, SPN_STORE_CAPACITY = 256, SPN_STORE_LEAST_CAPACITY = 16 };

/* All stores of a ladder together keep within this, or are refused. */
#define SPN_STORE_BYTES ((size_t)256 << 20)

/* A chance of one jump in a scan of a chain. */
#define SPN_JUMP_SHARE 0.1

/* The points of a hot chain and of the next colder one. */
typedef struct spn_point_pair {
    double hot_beta, hot_gamma, cold_beta, cold_gamma;
} spn_point_pair;

/* The states that one chain stored for the next colder one. */
typedef struct spn_store spn_store;

/* The states of a ring for `stores` stores of chains with this many spins in all replicas; 0 where
   not even SPN_STORE_LEAST_CAPACITY of them fit into SPN_STORE_BYTES. */
size_t spn_store_capacity(size_t spins, size_t stores);

/* capacity: at least 1. Memory grows with the rings that are used. Free with spn_store_free.
   Errors: MEMORY. */
spn_status spn_store_create(spn_store **out, size_t spins, size_t capacity, spn_error *err);
void spn_store_free(spn_store *store);

/* The level of a chain's state between two points. O(N + y), O(1) where gamma is the same. */
double spn_chain_level(const spn_chain *chain, const spn_point_pair *points);

/* Store the state of the hot chain after its scan of this number. Errors: MEMORY. O(y N). */
spn_status spn_store_put(spn_store *store, const spn_chain *chain, const spn_point_pair *points,
                         uint64_t scan, spn_error *err);

typedef struct spn_jump_counts {
    uint64_t tries, jumps;
} spn_jump_counts;

/* After its scan of this number the cold chain, with a chance of SPN_JUMP_SHARE, tries to jump into
   the store of the next hotter one. Nothing is tried where the ring of its state has too few. Best
   states and first hits follow. Errors: ENERGY, MEMORY. O(N + y), and y attaches for a jump. */
spn_status spn_chain_jump(spn_chain *chain, const spn_store *store, const spn_point_pair *points,
                          uint64_t scan, spn_jump_counts *counts, spn_error *err);

/* How many states are stored, and in how many rings. */
size_t spn_store_states(const spn_store *store, size_t *rings);

/* Visit all of its states; one that was read goes on to the last bit as the saved one would have.
   Errors: ARGUMENT (not a saved store of this size), MEMORY; the store is empty then. */
spn_status spn_store_visit(spn_store *store, spn_archive *archive, spn_error *err);

#endif
