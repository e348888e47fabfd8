/* The chain: starts, stops, observers, schedules in force, best states; the same bits however the
   run is cut, threaded or specialised. */
#include "core/chain.h"
#include "support/chains.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static spn_energy *perceptron(size_t sites, size_t patterns)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_random_patterns(&problem, sites, patterns, 3, false, &err), err);
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

/* Everything a snapshot shows is what it should be, recomputed from the spins. */
static void check_consistent(const spn_chain *chain, const spn_energy *energy)
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

/* Options k of a list that covers kernels, orders, schedules and replica numbers. */
static spn_chain_options variant(size_t k)
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
enum { VARIANTS = 96 };

static void states_stay_consistent(void **state)
{
    (void)state;
    spn_energy *energies[] = {spn_test_lattice(), perceptron(41, 30)};
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t e = 0; e < 2; e++) {
            spn_chain_options o = variant(k);
            o.start = k % 5 ? SPN_START_INDEPENDENT : SPN_START_SAME;
            spn_chain *chain = spn_test_chain_start(energies[e], &o);
            check_consistent(chain, energies[e]);
            assert_int_equal(spn_test_chain_run(chain), SPN_STOP_STEPS);
            check_consistent(chain, energies[e]);
            spn_snapshot s;
            spn_chain_snapshot(&s, chain);
            assert_int_equal(s.step, 3000);
            uint64_t proposals = 0;
            for (size_t a = 0; a < s.replicas; a++)
                proposals += s.proposals[a];
            assert_int_equal(proposals, o.order == SPN_ORDER_RANDOM ? 3000 : 3000 * s.replicas);
            spn_chain_free(chain);
        }
    spn_energy_free(energies[0]);
    spn_energy_free(energies[1]);
}

static spn_status stop_often(void *context, const spn_snapshot *s, spn_error *err)
{
    (void)s;
    (void)err;
    volatile sig_atomic_t *flag = context;
    *flag = 1;
    return SPN_OK;
}

/* Stopped at odd moments and continued, a run ends as if nothing had happened. */
static void stopping_and_going_on_changes_nothing(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(41, 30);
    for (size_t k = 0; k < VARIANTS; k++) {
        spn_chain_options o = variant(k);
        spn_chain *whole = spn_test_chain_start(energy, &o);
        spn_test_chain_run(whole);
        volatile sig_atomic_t flag = 0;
        o.stop = &flag;
        o.observer = stop_often;
        o.observer_context = (void *)(uintptr_t)&flag;
        o.observe_every = 37 + k;
        spn_chain *cut = spn_test_chain_start(energy, &o);
        size_t stops = 0;
        while (spn_test_chain_run(cut) == SPN_STOP_REQUEST) {
            flag = 0;
            stops++;
        }
        assert_true(stops >= 3000 / (37 + k) - 1);
        spn_test_assert_same_state(whole, cut);
        spn_chain_free(whole);
        spn_chain_free(cut);
    }
    spn_energy_free(energy);
}

/* Run a number of steps at a time, a chain makes exactly so many, and ends as if it was run at
 * once.
 */
static void running_by_steps_changes_nothing(void **state)
{
    (void)state;
    spn_energy *energies[] = {perceptron(41, 30), spn_test_lattice()};
    for (size_t k = 0; k < VARIANTS; k++) {
        spn_error err = {0};
        spn_chain_options o = variant(k);
        o.moves = k % 2 ? SPN_MOVES_WAITING : SPN_MOVES_PLAIN; /* of the lattice */
        const spn_energy *energy = energies[k % 2];
        spn_chain *whole = spn_test_chain_start(energy, &o);
        spn_test_chain_run(whole);
        spn_chain *cut = spn_test_chain_start(energy, &o);
        spn_stop stop = SPN_STOP_NONE;
        uint64_t steps = 0;
        while (stop == SPN_STOP_NONE) {
            const uint64_t more = steps == 0 ? 0 : steps % 7 == 0 ? UINT64_MAX : steps % 13 * 11;
            spn_snapshot before, after;
            spn_chain_snapshot(&before, cut);
            assert_ok(spn_chain_run_for(&stop, cut, more, &err), err);
            spn_chain_snapshot(&after, cut);
            const uint64_t left = o.steps - before.step;
            assert_int_equal(after.step - before.step, more < left ? more : left);
            assert_int_equal(stop, after.step == o.steps ? SPN_STOP_STEPS : SPN_STOP_NONE);
            steps += k % 3 ? 2 : 5;
        }
        spn_test_assert_same_state(whole, cut);
        spn_chain_free(whole);
        spn_chain_free(cut);
    }
    spn_energy_free(energies[0]);
    spn_energy_free(energies[1]);
}

