/* An energy enumerated over its 2^N states, in blocks of 4096 along a Gray code. Each block
   attaches on its own, so it can run on any thread and its rounding stays within it. */
#include "analysis/common.h"
#include "core/energy.h"

enum { BLOCK_BITS = 12 };

static void set_spins(int8_t *spins, size_t sites, size_t state)
{
    for (size_t i = 0; i < sites; i++)
        spins[i] = (state >> i & 1) ? 1 : -1;
}

static void walk_block(double *out, const spn_energy *energy, const spn_energy_slots *ops,
                       void *cache, int8_t *spins, size_t first, size_t bits)
{
    set_spins(spins, energy->sites, first);
    out[first] = ops->attach(energy, cache, spins);
    size_t state = first;
    for (size_t step = 1; step < (size_t)1 << bits; step++) {
        const size_t site = (size_t)__builtin_ctzll(step);
        state ^= (size_t)1 << site;
        spins[site] = (int8_t)-spins[site];
        out[state] = ops->commit(energy, cache, spins, site);
    }
}

/* Whether the work must end: the calling thread asks, and the others read its answer. */
static bool stops(bool *stopped)
{
    bool known;
    if (spn_thread_number() == 0 && spn_pause_now()) {
#pragma omp atomic write
        *stopped = true;
    }
#pragma omp atomic read
    known = *stopped;
    return known;
}

static spn_status enumerate(double *out, const spn_energy *energy, spn_error *err)
{
    const spn_energy_slots ops = spn_energy_resolve(energy);
    const size_t sites = energy->sites, bits = sites < BLOCK_BITS ? sites : BLOCK_BITS;
    const size_t blocks = (size_t)1 << (sites - bits);
    bool failed = false, stopped = false;
#pragma omp parallel if (blocks > 1)
    {
        void *cache = spn_alloc(1, spn_energy_cache_size(energy));
        int8_t *spins = spn_alloc(sites, 1);
        if (!cache || !spins) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(dynamic)
        for (size_t b = 0; b < blocks; b++)
            if (cache && spins && !stops(&stopped))
                walk_block(out, energy, &ops, cache, spins, b << bits, bits);
        SPN_FREE_ALL(cache, spins);
    }
    return failed ? spn_exact_no_memory(err, "the caches", spn_energy_cache_size(energy)) : SPN_OK;
}

static spn_status find_range(spn_landscape *l, const char *name, spn_error *err)
{
    bool integers = true;
    l->minimum = INFINITY;
    l->maximum = -INFINITY;
    for (size_t k = 0; k < l->states; k++) {
        const double e = l->energy[k];
        if (!isfinite(e))
            return spn_fail(err, SPN_ERROR_ENERGY,
                            "energy %s is %s at state %zu, expected a number", name,
                            isnan(e) ? "NaN" : "infinite", k);
        integers = integers && e == floor(e);
        l->minimum = fmin(l->minimum, e);
        l->maximum = fmax(l->maximum, e);
    }
    l->tolerance = integers ? 0 : 1e-11 * fmax(fabs(l->minimum), fabs(l->maximum));
    return SPN_OK;
}

static spn_status find_minima(spn_landscape *l, spn_error *err)
{
    double step = INFINITY;
    for (size_t k = 0; k < l->states; k++) {
        const double above = l->energy[k] - l->minimum;
        if (above <= l->tolerance)
            l->minima_count++;
        else if (above < step)
            step = above;
    }
    l->step = isinf(step) ? 0 : step;
    l->minima = spn_alloc(l->minima_count, sizeof *l->minima);
    SPN_EXACT_NEED(l->minima, err, "the minima", 4 * l->minima_count);
    size_t found = 0;
    for (size_t k = 0; k < l->states; k++)
        if (spn_landscape_is_minimum(l, k))
            l->minima[found++] = (uint32_t)k;
    return SPN_OK;
}

static spn_status fill(spn_landscape *l, const spn_energy *energy, spn_error *err)
{
    l->energy = spn_alloc(l->states, sizeof *l->energy);
    SPN_EXACT_NEED(l->energy, err, "the energies", l->states * sizeof *l->energy);
    SPN_TRY(enumerate(l->energy, energy, err));
    SPN_TRY(find_range(l, energy->slots->name, err));
    return find_minima(l, err);
}

spn_status spn_landscape_create(spn_landscape **out, const spn_energy *energy, unsigned threads,
                                spn_error *err)
{
    SPN_LIMIT_THREADS(threads);
    const size_t sites = energy->sites;
    SPN_REFUSE_IF(sites > SPN_EXACT_SITES, err,
                  "exact laws enumerate 2^N states, and N may be up to %d (about 0.7 GB); "
                  "N=%zu would take %.3g GB",
                  SPN_EXACT_SITES, sites, 40e-9 * pow(2.0, (double)sites));
    spn_landscape *l = spn_alloc(1, sizeof *l);
    SPN_EXACT_NEED(l, err, "a landscape", sizeof *l);
    l->sites = sites;
    l->states = (size_t)1 << sites;
    l->threads = threads;
    SPN_HAND_OVER(out, l, spn_landscape_free, fill(l, energy, err));
}

void spn_landscape_free(spn_landscape *landscape)
{
    if (!landscape)
        return;
    SPN_FREE_ALL(landscape->energy, landscape->minima, landscape);
}
