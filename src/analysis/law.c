/* A law by either method. */
#include "analysis/common.h"

#include "base/text.h"

#include <spinney/sampler.h>
#include <stdlib.h>
#include <string.h>

/* beta E_min, or 0 at beta = infinity, where E_min is subtracted. */
static double shift_of(const spn_landscape *landscape, double beta)
{
    return isinf(beta) ? 0 : beta * landscape->minimum;
}

/* ---- by enumeration ---- */

static bool all_at_minimum(const spn_landscape *landscape, size_t replicas, size_t state)
{
    for (size_t a = 0; a < replicas; a++, state >>= landscape->sites)
        if (!spn_landscape_is_minimum(landscape, state & (landscape->states - 1)))
            return false;
    return true;
}

/* -beta (U - U_min) + H for every replicated state; -infinity outside N_0 at beta = infinity. */
static void log_weights(double *out, double *coupling, const spn_landscape *landscape,
                        size_t replicas, double beta, double gamma)
{
    const size_t states = (size_t)1 << (landscape->sites * replicas);
    const double floor = (double)replicas * landscape->minimum;
    spn_replicated_energy(out, landscape, replicas);
    spn_replicated_coupling(coupling, landscape->sites, replicas, gamma);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++) {
        if (isinf(beta))
            out[k] = all_at_minimum(landscape, replicas, k) ? coupling[k] : -INFINITY;
        else
            out[k] = coupling[k] - beta * (out[k] - floor);
    }
}

/* Phi of one state; terms: scratch for 2^N doubles. */
static double phi_of(size_t state, const double *weights, double *terms, size_t sites, double gamma)
{
    const size_t states = (size_t)1 << sites;
    for (size_t t = 0; t < states; t++) {
        const double distance = (double)__builtin_popcountll(state ^ t);
        terms[t] = weights[t] + gamma * ((double)sites - 2 * distance);
    }
    return spn_log_sum_exp(terms, 1, states);
}

/* O(4^N). */
static void fill_phi(spn_law *law, const spn_landscape *landscape)
{
    const size_t states = landscape->states;
    const double shift = shift_of(landscape, law->beta);
    double *weights = law->centre, *terms = law->marginal; /* neither is in use yet */
    spn_log_weights(weights, landscape, law->beta);
    for (size_t s = 0; s < states; s++)
        law->phi[s] = phi_of(s, weights, terms, law->sites, law->gamma) - shift;
    memset(terms, 0, states * sizeof *terms);
    const double y = (double)law->replicas;
    law->log_z = spn_log_sum_exp(law->phi, y, states);
    for (size_t s = 0; s < states; s++)
        law->centre[s] = exp(y * law->phi[s] - law->log_z);
}

/* The mean over pairs of replicas of <sigma^a, sigma^b>/N: (s_i^2 - y)/(y (y-1)) at each site. */
static double state_overlap(size_t state, size_t sites, size_t replicas)
{
    if (replicas == 1)
        return 1;
    double total = 0;
    for (size_t i = 0; i < sites; i++) {
        double s = 0;
        for (size_t a = 0; a < replicas; a++)
            s += (state >> (a * sites + i) & 1) ? 1 : -1;
        total += s * s - (double)replicas;
    }
    return total / (double)(replicas * (replicas - 1) * sites);
}

/* Sum expectations under Qbar, given by its log weights. */
static void sum_states(spn_law *law, const spn_landscape *landscape, const double *log_weight)
{
    enum { PIECE = 1 << 14 }; /* states between two pauses */
    const size_t sites = law->sites, y = law->replicas, mask = landscape->states - 1;
    const size_t states = (size_t)1 << (sites * y);
    const double norm = spn_log_sum_exp(log_weight, 1, states);
    for (size_t k = 0; k < states && !(k % PIECE == 0 && spn_pause_now()); k++) {
        const double p = exp(log_weight[k] - norm);
        if (p <= 0)
            continue;
        double above = 0;
        for (size_t rest = k, a = 0; a < y; a++, rest >>= sites)
            above += landscape->energy[rest & mask] - landscape->minimum;
        law->marginal[k & mask] += p;
        law->mean_energy += p * above;
        law->prob_minimum += all_at_minimum(landscape, y, k) ? p : 0;
        law->overlap += p * state_overlap(k, sites, y);
        law->entropy -= p * (log_weight[k] - norm);
    }
    law->mean_energy += (double)y * landscape->minimum;
    law->max_probability = exp(spn_law_log_top(sites, y, law->gamma) - norm);
    law->log_z_marginal = norm - (double)y * shift_of(landscape, law->beta);
}

