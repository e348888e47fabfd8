/* The scale of a heat map: what colour a mean has, and in how many digits it is shown. */
#include "report/figure_heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 9, DIGITS = 3 };

/* The decimals that show so many digits of a number. */
static int decimals_for(double number, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", digits - 1, number); /* 9.996 is 1.00e+01 */
    const long decimals = digits - 1 - strtol(strchr(text, 'e') + 1, NULL, 10);
    return decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals < 0 ? 0 : (int)decimals;
}

/* Two digits of the geometric mean of all intervals, else three of the greatest mean. */
static int find_decimals(const spn_report_figure *figure, const spn_heat *heat)
{
    double sum = 0, greatest = 0;
    size_t count = 0;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_summary *ours = &figure->curves[k].cells[c].ours;
            if (isfinite(ours->mean))
                greatest = fmax(greatest, fabs(ours->mean) * heat->factor);
            if (ours->half > 0 && isfinite(ours->half)) {
                sum += log(ours->half * heat->factor);
                count++;
            }
        }
    if (count > 0)
        return decimals_for(exp(sum / (double)count), 2);
    return greatest > 0 ? decimals_for(greatest, DIGITS) : 0;
}

static void find_range(spn_heat *heat, const spn_report_figure *figure, bool positive)
{
    heat->least = heat->most = NAN;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const double mean = figure->curves[k].cells[c].ours.mean;
            if (!isfinite(mean) || (positive && !(mean > 0)))
                continue;
            heat->least = fmin(heat->least, mean);
            heat->most = fmax(heat->most, mean);
        }
}

spn_heat spn_heat_make(const spn_report_figure *figure)
{
    spn_heat heat = {.log = figure->request->log_y,
                     .factor = spn_value_factor(figure->request->value)};
    find_range(&heat, figure, heat.log);
    if (heat.log && isnan(heat.least)) {
        heat.log = false;
        find_range(&heat, figure, false);
    }
    if (isnan(heat.least))
        heat.least = heat.most = 0;
    /* a scale from a value to itself is none */
    if (!(heat.most > heat.least))
        heat.most = heat.least + fmax(fabs(heat.least) * 1e-6, 1e-12);
    heat.decimals = heat.log ? -1 : find_decimals(figure, &heat);
    return heat;
}

double spn_heat_share(const spn_heat *heat, double mean)
{
    if (!heat->log)
        return (mean - heat->least) / (heat->most - heat->least);
    return mean > heat->least ? log(mean / heat->least) / log(heat->most / heat->least) : 0;
}

const char *spn_heat_text(char out[SPN_SHOWN_MEAN], const spn_heat *heat, double mean)
{
    const double shown = mean * heat->factor;
    if (!isfinite(mean))
        strcpy(out, "–");
    else if (heat->decimals < 0 && shown > 0 && shown < 1e6 && shown >= 1e-4)
        snprintf(out, SPN_SHOWN_MEAN, "%.*f", decimals_for(shown, DIGITS), shown);
    else if (heat->decimals < 0 || fabs(shown) >= 1e15)
        snprintf(out, SPN_SHOWN_MEAN, "%.*g", DIGITS, shown);
    else
        snprintf(out, SPN_SHOWN_MEAN, "%.*f", heat->decimals, shown);
    return out;
}