typedef struct saver {
    spn_chain *chain;
    void *bytes;
    size_t size;
} saver;

static spn_status save_once(void *context, const spn_snapshot *s, spn_error *err)
{
    saver *saver_of = context;
    if (s->step == 0 || saver_of->bytes || !spn_chain_can_save(saver_of->chain))
        return SPN_OK;
    return spn_chain_save(&saver_of->bytes, &saver_of->size, saver_of->chain, err);
}

static double drifting_value(const int8_t *spins, size_t sites, void *context)
{
    double total = 0;
    for (size_t i = 0; i < sites; i++)
        total += *(const double *)context * (double)(i + 1) * spins[i] * spins[(i + 1) % sites];
    return total;
}

static double drifting_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    size_t before = (site + sites - 1) % sites;
    double around =
        (double)(site + 1) * spins[(site + 1) % sites] + (double)(before + 1) * spins[before];
    return -2 * *(const double *)context * spins[site] * around;
}

/* A chain saved in the middle and loaded into a new one ends where the saved one does, also with an
   energy that sums up changes and so depends on its history in the last bits. */
static void saving_and_loading_changes_nothing(void **state)
{
    (void)state;
    double coupling = 0.1;
    spn_error err = {0};
    spn_energy *energies[] = {perceptron(41, 30), NULL};
    assert_ok(
        spn_callback_create(&energies[1], 30, drifting_value, drifting_change, &coupling, &err),
        err);
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t e = 0; e < 2; e++) {
            spn_chain_options o = variant(k);
            saver saver_of = {0};
            o.steps = 20000;
            o.observer = save_once;
            o.observer_context = &saver_of;
            o.observe_every = 4096;
            spn_chain *whole = saver_of.chain = spn_test_chain_start(energies[e], &o);
            spn_test_chain_run(whole);
            assert_non_null(saver_of.bytes);
            o.observer = NULL;
            spn_chain *resumed = spn_test_chain_start(energies[e], &o);
            assert_ok(spn_chain_load(resumed, saver_of.bytes, saver_of.size, &err), err);
            spn_test_chain_run(resumed);
            spn_test_assert_same_state(whole, resumed);
            /* a state that does not fit is refused */
            assert_int_equal(spn_chain_load(resumed, saver_of.bytes, saver_of.size - 1, &err),
                             SPN_ERROR_ARGUMENT);
            ((unsigned char *)saver_of.bytes)[saver_of.size - 1] = 3;
            assert_int_equal(spn_chain_load(resumed, saver_of.bytes, saver_of.size, &err),
                             SPN_ERROR_ARGUMENT);
            free(saver_of.bytes);
            spn_chain_free(whole);
            spn_chain_free(resumed);
        }
    spn_energy_free(energies[0]);
    spn_energy_free(energies[1]);
}

/* Put a word at a place into a saved state, and see it refused; then put back what was there. */
static void check_forged(spn_chain *chain, unsigned char *bytes, size_t size, size_t at,
                         uint64_t word, const char *why)
{
    uint64_t before;
    spn_error err = {0};
    memcpy(&before, bytes + at, sizeof before);
    memcpy(bytes + at, &word, sizeof word);
    assert_int_equal(spn_chain_load(chain, bytes, size, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, why));
    memcpy(bytes + at, &before, sizeof before);
    assert_ok(spn_chain_load(chain, bytes, size, &err), err);
}

/* A saved state with numbers that no run comes to is refused: they are in the head, steps first,
   and before the spins at the end, the best energies last. */
