/* The perceptron and committee energies: building the bit-packed problem, and the slots that are
   the same for all instruction sets. */
#include "energy/perceptron.h"

#include "base/machine.h"
#include "base/memory.h"
#include "data/problem.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- from scratch ---- */

/* c of a unit for pattern mu, counted from the columns. x has the parity of T. */
static int64_t counter(const spn_perceptron *self, const int8_t *spins, size_t unit, size_t mu)
{
    int64_t x = 0;
    for (size_t site = unit * self->inputs; site < (unit + 1) * self->inputs; site++)
        x += (spn_perceptron_column(self, site)[mu / 64] >> (mu % 64)) & 1 ? spins[site]
                                                                           : -spins[site];
    assert((x - self->least) % 2 == 0 && llabs(x) <= (int64_t)self->inputs);
    return (x - self->least) / 2;
}

/* v of a pattern, given the number of units that are right. */
static int64_t vote_of(const spn_perceptron *self, size_t right)
{
    assert(right <= self->units && self->units % 2 == 1);
    return (int64_t)right - (int64_t)(self->units + 1) / 2;
}

/* Of the count, given c or v. */
static int64_t share(const spn_perceptron *self, int64_t c)
{
    return c >= 0 && c <= self->highest ? 0 : self->rule == SPN_RULE_BITS ? -c : 1;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    int64_t count = 0;
    for (size_t mu = 0; mu < self->patterns; mu++) {
        size_t right = 0;
        for (size_t unit = 0; self->vote_planes && unit < self->units; unit++)
            right += counter(self, spins, unit, mu) >= 0;
        count +=
            share(self, self->vote_planes ? vote_of(self, right) : counter(self, spins, 0, mu));
    }
    return spn_perceptron_value(self, count);
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

/* Fill in what is kept of the units for pattern mu, and return its v. */
static int64_t attach_units(const spn_perceptron *self, spn_perceptron_cache *cache,
                            const int8_t *spins, size_t mu)
{
    const size_t words = self->words;
    size_t right = 0;
    for (size_t unit = 0; unit < self->units; unit++) {
        uint64_t *last = cache->data + spn_committee_unit(self, unit);
        const int64_t c = counter(self, spins, unit, mu);
        mark(last, mu, c == -1);
        mark(last + words, mu, c == 0);
        put(last + 2 * words, self->planes, words, mu, c);
        right += c >= 0;
    }
    return vote_of(self, right);
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    const spn_perceptron *self = (const spn_perceptron *)base;
    spn_perceptron_cache *cache = memory;
    const size_t words = self->words, planes = self->vote_planes ? self->vote_planes : self->planes;
    const bool window = self->masks == 4;
    uint64_t *gain = cache->data, *cost = gain + words, *bits = gain + self->masks * words;
    assert(self->masks == (self->highest == INT64_MAX ? 2 : 4));
    memset(cache, 0, base->cache_size);
    for (size_t mu = 0; mu < self->patterns; mu++) {
        const int64_t c =
            self->vote_planes ? attach_units(self, cache, spins, mu) : counter(self, spins, 0, mu);
        cache->count += share(self, c);
        mark(gain, mu, share(self, c) > share(self, c + 1));
        mark(cost, mu, share(self, c - 1) > share(self, c));
        if (window) {
            mark(cost + words, mu, share(self, c) > share(self, c - 1));
            mark(cost + 2 * words, mu, share(self, c + 1) > share(self, c));
        }
        put(bits, planes, words, mu, c);
    }
    assert(cache->count >= 0 && ((gain[0] | cost[0]) & ~self->valid[0]) == 0);
    return spn_perceptron_value(self, cache->count);
}

/* ---- making one ---- */

static void destroy(spn_energy *base)
{
    spn_perceptron *self = (spn_perceptron *)base;
    SPN_FREE_ALL(self->columns, self->valid, self);
}

#if defined(__x86_64__)
#define VERSIONS(NAME)                                                                             \
    {                                                                                              \
        &spn_##NAME##_portable, &spn_##NAME##_avx2, &spn_##NAME##_avx512                           \
    }
#else
#define VERSIONS(NAME)                                                                             \
    {                                                                                              \
        &spn_##NAME##_portable, &spn_##NAME##_portable, &spn_##NAME##_portable                     \
    }
#endif

static spn_energy_slots make_slots(const spn_energy_kind *kind)
{
    static const spn_energy_slots *const versions[][3] = {VERSIONS(perceptron), VERSIONS(window),
                                                          VERSIONS(committee)};
    spn_isa isa = spn_cpu_isa();
    if (isa >= SPN_ISA_AVX512 && !spn_cpu_counts_bits())
        isa = SPN_ISA_AVX2;
    const size_t which = kind->units ? 2 : kind->variant & SPN_WINDOW ? 1 : 0;
    spn_energy_slots slots = *versions[which][isa];
    slots.name = kind->name;
    slots.energy = energy;
    slots.attach = attach;
    slots.destroy = destroy;
    if ((kind->variant & SPN_RULE) == SPN_RULE_PRODUCT)
        slots.loop = NULL; /* its energy is not the count */
    return slots;
}

/* Everything but what depends on the kind. */
static spn_perceptron *pack(const spn_problem *problem)
{
    const size_t inputs = problem->sites, words = (problem->count + 63) / 64;
    spn_perceptron *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->patterns = problem->count;
    self->words = words;
    self->columns = spn_alloc(inputs * words, sizeof *self->columns);
    self->valid = spn_alloc(words, sizeof *self->valid);
    if (!self->columns || !self->valid) {
        destroy(&self->base);
        return NULL;
    }
    for (size_t mu = 0; mu < problem->count; mu++) {
        const int8_t *row = problem->rows + mu * inputs;
        mark(self->valid, mu, true);
        for (size_t i = 0; i < inputs; i++)
            mark(self->columns + i * words, mu, row[i] * problem->labels[mu] > 0);
    }
    return self;
}

/* Enough bits, with a sign, for values up to `most`. */
static size_t bits_of(int64_t most)
{
    size_t bits = 2;
    while ((int64_t)1 << (bits - 1) <= most)
        bits++;
    assert(bits < 64);
    return bits;
}

/* Put what is asked of a stability into integers. */
static spn_status find_bounds(spn_perceptron *self, unsigned variant, double kappa, spn_error *err)
{
    const bool window = variant & SPN_WINDOW;
    spn_stability right;
    SPN_TRY(window
                ? spn_stability_within(&right, self->inputs, kappa, err)
                : spn_stability_above(&right, self->inputs, kappa, variant & SPN_TIES_WRONG, err));
    assert(self->rule != SPN_RULE_BITS || !window);
    self->least = right.least;
    self->highest = window ? right.most : INT64_MAX; /* (most - least)/2 = most there */
    self->masks = window ? 4 : 2;
    return SPN_OK;
}

static spn_status check_units(const char *name, size_t inputs, size_t units, bool tree,
                              spn_error *err)
{
    SPN_REFUSE_IF(
        units % 2 == 0, err,
        "the energy '%s' needs an odd number of units, so that there is a majority, not %zu", name,
        units);
    SPN_REFUSE_IF(tree && inputs % units != 0, err,
                  "a tree shares the inputs out among its units: %zu inputs are no multiple of %zu",
                  inputs, units);
    SPN_REFUSE_IF(!tree && inputs > UINT32_MAX / units, err,
                  "%zu units of %zu inputs each; there are at most 2^32-1 spins", units, inputs);
    return SPN_OK;
}

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    if (problem->values)
        return spn_valued_create(out, kind, problem, options->kappa, err);
    const size_t units = kind->units ? options->units : 1;
    SPN_TRY(check_units(kind->name, problem->sites, units, options->tree, err));
    spn_perceptron *self = pack(problem);
    SPN_NEED(self, err, "%zu patterns of %zu spins", problem->count, problem->sites);
    self->units = units;
    self->tree = options->tree;
    self->inputs = options->tree ? problem->sites / units : problem->sites;
    self->rule = kind->variant & SPN_RULE;
    const spn_status status = find_bounds(self, kind->variant, options->kappa, err);
    if (status) {
        destroy(&self->base);
        return status;
    }
    self->planes = bits_of(((int64_t)self->inputs + llabs(self->least)) / 2 + 1);
    self->vote_planes = kind->units ? bits_of((int64_t)(units + 1) / 2 + 1) : 0;
    const size_t words =
        kind->units ? spn_committee_unit(self, units) : (self->masks + self->planes) * self->words;
    self->slots = make_slots(kind);
    self->base = (spn_energy){.slots = &self->slots,
                              .sites = self->inputs * units,
                              .cache_size = sizeof(spn_perceptron_cache) + words * sizeof(uint64_t),
                              .integral = true};
    *out = &self->base;
    return SPN_OK;
}

