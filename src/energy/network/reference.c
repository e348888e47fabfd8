/* The energy network from scratch: the sums of a unit, and the mean cross-entropy in double
   precision, sample by sample. */
#include "energy/network/network.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOME_WORDS = 64, SOME_ROWS = 256 };

/* Add twice the ones that rows have in common with the weights that are +1, for the inputs of some
   words. */
static void add_common_ones(const spn_network *p, const int8_t *weights, size_t first_word,
                            size_t words, int16_t *out)
{
    uint64_t mask[SOME_WORDS] = {0};
    int32_t ones[SOME_ROWS];
    for (size_t i = 64 * first_word; i < 64 * (first_word + words) && i < p->inputs; i++)
        mask[i / 64 - first_word] |= (uint64_t)(weights[i] > 0) << i % 64;
    for (size_t first = 0; first < SPN_NETWORK_WORD * p->words; first += SOME_ROWS) {
        const size_t left = SPN_NETWORK_WORD * p->words - first;
        const size_t count = left < SOME_ROWS ? left : SOME_ROWS;
        p->loops->common_ones(ones, p->rows + first * p->row_words + first_word, p->row_words, mask,
                              words, count);
        for (size_t j = 0; j < count; j++)
            out[first + j] = (int16_t)(out[first + j] + 2 * ones[j]);
    }
}

/* Twice what the weights that are +1 add, minus what all inputs do. */
static void sum_bits(const spn_network *p, const int8_t *weights, int16_t *out)
{
    for (size_t n = 0; n < SPN_NETWORK_WORD * p->words; n++)
        out[n] = (int16_t)-p->input_sum[n];
    for (size_t w = 0; w < p->row_words; w += SOME_WORDS)
        add_common_ones(p, weights, w,
                        p->row_words - w < SOME_WORDS ? p->row_words - w : SOME_WORDS, out);
}

static void sum_bytes(const spn_network *p, const int8_t *weights, int16_t *out)
{
    const size_t positions = SPN_NETWORK_WORD * p->words;
    memset(out, 0, positions * sizeof *out);
    for (size_t i = 0; i < p->inputs; i++) {
        for (size_t n = 0; n < positions; n++)
            out[n] = (int16_t)(out[n] + weights[i] * p->bytes[i * positions + n]);
    }
}

void spn_network_sums(const spn_network *p, const int8_t *weights, int16_t *out)
{
    int bias = 0;
    if (p->bits)
        sum_bits(p, weights, out);
    else
        sum_bytes(p, weights, out);
    for (size_t i = p->inputs; i < p->row; i++)
        bias += weights[i];
    for (size_t n = 0; n < SPN_NETWORK_WORD * p->words; n++)
        out[n] = (int16_t)(out[n] + bias + (p->drift ? p->drift[n] : 0));
}

static int input_of(const spn_network *p, size_t n, size_t i)
{
    return p->bits ? (int)(p->rows[n * p->row_words + i / 64] >> i % 64 & 1)
                   : p->bytes[i * SPN_NETWORK_WORD * p->words + n];
}

/* The unit's sign; or its mean under faults, in 1 / SPN_SMOOTH_ONE. */
static int unit_of(const spn_network *p, const int8_t *weights, size_t n)
{
    int64_t sum = p->drift ? p->drift[n] : 0;
    for (size_t i = 0; i < p->row; i++)
        sum += weights[i] * (i < p->inputs ? input_of(p, n, i) : 1);
    assert(llabs(sum) <= SPN_NETWORK_MOST_SUM);
    return p->narrow ? spn_network_mean((int)sum, p->narrow[n]) : sum >= 0 ? 1 : -1;
}

/* Logit k of a sample with these hidden units. */
static double logit_of(const spn_network *p, const int8_t *spins, const int16_t *units, uint32_t k)
{
    const int8_t *output = spins + p->first_output + k * p->output_row;
    const int one = p->narrow ? SPN_SMOOTH_ONE : 1;
    int64_t sum = 0;
    for (size_t j = 0; j < p->output_row; j++)
        sum += output[j] * (j < p->hidden ? units[j] : one);
    return p->logit_scale * (double)sum / one;
}

/* The loss of the sample at position n. */
static double loss_of(const spn_network *p, const int8_t *spins, size_t n, uint32_t label)
{
    int16_t units[SPN_MOST_HIDDEN];
    assert(p->hidden <= SPN_MOST_HIDDEN && label < p->classes);
    for (size_t j = 0; j < p->hidden; j++)
        units[j] = (int16_t)unit_of(p, spins + j * p->row, n);
    const double own =
        logit_of(p, spins, units, label) - p->logit_scale * p->margin / SPN_SMOOTH_ONE;
    double top = own;
    for (uint32_t k = 0; k < p->classes; k++)
        top = k == label ? top : fmax(top, logit_of(p, spins, units, k));
    double sum = exp(own - top);
    for (uint32_t k = 0; k < p->classes; k++)
        sum += k == label ? 0 : exp(logit_of(p, spins, units, k) - top);
    return log(sum) + (top - own);
}

double spn_network_reference(const spn_energy *self, const int8_t *spins)
{
    const spn_network *p = (const spn_network *)self;
    double total = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t first = part->first;
        double losses = 0;
        for (size_t n = first; n < first + part->samples; n++) {
            const double weight = p->position_weight ? p->position_weight[n] : 1;
            losses += weight * loss_of(p, spins, n, part->label);
        }
        total += (p->position_weight ? 1 : part->weight) * losses;
    }
    return total / p->total;
}