static void forged_states_are_refused(void **state)
{
    (void)state;
    enum { STEP = 4 * 8, IMPROVED = 6 * 8, BETA = 7 * 8, HIT = 9 * 8 };
    const uint64_t nan_bits = 0x7ff8000000000000, billion = 0x41cdcd6500000000; /* as doubles */
    spn_energy *energy = perceptron(21, 9);
    spn_chain_options o = variant(0);
    spn_error err = {0};
    void *bytes;
    size_t size;
    o.steps = 100;
    spn_chain *chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_ok(spn_chain_save(&bytes, &size, chain, &err), err);
    const size_t best = size - 2 * o.replicas * 21 - 8;
    check_forged(chain, bytes, size, STEP, 101, "numbers that no run comes to");
    check_forged(chain, bytes, size, IMPROVED, 101, "numbers that no run comes to");
    check_forged(chain, bytes, size, BETA, nan_bits, "numbers that no run comes to");
    check_forged(chain, bytes, size, HIT, 1000, "numbers that no run comes to");
    check_forged(chain, bytes, size, best, nan_bits, "best energies");
    check_forged(chain, bytes, size, best, billion, "best energies");
    free(bytes);
    spn_chain_free(chain);
    spn_energy_free(energy);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    spn_energy *energies[] = {spn_test_lattice(),
                              perceptron(5, 7)}; /* few sites: replicas meet often */
    for (size_t k = 0; k < VARIANTS; k++)
        for (size_t e = 0; e < 2; e++) {
            spn_chain_options o = variant(k);
            o.steps = 300;
            spn_chain *one = spn_test_chain_start(energies[e], &o);
            spn_test_chain_run(one);
            for (unsigned threads = 2; threads <= 5; threads += 3) {
                o.threads = threads;
                spn_chain *several = spn_test_chain_start(energies[e], &o);
                several->sharing.always = true;
                spn_test_chain_run(several);
                spn_test_assert_same_state(one, several);
                spn_chain_free(several);
            }
            spn_chain_free(one);
        }
    spn_energy_free(energies[0]);
    spn_energy_free(energies[1]);
}

/* Slow enough to be shared out where that pays. */
static double repeated_value(const int8_t *spins, size_t sites, void *context)
{
    double value = 0;
    for (int k = 0; k < 30; k++)
        value = spn_energy_value(context, spins);
    (void)sites;
    return value;
}

static void sharing_out_what_pays_changes_nothing(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *plain = perceptron(101, 80), *slow;
    assert_ok(spn_callback_create(&slow, 101, repeated_value, NULL, plain, &err), err);
    spn_chain_options o = variant(0);
    o.steps = 400;
    spn_chain *one = spn_test_chain_start(plain, &o);
    spn_test_chain_run(one);
    for (unsigned threads = 2; threads <= 3; threads++) {
        o.threads = threads;
        spn_chain *several = spn_test_chain_start(slow, &o);
        spn_test_chain_run(several);
        spn_test_assert_same_state(one, several);
        spn_chain_free(several);
    }
    spn_chain_free(one);
    spn_energy_free(slow);
    spn_energy_free(plain);
}

static double value_of(const int8_t *spins, size_t sites, void *context)
{
    (void)sites;
    return spn_energy_value(context, spins);
}

/* An energy's fast slots, and the loop it is inlined into, decide as the slow default does. */
static void fast_and_slow_energies_decide_alike(void **state)
{
    (void)state;
    spn_energy *energies[] = {spn_test_lattice(), perceptron(40, 30)};
    for (size_t e = 0; e < 2; e++) {
        spn_error err = {0};
        spn_energy *slow;
        assert_ok(spn_callback_create(&slow, spn_energy_sites(energies[e]), value_of, NULL,
                                      energies[e], &err),
                  err);
        for (size_t k = 0; k < VARIANTS; k++) {
            spn_chain_options o = variant(k);
            spn_chain *a = spn_test_chain_start(energies[e], &o),
                      *b = spn_test_chain_start(slow, &o);
            spn_test_chain_run(a);
            spn_test_chain_run(b);
            spn_test_assert_same_state(a, b);
            spn_chain_free(a);
            spn_chain_free(b);
        }
        spn_energy_free(slow);
        spn_energy_free(energies[e]);
    }
}

static void runs_and_seeds_differ(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = variant(6);
    spn_chain *chains[3];
    for (size_t c = 0; c < 3; c++) {
        o.seed = c == 1 ? 5 : 4;
        o.run = c == 2;
        chains[c] = spn_test_chain_start(energy, &o);
        spn_test_chain_run(chains[c]);
    }
    for (size_t c = 1; c < 3; c++) {
        spn_snapshot x, y;
        spn_chain_snapshot(&x, chains[0]);
        spn_chain_snapshot(&y, chains[c]);
        assert_memory_not_equal(x.spins, y.spins, x.replicas * x.sites);
    }
    for (size_t c = 0; c < 3; c++)
        spn_chain_free(chains[c]);
    spn_energy_free(energy);
}

