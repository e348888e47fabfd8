/* Rows with AVX-512. */
#include "reads/rows.h"

#if defined(__AVX512F__)
#include <immintrin.h>

typedef double vector __attribute__((vector_size(64), may_alias));
enum { LANES = 8, REGISTERS = 8 };

static inline vector vector_all(double x)
{
    return (vector)_mm512_set1_pd(x);
}

static inline vector vector_add_times(vector a, vector b, vector c)
{
    return (vector)_mm512_fmadd_pd((__m512d)b, (__m512d)c, (__m512d)a);
}

static inline double vector_at(vector a, unsigned k)
{
    return _mm512_cvtsd_f64(_mm512_maskz_compress_pd((__mmask8)(1u << k), (__m512d)a));
}

static inline vector limit_of(const double *threshold, const double *beta, double per_unit)
{
    const __m512d share = _mm512_div_pd(_mm512_loadu_pd(threshold), _mm512_loadu_pd(beta));
    return (vector)_mm512_mul_pd(share, _mm512_set1_pd(per_unit));
}

/* A spin +1 has the cost -f, a spin -1 the cost f. */
static inline unsigned accepted_of(vector field, unsigned spins, vector limit)
{
    const __m512d f = (__m512d)field;
    const __m512d cost = _mm512_mask_sub_pd(f, (__mmask8)spins, _mm512_setzero_pd(), f);
    return _mm512_cmp_pd_mask(cost, (__m512d)limit, _CMP_LE_OQ);
}

#include "reads/rows_body.h"

void spn_rows_avx512(spn_rows *rows, uint64_t first, size_t count, const double *beta)
{
    make_steps(rows, first, count, beta);
}
#endif
