/* What the page's scripts draw, as JSON: the curves of the figures, and all runs. */
#include "record/json_writer.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

static void put_numbers(spn_json *json, const char *name, const spn_report_curve *curve,
                        double (*of)(const spn_report_cell *))
{
    spn_json_open(json, name, '[');
    for (size_t c = 0; c < curve->count; c++)
        spn_json_real(json, NULL, of(&curve->cells[c]));
    spn_json_close(json, ']');
}

static double mean_of(const spn_report_cell *cell)
{
    return cell->ours.mean;
}

static double half_of(const spn_report_cell *cell)
{
    return cell->ours.half;
}

static double runs_of(const spn_report_cell *cell)
{
    return (double)cell->ours.count;
}

static double reference_of(const spn_report_cell *cell)
{
    return cell->reference;
}

static double reference_half_of(const spn_report_cell *cell)
{
    return cell->reference_half;
}

static void put_columns(spn_json *json, const spn_report_curve *curve, const spn_grid *grid,
                        size_t row)
{
    spn_json_open(json, "columns", '[');
    for (size_t c = 0; c < curve->count; c++)
        for (size_t k = 0; k < grid->columns; k++)
            if (spn_grid_at(grid, row, k) == &curve->cells[c])
                spn_json_whole(json, NULL, k);
    spn_json_close(json, ']');
}

/* Means and intervals as the tables have them. */
static void put_shown(spn_json *json, const spn_report_curve *curve, double factor)
{
    char text[SPN_SHOWN_MEAN];
    spn_json_open(json, "shown", '[');
    for (size_t c = 0; c < curve->count; c++) {
        const spn_report_cell *cell = &curve->cells[c];
        spn_json_text(json, NULL, spn_show_mean(text, cell->ours.mean, cell->ours.half, factor));
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
    const spn_report_curve *curve = &figure->curves[k];
    char colour[SPN_COLOUR];
    spn_json_open(json, NULL, '{');
    spn_json_text(json, "name", curve->name);
    spn_json_text(json, "colour", spn_curve_colour(colour, k, figure->count, false));
    spn_json_text(json, "dark", spn_curve_colour(colour, k, figure->count, true));
    put_columns(json, curve, grid, k);
    put_numbers(json, "mean", curve, mean_of);
    put_numbers(json, "half", curve, half_of);
    put_numbers(json, "runs", curve, runs_of);
    put_numbers(json, "reference", curve, reference_of);
    put_numbers(json, "reference_half", curve, reference_half_of);
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
    spn_json_text(json, "x_label", spn_figure_x_label(request));
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

/* The columns: what varies, the run, every result that one of the runs has, and the rest. */
typedef struct columns {
    size_t results;
    const char **names;
} columns;

static bool find_results(columns *out, const spn_records *records)
{
    size_t most = 0;
    for (size_t r = 0; r < records->count; r++)
        if (records->records[r].result_count > most)
            most = records->records[r].result_count;
    /* runs of one task have the same results; those of the fullest run come first */
    *out = (columns){.names = malloc((most + 1) * sizeof *out->names)};
    if (!out->names)
        return false;
    for (size_t r = 0; r < records->count && out->results < most; r++) {
        const spn_record *record = &records->records[r];
        if (record->result_count < most)
            continue;
        for (size_t k = 0; k < most; k++)
            out->names[out->results++] = record->results[k].name;
    }
    return true;
}

static void put_run_heads(spn_json *json, const spn_sweep *sweep, const columns *c)
{
    spn_json_open(json, "names", '[');
    for (size_t a = 0; a < sweep->axis_count; a++)
        spn_json_text(json, NULL, sweep->axes[a].setting);
    spn_json_text(json, NULL, "run");
    for (size_t k = 0; k < c->results; k++)
        spn_json_text(json, NULL, c->names[k]);
    static const char *const last[] = {"seconds", "seed", "machine", "finished"};
    for (size_t k = 0; k < 4; k++)
        spn_json_text(json, NULL, last[k]);
    spn_json_close(json, ']');
}

/* Seeds are texts: JavaScript's numbers have 53 bits. */
static void put_run(spn_json *json, const spn_record *record, const spn_sweep *sweep,
                    const columns *c)
{
    char seed[24];
    spn_json_open(json, NULL, '[');
    for (size_t a = 0; a < sweep->axis_count; a++) {
        const char *text = spn_record_setting(record, sweep->axes[a].setting);
        spn_json_text(json, NULL, text ? text : "");
    }
    spn_json_whole(json, NULL, record->run);
    for (size_t k = 0; k < c->results; k++)
        spn_json_real(json, NULL, spn_record_number(record, c->names[k]));
    spn_json_real(json, NULL, record->seconds);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)record->seed);
    spn_json_text(json, NULL, seed);
    spn_json_text(json, NULL, record->machine ? record->machine : "");
    spn_json_text(json, NULL, record->finished ? record->finished : "");
    spn_json_close(json, ']');
}

static bool put_runs(spn_json *json, const spn_records *records)
{
    columns c;
    if (!find_results(&c, records))
        return false;
    spn_json_open(json, "runs", '{');
    put_run_heads(json, records->sweep, &c);
    spn_json_open(json, "rows", '[');
    for (size_t r = 0; r < records->count; r++)
        put_run(json, &records->records[r], records->sweep, &c);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
    free(c.names);
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
    spn_status status = spn_json_begin(&json, &text, &size, err);
    if (status)
        return status;
    const bool complete = put_all(&json, page);
    status = spn_json_finish(&json, &text, err);
    if (!status && !complete)
        status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the page");
    if (!status)
        put_safely(stream, text);
    free(text);
    return status;
}
