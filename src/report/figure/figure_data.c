/* Numbers of a figure: CSV for gnuplot, and JSON for the page's scripts and other languages. */

#include "base/text.h"
#include "report/figure/script.h"
#include <assert.h>

#include <stddef.h>
#include <string.h>

/* On one line, because gnuplot counts lines. */
static void put_text(FILE *stream, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")])
        spn_csv_put_quoted(stream, text);
    else
        spn_csv_put(stream, text);
}

static bool has_curves(const spn_sweep_figure *request)
{
    return request->by || request->guide || strchr(request->value, ',');
}

static void put_cell(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                     const spn_heat *heat, size_t row, const spn_report_cell *cell)
{
    const spn_sweep_figure *request = figure->request;
    const spn_summary *ours = &cell->ours, *also = &cell->also;
    char shown[SPN_SHOWN_MEAN];
    size_t column = 0;
    while (column < grid->columns && spn_grid_at(grid, row, column) != cell)
        column++;
    const double place = spn_grid_position(grid, column, spn_grid_is_log(grid, request));
    spn_csv_numbers(stream, (double[]){place, ours->mean, ours->half, ours->low, ours->high}, 5);
    fprintf(stream, ",%zu,", ours->count);
    spn_csv_numbers(stream,
                    (double[]){ours->deviation, cell->reference, cell->reference_half, cell->joint,
                               cell->difference, also->mean, also->half},
                    7);
    fprintf(stream, ",%zu,%zu,%s,", column, spn_heat_row(figure, row),
            spn_heat_text(shown, heat, ours->mean));
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

/* Columns of the grid where the curve has a cell, and the runs of each. */
static void put_places(spn_json *json, const spn_report_curve *curve, const spn_grid *grid,
                       size_t row)
{
    spn_json_open(json, "columns", '[');
    for (size_t c = 0; c < curve->count; c++)
        for (size_t k = 0; k < grid->columns; k++)
            if (spn_grid_at(grid, row, k) == &curve->cells[c])
                spn_json_whole(json, NULL, k);
    spn_json_close(json, ']');
    spn_json_open(json, "runs", '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_whole(json, NULL, curve->cells[c].ours.count);
    spn_json_close(json, ']');
}

static void put_shown(spn_json *json, const spn_report_curve *curve, double factor)
{
    char text[SPN_SHOWN_MEAN];
    spn_json_open(json, "shown", '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_text(json, NULL, spn_show_summary(text, &curve->cells[c].ours, factor));
    spn_json_close(json, ']');
    spn_json_open(json, "reference_shown", '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_text(json, NULL, spn_show_reference(text, &curve->cells[c], factor));
    spn_json_close(json, ']');
}

/* A list of numbers, `apart` bytes from one to the next. */
static void put_numbers(spn_json *json, const char *name, const void *first, size_t apart,
                        size_t count)
{
    spn_json_open(json, name, '[');
    for (size_t k = 0; k < count; k++) {
        double value;
        memcpy(&value, (const char *)first + k * apart, sizeof value);
        spn_json_real(json, NULL, value);
    }
    spn_json_close(json, ']');
}

/* Columns of cells; a page draws the first DRAWN. */
enum { DRAWN = 5 };
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {{"mean", offsetof(spn_report_cell, ours.mean)},
               {"low", offsetof(spn_report_cell, ours.low)},
               {"high", offsetof(spn_report_cell, ours.high)},
               {"reference", offsetof(spn_report_cell, reference)},
               {"reference_half", offsetof(spn_report_cell, reference_half)},
               {"x", offsetof(spn_report_cell, x)},
               {"half", offsetof(spn_report_cell, ours.half)},
               {"deviation", offsetof(spn_report_cell, ours.deviation)},
               {"difference", offsetof(spn_report_cell, difference)}};

static void put_rest(spn_json *json, const spn_report_curve *curve)
{
    spn_json_text(json, "value", curve->value);
    spn_json_open(json, "x_text", '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_text(json, NULL, curve->cells[c].x_text);
    spn_json_close(json, ']');
    put_numbers(json, "values", curve->values, sizeof *curve->values, curve->value_count);
    put_numbers(json, "costs", curve->hits ? &curve->hits->cost : NULL, sizeof *curve->hits,
                curve->hit_count);
    spn_json_open(json, "hits", '[');
    assert(curve->hits || !curve->hit_count);
    for (size_t k = 0; k < curve->hit_count; k++)
        spn_json_flag(json, NULL, curve->hits[k].hit);
    spn_json_close(json, ']');
}

static void put_curve(spn_json *json, const spn_report_figure *figure, const spn_grid *grid,
                      size_t k, bool all)
{
    const size_t count = all ? sizeof numbers / sizeof *numbers : DRAWN;
    const spn_report_curve *curve = &figure->curves[k];
    char colour[SPN_COLOUR];
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", curve->name);
    spn_json_text(json, "colour", spn_curve_colour(colour, k, figure->count, false));
    spn_json_text(json, "dark", spn_curve_colour(colour, k, figure->count, true));
    put_places(json, curve, grid, k);
    for (size_t n = 0; n < count; n++)
        put_numbers(json, numbers[n].name, (const char *)curve->cells + numbers[n].offset,
                    sizeof *curve->cells, curve->count);
    put_shown(json, curve, spn_value_factor(figure->request->value));
    if (all)
        put_rest(json, curve);
    spn_json_close(json, '}');
}

/* The page has these in its HTML. */
static void put_request(spn_json *json, const spn_report_figure *figure)
{
    const spn_sweep_figure *request = figure->request;
    char title[SPN_TITLE], label[SPN_LABEL], verdict[SPN_VERDICT];
    const char *by = spn_figure_by_label(label, request);
    spn_json_text(json, "title", spn_figure_title(title, request));
    spn_json_text(json, "by_label", by ? by : "");
    spn_json_text(json, "x_name", request->x);
    spn_json_text(json, "by_name", request->by ? request->by : "");
    spn_json_text(json, "value_name", request->value);
    spn_json_text(json, "verdict", spn_figure_verdict(verdict, figure));
    spn_json_open(json, "kinds", '[');
    for (size_t kind = 0; kind < SPN_FIGURE_KINDS; kind++)
        if (request->as[kind])
            spn_json_text(json, NULL, spn_figure_kind_at(kind)->name);
    spn_json_close(json, ']');
    spn_json_open(json, "pictures", '{'); /* by kind: the file name without .svg */
    for (size_t kind = 0; kind < SPN_FIGURE_KINDS; kind++)
        if (request->as[kind] && spn_drawings[kind]->script) {
            char stem[SPN_LABEL];
            snprintf(stem, sizeof stem, "%s%s", request->name, spn_figure_kind_at(kind)->ending);
            spn_json_text(json, spn_figure_kind_at(kind)->name, stem);
        }
    spn_json_close(json, '}');
}

bool spn_figure_json(spn_json *json, const spn_report_figure *figure, bool all)
{
    const spn_sweep_figure *request = figure->request;
    char label[SPN_LABEL], shown[SPN_SHOWN_VALUE];
    spn_grid grid;
    if (!spn_grid_make(&grid, figure))
        return false;
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", request->name);
    spn_json_text(json, "x_label", spn_figure_x_label((char[SPN_LABEL]){0}, request));
    spn_json_text(json, "label", spn_figure_label(label, request));
    spn_json_text(json, "reference_name", spn_figure_reference_name(request));
    spn_json_real(json, "factor", spn_value_factor(request->value));
    spn_json_flag(json, "bands", request->bands);
    spn_json_flag(json, "log_x", request->log_x);
    spn_json_flag(json, "log_y", request->log_y);
    spn_json_flag(json, "numbers", grid.numbers);
    spn_json_open(json, "x", '[');
    for (size_t c = 0; c < grid.columns; c++)
        spn_json_real(json, NULL, grid.numbers ? grid.head[c]->x : (double)c);
    spn_json_close(json, ']');
    spn_json_open(json, "x_texts", '[');
    for (size_t c = 0; c < grid.columns; c++)
        spn_json_text(json, NULL, spn_show_value(shown, grid.head[c]->x_text));
    spn_json_close(json, ']');
    spn_json_open(json, "curves", '[');
    for (size_t k = 0; k < figure->count; k++)
        put_curve(json, figure, &grid, k, all);
    spn_json_close(json, ']');
    if (all)
        put_request(json, figure);
    spn_json_close(json, '}');
    spn_grid_clear(&grid);
    return true;
}
