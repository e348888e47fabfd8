/* What the page's scripts draw, as JSON: the curves of the figures, and all runs. */
#include "record/json_writer.h"
#include "report/page.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* One number of each cell, by where it stands in it. */
static void put_numbers(spn_json *json, const char *name, const spn_report_curve *curve,
                        size_t offset)
{
    spn_json_open(json, name, '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_real(json, NULL,
                      *(const double *)(const void *)((const char *)&curve->cells[c] + offset));
    spn_json_close(json, ']');
}

/* The columns of the grid that the curve has a cell in, and how many runs are behind each. */
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

/* Means and intervals as the tables have them. */
static void put_shown(spn_json *json, const spn_report_curve *curve, double factor)
{
    char text[SPN_SHOWN_MEAN];
    spn_json_open(json, "shown", '[');
    for (size_t c = 0; c < curve->count; c++) {
        const spn_report_cell *cell = &curve->cells[c];
        spn_json_text(json, NULL, spn_show_summary(text, &cell->ours, factor));
    }
    spn_json_close(json, ']');
    spn_json_open(json, "reference_shown", '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_text(json, NULL, spn_show_reference(text, &curve->cells[c], factor));
    spn_json_close(json, ']');
}

static void put_curve(spn_json *json, const spn_report_figure *figure, const spn_grid *grid,
                      size_t k)
{
    static const struct {
        const char *name;
        size_t offset;
    } numbers[] = {{"mean", offsetof(spn_report_cell, ours.mean)},
                   {"low", offsetof(spn_report_cell, ours.low)},
                   {"high", offsetof(spn_report_cell, ours.high)},
                   {"reference", offsetof(spn_report_cell, reference)},
                   {"reference_half", offsetof(spn_report_cell, reference_half)}};
    const spn_report_curve *curve = &figure->curves[k];
    char colour[SPN_COLOUR];
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", curve->name);
    spn_json_text(json, "colour", spn_curve_colour(colour, k, figure->count, false));
    spn_json_text(json, "dark", spn_curve_colour(colour, k, figure->count, true));
    put_places(json, curve, grid, k);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        put_numbers(json, numbers[n].name, curve, numbers[n].offset);
    put_shown(json, curve, spn_value_factor(figure->request->value));
    spn_json_close(json, '}');
}

static bool put_figure(spn_json *json, const spn_report_figure *figure)
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
        put_curve(json, figure, &grid, k);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
    spn_grid_clear(&grid);
    return true;
}

/* ---- runs ---- */

/* The columns: what varies, the run, every result that a run has, and the rest. */
static void put_run_heads(spn_json *json, const spn_sweep *sweep, const spn_record_names *names)
{
    static const char *const last[] = {"seconds", "seed", "machine", "finished"};
    spn_json_open(json, "names", '[');
    for (size_t a = 0; a < sweep->axis_count; a++)
        spn_json_text(json, NULL, sweep->axes[a].setting);
    spn_json_text(json, NULL, "run");
    for (size_t k = 0; k < names->result_count; k++)
        spn_json_text(json, NULL, names->results[k]);
    for (size_t k = 0; k < names->text_count; k++)
        spn_json_text(json, NULL, names->texts[k]);
    for (size_t k = 0; k < sizeof last / sizeof *last; k++)
        spn_json_text(json, NULL, last[k]);
    spn_json_close(json, ']');
}

static void put_text_or_empty(spn_json *json, const char *text)
{
    spn_json_text(json, NULL, text ? text : "");
}

static void put_run(spn_json *json, const spn_record *record, const spn_sweep *sweep,
                    const spn_record_names *names)
{
    char seed[SPN_FIELD_TEXT];
    spn_json_open(json, NULL, '[');
    for (size_t a = 0; a < sweep->axis_count; a++)
        put_text_or_empty(json, spn_record_setting(record, sweep->axes[a].setting));
    spn_json_whole(json, NULL, record->run);
    for (size_t k = 0; k < names->result_count; k++)
        spn_json_real(json, NULL, spn_record_number(record, names->results[k]));
    for (size_t k = 0; k < names->text_count; k++)
        put_text_or_empty(json, spn_record_text(record, names->texts[k]));
    spn_json_real(json, NULL, record->seconds);
    /* seeds are texts: JavaScript's numbers have 53 bits */
    spn_json_text(json, NULL, spn_record_field(seed, record, "seed"));
    put_text_or_empty(json, record->machine);
    put_text_or_empty(json, record->finished);
    spn_json_close(json, ']');
}

static bool put_runs(spn_json *json, const spn_records *records)
{
    spn_view view;
    if (spn_view_make(&view, records, &(spn_view_options){0}, NULL)) {
        spn_view_clear(&view);
        return false;
    }
    spn_json_open(json, "runs", '{');
    put_run_heads(json, records->sweep, &view.names);
    spn_json_open(json, "rows", '[');
    for (size_t r = 0; r < records->count; r++)
        put_run(json, &records->records[r], records->sweep, &view.names);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
    spn_view_clear(&view);
    return true;
}

/* ---- both ---- */

static bool put_all(spn_json *json, const spn_page *page)
{
    spn_json_open(json, NULL, '{');
    spn_json_open(json, "figures", '[');
    for (size_t k = 0; k < page->count; k++)
        if (page->missing[k]) {
            spn_json_open(json, NULL, '{');
            spn_json_close(json, '}');
        } else if (!put_figure(json, &page->figures[k])) {
            return false;
        }
    spn_json_close(json, ']');
    if (!put_runs(json, page->records))
        return false;
    spn_json_close(json, '}');
    return true;
}

/* These letters stand in texts of JSON only, where they may be written as their numbers: so no text
   can end the script that holds it. */
static void put_safely(FILE *stream, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(stream, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, stream);
}

spn_status spn_page_data(FILE *stream, const spn_page *page, spn_error *err)
{
    spn_json json = {0};
    char *text = NULL;
    size_t size;
    spn_status status = spn_json_begin(&json, err);
    if (status)
        return status;
    const bool complete = put_all(&json, page);
    status = spn_json_finish(&text, &size, &json, err);
    if (!status && !complete)
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the page");
    if (!status)
        put_safely(stream, text);
    free(text);
    return status;
}
