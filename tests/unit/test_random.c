/* Random streams: the published generator, golden values, no bias, the same bits from every
 * version. */
#include "base/philox.h"
#include "core/draws.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#if SPN_HAVE_RANDOM123
#include <Random123/philox.h>
#endif

/* Known answers published with Random123 for Philox4x32-10. */
static void philox_gives_its_known_answers(void **state)
{
    (void)state;
    const struct {
        uint32_t counter[4], key[2], expected[4];
    } known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                  {0xffffffff, 0xffffffff},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (size_t k = 0; k < 3; k++) {
        uint32_t out[4];
        spn_philox(known[k].key, known[k].counter, out);
        assert_memory_equal(out, known[k].expected, sizeof out);
    }
}

static void philox_agrees_with_random123(void **state)
{
    (void)state;
#if SPN_HAVE_RANDOM123
    for (uint32_t k = 0; k < 10000; k++) {
        philox4x32_ctr_t counter = {{k, k * 7919u, ~k, k << 13}};
        philox4x32_key_t key = {{k * 2654435761u, k ^ 0xdeadbeefu}};
        philox4x32_ctr_t expected = philox4x32(counter, key);
        uint32_t out[4];
        spn_philox(key.v, counter.v, out);
        assert_memory_equal(out, expected.v, sizeof out);
    }
#else
    skip(); /* Random123 was not there when the tests were built */
#endif
}

/* Pins the layout of streams: change it, and every seed means something else. */
static void streams_give_their_golden_values(void **state)
{
    (void)state;
    spn_random random = spn_random_make(12345, 6, 7, SPN_PURPOSE_USER);
    uint32_t words[6];
    for (size_t k = 0; k < 6; k++)
        words[k] = spn_random_u32(&random);
    const uint32_t golden[6] = {0x3c56e20d, 0xa2d9cb1c, 0xd2a1c091,
                                0x89aec4a7, 0xebb3f1dc, 0xe6973fd8};
    assert_memory_equal(words, golden, sizeof golden);
    random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    assert_int_equal(spn_random_below(&random, 1000), 130);
    assert_true(spn_random_uniform(&random) == 0x1.abf416a404d64p-3);
}

static void streams_differ_in_every_part_of_their_key(void **state)
{
    (void)state;
    const spn_stream streams[] = {spn_stream_make(1, 2, 3, SPN_PURPOSE_PROPOSALS),
                                  spn_stream_make(2, 2, 3, SPN_PURPOSE_PROPOSALS),
                                  spn_stream_make(1ull << 32 | 1, 2, 3, SPN_PURPOSE_PROPOSALS),
                                  spn_stream_make(1, 3, 3, SPN_PURPOSE_PROPOSALS),
                                  spn_stream_make(1, 2, 4, SPN_PURPOSE_PROPOSALS),
                                  spn_stream_make(1, 2, 3, SPN_PURPOSE_START)};
    for (size_t a = 0; a < 6; a++)
        for (size_t b = 0; b < a; b++) {
            uint32_t x[4], y[4];
            spn_stream_block(&streams[a], 5, x);
            spn_stream_block(&streams[b], 5, y);
            assert_memory_not_equal(x, y, sizeof x);
        }
}

/* Chi-square of bounded integers; with a bound of 3 * 2^30 plain scaling would be off by a third.
 */
static void bounded_integers_are_uniform(void **state)
{
    (void)state;
    const uint32_t bounds[] = {1, 2, 3, 10, 1000, 3u << 30};
    for (size_t b = 0; b < 6; b++) {
        const size_t cells = bounds[b] < 12 ? bounds[b] : 12;
        uint64_t counts[12] = {0};
        double expected[12];
        spn_random random = spn_random_make(99, 0, 0, SPN_PURPOSE_USER);
        for (int k = 0; k < 300000; k++) {
            uint32_t value = spn_random_below(&random, bounds[b]);
            assert_true(value < bounds[b]);
            counts[bounds[b] < 12 ? value : (uint64_t)value * 12 / bounds[b]]++;
        }
        for (size_t c = 0; c < cells; c++) { /* the share of integers whose cell is c */
            uint64_t n = bounds[b];
            uint64_t low = bounds[b] < 12 ? c : (c * n + 11) / 12;
            uint64_t high = bounds[b] < 12 ? c + 1 : ((c + 1) * n + 11) / 12;
            expected[c] = (double)(high - low) / (double)n;
        }
        if (cells > 1)
            assert_true(spn_pearson_test(counts, expected, cells) > SPN_FALSE_ALARM);
    }
}

static void spins_and_uniforms_are_fair(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    int8_t *spins = malloc(COUNT);
    spn_random_spins(&random, spins, COUNT);
    double sum = 0, neighbours = 0, mean = 0;
    for (size_t k = 0; k < COUNT; k++) {
        sum += spins[k];
        neighbours += k ? spins[k] * spins[k - 1] : 0;
        double u = spn_random_uniform(&random);
        assert_true(u > 0 && u < 1);
        mean += u;
    }
    free(spins);
    assert_true(spn_normal_tail(sum / sqrt(COUNT)) > SPN_FALSE_ALARM);
    assert_true(spn_normal_tail(neighbours / sqrt(COUNT - 1)) > SPN_FALSE_ALARM);
    assert_true(spn_normal_tail((mean - COUNT / 2.0) / sqrt(COUNT / 12.0)) > SPN_FALSE_ALARM);
}

