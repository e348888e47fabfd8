/* Words: every version makes the bits of the plain one; the laws are right; reads do not share
   random bits; and they can be stopped, saved and repeated alone. */
#include "reads/reads.h"
#include "support/chains.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/small.h"
#include "support/test.h"
#include "support/words.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- groups ---- */

static spn_word_group *group_saved(spn_word_group *g, const spn_word_version *version,
                                   const spn_chain_options *chain)
{
    spn_error err = {0};
    const size_t count = g->side.count;
    const spn_word_graph *graph = g->words.graph;
    void *state;
    size_t size;
    assert_ok(spn_sampler_save(&state, &size, &g->side.base, &err), err);
    spn_sampler_free(&g->side.base);
    g = spn_test_words_start(graph, version, chain, count);
    assert_ok(spn_sampler_load(&g->side.base, state, size, &err), err);
    free(state);
    return g;
}

/* The versions that this machine runs, the plain one first. */
static size_t versions(const spn_word_version *out[4])
{
    size_t count = 2;
    out[0] = &spn_words_plain;
    out[1] = &spn_words_portable;
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
        const spn_word_version *version = spn_words_select(isa, SPN_WORD_ROW);
        if (version != out[count - 1])
            out[count++] = version;
    }
    return count;
}

/* Every version beside the plain one; some are saved and loaded, by another, on their way. */
static void check_versions(const spn_energy *energy, const spn_chain_options *chain, size_t count)
{
    const spn_word_version *version[4];
    const size_t all = versions(version);
    spn_word_graph *graph = spn_words_prepare(energy, chain);
    assert_non_null(graph);
    spn_word_group *plain = spn_test_words_start(graph, version[0], chain, count);
    spn_test_words_run(plain, 0);
    for (size_t k = 1; k < all; k++) {
        spn_word_group *g = spn_test_words_start(graph, version[k], chain, count);
        spn_test_words_run(g, 1 + count % 50);
        if (k == 1)
            g = group_saved(g, version[0], chain);
        spn_test_words_run(g, 0);
        spn_test_assert_same_words(plain, g, spn_energy_sites(energy));
        spn_sampler_free(&g->side.base);
    }
    spn_sampler_free(&plain->side.base);
    spn_word_graph_free(graph);
}

static void versions_make_the_same_bits(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 5, 17, 40, 64};
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 36; k++) {
        const size_t sites = sizes[k / 6];
        spn_energy *energy = spn_test_random_graph(&random, sites > 1 ? names[k % 3] : "ising",
                                                   sites, 1 + (int)k % 7, k % 2 ? 1 : 0x1p-3);
        spn_chain_options o = spn_test_words_options(&random, sites, k);
        o.target = (spn_target)(k % 3);
        o.target_energy = -2.0 * (double)(k % 5 * sites);
        check_versions(energy, &o, k == 14 ? 500 : 1 + k * 3);
        spn_energy_free(energy);
    }
}

/* All sites joined to all, and to fields: as many terms as words take. */
static void dense_graphs(void **state)
{
    (void)state;
    spn_random random = spn_random_make(6, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 3; k++) {
        const size_t sites = k == 2 ? 256 : 30 + 33 * k;
        spn_error err = {0};
        spn_edge *edges = calloc(sites * sites, sizeof *edges);
        size_t count = 0;
        for (uint32_t i = 0; i < sites; i++)
            for (uint32_t j = 0; j < i; j++)
                edges[count++] = (spn_edge){i, j, k == 2 ? 2 : spn_test_between(&random, -4, 4)};
        spn_problem *problem;
        spn_energy *energy;
        assert_ok(spn_problem_couplings_create(&problem, sites, count, edges, &err), err);
        assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
        spn_chain_options o = spn_test_words_options(&random, sites, 4 - 2 * k);
        o.replicas = 1;
        o.beta = spn_test_linear(0, 0.05);
        o.steps = 150;
        check_versions(energy, &o, 20);
        spn_energy_free(energy);
        spn_problem_free(problem);
        free(edges);
    }
}

/* ---- laws ---- */

/* The number of a lane's state, as small_index. */
static size_t state_of(const spn_word_group *g, size_t lane)
{
    const spn_words *w = &g->words;
    size_t index = 0;
    for (size_t a = 0; a < w->replicas; a++)
        for (size_t i = 0; i < w->graph->sites; i++) {
            const uint64_t *row = w->spins + (i * w->replicas + a) * w->words;
            index |= (size_t)(row[lane / 64] >> lane % 64 & 1) << (a * w->graph->sites + i);
        }
    return index;
}

