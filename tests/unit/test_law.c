/* The law is right: chains of every kernel, order and way of updating, on small systems, against
   the enumerated law and the exact rows of the kernels. Every comparison has a false-alarm rate of
   1e-6. tests/mutation breaks the sampler on purpose and expects these tests to fail. */
#include "chain/chain.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How an energy's changes are computed. */
typedef enum update {
    CACHED,     /* the energy's own delta and commit, one thread */
    RECOMPUTED, /* the interface's slow default */
    THREADED,   /* cached, two threads */
    UPDATES
} update;

static const char *const update_names[] = {"cached", "recomputed", "threaded"};

/* The same energy without its fast slots: its from-scratch slot as a callback. */
static double value_of(const int8_t *spins, size_t sites, void *context)
{
    (void)sites;
    const spn_energy *energy = context;
    return spn_energy_value(energy, spins);
}

static spn_energy *recomputed(spn_energy *energy)
{
    spn_error err = {0};
    spn_energy *slow;
    assert_ok(spn_callback_create(&slow, spn_energy_sites(energy), value_of, NULL, energy, &err),
              err);
    return slow;
}

typedef struct sample_counts {
    const small_system *system;
    uint64_t counts[SMALL_MOST_STATES];
    uint64_t samples;
    uint64_t accepted, proposals;     /* so far */
    double rate_sum, rate_square_sum; /* of the acceptance between two samples */
} sample_counts;

static spn_status sample(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)err;
    sample_counts *sampler = context;
    uint64_t accepted = 0, proposals = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        accepted += s->accepted[a];
        proposals += s->proposals[a];
    }
    if (s->step > 0) { /* the start is given, not drawn */
        double rate =
            (double)(accepted - sampler->accepted) / (double)(proposals - sampler->proposals);
        sampler->counts[small_index(sampler->system, s->spins)]++;
        sampler->samples++;
        sampler->rate_sum += rate;
        sampler->rate_square_sum += rate * rate;
    }
    sampler->accepted = accepted;
    sampler->proposals = proposals;
    return SPN_OK;
}

static spn_chain_options options_of(const small_system *system, spn_kernel kernel, spn_order order,
                                    update how)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = system->replicas;
    o.kernel = kernel;
    o.order = order;
    o.beta = spn_test_constant(system->beta);
    o.gamma = spn_test_constant(system->gamma);
    o.threads = how == THREADED ? 2 : 1;
    o.seed = 20240501;
    return o;
}

/* A long chain, looked at so rarely that the samples are independent. */
static void check_stationary(const small_system *system, const spn_energy *energy,
                             spn_kernel kernel, spn_order order, update how, uint64_t every,
                             uint64_t samples)
{
    spn_error err = {0};
    spn_sampler *chain;
    spn_stop stop;
    sample_counts *sampler = calloc(1, sizeof *sampler);
    sampler->system = system;
    spn_chain_options o = options_of(system, kernel, order, how);
    o.steps = every * samples;
    const spn_until until = spn_test_watch(sample, sampler, every);
    assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
    spn_chain_of(chain)->sharing.always = how == THREADED;
    assert_ok(spn_sampler_run(&stop, chain, &until, &err), err);
    spn_sampler_free(chain);
    assert_int_equal(sampler->samples, samples);

    double law[SMALL_MOST_STATES];
    small_law(system, law);
    double p = spn_pearson_test(sampler->counts, law, system->states);
    double mean = sampler->rate_sum / (double)samples;
    double variance = sampler->rate_square_sum / (double)samples - mean * mean;
    double z = (mean - small_acceptance(system, kernel)) / sqrt(variance / (double)samples);
    printf("  %-9s %-13s %-10s law p = %.3g, acceptance %.5f z = %+.2f\n", spn_kernel_name(kernel),
           spn_order_name(order), update_names[how], p, mean, z);
    free(sampler);
    assert_true(p > SPN_FALSE_ALARM);
    /* in replica-round order the acceptance is that of Q-bar too: every proposal sees it */
    assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
}

/* One step from a given state, many times. */
static void check_step(const small_system *system, const spn_energy *energy, spn_kernel kernel,
                       spn_order order, update how, size_t from, uint32_t runs)
{
    int8_t start[64];
    uint64_t counts[SMALL_MOST_STATES] = {0};
    double row[SMALL_MOST_STATES];
    small_spins(system, from, start);
    spn_chain_options o = options_of(system, kernel, order, how);
    o.steps = 1;
    o.start = SPN_START_GIVEN;
    o.given = start;
    runs = (uint32_t)spn_test_samples(runs);
    for (uint32_t run = 0; run < runs; run++) {
        spn_error err = {0};
        spn_sampler *chain;
        spn_stop stop;
        spn_snapshot s;
        o.run = run;
        assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
        assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
        spn_chain_snapshot(&s, chain);
        counts[small_index(system, s.spins)]++;
        spn_sampler_free(chain);
    }
    small_step(system, kernel, order, from, row);
    double p = spn_pearson_test(counts, row, system->states);
    printf("  %-9s %-13s %-10s one step from %zu: p = %.3g\n", spn_kernel_name(kernel),
           spn_order_name(order), update_names[how], from, p);
    assert_true(p > SPN_FALSE_ALARM);
}

