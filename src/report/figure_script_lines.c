/* gnuplot's script of a figure with lines: curves with their intervals, and the reference's. */
#include "report/figure_script.h"

#include <math.h>
#include <string.h>

static bool has_reference(const spn_report_curve *curve)
{
    for (size_t c = 0; c < curve->count; c++)
        if (curve->cells[c].has_reference)
            return true;
    return false;
}

/* Curves of ours and of the reference. */
static size_t count_strokes(const spn_report_figure *figure)
{
    size_t count = figure->count;
    for (size_t k = 0; k < figure->count; k++)
        count += has_reference(&figure->curves[k]);
    return count;
}

/* ---- the legend ---- */

enum { BELOW_LETTER = 10, BELOW_LINE = 16, SAMPLE = 58, KEY = 192 };

/* What the legend calls a curve; theirs: the reference's. */
static const char *key_of(char out[KEY], const spn_report_figure *figure, size_t k, bool theirs)
{
    enum { NAME = 100, WHOSE = 40 };
    const char *name = figure->curves[k].name;
    const char *whose = theirs ? spn_figure_reference_name(figure->request) : "";
    snprintf(out, KEY, "%.*s%s%s%.*s%s", spn_fit(name, NAME), name, strlen(name) > NAME ? "…" : "",
             theirs ? ", " : "", spn_fit(whose, WHOSE), whose, strlen(whose) > WHOSE ? "…" : "");
    return out;
}

static size_t longest_key(const spn_report_figure *figure)
{
    size_t longest = 0;
    char text[KEY];
    for (size_t k = 0; k < figure->count; k++) {
        const bool theirs = has_reference(&figure->curves[k]);
        const size_t width = spn_text_width(key_of(text, figure, k, theirs));
        longest = width > longest ? width : longest;
    }
    return longest;
}

static size_t columns_below(const spn_report_figure *figure)
{
    const double each = SAMPLE + spn_letters(longest_key(figure), BELOW_LETTER);
    const double columns = floor((SPN_PICTURE_WIDTH - 20) / each);
    return columns > 1 ? (size_t)columns : 1;
}

/* The size of letters at the side: names that are a little long are a little smaller. */
static int side_letter(size_t longest)
{
    return longest > 20 ? 11 : 12;
}

static bool has_legend(const spn_report_figure *figure)
{
    return count_strokes(figure) > 1;
}

/* A short legend stands at the right, and leaves the plot three fifths of the width; a long one
   below, where the picture is made higher for it. */
static spn_layout make_layout(const spn_report_figure *figure)
{
    enum { MOST_KEYS = 16, MOST_LETTERS = 24, GAP = 12 };
    const size_t keys = count_strokes(figure), longest = longest_key(figure);
    spn_layout out = {.height = SPN_PICTURE_HEIGHT, .right = 20};
    if (!has_legend(figure))
        return out;
    if (keys <= MOST_KEYS && longest <= MOST_LETTERS) {
        out.right = SAMPLE + spn_letters(longest, side_letter(longest));
    } else {
        const size_t columns = columns_below(figure);
        out.below = GAP + BELOW_LINE * (double)((keys + columns - 1) / columns);
        out.height += (unsigned)out.below;
    }
    return out;
}

static void put_legend(FILE *stream, const spn_report_figure *figure, const spn_layout *layout,
                       const spn_axes *axes)
{
    const double height = layout->height, width = SPN_PICTURE_WIDTH;
    if (!has_legend(figure))
        fputs("unset key\n", stream);
    else if (layout->below > 0)
        fprintf(stream,
                "set bmargin at screen %.4f\nset key at screen 0.5, screen %.4f center top "
                "horizontal maxcols %zu Left reverse samplen 2 spacing 1.1 font ',%d' "
                "textcolor rgb '#333333'\n",
                (layout->below + axes->tics + layout->label + 30) / height, layout->below / height,
                columns_below(figure), BELOW_LETTER);
    else
        fprintf(stream,
                "set rmargin at screen %.4f\nset key at screen %.4f, graph 1 left top vertical "
                "maxcols 1 Left reverse samplen 2 spacing 1.2 font ',%d' "
                "textcolor rgb '#333333'\n",
                1 - layout->right / width, 1 - (layout->right - 8) / width,
                side_letter(longest_key(figure)));
}

