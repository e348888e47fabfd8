#include "support/reads.h"

#include "chain/chain.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/test.h"
#include <math.h>

spn_sampler *spn_test_reads_start(const spn_energy *energy, const spn_chain_options *chain,
                                  size_t count, unsigned threads)
{
    spn_error err = {0};
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    o.chain = chain;
    o.reads = count;
    o.threads = threads;
    assert_ok(spn_reads_create(&reads, energy, &o, &err), err);
    return reads;
}

spn_sampler *spn_test_reads_run(const spn_energy *energy, const spn_chain_options *chain,
                                size_t count, unsigned threads)
{
    spn_error err = {0};
    spn_stop stop;
    spn_sampler *reads = spn_test_reads_start(energy, chain, count, threads);
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
    return reads;
}

/* The first replica whose best is lowest. */
static size_t best_replica(const spn_snapshot *s)
{
    size_t best = 0;
    for (size_t a = 1; a < s->replicas; a++)
        best = s->best_energy[a] < s->best_energy[best] ? a : best;
    return best;
}

/* Run alone, to be freed. */
static spn_sampler *run_alone(spn_stop *stop, size_t r, const spn_energy *energy,
                              const spn_chain_options *chain)
{
    spn_error err = {0};
    spn_chain_options o = *chain;
    spn_sampler *alone;
    o.run += (uint32_t)r;
    assert_ok(spn_chain_create(&alone, energy, &o, &err), err);
    assert_ok(spn_sampler_run(stop, alone, NULL, &err), err);
    return alone;
}

void spn_test_assert_same_read(const spn_read *a, const spn_read *b, size_t sites)
{
    assert_true(a->best_energy == b->best_energy);
    assert_memory_equal(a->best_spins, b->best_spins, sites);
    assert_true(a->energy == b->energy);
    assert_int_equal(a->accepted, b->accepted);
    assert_int_equal(a->proposals, b->proposals);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->stop, b->stop);
    assert_true(a->hit == b->hit);
}

void spn_test_check_read(const spn_read *read, size_t r, const spn_energy *energy,
                         const spn_chain_options *chain)
{
    spn_snapshot s;
    spn_stop stop;
    spn_sampler *alone = run_alone(&stop, r, energy, chain);
    spn_chain_snapshot(&s, alone);
    const size_t best = best_replica(&s);
    spn_read expected = {.best_energy = s.best_energy[best],
                         .best_spins = s.best_spins + best * s.sites,
                         .energy = s.energy[0],
                         .steps = s.step,
                         .stop = stop,
                         .hit = chain->target == SPN_TARGET_NONE ? SPN_NO_HIT : s.first_hit};
    for (size_t a = 0; a < s.replicas; a++) {
        expected.accepted += s.accepted[a];
        expected.proposals += s.proposals[a];
        expected.energy = fmin(expected.energy, s.energy[a]);
    }
    spn_test_assert_same_read(read, &expected, s.sites);
    spn_sampler_free(alone);
}

void spn_test_check_reads(const spn_sampler *reads, const spn_energy *energy,
                          const spn_chain_options *chain, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        spn_test_check_read(&read, r, energy, chain);
    }
}

void spn_test_add_slices(spn_slice *sums, const spn_energy *energy, const spn_chain_options *chain,
                         size_t read)
{
    spn_chain_options o = *chain;
    o.run += (uint32_t)read;
    spn_sampler *alone = spn_test_chain_start(energy, &o);
    spn_test_chain_run(alone);
    spn_slices_add(sums, spn_chain_of(alone)->health.slices);
    spn_sampler_free(alone);
}

static const spn_schedule *random_schedule(spn_random *random, double scale)
{
    static const spn_piece pieces[] = {{0, 20}, {0.3, 50}, {2.5, 100}};
    switch (spn_test_between(random, 0, 3)) {
    case 0:
        return spn_test_exponential(0.05 / scale, 4 / scale);
    case 1:
        return spn_test_linear(0, 3 / scale);
    case 2:
        return spn_test_pieces(pieces, 3);
    default:
        return spn_test_constant(0.7 / scale);
    }
}

spn_chain_options spn_test_lane_options(spn_random *random, size_t sites, double scale)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.kernel = (spn_kernel)spn_test_between(random, 0, 2);
    o.start = (spn_start)spn_test_between(random, SPN_START_SAME, SPN_START_INDEPENDENT);
    o.beta = random_schedule(random, scale);
    o.steps = 1 + spn_random_below(random, (uint32_t)(6 * sites));
    o.seed = spn_random_u64(random);
    o.run = spn_random_below(random, 2) ? 0 : 0xFFFFFFFF - 1000;
    return o;
}
