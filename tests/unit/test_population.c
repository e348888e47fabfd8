/* Populations: their law and log Z against all states listed, the same bits at any number of
   threads and after every stop, what is refused. With steps of fixed length, the mean over runs of
   (Z found / Z) x (share of the groups in a state) is the law exactly, however few groups there are
   and however little they walk; so a wrong weight, copy or step is seen before the groups can
   forget it. tests/mutation breaks the resampling on purpose. */
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 3, STATES = 1 << SITES };

static const int8_t CENTRE[SITES] = {1, -1, 1};

/* ---- the law ---- */

static int spin_of(size_t index, size_t replica, size_t site)
{
    return index >> (replica * SITES + site) & 1 ? 1 : -1;
}

/* -beta U + H of a state, summed over the centre if it is one of the variables. */
static double log_weight(const small_system *system, const spn_chain_options *chain, size_t index,
                         double beta, double gamma)
{
    double sum = 0;
    for (size_t a = 0; a < chain->replicas; a++)
        sum -= beta * system->energy[index >> (a * SITES) & (STATES - 1)];
    for (size_t i = 0; i < SITES; i++) {
        int s = 0;
        for (size_t a = 0; a < chain->replicas; a++)
            s += spin_of(index, a, i);
        sum += chain->coupling == SPN_COUPLING_GIVEN    ? gamma * s * CENTRE[i]
               : chain->coupling == SPN_COUPLING_CENTRE ? log(2 * cosh(gamma * s))
                                                        : log(cosh(gamma * s));
    }
    return sum;
}

/* The law at the end of the path, and log Z. */
static double list_law(double *law, const spn_energy *energy, const spn_chain_options *chain,
                       double beta, double gamma)
{
    const size_t states = (size_t)1 << (SITES * chain->replicas);
    small_system system;
    double sum = 0;
    small_system_init(&system, energy, 1, 0, 0);
    for (size_t x = 0; x < states; x++) {
        law[x] = exp(log_weight(&system, chain, x, beta, gamma));
        sum += law[x];
    }
    for (size_t x = 0; x < states; x++)
        law[x] /= sum;
    return log(sum);
}

static spn_sampler *make(const spn_energy *energy, const spn_population_options *o)
{
    spn_error err = {0};
    spn_sampler *population;
    assert_ok(spn_population_create(&population, energy, o, &err), err);
    return population;
}

static spn_stop run(spn_sampler *population)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, population, NULL, &err), err);
    return stop;
}

static size_t index_of(const int8_t *spins, size_t count)
{
    size_t index = 0;
    for (size_t i = 0; i < count; i++)
        index |= (size_t)(spins[i] > 0) << i;
    return index;
}

/* A mean over runs is this many standard errors off in 2e-9 of all cases; there are fewer than 500
   comparisons. */
static const double FAR = 6;

static void check_mean(double sum, double squares, double runs, double expected, const char *what)
{
    const double mean = sum / runs, error = sqrt((squares / runs - mean * mean) / runs);
    const double z = error > 0 ? (mean - expected) / error : mean == expected ? 0 : INFINITY;
    if (!(fabs(z) < FAR))
        printf("  %s: mean %.6f, expected %.6f, %+.2f standard errors\n", what, mean, expected, z);
    assert_true(fabs(z) < FAR);
}

/* Whether a state is met so often that its mean is normal. */
static bool is_common(double law, uint32_t runs)
{
    return law * SPN_POPULATION_FEWEST * runs > 400;
}

