/* Words on every device that OpenCL finds: the bits of the processor. Debian's pocl-opencl-icd
   makes the processor such a device. Without any, all is skipped. */
#include "support/chains.h"
#include "support/devices.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/scratch.h"
#include "support/small.h"
#include "support/test.h"
#include "support/words.h"

#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>

static spn_device_choice device(spn_device_way way)
{
    spn_device_choice choice = spn_test_device();
    choice.way = way;
    return choice;
}

/* A group on the device beside the plain words, run in two parts, saved and loaded between them:
   0: nowhere, 1: device to device, 2: device to processor. */
static void check_device(const spn_energy *energy, const spn_chain_options *chain, size_t count,
                         spn_device_way way, int load)
{
    spn_error err = {0};
    const spn_device_choice choice = device(way);
    spn_word_graph *graph = spn_words_prepare(energy, chain);
    assert_non_null(graph);
    spn_word_group *plain = spn_test_words_start(graph, &spn_words_plain, chain, count);
    spn_word_group *g = spn_test_words_start(graph, &spn_words_portable, chain, count);
    assert_ok(spn_word_group_move(g, &choice, &err), err);
    spn_test_words_run(plain, 0);
    spn_test_words_run(g, 1 + 2 * spn_energy_sites(energy) / 3);
    if (load) {
        void *bytes;
        size_t size;
        assert_ok(spn_sampler_save(&bytes, &size, &g->side.base, &err), err);
        spn_sampler_free(&g->side.base);
        g = spn_test_words_start(graph, &spn_words_portable, chain, count);
        if (load == 1)
            assert_ok(spn_word_group_move(g, &choice, &err), err);
        assert_ok(spn_sampler_load(&g->side.base, bytes, size, &err), err);
        free(bytes);
    }
    spn_test_words_run(g, 0);
    spn_test_assert_same_words(plain, g, spn_energy_sites(energy));
    spn_sampler_free(&g->side.base);
    spn_sampler_free(&plain->side.base);
    spn_word_graph_free(graph);
}

/* Every kernel; one and more replicas, and the centre; graphs with and without fields, of small
   and large couplings, sparse and dense. */
static void devices_make_the_bits_of_the_processor(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 5, 17, 40, 90};
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    spn_random random = spn_random_make(21, 0, 0, SPN_PURPOSE_USER);
    (void)device(SPN_DEVICE_AUTO);
    for (size_t k = 0; k < 10; k++) {
        const size_t sites = sizes[k / 2];
        spn_energy *energy = spn_test_random_graph(&random, sites > 1 ? names[k % 3] : "ising",
                                                   sites, 1 + (int)k % 4, k % 2 ? 1 : 0x1p-3);
        const spn_chain_options o = spn_test_words_options(&random, sites, k);
        check_device(energy, &o, 1 + 22 * k, k % 2 ? SPN_DEVICE_LAUNCHES : SPN_DEVICE_ONE_LAUNCH,
                     (int)k % 3);
        spn_energy_free(energy);
    }
}

/* A lattice on a torus, with couplings +1 and -1. */
static spn_energy *lattice(spn_random *random, uint32_t side)
{
    spn_error err = {0};
    spn_edge *edges = calloc((size_t)side * side * 2, sizeof *edges);
    spn_problem *problem;
    spn_energy *energy;
    for (uint32_t i = 0, k = 0; i < side * side; i++) {
        const uint32_t right = i / side * side + (i + 1) % side, down = (i + side) % (side * side);
        edges[k++] = (spn_edge){i, right, 2 * spn_test_between(random, 0, 1) - 1};
        edges[k++] = (spn_edge){i, down, 2 * spn_test_between(random, 0, 1) - 1};
    }
    assert_ok(spn_problem_couplings_create(&problem, (size_t)side * side, (size_t)side * side * 2,
                                           edges, &err),
              err);
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_problem_free(problem);
    free(edges);
    return energy;
}

/* Many sweeps of a graph with trees of several rows, 1 and 3 replicas and a drawn centre. */
static void sweeps_of_a_lattice(void **state)
{
    (void)state;
    spn_random random = spn_random_make(22, 0, 0, SPN_PURPOSE_USER);
    (void)device(SPN_DEVICE_AUTO);
    spn_energy *energy = lattice(&random, 52);
    for (int k = 0; k < 3; k++) {
        spn_chain_options o = spn_chain_defaults();
        o.replicas = k ? 3 : 1;
        o.coupling = k == 2 ? SPN_COUPLING_CENTRE : SPN_COUPLING_REPLICAS;
        o.order = SPN_ORDER_SEQUENTIAL;
        o.beta = spn_test_linear(0.1, 3);
        o.gamma = k ? spn_test_linear(0, 1) : NULL;
        o.steps = 20 * spn_energy_sites(energy) + 100;
        check_device(energy, &o, 130, k ? SPN_DEVICE_ONE_LAUNCH : SPN_DEVICE_LAUNCHES, k);
    }
    spn_energy_free(energy);
}

