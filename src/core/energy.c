/* The energy interface: slow defaults that compute every change from scratch, and energies of
   users, whose functions are called through the slots. */
#include "core/energy.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The default cache: the current energy, then a copy of the spins to try flips. */
static int8_t *scratch_spins(void *cache)
{
    return (int8_t *)cache + sizeof(double);
}

static double slow_attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    double value = self->slots->energy(self, spins);
    assert((uintptr_t)cache % sizeof value == 0);
    memcpy(cache, &value, sizeof value);
    memcpy(scratch_spins(cache), spins, self->sites);
    return value;
}

static double slow_delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    int8_t *trial = scratch_spins(cache);
    double before;
    assert(site < self->sites && trial[site] == spins[site]);
    (void)spins;
    memcpy(&before, cache, sizeof before);
    trial[site] = (int8_t)-trial[site];
    double after = self->slots->energy(self, trial);
    trial[site] = (int8_t)-trial[site];
    return after - before;
}

static double slow_commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    double value = self->slots->energy(self, spins);
    memcpy(cache, &value, sizeof value);
    assert(site < self->sites && scratch_spins(cache)[site] == -spins[site]);
    scratch_spins(cache)[site] = spins[site];
    return value;
}

spn_energy_slots spn_energy_resolve(const spn_energy *energy)
{
    spn_energy_slots slots = *energy->slots;
    assert(energy->sites > 0 && energy->sites <= UINT32_MAX);
    assert(slots.energy && !slots.delta == !slots.attach && !slots.delta == !slots.commit);
    if (!slots.delta) {
        slots.attach = slow_attach;
        slots.delta = slow_delta;
        slots.commit = slow_commit;
    }
    return slots;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

int64_t spn_sparse_terms_divisor(const spn_sparse_terms *terms)
{
    int64_t divisor = 0;
    for (size_t i = 0; i < terms->sites; i++)
        divisor = common_divisor(terms->field[i], divisor);
    for (size_t e = 0; e < terms->first[terms->sites]; e++)
        divisor = common_divisor(terms->coupling[e], divisor);
    return divisor ? divisor : 1;
}

void spn_sparse_terms_clear(spn_sparse_terms *terms)
{
    SPN_FREE_ALL(terms->field, terms->first, terms->site, terms->coupling, terms->exact_field,
                 terms->exact_coupling);
    *terms = (spn_sparse_terms){0};
}

size_t spn_cluster_grow(uint32_t *cluster, const spn_sparse_terms *graph, int8_t *a,
                        const int8_t *b, uint32_t seed)
{
    size_t size = 0;
    cluster[size++] = seed;
    a[seed] = 0;
    for (size_t next = 0; next < size; next++) {
        const size_t i = cluster[next];
        for (size_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const uint32_t j = graph->site[e];
            const bool joins =
                (a[j] != 0) & (a[j] != b[j]); /* no branch: it could not be predicted */
            cluster[size] = j;
            size += joins;
            a[j] = (int8_t)(joins ? 0 : a[j]);
        }
    }
    return size;
}

size_t spn_energy_sites(const spn_energy *energy)
{
    return energy->sites;
}

const char *spn_energy_name(const spn_energy *energy)
{
    return energy->slots->name;
}

bool spn_energy_integral(const spn_energy *energy)
{
    return energy->integral;
}

size_t spn_energy_zeroed(const spn_energy *energy)
{
    return energy->zeroed;
}

size_t spn_energy_cache_size(const spn_energy *energy)
{
    return energy->slots->delta ? energy->cache_size : sizeof(double) + energy->sites;
}

double spn_energy_value(const spn_energy *energy, const int8_t *spins)
{
    assert(spn_is_spin(spins[0]) && spn_is_spin(spins[energy->sites - 1]));
    return energy->slots->energy(energy, spins);
}

double spn_energy_attach(const spn_energy *energy, void *cache, const int8_t *spins)
{
    return spn_energy_resolve(energy).attach(energy, cache, spins);
}

double spn_energy_delta(const spn_energy *energy, void *cache, const int8_t *spins, size_t site)
{
    assert(site < energy->sites && spn_is_spin(spins[site]));
    return spn_energy_resolve(energy).delta(energy, cache, spins, site);
}

double spn_energy_commit(const spn_energy *energy, void *cache, const int8_t *spins, size_t site)
{
    assert(site < energy->sites && spn_is_spin(spins[site]));
    return spn_energy_resolve(energy).commit(energy, cache, spins, site);
}

spn_status spn_energy_check(double *fresh_out, const spn_energy *energy, const int8_t *spins,
                            double value, double scale, uint64_t step, spn_error *err)
{
    const double fresh = spn_energy_value(energy, spins);
    const double size = fmax(fmax(fabs(fresh), fabs(value)), scale);
    assert(isfinite(scale) && energy->accuracy >= 0);
    if (fresh_out)
        *fresh_out = fresh;
    if (fresh == value ||
        (isfinite(size) && fabs(fresh - value) <= fmax(1e-9 * size, energy->accuracy)))
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ENERGY,
                    "the energy '%s' does not agree with itself: by its changes a state has the "
                    "energy %.17g, but computed from the state it is %.17g (step %llu); its delta "
                    "and commit must give the differences of its energy",
                    energy->slots->name, value, fresh, (unsigned long long)step);
}

