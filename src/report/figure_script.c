/* gnuplot's script of a figure with lines: curves with their intervals, and the reference's. */
#include "report/figure_files.h"
#include "report/gnuplot.h"

#include <math.h>
#include <string.h>

enum { FEW = 12 }; /* so many x have a tic each on a logarithmic axis */

void spn_figure_script_begin(FILE *stream, const spn_report_figure *figure, const char *stem)
{
    const char *name = figure->request->name;
    char title[SPN_TITLE];
    fprintf(stream,
            "# Draws %s.svg, .pdf and .png from %s.csv: gnuplot %s.gp, in this folder.\n"
            "data = '%s.csv'\n"
            "if (!exists('ending')) ending = ''\n"
            "set datafile separator comma\n",
            stem, name, stem, name);
    fprintf(stream, "set terminal %s\n", spn_gnuplot_terminal(".svg"));
    fprintf(stream, "set output '%s.svg'.ending\n\n# The looks\n", stem);
    spn_gnuplot_style(stream);
    fputs("set title ", stream);
    spn_gnuplot_quote(stream, spn_figure_title(title, figure->request));
    fputs("\nset xlabel ", stream);
    spn_gnuplot_quote(stream, spn_figure_x_label(figure->request));
    fputc('\n', stream);
}

void spn_figure_script_end(FILE *stream, const char *stem)
{
    static const char *const endings[] = {".pdf", ".png"};
    fputs("\n\n# The same for the other files\n", stream);
    for (size_t k = 0; k < 2; k++)
        fprintf(stream, "set terminal %s\nset output '%s%s'.ending\nreplot\n",
                spn_gnuplot_terminal(endings[k]), stem, endings[k]);
    fputs("set output\n", stream);
}

/* A tic with its text at each x: categories, and the few values of a logarithmic axis. */
static void put_tics(FILE *stream, const spn_grid *grid, bool log)
{
    const char *between = "";
    char shown[SPN_SHOWN_VALUE];
    fputs("set xtics (", stream);
    for (size_t c = 0; c < grid->columns; c++) {
        const double position = spn_grid_position(grid, c, log);
        if (isnan(position))
            continue;
        fputs(between, stream);
        spn_gnuplot_quote(stream, spn_show_value(shown, grid->head[c]->x_text));
        fprintf(stream, " %.10g", position);
        between = ", ";
    }
    fputs(")\n", stream);
}

/* The first and the last place on the axis; false where there is none. */
static bool ends_of(double *first, double *last, const spn_grid *grid, bool log)
{
    *first = *last = NAN;
    for (size_t c = 0; c < grid->columns; c++) {
        *first = fmin(*first, spn_grid_position(grid, c, log));
        *last = fmax(*last, spn_grid_position(grid, c, log));
    }
    return !isnan(*first);
}

/* Round steps between two ends: a logarithmic axis of little more than a decade has labels at
   powers of ten only, which are too few. */
static void put_round_tics(FILE *stream, char axis, double least, double most)
{
    if (!(least > 0) || !(most > least) || most / least > 20)
        return;
    double step = pow(10, floor(log10((most - least) / 4)));
    while ((most - least) / step > 6)
        step *= (most - least) / step > 12 ? 5 : 2;
    const char *between = "";
    fprintf(stream, "set %ctics (", axis);
    for (double k = ceil(least / step); k * step <= most; k++) {
        fprintf(stream, "%s%.10g", between, k * step);
        between = ", ";
    }
    fputs(")\n", stream);
}

/* The place between the 0 and the least positive x, where the axis is broken. */
static void put_break(FILE *stream, const spn_grid *grid)
{
    double least = HUGE_VAL;
    for (size_t c = 0; c < grid->columns; c++)
        if (grid->head[c]->x > 0)
            least = fmin(least, grid->head[c]->x);
    /* a strip of the ground over curves and axis */
    const double place = sqrt(least * grid->zero), width = pow(least / grid->zero, 0.05);
    fprintf(stream,
            "# 0 is drawn left of the break\n"
            "set object 1 rectangle from first %.10g, graph -0.01 to first %.10g, graph 1.01 front "
            "fc rgb '#ffffff' fs solid noborder\n"
            "set arrow 1 from first %.10g, graph 0 to first %.10g, graph 1 nohead front dt 3 "
            "lc rgb '#999999'\n",
            place / width, place * width, place, place);
}

