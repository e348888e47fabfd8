/* Figures with lines: the gnuplot script of curves with intervals, and of the reference. */
#include "base/number.h"
#include "report/figure/script.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct stroke {
    size_t first, last;
    const char *colour;
    unsigned point; /* filled; one less is hollow */
    double factor;
    bool bands, joined;
    double shift;   /* steps to the side; NaN: none */
    int mean, half; /* columns of the data */
    bool theirs;    /* of the reference; its interval is mean -+ half */
    bool times;     /* times to solution: the upper end and the mean may be missing */
    const char *looks;
} stroke;

static bool has_reference(const spn_report_curve *curve)
{
    for (size_t c = 0; c < curve->count; c++)
        if (curve->cells[c].has_reference)
            return true;
    return false;
}

/* Our curves and those of the reference. */
static size_t count_strokes(const spn_report_figure *figure)
{
    size_t count = figure->count;
    for (size_t k = 0; k < figure->count; k++)
        count += has_reference(&figure->curves[k]);
    return count;
}

/* ---- the key ---- */

enum { KEY = 192 };

/* Name of a curve in the key; theirs: of the reference. */
static const char *key_of(char out[KEY], const spn_report_figure *figure, size_t k, bool theirs)
{
    enum { NAME = 100, WHOSE = 40 };
    const char *name = figure->curves[k].name;
    const char *whose = theirs ? spn_figure_reference_name(figure->request) : "";
    snprintf(out, KEY, "%.*s%s%s%.*s%s", spn_fit(name, NAME), name, strlen(name) > NAME ? "…" : "",
             theirs ? ", " : "", spn_fit(whose, WHOSE), whose, strlen(whose) > WHOSE ? "…" : "");
    return out;
}

/* Number of columns of a long key, which stands below in smaller letters; 0: a short key stands at
   the right. */
static size_t key_columns(const spn_report_figure *figure)
{
    enum { MOST_BESIDE = 16, LONGEST_BESIDE = 24, LETTERS_BELOW = 100, SAMPLE = 9 };
    const size_t keys = count_strokes(figure);
    size_t longest = 0;
    char text[KEY];
    for (size_t k = 0; k < figure->count; k++) {
        const bool theirs = has_reference(&figure->curves[k]);
        const size_t letters = spn_text_letters(key_of(text, figure, k, theirs));
        longest = letters > longest ? letters : longest;
    }
    if (keys < 2 || (keys <= MOST_BESIDE && longest <= LONGEST_BESIDE))
        return 0;
    const size_t columns = LETTERS_BELOW / (longest + SAMPLE);
    return columns ? columns : 1;
}

static void put_key(FILE *stream, const spn_report_figure *figure, size_t columns)
{
    if (count_strokes(figure) < 2)
        fputs("unset key\n", stream);
    else if (columns > 0)
        fprintf(stream,
                "set key title ' ' outside below center horizontal maxcols %zu Left "
                "reverse samplen 2 "
                "spacing 1.1 font ',10' textcolor rgb '#333333'\n",
                columns);
    else
        fputs("set key outside right top vertical maxcols 1 Left reverse samplen 2 spacing 1.2 "
              "font ',12' textcolor rgb '#333333'\n",
              stream);
}

/* ---- curves ---- */

#define NEXT ", \\\n  "

static void put_rows(FILE *stream, const stroke *s, bool aside)
{
    fprintf(stream, "data skip 1 every ::%zu::%zu using ", s->first, s->last);
    if (!aside || isnan(s->shift))
        fprintf(stream, "%d:", SPN_CSV_POSITION);
    else
        spn_print(stream, "(aside($%d,%g)):", SPN_CSV_POSITION, s->shift);
}

static void put_intervals(FILE *stream, const stroke *s)
{
    put_rows(stream, s, !s->bands);
    if (!s->bands)
        spn_print(stream, "($%d*%g):", s->mean, s->factor);
    if (s->theirs)
        spn_print(stream, "(low($%d-$%d)*%g):(($%d+$%d)*%g) ", s->mean, s->half, s->factor, s->mean,
                  s->half, s->factor);
    else if (s->times)
        fprintf(stream, "%d:(valid(%d) ? $%d : top) ", SPN_CSV_LOW, SPN_CSV_HIGH, SPN_CSV_HIGH);
    else
        spn_print(stream, "(low($%d)*%g):($%d*%g) ", SPN_CSV_LOW, s->factor, SPN_CSV_HIGH,
                  s->factor);
    if (s->bands)
        fprintf(stream, "with filledcurves fs transparent solid 0.18 noborder lc rgb '%s' notitle",
                s->colour);
    else
        fprintf(stream, "with yerrorbars ps 0 lw 1.2%s lc rgb '%s' notitle",
                s->mean == SPN_CSV_MEAN ? "" : " dt 2", s->colour);
}

