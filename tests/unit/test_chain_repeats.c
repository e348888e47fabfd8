/* The chain gives the same bits however a run is cut, saved, threaded or specialised, and others
   for other seeds. */
#include "chain/chain.h"
#include "energy/create.h"
#include "energy/softmax/softmax.h"
#include "support/chains.h"
#include "support/images.h"
#include "support/schedules.h"
#include "support/test.h"

#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static spn_status stop_often(void *context, const spn_progress *progress, spn_error *err)
{
    (void)progress;
    (void)err;
    volatile sig_atomic_t *flag = context;
    *flag = 1;
    return SPN_OK;
}

/* Stopped at odd moments and continued, a run ends as if nothing had happened. */
static void stopping_and_going_on_changes_nothing(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_perceptron(41, 30);
    for (size_t k = 0; k < SPN_TEST_VARIANTS; k++) {
        spn_chain_options o = spn_test_variant(k);
        spn_sampler *whole = spn_test_chain_start(energy, &o);
        spn_test_chain_run(whole);
        volatile sig_atomic_t flag = 0;
        spn_until until = spn_test_watch(stop_often, (void *)(uintptr_t)&flag, 37 + k);
        until.stop = &flag;
        spn_sampler *cut = spn_test_chain_start(energy, &o);
        size_t stops = 0;
        while (spn_test_run_until(cut, &until) == SPN_STOP_REQUEST) {
            flag = 0;
            stops++;
        }
        assert_true(stops >= 3000 / (37 + k) - 1);
        spn_test_assert_same_state(whole, cut);
        spn_sampler_free(whole);
        spn_sampler_free(cut);
    }
    spn_energy_free(energy);
}

/* Run a number of steps at a time, a chain makes exactly so many, and ends as if it was run at
 * once.
 */
static void running_by_steps_changes_nothing(void **state)
{
    (void)state;
    spn_energy *energies[] = {spn_test_perceptron(41, 30), spn_test_lattice()};
    for (size_t k = 0; k < SPN_TEST_VARIANTS; k++) {
        spn_until until = spn_until_defaults();
        spn_chain_options o = spn_test_variant(k);
        o.moves = k % 2 ? SPN_MOVES_WAITING : SPN_MOVES_PLAIN; /* of the lattice */
        const spn_energy *energy = energies[k % 2];
        spn_sampler *whole = spn_test_chain_start(energy, &o);
        spn_test_chain_run(whole);
        spn_sampler *cut = spn_test_chain_start(energy, &o);
        spn_stop stop = SPN_STOP_NONE;
        uint64_t steps = 0;
        while (stop == SPN_STOP_NONE) {
            const uint64_t more = steps % 7 == 6 ? UINT64_MAX : 1 + steps % 13 * 11;
            until.steps = more;
            spn_snapshot before, after;
            spn_chain_snapshot(&before, cut);
            stop = spn_test_run_until(cut, &until);
            spn_chain_snapshot(&after, cut);
            const uint64_t left = o.steps - before.step;
            assert_int_equal(after.step - before.step, more < left ? more : left);
            assert_int_equal(stop, after.step == o.steps ? SPN_STOP_STEPS : SPN_STOP_NONE);
            steps += k % 3 ? 2 : 5;
        }
        spn_test_assert_same_state(whole, cut);
        spn_sampler_free(whole);
        spn_sampler_free(cut);
    }
    spn_energy_free(energies[0]);
    spn_energy_free(energies[1]);
}

typedef struct saver {
    spn_sampler *chain;
    void *bytes;
    size_t size;
} saver;

static spn_status save_once(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    saver *saver_of = context;
    if (s->step == 0 || saver_of->bytes)
        return SPN_OK;
    assert_true(spn_sampler_can_save(saver_of->chain));
    return spn_sampler_save(&saver_of->bytes, &saver_of->size, saver_of->chain, err);
}

enum { SITES = 30 };

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

/* Sums whose last bits depend on how many states are asked for together. */
static void batch_values(double *out, const int8_t *states, size_t count, size_t sites,
                         void *context)
{
    for (size_t k = 0; k < count; k++)
        out[k] = drifting_value(states + k * sites, sites, context) * (1 + 1e-15 * (double)count);
}

/* A user's table of functions, whose cache is the sum of the changes. */
static const double defined_coupling = 0.3;

static double defined_value(const void *problem, const int8_t *spins)
{
    (void)problem;
    return drifting_value(spins, SITES, (void *)(uintptr_t)&defined_coupling);
}

static double defined_attach(const void *problem, void *cache, const int8_t *spins)
{
    return *(double *)cache = defined_value(problem, spins);
}

