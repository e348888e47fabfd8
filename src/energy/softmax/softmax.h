/* The energy softmax inside: the problem, and the loops that exist once per instruction set.

   Samples stand in `stride` positions, the padding last. A column of bytes is stored so that vector
   code reads it without unpacking: in each group of 4*lanes positions, the byte of position
   v*lanes+j is byte 4*j+v, so a shift by v bytes puts the right one lowest in every 32-bit lane.
   One lane is the natural order.

   Rounded features are 16-bit numbers in the natural order; their gains are computed, so a flip
   of several copies of a feature, or of copies of two features, costs as much as one.

   Images have many blank groups: of each column, one bit says of 64 positions whether any of their
   bytes is not 0, so that the bytes of the others need not be read. */
#ifndef SPN_ENERGY_SOFTMAX_SOFTMAX_H
#define SPN_ENERGY_SOFTMAX_SOFTMAX_H

#include "base/machine.h"
#include "core/energy.h"
#include "energy/parts.h"
#include "energy/softmax/faulty.h"
#include <spinney/softmax.h>

enum {
    SPN_SOFTMAX_PAD = SPN_PART_PAD, /* stride is a multiple of it */
    SPN_SOFTMAX_BLOCK = 1024,       /* positions worked on at a time, so that they stay near */
    SPN_SOFTMAX_FLIP = 4096,        /* the same of an accepted flip */
    SPN_SOFTMAX_AHEAD = 2048,       /* bytes of a column that are asked for ahead of their use */
    SPN_SOFTMAX_WINDOW = 64,        /* accepted flips between rebuilds, at most */
    SPN_SOFTMAX_PARTNERS = 3,       /* correlated features that moves combine with one */
    SPN_SOFTMAX_CENTRE = 18         /* sums are brought near this power of 2 */
};

/* e^(change of logit) of the 256 bytes as products of table entries: high[x>>4] low[x&15], or
   top[x>>6] middle[(x>>3)&7] low[x&7]. top holds its four entries twice. */
typedef struct spn_gain {
    float low[16], high[16], middle[8], top[8];
} spn_gain;

/* A sum of logarithms: fraction + exponent * log 2. */
typedef struct spn_split_log {
    double fraction;
    int64_t exponent;
} spn_split_log;

/* What a flip would do: powers e_k and sums S of all positions before it, the byte column, gains.
   Bit group + p / 64 of `nonzero` says whether the 64 positions from p on have bytes other than 0.
 */
typedef struct spn_trial {
    const float *power, *sum;
    const uint8_t *column;
    const uint64_t *nonzero;
    size_t group;
    const spn_gain *gain;
    size_t count;
    /* Of rounded features, in place of the bytes: the change of the logit in powers of 2 is
       constant + sum_c rate[c] wide[c]. wide[1] may be NULL. weight: of samples, or NULL. */
    const int16_t *wide[2];
    float rate[2], constant;
    const float *weight;
} spn_trial;

/* Columns to be added to logits. */
typedef struct spn_column_list {
    size_t count;
    const uint8_t *column[SPN_SOFTMAX_WINDOW];
    const int16_t *wide[SPN_SOFTMAX_WINDOW];     /* of rounded features, in place of bytes */
    const uint64_t *nonzero[SPN_SOFTMAX_WINDOW]; /* bit p / 64: of 64 positions */
    int32_t times[SPN_SOFTMAX_WINDOW];           /* of bytes: -2 to 2 */
    int64_t factor[SPN_SOFTMAX_WINDOW];
} spn_column_list;

