/* The law of every rung of a ladder, right after the swaps, against all states listed; every
   comparison has a false-alarm rate of 1e-6. Scans are so long that samples are independent, and
   what a wrong swap does is seen before the walkers can forget it. tests/mutation breaks swaps and
   draws on purpose. */
#include "ladder/ladder.h"
#include "support/chains.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 3, RUNGS = 4, MOST_STATES = 512 };

static const int8_t CENTRE[SITES] = {1, -1, 1};

/* What is sampled: the replicas and, where it changes, the centre. */
typedef struct sampler {
    spn_sampler *ladder;
    size_t configurations; /* of N spins */
    uint64_t counts[RUNGS][MOST_STATES];
} sampler;

static size_t index_of(const spn_snapshot *s, size_t configurations)
{
    size_t index = 0;
    for (size_t c = 0; c < configurations; c++) {
        const int8_t *spins = c < s->replicas ? s->spins + c * SITES : s->centre;
        for (size_t i = 0; i < SITES; i++)
            index |= (size_t)(spins[i] > 0) << (c * SITES + i);
    }
    return index;
}

static spn_status sample(void *context, const spn_progress *progress, spn_error *err)
{
    sampler *out = context;
    const spn_ladder *ladder = spn_ladder_of(out->ladder);
    (void)err;
    if (progress->step == 0 || !spn_ladder_is_last_round(ladder))
        return SPN_OK;
    for (size_t k = 0; k < ladder->rungs; k++) {
        spn_snapshot walker;
        spn_ladder_walker(&walker, out->ladder, ladder->walker_at[k]);
        out->counts[k][index_of(&walker, out->configurations)]++;
    }
    return SPN_OK;
}

static int spin_of(size_t index, size_t configuration, size_t site)
{
    return index >> (configuration * SITES + site) & 1 ? 1 : -1;
}

/* -beta U + H of a state. */
static double log_weight(const small_system *system, const spn_chain_options *chain, size_t index,
                         double beta, double gamma)
{
    double sum = 0;
    for (size_t a = 0; a < chain->replicas; a++)
        sum -= beta * system->energy[index >> (a * SITES) & ((1u << SITES) - 1)];
    for (size_t i = 0; i < SITES; i++) {
        int s = 0;
        for (size_t a = 0; a < chain->replicas; a++)
            s += spin_of(index, a, i);
        if (chain->coupling == SPN_COUPLING_REPLICAS)
            sum += log(cosh(gamma * s));
        else if (chain->coupling == SPN_COUPLING_CENTRE)
            sum += gamma * s * spin_of(index, chain->replicas, i);
        else
            sum += gamma * s * CENTRE[i];
    }
    return sum;
}

static void check_law(const spn_energy *energy, const spn_chain_options *chain,
                      const spn_ladder_options *o, const sampler *samples, uint64_t scans)
{
    small_system system;
    small_system_init(&system, energy, 1, 0, 0);
    const size_t states = (size_t)1 << (SITES * samples->configurations);
    for (size_t k = 0; k < RUNGS; k++) {
        double law[MOST_STATES], sum = 0;
        uint64_t count = 0;
        spn_ladder_rung rung;
        spn_ladder_look_at_rung(&rung, samples->ladder, k);
        for (size_t x = 0; x < states; x++) {
            law[x] = exp(log_weight(&system, chain, x, rung.beta, rung.gamma));
            sum += law[x];
            count += samples->counts[k][x];
        }
        for (size_t x = 0; x < states; x++)
            law[x] /= sum;
        const double p = spn_pearson_test(samples->counts[k], law, states);
        printf("  %-8s y=%zu %-9s %-13s threads %u (%.2f, %.2f): p = %.3g\n",
               spn_coupling_kind_name(chain->coupling), chain->replicas,
               spn_kernel_name(chain->kernel), spn_order_name(chain->order), o->threads, rung.beta,
               rung.gamma, p);
        assert_int_equal(count, scans);
        assert_true(p > SPN_FALSE_ALARM);
    }
}

static void run_ladder(const spn_energy *energy, const spn_chain_options *chain, double gamma_first,
                       unsigned threads, uint64_t scans)
{
    static const double fractions[RUNGS] = {0, 0.2, 0.5, 1};
    spn_error err = {0};
    spn_stop stop;
    sampler *samples = calloc(1, sizeof *samples);
    scans = spn_test_samples(scans);
    samples->configurations = chain->replicas + (chain->coupling == SPN_COUPLING_CENTRE);
    spn_ladder_options o = spn_ladder_defaults();
    o.chain = chain;
    o.beta_last = 1.5;
    o.gamma_first = gamma_first;
    o.gamma_last = 0.8;
    o.rungs = RUNGS;
    o.fractions = fractions;
    o.scan_steps = 60 * (chain->order == SPN_ORDER_RANDOM ? chain->replicas : 1);
    o.scans = scans;
    o.rounds = 2;
    o.threads = threads;
    const spn_until until = spn_test_watch(sample, samples, 1);
    assert_ok(spn_ladder_create(&samples->ladder, energy, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, samples->ladder, &until, &err), err);
    /* the first sample of the last round is seen when the round before ended */
    check_law(energy, chain, &o, samples, scans + 1);
    spn_sampler_free(samples->ladder);
    free(samples);
}

static spn_energy *instance_a(spn_problem **problem)
{
    spn_error err = {0};
    spn_energy *energy;
    *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", *problem, &err), err);
    return energy;
}

static void coupled_replicas_have_their_law(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_energy *energy = instance_a(&problem);
    spn_chain_options chain = spn_chain_defaults();
    chain.replicas = 2;
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (int order = 0; spn_order_name((spn_order)order); order++) {
            chain.kernel = (spn_kernel)kernel;
            chain.order = (spn_order)order;
            run_ladder(energy, &chain, 0.3, 1, 4000);
        }
    chain = spn_chain_defaults();
    chain.replicas = 3;
    run_ladder(energy, &chain, 0.8, 2, 8000); /* gamma the same everywhere */
    chain.replicas = 1;
    run_ladder(energy, &chain, 0, 1, 8000);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void replicas_and_centre_have_their_law(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_energy *energy = instance_a(&problem);
    spn_chain_options chain = spn_chain_defaults();
    chain.coupling = SPN_COUPLING_CENTRE;
    chain.centre_every = 5;
    for (size_t y = 1; y <= 2; y++) {
        chain.replicas = y;
        run_ladder(energy, &chain, 0.3, 1, 8000);
    }
    run_ladder(energy, &chain, 0.8, 2, 8000);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void replicas_round_a_centre_have_their_law(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_energy *energy = instance_a(&problem);
    spn_chain_options chain = spn_chain_defaults();
    chain.coupling = SPN_COUPLING_GIVEN;
    chain.centre = CENTRE;
    for (size_t y = 1; y <= 2; y++) {
        chain.replicas = y;
        run_ladder(energy, &chain, 0.3, 1, 8000);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coupled_replicas_have_their_law),
                                       cmocka_unit_test(replicas_and_centre_have_their_law),
                                       cmocka_unit_test(replicas_round_a_centre_have_their_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
