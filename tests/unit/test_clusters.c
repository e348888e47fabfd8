/* Clusters that replicas exchange: the sites they take, what they leave unchanged, and the law of
   chains that make them, at a false-alarm rate of 1e-6. tests/mutation breaks the clusters on
   purpose and expects these tests to fail. */
#include "chain/chain.h"
#include "ladder/ladder.h"
#include "support/chains.h"
#include "support/reads.h"
#include "support/schedules.h"
#include "support/scratch.h"
#include "support/small.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_energy *energy_of(const char *name, size_t sites, spn_edge *edges, size_t count)
{
    spn_error err = {0};
    spn_energy *energy;
    const spn_problem problem = {.kind = strcmp(name, "maxcut") ? SPN_PROBLEM_COUPLINGS
                                                                : SPN_PROBLEM_CUT,
                                 .sites = sites,
                                 .count = count,
                                 .edges = edges};
    assert_ok(spn_energy_create(&energy, name, &problem, &err), err);
    return energy;
}

/* A random sparse graph with fields; real couplings are kept wide, whole ones narrow. */
static spn_energy *random_energy(const char *name, size_t sites, bool whole, uint64_t seed)
{
    spn_edge edges[256];
    size_t count = 0;
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
    for (uint32_t i = 0; i < sites; i++)
        for (uint32_t j = i + !strcmp(name, "maxcut"); j < sites; j++) {
            const double weight = spn_random_uniform(&random) * 4 - 2;
            if (spn_random_uniform(&random) * (double)sites < 2.5 && count < 256)
                edges[count++] = (spn_edge){i, j, whole ? ceil(weight) : weight};
        }
    return energy_of(name, sites, edges, count);
}

static spn_clusters *clusters_of(const spn_energy *energy)
{
    spn_error err = {0};
    spn_clusters *clusters;
    assert_ok(spn_clusters_create(&clusters, energy, &err), err);
    return clusters;
}

static spn_chain_options options_of(size_t replicas, double beta, double gamma)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = replicas;
    o.beta = spn_test_constant(beta);
    o.gamma = spn_test_constant(gamma);
    o.start = SPN_START_INDEPENDENT;
    o.seed = 20240501;
    o.steps = 1;
    o.target_energy = -INFINITY;
    return o;
}

/* Make moves; returns how many sites changed hands. */
static uint64_t exchange(spn_chain *chain, const spn_clusters *clusters, uint64_t first,
                         uint32_t count)
{
    spn_error err = {0};
    uint64_t changed = 0;
    assert_ok(spn_chain_clusters(&changed, chain, clusters, first, count, &err), err);
    return changed;
}

/* Let a chain make so many steps more. */
static void walk(spn_chain *chain, uint64_t steps)
{
    chain->options.steps = chain->base.step + steps;
    chain->parts.steps[0] = chain->options.steps;
    spn_test_chain_run(&chain->base);
}

/* ---- one move ---- */

/* Whether two sites are coupled, by what the energy says of their flips. */
static bool coupled(const spn_energy *energy, size_t i, size_t j)
{
    double part[2];
    int8_t *spins = malloc(spn_energy_sites(energy));
    memset(spins, 1, spn_energy_sites(energy));
    for (int k = 0; k < 2; k++) {
        spins[j] = k ? 1 : -1;
        spins[i] = 1;
        part[k] = spn_energy_value(energy, spins);
        spins[i] = -1;
        part[k] -= spn_energy_value(energy, spins);
    }
    free(spins);
    return fabs(part[0] - part[1]) > 1e-9;
}

/* The plain reference: add a differing neighbour as long as there is one. */
static void plain_cluster(const spn_energy *energy, const int8_t *a, const int8_t *b, size_t seed,
                          bool *in)
{
    memset(in, 0, spn_energy_sites(energy) * sizeof *in);
    in[seed] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = 0; i < spn_energy_sites(energy); i++)
            for (size_t j = 0; j < spn_energy_sites(energy) && in[i]; j++)
                if (!in[j] && a[j] != b[j] && coupled(energy, i, j))
                    grown = in[j] = true;
    }
}

