#include "support/chains.h"

#include "support/schedules.h"
#include "support/test.h"
#include <spinney/energies.h>
#include <stdlib.h>
#include <string.h>

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

spn_sampler *spn_test_chain_start(const spn_energy *energy, const spn_chain_options *options)
{
    spn_error err = {0};
    spn_sampler *chain;
    assert_ok(spn_chain_create(&chain, energy, options, &err), err);
    return chain;
}

spn_stop spn_test_run_until(spn_sampler *sampler, const spn_until *until)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, sampler, until, &err), err);
    return stop;
}

spn_stop spn_test_chain_run(spn_sampler *chain)
{
    return spn_test_run_until(chain, NULL);
}

spn_until spn_test_watch(spn_observer *observer, void *context, uint64_t every)
{
    spn_until until = spn_until_defaults();
    until.observer = observer;
    until.context = context;
    until.observe_every = every;
    return until;
}

spn_snapshot spn_test_chain_look(const spn_sampler *chain)
{
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    return s;
}

void spn_test_assert_same_state(const spn_sampler *a, const spn_sampler *b)
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

spn_energy *spn_test_perceptron(size_t sites, size_t patterns)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, sites, patterns, 3, false, &err), err);
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

void spn_test_check_consistent(const spn_sampler *chain, const spn_energy *energy)
{
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    double overlap = 0;
    for (size_t a = 0; a < s.replicas; a++) {
        const int8_t *spins = s.spins + a * s.sites;
        assert_true(s.energy[a] == spn_energy_value(energy, spins));
        assert_true(s.best_energy[a] == spn_energy_value(energy, s.best_spins + a * s.sites));
        assert_true(s.best_energy[a] <= s.energy[a]);
        assert_true(s.accepted[a] <= s.proposals[a]);
        for (size_t b = 0; b < a; b++)
            for (size_t i = 0; i < s.sites; i++)
                overlap += spins[i] * s.spins[b * s.sites + i];
    }
    int8_t *centre = malloc(s.sites);
    spn_snapshot_centre(&s, centre);
    for (size_t i = 0; i < s.sites; i++) {
        int sum = 0;
        for (size_t a = 0; a < s.replicas; a++)
            sum += s.spins[a * s.sites + i];
        assert_int_equal(sum, s.sums[i]);
        assert_int_equal(centre[i], sum > 0 ? 1 : sum < 0 ? -1 : s.spins[i]);
    }
    free(centre);
    size_t pairs = s.replicas * (s.replicas - 1) / 2;
    double mean = pairs ? overlap / (double)(pairs * s.sites) : 1;
    assert_near(spn_snapshot_overlap(&s), mean, 1e-12);
}

spn_chain_options spn_test_variant(size_t k)
{
    spn_chain_options o = spn_chain_defaults();
    o.kernel = (spn_kernel)(k % 3);
    o.order = (spn_order)(k / 3 % 2);
    o.replicas = (size_t[]){1, 3, 4, 20}[k / 6 % 4];
    o.seed = 1000 + k;
    o.steps = 3000;
    o.beta = spn_test_exponential(0.1, 5);
    const spn_schedule *gammas[] = {spn_test_constant(0), spn_test_constant(0.4),
                                    spn_test_linear(0, 1), spn_test_scoping(0.1, 0.05, 50)};
    o.gamma = gammas[k / 24 % 4];
    return o;
}

int spn_test_between(spn_random *random, int low, int high)
{
    return low + (int)spn_random_below(random, (uint32_t)(high - low + 1));
}

spn_energy *spn_test_random_graph(spn_random *random, const char *name, size_t sites, int most,
                                  double scale)
{
    spn_error err = {0};
    spn_edge *edges = calloc(5 * sites + 1, sizeof *edges);
    const bool cut = strcmp(name, "maxcut") == 0;
    const size_t couplings = spn_random_below(random, (uint32_t)(4 * sites + 1));
    size_t count = 0;
    for (size_t k = 0; sites > 1 && k < couplings; k++) {
        const uint32_t i = spn_random_below(random, (uint32_t)sites);
        const uint32_t j = spn_random_below(random, (uint32_t)sites);
        if (i != j)
            edges[count++] = (spn_edge){i, j, scale * spn_test_between(random, -most, most)};
    }
    for (uint32_t i = 0; !cut && i < sites; i++)
        if (spn_test_between(random, 0, 2) == 0)
            edges[count++] = (spn_edge){i, i, scale * spn_test_between(random, -most, most)};
    if (count == 0)
        edges[count++] = (spn_edge){0, sites > 1, scale};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok((cut ? spn_problem_cut_create : spn_problem_couplings_create)(&problem, sites, count,
                                                                            edges, &err),
              err);
    assert_ok(spn_energy_create(&energy, name, problem, &err), err);
    spn_problem_free(problem);
    free(edges);
    return energy;
}
