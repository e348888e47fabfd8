/* The energy network if each sample has a weight of its own. Products of factors cannot be
   weighted, so every sample has its logarithm; and the losses are summed again each time, since
   only integers can be added to and taken from without drifting. */
#include "core/numeric.h"
#include "energy/network/network.h"

#include <assert.h>

static const float *shares_of(const spn_network_factors *f, size_t position)
{
    return (const float *)(const void *)(f->shares + position * f->record);
}

static double listed_shares(const spn_network_factors *f, const float *shares)
{
    float sum = 0;
    for (size_t k = 0; k < f->class_count; k++)
        sum += shares[f->classes[k]];
    return (double)sum;
}

double spn_network_weighted_value(const spn_network *p, const spn_network_cache *c)
{
    double total = 0;
    assert(p->position_weight);
    for (size_t n = 0; n < SPN_NETWORK_WORD * p->words; n++) /* the padding weighs 0 */
        total += p->position_weight[n] * (double)c->state.losses[n];
    return total / (p->law.loss_scale * p->total);
}

double spn_network_weighted_hidden(const spn_network *p, const spn_network_cache *c,
                                   const spn_network_factors *factors, const int8_t *output,
                                   int sign)
{
    const uint32_t *listed = c->listed;
    double total = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const double label = 2 * p->logit_scale * sign * output[p->parts[j].label * p->output_row];
        for (size_t m = 0; m < c->listed_count[j]; m++, listed++) {
            assert(*listed < SPN_NETWORK_WORD * p->words);
            const double factor =
                factors->base +
                factors->slope * listed_shares(factors, shares_of(factors, *listed));
            total += p->position_weight[*listed] * (spn_log(factor) + label);
        }
    }
    return total;
}

double spn_network_weighted_output(const spn_network *p, const spn_network_factors *factors,
                                   const uint64_t *signs, uint32_t k, int spin,
                                   const double gain[2])
{
    double total = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const double label = part->label == k ? 2 * p->logit_scale * spin : 0;
        const size_t first = part->first;
        for (size_t n = first; n < first + part->samples; n++) {
            const float *shares = shares_of(factors, n);
            const size_t bit = signs[n / 64] >> n % 64 & 1;
            assert(k < p->classes && gain[bit] > 0);
            const double factor = factors->class_count ? listed_shares(factors, shares) +
                                                             gain[bit] * (double)shares[k]
                                                       : 1 + (gain[bit] - 1) * (double)shares[k];
            total += p->position_weight[n] * (spn_log(factor) + (bit ? label : -label));
        }
    }
    return total;
}