/* What a chain keeps beside its spins is what they alone make it. */
static void check_kept(const spn_chain *chain)
{
    spn_chain_options o = options_of(chain->replicas, 1, 0);
    o.start = SPN_START_GIVEN;
    o.given = chain->spins;
    spn_chain *fresh = spn_chain_of(spn_test_chain_start(chain->energy, &o));
    assert_memory_equal(chain->sums, fresh->sums, chain->sites * sizeof *chain->sums);
    for (size_t a = 0; a < chain->replicas; a++) {
        assert_true(chain->energies[a] == fresh->energies[a]);
        assert_true(chain->best.energy[a] <= chain->energies[a]);
        assert_true(spn_energy_value(chain->energy, chain->best.spins + a * chain->sites) ==
                    chain->best.energy[a]);
        for (size_t i = 0; i < chain->sites; i++)
            assert_true(chain->slots.delta(chain->energy, spn_chain_cache(chain, a),
                                           spn_chain_spins(chain, a), i) ==
                        chain->slots.delta(chain->energy, spn_chain_cache(fresh, a),
                                           spn_chain_spins(fresh, a), i));
    }
    spn_sampler_free(&fresh->base);
}

/* Whether the differing sites that a move exchanged, or those that it did not, are one cluster. */
static bool is_cluster(const spn_chain *chain, const int8_t *before, bool exchanged)
{
    const size_t sites = chain->sites;
    bool in[64], started = false;
    for (size_t i = 0; i < sites; i++) {
        const bool differs = before[i] != before[sites + i];
        const bool is_part = differs && (before[i] != chain->spins[i]) == exchanged;
        if (is_part && !started)
            plain_cluster(chain->energy, before, before + sites, i, in);
        started = started || is_part;
        if (started && in[i] != is_part)
            return false;
    }
    return started;
}

/* One move of a chain of two replicas against the reference. Returns the cluster's size. */
static size_t check_move(spn_chain *chain, const spn_clusters *clusters, uint64_t number)
{
    const size_t sites = chain->sites;
    int8_t before[128];
    size_t size = 0, different = 0;
    memcpy(before, chain->spins, 2 * sites);
    const double energy = chain->energies[0] + chain->energies[1];
    const size_t said = (size_t)exchange(chain, clusters, number, 1);
    for (size_t i = 0; i < sites; i++) {
        const bool exchanged = chain->spins[i] != before[i];
        assert_int_equal(chain->spins[i], before[exchanged ? sites + i : i]);
        assert_int_equal(chain->spins[sites + i], before[exchanged ? i : sites + i]);
        size += exchanged;
        different += before[i] != before[sites + i];
    }
    assert_int_equal(said, size);
    /* a cluster of at most half of the differing sites was exchanged, or all but a larger one */
    const bool whole = size > 0 && is_cluster(chain, before, true);
    assert_true(different == 0 || (whole && 2 * size <= different) ||
                (2 * size < different && is_cluster(chain, before, false)));
    assert_near(chain->energies[0] + chain->energies[1], energy, 1e-9);
    check_kept(chain);
    return size;
}

static void clusters_are_connected_and_whole(void **state)
{
    (void)state;
    const char *const names[] = {"ising", "qubo", "maxcut"};
    for (uint64_t seed = 0; seed < 12; seed++) {
        spn_energy *energy = random_energy(names[seed % 3], 20, seed % 2 == 0, seed);
        spn_clusters *clusters = clusters_of(energy);
        spn_chain_options o = options_of(2, 0.4, 0.1);
        spn_chain *chain = spn_chain_of(spn_test_chain_start(energy, &o));
        size_t singles = 0, larger = 0;
        for (uint64_t k = 0; k < 40; k++) {
            walk(chain, 5);
            const size_t size = check_move(chain, clusters, k);
            singles += size == 1;
            larger += size > 1;
        }
        assert_true(singles > 0 && larger > 0);
        spn_sampler_free(&chain->base);
        spn_clusters_free(clusters);
        spn_energy_free(energy);
    }
}

