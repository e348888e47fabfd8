/* The perceptron energies: building the bit-packed problem, and the slots of the interface. */
#include "energy/perceptron.h"

#include "base/machine.h"
#include "base/memory.h"
#include "data/problem.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* c of pattern mu for the given weights, counted from the columns. x has the parity of T. */
static int64_t counter(const spn_perceptron *self, const int8_t *spins, size_t mu)
{
    int64_t x = 0;
    for (size_t i = 0; i < self->base.sites; i++)
        x += (self->columns[i * self->words + mu / 64] >> (mu % 64)) & 1 ? spins[i] : -spins[i];
    assert((x - self->least) % 2 == 0);
    return (x - self->least) / 2;
}

static int64_t share(const spn_perceptron *self, int64_t c)
{
    return c >= 0 && c <= self->highest ? 0 : self->rule == SPN_RULE_BITS ? -c : 1;
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
    const bool window = self->masks == 4;
    uint64_t *gain = cache->data, *cost = gain + words, *bits = gain + self->masks * words;
    assert(self->masks == (self->highest == INT64_MAX ? 2 : 4));
    memset(cache, 0, base->cache_size);
    for (size_t mu = 0; mu < self->patterns; mu++) {
        const int64_t c = counter(self, spins, mu);
        assert(self->planes > 0 && (uint64_t)llabs(c) < (uint64_t)1 << (self->planes - 1));
        const uint64_t bit = 1ull << (mu % 64);
        cache->count += share(self, c);
        if (share(self, c) > share(self, c + 1))
            gain[mu / 64] |= bit;
        if (share(self, c - 1) > share(self, c))
            cost[mu / 64] |= bit;
        if (window && share(self, c) > share(self, c - 1))
            cost[words + mu / 64] |= bit;
        if (window && share(self, c + 1) > share(self, c))
            cost[2 * words + mu / 64] |= bit;
        for (size_t b = 0; b < self->planes; b++)
            if ((uint64_t)c >> b & 1)
                bits[b * words + mu / 64] |= bit;
    }
    assert(cache->count >= 0 && ((gain[0] | cost[0]) & ~self->valid[0]) == 0);
    return value_of_count(self, cache->count);
}

