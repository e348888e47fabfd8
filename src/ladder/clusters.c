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

#include "ladder/ladder.h"

#include "base/memory.h"
#include "chain/chain.h"
#include "chain/waiting.h"
#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

enum {
    BLOCKS_OF_MOVE = 4 /* of random numbers; one is enough but for rejected draws */
};

struct spn_clusters {
    spn_sparse_terms graph;
};

/* Whether an energy has such clusters. */
static bool fits(const spn_energy *energy)
{
    return energy->slots->graph != NULL;
}

spn_status spn_clusters_create(spn_clusters **out, const spn_energy *energy, spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(!fits(energy), err,
                  "clusters: the energy '%s' has no graph of couplings; ising, qubo and "
                  "maxcut have one",
                  energy->slots->name);
    spn_clusters *clusters = spn_alloc(1, sizeof *clusters);
    if (!clusters || !energy->slots->graph(energy, &clusters->graph)) {
        free(clusters);
        return spn_no_memory(err, "clusters of %zu spins", energy->sites);
    }
    *out = clusters;
    return SPN_OK;
}

void spn_clusters_free(spn_clusters *clusters)
{
    if (!clusters)
        return;
    spn_sparse_terms_clear(&clusters->graph);
    free(clusters);
}

static size_t differing(const int8_t *a, const int8_t *b, size_t sites)
{
    size_t count = 0;
    for (size_t i = 0; i < sites; i++)
        count += a[i] != b[i];
    return count;
}

/* Differing site number `which`; stretches that end before it are counted by vectors. */
static uint32_t differing_site(const int8_t *a, const int8_t *b, size_t sites, size_t which)
{
    enum { STRETCH = 64 };
    size_t i = 0;
    for (; i + STRETCH <= sites; i += STRETCH) {
        const size_t count = differing(a + i, b + i, STRETCH);
        if (count > which)
            break;
        which -= count;
    }
    for (;; i++)
        if (a[i] != b[i] && which-- == 0)
            return (uint32_t)i;
}

/* Put the values back, and take the differing sites outside of a cluster in place of it where they
   are fewer; returns how many there are. */
static size_t finish(uint32_t *cluster, size_t size, int8_t *a, const int8_t *b, size_t sites,
                     size_t different)
{
    if (2 * size <= different) {
        for (size_t k = 0; k < size; k++)
            a[cluster[k]] = (int8_t)-b[cluster[k]];
        return size;
    }
    size_t others = 0;
    for (size_t i = 0; i < sites; i++) {
        const bool inside = a[i] == 0;
        cluster[others] = (uint32_t)i;
        others += !inside & (a[i] != b[i]);
        a[i] = (int8_t)(inside ? -b[i] : a[i]);
    }
    assert(others + size == different);
    return others;
}

/* Flip the cluster in one replica. What lies between is no state of the chain: only the last energy
   is looked at. */
static void flip_cluster(spn_chain *chain, size_t replica, const uint32_t *cluster, size_t size)
{
    int8_t *spins = spn_chain_spins(chain, replica);
    void *cache = spn_chain_cache(chain, replica);
    double energy = chain->energies[replica];
    for (size_t k = 0; k < size; k++) {
        const size_t site = cluster[k];
        spins[site] = (int8_t)-spins[site];
        energy = chain->slots.commit(chain->energy, cache, spins, site);
        spn_best_flip(&chain->best, replica, site, spins, INFINITY);
    }
    assert(!isnan(energy)); /* quadratic energies are finite */
    const double target = chain->options.target_energy;
    chain->at_target += (size_t)(energy <= target) - (size_t)(chain->energies[replica] <= target);
    chain->energies[replica] = energy;
    if (!(energy < chain->best.energy[replica]))
        return;
    chain->best.energy[replica] = energy;
    spn_best_replay(&chain->best, replica, spins);
    chain->improved_step = chain->base.step;
    if (energy <= target && chain->first_hit == SPN_NO_HIT)
        chain->first_hit = chain->base.step;
}

static size_t move(spn_chain *chain, const spn_clusters *clusters, uint64_t number,
                   uint32_t *cluster)
{
    const uint32_t replicas = (uint32_t)chain->replicas;
    spn_random random = spn_random_make(chain->options.seed, chain->options.run,
                                        SPN_STREAM_CLUSTERS, SPN_PURPOSE_MOVES);
    random.index = number * BLOCKS_OF_MOVE;
    const uint32_t a = spn_random_below(&random, replicas);
    uint32_t b = spn_random_below(&random, replicas - 1);
    b += b >= a;
    int8_t *one = spn_chain_spins(chain, a), *other = spn_chain_spins(chain, b);
    const size_t different = differing(one, other, chain->sites);
    if (different == 0)
        return 0;
    const uint32_t which = spn_random_below(&random, (uint32_t)different);
    const uint32_t seed = differing_site(one, other, chain->sites, which);
    const size_t grown = spn_cluster_grow(cluster, &clusters->graph, one, other, seed);
    const size_t size = finish(cluster, grown, one, other, chain->sites, different);
    flip_cluster(chain, a, cluster, size);
    flip_cluster(chain, b, cluster, size);
    return size;
}

spn_status spn_chain_clusters(uint64_t *changed, spn_chain *chain, const spn_clusters *clusters,
                              uint64_t first, uint32_t count, spn_error *err)
{
    assert(clusters->graph.sites == chain->sites);
    if (chain->replicas == 1)
        return SPN_OK;
    uint32_t *cluster = spn_alloc(chain->sites + 1, sizeof *cluster); /* one more is written to */
    SPN_NEED(cluster, err, "a cluster of up to %zu spins", chain->sites);
    for (uint32_t k = 0; k < count; k++)
        *changed += move(chain, clusters, first + k, cluster);
    free(cluster);
    spn_waiting_forget(chain);
    return SPN_OK;
}