static void starts_are_what_was_asked(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(1001, 10);
    spn_snapshot s;
    spn_chain_options o = spn_chain_defaults();
    o.steps = 1;
    spn_chain *chain = spn_test_chain_start(energy, &o);
    spn_chain_snapshot(&s, chain);
    assert_memory_equal(s.spins, s.spins + s.sites, s.sites);
    assert_true(spn_snapshot_overlap(&s) == 1);
    int8_t *given = malloc(3 * s.sites);
    memcpy(given, s.spins, 3 * s.sites);
    spn_chain_free(chain);

    o.start = SPN_START_INDEPENDENT;
    chain = spn_test_chain_start(energy, &o);
    spn_chain_snapshot(&s, chain);
    /* the overlap of independent states has variance 1/(3N) */
    assert_true(spn_normal_tail(spn_snapshot_overlap(&s) * sqrt(3 * 1001.0)) > SPN_FALSE_ALARM);
    spn_chain_free(chain);

    given[5] = (int8_t)-given[5];
    o.start = SPN_START_GIVEN;
    o.given = given;
    chain = spn_test_chain_start(energy, &o);
    spn_chain_snapshot(&s, chain);
    assert_memory_equal(s.spins, given, 3 * s.sites);
    spn_chain_free(chain);
    given[7] = 0;
    spn_error err = {0};
    assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
    free(given);
    spn_energy_free(energy);
}

static void targets_end_a_run(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(201, 40);
    for (int rule = SPN_TARGET_ANY; rule <= SPN_TARGET_ALL; rule++) {
        spn_chain_options o = spn_chain_defaults();
        o.steps = 1000000;
        o.beta = spn_test_exponential(0.3, 3);
        o.gamma = spn_test_constant(0.8);
        o.target = (spn_target)rule;
        o.target_energy = 0;
        spn_chain *chain = spn_test_chain_start(energy, &o);
        assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TARGET);
        spn_snapshot s;
        spn_chain_snapshot(&s, chain);
        size_t zero = 0;
        for (size_t a = 0; a < 3; a++)
            zero += s.energy[a] <= 0;
        assert_int_equal(zero, rule == SPN_TARGET_ANY ? 1 : 3);
        uint64_t at = s.step;
        assert_int_equal(spn_test_chain_run(chain),
                         SPN_STOP_TARGET); /* still there: no step is made */
        spn_chain_snapshot(&s, chain);
        assert_int_equal(s.step, at);
        check_consistent(chain, energy);
        spn_chain_free(chain);
    }
    spn_energy_free(energy);
}

static void patience_ends_a_run(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    for (int order = 0; spn_order_name((spn_order)order); order++) {
        spn_chain_options o = spn_chain_defaults();
        o.order = (spn_order)order;
        o.beta = spn_test_constant(50); /* freezes in a local minimum */
        o.patience = 30000;
        spn_chain *chain = spn_test_chain_start(energy, &o);
        assert_int_equal(spn_test_chain_run(chain), SPN_STOP_PATIENCE);
        spn_snapshot s;
        spn_chain_snapshot(&s, chain);
        uint64_t per_step = order == SPN_ORDER_RANDOM ? 1 : 3;
        assert_true(s.step * per_step >= 30000);

        /* one step less, and the best energies are those already */
        o.patience = 0;
        o.steps = s.step - 30000 / per_step;
        spn_chain *shorter = spn_test_chain_start(energy, &o);
        spn_test_chain_run(shorter);
        spn_snapshot t;
        spn_chain_snapshot(&t, shorter);
        assert_memory_equal(s.best_energy, t.best_energy, 3 * sizeof(double));
        spn_chain_free(shorter);
        spn_chain_free(chain);
    }
    spn_energy_free(energy);
}

static double slow_value(const int8_t *spins, size_t sites, void *context)
{
    (void)context;
    volatile double total = 0;
    for (int k = 0; k < 200000; k++)
        total += spins[(size_t)k % sites];
    return total;
}

/* A time budget ends a run whose single calls are slow, without waiting for a whole block. */
static void time_ends_a_run(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_callback_create(&energy, 20, slow_value, NULL, NULL, &err), err);
    spn_chain_options o = spn_chain_defaults();
    o.seconds = 0.05;
    spn_chain *chain = spn_test_chain_start(energy, &o);
    assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TIME);
    spn_chain_free(chain);
    spn_energy_free(energy);
}

