/* The committee energies: building the bit-packed problem, and the slots of the interface. */
#include "energy/committee.h"

#include "base/machine.h"
#include "base/memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- from scratch ---- */

/* c of a unit for pattern mu, counted from the columns. */
static int64_t unit_counter(const spn_committee *self, const int8_t *spins, size_t unit, size_t mu)
{
    int64_t x = 0;
    for (size_t site = unit * self->inputs; site < (unit + 1) * self->inputs; site++)
        x += (spn_committee_column(self, site)[mu / 64] >> (mu % 64)) & 1 ? spins[site]
                                                                          : -spins[site];
    assert((x - (int64_t)self->inputs) % 2 == 0 && llabs(x) <= (int64_t)self->inputs);
    return (x - (int64_t)(self->inputs % 2)) / 2; /* x has the parity of the inputs */
}

/* v of a pattern, given the number of units that are right. */
static int64_t vote_of(const spn_committee *self, size_t right)
{
    assert(right <= self->units && self->units % 2 == 1);
    return (int64_t)right - (int64_t)(self->units + 1) / 2;
}

static int64_t share(const spn_committee *self, int64_t v)
{
    return v >= 0 ? 0 : self->rule == SPN_COMMITTEE_UNITS ? -v : 1;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const spn_committee *self = (const spn_committee *)base;
    int64_t total = 0;
    for (size_t mu = 0; mu < self->patterns; mu++) {
        size_t right = 0;
        for (size_t unit = 0; unit < self->units; unit++)
            right += unit_counter(self, spins, unit, mu) >= 0;
        total += share(self, vote_of(self, right));
    }
    return (double)total;
}

/* ---- the cache ---- */

/* Write a value into the planes of pattern mu, which are zero. */
static void put(uint64_t *planes, size_t count, size_t words, size_t mu, int64_t value)
{
    assert(count > 0 && (uint64_t)llabs(value) < (uint64_t)1 << (count - 1));
    for (size_t b = 0; b < count; b++)
        planes[b * words + mu / 64] |= ((uint64_t)value >> b & 1) << (mu % 64);
}

static void mark(uint64_t *mask, size_t mu, bool set)
{
    mask[mu / 64] |= (uint64_t)set << (mu % 64);
}

/* Fill in what is kept of pattern mu; its share of the energy. */
static int64_t attach_pattern(const spn_committee *self, spn_committee_cache *cache,
                              const int8_t *spins, size_t mu)
{
    const size_t words = self->words;
    uint64_t *gain = cache->data, *cost = gain + words;
    size_t right = 0;
    for (size_t unit = 0; unit < self->units; unit++) {
        uint64_t *last = cache->data + spn_committee_unit(self, unit);
        const int64_t c = unit_counter(self, spins, unit, mu);
        mark(last, mu, c == -1);
        mark(last + words, mu, c == 0);
        put(last + 2 * words, self->planes, words, mu, c);
        right += c >= 0;
    }
    const int64_t v = vote_of(self, right);
    mark(gain, mu, share(self, v) > share(self, v + 1));
    mark(cost, mu, share(self, v - 1) > share(self, v));
    put(cost + words, self->vote_planes, words, mu, v);
    return share(self, v);
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    const spn_committee *self = (const spn_committee *)base;
    spn_committee_cache *cache = memory;
    memset(cache, 0, base->cache_size);
    for (size_t mu = 0; mu < self->patterns; mu++)
        cache->energy += attach_pattern(self, cache, spins, mu);
    assert(cache->energy >= 0 && (cache->data[0] & ~self->valid[0]) == 0);
    return (double)cache->energy;
}

/* ---- the slots ---- */

static inline double delta_with(const spn_committee_kernels *kernels, const spn_energy *base,
                                const void *memory, const int8_t *spins, size_t site)
{
    assert(site < base->sites && spn_is_spin(spins[site]));
    return (double)kernels->change((const spn_committee *)base, memory, site, spins[site]);
}

static inline double commit_with(const spn_committee_kernels *kernels, const spn_energy *base,
                                 void *memory, const int8_t *spins, size_t site)
{
    const spn_committee *self = (const spn_committee *)base;
    spn_committee_cache *cache = memory;
    const int before = -spins[site];
    assert(site < base->sites && spn_is_spin(before));
    cache->energy += kernels->change(self, cache, site, before);
    kernels->flip(self, cache, site, before);
    assert(cache->energy >= 0);
    return (double)cache->energy;
}

