/* Units that expect faults. While training, a unit is the mean of its sign when each of its weights
   is flipped with probability p: h = erf(a / (sqrt 2 sigma)) for its integer sum a, with sigma from
   the sample's own inputs. h is rounded to multiples of 1 / SPN_SMOOTH_ONE, so that sums, units and
   logits are integers, and the energy is a function of the spins alone.

   The chain visits a unit: for each sample the cache then holds how the loss changes if the unit's
   sum rises or falls by 2, and the change of a flip is a sum of these over a column of bits. */
#ifndef SPN_ENERGY_NETWORK_SMOOTH_H
#define SPN_ENERGY_NETWORK_SMOOTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPN_SMOOTH_ONE = 1 << 14, /* the unit value 1 */
    SPN_SMOOTH_SOME = 256     /* positions computed at a time */
};

/* Up to this change of the log odds, the change of a loss is a series of five terms. */
#define SPN_SMOOTH_SERIES 0.25

/* h of bits: a row for each number of inputs, all of whose sums have one parity. That of a sum
   stands at middle + sum / 2, rounded down, those of the sums 2 above and below beside it. */
typedef struct spn_smooth_table {
    int16_t *means;
    int32_t *middle; /* of each position */
    int steepest;    /* difference of neighbours */
} spn_smooth_table;

/* What a visit keeps of each position. */
typedef struct spn_smooth_sample {
    float odds;    /* log of the odds of the classes that gain if the unit rises, at h = 0 */
    int32_t place; /* of h in the table; of bits */
} spn_smooth_sample;

/* Positions in a visit to a unit, listed or in a row. */
typedef struct spn_smooth_visit {
    const int16_t *means; /* the table's */
    spn_smooth_sample *samples;
    const float *weight;  /* of each position; NULL: all 1 */
    int32_t *rise, *fall; /* change of the loss if the sum rises, falls by 2, in 1 / scale */
    float unit;           /* logit scale / SPN_SMOOTH_ONE */
    float scale;
    bool series; /* a logit changes by at most SPN_SMOOTH_SERIES / 2 */
} spn_smooth_visit;

typedef struct spn_smooth_loops {
    /* h of sums, in 1 / SPN_SMOOTH_ONE. */
    void (*means)(int16_t *out, const int16_t *sums, const float *narrow, size_t count);
    /* The sum of the changes whose bit is set. */
    int64_t (*sum)(const int32_t *change, const uint64_t *column, size_t words);
    /* The change of the loss, in 1 / scale, if h goes from one to the other at up to
       SPN_SMOOTH_SOME positions whose label's output weight is `own`. weight: NULL if all are 1. */
    int64_t (*turn)(const spn_smooth_sample *samples, const int16_t *from, const int16_t *to,
                    const float *weight, float unit, int own, float scale, size_t count);
    /* Move positions whose label's output weight is `own` `by` places, and compute rise and fall
       again. listed: NULL for `count` positions from `first` on. */
    void (*settle)(const spn_smooth_visit *visit, const uint32_t *listed, size_t first,
                   size_t count, int by, int own);
    /* odds of `count` positions from integer logits, class k at k * stride. output: the unit's
       weights, `apart` apart; mean: h, whose part is taken out. */
    void (*odds)(spn_smooth_sample *out, const int32_t *logits, size_t stride, uint32_t classes,
                 const int8_t *output, size_t apart, const int16_t *mean, float unit, size_t count);
    /* log of the sum over classes of e^(unit logits). */
    void (*normalise)(float *out, const int32_t *logits, size_t stride, uint32_t classes,
                      float unit, size_t count);
    /* e^(unit logit - normaliser), the share of a class. */
    void (*shares)(float *out, const int32_t *logits, const float *normaliser, float unit,
                   size_t count);
    /* The change of the loss if the logit of a class of these shares rises by `by` times h, in
       1 / scale. mean: NULL if h is 1; own: the class is the label. */
    int64_t (*output)(const float *share, const int16_t *mean, const float *weight, float unit,
                      int by, int own, float scale, size_t count);
    /* The sum of the losses of positions with one label, each rounded to 1 / scale. */
    int64_t (*losses)(const int32_t *logits, size_t stride, uint32_t classes, uint32_t label,
                      const float *weight, double unit, float scale, size_t count);
} spn_smooth_loops;

#endif
