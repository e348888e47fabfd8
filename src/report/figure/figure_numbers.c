/* Means and their intervals as texts of as many digits as the interval allows. */
#include "base/number.h"
#include "report/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 9 };
static const double MOST = 1e15; /* doubles have no more digits */

/* The decimals that show two digits of an interval; -1: it has none, or too many. */
static int decimals_of(double half)
{
    if (!isfinite(half) || half <= 0)
        return -1;
    /* 9.96e-2 is 1.0e-1 */
    const int exponent = (int)floor(log10(spn_number_round(half, 2)) + 1e-9);
    return exponent >= 1 ? 0 : exponent < 1 - MOST_DECIMALS ? -1 : 1 - exponent;
}

/* Five digits, but all of those before the point, and no zeros at the end; an exponent only where
   there would be many. */
static void put_plain(char out[SPN_SHOWN_MEAN], double value)
{
    const double size = fabs(value);
    char rounded[32];
    spn_print_text(rounded, sizeof rounded, "%.4e", value);
    const int exponent = atoi(strchr(rounded, 'e') + 1);
    if (size >= MOST || (size > 0 && exponent < -4)) {
        spn_print_text(out, SPN_SHOWN_MEAN, "%.5g", value);
        return;
    }
    spn_print_text(out, SPN_SHOWN_MEAN, "%.*f", exponent < 4 ? 4 - exponent : 0, value);
    if (!strchr(out, '.'))
        return;
    size_t end = strlen(out);
    while (out[end - 1] == '0')
        end--;
    out[out[end - 1] == '.' ? end - 1 : end] = 0;
}

/* decimals -1: as few as there are. */
static const char *put_center(char out[SPN_SHOWN_MEAN], double value, int decimals)
{
    if (!isfinite(value))
        strcpy(out, "–");
    else if (decimals >= 0 && fabs(value) < MOST)
        spn_print_text(out, SPN_SHOWN_MEAN, "%.*f", decimals, value);
    else
        put_plain(out, value);
    return out;
}

static const char *put_mean(char out[SPN_SHOWN_MEAN], double value, double half, int decimals)
{
    put_center(out, value, decimals);
    const size_t used = strlen(out);
    if (!isfinite(value) || !isfinite(half))
        return out;
    if (decimals >= 0 && half > 0 && half < MOST)
        spn_print_text(out + used, SPN_SHOWN_MEAN - used, " ± %.*f", decimals, half);
    else
        spn_print_text(out + used, SPN_SHOWN_MEAN - used, " ± %.2g", half);
    return out;
}

const char *spn_show_center(char out[SPN_SHOWN_MEAN], double mean, double half, double factor)
{
    return put_center(out, mean * factor, decimals_of(half * factor));
}

const char *spn_show_mean(char out[SPN_SHOWN_MEAN], double mean, double half, double factor)
{
    return put_mean(out, mean * factor, half * factor, decimals_of(half * factor));
}

/* "1.2e+06 [9e+05, 2.1e+06]": times to solution, over many powers of ten, whose interval is not
   symmetric and may have no upper end; or what they are at least. */
static const char *show_time(char out[SPN_SHOWN_MEAN], const spn_summary *s)
{
    if (isnan(s->mean))
        spn_print_text(out, SPN_SHOWN_MEAN, "≥ %.3g", s->low);
    else if (isinf(s->high))
        spn_print_text(out, SPN_SHOWN_MEAN, "%.3g [%.3g, …]", s->mean, s->low);
    else
        spn_print_text(out, SPN_SHOWN_MEAN, "%.3g [%.3g, %.3g]", s->mean, s->low, s->high);
    return out;
}

const char *spn_show_summary(char out[SPN_SHOWN_MEAN], const spn_summary *s, double factor)
{
    if (!(s->trials > 0) && !isnan(s->low) && isnan(s->deviation))
        return show_time(out, s);
    if (!(s->trials > 0))
        return spn_show_mean(out, s->mean, s->half, factor);
    const int decimals = decimals_of((s->high - s->low) * factor);
    put_center(out, s->mean * factor, decimals);
    const size_t used = strlen(out);
    const int shown = decimals < 0 ? MOST_DECIMALS : decimals;
    spn_print_text(out + used, SPN_SHOWN_MEAN - used, " [%.*f, %.*f]", shown, s->low * factor,
                   shown, s->high * factor);
    return out;
}

/* ---- references ---- */

/* 0.860 as 86.0: percents have two digits less. */
static int written_decimals(int digits, double factor)
{
    const int shown = factor == 100 ? digits - 2 : digits;
    return digits < 0 ? -1 : shown < 0 ? 0 : shown > MOST_DECIMALS ? MOST_DECIMALS : shown;
}

static int reference_decimals(const spn_report_cell *cell, double factor)
{
    const int rounded = decimals_of(cell->reference_half * factor);
    const int of_mean = written_decimals(cell->reference_digits, factor);
    const int of_half = written_decimals(cell->reference_half_digits, factor);
    if (rounded < 0)
        return of_mean;
    const int written = of_mean < 0 || of_half < 0 ? rounded
                        : of_mean > of_half        ? of_mean
                                                   : of_half;
    return written < rounded ? written : rounded;
}

const char *spn_show_reference_center(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell,
                                      double factor)
{
    return put_center(out, cell->reference * factor, reference_decimals(cell, factor));
}

const char *spn_show_reference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell, double factor)
{
    return put_mean(out, cell->reference * factor, cell->reference_half * factor,
                    reference_decimals(cell, factor));
}

/* ---- others ---- */

const char *spn_show_value(char out[SPN_SHOWN_VALUE], const char *text)
{
    enum { ROUND = 9 };
    double value;
    if (strlen(text) <= ROUND || !spn_number_parse(&value, text))
        return text;
    spn_print_text(out, SPN_SHOWN_VALUE, "%.6g", value);
    return strlen(out) < strlen(text) ? out : text;
}

const char *spn_show_difference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell)
{
    if (!cell->has_reference || isnan(cell->difference))
        strcpy(out, "–");
    else
        spn_print_text(out, SPN_SHOWN_MEAN, "%+.2f", cell->difference);
    return out;
}
