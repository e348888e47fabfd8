/* Energies of a user whose functions do not agree: every sampler ends in an error, and with
 * functions that agree in none. */
#include "support/test.h"

#include <spinney/ladder.h>
#include <spinney/population.h>
#include <spinney/reads.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 20, ODD = 7 };

/* What is wrong: nothing; delta, everywhere or at one site; commit, everywhere or at one site;
   both, by the changes of another function; attach; delta at a site that it never lets flip. */
typedef enum lie { NONE, DELTA, DELTA_AT_ONE, COMMIT, COMMIT_AT_ONE, BOTH, ATTACH, NEVER } lie;

/* A ring of +-1 couplings, and the running energy. */
static double ring_energy(const void *problem, const int8_t *spins)
{
    (void)problem;
    int total = 0;
    for (size_t i = 0; i < SITES; i++)
        total += (i % 3 ? 1 : -1) * spins[i] * spins[(i + 1) % SITES];
    return total;
}

static double ring_change(const int8_t *spins, size_t site)
{
    const size_t before = (site + SITES - 1) % SITES;
    return -2 * spins[site] *
           ((site % 3 ? 1 : -1) * spins[(site + 1) % SITES] +
            (before % 3 ? 1 : -1) * spins[before]);
}

static double attach(const void *problem, void *cache, const int8_t *spins)
{
    *(double *)cache = ring_energy(problem, spins);
    return *(double *)cache + (*(const lie *)problem == ATTACH ? 0.5 : 0);
}

static double delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    const lie which = *(const lie *)problem;
    const double change = ring_change(spins, site);
    (void)cache;
    if (which == NEVER && site == ODD)
        return 1e6;
    if (which == DELTA || (which == DELTA_AT_ONE && site == ODD))
        return 1.5 * change + 0.25;
    return which == BOTH ? change - 0.01 * spins[site] : change;
}

static double commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    const lie which = *(const lie *)problem;
    double *sum = cache;
    *sum -= ring_change(spins, site);
    if (which == BOTH)
        *sum += 0.01 * spins[site];
    return *sum - (which == COMMIT || (which == COMMIT_AT_ONE && site == ODD) ? 1e-6 : 0);
}

static spn_energy *ring_of(const lie *which)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "ring";
    ops.energy = ring_energy;
    ops.attach = attach;
    ops.delta = delta;
    ops.commit = commit;
    assert_ok(spn_energy_define(&energy, &ops, (void *)which, SITES, sizeof(double), false, &err),
              err);
    return energy;
}

typedef spn_status make(spn_sampler **out, const spn_energy *energy, spn_chain_options *chain,
                        spn_error *err);

static spn_status make_chain(spn_sampler **out, const spn_energy *energy, spn_chain_options *chain,
                             spn_error *err)
{
    return spn_chain_create(out, energy, chain, err);
}

static spn_status make_parts(spn_sampler **out, const spn_energy *energy, spn_chain_options *chain,
                             spn_error *err)
{
    chain->coupling = SPN_COUPLING_CENTRE;
    chain->order = SPN_ORDER_SEQUENTIAL;
    chain->threads = 2;
    return spn_chain_create(out, energy, chain, err);
}

static spn_status make_reads(spn_sampler **out, const spn_energy *energy, spn_chain_options *chain,
                             spn_error *err)
{
    spn_reads_options o = spn_reads_defaults();
    o.reads = 3;
    o.chain = chain;
    return spn_reads_create(out, energy, &o, err);
}

static spn_status make_ladder(spn_sampler **out, const spn_energy *energy, spn_chain_options *chain,
                              spn_error *err)
{
    spn_ladder_options o = spn_ladder_defaults();
    o.chain = chain;
    o.scans = 64;
    o.beta_last = 2;
    return spn_ladder_create(out, energy, &o, err);
}

static spn_status make_population(spn_sampler **out, const spn_energy *energy,
                                  spn_chain_options *chain, spn_error *err)
{
    spn_population_options o = spn_population_defaults();
    o.chain = chain;
    o.groups = 64;
    o.beta_last = 2;
    return spn_population_create(out, energy, &o, err);
}

static void expect(make *sampler_of, lie which)
{
    spn_error err = {0};
    spn_sampler *sampler;
    spn_stop stop;
    spn_energy *energy = ring_of(&which);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 2;
    if (sampler_of != make_ladder && sampler_of != make_population)
        o.steps = 20000;
    spn_status status = sampler_of(&sampler, energy, &o, &err);
    if (!status)
        status = spn_sampler_run(&stop, sampler, NULL, &err);
    if (which == NONE)
        assert_ok(status, err);
    assert_int_equal(status, which == NONE ? SPN_OK : SPN_ERROR_ENERGY);
    if (which != NONE)
        assert_non_null(strstr(err.text, "does not agree with itself"));
    spn_sampler_free(sampler);
    spn_energy_free(energy);
}

static void every_lie_ends_in_an_error(void **state)
{
    (void)state;
    make *const samplers[] = {make_chain, make_parts, make_reads, make_ladder, make_population};
    for (size_t k = 0; k < sizeof samplers / sizeof *samplers; k++)
        for (lie which = NONE; which < NEVER; which++)
            expect(samplers[k], which);
}

/* What the error says: which site, which functions, and both changes. */
static void the_error_names_both_changes(void **state)
{
    (void)state;
    const lie which = NEVER;
    spn_error err = {0};
    spn_sampler *chain;
    spn_stop stop;
    spn_energy *energy = ring_of(&which);
    spn_chain_options o = spn_chain_defaults();
    o.steps = ODD; /* the end compares a flip of this site */
    assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
    assert_int_equal(spn_sampler_run(&stop, chain, NULL, &err), SPN_ERROR_ENERGY);
    assert_non_null(strstr(err.text, "a flip of site 7 changes it by 1000000 according to its "
                                     "delta, but by "));
    assert_non_null(strstr(err.text, "according to its energy (step 7)"));
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lie_ends_in_an_error),
        cmocka_unit_test(the_error_names_both_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