/* How often each state is the last of a read. */
static void count_ends(uint64_t *counts, const spn_energy *energy, const spn_chain_options *chain,
                       size_t reads)
{
    spn_chain_options o = *chain;
    spn_word_graph *graph = spn_words_prepare(energy, chain);
    assert_non_null(graph);
    for (; o.run < reads; o.run += SPN_WORD_MOST) {
        spn_word_group *g = spn_test_words_start(
            graph, spn_words_select(spn_cpu_isa(), SPN_WORD_ROW), &o, SPN_WORD_MOST);
        spn_test_words_run(g, 0);
        for (size_t lane = 0; lane < SPN_WORD_MOST; lane++)
            counts[state_of(g, lane)]++;
        spn_sampler_free(&g->side.base);
    }
    spn_word_graph_free(graph);
}

static void check_counts(const uint64_t *counts, const double *law, size_t states,
                         const spn_chain_options *o, const char *what)
{
    const double p = spn_pearson_test(counts, law, states);
    printf("  %-9s y = %zu, %s: p = %.3g\n", spn_kernel_name(o->kernel), o->replicas, what, p);
    assert_true(p > SPN_FALSE_ALARM);
}

static spn_chain_options law_options(const small_system *system, spn_kernel kernel)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = system->replicas;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.kernel = kernel;
    o.beta = spn_test_constant(system->beta);
    o.gamma = spn_test_constant(system->gamma);
    o.steps = 40 * system->sites;
    o.seed = 20251118;
    return o;
}

/* The law of replicas, each in the field gamma of a fixed centre. */
static void given_law(const small_system *system, const int8_t *centre, double *out)
{
    const size_t one = (size_t)1 << system->sites;
    double sum = 0;
    for (size_t k = 0; k < system->states; k++) {
        double exponent = 0;
        for (size_t a = 0; a < system->replicas; a++) {
            const size_t own = k >> (a * system->sites) & (one - 1);
            exponent -= system->beta * system->energy[own];
            for (size_t i = 0; i < system->sites; i++)
                exponent += system->gamma * centre[i] * (own >> i & 1 ? 1 : -1);
        }
        sum += out[k] = exp(exponent);
    }
    for (size_t k = 0; k < system->states; k++)
        out[k] /= sum;
}

/* One step from a given state, and the law after many, for every kernel and coupling. */
static void check_laws(const spn_energy *energy, size_t replicas, double beta, double gamma,
                       size_t from)
{
    enum { READS = 1 << 15 };
    static const int8_t centre[] = {1, -1, 1, 1, -1};
    int8_t start[64];
    double law[SMALL_MOST_STATES];
    small_system system;
    small_system_init(&system, energy, replicas, beta, gamma);
    small_spins(&system, from, start);
    for (int kernel = 0; spn_kernel_name((spn_kernel)kernel); kernel++) {
        spn_chain_options o = law_options(&system, (spn_kernel)kernel);
        uint64_t once[SMALL_MOST_STATES] = {0};
        for (int coupling = 0; spn_coupling_kind_name((spn_coupling_kind)coupling); coupling++) {
            uint64_t counts[SMALL_MOST_STATES] = {0};
            o.coupling = (spn_coupling_kind)coupling;
            o.centre = o.coupling == SPN_COUPLING_GIVEN ? centre : NULL;
            if (o.coupling == SPN_COUPLING_GIVEN)
                given_law(&system, centre, law);
            else
                small_law(&system, law);
            count_ends(counts, energy, &o, spn_test_samples(READS));
            check_counts(counts, law, system.states, &o,
                         spn_coupling_kind_name((spn_coupling_kind)coupling));
        }
        o = law_options(&system, (spn_kernel)kernel);
        o.start = SPN_START_GIVEN;
        o.given = start;
        o.steps = 1;
        count_ends(once, energy, &o, spn_test_samples(READS));
        small_step(&system, (spn_kernel)kernel, SPN_ORDER_SEQUENTIAL, from, law);
        check_counts(once, law, system.states, &o, "one step");
    }
}

static void words_have_their_law(void **state)
{
    (void)state;
    spn_energy *three = small_graph(3, 1), *four = small_graph(4, 1);
    check_laws(four, 1, 0.4, 0.3, 6);
    check_laws(four, 2, 0.3, 0.4, 77);
    check_laws(three, 3, 0.35, 0.5, 99);
    spn_energy_free(three);
    spn_energy_free(four);
}

