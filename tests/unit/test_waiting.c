/* Chains that wait are the same process as plain ones: the law of their state after each number of
   steps by the exact rows of the kernels, the times of first moves, the counts, and the law that
   they keep; and the same bits however they are stopped, saved and looked at. Every comparison has
   a false-alarm rate of 1e-6. */
#include "core/chain.h"
#include "core/waiting.h"
#include "data/problem.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Couplings times `scale`: with a large one changes share classes. */
static spn_energy *small_graph(size_t sites, double scale)
{
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, scale}, {1, 2, -2 * scale}, {2, 0, scale},
                        {1, 1, scale}, {2, 3, scale},      {3, 3, -scale}};
    spn_problem problem = {
        .kind = SPN_PROBLEM_COUPLINGS, .sites = sites, .count = sites == 3 ? 4 : 6, .edges = edges};
    spn_energy *energy;
    if (scale > 1) /* not all multiples of one number */
        edges[1].weight += 1;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    return energy;
}

/* ---- the state after so many steps ---- */

typedef struct process {
    const spn_energy *energy;
    size_t replicas;
    spn_kernel kernel;
    spn_order order;
    const spn_schedule *beta, *gamma;
    uint64_t steps;
    size_t from;
    uint32_t runs;
} process;

static spn_chain_options options_of(const process *p, spn_moves moves)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = p->replicas;
    o.kernel = p->kernel;
    o.order = p->order;
    o.beta = p->beta;
    o.gamma = p->gamma;
    o.steps = p->steps;
    o.moves = moves;
    o.start = SPN_START_GIVEN;
    o.seed = 20250713;
    return o;
}

/* How often each state is the last of a run. */
static void count_ends(uint64_t *counts, const process *p, spn_chain_options o)
{
    int8_t start[16];
    small_system system;
    small_system_init(&system, p->energy, p->replicas, 0, 0);
    small_spins(&system, p->from, start);
    memset(counts, 0, system.states * sizeof *counts);
    o.given = start;
    for (uint32_t run = 0; run < p->runs; run++) {
        o.run = run;
        spn_chain *chain = spn_test_chain_start(p->energy, &o);
        spn_test_chain_run(chain);
        counts[small_index(&system, spn_test_chain_look(chain).spins)]++;
        spn_chain_free(chain);
    }
}

/* The exact law of the state after all steps. */
static void law_after(double *law, const process *p)
{
    small_system system;
    small_system_init(&system, p->energy, p->replicas, 0, 0);
    double now[SMALL_MOST_STATES], row[SMALL_MOST_STATES];
    memset(law, 0, system.states * sizeof *law);
    law[p->from] = 1;
    for (uint64_t t = 0; t < p->steps; t++) {
        system.beta = spn_schedule_value(p->beta, t, p->steps, 0, p->replicas);
        system.gamma = spn_schedule_value(p->gamma, t, p->steps, 0, p->replicas);
        memcpy(now, law, system.states * sizeof *now);
        memset(law, 0, system.states * sizeof *law);
        for (size_t k = 0; k < system.states; k++) {
            if (now[k] == 0)
                continue;
            small_step(&system, p->kernel, p->order, k, row);
            for (size_t m = 0; m < system.states; m++)
                law[m] += now[k] * row[m];
        }
    }
}

static void check_process(const process *p, const char *what)
{
    uint64_t counts[SMALL_MOST_STATES];
    double law[SMALL_MOST_STATES];
    count_ends(counts, p, options_of(p, SPN_MOVES_WAITING));
    law_after(law, p);
    const double tail =
        spn_pearson_test(counts, law, (size_t)1 << (p->replicas * spn_energy_sites(p->energy)));
    printf("  %-22s y=%zu %-9s %-13s after %2d steps: p = %.3g\n", what, p->replicas,
           spn_kernel_name(p->kernel), spn_order_name(p->order), (int)p->steps, tail);
    assert_true(tail > SPN_FALSE_ALARM);
}