static spn_status enumerate(spn_law *law, const spn_landscape *landscape, spn_error *err)
{
    const size_t states = (size_t)1 << (law->sites * law->replicas);
    double *weights = spn_alloc(states, sizeof *weights);
    double *coupling = spn_alloc(states, sizeof *coupling);
    if (!weights || !coupling) {
        SPN_FREE_ALL(weights, coupling);
        return spn_exact_no_memory(err, "the replicated states", 16 * states);
    }
    log_weights(weights, coupling, landscape, law->replicas, law->beta, law->gamma);
    free(coupling);
    fill_phi(law, landscape);
    sum_states(law, landscape, weights);
    free(weights);
    return SPN_OK;
}

/* ---- by the butterfly transform ----
   Given the centre sigma, the replicas are independent, each with the law w(tau) e^(gamma
   <sigma,tau>)/g(sigma), w = e^(-beta E). So an expectation over Sigma^y is one over the law P of
   the centre, and needs only g = e^Phi. */

/* Passes over a block of this size are made while it is in the cache. */
enum { BLOCK_BITS = 13 };

typedef void pass_fn(double *low, double *high, size_t count, double decay);

static void pass_plain(double *restrict low, double *restrict high, size_t count, double e)
{
    for (size_t k = 0; k < count; k++) {
        const double a = low[k], b = high[k];
        low[k] = a + e * b;
        high[k] = e * a + b;
    }
}

static void pass_log(double *restrict low, double *restrict high, size_t count, double shift)
{
    for (size_t k = 0; k < count; k++) {
        const double a = low[k], b = high[k];
        low[k] = spn_log_add(a, b + shift);
        high[k] = spn_log_add(a + shift, b);
    }
}

static void pass_bit(double *values, size_t count, size_t bit, pass_fn *pass, double decay)
{
    for (size_t base = 0; base < count; base += 2 * bit)
        pass(values + base, values + base + bit, bit, decay);
}

static void all_passes(double *values, size_t sites, pass_fn *pass, double decay)
{
    const size_t low_bits = sites < BLOCK_BITS ? sites : BLOCK_BITS;
    const size_t block = (size_t)1 << low_bits, blocks = (size_t)1 << (sites - low_bits);
#pragma omp parallel for schedule(static) if (spn_threads_pay(blocks > 1))
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < low_bits; i++)
            pass_bit(values + b * block, block, (size_t)1 << i, pass, decay);
    for (size_t i = low_bits; i < sites && !spn_pause_now(); i++) {
        const size_t bit = (size_t)1 << (i - low_bits); /* in units of blocks */
#pragma omp parallel for schedule(static) if (spn_threads_pay(true))
        for (size_t p = 0; p < blocks / 2; p++) {
            const size_t b = (p & ~(bit - 1)) << 1 | (p & (bit - 1));
            pass(values + b * block, values + (b | bit) * block, block, decay);
        }
    }
}

/* values(sigma) <- sum_tau e^(gamma (<sigma,tau> - N)) values(tau), any signs. */
static void couple(double *values, size_t sites, double gamma)
{
    all_passes(values, sites, pass_plain, exp(-2 * gamma));
}

void spn_couple_log(double *values, size_t sites, double gamma)
{
    /* With the largest term scaled to 1, every sum is at least e^(-2 gamma N). If that is above
       e^-600, terms that underflow (below 1e-308) are far below its last bit. */
    if (2 * gamma * (double)sites > 600) {
        all_passes(values, sites, pass_log, -2 * gamma);
        return;
    }
    const size_t states = (size_t)1 << sites;
    double top = -INFINITY;
    for (size_t k = 0; k < states; k++)
        top = values[k] > top ? values[k] : top;
    if (isinf(top))
        return;
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        values[k] = exp(values[k] - top);
    couple(values, sites, gamma);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        values[k] = log(values[k]) + top;
}

/* Below this gamma, ratios of g would cancel: the magnetisation is computed directly. */
static const double RATIO_FROM = 0.01;

/* Sums over sites skip centres less likely than this: all 2^24 together are below 1e-22. */
static const double NEGLIGIBLE = 1e-30;

/* Sums over centres and sites of functions of the magnetisation t_i(sigma): the mean of a replica's
   spin i given the centre. */
typedef struct site_context {
    const spn_law *law;
    const double *log_g;
    double coth, csch;   /* of 2 gamma */
    const double *spin;  /* t_i if it was computed directly, else NULL */
    size_t site;         /* with spin: the only site */
    const double *table; /* log cosh(gamma s), or NULL to sum t^2 */
} site_context;

/* t_i from g at sigma and at its flip: the ratio of (a + e b, e a + b) gives (b - a)/(a + b). */
static double magnetisation(const site_context *c, size_t state, size_t site)
{
    if (c->spin)
        return c->spin[state] / exp(c->log_g[state]);
    const size_t bit = (size_t)1 << site;
    const double ratio = exp(c->log_g[state ^ bit] - c->log_g[state] - 2 * c->law->gamma);
    const double t = c->coth - ratio * 2 * c->csch;
    return (state & bit) ? t : -t;
}

