/* errors, product and symmetric of patterns with real values, which are whole multiples of
   1/SPN_VALUE_ONE: a stability is an integer, kept in the cache, and so exact. Each proposal goes
   through all patterns. */
#include "energy/perceptron.h"

#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef struct valued {
    spn_energy base;
    spn_energy_slots slots;
    bool product;
    int32_t least, most; /* of a stability that is right */
    size_t patterns;
    int16_t *columns; /* label * value, site after site */
} valued;

typedef struct valued_cache {
    int64_t wrong;
    int32_t stability[];
} valued_cache;

static bool is_wrong(const valued *self, int32_t x)
{
    return x < self->least || x > self->most;
}

static double value_of(const valued *self, int64_t wrong)
{
    return self->product ? wrong > 0 : (double)wrong;
}

static int32_t stability(const valued *self, const int8_t *spins, size_t mu)
{
    int32_t x = 0;
    for (size_t i = 0; i < self->base.sites; i++)
        x += spins[i] * self->columns[i * self->patterns + mu];
    return x;
}

static double energy(const spn_energy *base, const int8_t *spins)
{
    const valued *self = (const valued *)base;
    int64_t wrong = 0;
    for (size_t mu = 0; mu < self->patterns; mu++)
        wrong += is_wrong(self, stability(self, spins, mu));
    return value_of(self, wrong);
}

static double attach(const spn_energy *base, void *memory, const int8_t *spins)
{
    const valued *self = (const valued *)base;
    valued_cache *cache = memory;
    cache->wrong = 0;
    for (size_t mu = 0; mu < self->patterns; mu++) {
        cache->stability[mu] = stability(self, spins, mu);
        cache->wrong += is_wrong(self, cache->stability[mu]);
    }
    assert(cache->wrong >= 0 && (size_t)cache->wrong <= self->patterns);
    return value_of(self, cache->wrong);
}

/* The wrong patterns after a flip of a spin that is `spin` before it. */
static int64_t wrong_after(const valued *self, const valued_cache *cache, size_t site, int spin)
{
    const int16_t *column = self->columns + site * self->patterns;
    const int32_t least = self->least, most = self->most, twice = -2 * spin;
    int32_t wrong = 0; /* so that the loop becomes vectors; memory ends before patterns overflow */
    for (size_t mu = 0; mu < self->patterns; mu++) {
        const int32_t x = cache->stability[mu] + twice * column[mu];
        wrong += (x < least) | (x > most);
    }
    assert(wrong >= 0 && (size_t)wrong <= self->patterns);
    return wrong;
}

static double delta(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const valued *self = (const valued *)base;
    const valued_cache *cache = memory;
    assert(site < base->sites && spn_is_spin(spins[site]));
    return value_of(self, wrong_after(self, cache, site, spins[site])) -
           value_of(self, cache->wrong);
}

static double commit(const spn_energy *base, void *memory, const int8_t *spins, size_t site)
{
    const valued *self = (const valued *)base;
    valued_cache *cache = memory;
    const int16_t *column = self->columns + site * self->patterns;
    const int32_t twice = 2 * spins[site];
    assert(site < base->sites && spn_is_spin(spins[site]));
    cache->wrong = wrong_after(self, cache, site, -spins[site]);
    for (size_t mu = 0; mu < self->patterns; mu++)
        cache->stability[mu] += twice * column[mu];
    return value_of(self, cache->wrong);
}

static void destroy(spn_energy *base)
{
    SPN_FREE_ALL(((valued *)base)->columns, base);
}

static spn_status find_bounds(valued *self, unsigned variant, double kappa, spn_error *err)
{
    const bool window = variant & SPN_WINDOW;
    const double root = sqrt((double)self->base.sites), bound = kappa * root * SPN_VALUE_ONE;
    if (!(fabs(kappa) <= root) || (window && kappa < 0)) {
        char text[SPN_NUMBER_TEXT];
        spn_number_text(text, kappa);
        return spn_refuse(err, "kappa %s is not between %s and sqrt(N)", text,
                          window ? "0" : "-sqrt(N)");
    }
    self->most = window ? (int32_t)floor(bound) : INT32_MAX;
    assert(isfinite(bound) && fabs(bound) < INT32_MAX);
    self->least = window                     ? -self->most
                  : variant & SPN_TIES_WRONG ? (int32_t)floor(bound) + 1
                                             : (int32_t)ceil(bound);
    return SPN_OK;
}

static void fill_columns(valued *self, const spn_problem *problem)
{
    for (size_t mu = 0; mu < problem->count; mu++)
        for (size_t i = 0; i < problem->sites; i++)
            self->columns[i * problem->count + mu] =
                (int16_t)(problem->values[mu * problem->sites + i] * problem->labels[mu]);
}

spn_status spn_valued_create(spn_energy **out, const spn_energy_kind *kind,
                             const spn_problem *problem, double kappa, spn_error *err)
{
    SPN_REFUSE_IF((kind->variant & SPN_RULE) == SPN_RULE_BITS, err,
                  "the energy '%s' counts flips, of patterns of +1 and -1, not of real "
                  "values; take errors",
                  kind->name);
    valued *self = calloc(1, sizeof *self);
    int16_t *columns = spn_alloc(problem->count * problem->sites, sizeof *columns);
    if (!self || !columns) {
        SPN_FREE_ALL(self, columns);
        return spn_no_memory(err, "%zu patterns of %zu spins", problem->count, problem->sites);
    }
    self->slots = (spn_energy_slots){kind->name, energy, attach, delta, commit, .destroy = destroy};
    self->base = (spn_energy){.slots = &self->slots,
                              .sites = problem->sites,
                              .cache_size = sizeof(valued_cache) + problem->count * sizeof(int32_t),
                              .integral = true};
    self->product = (kind->variant & SPN_RULE) == SPN_RULE_PRODUCT;
    self->patterns = problem->count;
    self->columns = columns;
    const spn_status status = find_bounds(self, kind->variant, kappa, err);
    if (status) {
        destroy(&self->base);
        return status;
    }
    fill_columns(self, problem);
    *out = &self->base;
    return SPN_OK;
}