static double defined_delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)problem;
    (void)cache;
    return drifting_change(spins, SITES, site, (void *)(uintptr_t)&defined_coupling);
}

static double defined_commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    return *(double *)cache -= defined_delta(problem, cache, spins, site);
}

static spn_energy *defined_energy(void)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "sums";
    ops.energy = defined_value;
    ops.attach = ops.refresh = defined_attach;
    ops.delta = defined_delta;
    ops.commit = defined_commit;
    ops.plain_cache = 1;
    assert_ok(spn_energy_define(&energy, &ops, NULL, SITES, sizeof(double), false, &err), err);
    return energy;
}

static spn_energy *softmax_energy(int path)
{
    spn_error err = {0};
    spn_energy *energy;
    const spn_softmax_options o = spn_softmax_options_defaults();
    spn_dataset *data = spn_test_images(70, 16, 3, 20);
    spn_scaling *scaling = spn_test_scaling(16);
    assert_ok(spn_softmax_create_by(&energy, data, scaling, &o, path, spn_cpu_isa(), &err), err);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
    return energy;
}

/* Energies whose caches depend on the way, and one whose do not. */
enum { ENERGIES = 7 };
static void make_energies(spn_energy **out)
{
    static double coupling = 0.1;
    spn_error err = {0};
    spn_energy *inner;
    out[0] = spn_test_perceptron(41, 30);
    assert_ok(spn_callback_create(&out[1], SITES, drifting_value, drifting_change, &coupling, &err),
              err);
    assert_ok(spn_batch_callback_create(&out[2], SITES, batch_values, &coupling, &err), err);
    assert_ok(spn_callback_create(&inner, SITES, drifting_value, drifting_change, &coupling, &err),
              err);
    assert_ok(spn_penalty_create(&out[3], inner, SITES, 10, 3, 0.1, &err), err);
    out[4] = softmax_energy(SPN_SOFTMAX_FAST);
    out[5] = softmax_energy(SPN_SOFTMAX_PLAIN);
    out[6] = defined_energy();
}

/* A state that does not fit is refused. */
static void check_refused(spn_sampler *chain, saver *saved)
{
    spn_error err = {0};
    for (size_t less = 1; less <= 64; less *= 2)
        assert_int_equal(spn_sampler_load(chain, saved->bytes, saved->size - less, &err),
                         SPN_ERROR_ARGUMENT);
    if (spn_chain_of(chain)->slots.refresh)
        return;
    ((unsigned char *)saved->bytes)[saved->size - 1] = 3; /* a spin */
    assert_int_equal(spn_sampler_load(chain, saved->bytes, saved->size, &err), SPN_ERROR_ARGUMENT);
}

static void check_saved(const spn_energy *energy, const spn_chain_options *o, uint64_t step)
{
    spn_error err = {0};
    saver saver_of = {0};
    const spn_until until = spn_test_watch(save_once, &saver_of, step);
    spn_sampler *plain = spn_test_chain_start(energy, o);
    spn_sampler *whole = saver_of.chain = spn_test_chain_start(energy, o);
    spn_test_chain_run(plain);
    spn_test_run_until(whole, &until);
    spn_test_assert_same_state(plain, whole); /* saving changes nothing either */
    assert_non_null(saver_of.bytes);
    spn_sampler *resumed = spn_test_chain_start(energy, o);
    assert_ok(spn_sampler_load(resumed, saver_of.bytes, saver_of.size, &err), err);
    spn_test_chain_run(resumed);
    spn_test_assert_same_state(whole, resumed);
    check_refused(resumed, &saver_of);
    free(saver_of.bytes);
    spn_sampler_free(plain);
    spn_sampler_free(whole);
    spn_sampler_free(resumed);
}

/* A chain saved at any step and loaded into a new one ends where the saved one does, also with
   energies whose caches depend on the way in their last bits. */
static void saving_and_loading_changes_nothing(void **state)
{
    (void)state;
    spn_energy *energies[ENERGIES];
    make_energies(energies);
    for (size_t e = 0; e < ENERGIES; e++) {
        for (size_t k = 0; k < SPN_TEST_VARIANTS; k += e < 2 ? 1 : 7) {
            spn_chain_options o = spn_test_variant(k);
            o.steps = e < 2 ? 10000 : 700;
            check_saved(energies[e], &o, k % 3 ? 37 + k : e < 2 ? 4096 : 300);
        }
        spn_energy_free(energies[e]);
    }
}

/* Put a word at a place into a saved state, and see it refused; then put back what was there. */
static void check_forged(spn_sampler *chain, unsigned char *bytes, size_t size, size_t at,
                         uint64_t word, const char *why)
{
    uint64_t before;
    spn_error err = {0};
    memcpy(&before, bytes + at, sizeof before);
    memcpy(bytes + at, &word, sizeof word);
    assert_int_equal(spn_sampler_load(chain, bytes, size, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, why));
    memcpy(bytes + at, &before, sizeof before);
    assert_ok(spn_sampler_load(chain, bytes, size, &err), err);
}

