/* Kernels: how a proposal is accepted. Everything that depends on the kernel is here; the loops
   know only thresholds, and whether the coupling is tested first. Each instruction set compiles
   some of these functions by including this file. */
#ifndef SPN_CORE_KERNEL_H
#define SPN_CORE_KERNEL_H

#include "core/numeric.h"
#include <assert.h>
#include <math.h>
#include <spinney/sampler.h>

/* A move of cost c (minus the logarithm of its acceptance ratio) is accepted iff c <= threshold.
   The uniform u of a threshold is an odd multiple of 2^-33, so acceptance probabilities are right
   to 2^-33, and a move of cost over 22.9 is never accepted. */
typedef enum spn_threshold {
    SPN_THRESHOLD_METROPOLIS, /* -log u: accepts with probability min(1, e^-c) */
    SPN_THRESHOLD_HEAT_BATH   /* log((1-u)/u): accepts with probability 1/(1+e^c) */
} spn_threshold;

typedef struct spn_kernel_traits {
    /* Compared with the cost of a move. */
    spn_threshold threshold;
    /* Coupling and energy each cost only if they resist, and the coupling is tested first; else
       they may compensate each other. */
    bool two_stage;
} spn_kernel_traits;

/* NULL: no such kernel. */
static inline const spn_kernel_traits *spn_kernel_traits_of(spn_kernel kernel)
{
    static const spn_kernel_traits traits[] = {
        [SPN_KERNEL_TWO_STAGE] = {SPN_THRESHOLD_METROPOLIS, true},
        [SPN_KERNEL_ONE_STAGE] = {SPN_THRESHOLD_METROPOLIS, false},
        [SPN_KERNEL_HEAT_BATH] = {SPN_THRESHOLD_HEAT_BATH, false}};
    return (size_t)kernel < sizeof traits / sizeof *traits ? &traits[kernel] : NULL;
}

/* log(w + 1/2) for a 32-bit word w. */
static inline double spn_draw_log(uint32_t word)
{
    /* 2^52 + w as bits, which avoids a conversion instruction */
    return spn_log_short((spn_from_bits(0x4330000000000000ull | word) - 0x1p52) + 0.5);
}

static inline void spn_draw_thresholds(spn_threshold kind, const uint32_t *words, size_t count,
                                       double *threshold)
{
    const double log_2_32 = 22.180709777918249;
    if (kind == SPN_THRESHOLD_HEAT_BATH) {
        for (size_t j = 0; j < count; j++)
            threshold[j] = spn_draw_log(~words[j]) - spn_draw_log(words[j]);
    } else {
        assert(kind == SPN_THRESHOLD_METROPOLIS);
        for (size_t j = 0; j < count; j++)
            threshold[j] = log_2_32 - spn_draw_log(words[j]);
    }
}

/* For the downhill one of two opposite moves of costs -c and c, with e = e^-|c|. The other's share
   is e times it, which is detailed balance. */
static inline double spn_threshold_downhill(spn_threshold kind, double e)
{
    return kind == SPN_THRESHOLD_HEAT_BATH ? 1 / (1 + e) : 1;
}

/* For moves of cost c, with the library's exp. */
static inline double spn_threshold_share(spn_threshold kind, double c)
{
    return kind == SPN_THRESHOLD_HEAT_BATH ? 1 / (1 + exp(c)) : fmin(1, exp(-c));
}

/* For moves of cost -log(ratio). */
static inline double spn_threshold_share_of(spn_threshold kind, double ratio)
{
    return kind == SPN_THRESHOLD_HEAT_BATH ? ratio / (1 + ratio) : fmin(1, ratio);
}

#endif
