/* Tics in gnuplot's scripts: at round numbers, or at every x. */
#include "report/figure_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- at round numbers ---- */

static const double A_LITTLE = 1e-9;

static size_t even_tics(double out[SPN_TICS], double least, double most)
{
    double step = pow(10, floor(log10((most - least) / 4)));
    if (!(step > 0)) /* smaller than any number */
        return 0;
    while ((most - least) / step > 6)
        step *= (most - least) / step > 12 ? 5 : 2;
    const double first = ceil(least / step - A_LITTLE);
    size_t count = 0;
    while (count < SPN_TICS && (first + (double)count) * step <= most + A_LITTLE * step) {
        out[count] = (first + (double)count) * step;
        count++;
    }
    return count;
}

/* A short logarithmic axis has even tics, a long one powers of ten, any other 1, 2 and 5 times
   these. */
static bool is_short(double least, double most)
{
    return most / least <= 10;
}

static bool is_long(double least, double most)
{
    return most / least > 1000;
}

size_t spn_tics(double out[SPN_TICS], double least, double most, bool log)
{
    static const double digits[] = {1, 2, 5};
    size_t count = 0;
    if (!(most > least) || (log && !(least > 0)))
        return 0;
    if (!log || is_short(least, most))
        return even_tics(out, least, most);
    const size_t each = is_long(least, most) ? 1 : 3;
    const int first = (int)floor(log10(least)), last = (int)floor(log10(most));
    const int step = each == 1 ? (last - first + 8) / 9 : 1;
    for (int p = first; p <= last; p += step)
        for (size_t d = 0; d < each; d++) {
            const double tic = digits[d] * pow(10, p);
            if (tic >= least * (1 - A_LITTLE) && tic <= most * (1 + A_LITTLE) && count < SPN_TICS)
                out[count++] = tic;
        }
    return count;
}

/* The digits between 1, 2 and 5, without texts. */
static void put_small_tics(FILE *stream, double least, double most)
{
    static const double digits[] = {3, 4, 6, 7, 8, 9};
    for (int p = (int)floor(log10(least)); p <= log10(most); p++)
        for (size_t d = 0; d < sizeof digits / sizeof *digits; d++) {
            const double tic = digits[d] * pow(10, p);
            if (tic >= least && tic <= most)
                fprintf(stream, ", '' %.10g 1", tic);
        }
}

void spn_script_tics(FILE *stream, const char *axis, double least, double most, bool log,
                     double extra)
{
    double tics[SPN_TICS];
    const size_t count = spn_tics(tics, least, most, log);
    if (count == 0)
        return;
    fprintf(stream, "set %stics (", axis);
    for (size_t k = 0; k < count; k++)
        fprintf(stream, "%s%.10g", k ? ", " : "", tics[k]);
    if (log && !is_short(least, most) && !is_long(least, most))
        put_small_tics(stream, least, most);
    if (!isnan(extra))
        fprintf(stream, ", '0' %.10g", extra);
    fputs(")\n", stream);
}

/* ---- at every x ---- */

enum { SHORT = 3 }; /* digits */

typedef struct each {
    const spn_grid *grid;
    bool log;     /* else at the numbers of the columns */
    bool brief;   /* numbers in three digits */
    double scale; /* units of the picture for one of the axis */
} each;

static double position_of(const each *e, size_t column)
{
    return e->log ? spn_grid_position(e->grid, column, true) : (double)column;
}

/* Where it is along the axis, in units of the picture. */
static double place_of(const each *e, size_t column)
{
    const double position = position_of(e, column);
    return (e->log ? log(position) : position) * e->scale;
}

static const char *text_of(char out[SPN_SHOWN_VALUE], const each *e, size_t column)
{
    const spn_report_cell *head = e->grid->head[column];
    if (!e->brief)
        return spn_show_value(out, head->x_text);
    snprintf(out, SPN_SHOWN_VALUE, "%.*g", SHORT, head->x);
    return strlen(out) < strlen(head->x_text) ? out : head->x_text;
}

/* Room for a text, with a gap. */
static double room_for(const char *text)
{
    const size_t width = spn_text_width(text);
    return spn_letters((width < SPN_NAME ? width : SPN_NAME) + 1, SPN_LETTER);
}

static double longest(const each *e)
{
    char text[SPN_SHOWN_VALUE];
    double most = 0;
    for (size_t c = 0; c < e->grid->columns; c++)
        most = fmax(most, room_for(text_of(text, e, c)));
    return most;
}

static double least_distance(const each *e)
{
    double least = HUGE_VAL, before = NAN;
    for (size_t c = 0; c < e->grid->columns; c++) {
        const double place = place_of(e, c);
        if (isnan(place))
            continue;
        if (!isnan(before))
            least = fmin(least, place - before);
        before = place;
    }
    return least;
}

/* Whether numbers still differ in three digits. */
static bool may_be_brief(const each *e)
{
    each tried = *e;
    tried.brief = true;
    char a[SPN_SHOWN_VALUE], b[SPN_SHOWN_VALUE];
    for (size_t c = 1; c < e->grid->columns; c++)
        if (strcmp(text_of(a, &tried, c - 1), text_of(b, &tried, c)) == 0)
            return false;
    return e->grid->numbers;
}

/* A scale by which the axis fills the width. */
static void fit(each *e, double width)
{
    const size_t last = e->grid->columns - 1;
    size_t first = 0;
    e->scale = 1;
    while (first < last && isnan(place_of(e, first)))
        first++;
    if (!e->log)
        e->scale = width / (double)e->grid->columns;
    else if (place_of(e, last) > place_of(e, first))
        e->scale = width / (place_of(e, last) - place_of(e, first));
}

/* Those that come too near to the one before are left out. */
static void put_each(FILE *stream, const each *e, bool turned)
{
    enum { LINE = 16 };
    const char *between = "";
    double free_from = -HUGE_VAL;
    for (size_t c = 0; c < e->grid->columns; c++) {
        char shown[SPN_SHOWN_VALUE];
        const char *text = text_of(shown, e, c);
        const double place = place_of(e, c), half = (turned ? LINE : room_for(text)) / 2;
        if (isnan(place))
            continue;
        const bool fits = place - half >= free_from;
        fputs(between, stream);
        spn_gnuplot_quote_name(stream, fits ? text : "");
        fprintf(stream, " %.10g", position_of(e, c));
        if (fits)
            free_from = place + half;
        between = ", ";
    }
}

double spn_script_tic_each(FILE *stream, const spn_grid *grid, bool log, double width)
{
    enum { LINE = 18 };
    each e = {.grid = grid, .log = log};
    fit(&e, width);
    const double distance = least_distance(&e);
    if (longest(&e) > distance)
        e.brief = may_be_brief(&e);
    const bool turned = !log && longest(&e) > distance;
    fprintf(stream, "set xtics %s(", turned ? "rotate by 40 right " : "");
    put_each(stream, &e, turned);
    fputs(")\n", stream);
    return turned ? LINE + 0.64 * longest(&e) : LINE; /* the sine of 40 degrees */
}