typedef struct watch {
    uint64_t seen, last;
    double energy_before;
    spn_status answer;
} watch;

static spn_status observe(void *context, const spn_snapshot *s, spn_error *err)
{
    watch *w = context;
    assert_true(w->seen == 0 ? s->step == 0 : s->step > w->last);
    w->seen++;
    w->last = s->step;
    if (w->answer && w->seen == 3)
        return spn_fail(err, w->answer, "enough");
    return SPN_OK;
}

static void observers_are_called_when_due(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    for (int order = 0; spn_order_name((spn_order)order); order++) {
        spn_chain_options o = spn_chain_defaults();
        watch w = {0};
        o.order = (spn_order)order;
        o.steps = 1000;
        o.observer = observe;
        o.observer_context = &w;
        o.observe_every = 7;
        spn_chain *chain = spn_test_chain_start(energy, &o);
        spn_test_chain_run(chain);
        assert_int_equal(w.seen, 1 + 142 + 1); /* the start, 7..994, the end */
        assert_int_equal(w.last, 1000);
        spn_chain_free(chain);
        w = (watch){.answer = SPN_ERROR_IO};
        chain = spn_test_chain_start(energy, &o);
        spn_error err = {0};
        spn_stop stop;
        assert_int_equal(spn_chain_run(&stop, chain, &err), SPN_ERROR_IO);
        assert_string_equal(err.text, "enough");
        assert_int_equal(w.last, 14);
        spn_chain_free(chain);
    }
    spn_energy_free(energy);
}

static spn_status check_scoping(void *context, const spn_snapshot *s, spn_error *err)
{
    (void)err;
    uint64_t *changes = context, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++)
        accepted += s->accepted[a];
    static uint64_t before;
    if (s->step > 0) { /* beta of the last step belongs to the moves accepted before it */
        assert_near(s->beta, 0.2 * pow(1.1, (double)(before / 300)), 1e-12);
        assert_near(s->gamma, 0.1 * pow(1.2, (double)(before / 300)), 1e-12);
        *changes = before / 300;
    }
    before = accepted;
    return SPN_OK;
}

static void scoping_follows_accepted_moves(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    uint64_t changes = 0;
    spn_chain_options o = spn_chain_defaults();
    o.steps = 3000;
    o.beta = spn_test_scoping(0.2, 0.1, 100);
    o.gamma = spn_test_scoping(0.1, 0.2, 100);
    o.observer = check_scoping;
    o.observer_context = &changes;
    o.observe_every = 1;
    spn_chain *chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_true(changes > 5);
    spn_chain_free(chain);
    spn_energy_free(energy);
}

static void pieces_of_gamma_use_their_tables(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy = spn_test_lattice();
    const spn_piece pieces[] = {{0, 100}, {0.5, 1}, {2, 333}, {1, 10}};
    spn_chain_options o = spn_chain_defaults();
    o.steps = 600;
    spn_schedule *gamma;
    assert_ok(spn_schedule_pieces(&gamma, pieces, 4, &err), err);
    o.gamma = gamma;
    spn_chain *chain = spn_test_chain_start(energy, &o);
    spn_schedule_free(gamma); /* the chain has its own copy */
    spn_test_chain_run(chain);
    check_consistent(chain, energy);
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    assert_true(s.gamma == 1);
    spn_chain_free(chain);
    spn_energy_free(energy);
}

static spn_status look_on(void *context, const spn_snapshot *s, spn_error *err)
{
    (void)context, (void)s, (void)err;
    return SPN_OK;
}

/* Where gamma differs at every step, most moves are rejected by a bound over a block of steps; a
   block of one step, as there is where every step is observed, has none. */
static void bounds_of_a_coupling_that_rises_change_nothing(void **state)
{
    (void)state;
    const spn_schedule gamma = {.kind = SPN_SCHEDULE_LINEAR, .start = 0.1, .end = 2};
    const spn_schedule beta = {.kind = SPN_SCHEDULE_LINEAR, .start = 0.2, .end = 2};
    spn_energy *energies[] = {spn_test_lattice(), perceptron(41, 30)};
    for (size_t e = 0; e < 2; e++) {
        for (size_t k = 0; k < 36; k++) {
            spn_chain_options o = spn_chain_defaults();
            o.replicas = (size_t[]){2, 3, 7, 16}[k % 4];
            o.kernel = (spn_kernel)(k / 4 % 3);
            o.order = (spn_order)(k / 12);
            o.gamma = &gamma;
            o.beta = &beta;
            o.steps = 3000;
            spn_chain *bounded = spn_test_chain_start(energies[e], &o);
            o.observer = look_on;
            o.observe_every = 1;
            spn_chain *plain = spn_test_chain_start(energies[e], &o);
            spn_test_chain_run(bounded);
            spn_test_chain_run(plain);
            spn_test_assert_same_state(bounded, plain);
            spn_chain_free(bounded);
            spn_chain_free(plain);
        }
        spn_energy_free(energies[e]);
    }
}

