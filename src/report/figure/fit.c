#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "record/record.h"
#include "report/figure/hits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_status fit_curve(spn_report_curve *curve, double guide, spn_error *err)
{
    double *x = spn_alloc(2 * curve->count, sizeof *x);
    SPN_NEED(x, err, "a fit");
    double *y = x + curve->count;
    size_t count = 0;
    for (size_t c = 0; c < curve->count; c++)
        if (curve->cells[c].ours.mean > 0 && isfinite(curve->cells[c].x)) {
            x[count] = curve->cells[c].x;
            y[count++] = curve->cells[c].ours.mean;
        }
    curve->is_fitted =
        !spn_gap_fit_compute(&curve->fit, x, y, count, isnan(guide) ? 0 : guide, NULL);
    if (isnan(guide))
        curve->fit.c = curve->fit.C = NAN;
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
            return spn_refuse(err, "figure %s: its guide, %s, is %g in one run and %g in another",
                              request->name, request->guide, *out, value);
        *out = wanted ? value : *out;
    }
    if (!isnan(*out))
        return SPN_OK;
    return spn_refuse(err, "figure %s: no run has the result '%s' of its guide", request->name,
                      request->guide);
}

static spn_status add_guide(spn_report_figure *figure, spn_error *err)
{
    const char *before = figure->request->fit ? "slope -" : "";
    const double shown = figure->request->fit ? -figure->guide : figure->guide;
    spn_report_curve *curves = realloc(figure->curves, (figure->count + 1) * sizeof *curves);
    SPN_NEED(curves, err, "a guide");
    figure->curves = curves;
    const spn_report_curve *first = &curves[0];
    spn_report_curve *guide = &curves[figure->count];
    *guide = (spn_report_curve){.is_guide = true, .value = strdup(figure->request->guide)};
    guide->cells = spn_alloc(first->count, sizeof *guide->cells);
    char number[SPN_NUMBER_TEXT];
    spn_print_text(number, sizeof number, "%.4g", shown);
    guide->name = spn_text_new("%s%s = %s", before, figure->request->guide, number);
    const spn_report_cell *last = &first->cells[first->count - 1];
    bool whole = guide->name && guide->value && guide->cells;
    for (size_t c = 0; whole && c < first->count; c++) {
        const double x = first->cells[c].x;
        spn_report_cell *cell = spn_curve_add_cell(guide, x, first->cells[c].x_text);
        whole = cell != NULL;
        if (cell) /* horizontal, or an exponential through the last point of the first curve */
            cell->ours.mean = figure->request->fit
                                  ? last->ours.mean * exp(figure->guide * (last->x - x))
                                  : figure->guide;
    }
    figure->count++; /* so that it is cleared after an error */
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

bool spn_figure_fit_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    fputs("curve,slope,last_slope,guide,c,C\n", stream);
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        if (!curve->is_fitted)
            continue;
        const spn_gap_fit *fit = &curve->fit;
        spn_csv_put_quoted(stream, curve->value);
        fputc(',', stream);
        spn_csv_numbers(stream,
                        (double[]){fit->slope, fit->last_slope, figure->guide, fit->c, fit->C}, 5);
        fputc('\n', stream);
    }
    return true;
}

const char *spn_curve_fit(char out[SPN_FIT_TEXT], const spn_report_figure *figure, size_t curve)
{
    const spn_gap_fit *fit = &figure->curves[curve].fit;
    out[0] = 0;
    if (!figure->curves[curve].is_fitted)
        return out;
    spn_print_text(out, SPN_FIT_TEXT,
                   "slope of the logarithm %.6g, %.6g between the last two points", fit->slope,
                   fit->last_slope);
    if (!isnan(figure->guide))
        spn_print_more(out, SPN_FIT_TEXT, "; %.6g to %.6g times e^(-%s x)", fit->c, fit->C,
                       figure->request->guide);
    return out;
}

/* ---- power laws and exponentials ---- */

/* 0.975 quantile of the normal distribution. */
static const double Z = 1.959963984540054;

/* Place of a point on the axis on which the trend is a line. */
static double place(const spn_trend_point *point, spn_trend trend)
{
    return trend == SPN_TREND_POWER ? log(point->x) : point->x;
}

static double weight(const spn_trend_point *point, bool weighted)
{
    return weighted ? 1 / (point->error * point->error) : 1;
}

