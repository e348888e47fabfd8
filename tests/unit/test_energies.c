/* Conformance of every energy: the change in a flip equals the recomputed difference, a double flip
   is the identity, caches never drift over 10^6 flips, one spin works. And each energy against its
   definition, computed from the problem without the library's data structures. */
#include "support/conformance.h"
#include "support/small.h"
#include "support/test.h"

#include <spinney/energies.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

static void every_energy_conforms(void **state)
{
    (void)state;
    const size_t sites[] = {1, 2, 3, 8, 9, 12}, counts[] = {1, 5, 63, 64, 65, 200};
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++)
        for (size_t s = 0; s < 6; s++)
            for (size_t c = 0; c < 6; c++)
                for (int real = 0; real < 2; real++)
                    spn_test_check_kind(kind, sites[s], counts[c], real, 300, 7);
}

static void larger_energies_conform(void **state)
{
    (void)state;
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++) {
        if (kind->problem == SPN_PROBLEM_TABLE)
            continue;
        spn_test_check_kind(kind, 501, 300, true, 20000, 1999);
        spn_test_check_kind(kind, 1000, 777, false, 20000, 1999);
    }
}

static void nothing_drifts_in_a_million_flips(void **state)
{
    (void)state;
    const spn_energy_kind *kind;
    for (size_t k = 0; (kind = spn_energy_kind_at(k)); k++)
        spn_test_check_kind(kind, kind->problem == SPN_PROBLEM_TABLE ? 10 : 101, 150, true,
                            spn_test_samples(1000000), spn_test_samples(99991));
}

/* Couplings of very different sizes, and huge ones, keep the exactness. */
static void extreme_couplings_are_exact(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, 1e15}, {1, 2, -3e-3}, {2, 3, 1e9}, {3, 3, 0.1}, {0, 3, -7e14}};
    spn_problem p = {.kind = SPN_PROBLEM_COUPLINGS, .sites = 4, .count = 5, .edges = edges};
    for (const char *const *name = (const char *const[]){"ising", "qubo", NULL}; *name; name++) {
        spn_energy *energy;
        assert_ok(spn_energy_create(&energy, *name, &p, &err), err);
        int8_t spins[4] = {1, -1, 1, -1};
        double exact = spn_test_direct_graph(*name, &p, spins);
        assert_near(spn_energy_value(energy, spins), exact, 1.0); /* 2^-51 of 2e15 */
        void *cache = aligned_alloc(64, 128);
        double value = spn_energy_attach(energy, cache, spins);
        for (size_t k = 0; k < 1000; k++) {
            double delta = spn_energy_delta(energy, cache, spins, k % 4);
            spins[k % 4] = (int8_t)-spins[k % 4];
            double after = spn_energy_commit(energy, cache, spins, k % 4);
            assert_true(after == value + delta && after == spn_energy_value(energy, spins));
            value = after;
        }
        free(cache);
        spn_energy_free(energy);
    }
    edges[0].weight = 1e305;
    spn_energy *energy;
    assert_int_equal(spn_energy_create(&energy, "ising", &p, &err), SPN_ERROR_INPUT);
}

/* Energies of every state, by definition. */
static void check_all_states(const char *name, const spn_problem *p)
{
    spn_error err = {0};
    spn_energy *energy;
    assert_ok(spn_energy_create(&energy, name, p, &err), err);
    for (unsigned index = 0; index < 1u << p->sites; index++) {
        int8_t spins[8];
        for (size_t i = 0; i < p->sites; i++)
            spins[i] = index >> i & 1 ? 1 : -1;
        assert_true(spn_energy_value(energy, spins) == spn_test_direct_graph(name, p, spins));
    }
    assert_int_equal(spn_energy_zeroed(energy), 0);
    spn_energy_free(energy);
}

/* Where few bits hold all weights they are exact, however small or large; also halves and quarters
   of the smallest. */
static void weights_of_any_scale_are_exact(void **state)
{
    (void)state;
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    static const double scales[] = {0x1p-930, 0x1p-500, 0x1.fffp-900, 1, 0x1p900, 0x1p970};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
        for (size_t n = 0; n < 3; n++) {
            spn_edge edges[] = {{0, 1, 1}, {1, 2, -3}, {2, 3, 0x1p20}, {0, 3, -1}, {2, 2, 5}};
            const size_t count = n == 2 ? 4 : 5; /* a graph of cuts has no loop */
            for (size_t e = 0; e < 5; e++)
                edges[e].weight *= scales[k];
            spn_problem *p;
            spn_error err = {0};
            assert_ok((n == 2 ? spn_problem_cut_create : spn_problem_couplings_create)(&p, 4, count,
                                                                                       edges, &err),
                      err);
            check_all_states(names[n], p);
            spn_problem_free(p);
        }
}

/* What cannot be kept is refused, and what comes to 0 beside the others is counted. */
static void weights_that_vanish(void **state)
{
    (void)state;
    static const double tiny[] = {1e-300, -1e-308, 5e-324, 9.9e-281};
    spn_edge edges[] = {{0, 1, 1}, {1, 2, 0}, {2, 2, 0}};
    spn_error err = {0};
    spn_problem *p;
    spn_energy *energy;
    for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++) {
        edges[1].weight = tiny[k];
        assert_int_equal(spn_problem_couplings_create(&p, 3, 3, edges, &err), SPN_ERROR_ARGUMENT);
        assert_non_null(strstr(err.text, "the weight of edge 1 is"));
        assert_non_null(strstr(err.text, "multiply all by a power of ten"));
        assert_int_equal(spn_problem_cut_create(&p, 3, 2, edges, &err), SPN_ERROR_ARGUMENT);
    }
    static const struct {
        double one, other;
        size_t zeroed;
    } cases[] = {{0, 0, 0},         {1e-15, 1, 0},      {1e-20, 1, 1},
                 {1e-20, 1e-20, 2}, {9e299, 1e-280, 2}, {1e-280, -1e-280, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        edges[1].weight = cases[k].one;
        edges[2].weight = cases[k].other;
        assert_ok(spn_problem_couplings_create(&p, 3, 3, edges, &err), err);
        assert_ok(spn_energy_create(&energy, "ising", p, &err), err);
        assert_int_equal(spn_energy_zeroed(energy), cases[k].zeroed);
        spn_energy_free(energy);
        spn_problem_free(p);
    }
}

