/* Chains whose replicas are coupled to a centre: the law of replicas and centre together against
   the enumerated one, at a false-alarm rate of 1e-6; and the same run however it is stopped,
   continued and shared out. */
#include "core/chain.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the law ---- */

enum { MOST_STATES = 4096 };

/* N spins of y replicas, and of the centre behind them, numbered as small_index does. */
typedef struct joint {
    small_system system;
    bool drawn; /* else the centre is the given one */
    int8_t given[8];
    size_t states;
    uint64_t counts[MOST_STATES];
} joint;

static size_t bits_of(const int8_t *spins, size_t count)
{
    size_t index = 0;
    for (size_t bit = 0; bit < count; bit++)
        index |= (size_t)(spins[bit] > 0) << bit;
    return index;
}

/* exp(-beta sum E + gamma sum_i c_i s_i), by its definition. */
static double weight_of(const joint *j, size_t replicated, const int8_t *centre)
{
    const small_system *s = &j->system;
    double exponent = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        const size_t state = replicated >> (a * s->sites) & (((size_t)1 << s->sites) - 1);
        exponent -= s->beta * s->energy[state];
        for (size_t i = 0; i < s->sites; i++)
            exponent += s->gamma * centre[i] * (state >> i & 1 ? 1 : -1);
    }
    return exp(exponent);
}

static void joint_law(const joint *j, double *out)
{
    const small_system *s = &j->system;
    double norm = 0;
    for (size_t k = 0; k < j->states; k++) {
        int8_t centre[8];
        for (size_t i = 0; i < s->sites; i++)
            centre[i] = k / s->states >> i & 1 ? 1 : -1;
        norm += out[k] = weight_of(j, k % s->states, j->drawn ? centre : j->given);
    }
    for (size_t k = 0; k < j->states; k++)
        out[k] /= norm;
}

static spn_status count_state(void *context, const spn_snapshot *s, spn_error *err)
{
    (void)err;
    joint *j = context;
    const size_t replicated = bits_of(s->spins, s->replicas * s->sites);
    if (s->step > 0)
        j->counts[replicated + (j->drawn ? j->system.states * bits_of(s->centre, s->sites) : 0)]++;
    return SPN_OK;
}

static double law_p(joint *j, const spn_energy *energy, const spn_chain_options *options)
{
    double law[MOST_STATES];
    spn_chain *chain = spn_test_chain_start(energy, options);
    chain->sharing.always = options->threads > 1;
    spn_test_chain_run(chain);
    spn_chain_free(chain);
    joint_law(j, law);
    return spn_pearson_test(j->counts, law, j->states);
}

typedef struct law_case {
    spn_kernel kernel;
    spn_order order;
    bool drawn, varies;
    unsigned threads;
} law_case;

static void check_law(const spn_energy *energy, size_t replicas, law_case c)
{
    enum { EVERY = 45, SAMPLES = 8000 };
    joint *j = calloc(1, sizeof *j);
    const double gamma = 0.45;
    small_system_init(&j->system, energy, replicas, 0.7, gamma);
    j->drawn = c.drawn;
    memcpy(j->given, (int8_t[]){1, -1, -1, 1, -1, 1, 1, -1}, 8);
    j->states = j->system.states << (c.drawn ? energy->sites : 0);
    assert_true(j->states <= MOST_STATES);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = replicas;
    o.kernel = c.kernel;
    o.order = c.order;
    o.beta = spn_test_constant(0.7);
    o.gamma = c.varies ? spn_test_linear(gamma, gamma) : spn_test_constant(gamma);
    o.coupling = c.drawn ? SPN_COUPLING_CENTRE : SPN_COUPLING_GIVEN;
    o.centre = j->given;
    o.threads = c.threads;
    o.seed = 20240501;
    o.observe_every = c.order == SPN_ORDER_RANDOM ? EVERY * replicas : EVERY;
    o.steps = o.observe_every * (c.threads > 1 ? SAMPLES / 4 : SAMPLES);
    o.observer = count_state;
    o.observer_context = j;
    const double p = law_p(j, energy, &o);
    printf("  y = %zu %-9s %-13s %-6s threads %u%s: p = %.3g\n", replicas,
           spn_kernel_name(c.kernel), spn_order_name(c.order), c.drawn ? "centre" : "given",
           c.threads, c.varies ? " varying" : "", p);
    free(j);
    assert_true(p > SPN_FALSE_ALARM);
}

/* Instance A has three spins and calls its energy through the interface. */
static void replicas_and_centre_have_their_law(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_problem *problem = small_instance('A');
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (int order = 0; spn_order_name((spn_order)order); order++)
            for (size_t y = 1; y <= 3; y++)
                for (int drawn = 0; drawn < 2; drawn++)
                    check_law(energy, y,
                              (law_case){.kernel = (spn_kernel)kernel,
                                         .order = (spn_order)order,
                                         .drawn = drawn,
                                         .varies = y == 2,
                                         .threads = 1});
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* Couplings have a loop of their own. */
static void energies_with_their_own_loop_have_it_too(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 0.7}, {1, 2, -1.3}, {2, 0, 0.4}, {0, 0, 0.3}, {2, 2, -0.6}};
    spn_problem problem = {.kind = SPN_PROBLEM_COUPLINGS, .sites = 3, .count = 5, .edges = edges};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (int order = 0; spn_order_name((spn_order)order); order++)
            for (int drawn = 0; drawn < 2; drawn++)
                check_law(energy, drawn ? 2 : 1,
                          (law_case){.kernel = (spn_kernel)kernel,
                                     .order = (spn_order)order,
                                     .drawn = drawn,
                                     .threads = 1});
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_and_centre_have_their_law),
        cmocka_unit_test(energies_with_their_own_loop_have_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