/* Weighted means, and sums of squares about them. */
typedef struct sums {
    double weight, x, y, xx, xy;
} sums;

static sums sum_up(const spn_trend_point *points, size_t count, spn_trend trend, bool weighted)
{
    sums s = {0};
    for (size_t k = 0; k < count; k++) {
        const double w = weight(&points[k], weighted);
        s.weight += w;
        s.x += w * place(&points[k], trend);
        s.y += w * log(points[k].y);
    }
    s.x /= s.weight;
    s.y /= s.weight;
    for (size_t k = 0; k < count; k++) {
        const double w = weight(&points[k], weighted), x = place(&points[k], trend) - s.x;
        s.xx += w * x * x;
        s.xy += w * x * (log(points[k].y) - s.y);
    }
    return s;
}

spn_trend_fit spn_trend_through(const spn_trend_point *points, size_t count, spn_trend trend,
                                bool weighted)
{
    spn_trend_fit fit = {.low = NAN, .high = NAN};
    const sums s = sum_up(points, count, trend, weighted);
    if (count < 2 || !(s.xx > 0))
        return fit;
    fit.done = true;
    fit.slope = s.xy / s.xx;
    fit.factor = exp(s.y - fit.slope * s.x);
    for (size_t k = 0; k < count; k++) {
        const double off = log(points[k].y) - s.y - fit.slope * (place(&points[k], trend) - s.x);
        fit.residual += weight(&points[k], weighted) * off * off;
    }
    const double degrees = (double)count - 2;
    double half = NAN; /* half the width of the slope's interval */
    if (weighted)
        half = Z * sqrt((degrees > 0 ? fmax(1, fit.residual / degrees) : 1) / s.xx);
    else if (degrees > 0)
        half = spn_student_quantile(count - 2) * sqrt(fit.residual / degrees / s.xx);
    fit.low = fit.slope - half;
    fit.high = fit.slope + half;
    fit.aic = weighted ? fit.residual + 4 : (double)count * log(fit.residual / (double)count) + 6;
    return fit;
}

/* Error of log y, from both ends of the interval or the one that is finite. */
static double error_of(const spn_summary *summary)
{
    const double low = log(summary->mean / summary->low), high = log(summary->high / summary->mean);
    if (isfinite(low) && isfinite(high))
        return (low + high) / 2 / Z;
    return isfinite(low) ? low / Z : isfinite(high) ? high / Z : NAN;
}

static spn_status fit_trends(spn_report_curve *curve, const spn_sweep_figure *request,
                             spn_error *err)
{
    spn_report_trends *trends = &curve->trends;
    spn_trend_point *points = spn_alloc(curve->count, sizeof *points);
    SPN_NEED(points, err, "a fit");
    trends->weighted = true;
    for (size_t c = 0; c < curve->count; c++) {
        const spn_report_cell *cell = &curve->cells[c];
        trends->bounds += isnan(cell->ours.mean) && cell->length_count > 0;
        if (!(cell->ours.mean > 0) || !isfinite(cell->ours.mean) || !isfinite(cell->x) ||
            (request->trends[SPN_TREND_POWER] && !(cell->x > 0)))
            continue;
        points[trends->points] = (spn_trend_point){cell->x, cell->ours.mean, error_of(&cell->ours)};
        trends->weighted = trends->weighted && points[trends->points].error > 0;
        trends->points++;
    }
    for (spn_trend trend = 0; trend < SPN_TRENDS; trend++)
        if (request->trends[trend] && trends->points > 0)
            trends->of[trend] = spn_trend_through(points, trends->points, trend, trends->weighted);
    free(points);
    return SPN_OK;
}

spn_status spn_figure_fit_trends(spn_report_figure *inout, spn_error *err)
{
    const spn_sweep_figure *request = inout->request;
    if (!request->trends[SPN_TREND_POWER] && !request->trends[SPN_TREND_EXPONENTIAL])
        return SPN_OK;
    for (size_t k = 0; k < inout->count; k++)
        if (!inout->curves[k].is_guide)
            SPN_TRY(fit_trends(&inout->curves[k], request, err));
    return SPN_OK;
}