/* ---- the energies ---- */

#define THRESHOLD(NAME, WORD, ABOUT, KAPPA, VARIANT)                                               \
    SPN_ENERGY_KIND(NAME) = {.name = (WORD),                                                       \
                             .about = (ABOUT),                                                     \
                             .problem = SPN_PROBLEM_PATTERNS,                                      \
                             .has_kappa = true,                                                    \
                             .kappa = (KAPPA),                                                     \
                             .create = create,                                                     \
                             .variant = (VARIANT)}

/* The number of patterns with x/sqrt(N) < kappa. */
THRESHOLD(errors, "errors", "patterns classified wrongly", 0, SPN_RULE_ERRORS);

/* 1 minus the product of Theta(x/sqrt(N) - kappa), Theta(0) = 0. */
THRESHOLD(product, "product", "0 if all patterns are right, else 1", 0,
          SPN_RULE_PRODUCT | SPN_TIES_WRONG);

/* The sum of the flips that put each pattern right, x/sqrt(N) >= kappa. */
THRESHOLD(bits, "bits", "flips needed to put each pattern right; ties are right", 0, SPN_RULE_BITS);

/* The same with x/sqrt(N) > kappa. */
THRESHOLD(bits_strict, "bits-strict", "flips needed to put each pattern right; ties are wrong", 0,
          SPN_RULE_BITS | SPN_TIES_WRONG);

/* The number of patterns with |x|/sqrt(N) > kappa; labels do not matter. */
THRESHOLD(symmetric, "symmetric", "patterns with |<W, pattern>|/sqrt(N) above kappa", 1,
          SPN_RULE_ERRORS | SPN_WINDOW);

SPN_ENERGY_KIND(committee) = {.name = "committee",
                              .about = "patterns that the majority of hidden units puts wrong",
                              .problem = SPN_PROBLEM_PATTERNS,
                              .units = SPN_USUAL_UNITS,
                              .create = create,
                              .variant = SPN_RULE_ERRORS};

SPN_ENERGY_KIND(committee_units) = {
    .name = "committee-units",
    .about = "hidden units that must change to put each pattern right",
    .problem = SPN_PROBLEM_PATTERNS,
    .units = SPN_USUAL_UNITS,
    .create = create,
    .variant = SPN_RULE_BITS};
