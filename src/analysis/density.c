/* How many minima lie near each minimum: distances between all pairs. */
#include "analysis/common.h"
#include "base/memory.h"
#include "base/try.h"

#include <spinney/density.h>

/* The histogram of distances from minimum j, then its cumulative sums. */
static void count_row(spn_density *d, const uint32_t *minima, size_t j)
{
    uint32_t *row = d->within + j * (d->sites + 1);
    for (size_t k = 0; k < d->count; k++)
        row[__builtin_popcount(minima[j] ^ minima[k])]++;
    d->nearest[j] = (uint32_t)d->sites + 1;
    for (size_t r = d->sites; r > 0; r--)
        if (row[r] > 0)
            d->nearest[j] = (uint32_t)r;
    for (size_t r = 1; r <= d->sites; r++)
        row[r] += row[r - 1];
}

spn_status spn_density_create(spn_density **out, const spn_landscape *landscape, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    const size_t count = landscape->minima_count;
    if (count > SPN_DENSITY_MINIMA)
        return spn_refuse(err,
                          "the energy has %zu minima, and distances are counted between at most "
                          "%d: the time grows as their square",
                          count, SPN_DENSITY_MINIMA);
    const size_t sites = landscape->sites, bytes = count * (sites + 2) * sizeof(uint32_t);
    spn_density *d = spn_alloc(1, sizeof *d + bytes); /* with its two arrays */
    if (!d)
        return spn_exact_no_memory(err, "the densities", bytes);
    d->sites = sites;
    d->count = count;
    d->within = (uint32_t *)(void *)(d + 1);
    d->nearest = d->within + count * (sites + 1);
#pragma omp parallel for schedule(static) if (count > 1024)
    for (size_t j = 0; j < count; j++)
        count_row(d, landscape->minima, j);
    *out = d;
    return SPN_OK;
}

void spn_density_balls(const spn_density *density, size_t radius, size_t k, size_t *out_exactly,
                       size_t *out_at_least)
{
    const size_t r = radius < density->sites ? radius : density->sites;
    size_t exactly = 0, at_least = 0;
    for (size_t j = 0; j < density->count; j++) {
        const size_t within = density->within[j * (density->sites + 1) + r];
        exactly += within == k;
        at_least += within >= k;
    }
    if (out_exactly)
        *out_exactly = exactly;
    if (out_at_least)
        *out_at_least = at_least;
}
