/* The cells of a figure as a grid: curves as rows, every x as a column. */
#include "base/memory.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_x(const spn_report_cell *a, const spn_report_cell *b)
{
    return a->x == b->x || strcmp(a->x_text, b->x_text) == 0;
}

static size_t find_column(const spn_grid *grid, const spn_report_cell *cell)
{
    size_t c = 0;
    while (c < grid->columns && !same_x(grid->head[c], cell))
        c++;
    return c;
}

static void sort_columns(spn_grid *grid)
{
    for (size_t c = 1; c < grid->columns; c++)
        for (size_t k = c; k > 0 && grid->head[k]->x < grid->head[k - 1]->x; k--) {
            const spn_report_cell *moved = grid->head[k];
            grid->head[k] = grid->head[k - 1];
            grid->head[k - 1] = moved;
        }
}

/* 0 on a logarithmic axis is put as far left of the least positive x as that is from the next, if
   that is between a factor 2 and 10. */
static double place_of_zero(const spn_grid *grid)
{
    size_t c = 0;
    while (c < grid->columns && grid->head[c]->x < 0)
        c++;
    if (c + 1 >= grid->columns || grid->head[c]->x != 0)
        return NAN;
    const double least = grid->head[c + 1]->x;
    const double next = c + 2 < grid->columns ? grid->head[c + 2]->x : least * 2;
    return least / fmin(fmax(next / least, 2), 10);
}

bool spn_grid_make(spn_grid *out, const spn_report_figure *figure)
{
    size_t cells = 0;
    for (size_t k = 0; k < figure->count; k++)
        cells += figure->curves[k].count;
    *out = (spn_grid){.rows = figure->count, .numbers = true, .zero = NAN};
    if (!(out->head = spn_alloc(cells, sizeof(spn_report_cell *))))
        return false;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            const size_t column = find_column(out, cell);
            out->head[column] = cell;
            out->columns += column == out->columns;
            out->numbers = out->numbers && !isnan(cell->x);
        }
    if (!(out->cell = spn_alloc(out->rows * out->columns, sizeof(spn_report_cell *)))) {
        spn_grid_clear(out);
        return false;
    }
    if (out->numbers) {
        sort_columns(out);
        out->zero = place_of_zero(out);
    }
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            out->cell[k * out->columns + find_column(out, cell)] = cell;
        }
    if (spn_grid_find_best(out, figure))
        return true;
    spn_grid_clear(out);
    return false;
}

void spn_grid_clear(spn_grid *grid)
{
    free(grid->head);
    free(grid->cell);
    free(grid->best);
    free(grid->reference_best);
    *grid = (spn_grid){0};
}

bool spn_grid_is_log(const spn_grid *grid, const spn_sweep_figure *request)
{
    bool any = false;
    for (size_t c = 0; c < grid->columns; c++)
        any = any || grid->head[c]->x > 0;
    return request->log_x && grid->numbers && any;
}

double spn_grid_position(const spn_grid *grid, size_t column, bool log)
{
    if (!grid->numbers)
        return (double)column;
    const double x = grid->head[column]->x;
    return !log || x > 0 ? x : x < 0 ? NAN : grid->zero;
}

bool spn_figure_has_reference(const spn_report_figure *figure)
{
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            if (figure->curves[k].cells[c].has_reference)
                return true;
    return false;
}

bool spn_figure_range(double *least, double *most, const spn_report_figure *figure)
{
    *least = *most = NAN;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            *least = fmin(*least, figure->curves[k].cells[c].ours.mean);
            *most = fmax(*most, figure->curves[k].cells[c].ours.mean);
        }
    return !isnan(*least);
}
