/* The energy network inside: the problem, the cache, and the loops that exist once per instruction
   set.

   Samples stand in positions, those of a class together and padded to words of 64, so that a
   position determines its label. A replica keeps the sums a of all units and their signs; with
   inputs of bits also which sums are at the edge, where the flip of a weight changes the sign; and
   of each sample the integer logits, and as functions of these alone the probabilities ("shares")
   and the loss. */
#ifndef SPN_ENERGY_NETWORK_NETWORK_H
#define SPN_ENERGY_NETWORK_NETWORK_H

#include "base/machine.h"
#include "core/energy.h"
#include "energy/network/smooth.h"
#include "energy/parts.h"
#include <spinney/network.h>

enum {
    SPN_NETWORK_WORD = SPN_PART_PAD, /* positions of a word */
    SPN_NETWORK_LANES = 8,           /* products side by side, in every instruction set */
    SPN_NETWORK_MOST_SUM = 32767,    /* of a unit's inputs */
    SPN_NETWORK_MOST_FACTORS = 4096  /* of a product */
};

/* Some positions of one class: listed, or `count` from `first` on. */
typedef struct spn_network_samples {
    const uint32_t *listed; /* NULL: none are */
    size_t first, count;
    uint32_t label;
} spn_network_samples;

/* What is kept of each position: a record, in one line of the processor's cache if it fits,
   of K integer logits (int16_t, in units of the logit scale) and K shares (float); and the loss. */
typedef struct spn_network_state {
    char *records;
    int64_t *losses; /* in units of 1 / loss_scale */
} spn_network_state;

/* How logits become shares and losses. */
typedef struct spn_network_law {
    uint32_t classes;
    size_t record, shares_at; /* bytes of a record, and before its shares */
    const double *power;      /* e^(-2 s d), of a logit that is 2 d below the largest */
    double logit_scale, loss_scale;
} spn_network_law;

static inline int16_t *spn_network_logits(const spn_network_state *state,
                                          const spn_network_law *law, size_t position)
{
    return (int16_t *)(void *)(state->records + position * law->record);
}

/* A factor for each sample: base + slope * the sum of the shares of the classes listed. */
typedef struct spn_network_factors {
    const char *shares; /* of the first record */
    size_t record;
    const uint32_t *classes;
    size_t class_count;
    double base, slope;
    size_t most; /* factors of a product that is neither too large nor too small, up to
                    SPN_NETWORK_MOST_FACTORS */
} spn_network_factors;

typedef struct spn_network_loops {
    /* Positions, from those of the first word on, whose bit is set in both; their number. */
    size_t (*collect)(uint32_t *out, const uint64_t *edge, const uint64_t *column,
                      size_t first_word, size_t words);
    /* The sum of the logarithms of the factors of some samples. */
    double (*log_factors)(const spn_network_factors *factors, const uint32_t *listed, size_t count);
    /* The same of `count` positions from `first` on, with factor 1 + (gain[b] - 1) * share of class
       k, b being the bit of the position; of a steep law as the shares of the classes listed, which
       are the others, + gain[b] * share, so that little is not the difference of much. */
    double (*log_outputs)(const spn_network_factors *factors, const uint64_t *bits, size_t first,
                          size_t count, uint32_t k, const double gain[2]);
    /* Add `by` to the sums whose bit is set in the column, and mark where sums are -2 or -1 (low)
       and 0 or 1 (high) afterwards. */
    void (*move)(int16_t *sums, const uint64_t *column, size_t words, int by, uint64_t *low,
                 uint64_t *high);
    /* Add step[k] to logit k of the samples, recompute their shares and losses, and return by how
       much the losses have grown. */
    int64_t (*settle)(const spn_network_state *state, const spn_network_law *law,
                      const spn_network_samples *samples, const int16_t *step);
    /* out[n] = ones that the first words of row n, which is `stride` words long, have in common
       with mask. */
    void (*common_ones)(int32_t *out, const uint64_t *rows, size_t stride, const uint64_t *mask,
                        size_t words, size_t count);
    spn_smooth_loops smooth;
} spn_network_loops;

/* packing: AVX-512 on machines of which spn_cpu_packs_bytes is true */
extern const spn_network_loops spn_network_loops_portable, spn_network_loops_avx2,
    spn_network_loops_avx512, spn_network_loops_packing;

