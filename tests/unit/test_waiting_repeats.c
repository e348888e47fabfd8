/* Chains that wait: what they keep from flip to flip is that of the spins, and their bits are the
   same however they are stopped, saved and looked at; and where they may be. */
#include "chain/chain.h"
#include "chain/waiting.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is kept from flip to flip ---- */

/* Everything that the classes hold is what the spins make it. */
static void assert_classes(const spn_sampler *sampler)
{
    const spn_chain *chain = spn_chain_of(sampler);
    const spn_waiting *w = chain->waiting;
    assert_true(w->built);
    for (size_t a = 0; a < chain->replicas; a++) {
        uint64_t mass = 0;
        for (size_t i = 0; i < chain->sites; i++) {
            const spn_wait_site *site = &w->site[a * chain->sites + i];
            const double delta = chain->slots.delta(chain->energy, spn_chain_cache(chain, a),
                                                    spn_chain_spins(chain, a), i);
            assert_true(delta == site->gain * w->graph.unit);
            const spn_wait_range range = spn_waiting_gains(w, site->class / w->groups);
            assert_true(range.low <= site->gain && site->gain <= range.high);
            assert_int_equal(site->class, spn_wait_class(chain, w, a, i, w->groups > 1));
            const spn_wait_list *list = &w->list[a * w->classes + site->class];
            assert_true(site->place < list->count && list->sites[site->place] == i);
            mass += w->bound[site->class];
        }
        if (w->bounded)
            assert_true(mass == w->mass[a]);
    }
}

