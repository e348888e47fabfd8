/* Rows: reads of couplings of any size side by side are the plain chains of their run numbers, bit
   for bit, in every version; and they have the law of the energy. */
#include "reads/reads.h"
#include "support/chains.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>

/* Couplings of neighbours and of a share of the other pairs, about normal, and fields. */
static spn_energy *real_graph(spn_random *random, const char *name, size_t sites, double share,
                              double scale)
{
    spn_error err = {0};
    spn_edge *edges = calloc(sites * sites + 1, sizeof *edges);
    spn_problem *problem;
    spn_energy *energy;
    size_t count = 0;
    for (uint32_t i = 0; i < sites; i++)
        for (uint32_t j = 0; j <= i; j++)
            if (i == j || i == j + 1 || spn_random_uniform(random) < share)
                edges[count++] =
                    (spn_edge){i, j,
                               scale * (spn_random_uniform(random) + spn_random_uniform(random) +
                                        spn_random_uniform(random) - 1.5)};
    assert_ok(spn_problem_couplings_create(&problem, sites, count, edges, &err), err);
    assert_ok(spn_energy_create(&energy, name, problem, &err), err);
    spn_problem_free(problem);
    free(edges);
    return energy;
}

static void check_group(spn_row_group *g, const spn_energy *energy, const spn_chain_options *chain)
{
    int8_t *spins = malloc(spn_energy_sites(energy));
    spn_slice sums[SPN_SLICES] = {0};
    for (size_t r = g->side.first; r < g->side.first + g->side.count; r++) {
        spn_read read;
        spn_side_read(&read, spins, &g->side, r);
        spn_test_check_read(&read, r, energy, chain);
        spn_test_add_slices(sums, energy, chain, r);
    }
    assert_memory_equal(g->side.slices, sums, sizeof sums);
    free(spins);
}

/* By one version, whatever the machine would choose. Some are saved and loaded on their way, in the
   middle of a sweep if it has several parts. */
static void check_version(spn_row_function *steps, const spn_energy *energy,
                          const spn_chain_options *chain, size_t count)
{
    spn_error err = {0};
    spn_row_graph *graph = spn_row_graph_make(energy);
    spn_row_group *g;
    spn_until some = spn_until_defaults();
    spn_stop stop;
    assert_non_null(graph);
    assert_ok(spn_row_group_create(&g, graph, steps, chain, 0, count, &err), err);
    some.steps = 1 + count % 100;
    assert_ok(spn_sampler_run(&stop, &g->side.base, &some, &err), err);
    if (count % 2) {
        void *state;
        size_t size;
        assert_ok(spn_sampler_save(&state, &size, &g->side.base, &err), err);
        spn_sampler_free(&g->side.base);
        assert_ok(spn_row_group_create(&g, graph, steps, chain, 0, count, &err), err);
        assert_ok(spn_sampler_load(&g->side.base, state, size, &err), err);
        free(state);
    }
    assert_ok(spn_sampler_run(&stop, &g->side.base, NULL, &err), err);
    check_group(g, energy, chain);
    spn_sampler_free(&g->side.base);
    spn_row_graph_free(graph);
}

static void check_versions(const spn_energy *energy, const spn_chain_options *chain, size_t count)
{
    check_version(spn_rows_portable, energy, chain, count);
    for (int isa = SPN_ISA_AVX2; isa <= (int)spn_cpu_isa(); isa++)
        check_version(spn_rows_select((spn_isa)isa), energy, chain, count);
}

static void rows_are_chains(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 5, 10, 63, 64, 65, 127, 128, 150, 200};
    static const char *const names[] = {"ising", "qubo"};
    spn_random random = spn_random_make(21, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 44; k++) {
        const size_t sites = sizes[k % 11];
        const double scale = k % 2 ? 1 : 1e-7, share = k % 4 < 2 ? 1 : 0.2;
        spn_energy *energy = real_graph(&random, names[k / 11 % 2], sites, share, scale);
        const spn_chain_options o = spn_test_lane_options(&random, sites, scale);
        check_versions(energy, &o, 1 + k % 7);
        spn_energy_free(energy);
    }
}

static void check_reads(const spn_energy *energy, const spn_chain_options *chain, size_t count,
                        unsigned threads, bool rows)
{
    spn_sampler *reads = spn_test_reads_run(energy, chain, count, threads);
    assert_true(!spn_reads_of(reads)->rows == !rows);
    spn_test_check_reads(reads, energy, chain, count);
    spn_sampler_free(reads);
}

/* Chosen by itself for dense couplings of any size, and from two reads on; never for what rows
   cannot do. */
