/* The loops of softmax with AVX2 and FMA: eight positions at a time, the gain from three
   permutations of tables that stay in registers. The shuffle units set the pace, not the memory. */
#define SPN_LANES 8
#include "energy/softmax/body.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "energy/softmax/x86.h"
#include <immintrin.h>

typedef struct gain_tables {
    __m256 low, middle, top, one;
    __m256 of_zero; /* g - 1 for the byte 0 */
} gain_tables;

/* g - 1 for the bytes that stand lowest in each lane; the permutations ignore all higher bits. */
static inline __m256 gain_less_one(const gain_tables *t, __m256i x)
{
    const __m256 low = _mm256_permutevar8x32_ps(t->low, x);
    const __m256 middle = _mm256_permutevar8x32_ps(t->middle, _mm256_srli_epi32(x, 3));
    const __m256 top = _mm256_permutevar_ps(t->top, _mm256_srli_epi32(x, 6));
    return _mm256_fmsub_ps(_mm256_mul_ps(top, middle), low, t->one);
}

/* The running product of a lane: mantissas in `product`, the exponents taken out and added up. */
typedef struct log_lanes {
    __m256 product;
    __m256i exponent; /* of biased exponents */
} log_lanes;

static inline __m256 take_exponent(log_lanes *l, __m256 x)
{
    const __m256i bits = _mm256_castps_si256(x);
    l->exponent = _mm256_add_epi32(l->exponent, _mm256_srli_epi32(bits, 23));
    return _mm256_castsi256_ps(_mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x7FFFFF)),
                                               _mm256_set1_epi32(0x3F800000)));
}

/* Add log(a b). Each factor is within 2^-58..2^58, so the product of two is a normal number. */
static inline void multiply_pair(log_lanes *l, __m256 a, __m256 b)
{
    l->product = _mm256_mul_ps(l->product, take_exponent(l, _mm256_mul_ps(a, b)));
}

static inline spn_log_sum finish(const log_lanes l[2], size_t taken)
{
    float products[16];
    int32_t exponents[16];
    int64_t exponent = -127 * (int64_t)(8 * taken);
    for (size_t v = 0; v < 2; v++) {
        _mm256_storeu_ps(products + 8 * v, l[v].product);
        _mm256_storeu_si256((__m256i *)(void *)(exponents + 8 * v), l[v].exponent);
    }
    for (size_t j = 0; j < 16; j++)
        exponent += exponents[j];
    return log_of_lanes(products, 16, exponent);
}

/* g - 1 of thirty-two positions; the lowest bit of nonzero says whether they, or the others of
   their sixty-four, are not blank. */
static inline void gains_of_group(__m256 gain[4], const uint8_t *column, uint64_t nonzero,
                                  const gain_tables *tables)
{
    if (nonzero & 1) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)column);
        for (int v = 0; v < 4; v++)
            gain[v] = gain_less_one(tables, _mm256_srli_epi32(x, 8 * v));
    } else {
        for (size_t v = 0; v < 4; v++)
            gain[v] = tables->of_zero;
    }
}

static inline void trial_group(const spn_trial *trial, const gain_tables *tables, log_lanes l[2],
                               size_t p, uint64_t nonzero)
{
    __m256 gain[4], after[4];
    gains_of_group(gain, trial->column + p, nonzero, tables);
    for (size_t v = 0; v < 4; v++) {
        const __m256 sum = _mm256_load_ps(trial->sum + p + 8 * v);
        after[v] = _mm256_fmadd_ps(_mm256_load_ps(trial->power + p + 8 * v), gain[v], sum);
    }
    multiply_pair(&l[0], after[0], after[1]);
    multiply_pair(&l[1], after[2], after[3]);
}

static inline gain_tables load_tables(const spn_gain *gain)
{
    gain_tables tables = {.low = _mm256_loadu_ps(gain->low),
                          .middle = _mm256_loadu_ps(gain->middle),
                          .top = _mm256_loadu_ps(gain->top),
                          .one = _mm256_set1_ps(1.0f)};
    tables.of_zero = gain_less_one(&tables, _mm256_setzero_si256());
    return tables;
}

static spn_log_sum run_trial(const spn_trial *trial)
{
    const gain_tables tables = load_tables(trial->gain);
    log_lanes l[2] = {{_mm256_set1_ps(1.0f), _mm256_setzero_si256()},
                      {_mm256_set1_ps(1.0f), _mm256_setzero_si256()}};
    size_t taken = 0; /* times an exponent was taken out */
    for (size_t first = 0; first < trial->count; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = trial->count - first;
        const size_t end = first + (left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK);
        uint64_t bits = groups_from(trial, first);
        for (size_t p = first; p < end; p += 64, bits >>= 1) {
            fetch_group(trial->column + p + SPN_SOFTMAX_AHEAD, bits >> SPN_SOFTMAX_AHEAD / 64,
                        trial->gain);
            trial_group(trial, &tables, l, p, bits);
            trial_group(trial, &tables, l, p + 32, bits);
        }
        /* 32 factors below 2 each at most: far from overflow */
        for (size_t v = 0; v < 2; v++)
            l[v].product = take_exponent(&l[v], l[v].product);
        taken += 2 * ((end - first) / 32) + 2;
    }
    return finish(l, taken);
}

/* The exponents of 32 floats as bytes: in each half, four of each vector in turn. */
static inline __m256i exponents_of(const float *x)
{
    __m256i e[4];
    for (int v = 0; v < 4; v++)
        e[v] = _mm256_srli_epi32(_mm256_load_si256((const __m256i *)(const void *)(x + 8 * v)), 23);
    return _mm256_packus_epi16(_mm256_packs_epi32(e[0], e[1]), _mm256_packs_epi32(e[2], e[3]));
}