/* The first site of a star with `degree` neighbours of random couplings. */
static spn_energy *star(spn_random *random, size_t degree, int most)
{
    spn_error err = {0};
    spn_edge edges[64];
    spn_problem *problem;
    spn_energy *energy;
    for (uint32_t k = 0; k < degree; k++)
        edges[k] = (spn_edge){0, k + 1, 2 * spn_test_between(random, -most, most) + 1};
    edges[degree] = (spn_edge){0, 0, spn_test_between(random, -2, 2)};
    assert_ok(spn_problem_couplings_create(&problem, degree + 1, degree + 1, edges, &err), err);
    assert_ok(spn_energy_create(&energy, "ising", problem, &err), err);
    spn_problem_free(problem);
    return energy;
}

static double share_of(spn_kernel kernel, double cost)
{
    return kernel == SPN_KERNEL_HEAT_BATH ? 1 / (1 + exp(cost)) : fmin(1, exp(-cost));
}

/* The share of accepted flips of a site with any number of terms of any size. */
static void every_degree_has_its_acceptance(void **state)
{
    (void)state;
    enum { READS = 1 << 14 };
    spn_random random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER);
    for (size_t degree = 0; degree < 48; degree++)
        for (int kernel = 0; kernel < 3; kernel += 2) {
            int8_t start[64];
            spn_energy *energy = star(&random, degree + 1, (int)degree % 5);
            spn_chain_options o = spn_chain_defaults();
            spn_random_spins(&random, start, degree + 2);
            const double before = spn_energy_value(energy, start);
            start[0] = (int8_t)-start[0];
            double change = spn_energy_value(energy, start) - before;
            if (change > 0) { /* the start with the lower energy: the flip is uphill */
                start[0] = (int8_t)-start[0];
            } else {
                change = -change;
            }
            const double beta = 0.9 / (1 + change), p = share_of((spn_kernel)kernel, beta * change);
            o.replicas = 1;
            o.order = SPN_ORDER_SEQUENTIAL;
            o.kernel = (spn_kernel)kernel;
            o.beta = spn_test_constant(beta);
            o.steps = 1;
            o.start = SPN_START_GIVEN;
            o.given = start;
            o.seed = degree;
            spn_sampler *reads = spn_test_reads_run(energy, &o, READS, 1);
            uint64_t flips = 0;
            for (size_t r = 0; r < READS; r++) {
                spn_read read;
                spn_reads_look(&read, reads, r);
                flips += read.accepted;
            }
            const double z = ((double)flips - READS * p) / sqrt(READS * p * (1 - p) + 1e-9);
            if (!(spn_normal_tail(z) > SPN_FALSE_ALARM))
                fail_msg("degree %zu, %s: %g accepted, not %g, z = %g", degree + 1,
                         spn_kernel_name(o.kernel), (double)flips / READS, p, z);
            spn_sampler_free(reads);
            spn_energy_free(energy);
        }
}

/* At beta = 0 every flip of the heat bath is a coin: coins of neighbouring reads, words, replicas
   and steps agree half of the time. */
static void reads_share_no_random_bits(void **state)
{
    (void)state;
    enum { SITES = 600, REPLICAS = 2 };
    spn_random random = spn_random_make(8, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", SITES, 1, 1);
    spn_chain_options o = spn_chain_defaults();
    o.replicas = REPLICAS;
    o.order = SPN_ORDER_SEQUENTIAL;
    o.kernel = SPN_KERNEL_HEAT_BATH;
    o.beta = spn_test_constant(0);
    o.steps = SITES;
    spn_word_graph *graph = spn_words_prepare(energy, &o);
    spn_word_group *g = spn_test_words_start(graph, spn_words_select(spn_cpu_isa(), SPN_WORD_ROW),
                                             &o, SPN_WORD_MOST);
    spn_test_words_run(g, 0);
    const size_t words = g->words.words;
    const uint64_t *flips = g->words.flips;
    uint64_t agree[4] = {0}, count = 0;
    for (size_t k = 0; k < (SITES - 1) * REPLICAS * words; k++) {
        if (k % words == words - 1 || k / words % REPLICAS)
            continue;
        const uint64_t x = flips[k], others[] = {x >> 1 | x << 63, flips[k + 1], flips[k + words],
                                                 flips[k + REPLICAS * words]};
        for (size_t j = 0; j < 4; j++)
            agree[j] += 64 - (uint64_t)__builtin_popcountll(x ^ others[j]);
        count += 64;
    }
    for (size_t j = 0; j < 4; j++) {
        const double z = ((double)agree[j] - 0.5 * (double)count) / (0.5 * sqrt((double)count));
        assert_true(spn_normal_tail(z) > SPN_FALSE_ALARM);
    }
    spn_sampler_free(&g->side.base);
    spn_word_graph_free(graph);
    spn_energy_free(energy);
}

/* ---- reads ---- */

static spn_sampler *words_start(const spn_energy *energy, const spn_chain_options *chain,
                                size_t count, unsigned threads, const int8_t *starts)
{
    spn_error err = {0};
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    o.chain = chain;
    o.reads = count;
    o.threads = threads;
    o.engine = SPN_ENGINE_WORDS;
    o.starts = starts;
    o.start_count = starts ? 2 : 0;
    assert_ok(spn_reads_create(&reads, energy, &o, &err), err);
    return reads;
}

static void finish(spn_sampler *reads)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, reads, NULL, &err), err);
}

