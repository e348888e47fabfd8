/* Lanes with AVX2: as lanes_avx512.c, 32 reads to a vector of local fields, 8 to one of random
   words and energies; what are masks there are bytes of all ones here. */
#include "reads/lanes_body.h"

#if defined(__AVX2__)
#include <immintrin.h>

enum { VECTORS = 4, LANES = 4, EIGHTH = 8, HALF = 32 };

static inline __m256i load(const void *from)
{
    return _mm256_load_si256((const __m256i *)from);
}

static inline void store(void *to, __m256i value)
{
    _mm256_store_si256((__m256i *)to, value);
}

static inline __m256i same(uint32_t word)
{
    return _mm256_set1_epi64x(word);
}

static inline __m256i xor3(__m256i a, __m256i b, __m256i c)
{
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}

/* ---- random words ---- */

typedef struct philox_lanes {
    __m256i c0, c1, c2, c3;
} philox_lanes;

/* Rounds 1 to 3, from M1 * run. */
static inline philox_lanes first_rounds(const spn_lane_rounds *s, __m256i run_product)
{
    const __m256i m0 = same(SPN_PHILOX_M0), m1 = same(SPN_PHILOX_M1);
    const __m256i first = _mm256_xor_si256(_mm256_srli_epi64(run_product, 32), same(s->first_c0));
    const __m256i second = _mm256_mul_epu32(m0, first);
    const __m256i c0 = _mm256_xor_si256(run_product, same(s->second_c0));
    const __m256i c2 = _mm256_xor_si256(_mm256_srli_epi64(second, 32), same(s->second_c2));
    const __m256i p0 = _mm256_mul_epu32(m0, c0), p1 = _mm256_mul_epu32(m1, c2);
    return (philox_lanes){.c0 = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), same(s->third_c0)),
                          .c1 = p1,
                          .c2 = xor3(_mm256_srli_epi64(p0, 32), second, same(s->key1[2])),
                          .c3 = p0};
}

/* The low words of eight lanes in their order. */
static inline __m256i low_words(__m256i a, __m256i b)
{
    const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xD8);
}

/* The random words of 16 lanes for an even step and the next. */
static inline void draw_lanes(const spn_lane_rounds *s, const uint64_t *run_products,
                              uint32_t *even, uint32_t *odd)
{
    const __m256i m0 = same(SPN_PHILOX_M0), m1 = same(SPN_PHILOX_M1);
    philox_lanes lanes[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        lanes[v] = first_rounds(s, load(run_products + LANES * v));
    for (int round = 3; round < SPN_PHILOX_ROUNDS - 1; round++) {
        const __m256i k0 = same(s->key0[round]), k1 = same(s->key1[round]);
        for (int v = 0; v < VECTORS; v++) {
            philox_lanes *c = &lanes[v];
            const __m256i p0 = _mm256_mul_epu32(m0, c->c0), p1 = _mm256_mul_epu32(m1, c->c2);
            c->c0 = xor3(_mm256_srli_epi64(p1, 32), c->c1, k0);
            c->c2 = xor3(_mm256_srli_epi64(p0, 32), c->c3, k1);
            c->c1 = p1;
            c->c3 = p0;
        }
    }
    for (int v = 0; v < VECTORS; v += 2) {
        const philox_lanes *a = &lanes[v], *b = &lanes[v + 1];
        store(even + LANES * v,
              low_words(_mm256_mul_epu32(m1, a->c2), _mm256_mul_epu32(m1, b->c2)));
        store(odd + LANES * v, low_words(_mm256_mul_epu32(m0, a->c0), _mm256_mul_epu32(m0, b->c0)));
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

/* ---- decisions ---- */

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

/* The cuts of the places: from a register where they are few. */
static inline __m256i look_up(const spn_lane_cuts *cuts, __m256i first_cuts, __m256i place)
{
    if (cuts->last < EIGHTH)
        return _mm256_permutevar8x32_epi32(first_cuts, place);
    return _mm256_i32gather_epi32((const int *)cuts->cut, place, 4);
}

/* Eight lanes: who accepts, their energies, and whose is a new best, as bits. */
static inline uint32_t decide_eighth(spn_lanes *lanes, size_t at, __m128i number, __m128i place,
                                     __m128i allowed, const uint32_t *random,
                                     const spn_lane_cuts *cuts, __m256i first_cuts,
                                     uint32_t *better)
{
    const __m256i cut = look_up(cuts, first_cuts, _mm256_cvtepu8_epi32(place));
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
                                   const spn_lane_cuts *cuts, uint32_t *better)
{
    const __m256i field = load(fields), first_cuts = _mm256_loadu_si256((const void *)cuts->cut);
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
                               eighth_of(place, q), eighth_of(allowed, q), random, cuts, first_cuts,
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

static inline uint64_t decide(spn_lanes *lanes, size_t word, size_t row, const uint32_t *random,
                              const spn_lane_cuts *cuts, uint64_t *better)
{
    const int8_t *fields = lanes->fields + row * SPN_LANE_WORD;
    const uint64_t up = lanes->spins[row], active = lanes->active[word];
    const size_t at = word * SPN_LANE_WORD;
    uint32_t low_better, high_better;
    const uint32_t low =
        decide_half(lanes, fields, (uint32_t)up, (uint32_t)active, at, random, cuts, &low_better);
    const uint32_t high =
        decide_half(lanes, fields + HALF, (uint32_t)(up >> HALF), (uint32_t)(active >> HALF),
                    at + HALF, random, cuts, &high_better);
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

static inline void look_for_target(spn_lanes *lanes, size_t word, uint64_t flips, uint64_t t)
{
    uint64_t above = 0;
    for (size_t bit = 0; bit < SPN_LANE_WORD; bit += EIGHTH) {
        const size_t at = word * SPN_LANE_WORD + bit;
        const __m256i higher =
            _mm256_cmpgt_epi32(load(lanes->energy + at), load(lanes->target + at));
        above |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(higher)) << bit;
    }
    spn_lane_rest(lanes, word, flips & ~above, t);
}

static inline void step(spn_lanes *lanes, uint64_t t, size_t site, size_t row, double beta)
{
    const size_t words = lanes->words, at = site * words;
    const uint32_t *random = lanes->random + t % 2 * words * SPN_LANE_WORD;
    uint64_t *flips = lanes->flips + row * words, *better = lanes->better + row * words;
    spn_lane_cuts cuts;
    spn_lane_find_cuts(lanes, site, beta, &cuts);
    for (size_t word = 0; word < words; word++) {
        flips[word] = decide(lanes, word, at + word, random, &cuts, &better[word]);
        lanes->spins[at + word] ^= flips[word];
        if (lanes->target)
            look_for_target(lanes, word, flips[word], t);
    }
    change_fields(lanes, site, flips);
}

void spn_lanes_avx2(spn_lanes *lanes, uint64_t first, size_t count, size_t row, const double *beta)
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
