/* The logits of networks with hidden sign units, and of votes of several, as whole numbers: what
   spn_softmax_evaluate and spn_softmax_correct use if a model has hidden units.

   Bits are packed once. A unit's sum is then a = 2 c - p + b with c the ones that sample and
   weights have in common, p the ones of the sample and b its bias, so that its sign needs a count
   alone; and the sum of an output is H - 2 (differences of the hidden signs and its weights) +
   bias. Other bytes take the dot products of softmax in the first layer. */
#ifndef SPN_ENERGY_NETWORK_EVALUATE_H
#define SPN_ENERGY_NETWORK_EVALUATE_H

#include "base/machine.h"
#include <spinney/dataset.h>
#include <spinney/softmax.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SPN_NETWORK_GROUP = 8,       /* units whose signs are found together: a byte of signs */
    SPN_NETWORK_MOST_SUM = 32767 /* of a unit: what 16 bits hold */
};

/* Samples and units in bits, for the loops that exist once per instruction set. */
typedef struct spn_network_bits {
    size_t words; /* of a sample */
    size_t groups;
    const uint64_t *samples; /* `words` each */
    const int32_t *ones;     /* set bits of each */
    const uint64_t *units;   /* word w of unit u of a group g at (g * words + w) * 8 + u */
    const int64_t *bias;     /* of unit u of group g at 8 g + u */
} spn_network_bits;

typedef struct spn_network_counting {
    /* The inputs of samples in bits, as spn_network_pack_word has them; and the ones of each.
       False, with the rest undone, if an input is neither 0 nor 1. */
    bool (*pack)(uint64_t *out, int32_t *ones, const uint8_t *rows, size_t count, size_t features);
    /* Bit u of out[n * apart + g]: whether the sum of unit u of group g is 0 or more for sample n
       of `count`. */
    void (*signs)(uint8_t *out, size_t apart, const spn_network_bits *bits, size_t count);
    /* out[n * outputs + k] -= 2 (bits in which rows n and k differ), of `words` words each. */
    void (*differ)(int64_t *out, const uint64_t *hidden, size_t count, const uint64_t *output,
                   size_t outputs, size_t words);
} spn_network_counting;

extern const spn_network_counting spn_network_counting_portable, spn_network_counting_avx2,
    spn_network_counting_avx512;

/* The loops of an instruction set; AVX-512 only if the machine also counts the bits of vectors. */
const spn_network_counting *spn_network_counting_select(spn_isa isa);

/* Byte g of a row of words, from the lowest of the first word on, is at g ^ SPN_BYTE_PLACE. */
enum { SPN_BYTE_PLACE = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 7 : 0 };

/* 64 bytes 0 or 1, or fewer, as bits: byte i is bit i. Eight at a time: the product moves the
   lowest bit of byte i to bit 56 + i. */
static inline uint64_t spn_network_pack_word(const uint8_t *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < 64 && i < count; i += 8) {
        uint64_t eight = 0;
        memcpy(&eight, bytes + i, count - i < 8 ? count - i : 8);
        if (SPN_BYTE_PLACE)
            eight = __builtin_bswap64(eight);
        word |= (eight * 0x0102040810204080) >> 56 << i;
    }
    return word;
}

/* A model, made ready for data; both are borrowed. */
typedef struct spn_network_scorer spn_network_scorer;

/* out: free it with spn_network_scorer_free. The model has hidden units, weights and scaling;
   isa: the instruction set, for tests. Memory: bits D/8 for each sample, other bytes none, doubles
   a byte for each; and votes * N. Errors: ARGUMENT (features that differ; more hidden units than
   there may be; inputs that are not whole numbers from 0 to 255, or that add up to more than a unit
   holds; a scaling that is not the identity), MEMORY. */
spn_status spn_network_scorer_make(spn_network_scorer **out, const spn_softmax_model *model,
                                   const spn_dataset *data, spn_isa isa, spn_error *err);
void spn_network_scorer_free(spn_network_scorer *scorer); /* accepts NULL */

enum { SPN_NETWORK_PART = 64 }; /* samples scored at a time, at most */

/* The logits of samples first .. first + count - 1 in units of the logit scale, K each. count: up
   to SPN_NETWORK_PART. */
void spn_network_scorer_logits(spn_network_scorer *scorer, int64_t *out, size_t first,
                               size_t count);

#endif
