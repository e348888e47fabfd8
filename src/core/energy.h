/* Energies from inside: what every energy of the library starts with, and the slots as the chain
   calls them. */
#ifndef SPN_CORE_ENERGY_H
#define SPN_CORE_ENERGY_H

#include <spinney/energy.h>

struct spn_chain;

/* E/unit = offset + sum h_i s_i + sum J_ij s_i s_j in integers, each coupling at both its ends:
   those at i are first[i] .. first[i+1]-1. */
typedef struct spn_sparse_terms {
    size_t sites;
    double unit, constant; /* constant is added to E last, and below 2^50 units */
    int32_t *field;
    uint32_t *first;
    uint32_t *site; /* at the other end */
    int32_t *coupling;
} spn_sparse_terms;

void spn_sparse_terms_clear(spn_sparse_terms *terms);

/* Which sites a quadratic energy couples, by more than 0: those coupled to i are site[first[i]] ..
   site[first[i+1]-1]. */
typedef struct spn_coupling_graph {
    size_t sites;
    uint32_t *first; /* sites + 1 */
    uint32_t *site;
} spn_coupling_graph;

void spn_coupling_graph_clear(spn_coupling_graph *graph);

/* The slots of an energy, as in spn_energy_ops, but given the energy itself. */
typedef struct spn_energy_slots {
    const char *name;
    double (*energy)(const spn_energy *self, const int8_t *spins);
    double (*attach)(const spn_energy *self, void *cache, const int8_t *spins);
    double (*delta)(const spn_energy *self, void *cache, const int8_t *spins, size_t site);
    double (*commit)(const spn_energy *self, void *cache, const int8_t *spins, size_t site);
    void (*destroy)(spn_energy *self);
    double (*refresh)(const spn_energy *self, void *cache, const int8_t *spins);
    /* NULL, unless delta and commit cost less than a call and are inlined into the chain's own
       loop (chain/loop.h). */
    size_t (*loop)(struct spn_chain *chain, size_t count);
    /* NULL, except for quadratic energies: fill *out, whose arrays the caller clears; false if
       there is no memory or the constant is too large. O(N + couplings). */
    bool (*terms)(const spn_energy *self, spn_sparse_terms *out);
    /* NULL, except for quadratic energies, of couplings of any size: fill *out, whose arrays the
       caller clears; false if there is no memory. O(N + couplings). */
    bool (*graph)(const spn_energy *self, spn_coupling_graph *out);
} spn_energy_slots;

/* The first member of every energy of the library. */
struct spn_energy {
    const spn_energy_slots *slots;
    size_t sites;      /* N, 1 to 2^32-1 */
    size_t cache_size; /* bytes per replica */
    bool integral;     /* every value is an integer below 2^53, and so exact */
    void *held;        /* what must outlive the energy, such as the code of its functions; */
    void (*release)(void *held); /* NULL: nothing */
    size_t zeroed; /* terms that are not 0 but count as 0, too small beside the others */
};

/* For asserts. */
static inline bool spn_is_spin(int value)
{
    return value == 1 || value == -1;
}

/* The slots of an energy, with the slow defaults in place of missing ones. */
spn_energy_slots spn_energy_resolve(const spn_energy *energy);

#endif
