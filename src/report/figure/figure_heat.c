/* Heat maps: a coloured cell with its number for each x and curve, in gnuplot and on the page. */

#include "base/number.h"
#include "report/figure/script.h"
#include "report/page/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells above this share are light: their numbers are black. */
static const double LIGHT = 0.6;

enum { MOST_DECIMALS = 9, DIGITS = 3 };

static int decimals_for(double number, int digits)
{
    char text[32];
    spn_print_text(text, sizeof text, "%.*e", digits - 1, number); /* 9.996 becomes 1.00e+01 */
    const long decimals = digits - 1 - strtol(strchr(text, 'e') + 1, NULL, 10);
    return decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals < 0 ? 0 : (int)decimals;
}

/* Two digits of the geometric mean of the intervals, else three of the greatest mean. */
static int find_decimals(const spn_report_figure *figure, const spn_heat *heat)
{
    double sum = 0, greatest = 0;
    size_t count = 0;
    SPN_EACH_CELL (cell, figure) {
        const spn_summary *ours = &cell->ours;
        const double mean = fabs(ours->mean) * heat->factor, half = ours->half * heat->factor;
        if (isfinite(mean))
            greatest = fmax(greatest, mean);
        if (half > 0 && isfinite(half)) {
            sum += log(half);
            count++;
        }
    }
    if (count > 0)
        return decimals_for(exp(sum / (double)count), 2);
    return greatest > 0 ? decimals_for(greatest, DIGITS) : 0;
}

static void find_range(spn_heat *heat, const spn_report_figure *figure, bool positive)
{
    heat->least = heat->most = NAN;
    SPN_EACH_CELL (cell, figure) {
        const double mean = cell->ours.mean;
        if (!isfinite(mean * heat->factor) || (positive && !(mean > 0)))
            continue;
        heat->least = fmin(heat->least, mean);
        heat->most = fmax(heat->most, mean);
    }
}

spn_heat spn_heat_make(const spn_report_figure *figure)
{
    spn_heat heat = {.log = figure->request->log_y,
                     .factor = spn_value_factor(figure->request->value)};
    find_range(&heat, figure, heat.log);
    if (heat.log && isnan(heat.least)) {
        heat.log = false;
        find_range(&heat, figure, false);
    }
    if (isnan(heat.least))
        heat.least = heat.most = 0;
    /* The scale needs some width. */
    if (!(heat.most > heat.least)) {
        const double room = fmax(fabs(heat.least) * 1e-6, 1e-12);
        if (isfinite((heat.most + room) * heat.factor))
            heat.most += room;
        else
            heat.least -= room;
    }
    heat.decimals = heat.log ? -1 : find_decimals(figure, &heat);
    return heat;
}

/* Halves avoid overflow. */
double spn_heat_share(const spn_heat *heat, double mean)
{
    if (!heat->log)
        return (mean / 2 - heat->least / 2) / (heat->most / 2 - heat->least / 2);
    return mean > heat->least
               ? (log(mean) - log(heat->least)) / (log(heat->most) - log(heat->least))
               : 0;
}

static double mean_at(const spn_heat *heat, double share)
{
    if (!heat->log)
        return (1 - share) * heat->least + share * heat->most;
    return exp((1 - share) * log(heat->least) + share * log(heat->most));
}

const char *spn_heat_text(char out[SPN_SHOWN_MEAN], const spn_heat *heat, double mean)
{
    const double shown = mean * heat->factor;
    if (!isfinite(shown))
        strcpy(out, "–");
    else if (heat->decimals < 0 && shown > 0 && shown < 1e6 && shown >= 1e-4)
        spn_print_text(out, SPN_SHOWN_MEAN, "%.*f", decimals_for(shown, DIGITS), shown);
    else if (heat->decimals < 0 || fabs(shown) >= 1e15)
        spn_print_text(out, SPN_SHOWN_MEAN, "%.*g", DIGITS, shown);
    else
        spn_print_text(out, SPN_SHOWN_MEAN, "%.*f", heat->decimals, shown);
    return out;
}

size_t spn_heat_row(const spn_report_figure *figure, size_t k)
{
    double number;
    for (size_t c = 0; c < figure->count; c++)
        if (!spn_number_parse(&number, figure->curves[c].value))
            return figure->count - 1 - k;
    return k;
}

enum { PLOT_WIDTH = 470, PLOT_HEIGHT = 340 };

/* If rows are lower than a line of text, only every `each`th has a text. */
static void put_rows(FILE *stream, const spn_report_figure *figure)
{
    enum { LINE = 14 };
    char shown[SPN_SHOWN_VALUE];
    const size_t each = 1 + figure->count * LINE / PLOT_HEIGHT;
    fprintf(stream, "set yrange [-0.5:%zu.5]\nset ytics (", figure->count - 1);
    for (size_t k = 0; k < figure->count; k++) {
        fputs(k ? ", " : "", stream);
        spn_gnuplot_quote_name(stream,
                               k % each ? "" : spn_show_value(shown, figure->curves[k].value));
        fprintf(stream, " %zu", spn_heat_row(figure, k));
    }
    fputs(")\n", stream);
}