static void check_law(const spn_energy *energy, spn_chain_options chain, const double gammas[2],
                      spn_engine engine)
{
    const uint32_t runs = (uint32_t)spn_test_samples(1500);
    double law[STATES * STATES], sums[STATES * STATES] = {0}, squares[STATES * STATES] = {0};
    const size_t states = (size_t)1 << (SITES * chain.replicas);
    double z_sum = 0, z_squares = 0;
    spn_population_options o = spn_population_defaults();
    o.groups = SPN_POPULATION_FEWEST;
    o.points = 3;
    o.sweep_steps = 2;
    o.beta_last = 1.2;
    o.gamma_first = gammas[0];
    o.gamma_last = gammas[1];
    o.chain = &chain;
    o.engine = engine;
    const double log_z = list_law(law, energy, &chain, o.beta_last, o.gamma_last);
    for (uint32_t r = 0; r < runs; r++) {
        double found[STATES * STATES] = {0};
        spn_population_result result;
        chain.seed = 100 + r;
        spn_sampler *population = make(energy, &o);
        assert_int_equal(run(population), SPN_STOP_STEPS);
        spn_population_look(&result, population);
        const double ratio = exp(result.log_z - log_z);
        for (size_t g = 0; g < o.groups; g++)
            found[index_of(spn_population_group(population, g, NULL), chain.replicas * SITES)] +=
                ratio / (double)o.groups;
        spn_sampler_free(population);
        z_sum += ratio;
        z_squares += ratio * ratio;
        for (size_t x = 0; x < states; x++) {
            sums[x] += found[x];
            squares[x] += found[x] * found[x];
        }
    }
    check_mean(z_sum, z_squares, runs, 1, "Z found / Z");
    for (size_t x = 0; x < states; x++)
        if (is_common(law[x], runs))
            check_mean(sums[x], squares[x], runs, law[x], "a state");
}

static void law_is_that_of_counting(void **state)
{
    (void)state;
    static const double gammas[][2] = {{0, 0}, {0.5, 0.5}, {0.2, 0.8}};
    spn_energy *energy = small_graph(SITES, 1);
    spn_chain_options chain = spn_chain_defaults();
    chain.centre = CENTRE;
    for (int kernel = SPN_KERNEL_TWO_STAGE; kernel <= SPN_KERNEL_HEAT_BATH; kernel++)
        for (int order = SPN_ORDER_REPLICA_ROUND; order <= SPN_ORDER_SEQUENTIAL; order++) {
            chain.kernel = (spn_kernel)kernel;
            chain.order = (spn_order)order;
            chain.coupling = (spn_coupling_kind)((kernel + order) % 3);
            chain.replicas = chain.coupling == SPN_COUPLING_GIVEN ? 1 : 2;
            printf("  %s, %s, %s\n", spn_kernel_name(chain.kernel), spn_order_name(chain.order),
                   spn_coupling_kind_name(chain.coupling));
            check_law(energy, chain, gammas[(kernel + 2 * order) % 3], SPN_ENGINE_PLAIN);
        }
    spn_energy_free(energy);
}

static void words_have_the_same_law(void **state)
{
    (void)state;
    static const double gammas[][2] = {{0.2, 0.8}, {0.5, 0.5}, {0, 0}};
    spn_energy *energy = small_graph(SITES, 1);
    spn_chain_options chain = spn_chain_defaults();
    chain.order = SPN_ORDER_SEQUENTIAL;
    for (int kernel = SPN_KERNEL_TWO_STAGE; kernel <= SPN_KERNEL_HEAT_BATH; kernel++) {
        chain.kernel = (spn_kernel)kernel;
        chain.replicas = kernel == SPN_KERNEL_HEAT_BATH ? 1 : 2;
        chain.run = 64 * (uint32_t)kernel;
        check_law(energy, chain, gammas[kernel], SPN_ENGINE_WORDS);
    }
    spn_energy_free(energy);
}

/* ---- log Z ---- */

/* Of 200 populations the 95% interval holds log Z in 180 to 200: fewer has a chance below 1e-3 if
   it is right; seeds are fixed. */
