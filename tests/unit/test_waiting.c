/* Chains that wait are the same process as plain ones: the law of their state after each number of
   steps by the exact rows of the kernels, the times of first moves, the counts, and the law that
   they keep. Every comparison has a false-alarm rate of 1e-6. */
#include "support/chains.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <spinney/spinney.h>
#include <stdio.h>
#include <string.h>

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
        spn_sampler *chain = spn_test_chain_start(p->energy, &o);
        spn_test_chain_run(chain);
        counts[small_index(&system, spn_test_chain_look(chain).spins)]++;
        spn_sampler_free(chain);
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
                             (uint32_t)spn_test_samples(8000)};
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
                 (uint32_t)spn_test_samples(20000)};
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
                     (uint32_t)spn_test_samples(12000)};
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

static spn_status note_first(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
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
                 (uint32_t)spn_test_samples(20000)};
    int8_t start[16];
    small_spins(&system, from, start);
    uint64_t counts[2 * MOST_STEPS + 1] = {0};
    double law[2 * MOST_STEPS + 1], left = 1;
    for (uint32_t run = 0; run < p.runs; run++) {
        first_move first = {0, 0};
        spn_chain_options o = options_of(&p, SPN_MOVES_WAITING);
        o.given = start;
        o.run = run;
        const spn_until until = spn_test_watch(note_first, &first, 1);
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        spn_test_run_until(chain, &until);
        spn_sampler_free(chain);
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
    spn_sampler *plain = spn_test_chain_start(energy, &o);
    o.moves = SPN_MOVES_WAITING;
    spn_sampler *waiting = spn_test_chain_start(energy, &o);
    spn_test_chain_run(plain);
    spn_test_chain_run(waiting);
    const spn_snapshot a = spn_test_chain_look(plain), b = spn_test_chain_look(waiting);
    assert_memory_equal(a.proposals, b.proposals, 3 * sizeof *a.proposals);
    assert_int_equal(a.step, b.step);
    assert_true(a.beta == b.beta && a.gamma == b.gamma);
    spn_sampler_free(plain);
    spn_sampler_free(waiting);
    spn_energy_free(energy);
}

/* ---- the law that is kept ---- */

typedef struct sampler {
    small_system system;
    uint64_t counts[SMALL_MOST_STATES];
    double accepted, proposals;
} sampler;

static spn_status sample(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
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
            const spn_until until = spn_test_watch(sample, &to, 60 * (y == 2 ? 2 : 1));
            o.steps = until.observe_every * spn_test_samples(8000);
            o.moves = SPN_MOVES_WAITING;
            spn_sampler *chain = spn_test_chain_start(energy, &o);
            spn_test_run_until(chain, &until);
            spn_sampler_free(chain);
            double law[SMALL_MOST_STATES];
            small_law(&to.system, law);
            const double tail = spn_pearson_test(to.counts, law, to.system.states);
            printf("  %-9s y=%zu law p = %.3g\n", spn_kernel_name((spn_kernel)kernel), y, tail);
            spn_energy_free(energy);
            assert_true(tail > SPN_FALSE_ALARM);
        }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
