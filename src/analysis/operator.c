/* The transition operator: acceptances of all moves, and one proposal forward and backward. Both
   add differences, so each move keeps mass and constants to the last bit. */
#include "analysis/operator.h"

#include "analysis/common.h"
#include "core/kernel.h"
#include "core/numeric.h"

#include <assert.h>
#include <string.h>

void spn_operator_sweep(const spn_pair_walk *walk,
                        void (*visit)(const spn_pair_walk *, const spn_pair_span *))
{
    const size_t bits = walk->op->bits;
    const size_t low = bits < SPN_SPAN_BITS ? bits : SPN_SPAN_BITS;
    const size_t block = (size_t)1 << low, blocks = (size_t)1 << (bits - low);
    const size_t half = (size_t)1 << (bits - 1);
    if (spn_pause_now())
        return;
#pragma omp parallel for schedule(static) if (spn_threads_pay(blocks > 8))
    for (size_t b = 0; b < blocks; b++)
        for (size_t j = 0; j < low; j++) {
            const size_t bit = (size_t)1 << j;
            const spn_pair_span span = {b * block, bit, block / 2, bit, j * half + b * (block / 2)};
            visit(walk, &span);
        }
    for (size_t j = low; j < bits && !spn_pause_now(); j++) {
        const size_t step = (size_t)1 << (j - low); /* the bit, in units of blocks */
#pragma omp parallel for schedule(static) if (spn_threads_pay(blocks > 8))
        for (size_t p = 0; p < blocks / 2; p++) {
            const size_t b = (p & ~(step - 1)) << 1 | (p & (step - 1));
            const spn_pair_span span = {b * block, step * block, block, block,
                                        j * half + p * block};
            visit(walk, &span);
        }
    }
}

/* out[p] = values[x'] - values[x] for the pairs of a span. */
static void differences(double *restrict out, const double *restrict values, const spn_pair_span *s)
{
    for (size_t r = 0; r < s->pairs; r += s->run) {
        const double *low = values + s->first + 2 * r, *high = low + s->bit;
        for (size_t k = 0; k < s->run; k++)
            out[r + k] = high[k] - low[k];
    }
}

/* e^x for x <= 0, but at least e^-708. */
static inline double decay(double x)
{
    return spn_exp(x > -708 ? x : -708);
}

/* Both overwrite dU in up and dH in down with the acceptances. */
static void two_stage(double beta, size_t pairs, double *restrict up, double *restrict down)
{
    for (size_t p = 0; p < pairs; p++) {
        const double u = beta * up[p], h = down[p];
        up[p] = decay((u > 0 ? -u : 0) + (h < 0 ? h : 0));
        down[p] = decay((u < 0 ? u : 0) + (h > 0 ? -h : 0));
    }
}

static void one_stage(spn_threshold kind, double beta, size_t pairs, double *restrict up,
                      double *restrict down)
{
    for (size_t p = 0; p < pairs; p++) {
        const double x = beta * up[p] - down[p];
        const double e = decay(x > 0 ? -x : x), likely = spn_threshold_downhill(kind, e);
        const double rare = e * likely;
        up[p] = x > 0 ? rare : likely;
        down[p] = x > 0 ? likely : rare;
    }
}

void spn_edges(const spn_operator *op, const spn_pair_span *span, double *up, double *down)
{
    const spn_kernel_traits *traits = spn_kernel_traits_of(op->kernel);
    differences(up, op->energy, span);
    differences(down, op->coupling, span);
    if (traits->two_stage)
        two_stage(op->beta, span->pairs, up, down);
    else
        one_stage(traits->threshold, op->beta, span->pairs, up, down);
}

static void push_span(const spn_pair_walk *c, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS];
    spn_edges(c->op, s, up, down);
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k, z = x + s->bit;
            const double flow = c->op->rate * (up[r + k] * c->in[x] - down[r + k] * c->in[z]);
            c->out[x] -= flow;
            c->out[z] += flow;
        }
}

static void apply_span(const spn_pair_walk *c, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS];
    spn_edges(c->op, s, up, down);
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k, z = x + s->bit;
            const double rise = c->op->rate * (c->in[z] - c->in[x]);
            c->out[x] += up[r + k] * rise;
            c->out[z] -= down[r + k] * rise;
        }
}

static void leave_span(const spn_pair_walk *c, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS];
    spn_edges(c->op, s, up, down);
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k;
            c->out[x] += up[r + k];
            c->out[x + s->bit] += down[r + k];
        }
}

void spn_operator_step(const spn_operator *op, const double *in, double *out, bool backward)
{
    SPN_LIMIT_THREADS(op->threads);
    const spn_pair_walk walk = {.op = op, .in = in, .out = out};
    assert(out != in);
    memcpy(out, in, op->states * sizeof *out);
    spn_operator_sweep(&walk, backward ? apply_span : push_span);
}

void spn_operator_leave(const spn_operator *op, double *out)
{
    const spn_pair_walk walk = {.op = op, .out = out};
    spn_operator_sweep(&walk, leave_span);
}