/* Positions are handled `count` at a time, a multiple of SPN_SOFTMAX_PAD, from aligned arrays. */
typedef struct spn_softmax_kernels {
    unsigned lanes;
    /* The sum over positions of log(S + e(g-1)). The sums must be within 2^-40..2^40, the gains
       within e^-12..e^12. */
    spn_split_log (*trial)(const spn_trial *trial);
    /* Put e g and S + e(g-1), the bits that trial takes the logarithm of, in place of e and S:
       powers and sums are those of the trial, at most SPN_SOFTMAX_FLIP. Raise peak[p] to the
       exponent of sums[p], in an order of positions of its own; return how many positions have
       fallen more than `fall` binary orders below their peak, their indices in fallen; those start
       from a new peak. Widen range to the exponents seen. */
    size_t (*flip)(const spn_trial *trial, float *powers, float *sums, uint8_t *peak, unsigned fall,
                   uint32_t *fallen, uint8_t range[2]);
    /* The same for rounded features. With weights the trial's result is the weighted sum of the
       logarithms over 2^SPN_SOFTMAX_CENTRE, as a fraction. */
    spn_split_log (*wide_trial)(const spn_trial *trial);
    size_t (*wide_flip)(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2]);
    /* Start peaks and widen range from at most SPN_SOFTMAX_BLOCK sums. */
    void (*start_peaks)(const float *sum, uint8_t *peak, uint8_t range[2], size_t count);
    /* logits[p] += times * factor * column[first + p], for each of the columns (add32: factor 1),
       of at most SPN_SOFTMAX_BLOCK positions */
    void (*add32)(int32_t *logits, const spn_column_list *columns, size_t first, size_t count);
    void (*add64)(int64_t *logits, const spn_column_list *columns, size_t first, size_t count);
    void (*add_wide)(int64_t *logits, const spn_column_list *columns, size_t first, size_t count);
    /* power[p] = 2^(unit * logits[p] + offset - ref[p]), 0 below 2^-126, at most about 2^126.
       power32 wants logits below 2^24 and exponents below 2^21 in size. */
    void (*power32)(float *power, const int32_t *logits, const int32_t *ref, double unit,
                    double offset, size_t count);
    void (*power64)(float *power, const int64_t *logits, const int32_t *ref, double unit,
                    double offset, size_t count);
    /* sum[p] = the sum over classes of powers[k][first + p], in the order of classes */
    void (*sum)(float *sum, const float *const *powers, size_t first, size_t classes, size_t count);
    /* out[n * classes + k] = <row n, weights of class k>; weight rows are padded with zeros to a
       multiple of 32 and padded_features apart. Any count. */
    void (*dots)(int32_t *out, const uint8_t *rows, size_t count, size_t features,
                 const int8_t *weights, size_t padded_features, size_t classes);
    /* change[p] = log(1 + e^(logit[p] - lse[p]) (e^change[p] - 1)); |change| <= 12. Any count. */
    void (*real_trial)(double *change, const double *logit, const double *lse, size_t count);
    /* lse[p] = log of the sum over classes of e^logits[k * stride + p]. Any count. */
    void (*real_lse)(double *lse, const double *logits, size_t stride, size_t classes,
                     size_t count);
    spn_faulty_loops faulty;
} spn_softmax_kernels;

extern const spn_softmax_kernels spn_softmax_portable, spn_softmax_avx2, spn_softmax_avx512;

const spn_softmax_kernels *spn_softmax_select(spn_isa isa);

/* Weights -1 and +1 from their bits: `count` of them from number `first` on. */
void spn_signs_unpack(int8_t *out, const uint8_t *bits, size_t first, size_t count);

/* Those of one classifier of a vote: in place, or unpacked into room for `count`. */
const int8_t *spn_softmax_weights(int8_t *room, const spn_softmax_model *model, size_t vote,
                                  size_t first, size_t count);

/* The inputs of a class are the features of the data and then those of the bias, which are
   constant: columns of zeros whose origin makes them add W_ki s to the logit. */
