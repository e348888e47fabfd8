/* Lanes with AVX2: as lanes_avx512.c, 32 reads to a vector of local fields, 8 to one of random
   words and energies; what are masks there are bytes of all ones here. */
#include "reads/lanes.h"

#if defined(__AVX2__)
#include "reads/lanes_body.h"
#include <immintrin.h>

typedef uint64_t vector __attribute__((vector_size(32), may_alias));
enum { LANES = 4, EIGHTH = 8, HALF = 32 };

#include "core/vector_logic.h"

static inline __m256i load(const void *from)
{
    return _mm256_load_si256((const __m256i *)from);
}

static inline void store(void *to, __m256i value)
{
    _mm256_store_si256((__m256i *)to, value);
}

static inline vector vector_multiply(vector a, vector b)
{
    return (vector)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

static inline void store_low(uint32_t *out, vector a, vector b)
{
    const __m256 mixed = _mm256_shuffle_ps((__m256)a, (__m256)b, 0x88);
    store(out, _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xD8));
}

/* A byte of ones for each bit that is set. */
static inline __m256i bytes_of(uint32_t bits)
{
    const __m256i spread = _mm256_shuffle_epi8(
        _mm256_set1_epi32((int)bits),
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0));
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
}

static inline __m128i eighth_of(__m256i bytes, int q)
{
    const __m128i half = q < 2 ? _mm256_castsi256_si128(bytes) : _mm256_extracti128_si256(bytes, 1);
    return q % 2 ? _mm_srli_si128(half, EIGHTH) : half;
}

/* The first cuts, in a register. */
typedef __m256i cut_table;

static inline cut_table load_cuts(const spn_lane_cuts *cuts)
{
    return _mm256_loadu_si256((const void *)cuts->cut);
}

static inline __m256i look_up(const spn_lane_cuts *cuts, cut_table table, __m256i place)
{
    if (cuts->last < EIGHTH)
        return _mm256_permutevar8x32_epi32(table, place);
    return _mm256_i32gather_epi32((const int *)cuts->cut, place, 4);
}

/* Eight lanes: who accepts, their energies, and whose is a new best, as bits. */
static inline uint32_t decide_eighth(spn_lanes *lanes, size_t at, __m128i number, __m128i place,
                                     __m128i allowed, const uint32_t *random,
                                     const spn_lane_cuts *cuts, cut_table table, uint32_t *better)
{
    const __m256i cut = look_up(cuts, table, _mm256_cvtepu8_epi32(place));
    const __m256i below = _mm256_cmpeq_epi32(_mm256_max_epu32(load(random + at), cut), cut);
    const __m256i flips = _mm256_and_si256(below, _mm256_cvtepi8_epi32(allowed));
    const __m256i cost = _mm256_sub_epi32(_mm256_slli_epi32(_mm256_cvtepi8_epi32(number), 1),
                                          _mm256_set1_epi32(cuts->parity));
    const __m256i energy =
        _mm256_add_epi32(load(lanes->energy + at), _mm256_and_si256(flips, cost));
    const __m256i best = load(lanes->best + at);
    store(lanes->energy + at, energy);
    store(lanes->best + at, _mm256_min_epi32(energy, best));
    *better = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(best, energy)));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(flips));
}