/* Every kernel and order, one replica and two, beta and gamma changing with each step. */
static void state_after_steps_has_its_law(void **state)
{
    (void)state;
    static const spn_order orders[] = {SPN_ORDER_REPLICA_ROUND, SPN_ORDER_RANDOM};
    spn_energy *energy = small_graph(3, 1), *coarse = small_graph(3, 1000);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (size_t k = 0; k < 2; k++)
            for (size_t y = 1; y <= 2; y++) {
                process p = {energy,
                             y,
                             (spn_kernel)kernel,
                             orders[k],
                             spn_test_linear(1.2, 0.1),
                             spn_test_linear(0.2, 1),
                             5,
                             y == 1 ? 5 : 21,
                             8000};
                check_process(&p, "beta and gamma change");
                p.beta = spn_test_exponential(1e-4, 1.5e-3);
                p.energy = coarse;
                p.steps = 6;
                check_process(&p, "classes of changes");
            }
    spn_energy_free(energy);
    spn_energy_free(coarse);
}

/* Pieces change within what would be one interval. */
static void pieces_have_their_law(void **state)
{
    (void)state;
    const spn_piece beta[] = {{0.2, 2}, {0.9, 2}, {2, 3}}, gamma[] = {{1, 1}, {0.1, 3}, {0.7, 3}};
    spn_energy *energy = small_graph(3, 1);
    process p = {energy,
                 2,
                 SPN_KERNEL_TWO_STAGE,
                 SPN_ORDER_REPLICA_ROUND,
                 spn_test_pieces(beta, 3),
                 spn_test_pieces(gamma, 3),
                 7,
                 9,
                 20000};
    check_process(&p, "pieces");
    spn_energy_free(energy);
}

/* ---- beside the plain chain ---- */

/* Whether two samples are of one law: sum (a - b)^2 / (a + b), cells of few merged. */
static double two_samples(const uint64_t *a, const uint64_t *b, size_t cells)
{
    double statistic = 0, degrees = -1, rest_a = 0, rest_b = 0;
    for (size_t k = 0; k < cells; k++) {
        const double x = (double)a[k], y = (double)b[k];
        if (x + y < 20) {
            rest_a += x;
            rest_b += y;
            continue;
        }
        statistic += (x - y) * (x - y) / (x + y);
        degrees++;
    }
    if (rest_a + rest_b >= 20) {
        statistic += (rest_a - rest_b) * (rest_a - rest_b) / (rest_a + rest_b);
        degrees++;
    }
    return spn_chi_square_tail(statistic, degrees);
}

static void check_beside(const process *p, spn_chain_options plain, const char *what)
{
    static uint64_t ours[SMALL_MOST_STATES], theirs[SMALL_MOST_STATES];
    spn_chain_options waiting = plain;
    waiting.moves = SPN_MOVES_WAITING;
    waiting.seed++; /* where both draw the same numbers, they must not be compared with them */
    count_ends(theirs, p, plain);
    count_ends(ours, p, waiting);
    const double tail = two_samples(ours, theirs, (size_t)1 << (3 * p->replicas));
    printf("  %-30s %-13s p = %.3g\n", what, spn_order_name(p->order), tail);
    assert_true(tail > SPN_FALSE_ALARM);
}

