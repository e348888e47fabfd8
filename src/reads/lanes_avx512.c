/* Lanes with AVX-512: 64 reads to a vector of local fields, 16 to one of random words and energies.
   Philox as in draws_avx512.c, with its first rounds, in which most is the same for all lanes, and
   its last, of which two words are used, cut short. */
#include "reads/lanes_body.h"

#if defined(__AVX512BW__)
#include "base/philox.h"
#include <immintrin.h>

enum { VECTORS = 4, LANES = 8, QUARTER = 16 };

static inline __m512i xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

static inline __m512i same(uint32_t word)
{
    return _mm512_set1_epi64(word);
}

typedef struct philox_lanes {
    __m512i c0, c1, c2, c3;
} philox_lanes;

/* Rounds 1 to 3, from M1 * run. */
static inline philox_lanes first_rounds(const spn_lane_rounds *s, __m512i run_product)
{
    const __m512i m0 = same(SPN_PHILOX_M0), m1 = same(SPN_PHILOX_M1);
    const __m512i first = _mm512_xor_si512(_mm512_srli_epi64(run_product, 32), same(s->first_c0));
    const __m512i second = _mm512_mul_epu32(m0, first);
    const __m512i c0 = _mm512_xor_si512(run_product, same(s->second_c0));
    const __m512i c2 = _mm512_xor_si512(_mm512_srli_epi64(second, 32), same(s->second_c2));
    const __m512i p0 = _mm512_mul_epu32(m0, c0), p1 = _mm512_mul_epu32(m1, c2);
    return (philox_lanes){.c0 = _mm512_xor_si512(_mm512_srli_epi64(p1, 32), same(s->third_c0)),
                          .c1 = p1,
                          .c2 = xor3(_mm512_srli_epi64(p0, 32), second, same(s->key1[2])),
                          .c3 = p0};
}

