/* spinney exact: the dense set D, its mass over y, beta and gamma, and the counts of minima. */
#include "cli/exact.h"

#include "cli/planted.h"
#include "cli/problem.h"
#include <math.h>
#include <stdlib.h>

enum { PAIRS_MOST = 1 << 14, REFINE_SITES = 16 };

static int set_ball(exact *e, uint32_t center, size_t radius)
{
    exact_dense *d = &e->dense;
    d->states = malloc(e->landscape->states * sizeof *d->states);
    if (!d->states)
        return exact_no_memory(e);
    for (size_t k = 0; k < e->landscape->states; k++)
        if ((size_t)__builtin_popcountll(k ^ center) <= radius)
            d->states[d->count++] = (uint32_t)k;
    d->ball = true;
    d->center = center;
    d->radius = radius;
    return CLI_OK;
}

static int read_ball(exact *e)
{
    uint64_t center, radius;
    if (!exact_read_state(&center, e, "dense-center", e->landscape->sites, 1) ||
        !cli_whole(&radius, e->values, "dense-radius", 0, e->landscape->sites))
        return CLI_USAGE;
    return set_ball(e, (uint32_t)center, (size_t)radius);
}

static int read_file(exact *e)
{
    const char *path = cli_text(e->values, "dense");
    exact_dense *d = &e->dense;
    spn_problem *states = NULL;
    spn_error err = {0};
    if (spn_problem_read(&states, SPN_PROBLEM_STATES, path, &err))
        return exact_fail(e, &err);
    int status = CLI_OK;
    const size_t sites = e->landscape->sites;
    if (spn_problem_sites(states) != sites)
        status = cli_error(e->values->command, "%s: states of %zu spins, but the energy has %zu",
                           path, spn_problem_sites(states), sites);
    else if (!(d->states = calloc(spn_problem_count(states), sizeof *d->states)))
        status = exact_no_memory(e);
    for (size_t m = 0; d->states && m < spn_problem_count(states); m++)
        for (size_t i = 0; i < sites; i++)
            d->states[m] |= (uint32_t)(spn_problem_rows(states)[m * sites + i] > 0) << i;
    d->count = spn_problem_count(states);
    spn_problem_free(states);
    return status;
}

/* The least distance of a minimum outside D to any other minimum. */
static size_t nearest_outside(const exact *e, const bool *inside)
{
    const spn_landscape *l = e->landscape;
    size_t nearest = l->sites + 1;
    for (size_t j = 0; j < l->minima_count; j++)
        for (size_t k = 0; !inside[j] && k < l->minima_count; k++) {
            const size_t distance = (size_t)__builtin_popcount(l->minima[j] ^ l->minima[k]);
            if (k != j && distance < nearest)
                nearest = distance;
        }
    return nearest;
}

/* A, and how isolated the other minima are. */
static int count_minima(exact *e)
{
    const spn_landscape *l = e->landscape;
    bool *member = calloc(l->states, 1), *inside = calloc(l->minima_count, 1);
    const bool good = member && inside;
    for (size_t j = 0; good && j < e->dense.count; j++)
        member[e->dense.states[j]] = true;
    for (size_t j = 0; good && j < l->minima_count; j++)
        e->dense.minima += inside[j] = member[l->minima[j]];
    if (good && l->minima_count <= PAIRS_MOST)
        e->dense.nearest = nearest_outside(e, inside);
    free(member);
    free(inside);
    return good ? CLI_OK : exact_no_memory(e);
}

int exact_read_dense(exact *e)
{
    int status = CLI_OK;
    uint64_t radius;
    if (cli_given(e->values, "dense"))
        status = read_file(e);
    else if (cli_given(e->values, "dense-center"))
        status = read_ball(e);
    else if (!cli_is_planted(e->values))
        return CLI_OK;
    else if (cli_whole(&radius, e->values, "ball", 0, e->landscape->sites))
        status = set_ball(e, 0, (size_t)radius);
    return status ? status : count_minima(e);
}

/* The bound of Proposition 3.5 on Qbar_inf(D^y), where its proof applies: D a ball, the other
   minima isolated, and gamma so large that replicas at different minima outside weigh less than
   aligned ones: nearest B' >= y log B. */
static double mass_bound(const exact *e, const exact_point *p)
{
    const exact_dense *d = &e->dense;
    const double minima = (double)e->landscape->minima_count;
    const bool isolated = d->nearest > 0 && d->nearest <= e->landscape->sites;
    if (!d->ball || !isolated || d->minima == 0 ||
        (double)d->nearest * p->constants.B_prime < (double)p->replicas * log(minima))
        return NAN;
    const double log_ratio =
        spn_dense_log_bound((double)d->minima, minima, p->replicas, p->gamma, d->radius);
    return 1 / (1 + exp(-log_ratio));
}

