#include "task/exact/exact.h"
#include "task/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct dense_found {
    double states, minima, share, apart, marginal, bound;
    double mass, mass_infinity, mass_gamma_infinity;
    double best_gamma, best_mass, best_refined;
} dense_found;

const char *spn_exact_dense_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    return p->has_ball || p->dense ? NULL : "give a dense set: dense-center or dense";
}

SPN_NEEDS(best_needs, spn_exact_plan, p->best_gamma, "give best-gamma")

#define AT(member) offsetof(dense_found, member)
const spn_quantity spn_exact_dense_results[] = {
    {"dense_states", .at = AT(states), .help = "states of the dense set D"},
    {"dense_minima", .at = AT(minima), .help = "minima in D"},
    {"share", .at = AT(share), .help = "share of the minima that lie in D"},
    {"dense_apart", .at = AT(apart),
     .help = "least distance of a minimum outside D to any other minimum"},
    {"dense_mass", .at = AT(mass), .help = "probability that all replicas lie in D"},
    {"dense_mass_infinity", .at = AT(mass_infinity), .help = "dense_mass at beta = inf"},
    {"dense_mass_gamma_infinity", .at = AT(mass_gamma_infinity),
     .help = "dense_mass at gamma = inf"},
    {"dense_mass_marginal", .at = AT(marginal), .order = -1, .needs = spn_exact_law_needs,
     .help = "probability that one replica lies in D"},
    {"dense_mass_bound", .at = AT(bound),
     .help = "bound of Proposition 3.5 on dense_mass_infinity, where its proof applies"},
    {"best_gamma", .at = AT(best_gamma), .needs = best_needs,
     .help = "gamma of the largest dense_mass"},
    {"best_mass", .at = AT(best_mass), .needs = best_needs, .help = "dense_mass there"},
    {"best_refined", .at = AT(best_refined), .needs = best_needs,
     .help = "1: between the values of best-gamma; 0: one of them"},
    {0}};
#undef AT

spn_status spn_exact_dense_set(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    const spn_problem *given = p->dense_states;
    spn_error why = {0};
    if (p->has_ball)
        return spn_dense_set_ball(&r->dense, r->landscape, p->center, p->dense_radius, r->err);
    if (!given)
        return SPN_OK;
    uint32_t *states = spn_alloc(given->count, sizeof *states);
    if (!states)
        return spn_no_memory(r->err, "the dense set");
    for (size_t k = 0; k < given->count * given->sites; k++)
        states[k / given->sites] |= (uint32_t)(given->rows[k] > 0) << k % given->sites;
    const spn_status status =
        spn_dense_set_states(&r->dense, r->landscape, states, given->count, &why);
    free(states);
    return status ? spn_setting_blame("dense", &why, r->err) : SPN_OK;
}

static spn_status find_mass(double *out, const spn_exact_run *r, double beta, double gamma)
{
    return spn_dense_mass(out, r->landscape, r->plan->replicas, beta, gamma, r->dense->states,
                          r->dense->count, r->err);
}

spn_status spn_exact_dense(spn_exact_run *r)
{
    const spn_exact_plan *p = r->plan;
    const spn_dense_set *d = r->dense;
    bool refined = false;
    if (!d)
        return SPN_OK;
    dense_found found = {.states = (double)d->count,
                         .minima = (double)d->minima,
                         .share = (double)d->minima / (double)r->landscape->minima_count,
                         .apart = d->apart > 0 && d->apart <= p->sites ? (double)d->apart : NAN,
                         .marginal = r->marginal};
    SPN_TRY(find_mass(&found.mass, r, p->beta, p->gamma));
    SPN_TRY(find_mass(&found.mass_infinity, r, INFINITY, p->gamma));
    SPN_TRY(find_mass(&found.mass_gamma_infinity, r, p->beta, INFINITY));
    found.bound = spn_dense_set_bound(d, r->landscape, p->replicas, p->gamma);
    if (p->gammas)
        SPN_TRY(spn_dense_set_best_gamma(&found.best_gamma, &found.best_mass, &refined, d,
                                         r->landscape, p->replicas, p->beta, p->gammas,
                                         p->gamma_count, r->err));
    found.best_refined = refined;
    return spn_exact_add(r, spn_exact_dense_results, &found, p);
}

/* Above this the minima are counted, not listed. */
enum { MINIMA_MOST = 65536 };

typedef struct radius_row {
    double radius, isolated, fewest, mean, most;
} radius_row;

typedef struct ball_row {
    double radius, k, exactly, at_least;
} ball_row;

typedef struct minimum_row {
    double state, nearest;
} minimum_row;

typedef struct minima_found {
    spn_curve_rows radii, balls, minima;
    spn_matrix within; /* row j, column R: minima within R of minimum j */
    double *columns[SPN_EXACT_SITES + 1];
    char texts[SPN_EXACT_SITES + 1][24];
    const char *names[SPN_EXACT_SITES + 1];
} minima_found;

static const spn_quantity radius_columns[] = {
    SPN_EXACT_COLUMN("density.radius", radius_row, radius, "R",
                     "radius of closed balls around minima"),
    SPN_EXACT_COLUMN("density.isolated", radius_row, isolated, "isolated minima",
                     "minima alone in their ball"),
    SPN_EXACT_COLUMN("density.fewest", radius_row, fewest, "minima within R",
                     "fewest minima in a ball"),
    SPN_EXACT_COLUMN("density.mean", radius_row, mean, "minima within R",
                     "mean number of minima in a ball"),
    SPN_EXACT_COLUMN("density.most", radius_row, most, "minima within R", "most minima in a ball"),
    {0}};