static double acceptance(const spn_operator *op, size_t from, size_t to)
{
    const double u = op->beta * (op->energy[to] - op->energy[from]);
    const double h = op->coupling[to] - op->coupling[from];
    const spn_kernel_traits *traits = spn_kernel_traits_of(op->kernel);
    return traits->two_stage ? fmin(1, exp(h)) * exp(-fmax(u, 0))
                             : spn_threshold_share(traits->threshold, u - h);
}

double spn_operator_entry(const spn_operator *op, size_t from, size_t to)
{
    const size_t moved = from ^ to;
    assert(from < op->states && to < op->states);
    if (moved != 0)
        return (moved & (moved - 1)) ? 0 : op->rate * acceptance(op, from, to);
    double leave = 0;
    for (size_t j = 0; j < op->bits; j++)
        leave += acceptance(op, from, from ^ (size_t)1 << j);
    return 1 - op->rate * leave;
}

/* e^(factor * log weight), the largest scaled to 1. */
static void scaled_weights(const spn_operator *op, double factor, double *out)
{
    double top = -INFINITY;
    for (size_t k = 0; k < op->states; k++) {
        out[k] = op->coupling[k] - op->beta * op->energy[k];
        top = out[k] > top ? out[k] : top;
    }
#pragma omp parallel for schedule(static) if (spn_threads_pay(op->states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < op->states; k++)
        out[k] = exp(factor * (out[k] - top));
}

static double plain_sum(const void *context, size_t begin, size_t end)
{
    const double *values = context;
    double total = 0;
    for (size_t k = begin; k < end; k++)
        total += values[k];
    return total;
}

void spn_operator_law(const spn_operator *op, double *out)
{
    SPN_LIMIT_THREADS(op->threads);
    scaled_weights(op, 1, out);
    const double norm = 1 / spn_ordered_sum(plain_sum, out, op->states);
    for (size_t k = 0; k < op->states; k++)
        out[k] *= norm;
}

/* sqrt(Qbar): e^(-(G - min G)/2), normalised. */
static void find_root(const spn_operator *op, double *out)
{
    scaled_weights(op, 0.5, out);
    const double norm = 1 / sqrt(spn_dot(out, out, op->states));
    for (size_t k = 0; k < op->states; k++)
        out[k] *= norm;
}

size_t spn_operator_states(const spn_operator *op)
{
    return op->states;
}

spn_status spn_operator_set(spn_operator *op, spn_kernel kernel, double beta, double gamma,
                            spn_error *err)
{
    SPN_LIMIT_THREADS(op->threads);
    SPN_TRY(spn_exact_check(op->replicas, beta, gamma, false, false, err));
    SPN_REFUSE_IF(!spn_kernel_traits_of(kernel), err, "there is no kernel number %d", (int)kernel);
    if (!(gamma == op->gamma))
        spn_replicated_coupling(op->coupling, op->sites, op->replicas, gamma);
    op->kernel = kernel;
    op->beta = beta;
    op->gamma = gamma;
    return SPN_OK;
}

spn_status spn_operator_create(spn_operator **out, const spn_landscape *landscape, size_t replicas,
                               spn_kernel kernel, double beta, double gamma, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    spn_status status;
    SPN_TRY(spn_exact_check(replicas, beta, gamma, false, false, err));
    SPN_TRY(spn_exact_check_bits(landscape->sites, replicas, 56 + 4 * landscape->sites * replicas,
                                 "a chain", err));
    spn_operator *op = spn_alloc(1, sizeof *op);
    SPN_EXACT_NEED(op, err, "an operator", sizeof *op);
    op->threads = landscape->threads;
    op->sites = landscape->sites;
    op->replicas = replicas;
    op->bits = op->sites * replicas;
    op->states = (size_t)1 << op->bits;
    op->rate = 1 / (double)op->bits;
    op->gamma = -1; /* no coupling yet */
    op->energy = spn_alloc(op->states, sizeof *op->energy);
    op->coupling = spn_alloc(op->states, sizeof *op->coupling);
    if (!op->energy || !op->coupling) {
        status = spn_exact_no_memory(err, "an operator", 16 * op->states);
    } else {
        spn_replicated_energy(op->energy, landscape, replicas);
        status = spn_operator_set(op, kernel, beta, gamma, err);
    }
    if (!status)
        *out = op;
    else
        spn_operator_free(op);
    return status;
}

void spn_operator_free(spn_operator *op)
{
    if (!op)
        return;
    SPN_FREE_ALL(op->energy, op->coupling, op);
}

/* The largest net flow, into *out; in is the law. */
static void flow_span(const spn_pair_walk *c, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS], worst = 0;
    spn_edges(c->op, s, up, down);
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k;
            const double flow = up[r + k] * c->in[x] - down[r + k] * c->in[x + s->bit];
            worst = fmax(worst, fabs(flow));
        }
#pragma omp critical(spn_balance_worst)
    *c->out = fmax(*c->out, worst);
}

