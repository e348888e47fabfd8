/* Lanes: reads side by side are the plain chains of their run numbers, bit for bit, in every
   version; and the cuts that they compare random words with. */
#include "chain/chain.h"
#include "reads/lanes_body.h"
#include "reads/reads.h"
#include "support/chains.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdlib.h>

/* ---- reads in lanes against chains ---- */

static void check_group(spn_lane_group *g, const spn_energy *energy, const spn_chain_options *chain)
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

/* By one version, whatever the machine would choose. Every other group is saved and loaded on its
   way. */
static void check_version(spn_lane_function *steps, const spn_energy *energy,
                          const spn_chain_options *chain, size_t count)
{
    spn_error err = {0};
    spn_lane_graph *graph = spn_lanes_prepare(energy, chain, SPN_LANE_FEWEST);
    spn_lane_group *g;
    spn_until some = spn_until_defaults();
    spn_stop stop;
    assert_non_null(graph);
    assert_ok(spn_lane_group_create(&g, graph, steps, chain, 0, count, &err), err);
    some.steps = 1 + count % 100;
    assert_ok(spn_sampler_run(&stop, &g->side.base, &some, &err), err);
    if (count % 2) {
        void *state;
        size_t size;
        assert_ok(spn_sampler_save(&state, &size, &g->side.base, &err), err);
        spn_sampler_free(&g->side.base);
        assert_ok(spn_lane_group_create(&g, graph, steps, chain, 0, count, &err), err);
        assert_ok(spn_sampler_load(&g->side.base, state, size, &err), err);
        free(state);
    }
    assert_ok(spn_sampler_run(&stop, &g->side.base, NULL, &err), err);
    check_group(g, energy, chain);
    spn_sampler_free(&g->side.base);
    spn_lane_graph_free(graph);
}

/* The reference and all that this machine runs. */
static void check_versions(const spn_energy *energy, const spn_chain_options *chain, size_t count)
{
    check_version(spn_lanes_portable, energy, chain, count);
    for (int isa = SPN_ISA_AVX2; isa <= (int)spn_cpu_isa(); isa++)
        check_version(spn_lanes_select((spn_isa)isa), energy, chain, count);
}

static void check_reads(const spn_energy *energy, const spn_chain_options *chain, size_t count,
                        unsigned threads)
{
    spn_sampler *reads = spn_test_reads_run(energy, chain, count, threads);
    spn_slice sums[SPN_SLICES] = {0};
    spn_test_check_reads(reads, energy, chain, count);
    for (size_t r = 0; r < count; r++)
        spn_test_add_slices(sums, energy, chain, r);
    assert_memory_equal(spn_reads_of(reads)->slices, sums, sizeof sums);
    spn_sampler_free(reads);
}

static void lanes_are_chains(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 10, 31, 64, 65, 127, 200};
    static const size_t reads[] = {12, 13, 64, 65, 128, 200, 256, 268, 300};
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 54; k++) {
        const size_t sites = sizes[k % 9], count = reads[k / 9 * 4 % 9];
        const double scale = k % 2 ? 1 : 0x1p-3;
        const char *name = sites > 1 ? names[k / 9 % 3] : "ising";
        spn_energy *energy = spn_test_random_graph(&random, name, sites, 1 + (int)k % 3, scale);
        const spn_chain_options o = spn_test_lane_options(&random, sites, scale);
        check_versions(energy, &o, count > 256 ? 256 : count);
        check_reads(energy, &o, count, 1 + (unsigned)k % 3);
        spn_energy_free(energy);
    }
}