/* Among more replicas the sums stay, and so does the total energy. */
static void sums_and_total_energy_stay(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_clusters *clusters = clusters_of(energy);
    spn_chain_options o = options_of(5, 0.7, 0.2);
    spn_chain *chain = spn_chain_of(spn_test_chain_start(energy, &o));
    for (uint64_t k = 0; k < 100; k++) {
        int16_t sums[48];
        double before = 0, after = 0;
        walk(chain, 20);
        memcpy(sums, chain->sums, sizeof sums);
        for (size_t a = 0; a < 5; a++)
            before += chain->energies[a];
        exchange(chain, clusters, 3 * k, 3);
        for (size_t a = 0; a < 5; a++)
            after += chain->energies[a];
        assert_true(before == after);
        assert_memory_equal(sums, chain->sums, sizeof sums);
        check_kept(chain);
    }
    spn_sampler_free(&chain->base);
    spn_clusters_free(clusters);
    spn_energy_free(energy);
}

/* Two ferromagnetic pairs: one of the two clusters makes a replica the ground state. */
static void a_cluster_can_be_a_best_state_and_a_first_hit(void **state)
{
    (void)state;
    spn_edge edges[] = {{0, 1, -1}, {2, 3, -1}};
    const int8_t start[] = {1, -1, 1, 1, 1, 1, 1, -1};
    spn_energy *energy = energy_of("ising", 4, edges, 2);
    spn_clusters *clusters = clusters_of(energy);
    spn_chain_options o = options_of(2, 1, 0);
    o.start = SPN_START_GIVEN;
    o.given = start;
    o.target_energy = -2;
    spn_chain *chain = spn_chain_of(spn_test_chain_start(energy, &o));
    assert_true(chain->energies[0] == 0 && chain->energies[1] == 0);
    assert_true(chain->first_hit == SPN_NO_HIT && chain->at_target == 0);
    assert_int_equal(exchange(chain, clusters, 0, 1), 1);
    const size_t best = chain->energies[0] == -2 ? 0 : 1;
    assert_true(chain->energies[best] == -2 && chain->energies[1 - best] == 2);
    assert_true(chain->best.energy[best] == -2 && chain->best.energy[1 - best] == 0);
    assert_true(chain->first_hit == 0 && chain->at_target == 1);
    check_kept(chain);
    while (chain->energies[best] == -2) /* and back, at some time: the best stays */
        exchange(chain, clusters, ++chain->base.step, 1);
    assert_true(chain->best.energy[best] == -2 && chain->first_hit == 0);
    check_kept(chain);
    spn_sampler_free(&chain->base);
    spn_clusters_free(clusters);
    spn_energy_free(energy);
}

static void numbers_of_moves_tell_their_draws(void **state)
{
    (void)state;
    spn_energy *energy = spn_test_lattice();
    spn_clusters *clusters = clusters_of(energy);
    spn_chain_options o = options_of(3, 0.7, 0.2);
    spn_chain *one = spn_chain_of(spn_test_chain_start(energy, &o)),
              *other = spn_chain_of(spn_test_chain_start(energy, &o));
    assert_true(exchange(one, clusters, 0, 7) ==
                exchange(other, clusters, 0, 4) + exchange(other, clusters, 4, 3));
    spn_test_assert_same_state(&one->base, &other->base);
    assert_true(exchange(other, clusters, 7, 20) > 0);
    o.replicas = 1;
    spn_chain *single = spn_chain_of(spn_test_chain_start(energy, &o));
    assert_int_equal(exchange(single, clusters, 0, 5), 0);
    spn_sampler_free(&single->base);
    spn_sampler_free(&other->base);
    spn_sampler_free(&one->base);
    spn_clusters_free(clusters);
    spn_energy_free(energy);
}

static void other_energies_are_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_clusters *clusters;
    spn_problem *problem = small_instance('A');
    assert_ok(spn_energy_create(&energy, "bits", problem, &err), err);
    assert_error(spn_clusters_create(&clusters, energy, &err), &err, SPN_ERROR_ARGUMENT,
                 "clusters: the energy 'bits' has no graph", "ising, qubo and maxcut");
    assert_null(clusters);
    spn_energy_free(energy);
    spn_problem_free(problem);
}

/* ---- the law ---- */

/* Few flips and many clusters between two samples, so that a cluster that changes the law is not
   mended by the flips: one step, four moves, thirty times. */
