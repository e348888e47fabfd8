/* The ways in which a chain ends, its first hits, and when its observer is called. */
#include "support/chains.h"
#include "support/schedules.h"
#include "support/test.h"

#include <spinney/spinney.h>
#include <stdlib.h>
#include <string.h>

static void targets_end_a_run(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_perceptron(201, 40);
    for (int rule = SPN_TARGET_ANY; rule <= SPN_TARGET_ALL; rule++) {
        spn_chain_options o = spn_chain_defaults();
        o.steps = 1000000;
        o.beta = spn_test_exponential(0.3, 3);
        o.gamma = spn_test_constant(0.8);
        o.target = (spn_target)rule;
        o.target_energy = 0;
        spn_sampler *chain = spn_test_chain_start(energy, &o);
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
        spn_test_check_consistent(chain, energy);
        spn_sampler_free(chain);
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
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        assert_int_equal(spn_test_chain_run(chain), SPN_STOP_PATIENCE);
        spn_snapshot s;
        spn_chain_snapshot(&s, chain);
        uint64_t per_step = order == SPN_ORDER_RANDOM ? 1 : 3;
        assert_true(s.step * per_step >= 30000);

        /* one step less, and the best energies are those already */
        o.patience = 0;
        o.steps = s.step - 30000 / per_step;
        spn_sampler *shorter = spn_test_chain_start(energy, &o);
        spn_test_chain_run(shorter);
        spn_snapshot t;
        spn_chain_snapshot(&t, shorter);
        assert_memory_equal(s.best_energy, t.best_energy, 3 * sizeof(double));
        spn_sampler_free(shorter);
        spn_sampler_free(chain);
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
    spn_until until = spn_until_defaults();
    spn_sampler *chain = spn_test_chain_start(energy, NULL);
    spn_stop stop;
    assert_int_equal(spn_sampler_run(&stop, chain, NULL, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "the run would never end"));
    until.seconds = 0.05;
    assert_int_equal(spn_test_run_until(chain, &until), SPN_STOP_TIME);
    spn_sampler_free(chain);
    spn_energy_free(energy);
}

typedef struct watch {
    uint64_t seen, last;
    double energy_before;
    spn_status answer;
} watch;

static spn_status observe(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
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
        const spn_until until = spn_test_watch(observe, &w, 7);
        spn_sampler *chain = spn_test_chain_start(energy, &o);
        spn_test_run_until(chain, &until);
        assert_int_equal(w.seen, 1 + 142 + 1); /* the start, 7..994, the end */
        assert_int_equal(w.last, 1000);
        spn_sampler_free(chain);
        w = (watch){.answer = SPN_ERROR_IO};
        chain = spn_test_chain_start(energy, &o);
        spn_error err = {0};
        spn_stop stop;
        assert_int_equal(spn_sampler_run(&stop, chain, &until, &err), SPN_ERROR_IO);
        assert_string_equal(err.text, "enough");
        assert_int_equal(w.last, 14);
        spn_sampler_free(chain);
    }
    spn_energy_free(energy);
}

/* Sees every step: the first at which some replica is at the target. */
typedef struct hit_watch {
    double target;
    uint64_t step;
} hit_watch;

static spn_status watch_hit(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
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
    spn_energy *energy = spn_test_perceptron(101, 30);
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
        const spn_until until = spn_test_watch(watch_hit, &seen, 1);
        spn_sampler *watched = spn_test_chain_start(energy, &o);
        spn_test_run_until(watched, &until);
        spn_sampler *plain = spn_test_chain_start(energy, &o),
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
        assert_ok(spn_sampler_save(&bytes, &size, plain, &err), err);
        assert_ok(spn_sampler_load(loaded, bytes, size, &err), err);
        spn_chain_snapshot(&u, loaded);
        assert_true(u.first_hit == t.first_hit && u.first_hit_seconds == t.first_hit_seconds);
        free(bytes);
        spn_sampler_free(watched);
        spn_sampler_free(plain);
        spn_sampler_free(loaded);
    }
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_end_a_run),
        cmocka_unit_test(first_hits_are_noted),
        cmocka_unit_test(patience_ends_a_run),
        cmocka_unit_test(time_ends_a_run),
        cmocka_unit_test(observers_are_called_when_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