static void put_x_axis(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const bool log = figure->request->log_x && grid->numbers;
    double first, last;
    if (!ends_of(&first, &last, grid, log))
        return;
    if (log) {
        const double room = last > first ? pow(last / first, 0.04) : 2;
        fprintf(stream, "set logscale x\nset xrange [%.10g:%.10g]\n", first / room, last * room);
    } else {
        const double room = !grid->numbers ? 0.5 : last > first ? (last - first) * 0.03 : 1;
        fprintf(stream, "set xrange [%.10g:%.10g]\n", first - room, last + room);
    }
    if (!grid->numbers || (log && grid->columns <= FEW))
        put_tics(stream, grid, log);
    else if (log && isnan(grid->zero))
        put_round_tics(stream, 'x', first, last);
    else if (log)
        fprintf(stream, "set xtics add ('0' %.10g)\n", grid->zero);
    if (log && !isnan(grid->zero))
        put_break(stream, grid);
}

/* What a logarithmic axis of the values holds: positive means and ends of intervals. */
static void widen(double *least, double *most, double mean, double half)
{
    const double room = isnan(half) ? 0 : half;
    if (!(mean > 0))
        return;
    *least = fmin(*least, mean > room ? mean - room : mean / 10);
    *most = fmax(*most, mean + room);
}

static void put_log_y(FILE *stream, const spn_report_figure *figure, double factor)
{
    double least = NAN, most = NAN;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            widen(&least, &most, cell->ours.mean, cell->ours.half);
            widen(&least, &most, cell->reference, cell->reference_half);
        }
    fputs("set logscale y\n", stream);
    if (isnan(least))
        return;
    const double room = most > least ? pow(most / least, 0.06) : 1.5;
    least *= factor / room;
    most *= factor * room;
    fprintf(stream, "set yrange [%.10g:%.10g]\n", least, most);
    put_round_tics(stream, 'y', least, most);
}

/* One curve: the rows of the data it has, and how it looks. */
typedef struct stroke {
    const spn_sweep_figure *request;
    size_t first, last;
    const char *colour;
    unsigned point; /* filled; one less is hollow */
    double factor;
} stroke;

static void put_rows(FILE *stream, const stroke *s)
{
    fprintf(stream, "data skip 1 every ::%zu::%zu ", s->first, s->last);
}

/* Low and high end of an interval; on a logarithmic axis one that reaches 0 ends at a tenth. */
static void put_interval(FILE *stream, const stroke *s, int mean, int half)
{
    if (s->request->log_y)
        fprintf(stream, "using %d:($%d*%g):(($%d > $%d ? $%d-$%d : $%d/10)*%g):(($%d+$%d)*%g) ",
                SPN_CSV_POSITION, mean, s->factor, mean, half, mean, half, mean, s->factor, mean,
                half, s->factor);
    else
        fprintf(stream, "using %d:($%d*%g):(($%d-$%d)*%g):(($%d+$%d)*%g) ", SPN_CSV_POSITION, mean,
                s->factor, mean, half, s->factor, mean, half, s->factor);
}

static void put_band(FILE *stream, const stroke *s, int mean, int half)
{
    put_rows(stream, s);
    fprintf(stream, "using %d:", SPN_CSV_POSITION);
    if (s->request->log_y)
        fprintf(stream, "(($%d > $%d ? $%d-$%d : $%d/10)*%g)", mean, half, mean, half, mean,
                s->factor);
    else
        fprintf(stream, "(($%d-$%d)*%g)", mean, half, s->factor);
    fprintf(
        stream,
        ":(($%d+$%d)*%g) with filledcurves fs transparent solid 0.18 noborder lc rgb '%s' notitle",
        mean, half, s->factor, s->colour);
}

static void put_bars(FILE *stream, const stroke *s, int mean, int half, const char *dashes)
{
    put_rows(stream, s);
    put_interval(stream, s, mean, half);
    fprintf(stream, "with yerrorbars ps 0 lw 1.2%s lc rgb '%s' notitle", dashes, s->colour);
}

static void put_line(FILE *stream, const stroke *s, int mean, const char *looks)
{
    put_rows(stream, s);
    fprintf(stream, "using %d:($%d*%g) with lines %s lc rgb '%s' notitle", SPN_CSV_POSITION, mean,
            s->factor, looks, s->colour);
}

