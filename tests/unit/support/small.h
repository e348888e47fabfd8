/* Small systems that can be enumerated: the reference instances, the law they must have, and the
   exact rows of the kernels. Written without the library's coupling, kernels or chain, as their
   oracle. */
#ifndef SPN_TEST_SMALL_H
#define SPN_TEST_SMALL_H

#include <spinney/chain.h>
#include <spinney/energies.h>

enum { SMALL_MOST_STATES = 1024 };

/* Reference instance A (N=3) or B (N=5) of the perceptron: its patterns. */
spn_problem *small_instance(char name);

/* The energies of A and B as published with them, state 0 first. */
const double *small_reference_energies(char name);

/* A system of y replicas with its energies listed. */
typedef struct small_system {
    size_t sites, replicas;
    double beta, gamma;
    double energy[64]; /* 2^N */
    size_t states;     /* 2^(N y) */
} small_system;

/* Four couplings of three sites, or six of four, times `scale`: with a large one changes share
   classes of waiting chains. To be freed. */
spn_energy *small_graph(size_t sites, double scale);

/* List the energies of every state with the energy's own from-scratch slot. */
void small_system_init(small_system *out, const spn_energy *energy, size_t replicas, double beta,
                       double gamma);

/* The replicated state's number, from spins as in a snapshot; and back. */
size_t small_index(const small_system *system, const int8_t *spins);
void small_spins(const small_system *system, size_t index, int8_t *spins);

/* Q-bar, for all states. */
void small_law(const small_system *system, double *out);

/* The distribution after one step from a state. */
void small_step(const small_system *system, spn_kernel kernel, spn_order order, size_t from,
                double *out);

/* The mean acceptance of a proposal under Q-bar. */
double small_acceptance(const small_system *system, spn_kernel kernel);

#endif