static const spn_quantity ball_columns[] = {
    SPN_EXACT_DETAIL("balls.radius", ball_row, radius, "R", "radius of closed balls around minima"),
    SPN_EXACT_DETAIL("balls.k", ball_row, k, "k", "number of minima in a ball"),
    SPN_EXACT_DETAIL("balls.exactly", ball_row, exactly, "minima",
                     "minima whose ball holds exactly k"),
    SPN_EXACT_DETAIL("balls.at_least", ball_row, at_least, "minima",
                     "minima whose ball holds at least k"),
    {0}};

static const spn_quantity nearest_column[] = {
    SPN_EXACT_DETAIL("minima.nearest", minimum_row, nearest, "distance",
                     "distance of each minimum to the nearest other one"),
    {0}};

static const spn_quantity state_column[] = {
    SPN_EXACT_DETAIL("minima.state", minimum_row, state, "state", "index of each minimum"), {0}};

#define AT(member) offsetof(minima_found, member)
const spn_quantity spn_exact_density_results[] = {
    {.group = radius_columns, .at = AT(radii)},
    {.group = ball_columns, .at = AT(balls)},
    {.group = nearest_column,
     .at = AT(minima),
     .order = 2}, /* in records it comes after minima.state */
    {"within", SPN_QUANTITY_MATRIX, SPN_QUANTITY_DETAIL, .at = AT(within),
     .label = "minima within R",
     .help = "minima in the ball of each radius (column) around each minimum (row)"},
    {0}};
const spn_quantity spn_exact_minima_results[] = {
    {.group = state_column, .at = AT(minima), .order = 1}, {0}};
#undef AT

static void fill_radius(radius_row *out, const spn_density *d, size_t radius)
{
    double sum = 0;
    *out = (radius_row){.radius = (double)radius, .fewest = INFINITY};
    for (size_t j = 0; j < d->count; j++) {
        const double within = d->within[j * (d->sites + 1) + radius];
        out->isolated += spn_density_isolated(d, j, radius);
        out->fewest = fmin(out->fewest, within);
        out->most = fmax(out->most, within);
        sum += within;
    }
    out->mean = sum / (double)d->count;
}

/* For each radius and each k that occurs, count the minima whose ball holds k minima. */
static size_t fill_balls(ball_row *out, const spn_density *d)
{
    size_t rows = 0;
    for (size_t radius = 0; radius <= d->sites; radius++)
        for (size_t k = 1, left = d->count; left > 0; k++) {
            size_t exactly, at_least;
            spn_density_balls(d, radius, k, &exactly, &at_least);
            left -= exactly;
            if (exactly > 0)
                out[rows++] =
                    (ball_row){(double)radius, (double)k, (double)exactly, (double)at_least};
        }
    return rows;
}

static spn_status fill_density(minima_found *out, const spn_density *d, spn_error *err)
{
    const size_t radii = d->sites + 1;
    radius_row *rows = out->radii.rows = spn_alloc(radii, sizeof *rows);
    ball_row *balls = out->balls.rows = spn_alloc(radii * d->count, sizeof *balls);
    double *values = out->columns[0] = spn_alloc(radii * d->count, sizeof *values);
    SPN_NEED(rows && balls && values, err, "the density");
    for (size_t radius = 0; radius < radii; radius++) {
        fill_radius(&rows[radius], d, radius);
        out->columns[radius] = values + radius * d->count;
        for (size_t j = 0; j < d->count; j++)
            out->columns[radius][j] = d->within[j * radii + radius];
        snprintf(out->texts[radius], sizeof out->texts[radius], "%zu", radius);
        out->names[radius] = out->texts[radius];
    }
    out->radii = (spn_curve_rows){radii, sizeof *rows, rows};
    out->balls = (spn_curve_rows){fill_balls(balls, d), sizeof *balls, balls};
    out->within = (spn_matrix){d->count, radii, out->names, out->columns};
    return SPN_OK;
}

static spn_status list_minima(minima_found *out, const spn_landscape *l, const spn_density *d,
                              spn_error *err)
{
    if (l->minima_count > MINIMA_MOST)
        return SPN_OK;
    minimum_row *rows = spn_curve_make(&out->minima, l->minima_count, sizeof *rows, err);
    for (size_t j = 0; rows && j < l->minima_count; j++)
        rows[j] = (minimum_row){l->minima[j], d ? (double)d->nearest[j] : (double)NAN};
    return rows ? SPN_OK : SPN_ERROR_MEMORY;
}

spn_status spn_exact_minima(spn_exact_run *r)
{
    const spn_quantity minima[] = {{.group = spn_exact_minima_results}, {0}};
    const spn_quantity both[] = {
        {.group = spn_exact_density_results}, {.group = spn_exact_minima_results}, {0}};
    minima_found found = {.radii.rows = NULL};
    spn_density *d = NULL;
    spn_status status;
    if (r->plan->density) {
        SPN_TRY(spn_density_create(&d, r->landscape, r->err));
        SPN_TRY_OR(cleanup, fill_density(&found, d, r->err));
    }
    if (r->details)
        SPN_TRY_OR(cleanup, list_minima(&found, r->landscape, d, r->err));
    status = spn_exact_add(r, d ? both : minima, &found, NULL);
cleanup:
    SPN_FREE_ALL(found.radii.rows, found.balls.rows, found.minima.rows, found.columns[0]);
    spn_density_free(d);
    return status;
}
