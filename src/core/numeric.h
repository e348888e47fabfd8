/* exp and log in plain arithmetic, without branches or library calls: loops over them become
   vector code, and every compiler and instruction set gives the same bits (the build forbids
   contraction into fused operations). */
#ifndef SPN_CORE_NUMERIC_H
#define SPN_CORE_NUMERIC_H

#include <assert.h>
#include <float.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t spn_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double spn_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* log x for positive normal x: x = 2^e m with m in [2^-1/2, 2^1/2), and log m = 2 atanh s with
   s = (m-1)/(m+1), |s| < 0.1716, whose Taylor series gives tail = 1/3 + s^2/5 + s^4/7 + ... */
static inline double spn_log_from(double x, double (*series)(double z))
{
    const uint64_t half_sqrt = 0x3FE6A09E667F3BCDull; /* bits of 2^-1/2 */
    assert(!(x < DBL_MIN || x > DBL_MAX));            /* normal, or NaN, which stays NaN */
    const uint64_t offset = spn_bits(x) - half_sqrt;
    /* the exponent as a double, without a 64-bit conversion: 2^52 + (e + 1024) - (2^52 + 1024) */
    const uint64_t exponent = ((offset >> 52) + 1024) & 0x7FF;
    const double e = spn_from_bits(0x4330000000000000ull | exponent) - (0x1p52 + 1024.0);
    const double m = spn_from_bits((offset & 0x000FFFFFFFFFFFFFull) + half_sqrt);
    const double f = m - 1.0;
    const double s = f / (m + 1.0);
    const double z = s * s;
    const double tail = series(z);
    /* 2s = f - s f, so log m = f - s (f - 2 z tail); ln 2 in two parts keeps e ln 2 exact enough */
    const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    return e * ln2_high + (f - (s * (f - 2.0 * z * tail) - e * ln2_low));
}

/* Both in Estrin's order, for short chains of dependent operations. */
static inline double spn_log_series_long(double z)
{
    const double z2 = z * z, z4 = z2 * z2;
    const double a = (1.0 / 3 + z * (1.0 / 5)) + z2 * (1.0 / 7 + z * (1.0 / 9));
    const double b = (1.0 / 11 + z * (1.0 / 13)) + z2 * (1.0 / 15 + z * (1.0 / 17));
    return a + z4 * (b + z4 * (1.0 / 19 + z * (1.0 / 21)));
}

static inline double spn_log_series_short(double z)
{
    const double z2 = z * z;
    return (1.0 / 3 + z * (1.0 / 5)) + z2 * ((1.0 / 7 + z * (1.0 / 9)) + z2 * (1.0 / 11));
}

/* log x to about 1 ulp. */
static inline double spn_log(double x)
{
    return spn_log_from(x, spn_log_series_long);
}

/* log x to 2e-11. */
static inline double spn_log_short(double x)
{
    return spn_log_from(x, spn_log_series_short);
}

/* e^x for |x| <= 708, to about 1 ulp: x = n ln 2 + r with |r| <= ln 2 / 2, Taylor for e^r. */
static inline double spn_exp(double x)
{
    const double shift = 0x1.8p52; /* adding it rounds to an integer in the low bits */
    assert(!(x < -708 || x > 708));
    const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    const double shifted = x * 1.44269504088896338700e+00 + shift;
    const double n = shifted - shift;
    const double r = (x - n * ln2_high) - n * ln2_low;
    const double r2 = r * r, r4 = r2 * r2;
    const double a = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    const double b = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    const double c =
        (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    const double p = 1.0 + (r + r2 * (a + r4 * (b + r4 * c)));
    return p * spn_from_bits((spn_bits(shifted) + 1023) << 52);
}

#endif
