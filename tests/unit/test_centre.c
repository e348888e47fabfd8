/* Chains whose replicas are coupled to a centre: the law of replicas and centre together against
   the enumerated one, at a false-alarm rate of 1e-6; and the same run however it is stopped,
   continued and shared out. */
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

static spn_status count_state(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)err;
    joint *j = context;
    const size_t replicated = bits_of(s->spins, s->replicas * s->sites);
    if (s->step > 0)
        j->counts[replicated + (j->drawn ? j->system.states * bits_of(s->centre, s->sites) : 0)]++;
    return SPN_OK;
}

static double law_p(joint *j, const spn_energy *energy, const spn_chain_options *options,
                    uint64_t every)
{
    double law[MOST_STATES];
    const spn_until until = spn_test_watch(count_state, j, every);
    spn_sampler *chain = spn_test_chain_start(energy, options);
    spn_chain_of(chain)->sharing.always = options->threads > 1;
    spn_test_run_until(chain, &until);
    spn_sampler_free(chain);
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
    j->states = j->system.states << (c.drawn ? spn_energy_sites(energy) : 0);
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
    const uint64_t every = c.order == SPN_ORDER_RANDOM ? EVERY * replicas : EVERY;
    o.steps = every * (c.threads > 1 ? SAMPLES / 4 : spn_test_samples(SAMPLES));
    const double p = law_p(j, energy, &o, every);
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

/* With threads, each replica in a view of its own; three replicas on two threads in pieces. */
static void replicas_side_by_side_have_it_too(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_problem *problem = small_instance('A');
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    for (size_t y = 2; y <= 3; y++)
        check_law(energy, y, (law_case){.drawn = true, .varies = y == 3, .threads = 2});
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* ---- the same run ---- */

static spn_energy *perceptron(size_t sites, size_t patterns)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, sites, patterns, 1, false, &err), err);
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

/* A ring, whose changes are summed up: in its last bits the energy depends on its history. */
static double drifting_value(const int8_t *spins, size_t sites, void *context)
{
    double total = *(const double *)context;
    for (size_t i = 0; i < sites; i++)
        total += 0.1 * (double)(i + 1) * spins[i] * spins[(i + 1) % sites];
    return total;
}

static double drifting_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    (void)context;
    const size_t before = (site + sites - 1) % sites;
    return -0.2 * spins[site] *
           ((double)(site + 1) * spins[(site + 1) % sites] + (double)(before + 1) * spins[before]);
}

enum { ENERGIES = 3 };

static void make_energies(spn_energy **out)
{
    static double zero = 0;
    spn_error err = {0};
    out[0] = spn_test_lattice();
    out[1] = perceptron(41, 20);
    assert_ok(spn_callback_create(&out[2], 30, drifting_value, drifting_change, &zero, &err), err);
}

static void free_energies(spn_energy **energies)
{
    for (size_t e = 0; e < ENERGIES; e++)
        spn_energy_free(energies[e]);
}

/* Kinds of runs: kernels, orders, schedules, draws, stops. */
enum { VARIANTS = 12 };

static spn_chain_options variant(size_t k)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 2 + k % 4;
    o.kernel = (spn_kernel)(k % 3);
    o.order = k % 5 == 4 ? SPN_ORDER_RANDOM
              : k % 2    ? SPN_ORDER_SEQUENTIAL
                         : SPN_ORDER_REPLICA_ROUND;
    o.beta = k == 7 ? spn_test_scoping(0.2, 1.1, 50) : spn_test_linear(0.3, 2);
    o.gamma = k % 3 == 0   ? spn_test_constant(0.4)
              : k % 3 == 1 ? spn_test_linear(0, 1)
                           : spn_test_scoping(0.1, 1.2, 20);
    o.coupling = k % 6 == 5 ? SPN_COUPLING_GIVEN : SPN_COUPLING_CENTRE;
    static int8_t centre[48];
    for (size_t i = 0; i < sizeof centre; i++)
        centre[i] = i % 3 ? 1 : -1;
    o.centre = centre;
    o.centre_every = k % 4 == 1 ? 1 : k % 4 == 2 ? 700 : 0;
    o.steps = 10000;
    o.seed = 1 + k;
    o.start = k % 2 ? SPN_START_INDEPENDENT : SPN_START_SAME;
    return o;
}

static void assert_same_run(const spn_sampler *a, const spn_sampler *b)
{
    spn_test_assert_same_state(a, b);
    const spn_snapshot x = spn_test_chain_look(a), y = spn_test_chain_look(b);
    assert_memory_equal(x.centre, y.centre, x.sites);
    assert_true(x.first_hit == y.first_hit);
    assert_int_equal(spn_sampler_health(a), spn_sampler_health(b));
}

