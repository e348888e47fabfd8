/* Exponentials fitted to curves, and guides. */
#include "record/record.h"
#include "report/figure/figure.h"
#include "report/summary.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/try.h"

#include <math.h>
#include <spinney/spectrum.h>
#include <stdlib.h>
#include <string.h>

/* ---- fits ---- */

/* The points of a curve that have a logarithm. */
static size_t positive_points(double *x, double *y, const spn_report_curve *curve)
{
    size_t count = 0;
    for (size_t c = 0; c < curve->count; c++)
        if (curve->cells[c].ours.mean > 0 && isfinite(curve->cells[c].x)) {
            x[count] = curve->cells[c].x;
            y[count++] = curve->cells[c].ours.mean;
        }
    return count;
}

static spn_status fit_curve(spn_report_curve *curve, double guide, spn_error *err)
{
    double *x = spn_alloc(2 * curve->count, sizeof *x);
    spn_gap_fit fit;
    if (!x)
        return spn_no_memory(err, "a fit");
    double *y = x + curve->count;
    const size_t count = positive_points(x, y, curve);
    if (!spn_gap_fit_compute(&fit, x, y, count, isnan(guide) ? 0 : guide, NULL))
        curve->fit = (spn_report_fit){true, fit.slope, fit.last_slope, isnan(guide) ? NAN : fit.c,
                                      isnan(guide) ? NAN : fit.C};
    free(x);
    return SPN_OK;
}

/* ---- the guide ---- */

static spn_status find_guide(double *out, const spn_records *records,
                             const spn_sweep_figure *request, spn_error *err)
{
    *out = NAN;
    for (size_t r = 0; r < records->count; r++) {
        const double value = spn_record_number(&records->records[r], request->guide);
        bool wanted = !isnan(value);
        for (size_t w = 0; w < request->where_count && wanted; w++)
            if (!strchr(request->where[w], '.') &&
                spn_record_matches(&wanted, &records->records[r], request->where[w], err))
                return SPN_ERROR_ARGUMENT;
        if (wanted && !isnan(*out) && value != *out)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "figure %s: its guide, %s, is %g in one run and %g in another",
                            request->name, request->guide, *out, value);
        *out = wanted ? value : *out;
    }
    if (!isnan(*out))
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT, "figure %s: no run has the result '%s' of its guide",
                    request->name, request->guide);
}

/* The height of the guide at x: even, or falling to the last point of the first curve. */
static double guide_at(const spn_report_figure *figure, double x)
{
    const spn_report_curve *first = &figure->curves[0];
    const spn_report_cell *last = &first->cells[first->count - 1];
    if (!figure->request->fit)
        return figure->guide;
    return last->ours.mean * exp(figure->guide * (last->x - x));
}

static spn_status add_guide(spn_report_figure *figure, spn_error *err)
{
    const char *before = figure->request->fit ? "slope -" : "";
    const double shown = figure->request->fit ? -figure->guide : figure->guide;
    spn_report_curve *curves = realloc(figure->curves, (figure->count + 1) * sizeof *curves);
    if (!curves)
        return spn_no_memory(err, "a guide");
    figure->curves = curves;
    const spn_report_curve *first = &curves[0];
    spn_report_curve *guide = &curves[figure->count];
    *guide = (spn_report_curve){.is_guide = true, .value = strdup(figure->request->guide)};
    guide->cells = spn_alloc(first->count, sizeof *guide->cells);
    char number[SPN_NUMBER_TEXT];
    spn_print_text(number, sizeof number, "%.4g", shown);
    if (asprintf(&guide->name, "%s%s = %s", before, figure->request->guide, number) < 0)
        guide->name = NULL;
    bool whole = guide->name && guide->value && guide->cells;
    for (size_t c = 0; whole && c < first->count; c++) {
        guide->cells[c] = spn_cell_empty(first->cells[c].x, strdup(first->cells[c].x_text));
        guide->cells[c].ours.mean = guide_at(figure, first->cells[c].x);
        whole = guide->cells[c].x_text;
        guide->count++;
    }
    figure->count++; /* cleared with the others, also after an error */
    return whole ? SPN_OK : spn_no_memory(err, "a guide");
}

spn_status spn_figure_fit(spn_report_figure *inout, const spn_records *records, spn_error *err)
{
    const spn_sweep_figure *request = inout->request;
    if (request->guide)
        SPN_TRY(find_guide(&inout->guide, records, request, err));
    for (size_t k = 0; request->fit && k < inout->count; k++)
        SPN_TRY(fit_curve(&inout->curves[k], inout->guide, err));
    if (request->guide && inout->count > 0 && inout->curves[0].count > 0)
        return add_guide(inout, err);
    return SPN_OK;
}

/* ---- as texts ---- */

static void put_number(FILE *stream, double value)
{
    char text[SPN_NUMBER_TEXT] = "";
    if (isfinite(value))
        spn_number_text(text, value);
    fprintf(stream, ",%s", text);
}

bool spn_figure_fit_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    fputs("curve,slope,last_slope,guide,c,C\n", stream);
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        if (!curve->fit.done)
            continue;
        spn_csv_put_quoted(stream, curve->value);
        put_number(stream, curve->fit.slope);
        put_number(stream, curve->fit.last_slope);
        put_number(stream, figure->guide);
        put_number(stream, curve->fit.c);
        put_number(stream, curve->fit.C);
        fputc('\n', stream);
    }
    return true;
}

const char *spn_curve_fit(char out[SPN_FIT_TEXT], const spn_report_figure *figure, size_t curve)
{
    const spn_report_fit *fit = &figure->curves[curve].fit;
    out[0] = 0;
    if (!fit->done)
        return out;
    const int used = spn_print_text(out, SPN_FIT_TEXT,
                                    "slope of the logarithm %.6g, %.6g between the "
                                    "last two points",
                                    fit->slope, fit->last_slope);
    if (!isnan(figure->guide))
        spn_print_text(out + used, SPN_FIT_TEXT - (size_t)used, "; %.6g to %.6g times e^(-%s x)",
                       fit->c, fit->C, figure->request->guide);
    return out;
}