static void put_points(FILE *stream, const stroke *s, int mean, unsigned point)
{
    put_rows(stream, s);
    fprintf(stream, "using %d:($%d*%g) with points pt %u ps 0.9 lw 1.2 lc rgb '%s' notitle",
            SPN_CSV_POSITION, mean, s->factor, point, s->colour);
}

static void put_key(FILE *stream, const stroke *s, const char *looks, unsigned point,
                    const char *name, const char *whose)
{
    char title[256];
    snprintf(title, sizeof title, "%.*s%s%.*s", spn_fit(name, 180), name, *whose ? ", " : "",
             spn_fit(whose, 60), whose);
    fprintf(stream, "keyentry with linespoints %s pt %u ps 0.9 lc rgb '%s' title ", looks, point,
            s->colour);
    spn_gnuplot_quote(stream, title);
}

#define NEXT ", \\\n  "

static void put_ours(FILE *stream, const stroke *s, const char *name)
{
    put_line(stream, s, SPN_CSV_MEAN, "lw 1.8");
    fputs(NEXT, stream);
    if (s->request->bands)
        put_band(stream, s, SPN_CSV_MEAN, SPN_CSV_HALF);
    else
        put_bars(stream, s, SPN_CSV_MEAN, SPN_CSV_HALF, "");
    fputs(NEXT, stream);
    put_points(stream, s, SPN_CSV_MEAN, s->point);
    fputs(NEXT, stream);
    put_key(stream, s, "lw 1.8", s->point, name, "");
}

static void put_theirs(FILE *stream, const stroke *s, const char *name)
{
    fputs(NEXT, stream);
    put_line(stream, s, SPN_CSV_REFERENCE, "lw 1.5 dt 2");
    fputs(NEXT, stream);
    put_bars(stream, s, SPN_CSV_REFERENCE, SPN_CSV_REFERENCE_HALF, " dt 2");
    fputs(NEXT, stream);
    put_points(stream, s, SPN_CSV_REFERENCE, s->point - 1);
    fputs(NEXT, stream);
    put_key(stream, s, "lw 1.5 dt 2", s->point - 1, name, spn_figure_reference_name(s->request));
}

static bool has_reference(const spn_report_curve *curve)
{
    for (size_t c = 0; c < curve->count; c++)
        if (curve->cells[c].has_reference)
            return true;
    return false;
}

static void put_curves(FILE *stream, const spn_report_figure *figure)
{
    static const unsigned points[] = {7, 5, 9, 13, 11, 15};
    size_t row = 0;
    fputs("plot ", stream);
    for (size_t k = 0; k < figure->count; k++) {
        const spn_report_curve *curve = &figure->curves[k];
        char colour[SPN_COLOUR];
        const stroke s = {.request = figure->request,
                          .first = row,
                          .last = row + curve->count - 1,
                          .colour = spn_curve_colour(colour, k, figure->count, false),
                          .point = points[k % 6],
                          .factor = spn_value_factor(figure->request->value)};
        if (k > 0)
            fputs(NEXT, stream);
        put_ours(stream, &s, curve->name);
        if (has_reference(curve))
            put_theirs(stream, &s, curve->name);
        row += curve->count;
    }
}

void spn_figure_script_lines(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const char *name = figure->request->name;
    char label[SPN_LABEL];
    spn_figure_script_begin(stream, figure, name);
    fputs("set ylabel ", stream);
    spn_gnuplot_quote(stream, spn_figure_label(label, figure->request));
    fputs("\nset errorbars 0.7\n", stream);
    if (figure->count > 1 || spn_figure_has_reference(figure))
        fputs("set key outside right top Left reverse samplen 2.5 spacing 1.2 "
              "textcolor rgb '#333333'\n",
              stream);
    else
        fputs("unset key\n", stream);
    put_x_axis(stream, figure, grid);
    if (figure->request->log_y)
        put_log_y(stream, figure, spn_value_factor(figure->request->value));
    fprintf(stream,
            "\n# Columns of the data: %d place, %d mean, %d half of its interval, %d and %d "
            "the reference's\n",
            SPN_CSV_POSITION, SPN_CSV_MEAN, SPN_CSV_HALF, SPN_CSV_REFERENCE,
            SPN_CSV_REFERENCE_HALF);
    put_curves(stream, figure);
    spn_figure_script_end(stream, name);
}