static void compare_threads(const spn_energy *energy, spn_chain_options o, const spn_until *until)
{
    o.threads = 1;
    spn_sampler *one = spn_test_chain_start(energy, &o);
    const spn_stop stop = spn_test_run_until(one, until);
    for (o.threads = 2; o.threads <= 3; o.threads++) {
        spn_sampler *several = spn_test_chain_start(energy, &o);
        spn_chain_of(several)->sharing.always = true;
        assert_int_equal(spn_test_run_until(several, until), stop);
        assert_same_run(one, several);
        assert_int_equal(spn_chain_was_shared(several), o.order != SPN_ORDER_RANDOM);
        spn_sampler_free(several);
    }
    spn_sampler_free(one);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    spn_energy *energies[ENERGIES];
    make_energies(energies);
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t e = 0; e < ENERGIES; e++)
            compare_threads(energies[e], variant(k), NULL);
    free_energies(energies);
}

/* The target of a run with its own lowest energies: reached on the way, by any or by all. */
static void threads_stop_at_the_same_step(void **state)
{
    (void)state;
    spn_energy *energies[ENERGIES];
    make_energies(energies);
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t e = 0; e < ENERGIES; e++) {
            spn_chain_options o = variant(k);
            spn_sampler *first = spn_test_chain_start(energies[e], &o);
            spn_test_chain_run(first);
            const spn_snapshot s = spn_test_chain_look(first);
            double highest = s.best_energy[0];
            for (size_t a = 1; a < s.replicas; a++)
                highest = fmax(highest, s.best_energy[a]);
            o.target = k % 2 ? SPN_TARGET_ANY : SPN_TARGET_ALL;
            o.target_energy = highest + (k % 2 ? 0 : 4);
            spn_sampler_free(first);
            compare_threads(energies[e], o, NULL);
            o.target = SPN_TARGET_NONE; /* the first hit is told all the same */
            o.patience = 4000;
            compare_threads(energies[e], o, NULL);
        }
    free_energies(energies);
}

typedef struct saver {
    spn_sampler *chain;
    void *bytes;
    size_t size;
} saver;

static spn_status save_once(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    saver *saved = context;
    if (s->step < 8192 || saved->bytes)
        return SPN_OK;
    return spn_sampler_save(&saved->bytes, &saved->size, saved->chain, err);
}

static void saving_and_loading_changes_nothing(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energies[ENERGIES];
    make_energies(energies);
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t e = 0; e < ENERGIES; e++) {
            spn_chain_options o = variant(k);
            saver saved = {0};
            const spn_until until = spn_test_watch(save_once, &saved, 4096);
            spn_sampler *whole = saved.chain = spn_test_chain_start(energies[e], &o);
            spn_test_run_until(whole, &until);
            assert_non_null(saved.bytes);
            spn_sampler *resumed = spn_test_chain_start(energies[e], &o);
            assert_ok(spn_sampler_load(resumed, saved.bytes, saved.size, &err), err);
            spn_test_chain_run(resumed);
            assert_same_run(whole, resumed);
            spn_sampler_free(resumed);
            /* a chain of another coupling, or of another centre, does not take it */
            int8_t other[48];
            memcpy(other, o.centre, sizeof other);
            other[5] = (int8_t)-other[5];
            o.centre = other;
            if (o.coupling == SPN_COUPLING_CENTRE)
                o.coupling = k % 2 ? SPN_COUPLING_GIVEN : SPN_COUPLING_REPLICAS;
            resumed = spn_test_chain_start(energies[e], &o);
            assert_int_equal(spn_sampler_load(resumed, saved.bytes, saved.size, &err),
                             SPN_ERROR_ARGUMENT);
            spn_sampler_free(resumed);
            spn_sampler_free(whole);
            free(saved.bytes);
        }
    free_energies(energies);
}

/* Runs of single calls, and runs in parts, end where the whole one does. */
static void parts_and_stops_change_nothing(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(41, 20);
    const uint64_t parts[] = {3000, 1777, 5223};
    spn_chain_options o = variant(0);
    o.steps = 0;
    o.parts = parts;
    o.part_count = 3;
    o.gamma = spn_test_linear(0.2, 1);
    compare_threads(energy, o, NULL);
    spn_sampler *whole = spn_test_chain_start(energy, &o);
    spn_test_chain_run(whole);
    volatile sig_atomic_t stop = 1;
    spn_until until = spn_until_defaults();
    until.stop = &stop;
    spn_sampler *cut = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_run_until(cut, &until), SPN_STOP_REQUEST);
    until.stop = NULL;
    while (cut->step < 10000) {
        until.steps = 1 + cut->step % 97;
        spn_test_run_until(cut, &until);
    }
    assert_same_run(whole, cut);
    spn_sampler_free(cut);
    spn_sampler_free(whole);
    spn_energy_free(energy);
}

/* ---- what a chain with a centre shows ---- */

static spn_status check_snapshot(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    (void)err;
    uint64_t *looks = context;
    int8_t centre[64];
    double overlap = 0;
    spn_snapshot_centre(s, centre);
    for (size_t i = 0; i < s->sites; i++) {
        int sum = 0;
        for (size_t a = 0; a < s->replicas; a++)
            sum += s->spins[a * s->sites + i];
        assert_int_equal(s->sums[i], sum);
        assert_true(abs(s->centre[i]) == 1);
        assert_int_equal(centre[i], sum > 0 ? 1 : sum < 0 ? -1 : s->spins[i]);
        overlap += (double)(sum * sum) - (double)s->replicas;
    }
    const double pairs = (double)(s->replicas * (s->replicas - 1));
    assert_near(spn_snapshot_overlap(s), overlap / pairs / (double)s->sites, 1e-12);
    ++*looks;
    return SPN_OK;
}