typedef struct spn_softmax {
    spn_energy base;
    const spn_softmax_kernels *kernels;
    size_t samples, stride, features; /* features: all inputs, the bias included */
    uint32_t classes;
    size_t columns;    /* that are stored */
    size_t *column;    /* of feature i: copies of a feature share one, all inputs of the bias do */
    uint8_t *bytes;    /* column c at c * stride, in the order described above; or */
    double *values;    /* column c at c * stride; or */
    int16_t *wide;     /* column c at c * stride, rounded features: the fast path */
    size_t copies;     /* of each feature, side by side */
    uint64_t *nonzero; /* for bytes: column c at c * nonzero_step; one more row of no bits */
    size_t nonzero_step;  /* */
    uint32_t *labels;     /* by position */
    double *slope;        /* feature i adds W_ki (slope x - origin) to logit k */
    double *origin;       /* */
    double *label_sum;    /* K*D: what weight W_ki = 1 adds to the sum of the labels' logits */
    double *max_change;   /* the largest |change of logit| by a flip of a weight of feature i */
    double reach;         /* no logit of bytes is larger */
    double *class_weight; /* K; NULL: all 1 */
    /* by position, those of the classes included, if samples have weights of their own, which
       takes the plain path unless features are rounded; else NULL */
    double *sample_weight;
    float *float_weight; /* the same, of rounded features; padding weighs 0 */
    double total;        /* of the weights of all samples */
    /* All positions. One part, in the order of the data, but for bytes whose samples have weights
       of their own: the fast path adds up logarithms of products, so it has a part for each class.
     */
    spn_class_part *parts;
    size_t part_count;
    /* the fast path only */
    spn_gain *gains;  /* two per feature: flips of +1 and of -1; or two for all (gain_step 0) */
    size_t gain_step; /* */
    int64_t *factor;  /* integer logits are sums of W factor x; NULL: factor 1, 32 bits */
    double unit;      /* of an integer logit, in powers of 2 */
    double widest;    /* the largest of max_change, in powers of 2 */
    int32_t *partner; /* of each column, as in spn_level_groups; */
    size_t partners;  /* at most SPN_SOFTMAX_PARTNERS each */
    double limit;     /* of the change of a logit by a move */
    bool narrow;      /* changes of logits beyond 8: sums are restored and rebuilt sooner */
} spn_softmax;

enum { SPN_SOFTMAX_AUTO, SPN_SOFTMAX_FAST, SPN_SOFTMAX_PLAIN };

/* spn_softmax_create_as with a path, one of these, and an instruction set of the caller's choice,
 * for tests. */
spn_status spn_softmax_create_by(spn_energy **out, const spn_dataset *train,
                                 const spn_scaling *scaling, const spn_softmax_options *options,
                                 int path, spn_isa isa, spn_error *err);

/* Of rounded features: the largest change of a logit by a flip, before they are rounded; NaN or
   infinity if one is not finite. And round them: columns, slopes, labels, label sums, largest
   changes, float weights; *highest: what no logit of a sample exceeds. Errors: MEMORY. */
double spn_softmax_widest(const spn_softmax *p, const spn_dataset *train);
spn_status spn_softmax_round(spn_softmax *p, const spn_dataset *train, double *highest,
                             spn_error *err);

/* Find the partners of rounded features. False: no memory. */
bool spn_softmax_find_partners(spn_softmax *p);

/* The weight of the sample at a position. */
static inline double spn_softmax_weight(const spn_softmax *p, size_t position)
{
    if (p->sample_weight)
        return p->sample_weight[position];
    return p->class_weight ? p->class_weight[p->labels[position]] : 1;
}

/* 64 bits of a row of them, from bit `first` on. A row ends with a word of no bits. */
static inline uint64_t spn_softmax_bits(const uint64_t *row, size_t first)
{
    const uint64_t *word = row + first / 64;
    const unsigned within = first % 64;
    return word[0] >> within | (word[1] << 1) << (63 - within);
}

/* The byte of a position in a column. */
static inline uint8_t spn_softmax_byte(const uint8_t *column, size_t position, unsigned lanes)
{
    const size_t group = position / (4 * lanes) * (4 * lanes), within = position - group;
    return column[group + 4 * (within % lanes) + within / lanes];
}

extern const spn_energy_slots spn_softmax_fast_ops, spn_softmax_plain_ops;

size_t spn_softmax_fast_cache_size(const spn_softmax *problem);
size_t spn_softmax_plain_cache_size(const spn_softmax *problem);

/* The energy from scratch, plainly. */
double spn_softmax_reference(const spn_energy *self, const int8_t *spins);

/* The sum over samples of the logit of the label. O(N). */
double spn_softmax_label_score(const spn_softmax *problem, const int8_t *spins);

/* The logits of `count` positions from `first`, class k at k * stride, in double precision. */
void spn_softmax_logits(const spn_softmax *problem, const int8_t *spins, size_t first, size_t count,
                        size_t stride, double *out);

void spn_softmax_destroy(spn_energy *self);

#endif
