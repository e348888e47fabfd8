/* The cache of the fast path of softmax, and its windows: what follows from the logits at their
   start (window.c). What happens within one, and why it is right, is in fast.c. */
#ifndef SPN_ENERGY_SOFTMAX_FAST_H
#define SPN_ENERGY_SOFTMAX_FAST_H

#include "energy/softmax/softmax.h"

#include <assert.h>
#include <stdlib.h>

#define LOG_2 6.93147180559945309417e-01
#define LOG2_E 1.44269504088896340736

enum { BIAS = 127, CENTRE = SPN_SOFTMAX_CENTRE, LOWEST = -24 };

/* The head of a cache. The rest of the cache is found by offsets, not pointers, so a cache may be
   copied. */
typedef struct fast_cache {
    spn_split_log logs;                   /* of the sums S */
    double label_score;                   /* the sum over samples of the label's logit */
    int64_t ref_sum;                      /* of ref, if no class has a weight; or */
    double weighted_refs;                 /* the sum of ref times weight */
    spn_split_log trial_logs;             /* of the sums after a flip of */
    spn_level_move trial;                 /* this move; count 0: none */
    uint32_t flips;                       /* in this window */
    uint8_t range[2];                     /* exponents of sums seen in this window */
    uint32_t flipped[SPN_SOFTMAX_WINDOW]; /* the sites, */
    int32_t change[SPN_SOFTMAX_WINDOW];   /* and the changes of the sums of their groups */
    /* What adding up sums again does to the sum of logarithms: the logarithm of a product of ratios
       of new sums to old ones, each near 1, of one class if classes have weights. */
    double ratio;
    size_t restored, last; /* how many sums, and the position of the last one */
} fast_cache;

/* Where the arrays of a cache are. */
typedef struct fast_view {
    fast_cache *head;
    double *class_climb;      /* K: bits that class k may have climbed in this window */
    double *offset;           /* K: of t_k, from the origins */
    const float **rows;       /* K: scratch */
    spn_column_list *columns; /* K: scratch */
    float *powers;            /* K arrays of stride */
    float *sums;
    int32_t *ref;
    uint8_t *peak;
    int32_t *logits32; /* K arrays of stride; this or */
    int64_t *logits64; /* that */
} fast_view;

fast_view spn_fast_view(const spn_softmax *problem, void *cache);

/* The highest power of 2 that a sum may have, with the gain of one flip, in products of two. */
int spn_fast_highest(const spn_softmax *problem);

/* The sum over positions of log(S + e(g-1)): of all at once, or of each part by its weight. */
spn_split_log spn_fast_sum_logs(const spn_softmax *problem, const spn_trial *trial);

/* Start a new window: bring the logits up to date with the flips of the last one, then powers and
   sums. A block at a time, all classes of it, so that only logits, powers and columns come from
   memory. */
void spn_fast_rebuild(const spn_softmax *problem, const fast_view *view, const int8_t *spins);

/* The slots of the same names. */
double spn_fast_attach(const spn_energy *self, void *cache, const int8_t *spins);
double spn_fast_refresh(const spn_energy *self, void *cache, const int8_t *spins);

static inline float *powers_of(const spn_softmax *p, const fast_view *v, size_t k)
{
    assert(k < p->classes);
    return v->powers + k * p->stride;
}

static inline const uint8_t *column_of(const spn_softmax *p, size_t feature)
{
    assert(feature < p->features && p->column[feature] < p->columns);
    return p->bytes + p->column[feature] * p->stride;
}

static inline const uint64_t *nonzero_of(const spn_softmax *p, size_t feature)
{
    return p->nonzero + p->column[feature] * p->nonzero_step;
}

static inline const int16_t *wide_of(const spn_softmax *p, size_t feature)
{
    assert(p->wide && feature < p->features && p->column[feature] < p->columns);
    return p->wide + p->column[feature] * p->stride;
}

static inline float add_up(const spn_softmax *p, const fast_view *v, size_t position)
{
    float sum = 0;
    const float *powers = v->powers + position;
    for (size_t k = 0; k < p->classes; k++)
        sum += powers[k * p->stride];
    return sum;
}

/* Positions of the block that starts at first, `most` but for the last block. */
static inline size_t length_of(const spn_softmax *p, size_t first, size_t most)
{
    const size_t left = p->stride - first;
    assert(first < p->stride);
    return left < most ? left : most;
}

static inline double fast_value(const spn_softmax *p, const fast_cache *head)
{
    const double exponents = (double)(head->logs.exponent + head->ref_sum);
    return (head->logs.fraction + exponents * LOG_2 + head->weighted_refs * LOG_2 -
            head->label_score) /
           p->total;
}

#endif
