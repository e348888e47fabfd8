/* The ladder adapts: rungs to where the barrier, the sum of the rejections up to u, is at equal
   distances (Syed et al., algorithm 2), and their number to twice the barrier. */
#include "ladder/ladder.h"

#include "base/try.h"
#include <assert.h>
#include <math.h>
#include <string.h>

double spn_ladder_rejection(const spn_ladder *ladder, size_t k)
{
    const spn_rung_total *total = &ladder->totals[k];
    assert(k < SPN_LADDER_MOST_RUNGS);
    return total->pairs ? total->rejection / (double)total->pairs : 0;
}

/* ---- monotone interpolation ---- */

/* The slope at a point between secants (Fritsch, Butland, SIAM J. Sci. Stat. Comput. 5, 1984,
   doi:10.1137/0905021): their weighted harmonic mean, which keeps the curve monotone. */
static double inner_slope(double before, double after, double width_before, double width_after)
{
    if (before <= 0 || after <= 0)
        return 0;
    const double w1 = 2 * width_after + width_before, w2 = width_after + 2 * width_before;
    return (w1 + w2) / (w1 / before + w2 / after);
}

static double secant(const double *x, const double *y, size_t k)
{
    return (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
}

/* At an end the secant itself: with slopes of at most three secants an interval stays monotone. */
static double slope_at(const double *x, const double *y, size_t count, size_t k)
{
    if (k == 0)
        return secant(x, y, 0);
    if (k == count - 1)
        return secant(x, y, count - 2);
    return inner_slope(secant(x, y, k - 1), secant(x, y, k), x[k] - x[k - 1], x[k + 1] - x[k]);
}

/* y at `at`, through points with rising x and y. */
static double interpolate(const double *x, const double *y, size_t count, double at)
{
    size_t k = 0;
    while (k + 2 < count && at > x[k + 1])
        k++;
    assert(x[k + 1] > x[k]);
    const double h = x[k + 1] - x[k], t = fmin(fmax((at - x[k]) / h, 0), 1);
    const double from = slope_at(x, y, count, k), to = slope_at(x, y, count, k + 1);
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * y[k] + (t3 - 2 * t2 + t) * h * from +
           (3 * t2 - 2 * t3) * y[k + 1] + (t3 - t2) * h * to;
}

double spn_ladder_barrier(const spn_sampler *sampler)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    double sum = 0;
    for (size_t k = 0; k + 1 < ladder->rungs; k++)
        sum += spn_ladder_rejection(ladder, k);
    return sum;
}

/* The barrier up to each rung, strictly rising, so that it can be inverted: a pair that rejected
   next to nothing counts as a twentieth of the mean. */
static void barriers_of(double *out, const spn_ladder *ladder)
{
    const size_t pairs = ladder->rungs - 1;
    assert(pairs >= 1);
    const double least = fmax(spn_ladder_barrier(&ladder->base) / (double)pairs / 20, 1e-6);
    out[0] = 0;
    for (size_t k = 0; k < pairs; k++)
        out[k + 1] = out[k] + fmax(spn_ladder_rejection(ladder, k), least);
}

/* Fractions of `rungs` rungs at equal distances of the barrier. */
static void equal_fractions(double *out, size_t rungs, const spn_ladder *ladder)
{
    double barrier[SPN_LADDER_MOST_RUNGS] = {0};
    barriers_of(barrier, ladder);
    const double whole = barrier[ladder->rungs - 1], last = (double)(rungs - 1);
    out[0] = 0;
    for (size_t k = 1; k + 1 < rungs; k++) {
        const double u =
            interpolate(barrier, ladder->fraction, ladder->rungs, whole * (double)k / last);
        out[k] = fmax(u, nextafter(out[k - 1], 1));
    }
    out[rungs - 1] = 1;
    for (size_t k = rungs - 1; k > 0 && out[k - 1] >= out[k]; k--)
        out[k - 1] = nextafter(out[k], 0);
}

/* ---- the number of rungs ---- */

static size_t chosen_rungs(const spn_ladder *ladder)
{
    enum { FEWEST = 3, MOST = 128 };
    const spn_ladder_options *o = &ladder->options;
    const bool may_change = ladder->round + 2 < o->rounds || ladder->round == 0;
    if (o->rungs || !may_change)
        return ladder->rungs;
    const double wanted = ceil(2 * spn_ladder_barrier(&ladder->base)) + 1;
    return wanted < FEWEST ? FEWEST : wanted > MOST ? MOST : (size_t)wanted;
}

static size_t nearest_rung(const double *fractions, size_t count, double u)
{
    size_t nearest = 0;
    for (size_t k = 1; k < count; k++)
        if (fabs(fractions[k] - u) < fabs(fractions[nearest] - u))
            nearest = k;
    return nearest;
}

/* A walker that has no rung, made where there is none. */
static spn_status free_walker(size_t *out, spn_ladder *ladder, spn_error *err)
{
    for (*out = 0; *out < ladder->walkers; ++*out)
        if (ladder->walker[*out].s.rung == UINT64_MAX)
            return SPN_OK;
    return spn_ladder_add_walker(ladder, err);
}

/* Walkers for new fractions: to each rung the one that was nearest, and where that is taken
   already, another, put into its state. */
static spn_status reassign(spn_ladder *ladder, const double *fractions, size_t rungs,
                           spn_error *err)
{
    size_t source[SPN_LADDER_MOST_RUNGS];
    bool taken[SPN_LADDER_MOST_RUNGS] = {false}, own[SPN_LADDER_MOST_RUNGS];
    for (size_t k = 0; k < rungs; k++) {
        source[k] = ladder->walker_at[nearest_rung(ladder->fraction, ladder->rungs, fractions[k])];
        own[k] = !taken[source[k]];
        taken[source[k]] = true;
    }
    for (size_t w = 0; w < ladder->walkers; w++)
        if (!taken[w]) {
            ladder->walker[w].s.rung = UINT64_MAX;
            spn_chain_refresh(ladder->walker[w].chain); /* it may be saved any time */
        }
    for (size_t k = 0; k < rungs; k++) {
        size_t w = source[k];
        if (!own[k]) {
            SPN_TRY(free_walker(&w, ladder, err));
            const spn_chain *from = ladder->walker[source[k]].chain;
            if (spn_chain_total_energy(from) < INFINITY) /* forbidden states are drawn at beta 0 */
                SPN_TRY(spn_chain_place(ladder->walker[w].chain, from->spins, err));
        }
        assert(w < ladder->walkers);
        ladder->walker[w].s.rung = k; /* no longer free */
        ladder->walker_at[k] = w;
    }
    return SPN_OK;
}

spn_status spn_ladder_adapt(spn_ladder *ladder, spn_error *err)
{
    double fractions[SPN_LADDER_MOST_RUNGS];
    if (ladder->keeps_fractions)
        return SPN_OK;
    const size_t rungs = chosen_rungs(ladder);
    equal_fractions(fractions, rungs, ladder);
    assert(rungs >= 2 && rungs <= SPN_LADDER_MOST_RUNGS);
    if (rungs != ladder->rungs)
        SPN_TRY(reassign(ladder, fractions, rungs, err));
    ladder->rungs = rungs;
    memcpy(ladder->fraction, fractions, rungs * sizeof *fractions);
    return spn_ladder_set_points(ladder, err);
}