/* The two slots for a set of kernels. */
#define DEFINE_SLOTS(ISA)                                                                          \
    static double ISA##_delta(const spn_energy *base, void *memory, const int8_t *spins,           \
                              size_t site)                                                         \
    {                                                                                              \
        return delta_with(&spn_committee_##ISA, base, memory, spins, site);                        \
    }                                                                                              \
    static double ISA##_commit(const spn_energy *base, void *memory, const int8_t *spins,          \
                               size_t site)                                                        \
    {                                                                                              \
        return commit_with(&spn_committee_##ISA, base, memory, spins, site);                       \
    }
#define SLOTS_OF(ISA) ((spn_energy_slots){.delta = ISA##_delta, .commit = ISA##_commit})

DEFINE_SLOTS(portable)
#if defined(__x86_64__)
DEFINE_SLOTS(avx2)
DEFINE_SLOTS(avx512)
#endif

static spn_energy_slots fastest_slots(void)
{
#if defined(__x86_64__)
    const spn_isa isa = spn_cpu_isa();
    if (isa >= SPN_ISA_AVX512 && spn_cpu_counts_bits())
        return SLOTS_OF(avx512);
    if (isa >= SPN_ISA_AVX2)
        return SLOTS_OF(avx2);
#endif
    return SLOTS_OF(portable);
}

static void destroy(spn_energy *base)
{
    spn_committee *self = (spn_committee *)base;
    free(self->columns);
    free(self->valid);
    free(self);
}

static spn_energy_slots make_slots(const char *name)
{
    spn_energy_slots slots = fastest_slots();
    slots.name = name;
    slots.energy = energy;
    slots.attach = attach;
    slots.destroy = destroy;
    return slots;
}

/* ---- making one ---- */

static spn_status check(const char *name, size_t inputs, size_t units, bool tree, spn_error *err)
{
    if (units % 2 == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the energy '%s' needs an odd number of units, so that there is a "
                        "majority, not %zu",
                        name, units);
    if (tree && inputs % units != 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a tree shares the inputs out among its units: %zu inputs are no multiple "
                        "of %zu",
                        inputs, units);
    if (!tree && inputs > UINT32_MAX / units)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%zu units of %zu inputs each; there are at most 2^32-1 spins", units,
                        inputs);
    return SPN_OK;
}

/* Enough bits, with a sign, for values up to `most` and for one more at either end. */
static size_t bits_of(size_t most)
{
    size_t bits = 2;
    while ((size_t)1 << (bits - 1) <= most + 1)
        bits++;
    return bits;
}

static void pack_columns(spn_committee *self, const spn_problem *problem)
{
    const size_t inputs = problem->sites;
    for (size_t mu = 0; mu < problem->count; mu++) {
        const int8_t *row = problem->rows + mu * inputs;
        mark(self->valid, mu, true);
        for (size_t i = 0; i < inputs; i++)
            mark(self->columns + i * self->words, mu, row[i] * problem->labels[mu] > 0);
    }
}

static void set_sizes(spn_committee *self, const spn_problem *problem, size_t units, bool tree)
{
    self->units = units;
    self->tree = tree;
    self->inputs = tree ? problem->sites / units : problem->sites;
    self->patterns = problem->count;
    self->words = (problem->count + 63) / 64;
    self->planes = bits_of((self->inputs + 1) / 2);
    self->vote_planes = bits_of((units + 1) / 2);
    self->base.sites = self->inputs * units;
    assert(self->planes < 64 && self->vote_planes < 64 && self->words * 64 >= self->patterns);
    self->base.integral = true;
    self->base.cache_size =
        sizeof(spn_committee_cache) + spn_committee_unit(self, units) * sizeof(uint64_t);
}

static spn_status create(spn_energy **out, const char *name, spn_committee_rule rule,
                         const spn_problem *problem, const spn_energy_options *options,
                         spn_error *err)
{
    SPN_TRY(check(name, problem->sites, options->units, options->tree, err));
    spn_committee *self = calloc(1, sizeof *self);
    if (!self)
        return spn_no_memory(err, "the energy '%s'", name);
    self->slots = make_slots(name);
    self->base.slots = &self->slots;
    self->rule = rule;
    set_sizes(self, problem, options->units, options->tree);
    self->columns = spn_alloc(problem->sites * self->words, sizeof *self->columns);
    self->valid = spn_alloc(self->words, sizeof *self->valid);
    if (!self->columns || !self->valid) {
        destroy(&self->base);
        return spn_no_memory(err, "%zu patterns of %zu inputs", problem->count, problem->sites);
    }
    pack_columns(self, problem);
    *out = &self->base;
    return SPN_OK;
}

static spn_status create_committee(spn_energy **out, const spn_problem *problem,
                                   const spn_energy_options *options, spn_error *err)
{
    return create(out, "committee", SPN_COMMITTEE_ERRORS, problem, options, err);
}

static spn_status create_units(spn_energy **out, const spn_problem *problem,
                               const spn_energy_options *options, spn_error *err)
{
    return create(out, "committee-units", SPN_COMMITTEE_UNITS, problem, options, err);
}

SPN_ENERGY_KIND(committee) = {.name = "committee",
                              .about = "patterns that the majority of hidden units puts wrong",
                              .problem = SPN_PROBLEM_PATTERNS,
                              .units = SPN_USUAL_UNITS,
                              .create = create_committee};

SPN_ENERGY_KIND(committee_units) = {
    .name = "committee-units",
    .about = "hidden units that must change to put each pattern right",
    .problem = SPN_PROBLEM_PATTERNS,
    .units = SPN_USUAL_UNITS,
    .create = create_units};