static void check_all(const spn_energy *energy, spn_energy *slow, double beta, double gamma,
                      uint64_t every, uint64_t samples, size_t from, uint32_t runs)
{
    small_system system;
    small_system_init(&system, energy, 2, beta, gamma);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (int order = 0; spn_order_name((spn_order)order); order++)
            for (int how = 0; how < UPDATES; how++) {
                if (how == THREADED && order == SPN_ORDER_RANDOM)
                    continue; /* one proposal a step: nothing to do side by side */
                const spn_energy *used = how == RECOMPUTED ? slow : energy;
                uint64_t count = how == THREADED ? samples / 100 : spn_test_samples(samples);
                check_stationary(&system, used, (spn_kernel)kernel, (spn_order)order, (update)how,
                                 every, count);
                if (how == CACHED)
                    check_step(&system, used, (spn_kernel)kernel, (spn_order)order, (update)how,
                               from, runs);
            }
}

static void perceptron_law(char name, uint64_t every, uint64_t samples, size_t from)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = small_instance(name);
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_energy *slow = recomputed(energy);
    check_all(energy, slow, 1, 0.5, every, samples, from, 20000);
    spn_energy_free(slow);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void instance_a_has_its_law(void **state)
{
    (void)state;
    perceptron_law('A', 100, 20000, 18);
}

static void instance_b_has_its_law(void **state)
{
    (void)state;
    perceptron_law('B', 400, 5000, 700);
}

/* Ising spins have a loop of their own, with delta and commit inlined. */
static void ising_has_its_law(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 0.7},  {1, 2, -1.3}, {2, 3, 0.4}, {3, 0, 1},
                        {0, 2, 0.25}, {0, 0, 0.3},  {3, 3, -0.6}};
    spn_problem problem = {.kind = SPN_PROBLEM_COUPLINGS, .sites = 4, .count = 7, .edges = edges};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    spn_energy *slow = recomputed(energy);
    check_all(energy, slow, 0.6, 0.35, 100, 20000, 77, 20000);
    spn_energy_free(slow);
    spn_energy_free(energy);
}

/* A gamma that is constant, but computed afresh at every step. */
static void varying_gamma_has_its_law(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    small_system system;
    small_system_init(&system, energy, 2, 1, 0.5);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++) {
        spn_chain_options o = options_of(&system, (spn_kernel)kernel, SPN_ORDER_RANDOM, CACHED);
        sample_counts *sampler = calloc(1, sizeof *sampler);
        spn_sampler *chain;
        spn_stop stop;
        double law[SMALL_MOST_STATES];
        sampler->system = &system;
        o.gamma = spn_test_linear(0.5, 0.5);
        o.steps = 100 * spn_test_samples(20000);
        const spn_until until = spn_test_watch(sample, sampler, 100);
        assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
        assert_ok(spn_sampler_run(&stop, chain, &until, &err), err);
        spn_sampler_free(chain);
        small_law(&system, law);
        double p = spn_pearson_test(sampler->counts, law, system.states);
        printf("  %-9s varying gamma: law p = %.3g\n", spn_kernel_name((spn_kernel)kernel), p);
        free(sampler);
        assert_true(p > SPN_FALSE_ALARM);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* The oracle itself, against published values. */
static void oracle_agrees_with_reference_values(void **state)
{
    (void)state;
    const struct {
        char name;
        double max_law, law_0, two_stage, one_stage;
    } reference[] = {{'A', 0.150740562951, 0.00276090971689, 0.389426344384, 0.45686129319},
                     {'B', 0.174779344891, 1.45334044783e-7, 0.164602454441, 0.193784933743}};
    for (size_t r = 0; r < 2; r++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_problem *problem = small_instance(reference[r].name);
        assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
        small_system system;
        small_system_init(&system, energy, 2, 1, 0.5);
        double law[SMALL_MOST_STATES], most = 0;
        small_law(&system, law);
        for (size_t k = 0; k < system.states; k++)
            most = fmax(most, law[k]);
        for (size_t k = 0; k < (size_t)1 << system.sites; k++)
            assert_true(system.energy[k] == small_reference_energies(reference[r].name)[k]);
        assert_digits(most, reference[r].max_law, 12);
        assert_digits(law[0], reference[r].law_0, 12);
        assert_digits(small_acceptance(&system, SPN_KERNEL_TWO_STAGE), reference[r].two_stage, 12);
        assert_digits(small_acceptance(&system, SPN_KERNEL_ONE_STAGE), reference[r].one_stage, 11);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
    /* entries of the two kernels on A */
    spn_problem *problem = small_instance('A');
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    small_system system;
    double row[SMALL_MOST_STATES];
    small_system_init(&system, energy, 2, 1, 0.5);
    for (int kernel = 0; kernel < 2; kernel++) {
        small_step(&system, (spn_kernel)kernel, SPN_ORDER_RANDOM, 18, row);
        assert_digits(row[19], 0.039734307341, 11);
        assert_digits(row[18], 0.811827901078, 12);
        small_step(&system, (spn_kernel)kernel, SPN_ORDER_RANDOM, 0, row);
        assert_digits(row[2], kernel == 0 ? 0.108009045611 : 1.0 / 6, 12);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_agrees_with_reference_values),
        cmocka_unit_test(instance_a_has_its_law),
        cmocka_unit_test(instance_b_has_its_law),
        cmocka_unit_test(ising_has_its_law),
        cmocka_unit_test(varying_gamma_has_its_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
