#include "base/memory.h"
#include "query/query.h"
#include "report/figure/hits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Printed values are rounded: 316.228 stands for 316.2277660. */
static const double TOLERANCE = 1e-6;

static bool same_text(const char *a, const char *b)
{
    const double x = spn_reference_number(a), y = spn_reference_number(b);
    if (isnan(x) || isnan(y))
        return strcmp(a, b) == 0;
    return fabs(x - y) <= TOLERANCE * fmax(fabs(x), fabs(y));
}

/* Add a point that only the reference has, sorted by x or at the end. */
static spn_report_cell *add_cell(spn_report_curve *curve, const char *x)
{
    const double number = spn_reference_number(x);
    spn_report_cell *cells = realloc(curve->cells, (curve->count + 1) * sizeof *cells);
    if (!cells)
        return NULL;
    curve->cells = cells;
    if (!spn_curve_add_cell(curve, number, x))
        return NULL;
    const spn_report_cell added = cells[curve->count - 1];
    size_t at = 0;
    while (at + 1 < curve->count && !(number < cells[at].x))
        at++;
    memmove(cells + at + 1, cells + at, (curve->count - 1 - at) * sizeof *cells);
    cells[at] = added;
    return &cells[at];
}

static spn_status put_row(spn_report_figure *figure, const spn_reference_row *row, const char *path,
                          spn_error *err)
{
    size_t k = 0, c = 0;
    while (k < figure->count && !same_text(figure->curves[k].value, row->by))
        k++;
    if (k == figure->count)
        return SPN_OK;
    spn_report_curve *curve = &figure->curves[k];
    while (c < curve->count && !same_text(curve->cells[c].x_text, row->x))
        c++;
    spn_report_cell *cell = c < curve->count ? &curve->cells[c] : add_cell(curve, row->x);
    SPN_NEED(cell, err, "%s", path);
    if (cell->has_reference)
        return spn_reference_repeats(row, path, figure->request, err);
    cell->has_reference = true;
    cell->reference = row->value;
    cell->reference_half = row->half;
    cell->reference_digits = row->digits;
    cell->reference_half_digits = row->half_digits;
    const spn_summary *ours = &cell->ours;
    /* without an interval it counts as one run with our deviation */
    const double theirs = isnan(cell->reference_half) && ours->count >= 2
                              ? spn_student_quantile(ours->count - 1) * ours->deviation
                              : cell->reference_half;
    const double apart = ours->mean - cell->reference;
    cell->joint = sqrt(ours->half * ours->half + theirs * theirs);
    /* an interval of zero width is no unit */
    cell->difference = cell->joint > 0 ? apart / cell->joint : NAN;
    return SPN_OK;
}

spn_status spn_reference_compare(spn_report_figure *figure, const char *folder, spn_error *err)
{
    spn_reference reference;
    const char *given = figure->request->reference, *slash = strrchr(given, '/');
    char *path = spn_text_new("%s/reference/%s", folder, slash ? slash + 1 : given);
    SPN_NEED(path, err, "the name of a reference");
    spn_status status;
    SPN_TRY_OR(cleanup, spn_reference_read(&reference, path, figure->request, err));
    for (size_t k = 0; k < reference.count; k++)
        SPN_TRY_OR(cleanup, put_row(figure, &reference.rows[k], path, err));
    SPN_EACH_CELL (cell, figure) {
        if (!cell->has_reference || isnan(cell->difference))
            continue;
        figure->compared++;
        figure->within += fabs(cell->difference) <= 1;
    }
cleanup:
    spn_reference_clear(&reference);
    free(path);
    return status;
}