static double nan_value(const int8_t *spins, size_t sites, void *context)
{
    int sum = 0;
    for (size_t i = 0; i < sites; i++)
        sum += spins[i];
    return context && sum > 4 ? (double)NAN : -sum;
}

static double nan_change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    (void)sites;
    return context && site == 3 ? (double)NAN : 2.0 * spins[site];
}

static void nan_energies_are_reported(void **state)
{
    (void)state;
    int on = 1;
    int8_t given[60];
    memset(given, -1, sizeof given);
    for (size_t k = 0; k < 12; k++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_chain *chain;
        spn_stop stop;
        spn_chain_options o = spn_chain_defaults();
        o.kernel = (spn_kernel)(k % 3);
        o.threads = k < 6 ? 1 : 2;
        o.steps = 100000;
        o.start = SPN_START_GIVEN;
        o.given = given;
        assert_ok(spn_callback_create(&energy, 20, nan_value, k % 2 ? nan_change : NULL, &on, &err),
                  err);
        assert_ok(spn_chain_create(&chain, energy, &o, &err), err);
        assert_int_equal(spn_chain_run(&stop, chain, &err), SPN_ERROR_ENERGY);
        assert_non_null(strstr(err.text, "not a number after a flip of site"));
        spn_chain_free(chain);
        memset(given, 1, sizeof given);
        assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ENERGY);
        memset(given, -1, sizeof given);
        spn_energy_free(energy);
    }
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    for (int k = 0; k < 9; k++) {
        spn_chain_options o = spn_chain_defaults();
        o.steps = 10;
        if (k == 0)
            o.replicas = 0;
        if (k == 1)
            o.replicas = 256;
        if (k == 2)
            o.beta = spn_test_constant(-1);
        if (k == 3)
            o.gamma = spn_test_constant(NAN);
        if (k == 4)
            o.steps = 0; /* and no other stop */
        if (k == 5)
            o.start = SPN_START_GIVEN;
        if (k == 6)
            o.threads = 0;
        if (k == 7)
            o.seconds = -1;
        if (k == 8) {
            o.target = SPN_TARGET_ANY;
            o.target_energy = NAN;
        }
        spn_error err = {0};
        spn_chain *chain;
        assert_int_equal(spn_chain_create(&chain, energy, &o, &err), SPN_ERROR_ARGUMENT);
        assert_null(chain);
        assert_true(strlen(err.text) > 10);
    }
    spn_energy_free(energy);
    spn_chain_free(NULL);
}

/* Sees every step: the first at which some replica is at the target. */
typedef struct hit_watch {
    double target;
    uint64_t step;
} hit_watch;

static spn_status watch_hit(void *context, const spn_snapshot *s, spn_error *err)
{
    hit_watch *seen = context;
    (void)err;
    for (size_t a = 0; a < s->replicas && seen->step == SPN_NO_HIT; a++)
        if (s->energy[a] <= seen->target)
            seen->step = s->step;
    return SPN_OK;
}

/* With a target that stops and without, in every order, with the loop of the energy's own and with
   threads, after a stop and a load, the first hit is the one that an observer of every step sees.
 */