/* A saved state with numbers that no run comes to is refused: they are in the head, steps first,
   and before the spins at the end, the best energies last. */
static void forged_states_are_refused(void **state)
{
    (void)state;
    enum { STEP = 1 * 8, IMPROVED = 12 * 8, BETA = 13 * 8, HIT = 15 * 8 };
    const uint64_t nan_bits = 0x7ff8000000000000, billion = 0x41cdcd6500000000; /* as doubles */
    spn_energy *energy = spn_test_perceptron(21, 9);
    spn_chain_options o = spn_test_variant(0);
    spn_error err = {0};
    void *bytes;
    size_t size;
    o.steps = 100;
    spn_sampler *chain = spn_test_chain_start(energy, &o);
    spn_test_chain_run(chain);
    assert_ok(spn_sampler_save(&bytes, &size, chain, &err), err);
    const size_t best = size - 2 * o.replicas * 21 - 8;
    check_forged(chain, bytes, size, STEP, 101, "numbers that no run comes to");
    check_forged(chain, bytes, size, IMPROVED, 101, "numbers that no run comes to");
    check_forged(chain, bytes, size, BETA, nan_bits, "numbers that no run comes to");
    check_forged(chain, bytes, size, HIT, 1000, "numbers that no run comes to");
    check_forged(chain, bytes, size, best, nan_bits, "best energies");
    check_forged(chain, bytes, size, best, billion, "best energies");
    free(bytes);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    spn_energy *energies[] = {spn_test_lattice(),
                              spn_test_perceptron(5, 7)}; /* few sites: replicas meet often */
    for (size_t k = 0; k < SPN_TEST_VARIANTS; k++)
        for (size_t e = 0; e < 2; e++) {
            spn_chain_options o = spn_test_variant(k);
            o.steps = 300;
            spn_sampler *one = spn_test_chain_start(energies[e], &o);
            spn_test_chain_run(one);
            for (unsigned threads = 2; threads <= 5; threads += 3) {
                o.threads = threads;
                spn_sampler *several = spn_test_chain_start(energies[e], &o);
                spn_chain_of(several)->sharing.always = true;
                spn_test_chain_run(several);
                spn_test_assert_same_state(one, several);
                spn_sampler_free(several);
            }
            spn_sampler_free(one);
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
    spn_energy *plain = spn_test_perceptron(101, 80), *slow;
    assert_ok(spn_callback_create(&slow, 101, repeated_value, NULL, plain, &err), err);
    spn_chain_options o = spn_test_variant(0);
    o.steps = 400;
    spn_sampler *one = spn_test_chain_start(plain, &o);
    spn_test_chain_run(one);
    for (unsigned threads = 2; threads <= 3; threads++) {
        o.threads = threads;
        spn_sampler *several = spn_test_chain_start(slow, &o);
        spn_test_chain_run(several);
        spn_test_assert_same_state(one, several);
        spn_sampler_free(several);
    }
    spn_sampler_free(one);
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
    spn_energy *energies[] = {spn_test_lattice(), spn_test_perceptron(40, 30)};
    for (size_t e = 0; e < 2; e++) {
        spn_error err = {0};
        spn_energy *slow;
        assert_ok(spn_callback_create(&slow, spn_energy_sites(energies[e]), value_of, NULL,
                                      energies[e], &err),
                  err);
        for (size_t k = 0; k < SPN_TEST_VARIANTS; k++) {
            spn_chain_options o = spn_test_variant(k);
            spn_sampler *a = spn_test_chain_start(energies[e], &o),
                        *b = spn_test_chain_start(slow, &o);
            spn_test_chain_run(a);
            spn_test_chain_run(b);
            spn_test_assert_same_state(a, b);
            spn_sampler_free(a);
            spn_sampler_free(b);
        }
        spn_energy_free(slow);
        spn_energy_free(energies[e]);
    }
}

static void runs_and_seeds_differ(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_chain_options o = spn_test_variant(6);
    spn_sampler *chains[3];
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
        spn_sampler_free(chains[c]);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopping_and_going_on_changes_nothing),
        cmocka_unit_test(running_by_steps_changes_nothing),
        cmocka_unit_test(saving_and_loading_changes_nothing),
        cmocka_unit_test(forged_states_are_refused),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(sharing_out_what_pays_changes_nothing),
        cmocka_unit_test(fast_and_slow_energies_decide_alike),
        cmocka_unit_test(runs_and_seeds_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
