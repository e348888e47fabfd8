/* The axes of a figure with lines, in gnuplot's script. */
#include "report/figure_script.h"

#include <math.h>

enum { FEW = 12 }; /* so many x have a tic each on a logarithmic axis */

/* ---- of x ---- */

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

static double least_positive(const spn_grid *grid)
{
    double least = HUGE_VAL;
    for (size_t c = 0; c < grid->columns; c++)
        if (grid->head[c]->x > 0)
            least = fmin(least, grid->head[c]->x);
    return least;
}

/* The place between the 0 and the least positive x, where the axis is broken. */
static void put_break(FILE *stream, const spn_grid *grid)
{
    /* a strip of the ground over curves and axis */
    const double least = least_positive(grid);
    const double place = sqrt(least * grid->zero), width = pow(least / grid->zero, 0.05);
    fprintf(stream,
            "# 0 is drawn left of the break\n"
            "set object 1 rectangle from first %.10g, graph -0.01 to first %.10g, graph 1.01 front "
            "fc rgb '#ffffff' fs solid noborder\n"
            "set arrow 1 from first %.10g, graph 0 to first %.10g, graph 1 nohead front dt 3 "
            "lc rgb '#999999'\n",
            place / width, place * width, place, place);
}

static void put_x_range(FILE *stream, const spn_grid *grid, spn_axes *axes)
{
    if (axes->log_x) {
        const double ratio = axes->last / axes->first, room = ratio > 1 ? pow(ratio, 0.04) : 2;
        axes->first /= room;
        axes->last *= room;
        fputs("set logscale x\n", stream);
    } else {
        const double span = axes->last - axes->first;
        const double room = !grid->numbers ? 0.5 : span > 0 ? span * 0.03 : 1;
        axes->first -= room;
        axes->last += room;
    }
    fprintf(stream, "set xrange [%.10g:%.10g]\n", axes->first, axes->last);
}

static void put_x_axis(FILE *stream, const spn_grid *grid, const spn_layout *layout, spn_axes *axes)
{
    enum { LINE = 18 };
    axes->tics = LINE;
    if (!ends_of(&axes->first, &axes->last, grid, axes->log_x))
        return;
    put_x_range(stream, grid, axes);
    if (!grid->numbers || (axes->log_x && grid->columns <= FEW))
        axes->tics = spn_script_tic_each(stream, grid, axes->log_x, spn_layout_width(layout));
    else if (axes->log_x)
        spn_script_tics(stream, "x", least_positive(grid), axes->last, true, grid->zero);
    if (axes->log_x && !isnan(grid->zero))
        put_break(stream, grid);
}

/* ---- of the values ---- */

typedef struct range {
    double least, most;
} range;

/* Means that a logarithmic axis can hold. */
static void widen(range *of, double mean)
{
    of->least = mean > 0 ? fmin(of->least, mean) : of->least;
    of->most = mean > 0 ? fmax(of->most, mean) : of->most;
}

/* The ends of an interval; not down to where the means would be pressed together at the top. */
static void widen_to_ends(range *of, const range *means, double mean, double half)
{
    if (!(mean > 0) || isnan(half))
        return;
    of->most = fmax(of->most, mean + half);
    if (mean - half >= means->least / 10)
        of->least = fmin(of->least, mean - half);
}

static range find_range(const spn_report_figure *figure)
{
    range means = {NAN, NAN};
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            widen(&means, figure->curves[k].cells[c].ours.mean);
            widen(&means, figure->curves[k].cells[c].reference);
        }
    range all = means;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            widen_to_ends(&all, &means, cell->ours.mean, cell->ours.half);
            widen_to_ends(&all, &means, cell->reference, cell->reference_half);
        }
    return all;
}

static bool has_values(const spn_report_figure *figure)
{
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            if (isfinite(figure->curves[k].cells[c].ours.mean) ||
                isfinite(figure->curves[k].cells[c].reference))
                return true;
    return false;
}

/* The lower end of an interval that reaches 0 is nowhere on a logarithmic axis: its bar runs off
   the axis, where gnuplot draws no end. */
static void put_log_y(FILE *stream, const range *all, double factor)
{
    const double room = all->most > all->least ? pow(all->most / all->least, 0.06) : 1.5;
    const double least = all->least / room, most = all->most * room;
    fprintf(stream,
            "set logscale y\nbottom = %.10g\nset yrange [bottom*%g:%.10g]\n"
            "low(mean, half) = mean > half ? mean - half : bottom/2 # off the axis\n",
            least, factor, most * factor);
    spn_script_tics(stream, "y", least * factor, most * factor, true, NAN);
}

static void put_y_axis(FILE *stream, const spn_report_figure *figure, spn_axes *axes)
{
    const range all = find_range(figure);
    axes->log_y = figure->request->log_y && !isnan(all.least);
    if (axes->log_y) {
        put_log_y(stream, &all, spn_value_factor(figure->request->value));
        return;
    }
    fputs(has_values(figure) ? "" : "set yrange [0:1] # there is no value\n", stream);
    fputs("low(mean, half) = mean - half\n", stream);
}

void spn_script_axes(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                     const spn_layout *layout, spn_axes *out)
{
    *out = (spn_axes){.log_x = spn_grid_is_log(grid, figure->request)};
    put_x_axis(stream, grid, layout, out);
    put_y_axis(stream, figure, out);
}
