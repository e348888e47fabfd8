/* The energy network from scratch: the sums of a unit, and the mean cross-entropy in double
   precision; many samples at a time, and plainly, sample by sample, with the same bits. */
#include "base/memory.h"
#include "energy/network/network.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOME_WORDS = 64, SOME_ROWS = 256, SOME_POSITIONS = 4096 };

/* Add twice the ones that the rows of some positions have in common with the weights that are +1,
   for the inputs of some words. */
static void add_common_ones(const spn_network *p, const int8_t *weights, size_t first_word,
                            size_t words, size_t first, size_t count, int16_t *out)
{
    uint64_t mask[SOME_WORDS] = {0};
    int32_t ones[SOME_ROWS];
    for (size_t i = 64 * first_word; i < 64 * (first_word + words) && i < p->inputs; i++)
        mask[i / 64 - first_word] |= (uint64_t)(weights[i] > 0) << i % 64;
    for (size_t done = 0; done < count; done += SOME_ROWS) {
        const size_t left = count - done, few = left < SOME_ROWS ? left : SOME_ROWS;
        p->loops->common_ones(ones, p->rows + (first + done) * p->row_words + first_word,
                              p->row_words, mask, words, few);
        for (size_t j = 0; j < few; j++)
            out[done + j] = (int16_t)(out[done + j] + 2 * ones[j]);
    }
}

/* Twice what the weights that are +1 add, minus what all inputs do. */
static void sum_bits(const spn_network *p, const int8_t *weights, size_t first, size_t count,
                     int16_t *out)
{
    for (size_t n = 0; n < count; n++)
        out[n] = (int16_t)-p->input_sum[first + n];
    for (size_t w = 0; w < p->row_words; w += SOME_WORDS)
        add_common_ones(p, weights, w,
                        p->row_words - w < SOME_WORDS ? p->row_words - w : SOME_WORDS, first, count,
                        out);
}

static void sum_bytes(const spn_network *p, const int8_t *weights, size_t first, size_t count,
                      int16_t *out)
{
    memset(out, 0, count * sizeof *out);
    for (size_t i = 0; i < p->inputs; i++) {
        const uint8_t *bytes = p->bytes + i * SPN_NETWORK_WORD * p->words + first;
        for (size_t n = 0; n < count; n++)
            out[n] = (int16_t)(out[n] + weights[i] * bytes[n]);
    }
}

/* The sums of a unit, of some positions. */
static void some_sums(const spn_network *p, const int8_t *weights, size_t first, size_t count,
                      int16_t *out)
{
    int bias = 0;
    if (p->bits)
        sum_bits(p, weights, first, count, out);
    else
        sum_bytes(p, weights, first, count, out);
    for (size_t i = p->inputs; i < p->row; i++)
        bias += weights[i];
    for (size_t n = 0; n < count; n++)
        out[n] = (int16_t)(out[n] + bias + (p->drift ? p->drift[first + n] : 0));
}

void spn_network_sums(const spn_network *p, const int8_t *weights, int16_t *out)
{
    some_sums(p, weights, 0, SPN_NETWORK_WORD * p->words, out);
}

/* ---- plainly ---- */

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

/* ---- many samples at a time ---- */

/* The loss from the integer logits of a sample, class k at k * SOME_POSITIONS. In the order of
   loss_of. */
static double loss_from(const spn_network *p, const int32_t *logits, uint32_t label)
{
    const int one = p->narrow ? SPN_SMOOTH_ONE : 1;
    const double own = p->logit_scale * (double)logits[(size_t)label * SOME_POSITIONS] / one -
                       p->logit_scale * p->margin / SPN_SMOOTH_ONE;
    double top = own, sum;
    for (size_t k = 0; k < p->classes; k++)
        top =
            k == label ? top : fmax(top, p->logit_scale * (double)logits[k * SOME_POSITIONS] / one);
    sum = exp(own - top);
    for (size_t k = 0; k < p->classes; k++)
        sum +=
            k == label ? 0 : exp(p->logit_scale * (double)logits[k * SOME_POSITIONS] / one - top);
    return log(sum) + (top - own);
}

/* The values of a unit in place of its sums. */
static void take_units(const spn_network *p, int16_t *units, size_t first, size_t count)
{
    if (p->narrow)
        p->loops->smooth.means(units, units, p->narrow + first, count);
    for (size_t n = 0; !p->narrow && n < count; n++)
        units[n] = units[n] >= 0 ? 1 : -1;
}

/* The integer logits of up to SOME_POSITIONS positions. units: room for as many. */
static void some_logits(const spn_network *p, const int8_t *spins, size_t first, size_t count,
                        int16_t *units, int32_t *logits)
{
    memset(logits, 0, p->classes * SOME_POSITIONS * sizeof *logits);
    for (size_t j = 0; j < p->output_row; j++) {
        if (j < p->hidden) {
            some_sums(p, spins + j * p->row, first, count, units);
            take_units(p, units, first, count);
        }
        for (size_t n = 0; j >= p->hidden && n < count; n++)
            units[n] = p->narrow ? SPN_SMOOTH_ONE : 1;
        for (size_t k = 0; k < p->classes; k++) {
            const int output = spins[p->first_output + k * p->output_row + j];
            for (size_t n = 0; n < count; n++)
                logits[k * SOME_POSITIONS + n] += output * units[n];
        }
    }
}

static double part_loss(const spn_network *p, const int8_t *spins, const spn_class_part *part,
                        int16_t *units, int32_t *logits)
{
    double losses = 0;
    for (size_t done = 0; done < part->samples; done += SOME_POSITIONS) {
        const size_t left = part->samples - done, first = part->first + done;
        const size_t count = left < SOME_POSITIONS ? left : SOME_POSITIONS;
        some_logits(p, spins, first, count, units, logits);
        for (size_t n = 0; n < count; n++) {
            const double weight = p->position_weight ? p->position_weight[first + n] : 1;
            losses += weight * loss_from(p, logits + n, part->label);
        }
    }
    return (p->position_weight ? 1 : part->weight) * losses;
}

double spn_network_energy(const spn_energy *self, const int8_t *spins)
{
    const spn_network *p = (const spn_network *)self;
    int32_t *logits = spn_alloc(p->classes * (size_t)SOME_POSITIONS, sizeof *logits);
    int16_t *units = spn_alloc(SOME_POSITIONS, sizeof *units);
    double total = 0;
    for (size_t j = 0; logits && units && j < p->part_count; j++)
        total += part_loss(p, spins, &p->parts[j], units, logits);
    const double value = logits && units ? total / p->total : spn_network_reference(self, spins);
    free(logits);
    free(units);
    return value;
}
