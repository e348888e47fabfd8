/* The part of a draw that is the same for every instruction set: from random words to thresholds.
   Compiled for each by the file that includes it. */
#ifndef SPN_CORE_DRAWS_BODY_H
#define SPN_CORE_DRAWS_BODY_H

#include "core/draws.h"
#include "core/numeric.h"
#include <assert.h>

enum { SPN_DRAW_CHUNK = 64 };

/* The logarithm of w + 1/2, for a 32-bit word w. */
static inline double spn_draw_log(uint32_t word)
{
    /* 2^52 + w as bits: a conversion without a conversion instruction */
    return spn_log_short((spn_from_bits(0x4330000000000000ull | word) - 0x1p52) + 0.5);
}

static inline void spn_draw_thresholds(spn_threshold kind, const uint32_t *words, size_t count,
                                       double *threshold)
{
    const double log_2_32 = 22.180709777918249;
    assert(kind == SPN_THRESHOLD_METROPOLIS || kind == SPN_THRESHOLD_HEAT_BATH);
    if (kind == SPN_THRESHOLD_METROPOLIS) {
        for (size_t j = 0; j < count; j++)
            threshold[j] = log_2_32 - spn_draw_log(words[j]);
    } else {
        for (size_t j = 0; j < count; j++)
            threshold[j] = spn_draw_log(~words[j]) - spn_draw_log(words[j]);
    }
}

#endif