/* E log cosh(gamma s), with s the sum of y independent spins of mean t. */
static double mean_coupling(const double *table, size_t replicas, double t)
{
    const double p = 0.5 * (1 - fmin(fabs(t), 1)), q = 1 - p; /* p <= q: q^y does not underflow */
    double term = 1, total = 0;
    for (size_t k = 0; k < replicas; k++)
        term *= q;
    for (size_t k = 0; k <= replicas; k++) {
        total += term * table[k];
        term *= (double)(replicas - k) / (double)(k + 1) * (p / q);
    }
    return total;
}

static double site_sum(const void *context, size_t begin, size_t end)
{
    const site_context *c = context;
    const size_t first = c->spin ? c->site : 0, last = c->spin ? c->site + 1 : c->law->sites;
    double total = 0;
    for (size_t k = begin; k < end; k++) {
        if (c->law->centre[k] < NEGLIGIBLE)
            continue;
        double inner = 0;
        for (size_t i = first; i < last; i++) {
            const double t = magnetisation(c, k, i);
            inner += c->table ? mean_coupling(c->table, c->law->replicas, t) : t * t;
        }
        total += c->law->centre[k] * inner;
    }
    return total;
}

/* The sums over all sites of E t_i^2 and of E log cosh(gamma s_i); scratch holds 2^N doubles. */
static void site_sums(double *squares, double *coupling, const spn_law *law,
                      const spn_landscape *landscape, double *scratch)
{
    double table[SPN_MAX_REPLICAS + 1];
    spn_coupling_table(table, law->replicas, law->gamma);
    const size_t states = landscape->states;
    site_context c = {.law = law, .log_g = law->phi};
    *squares = *coupling = 0;
    if (law->gamma >= RATIO_FROM) {
        const double e = exp(-4 * law->gamma);
        c.coth = (1 + e) / (1 - e);
        c.csch = 1 / (1 - e); /* 1/(2 sinh 2 gamma) e^(2 gamma): the ratio carries the rest */
        *squares = spn_ordered_sum(site_sum, &c, states);
        c.table = table;
        *coupling = spn_ordered_sum(site_sum, &c, states);
        return;
    }
    c.spin = scratch;
    for (c.site = 0; c.site < law->sites && !spn_pause_now(); c.site++) {
        spn_log_weights(scratch, landscape, law->beta);
        for (size_t k = 0; k < states; k++)
            scratch[k] = (k >> c.site & 1) ? exp(scratch[k]) : -exp(scratch[k]);
        couple(scratch, law->sites, law->gamma);
        c.table = NULL;
        *squares += spn_ordered_sum(site_sum, &c, states);
        c.table = table;
        *coupling += spn_ordered_sum(site_sum, &c, states);
    }
}

/* q(tau) = w(tau) sum_sigma e^(gamma <sigma,tau>) g(sigma)^(y-1) / sum g^y. */
static void fill_marginal(spn_law *law, const spn_landscape *landscape, double *scratch)
{
    const size_t states = landscape->states;
    for (size_t k = 0; k < states; k++)
        law->marginal[k] = (double)(law->replicas - 1) * law->phi[k];
    spn_couple_log(law->marginal, law->sites, law->gamma);
    spn_log_weights(scratch, landscape, law->beta);
    for (size_t k = 0; k < states; k++)
        law->marginal[k] += scratch[k];
    const double norm = spn_log_sum_exp(law->marginal, 1, states);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        law->marginal[k] = exp(law->marginal[k] - norm);
}

static double excess_sum(const void *context, size_t begin, size_t end)
{
    const void *const *pair = context;
    const double *marginal = pair[0];
    const spn_landscape *landscape = pair[1];
    double total = 0;
    for (size_t k = begin; k < end; k++)
        total += marginal[k] * (landscape->energy[k] - landscape->minimum);
    return total;
}

/* Pr(all replicas at a minimum) = sum g_0^y / sum g^y, g_0 from the minima alone. */
static double minimum_mass(const spn_law *law, const spn_landscape *landscape, double log_sum,
                           double *scratch)
{
    spn_log_weights(scratch, landscape, INFINITY);
    spn_couple_log(scratch, law->sites, law->gamma);
    return exp(spn_log_sum_exp(scratch, (double)law->replicas, landscape->states) - log_sum);
}

