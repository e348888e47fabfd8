/* spinney exact: the laws, constants and chains at every point asked for. */
#include "cli/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Phi and P are kept up to this many doubles in all. */
static const double KEEP_MOST = 4194304;

/* Gaps are computed unasked up to this many replicated states over all points: at about 10 us each
   on one core, less than a minute for each kernel. */
static const double GAP_STATES_MOST = 0x1p22;

/* And acceptance and M, at about 2 us, up to this many. */
static const double CHAIN_STATES_MOST = 0x1p23;

static void forget(exact_point *p)
{
    exact_chain none = {.height = NAN};
    none.balance = (spn_balance){NAN, NAN, NAN};
    none.gap = (spn_gap){.gap = NAN, .lambda1 = NAN, .lambda_min = NAN, .accuracy = NAN};
    for (size_t k = 0; k < EXACT_KERNELS; k++)
        p->chain[k] = none;
    p->law = (spn_law){.log_z = NAN,
                       .log_z_marginal = NAN,
                       .mean_energy = NAN,
                       .overlap = NAN,
                       .prob_minimum = NAN,
                       .max_probability = NAN,
                       .aligned_minimum = NAN,
                       .entropy = NAN,
                       .centre_entropy = NAN};
    p->mass = p->mass_cold = p->mass_aligned = p->mass_bound = p->marginal_mass = NAN;
}

static bool make_points(exact *e)
{
    e->points = calloc(e->count, sizeof *e->points);
    for (size_t k = 0; e->points && k < e->count; k++) {
        exact_point *p = &e->points[k];
        forget(p);
        p->gamma = e->gamma.values[k % e->gamma.count];
        p->beta = e->beta.values[k / e->gamma.count % e->beta.count];
        p->replicas = (size_t)e->replicas.values[k / e->gamma.count / e->beta.count];
    }
    return e->points != NULL;
}

static double *copy_of(const double *values, size_t count)
{
    double *copy = malloc(count * sizeof *copy);
    if (copy)
        memcpy(copy, values, count * sizeof *copy);
    return copy;
}

static bool keeps_arrays(const exact *e)
{
    return cli_given(e->values, "json") && e->landscape->sites <= EXACT_PHI_SITES &&
           2.0 * (double)e->count * (double)e->landscape->states <= KEEP_MOST;
}

static spn_status compute_law(exact *e, exact_point *p, spn_error *err)
{
    spn_law *law = NULL;
    const spn_status status =
        spn_law_create(&law, e->landscape, p->replicas, p->beta, p->gamma, SPN_LAW_AUTO, err);
    if (status)
        return status;
    if (e->dense.states)
        p->marginal_mass = spn_law_mass(law, e->dense.states, e->dense.count);
    if (keeps_arrays(e)) {
        p->phi = copy_of(law->phi, e->landscape->states);
        p->P = copy_of(law->centre, e->landscape->states);
    }
    p->law = *law;
    p->law.phi = p->law.centre = p->law.marginal = NULL;
    p->law_done = true;
    spn_law_free(law);
    return SPN_OK;
}

/* One kernel at one point; op is of the point's number of replicas. */
static spn_status compute_chain(exact *e, exact_point *p, size_t kernel, spn_operator *op,
                                bool with_gap, spn_error *err)
{
    exact_chain *chain = &p->chain[kernel];
    spn_status status = spn_operator_set(op, (spn_kernel)kernel, p->beta, p->gamma, err);
    if (!status)
        status = spn_operator_balance(&chain->balance, op, err);
    if (!status)
        status = spn_replicated_height(&chain->height, e->landscape, p->replicas,
                                       (spn_kernel)kernel, p->beta, p->gamma, err);
    if (!status && with_gap)
        status = spn_operator_gap(&chain->gap, op, NULL, err);
    chain->done = status == SPN_OK;
    chain->gap_done = chain->done && with_gap;
    if (chain->gap_done && !chain->gap.converged)
        exact_note(e,
                   "not converged: the %s gap at y=%zu, beta=%g, gamma=%g is an upper bound "
                   "(estimated relative error %.1g after %zu iterations)",
                   spn_kernel_name((spn_kernel)kernel), p->replicas, p->beta, p->gamma,
                   chain->gap.accuracy, chain->gap.iterations);
    return status;
}

/* All kernels at all points of one number of replicas. */
static spn_status compute_chains(exact *e, size_t y, bool with_gap, spn_error *err)
{
    const size_t replicas = (size_t)e->replicas.values[y], each = e->beta.count * e->gamma.count;
    spn_operator *op = NULL;
    spn_status status =
        spn_operator_create(&op, e->landscape, replicas, SPN_KERNEL_TWO_STAGE, 0, 0, err);
    for (size_t j = 0; !status && j < each; j++) {
        exact_point *p = &e->points[y * each + j];
        for (size_t k = 0; isfinite(p->beta) && !status && k < EXACT_KERNELS; k++)
            if (e->kernels[k])
                status = compute_chain(e, p, k, op, with_gap, err);
    }
    spn_operator_free(op);
    return status;
}

