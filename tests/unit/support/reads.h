/* Reads for tests, and a read against the chain that it should be. */
#ifndef SPN_TEST_READS_H
#define SPN_TEST_READS_H

#include "chain/health.h"
#include <spinney/random.h>
#include <spinney/reads.h>

/* Make reads, to be freed; run them to their end. What fails ends the test. */
spn_sampler *spn_test_reads_start(const spn_energy *energy, const spn_chain_options *chain,
                                  size_t count, unsigned threads);
spn_sampler *spn_test_reads_run(const spn_energy *energy, const spn_chain_options *chain,
                                size_t count, unsigned threads);

/* Fail unless a read is, bit for bit, the chain with options.run = chain->run + r, run alone. */
void spn_test_check_read(const spn_read *read, size_t r, const spn_energy *energy,
                         const spn_chain_options *chain);

/* The same of all reads. */
void spn_test_check_reads(const spn_sampler *reads, const spn_energy *energy,
                          const spn_chain_options *chain, size_t count);

/* Fail unless two reads show the same. */
void spn_test_assert_same_read(const spn_read *a, const spn_read *b, size_t sites);

/* Add what the plain chain of a read counts for its health. */
void spn_test_add_slices(spn_slice *sums, const spn_energy *energy, const spn_chain_options *chain,
                         size_t read);

/* A chain that can run in lanes, with any kernel, start and schedule for couplings of the size
   `scale`. */
spn_chain_options spn_test_lane_options(spn_random *random, size_t sites, double scale);

#endif
