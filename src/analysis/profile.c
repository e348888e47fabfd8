/* The local energy profile. */
#include "base/memory.h"
#include "core/energy.h"
#include "core/pause.h"
#include <spinney/profile.h>

#include <math.h>
#include <spinney/random.h>
#include <spinney/statistics.h>
#include <string.h>

enum { FLIPS_PER_PAUSE = 64 };

typedef struct walker {
    const spn_energy *energy;
    void *cache;
    int8_t *spins;
    uint32_t *order;  /* the sites, flipped ones first */
    double *energies; /* at the distances; walk w starts at w * count */
} walker;

static spn_status check(const spn_energy *energy, const spn_profile_options *o, spn_error *err)
{
    SPN_REFUSE_IF(o->walks < 1 || o->walks > UINT32_MAX, err,
                  "a profile has 1 to 2^32-1 walks, not %zu", o->walks);
    SPN_REFUSE_IF(o->count < 1, err, "a profile needs a distance");
    for (size_t k = 0; k < o->count; k++)
        SPN_REFUSE_IF(o->distances[k] > energy->sites ||
                          (k > 0 && o->distances[k] <= o->distances[k - 1]),
                      err, "the distances of a profile increase, from 0 to %zu; number %zu is %zu",
                      energy->sites, k + 1, o->distances[k]);
    return SPN_OK;
}

/* Flip a random site that is not flipped yet (Fisher and Yates). */
static double flip_another(walker *w, size_t flipped, spn_random *random)
{
    const size_t sites = w->energy->sites;
    const size_t other = flipped + spn_random_below(random, (uint32_t)(sites - flipped));
    const uint32_t site = w->order[other];
    w->order[other] = w->order[flipped];
    w->order[flipped] = site;
    w->spins[site] = (int8_t)-w->spins[site];
    return spn_energy_commit(w->energy, w->cache, w->spins, site);
}

static spn_status walk(walker *w, const int8_t *start, const spn_profile_options *o, size_t number,
                       spn_error *err)
{
    spn_random random = spn_random_make(o->seed, (uint32_t)number, 0, SPN_PURPOSE_USER);
    memcpy(w->spins, start, w->energy->sites);
    for (size_t i = 0; i < w->energy->sites; i++)
        w->order[i] = (uint32_t)i;
    double energy = spn_energy_attach(w->energy, w->cache, w->spins);
    for (size_t k = 0, flipped = 0; k < o->count; k++) {
        while (flipped < o->distances[k] && !(flipped % FLIPS_PER_PAUSE == 0 && spn_pause_now()))
            energy = flip_another(w, flipped++, &random);
        if (isnan(energy))
            return spn_fail(err, SPN_ERROR_ENERGY,
                            "the energy '%s' is not a number after %zu flips",
                            w->energy->slots->name, flipped);
        w->energies[number * o->count + k] = energy;
    }
    return SPN_OK;
}

/* The mean of distance k over the walks, and half its interval. */
static void summarise(double *mean, double *half, const walker *w, const spn_profile_options *o,
                      size_t k)
{
    const double n = (double)o->walks;
    double sum = 0, squares = 0;
    for (size_t j = 0; j < o->walks; j++)
        sum += w->energies[j * o->count + k];
    for (size_t j = 0; j < o->walks; j++) {
        const double off = w->energies[j * o->count + k] - sum / n;
        squares += off * off;
    }
    if (mean)
        mean[k] = sum / n;
    if (half)
        half[k] =
            o->walks > 1 ? spn_student_quantile(o->walks - 1) * sqrt(squares / (n - 1) / n) : NAN;
}

spn_status spn_profile_measure(double *mean, double *half, const spn_energy *energy,
                               const int8_t *spins, const spn_profile_options *given,
                               spn_error *err)
{
    spn_profile_options own = spn_profile_defaults();
    const spn_profile_options *options = &own;
    spn_status status = SPN_OK;
    SPN_TRY(spn_sized_take(&own, sizeof own, given, "spn_profile_defaults", err));
    SPN_TRY(check(energy, options, err));
    walker w = {.energy = energy,
                .cache = spn_alloc(1, spn_energy_cache_size(energy)),
                .spins = spn_alloc(energy->sites, 1),
                .order = spn_alloc(energy->sites, sizeof *w.order),
                .energies = options->count > SIZE_MAX / options->walks
                                ? NULL
                                : spn_alloc(options->walks * options->count, sizeof *w.energies)};
    SPN_NEED_OR(cleanup, w.cache && w.spins && w.order && w.energies, err, "a profile");
    for (size_t number = 0; number < options->walks && !spn_pause_now(); number++)
        SPN_TRY_OR(cleanup, walk(&w, spins, options, number, err));
    for (size_t k = 0; k < options->count; k++)
        summarise(mean, half, &w, options, k);
cleanup:
    SPN_FREE_ALL(w.cache, w.spins, w.order, w.energies);
    return status;
}