/* All sites joined to all: local fields up to the largest that fit. */
static void dense_graphs(void **state)
{
    (void)state;
    spn_random random = spn_random_make(6, 0, 0, SPN_PURPOSE_USER);
    for (size_t sites = 20; sites <= 255; sites += sites < 128 ? 108 : 127) {
        spn_error err = {0};
        spn_edge *edges = calloc(sites * sites, sizeof *edges);
        size_t count = 0;
        for (uint32_t i = 0; i < sites; i++)
            for (uint32_t j = 0; j < i; j++)
                edges[count++] = (spn_edge){i, j, 3 * spn_test_between(&random, 0, 1) - 1.5};
        spn_problem *problem;
        spn_energy *energy;
        assert_ok(spn_problem_couplings_create(&problem, sites, count, edges, &err), err);
        assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
        spn_chain_options o = spn_test_lane_options(&random, sites, 3);
        o.kernel = sites <= 128 ? SPN_KERNEL_HEAT_BATH : SPN_KERNEL_TWO_STAGE;
        check_versions(energy, &o, 64);
        check_reads(energy, &o, 70, 1);
        spn_energy_free(energy);
        spn_problem_free(problem);
        free(edges);
    }
}

static void each_stops_at_its_target(void **state)
{
    (void)state;
    spn_random random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 8; k++) {
        spn_energy *energy = spn_test_random_graph(&random, "ising", 40, 3, 1);
        spn_chain_options o = spn_test_lane_options(&random, 40, 1);
        o.steps = 2000;
        o.target = k % 2 ? SPN_TARGET_ANY : SPN_TARGET_ALL;
        o.target_energy = -25 * (double)k; /* from the start to never */
        check_versions(energy, &o, 64);
        check_reads(energy, &o, 100, 2);
        spn_energy_free(energy);
    }
}

static void given_starts(void **state)
{
    (void)state;
    spn_random random = spn_random_make(8, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "qubo", 50, 2, 1);
    spn_chain_options o = spn_test_lane_options(&random, 50, 1);
    int8_t given[50];
    spn_random_spins(&random, given, 50);
    o.start = SPN_START_GIVEN;
    o.given = given;
    check_reads(energy, &o, 64, 1);
    spn_energy_free(energy);
}

static void parts_are_the_chains(void **state)
{
    (void)state;
    static const uint64_t parts[] = {3, 500, 77, 1, 201};
    spn_random random = spn_random_make(13, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 37, 3, 1);
    spn_chain_options o = spn_test_lane_options(&random, 37, 1);
    o.beta = spn_test_exponential(0.1, 5);
    o.steps = 0;
    o.parts = parts;
    o.part_count = 5;
    check_versions(energy, &o, 64);
    check_reads(energy, &o, 100, 2);
    spn_energy_free(energy);
}

/* A clock that goes by the steps of the lanes; those after the first `later` take ten times as
 * long.
 */
static uint64_t made, later;

static double clock_of_steps(void)
{
    return 1000 + 1e-6 * (double)(made > later ? later + 10 * (made - later) : made);
}

static void count_steps(spn_lanes *lanes, uint64_t step, size_t count, size_t first,
                        const double *beta)
{
    made += count;
    spn_lanes_portable(lanes, step, count, first, beta);
}

/* The second group of reads has the parts of the first, whatever the time is then; and all are
   chains of these parts, which take the time that was asked for. */
static void groups_have_the_same_parts(void **state)
{
    (void)state;
    enum { READS = 128, GROUP = 64 };
    spn_error err = {0};
    spn_random random = spn_random_make(15, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 37, 3, 1);
    spn_chain_options chain = spn_test_lane_options(&random, 37, 1);
    chain.beta = spn_test_exponential(0.1, 5);
    chain.steps = 0;
    chain.stretch = 1;
    chain.seconds = 0.02 / GROUP;
    spn_lane_graph *graph = spn_lanes_prepare(energy, &chain, READS);
    spn_shared_parts parts = {0};
    spn_lane_group *groups[READS / GROUP];
    spn_stop stop;
    assert_ok(spn_shared_parts_init(&parts, &chain, 1, 1, &err), err);
    made = 0;
    later = 10000;
    for (size_t k = 0; k < READS / GROUP; k++) {
        assert_ok(
            spn_lane_group_create(&groups[k], graph, count_steps, &chain, k * GROUP, GROUP, &err),
            err);
        groups[k]->side.base.clock = clock_of_steps;
        groups[k]->side.parts.shared = &parts;
        assert_ok(spn_sampler_run(&stop, &groups[k]->side.base, NULL, &err), err);
        assert_int_equal(stop, SPN_STOP_STEPS);
    }
    const uint64_t total = spn_parts_total(&parts.parts); /* 0.01 s fast, 0.01 s slow */
    assert_true(total > 10500 && total < 11500);
    chain.stretch = 0;
    chain.seconds = 0;
    chain.parts = parts.parts.steps;
    chain.part_count = parts.parts.count;
    for (size_t k = 0; k < READS / GROUP; k++) {
        check_group(groups[k], energy, &chain);
        spn_sampler_free(&groups[k]->side.base);
    }
    spn_shared_parts_clear(&parts);
    spn_lane_graph_free(graph);
    spn_energy_free(energy);
}