static void put_stroke(FILE *stream, const stroke *s, const char *name)
{
    if (s->joined) {
        put_rows(stream, s, true);
        spn_print(stream, "($%d*%g) with lines %s lc rgb '%s' notitle" NEXT, s->mean, s->factor,
                  s->looks, s->colour);
    }
    put_intervals(stream, s);
    fputs(NEXT, stream);
    put_rows(stream, s, true);
    spn_print(stream, "($%d*%g) with points pt %u ps 0.7 lw 1.2 lc rgb '%s' notitle" NEXT, s->mean,
              s->factor, s->point, s->colour);
    if (s->times) { /* lower bounds */
        put_rows(stream, s, true);
        fprintf(stream,
                "(valid(%d) ? 1/0 : $%d) with points pt 8 ps 1 lw 1.4 lc rgb '%s' notitle" NEXT,
                SPN_CSV_MEAN, SPN_CSV_LOW, s->colour);
    }
    fprintf(stream, "keyentry with %s %s pt %u ps 0.7 lc rgb '%s' title ",
            s->joined ? "linespoints" : "points", s->joined ? s->looks : "lw 1.2", s->point,
            s->colour);
    spn_gnuplot_quote(stream, name);
}

static void put_guide(FILE *stream, const stroke *s, const char *name)
{
    put_rows(stream, s, false);
    spn_print(stream, "($%d*%g) with lines lw 1.5 dt 2 lc rgb '#777777' title ", s->mean,
              s->factor);
    spn_gnuplot_quote(stream, name);
}

/* The better trend, or the only one, as a thin line. */
static void put_trend(FILE *stream, const spn_report_trends *trends, const char *colour)
{
    double by;
    spn_trend which = spn_trends_better(&by, trends);
    for (spn_trend k = 0; which == SPN_TRENDS && k < SPN_TRENDS; k++)
        which = trends->of[k].done ? k : which;
    if (which == SPN_TRENDS)
        return;
    const spn_trend_fit *fit = &trends->of[which];
    if (which == SPN_TREND_POWER)
        spn_print(stream, NEXT "%.10g*x**%.10g", fit->factor, fit->slope);
    else
        spn_print(stream, NEXT "%.10g*exp(%.10g*x)", fit->factor, fit->slope);
    fprintf(stream, " with lines lw 1 dt 3 lc rgb '%s' notitle", colour);
}

static void put_curves(const spn_script *script, bool bands, bool aside)
{
    static const unsigned points[] = {7, 5, 9, 13, 11, 15};
    const spn_report_figure *figure = script->figure;
    char key[KEY], colour[SPN_COLOUR];
    stroke s = {.factor = spn_value_factor(figure->request->value),
                .joined = script->grid->numbers,
                .times = figure->request->tts != SPN_TTS_NONE,
                .shift = aside ? -0.5 * (double)(count_strokes(figure) - 1) : NAN};
    fputs("plot ", script->stream);
    for (size_t k = 0; k < figure->count; k++) {
        s.last = s.first + figure->curves[k].count - 1;
        s.colour = spn_curve_colour(colour, k, figure->count, false);
        const int strokes = has_reference(&figure->curves[k]) ? 2 : 1;
        for (int theirs = 0; theirs < strokes; theirs++, s.shift++) {
            s.bands = bands && !theirs;
            s.theirs = theirs;
            s.point = points[k % 6] - (unsigned)theirs;
            s.mean = theirs ? SPN_CSV_REFERENCE : SPN_CSV_MEAN;
            s.half = theirs ? SPN_CSV_REFERENCE_HALF : SPN_CSV_HALF;
            s.looks = theirs ? "lw 1.5 dt 2" : "lw 1.8";
            fputs(k + (size_t)theirs > 0 ? NEXT : "", script->stream);
            (figure->curves[k].is_guide ? put_guide : put_stroke)(script->stream, &s,
                                                                  key_of(key, figure, k, theirs));
        }
        put_trend(script->stream, &figure->curves[k].trends, colour);
        s.first += figure->curves[k].count;
    }
}

/* Whether curves need shifting: bars at the same x would hide each other if they are long enough
   to be seen. */
static bool stand_aside(const spn_report_figure *figure)
{
    double least, most;
    if (count_strokes(figure) < 2 || !spn_figure_range(&least, &most, figure))
        return false;
    SPN_EACH_CELL (cell, figure) {
        const double half = fmax(cell->ours.half, cell->reference_half);
        const double span = figure->request->log_y && least > 0
                                ? cell->ours.mean * log(most / least)
                                : most - least;
        if (half > span / 100)
            return true;
    }
    return false;
}

/* Shift by little of the axis; all shifts together take at most half of the way to the next x. */
static void put_aside(const spn_script *script, bool log_x, double first, double last)
{
    const spn_grid *grid = script->grid;
    const double span = log_x ? log(last / first) : last - first;
    double step = span * (grid->numbers ? 0.008 : 0.02), before = NAN;
    for (size_t c = 0; c < grid->columns; c++) {
        const double position = spn_grid_position(grid, c, log_x);
        const double place = log_x ? log(position) : position;
        step = fmin(step, (place - before) / 2 / (double)count_strokes(script->figure));
        before = isnan(place) ? before : place;
    }
    fputs("# Curves stand a little aside, each by its number of steps\n", script->stream);
    if (log_x)
        spn_print(script->stream, "aside(x, steps) = x * %.10g**steps\n", exp(step));
    else
        spn_print(script->stream, "aside(x, steps) = x + %.10g*steps\n", step);
}