/* Half a word: lanes at .. at + 31. */
static inline uint32_t decide_half(spn_lanes *lanes, const int8_t *fields, uint32_t up,
                                   uint32_t active, size_t at, const uint32_t *random,
                                   const spn_lane_cuts *cuts, cut_table table, uint32_t *better)
{
    const __m256i field = load(fields);
    const __m256i turned = _mm256_sub_epi8(_mm256_set1_epi8((char)cuts->parity), field);
    const __m256i number = _mm256_blendv_epi8(field, turned, bytes_of(up));
    const __m256i place = _mm256_max_epi8(
        _mm256_add_epi8(number, _mm256_set1_epi8((char)cuts->shift)), _mm256_setzero_si256());
    const __m256i last = _mm256_set1_epi8((char)cuts->last);
    const __m256i allowed =
        _mm256_and_si256(bytes_of(active), _mm256_cmpeq_epi8(_mm256_min_epu8(place, last), place));
    uint32_t flips = 0;
    *better = 0;
#pragma GCC unroll 4
    for (int q = 0; q < HALF / EIGHTH; q++) {
        uint32_t new_best;
        flips |= decide_eighth(lanes, at + (size_t)(EIGHTH * q), eighth_of(number, q),
                               eighth_of(place, q), eighth_of(allowed, q), random, cuts, table,
                               &new_best)
                 << EIGHTH * q;
        *better |= new_best << EIGHTH * q;
    }
    const uint32_t raised =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(number, _mm256_setzero_si256()));
    lanes->uphill += (uint64_t)__builtin_popcount(flips & raised);
    store(lanes->accepted + at, _mm256_sub_epi8(load(lanes->accepted + at), bytes_of(flips)));
    return flips;
}

static inline uint64_t decide(spn_lanes *lanes, size_t word, size_t row, const spn_lane_cuts *cuts,
                              const cut_table *table, const uint32_t *random, uint64_t *better)
{
    const int8_t *fields = lanes->fields + row * SPN_LANE_WORD;
    const uint64_t up = lanes->spins[row], active = lanes->active[word];
    const size_t at = word * SPN_LANE_WORD;
    uint32_t low_better, high_better;
    const uint32_t low = decide_half(lanes, fields, (uint32_t)up, (uint32_t)active, at, random,
                                     cuts, *table, &low_better);
    const uint32_t high =
        decide_half(lanes, fields + HALF, (uint32_t)(up >> HALF), (uint32_t)(active >> HALF),
                    at + HALF, random, cuts, *table, &high_better);
    *better = low_better | (uint64_t)high_better << HALF;
    return low | (uint64_t)high << HALF;
}

static inline void change_fields(spn_lanes *lanes, size_t site, const uint64_t *flips)
{
    enum { MOST_HALVES = SPN_LANE_WORDS * SPN_LANE_WORD / HALF };
    const spn_lane_graph *graph = lanes->graph;
    const spn_lane_neighbour *n = graph->neighbours + graph->first[site];
    const spn_lane_neighbour *end = graph->neighbours + graph->first[site + 1];
    const size_t words = lanes->words, halves = words * SPN_LANE_WORD / HALF;
    __m256i up[MOST_HALVES], down[MOST_HALVES];
    for (size_t h = 0; h < halves; h++) {
        const uint64_t spins = lanes->spins[site * words + h / 2];
        const uint64_t flipped = flips[h / 2];
        up[h] = bytes_of((uint32_t)((flipped & spins) >> h % 2 * HALF));
        down[h] = bytes_of((uint32_t)((flipped & ~spins) >> h % 2 * HALF));
    }
    for (; n < end; n++) {
        const __m256i change = _mm256_set1_epi8((char)n->change);
        int8_t *field = lanes->fields + n->site * words * SPN_LANE_WORD;
        for (size_t h = 0; h < halves; h++, field += HALF) {
            const __m256i rise = _mm256_and_si256(up[h], change);
            const __m256i fall = _mm256_and_si256(down[h], change);
            store(field, _mm256_sub_epi8(_mm256_add_epi8(load(field), rise), fall));
        }
    }
}

static inline uint64_t at_or_below(const int32_t *energy, const int32_t *target)
{
    uint64_t above = 0;
    for (size_t bit = 0; bit < SPN_LANE_WORD; bit += EIGHTH) {
        const __m256i higher = _mm256_cmpgt_epi32(load(energy + bit), load(target + bit));
        above |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(higher)) << bit;
    }
    return ~above;
}

#include "reads/lanes_vector.h"

void spn_lanes_avx2(spn_lanes *lanes, uint64_t first, size_t count, size_t row, const double *beta)
{
    make_steps(lanes, first, count, row, beta);
}
#endif
