/* A read against the chain that it should be. */
#ifndef SPN_TEST_READS_H
#define SPN_TEST_READS_H

#include <spinney/reads.h>

/* Fail unless read r is, bit for bit, the chain with options.run = chain->run + r, run alone. */
void spn_test_check_read(const spn_reads *reads, size_t r, const spn_energy *energy,
                         const spn_chain_options *chain);

#endif
