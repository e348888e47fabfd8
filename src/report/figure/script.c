#include "report/figure/script.h"
#include "base/number.h"

#include <math.h>

enum { TITLE_LETTERS = 66, SIDE_LETTERS = 44 };

void spn_script_begin(const spn_script *script, const char *y_label)
{
    FILE *stream = script->stream;
    const spn_sweep_figure *request = script->figure->request;
    const char *name = request->name, *ending = script->ending;
    char terminal[SPN_TERMINAL], title[SPN_TITLE];
    fprintf(stream,
            "# Draws %s%s.svg, .pdf and .png from %s.csv: gnuplot %s%s.gp, in this folder.\n"
            "data = '%s.csv'\n"
            "if (!exists('ending')) ending = ''\n"
            "set datafile separator comma\n"
            "set terminal %s\n"
            "set output '%s%s.svg'.ending\n\n# The looks\n",
            name, ending, name, name, ending, name,
            spn_gnuplot_terminal(terminal, ".svg", script->height), name, ending);
    spn_gnuplot_style(stream);
    spn_gnuplot_set_text(stream, "title", spn_figure_title(title, request), TITLE_LETTERS);
    spn_gnuplot_set_text(stream, "xlabel", spn_figure_x_label((char[SPN_LABEL]){0}, request),
                         TITLE_LETTERS);
    /* gnuplot leaves room for one line of a label at the side */
    const size_t lines = spn_gnuplot_set_text(stream, "ylabel", y_label, SIDE_LETTERS);
    if (lines > 1)
        fprintf(stream, "set ylabel offset -%zu\nset lmargin %zu\n", lines - 1, 9 + 2 * lines);
}

void spn_script_end(const spn_script *script)
{
    static const char *const endings[] = {".pdf", ".png"};
    char terminal[SPN_TERMINAL];
    fputs("\n\n# The same for the other files\n", script->stream);
    for (size_t k = 0; k < 2; k++)
        fprintf(script->stream, "set terminal %s\nset output '%s%s%s'.ending\nreplot\n",
                spn_gnuplot_terminal(terminal, endings[k], script->height),
                script->figure->request->name, script->ending, endings[k]);
    fputs("set output\n", script->stream);
}

void spn_script_log_tics(FILE *stream, const char *axis, double least, double most)
{
    const double first = floor(log10(least)), last = floor(log10(most));
    if (most / least > 1000)
        return;
    if (most / least > 10) {
        spn_print(stream, "set for [p=%g:%g] %stics add (2*10.**p, 5*10.**p)\n", first, last, axis);
        return;
    }
    double step = pow(10, floor(log10((most - least) / 2)));
    if ((most - least) / step > 8)
        step *= 4;
    if (isnormal(step))
        spn_print(stream, "unset m%stics\nset for [k=%.10g:%.10g] %stics add (k*%g)\n", axis,
                  ceil(least / step), floor(most / step), axis, step);
}

void spn_script_column_tics(const spn_script *script, bool log)
{
    enum { LETTERS = 60, TURNED = 24, SHORT = 12 };
    const spn_grid *grid = script->grid;
    char shown[SPN_SHOWN_VALUE];
    size_t longest = 0;
    for (size_t c = 0; c < grid->columns; c++) {
        const size_t letters = spn_text_letters(spn_show_value(shown, grid->head[c]->x_text));
        longest = letters > longest ? letters : longest;
    }
    const bool turned = (longest + 1) * grid->columns > LETTERS;
    const size_t each = 1 + (grid->columns - 1) / TURNED; /* every `each`th has a text */
    fputs("set xtics ", script->stream);
    if (turned) /* a long slanted one would leave the picture at the left */
        fprintf(script->stream, "rotate by %d right ", longest > SHORT ? 90 : 40);
    fputc('(', script->stream);
    const char *between = "";
    for (size_t c = 0; c < grid->columns; c++) {
        const double place = log ? spn_grid_position(grid, c, true) : (double)c;
        if (isnan(place))
            continue;
        fputs(between, script->stream);
        spn_gnuplot_quote_name(script->stream,
                               c % each ? "" : spn_show_value(shown, grid->head[c]->x_text));
        spn_print(script->stream, " %.10g", place);
        between = ", ";
    }
    fputs(")\n", script->stream);
}

