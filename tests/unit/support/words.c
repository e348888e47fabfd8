#include "support/words.h"

#include "support/chains.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"
#include <spinney/spinney.h>
#include <stdlib.h>

spn_word_group *spn_test_words_start(const spn_word_graph *graph, const spn_word_version *version,
                                     const spn_chain_options *chain, size_t count)
{
    spn_error err = {0};
    const spn_reads_options none = spn_reads_defaults();
    spn_word_group *g;
    assert_ok(spn_word_group_create(&g, graph, version, chain, &none, 0, count, &err), err);
    return g;
}

void spn_test_words_run(spn_word_group *g, uint64_t steps)
{
    spn_error err = {0};
    spn_until until = spn_until_defaults();
    spn_stop stop;
    until.steps = steps;
    assert_ok(spn_sampler_run(&stop, &g->side.base, &until, &err), err);
}

void spn_test_assert_same_words(spn_word_group *a, spn_word_group *b, size_t sites)
{
    int8_t *spins = malloc(2 * sites);
    for (size_t r = 0; r < a->side.count; r++) {
        spn_read left, right;
        spn_side_read(&left, spins, &a->side, r);
        spn_side_read(&right, spins + sites, &b->side, r);
        spn_test_assert_same_read(&left, &right, sites);
    }
    for (size_t k = 0; k < (sites + 1) * a->words.replicas; k++)
        assert_memory_equal(a->words.spins + k * a->words.words,
                            b->words.spins + k * b->words.words, a->words.words * sizeof(uint64_t));
    assert_memory_equal(a->side.slices, b->side.slices, sizeof a->side.slices);
    free(spins);
}

static const spn_schedule *random_schedule(spn_random *random, double most)
{
    static const spn_piece pieces[] = {{0, 20}, {0.3, 50}, {2.5, 100}};
    switch (spn_test_between(random, 0, 4)) {
    case 0:
        return spn_test_exponential(0.05 * most, most);
    case 1:
        return spn_test_linear(0, most);
    case 2:
        return spn_test_pieces(pieces, 3);
    case 3:
        return spn_test_constant(0.3 * most);
    default:
        return NULL;
    }
}

spn_chain_options spn_test_words_options(spn_random *random, size_t sites, size_t k)
{
    static const size_t replicas[] = {1, 3, 2, 5, 1, 7};
    spn_chain_options o = spn_chain_defaults();
    o.replicas = replicas[k % 6];
    o.order = SPN_ORDER_SEQUENTIAL;
    o.kernel = (spn_kernel)(k / 2 % 3);
    o.coupling = k % 4 == 3 ? SPN_COUPLING_CENTRE : SPN_COUPLING_REPLICAS;
    o.centre_every = 7;
    o.start = (spn_start)spn_test_between(random, SPN_START_SAME, SPN_START_INDEPENDENT);
    o.beta = random_schedule(random, 1.5);
    o.gamma = random_schedule(random, 1);
    o.steps = 1 + spn_random_below(random, (uint32_t)(3 * sites));
    o.seed = spn_random_u64(random);
    o.run = k % 3 ? 64 * (uint32_t)k : 0xFFFFFFFF - 1000 + (uint32_t)k;
    return o;
}
