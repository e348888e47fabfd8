/* The numbers of a figure as a CSV file, which gnuplot draws from. */
#include "report/figure/figure_csv.h"

#include "base/number.h"
#include "base/text.h"
#include "report/figure/figure_heat.h"

#include <math.h>
#include <string.h>

/* In as few digits as read back exactly; nothing for NaN. */
static void put_number(FILE *stream, double value)
{
    char text[SPN_NUMBER_TEXT] = "";
    if (isfinite(value))
        spn_number_text(text, value);
    fprintf(stream, "%s,", text);
}

/* On one line, which gnuplot counts. */
static void put_text(FILE *stream, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")])
        spn_csv_put_quoted(stream, text);
    else
        spn_csv_put(stream, text);
}

static size_t column_of(const spn_grid *grid, size_t row, const spn_report_cell *cell)
{
    size_t c = 0;
    while (c < grid->columns && spn_grid_at(grid, row, c) != cell)
        c++;
    return c;
}

/* Whether the rows have to say which curve they are of. */
static bool has_curves(const spn_sweep_figure *request)
{
    return request->by || request->guide || strchr(request->value, ',');
}

static void put_cell(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                     const spn_heat *heat, size_t row, const spn_report_cell *cell)
{
    const spn_sweep_figure *request = figure->request;
    const size_t column = column_of(grid, row, cell);
    char shown[SPN_SHOWN_MEAN];
    put_number(stream, spn_grid_position(grid, column, spn_grid_is_log(grid, request)));
    put_number(stream, cell->ours.mean);
    put_number(stream, cell->ours.half);
    put_number(stream, cell->ours.low);
    put_number(stream, cell->ours.high);
    fprintf(stream, "%zu,", cell->ours.count);
    put_number(stream, cell->ours.deviation);
    put_number(stream, cell->reference);
    put_number(stream, cell->reference_half);
    put_number(stream, cell->joint);
    put_number(stream, cell->difference);
    put_number(stream, cell->also.mean);
    put_number(stream, cell->also.half);
    fprintf(stream, "%zu,%zu,", column, spn_heat_row(figure, row));
    fprintf(stream, "%s,", spn_heat_text(shown, heat, cell->ours.mean));
    put_text(stream, cell->x_text);
    if (has_curves(request)) {
        fputc(',', stream);
        put_text(stream, figure->curves[row].value);
    }
    fputc('\n', stream);
}

bool spn_figure_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    fprintf(stream,
            "position,mean,half,low,high,runs,deviation,reference,reference_half,joint,difference,"
            "also,also_half,column,row,shown,");
    put_text(stream, figure->request->x);
    if (has_curves(figure->request)) {
        fputc(',', stream);
        put_text(stream, figure->request->by ? figure->request->by : "value");
    }
    fputc('\n', stream);
    const spn_heat heat = spn_heat_make(figure);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            put_cell(stream, figure, grid, &heat, k, &figure->curves[k].cells[c]);
    return true;
}
