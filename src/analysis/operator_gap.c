/* The spectral gap of a kernel's chain. A table keeps one weight per pair of moves. */
#include "analysis/common.h"
#include "analysis/operator.h"

#include <string.h>

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
    spn_operator_root(op, m->root);
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