/* All neighbours of lower number are in lower levels, those of higher number in higher ones. */
static void levels_keep_the_order(void **state)
{
    (void)state;
    spn_random random = spn_random_make(23, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = lattice(&random, 9);
    spn_word_graph *graph = spn_word_graph_make(energy);
    spn_device_levels levels;
    uint32_t level[81], seen = 0;
    assert_true(spn_device_levels_make(&levels, graph));
    for (uint32_t l = 0; l < levels.count; l++)
        for (uint32_t j = levels.start[l]; j < levels.start[l + 1]; j++, seen++)
            level[levels.order[j]] = l;
    assert_int_equal(seen, 81);
    assert_int_equal(levels.start[0], 0);
    for (uint32_t i = 0; i < 81; i++)
        for (uint32_t k = 0; k < 5; k++) {
            const uint64_t j = graph->terms[graph->site[i].term + k % 4].site;
            assert_true(j == i || (j < i) == (level[j] < level[i]));
        }
    spn_device_levels_clear(&levels);
    spn_word_graph_free(graph);
    spn_energy_free(energy);
}

static spn_status reads_on(spn_sampler **out, const spn_energy *energy,
                           const spn_chain_options *chain, size_t count, const char *name,
                           spn_error *err)
{
    spn_reads_options o = spn_reads_defaults();
    o.engine = strcmp(name, "auto") == 0 ? SPN_ENGINE_AUTO : SPN_ENGINE_WORDS;
    o.chain = chain;
    o.reads = count;
    o.threads = 2;
    o.device = name;
    return spn_reads_create(out, energy, &o, err);
}

static void refuse(const spn_energy *energy, const spn_chain_options *chain, const char *name,
                   const char *text)
{
    spn_error err = {0};
    spn_sampler *reads;
    assert_int_not_equal(reads_on(&reads, energy, chain, 200, name, &err), SPN_OK);
    assert_string_equal(err.text, text);
}

/* Reads by name and by `auto`, and what is refused. */
static void reads_go_to_the_device(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    spn_error err = {0};
    spn_stop stop;
    spn_sampler *here, *there, *any;
    char text[SPN_ERROR_TEXT];
    const spn_device_choice choice = device(SPN_DEVICE_AUTO);
    spn_random random = spn_random_make(24, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = lattice(&random, 8);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = 1;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.beta = spn_test_linear(0.1, 2);
    o.steps = 50 * spn_energy_sites(energy);
    assert_ok(reads_on(&here, energy, &o, COUNT, "cpu", &err), err);
    assert_null(spn_reads_device(here));
    spn_sampler_free(here);
    assert_ok(reads_on(&there, energy, &o, COUNT, choice.info.name, &err), err);
    assert_string_equal(spn_reads_device(there), choice.info.name);
    spn_reads_options words = spn_reads_defaults();
    words.chain = &o;
    words.reads = COUNT;
    words.engine = SPN_ENGINE_WORDS;
    assert_ok(spn_reads_create(&here, energy, &words, &err), err);
    assert_ok(spn_sampler_run(&stop, here, NULL, &err), err);
    assert_ok(spn_sampler_run(&stop, there, NULL, &err), err);
    for (size_t r = 0; r < COUNT; r++) {
        spn_read left, right;
        spn_reads_look(&left, here, r);
        spn_reads_look(&right, there, r);
        spn_test_assert_same_read(&left, &right, spn_energy_sites(energy));
    }
    assert_ok(reads_on(&any, energy, &o, COUNT, "auto", &err), err);
    assert_string_equal(
        spn_reads_device(any),
        "the processor: it makes reads in words; give `engine` words, or leave it out");
    snprintf(text, sizeof text,
             "`device` %s: it makes no reads with a `target`; leave one of the two out",
             choice.info.name);
    spn_device_choice none;
    assert_error(spn_device_choose(&none, "no such thing", &err), &err, SPN_ERROR_ARGUMENT,
                 "no device has this in its name; there is ", choice.info.name);
    o.target = SPN_TARGET_ANY;
    refuse(energy, &o, choice.info.name, text);
    spn_sampler_free(any);
    spn_sampler_free(here);
    spn_sampler_free(there);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_keep_the_order),
        cmocka_unit_test(devices_make_the_bits_of_the_processor),
        cmocka_unit_test(sweeps_of_a_lattice),
        cmocka_unit_test(reads_go_to_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