static void compare_draws(const spn_draw_request *request)
{
    enum { MOST = 300 };
    uint32_t site[2][MOST], replica[2][MOST];
    double threshold[2][MOST];
    assert_true(request->count <= MOST);
    spn_draw_portable(request, site[0], replica[0], threshold[0]);
    for (int isa = SPN_ISA_PORTABLE; isa <= (int)spn_cpu_isa(); isa++) {
        spn_draw_function *draw = spn_draw_select((spn_isa)isa);
        draw(request, site[1], replica[1], threshold[1]);
        assert_memory_equal(site[0], site[1], request->count * sizeof site[0][0]);
        assert_memory_equal(replica[0], replica[1], request->count * sizeof replica[0][0]);
        assert_memory_equal(threshold[0], threshold[1], request->count * sizeof threshold[0][0]);
        memset(threshold[1], 0, sizeof threshold[1]);
        draw(request, NULL, replica[1], threshold[1]); /* where the sites are not random */
        assert_memory_equal(threshold[0], threshold[1], request->count * sizeof threshold[0][0]);
    }
}

/* Any start, any length, sizes at which many words must be drawn again. */
static void every_version_draws_the_same(void **state)
{
    (void)state;
    const uint32_t sites[] = {1, 2, 3, 1000, 10000, 1000000, 3u << 28, 0xFFFFFFFF / 5};
    const uint64_t firsts[] = {0, 1, 30, 31, 0xFFFFFFFFull * 2 - 20, 1ull << 40};
    for (size_t s = 0; s < 8; s++)
        for (size_t f = 0; f < 6; f++)
            for (size_t count = 0; count < 300; count += count < 70 ? 1 : 57)
                for (int kind = 0; kind < 2; kind++) {
                    spn_draw_request request = {.stream =
                                                    spn_stream_make(s, 1, 2, SPN_PURPOSE_PROPOSALS),
                                                .first = firsts[f],
                                                .count = count,
                                                .sites = sites[s],
                                                .replicas = sites[s] > 1u << 28 ? 5 : 7,
                                                .threshold = (spn_threshold)kind};
                    compare_draws(&request);
                }
}

/* However a range of proposals is cut into requests, the draws are the same. */
static void draws_do_not_depend_on_blocks(void **state)
{
    (void)state;
    uint32_t site[2][200], replica[2][200];
    double threshold[2][200];
    spn_draw_function *draw = spn_draw_select(spn_cpu_isa());
    spn_draw_request request = {.stream = spn_stream_make(3, 0, 0, SPN_PURPOSE_PROPOSALS),
                                .first = 77,
                                .count = 200,
                                .sites = 501,
                                .replicas = 3};
    draw(&request, site[0], replica[0], threshold[0]);
    for (size_t done = 0, piece = 1; done < 200; done += piece, piece = piece * 2 + 1) {
        piece = piece < 200 - done ? piece : 200 - done;
        request.first = 77 + done;
        request.count = piece;
        draw(&request, site[1] + done, replica[1] + done, threshold[1] + done);
    }
    assert_memory_equal(site[0], site[1], sizeof site[0]);
    assert_memory_equal(replica[0], replica[1], sizeof replica[0]);
    assert_memory_equal(threshold[0], threshold[1], sizeof threshold[0]);
}

/* Moves are uniform over replicas and sites, and thresholds have the laws they should. */
static void draws_have_their_laws(void **state)
{
    (void)state;
    enum { COUNT = 200000, CELLS = 20 };
    uint32_t *site = malloc(COUNT * sizeof *site), *replica = malloc(COUNT * sizeof *replica);
    double *threshold = malloc(COUNT * sizeof *threshold);
    for (int kind = 0; kind < 2; kind++) {
        spn_draw_request request = {.stream = spn_stream_make(8, 0, 0, SPN_PURPOSE_PROPOSALS),
                                    .count = COUNT,
                                    .sites = 5,
                                    .replicas = 4,
                                    .threshold = (spn_threshold)kind};
        spn_draw_select(spn_cpu_isa())(&request, site, replica, threshold);
        uint64_t moves[20] = {0}, levels[CELLS] = {0};
        double even[CELLS];
        for (size_t k = 0; k < COUNT; k++) {
            moves[replica[k] * 5 + site[k]]++;
            /* 1 - F(threshold) is uniform */
            double tail = kind == 0 ? exp(-threshold[k]) : 1 / (1 + exp(threshold[k]));
            levels[(size_t)(tail * CELLS)]++;
        }
        for (size_t c = 0; c < CELLS; c++)
            even[c] = 1.0 / CELLS;
        assert_true(spn_pearson_test(moves, even, 20) > SPN_FALSE_ALARM);
        assert_true(spn_pearson_test(levels, even, CELLS) > SPN_FALSE_ALARM);
    }
    free(site);
    free(replica);
    free(threshold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_its_known_answers),
        cmocka_unit_test(philox_agrees_with_random123),
        cmocka_unit_test(streams_give_their_golden_values),
        cmocka_unit_test(streams_differ_in_every_part_of_their_key),
        cmocka_unit_test(bounded_integers_are_uniform),
        cmocka_unit_test(spins_and_uniforms_are_fair),
        cmocka_unit_test(every_version_draws_the_same),
        cmocka_unit_test(draws_do_not_depend_on_blocks),
        cmocka_unit_test(draws_have_their_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
