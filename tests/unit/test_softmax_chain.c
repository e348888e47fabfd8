/* The decisions of a Metropolis chain by softmax's fast path against the plain path in double
   precision: the paper's annealing, beta 100 to 100,000, on made-up images. A decision may differ
   only where beta * delta is within BOUND of the threshold, and such near ties must be rare. */
#include "support/images.h"
#include "support/test.h"

#include "base/memory.h"
#include "energy/softmax/softmax.h"
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

enum { SAMPLES = 2000, FEATURES = 196, CLASSES = 10, SITES = CLASSES * FEATURES };

static const double BOUND = 0.002;

typedef struct replica {
    spn_energy *energy;
    void *cache;
    double value;
} replica;

static replica make(const spn_dataset *data, const spn_scaling *scaling, const int8_t *spins,
                    int path)
{
    replica r;
    spn_error err = {0};
    const spn_softmax_options o = spn_softmax_options_defaults();
    assert_ok(spn_softmax_create_by(&r.energy, data, scaling, &o, path, spn_cpu_isa(), &err), err);
    r.cache = spn_alloc(1, r.energy->cache_size);
    assert_non_null(r.cache);
    r.value = r.energy->slots->attach(r.energy, r.cache, spins);
    return r;
}

static void drop(replica *r)
{
    spn_energy_free(r->energy);
    free(r->cache);
}

static void test_decisions(void **state)
{
    (void)state;
    static int8_t spins[SITES];
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_dataset *data = spn_test_images(SAMPLES, FEATURES, CLASSES, 20);
    spn_scaling *scaling = spn_test_scaling(FEATURES);
    spn_random_spins(&random, spins, SITES);
    replica fast = make(data, scaling, spins, SPN_SOFTMAX_FAST);
    replica plain = make(data, scaling, spins, SPN_SOFTMAX_PLAIN);
    const int steps = (int)spn_test_samples(100000), most_different = (steps + 9999) / 10000;
    int different = 0, accepted = 0;
    double worst = 0;
    for (int t = 0; t < steps; t++) {
        const double beta = 100 * pow(1000, (double)t / steps);
        const size_t site = spn_random_below(&random, SITES);
        const double threshold = -log(spn_random_uniform(&random));
        const double quick = fast.energy->slots->delta(fast.energy, fast.cache, spins, site);
        const double exact = plain.energy->slots->delta(plain.energy, plain.cache, spins, site);
        const int accept = beta * exact <= threshold;
        worst = fmax(worst, fabs(quick - exact));
        if ((beta * quick <= threshold) != accept) {
            different++;
            assert_true(fabs(beta * exact - threshold) < BOUND);
        }
        if (!accept)
            continue;
        accepted++;
        spins[site] = (int8_t)-spins[site];
        fast.value = fast.energy->slots->commit(fast.energy, fast.cache, spins, site);
        plain.value = plain.energy->slots->commit(plain.energy, plain.cache, spins, site);
        assert_near(fast.value, plain.value, 1e-5);
    }
    print_message("%d decisions, %d accepted, %d different; largest error of delta %.2g\n", steps,
                  accepted, different, worst);
    assert_true(different <= most_different);
    assert_near(plain.value, plain.energy->slots->energy(plain.energy, spins), 1e-9);
    spn_error err = {0}; /* what is kept is the energy of the state, to the stated accuracy */
    assert_ok(spn_energy_check(NULL, fast.energy, spins, fast.value, 0, 0, &err), err);
    assert_int_equal(spn_energy_check(NULL, fast.energy, spins, fast.value + 5e-4, 0, 0, &err),
                     SPN_ERROR_ENERGY);
    drop(&fast);
    drop(&plain);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decisions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