spn_status spn_operator_balance_sized(spn_balance *out, size_t size, const spn_operator *op,
                                      spn_error *err)
{
    SPN_LIMIT_THREADS(op->threads);
    double *law = spn_alloc(op->states, sizeof *law);
    double *next = spn_alloc(op->states, sizeof *next);
    if (!law || !next) {
        SPN_FREE_ALL(law, next);
        return spn_exact_no_memory(err, "the balance", 16 * op->states);
    }
    spn_operator_law(op, law);
    spn_operator_push(op, law, next);
    spn_balance own = {0};
    for (size_t k = 0; k < op->states; k++) {
        own.stationarity = fmax(own.stationarity, fabs(next[k] - law[k]));
        next[k] = 0;
    }
    spn_operator_leave(op, next);
    own.acceptance = op->rate * spn_dot(law, next, op->states);
    const spn_pair_walk walk = {.op = op, .in = law, .out = &own.reversibility};
    spn_operator_sweep(&walk, flow_span);
    own.reversibility *= op->rate;
    spn_sized_give(out, size, &own, sizeof own);
    SPN_FREE_ALL(law, next);
    return SPN_OK;
}

/* ---- the spectral gap: a table keeps one weight per pair of moves ---- */

typedef struct symmetric {
    const spn_operator *op;
    double *weights; /* rate sqrt(S(x,x') S(x',x)) of each pair */
    double *leave;   /* 1 - S(x,x) */
    double *root;    /* sqrt(D) */
} symmetric;

static void weigh_span(const spn_pair_walk *z, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS];
    spn_edges(z->op, s, up, down);
    for (size_t p = 0; p < s->pairs; p++)
        z->out[s->offset + p] = z->op->rate * sqrt(up[p] * down[p]);
}

static void multiply_span(const spn_pair_walk *z, const spn_pair_span *s)
{
    for (size_t r = 0; r < s->pairs; r += s->run) {
        const double *restrict weight = z->weights + s->offset + r;
        const double *restrict in = z->in + s->first + 2 * r;
        double *restrict low = z->out + s->first + 2 * r, *restrict high = low + s->bit;
        for (size_t k = 0; k < s->run; k++) {
            low[k] -= weight[k] * in[k + s->bit];
            high[k] -= weight[k] * in[k];
        }
    }
}

static void multiply(const void *chain, const double *in, double *out)
{
    const symmetric *m = chain;
    const size_t states = m->op->states;
    const spn_pair_walk z = {.op = m->op, .in = in, .out = out, .weights = m->weights};
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        out[k] = m->leave[k] * in[k];
    spn_operator_sweep(&z, multiply_span);
}

static void dirichlet_span(const spn_pair_walk *z, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS];
    spn_edges(z->op, s, up, down);
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k;
            const double rise = sqrt(up[r + k]) * z->in[x] - sqrt(down[r + k]) * z->in[x + s->bit];
            z->out[x] += rise * rise;
        }
}

/* sum (sqrt S(x,x') v(x) - sqrt S(x',x) v(x'))^2 over the pairs. */
static double dirichlet(const void *chain, const double *v, double *scratch, const double *ones)
{
    const symmetric *m = chain;
    const spn_pair_walk z = {.op = m->op, .in = v, .out = scratch};
    memset(scratch, 0, m->op->states * sizeof *scratch);
    spn_operator_sweep(&z, dirichlet_span);
    return m->op->rate * spn_dot(scratch, ones, m->op->states);
}

static bool prepare(symmetric *m, const spn_operator *op)
{
    const size_t states = op->states;
    *m = (symmetric){.op = op};
    m->weights = spn_alloc(op->bits * (states / 2), sizeof(double));
    m->leave = spn_alloc(states, sizeof(double));
    m->root = spn_alloc(states, sizeof(double));
    if (!m->weights || !m->leave || !m->root)
        return false;
    find_root(op, m->root);
    spn_operator_leave(op, m->leave);
#pragma omp parallel for schedule(static) if (spn_threads_pay(states > SPN_PARALLEL_FROM))
    for (size_t k = 0; k < states; k++)
        m->leave[k] *= op->rate;
    const spn_pair_walk walk = {.op = op, .out = m->weights};
    spn_operator_sweep(&walk, weigh_span);
    return true;
}

spn_status spn_operator_gap_sized(spn_gap *out, size_t size, const spn_operator *op,
                                  const spn_gap_options *options, spn_error *err)
{
    SPN_LIMIT_THREADS(op->threads);
    spn_gap own;
    symmetric m;
    spn_status status;
    if (prepare(&m, op)) {
        const spn_reversible chain = {.states = op->states,
                                      .threads = op->threads,
                                      .root = m.root,
                                      .chain = &m,
                                      .multiply = multiply,
                                      .dirichlet = dirichlet};
        status = spn_reversible_gap(&own, &chain, options, err);
    } else {
        status = spn_exact_no_memory(err, "the gap", (40 + 4 * op->bits) * op->states);
    }
    SPN_FREE_ALL(m.weights, m.leave, m.root);
    if (!status)
        spn_sized_give(out, size, &own, sizeof own);
    return status;
}
