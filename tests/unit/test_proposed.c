/* Chains that propose the sites of a list alone: their law is that of these sites given the others,
   which stay. Every comparison has a false-alarm rate of 1e-6. tests/mutation breaks the look-up in
   the list on purpose and expects these tests to fail. */
#include "chain/chain.h"
#include "support/chains.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/scratch.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 4, REPLICAS = 2, LISTED = 5, START = 0x53 };

/* Sites 0 and 2 stay; site 3 is proposed four times as often as site 1. */
static const uint32_t list[LISTED] = {3, 1, 3, 3, 3};

static spn_energy *make_energy(void)
{
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 0.7},  {1, 2, -1.3}, {2, 3, 0.4}, {3, 0, 1},
                        {0, 2, 0.25}, {0, 0, 0.3},  {3, 3, -0.6}};
    spn_problem problem = {
        .kind = SPN_PROBLEM_COUPLINGS, .sites = SITES, .count = 7, .edges = edges};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    return energy;
}

static bool is_listed(size_t site)
{
    for (size_t k = 0; k < LISTED; k++)
        if (list[k] == site)
            return true;
    return false;
}

/* Whether a state differs from the start at listed sites alone. */
static bool is_reached(size_t state)
{
    for (size_t bit = 0; bit < SITES * REPLICAS; bit++)
        if (((state ^ START) >> bit & 1) && !is_listed(bit % SITES))
            return false;
    return true;
}

/* The law of the states that are reached, given what stays. */
static void conditional_law(const small_system *system, double *out)
{
    double norm = 0;
    small_law(system, out);
    for (size_t k = 0; k < system->states; k++)
        norm += out[k] = is_reached(k) ? out[k] : 0;
    for (size_t k = 0; k < system->states; k++)
        out[k] /= norm;
}

typedef struct tally {
    const small_system *system;
    uint64_t counts[SMALL_MOST_STATES];
} tally;

static spn_status note(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)err;
    tally *t = context;
    if (s->step > 0)
        t->counts[small_index(t->system, s->spins)]++;
    return SPN_OK;
}

static spn_chain_options options_of(const small_system *system, spn_kernel kernel, spn_order order,
                                    const int8_t *start)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = REPLICAS;
    o.kernel = kernel;
    o.order = order;
    o.beta = spn_test_constant(system->beta);
    o.gamma = spn_test_constant(system->gamma);
    o.start = SPN_START_GIVEN;
    o.given = start;
    o.seed = 20260501;
    o.proposed = list;
    o.proposed_count = LISTED;
    return o;
}

static void assert_law(const tally *t, const double *law, const char *what)
{
    for (size_t k = 0; k < t->system->states; k++)
        assert_true(law[k] > 0 || t->counts[k] == 0);
    const double p = spn_pearson_test(t->counts, law, t->system->states);
    printf("  %s: p = %.3g\n", what, p);
    assert_true(p > SPN_FALSE_ALARM);
}

static void check_stationary(const small_system *system, const spn_energy *energy,
                             spn_kernel kernel, spn_order order, unsigned threads)
{
    spn_error err = {0};
    spn_sampler *chain;
    spn_stop stop;
    int8_t start[SITES * REPLICAS];
    double law[SMALL_MOST_STATES];
    char what[80];
    tally t = {.system = system};
    small_spins(system, START, start);
    spn_chain_options o = options_of(system, kernel, order, start);
    o.threads = threads;
    const spn_until until = spn_test_watch(note, &t, 64);
    o.steps = (threads > 1 ? 500 : 10000) * until.observe_every;
    assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
    spn_chain_of(chain)->sharing.always = threads > 1;
    assert_ok(spn_sampler_run(&stop, chain, &until, &err), err);
    spn_sampler_free(chain);
    conditional_law(system, law);
    snprintf(what, sizeof what, "%s %s, %u threads", spn_kernel_name(kernel), spn_order_name(order),
             threads);
    assert_law(&t, law, what);
}

static void listed_sites_have_their_law(void **state)
{
    (void)state;
    spn_energy *energy = make_energy();
    small_system system;
    small_system_init(&system, energy, REPLICAS, 0.6, 0.35);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (int order = 0; spn_order_name((spn_order)order); order++) {
            check_stationary(&system, energy, (spn_kernel)kernel, (spn_order)order, 1);
            if (order != SPN_ORDER_RANDOM)
                check_stationary(&system, energy, (spn_kernel)kernel, (spn_order)order, 2);
        }
    spn_energy_free(energy);
}

/* One step in random order: a site is chosen as often as it is listed. The acceptance of a flip is
   what it is where all sites are proposed. */