/* Replicated states of all points at a finite beta: what the cost of gaps grows with. */
static double gap_states(const exact *e, size_t y)
{
    size_t points = 0;
    for (size_t b = 0; b < e->beta.count; b++)
        points += isfinite(e->beta.values[b]) ? e->gamma.count : 0;
    return (double)points * pow(2.0, (double)e->landscape->sites * e->replicas.values[y]);
}

static bool wants_gap(exact *e, size_t y)
{
    const double states = gap_states(e, y);
    if (e->gap == EXACT_ALWAYS)
        return true;
    if (e->gap == EXACT_AUTO && states <= GAP_STATES_MOST)
        return true;
    if (e->gap == EXACT_AUTO)
        exact_note(e,
                   "gaps left out at y=%g: %.3g replicated states over all points, about %.0f s "
                   "for each kernel; --gap always computes them",
                   e->replicas.values[y], states, states * 10e-6);
    return false;
}

/* The chains of every number of replicas that is small enough; an error only where they were asked
   for in so many words. */
static int compute_all_chains(exact *e)
{
    spn_error err = {0};
    if (cli_given(e->values, "no-chain"))
        return CLI_OK;
    for (size_t y = 0; y < e->replicas.count; y++) {
        const double bits = (double)e->landscape->sites * e->replicas.values[y];
        if (gap_states(e, y) == 0)
            continue; /* only beta = inf: no chain */
        if (bits > SPN_EXACT_BITS && e->gap != EXACT_ALWAYS) {
            exact_note(e,
                       "chains left out at y=%g: they need all 2^(N y) replicated states, and N y "
                       "= %g is above %d (%.3g GB)",
                       e->replicas.values[y], bits, SPN_EXACT_BITS, 40e-9 * pow(2, bits));
            continue;
        }
        if (gap_states(e, y) > CHAIN_STATES_MOST && e->gap != EXACT_ALWAYS) {
            exact_note(e,
                       "chains left out at y=%g: %.3g replicated states over all points, about "
                       "%.0f s for each kernel; --gap always computes them",
                       e->replicas.values[y], gap_states(e, y), gap_states(e, y) * 12e-6);
            continue;
        }
        if (compute_chains(e, y, wants_gap(e, y), &err))
            return exact_fail(e, &err);
    }
    return CLI_OK;
}

static int by_beta(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* The slope of log psi for one (y, gamma, kernel); rows holds 2 doubles for each beta. */
static void add_fit(exact *e, size_t y, size_t g, size_t kernel, double *rows, double *columns)
{
    size_t count = 0;
    for (size_t b = 0; b < e->beta.count; b++) {
        const exact_point *p = exact_at(e, y, b, g);
        if (p->chain[kernel].gap_done && p->chain[kernel].gap.gap > 0) {
            rows[2 * count] = p->beta;
            rows[2 * count++ + 1] = p->chain[kernel].gap.gap;
        }
    }
    qsort(rows, count, 2 * sizeof *rows, by_beta);
    for (size_t n = 0; n < count; n++) {
        columns[n] = rows[2 * n];
        columns[e->beta.count + n] = rows[2 * n + 1];
    }
    const exact_point *first = exact_at(e, y, 0, g);
    exact_fit fit = {.replicas = first->replicas, .kernel = kernel, .gamma = first->gamma};
    if (!spn_gap_fit_compute(&fit.fit, columns, columns + e->beta.count, count, e->heights.m, NULL))
        e->fits[e->fit_count++] = fit;
}

static int fit_gaps(exact *e)
{
    const size_t most = e->replicas.count * e->gamma.count * EXACT_KERNELS;
    if (e->beta.count < 2 || most == 0)
        return CLI_OK;
    double *rows = calloc(2 * e->beta.count, sizeof *rows);
    double *columns = calloc(2 * e->beta.count, sizeof *columns);
    e->fits = calloc(most, sizeof *e->fits);
    const bool good = rows && columns && e->fits;
    for (size_t k = 0; good && k < most; k++)
        add_fit(e, k / EXACT_KERNELS / e->gamma.count, k / EXACT_KERNELS % e->gamma.count,
                k % EXACT_KERNELS, rows, columns);
    free(rows);
    free(columns);
    return good ? CLI_OK : exact_no_memory(e);
}

int exact_compute(exact *e)
{
    spn_error err = {0};
    if (!make_points(e))
        return exact_no_memory(e);
    spn_status status = spn_landscape_heights(&e->heights, e->landscape, &err);
    const int failed = status ? exact_fail(e, &err) : compute_all_chains(e);
    if (failed)
        return failed;
    for (size_t k = 0; !status && k < e->count; k++) {
        exact_point *p = &e->points[k];
        status = spn_constants_compute(&p->constants, e->landscape, p->replicas, p->beta, p->gamma,
                                       &err);
        if (!status && !cli_given(e->values, "no-law"))
            status = compute_law(e, p, &err);
    }
    return status ? exact_fail(e, &err) : fit_gaps(e);
}
