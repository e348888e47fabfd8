/* Whether an operator leaves its law invariant and is reversible, and how often it moves. */
#include "analysis/common.h"
#include "analysis/operator.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct flow_context {
    const spn_operator *op;
    const double *law;
    double worst;
} flow_context;

static void flow_span(void *context, const spn_pair_span *s)
{
    flow_context *c = context;
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS], worst = 0;
    spn_edges(c->op, s, up, down);
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k;
            const double flow = up[r + k] * c->law[x] - down[r + k] * c->law[x + s->bit];
            worst = fmax(worst, fabs(flow));
        }
#pragma omp critical(spn_balance_worst)
    c->worst = fmax(c->worst, worst);
}

static spn_status find_balance(spn_balance *out, const spn_operator *op, spn_error *err)
{
    SPN_LIMIT_THREADS(op->threads);
    double *law = spn_alloc(op->states, sizeof *law);
    double *next = spn_alloc(op->states, sizeof *next);
    if (!law || !next) {
        free(law);
        free(next);
        return spn_exact_no_memory(err, "the balance", 16 * op->states);
    }
    spn_operator_law(op, law);
    spn_operator_push(op, law, next);
    *out = (spn_balance){0};
    for (size_t k = 0; k < op->states; k++) {
        out->stationarity = fmax(out->stationarity, fabs(next[k] - law[k]));
        next[k] = 0;
    }
    spn_operator_leave(op, next);
    out->acceptance = op->rate * spn_dot(law, next, op->states);
    flow_context context = {op, law, 0};
    spn_operator_sweep(op->bits, flow_span, &context);
    out->reversibility = op->rate * context.worst;
    free(law);
    free(next);
    return SPN_OK;
}

spn_status spn_operator_balance_sized(spn_balance *out, size_t size, const spn_operator *op,
                                      spn_error *err)
{
    spn_balance own;
    const spn_status status = find_balance(&own, op, err);
    if (!status)
        spn_sized_give(out, size, &own, sizeof own);
    return status;
}