/* Schedules that count accepted moves, runs in parts, centres that are given or drawn. */
static void all_runs_are_those_of_the_plain_chain(void **state)
{
    (void)state;
    static const uint64_t parts[] = {3, 9};
    static const int8_t centre[] = {1, -1, 1};
    static const spn_order orders[] = {SPN_ORDER_REPLICA_ROUND, SPN_ORDER_RANDOM};
    spn_energy *energy = small_graph(3, 1);
    for (size_t k = 0; k < 2; k++) {
        process p = {energy,
                     2,
                     SPN_KERNEL_TWO_STAGE,
                     orders[k],
                     spn_test_scoping(0.1, 0.5, 1),
                     spn_test_constant(0.4),
                     12,
                     44,
                     12000};
        check_beside(&p, options_of(&p, SPN_MOVES_PLAIN), "scoping");
        p.beta = spn_test_linear(0, 1.5);
        spn_chain_options o = options_of(&p, SPN_MOVES_PLAIN);
        o.parts = parts;
        o.part_count = 2;
        check_beside(&p, o, "parts");
        o = options_of(&p, SPN_MOVES_PLAIN);
        o.coupling = SPN_COUPLING_CENTRE;
        o.centre_every = 4;
        check_beside(&p, o, "a centre that is drawn");
        o.coupling = SPN_COUPLING_GIVEN;
        o.centre = centre;
        p.kernel = o.kernel = SPN_KERNEL_ONE_STAGE;
        check_beside(&p, o, "a given centre");
    }
    spn_energy_free(energy);
}

/* ---- times and counts ---- */

enum { MOST_STEPS = 24 };

typedef struct first_move {
    uint64_t step; /* 0: none yet */
    size_t replica;
} first_move;

static spn_status note_first(void *context, const spn_snapshot *s, spn_error *err)
{
    (void)err;
    first_move *first = context;
    if (first->step == 0)
        for (size_t a = 0; a < s->replicas; a++)
            if (s->accepted[a]) {
                *first = (first_move){s->step, s->accepted[0] ? 0 : 1};
                break;
            }
    return SPN_OK;
}

/* The probability that a proposal of replica a is accepted. */
static double moves_away(const small_system *system, spn_kernel kernel, size_t from, size_t a)
{
    double row[SMALL_MOST_STATES], sum = 0;
    small_step(system, kernel, SPN_ORDER_RANDOM, from, row);
    for (size_t i = 0; i < system->sites; i++)
        sum += row[from ^ (size_t)1 << (a * system->sites + i)];
    return sum * (double)system->replicas;
}

/* From a cold state: when the first move is accepted, and in which replica. */
static void first_moves_come_in_time(void **state)
{
    (void)state;
    const size_t from = 9; /* both replicas at the ground state */
    spn_energy *energy = small_graph(3, 1);
    small_system system;
    small_system_init(&system, energy, 2, 0.35, 0.3);
    process p = {energy,
                 2,
                 SPN_KERNEL_TWO_STAGE,
                 SPN_ORDER_REPLICA_ROUND,
                 spn_test_constant(0.35),
                 spn_test_constant(0.3),
                 MOST_STEPS,
                 from,
                 20000};
    int8_t start[16];
    small_spins(&system, from, start);
    uint64_t counts[2 * MOST_STEPS + 1] = {0};
    double law[2 * MOST_STEPS + 1], left = 1;
    for (uint32_t run = 0; run < p.runs; run++) {
        first_move first = {0, 0};
        spn_chain_options o = options_of(&p, SPN_MOVES_WAITING);
        o.given = start;
        o.run = run;
        o.observer = note_first;
        o.observer_context = &first;
        o.observe_every = 1;
        spn_chain *chain = spn_test_chain_start(energy, &o);
        spn_test_chain_run(chain);
        spn_chain_free(chain);
        counts[first.step ? 2 * (first.step - 1) + first.replica : 2 * MOST_STEPS]++;
    }
    for (size_t k = 0; k < 2 * MOST_STEPS; k++) {
        const double share = moves_away(&system, p.kernel, from, k % 2);
        law[k] = left * share;
        left *= 1 - share;
    }
    law[2 * MOST_STEPS] = left;
    const double tail = spn_pearson_test(counts, law, 2 * MOST_STEPS + 1);
    printf("  first moves: p = %.3g\n", tail);
    spn_energy_free(energy);
    assert_true(tail > SPN_FALSE_ALARM);
}