static void first_hits_are_noted(void **state)
{
    (void)state;
    spn_energy *energy = perceptron(101, 30);
    for (int k = 0; k < 24; k++) {
        spn_chain_options o = spn_chain_defaults();
        o.order = (spn_order)(k % 3);
        o.target = (spn_target)(k / 3 % 3);
        o.threads = k < 18 ? 1 : 2;
        o.target_energy = k % 2 ? 3 : k == 4 ? -1 : 0;
        o.seed = (uint64_t)k + 1;
        o.beta = spn_test_exponential(0.3, 3);
        o.steps = 6000;
        hit_watch seen = {o.target_energy, SPN_NO_HIT};
        o.observer = watch_hit;
        o.observer_context = &seen;
        o.observe_every = 1;
        spn_chain *watched = spn_test_chain_start(energy, &o);
        spn_test_chain_run(watched);
        o.observer = NULL;
        o.observe_every = 0;
        spn_chain *plain = spn_test_chain_start(energy, &o),
                  *loaded = spn_test_chain_start(energy, &o);
        spn_test_chain_run(plain);
        spn_snapshot s, t, u;
        spn_chain_snapshot(&s, watched);
        spn_chain_snapshot(&t, plain);
        assert_true(s.first_hit == seen.step && t.first_hit == seen.step);
        assert_true(k == 4 ? seen.step == SPN_NO_HIT : seen.step < 6000);
        assert_true((t.first_hit_seconds > 0) == (k != 4));
        spn_error err = {0};
        void *bytes;
        size_t size;
        assert_ok(spn_chain_save(&bytes, &size, plain, &err), err);
        assert_ok(spn_chain_load(loaded, bytes, size, &err), err);
        spn_chain_snapshot(&u, loaded);
        assert_true(u.first_hit == t.first_hit && u.first_hit_seconds == t.first_hit_seconds);
        free(bytes);
        spn_chain_free(watched);
        spn_chain_free(plain);
        spn_chain_free(loaded);
    }
    spn_energy_free(energy);
}

/* The sizes the library promises: 255 replicas, and a million spins. */
static void large_systems_work(void **state)
{
    (void)state;
    spn_energy *small = perceptron(31, 5);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 255;
    o.gamma = spn_test_constant(1e4);
    o.steps = 200;
    for (int order = 0; spn_order_name((spn_order)order); order++) {
        o.order = (spn_order)order;
        spn_chain *chain = spn_test_chain_start(small, &o);
        spn_test_chain_run(chain);
        check_consistent(chain, small);
        spn_chain_free(chain);
    }
    spn_energy_free(small);

    spn_error err = {0};
    spn_problem *problem;
    spn_energy *large;
    assert_ok(spn_problem_random_lattice(&problem, 1000, 1000, 1, &err), err);
    assert_ok(spn_energy_create(&large, "ising", problem, &err), err);
    spn_problem_free(problem);
    o = spn_chain_defaults();
    o.replicas = 2;
    o.steps = 100000;
    spn_chain *chain = spn_test_chain_start(large, &o);
    spn_test_chain_run(chain);
    check_consistent(chain, large);
    spn_chain_free(chain);
    spn_energy_free(large);
}

/* One documented setting solves ten of ten instances: the README's example. */
static void perceptron_is_solved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        spn_error err = {0};
        spn_problem *problem;
        spn_energy *energy;
        assert_ok(spn_problem_random_patterns(&problem, 1001, 300, seed, false, &err), err);
        assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
        spn_chain_options o = spn_chain_defaults();
        o.seed = seed;
        o.beta = spn_test_exponential(0.3, 3);
        o.gamma = spn_test_constant(1);
        o.steps = 3000000;
        o.target = SPN_TARGET_ALL;
        spn_chain *chain = spn_test_chain_start(energy, &o);
        assert_int_equal(spn_test_chain_run(chain), SPN_STOP_TARGET);
        check_consistent(chain, energy);
        spn_chain_free(chain);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_stay_consistent),
        cmocka_unit_test(stopping_and_going_on_changes_nothing),
        cmocka_unit_test(running_by_steps_changes_nothing),
        cmocka_unit_test(saving_and_loading_changes_nothing),
        cmocka_unit_test(forged_states_are_refused),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(sharing_out_what_pays_changes_nothing),
        cmocka_unit_test(fast_and_slow_energies_decide_alike),
        cmocka_unit_test(runs_and_seeds_differ),
        cmocka_unit_test(starts_are_what_was_asked),
        cmocka_unit_test(targets_end_a_run),
        cmocka_unit_test(first_hits_are_noted),
        cmocka_unit_test(patience_ends_a_run),
        cmocka_unit_test(time_ends_a_run),
        cmocka_unit_test(observers_are_called_when_due),
        cmocka_unit_test(scoping_follows_accepted_moves),
        cmocka_unit_test(pieces_of_gamma_use_their_tables),
        cmocka_unit_test(bounds_of_a_coupling_that_rises_change_nothing),
        cmocka_unit_test(nan_energies_are_reported),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(large_systems_work),
        cmocka_unit_test(perceptron_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