static void check_reads_same(const spn_sampler *a, const spn_sampler *b, size_t first, size_t sites)
{
    for (size_t r = 0; r < spn_reads_count(b); r++) {
        spn_read left, right;
        spn_reads_look(&left, a, first + r);
        spn_reads_look(&right, b, r);
        spn_test_assert_same_read(&left, &right, sites);
    }
}

/* On other threads, after a save, and each alone by its run. */
static void reads_can_be_repeated(void **state)
{
    (void)state;
    enum { SITES = 37, READS = 700 };
    spn_random random = spn_random_make(9, 0, 0, SPN_PURPOSE_USER);
    int8_t starts[2 * SITES];
    spn_random_spins(&random, starts, 2 * SITES);
    for (size_t k = 0; k < 6; k++) {
        spn_error err = {0};
        spn_until some = spn_until_defaults();
        spn_stop stop;
        void *bytes;
        size_t size;
        spn_energy *energy = spn_test_random_graph(&random, "ising", SITES, 2, 1);
        spn_chain_options o = spn_test_words_options(&random, SITES, k);
        const int8_t *given = k == 4 ? starts : NULL;
        o.run = 100;
        o.steps = 200;
        o.target = k % 2 ? SPN_TARGET_ANY : SPN_TARGET_NONE;
        o.target_energy = -30;
        spn_sampler *whole = words_start(energy, &o, READS, 1, given);
        finish(whole);
        spn_sampler *pieces = words_start(energy, &o, READS, 3, given);
        some.steps = 100 * READS;
        assert_ok(spn_sampler_run(&stop, pieces, &some, &err), err);
        assert_ok(spn_sampler_save(&bytes, &size, pieces, &err), err);
        spn_sampler_free(pieces);
        pieces = words_start(energy, &o, READS, 2, given);
        assert_ok(spn_sampler_load(pieces, bytes, size, &err), err);
        free(bytes);
        finish(pieces);
        check_reads_same(whole, pieces, 0, SITES);
        assert_int_equal(spn_sampler_health(whole), spn_sampler_health(pieces));
        assert_int_equal(spn_reads_count_steps(spn_reads_of(whole)),
                         spn_reads_count_steps(spn_reads_of(pieces)));
        spn_sampler_free(pieces);
        for (size_t r = 0; r < READS && !given; r += 93) {
            spn_chain_options alone = o;
            alone.run += (uint32_t)r;
            spn_sampler *single = words_start(energy, &alone, 1, 1, NULL);
            finish(single);
            check_reads_same(whole, single, r, SITES);
            spn_sampler_free(single);
        }
        spn_sampler_free(whole);
        spn_energy_free(energy);
    }
}

/* The best state is that of the first step at the best energy, and hits are steps: a read that
   stops at its best energy as target ends there. */
static void best_states_and_hits_agree(void **state)
{
    (void)state;
    enum { SITES = 50, READS = 64 };
    spn_random random = spn_random_make(10, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 2; k++) {
        spn_energy *energy = spn_test_random_graph(&random, "ising", SITES, 1, 1);
        spn_chain_options o = spn_test_words_options(&random, SITES, k);
        o.beta = spn_test_constant(0.8);
        o.steps = 20 * SITES + 7;
        spn_sampler *reads = words_start(energy, &o, READS, 1, NULL);
        finish(reads);
        for (size_t r = 0; r < READS; r += 5) {
            spn_read read, first;
            spn_chain_options again = o;
            spn_reads_look(&read, reads, r);
            again.run += (uint32_t)r;
            again.target = SPN_TARGET_ANY;
            again.target_energy = read.best_energy;
            spn_sampler *single = words_start(energy, &again, 1, 1, NULL);
            finish(single);
            spn_reads_look(&first, single, 0);
            assert_int_equal(first.stop, SPN_STOP_TARGET);
            assert_int_equal(first.steps, first.hit);
            assert_true(first.energy == read.best_energy);
            if (o.replicas == 1) /* else another replica may have been there later */
                assert_memory_equal(first.best_spins, read.best_spins, SITES);
            spn_sampler_free(single);
        }
        spn_sampler_free(reads);
        spn_energy_free(energy);
    }
}