static void they_are_chosen(void **state)
{
    (void)state;
    spn_random random = spn_random_make(22, 0, 0, SPN_PURPOSE_USER);
    spn_energy *real = real_graph(&random, "ising", 40, 1, 1);
    spn_energy *sparse = real_graph(&random, "ising", 200, 0.02, 1);
    spn_energy *small = spn_test_random_graph(&random, "ising", 30, 3, 1);
    spn_chain_options o = spn_test_lane_options(&random, 40, 1);
    check_reads(real, &o, 300, 2, true);
    check_reads(real, &o, 2, 1, true);
    check_reads(real, &o, 1, 1, false);
    check_reads(small, &o, 20, 2, false);
    check_reads(sparse, &o, 20, 2, false);
    o.order = SPN_ORDER_RANDOM;
    check_reads(real, &o, 4, 1, false);
    o.order = SPN_ORDER_SEQUENTIAL;
    o.replicas = 2;
    check_reads(real, &o, 4, 1, false);
    spn_energy_free(real);
    spn_energy_free(sparse);
    spn_energy_free(small);
}

static void each_stops_at_its_target(void **state)
{
    (void)state;
    spn_random random = spn_random_make(23, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 8; k++) {
        spn_energy *energy = real_graph(&random, "ising", 70, k % 2 ? 1 : 0.2, 1);
        spn_chain_options o = spn_test_lane_options(&random, 70, 1);
        o.steps = 2000;
        o.target = k % 2 ? SPN_TARGET_ANY : SPN_TARGET_ALL;
        o.target_energy = 5 - 5.0 * (double)k; /* from the start to never */
        check_versions(energy, &o, 9);
        spn_energy_free(energy);
    }
}

static void parts_are_the_chains(void **state)
{
    (void)state;
    static const uint64_t parts[] = {3, 500, 77, 1, 201};
    spn_random random = spn_random_make(24, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 2; k++) {
        spn_energy *energy = real_graph(&random, "qubo", 137, k ? 1 : 0.2, 1);
        spn_chain_options o = spn_test_lane_options(&random, 137, 1);
        o.beta = spn_test_exponential(0.1, 5);
        o.steps = 0;
        o.parts = parts;
        o.part_count = 5;
        check_versions(energy, &o, 7);
        spn_energy_free(energy);
    }
}

/* Sums of 51 bits are exact; what needs 60 is left to chains. */
static void large_integers(void **state)
{
    (void)state;
    spn_random random = spn_random_make(25, 0, 0, SPN_PURPOSE_USER);
    for (int bits = 40; bits <= 50; bits += 10) {
        spn_error err = {0};
        spn_edge edges[40];
        spn_problem *problem;
        spn_energy *energy;
        for (uint32_t k = 0; k < 40; k++)
            edges[k] = (spn_edge){k % 9, (k + 1 + k % 5) % 10,
                                  ldexp(spn_test_between(&random, 1, 1000), bits - 10) + (k % 3)};
        assert_ok(spn_problem_couplings_create(&problem, 10, 40, edges, &err), err);
        assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
        spn_row_graph *graph = spn_row_graph_make(energy);
        assert_true(!graph == (bits > 45));
        spn_row_graph_free(graph);
        const spn_chain_options o = spn_test_lane_options(&random, 10, ldexp(1, bits));
        check_reads(energy, &o, 5, 1, bits <= 45);
        spn_energy_free(energy);
        spn_problem_free(problem);
    }
}

/* The states of four sites with real couplings have different energies, which tell them apart. */
static void rows_have_their_law(void **state)
{
    (void)state;
    enum { SITES = 4, STATES = 1 << SITES, READS = 1 << 15 };
    spn_random random = spn_random_make(26, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = real_graph(&random, "ising", SITES, 1, 1);
    double law[SMALL_MOST_STATES];
    small_system system;
    small_system_init(&system, energy, 1, 1.1, 0);
    small_law(&system, law);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++) {
        const size_t count = spn_test_samples(READS);
        uint64_t counts[STATES] = {0};
        spn_chain_options o = spn_chain_defaults();
        o.replicas = 1;
        o.order = SPN_ORDER_SEQUENTIAL;
        o.kernel = (spn_kernel)kernel;
        o.beta = spn_test_constant(1.1);
        o.steps = 60 * SITES + 1;
        spn_sampler *reads = spn_test_reads_run(energy, &o, count, 1);
        assert_non_null(spn_reads_of(reads)->rows);
        for (size_t r = 0; r < count; r++) {
            spn_read read;
            spn_reads_look(&read, reads, r);
            for (size_t k = 0; k < STATES; k++)
                counts[k] += read.energy == system.energy[k];
        }
        for (size_t k = 0; k < STATES; k++) {
            const double mean = (double)count * law[k], error = sqrt(mean * (1 - law[k]));
            assert_true(spn_normal_tail(((double)counts[k] - mean) / error) > SPN_FALSE_ALARM);
        }
        spn_sampler_free(reads);
    }
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_chains),          cmocka_unit_test(they_are_chosen),
        cmocka_unit_test(each_stops_at_its_target), cmocka_unit_test(parts_are_the_chains),
        cmocka_unit_test(large_integers),           cmocka_unit_test(rows_have_their_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