/* ---- the axis of the values ---- */

typedef struct range {
    double least, most;
    bool any; /* false: there is no number, not even 0 */
} range;

static void widen(range *of, double mean, double factor)
{
    of->any = of->any || isfinite(mean * factor);
    of->least = mean > 0 ? fmin(of->least, mean) : of->least;
    of->most = mean > 0 ? fmax(of->most, mean) : of->most;
}

/* Include the ends of an interval, unless that would squeeze the means at the top. */
static void widen_to_ends(range *of, const range *means, double mean, double low, double high)
{
    if (!(mean > 0) || !isfinite(high))
        return;
    of->most = fmax(of->most, high);
    if (low >= means->least / 10)
        of->least = fmin(of->least, low);
}

static range find_range(const spn_report_figure *figure, double factor)
{
    range means = {NAN, NAN, false};
    SPN_EACH_CELL (cell, figure) {
        widen(&means, cell->ours.mean, factor);
        widen(&means, cell->reference, factor);
        if (figure->request->tts != SPN_TTS_NONE) /* a bound */
            widen(&means, cell->ours.low, factor);
    }
    range all = means;
    SPN_EACH_CELL (cell, figure) {
        widen_to_ends(&all, &means, cell->ours.mean, cell->ours.low, cell->ours.high);
        widen_to_ends(&all, &means, cell->reference, cell->reference - cell->reference_half,
                      cell->reference + cell->reference_half);
    }
    return all;
}

/* An interval that reaches 0 has no lower end on a logarithmic axis. Its bar runs off the axis,
   where gnuplot draws no end. */
static void put_y_axis(FILE *stream, const spn_report_figure *figure)
{
    const double factor = spn_value_factor(figure->request->value);
    const range all = find_range(figure, factor);
    if (figure->request->tts != SPN_TTS_NONE)
        spn_print(stream, "top = %.10g # where intervals without an upper end go\n", 10 * all.most);
    if (!figure->request->log_y || isnan(all.least)) {
        fputs(all.any ? "" : "set yrange [0:1] # there is no value\n", stream);
        if (all.any && figure->request->tts != SPN_TTS_NONE)
            spn_print(stream, "set yrange [0:%.10g]\n", 1.1 * all.most);
        fputs("low(end) = end\n", stream);
        return;
    }
    const double room = all.most > all.least ? pow(all.most / all.least, 0.06) : 1.5;
    const double least = fmax(all.least / room, DBL_MIN);
    const double most = fmin(all.most * room, DBL_MAX / 2.1 / factor);
    spn_print(stream,
              "set logscale y\nbottom = %.10g\nset yrange [bottom*%g:%.10g]\n"
              "low(end) = end > 0 ? end : bottom/2 # off the axis\n",
              least, factor, most * factor);
    spn_script_log_tics(stream, "y", least * factor, most * factor);
}

static bool write_script(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    enum { LINE = 16 }; /* height of a line of the key below */
    const size_t columns = key_columns(figure), keys = count_strokes(figure);
    const size_t lines = columns ? (keys + columns - 1) / columns : 0;
    const spn_script script = {.stream = stream,
                               .figure = figure,
                               .grid = grid,
                               .ending = spn_figure_kind_at(SPN_FIGURE_LINES)->ending,
                               .height = SPN_PICTURE_HEIGHT + LINE * (unsigned)lines};
    const bool bands = figure->request->bands && grid->numbers;
    const bool aside = !bands && stand_aside(figure);
    char label[SPN_LABEL];
    spn_script_begin(&script, spn_figure_label(label, figure->request));
    /* gnuplot clears the background around points on bars; it turns 0 into 1 */
    fputs("set errorbars 0.7\nset pointintervalbox 0.01\n", stream);
    char unshown[SPN_VERDICT], x[SPN_LABEL], both[SPN_VERDICT + SPN_LABEL];
    if (*spn_figure_unshown(unshown, figure)) {
        snprintf(both, sizeof both, "%s (%s)", spn_figure_x_label(x, figure->request), unshown);
        spn_gnuplot_set_text(stream, "xlabel", both, 66);
    }
    double first, last;
    const bool log_x = spn_script_x_axis(&first, &last, &script);
    put_y_axis(stream, figure);
    put_key(stream, figure, columns);
    if (aside)
        put_aside(&script, log_x, first, last);
    fprintf(
        stream,
        "\n# Columns of the data: %d place, %d mean, %d and %d the ends of its interval, %d and "
        "%d the reference's and half of its\n",
        SPN_CSV_POSITION, SPN_CSV_MEAN, SPN_CSV_LOW, SPN_CSV_HIGH, SPN_CSV_REFERENCE,
        SPN_CSV_REFERENCE_HALF);
    put_curves(&script, bands, aside);
    spn_script_end(&script);
    return true;
}

const spn_drawing spn_drawing_lines = {.what = "Lines", .chart = true, .script = write_script};
