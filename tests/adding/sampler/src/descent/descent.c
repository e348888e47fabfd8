/* Descent, one step for each site that is looked at. */
#include "base/memory.h"
#include "base/try.h"
#include "core/energy.h"
#include "core/sampler.h"

#include <spinney/descent.h>
#include <spinney/random.h>
#include <stdlib.h>

typedef struct descent {
    spn_sampler base;
    const spn_energy *energy;
    int8_t *spins;
    void *cache;
    double value;
    uint64_t quiet, flips; /* steps since the last flip; flips */
} descent;

static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    descent *d = (descent *)sampler;
    const size_t sites = spn_energy_sites(d->energy);
    (void)err;
    for (uint64_t k = 0; k < most && d->quiet < sites; k++, sampler->step++) {
        const size_t site = (size_t)(sampler->step % sites);
        d->quiet++;
        if (spn_energy_delta(d->energy, d->cache, d->spins, site) >= 0)
            continue;
        d->spins[site] = (int8_t)-d->spins[site];
        d->value = spn_energy_commit(d->energy, d->cache, d->spins, site);
        d->quiet = 0;
        d->flips++;
    }
    return SPN_OK;
}

static spn_stop ended(const spn_sampler *sampler)
{
    const descent *d = (const descent *)sampler;
    return d->quiet < spn_energy_sites(d->energy) ? SPN_STOP_NONE : SPN_STOP_STEPS;
}

static void look(spn_progress *out, const spn_sampler *sampler)
{
    const descent *d = (const descent *)sampler;
    out->block = 1;
    out->proposals = sampler->step;
    out->best_energy = d->value;
    out->words = "descending";
}

static spn_health health(const spn_sampler *sampler)
{
    return ended(sampler) ? SPN_HEALTH_GOOD : SPN_HEALTH_SHORT;
}

static spn_status visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    descent *d = (descent *)sampler;
    const size_t sites = spn_energy_sites(d->energy);
    const uint64_t own[] = {sites};
    if (!spn_archive_agrees(archive, own, 1))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "this is not the saved state of a descent of %zu "
                        "spins",
                        sites);
    SPN_VISIT(archive, d->quiet);
    SPN_VISIT(archive, d->flips);
    SPN_VISIT_ARRAY(archive, d->spins, sites);
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(sampler, archive, err));
    for (size_t i = 0; i < sites; i++)
        if (!spn_is_spin(d->spins[i]))
            return spn_fail(err, SPN_ERROR_ARGUMENT, "the saved descent has no spins");
    d->value = spn_energy_attach(d->energy, d->cache, d->spins);
    return SPN_OK;
}

static void destroy(spn_sampler *sampler)
{
    descent *d = (descent *)sampler;
    free(d->spins);
    free(d->cache);
    free(d);
}

static const spn_sampler_type type = {.name = "descent",
                                      .advance = advance,
                                      .ended = ended,
                                      .look = look,
                                      .health = health,
                                      .visit = visit,
                                      .destroy = destroy};

spn_status spn_descent_create(spn_sampler **out, const spn_energy *energy, uint64_t seed,
                              spn_error *err)
{
    const size_t sites = spn_energy_sites(energy), line = 64;
    descent *d = spn_alloc(1, sizeof *d);
    *out = NULL;
    if (!d)
        return spn_no_memory(err, "a descent");
    spn_sampler_init(&d->base, &type);
    d->energy = energy;
    d->spins = spn_alloc(sites, 1);
    d->cache = aligned_alloc(line, (energy->cache_size / line + 1) * line);
    if (!d->spins || !d->cache) {
        destroy(&d->base);
        return spn_no_memory(err, "a descent of %zu spins", sites);
    }
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_START);
    spn_random_spins(&random, d->spins, sites);
    d->value = spn_energy_attach(energy, d->cache, d->spins);
    *out = &d->base;
    return SPN_OK;
}

const int8_t *spn_descent_state(const spn_sampler *sampler, double *energy, uint64_t *flips)
{
    const descent *d = (const descent *)sampler;
    if (energy)
        *energy = d->value;
    if (flips)
        *flips = d->flips;
    return d->spins;
}