static double least_positive(const spn_grid *grid)
{
    double least = HUGE_VAL;
    for (size_t c = 0; c < grid->columns; c++)
        if (grid->head[c]->x > 0)
            least = fmin(least, grid->head[c]->x);
    return least;
}

/* Break the axis between 0 and the least positive x with a strip of background. */
static void put_break(FILE *stream, const spn_grid *grid)
{
    const double least = least_positive(grid);
    const double place = sqrt(least) * sqrt(grid->zero), width = pow(least / grid->zero, 0.05);
    spn_print(
        stream,
        "# 0 is drawn left of the break\n"
        "set object 1 rectangle from first %.10g, graph -0.01 to first %.10g, graph 1.01 front "
        "fc rgb '#ffffff' fs solid noborder\n"
        "set arrow 1 from first %.10g, graph 0 to first %.10g, graph 1 nohead front dt 3 "
        "lc rgb '#999999'\n",
        place / width, place * width, place, place);
}

static void find_ends(double *first, double *last, const spn_grid *grid, bool log)
{
    *first = *last = NAN;
    for (size_t c = 0; c < grid->columns; c++) {
        *first = fmin(*first, spn_grid_position(grid, c, log));
        *last = fmax(*last, spn_grid_position(grid, c, log));
    }
    if (log) {
        const double ratio = *last / *first, room = ratio > 1 ? pow(ratio, 0.04) : 2;
        *first /= room;
        *last *= room;
    } else {
        const double span = *last - *first;
        const double room = !grid->numbers ? 0.5 : span > 0 ? span * 0.03 : 1;
        *first -= room;
        *last += room;
    }
}

bool spn_script_x_axis(double *first, double *last, const spn_script *script)
{
    enum { FEW = 12 }; /* up to this many x get a tic each on a logarithmic axis */
    FILE *stream = script->stream;
    const spn_grid *grid = script->grid;
    const bool log = spn_grid_is_log(grid, script->figure->request);
    find_ends(first, last, grid, log);
    if (isnan(*first))
        return log;
    fputs(log ? "set logscale x\n" : "", stream);
    spn_print(stream, "set xrange [%.10g:%.10g]\n", *first, *last);
    const bool broken = log && !isnan(grid->zero);
    if (!grid->numbers || (log && grid->columns <= FEW)) {
        spn_script_column_tics(script, log);
    } else if (log) {
        /* start at a power of ten right of the break; only 0 is left of it */
        const double least = broken ? pow(10, ceil(log10(least_positive(grid)))) : *first;
        if (broken)
            spn_print(stream, "unset mxtics\nset xtics %.10g, 10\nset xtics add ('0' %.10g)\n",
                      least, grid->zero);
        spn_script_log_tics(stream, "x", least, *last);
    }
    if (broken)
        put_break(stream, grid);
    return log;
}

spn_script spn_script_begin_shares(FILE *stream, const spn_report_figure *figure,
                                   const spn_grid *grid, size_t kind, const char *y_label)
{
    const unsigned keys = figure->count > 1 ? 16 * (unsigned)((figure->count + 1) / 2) : 0;
    const spn_script script = {.stream = stream,
                               .figure = figure,
                               .grid = grid,
                               .ending = spn_figure_kind_at(kind)->ending,
                               .height = SPN_PICTURE_HEIGHT + keys};
    char label[SPN_LABEL];
    spn_script_begin(&script, y_label);
    fprintf(stream, "data = '%s%s.csv'\n", figure->request->name, script.ending);
    spn_gnuplot_set_text(stream, "xlabel", spn_figure_label(label, figure->request), 66);
    fputs(figure->count > 1
              ? "set key title ' ' outside below center horizontal maxcols 2 Left reverse "
                "samplen 2 spacing 1.1 font ',11' textcolor rgb '#333333'\n"
              : "unset key\n",
          stream);
    return script;
}

const spn_drawing *const spn_drawings[SPN_FIGURE_KINDS] = {
    [SPN_FIGURE_LINES] = &spn_drawing_lines,       [SPN_FIGURE_HEAT] = &spn_drawing_heat,
    [SPN_FIGURE_TABLE] = &spn_drawing_table,       [SPN_FIGURE_HISTOGRAM] = &spn_drawing_histogram,
    [SPN_FIGURE_SURVIVAL] = &spn_drawing_survival,
};