static void intervals_hold_log_z(void **state)
{
    (void)state;
    const size_t repeats = spn_test_samples(200);
    spn_energy *energy = small_graph(SITES, 1);
    spn_chain_options chain = spn_chain_defaults();
    spn_population_options o = spn_population_defaults();
    double law[STATES * STATES];
    size_t held = 0, energies = 0;
    chain.replicas = 2;
    o.chain = &chain;
    o.groups = 512;
    o.sweep_steps = 8;
    o.beta_last = 1.5;
    o.gamma_first = o.gamma_last = 0.4;
    const double exact = list_law(law, energy, &chain, o.beta_last, o.gamma_last);
    const double h = 1e-5,
                 slope = (exact - list_law(law, energy, &chain, o.beta_last + h, o.gamma_last)) / h;
    for (uint64_t seed = 1; seed <= repeats; seed++) {
        spn_population_result r;
        chain.seed = seed;
        spn_sampler *population = make(energy, &o);
        run(population);
        spn_population_look(&r, population);
        held += r.log_z_low <= exact && exact <= r.log_z_high;
        energies += fabs(r.energy - slope) <= 2.04 * r.energy_error;
        assert_true(fabs(r.log_z - exact) < 6 * r.log_z_error + 1e-9);
        assert_true(fabs(r.entropy - (r.log_z + o.beta_last * r.energy)) < 20);
        spn_sampler_free(population);
    }
    printf("  log Z held %zu times of %zu, the energy %zu times\n", held, repeats, energies);
    assert_true(repeats < 200 || (held >= 180 && energies >= 170));
    spn_energy_free(energy);
}

/* ---- the same bits ---- */