/* Reads that are stretched over a time all have the same parts, and with these they are chains: in
   lanes and one after the other, in one round or many. */
static void stretched_reads_can_be_repeated(void **state)
{
    (void)state;
    spn_random random = spn_random_make(14, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 37, 3, 1);
    for (size_t k = 0; k < 4; k++) {
        spn_chain_options chain = spn_test_lane_options(&random, 37, 1);
        const size_t reads_count = k % 2 ? 150 : 500; /* more are made in words */
        size_t count;
        chain.beta = spn_test_exponential(0.1, 5);
        chain.steps = 0;
        chain.stretch = 1;
        chain.seconds = 2.0 * 0.05 / (double)reads_count;
        chain.replicas = k / 2 ? 2 : 1; /* plain chains, as words have no random order */
        chain.order = k / 2 ? SPN_ORDER_RANDOM : SPN_ORDER_SEQUENTIAL;
        spn_sampler *reads = spn_test_reads_run(energy, &chain, reads_count, 2);
        const uint64_t *parts = spn_reads_parts(reads, &count);
        assert_int_equal(count, SPN_STRETCHED_PARTS);
        chain.stretch = 0;
        chain.seconds = 0;
        chain.parts = parts;
        chain.part_count = count;
        for (size_t r = 0; r < reads_count; r += 29) {
            spn_read read;
            spn_reads_look(&read, reads, r);
            if (read.stop != SPN_STOP_TIME) /* the machine was not too busy */
                spn_test_check_read(&read, r, energy, &chain);
        }
        spn_sampler_free(reads);
    }
    spn_energy_free(energy);
}

