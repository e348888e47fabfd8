#include "support/reads.h"

#include "support/test.h"
#include <math.h>

/* The first replica whose best is lowest. */
static size_t best_replica(const spn_snapshot *s)
{
    size_t best = 0;
    for (size_t a = 1; a < s->replicas; a++)
        best = s->best_energy[a] < s->best_energy[best] ? a : best;
    return best;
}

void spn_test_check_read(const spn_reads *reads, size_t r, const spn_energy *energy,
                         const spn_chain_options *chain)
{
    spn_error err = {0};
    spn_chain_options o = *chain;
    spn_sampler *alone;
    spn_snapshot s;
    spn_stop stop;
    o.run += (uint32_t)r;
    assert_ok(spn_chain_create(&alone, energy, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, alone, NULL, &err), err);
    spn_chain_snapshot(&s, alone);
    const size_t best = best_replica(&s);
    uint64_t accepted = 0, proposals = 0;
    double lowest = s.energy[0];
    for (size_t a = 0; a < s.replicas; a++) {
        accepted += s.accepted[a];
        proposals += s.proposals[a];
        lowest = fmin(lowest, s.energy[a]);
    }
    assert_true(spn_reads_best_energy(reads, r) == s.best_energy[best]);
    assert_memory_equal(spn_reads_best_spins(reads, r), s.best_spins + best * s.sites, s.sites);
    assert_true(spn_reads_energy(reads, r) == lowest);
    assert_int_equal(spn_reads_accepted(reads, r), accepted);
    assert_int_equal(spn_reads_proposals(reads, r), proposals);
    assert_int_equal(spn_reads_steps(reads, r), s.step);
    assert_int_equal(spn_reads_stop(reads, r), stop);
    assert_true(spn_reads_hit(reads, r) ==
                (o.target == SPN_TARGET_NONE ? SPN_NO_HIT : s.first_hit));
    spn_sampler_free(alone);
}
