/* Means rounded by their intervals, and colours of curves and heat maps. */
#include "base/number.h"
#include "report/figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 9 };
static const double MOST = 1e15; /* doubles have no more digits */

/* Decimals that show two digits of an interval; -1: it has none, or too many. */
static int decimals_of(double half)
{
    if (!isfinite(half) || half <= 0)
        return -1;
    /* 9.96e-2 becomes 1.0e-1 */
    const int exponent = (int)floor(log10(spn_number_round(half, 2)) + 1e-9);
    return exponent >= 1 ? 0 : exponent < 1 - MOST_DECIMALS ? -1 : 1 - exponent;
}

/* Five digits and all before the point, without trailing zeros; an exponent only for very large
   and small numbers. */
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

/* decimals -1: the shortest. */
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
    if (!isfinite(value) || !isfinite(half))
        return out;
    if (decimals >= 0 && half > 0 && half < MOST)
        spn_print_more(out, SPN_SHOWN_MEAN, " ± %.*f", decimals, half);
    else
        spn_print_more(out, SPN_SHOWN_MEAN, " ± %.2g", half);
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

/* "1.2e+06 [9e+05, 2.1e+06]". Times to solution span many powers of ten, and their interval may
   have no upper end. */
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
    const int shown = decimals < 0 ? MOST_DECIMALS : decimals;
    spn_print_more(out, SPN_SHOWN_MEAN, " [%.*f, %.*f]", shown, s->low * factor, shown,
                   s->high * factor);
    return out;
}

/* 0.860 is shown as 86.0: percents have two decimals less. */
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

void spn_csv_numbers(FILE *stream, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        char text[SPN_NUMBER_TEXT] = "";
        if (isfinite(values[k]))
            spn_number_text(text, values[k]);
        fprintf(stream, "%s%s", k ? "," : "", text);
    }
}

enum { DISTINCT = 6 };

/* Okabe and Ito's colours, and lighter ones for a dark background. */
static const char *const on_light[DISTINCT] = {"#0072b2", "#d55e00", "#009e73",
                                               "#cc79a7", "#b8860b", "#3b9fd9"};
static const char *const on_dark[DISTINCT] = {"#4fa8e0", "#f0803c", "#2fc79a",
                                              "#e39cc6", "#e8b93c", "#9fd4f7"};

enum { SHADES = 9 };
typedef const unsigned char shades[SHADES][3];

/* In eighths: viridis for heat maps; plasma for curves, because its neighbours differ more. */
static shades viridis = {{68, 1, 84},    {71, 44, 122},  {59, 81, 139},
                         {44, 113, 142}, {33, 144, 141}, {39, 173, 129},
                         {92, 200, 99},  {170, 220, 50}, {253, 231, 37}};

static shades plasma = {{13, 8, 135},   {76, 2, 161},   {126, 3, 168},
                        {170, 35, 149}, {204, 71, 120}, {230, 108, 92},
                        {248, 149, 64}, {253, 197, 39}, {240, 249, 33}};

static const char *mix(char out[SPN_COLOUR], shades *of, double share)
{
    const double place = fmin(fmax(share, 0), 1) * (SHADES - 1);
    const size_t k = place >= SHADES - 1 ? SHADES - 2 : (size_t)place;
    unsigned mixed[3];
    for (size_t c = 0; c < 3; c++) {
        const double low = (*of)[k][c], high = (*of)[k + 1][c];
        mixed[c] = (unsigned)lrint(low + (place - (double)k) * (high - low));
    }
    snprintf(out, SPN_COLOUR, "#%02x%02x%02x", mixed[0] & 255, mixed[1] & 255, mixed[2] & 255);
    return out;
}

const char *spn_heat_colour(char out[SPN_COLOUR], double share)
{
    return mix(out, &viridis, share);
}

const char *spn_curve_colour(char out[SPN_COLOUR], size_t k, size_t count, bool dark)
{
    if (count <= DISTINCT)
        return strcpy(out, (dark ? on_dark : on_light)[k % DISTINCT]);
    /* leave out the end that is too close to the background */
    const double share = (double)k / (double)(count - 1);
    return mix(out, &plasma, dark ? 0.25 + 0.75 * share : 0.85 * share);
}
