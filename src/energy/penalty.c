/* A penalty on large weights, added to the energy of a classifier: its spins are rows, one for each
   class, of groups of `copies` spins that weigh the same feature, and the rest of a row that is not
   penalised. With v the sum of the spins of a group the energy is

     E = E_base + strength * sum over groups of v^2

   For one copy v^2 is always 1, and the penalty a constant. v and the sum of v^2 are whole numbers,
   so the penalty depends on the state alone, not on how it was reached. */
#include "energy/create.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct penalised {
    spn_energy base;
    spn_energy *inner;
    spn_energy_slots slots; /* of inner, none missing but refresh */
    size_t row, features, copies;
    double strength;
    size_t inner_size; /* of inner's cache, rounded up */
} penalised;

/* What follows the cache of the inner energy. */
typedef struct sums {
    double inner;    /* its energy */
    int64_t squares; /* sum of v^2 */
    int16_t v[];
} sums;

static const penalised *from(const spn_energy *self)
{
    return (const penalised *)self;
}

static sums *sums_in(const penalised *p, void *cache)
{
    return (sums *)(void *)((char *)cache + p->inner_size);
}

static size_t group_count(const penalised *p)
{
    return p->base.sites / p->row * p->features;
}

/* The group of a site; group_count if it has none. */
static size_t group_of(const penalised *p, size_t site)
{
    const size_t class = site / p->row, at = site % p->row;
    const size_t feature = at / p->copies;
    return feature < p->features ? class * p->features + feature : group_count(p);
}

static int group_sum(const penalised *p, const int8_t *spins, size_t group)
{
    const size_t class = group / p->features, feature = group % p->features;
    const int8_t *first = spins + class * p->row + feature * p->copies;
    int v = 0;
    for (size_t i = 0; i < p->copies; i++)
        v += first[i];
    assert(abs(v) <= (int)p->copies);
    return v;
}

static double total(const penalised *p, double inner, int64_t squares)
{
    return inner + p->strength * (double)squares;
}

static double energy(const spn_energy *self, const int8_t *spins)
{
    const penalised *p = from(self);
    int64_t squares = 0;
    for (size_t g = 0; g < group_count(p); g++) {
        const int64_t v = group_sum(p, spins, g);
        squares += v * v;
    }
    return total(p, p->slots.energy(p->inner, spins), squares);
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const penalised *p = from(self);
    sums *s = sums_in(p, cache);
    s->inner = p->slots.attach(p->inner, cache, spins);
    s->squares = 0;
    for (size_t g = 0; g < group_count(p); g++) {
        s->v[g] = (int16_t)group_sum(p, spins, g);
        s->squares += (int64_t)s->v[g] * s->v[g];
    }
    return total(p, s->inner, s->squares);
}

/* (v - 2 spin)^2 - v^2 */
static int change_of_square(int v, int spin)
{
    return 4 - 4 * spin * v;
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const penalised *p = from(self);
    const size_t group = group_of(p, site);
    assert(site < self->sites && spn_is_spin(spins[site]) && group <= group_count(p));
    const double change = p->slots.delta(p->inner, cache, spins, site);
    if (group == group_count(p))
        return change;
    return change + p->strength * change_of_square(sums_in(p, cache)->v[group], spins[site]);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const penalised *p = from(self);
    sums *s = sums_in(p, cache);
    const size_t group = group_of(p, site);
    s->inner = p->slots.commit(p->inner, cache, spins, site);
    if (group < group_count(p)) {
        s->squares += change_of_square(s->v[group], -spins[site]);
        s->v[group] = (int16_t)(s->v[group] + 2 * spins[site]);
        assert(abs(s->v[group]) <= (int)p->copies && s->squares >= 0);
    }
    return total(p, s->inner, s->squares);
}

static bool levels(const spn_energy *self, spn_level_groups *out)
{
    const penalised *p = from(self);
    return p->slots.levels && p->slots.levels(p->inner, out) && out->copies == p->copies;
}

/* What a move does to the sum of squares; and to the groups' sums if s is given. */
static int64_t move_squares(const penalised *p, const sums *before, sums *s,
                            const spn_level_move *move)
{
    int64_t squares = 0;
    for (size_t c = 0; c < move->count; c++) {
        const size_t group = group_of(p, move->site[c]);
        const int64_t change = move->change[c];
        if (group == group_count(p))
            continue;
        squares += change * (2 * before->v[group] + change);
        if (s)
            s->v[group] = (int16_t)(s->v[group] + change);
    }
    return squares;
}

static double level_delta(const spn_energy *self, void *cache, const spn_level_move *move)
{
    const penalised *p = from(self);
    return p->slots.level_delta(p->inner, cache, move) +
           p->strength * (double)move_squares(p, sums_in(p, cache), NULL, move);
}

static double level_commit(const spn_energy *self, void *cache, const int8_t *spins,
                           const spn_level_move *move)
{
    const penalised *p = from(self);
    sums *s = sums_in(p, cache);
    s->inner = p->slots.level_commit(p->inner, cache, spins, move);
    s->squares += move_squares(p, s, s, move);
    assert(s->squares >= 0);
    return total(p, s->inner, s->squares);
}

static double refresh(const spn_energy *self, void *cache, const int8_t *spins)
{
    const penalised *p = from(self);
    sums *s = sums_in(p, cache);
    if (p->slots.refresh)
        s->inner = p->slots.refresh(p->inner, cache, spins);
    return total(p, s->inner, s->squares);
}

/* The sums of the groups depend on the spins alone. */
static bool visit(const spn_energy *self, void *cache, spn_archive *archive)
{
    const penalised *p = from(self);
    sums *s = sums_in(p, cache);
    assert(!p->slots.refresh == !p->slots.visit);
    SPN_VISIT(archive, s->inner);
    return !p->slots.visit || p->slots.visit(p->inner, cache, archive);
}

static void destroy(spn_energy *self)
{
    penalised *p = (penalised *)self;
    spn_energy_free(p->inner);
    free(p);
}

static const spn_energy_slots slots = {"softmax with a penalty",
                                       energy,
                                       attach,
                                       delta,
                                       commit,
                                       .destroy = destroy,
                                       .refresh = refresh,
                                       .visit = visit,
                                       .levels = levels,
                                       .level_delta = level_delta,
                                       .level_commit = level_commit};

spn_status spn_penalty_create(spn_energy **out, spn_energy *base, size_t row, size_t features,
                              size_t copies, double strength, spn_error *err)
{
    *out = NULL;
    if (!(strength >= 0) || !isfinite(strength))
        return spn_refuse(err, "a penalty is finite and at least 0, not %g", strength);
    if (copies < 1 || copies > INT16_MAX || features < 1 || row / copies < features ||
        base->sites % row)
        return spn_refuse(err, "%zu groups of %zu spins do not fit into rows of %zu of %zu spins",
                          features, copies, row, base->sites);
    penalised *p = spn_alloc(1, sizeof *p);
    SPN_NEED(p, err, "a penalty");
    const size_t line = 64;
    p->inner = base;
    p->slots = spn_energy_resolve(base);
    p->row = row;
    p->features = features;
    p->copies = copies;
    p->strength = strength;
    p->inner_size = (spn_energy_cache_size(base) + line - 1) / line * line;
    p->base = (spn_energy){.slots = &slots, .sites = base->sites, .accuracy = base->accuracy};
    assert(p->inner_size % line == 0);
    p->base.cache_size = p->inner_size + sizeof(sums) + group_count(p) * sizeof(int16_t);
    *out = &p->base;
    return SPN_OK;
}
