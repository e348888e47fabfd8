/* Counts of states around a centre, and of all, against counting one by one. */
#include "analysis/shell.h"
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/local_entropy.h>
#include <spinney/random.h>
#include <stdlib.h>

enum { MOST_SITES = 24 };

/* Student's t at 8 degrees of freedom: a false alarm in 10^4 for each, at fixed seeds. */
static const double MOST_ERRORS = 7.2;

typedef struct exact_counts {
    double at[MOST_SITES + 1], all; /* at each distance of the centre; of all */
} exact_counts;

/* All states, each a flip from the one before (Gray's code). */
static exact_counts count_exactly(const spn_energy *energy, const int8_t *centre, double up_to)
{
    const size_t n = spn_energy_sites(energy);
    void *cache = aligned_alloc(64, (spn_energy_cache_size(energy) + 63) / 64 * 64);
    int8_t spins[MOST_SITES];
    exact_counts counts = {0};
    memcpy(spins, centre, n);
    double value = spn_energy_attach(energy, cache, spins);
    size_t distance = 0;
    for (size_t k = 1;; k++) {
        counts.at[distance] += value <= up_to;
        counts.all += value <= up_to;
        const size_t site = (size_t)__builtin_ctzll(k);
        if (site == n)
            break;
        spins[site] = (int8_t)-spins[site];
        value = spn_energy_commit(energy, cache, spins, site);
        distance = spins[site] == centre[site] ? distance - 1 : distance + 1;
    }
    free(cache);
    return counts;
}

static spn_energy *planted_energy(spn_problem **problem, const char *name, size_t sites,
                                  size_t count, bool gaussian)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_random_patterns o = spn_random_patterns_defaults();
    o.sites = sites;
    o.count = count;
    o.seed = 3;
    o.gaussian = gaussian;
    o.planting = strcmp(name, "symmetric") == 0 ? SPN_PLANTING_WITHIN : SPN_PLANTING_ABOVE;
    o.kappa = spn_energy_find(name)->kappa;
    assert_ok(spn_problem_random_patterns_as(problem, &o, &err), err);
    assert_ok(spn_energy_create(&energy, name, *problem, &err), err);
    return energy;
}

typedef struct ladder {
    spn_chain_options chain;
    spn_ladder_options options;
} ladder;

static void make_ladder(ladder *out, uint64_t scans, double beta)
{
    out->chain = spn_chain_defaults();
    out->chain.kernel = SPN_KERNEL_ONE_STAGE;
    out->options = spn_ladder_defaults();
    out->options.chain = &out->chain;
    out->options.scans = scans;
    out->options.beta_last = beta;
}

static spn_local_entropy measure(const spn_energy *energy, const spn_local_entropy_options *options)
{
    spn_error err = {0};
    spn_local_entropy found;
    assert_ok(spn_local_entropy_measure(&found, energy, options, &err), err);
    return found;
}

/* A count against the exact one, and none where there are none. */
static void assert_count(const spn_local_entropy *found, double exact)
{
    if (exact == 0) {
        assert_int_equal(found->met, 0);
        assert_true(isnan(found->log_count) && isnan(found->low));
        return;
    }
    assert_true(found->met > 0);
    assert_true(found->error < 0.25);
    assert_near(found->log_count, log(exact), MOST_ERRORS * found->error + 1e-12);
}