spn_trend spn_trends_better(double *by, const spn_report_trends *trends)
{
    const spn_trend_fit *power = &trends->of[SPN_TREND_POWER],
                        *exponential = &trends->of[SPN_TREND_EXPONENTIAL];
    *by = fabs(power->aic - exponential->aic);
    if (!power->done || !exponential->done || trends->points < 3 || isnan(*by) || *by == 0)
        return SPN_TRENDS;
    return power->aic < exponential->aic ? SPN_TREND_POWER : SPN_TREND_EXPONENTIAL;
}

static void put_row(FILE *stream, const spn_report_curve *curve, spn_trend trend)
{
    const spn_trend_fit *fit = &curve->trends.of[trend];
    double by;
    spn_csv_put_quoted(stream, curve->value);
    fprintf(stream, ",%s,", trend == SPN_TREND_POWER ? "power" : "exponential");
    spn_csv_numbers(
        stream, (double[]){fit->factor, fit->slope, fit->low, fit->high, fit->residual, fit->aic},
        6);
    fprintf(stream, ",%zu,%zu,%d,%d\n", curve->trends.points, curve->trends.bounds,
            curve->trends.weighted, spn_trends_better(&by, &curve->trends) == trend);
}

bool spn_figure_trends_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    (void)grid;
    fputs("curve,trend,factor,slope,low,high,residual,aic,points,bounds,weighted,better\n", stream);
    for (size_t k = 0; k < figure->count; k++)
        for (spn_trend trend = 0; trend < SPN_TRENDS; trend++)
            if (figure->curves[k].trends.of[trend].done)
                put_row(stream, &figure->curves[k], trend);
    return true;
}

/* Append "as x^2.1 [1.9, 2.3]" or "as e^(0.013 [0.01, 0.016] x)". */
static void tell_law(char out[SPN_TRENDS_TEXT], const spn_trend_fit *fit, spn_trend trend,
                     const char *x)
{
    char interval[64] = "";
    if (!isnan(fit->low))
        spn_print_text(interval, sizeof interval, " [%.3g, %.3g]", fit->low, fit->high);
    spn_print_more(out, SPN_TRENDS_TEXT, "%s", *out ? "; as " : "as ");
    if (trend == SPN_TREND_POWER)
        spn_print_more(out, SPN_TRENDS_TEXT, "%.*s^%.3g%s", spn_fit(x, 40), x, fit->slope,
                       interval);
    else
        spn_print_more(out, SPN_TRENDS_TEXT, "e^(%.3g %.*s), rate%s", fit->slope, spn_fit(x, 40), x,
                       *interval ? interval : " without an interval");
}

/* Append which fits better. */
static void tell_better(char out[SPN_TRENDS_TEXT], const spn_report_trends *trends)
{
    double by;
    const spn_trend better = spn_trends_better(&by, trends);
    const char *name = better == SPN_TREND_POWER ? "power law" : "exponential";
    if (!trends->of[SPN_TREND_POWER].done || !trends->of[SPN_TREND_EXPONENTIAL].done)
        return;
    if (trends->points < 3)
        spn_print_more(out, SPN_TRENDS_TEXT, "; two points cannot tell the two apart");
    else if (better == SPN_TRENDS)
        spn_print_more(out, SPN_TRENDS_TEXT, "; both fit the same");
    else if (!isfinite(by))
        spn_print_more(out, SPN_TRENDS_TEXT, "; the %s fits exactly", name);
    else
        spn_print_more(out, SPN_TRENDS_TEXT, "; the %s fits better (AIC lower by %.2g%s)", name, by,
                       by < 2 ? ", which is little" : "");
}

const char *spn_curve_trends(char out[SPN_TRENDS_TEXT], const spn_report_figure *figure,
                             size_t curve)
{
    const spn_report_trends *trends = &figure->curves[curve].trends;
    out[0] = 0;
    for (spn_trend trend = 0; trend < SPN_TRENDS; trend++)
        if (trends->of[trend].done)
            tell_law(out, &trends->of[trend], trend, figure->request->x);
    if (!*out)
        return out;
    tell_better(out, trends);
    spn_print_more(out, SPN_TRENDS_TEXT, "; %zu points", trends->points);
    if (trends->bounds > 0)
        spn_print_more(out, SPN_TRENDS_TEXT, ", %zu bound%s left out", trends->bounds,
                       trends->bounds == 1 ? "" : "s");
    return out;
}
