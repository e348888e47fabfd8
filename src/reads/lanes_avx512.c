/* Lanes with AVX-512: 64 reads to a vector of local fields, 16 to one of random words and energies.
 */
#include "reads/lanes.h"

#if defined(__AVX512BW__)
#include "reads/lanes_body.h"
#include <immintrin.h>

typedef uint64_t vector __attribute__((vector_size(64), may_alias));
enum { LANES = 8, QUARTER = 16 };

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

static inline vector vector_xor3(vector a, vector b, vector c)
{
    return (vector)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
}

static inline void store_low(uint32_t *out, vector a, vector b)
{
    const __m512i low_words =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    _mm512_store_si512(out, _mm512_permutex2var_epi32((__m512i)a, low_words, (__m512i)b));
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

/* From parts k and k + 1, or k + 2 and k + 3 if bit 5 of the place is set. */
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

static inline uint64_t at_or_below(const int32_t *energy, const int32_t *target)
{
    uint64_t reached = 0;
    for (size_t bit = 0; bit < SPN_LANE_WORD; bit += QUARTER)
        reached |= (uint64_t)_mm512_cmple_epi32_mask(_mm512_load_si512(energy + bit),
                                                     _mm512_load_si512(target + bit))
                   << bit;
    return reached;
}

#include "reads/lanes_vector.h"

void spn_lanes_avx512(spn_lanes *lanes, uint64_t first, size_t count, size_t row,
                      const double *beta)
{
    make_steps(lanes, first, count, row, beta);
}
#endif