/* Fill a law whose arrays are allocated and whose parameters are set. */
static spn_status transform(spn_law *law, const spn_landscape *landscape, spn_error *err)
{
    const size_t states = landscape->states;
    const double n = (double)law->sites, y = (double)law->replicas;
    double *scratch = spn_alloc(states, sizeof *scratch);
    SPN_EXACT_NEED(scratch, err, "a law", 8 * states);
    spn_log_weights(law->phi, landscape, law->beta);
    spn_couple_log(law->phi, law->sites, law->gamma);
    const double log_sum = spn_log_sum_exp(law->phi, y, states);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        law->centre[k] = exp(y * law->phi[k] - log_sum);
    double squares, coupling;
    site_sums(&squares, &coupling, law, landscape, scratch);
    law->overlap = law->replicas == 1 ? 1 : squares / n;
    fill_marginal(law, landscape, scratch);
    /* N log cosh(gamma y) less the scale y gamma N that log_sum leaves out, and log 2^N of Z/Z' */
    law->max_probability = exp(n * log1p(exp(-2 * law->gamma * y)) - log_sum);
    law->prob_minimum = minimum_mass(law, landscape, log_sum, scratch);
    const void *const pair[2] = {law->marginal, landscape};
    const double excess = y * spn_ordered_sum(excess_sum, pair, states);
    law->mean_energy = y * landscape->minimum + excess;
    const double log_z = log_sum + y * law->gamma * n; /* of E - E_min */
    law->entropy = log_z - n * log(2.0) - coupling + (isinf(law->beta) ? 0 : law->beta * excess);
    const double shift = shift_of(landscape, law->beta);
    law->log_z = log_z - y * shift;
    law->log_z_marginal = law->log_z - n * log(2.0);
    for (size_t k = 0; k < states; k++)
        law->phi[k] += law->gamma * n - shift;
    free(scratch);
    return SPN_OK;
}

/* ---- a law ---- */

const spn_names spn_law_method_names =
    SPN_NAME_LIST("method", [SPN_LAW_AUTO] = "auto", [SPN_LAW_ENUMERATE] = "enumerate",
                  [SPN_LAW_TRANSFORM] = "transform");

double spn_law_log_top(size_t sites, size_t replicas, double gamma)
{
    return (double)sites * spn_log_cosh(gamma * (double)replicas);
}

/* One block of memory holds the struct and its arrays. */
static spn_law *allocate(const spn_landscape *landscape, size_t replicas, double beta, double gamma)
{
    const size_t states = landscape->states;
    spn_law *law = spn_alloc(1, sizeof *law + 3 * states * sizeof(double));
    if (!law)
        return NULL;
    double *arrays = (double *)(void *)(law + 1);
    *law = (spn_law){.sites = landscape->sites,
                     .replicas = replicas,
                     .beta = beta,
                     .gamma = gamma,
                     .phi = arrays,
                     .centre = arrays + states,
                     .marginal = arrays + 2 * states};
    return law;
}

static double entropy_sum(const void *context, size_t begin, size_t end)
{
    const double *p = context;
    double total = 0;
    for (size_t k = begin; k < end; k++)
        total -= p[k] > 0 ? p[k] * log(p[k]) : 0;
    return total;
}

spn_status spn_law_create(spn_law **out, const spn_landscape *landscape, size_t replicas,
                          double beta, double gamma, spn_law_method method, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    SPN_TRY(spn_exact_check(replicas, beta, gamma, true, false, err));
    /* 2^(N y) for Qbar, and 4^N for Phi by its definition. */
    const size_t bits = landscape->sites * (replicas > 2 ? replicas : 2);
    if (method == SPN_LAW_AUTO)
        method = bits <= 16 ? SPN_LAW_ENUMERATE : SPN_LAW_TRANSFORM;
    SPN_REFUSE_IF(method == SPN_LAW_ENUMERATE && bits > SPN_EXACT_BITS, err,
                  "a law by enumeration takes N max(y, 2) up to %d, here %zu, which would "
                  "take %.3g GB; at y=%zu N may be up to %zu, and by the transform up to %d",
                  SPN_EXACT_BITS, bits, 16e-9 * pow(2.0, (double)bits), replicas,
                  SPN_EXACT_BITS / (replicas > 2 ? replicas : 2), SPN_EXACT_SITES);
    spn_law *law = allocate(landscape, replicas, beta, gamma);
    SPN_EXACT_NEED(law, err, "a law", 24 * landscape->states);
    const spn_status status = method == SPN_LAW_ENUMERATE ? enumerate(law, landscape, err)
                                                          : transform(law, landscape, err);
    if (status) {
        spn_law_free(law);
        return status;
    }
    const double n = (double)law->sites, y = (double)law->replicas;
    law->log_gamma = y * n * (spn_log_cosh(law->gamma) + log(2.0));
    law->aligned_minimum = (double)landscape->minima_count * law->max_probability;
    law->centre_entropy = spn_ordered_sum(entropy_sum, law->centre, landscape->states);
    *out = law;
    return SPN_OK;
}
