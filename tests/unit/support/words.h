/* Groups of reads in words, for tests. */
#ifndef SPN_TEST_WORDS_H
#define SPN_TEST_WORDS_H

#include "reads/word_group.h"

/* Spin by spin. */
extern const spn_word_version spn_words_plain;

/* A group of `count` reads at its start; run it for some steps, or to its end (0). */
spn_word_group *spn_test_words_start(const spn_word_graph *graph, const spn_word_version *version,
                                     const spn_chain_options *chain, size_t count);
void spn_test_words_run(spn_word_group *g, uint64_t steps);

/* Fail unless all reads, spins and counts of two groups are the same. */
void spn_test_assert_same_words(spn_word_group *a, spn_word_group *b, size_t sites);

/* Options number k: replicas, kernels and couplings in turn, the rest at random. */
spn_chain_options spn_test_words_options(spn_random *random, size_t sites, size_t k);

#endif