static inline void widen_range(uint8_t range[2], __m256i low, __m256i high)
{
    uint8_t lows[32], highs[32];
    _mm256_storeu_si256((__m256i *)(void *)lows, low);
    _mm256_storeu_si256((__m256i *)(void *)highs, high);
    for (int j = 0; j < 32; j++) {
        range[0] = lows[j] < range[0] ? lows[j] : range[0];
        range[1] = highs[j] > range[1] ? highs[j] : range[1];
    }
}

/* Peaks are kept in the order of exponents_of; nothing else reads them. */
static size_t settle_wide(const float *sum, uint8_t *peak, unsigned fall, uint32_t *fallen,
                          uint8_t range[2], size_t count)
{
    const __m256i most = _mm256_set1_epi8((char)fall), zero = _mm256_setzero_si256();
    __m256i low = _mm256_set1_epi8((char)range[0]), high = _mm256_set1_epi8((char)range[1]);
    size_t found = 0;
    for (size_t p = 0; p < count; p += 32) {
        __m256i *at = (__m256i *)(void *)(peak + p);
        const __m256i exponent = exponents_of(sum + p);
        const __m256i top = _mm256_max_epu8(_mm256_load_si256(at), exponent);
        const __m256i deep = _mm256_subs_epu8(_mm256_sub_epi8(top, exponent), most);
        const __m256i stays = _mm256_cmpeq_epi8(deep, zero);
        low = _mm256_min_epu8(low, exponent);
        high = _mm256_max_epu8(high, exponent);
        _mm256_store_si256(at, _mm256_blendv_epi8(exponent, top, stays));
        for (uint32_t mask = ~(uint32_t)_mm256_movemask_epi8(stays); mask; mask &= mask - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctz(mask), vector = bit % 16 / 4;
            fallen[found++] = (uint32_t)p + 8 * vector + 4 * (bit / 16) + bit % 4;
        }
    }
    widen_range(range, low, high);
    return found;
}

/* Powers that sink below 2^-126 become 0 at once: denormal numbers are slow on some machines. */
static size_t make_flip(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2])
{
    const gain_tables tables = load_tables(trial->gain);
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040);
    const uint64_t bits = spn_softmax_bits(trial->nonzero, trial->group);
    for (size_t p = 0; p < trial->count; p += 32) {
        __m256 gain[4];
        gains_of_group(gain, trial->column + p, bits >> p / 64, &tables);
        for (size_t v = 0; v < 4; v++) {
            const size_t at = p + 8 * v;
            const __m256 power = _mm256_load_ps(powers + at), sum = _mm256_load_ps(sums + at);
            _mm256_store_ps(powers + at, _mm256_fmadd_ps(power, gain[v], power));
            _mm256_store_ps(sums + at, _mm256_fmadd_ps(power, gain[v], sum));
        }
    }
    _mm_setcsr(control);
    return settle_wide(sums, peak, fall, fallen, range, trial->count);
}

static void start_peaks(const float *sum, uint8_t *peak, uint8_t range[2], size_t count)
{
    uint32_t fallen[SPN_SOFTMAX_BLOCK]; /* stays empty */
    memset(peak, 0, count);
    settle_wide(sum, peak, UINT8_MAX, fallen, range, count);
}

static inline void add_to(int32_t *logits, __m256i change)
{
    __m256i *at = (__m256i *)(void *)logits;
    _mm256_store_si256(at, _mm256_add_epi32(_mm256_load_si256(at), change));
}

/* The bytes of a 32-bit lane belong to four vectors. Products of bytes with (times, 0) and (0,
   times) leave those of vectors 0 and 2, or 1 and 3, as 16-bit numbers, which 64 columns cannot
   fill: 64 times 2 times 255 is less than 2^15. Blank bytes are not read. */
static void add32_wide(int32_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    static const uint8_t blank[32];
    uint64_t bits[SPN_SOFTMAX_WINDOW];
    for (size_t c = 0; c < columns->count; c++)
        bits[c] = spn_softmax_bits(columns->nonzero[c], first / 64);
    for (size_t p = 0; p < count; p += GROUP) {
        __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();
        for (size_t c = 0; c < columns->count; c++) {
            const uint8_t *at = bits[c] >> p / 64 & 1 ? columns->column[c] + first + p : blank;
            const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)at);
            const __m256i times = _mm256_set1_epi16((short)(uint8_t)columns->times[c]);
            even = _mm256_add_epi16(even, _mm256_maddubs_epi16(x, times));
            odd = _mm256_add_epi16(odd, _mm256_maddubs_epi16(x, _mm256_slli_epi16(times, 8)));
        }
        add_to(logits + p, _mm256_srai_epi32(_mm256_slli_epi32(even, 16), 16));
        add_to(logits + p + 8, _mm256_srai_epi32(_mm256_slli_epi32(odd, 16), 16));
        add_to(logits + p + 2 * 8, _mm256_srai_epi32(even, 16));
        add_to(logits + p + 3 * 8, _mm256_srai_epi32(odd, 16));
    }
}

const spn_softmax_kernels spn_softmax_avx2 = {.lanes = SPN_LANES,
                                              .trial = run_trial,
                                              .flip = make_flip,
                                              .add32 = add32_wide,
                                              .add64 = add64,
                                              .power32 = power32_wide,
                                              .power64 = power64,
                                              .sum = sum_wide,
                                              .start_peaks = start_peaks,
                                              .dots = dots,
                                              .real_trial = real_trial,
                                              .real_lse = real_lse};
#endif
