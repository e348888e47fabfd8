#include "base/memory.h"
#include "base/number.h"
#include "report/figure/hits.h"

#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 999, TAIL = 25 }; /* the 25th from either end: 95% lie between */

/* Fixed, so that figures do not change when drawn again. */
static const uint64_t SEED = 99;

double spn_tts(double cost, double share)
{
    if (!(share > 0))
        return INFINITY;
    return cost * fmax(1, log(0.01) / log1p(-share));
}

/* ---- one length ---- */

/* Runs of one length, sorted by cost. weights: how often each unit was drawn; NULL: once. */
typedef struct sample {
    const spn_hit *hits;
    size_t count;
    const unsigned *weights;
} sample;

static double weight_of(const sample *s, size_t k)
{
    return s->weights ? s->weights[s->hits[k].unit] : 1;
}

/* Mean cost of runs of full length; if there are none, the largest cost. */
static double whole_cost(const sample *s)
{
    double sum = 0, count = 0, most = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double weight = weight_of(s, k);
        if (!isnan(s->hits[k].whole)) {
            sum += weight * s->hits[k].whole;
            count += weight;
        }
        most = weight > 0 ? fmax(most, s->hits[k].cost) : most;
    }
    return count > 0 ? sum / count : most;
}

static void count_runs(double *runs, double *solved, const sample *s)
{
    *runs = *solved = 0;
    for (size_t k = 0; k < s->count; k++) {
        *runs += weight_of(s, k);
        *solved += s->hits[k].hit ? weight_of(s, k) : 0;
    }
}

static void find_whole(spn_tts_estimate *out, const sample *s)
{
    double runs, solved;
    count_runs(&runs, &solved, s);
    out->runs = (size_t)runs;
    out->hits = (size_t)solved;
    out->share = runs > 0 ? solved / runs : 0;
    out->cut = whole_cost(s);
    out->tts = spn_tts(out->cut, out->share);
}

/* The best cost at which to give up, among those with a quarter, half, three quarters or all of
   the hits. */
static void find_cut(spn_tts_estimate *out, const sample *s)
{
    double runs, solved, share = 1, before = 0;
    count_runs(&runs, &solved, s);
    find_whole(out, s);
    out->tts = INFINITY;
    double at_risk = runs, next = fmax(ceil(solved / 4), fmin(SPN_TTS_LEAST_HITS, solved));
    for (size_t k = 0; k < s->count;) {
        const double cost = s->hits[k].cost;
        double hits = 0, gone = 0;
        for (; k < s->count && s->hits[k].cost == cost; k++) {
            hits += s->hits[k].hit ? weight_of(s, k) : 0;
            gone += weight_of(s, k);
        }
        share *= hits > 0 ? 1 - hits / at_risk : 1;
        at_risk -= gone;
        before += hits;
        if (hits == 0 || before < next)
            continue;
        next = ceil(solved / 4 * (floor(before / solved * 4) + 1));
        if (spn_tts(cost, 1 - share) < out->tts) {
            out->tts = spn_tts(cost, 1 - share);
            out->cut = cost;
            out->hits = (size_t)before;
            out->share = 1 - share;
        }
    }
}

/* ---- the least of all lengths ---- */

/* By length, then by cost. */
static int by_length(const void *a, const void *b)
{
    const spn_hit *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return spn_hit_compare(a, b);
}

static void minimise(spn_tts_estimate *out, const spn_hit *sorted, size_t count, bool restarts,
                     const unsigned *weights)
{
    *out = (spn_tts_estimate){.tts = INFINITY};
    for (size_t k = 0, next; k < count; k = next) {
        spn_tts_estimate here = {.length = sorted[k].length};
        for (next = k + 1; next < count && sorted[next].length == sorted[k].length;)
            next++;
        const sample s = {sorted + k, next - k, weights};
        (restarts ? find_cut : find_whole)(&here, &s);
        if (k == 0 || here.tts < out->tts)
            *out = here;
    }
}

/* Wilson's interval of the share, turned into times: the upper end of the share gives the lower
   time. */
static spn_status wilson(double *low, double *high, const spn_tts_estimate *at, spn_error *err)
{
    double *values = spn_alloc(at->runs + 1, sizeof *values);
    SPN_NEED(values, err, "the time to solution");
    for (size_t k = 0; k < at->runs; k++)
        values[k] = k < at->hits ? 1 : 0;
    const spn_summary share = spn_summarise_shares(values, at->runs);
    *low = spn_tts(at->cut, share.high);
    *high = at->hits > 0 ? spn_tts(at->cut, share.low) : INFINITY;
    free(values);
    return SPN_OK;
}

/* If no run was solved, take the lowest of the bounds of the lengths. */
static spn_status find_bound(spn_tts_estimate *out, const spn_hit *sorted, size_t count,
                             spn_error *err)
{
    double low = INFINITY, high;
    for (size_t k = 0, next; k < count; k = next) {
        spn_tts_estimate here = {.length = sorted[k].length};
        for (next = k + 1; next < count && sorted[next].length == sorted[k].length;)
            next++;
        find_whole(&here, &(sample){sorted + k, next - k, NULL});
        SPN_TRY(wilson(&here.low, &high, &here, err));
        if (here.low < low) {
            low = here.low;
            *out = here;
        }
    }
    out->tts = out->high = INFINITY;
    out->low = low;
    return SPN_OK;
}

