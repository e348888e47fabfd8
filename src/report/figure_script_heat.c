/* gnuplot's script of a heat map: a coloured cell for each x and each curve, with its number. */
#include "report/figure_files.h"
#include "report/gnuplot.h"

#include <math.h>
#include <string.h>

static void put_tics(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    char shown[SPN_SHOWN_VALUE];
    fprintf(stream, "set xrange [-0.5:%zu.5]\nset yrange [-0.5:%zu.5]\nset xtics (",
            grid->columns - 1, grid->rows - 1);
    for (size_t c = 0; c < grid->columns; c++) {
        fputs(c ? ", " : "", stream);
        spn_gnuplot_quote(stream, spn_show_value(shown, grid->head[c]->x_text));
        fprintf(stream, " %zu", c);
    }
    fputs(")\nset ytics (", stream);
    for (size_t k = 0; k < figure->count; k++) {
        fputs(k ? ", " : "", stream);
        spn_gnuplot_quote(stream, spn_show_value(shown, figure->curves[k].value));
        fprintf(stream, " %zu", spn_heat_row(figure, k));
    }
    fputs(")\n", stream);
}

static void put_palette(FILE *stream)
{
    fputs("set palette defined (", stream);
    for (int k = 0; k <= 8; k++) {
        char colour[SPN_COLOUR];
        fprintf(stream, "%s%d '%s'", k ? ", " : "", k, spn_heat_colour(colour, k / 8.0));
    }
    fputs(")\n", stream);
}

/* Numbers in white on dark cells, in black on light ones. */
static void put_numbers(FILE *stream, const char *condition, double threshold, const char *colour,
                        int size)
{
    fprintf(stream,
            ", \\\n  data skip 1 using ($%d %s %.10g ? $%d : NaN):%d:%d with labels "
            "font ',%d' textcolor rgb '%s' notitle",
            SPN_CSV_MEAN, condition, threshold, SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_SHOWN, size,
            colour);
}

void spn_figure_script_heat(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    const double factor = spn_value_factor(request->value);
    char stem[SPN_LABEL], label[SPN_LABEL];
    double least, most;
    if (!spn_figure_range(&least, &most, figure))
        least = most = 0;
    /* a palette from a value to itself is none */
    const double top = most > least ? most : least + fmax(fabs(least) * 1e-6, 1e-12);
    snprintf(stem, sizeof stem, "%.140s-heat", request->name);
    spn_figure_script_begin(stream, figure, stem);
    fputs("set ylabel ", stream);
    spn_gnuplot_quote(stream, request->by ? spn_figure_by_label(request) : "");
    fputs("\nset cblabel ", stream);
    spn_gnuplot_quote(stream, spn_figure_label(label, request));
    fputs(" offset 1\nunset key\nunset grid\nset border 0\nset tics scale 0\n", stream);
    put_tics(stream, figure, grid);
    put_palette(stream);
    fprintf(stream, "set cbrange [%.10g:%.10g]\n", least * factor, top * factor);
    fprintf(stream, "\n# Columns of the data: %d and %d place, %d mean, %d the mean as text\n",
            SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_MEAN, SPN_CSV_SHOWN);
    fprintf(stream,
            "plot data skip 1 using %d:%d:(0.49):(0.49):($%d*%g) with boxxyerror "
            "fs solid 1 noborder lc palette notitle",
            SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_MEAN, factor);
    const double threshold = least + 0.6 * (top - least);
    const int size = grid->columns > 14 ? 7 : grid->columns > 9 ? 9 : grid->columns > 6 ? 11 : 13;
    put_numbers(stream, "<", threshold, "#ffffff", size);
    put_numbers(stream, ">=", threshold, "#000000", size);
    spn_figure_script_end(stream, stem);
}