static void sites_are_proposed_as_often_as_listed(void **state)
{
    (void)state;
    spn_energy *energy = make_energy();
    small_system system;
    small_system_init(&system, energy, REPLICAS, 0.6, 0.35);
    double all[SMALL_MOST_STATES], law[SMALL_MOST_STATES] = {0};
    int8_t start[SITES * REPLICAS];
    tally t = {.system = &system};
    small_step(&system, SPN_KERNEL_ONE_STAGE, SPN_ORDER_RANDOM, START, all);
    law[START] = 1;
    for (size_t bit = 0; bit < SITES * REPLICAS; bit++)
        for (size_t k = 0; k < LISTED; k++)
            if (list[k] == bit % SITES) {
                const double share = all[START ^ (size_t)1 << bit] * SITES / LISTED;
                law[START ^ (size_t)1 << bit] += share;
                law[START] -= share;
            }
    small_spins(&system, START, start);
    spn_chain_options o = options_of(&system, SPN_KERNEL_ONE_STAGE, SPN_ORDER_RANDOM, start);
    o.steps = 1;
    const spn_until until = spn_test_watch(note, &t, 0);
    for (uint32_t run = 0; run < 20000; run++) {
        spn_error err = {0};
        spn_sampler *chain;
        spn_stop stop;
        o.run = run;
        assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
        assert_ok(spn_sampler_run(&stop, chain, &until, &err), err);
        spn_sampler_free(chain);
    }
    assert_law(&t, law, "one step");
    spn_energy_free(energy);
}

/* ---- chains with and without a list ---- */

typedef struct outcome {
    int8_t spins[SITES * REPLICAS];
    uint64_t accepted, proposals;
    spn_stop stop;
    uint64_t steps;
} outcome;

static outcome run_of(const spn_energy *energy, const spn_chain_options *options)
{
    spn_error err = {0};
    spn_sampler *chain;
    spn_snapshot s;
    outcome out = {.accepted = 0};
    assert_ok(spn_chain_create(&chain, energy, options, &err), err);
    assert_ok(spn_sampler_run(&out.stop, chain, NULL, &err), err);
    spn_chain_snapshot(&s, chain);
    memcpy(out.spins, s.spins, s.replicas * s.sites);
    for (size_t a = 0; a < s.replicas; a++) {
        out.accepted += s.accepted[a];
        out.proposals += s.proposals[a];
    }
    out.steps = s.step;
    spn_sampler_free(chain);
    return out;
}

/* A list of every site once, in order, changes nothing. */
static void a_list_of_all_sites_changes_nothing(void **state)
{
    (void)state;
    static const uint32_t all[SITES] = {0, 1, 2, 3};
    spn_energy *energy = make_energy();
    for (int order = 0; spn_order_name((spn_order)order); order++) {
        spn_chain_options o = spn_chain_defaults();
        o.replicas = REPLICAS;
        o.order = (spn_order)order;
        o.steps = 1001;
        const outcome plain = run_of(energy, &o);
        o.proposed = all;
        o.proposed_count = SITES;
        const outcome listed = run_of(energy, &o);
        assert_memory_equal(plain.spins, listed.spins, sizeof plain.spins);
        assert_int_equal(plain.accepted, listed.accepted);
        assert_int_equal(plain.proposals, listed.proposals);
    }
    spn_energy_free(energy);
}

/* In sequential order at beta = 0, where each proposal is accepted, the list is gone through. */
static void sequential_order_takes_the_list_in_turn(void **state)
{
    (void)state;
    spn_energy *energy = make_energy();
    int8_t start[SITES] = {1, 1, 1, 1};
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.start = SPN_START_GIVEN;
    o.given = start;
    o.beta = spn_test_constant(0);
    o.proposed = list;
    o.proposed_count = LISTED;
    int8_t expected[SITES] = {1, 1, 1, 1};
    for (o.steps = 1; o.steps < 3 * LISTED; o.steps++) {
        expected[list[(o.steps - 1) % LISTED]] *= -1;
        const outcome out = run_of(energy, &o);
        assert_memory_equal(out.spins, expected, SITES);
    }
    spn_energy_free(energy);
}

/* Frozen: so many proposals without a change as eight for each that is listed, not for each site.
 */
static void a_short_list_is_frozen_sooner(void **state)
{
    (void)state;
    enum { MANY = 4096 };
    static const uint32_t one[] = {7};
    spn_error err = {0};
    spn_edge *edges = calloc(MANY, sizeof *edges);
    assert_non_null(edges);
    for (uint32_t i = 0; i < MANY; i++)
        edges[i] = (spn_edge){i, i, 1};
    spn_problem problem = {
        .kind = SPN_PROBLEM_COUPLINGS, .sites = MANY, .count = MANY, .edges = edges};
    spn_energy *energy;
    spn_stop stop;
    spn_sampler *chain;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    spn_chain_options o = spn_chain_defaults();
    o.beta = spn_test_constant(1000);
    o.steps = 1600;
    o.stop_frozen = 1;
    o.replicas = 1;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.proposed = one;
    o.proposed_count = 1;
    assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
    assert_ok(spn_sampler_run(&stop, chain, NULL, &err), err);
    assert_int_equal(stop, SPN_STOP_FROZEN);
    spn_sampler_free(chain);
    spn_energy_free(energy);
    free(edges);
}

