#include "base/memory.h"
#include "report/figure/figure.h"

#include <math.h>
#include <string.h>

static size_t find_column(const spn_grid *grid, const spn_report_cell *cell)
{
    size_t c = 0;
    while (c < grid->columns && grid->head[c]->x != cell->x &&
           strcmp(grid->head[c]->x_text, cell->x_text) != 0)
        c++;
    return c;
}

/* On a logarithmic axis, 0 is drawn left of the least positive x, by the factor between the first
   two x, at least 2 and at most 10. */
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

enum { BEST_OF_NOTHING, BEST_OF_TABLE, BEST_OF_COLUMN, BEST_OF_ROW };

/* Settings are chosen, so the best is over them. If x or by was measured, such as the share of
   flipped weights, the best is wanted at each value. */
static int find_best_of(const spn_report_figure *figure)
{
    if (figure->request->best == SPN_BEST_NONE)
        return BEST_OF_NOTHING;
    if (figure->x_measured)
        return figure->count > 1 ? BEST_OF_COLUMN : BEST_OF_NOTHING;
    return figure->by_measured ? BEST_OF_ROW : BEST_OF_TABLE;
}

const char *spn_figure_best_text(const spn_report_figure *figure)
{
    static const char *const texts[] = {[BEST_OF_NOTHING] = "",
                                        [BEST_OF_TABLE] = "best in bold",
                                        [BEST_OF_COLUMN] = "best of each column in bold",
                                        [BEST_OF_ROW] = "best of each row in bold"};
    return texts[find_best_of(figure)];
}

static double value_of(const spn_report_cell *cell, bool of_reference)
{
    return of_reference ? cell->reference : cell->ours.mean;
}

/* NULL and NaN are worse than any. */
static const spn_report_cell *better(const spn_report_cell *a, const spn_report_cell *b,
                                     const spn_sweep_figure *request, bool of_reference)
{
    if (!b || isnan(value_of(b, of_reference)))
        return a;
    if (!a)
        return b;
    const double x = value_of(a, of_reference), y = value_of(b, of_reference);
    return (request->best == SPN_BEST_LOWEST ? y < x : y > x) ? b : a;
}

static size_t group_of(const spn_report_figure *figure, size_t row, size_t column)
{
    const int of = find_best_of(figure);
    return of == BEST_OF_COLUMN ? column : of == BEST_OF_ROW ? row : 0;
}

static bool find_best(spn_grid *grid, const spn_report_figure *figure)
{
    const size_t groups = grid->rows > grid->columns ? grid->rows : grid->columns;
    grid->best = spn_alloc(groups, sizeof(spn_report_cell *));
    grid->reference_best = spn_alloc(groups, sizeof(spn_report_cell *));
    if (!grid->best || !grid->reference_best)
        return false;
    for (size_t k = 0; k < grid->rows; k++)
        for (size_t c = 0; c < grid->columns; c++) {
            const spn_report_cell *cell = spn_grid_at(grid, k, c);
            const size_t g = group_of(figure, k, c);
            grid->best[g] = better(grid->best[g], cell, figure->request, false);
            grid->reference_best[g] = better(grid->reference_best[g], cell, figure->request, true);
        }
    return true;
}

bool spn_grid_is_best(const spn_grid *grid, const spn_report_figure *figure, size_t row,
                      size_t column, bool of_reference)
{
    const double factor = spn_value_factor(figure->request->value);
    const size_t g = group_of(figure, row, column);
    const spn_report_cell *cell = spn_grid_at(grid, row, column);
    const spn_report_cell *best = of_reference ? grid->reference_best[g] : grid->best[g];
    char text[SPN_SHOWN_MEAN], best_text[SPN_SHOWN_MEAN];
    if (find_best_of(figure) == BEST_OF_NOTHING || !cell || !best ||
        isnan(value_of(cell, of_reference)))
        return false;
    if (of_reference)
        return strcmp(spn_show_reference_center(text, cell, factor),
                      spn_show_reference_center(best_text, best, factor)) == 0;
    return strcmp(spn_show_center(text, cell->ours.mean, cell->ours.half, factor),
                  spn_show_center(best_text, best->ours.mean, best->ours.half, factor)) == 0;
}

bool spn_grid_make(spn_grid *out, const spn_report_figure *figure)
{
    size_t cells = 0;
    for (size_t k = 0; k < figure->count; k++)
        cells += figure->curves[k].count;
    *out = (spn_grid){.rows = figure->count, .numbers = true, .zero = NAN};
    if (!(out->head = spn_alloc(cells, sizeof(spn_report_cell *))))
        goto failed;
    SPN_EACH_CELL (cell, figure) {
        const size_t column = find_column(out, cell);
        out->head[column] = cell;
        out->columns += column == out->columns;
        out->numbers = out->numbers && !isnan(cell->x);
    }
    if (out->numbers) {
        for (size_t c = 1; c < out->columns; c++)
            for (size_t k = c; k > 0 && out->head[k]->x < out->head[k - 1]->x; k--) {
                const spn_report_cell *moved = out->head[k];
                out->head[k] = out->head[k - 1];
                out->head[k - 1] = moved;
            }
        out->zero = place_of_zero(out);
    }
    if (!(out->cell = spn_alloc(out->rows * out->columns, sizeof(spn_report_cell *))))
        goto failed;
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            const spn_report_cell *cell = &figure->curves[k].cells[c];
            out->cell[k * out->columns + find_column(out, cell)] = cell;
        }
    if (find_best(out, figure))
        return true;
failed:
    spn_grid_clear(out);
    return false;
}

void spn_grid_clear(spn_grid *grid)
{
    SPN_FREE_ALL(grid->head, grid->cell, grid->best, grid->reference_best);
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
    SPN_EACH_CELL (cell, figure)
        if (cell->has_reference)
            return true;
    return false;
}

bool spn_figure_range(double *least, double *most, const spn_report_figure *figure)
{
    *least = *most = NAN;
    SPN_EACH_CELL (cell, figure) {
        *least = fmin(*least, cell->ours.mean);
        *most = fmax(*most, cell->ours.mean);
    }
    return !isnan(*least);
}