/* Everything that lanes cannot do is done by chains. */
static void the_rest_is_left_to_chains(void **state)
{
    (void)state;
    spn_random random = spn_random_make(9, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 30, 3, 1);
    spn_energy *large = spn_test_random_graph(&random, "ising", 30, 1000, 1);
    spn_energy *real = spn_test_random_graph(&random, "ising", 30, 3, 0.1);
    spn_chain_options o = spn_test_lane_options(&random, 30, 1), plain = o;
    spn_lane_graph *graph = spn_lanes_prepare(energy, &plain, 100);
    assert_non_null(graph);
    spn_lane_graph_free(graph);
    assert_null(spn_lanes_prepare(energy, &plain, SPN_LANE_FEWEST - 1));
    assert_null(spn_lanes_prepare(large, &plain, 100));
    assert_null(spn_lanes_prepare(real, &plain, 100));
    check_reads(large, &plain, 20, 2);
    check_reads(real, &plain, 20, 2);
    plain.replicas = 2;
    assert_null(spn_lanes_prepare(energy, &plain, 100));
    plain = o;
    plain.order = SPN_ORDER_RANDOM;
    assert_null(spn_lanes_prepare(energy, &plain, 100));
    plain = o;
    plain.patience = 10;
    assert_null(spn_lanes_prepare(energy, &plain, 100));
    plain = o;
    plain.beta = spn_test_scoping(1, 1.1, 10);
    assert_null(spn_lanes_prepare(energy, &plain, 100));
    check_reads(energy, &plain, 20, 2);
    spn_energy_free(energy);
    spn_energy_free(large);
    spn_energy_free(real);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_random random = spn_random_make(10, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 30, 3, 1);
    spn_chain_options chain = spn_test_lane_options(&random, 30, 1);
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    chain.start = SPN_START_GIVEN;
    o.chain = &chain;
    o.reads = 64;
    assert_int_equal(spn_reads_create(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_null(reads);
    assert_string_equal(err.text, "a given start needs its spins");
    spn_energy_free(energy);
}

/* ---- cuts ---- */

/* The chain's comparison, written once more. */
static bool accepts(spn_threshold kind, double change, double beta, double per_unit, int64_t word)
{
    const uint32_t w = (uint32_t)word;
    double threshold;
    spn_draw_thresholds(kind, &w, 1, &threshold);
    return change <= threshold / beta * per_unit;
}

static void check_cuts(const spn_lane_graph *graph, spn_threshold kind, double beta)
{
    const spn_lanes lanes = {.graph = graph, .threshold = kind};
    const int reach = graph->reach[0];
    spn_lane_cuts cuts;
    spn_lane_find_cuts(&lanes, 0, beta, &cuts);
    assert_true(cuts.parity == reach % 2 && cuts.last < SPN_LANE_CUTS);
    for (int cost = -reach; cost <= reach; cost += 2) {
        const int number = (cost + cuts.parity) / 2, shifted = number + cuts.shift;
        const unsigned place = shifted > 0 ? (unsigned)shifted : 0;
        const int64_t cut = place > cuts.last ? -1 : (int64_t)cuts.cut[place];
        assert_true(abs(number) <= 127 && shifted <= 127);
        for (int64_t word = cut - 3; word <= cut + 4; word++)
            if (word >= 0 && word <= UINT32_MAX)
                assert_int_equal(accepts(kind, graph->quantum * cost, beta, graph->per_unit, word),
                                 word <= cut);
    }
}

static void cuts_are_the_chains_decisions(void **state)
{
    (void)state;
    uint32_t first[2] = {0, 0};
    int8_t floor_field = 0;
    uint8_t reach = 0;
    spn_lane_graph graph = {.sites = 1, .first = first, .floor = &floor_field, .reach = &reach};
    spn_random random = spn_random_make(11, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 4000; k++) {
        const spn_threshold kind = k % 2 ? SPN_THRESHOLD_METROPOLIS : SPN_THRESHOLD_HEAT_BATH;
        const int most = kind == SPN_THRESHOLD_METROPOLIS ? 254 : 127;
        reach = (uint8_t)spn_test_between(&random, 0, most);
        graph.per_unit = ldexp(1, spn_test_between(&random, 0, 20));
        graph.quantum = 2 * spn_test_between(&random, 1, 5);
        check_cuts(&graph, kind,
                   graph.per_unit * exp(-12 * spn_random_uniform(&random)) * (k % 5 != 0));
    }
}

/* The threshold falls from word to word, also where the logarithm changes its exponent: that is
   what makes one cut enough. And the least of Metropolis' is positive: what does not rise is
   accepted. */
static void thresholds_fall(void **state)
{
    (void)state;
    spn_random random = spn_random_make(12, 0, 0, SPN_PURPOSE_USER);
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < 20000; k++) {
            uint32_t words[64];
            double threshold[64];
            uint32_t start = spn_random_u32(&random);
            if (k < 64) /* around powers of two and their square roots */
                start = (uint32_t)(pow(2, k / 2.0)) - 32;
            if (start > UINT32_MAX - 64)
                start = UINT32_MAX - 63;
            for (uint32_t j = 0; j < 64; j++)
                words[j] = start + j;
            spn_draw_thresholds((spn_threshold)kind, words, 64, threshold);
            for (int j = 1; j < 64; j++)
                assert_true(words[j] < words[j - 1] || threshold[j] < threshold[j - 1]);
        }
    const uint32_t last = UINT32_MAX;
    double least;
    spn_draw_thresholds(SPN_THRESHOLD_METROPOLIS, &last, 1, &least);
    assert_true(least > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_chains),
        cmocka_unit_test(dense_graphs),
        cmocka_unit_test(each_stops_at_its_target),
        cmocka_unit_test(given_starts),
        cmocka_unit_test(parts_are_the_chains),
        cmocka_unit_test(groups_have_the_same_parts),
        cmocka_unit_test(stretched_reads_can_be_repeated),
        cmocka_unit_test(the_rest_is_left_to_chains),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(cuts_are_the_chains_decisions),
        cmocka_unit_test(thresholds_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