static spn_status mass(double *out, const exact *e, size_t replicas, double beta, double gamma,
                       spn_error *err)
{
    return spn_dense_mass(out, e->landscape, replicas, beta, gamma, e->dense.states, e->dense.count,
                          err);
}

/* The masses at one point; what does not depend on beta, or on gamma, is taken from the first point
   that has it. */
static spn_status fill_point(exact *e, size_t y, size_t b, size_t g, spn_error *err)
{
    exact_point *p = exact_at(e, y, b, g);
    const exact_point *cold = exact_at(e, y, 0, g), *aligned = exact_at(e, y, b, 0);
    spn_status status = SPN_OK;
    if (b == 0)
        status = mass(&p->mass_cold, e, p->replicas, INFINITY, p->gamma, err);
    else
        p->mass_cold = cold->mass_cold;
    if (!status && g == 0)
        status = mass(&p->mass_aligned, e, p->replicas, p->beta, INFINITY, err);
    else
        p->mass_aligned = aligned->mass_aligned;
    if (!status && isfinite(p->beta))
        status = mass(&p->mass, e, p->replicas, p->beta, p->gamma, err);
    else
        p->mass = p->mass_cold;
    p->mass_bound = mass_bound(e, p);
    return status;
}

/* Golden section between two neighbours of the best value asked for. */
static spn_status refine(exact_best *best, const exact *e, size_t replicas, double beta, double low,
                         double high, spn_error *err)
{
    const double share = 0.5 * (sqrt(5.0) - 1);
    double x[2] = {high - share * (high - low), low + share * (high - low)}, value[2];
    spn_status status = mass(&value[0], e, replicas, beta, x[0], err);
    if (!status)
        status = mass(&value[1], e, replicas, beta, x[1], err);
    while (!status && high - low > 1e-6 * high) {
        const int worse = value[0] < value[1] ? 0 : 1;
        *(worse == 0 ? &low : &high) = x[worse];
        x[worse] = x[1 - worse];
        value[worse] = value[1 - worse];
        x[1 - worse] = worse == 0 ? low + share * (high - low) : high - share * (high - low);
        status = mass(&value[1 - worse], e, replicas, beta, x[1 - worse], err);
    }
    const int top = value[0] < value[1] ? 1 : 0;
    if (!status && value[top] > best->mass)
        *best = (exact_best){x[top], value[top], true};
    return status;
}

/* The gamma of the largest mass, at beta = infinity (b = 0) or at beta b - 1. */
static spn_status find_best(exact *e, size_t y, size_t b, spn_error *err)
{
    exact_best *best = &e->best[y * (e->beta.count + 1) + b];
    double low = -INFINITY, high = INFINITY;
    *best = (exact_best){.mass = -1};
    for (size_t g = 0; g < e->gamma.count; g++) {
        const exact_point *p = exact_at(e, y, b ? b - 1 : 0, g);
        const double value = b ? p->mass : p->mass_cold;
        if (value > best->mass)
            *best = (exact_best){p->gamma, value, false};
    }
    for (size_t g = 0; g < e->gamma.count; g++) {
        const double gamma = e->gamma.values[g];
        low = gamma < best->gamma ? fmax(low, gamma) : low;
        high = gamma > best->gamma ? fmin(high, gamma) : high;
    }
    if (isinf(low) || isinf(high) || e->landscape->sites > REFINE_SITES)
        return SPN_OK;
    return refine(best, e, (size_t)e->replicas.values[y], b ? e->beta.values[b - 1] : INFINITY, low,
                  high, err);
}

int exact_compute_dense(exact *e)
{
    spn_error err = {0};
    spn_status status = SPN_OK;
    if (cli_given(e->values, "density"))
        status = spn_density_create(&e->density, e->landscape, &err);
    const size_t betas = e->beta.count;
    for (size_t k = 0; e->dense.states && !status && k < e->count; k++)
        status = fill_point(e, k / (betas * e->gamma.count), k / e->gamma.count % betas,
                            k % e->gamma.count, &err);
    if (e->dense.states && !status && e->gamma.count > 1) {
        const size_t count = e->replicas.count * (betas + 1);
        e->best = calloc(count, sizeof *e->best);
        if (!e->best)
            return exact_no_memory(e);
        for (size_t k = 0; !status && k < count; k++)
            status = find_best(e, k / (betas + 1), k % (betas + 1), &err);
    }
    return status ? exact_fail(e, &err) : CLI_OK;
}
