/* The perceptron energies: building the bit-packed problem, and the slots of the interface. */
#include "energy/perceptron.h"

#include "base/cpu.h"
#include "base/memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* c of pattern mu for the given weights, counted from the columns. */
static int64_t counter(const spn_perceptron *self, const int8_t *spins, size_t mu)
{
    int64_t x = 0;
    for (size_t i = 0; i < self->base.sites; i++)
        x += (self->columns[i * self->words + mu / 64] >> (mu % 64)) & 1 ? spins[i] : -spins[i];
    bool even = x % 2 == 0;
    return (x - (even ? 0 : 1)) / 2 - (even && self->ties_wrong);
}

static int64_t share(const spn_perceptron *self, int64_t c)
{
    return c >= 0 ? 0 : self->rule == SPN_RULE_BITS ? -c : 1;
}

static double value_of_count(const spn_perceptron *self, int64_t count)
{
    return self->rule == SPN_RULE_PRODUCT ? count > 0 : (double)count;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    int64_t count = 0;
    for (size_t mu = 0; mu < self->patterns; mu++)
        count += share(self, counter(self, spins, mu));
    return value_of_count(self, count);
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    spn_perceptron_cache *cache = memory;
    const size_t words = self->words;
    uint64_t *gain = cache->data, *cost = gain + words, *bits = cost + words;
    memset(cache, 0, base->cache_size);
    for (size_t mu = 0; mu < self->patterns; mu++) {
        const int64_t c = counter(self, spins, mu);
        assert(self->planes > 0 && llabs(c) < (int64_t)1 << (self->planes - 1));
        const uint64_t bit = 1ull << (mu % 64);
        cache->count += share(self, c);
        if (share(self, c) > share(self, c + 1))
            gain[mu / 64] |= bit;
        if (share(self, c - 1) > share(self, c))
            cost[mu / 64] |= bit;
        for (size_t b = 0; b < self->planes; b++)
            if ((uint64_t)c >> b & 1)
                bits[b * words + mu / 64] |= bit;
    }
    return value_of_count(self, cache->count);
}

static double delta_with(const spn_perceptron_kernels *kernels, const spn_energy *base,
                         const void *memory, const int8_t *spins, size_t site)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    const spn_perceptron_cache *cache = memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    int64_t change = kernels->change(self, cache, site, spins[site]);
    assert(cache->count + change >= 0);
    if (self->rule != SPN_RULE_PRODUCT)
        return (double)change;
    return value_of_count(self, cache->count + change) - value_of_count(self, cache->count);
}

static double commit_with(const spn_perceptron_kernels *kernels, const spn_energy *base,
                          void *memory, const int8_t *spins, size_t site)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    spn_perceptron_cache *cache = memory;
    const int before = -spins[site];
    assert(site < base->sites && spn_is_spin(before));
    cache->count += kernels->change(self, cache, site, before);
    kernels->flip(self, cache, site, before);
    assert(cache->count >= 0);
    return value_of_count(self, cache->count);
}

static double delta_portable(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    return delta_with(&spn_perceptron_portable, base, memory, spins, site);
}

static double commit_portable(const spn_energy *base, void *memory, const int8_t *spins,
                              size_t site)
{
    return commit_with(&spn_perceptron_portable, base, memory, spins, site);
}

#if defined(__x86_64__)
static double delta_avx2(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    return delta_with(&spn_perceptron_avx2, base, memory, spins, site);
}

static double commit_avx2(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    return commit_with(&spn_perceptron_avx2, base, memory, spins, site);
}
#else
#define delta_avx2 delta_portable
#define commit_avx2 commit_portable
#endif

static void destroy(spn_energy *base)
{
    spn_perceptron *self = (spn_perceptron *)base;
    free(self->columns);
    free(self->valid);
    free(self);
}

static spn_energy_slots make_slots(const char *name)
{
    bool wide = spn_cpu_isa() >= SPN_ISA_AVX2;
    return (spn_energy_slots){.name = name,
                              .energy = energy,
                              .attach = attach,
                              .delta = wide ? delta_avx2 : delta_portable,
                              .commit = wide ? commit_avx2 : commit_portable,
                              .destroy = destroy};
}

static void pack_columns(spn_perceptron *self, const spn_problem *problem)
{
    const size_t sites = problem->sites;
    for (size_t mu = 0; mu < problem->count; mu++) {
        const int8_t *row = problem->rows + mu * sites;
        const uint64_t bit = 1ull << (mu % 64);
        self->valid[mu / 64] |= bit;
        for (size_t i = 0; i < sites; i++)
            if (row[i] * problem->labels[mu] > 0)
                self->columns[i * self->words + mu / 64] |= bit;
    }
}

/* Enough bits for the counters -N/2-1 .. N/2. */
static size_t counter_bits(size_t sites)
{
    size_t bits = 2;
    while ((size_t)1 << (bits - 1) < sites / 2 + 2)
        bits++;
    return bits;
}

spn_status spn_perceptron_create(spn_energy **out, const spn_problem *problem, const char *name,
                                 spn_perceptron_rule rule, bool ties_wrong, spn_error *err)
{
    spn_perceptron *self = calloc(1, sizeof *self);
    if (!self)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the energy '%s'", name);
    const size_t words = (problem->count + 63) / 64, planes = counter_bits(problem->sites);
    self->slots = make_slots(name);
    self->base.slots = &self->slots;
    self->base.sites = problem->sites;
    self->base.cache_size = sizeof(spn_perceptron_cache) + (2 + planes) * words * sizeof(uint64_t);
    self->base.integral = true;
    self->rule = rule;
    self->ties_wrong = ties_wrong;
    self->patterns = problem->count;
    self->words = words;
    self->planes = planes;
    self->columns = spn_alloc(problem->sites * words, sizeof *self->columns);
    self->valid = spn_alloc(words, sizeof *self->valid);
    if (!self->columns || !self->valid) {
        destroy(&self->base);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu patterns of %zu spins",
                        problem->count, problem->sites);
    }
    pack_columns(self, problem);
    *out = &self->base;
    return SPN_OK;
}
