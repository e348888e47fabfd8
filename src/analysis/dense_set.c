/* The dense set of Situation 3.4 (a ball or any states): how isolated the minima outside it are,
   the bound of Proposition 3.5 on its mass, and the gamma that maximises the mass. */
#include "analysis/common.h"

#include <spinney/density.h>
#include <spinney/sampler.h>
#include <string.h>

/* Distances are computed for at most this number of minima. */
enum { PAIRS_MOST = 1 << 14 };

/* The least distance of a minimum outside D to any other minimum. */
static size_t find_apart(const spn_landscape *l, const bool *inside)
{
    size_t least = l->sites + 1;
    for (size_t j = 0; j < l->minima_count; j++)
        for (size_t k = 0; !inside[j] && k < l->minima_count; k++) {
            const size_t distance = (size_t)__builtin_popcount(l->minima[j] ^ l->minima[k]);
            if (k != j && distance < least)
                least = distance;
        }
    return least;
}

/* Check the states, and see which of the minima are among them. */
static spn_status survey(spn_dense_set *set, const spn_landscape *l, spn_error *err)
{
    bool *member = NULL, *inside = spn_alloc(l->minima_count, sizeof *inside);
    spn_status status;
    SPN_EXACT_NEED_OR(cleanup, inside, err, "a set of states", l->minima_count);
    SPN_TRY_OR(cleanup, spn_mark_states(&member, l, set->states, set->count, err));
    for (size_t j = 0; j < l->minima_count; j++)
        set->minima += inside[j] = member[l->minima[j]];
    if (l->minima_count <= PAIRS_MOST)
        set->apart = find_apart(l, inside);
cleanup:
    SPN_FREE_ALL(member, inside);
    return status;
}

static spn_dense_set *allocate(size_t room)
{
    spn_dense_set *set = spn_alloc(1, sizeof *set + room * sizeof *set->states);
    if (set)
        set->states = (uint32_t *)(void *)(set + 1);
    return set;
}

static spn_status finish(spn_dense_set **out, spn_dense_set *set, const spn_landscape *l,
                         spn_error *err)
{
    SPN_HAND_OVER(out, set, spn_dense_set_free, survey(set, l, err));
}

spn_status spn_dense_set_ball(spn_dense_set **out, const spn_landscape *landscape, size_t center,
                              size_t radius, spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(center >= landscape->states || radius > landscape->sites, err,
                  "a ball has a center from 0 to %zu and a radius from 0 to %zu, not %zu and %zu",
                  landscape->states - 1, landscape->sites, center, radius);
    spn_dense_set *set = allocate(landscape->states);
    SPN_EXACT_NEED(set, err, "a ball", 4 * landscape->states);
    for (size_t k = 0; k < landscape->states; k++)
        if ((size_t)__builtin_popcountll(k ^ center) <= radius)
            set->states[set->count++] = (uint32_t)k;
    set->is_ball = true;
    set->center = (uint32_t)center;
    set->radius = radius;
    return finish(out, set, landscape, err);
}

spn_status spn_dense_set_states(spn_dense_set **out, const spn_landscape *landscape,
                                const uint32_t *states, size_t count, spn_error *err)
{
    *out = NULL;
    spn_dense_set *set = allocate(count ? count : 1);
    SPN_EXACT_NEED(set, err, "a set of states", 4 * count);
    memcpy(set->states, states, count * sizeof *states);
    set->count = count;
    return finish(out, set, landscape, err);
}

double spn_dense_set_bound(const spn_dense_set *set, const spn_landscape *landscape,
                           size_t replicas, double gamma)
{
    const double y = (double)replicas, minima = (double)landscape->minima_count;
    const double B_prime = spn_log_cosh(gamma * y) - spn_log_cosh(gamma * (y - 2));
    const bool isolated = set->apart > 0 && set->apart <= landscape->sites;
    if (!set->is_ball || !isolated || set->minima == 0 ||
        (double)set->apart * B_prime < y * log(minima))
        return NAN;
    const double log_ratio =
        spn_dense_log_bound((double)set->minima, minima, replicas, gamma, set->radius);
    return 1 / (1 + exp(-log_ratio));
}

