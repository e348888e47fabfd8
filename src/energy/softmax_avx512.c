/* The loops of softmax with AVX-512: the twin of softmax_avx2.c, sixteen positions at a time, the
   gain from two permutations of 16-entry tables. */
#define SPN_LANES 16
#include "energy/softmax_body.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#include "energy/softmax_x86.h"
#include <immintrin.h>

typedef struct gain_tables {
    __m512 low, high, one;
    __m512 of_zero; /* g - 1 for the byte 0 */
} gain_tables;

/* g - 1 for the bytes that stand lowest in each lane; the permutations ignore all higher bits. */
static inline __m512 gain_less_one(const gain_tables *t, __m512i x)
{
    const __m512 low = _mm512_permutexvar_ps(x, t->low);
    const __m512 high = _mm512_permutexvar_ps(_mm512_srli_epi32(x, 4), t->high);
    return _mm512_fmsub_ps(high, low, t->one);
}

/* The running product of a lane: mantissas in `product`, the exponents taken out and added up. */
typedef struct log_lanes {
    __m512 product;
    __m512i exponent; /* of biased exponents */
} log_lanes;

static inline __m512 take_exponent(log_lanes *l, __m512 x)
{
    const __m512i bits = _mm512_castps_si512(x);
    l->exponent = _mm512_add_epi32(l->exponent, _mm512_srli_epi32(bits, 23));
    return _mm512_castsi512_ps(_mm512_or_si512(_mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFF)),
                                               _mm512_set1_epi32(0x3F800000)));
}

/* Add log(a b). Each factor is within 2^-58..2^58, so the product of two is a normal number. */
static inline void multiply_pair(log_lanes *l, __m512 a, __m512 b)
{
    l->product = _mm512_mul_ps(l->product, take_exponent(l, _mm512_mul_ps(a, b)));
}

static inline spn_log_sum finish(const log_lanes l[2], size_t taken)
{
    float products[32];
    int32_t exponents[32];
    int64_t exponent = -127 * (int64_t)(16 * taken);
    for (size_t v = 0; v < 2; v++) {
        _mm512_storeu_ps(products + 16 * v, l[v].product);
        _mm512_storeu_si512(exponents + 16 * v, l[v].exponent);
    }
    for (size_t j = 0; j < 32; j++)
        exponent += exponents[j];
    return log_of_lanes(products, 32, exponent);
}

/* Sixty-four positions from p on; `store` is a constant at every call. */
static inline void trial_group(const spn_trial *trial, const gain_tables *tables, log_lanes l[2],
                               size_t p, int store)
{
    const uint8_t *column = trial->column + p;
    const __m512i bytes = _mm512_loadu_si512(column);
    const int blank = _mm512_test_epi8_mask(bytes, bytes) == 0; /* images have many such groups */
    __m512 after[4];
    for (size_t v = 0; v < 4; v++) {
        const size_t at = p + 16 * v;
        const __m512 power = _mm512_load_ps(trial->power + at);
        const __m512 gain =
            blank ? tables->of_zero : gain_less_one(tables, _mm512_loadu_si512(column + v));
        after[v] = _mm512_fmadd_ps(power, gain, _mm512_load_ps(trial->sum + at));
        if (store) {
            _mm512_store_ps(trial->new_power + at, _mm512_fmadd_ps(power, gain, power));
            _mm512_store_ps(trial->new_sum + at, after[v]);
        }
    }
    multiply_pair(&l[0], after[0], after[1]);
    multiply_pair(&l[1], after[2], after[3]);
}

static inline spn_log_sum run_trial(const spn_trial *trial, int store)
{
    const spn_gain *gain = trial->gain;
    gain_tables tables = {.low = _mm512_loadu_ps(gain->low),
                          .high = _mm512_loadu_ps(gain->high),
                          .one = _mm512_set1_ps(1.0f)};
    tables.of_zero = gain_less_one(&tables, _mm512_setzero_si512());
    log_lanes l[2] = {{_mm512_set1_ps(1.0f), _mm512_setzero_si512()},
                      {_mm512_set1_ps(1.0f), _mm512_setzero_si512()}};
    size_t taken = 0; /* times an exponent was taken out */
    for (size_t first = 0; first < trial->count; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = trial->count - first;
        const size_t end = first + (left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK);
        for (size_t p = first; p < end; p += 64)
            trial_group(trial, &tables, l, p, store);
        /* 16 factors below 2 each at most: far from overflow */
        for (size_t v = 0; v < 2; v++)
            l[v].product = take_exponent(&l[v], l[v].product);
        taken += 2 * ((end - first) / 64) + 2;
    }
    return finish(l, taken);
}

static spn_log_sum run_trial_only(const spn_trial *trial)
{
    return run_trial(trial, 0);
}

/* Powers that sink below 2^-126 become 0 at once: denormal numbers are slow on some machines. */
static spn_log_sum run_trial_store(const spn_trial *trial)
{
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040);
    const spn_log_sum result = run_trial(trial, 1);
    _mm_setcsr(control);
    return result;
}

static inline void add_to(int32_t *logits, __m512i change)
{
    _mm512_store_si512(logits, _mm512_add_epi32(_mm512_load_si512(logits), change));
}

/* The bytes of a 32-bit lane belong to four vectors. Products of bytes with (times, 0) and (0,
   times) leave those of vectors 0 and 2, or 1 and 3, as 16-bit numbers, which 64 columns cannot
   fill: 64 times 2 times 255 is less than 2^15. */
static void add32_wide(int32_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    for (size_t p = 0; p < count; p += GROUP) {
        __m512i even = _mm512_setzero_si512(), odd = _mm512_setzero_si512();
        for (size_t c = 0; c < columns->count; c++) {
            const __m512i x = _mm512_loadu_si512(columns->column[c] + first + p);
            const __m512i times = _mm512_set1_epi16((short)(uint8_t)columns->times[c]);
            even = _mm512_add_epi16(even, _mm512_maddubs_epi16(x, times));
            odd = _mm512_add_epi16(odd, _mm512_maddubs_epi16(x, _mm512_slli_epi16(times, 8)));
        }
        add_to(logits + p, _mm512_srai_epi32(_mm512_slli_epi32(even, 16), 16));
        add_to(logits + p + 16, _mm512_srai_epi32(_mm512_slli_epi32(odd, 16), 16));
        add_to(logits + p + 2 * 16, _mm512_srai_epi32(even, 16));
        add_to(logits + p + 3 * 16, _mm512_srai_epi32(odd, 16));
    }
}

const spn_softmax_kernels spn_softmax_avx512 = {.lanes = SPN_LANES,
                                                .trial = run_trial_only,
                                                .trial_store = run_trial_store,
                                                .add32 = add32_wide,
                                                .add64 = add64,
                                                .power32 = power32_wide,
                                                .power64 = power64,
                                                .sum = sum_wide,
                                                .settle = settle_wide,
                                                .dots = dots,
                                                .real_trial = real_trial,
                                                .real_lse = real_lse};
#endif
