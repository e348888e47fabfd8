/* The committee's inner loops, compiled once per instruction set by the file that includes this. */
#include "energy/perceptron.h"
#include <assert.h>

static inline int64_t committee_change(const spn_perceptron *self,
                                       const spn_perceptron_cache *cache, size_t site, int spin)
{
    const size_t words = self->words;
    const uint64_t *column = spn_perceptron_column(self, site);
    const uint64_t *gain = cache->data, *cost = gain + words;
    const uint64_t *last = cache->data + spn_committee_unit(self, site / self->inputs);
    const uint64_t *first = last + words;
    const uint64_t invert = spin > 0 ? ~0ull : 0; /* a flip of -1 raises c where the column is 1 */
    int64_t total = 0;
    assert(site < self->base.sites && site / self->inputs < self->units);
    for (size_t w = 0; w < words; w++) {
        const uint64_t rising = column[w] ^ invert;
        total += __builtin_popcountll(cost[w] & first[w] & ~rising) -
                 __builtin_popcountll(gain[w] & last[w] & rising);
    }
    return total;
}

/* What a plane-wise sum is after it: -1, below 0, and anything but 0. */
typedef struct summed {
    uint64_t minus_one, negative, nonzero;
} summed;

/* Add +1 where up is set and -1 where down is, in two's complement, to 64 counters. */
static inline summed add_to_planes(uint64_t *planes, size_t count, size_t stride, uint64_t up,
                                   uint64_t down)
{
    summed s = {.minus_one = ~0ull};
    uint64_t carry = 0;
    for (size_t b = 0; b < count; b++) {
        const uint64_t old = planes[b * stride], addend = b == 0 ? up | down : down;
        const uint64_t half = old ^ addend;
        s.negative = half ^ carry;
        carry = (old & addend) | (half & carry);
        planes[b * stride] = s.negative;
        s.minus_one &= s.negative;
        s.nonzero |= s.negative;
    }
    return s;
}

static inline void committee_flip(const spn_perceptron *self, spn_perceptron_cache *cache,
                                  size_t site, int spin)
{
    const size_t words = self->words;
    const uint64_t *column = spn_perceptron_column(self, site);
    uint64_t *gain = cache->data, *cost = gain + words, *votes = cost + words;
    uint64_t *last = cache->data + spn_committee_unit(self, site / self->inputs);
    uint64_t *first = last + words, *bits = first + words;
    const uint64_t invert = spin > 0 ? ~0ull : 0;
    assert(site < self->base.sites && spn_is_spin(spin));
    const uint64_t graded = self->rule == SPN_RULE_BITS ? ~0ull : 0;
    for (size_t w = 0; w < words; w++) {
        const uint64_t valid = self->valid[w], rising = (column[w] ^ invert) & valid;
        const uint64_t falling = valid & ~rising;
        const uint64_t won = last[w] & rising, lost = first[w] & falling;
        const summed c = add_to_planes(bits + w, self->planes, words, rising, falling);
        last[w] = c.minus_one & valid;
        first[w] = ~c.nonzero & valid;
        assert(!(won & lost) && !(last[w] & first[w]));
        if (!(won | lost))
            continue;
        /* v = -1 is the last wrong value and 0 the first right one; graded, all below count too */
        const summed v = add_to_planes(votes + w, self->vote_planes, words, won, lost);
        gain[w] = (v.minus_one | (v.negative & graded)) & valid;
        cost[w] = (~v.nonzero | (v.negative & graded)) & valid;
    }
}

static double committee_delta(const spn_energy *base, void *memory, const int8_t *spins,
                              size_t site)
{
    assert(site < base->sites && spn_is_spin(spins[site]));
    return (double)committee_change((const spn_perceptron *)base, memory, site, spins[site]);
}

static double committee_commit(const spn_energy *base, void *memory, const int8_t *spins,
                               size_t site)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    spn_perceptron_cache *cache = memory;
    cache->count += committee_change(self, cache, site, -spins[site]);
    committee_flip(self, cache, site, -spins[site]);
    assert(cache->count >= 0);
    return (double)cache->count;
}