/* Saved and loaded, the run is the same; another list, or none, is refused. */
static void saved_chains_keep_their_list(void **state)
{
    (void)state;
    static const uint32_t other[LISTED] = {3, 1, 3, 3, 1};
    spn_energy *energy = make_energy();
    spn_chain_options o = spn_chain_defaults();
    o.replicas = REPLICAS;
    o.steps = 1000;
    o.proposed = list;
    o.proposed_count = LISTED;
    const outcome whole = run_of(energy, &o);
    spn_error err = {0};
    spn_sampler *first, *second;
    spn_stop stop;
    spn_snapshot s;
    void *saved;
    size_t size;
    assert_ok(spn_chain_create(&first, energy, &o, &err), err);
    spn_until until = spn_until_defaults();
    until.steps = 300;
    assert_ok(spn_sampler_run(&stop, first, &until, &err), err);
    assert_ok(spn_sampler_save(&saved, &size, first, &err), err);
    assert_ok(spn_chain_create(&second, energy, &o, &err), err);
    assert_ok(spn_sampler_load(second, saved, size, &err), err);
    assert_ok(spn_sampler_run(&stop, second, NULL, &err), err);
    spn_chain_snapshot(&s, second);
    assert_memory_equal(s.spins, whole.spins, sizeof whole.spins);
    spn_sampler_free(second);
    const struct {
        const uint32_t *sites;
        size_t count;
    } others[] = {{NULL, 0}, {list, LISTED - 1}, {other, LISTED}};
    for (size_t k = 0; k < 3; k++) {
        o.proposed = others[k].sites;
        o.proposed_count = others[k].count;
        assert_ok(spn_chain_create(&second, energy, &o, &err), err);
        assert_error(spn_sampler_load(second, saved, size, &err), &err, SPN_ERROR_ARGUMENT,
                     "not the saved state of a chain", "2 replicas of 4 spins");
        spn_sampler_free(second);
    }
    free(saved);
    spn_sampler_free(first);
    spn_energy_free(energy);
}

/* ---- what cannot be ---- */

static void refuse(const spn_energy *energy, const spn_chain_options *o, const char *part)
{
    spn_error err = {0};
    spn_sampler *chain;
    assert_error(spn_chain_create(&chain, energy, o, &err), &err, SPN_ERROR_ARGUMENT, part, "");
    assert_null(chain);
}

static void wrong_lists_are_refused(void **state)
{
    (void)state;
    static const uint32_t beyond[] = {1, SITES};
    spn_energy *energy = make_energy();
    spn_chain_options o = spn_chain_defaults();
    o.steps = 10;
    o.proposed = beyond;
    o.proposed_count = 2;
    refuse(energy, &o, "proposed: site 4 does not exist; there are only 4");
    o.proposed_count = 0;
    refuse(energy, &o, "1 to 2^32-1 sites can be proposed, not 0");
    o.proposed = NULL;
    o.proposed_count = 2;
    refuse(energy, &o, "a list of 2 sites to propose is missing");
    spn_energy_free(energy);
}

static void lists_are_for_plain_moves(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 1}, {1, 2, -1}};
    spn_problem problem = {.kind = SPN_PROBLEM_COUPLINGS, .sites = 3, .count = 2, .edges = edges};
    static const uint32_t two[] = {0, 2};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_RANDOM;
    o.steps = 500;
    o.proposed = two;
    o.proposed_count = 2;
    o.moves = SPN_MOVES_WAITING;
    refuse(energy, &o, "moves: waiting is for chains that propose all sites alike");
    const outcome plain = (o.moves = SPN_MOVES_PLAIN, run_of(energy, &o));
    const outcome chosen = (o.moves = SPN_MOVES_AUTO, run_of(energy, &o));
    assert_memory_equal(plain.spins, chosen.spins, 3);
    assert_int_equal(plain.accepted, chosen.accepted);
    spn_ladder_options ladder_options = spn_ladder_defaults();
    ladder_options.chain = &o;
    spn_sampler *ladder;
    assert_error(spn_ladder_create(&ladder, energy, &ladder_options, &err), &err,
                 SPN_ERROR_ARGUMENT, "the chains of a ladder propose all sites", "");
    spn_energy_free(energy);
}

/* Many reads, which could run in lanes side by side, are plain chains where there is a list. */
static void reads_are_plain_chains(void **state)
{
    (void)state;
    enum { READS = 128 };
    spn_energy *energy = make_energy();
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.start = SPN_START_INDEPENDENT;
    o.steps = 100;
    o.proposed = list;
    o.proposed_count = LISTED;
    spn_sampler *reads = spn_test_reads_run(energy, &o, READS, 1);
    spn_test_check_reads(reads, energy, &o, READS);
    spn_sampler_free(reads);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_sites_have_their_law),
        cmocka_unit_test(sites_are_proposed_as_often_as_listed),
        cmocka_unit_test(a_list_of_all_sites_changes_nothing),
        cmocka_unit_test(sequential_order_takes_the_list_in_turn),
        cmocka_unit_test(a_short_list_is_frozen_sooner),
        cmocka_unit_test(saved_chains_keep_their_list),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(lists_are_for_plain_moves),
        cmocka_unit_test(reads_are_plain_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
