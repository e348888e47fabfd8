/* The arithmetic of losses in whole numbers, for C and for OpenCL's C. Each operation is rounded as
   IEEE 754 says, so all machines and devices get the same bits. Who includes this, maybe twice, has
   defined WHOLE (the names of its functions), FLOATS, UINTS (floats and 32-bit words, or vectors of
   them), AS_FLOATS, AS_UINTS, AS_INTS (other types of the same bits), TO_FLOATS (of integers) and
   FMA. */

#ifndef WHOLE_FAR
enum {
    WHOLE_GUARD = 65536, /* steps by which logarithms of sums are kept higher */
    WHOLE_WINDOW = 64,   /* moves between rebuilds */
    WHOLE_FRACTION = 24, /* binary digits of a sum of logarithms */
    WHOLE_ITEM = 8,      /* samples whose factors are multiplied */
    WHOLE_DEPTH = 16,    /* of a power of 2: the unit of depths */
    WHOLE_DEEPEST = 48   /* a logarithm that has fallen further is computed anew */
};

#define WHOLE_FAR 0x80000000u  /* no class may be so many steps away at a rebuild */
#define WHOLE_LOWEST (-100.0f) /* powers of 2 below do not show */
#endif

/* 2^f for WHOLE_LOWEST <= f < 100, to 2^-23 of it. */
static inline FLOATS WHOLE(power)(FLOATS f)
{
    const FLOATS shifted = f + 12582912.0f, r = f - (shifted - 12582912.0f);
    FLOATS p = (FLOATS)(1.54614448e-4f);
    p = FMA(p, r, (FLOATS)(1.34004280e-3f));
    p = FMA(p, r, (FLOATS)(9.61805694e-3f));
    p = FMA(p, r, (FLOATS)(5.55032715e-2f));
    p = FMA(p, r, (FLOATS)(2.40226507e-1f));
    p = FMA(p, r, (FLOATS)(6.93147182e-1f));
    p = FMA(p, r, (FLOATS)(1.0f));
    return AS_FLOATS(AS_UINTS(p) + (AS_UINTS(shifted) << 23));
}

/* log2 of a positive normal number is *exponent + *f times what is returned, to 2^-25; 0 of 1. The
   two are not combined here, so that nothing can be fused that is not fused everywhere. */
static inline FLOATS WHOLE(log)(FLOATS x, FLOATS *exponent, FLOATS *f)
{
    const UINTS offset = AS_UINTS(x) - 0x3F3504F3u;
    FLOATS p = (FLOATS)(1.23109683e-1f);
    *f = AS_FLOATS((offset & 0x7FFFFFu) + 0x3F3504F3u) - 1.0f;
    *exponent = TO_FLOATS(AS_INTS(offset) >> 23);
    p = FMA(p, *f, (FLOATS)(-2.05861881e-1f));
    p = FMA(p, *f, (FLOATS)(2.16078222e-1f));
    p = FMA(p, *f, (FLOATS)(-2.39169881e-1f));
    p = FMA(p, *f, (FLOATS)(2.87903249e-1f));
    p = FMA(p, *f, (FLOATS)(-3.60693276e-1f));
    p = FMA(p, *f, (FLOATS)(4.80910748e-1f));
    p = FMA(p, *f, (FLOATS)(-7.21347451e-1f));
    return FMA(p, *f, (FLOATS)(1.44269502f));
}

/* The whole logarithm, as a float. */
static inline FLOATS WHOLE(log_sum)(FLOATS x)
{
    FLOATS exponent, f;
    const FLOATS p = WHOLE(log)(x, &exponent, &f);
    return FMA(f, p, exponent);
}