static void check_law(const spn_energy *energy, const spn_chain_options *options, double beta,
                      double gamma)
{
    enum { SCANS = 30, MOVES = 4 };
    const size_t samples = spn_test_samples(20000);
    small_system system;
    uint64_t counts[SMALL_MOST_STATES] = {0}, number = 0, changed = 0;
    double law[SMALL_MOST_STATES];
    small_system_init(&system, energy, options->replicas, beta, gamma);
    spn_clusters *clusters = clusters_of(energy);
    spn_chain *chain = spn_chain_of(spn_test_chain_start(energy, options));
    for (size_t s = 0; s < samples; s++) {
        for (size_t scan = 0; scan < SCANS; scan++, number += MOVES) {
            walk(chain, 1);
            changed += exchange(chain, clusters, number, MOVES);
        }
        counts[small_index(&system, chain->spins)]++;
    }
    small_law(&system, law);
    const double p = spn_pearson_test(counts, law, system.states);
    printf("  y = %zu, gamma = %g: law p = %.3g, %.2f sites a move\n", options->replicas, gamma, p,
           (double)changed / (double)number);
    spn_sampler_free(&chain->base);
    spn_clusters_free(clusters);
    assert_true(p > SPN_FALSE_ALARM);
}

static void chains_with_clusters_have_their_law(void **state)
{
    (void)state;
    spn_edge edges[] = {{0, 1, 0.7}, {1, 2, -1.3}, {2, 3, 0.4}, {3, 4, 1},
                        {0, 0, 0.3}, {2, 2, 0.5},  {4, 4, -0.6}};
    spn_energy *path = energy_of("ising", 5, edges, 7), *triple = energy_of("ising", 3, edges, 2);
    const double gammas[] = {0, 0.35};
    for (int k = 0; k < 2; k++) {
        spn_chain_options o = options_of(2, 0.6, gammas[k]);
        check_law(path, &o, 0.6, gammas[k]);
        o.kernel = SPN_KERNEL_HEAT_BATH;
        o.order = SPN_ORDER_RANDOM;
        o.replicas = 3;
        check_law(triple, &o, 0.6, gammas[k]);
    }
    spn_energy_free(triple);
    spn_energy_free(path);
}

/* A chain that waits keeps lists of its sites, which a cluster changes from outside. */
static void waiting_chains_with_clusters_have_their_law(void **state)
{
    (void)state;
    spn_edge edges[] = {{0, 1, 1}, {1, 2, -2}, {2, 3, 1}, {3, 4, 1}, {0, 0, 1}, {2, 2, -1}};
    spn_energy *path = energy_of("ising", 5, edges, 6);
    spn_chain_options o = options_of(2, 0.5, 0.35);
    o.moves = SPN_MOVES_WAITING;
    check_law(path, &o, 0.5, 0.35);
    spn_energy_free(path);
}

/* ---- joined reads ---- */

enum { JOINED_SITES = 60 };

/* Flip the differing sites that hang together with a site, if the energy computed anew is lower. */
static void plain_flip(int8_t *best, const int8_t *other, bool *seen, size_t site,
                       const spn_energy *energy, const spn_sparse_terms *graph)
{
    int8_t trial[JOINED_SITES];
    bool inside[JOINED_SITES] = {false}, grows = true;
    memcpy(trial, best, sizeof trial);
    inside[site] = true;
    while (grows) {
        grows = false;
        for (size_t i = 0; i < JOINED_SITES; i++)
            for (size_t e = graph->first[i]; inside[i] && e < graph->first[i + 1]; e++) {
                const uint32_t j = graph->site[e];
                grows = grows || (!inside[j] && best[j] != other[j]);
                inside[j] = inside[j] || best[j] != other[j];
            }
    }
    for (size_t i = 0; i < JOINED_SITES; i++) {
        seen[i] = seen[i] || inside[i];
        trial[i] = (int8_t)(inside[i] ? -best[i] : best[i]);
    }
    if (spn_energy_value(energy, trial) < spn_energy_value(energy, best))
        memcpy(best, trial, sizeof trial);
}