/* (sum of a_i s_i)^2 of numbers up to 10^7, as couplings whose sizes sum to more than 2^55: every
   energy is the square, though the constant cancels all but a few of its digits. */
static void squares_of_large_sums_are_exact(void **state)
{
    (void)state;
    enum { N = 40, PAIRS = N * (N - 1) / 2 };
    int64_t a[N], all = 0;
    for (size_t qubo = 0; qubo < 2; qubo++) {
        spn_random random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER);
        spn_edge edges[PAIRS + N];
        spn_problem p = {.kind = SPN_PROBLEM_COUPLINGS, .sites = N, .edges = edges};
        all = 0;
        for (size_t i = 0; i < N; i++)
            all += a[i] = 1 + spn_random_below(&random, 9000000);
        a[0] += 16 - all % 16; /* all^2 is a double */
        all += 16 - all % 16;
        for (size_t i = 0; i < N; i++) {
            for (size_t j = i + 1; j < N; j++)
                edges[p.count++] =
                    (spn_edge){(uint32_t)i, (uint32_t)j, (double)(a[i] * a[j] * (qubo ? 8 : 2))};
            if (qubo) /* s = 2 x - 1 */
                edges[p.count++] =
                    (spn_edge){(uint32_t)i, (uint32_t)i, (double)(4 * a[i] * (a[i] - all))};
            p.offset += qubo ? 0 : (double)(a[i] * a[i]);
        }
        p.offset += qubo ? (double)(all * all) : 0;
        spn_energy *energy;
        spn_error err = {0};
        assert_ok(spn_energy_create(&energy, qubo ? "qubo" : "ising", &p, &err), err);
        void *cache = aligned_alloc(64, (spn_energy_cache_size(energy) + 63) / 64 * 64);
        int8_t spins[N];
        int64_t sum = 0;
        spn_random_spins(&random, spins, N);
        for (size_t i = 0; i < N; i++)
            sum += a[i] * spins[i];
        assert_true(spn_energy_attach(energy, cache, spins) == (double)(sum * sum));
        for (size_t k = 0; k < 20000; k++) { /* downhill as often as not, so that sums get small */
            const size_t site = spn_random_below(&random, N);
            if (spn_energy_delta(energy, cache, spins, site) > 0 && k % 64)
                continue;
            sum -= 2 * a[site] * spins[site];
            spins[site] = (int8_t)-spins[site];
            assert_true(spn_energy_commit(energy, cache, spins, site) == (double)(sum * sum));
            assert_true(spn_energy_value(energy, spins) == (double)(sum * sum));
        }
        free(cache);
        spn_energy_free(energy);
    }
}

/* Integers that no sum of 60 bits holds are refused; a common power of two is no obstacle. */
static void integers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    spn_edge edges[] = {{0, 1, 0x1p61}, {1, 2, 3}};
    spn_problem p = {.kind = SPN_PROBLEM_COUPLINGS, .sites = 3, .count = 2, .edges = edges};
    spn_error err = {0};
    spn_energy *energy;
    assert_int_equal(spn_energy_create(&energy, "ising", &p, &err), SPN_ERROR_INPUT);
    assert_non_null(strstr(err.text, "integers whose sums do not fit"));
    assert_non_null(strstr(err.text, "1.15292e+18 would be exact"));
    edges[1].weight = 0x1p10;
    assert_ok(spn_energy_create(&energy, "ising", &p, &err), err);
    assert_true(spn_energy_value(energy, (int8_t[]){1, 1, -1}) == 0x1p61 - 0x1p10);
    spn_energy_free(energy);
}

static void wrong_problems_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_problem *patterns = small_instance('A');
    assert_int_equal(spn_energy_create(&energy, "ising", patterns, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_energy_create(&energy, "nothing", patterns, &err), SPN_ERROR_ARGUMENT);
    assert_null(energy);
    spn_problem_free(patterns);
    spn_energy_free(NULL);
}

/* The published energies of the reference instances. */
static void reference_instances_have_their_energies(void **state)
{
    (void)state;
    for (const char *name = "AB"; *name; name++) {
        spn_error err = {0};
        spn_energy *energy;
        spn_problem *problem = small_instance(*name);
        assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
        for (size_t k = 0; k < (size_t)1 << spn_energy_sites(energy); k++) {
            int8_t spins[8];
            for (size_t i = 0; i < spn_energy_sites(energy); i++)
                spins[i] = k >> i & 1 ? 1 : -1;
            assert_true(spn_energy_value(energy, spins) == small_reference_energies(*name)[k]);
        }
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_energy_conforms),
        cmocka_unit_test(larger_energies_conform),
        cmocka_unit_test(nothing_drifts_in_a_million_flips),
        cmocka_unit_test(extreme_couplings_are_exact),
        cmocka_unit_test(weights_of_any_scale_are_exact),
        cmocka_unit_test(weights_that_vanish),
        cmocka_unit_test(squares_of_large_sums_are_exact),
        cmocka_unit_test(integers_that_do_not_fit_are_refused),
        cmocka_unit_test(wrong_problems_are_refused),
        cmocka_unit_test(reference_instances_have_their_energies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
