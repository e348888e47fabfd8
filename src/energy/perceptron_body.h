/* The perceptron's inner loops, compiled once per instruction set by the file that includes this.
 */
#include "energy/perceptron.h"

static inline int64_t change(const spn_perceptron *self, const spn_perceptron_cache *cache,
                             size_t site, int spin)
{
    const size_t words = self->words;
    const uint64_t *column = self->columns + site * words;
    const uint64_t *gain = cache->data, *cost = gain + words;
    const uint64_t invert =
        spin > 0 ? ~0ull : 0; /* flipping W = -1 raises c where the column is 1 */
    int64_t total = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t rising = column[w] ^ invert;
        total += __builtin_popcountll(cost[w] & ~rising) - __builtin_popcountll(gain[w] & rising);
    }
    return total;
}

static inline int64_t change_in_window(const spn_perceptron *self,
                                       const spn_perceptron_cache *cache, size_t site, int spin)
{
    const size_t words = self->words;
    const uint64_t *column = self->columns + site * words;
    const uint64_t *gain = cache->data, *cost = gain + words;
    const uint64_t *upper_gain = cost + words, *upper_cost = upper_gain + words;
    const uint64_t invert = spin > 0 ? ~0ull : 0;
    int64_t total = 0;
    for (size_t w = 0; w < words; w++) {
        const uint64_t rising = column[w] ^ invert;
        const uint64_t more = (cost[w] & ~rising) | (upper_cost[w] & rising);
        const uint64_t less = (gain[w] & rising) | (upper_gain[w] & ~rising);
        total += __builtin_popcountll(more) - __builtin_popcountll(less);
    }
    return total;
}

/* One body for both: window is a constant where it is called. */
static inline void flip_any(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site,
                            int spin, bool window)
{
    const size_t words = self->words, planes = self->planes;
    const uint64_t *column = self->columns + site * words;
    uint64_t *gain = cache->data, *cost = gain + words, *bits = gain + (window ? 4 : 2) * words;
    const uint64_t invert = spin > 0 ? ~0ull : 0;
    const uint64_t sum_rule = self->rule == SPN_RULE_BITS ? ~0ull : 0;
    const uint64_t highest = (uint64_t)self->highest;
    for (size_t w = 0; w < words; w++) {
        const uint64_t valid = self->valid[w], rising = (column[w] ^ invert) & valid;
        const uint64_t falling = valid & ~rising; /* adds -1: ones in every plane */
        uint64_t carry = 0, any = 0, all = ~0ull, sign = 0, at = ~0ull, above = ~0ull;
        for (size_t b = 0; b < planes; b++) {
            uint64_t old = bits[b * words + w], add = b == 0 ? valid : falling;
            uint64_t sum = old ^ add;
            sign = sum ^ carry;
            carry = (old & add) | (sum & carry);
            bits[b * words + w] = sign;
            any |= sign;
            all &= sign;
            if (window) {
                at &= sign ^ ((highest >> b & 1) - 1);
                above &= sign ^ (((highest + 1) >> b & 1) - 1);
            }
        }
        /* c = -1 is the last wrong value and 0 the first right one; `bits` counts all below too */
        gain[w] = (all | (sign & sum_rule)) & valid;
        cost[w] = (~any | (sign & sum_rule)) & valid;
        if (window) {
            cost[words + w] = above & valid;
            cost[2 * words + w] = at & valid;
        }
    }
}

static inline void flip(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site,
                        int spin)
{
    flip_any(self, cache, site, spin, false);
}

static inline void flip_in_window(const spn_perceptron *self, spn_perceptron_cache *cache,
                                  size_t site, int spin)
{
    flip_any(self, cache, site, spin, true);
}

#include "energy/perceptron_loop.h"