/* ---- curves ---- */

/* One curve: the rows of the data it has, and how it looks. */
typedef struct stroke {
    const spn_report_figure *figure;
    size_t curve, first, last;
    const char *colour;
    unsigned point; /* filled; one less is hollow */
    double factor;
    bool bands, joined;
    double shift; /* steps that it stands aside; NaN: none does */
} stroke;

static void put_rows(FILE *stream, const stroke *s, bool aside)
{
    fprintf(stream, "data skip 1 every ::%zu::%zu using ", s->first, s->last);
    if (!aside || isnan(s->shift))
        fprintf(stream, "%d:", SPN_CSV_POSITION);
    else
        fprintf(stream, "(aside($%d,%g)):", SPN_CSV_POSITION, s->shift);
}

static void put_ends(FILE *stream, const stroke *s, int mean, int half)
{
    fprintf(stream, "(low($%d,$%d)*%g):(($%d+$%d)*%g) ", mean, half, s->factor, mean, half,
            s->factor);
}

static void put_band(FILE *stream, const stroke *s, int mean, int half)
{
    put_rows(stream, s, false);
    put_ends(stream, s, mean, half);
    fprintf(stream, "with filledcurves fs transparent solid 0.18 noborder lc rgb '%s' notitle",
            s->colour);
}

static void put_bars(FILE *stream, const stroke *s, int mean, int half, const char *dashes)
{
    put_rows(stream, s, true);
    fprintf(stream, "($%d*%g):", mean, s->factor);
    put_ends(stream, s, mean, half);
    fprintf(stream, "with yerrorbars ps 0 lw 1.2%s lc rgb '%s' notitle", dashes, s->colour);
}

static void put_line(FILE *stream, const stroke *s, int mean, const char *looks)
{
    put_rows(stream, s, false);
    fprintf(stream, "($%d*%g) with lines %s lc rgb '%s' notitle", mean, s->factor, looks,
            s->colour);
}

static void put_points(FILE *stream, const stroke *s, int mean, unsigned point)
{
    put_rows(stream, s, true);
    fprintf(stream, "($%d*%g) with points pt %u ps 0.7 lw 1.2 lc rgb '%s' notitle", mean, s->factor,
            point, s->colour);
}

static void put_key(FILE *stream, const stroke *s, const char *looks, unsigned point, bool theirs)
{
    char text[KEY];
    fprintf(stream, "keyentry with %s %s pt %u ps 0.7 lc rgb '%s' title ",
            s->joined ? "linespoints" : "points", s->joined ? looks : "lw 1.2", point, s->colour);
    spn_gnuplot_quote(stream, key_of(text, s->figure, s->curve, theirs));
}

#define NEXT ", \\\n  "

static void put_ours(FILE *stream, const stroke *s)
{
    if (s->joined) {
        put_line(stream, s, SPN_CSV_MEAN, "lw 1.8");
        fputs(NEXT, stream);
    }
    if (s->bands)
        put_band(stream, s, SPN_CSV_MEAN, SPN_CSV_HALF);
    else
        put_bars(stream, s, SPN_CSV_MEAN, SPN_CSV_HALF, "");
    fputs(NEXT, stream);
    put_points(stream, s, SPN_CSV_MEAN, s->point);
    fputs(NEXT, stream);
    put_key(stream, s, "lw 1.8", s->point, false);
}

