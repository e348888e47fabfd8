/* Chains for tests. */
#ifndef SPN_TEST_CHAINS_H
#define SPN_TEST_CHAINS_H

#include <spinney/chain.h>
#include <spinney/random.h>

/* The +-J torus 8 x 6 of seed 3; to be freed. */
spn_energy *spn_test_lattice(void);

/* A number from low to high. */
int spn_test_between(spn_random *random, int low, int high);

/* Up to 4 N couplings and up to N fields, all integers times `scale` of a size up to `most` each;
   some listed twice. To be freed. */
spn_energy *spn_test_random_graph(spn_random *random, const char *name, size_t sites, int most,
                                  double scale);

/* The energy bits of random patterns of seed 3; to be freed. */
spn_energy *spn_test_perceptron(size_t sites, size_t patterns);

/* Options k of SPN_TEST_VARIANTS that cover kernels, orders, schedules and replica numbers. */
enum { SPN_TEST_VARIANTS = 96 };
spn_chain_options spn_test_variant(size_t k);

/* Make a chain, to be freed; run one until it stops; what it shows. What fails ends the test. */
spn_sampler *spn_test_chain_start(const spn_energy *energy, const spn_chain_options *options);
spn_stop spn_test_chain_run(spn_sampler *chain);
spn_stop spn_test_run_until(spn_sampler *sampler, const spn_until *until);

/* To the end, with an observer of every so many steps. */
spn_until spn_test_watch(spn_observer *observer, void *context, uint64_t every);
spn_snapshot spn_test_chain_look(const spn_sampler *chain);

/* Everything that two chains show is the same, bit for bit. */
void spn_test_assert_same_state(const spn_sampler *a, const spn_sampler *b);

/* Everything a snapshot shows is what it should be, recomputed from the spins. */
void spn_test_check_consistent(const spn_sampler *chain, const spn_energy *energy);

#endif
