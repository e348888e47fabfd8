/* Rows with AVX2: half of a tile's fields fit the registers. */
#include "reads/rows.h"

#if defined(__AVX2__)
#include <immintrin.h>

typedef double vector __attribute__((vector_size(32), may_alias));
enum { LANES = 4, REGISTERS = 8 };

static inline vector vector_all(double x)
{
    return (vector)_mm256_set1_pd(x);
}

static inline vector vector_add_times(vector a, vector b, vector c)
{
    return (vector)_mm256_fmadd_pd((__m256d)b, (__m256d)c, (__m256d)a);
}

static inline double vector_at(vector a, unsigned k)
{
    const __m256i wanted = _mm256_set1_epi64x(k), places = _mm256_setr_epi64x(0, 1, 2, 3);
    const __m256d rest = _mm256_and_pd((__m256d)a, (__m256d)_mm256_cmpeq_epi64(wanted, places));
    const __m128d two = _mm_or_pd(_mm256_castpd256_pd128(rest), _mm256_extractf128_pd(rest, 1));
    return _mm_cvtsd_f64(_mm_or_pd(two, _mm_unpackhi_pd(two, two)));
}

static inline vector limit_of(const double *threshold, const double *beta, double per_unit)
{
    const __m256d share = _mm256_div_pd(_mm256_loadu_pd(threshold), _mm256_loadu_pd(beta));
    return (vector)_mm256_mul_pd(share, _mm256_set1_pd(per_unit));
}

/* A spin +1 has the cost -f, a spin -1 the cost f. */
static inline unsigned accepted_of(vector field, unsigned spins, vector limit)
{
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i chosen = _mm256_and_si256(_mm256_set1_epi64x(spins), bits);
    const __m256d f = (__m256d)field, minus = _mm256_sub_pd(_mm256_setzero_pd(), f);
    const __m256d is_up = _mm256_castsi256_pd(_mm256_cmpeq_epi64(chosen, bits));
    const __m256d cost = _mm256_blendv_pd(f, minus, is_up);
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(cost, (__m256d)limit, _CMP_LE_OQ));
}

#include "reads/rows_body.h"

void spn_rows_avx2(spn_rows *rows, uint64_t first, size_t count, const double *beta)
{
    make_steps(rows, first, count, beta);
}
#endif