static inline double delta_with(const spn_perceptron_kernels *kernels, const spn_energy *base,
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

static inline double commit_with(const spn_perceptron_kernels *kernels, const spn_energy *base,
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

/* The two slots for a set of kernels. */
#define DEFINE_SLOTS(KERNELS)                                                                      \
    static double KERNELS##_delta(const spn_energy *base, void *memory, const int8_t *spins,       \
                                  size_t site)                                                     \
    {                                                                                              \
        return delta_with(&spn_##KERNELS, base, memory, spins, site);                              \
    }                                                                                              \
    static double KERNELS##_commit(const spn_energy *base, void *memory, const int8_t *spins,      \
                                   size_t site)                                                    \
    {                                                                                              \
        return commit_with(&spn_##KERNELS, base, memory, spins, site);                             \
    }

DEFINE_SLOTS(perceptron_portable)
DEFINE_SLOTS(window_portable)
#if defined(__x86_64__)
DEFINE_SLOTS(perceptron_avx2)
DEFINE_SLOTS(window_avx2)
DEFINE_SLOTS(perceptron_avx512)
DEFINE_SLOTS(window_avx512)
#endif

static void destroy(spn_energy *base)
{
    spn_perceptron *self = (spn_perceptron *)base;
    free(self->columns);
    free(self->valid);
    free(self);
}

#define SLOTS_OF(KERNELS)                                                                          \
    ((spn_energy_slots){                                                                           \
        .delta = KERNELS##_delta, .commit = KERNELS##_commit, .loop = spn_##KERNELS.loop})

static spn_energy_slots fastest_slots(bool window)
{
#if defined(__x86_64__)
    const spn_isa isa = spn_cpu_isa();
    if (isa >= SPN_ISA_AVX512 && spn_cpu_counts_bits())
        return window ? SLOTS_OF(window_avx512) : SLOTS_OF(perceptron_avx512);
    if (isa >= SPN_ISA_AVX2)
        return window ? SLOTS_OF(window_avx2) : SLOTS_OF(perceptron_avx2);
#endif
    return window ? SLOTS_OF(window_portable) : SLOTS_OF(perceptron_portable);
}

static spn_energy_slots make_slots(const spn_perceptron_demand *demand)
{
    spn_energy_slots slots = fastest_slots(demand->window);
    slots.name = demand->name;
    slots.energy = energy;
    slots.attach = attach;
    slots.destroy = destroy;
    if (demand->rule == SPN_RULE_PRODUCT)
        slots.loop = NULL; /* its energy is not the count */
    return slots;
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

/* Enough bits for every counter, and for one more at either end. */
static size_t counter_bits(int64_t sites, int64_t least)
{
    const int64_t most = (sites + llabs(least)) / 2 + 1;
    size_t bits = 2;
    while ((int64_t)1 << (bits - 1) <= most)
        bits++;
    return bits;
}

/* Put what is asked of a stability into integers. */
static spn_status find_bounds(spn_perceptron *self, const spn_perceptron_demand *demand,
                              spn_error *err)
{
    const size_t sites = self->base.sites;
    spn_stability right;
    SPN_TRY(demand->window
                ? spn_stability_within(&right, sites, demand->kappa, err)
                : spn_stability_above(&right, sites, demand->kappa, demand->ties_wrong, err));
    self->rule = demand->rule;
    assert(demand->rule != SPN_RULE_BITS || !demand->window);
    self->least = right.least;
    self->highest = demand->window ? right.most : INT64_MAX; /* (most - least)/2 = most there */
    return SPN_OK;
}

static bool allocate(spn_perceptron *self, const spn_problem *problem)
{
    self->patterns = problem->count;
    self->words = (problem->count + 63) / 64;
    self->planes = counter_bits((int64_t)problem->sites, self->least);
    self->base.cache_size = sizeof(spn_perceptron_cache) +
                            (self->masks + self->planes) * self->words * sizeof(uint64_t);
    self->columns = spn_alloc(problem->sites * self->words, sizeof *self->columns);
    self->valid = spn_alloc(self->words, sizeof *self->valid);
    assert(self->planes < 64 && self->words * 64 >= self->patterns);
    return self->columns && self->valid;
}

static spn_status create(spn_energy **out, const spn_problem *problem,
                         const spn_perceptron_demand *demand, spn_error *err)
{
    if (problem->values)
        return spn_valued_create(out, problem, demand, err);
    spn_perceptron *self = calloc(1, sizeof *self);
    spn_status status = SPN_OK;
    if (!self)
        return spn_no_memory(err, "the energy '%s'", demand->name);
    self->slots = make_slots(demand);
    self->base.slots = &self->slots;
    self->base.sites = problem->sites;
    self->base.integral = true;
    self->masks = demand->window ? 4 : 2;
    SPN_TRY_OR(failed, find_bounds(self, demand, err));
    if (!allocate(self, problem)) {
        status = spn_no_memory(err, "%zu patterns of %zu spins", problem->count, problem->sites);
        goto failed;
    }
    pack_columns(self, problem);
    *out = &self->base;
    return SPN_OK;
failed:
    destroy(&self->base);
    return status;
}

/* ---- the energies ---- */

#define DEFINE_ENERGY(NAME, WORD, ABOUT, KAPPA, ...)                                               \
    static spn_status create_##NAME(spn_energy **out, const spn_problem *problem,                  \
                                    const spn_energy_options *options, spn_error *err)             \
    {                                                                                              \
        const spn_perceptron_demand demand = {                                                     \
            .name = (WORD), .kappa = options->kappa, __VA_ARGS__};                                 \
        return create(out, problem, &demand, err);                                                 \
    }                                                                                              \
    SPN_ENERGY_KIND(NAME) = {.name = (WORD),                                                       \
                             .about = (ABOUT),                                                     \
                             .problem = SPN_PROBLEM_PATTERNS,                                      \
                             .has_kappa = true,                                                    \
                             .kappa = (KAPPA),                                                     \
                             .create = create_##NAME}

/* The number of patterns with x/sqrt(N) < kappa. */
DEFINE_ENERGY(errors, "errors", "patterns classified wrongly", 0, .rule = SPN_RULE_ERRORS);

/* 1 minus the product of Theta(x/sqrt(N) - kappa), Theta(0) = 0. */
DEFINE_ENERGY(product, "product", "0 if all patterns are right, else 1", 0,
              .rule = SPN_RULE_PRODUCT, .ties_wrong = true);

/* The sum of the flips that put each pattern right, x/sqrt(N) >= kappa. */
DEFINE_ENERGY(bits, "bits", "flips needed to put each pattern right; ties are right", 0,
              .rule = SPN_RULE_BITS);

/* The same with x/sqrt(N) > kappa. */
DEFINE_ENERGY(bits_strict, "bits-strict", "flips needed to put each pattern right; ties are wrong",
              0, .rule = SPN_RULE_BITS, .ties_wrong = true);

/* The number of patterns with |x|/sqrt(N) > kappa; labels do not matter. */
DEFINE_ENERGY(symmetric, "symmetric", "patterns with |<W, pattern>|/sqrt(N) above kappa", 1,
              .rule = SPN_RULE_ERRORS, .window = true);
