/* The part of a draw that is the same for every instruction set: from 64 random bits, as an array
   `bits`, to thresholds. Included by draws_portable.c and draws_avx2.c, compiled for each. */
#ifndef SPN_CORE_DRAWS_BODY_H
#define SPN_CORE_DRAWS_BODY_H

#include "core/draws.h"
#include "core/numeric.h"

enum { SPN_DRAW_CHUNK = 64 };

/* 52 random bits to (2k+1) 2^-53, exactly. */
static inline double spn_draw_uniform(uint64_t bits)
{
    return (spn_from_bits(0x3FF0000000000000ull | bits >> 12) - 1.0) + 0x1p-53;
}

static inline void spn_draw_thresholds(spn_threshold kind, const uint64_t *bits, size_t count,
                                       double *threshold)
{
    if (kind == SPN_THRESHOLD_METROPOLIS) {
        for (size_t j = 0; j < count; j++)
            threshold[j] = -spn_log(spn_draw_uniform(bits[j]));
    } else {
        for (size_t j = 0; j < count; j++) {
            double u = spn_draw_uniform(bits[j]);
            threshold[j] = spn_log(1.0 - u) - spn_log(u);
        }
    }
}

#endif