/* Stretched over a time, in one round or many; the parts repeat the run. */
static void stretched_reads_can_be_repeated(void **state)
{
    (void)state;
    spn_random random = spn_random_make(14, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 37, 3, 1);
    for (size_t k = 0; k < 2; k++) {
        spn_chain_options chain = spn_test_words_options(&random, 37, k);
        const size_t count = k ? 1100 : 600;
        size_t parts;
        chain.run = 0;
        chain.beta = spn_test_exponential(0.1, 2);
        chain.gamma = NULL;
        chain.steps = 0;
        chain.stretch = 1;
        chain.seconds = 2.0 * 0.05 / (double)count;
        spn_sampler *reads = words_start(energy, &chain, count, 2, NULL);
        finish(reads);
        chain.parts = spn_reads_parts(reads, &parts);
        assert_int_equal(parts, SPN_STRETCHED_PARTS);
        chain.part_count = parts;
        chain.stretch = 0;
        chain.seconds = 0;
        spn_sampler *again = words_start(energy, &chain, count, 1, NULL);
        finish(again);
        for (size_t r = 0; r < count; r++) {
            spn_read left, right;
            spn_reads_look(&left, reads, r);
            spn_reads_look(&right, again, r);
            if (left.stop != SPN_STOP_TIME) /* the machine was not too busy */
                spn_test_assert_same_read(&left, &right, 37);
        }
        spn_sampler_free(again);
        spn_sampler_free(reads);
    }
    spn_energy_free(energy);
}

static spn_engine engine_of(const spn_energy *energy, const spn_chain_options *chain, size_t count)
{
    spn_sampler *reads = spn_test_reads_start(energy, chain, count, 1);
    const spn_engine engine = spn_reads_of(reads)->engine;
    spn_sampler_free(reads);
    return engine;
}

static void refuse(const spn_energy *energy, const spn_chain_options *chain, const char *text)
{
    spn_error err = {0};
    spn_reads_options o = spn_reads_defaults();
    spn_sampler *reads;
    o.chain = chain;
    o.reads = 64;
    o.engine = SPN_ENGINE_WORDS;
    assert_int_equal(spn_reads_create(&reads, energy, &o, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, text);
}

static void words_are_chosen_where_they_fit(void **state)
{
    (void)state;
    spn_random random = spn_random_make(11, 0, 0, SPN_PURPOSE_USER);
    spn_energy *energy = spn_test_random_graph(&random, "ising", 30, 3, 1);
    spn_energy *real = spn_test_random_graph(&random, "ising", 30, 3, 0.1);
    spn_chain_options o = spn_test_words_options(&random, 30, 0), other;
    o.replicas = 1;
    o.beta = spn_test_constant(1);
    o.gamma = NULL;
    o.run = 0;
    assert_int_equal(engine_of(energy, &o, 512), SPN_ENGINE_WORDS);
    assert_int_not_equal(engine_of(energy, &o, 511), SPN_ENGINE_WORDS);
    assert_int_equal(engine_of(real, &o, 512), SPN_ENGINE_LANES); /* in rows */
    o.replicas = 3;
    assert_int_equal(engine_of(energy, &o, 64), SPN_ENGINE_WORDS);
    assert_int_equal(engine_of(energy, &o, 63), SPN_ENGINE_PLAIN);
    refuse(real, &o,
           "`engine` words needs couplings that are small integers in some unit; leave it "
           "out");
    other = o;
    other.order = SPN_ORDER_RANDOM;
    refuse(energy, &other, "`engine` words needs `order` sequential; leave it out");
    other = o;
    other.patience = 10;
    refuse(
        energy, &other,
        "`engine` words needs reads that do not stop by `patience` or when frozen; leave it out");
    spn_energy_free(energy);
    spn_energy_free(real);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_make_the_same_bits),
        cmocka_unit_test(dense_graphs),
        cmocka_unit_test(words_have_their_law),
        cmocka_unit_test(every_degree_has_its_acceptance),
        cmocka_unit_test(reads_share_no_random_bits),
        cmocka_unit_test(reads_can_be_repeated),
        cmocka_unit_test(best_states_and_hits_agree),
        cmocka_unit_test(stretched_reads_can_be_repeated),
        cmocka_unit_test(words_are_chosen_where_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