static void put_colours(FILE *stream, const spn_report_figure *figure, const spn_heat *heat)
{
    enum { SIDE_LETTERS = 44 };
    const double least = heat->least * heat->factor, most = heat->most * heat->factor;
    char label[SPN_LABEL], colour[SPN_COLOUR];
    spn_gnuplot_set_text(stream, "cblabel", spn_figure_label(label, figure->request), SIDE_LETTERS);
    fputs("set palette defined (", stream);
    for (int k = 0; k <= 8; k++)
        fprintf(stream, "%s%d '%s'", k ? ", " : "", k, spn_heat_colour(colour, k / 8.0));
    spn_print(stream, ")\n%sset cbrange [%.10g:%.10g]\n", heat->log ? "set logscale cb\n" : "",
              least, most);
    if (heat->log)
        spn_script_log_tics(stream, "cb", least, most);
    /* gnuplot leaves room for about four letters at the colour scale; no number has more than
       eight. */
    const int letters = snprintf(NULL, 0, "%g", fabs(least) > fabs(most) ? least : most);
    const int more = letters > 8 ? 4 : letters > 4 ? letters - 4 : 0;
    if (more > 0)
        fprintf(stream, "set cblabel offset %d\nset rmargin %d\n", more, more + 16);
}

/* Size of letters in which the longest number fits into a cell; gnuplot does not adapt it. */
static double letter_size(const spn_report_figure *figure, const spn_grid *grid,
                          const spn_heat *heat)
{
    size_t longest = 1;
    char text[SPN_SHOWN_MEAN];
    SPN_EACH_CELL (cell, figure) {
        const double mean = cell->ours.mean;
        const size_t letters = spn_text_letters(spn_heat_text(text, heat, mean));
        longest = letters > longest ? letters : longest;
    }
    /* a letter is about two thirds as wide as its size */
    const double across = 1.45 * PLOT_WIDTH / (double)(grid->columns * longest);
    const double down = 0.7 * PLOT_HEIGHT / (double)grid->rows;
    return fmin(fmin(across, down), SPN_LETTER);
}

static void put_numbers(FILE *stream, const char *condition, double threshold, const char *colour,
                        double size)
{
    spn_print(stream,
              ", \\\n  data skip 1 using ($%d %s %.10g ? $%d : NaN):%d:%d with labels "
              "font ',%.3g' textcolor rgb '%s' notitle",
              SPN_CSV_MEAN, condition, threshold, SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_SHOWN, size,
              colour);
}

static void put_cells(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                      const spn_heat *heat)
{
    enum { LEGIBLE = 5 };
    const double size = letter_size(figure, grid, heat);
    fprintf(stream, "\n# Columns of the data: %d and %d place, %d mean, %d the mean as text\n",
            SPN_CSV_COLUMN, SPN_CSV_ROW, SPN_CSV_MEAN, SPN_CSV_SHOWN);
    fprintf(stream, "plot data skip 1 using %d:%d:(0.49):(0.49):(", SPN_CSV_COLUMN, SPN_CSV_ROW);
    if (heat->log)
        spn_print(stream, "($%d < %.10g ? %.10g : $%d)", SPN_CSV_MEAN, heat->least, heat->least,
                  SPN_CSV_MEAN);
    else
        fprintf(stream, "$%d", SPN_CSV_MEAN);
    spn_print(stream, "*%g) with boxxyerror fs solid 1 noborder lc palette notitle", heat->factor);
    if (size < LEGIBLE)
        return;
    put_numbers(stream, "<", mean_at(heat, LIGHT), "#ffffff", size);
    put_numbers(stream, ">=", mean_at(heat, LIGHT), "#000000", size);
}

static bool write_script(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_script script = {.stream = stream,
                               .figure = figure,
                               .grid = grid,
                               .ending = spn_figure_kind_at(SPN_FIGURE_HEAT)->ending,
                               .height = SPN_PICTURE_HEIGHT};
    const spn_heat heat = spn_heat_make(figure);
    const char *by = spn_figure_by_label((char[SPN_LABEL]){0}, figure->request);
    spn_script_begin(&script, by ? by : "");
    fputs("unset key\nunset grid\nset border 0\nset tics scale 0\n", stream);
    fprintf(stream, "set xrange [-0.5:%zu.5]\n", grid->columns - 1);
    spn_script_column_tics(&script, false);
    put_rows(stream, figure);
    put_colours(stream, figure, &heat);
    put_cells(stream, figure, grid, &heat);
    spn_script_end(&script);
    return true;
}

static void put_cell(FILE *stream, const spn_report_cell *cell, const spn_heat *heat)
{
    char colour[SPN_COLOUR], text[SPN_SHOWN_MEAN];
    if (!cell || isnan(cell->ours.mean)) {
        fputs("<td>–</td>", stream);
        return;
    }
    const double share = spn_heat_share(heat, cell->ours.mean);
    fprintf(stream, "<td style=\"background:%s;color:%s\" title=\"%s, %zu run%s\">",
            spn_heat_colour(colour, share), share < LIGHT ? "#fff" : "#000",
            spn_show_summary(text, &cell->ours, heat->factor), cell->ours.count,
            cell->ours.count == 1 ? "" : "s");
    fprintf(stream, "%s</td>", spn_heat_text(text, heat, cell->ours.mean));
}

static bool write_page(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_heat heat = spn_heat_make(figure);
    char label[SPN_LABEL];
    spn_html_open_table(stream, "heat", spn_figure_label(label, figure->request));
    spn_html_grid_head(stream, figure, grid);
    for (size_t row = 0; row < grid->rows; row++) {
        size_t k = 0; /* the curve in this row, counted from above */
        while (k + 1 < grid->rows && spn_heat_row(figure, k) != grid->rows - 1 - row)
            k++;
        spn_html_grid_row(stream, figure, k);
        for (size_t c = 0; c < grid->columns; c++)
            put_cell(stream, spn_grid_at(grid, k, c), &heat);
        fputs("</tr>\n", stream);
    }
    spn_html_close_table(stream);
    return true;
}

const spn_drawing spn_drawing_heat = {
    .what = "A heat map", .script = write_script, .page = write_page};
