/* Kaplan and Meier's estimate. */
#include "base/try.h"
#include "report/figure/figure.h"
#include "report/figure/hits.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The 0.975 quantile of the normal law. */
static const double Z = 1.959963984540054;

int spn_hit_compare(const void *a, const void *b)
{
    const spn_hit *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (int)y->hit - (int)x->hit;
}

/* One more step at a cost, of the runs from `first` on. */
static size_t add_step(spn_survival *out, const spn_hit *sorted, size_t first, size_t count)
{
    spn_survival_step *step = &out->steps[out->count++];
    *step = (spn_survival_step){.cost = sorted[first].cost, .at_risk = count - first};
    for (; first < count && sorted[first].cost == step->cost; first++) {
        step->hits += sorted[first].hit;
        step->censored += !sorted[first].hit;
    }
    out->hits += step->hits;
    return first;
}

static void find_interval(spn_survival_step *step, double variance)
{
    const double width = Z * sqrt(variance) / -log(step->share);
    step->low = step->high = step->share < 1 ? NAN : 1;
    if (step->share > 0 && step->share < 1) {
        step->low = pow(step->share, exp(width));
        step->high = pow(step->share, exp(-width));
    }
}

spn_status spn_survival_make(spn_survival *out, const spn_hit *hits, size_t count, spn_error *err)
{
    spn_hit *sorted = spn_alloc(count, sizeof *sorted);
    double share = 1, variance = 0;
    *out = (spn_survival){.runs = count, .steps = spn_alloc(count, sizeof *out->steps)};
    if (!sorted || !out->steps) {
        free(sorted);
        spn_survival_clear(out);
        return spn_no_memory(err, "first hits");
    }
    if (count > 0)
        memcpy(sorted, hits, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, spn_hit_compare);
    for (size_t k = 0; k < count;) {
        k = add_step(out, sorted, k, count);
        spn_survival_step *step = &out->steps[out->count - 1];
        const double risk = (double)step->at_risk, solved = (double)step->hits;
        share *= 1 - solved / risk;
        variance += solved > 0 && solved < risk ? solved / (risk * (risk - solved)) : 0;
        step->share = share;
        find_interval(step, variance);
    }
    free(sorted);
    return SPN_OK;
}

void spn_survival_clear(spn_survival *survival)
{
    free(survival->steps);
    *survival = (spn_survival){0};
}

double spn_survival_solved_by(const spn_survival *survival, double share)
{
    for (size_t k = 0; k < survival->count; k++)
        if (survival->steps[k].hits > 0 && 1 - survival->steps[k].share >= share * (1 - 1e-12))
            return survival->steps[k].cost;
    return NAN;
}
