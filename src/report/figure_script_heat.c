/* gnuplot's script of a heat map: a coloured cell for each x and each curve, with its number. */
#include "report/figure_heat.h"
#include "report/figure_script.h"

#include <math.h>
#include <string.h>

enum { PLOT_HEIGHT = 340 };

/* Of rows that are lower than a line, each so manieth has a text. */
static void put_rows(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    enum { LINE = 14 };
    char shown[SPN_SHOWN_VALUE];
    const size_t each = 1 + grid->rows * LINE / PLOT_HEIGHT;
    fprintf(stream, "set yrange [-0.5:%zu.5]\nset ytics (", grid->rows - 1);
    for (size_t k = 0; k < figure->count; k++) {
        fputs(k ? ", " : "", stream);
        spn_gnuplot_quote_name(stream,
                               k % each ? "" : spn_show_value(shown, figure->curves[k].value));
        fprintf(stream, " %zu", spn_heat_row(figure, k));
    }
    fputs(")\n", stream);
}

static size_t longest_row(const spn_report_figure *figure)
{
    size_t longest = 0;
    char shown[SPN_SHOWN_VALUE];
    for (size_t k = 0; k < figure->count; k++) {
        const size_t width = spn_text_width(spn_show_value(shown, figure->curves[k].value));
        longest = width > longest ? width : longest;
    }
    return longest < SPN_NAME ? longest : SPN_NAME;
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

/* How wide the widest of the numbers at the colours is, in letters. */
static size_t widest_tic(const spn_heat *heat)
{
    double tics[SPN_TICS];
    char text[32];
    size_t widest = 1;
    const size_t count =
        spn_tics(tics, heat->least * heat->factor, heat->most * heat->factor, heat->log);
    for (size_t k = 0; k < count; k++) {
        snprintf(text, sizeof text, "%g", tics[k]);
        widest = strlen(text) > widest ? strlen(text) : widest;
    }
    return widest;
}

static void put_colours(FILE *stream, const spn_report_figure *figure, const spn_heat *heat,
                        const spn_layout *layout)
{
    const double width = SPN_PICTURE_WIDTH, left = 1 - (layout->right - 14) / width;
    const double least = heat->least * heat->factor, most = heat->most * heat->factor;
    char label[SPN_LABEL];
    const double high = spn_gnuplot_set_text(
        stream, "label 1", spn_figure_label(label, figure->request), SPN_SIDE_LETTERS);
    fprintf(stream, "set label 1 at screen %.4f, graph 0.5 center rotate by 90\n",
            1 - (high + 4) / width);
    put_palette(stream);
    fprintf(stream,
            "set rmargin at screen %.4f\nset colorbox user origin screen %.4f, graph 0 "
            "size screen %.4f, graph 1\n",
            1 - layout->right / width, left, 26 / width);
    fprintf(stream, "%sset cbrange [%.10g:%.10g]\n", heat->log ? "set logscale cb\n" : "", least,
            most);
    spn_script_tics(stream, "cb", least, most, heat->log, NAN);
}

/* The size of letters in which the longest number fits into a cell. */
static double letter_size(const spn_report_figure *figure, const spn_grid *grid,
                          const spn_heat *heat, double width)
{
    size_t longest = 1;
    char text[SPN_SHOWN_MEAN];
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const double mean = figure->curves[k].cells[c].ours.mean;
            const size_t length = spn_text_width(spn_heat_text(text, heat, mean));
            longest = length > longest ? length : longest;
        }
    const double across = 0.9 * width / (double)grid->columns / spn_letters(longest, 1);
    const double down = 0.7 * PLOT_HEIGHT / (double)grid->rows;
    return fmin(fmin(across, down), SPN_LETTER);
}

/* Numbers in white on dark cells, in black on light ones. */
static void put_numbers(FILE *stream, const char *condition, double threshold, const char *colour,
                        double size)
{
    fprintf(stream,
            ", \\\n  data skip 1 using ($%d %s %.10g ? $%d : NaN):%d:%d with labels "
            "font ',%.3g' textcolor rgb '%s' notitle",
            SPN_CSV_MEAN, condition, threshold, SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_SHOWN, size,
            colour);
}

static void put_cells(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                      const spn_heat *heat, const spn_layout *layout)
{
    enum { LEGIBLE = 5 };
    const double light = 0.6, size = letter_size(figure, grid, heat, spn_layout_width(layout));
    const double threshold = heat->log ? heat->least * pow(heat->most / heat->least, light)
                                       : heat->least + light * (heat->most - heat->least);
    fprintf(stream, "\n# Columns of the data: %d and %d place, %d mean, %d the mean as text\n",
            SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_MEAN, SPN_CSV_SHOWN);
    fprintf(stream, "plot data skip 1 using %d:%d:(0.49):(0.49):(", SPN_CSV_COLUMN, SPN_CSV_ROW);
    if (heat->log)
        fprintf(stream, "($%d < %.10g ? %.10g : $%d)", SPN_CSV_MEAN, heat->least, heat->least,
                SPN_CSV_MEAN);
    else
        fprintf(stream, "$%d", SPN_CSV_MEAN);
    fprintf(stream, "*%g) with boxxyerror fs solid 1 noborder lc palette notitle", heat->factor);
    if (size < LEGIBLE)
        return;
    put_numbers(stream, "<", threshold, "#ffffff", size);
    put_numbers(stream, ">=", threshold, "#000000", size);
}

void spn_figure_script_heat(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    enum { BOX = 60, LABEL = 46 };
    const spn_sweep_figure *request = figure->request;
    const spn_heat heat = spn_heat_make(figure);
    spn_layout layout = {.height = SPN_PICTURE_HEIGHT,
                         .right = BOX + spn_letters(widest_tic(&heat), SPN_LETTER) + LABEL};
    char stem[SPN_LABEL];
    snprintf(stem, sizeof stem, "%.140s-heat", request->name);
    spn_script_begin(stream, figure, stem, &layout);
    spn_script_y_label(stream, request->by ? spn_figure_by_label(request) : "",
                       longest_row(figure));
    fputs("unset key\nunset grid\nset border 0\nset tics scale 0\n", stream);
    fprintf(stream, "set xrange [-0.5:%zu.5]\n", grid->columns - 1);
    spn_script_tic_each(stream, grid, false, spn_layout_width(&layout));
    put_rows(stream, figure, grid);
    put_colours(stream, figure, &heat, &layout);
    put_cells(stream, figure, grid, &heat, &layout);
    spn_script_end(stream, stem, &layout);
}
