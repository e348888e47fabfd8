/* Cluster moves between the replicas of a chain (Houdayer, Eur. Phys. J. B 22, 479 (2001),
   doi:10.1007/PL00011151), for energies of pairs and fields.

   Of two replicas a, b take the sites where they differ, one of them at random, and its cluster:
   all differing sites that couplings connect with it through differing sites. a and b exchange
   their values there, so that each flips the cluster. No coupling crosses its border but to sites
   where a and b agree, and every field meets the same two values as before: E_a + E_b is unchanged,
   and so is the sum of all replicas at every site. The differing sites and their clusters are the
   same afterwards, so that the way back is as likely. The move is therefore always accepted, at any
   beta and gamma, with an explicit or a given centre too.

   Where the cluster has more than half of the differing sites, the others are exchanged in its
   place: the same but for the names of the two replicas, and cheap where clusters percolate.

   It is no walk through all states by itself: it changes no sum of replicas, and is made between
   scans of single flips. It pays on sparse graphs; on dense ones a cluster is all differing sites,
   and nothing is left to exchange. */
#ifndef SPN_LADDER_CLUSTERS_H
#define SPN_LADDER_CLUSTERS_H

#include "chain/chain.h"

/* The graph of an energy; any number of chains may use it side by side. */
typedef struct spn_clusters spn_clusters;

/* Free with spn_clusters_free. Memory: 4 (N + 2 couplings) bytes. Errors: ARGUMENT (the energy has
   no graph of couplings), MEMORY. O(N + couplings). */
spn_status spn_clusters_create(spn_clusters **out, const spn_energy *energy, spn_error *err);

/* Make `count` moves, number `first` and following of this chain: each draws its pair of replicas
   and its site from the chain's stream of moves, at a place that the number tells. Best states,
   first hits and replicas at the target follow; a move is no proposal and counts as no step. To
   *changed is added how many sites changed hands. A chain of one replica is left alone. O(N) for
   each move, and O(degree) for each site of a cluster. Errors: MEMORY. */
spn_status spn_chain_clusters(uint64_t *changed, spn_chain *chain, const spn_clusters *clusters,
                              uint64_t first, uint32_t count, spn_error *err);

void spn_clusters_free(spn_clusters *clusters);

#endif