static void plain_join(int8_t *best, const spn_sampler *reads, const spn_energy *energy,
                       const spn_sparse_terms *graph)
{
    for (size_t k = 0; k < 2 * spn_reads_count(reads); k++) {
        spn_read read;
        int8_t other[JOINED_SITES], before[JOINED_SITES];
        bool seen[JOINED_SITES] = {false};
        int overlap = 0;
        spn_reads_look(&read, reads, k % spn_reads_count(reads));
        for (size_t i = 0; i < JOINED_SITES; i++)
            overlap += best[i] * read.best_spins[i];
        for (size_t i = 0; i < JOINED_SITES; i++)
            other[i] = (int8_t)(overlap < 0 ? -read.best_spins[i] : read.best_spins[i]);
        memcpy(before, best, sizeof before);
        for (size_t i = 0; i < JOINED_SITES; i++)
            if (before[i] != other[i] && !seen[i])
                plain_flip(best, other, seen, i, energy, graph);
    }
}

/* Returns whether they gained. */
static bool check_join(const char *name, bool whole, uint64_t seed)
{
    enum { READS = 20 };
    spn_error err = {0};
    spn_energy *energy = random_energy(name, JOINED_SITES, whole, seed);
    spn_chain_options o = options_of(1, 1 + (double)(seed % 3), 0);
    spn_sparse_terms graph;
    int8_t joined[JOINED_SITES], plain[JOINED_SITES];
    bool gained;
    o.steps = 10 * JOINED_SITES;
    o.seed = seed;
    spn_sampler *reads = spn_test_reads_run(energy, &o, READS, 1);
    spn_read best = {.best_energy = INFINITY}, read;
    for (size_t r = 0; r < READS; r++) {
        spn_reads_look(&read, reads, r);
        best = read.best_energy < best.best_energy ? read : best;
    }
    memcpy(plain, best.best_spins, sizeof plain);
    assert_true(energy->slots->graph(energy, &graph));
    plain_join(plain, reads, energy, &graph);
    assert_ok(spn_reads_join(&gained, joined, reads, &err), err);
    assert_true(gained == (spn_energy_value(energy, plain) < best.best_energy));
    if (gained)
        assert_memory_equal(joined, plain, sizeof plain);
    spn_sparse_terms_clear(&graph);
    spn_sampler_free(reads);
    spn_energy_free(energy);
    return gained;
}

static void joined_reads_are_those_of_a_plain_search(void **state)
{
    static const char *const names[] = {"ising", "qubo", "maxcut"};
    (void)state;
    size_t gains = 0;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (size_t k = 0; k < 3; k++)
            gains += (size_t)check_join(names[k], true, seed) +
                     (size_t)check_join(names[k], k == 2, seed + 100);
    assert_in_range(gains, 20, 60);
}

/* Of a dense graph, and of an energy without couplings, nothing is joined. */
static void other_reads_are_not_joined(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *patterns, *dense;
    spn_problem *problem = small_instance('B');
    assert_ok(spn_energy_create(&patterns, "bits", problem, &err), err);
    spn_problem_free(problem);
    spn_edge edges[190];
    size_t count = 0;
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t j = 0; j < i; j++)
            edges[count++] = (spn_edge){i, j, (i + j) % 3 ? 1 : -1};
    dense = energy_of("ising", 20, edges, count);
    spn_energy *const energies[] = {patterns, dense};
    for (size_t k = 0; k < 2; k++) {
        spn_chain_options o = options_of(1, 1, 0);
        int8_t joined[20];
        bool gained = true;
        o.steps = 20;
        spn_sampler *reads = spn_test_reads_run(energies[k], &o, 5, 1);
        assert_ok(spn_reads_join(&gained, joined, reads, &err), err);
        assert_false(gained);
        spn_sampler_free(reads);
        spn_energy_free(energies[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_reads_are_those_of_a_plain_search),
        cmocka_unit_test(other_reads_are_not_joined),
        cmocka_unit_test(clusters_are_connected_and_whole),
        cmocka_unit_test(sums_and_total_energy_stay),
        cmocka_unit_test(a_cluster_can_be_a_best_state_and_a_first_hit),
        cmocka_unit_test(numbers_of_moves_tell_their_draws),
        cmocka_unit_test(other_energies_are_refused),
        cmocka_unit_test(chains_with_clusters_have_their_law),
        cmocka_unit_test(waiting_chains_with_clusters_have_their_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
