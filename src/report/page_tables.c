/* The tables of a figure on the page: coloured, with the best in bold, and every number. */
#include "report/figure_files.h"
#include "report/figure_heat.h"
#include "report/page.h"

#include <math.h>

static void open_table(FILE *stream, const char *kind, const char *what)
{
    fputs("<p class=\"what\">", stream);
    spn_html_text(stream, what);
    fputs("</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", stream);
    spn_html_text(stream, what);
    fprintf(stream, "\"><table class=\"%s\">\n", kind);
}

static void put_heads(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    char shown[SPN_SHOWN_VALUE];
    fputs("<thead><tr><th scope=\"col\">", stream);
    if (figure->request->by) {
        spn_html_text(stream, spn_figure_by_label(figure->request));
        fputs(" \\ ", stream);
    }
    spn_html_text(stream, spn_figure_x_label(figure->request));
    fputs("</th>", stream);
    for (size_t c = 0; c < grid->columns; c++) {
        fputs("<th scope=\"col\">", stream);
        spn_html_text(stream, spn_show_value(shown, grid->head[c]->x_text));
        fputs("</th>", stream);
    }
    fputs("</tr></thead>\n<tbody>\n", stream);
}

static void put_row_head(FILE *stream, const spn_report_figure *figure, size_t k)
{
    const spn_report_curve *curve = &figure->curves[k];
    char shown[SPN_SHOWN_VALUE];
    fputs("<tr><th scope=\"row\">", stream);
    spn_html_text(stream, figure->request->by ? spn_show_value(shown, curve->value) : curve->name);
    fputs("</th>", stream);
}

static void close_table(FILE *stream)
{
    fputs("</tbody></table></div>\n", stream);
}

/* ---- heat ---- */

static void put_heat_cell(FILE *stream, const spn_report_cell *cell, const spn_heat *heat)
{
    char colour[SPN_COLOUR], text[SPN_SHOWN_MEAN];
    if (!cell || isnan(cell->ours.mean)) {
        fputs("<td>–</td>", stream);
        return;
    }
    const double share = spn_heat_share(heat, cell->ours.mean);
    fprintf(stream, "<td style=\"background:%s;color:%s\" title=\"%s, ",
            spn_heat_colour(colour, share), share < 0.6 ? "#fff" : "#000",
            spn_show_mean(text, cell->ours.mean, cell->ours.half, heat->factor));
    spn_html_count(stream, cell->ours.count, "run");
    fprintf(stream, "\">%s</td>", spn_heat_text(text, heat, cell->ours.mean));
}

void spn_page_heat(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_heat heat = spn_heat_make(figure);
    char label[SPN_LABEL];
    open_table(stream, "heat", spn_figure_label(label, figure->request));
    put_heads(stream, figure, grid);
    for (size_t row = 0; row < grid->rows; row++) {
        size_t k = 0; /* the curve in this row, counted from above */
        while (k + 1 < grid->rows && spn_heat_row(figure, k) != grid->rows - 1 - row)
            k++;
        put_row_head(stream, figure, k);
        for (size_t c = 0; c < grid->columns; c++)
            put_heat_cell(stream, spn_grid_at(grid, k, c), &heat);
        fputs("</tr>\n", stream);
    }
    close_table(stream);
}

/* ---- table ---- */

static void put_cell(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                     size_t row, size_t column)
{
    const spn_sweep_figure *request = figure->request;
    const spn_report_cell *cell = spn_grid_at(grid, row, column);
    const double factor = spn_value_factor(request->value);
    char text[SPN_SHOWN_MEAN];
    if (!cell) {
        fputs("<td>–</td>", stream);
        return;
    }
    const bool bold = spn_grid_is_best(grid, figure, row, column, false);
    const bool reference_bold = spn_grid_is_best(grid, figure, row, column, true);
    fprintf(stream, "<td>%s%s%s", bold ? "<strong>" : "",
            spn_show_mean(text, cell->ours.mean, cell->ours.half, factor), bold ? "</strong>" : "");
    if (*spn_cell_mark(cell))
        fprintf(stream, "<span class=\"outside\">%s</span>", spn_cell_mark(cell));
    if (request->also && !isnan(cell->also.mean))
        fprintf(stream, " (%s)",
                spn_show_center(text, cell->also.mean, cell->also.half,
                                spn_value_factor(request->also)));
    if (cell->has_reference) {
        fputs("<br><span class=\"reference\">", stream);
        spn_html_text(stream, spn_figure_reference_name(request));
        fprintf(stream, ": %s%s%s</span>", reference_bold ? "<strong>" : "",
                spn_show_reference(text, cell, factor), reference_bold ? "</strong>" : "");
    }
    fputs("</td>", stream);
}