/* Few classes, many, and many replicas. */
static void classes_follow_the_flips(void **state)
{
    (void)state;
    static const size_t replicas[] = {1, 3, 8, 12};
    spn_error err = {0};
    for (size_t k = 0; k < 8; k++) {
        spn_edge edges[80];
        spn_random random = spn_random_make(k, 0, 0, SPN_PURPOSE_USER);
        for (size_t e = 0; e < 80; e++) {
            const uint32_t i = spn_random_below(&random, 30), j = spn_random_below(&random, 30);
            const double weight = (double)spn_random_below(&random, k < 4 ? 3 : 200000) - 1;
            edges[e] = (spn_edge){i, j, weight};
        }
        spn_problem *problem;
        spn_energy *energy;
        assert_ok(spn_problem_couplings_create(&problem, 30, 80, edges, &err), err);
        assert_ok(spn_energy_create(&energy, k % 2 ? "qubo" : "ising", problem, &err), err);
        spn_chain_options o = spn_chain_defaults();
        o.replicas = replicas[k % 4];
        o.order = k % 3 ? SPN_ORDER_REPLICA_ROUND : SPN_ORDER_RANDOM;
        const double scale = k < 4 ? 1 : 1e5;
        o.beta = spn_test_exponential(0.1 / scale, 2 / scale);
        o.gamma = spn_test_linear(0, 0.5);
        o.moves = SPN_MOVES_WAITING;
        o.steps = 20000;
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        spn_test_chain_run(chain);
        assert_classes(chain);
        const spn_snapshot s = spn_test_chain_look(chain);
        for (size_t a = 0; a < s.replicas; a++) {
            assert_true(s.accepted[a] > 100);
            assert_true(s.energy[a] == spn_energy_value(energy, s.spins + a * s.sites));
            assert_true(s.best_energy[a] == spn_energy_value(energy, s.best_spins + a * s.sites));
        }
        spn_sampler_free(chain);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

/* ---- the same bits ---- */

static spn_status look(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)err;
    *(uint64_t *)context += s->accepted[0];
    return SPN_OK;
}

/* Two parts of a run with a save and a load between them, in the middle of everything, are the
   whole; so is a run that is looked at. */
static void check_bits(const spn_energy *energy, spn_chain_options o, uint64_t steps, uint64_t cut)
{
    spn_error err = {0};
    uint64_t seen = 0;
    void *bytes;
    size_t size;
    o.steps = steps;
    spn_sampler *whole = spn_test_chain_start(energy, &o);
    spn_test_chain_run(whole);
    const spn_until until = spn_test_watch(look, &seen, 37);
    o.threads = 3;
    spn_sampler *watched = spn_test_chain_start(energy, &o);
    spn_test_run_until(watched, &until);
    spn_test_assert_same_state(whole, watched);
    spn_sampler *first = spn_test_chain_start(energy, &o),
                *second = spn_test_chain_start(energy, &o);
    const spn_until part = {.size = sizeof part, .steps = cut};
    if (cut > 0)
        spn_test_run_until(first, &part);
    assert_ok(spn_sampler_save(&bytes, &size, first, &err), err);
    assert_ok(spn_sampler_load(second, bytes, size, &err), err);
    spn_test_chain_run(first);
    spn_test_chain_run(second);
    spn_test_assert_same_state(whole, first);
    spn_test_assert_same_state(whole, second);
    free(bytes);
    spn_sampler_free(whole);
    spn_sampler_free(watched);
    spn_sampler_free(first);
    spn_sampler_free(second);
}

static void runs_repeat_bit_for_bit(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    for (int moves = SPN_MOVES_WAITING; moves <= SPN_MOVES_AUTO; moves++)
        for (size_t k = 0; k < 6; k++) {
            spn_chain_options o = spn_chain_defaults();
            o.replicas = k % 2 ? 3 : 1;
            o.order = k % 3 ? SPN_ORDER_REPLICA_ROUND : SPN_ORDER_RANDOM;
            o.beta = k == 4 ? spn_test_scoping(0.5, 0.05, 20) : spn_test_exponential(0.3, 5);
            o.gamma = spn_test_linear(0, 1);
            o.coupling = k == 5 ? SPN_COUPLING_CENTRE : SPN_COUPLING_REPLICAS;
            o.moves = (spn_moves)moves;
            check_bits(energy, o, 20011, k == 0 ? 0 : 16383 + k);
        }
    spn_energy_free(energy);
}

/* A saved state that is none is refused. */
static void bad_orders_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = spn_chain_defaults();
    void *bytes;
    size_t size;
    o.steps = 500;
    o.beta = spn_test_constant(1);
    o.moves = SPN_MOVES_WAITING;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_ok(spn_sampler_save(&bytes, &size, chain, &err), err);
    assert_ok(spn_sampler_load(chain, bytes, size, &err), err);
    assert_classes(chain);
    /* the last of the order, before the arrays of 64 bits and the spins at the end */
    const size_t behind = 3 * (2 * spn_chain_of(chain)->sites + 4 * sizeof(uint64_t));
    uint32_t *last = (uint32_t *)(void *)((unsigned char *)bytes + size - behind) - 1;
    *last = last[-1];
    assert_int_equal(spn_sampler_load(chain, bytes, size, &err), SPN_ERROR_ARGUMENT);
    *last = 1u << 31;
    assert_int_equal(spn_sampler_load(chain, bytes, size, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_sampler_load(chain, bytes, size - 4, &err), SPN_ERROR_ARGUMENT);
    assert_classes(chain);
    free(bytes);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

/* ---- where it may be ---- */

static void auto_changes_by_the_acceptance(void **state)
{
    (void)state;
    spn_energy *energy = small_graph(4, 1);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.beta = spn_test_linear(0, 4);
    o.steps = 1 << 16;
    spn_sampler *plain = spn_test_chain_start(energy, &o);
    o.moves = SPN_MOVES_AUTO;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_until until = spn_until_defaults();
    until.steps = 1;
    while (!spn_chain_of(chain)->waiting->clock.on)
        spn_test_run_until(chain, &until);
    assert_true(chain->step > 0 && chain->step < o.steps && chain->step % 1024 == 0);
    until.steps = chain->step;
    spn_test_run_until(plain, &until);
    spn_test_assert_same_state(plain, chain); /* so far */
    spn_test_chain_run(chain);
    assert_true(spn_chain_of(chain)->waiting->clock.on);
    spn_sampler_free(chain);
    o.beta = spn_test_linear(4, 0); /* and back */
    chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_true(spn_chain_of(chain)->waiting->clock.number > 0 &&
                !spn_chain_of(chain)->waiting->clock.on);
    spn_sampler_free(chain);
    spn_sampler_free(plain);
    spn_energy_free(energy);
}

static void others_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *graph = spn_test_lattice(), *bits;
    spn_problem *patterns = small_instance('A');
    assert_ok(spn_energy_create(&bits, "bits", patterns, &err), err);
    spn_chain_options o = spn_chain_defaults();
    spn_sampler *chain;
    o.steps = 10;
    o.moves = SPN_MOVES_WAITING;
    assert_int_equal(spn_chain_create(&chain, bits, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "moves: "));
    o.order = SPN_ORDER_SEQUENTIAL;
    assert_int_equal(spn_chain_create(&chain, graph, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "moves: "));
    o.moves = SPN_MOVES_AUTO;
    assert_ok(spn_chain_create(&chain, graph, &o, &err), err);
    assert_null(spn_chain_of(chain)->waiting);
    spn_sampler_free(chain);
    assert_ok(spn_chain_create(&chain, bits, &o, &err), err);
    assert_null(spn_chain_of(chain)->waiting);
    spn_sampler_free(chain);
    o.moves = (spn_moves)7;
    assert_int_equal(spn_chain_create(&chain, bits, &o, &err), SPN_ERROR_ARGUMENT);
    spn_energy_free(bits);
    spn_energy_free(graph);
    spn_problem_free(patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_follow_the_flips),
        cmocka_unit_test(runs_repeat_bit_for_bit),
        cmocka_unit_test(bad_orders_are_refused),
        cmocka_unit_test(auto_changes_by_the_acceptance),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