/* ---- drawing again ---- */

static void draw_units(unsigned *weights, size_t units, unsigned draw)
{
    spn_random random = spn_random_make(SEED, draw, 0, SPN_PURPOSE_USER);
    memset(weights, 0, units * sizeof *weights);
    for (size_t k = 0; k < units; k++)
        weights[spn_random_below(&random, (uint32_t)units)]++;
}

/* worst: the value of a draw without a solved run. */
static spn_status draw_again(double *low, double *high, const spn_hit *sorted, size_t count,
                             bool restarts, double worst, spn_error *err)
{
    double drawn[DRAWS];
    size_t units = 0;
    for (size_t k = 0; k < count; k++)
        units = sorted[k].unit >= units ? sorted[k].unit + 1 : units;
    unsigned *weights = spn_alloc(units, sizeof *weights);
    SPN_NEED(weights, err, "the time to solution");
    for (unsigned b = 0; b < DRAWS; b++) {
        spn_tts_estimate here;
        draw_units(weights, units, b);
        minimise(&here, sorted, count, restarts, weights);
        drawn[b] = isinf(here.tts) ? worst : here.tts;
    }
    free(weights);
    qsort(drawn, DRAWS, sizeof *drawn, spn_number_compare);
    *low = drawn[TAIL - 1];
    *high = drawn[DRAWS - TAIL];
    return SPN_OK;
}

static spn_status find_interval(spn_tts_estimate *out, const spn_hit *sorted, size_t count,
                                bool restarts, spn_error *err)
{
    double low = NAN, high = NAN;
    SPN_TRY(wilson(&out->low, &out->high, out, err));
    if (sorted[0].length == sorted[count - 1].length && !restarts)
        return SPN_OK;
    SPN_TRY(draw_again(&low, &high, sorted, count, restarts, out->high, err));
    out->low = fmin(out->low, fmin(low, out->tts * (out->tts / high)));
    out->high = fmax(out->high, fmax(high, out->tts * (out->tts / low)));
    return SPN_OK;
}

spn_status spn_tts_find(spn_tts_estimate *out, const spn_hit *hits, size_t count, bool restarts,
                        bool plain, spn_error *err)
{
    spn_hit *sorted = spn_alloc(count, sizeof *sorted);
    SPN_NEED(sorted, err, "the time to solution");
    assert(count > 0);
    memcpy(sorted, hits, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_length);
    minimise(out, sorted, count, restarts, NULL);
    spn_status status = SPN_OK;
    out->low = out->high = NAN;
    if (isinf(out->tts))
        status = find_bound(out, sorted, count, err);
    else if (!plain)
        status = find_interval(out, sorted, count, restarts, err);
    free(sorted);
    return status;
}

spn_status spn_tts_of_length(spn_tts_estimate *out, const spn_hit *hits, size_t count,
                             size_t length, bool restarts, spn_error *err)
{
    spn_hit *own = spn_alloc(count, sizeof *own);
    size_t used = 0;
    SPN_NEED(own, err, "the time to solution");
    for (size_t k = 0; k < count; k++)
        if (hits[k].length == length)
            own[used++] = hits[k];
    qsort(own, used, sizeof *own, spn_hit_compare);
    minimise(out, own, used, restarts, NULL);
    spn_status status =
        isinf(out->tts) ? find_bound(out, own, used, err) : wilson(&out->low, &out->high, out, err);
    out->length = length;
    free(own);
    return status;
}

/* Some numbers may be infinite. */
static double median(const double *sorted, size_t count)
{
    const double a = sorted[(count - 1) / 2], b = sorted[count / 2];
    return a == b ? a : (a + b) / 2;
}

spn_status spn_tts_median(spn_tts_estimate *out, const spn_tts_estimate *of, size_t count,
                          spn_error *err)
{
    double *values = spn_alloc(3 * count, sizeof *values), drawn[DRAWS];
    unsigned *weights = spn_alloc(count, sizeof *weights);
    spn_status status = SPN_OK;
    assert(count > 0);
    if (!values || !weights)
        SPN_TRY_OR(cleanup, spn_no_memory(err, "the time to solution"));
    double *bounds = values + count, *room = bounds + count;
    *out = (spn_tts_estimate){.cut = NAN, .share = NAN};
    for (size_t k = 0; k < count; k++) {
        values[k] = of[k].tts;
        bounds[k] = isinf(of[k].tts) ? of[k].low : of[k].tts;
        out->runs += of[k].runs;
        out->hits += of[k].hits;
    }
    qsort(values, count, sizeof *values, spn_number_compare);
    qsort(bounds, count, sizeof *bounds, spn_number_compare);
    for (unsigned b = 0; b < DRAWS; b++) {
        draw_units(weights, count, b);
        size_t used = 0;
        for (size_t k = 0; k < count; k++)
            for (unsigned w = 0; w < weights[k]; w++)
                room[used++] = values[k];
        drawn[b] = median(room, used);
    }
    qsort(drawn, DRAWS, sizeof *drawn, spn_number_compare);
    out->tts = median(values, count);
    out->low = isinf(out->tts) ? median(bounds, count) : drawn[TAIL - 1];
    out->high = drawn[DRAWS - TAIL];
cleanup:
    SPN_FREE_ALL(values, weights);
    return status;
}