typedef struct search {
    const spn_landscape *landscape;
    const spn_dense_set *set;
    size_t replicas;
    double beta;
    double gamma, mass; /* of the largest mass seen */
    bool refined;
} search;

static spn_status find_mass(double *out, const search *s, double gamma, spn_error *err)
{
    return spn_dense_mass(out, s->landscape, s->replicas, s->beta, gamma, s->set->states,
                          s->set->count, err);
}

static spn_status refine(search *s, double low, double high, spn_error *err)
{
    const double golden = 0.5 * (sqrt(5.0) - 1);
    double x[2] = {high - golden * (high - low), low + golden * (high - low)}, value[2];
    SPN_TRY(find_mass(&value[0], s, x[0], err));
    SPN_TRY(find_mass(&value[1], s, x[1], err));
    while (high - low > 1e-6 * high && !spn_pause_now()) {
        const int worse = value[0] < value[1] ? 0 : 1;
        *(worse == 0 ? &low : &high) = x[worse];
        x[worse] = x[1 - worse];
        value[worse] = value[1 - worse];
        x[1 - worse] = worse == 0 ? low + golden * (high - low) : high - golden * (high - low);
        SPN_TRY(find_mass(&value[1 - worse], s, x[1 - worse], err));
    }
    const int top = value[0] < value[1] ? 1 : 0;
    if (value[top] > s->mass) {
        s->gamma = x[top];
        s->mass = value[top];
        s->refined = true;
    }
    return SPN_OK;
}

static spn_status scan(search *s, const double *gammas, size_t count, spn_error *err)
{
    for (size_t g = 0; g < count && !spn_pause_now(); g++) {
        double mass;
        SPN_TRY(find_mass(&mass, s, gammas[g], err));
        if (mass > s->mass) {
            s->gamma = gammas[g];
            s->mass = mass;
        }
    }
    return SPN_OK;
}

/* The neighbours of the best value; if there are only two values, both of them. */
static void find_neighbours(double *low, double *high, const search *s, const double *gammas,
                            size_t count)
{
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t g = 0; g < count; g++) {
        *low = gammas[g] < s->gamma ? fmax(*low, gammas[g]) : *low;
        *high = gammas[g] > s->gamma ? fmin(*high, gammas[g]) : *high;
    }
    if (count == 2) {
        *low = fmin(gammas[0], gammas[1]);
        *high = fmax(gammas[0], gammas[1]);
    }
}

spn_status spn_dense_set_best_gamma(double *gamma, double *mass, bool *refined,
                                    const spn_dense_set *set, const spn_landscape *landscape,
                                    size_t replicas, double beta, const double *gammas,
                                    size_t count, spn_error *err)
{
    search s = {.landscape = landscape,
                .set = set,
                .replicas = replicas,
                .beta = beta,
                .gamma = NAN,
                .mass = -1};
    SPN_REFUSE_IF(count < 1, err, "the best gamma needs values to start from");
    for (size_t g = 0; g < count; g++)
        SPN_REFUSE_IF(!isfinite(gammas[g]), err, "gamma must be finite, not %g", gammas[g]);
    SPN_TRY(scan(&s, gammas, count, err));
    double low, high;
    find_neighbours(&low, &high, &s, gammas, count);
    if (isfinite(low) && isfinite(high))
        SPN_TRY(refine(&s, low, high, err));
    *gamma = s.gamma;
    *mass = s.mass;
    if (refined)
        *refined = s.refined;
    return SPN_OK;
}

/* ---- how many minima lie near each minimum: distances between all pairs ---- */

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
    SPN_REFUSE_IF(count > SPN_DENSITY_MINIMA, err,
                  "the energy has %zu minima, and distances are counted between at most "
                  "%d: the time grows as their square",
                  count, SPN_DENSITY_MINIMA);
    const size_t sites = landscape->sites, bytes = count * (sites + 2) * sizeof(uint32_t);
    spn_density *d = spn_alloc(1, sizeof *d + bytes); /* with its two arrays */
    SPN_EXACT_NEED(d, err, "the densities", bytes);
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
