/* The perceptron's inner loops, written once for every width. The file that includes this has
   defined `pack`, some words of 64 patterns side by side; WORDS, how many; and

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
    pack sum = {0};
    assert(site < self->base.sites && self->masks == (window ? 4 : 2));
    for (size_t w = 0; w < words; w += WORDS) {
        const uint8_t some = there(w, words);
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
        const uint8_t some = there(w, words);
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

/* ---- the slots, and the chain's own loop (chain/loop.h) with the work inlined into it, since a
   call costs a good part of the work ---- */

/* counts: the energy is the count itself. */
SPN_INLINE double delta_any(const spn_energy *base, const void *memory, const int8_t *spins,
                            size_t site, bool window, bool counts)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    const spn_perceptron_cache *cache = memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    const int64_t change = change_any(self, cache, site, spins[site], window);
    assert(cache->count + change >= 0);
    return counts ? (double)change
                  : spn_perceptron_value(self, cache->count + change) -
                        spn_perceptron_value(self, cache->count);
}

SPN_INLINE double commit_any(const spn_energy *base, void *memory, const int8_t *spins, size_t site,
                             bool window, bool counts)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    spn_perceptron_cache *cache = memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    cache->count += change_any(self, cache, site, -spins[site], window);
    flip_any(self, cache, site, -spins[site], window);
    assert(cache->count >= 0);
    return counts ? (double)cache->count : spn_perceptron_value(self, cache->count);
}

/* Bytes in a line of cache. */
enum { CACHE_LINE = 64 };

static inline void fetch_column(const spn_energy *base, size_t site)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    const char *column = (const char *)(self->columns + site * self->words);
    for (size_t at = 0; at < self->words * sizeof *self->columns; at += CACHE_LINE)
        __builtin_prefetch(column + at);
}

#define DEFINE_PAIR(NAME, WINDOW, COUNTS)                                                          \
    SPN_INLINE double NAME##_delta(const spn_energy *base, void *memory, const int8_t *spins,      \
                                   size_t site)                                                    \
    {                                                                                              \
        return delta_any(base, memory, spins, site, WINDOW, COUNTS);                               \
    }                                                                                              \
    SPN_INLINE double NAME##_commit(const spn_energy *base, void *memory, const int8_t *spins,     \
                                    size_t site)                                                   \
    {                                                                                              \
        return commit_any(base, memory, spins, site, WINDOW, COUNTS);                              \
    }

/* The slots called NAME, and the loop of the rules whose energy is the count. */
#define DEFINE_SLOTS(NAME, ISA, WINDOW)                                                            \
    DEFINE_PAIR(NAME, WINDOW, false)                                                               \
    DEFINE_PAIR(NAME##_counting, WINDOW, true)                                                     \
    static size_t NAME##_loop(spn_chain *chain, size_t count)                                      \
    {                                                                                              \
        return spn_loop_choose(chain, count, 1,                                                    \
                               (spn_variant){.delta = NAME##_counting_delta,                       \
                                             .commit = NAME##_counting_commit,                     \
                                             .prefetch = fetch_column});                           \
    }                                                                                              \
    const spn_energy_slots spn_##NAME##_##ISA = {                                                  \
        .delta = NAME##_delta, .commit = NAME##_commit, .loop = NAME##_loop}

/* All slots of an instruction set. */
#define DEFINE_ALL_SLOTS(ISA)                                                                      \
    DEFINE_SLOTS(perceptron, ISA, false);                                                          \
    DEFINE_SLOTS(window, ISA, true);                                                               \
    const spn_energy_slots spn_committee_##ISA = {.delta = committee_delta,                        \
                                                  .commit = committee_commit}
