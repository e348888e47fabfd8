/* The perceptron's inner loops, written once for every width. The file that includes this has
   defined `pack`, some words of 64 patterns side by side; `packed`, the sums of its bit counts;
   WORDS, the words of a pack; and

     there      which of the words from w on exist
     load, store
     count_ones of each word
     total      of the sums
     choose     a where a mask is set, b elsewhere, bit by bit
     odd        the sum of three bits, modulo 2
     majority   of three bits */
#include "chain/loop.h"
#include "energy/perceptron.h"
#include <assert.h>

static inline int64_t change_any(const spn_perceptron *self, const spn_perceptron_cache *cache,
                                 size_t site, int spin, bool window)
{
    const size_t words = self->words;
    const uint64_t *column = self->columns + site * words;
    const uint64_t *gain = cache->data, *cost = gain + words;
    const uint64_t *upper_gain = cost + words, *upper_cost = upper_gain + words;
    const uint64_t invert = spin > 0 ? ~0ull : 0; /* a flip of -1 raises c where the column is 1 */
    const pack none = {0};
    packed sum = {0};
    assert(site < self->base.sites && self->masks == (window ? 4 : 2));
    for (size_t w = 0; w < words; w += WORDS) {
        const mask some = there(w, words);
        const pack rising = load(column + w, some) ^ invert;
        const pack upper_more = window ? load(upper_cost + w, some) : none;
        const pack upper_less = window ? load(upper_gain + w, some) : none;
        sum += count_ones(choose(rising, upper_more, load(cost + w, some)));
        sum -= count_ones(choose(rising, load(gain + w, some), upper_less));
    }
    return total(sum);
}

/* One body for both: window is a constant at each call. */
static inline void flip_any(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site,
                            int spin, bool window)
{
    const size_t words = self->words, planes = self->planes;
    const uint64_t *column = self->columns + site * words;
    uint64_t *gain = cache->data, *cost = gain + words, *bits = gain + (window ? 4 : 2) * words;
    const uint64_t invert = spin > 0 ? ~0ull : 0;
    const uint64_t sum_rule = self->rule == SPN_RULE_BITS ? ~0ull : 0;
    const uint64_t highest = (uint64_t)self->highest;
    const pack none = {0};
    assert(site < self->base.sites && spn_is_spin(spin) && planes >= 2);
    for (size_t w = 0; w < words; w += WORDS) {
        const mask some = there(w, words);
        const pack valid = load(self->valid + w, some);
        const pack falling = valid & ~(load(column + w, some) ^ invert); /* adds -1: all planes */
        pack carry = none, any = none, all = ~none, sign = none, at = ~none, above = ~none;
        for (size_t b = 0; b < planes; b++) {
            const pack old = load(bits + b * words + w, some), add = b == 0 ? valid : falling;
            sign = odd(old, add, carry);
            carry = majority(old, add, carry);
            store(bits + b * words + w, some, sign);
            any |= sign;
            all &= sign;
            if (window) {
                at &= sign ^ ((highest >> b & 1) - 1);
                above &= sign ^ (((highest + 1) >> b & 1) - 1);
            }
        }
        /* c = -1 is the last wrong value and 0 the first right one; `bits` counts all below too */
        store(gain + w, some, (all | (sign & sum_rule)) & valid);
        store(cost + w, some, (~any | (sign & sum_rule)) & valid);
        if (window) {
            store(cost + words + w, some, above & valid);
            store(cost + 2 * words + w, some, at & valid);
        }
    }
}

static inline int64_t change(const spn_perceptron *self, const spn_perceptron_cache *cache,
                             size_t site, int spin)
{
    return change_any(self, cache, site, spin, false);
}

static inline int64_t change_in_window(const spn_perceptron *self,
                                       const spn_perceptron_cache *cache, size_t site, int spin)
{
    return change_any(self, cache, site, spin, true);
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

/* ---- the chain's own loop (chain/loop.h) with the work inlined into it, since a call costs a good
   part of the work ---- */

/* Bytes in a line of cache. */
enum { CACHE_LINE = 64 };

static inline void fetch_column(const spn_energy *base, size_t site)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    const char *column = (const char *)(self->columns + site * self->words);
    for (size_t at = 0; at < self->words * sizeof *self->columns; at += CACHE_LINE)
        __builtin_prefetch(column + at);
}

/* The loop of the rules whose energy is the count itself. */
#define DEFINE_LOOP(LOOP, CHANGE, FLIP)                                                            \
    SPN_INLINE double LOOP##_delta(const spn_energy *base, void *memory, const int8_t *spins,      \
                                   size_t site)                                                    \
    {                                                                                              \
        assert(site < base->sites && spn_is_spin(spins[site]));                                    \
        return (double)CHANGE((const spn_perceptron *)base, memory, site, spins[site]);            \
    }                                                                                              \
    SPN_INLINE double LOOP##_commit(const spn_energy *base, void *memory, const int8_t *spins,     \
                                    size_t site)                                                   \
    {                                                                                              \
        const spn_perceptron *self = (const spn_perceptron *)base;                                 \
        spn_perceptron_cache *cache = memory;                                                      \
        cache->count += CHANGE(self, cache, site, -spins[site]);                                   \
        FLIP(self, cache, site, -spins[site]);                                                     \
        assert(cache->count >= 0);                                                                 \
        return (double)cache->count;                                                               \
    }                                                                                              \
    static size_t LOOP(spn_chain *chain, size_t count)                                             \
    {                                                                                              \
        return spn_loop_choose(chain, count, 1, LOOP##_delta, LOOP##_commit, fetch_column);        \
    }

DEFINE_LOOP(loop, change, flip)
DEFINE_LOOP(loop_in_window, change_in_window, flip_in_window)
