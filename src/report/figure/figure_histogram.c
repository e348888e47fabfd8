/* Figures of how values are spread: one histogram for each curve, over each other, in bins that all
   of them share. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/drawings.h"
#include "report/figure/script.h"
#include "report/page/html.h"
#include <spinney/lab/histogram.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The bins of a figure, and how many values of each curve are in them. */
typedef struct bars {
    spn_bins bins;
    double factor;
    size_t *counts; /* curve by curve; NULL without memory */
    size_t *all;    /* of each curve */
} bars;

static void clear(bars *b)
{
    free(b->counts);
    free(b->all);
    *b = (bars){0};
}

static bool make(bars *out, const spn_report_figure *figure)
{
    *out = (bars){.factor = spn_value_factor(figure->request->value)};
    spn_sample *samples = spn_alloc(figure->count, sizeof *samples);
    bool done = samples != NULL;
    for (size_t k = 0; done && k < figure->count; k++)
        samples[k] = (spn_sample){figure->curves[k].values, figure->curves[k].value_count};
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

static double share_of(const bars *b, size_t curve, size_t bin)
{
    return (double)b->counts[curve * b->bins.count + bin] / (double)b->all[curve];
}

/* ---- the data ---- */

enum { FROM = 1, TO, COUNT, SHARE };

/* A row for each bin of each curve, the curve's value last. */
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
            spn_print(stream, "%.10g,%.10g,%zu,%.10g,", edge(&b, bin), edge(&b, bin + 1),
                      b.counts[k * b.bins.count + bin], share_of(&b, k, bin));
            spn_csv_put_quoted(stream, figure->curves[k].value);
            fputc('\n', stream);
        }
    clear(&b);
    return true;
}

/* ---- the script ---- */

/* Filled bars of a few curves, light enough for those behind them; of more the outlines alone. */
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
