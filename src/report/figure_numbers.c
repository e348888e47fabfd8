/* Means and their intervals as texts of as many digits as the interval allows. */
#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 9 };

/* The decimals that show two digits of an interval; -1: it has none, or too many. */
static int decimals_of(double half)
{
    if (!isfinite(half) || half <= 0)
        return -1;
    char text[32];
    snprintf(text, sizeof text, "%.1e", half); /* 9.96e-2 is 1.0e-1 */
    const int exponent = (int)floor(log10(strtod(text, NULL)) + 1e-9);
    return exponent >= 1 ? 0 : exponent < 1 - MOST_DECIMALS ? -1 : 1 - exponent;
}

const char *spn_show_center(char out[SPN_SHOWN_MEAN], double mean, double half, double factor)
{
    const int decimals = decimals_of(half * factor);
    if (!isfinite(mean))
        strcpy(out, "–");
    else if (decimals >= 0 && fabs(mean * factor) < 1e15)
        snprintf(out, SPN_SHOWN_MEAN, "%.*f", decimals, mean * factor);
    else
        snprintf(out, SPN_SHOWN_MEAN, "%.5g", mean * factor);
    return out;
}

const char *spn_show_mean(char out[SPN_SHOWN_MEAN], double mean, double half, double factor)
{
    const int decimals = decimals_of(half * factor);
    spn_show_center(out, mean, half, factor);
    const size_t used = strlen(out);
    if (!isfinite(mean) || !isfinite(half))
        return out;
    if (decimals >= 0 && half * factor < 1e15)
        snprintf(out + used, SPN_SHOWN_MEAN - used, " ± %.*f", decimals, half * factor);
    else
        snprintf(out + used, SPN_SHOWN_MEAN - used, " ± %.2g", half * factor);
    return out;
}

const char *spn_show_difference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell)
{
    if (!cell->has_reference || isnan(cell->difference))
        strcpy(out, "–");
    else
        snprintf(out, SPN_SHOWN_MEAN, "%+.2f", cell->difference);
    return out;
}