static void put_theirs(FILE *stream, const stroke *s)
{
    fputs(NEXT, stream);
    if (s->joined) {
        put_line(stream, s, SPN_CSV_REFERENCE, "lw 1.5 dt 2");
        fputs(NEXT, stream);
    }
    put_bars(stream, s, SPN_CSV_REFERENCE, SPN_CSV_REFERENCE_HALF, " dt 2");
    fputs(NEXT, stream);
    put_points(stream, s, SPN_CSV_REFERENCE, s->point - 1);
    fputs(NEXT, stream);
    put_key(stream, s, "lw 1.5 dt 2", s->point - 1, true);
}

/* ---- side by side ---- */

/* Bars of several curves at one x would hide each other, where they are long enough to be seen. */
static bool stand_aside(const spn_report_figure *figure, bool bands)
{
    double least, most;
    if (bands || !has_legend(figure) || !spn_figure_range(&least, &most, figure))
        return false;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            const double half = fmax(cell->ours.half, cell->reference_half);
            const double span = figure->request->log_y && least > 0
                                    ? cell->ours.mean * log(most / least)
                                    : most - least;
            if (half > span / 100)
                return true;
        }
    return false;
}

/* Little of the axis, and not so much that all together fill half of the way to the next x. */
static void put_aside(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                      const spn_axes *axes)
{
    const double span = axes->log_x ? log(axes->last / axes->first) : axes->last - axes->first;
    double step = span * (grid->numbers ? 0.008 : 0.02), before = NAN;
    for (size_t c = 0; c < grid->columns; c++) {
        const double position = spn_grid_position(grid, c, axes->log_x);
        const double place = axes->log_x ? log(position) : position;
        step = fmin(step, (place - before) / 2 / (double)count_strokes(figure));
        before = isnan(place) ? before : place;
    }
    fputs("# Curves stand a little aside, each by its number of steps\n", stream);
    if (axes->log_x)
        fprintf(stream, "aside(x, steps) = x * %.10g**steps\n", exp(step));
    else
        fprintf(stream, "aside(x, steps) = x + %.10g*steps\n", step);
}

static void put_curves(FILE *stream, const spn_report_figure *figure, stroke s, bool aside)
{
    static const unsigned points[] = {7, 5, 9, 13, 11, 15};
    fputs("plot ", stream);
    s.shift = aside ? -0.5 * (double)(count_strokes(figure) - 1) : NAN;
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        char colour[SPN_COLOUR];
        s.curve = k;
        s.last = s.first + curve->count - 1;
        s.colour = spn_curve_colour(colour, k, figure->count, false);
        s.point = points[k % 6];
        fputs(k > 0 ? NEXT : "", stream);
        put_ours(stream, &s);
        s.shift++;
        if (has_reference(curve)) {
            put_theirs(stream, &s);
            s.shift++;
        }
        s.first += curve->count;
    }
}

void spn_figure_script_lines(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    char label[SPN_LABEL];
    spn_axes axes;
    spn_layout layout = make_layout(figure);
    const stroke common = {.figure = figure,
                           .factor = spn_value_factor(request->value),
                           .bands = request->bands && grid->numbers,
                           .joined = grid->numbers};
    const bool aside = stand_aside(figure, common.bands);
    spn_script_begin(stream, figure, request->name, &layout);
    spn_script_y_label(stream, spn_figure_label(label, request), 7);
    /* gnuplot clears the ground around points on bars; of 0 it makes 1 */
    fputs("set errorbars 0.7\nset pointintervalbox 0.01\n", stream);
    spn_script_axes(stream, figure, grid, &layout, &axes);
    put_legend(stream, figure, &layout, &axes);
    if (aside)
        put_aside(stream, figure, grid, &axes);
    fprintf(stream,
            "\n# Columns of the data: %d place, %d mean, %d half of its interval, %d and %d "
            "the reference's\n",
            SPN_CSV_POSITION, SPN_CSV_MEAN, SPN_CSV_HALF, SPN_CSV_REFERENCE,
            SPN_CSV_REFERENCE_HALF);
    put_curves(stream, figure, common, aside);
    spn_script_end(stream, request->name, &layout);
}