/* The replicas of random order are those that the plain chain picks. */
static void proposals_are_counted(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = spn_chain_defaults();
    o.order = SPN_ORDER_RANDOM;
    o.beta = spn_test_constant(2);
    o.steps = 5003;
    spn_chain *plain = spn_test_chain_start(energy, &o);
    o.moves = SPN_MOVES_WAITING;
    spn_chain *waiting = spn_test_chain_start(energy, &o);
    spn_test_chain_run(plain);
    spn_test_chain_run(waiting);
    const spn_snapshot a = spn_test_chain_look(plain), b = spn_test_chain_look(waiting);
    assert_memory_equal(a.proposals, b.proposals, 3 * sizeof *a.proposals);
    assert_int_equal(a.step, b.step);
    assert_true(a.beta == b.beta && a.gamma == b.gamma);
    spn_chain_free(plain);
    spn_chain_free(waiting);
    spn_energy_free(energy);
}

/* ---- the law that is kept ---- */

typedef struct sampler {
    small_system system;
    uint64_t counts[SMALL_MOST_STATES];
    double accepted, proposals;
} sampler;

static spn_status sample(void *context, const spn_snapshot *s, spn_error *err)
{
    (void)err;
    sampler *to = context;
    if (s->step > 0)
        to->counts[small_index(&to->system, s->spins)]++;
    return SPN_OK;
}

static void stationary_law_is_kept(void **state)
{
    (void)state;
    static sampler to;
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++)
        for (size_t y = 1; y <= 3; y++) {
            spn_energy *energy = small_graph(y == 1 ? 4 : 3, 1);
            memset(&to, 0, sizeof to);
            small_system_init(&to.system, energy, y, 0.4, 0.3);
            spn_chain_options o = spn_chain_defaults();
            o.replicas = y;
            o.kernel = (spn_kernel)kernel;
            o.order = y == 2 ? SPN_ORDER_RANDOM : SPN_ORDER_REPLICA_ROUND;
            o.beta = spn_test_constant(0.4);
            o.gamma = spn_test_constant(0.3);
            o.observer = sample;
            o.observer_context = &to;
            o.observe_every = 60 * (y == 2 ? 2 : 1);
            o.steps = o.observe_every * 8000;
            o.moves = SPN_MOVES_WAITING;
            spn_chain *chain = spn_test_chain_start(energy, &o);
            spn_test_chain_run(chain);
            spn_chain_free(chain);
            double law[SMALL_MOST_STATES];
            small_law(&to.system, law);
            const double tail = spn_pearson_test(to.counts, law, to.system.states);
            printf("  %-9s y=%zu law p = %.3g\n", spn_kernel_name((spn_kernel)kernel), y, tail);
            spn_energy_free(energy);
            assert_true(tail > SPN_FALSE_ALARM);
        }
}

/* ---- what is kept from flip to flip ---- */