typedef struct spn_network {
    spn_energy base;
    const spn_network_loops *loops;
    size_t samples, words;     /* words: of 64 positions, of all parts */
    size_t inputs, row;        /* row: weights of a unit, the bias included */
    size_t hidden, output_row; /* weights of a class, the bias included */
    size_t first_output;       /* site */
    uint32_t classes;
    /* Bits: column i at i * words, that of the constant input, which has no ones in the padding, at
       inputs * words; and the same by samples: the inputs of position n at n * row_words. Or: */
    uint64_t *bits, *rows;
    size_t row_words;
    int16_t *input_sum;    /* of position n */
    uint8_t *bytes;        /* input i at i * 64 * words */
    uint64_t *all_ones;    /* words of them: the signs of a unit that is always +1 */
    spn_class_part *parts; /* of the classes that occur */
    size_t part_count;
    spn_network_law law;
    double *power;
    double logit_scale, total; /* total: of the weights of all samples */
    bool weighted;             /* not all of them are 1 */
    bool tied;                 /* inputs are sums of bits that fail one by one */
    /* by position, those of the classes included, if samples have weights of their own (else NULL)
     */
    double *position_weight;
    bool steep;     /* s is so large that 1 - share is not to be taken for the others */
    double gain[2]; /* e^(-2s), e^(2s) */
    size_t most_factors;
    /* of units that expect faults, by position: 1 / (sqrt 2 sigma), NULL if they do not; and the
       weights of samples, those of classes included, NULL: all 1 */
    float *narrow, *weight;
    int16_t *drift;         /* by which faults move the sums of each position; NULL: by nothing */
    int32_t margin;         /* that the label's logit lacks, in 1 / SPN_SMOOTH_ONE of the scale */
    float change_scale;     /* their losses are integers in 1 / change_scale */
    spn_smooth_table table; /* of bits */
    bool series;            /* the flip of a hidden weight changes logits so little */
} spn_network;

/* spn_network_create with an instruction set of the caller's choice, and for bits as if they were
   other bytes, for tests. */
spn_status spn_network_create_by(spn_energy **out, const spn_dataset *train,
                                 const spn_network_options *options, bool as_bytes, spn_isa isa,
                                 spn_error *err);

/* ---- the cache ---- */

/* It starts with a header, whose arrays follow. */
typedef struct spn_network_cache {
    int64_t *total;       /* losses of each part */
    int16_t *sums;        /* unit j at j * 64 * words */
    uint64_t *low, *high; /* unit j at j * words; of bits alone */
    uint64_t *signs;      /* likewise: 1 is +1 */
    spn_network_state state;
    uint32_t *listed;     /* positions whose unit changes sign by the flip last tried, */
    size_t *listed_count; /* of each part, one part after the other */
    uint64_t *tried;      /* the site of that flip */
    int16_t *step;        /* K, for an accepted flip */
    uint32_t *gaining;    /* K, for a change */
} spn_network_cache;

/* Where the parts of a cache are; and the bytes that it takes. */
spn_network_cache spn_network_cache_view(const spn_network *problem, void *cache);
size_t spn_network_cache_size(const spn_network *problem);

/* The next `size` bytes of a cache, in whole lines. */
static inline void *spn_network_take(char **at, size_t size)
{
    void *here = *at;
    *at += (size + 63) / 64 * 64;
    return here;
}

size_t spn_network_smooth_cache_size(const spn_network *problem);

extern const spn_energy_slots spn_network_slots, spn_network_smooth_slots;

/* The mean of the sign of a unit whose sum this is, in 1 / SPN_SMOOTH_ONE, by the portable loop. */
int spn_network_mean(int sum, float narrow);

/* Let units expect this share of flipped weights, above 0 and below 1/2. false without memory. */
bool spn_network_expect_faults(spn_network *problem, spn_fault_moments faults);

void spn_network_destroy(spn_energy *self);

/* The energy from scratch; and plainly, with the same bits. */
double spn_network_energy(const spn_energy *self, const int8_t *spins);
double spn_network_reference(const spn_energy *self, const int8_t *spins);

/* Where samples have weights of their own (position_weight): the energy; what the flip of a hidden
   weight whose unit had this sign changes, times the total, for the positions that are listed; and
   the same of output weight `unit` of class k, whose spin this is, with signs and gain as in
   log_outputs. Losses are added up again, and a logarithm is taken for each sample. */
double spn_network_weighted_value(const spn_network *problem, const spn_network_cache *cache);
double spn_network_weighted_hidden(const spn_network *problem, const spn_network_cache *cache,
                                   const spn_network_factors *factors, const int8_t *output,
                                   int sign);
double spn_network_weighted_output(const spn_network *problem, const spn_network_factors *factors,
                                   const uint64_t *signs, uint32_t k, int spin,
                                   const double gain[2]);

/* The sums of a unit, of all positions, from its weights. */
void spn_network_sums(const spn_network *problem, const int8_t *weights, int16_t *out);

#endif
