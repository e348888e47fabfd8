/* The best of a table: of all of it, or of each column or row. */
#include "base/memory.h"
#include "report/figure.h"

#include <math.h>
#include <string.h>

/* What one can choose is compared; what was measured, such as the share of flipped weights, is
   given, and the best is wanted at each value of it. */
spn_best_of spn_figure_best_of(const spn_report_figure *figure)
{
    if (figure->request->best == SPN_BEST_NONE)
        return SPN_BEST_OF_NOTHING;
    if (figure->x_measured)
        return figure->count > 1 ? SPN_BEST_OF_COLUMN : SPN_BEST_OF_NOTHING;
    return figure->by_measured ? SPN_BEST_OF_ROW : SPN_BEST_OF_TABLE;
}

const char *spn_figure_best_text(const spn_report_figure *figure)
{
    static const char *const texts[] = {[SPN_BEST_OF_NOTHING] = "",
                                        [SPN_BEST_OF_TABLE] = "best in bold",
                                        [SPN_BEST_OF_COLUMN] = "best of each column in bold",
                                        [SPN_BEST_OF_ROW] = "best of each row in bold"};
    return texts[spn_figure_best_of(figure)];
}

static double value_of(const spn_report_cell *cell, bool of_reference)
{
    return of_reference ? cell->reference : cell->ours.mean;
}

/* The cell to keep of two; NULL and NaN are none. */
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

/* Of the places in grid->best, the one of those that a cell is compared with. */
static size_t group_of(const spn_report_figure *figure, size_t row, size_t column)
{
    const spn_best_of of = spn_figure_best_of(figure);
    return of == SPN_BEST_OF_COLUMN ? column : of == SPN_BEST_OF_ROW ? row : 0;
}

bool spn_grid_find_best(spn_grid *grid, const spn_report_figure *figure)
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
    if (spn_figure_best_of(figure) == SPN_BEST_OF_NOTHING || !cell || !best ||
        isnan(value_of(cell, of_reference)))
        return false;
    if (of_reference)
        return strcmp(spn_show_reference_center(text, cell, factor),
                      spn_show_reference_center(best_text, best, factor)) == 0;
    return strcmp(spn_show_center(text, cell->ours.mean, cell->ours.half, factor),
                  spn_show_center(best_text, best->ours.mean, best->ours.half, factor)) == 0;
}