static void check_curve(const char *name, size_t sites, size_t count, double up_to, bool gaussian,
                        bool by_share)
{
    spn_problem *problem;
    spn_energy *energy = planted_energy(&problem, name, sites, count, gaussian);
    const int8_t *centre = problem->teacher;
    const exact_counts exact = count_exactly(energy, centre, up_to);
    spn_local_entropy_options o = spn_local_entropy_defaults();
    ladder l;
    make_ladder(&l, 4096, 5);
    o.share = by_share ? 0.2 : 0;
    o.ladder = &l.options;
    o.up_to = up_to;
    const spn_local_entropy all = measure(energy, &o);
    assert_true(isnan(all.overlap) && all.gamma == 0);
    assert_count(&all, exact.all);
    o.centre = centre;
    for (o.distance = 0; o.distance <= sites; o.distance += spn_test_sanitized() ? 9 : 3) {
        const spn_local_entropy found = measure(energy, &o);
        assert_count(&found, exact.at[o.distance]);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void counts_are_those_of_counting(void **state)
{
    (void)state;
    check_curve("bits", 21, 9, 0, false, true);
    check_curve("symmetric", 20, 12, 0, false, false);
    check_curve("symmetric", 15, 10, 0, true, true);
    check_curve("errors", 19, 20, 2, false, true);
}

static void all_solutions_at_24_spins(void **state)
{
    (void)state;
    const size_t sites = spn_test_samples(1 << 24) == 1 << 24 ? 24 : 20; /* all are listed */
    for (const char *const *name = (const char *const[]){"bits", "errors", NULL}; *name; name++) {
        spn_problem *problem;
        spn_energy *energy = planted_energy(&problem, *name, sites, 12, false);
        const exact_counts exact = count_exactly(energy, problem->teacher, 0);
        spn_local_entropy_options o = spn_local_entropy_defaults();
        ladder l;
        make_ladder(&l, 4096, 6);
        o.ladder = &l.options;
        const spn_local_entropy found = measure(energy, &o);
        assert_count(&found, exact.all);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

static void intervals_are_calibrated(void **state)
{
    (void)state;
    enum { DISTANCE = 4 };
    const size_t repeats = spn_test_samples(100), least = spn_test_least_covered(repeats);
    spn_problem *problem;
    spn_energy *energy = planted_energy(&problem, "bits", 15, 6, false);
    const exact_counts exact = count_exactly(energy, problem->teacher, 0);
    spn_local_entropy_options o = spn_local_entropy_defaults();
    ladder l;
    size_t covers[2] = {0, 0};
    make_ladder(&l, 512, 4);
    l.options.rungs = 6;
    o.ladder = &l.options;
    o.distance = DISTANCE;
    for (uint64_t seed = 0; seed < repeats; seed++) {
        l.chain.seed = seed;
        o.centre = NULL;
        const spn_local_entropy all = measure(energy, &o);
        o.centre = problem->teacher;
        const spn_local_entropy near = measure(energy, &o);
        covers[0] += all.low <= log(exact.all) && log(exact.all) <= all.high;
        covers[1] += near.low <= log(exact.at[DISTANCE]) && log(exact.at[DISTANCE]) <= near.high;
    }
    assert_in_range(covers[0], least, repeats);
    assert_in_range(covers[1], least, repeats);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* The energy that holds a distance: its changes are those of its values, which are E and a price.
 */
static void shells_conform(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_error err = {0};
    spn_energy *energy = planted_energy(&problem, "bits", 15, 6, false), *held;
    assert_ok(spn_shell_create(&held, energy, problem->teacher, 4, 0.375, &err), err);
    void *cache = aligned_alloc(64, (spn_energy_cache_size(held) + 63) / 64 * 64);
    int8_t spins[15];
    spn_random r = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, spins, 15);
    double value = spn_energy_attach(held, cache, spins);
    for (size_t k = 0; k < 5000; k++) {
        const size_t site = spn_random_below(&r, 15);
        const double delta = spn_energy_delta(held, cache, spins, site);
        spins[site] = (int8_t)-spins[site];
        const double after = spn_energy_commit(held, cache, spins, site);
        int flips = 0;
        for (size_t i = 0; i < 15; i++)
            flips += spins[i] != problem->teacher[i];
        assert_true(after == spn_energy_value(energy, spins) + 0.375 * abs(flips - 4));
        assert_true(after == value + delta && after == spn_energy_value(held, spins));
        value = after;
    }
    free(cache);
    spn_energy_free(held);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* The cold end lies where it is asked for, also where the field alone would lead to the centre. */
static void ladders_keep_the_distance(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_energy *energy = planted_energy(&problem, "symmetric", 201, 60, false);
    spn_local_entropy_options o = spn_local_entropy_defaults();
    ladder l;
    make_ladder(&l, 512, 5);
    o.ladder = &l.options;
    o.centre = problem->teacher;
    for (size_t k = 0; k < 3; k++) {
        const size_t distances[] = {10, 60, 180};
        o.distance = distances[k];
        const spn_local_entropy found = measure(energy, &o);
        assert_near(found.overlap, 1 - 2 * (double)o.distance / 201, 0.03);
        assert_true((found.gamma > 0) == (o.distance < 100));
        assert_true(found.met > 0 && found.error < 1);
    }
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_energy *energy = planted_energy(&problem, "symmetric", 30, 12, false);
    spn_local_entropy_options o = spn_local_entropy_defaults();
    ladder l;
    make_ladder(&l, 256, 5);
    o.ladder = &l.options;
    o.centre = problem->teacher;
    o.distance = 7;
    const spn_local_entropy one = measure(energy, &o);
    l.options.threads = 3;
    const spn_local_entropy three = measure(energy, &o);
    assert_true(one.log_count == three.log_count && one.error == three.error);
    assert_true(one.gamma == three.gamma && one.proposals == three.proposals);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void what_is_not_met_is_not_made_up(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_energy *energy = planted_energy(&problem, "bits", 15, 6, false);
    spn_local_entropy_options o = spn_local_entropy_defaults();
    ladder l;
    make_ladder(&l, 64, 4);
    o.ladder = &l.options;
    o.up_to = -1;
    const spn_local_entropy none = measure(energy, &o);
    assert_int_equal(none.met, 0);
    assert_true(isnan(none.log_count) && isnan(none.error) && none.share == 0);
    volatile sig_atomic_t stop = 1;
    o.stop = &stop;
    const spn_local_entropy stopped = measure(energy, &o);
    assert_int_equal(stopped.stop, SPN_STOP_REQUEST);
    assert_true(isnan(stopped.log_count));
    spn_energy_free(energy);
    spn_problem_free(problem);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    spn_problem *problem;
    spn_error err = {0};
    spn_local_entropy found;
    spn_energy *energy = planted_energy(&problem, "bits", 15, 6, false);
    spn_local_entropy_options o = spn_local_entropy_defaults();
    int8_t centre[15] = {1};
    o.centre = centre;
    assert_int_equal(spn_local_entropy_measure(&found, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.centre = problem->teacher;
    o.distance = 16;
    assert_int_equal(spn_local_entropy_measure(&found, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.distance = 3;
    o.up_to = NAN;
    assert_int_equal(spn_local_entropy_measure(&found, energy, &o, &err), SPN_ERROR_ARGUMENT);
    o.up_to = 0;
    ladder l;
    make_ladder(&l, 64, 4);
    l.options.beta_first = 1;
    o.ladder = &l.options;
    assert_int_equal(spn_local_entropy_measure(&found, energy, &o, &err), SPN_ERROR_ARGUMENT);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_counting),
        cmocka_unit_test(all_solutions_at_24_spins),
        cmocka_unit_test(intervals_are_calibrated),
        cmocka_unit_test(shells_conform),
        cmocka_unit_test(ladders_keep_the_distance),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_is_not_met_is_not_made_up),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