static spn_energy *ising(size_t sites, const spn_edge *edges, size_t count)
{
    spn_error err = {0};
    spn_problem *problem;
    spn_energy *energy;
    assert_ok(spn_problem_couplings_create(&problem, sites, count, edges, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static spn_energy *spin_glass(size_t sites)
{
    spn_edge edges[256];
    size_t count = 0;
    for (uint32_t i = 0; i < sites; i++) {
        edges[count++] = (spn_edge){i, (uint32_t)((i + 1) % sites), i % 3 ? 1 : -1};
        edges[count++] = (spn_edge){i, (uint32_t)((i + 5) % sites), i % 4 ? -1 : 1};
    }
    return ising(sites, edges, count);
}

static spn_population_options glass_options(const spn_chain_options *chain)
{
    spn_population_options o = spn_population_defaults();
    o.chain = chain;
    o.groups = 96;
    o.sweep_steps = 64;
    o.beta_last = 2;
    o.gamma_first = 0.1;
    o.gamma_last = 0.4;
    return o;
}

/* Words stand for up to 512 groups at once: more of them, and steps in several blocks. */
static void take_engine(spn_population_options *o, spn_chain_options *chain, spn_engine engine)
{
    o->engine = engine;
    if (engine != SPN_ENGINE_WORDS)
        return;
    chain->order = SPN_ORDER_SEQUENTIAL;
    chain->coupling = SPN_COUPLING_REPLICAS;
    o->groups = 1111;
    o->sweep_steps = 410;
}

static void expect_same(const spn_sampler *a, const spn_sampler *b, size_t size)
{
    spn_population_result one, other;
    spn_population_look(&one, a);
    spn_population_look(&other, b);
    one.first_hit_seconds = other.first_hit_seconds = 0;
    assert_memory_equal(one.best_spins, other.best_spins, size / 2);
    one.best_spins = other.best_spins = NULL;
    assert_memory_equal(&one, &other, sizeof one);
    assert_int_equal(spn_population_points(a), spn_population_points(b));
    for (size_t g = 0; g < one.groups; g++)
        assert_memory_equal(spn_population_group(a, g, NULL), spn_population_group(b, g, NULL),
                            size);
}

static void check_threads(spn_engine engine)
{
    spn_energy *energy = spin_glass(40);
    spn_chain_options chain = spn_chain_defaults();
    chain.replicas = 2;
    spn_population_options o = glass_options(&chain);
    take_engine(&o, &chain, engine);
    spn_sampler *alone = make(energy, &o);
    run(alone);
    for (o.threads = 2; o.threads <= 3; o.threads++) {
        spn_sampler *shared = make(energy, &o);
        run(shared);
        expect_same(alone, shared, 2 * 40);
        spn_sampler_free(shared);
    }
    spn_sampler_free(alone);
    spn_energy_free(energy);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    check_threads(SPN_ENGINE_PLAIN);
    check_threads(SPN_ENGINE_WORDS);
}

/* Asks for a stop after a number of calls of the energy. */
typedef struct stopper {
    volatile sig_atomic_t stop;
    uint64_t left;
} stopper;

static spn_status stop_soon(void *context, const spn_progress *progress, spn_error *err)
{
    stopper *s = context;
    (void)err, (void)progress;
    if (s->left-- == 0)
        s->stop = 1;
    return SPN_OK;
}

/* Stopped after every point, saved, loaded into another one, and continued. */
static void check_saves(spn_engine engine)
{
    spn_error err = {0};
    spn_energy *energy = spin_glass(40);
    spn_chain_options chain = spn_chain_defaults();
    chain.replicas = 2;
    chain.coupling = SPN_COUPLING_CENTRE;
    spn_population_options o = glass_options(&chain);
    take_engine(&o, &chain, engine);
    spn_sampler *whole = make(energy, &o), *part = make(energy, &o);
    spn_stop stop = SPN_STOP_NONE;
    size_t stops = 0;
    run(whole);
    while (stop != SPN_STOP_STEPS) {
        stopper s = {.left = 1};
        spn_until until = spn_until_defaults();
        void *bytes;
        size_t size;
        until.stop = &s.stop;
        until.observer = stop_soon;
        until.context = &s;
        until.observe_every = 1;
        assert_ok(spn_sampler_run(&stop, part, &until, &err), err);
        assert_ok(spn_sampler_save(&bytes, &size, part, &err), err);
        spn_sampler_free(part);
        part = make(energy, &o);
        assert_ok(spn_sampler_load(part, bytes, size, &err), err);
        assert_int_equal(spn_sampler_load(part, bytes, size - 1, NULL), SPN_ERROR_ARGUMENT);
        assert_ok(spn_sampler_load(part, bytes, size, &err), err);
        spn_free(bytes);
        stops++;
    }
    assert_true(stops > 3);
    expect_same(whole, part, 2 * 40);
    spn_sampler_free(whole);
    spn_sampler_free(part);
    spn_energy_free(energy);
}

static void saved_populations_go_on(void **state)
{
    (void)state;
    check_saves(SPN_ENGINE_PLAIN);
    check_saves(SPN_ENGINE_WORDS);
}

/* ---- the rest ---- */

static void check_families(spn_engine engine)
{
    spn_energy *energy = spin_glass(40);
    spn_chain_options chain = spn_chain_defaults();
    chain.replicas = 1;
    spn_population_options o = glass_options(&chain);
    take_engine(&o, &chain, engine);
    spn_population_result r;
    spn_population_point first, last;
    spn_sampler *population = make(energy, &o);
    run(population);
    spn_population_look(&r, population);
    spn_population_point_look(&first, population, 0);
    spn_population_point_look(&last, population, spn_population_points(population) - 1);
    assert_true(first.beta == 0 && first.families == (double)o.groups && first.rho == 1);
    assert_true(fabs(first.log_z - 40 * log(2 * cosh(0.1))) < 1e-9);
    assert_true(last.beta == 2 && last.families < (double)o.groups && last.rho > 1);
    assert_true(last.rho == r.rho && r.family_entropy < log((double)o.groups));
    assert_true(r.best_energy == spn_energy_value(energy, r.best_spins));
    double lowest = INFINITY;
    for (size_t g = 0; g < o.groups; g++) {
        const double *energies;
        const int8_t *spins = spn_population_group(population, g, &energies);
        assert_true(energies[0] == spn_energy_value(energy, spins));
        lowest = fmin(lowest, energies[0]);
    }
    assert_true(r.best_energy <= lowest);
    for (size_t k = 1; k < spn_population_points(population); k++) {
        spn_population_point point;
        spn_population_point_look(&point, population, k);
        assert_true(point.culled < 2 * o.culled); /* a random number rounds each share */
    }
    spn_sampler_free(population);
    spn_energy_free(energy);
}

static void families_thin_out_and_the_best_is_kept(void **state)
{
    (void)state;
    check_families(SPN_ENGINE_PLAIN);
    check_families(SPN_ENGINE_WORDS);
}

static void the_target_ends_it(void **state)
{
    (void)state;
    spn_energy *energy = spin_glass(40);
    spn_chain_options chain = spn_chain_defaults();
    chain.target = SPN_TARGET_ANY;
    chain.target_energy = -40;
    spn_population_options o = glass_options(&chain);
    spn_population_result r;
    spn_sampler *population = make(energy, &o);
    assert_int_equal(run(population), SPN_STOP_TARGET);
    spn_population_look(&r, population);
    assert_true(r.best_energy <= -40 && r.beta < 2);
    assert_true(r.first_hit != SPN_NO_HIT && r.first_hit_proposals <= r.proposals);
    assert_int_equal(spn_sampler_health(population), SPN_HEALTH_GOOD);
    spn_sampler_free(population);
    spn_energy_free(energy);
}

static void refuse(const spn_energy *energy, spn_population_options o, const char *words)
{
    spn_error err = {0};
    spn_sampler *population;
    assert_int_equal(spn_population_create(&population, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_null(population);
    assert_non_null(strstr(err.text, words));
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    spn_energy *energy = small_graph(SITES, 1);
    spn_population_options o = spn_population_defaults();
    o.groups = 63;
    refuse(energy, o, "groups: 63 is not 64 to");
    o = spn_population_defaults();
    o.culled = 1;
    refuse(energy, o, "culled: 1 is not");
    o = spn_population_defaults();
    o.beta_last = 0;
    refuse(energy, o, "beta");
    o.beta_last = NAN;
    refuse(energy, o, "beta");
    o = spn_population_defaults();
    o.gamma_last = -1;
    refuse(energy, o, "gamma");
    o = spn_population_defaults();
    o.threads = 0;
    refuse(energy, o, "threads");
    o = spn_population_defaults();
    o.engine = SPN_ENGINE_LANES;
    refuse(energy, o, "a population has auto, plain or words");
    o.engine = SPN_ENGINE_WORDS;
    refuse(energy, o, "`engine` words needs `order` sequential");
    spn_chain_options chain = spn_chain_defaults();
    o.chain = &chain;
    chain.order = SPN_ORDER_SEQUENTIAL;
    chain.run = 1;
    refuse(energy, o, "a run number that is a multiple of 64");
    chain.coupling = SPN_COUPLING_CENTRE;
    refuse(energy, o, "the coupling `replicas`");
    spn_energy_free(energy);
}

/* One spin in a field, whatever its size: log Z = log(2 cosh(beta h)). */
static void one_spin_is_enough(void **state)
{
    (void)state;
    static const double fields[] = {1e-3, 1, 1000};
    for (size_t k = 0; k < 3; k++) {
        const spn_edge field = {0, 0, fields[k]};
        spn_energy *energy = ising(1, &field, 1);
        spn_chain_options chain = spn_chain_defaults();
        spn_population_options o = spn_population_defaults();
        spn_population_result r;
        chain.replicas = 1;
        o.chain = &chain;
        o.beta_last = 2 / fields[k];
        spn_sampler *population = make(energy, &o);
        run(population);
        spn_population_look(&r, population);
        assert_true(fabs(r.log_z - log(2 * cosh(2))) < 6 * r.log_z_error);
        spn_sampler_free(population);
        spn_energy_free(energy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(law_is_that_of_counting),
                                       cmocka_unit_test(words_have_the_same_law),
                                       cmocka_unit_test(intervals_hold_log_z),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(saved_populations_go_on),
                                       cmocka_unit_test(families_thin_out_and_the_best_is_kept),
                                       cmocka_unit_test(the_target_ends_it),
                                       cmocka_unit_test(bad_options_are_refused),
                                       cmocka_unit_test(one_spin_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