void spn_page_table(FILE *stream, const spn_report_figure *figure, const spn_grid *grid)
{
    const spn_sweep_figure *request = figure->request;
    const char *also = request->also ? request->also : "", *best = spn_figure_best_text(figure);
    char label[SPN_LABEL], mark[SPN_VERDICT], what[4 * SPN_LABEL];
    spn_figure_mark_text(mark, figure);
    snprintf(what, sizeof what, "%s%s%.*s%s%s%s%s%s", spn_figure_label(label, request),
             request->also ? ", in brackets " : "", spn_fit(also, 100), also,
             request->also && spn_value_factor(request->also) == 100 ? " (%)" : "",
             *best ? "; the " : "", best, *mark ? "; " : "", mark);
    open_table(stream, "means", what);
    put_heads(stream, figure, grid);
    for (size_t k = 0; k < grid->rows; k++) {
        put_row_head(stream, figure, k);
        for (size_t c = 0; c < grid->columns; c++)
            put_cell(stream, figure, grid, k, c);
        fputs("</tr>\n", stream);
    }
    close_table(stream);
}

/* ---- every number ---- */

static void put_number_row(FILE *stream, const spn_report_figure *figure,
                           const spn_report_curve *curve, const spn_report_cell *cell,
                           bool compared)
{
    const double factor = spn_value_factor(figure->request->value);
    char text[SPN_SHOWN_MEAN], shown[SPN_SHOWN_VALUE];
    fputs("<tr>", stream);
    if (figure->request->by) {
        fputs("<td>", stream);
        spn_html_text(stream, spn_show_value(shown, curve->value));
        fputs("</td>", stream);
    }
    fputs("<td>", stream);
    spn_html_text(stream, spn_show_value(shown, cell->x_text));
    fprintf(stream, "</td><td>%s</td><td>%zu</td>",
            spn_show_mean(text, cell->ours.mean, cell->ours.half, factor), cell->ours.count);
    if (compared) {
        fprintf(stream, "<td>%s</td>", spn_show_reference(text, cell, factor));
        fprintf(stream, "<td%s>%s</td>", *spn_cell_mark(cell) ? " class=\"outside\"" : "",
                spn_show_difference(text, cell));
    }
    fputs("</tr>\n", stream);
}

static void put_number_heads(FILE *stream, const spn_sweep_figure *request, bool compared)
{
    char label[SPN_LABEL];
    fputs("<thead><tr>", stream);
    if (request->by) {
        fputs("<th scope=\"col\">", stream);
        spn_html_text(stream, spn_figure_by_label(request));
        fputs("</th>", stream);
    }
    fputs("<th scope=\"col\">", stream);
    spn_html_text(stream, spn_figure_x_label(request));
    fputs("</th><th scope=\"col\">", stream);
    spn_html_text(stream, spn_figure_label(label, request));
    fputs("</th><th scope=\"col\">runs</th>", stream);
    if (compared) {
        fputs("<th scope=\"col\">", stream);
        spn_html_text(stream, spn_figure_reference_name(request));
        fputs("</th><th scope=\"col\">difference</th>", stream);
    }
    fputs("</tr></thead>\n<tbody>\n", stream);
}

static const char *what_numbers(const spn_report_figure *figure, bool compared)
{
    if (spn_figure_is_single(figure))
        return compared ? "One run for each point, with which nothing is compared"
                        : "One run for each point";
    return compared ? "Mean ± half the 95% interval; the difference is in units of the joint 95% "
                      "interval"
                    : "Mean ± half the 95% interval";
}

void spn_page_numbers(FILE *stream, const spn_report_figure *figure, bool open)
{
    const bool compared = spn_figure_has_reference(figure);
    fprintf(stream, "<details%s><summary>%s</summary>\n", open ? " open" : "",
            compared ? "The numbers, compared" : "The numbers");
    open_table(stream, figure->request->by ? "numbers by" : "numbers",
               what_numbers(figure, compared));
    put_number_heads(stream, figure->request, compared);
    for (size_t k = 0; k < figure->count; k++)
        for (size_t c = 0; c < figure->curves[k].count; c++)
            put_number_row(stream, figure, &figure->curves[k], &figure->curves[k].cells[c],
                           compared);
    close_table(stream);
    fputs("</details>\n", stream);
}