/* Everything that the classes hold is what the spins make it. */
static void assert_classes(const spn_chain *chain)
{
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
        spn_chain *chain = spn_test_chain_start(energy, &o);
        spn_test_chain_run(chain);
        assert_classes(chain);
        const spn_snapshot s = spn_test_chain_look(chain);
        for (size_t a = 0; a < s.replicas; a++) {
            assert_true(s.accepted[a] > 100);
            assert_true(s.energy[a] == spn_energy_value(energy, s.spins + a * s.sites));
            assert_true(s.best_energy[a] == spn_energy_value(energy, s.best_spins + a * s.sites));
        }
        spn_chain_free(chain);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

/* ---- the same bits ---- */

static spn_status look(void *context, const spn_snapshot *s, spn_error *err)
{
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
    spn_chain *whole = spn_test_chain_start(energy, &o);
    spn_test_chain_run(whole);
    o.observer = look;
    o.observer_context = &seen;
    o.observe_every = 37;
    o.threads = 3;
    spn_chain *watched = spn_test_chain_start(energy, &o);
    spn_test_chain_run(watched);
    spn_test_assert_same_state(whole, watched);
    volatile sig_atomic_t stop = 0;
    o.observer = NULL;
    o.stop = &stop;
    spn_chain *first = spn_test_chain_start(energy, &o), *second = spn_test_chain_start(energy, &o);
    while (first->step < cut)
        assert_ok(spn_chain_advance(first, cut - first->step, &err), err);
    assert_ok(spn_chain_save(&bytes, &size, first, &err), err);
    assert_ok(spn_chain_load(second, bytes, size, &err), err);
    spn_test_chain_run(first);
    spn_test_chain_run(second);
    spn_test_assert_same_state(whole, first);
    spn_test_assert_same_state(whole, second);
    free(bytes);
    spn_chain_free(whole);
    spn_chain_free(watched);
    spn_chain_free(first);
    spn_chain_free(second);
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
    spn_chain *chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_ok(spn_chain_save(&bytes, &size, chain, &err), err);
    assert_ok(spn_chain_load(chain, bytes, size, &err), err);
    assert_classes(chain);
    /* the last of the order, before the arrays of 64 bits and the spins at the end */
    const size_t behind = 3 * (2 * chain->sites + 4 * sizeof(uint64_t));
    uint32_t *last = (uint32_t *)(void *)((unsigned char *)bytes + size - behind) - 1;
    *last = last[-1];
    assert_int_equal(spn_chain_load(chain, bytes, size, &err), SPN_ERROR_ARGUMENT);
    *last = 1u << 31;
    assert_int_equal(spn_chain_load(chain, bytes, size, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_chain_load(chain, bytes, size - 4, &err), SPN_ERROR_ARGUMENT);
    assert_classes(chain);
    free(bytes);
    spn_chain_free(chain);
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
    spn_chain *plain = spn_test_chain_start(energy, &o);
    o.moves = SPN_MOVES_AUTO;
    spn_chain *chain = spn_test_chain_start(energy, &o);
    spn_error err = {0};
    while (!chain->waiting->clock.on)
        assert_ok(spn_chain_advance(chain, UINT64_MAX, &err), err);
    assert_true(chain->step > 0 && chain->step < o.steps && chain->step % 1024 == 0);
    while (plain->step < chain->step)
        assert_ok(spn_chain_advance(plain, chain->step - plain->step, &err), err);
    spn_test_assert_same_state(plain, chain); /* so far */
    spn_test_chain_run(chain);
    assert_true(chain->waiting->clock.on);
    spn_chain_free(chain);
    o.beta = spn_test_linear(4, 0); /* and back */
    chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_true(chain->waiting->clock.number > 0 && !chain->waiting->clock.on);
    spn_chain_free(chain);
    spn_chain_free(plain);
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
    spn_chain *chain;
    o.steps = 10;
    o.moves = SPN_MOVES_WAITING;
    assert_int_equal(spn_chain_create(&chain, bits, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "moves: "));
    o.order = SPN_ORDER_SEQUENTIAL;
    assert_int_equal(spn_chain_create(&chain, graph, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "moves: "));
    o.moves = SPN_MOVES_AUTO;
    assert_ok(spn_chain_create(&chain, graph, &o, &err), err);
    assert_null(chain->waiting);
    spn_chain_free(chain);
    assert_ok(spn_chain_create(&chain, bits, &o, &err), err);
    assert_null(chain->waiting);
    spn_chain_free(chain);
    o.moves = (spn_moves)7;
    assert_int_equal(spn_chain_create(&chain, bits, &o, &err), SPN_ERROR_ARGUMENT);
    spn_energy_free(bits);
    spn_energy_free(graph);
    spn_problem_free(patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_after_steps_has_its_law),
        cmocka_unit_test(pieces_have_their_law),
        cmocka_unit_test(all_runs_are_those_of_the_plain_chain),
        cmocka_unit_test(first_moves_come_in_time),
        cmocka_unit_test(proposals_are_counted),
        cmocka_unit_test(stationary_law_is_kept),
        cmocka_unit_test(classes_follow_the_flips),
        cmocka_unit_test(runs_repeat_bit_for_bit),
        cmocka_unit_test(bad_orders_are_refused),
        cmocka_unit_test(auto_changes_by_the_acceptance),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
