#include "support/chains.h"

#include "support/test.h"
#include <spinney/energies.h>

spn_energy *spn_test_lattice(void)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_lattice(&problem, 8, 6, 3, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

spn_chain *spn_test_chain_start(const spn_energy *energy, const spn_chain_options *options)
{
    spn_error err = {0};
    spn_chain *chain;
    assert_ok(spn_chain_create(&chain, energy, options, &err), err);
    return chain;
}

spn_stop spn_test_chain_run(spn_chain *chain)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_chain_run(&stop, chain, &err), err);
    return stop;
}

spn_snapshot spn_test_chain_look(const spn_chain *chain)
{
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    return s;
}

void spn_test_assert_same_state(const spn_chain *a, const spn_chain *b)
{
    const spn_snapshot x = spn_test_chain_look(a), y = spn_test_chain_look(b);
    assert_int_equal(x.step, y.step);
    assert_true(x.beta == y.beta && x.gamma == y.gamma);
    assert_memory_equal(x.spins, y.spins, x.replicas * x.sites);
    assert_memory_equal(x.best_spins, y.best_spins, x.replicas * x.sites);
    assert_memory_equal(x.sums, y.sums, x.sites * sizeof *x.sums);
    assert_memory_equal(x.energy, y.energy, x.replicas * sizeof *x.energy);
    assert_memory_equal(x.best_energy, y.best_energy, x.replicas * sizeof *x.energy);
    assert_memory_equal(x.accepted, y.accepted, x.replicas * sizeof *x.accepted);
    assert_memory_equal(x.proposals, y.proposals, x.replicas * sizeof *x.proposals);
}
