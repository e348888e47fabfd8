/* The chain's own loop (core/loop.h) with the perceptron's work inlined into it: for each set of
   kernels, where a call costs a good part of the work. Included once per instruction set, after
   change and flip. */
#include "chain/loop.h"

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