spn_status spn_energy_refuse_change(const spn_energy *energy, size_t site, double said,
                                    const char *by, double was, uint64_t step, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_ENERGY,
                    "the energy '%s' does not agree with itself: a flip of site %zu changes it by "
                    "%.17g according to its delta, but by %.17g according to its %s (step %llu)",
                    energy->slots->name, site, said, was, by, (unsigned long long)step);
}

spn_status spn_energy_check_change(const spn_energy *energy, void *cache, int8_t *spins,
                                   size_t site, double scale, uint64_t step, spn_error *err)
{
    const double said = spn_energy_delta(energy, cache, spins, site);
    const double before = spn_energy_value(energy, spins);
    spins[site] = (int8_t)-spins[site];
    const double after = spn_energy_value(energy, spins);
    spins[site] = (int8_t)-spins[site];
    if (before == INFINITY || /* nobody leaves it by a flip */
        spn_energy_agrees(said, after - before, fmax(scale, fmax(fabs(before), fabs(after)))))
        return SPN_OK;
    return spn_energy_refuse_change(energy, site, said, "energy", after - before, step, err);
}

void spn_energy_leave_infinity(double *value, const spn_energy *energy, int8_t *spins,
                               spn_random *random)
{
    const uint64_t most = 128 * (uint64_t)energy->sites + 1024;
    for (uint64_t k = 0; *value == INFINITY && k < most; k++) {
        const size_t site = spn_random_below(random, (uint32_t)energy->sites);
        spins[site] = (int8_t)-spins[site];
        *value = spn_energy_value(energy, spins);
    }
}

void spn_energy_free(spn_energy *energy)
{
    if (!energy)
        return;
    void *held = energy->held;
    void (*release)(void *) = energy->release;
    assert(!held == !release);
    if (energy->slots->destroy)
        energy->slots->destroy(energy);
    if (release)
        release(held);
}

typedef struct defined_energy {
    spn_energy base;
    spn_energy_slots slots;
    spn_energy_ops ops;
    void *problem;
    char name[]; /* name of the slots */
} defined_energy;

static const defined_energy *from(const spn_energy *base)
{
    return (const defined_energy *)base;
}

static double defined_value(const spn_energy *base, const int8_t *spins)
{
    return from(base)->ops.energy(from(base)->problem, spins);
}

static double defined_attach(const spn_energy *base, void *cache, const int8_t *spins)
{
    return from(base)->ops.attach(from(base)->problem, cache, spins);
}

static double defined_delta(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    return from(base)->ops.delta(from(base)->problem, cache, spins, site);
}

static double defined_commit(const spn_energy *base, void *cache, const int8_t *spins, size_t site)
{
    return from(base)->ops.commit(from(base)->problem, cache, spins, site);
}

static bool defined_visit(const spn_energy *base, void *cache, spn_archive *archive)
{
    spn_archive_move(archive, cache, base->cache_size);
    return true;
}

static double defined_refresh(const spn_energy *base, void *cache, const int8_t *spins)
{
    return from(base)->ops.refresh(from(base)->problem, cache, spins);
}

static void defined_destroy(spn_energy *base)
{
    defined_energy *self = (defined_energy *)base;
    if (self->ops.destroy)
        self->ops.destroy(self->problem);
    free(self);
}

static spn_status check_ops(const spn_energy_ops *ops, size_t sites, spn_error *err)
{
    SPN_REFUSE_IF(!ops->name || !ops->name[0] || !ops->energy, err,
                  "an energy needs a name and the function energy");
    SPN_REFUSE_IF(!ops->attach != !ops->delta || !ops->attach != !ops->commit, err,
                  "the energy '%s': attach, delta and commit come together or not at all",
                  ops->name);
    SPN_REFUSE_IF(ops->refresh && !ops->attach, err, "the energy '%s': refresh needs attach",
                  ops->name);
    SPN_REFUSE_IF(sites == 0 || sites > UINT32_MAX, err, "an energy has 1 to 2^32-1 spins, not %zu",
                  sites);
    return SPN_OK;
}

spn_status spn_energy_define(spn_energy **out, const spn_energy_ops *given, void *problem,
                             size_t sites, size_t cache_size, bool integral, spn_error *err)
{
    spn_energy_ops ops = spn_energy_ops_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&ops, sizeof ops, given, "spn_energy_ops_defaults", err));
    SPN_TRY(check_ops(&ops, sites, err));
    if (cache_size > SIZE_MAX / 4096) /* caches of all replicas, rounded up, do not wrap */
        return spn_refuse(err,
                          "the energy '%s': a cache of %zu bytes for each replica is too large",
                          ops.name, cache_size);
    const size_t length = strlen(ops.name) + 1;
    defined_energy *self = spn_alloc(1, sizeof *self + length);
    SPN_NEED(self, err, "the energy '%s'", ops.name);
    memcpy(self->name, ops.name, length);
    self->ops = ops;
    self->problem = problem;
    self->slots =
        (spn_energy_slots){.name = self->name, .energy = defined_value, .destroy = defined_destroy};
    if (ops.attach) {
        self->slots.attach = defined_attach;
        self->slots.delta = defined_delta;
        self->slots.commit = defined_commit;
        self->slots.refresh = ops.refresh ? defined_refresh : NULL;
        self->slots.visit = ops.refresh && ops.plain_cache ? defined_visit : NULL;
    }
    self->base = (spn_energy){.slots = &self->slots,
                              .sites = sites,
                              .cache_size = cache_size,
                              .integral = integral,
                              .is_foreign = true};
    *out = &self->base;
    return SPN_OK;
}