/* The random words of 32 lanes for an even step and the next. */
static inline void draw_lanes(const spn_lane_rounds *s, const uint64_t *run_products,
                              uint32_t *even, uint32_t *odd)
{
    const __m512i m0 = same(SPN_PHILOX_M0), m1 = same(SPN_PHILOX_M1);
    philox_lanes lanes[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        lanes[v] = first_rounds(s, _mm512_load_si512(run_products + LANES * v));
    for (int round = 3; round < SPN_PHILOX_ROUNDS - 1; round++) {
        const __m512i k0 = same(s->key0[round]), k1 = same(s->key1[round]);
        for (int v = 0; v < VECTORS; v++) {
            philox_lanes *c = &lanes[v];
            const __m512i p0 = _mm512_mul_epu32(m0, c->c0), p1 = _mm512_mul_epu32(m1, c->c2);
            c->c0 = xor3(_mm512_srli_epi64(p1, 32), c->c1, k0);
            c->c2 = xor3(_mm512_srli_epi64(p0, 32), c->c3, k1);
            c->c1 = p1;
            c->c3 = p0;
        }
    }
    const __m512i low_words =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    for (int v = 0; v < VECTORS; v += 2) {
        const philox_lanes *a = &lanes[v], *b = &lanes[v + 1];
        const __m512i a0 = _mm512_mul_epu32(m0, a->c0), a1 = _mm512_mul_epu32(m1, a->c2);
        const __m512i b0 = _mm512_mul_epu32(m0, b->c0), b1 = _mm512_mul_epu32(m1, b->c2);
        _mm512_store_si512(even + LANES * v, _mm512_permutex2var_epi32(a1, low_words, b1));
        _mm512_store_si512(odd + LANES * v, _mm512_permutex2var_epi32(a0, low_words, b0));
    }
}

static void draw(spn_lanes *lanes, uint64_t t)
{
    const size_t width = lanes->words * SPN_LANE_WORD;
    spn_lane_rounds shared;
    spn_lane_share_rounds(&shared, &lanes->stream, t / 2);
    for (size_t l = 0; l < width; l += (size_t)LANES * VECTORS)
        draw_lanes(&shared, lanes->run_products + l, lanes->random + l, lanes->random + width + l);
}

/* The cuts in registers, sixteen to each, as many as are in use. */
typedef struct cut_table {
    __m512i part[SPN_LANE_CUTS / QUARTER];
    __m512i parity;
    unsigned last;
} cut_table;

static inline cut_table load_cuts(const spn_lane_cuts *cuts)
{
    cut_table table = {.last = cuts->last, .parity = _mm512_set1_epi32(cuts->parity)};
    for (unsigned k = 0; k <= cuts->last / QUARTER; k++)
        table.part[k] = _mm512_loadu_si512(cuts->cut + QUARTER * k);
    return table;
}

/* From parts k and k + 1, or k + 2 and k + 3 where bit 5 of the place is set. */
static inline __m512i look_up_half(const cut_table *table, __m512i place, int k)
{
    const __m512i *part = table->part + k;
    const __m512i low = _mm512_permutex2var_epi32(part[0], place, part[1]);
    const __m512i high_part = _mm512_permutex2var_epi32(part[2], place, part[3]);
    return _mm512_mask_blend_epi32(_mm512_test_epi32_mask(place, _mm512_set1_epi32(32)), low,
                                   high_part);
}

static inline __m512i look_up(const cut_table *table, __m512i place)
{
    if (table->last < QUARTER)
        return _mm512_permutexvar_epi32(place, table->part[0]);
    if (table->last < 2 * QUARTER)
        return _mm512_permutex2var_epi32(table->part[0], place, table->part[1]);
    const __m512i low = look_up_half(table, place, 0);
    if (table->last < 4 * QUARTER)
        return low;
    return _mm512_mask_blend_epi32(_mm512_test_epi32_mask(place, _mm512_set1_epi32(64)), low,
                                   look_up_half(table, place, 4));
}

static inline __m128i quarter_of(__m512i bytes, int q)
{
    switch (q) {
    case 0:
        return _mm512_castsi512_si128(bytes);
    case 1:
        return _mm512_extracti32x4_epi32(bytes, 1);
    case 2:
        return _mm512_extracti32x4_epi32(bytes, 2);
    default:
        return _mm512_extracti32x4_epi32(bytes, 3);
    }
}

/* Sixteen lanes: who accepts, their energies, and whose is a new best. */
static inline __mmask16 decide_quarter(spn_lanes *lanes, size_t at, __m128i number, __m128i place,
                                       __mmask16 allowed, const uint32_t *random,
                                       const cut_table *table, __mmask16 *better)
{
    const __m512i cut = look_up(table, _mm512_cvtepu8_epi32(place));
    const __mmask16 flips =
        _mm512_mask_cmple_epu32_mask(allowed, _mm512_load_si512(random + at), cut);
    const __m512i before = _mm512_load_si512(lanes->energy + at);
    const __m512i best = _mm512_load_si512(lanes->best + at);
    const __m512i cost =
        _mm512_sub_epi32(_mm512_slli_epi32(_mm512_cvtepi8_epi32(number), 1), table->parity);
    const __m512i energy = _mm512_mask_add_epi32(before, flips, before, cost);
    _mm512_store_si512(lanes->energy + at, energy);
    *better = _mm512_cmplt_epi32_mask(energy, best);
    _mm512_store_si512(lanes->best + at, _mm512_min_epi32(energy, best));
    return flips;
}

/* As in lanes_portable.c. */
static inline uint64_t decide(spn_lanes *lanes, size_t word, size_t row, const spn_lane_cuts *cuts,
                              const cut_table *table, const uint32_t *random, uint64_t *better)
{
    const size_t at = word * SPN_LANE_WORD;
    const __m512i parity = _mm512_set1_epi8((char)cuts->parity);
    const __m512i field = _mm512_load_si512(lanes->fields + row * SPN_LANE_WORD);
    const __m512i number = _mm512_mask_sub_epi8(field, lanes->spins[row], parity, field);
    const __m512i place = _mm512_max_epi8(
        _mm512_add_epi8(number, _mm512_set1_epi8((char)cuts->shift)), _mm512_setzero_si512());
    const uint64_t allowed =
        lanes->active[word] & _mm512_cmple_epu8_mask(place, _mm512_set1_epi8((char)table->last));
    uint64_t flips = 0, new_best = 0;
#pragma GCC unroll 4
    for (int q = 0; q < SPN_LANE_WORD / QUARTER; q++) {
        const int bit = QUARTER * q;
        __mmask16 quarter_better;
        const __mmask16 quarter_flips =
            decide_quarter(lanes, at + (size_t)bit, quarter_of(number, q), quarter_of(place, q),
                           (__mmask16)(allowed >> bit), random, table, &quarter_better);
        flips |= (uint64_t)quarter_flips << bit;
        new_best |= (uint64_t)quarter_better << bit;
    }
    const uint64_t raised = _mm512_cmpgt_epi8_mask(number, _mm512_setzero_si512());
    lanes->uphill += (uint64_t)__builtin_popcountll(flips & raised);
    const __m512i accepted = _mm512_load_si512(lanes->accepted + at);
    _mm512_store_si512(lanes->accepted + at,
                       _mm512_mask_add_epi8(accepted, flips, accepted, _mm512_set1_epi8(1)));
    *better = new_best;
    return flips;
}

static inline void change_fields(spn_lanes *lanes, size_t site, const uint64_t *flips)
{
    const spn_lane_graph *graph = lanes->graph;
    const spn_lane_neighbour *n = graph->neighbours + graph->first[site];
    const spn_lane_neighbour *end = graph->neighbours + graph->first[site + 1];
    const size_t words = lanes->words;
    uint64_t up[SPN_LANE_WORDS], down[SPN_LANE_WORDS];
    for (size_t word = 0; word < words; word++) {
        up[word] = flips[word] & lanes->spins[site * words + word];
        down[word] = flips[word] & ~lanes->spins[site * words + word];
    }
    for (; n < end; n++) {
        const __m512i change = _mm512_set1_epi8((char)n->change);
        int8_t *field = lanes->fields + n->site * words * SPN_LANE_WORD;
        for (size_t word = 0; word < words; word++, field += SPN_LANE_WORD) {
            __m512i f = _mm512_load_si512(field);
            f = _mm512_mask_add_epi8(f, up[word], f, change);
            f = _mm512_mask_sub_epi8(f, down[word], f, change);
            _mm512_store_si512(field, f);
        }
    }
}

static inline void look_for_target(spn_lanes *lanes, size_t word, uint64_t flips, uint64_t t)
{
    uint64_t reached = 0;
    for (size_t bit = 0; bit < SPN_LANE_WORD; bit += QUARTER) {
        const size_t at = word * SPN_LANE_WORD + bit;
        const __mmask16 below = _mm512_cmple_epi32_mask(_mm512_load_si512(lanes->energy + at),
                                                        _mm512_load_si512(lanes->target + at));
        reached |= (uint64_t)below << bit;
    }
    spn_lane_rest(lanes, word, reached & flips, t);
}

static inline void step(spn_lanes *lanes, uint64_t t, size_t site, size_t row, double beta)
{
    const size_t words = lanes->words, at = site * words;
    const uint32_t *random = lanes->random + t % 2 * words * SPN_LANE_WORD;
    uint64_t *flips = lanes->flips + row * words, *better = lanes->better + row * words;
    spn_lane_cuts cuts;
    spn_lane_find_cuts(lanes, site, beta, &cuts);
    const cut_table table = load_cuts(&cuts);
    for (size_t word = 0; word < words; word++) {
        flips[word] = decide(lanes, word, at + word, &cuts, &table, random, &better[word]);
        lanes->spins[at + word] ^= flips[word];
        if (lanes->target)
            look_for_target(lanes, word, flips[word], t);
    }
    change_fields(lanes, site, flips);
}

void spn_lanes_avx512(spn_lanes *lanes, uint64_t first, size_t count, size_t row,
                      const double *beta)
{
    size_t site = (size_t)(first % lanes->graph->sites);
    for (size_t j = 0; j < count; j++) {
        const uint64_t t = first + j;
        if (t % 2 == 0)
            draw(lanes, t);
        step(lanes, t, site, row + j, beta[j]);
        site = site + 1 == lanes->graph->sites ? 0 : site + 1;
    }
}
#endif
