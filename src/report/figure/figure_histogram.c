/* Histograms: one for each curve, in shared bins. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/figure/script.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bars {
    spn_bins bins;
    double factor;
    size_t *counts; /* curve by curve; NULL without memory */
    size_t *all;    /* total of each curve */
} bars;

static void clear(bars *b)
{
    SPN_FREE_ALL(b->counts, b->all);
    *b = (bars){0};
}

static bool make(bars *out, const spn_report_figure *figure)
{
    *out = (bars){.factor = spn_value_factor(figure->request->value)};
    spn_curve *samples = spn_alloc(figure->count, sizeof *samples);
    bool done = samples != NULL;
    for (size_t k = 0; done && k < figure->count; k++)
        samples[k] =
            (spn_curve){.y = figure->curves[k].values, .count = figure->curves[k].value_count};
    done = done && !spn_bins_choose(&out->bins, samples, figure->count, NULL);
    out->counts = done ? spn_alloc(figure->count * out->bins.count + 1, sizeof(size_t)) : NULL;
    out->all = done ? spn_alloc(figure->count, sizeof(size_t)) : NULL;
    done = done && out->counts && out->all;
    for (size_t k = 0; done && k < figure->count; k++)
        out->all[k] = spn_bins_fill(out->counts + k * out->bins.count, &out->bins, &samples[k]);
    free(samples);
    if (!done)
        clear(out);
    return done;
}

static double edge(const bars *b, size_t bin)
{
    return b->bins.start + (double)bin * b->bins.width;
}

enum { FROM = 1, TO, COUNT, SHARE };

static bool write_data(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    bars b;
    (void)grid;
    fputs("from,to,count,share,", stream);
    spn_csv_put(stream, figure->request->by ? figure->request->by : "value");
    fputc('\n', stream);
    if (!make(&b, figure))
        return false;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t bin = 0; b.all[k] > 0 && bin < b.bins.count; bin++) {
            const size_t count = b.counts[k * b.bins.count + bin];
            spn_print(stream, "%.10g,%.10g,%zu,%.10g,", edge(&b, bin), edge(&b, bin + 1), count,
                      (double)count / (double)b.all[k]);
            spn_csv_put_quoted(stream, figure->curves[k].value);
            fputc('\n', stream);
        }
    clear(&b);
    return true;
}

/* A few curves get filled bars, light enough to see through; more get outlines. */
static void put_bars(const spn_script *script, const bars *b)
{
    enum { FEW = 3 };
    const spn_report_figure *figure = script->figure;
    const double solid = figure->count > 1 ? 0.25 : 0.5;
    char colour[SPN_COLOUR];
    size_t first = 0;
    fputs("plot ", script->stream);
    for (size_t k = 0; k < figure->count; k++) {
        if (b->all[k] == 0)
            continue;
        spn_curve_colour(colour, k, figure->count, false);
        spn_print(script->stream, "%sdata skip 1 every ::%zu::%zu using (($%d+$%d)/2*%g):%d",
                  first ? ", \\\n  " : "", first, first + b->bins.count - 1, FROM, TO, b->factor,
                  SHARE);
        if (figure->count <= FEW)
            spn_print(
                script->stream,
                ":(($%d-$%d)*%g) with boxes lc rgb '%s' lw 1.2 fs transparent solid %g border", TO,
                FROM, b->factor, colour, solid);
        else
            fprintf(script->stream, " with histeps lc rgb '%s' lw 2", colour);
        fputs(" title ", script->stream);
        spn_gnuplot_quote(script->stream, figure->curves[k].name);
        first += b->bins.count;
    }
    fputs(first ? "" : "NaN notitle # there is no value", script->stream);
}

static bool write_script(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    bars b;
    if (!make(&b, figure))
        return false;
    const spn_script script =
        spn_script_begin_shares(stream, figure, grid, SPN_FIGURE_HISTOGRAM, "share of the values");
    const double room = b.bins.width * 0.5;
    spn_print(stream, "set xrange [%.10g:%.10g]\nset yrange [0:*]\n",
              (b.bins.start - room) * b.factor, (edge(&b, b.bins.count) + room) * b.factor);
    fprintf(stream, "\n# Columns of the data: %d and %d the ends of a bin, %d how many, %d share\n",
            FROM, TO, COUNT, SHARE);
    put_bars(&script, &b);
    spn_script_end(&script);
    clear(&b);
    return true;
}

const spn_drawing spn_drawing_histogram = {
    .what = "A histogram", .script = write_script, .text_ending = ".csv", .text = write_data};

/* A grid step tolerates this share of itself as rounding. A grid has at most this many steps. */
static const double ROUNDING = 1e-6, MOST_STEPS = 1e6;

static double quantile(const double *sorted, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place;
    const double next = below + 1 < count ? sorted[below + 1] : sorted[below];
    return sorted[below] + (place - (double)below) * (next - sorted[below]);
}

/* Step of the grid that the sorted values lie on; 0: none. */
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

/* Bins of about this width. step: of the grid, or 0. */
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

spn_status spn_bins_choose(spn_bins *out, const spn_curve *samples, size_t count, spn_error *err)
{
    size_t all = 0, taken = 0;
    *out = (spn_bins){0};
    for (size_t k = 0; k < count; k++)
        all += samples[k].count;
    double *values = spn_alloc(all + 1, sizeof *values);
    SPN_NEED(values, err, "a histogram");
    double width = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        double *own = values + taken;
        size_t size = 0;
        for (size_t i = 0; i < samples[k].count; i++)
            if (isfinite(samples[k].y[i]))
                own[size++] = samples[k].y[i];
        if (size == 0)
            continue;
        qsort(own, size, sizeof *own, spn_number_compare);
        const double spread = quantile(own, size, 0.75) - quantile(own, size, 0.25);
        double wanted = 2 * spread / cbrt((double)size); /* 0: all values are equal */
        if (!(wanted > 0))
            wanted = (own[size - 1] - own[0]) / (1 + log2((double)size));
        width = wanted > 0 ? fmin(width, wanted) : width;
        taken += size;
    }
    if (taken > 0) {
        qsort(values, taken, sizeof *values, spn_number_compare);
        /* A few values can have gaps of several steps by chance. If they are whole, the step is
           1. */
        bool whole = true;
        for (size_t k = 0; k < taken && whole; k++)
            whole = values[k] == round(values[k]) && fabs(values[k]) <= 1e15;
        double step = step_of(values, taken);
        if (whole && (step == 0 || taken < SPN_MOST_BINS))
            step = 1;
        *out = lay(values[0], values[taken - 1], isfinite(width) ? width : 0, step);
    }
    free(values);
    return SPN_OK;
}

size_t spn_bins_fill(size_t *out, const spn_bins *bins, const spn_curve *sample)
{
    size_t all = 0;
    memset(out, 0, bins->count * sizeof *out);
    for (size_t k = 0; k < sample->count && bins->count > 0; k++) {
        if (!isfinite(sample->y[k]))
            continue;
        const double place = floor((sample->y[k] - bins->start) / bins->width);
        const size_t bin = place < 0 ? 0 : (size_t)place;
        out[bin < bins->count ? bin : bins->count - 1]++; /* the last bin includes its upper end */
        all++;
    }
    return all;
}

spn_status spn_bins_outline(double *x, double *y, const spn_bins *bins, const spn_curve *sample,
                            spn_error *err)
{
    size_t *counts = spn_alloc(bins->count + 1, sizeof *counts), at = 0;
    SPN_NEED(counts, err, "a histogram");
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
    const spn_curve sample = {.y = values, .count = count};
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