static void snapshots_are_right(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(41, 20);
    uint64_t looks = 0;
    spn_chain_options o = variant(2);
    const spn_until until = spn_test_watch(check_snapshot, &looks, 100);
    compare_threads(energy, o, &until);
    assert_int_equal(looks, 3 * 101);
    spn_energy_free(energy);
}

/* A draw at every step, from replicas that stay: each spin of the centre has its log-odds. */
static void the_centre_follows_the_replicas(void **state)
{
    (void)state;
    enum { SITES = 41, DRAWS = 4000 };
    spn_energy *energy = perceptron(SITES, 20);
    spn_chain_options o = spn_chain_defaults();
    o.start = SPN_START_INDEPENDENT;
    o.beta = spn_test_constant(1);
    o.gamma = spn_test_constant(0.3);
    o.coupling = SPN_COUPLING_CENTRE;
    o.centre_every = 1;
    o.steps = DRAWS;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    uint64_t up[4] = {0}, all[4] = {0};
    for (chain->step = 1; chain->step <= DRAWS; chain->step++) {
        spn_centre_draw(spn_chain_of(chain));
        for (size_t i = 0; i < SITES; i++) {
            const size_t k = (size_t)(spn_chain_of(chain)->sums[i] + 3) / 2;
            up[k] += spn_chain_of(chain)->centre[i] > 0;
            all[k]++;
        }
    }
    for (int k = 0; k < 4; k++) {
        const double p = 1 / (1 + exp(-2 * 0.3 * (2 * k - 3))), n = (double)all[k];
        const double z = ((double)up[k] - n * p) / sqrt(n * p * (1 - p));
        printf("  sum %+d: %.4f, expected %.4f, z = %+.2f\n", 2 * k - 3, (double)up[k] / n, p, z);
        assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
    }
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(3, 2);
    spn_error err = {0};
    spn_sampler *chain;
    spn_chain_options o = spn_chain_defaults();
    o.steps = 1;
    o.coupling = SPN_COUPLING_GIVEN;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "a given centre needs its spins");
    o.centre = (const int8_t[]){1, 0, -1};
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "the given centre has 0 at site 1; spins are -1 or +1");
    o.coupling = (spn_coupling_kind)3;
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "there is no coupling number 3");
    spn_energy_free(energy);
}

/* An energy that is no number at some states: the same complaint at any number of threads. */
static double hole_value(const int8_t *spins, size_t sites, void *context)
{
    (void)context;
    size_t up = 0;
    for (size_t i = 0; i < sites; i++)
        up += spins[i] > 0;
    return up == 5 ? NAN : (double)up;
}

static void errors_name_the_same_step(void **state)
{
    (void)state;
    spn_error first = {0};
    spn_energy *energy;
    assert_ok(spn_callback_create(&energy, 40, hole_value, NULL, NULL, &first), first);
    spn_chain_options o = variant(0);
    o.replicas = 3;
    o.beta = spn_test_constant(1);
    o.start = SPN_START_INDEPENDENT;
    for (o.threads = 1; o.threads <= 3; o.threads++) {
        spn_error err = {0};
        spn_stop stop;
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        spn_chain_of(chain)->sharing.always = true;
        assert_int_equal(spn_sampler_run(&stop, chain, NULL, &err), SPN_ERROR_ENERGY);
        if (o.threads == 1)
            first = err;
        assert_string_equal(err.text, first.text);
        spn_sampler_free(chain);
    }
    spn_energy_free(energy);
}

/* Seven replicas find a solution of a perceptron. */
static void a_perceptron_is_solved(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(201, 80);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 7;
    o.kernel = SPN_KERNEL_ONE_STAGE;
    o.beta = spn_test_linear(0.5, 3);
    o.gamma = spn_test_constant(0.8);
    o.coupling = SPN_COUPLING_CENTRE;
    o.target = SPN_TARGET_ANY;
    o.steps = 201 * 500;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TARGET);
    const spn_snapshot s = spn_test_chain_look(chain);
    bool solved = false;
    for (size_t a = 0; a < s.replicas; a++)
        solved |= spn_energy_value(energy, s.best_spins + a * s.sites) == 0;
    assert_true(solved);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_and_centre_have_their_law),
        cmocka_unit_test(energies_with_their_own_loop_have_it_too),
        cmocka_unit_test(replicas_side_by_side_have_it_too),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(threads_stop_at_the_same_step),
        cmocka_unit_test(saving_and_loading_changes_nothing),
        cmocka_unit_test(parts_and_stops_change_nothing),
        cmocka_unit_test(snapshots_are_right),
        cmocka_unit_test(the_centre_follows_the_replicas),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(errors_name_the_same_step),
        cmocka_unit_test(a_perceptron_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
