/* Histograms: bins, and what is in them. */
#include "base/try.h"
#include "report/figure/figure.h"
#include <spinney/lab/histogram.h>

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a grid are told apart from rounding by this share of a step, and a grid of more steps is
   none. */
static const double ROUNDING = 1e-6, MOST_STEPS = 1e6;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The finite values of a sample behind those that are there, sorted; how many. */
static size_t take(double *out, const spn_sample *sample)
{
    size_t count = 0;
    for (size_t k = 0; k < sample->count; k++)
        if (isfinite(sample->values[k]))
            out[count++] = sample->values[k];
    qsort(out, count, sizeof *out, compare);
    return count;
}

static double quantile(const double *sorted, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place;
    const double next = below + 1 < count ? sorted[below + 1] : sorted[below];
    return sorted[below] + (place - (double)below) * (next - sorted[below]);
}

/* The width that one sample would have; 0: all of its values are the same. */
static double width_of(const double *sorted, size_t count)
{
    const double spread = quantile(sorted, count, 0.75) - quantile(sorted, count, 0.25);
    const double width = 2 * spread / cbrt((double)count);
    return width > 0 ? width : (sorted[count - 1] - sorted[0]) / (1 + log2((double)count));
}

/* The step of the grid that sorted values stand on; 0: none. */
static double step_of(const double *sorted, size_t count)
{
    const double range = sorted[count - 1] - sorted[0];
    double step = range;
    for (size_t k = 1; k < count; k++) {
        const double gap = sorted[k] - sorted[k - 1];
        if (gap > range * 1e-9)
            step = fmin(step, gap);
    }
    if (!(step > 0) || range / step > MOST_STEPS)
        return 0;
    for (size_t k = 1; k < count; k++) {
        const double steps = (sorted[k] - sorted[0]) / step;
        if (fabs(steps - round(steps)) > ROUNDING * fmax(1, steps))
            return 0;
    }
    return step;
}

/* Few values have gaps of several steps by chance: whole numbers have steps of 1 then. */
static double whole_step(const double *sorted, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (sorted[k] != round(sorted[k]) || fabs(sorted[k]) > 1e15)
            return 0;
    return 1;
}

/* Bins over a range, of about a width; step: 0, or of a grid. */
static spn_bins lay(double least, double most, double width, double step)
{
    const double range = most - least;
    width = fmax(width, range / (SPN_MOST_BINS - 1));
    if (!(range > 0)) {
        const double all = step > 0 ? step : fmax(fabs(least) * 0.1, 1e-9);
        return (spn_bins){least - all / 2, all, 1};
    }
    if (step > 0) {
        width = step * fmax(1, ceil(width / step - ROUNDING));
        least -= step / 2;
        return (spn_bins){least, width, (size_t)ceil((most + step / 2 - least) / width - ROUNDING)};
    }
    const size_t count = (size_t)fmax(1, ceil(range / width));
    return (spn_bins){least, range / (double)count, count};
}

spn_status spn_bins_choose(spn_bins *out, const spn_sample *samples, size_t count, spn_error *err)
{
    size_t all = 0, taken = 0;
    *out = (spn_bins){0};
    for (size_t k = 0; k < count; k++)
        all += samples[k].count;
    double *values = spn_alloc(all + 1, sizeof *values);
    if (!values)
        return spn_no_memory(err, "a histogram");
    double width = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        const size_t own = take(values + taken, &samples[k]);
        const double wanted = own > 0 ? width_of(values + taken, own) : 0;
        width = wanted > 0 ? fmin(width, wanted) : width;
        taken += own;
    }
    if (taken > 0) {
        qsort(values, taken, sizeof *values, compare);
        const double whole = whole_step(values, taken);
        double step = step_of(values, taken);
        if (whole > 0 && (step == 0 || taken < SPN_MOST_BINS))
            step = whole;
        *out = lay(values[0], values[taken - 1], isfinite(width) ? width : 0, step);
    }
    free(values);
    return SPN_OK;
}

size_t spn_bins_fill(size_t *out, const spn_bins *bins, const spn_sample *sample)
{
    size_t all = 0;
    memset(out, 0, bins->count * sizeof *out);
    for (size_t k = 0; k < sample->count && bins->count > 0; k++) {
        if (!isfinite(sample->values[k]))
            continue;
        const double place = floor((sample->values[k] - bins->start) / bins->width);
        const size_t bin = place < 0 ? 0 : (size_t)place;
        out[bin < bins->count ? bin : bins->count - 1]++; /* the last bin has its upper end, too */
        all++;
    }
    return all;
}

spn_status spn_bins_outline(double *x, double *y, const spn_bins *bins, const spn_sample *sample,
                            spn_error *err)
{
    size_t *counts = spn_alloc(bins->count + 1, sizeof *counts), at = 0;
    if (!counts)
        return spn_no_memory(err, "a histogram");
    const double all = (double)spn_bins_fill(counts, bins, sample);
    x[at] = bins->start;
    y[at++] = 0;
    for (size_t k = 0; k < bins->count; k++)
        for (size_t end = 0; end < 2; end++, at++) {
            x[at] = bins->start + (double)(k + end) * bins->width;
            y[at] = all > 0 ? (double)counts[k] / all : 0;
        }
    x[at] = bins->start + (double)bins->count * bins->width;
    y[at] = 0;
    free(counts);
    return SPN_OK;
}

spn_status spn_histogram_outline(double *x, double *y, size_t *points, const double *values,
                                 size_t count, spn_error *err)
{
    const spn_sample sample = {.values = values, .count = count};
    spn_bins bins;
    *points = 0;
    spn_status status = spn_bins_choose(&bins, &sample, 1, err);
    if (status || bins.count == 0)
        return status;
    assert(bins.count <= SPN_MOST_BINS);
    status = spn_bins_outline(x, y, &bins, &sample, err);
    *points = status ? 0 : 2 * bins.count + 2;
    return status;
}
